//! `flyball knowledge promote`: lessons become rules of the project.

use std::path::PathBuf;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::workshop::FileChanges;
use flyball_core::world::{Files, Place as _};
use flyball_knowledge::entry::{self, Entry};
use flyball_knowledge::lesson::{self, Kind, Lesson};
use flyball_knowledge::node::{self, Node, Topic};
use flyball_knowledge::{layout, plan, similar};

use super::kind::lessons;
use super::rules;
use super::task::Task;
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::terminal::Terminal;

/// The most letters of a heading that is not the whole lesson.
const TITLE_LETTERS: usize = 72;
/// A lesson of one sentence is a heading up to this length.
const LONGEST_HEADING: usize = 120;
/// Fewer words are a label (`Note:`) and say nothing.
const LEAST_WORDS: usize = 3;

/// Arguments of `flyball knowledge promote`.
#[derive(clap::Args)]
#[command(
    after_help = "What to avoid goes into the section Pitfalls, what works into Patterns, facts into Context. With --rules, what to avoid goes into avoid.md and what works into best-practice.md in that folder; facts stay lessons. A promoted lesson is marked, and not promoted again."
)]
pub(super) struct Arguments {
    /// The ids of the lessons (`flyball knowledge list`), or the beginnings of them
    #[arg(value_name = "ENTRY", required_unless_present = "all")]
    entries: Vec<String>,
    /// All that are not rules yet
    #[arg(long, conflicts_with = "entries")]
    all: bool,
    /// The rule file [default: AGENTS.md or CLAUDE.md in the project's root]
    #[arg(long, value_name = "NODE", conflicts_with = "rules")]
    to: Option<PathBuf>,
    /// Write tables into files of this folder instead
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
    /// The task's name or a part of it, its folder, or its plan
    #[arg(long)]
    task: Option<String>,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let task = Task::find(arguments.task.as_deref())?;
    let content = task.content()?;
    let chosen = chosen(&content, arguments)?;
    let place = Place::from_arguments(arguments, &task);
    let mut ids = Vec::new();
    let mut batch: Vec<&Lesson> = Vec::new();
    for lesson in &chosen {
        let Some(path) = place.file(lesson.kind) else {
            terminal.line(&format!("{} stays a lesson: facts are not rules", lesson.id()));
            continue;
        };
        let same = batch.iter().find(|other| says(&other.text, &lesson.text));
        let outcome = match same {
            Some(other) => Outcome::Known(format!("says the same as {}", other.id())),
            None if arguments.dry_run => place.look(&task, &path, lesson)?,
            None => place.write(&task, &path, lesson)?,
        };
        let shown = shown(&path, &task);
        let done = match (outcome, arguments.dry_run) {
            (Outcome::New, false) => format!("is now a rule in {shown}"),
            (Outcome::New, true) => format!("would become a rule in {shown}"),
            (Outcome::Known(known), _) => known,
        };
        terminal.line(&format!("{} {done}: {}", lesson.id(), one_line(&lesson.text)));
        ids.push(lesson.id());
        batch.push(lesson);
    }
    if !arguments.dry_run && !ids.is_empty() {
        // After the rules are written: a crash in between promotes again, and finds the rule there.
        lesson::mark_promoted(&task.machine, &task.lessons, &ids)?;
    }
    if chosen.is_empty() {
        terminal.line(&format!(
            "nothing to do: all {} of {} are rules already",
            lessons(count(&content)),
            task.name()
        ));
    }
    Ok(Done::Success)
}

fn count(content: &[u8]) -> usize {
    lesson::lines(content)
        .filter_map(|line| line.lesson)
        .filter(|lesson| lesson.kind != Kind::Handoff)
        .count()
}

/// The chosen lessons that are not rules yet.
fn chosen(content: &[u8], arguments: &Arguments) -> Result<Vec<Lesson>, Failed> {
    let mut all: Vec<(Lesson, bool)> = Vec::new();
    for line in lesson::lines(content) {
        let Some(lesson) = line.lesson.filter(|lesson| lesson.kind != Kind::Handoff) else { continue };
        // The same text has the same id, so an id may be in the file twice.
        if !all.iter().any(|(other, _)| other.id() == lesson.id()) {
            all.push((lesson, line.is_promoted));
        }
    }
    let open = |all: Vec<(Lesson, bool)>| {
        all.into_iter().filter(|(_, promoted)| !promoted).map(|(lesson, _)| lesson).collect()
    };
    if arguments.all {
        return Ok(open(all));
    }
    let mut selected = Vec::new();
    for entry in &arguments.entries {
        let found: Vec<&(Lesson, bool)> =
            all.iter().filter(|(lesson, _)| lesson.id().starts_with(entry.as_str())).collect();
        match found.as_slice() {
            [one] if !selected.contains(*one) => selected.push((*one).clone()),
            [_] => {}
            [] => return Err(no_lesson(entry, "no lesson has the id")),
            _ => return Err(no_lesson(entry, "several lessons have ids that begin with")),
        }
    }
    Ok(open(selected))
}

fn no_lesson(entry: &str, what: &str) -> Failed {
    Failed::new(format!("{what} `{}`", one_line(entry)), "`flyball knowledge list` shows the ids")
}

/// Where rules are written.
enum Place {
    Node(AbsolutePath),
    Rules(AbsolutePath),
}

impl Place {
    fn from_arguments(arguments: &Arguments, task: &Task) -> Place {
        let at = |path: &PathBuf| task.machine.real_path(task.machine.project_root(), &working_path(path));
        match (&arguments.rules, &arguments.to) {
            (Some(folder), _) => Place::Rules(at(folder)),
            (None, Some(node)) => Place::Node(at(node)),
            (None, None) => {
                let names = layout::node_names(flyball_clients::FACTS);
                let places: Vec<AbsolutePath> =
                    names.map(|name| plan::absolute_path(&task.machine, name)).collect();
                let is_there = |path: &&AbsolutePath| task.machine.stat(path).is_some();
                let place = places.iter().find(is_there).or(places.first());
                Place::Node(place.cloned().unwrap_or_default())
            }
        }
    }

    /// The file for a kind of lesson.
    fn file(&self, kind: Kind) -> Option<AbsolutePath> {
        match self {
            Place::Node(path) => Some(path.clone()),
            Place::Rules(folder) => rules::file(kind).map(|(name, _)| folder.join(name)),
        }
    }

    /// What would become of a lesson.
    fn look(&self, task: &Task, path: &AbsolutePath, lesson: &Lesson) -> Result<Outcome, Failed> {
        let content = task.machine.read(path, 16 * 1024 * 1024)?;
        let text = content.map(|content| String::from_utf8_lossy(&content).into_owned()).unwrap_or_default();
        if self.contains(path, &text, lesson) {
            return Ok(Outcome::Known(format!("is already in {}", shown(path, task))));
        }
        Ok(self.other_node(task, path, lesson)?.map_or(Outcome::New, Outcome::Known))
    }

    fn contains(&self, path: &AbsolutePath, text: &str, lesson: &Lesson) -> bool {
        match self {
            Place::Node(_) => node_says(&Node::new(path.clone(), text), lesson),
            Place::Rules(_) => {
                let cells = text.lines().filter_map(|line| line.trim().strip_prefix('|')?.split(" |").next());
                let mut cells = cells.map(|cell| cell.replace("\\|", "|"));
                cells.any(|cell| says(&cell, &lesson.text))
            }
        }
    }

    /// Whether another node that covers the same files says it already.
    fn other_node(
        &self,
        task: &Task,
        path: &AbsolutePath,
        lesson: &Lesson,
    ) -> Result<Option<String>, Failed> {
        let Place::Node(_) = self else { return Ok(None) };
        let nodes = node::covering(&task.machine, &format!("{}/", path.folder()))?;
        let other = nodes.into_iter().find(|node| node.path != *path && node_says(node, lesson));
        Ok(other.map(|node| format!("is already in {}", shown(&node.path, task))))
    }

    /// Writes a lesson, unless it is known.
    fn write(&self, task: &Task, path: &AbsolutePath, lesson: &Lesson) -> Result<Outcome, Failed> {
        if let Some(known) = self.other_node(task, path, lesson)? {
            return Ok(Outcome::Known(known));
        }
        let changed = task.machine.update(path, &mut |before| {
            let text = before.map(|before| utf8(path, before)).transpose()?;
            // Checked under the lock of the file: two sessions may promote the same lesson.
            if text.is_some_and(|text| self.contains(path, text, lesson)) {
                return Ok(None);
            }
            let text = match self {
                Place::Node(_) => entry::insert(text.unwrap_or_default(), &as_entry(lesson, task)),
                Place::Rules(_) => rules::with_row(text, lesson),
            };
            Ok(Some(text.into_bytes()))
        })?;
        Ok(if changed {
            Outcome::New
        } else {
            Outcome::Known(format!("is already in {}", shown(path, task)))
        })
    }
}

/// What became of a lesson.
enum Outcome {
    New,
    /// It is known; where.
    Known(String),
}

/// Whether a node says what a lesson says, in any section and in whatever words.
fn node_says(node: &Node, lesson: &Lesson) -> bool {
    node::rules(node).iter().any(|rule| says(&rule.words(), &lesson.text))
}

/// Whether a text, or one sentence of it, says what a lesson says.
fn says(text: &str, lesson: &str) -> bool {
    text.contains(lesson)
        || similar::is_same(text, lesson)
        || text
            .split(['\n', ';'])
            .flat_map(|line| line.split(". "))
            .any(|part| similar::is_same(part, lesson))
}

fn utf8<'a>(path: &str, content: &'a [u8]) -> Result<&'a str, PolicyError> {
    std::str::from_utf8(content).map_err(|_| PolicyError::World {
        what: format!("`{path}` is not valid UTF-8; it was not changed"),
        fix: "name another file with --to".to_owned(),
    })
}

/// A typed path, from the current folder.
fn working_path(path: &std::path::Path) -> String {
    let folder = crate::environment::working_directory().unwrap_or_default();
    folder.join(path).to_string_lossy().into_owned()
}

/// A path as it is shown: below the project's root.
fn shown(path: &AbsolutePath, task: &Task) -> String {
    one_line(path.strip_folder(task.machine.project_root()).unwrap_or(path))
}

fn as_entry(lesson: &Lesson, task: &Task) -> Entry {
    let topic = match lesson.kind {
        Kind::Avoid => Topic::Pitfalls,
        Kind::Works => Topic::Patterns,
        Kind::Fact | Kind::Handoff => Topic::Context,
    };
    let who = if lesson.source.is_empty() { String::new() } else { format!(", {}", lesson.source) };
    let source = format!("{}{who}", plan::lessons_path(&task.plan));
    let (title, body) = parts(&lesson.text);
    Entry { topic, title, body, source }
}

/// A heading and the text below it. No sentence is in both, as far as it is short enough for a heading.
fn parts(text: &str) -> (String, String) {
    let text = text.trim();
    if let Some((clause, rest)) = first_clause(text) {
        return (clause.to_owned(), capitalised(rest));
    }
    if text.chars().count() <= LONGEST_HEADING && !text.contains('\n') {
        return (text.trim_end_matches('.').to_owned(), text.to_owned());
    }
    (node::shorten(&one_line(text), TITLE_LETTERS).into_owned(), text.to_owned())
}

/// A first clause that can be a heading, and the rest.
fn first_clause(text: &str) -> Option<(&str, &str)> {
    let ends = text.match_indices([':', ';', '.']).filter(|(at, _)| {
        let behind = text.get(at + 1..).unwrap_or_default();
        let is_outside = text.get(..*at).is_some_and(|before| before.matches('`').count() % 2 == 0);
        is_outside && behind.starts_with(char::is_whitespace)
    });
    let (clause, rest) = ends
        .take(1)
        .find_map(|(at, mark)| Some((text.get(..at)?.trim(), text.get(at + mark.len()..)?.trim())))?;
    let is_heading =
        clause.split_whitespace().count() >= LEAST_WORDS && clause.chars().count() <= TITLE_LETTERS;
    (is_heading && !rest.is_empty()).then_some((clause, rest))
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}
