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

/// The most letters of a heading.
const TITLE_LETTERS: usize = 72;

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
    for lesson in &chosen {
        let Some(path) = place.file(lesson.kind) else {
            terminal.line(&format!("{} stays a lesson: facts are not rules", lesson.id()));
            continue;
        };
        let is_new = if arguments.dry_run {
            !place.has_lesson(&task, &path, lesson)?
        } else {
            place.write(&task, &path, lesson)?
        };
        let shown = shown(&path, &task);
        let done = match (is_new, arguments.dry_run) {
            (true, false) => format!("is now a rule in {shown}"),
            (true, true) => format!("would become a rule in {shown}"),
            (false, _) => format!("is already in {shown}"),
        };
        terminal.line(&format!("{} {done}: {}", lesson.id(), one_line(&lesson.text)));
        ids.push(lesson.id());
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

    /// Whether the file already has a lesson.
    fn has_lesson(&self, task: &Task, path: &AbsolutePath, lesson: &Lesson) -> Result<bool, Failed> {
        let content = task.machine.read(path, 16 * 1024 * 1024)?;
        let text = content.map(|content| String::from_utf8_lossy(&content).into_owned()).unwrap_or_default();
        Ok(self.contains(path, &text, lesson))
    }

    fn contains(&self, path: &AbsolutePath, text: &str, lesson: &Lesson) -> bool {
        match self {
            Place::Node(_) => {
                let node = Node::new(path.clone(), text);
                node::rules(&node).iter().any(|rule| {
                    rule.text.contains(&lesson.text) || similar::is_same(&rule.text, &lesson.text)
                })
            }
            Place::Rules(_) => {
                let with = rules::with_row(None, lesson);
                with.lines().next_back().is_some_and(|row| text.lines().any(|line| line == row))
            }
        }
    }

    /// Writes a lesson; `false` if the file already has it.
    fn write(&self, task: &Task, path: &AbsolutePath, lesson: &Lesson) -> Result<bool, Failed> {
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
        });
        changed.map_err(Failed::from)
    }
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
    Entry { topic, title: title(&lesson.text), body: lesson.text.clone(), source }
}

/// What a lesson begins with: its first clause, in whole words.
fn title(text: &str) -> String {
    let clause = text.split([':', ';']).next().unwrap_or(text);
    let clause = clause.split(". ").next().unwrap_or(clause).trim_end_matches('.');
    let mut title = String::new();
    for word in clause.split_whitespace() {
        if !title.is_empty() && title.chars().count() + 1 + word.chars().count() > TITLE_LETTERS {
            return format!("{title} …");
        }
        if !title.is_empty() {
            title.push(' ');
        }
        title.push_str(word);
    }
    title
}
