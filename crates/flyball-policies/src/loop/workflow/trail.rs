//! Who took part in a session, and what they left behind.

use flyball_core::text;
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

/// How many agents, and how many artifacts, are stored; the oldest are dropped.
const MOST: usize = 200;
/// How many characters of an agent's result are stored.
const RESULT_LETTERS: usize = 160;

/// The audit trail of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trail {
    /// The runs of subagents, in the order in which they were first seen.
    pub agents: Vec<AgentRun>,
    /// The documents that subagents wrote, each once, the one written last at the end.
    pub artifacts: Vec<Artifact>,
    /// How many older entries were dropped.
    pub dropped: u64,
}

/// One run of a subagent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentRun {
    /// The client's id of it.
    pub id: String,
    pub role: String,
    /// When it started.
    #[serde(with = "time::millis")]
    pub started: Time,
    /// When it last wanted to finish; `None` while it runs.
    #[serde(with = "time::millis")]
    pub ended: Option<Time>,
    /// The first line of its last message.
    pub result: String,
    /// Whether it ran in the background.
    pub background: bool,
}

/// A document that a subagent wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Artifact {
    /// The file: below the project's root, or absolute.
    pub path: String,
    /// The role of the agent that wrote it last.
    pub by: String,
    /// When that was.
    #[serde(with = "time::millis")]
    pub at: Time,
}

impl Trail {
    /// An agent wrote a document.
    pub(super) fn wrote(&mut self, path: String, by: &str, now: Time) {
        self.artifacts.retain(|artifact| artifact.path != path);
        self.artifacts.push(Artifact { path, by: by.to_owned(), at: now });
        self.dropped += drop_oldest(&mut self.artifacts);
    }

    /// The run of this id; a new one if it was never seen.
    pub(super) fn run(&mut self, id: &str, role: &str, now: Time) -> &mut AgentRun {
        // The latest runs are looked up most.
        let at = match self.agents.iter().rposition(|run| run.id == id) {
            Some(at) => at,
            None => {
                let (id, role) = (id.to_owned(), role.to_owned());
                self.agents.push(AgentRun { id, role, started: now, ..AgentRun::default() });
                self.dropped += drop_oldest(&mut self.agents);
                self.agents.len() - 1
            }
        };
        #[expect(clippy::indexing_slicing, reason = "it was found or pushed a line above")]
        &mut self.agents[at]
    }
}

impl AgentRun {
    /// It wants to finish with this message.
    pub(super) fn stopped(&mut self, now: Time, message: &str) {
        self.ended = Some(now);
        self.result = first_line(message);
    }

    /// The call that spawned it returned: it runs in the background, or is done.
    pub(super) fn spawned(&mut self, now: Time, is_running: bool) {
        self.background |= is_running;
        if !is_running {
            // If its stop was seen, that time is the better one.
            self.ended.get_or_insert(now);
        }
    }
}

fn drop_oldest<T>(entries: &mut Vec<T>) -> u64 {
    let surplus = entries.len().saturating_sub(MOST);
    entries.drain(..surplus);
    surplus as u64
}

/// The first line that is not empty, without the marks of a heading.
fn first_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches(['#', '*', '>', ' ']).trim());
    let line = lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    text::cut_trimmed(line, RESULT_LETTERS).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Time {
        Time::from_millis(millis)
    }

    #[test]
    fn a_trail_is_bounded_and_counts_what_it_dropped() {
        let mut trail = Trail::default();
        for number in 0..250_u64 {
            trail.run(&format!("a{number}"), "developer", at(number));
            trail.wrote(format!("docs/{number}.md"), "developer", at(number));
        }
        trail.run("a249", "developer", at(300)).stopped(at(300), "\n## Done: it works\nand more");
        assert_eq!((trail.agents.len(), trail.artifacts.len(), trail.dropped), (200, 200, 100));
        assert_eq!(trail.agents.first().map(|run| run.id.as_str()), Some("a50"));
        let last = AgentRun {
            id: "a249".to_owned(),
            role: "developer".to_owned(),
            started: at(249),
            ended: Some(at(300)),
            result: "Done: it works".to_owned(),
            background: false,
        };
        assert_eq!(trail.agents.last(), Some(&last));
    }

    #[test]
    fn a_document_that_is_written_again_is_one_artifact() {
        let mut trail = Trail::default();
        trail.wrote("a.md".to_owned(), "architect", at(1));
        trail.wrote("b.md".to_owned(), "architect", at(2));
        trail.wrote("a.md".to_owned(), "reviewer", at(3));
        let found: Vec<(&str, &str, Time)> =
            trail.artifacts.iter().map(|it| (it.path.as_str(), it.by.as_str(), it.at)).collect();
        assert_eq!(found, [("b.md", "architect", at(2)), ("a.md", "reviewer", at(3))]);
    }

    #[test]
    fn a_long_result_is_cut_between_letters() {
        assert_eq!(first_line(&"ä".repeat(500)), format!("{}…", "ä".repeat(160)));
        assert_eq!(first_line("\n\n"), "");
    }
}
