//! `search_knowledge`: what a project knows about a few words.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flyball_core::path::AbsolutePath;
use flyball_core::world::{Files, Place, real_root};
use flyball_knowledge::layout::{LESSONS, TASK_SUFFIX, TASKS};
use flyball_knowledge::lesson;
use flyball_knowledge::node::{self, ImportState, Node, Topic};
use flyball_knowledge::report::{Report, Status};
use flyball_world::machine::Machine;
use rmcp::schemars::JsonSchema;
use serde::Deserialize;

use super::relevance::{Ranking, Terms};
use crate::commands::mcp::projects::{Projects, Refusal, quote};
use crate::commands::memory::place::{display_path, machine};
use crate::commands::memory::{nodes, reports, sections};
use crate::show::text::{cut, one_line};

/// How long each kind of knowledge is searched; then what was found so far is the answer.
const TIME_PER_KIND: Duration = Duration::from_secs(3);
/// How long all of it is searched. Listing the files of rules and ranking come on top; a call may take longer than both.
const TOTAL_TIME: Duration = Duration::from_secs(11);

/// How many matches are given, if nobody says.
const LIMIT: usize = 10;
/// How many at the most.
const MOST: usize = 50;

/// The characters of a match that are shown.
const MOST_CHARACTERS: usize = 600;

/// Longer files are not files of rules.
const NODE_BYTES: u64 = 256 * 1024;
/// So much of the lessons of one task is read: the newest.
const LESSON_BYTES: u64 = 32 * 1024 * 1024;
/// So many lessons of one task are looked at closely: those with most of the words.
const MOST_LESSONS: usize = 20_000;

/// So many lessons are looked at between two looks at the clock.
const AT_ONCE: usize = 1_024;

/// What is looked for.
#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct Query {
    /// A few words: names of components, of tools, of an error.
    query: String,
    /// How many matches at the most: 10 if left out, never more than 50.
    #[serde(default)]
    limit: Option<usize>,
}

/// The best matches, as text.
pub(super) fn find(projects: &Projects, query: &Query) -> Result<String, Refusal> {
    let terms = Terms::from_query(&query.query);
    if terms.is_empty() {
        return Err(Refusal("`query` has no word to search for".to_owned()));
    }
    let mut search = Search {
        ranking: Ranking::new(terms),
        until: Instant::now() + TIME_PER_KIND,
        end: Instant::now() + TOTAL_TIME,
        is_cut: false,
        names_projects: projects.roots.len() > 1,
    };
    let machines: Vec<(&PathBuf, Machine)> =
        projects.roots.iter().map(|root| (root, machine(root))).collect();
    machines.iter().for_each(|(root, machine)| search.nodes(machine, root));
    search.begin();
    machines.iter().for_each(|(_, machine)| search.reports(machine));
    search.begin();
    machines.iter().for_each(|(_, machine)| search.lessons(machine));
    let is_cut = search.is_cut;
    let (found, best) = search.ranking.best(query.limit.unwrap_or(LIMIT).clamp(1, MOST));
    Ok(page(&query.query, (found, best), is_cut))
}

/// A match: its place and its text.
struct Match {
    source: String,
    title: String,
    text: String,
}

struct Search {
    ranking: Ranking<Match>,
    until: Instant,
    /// When nothing more is looked at.
    end: Instant,
    /// Whether time ran out.
    is_cut: bool,
    names_projects: bool,
}

impl Search {
    /// The next kind of knowledge has a time of its own.
    fn begin(&mut self) {
        self.until = (Instant::now() + TIME_PER_KIND).min(self.end);
    }

    fn has_time(&mut self) -> bool {
        let has_time = Instant::now() < self.until;
        self.is_cut |= !has_time;
        has_time
    }

    /// A place in a project, with the project if there are several.
    fn display_path(&self, machine: &Machine, path: &str) -> String {
        let root = machine.project_root();
        if self.names_projects { format!("{root}/{path}") } else { path.to_owned() }
    }

    fn nodes(&mut self, machine: &Machine, root: &Path) {
        let read = |path: &AbsolutePath| {
            let bytes = machine.read(path, NODE_BYTES).ok().flatten()?;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        // Of many projects the later ones may find no time left.
        if Instant::now() >= self.end {
            self.is_cut = true;
            return;
        }
        let mut promising = Vec::new();
        let all = nodes::all(machine, root);
        // A slow git takes nothing from the time for reading.
        self.begin();
        let mut seen: BTreeSet<AbsolutePath> = BTreeSet::new();
        let mut rest: VecDeque<AbsolutePath> = all.iter().map(|path| AbsolutePath::from_path(path)).collect();
        while let Some(path) = rest.pop_front() {
            if !self.has_time() {
                break;
            }
            let Some(text) = read(&path).filter(|_| seen.insert(path.clone())) else { continue };
            match self.ranking.terms().estimate_matches(&text) {
                0 => self.ranking.skip_texts(1),
                hits => promising.push((hits, path.clone())),
            }
            rest.extend(imported(machine, &Node::new(path, text)));
        }
        // Those with most of the words first: time may run out.
        promising.sort_by_key(|(hits, _)| Reverse(*hits));
        for (_, path) in promising {
            if !self.has_time() {
                break;
            }
            let name = self.display_path(machine, &display_path(&path, machine.project_root()));
            if let Some(text) = read(&path) {
                self.node(&Node::new(path, text), &name);
            }
        }
    }

    fn node(&mut self, node: &Node, name: &str) {
        for rule in node::rules(node) {
            let heading = match rule.topic {
                // All headings of a file would be longer than the rule.
                Topic::Rules => rule.headings.last().map_or("", String::as_str),
                topic => topic.heading(),
            };
            let comma = if heading.is_empty() { "" } else { ", " };
            let text = rule.markdown();
            self.ranking.add_text((&rule.title, &text), 1.0, || Match {
                source: format!("{name}{comma}{heading}"),
                title: rule.title.clone(),
                text: text.clone(),
            });
        }
        for section in sections::merged(std::slice::from_ref(node), sections::DESCRIPTIONS) {
            for part in section.parts {
                self.ranking.add_text((&section.name, &part.text), 0.9, || Match {
                    source: name.to_owned(),
                    title: section.name.clone(),
                    text: part.text.clone(),
                });
            }
        }
    }

    fn reports(&mut self, machine: &Machine) {
        // What a person accepted counts more than what waits; rejected reports are not knowledge.
        for (status, weight) in [(Status::Accepted, 0.9), (Status::Pending, 0.7)] {
            for name in reports::names(machine, status) {
                if !self.has_time() {
                    return;
                }
                let may_fit = |text: &str| self.ranking.terms().estimate_matches(text) > 0;
                let Some(report) = reports::read_if(machine, (status, &name), may_fit) else {
                    self.ranking.skip_texts(1);
                    continue;
                };
                let source = self.display_path(machine, &report.draft.folder);
                self.report(&report, &source, weight);
            }
        }
    }

    fn report(&mut self, report: &Report, folder: &str, weight: f64) {
        let status = match report.status {
            Status::Pending => "waits for review",
            Status::Accepted => "accepted",
            Status::Rejected => "rejected",
            Status::Integrated => "in a file of rules",
        };
        let draft = &report.draft;
        let text = [&draft.detail, &draft.said].map(|part| part.trim()).join("\n");
        self.ranking.add_text((&draft.title, &text), weight, || Match {
            source: format!("report {} about {folder} ({status})", report.id),
            title: draft.title.clone(),
            text: text.trim().to_owned(),
        });
    }

    fn lessons(&mut self, machine: &Machine) {
        let root = machine.project_root().to_owned();
        let tasks = machine.real_path(&root, TASKS);
        for task in machine.list(&tasks) {
            let path = machine.real_path(&tasks, &format!("{task}/{LESSONS}"));
            // A link in the folder of tasks must not lead out of the project.
            let is_task = task.ends_with(TASK_SUFFIX) && Path::new(&path).starts_with(&root);
            if !self.has_time() || !is_task {
                continue;
            }
            let Ok(Some(tail)) = machine.tail(&path, LESSON_BYTES) else { continue };
            let text = String::from_utf8_lossy(&tail.bytes);
            let name = task.strip_suffix(TASK_SUFFIX).unwrap_or(&task).to_owned();
            self.lessons_of(&text, &self.display_path(machine, &name));
        }
    }

    fn lessons_of(&mut self, text: &str, task: &str) {
        let (mut promising, mut left_out) = (Vec::new(), 0_u32);
        // The newest stand at the end.
        for (at, line) in text.lines().rev().enumerate() {
            // Looking at the clock costs as much as looking at a line.
            if at % AT_ONCE == 0 && !self.has_time() {
                break;
            }
            match self.ranking.terms().estimate_matches(line) {
                0 => left_out = left_out.saturating_add(1),
                hits => promising.push((hits, line)),
            }
        }
        self.ranking.skip_texts(left_out);
        promising.sort_by_key(|(hits, _)| Reverse(*hits));
        self.is_cut |= promising.len() > MOST_LESSONS;
        let kept: Vec<&str> = promising.into_iter().take(MOST_LESSONS).map(|(_, line)| line).collect();
        for some in kept.chunks(AT_ONCE) {
            if !self.has_time() {
                break;
            }
            self.rank_lessons(&some.join("\n"), task);
        }
    }

    fn rank_lessons(&mut self, lines: &str, task: &str) {
        for lesson in lesson::parse(lines) {
            let kind = match lesson.kind {
                lesson::Kind::Avoid => "avoid",
                lesson::Kind::Works => "works",
                lesson::Kind::Fact => "fact",
                // Where a session stood is nothing that was learned.
                lesson::Kind::Handoff => continue,
            };
            self.ranking.add_text(("", &lesson.text), 0.9, || Match {
                source: format!("lesson of task {task} ({kind})"),
                title: String::new(),
                text: lesson.text.clone(),
            });
        }
    }
}

/// What a node imports from its project.
fn imported(machine: &Machine, node: &Node) -> Vec<AbsolutePath> {
    let root = real_root(machine);
    let imports = node::imports(machine, node).into_iter();
    let read = imports.filter_map(|import| match import.state {
        ImportState::Read(path) => Some(path),
        ImportState::Missing | ImportState::Outside | ImportState::TooLong | ImportState::NoText => None,
    });
    read.filter(|path| path.is_in(&root)).collect()
}

fn page(query: &str, (found, best): (usize, Vec<Match>), is_cut: bool) -> String {
    let query = quote(query);
    let mut page = match best.len() {
        0 => format!("Nothing is known about \"{query}\"."),
        shown if shown < found => format!("{shown} of {found} matches for \"{query}\", the best first:"),
        1 => format!("1 match for \"{query}\":"),
        shown => format!("{shown} matches for \"{query}\", the best first:"),
    };
    page.push('\n');
    for (at, hit) in best.iter().enumerate() {
        let title = if hit.title.is_empty() { String::new() } else { format!(": {}", one_line(&hit.title)) };
        page.push_str(&format!("\n{}. {}{title}\n", at + 1, one_line(&hit.source)));
        for line in cut(&hit.text, MOST_CHARACTERS).lines().filter(|line| !line.trim().is_empty()) {
            page.push_str(&format!("   {}\n", line.trim_end()));
        }
    }
    if is_cut {
        page.push_str("\nThere is more than could be looked at: a narrower query finds it.\n");
    }
    page
}
