//! The state of a session's loop.
//!
//! Open phases are not stored: a phase is open unless it passed on the content that the domain has now. So an edit by any
//! route reopens what passed on other content, and undoing the edit closes it again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::time::{self, Time};

use serde::{Deserialize, Serialize};

use crate::digest::digest;
use crate::r#loop::author::LeftWriter;
use crate::stamp::Stamp;

/// A fingerprint of content or of findings.
pub type Fingerprint = u64;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The domains that were edited, by name.
    pub domains: BTreeMap<String, DomainState>,
    /// The current iteration, from 1; 0 while nothing was edited.
    pub iteration: u32,
    /// Iterations that people granted beyond the limit.
    pub granted: u32,
    /// When the loop started.
    #[serde(with = "time::millis")]
    pub began: Time,
    /// How long had been worked in the session then; `None` until the next event.
    #[serde(with = "time::millis", skip_serializing_if = "Option::is_none")]
    pub began_after: Option<Duration>,
    /// Agents that run or ran in this loop, by the client's id.
    pub agents: BTreeMap<String, AgentState>,
    // The old name here and below: sessions that are stored have it.
    #[serde(rename = "held")]
    pub blocked: Blocked,
    /// The last notice about a file of limits that cannot be used.
    #[serde(rename = "limits_told")]
    pub limits_notice: Option<String>,
    /// How it ended before everything passed, if it did.
    pub ending: Option<Ending>,
    /// What happened, oldest first; bounded.
    pub history: Vec<Entry>,
    /// Counts starts of agents and failures: what is greater came later.
    pub ticks: u64,
    /// The content of all domains when the current iteration started, unless it is the first.
    pub restarted_on: Option<Fingerprint>,
    /// The content of changed scripts behind commands that a person was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_scripts: Option<Fingerprint>,
    /// The one that a person accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_scripts: Option<Fingerprint>,
    /// The roles of subagents whose definition this session edited: what they report is no proof.
    pub redefined_roles: BTreeSet<String>,
    /// The other checkouts of the repository in which files were edited: where the project is in each, by how it is shown.
    pub trees: BTreeMap<String, AbsolutePath>,
    /// Files that changed although no call of this session is known to have written them, until the user is notified.
    pub by_others: BTreeSet<String>,
    /// Since when something may run that this session detached: its end is not known. `None` if nothing does.
    #[serde(with = "time::millis", skip_serializing_if = "Option::is_none")]
    pub running_since: Option<Time>,
    /// Since when something runs that the client has in the background, and lists as long as it runs.
    #[serde(with = "time::millis", skip_serializing_if = "Option::is_none")]
    pub background_since: Option<Time>,
    /// The processes that calls of this session left and that may write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_running: Option<LeftRunning>,
    /// When the last workflow ended whose work counts as passed.
    #[serde(with = "time::millis")]
    pub workflow_ended: Time,
    /// Whether the last prompt of a person came while the client only plans.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub planning: bool,
}

/// One domain in the loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DomainState {
    /// Whether it changed or failed since the last loop was done.
    pub active: bool,
    /// The files of it that were edited, by path below the project's root.
    pub files: BTreeMap<String, FileState>,
    /// The content that it had before this session, if it is back at it: there is nothing to review.
    pub origin: Option<Fingerprint>,
    /// The results by phase; a phase that never had one is not listed.
    pub phases: BTreeMap<String, PhaseState>,
    /// Files whose open work git put away and still has on a branch, with their content there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub elsewhere: BTreeMap<String, Option<Fingerprint>>,
    /// The content that a limit left to a person, once the session went on without their decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftWork>,
}

/// Work that an escalation left to a person. It is open, and not asked for again while it is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftWork {
    pub content: Fingerprint,
    /// Which limit was reached, in words.
    pub reason: String,
    #[serde(with = "time::millis")]
    pub at: Time,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileState {
    /// A fingerprint of its content; `None` if it is gone.
    pub content: Option<Fingerprint>,
    pub stamp: Stamp,
    /// The content that it had before this session, once it was back at it; with it, the file is no work of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<Original>,
}

/// The content of a file before the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Original(pub Option<Fingerprint>);

impl FileState {
    pub(super) fn is_original(&self) -> bool {
        self.original == Some(Original(self.content))
    }
}

/// The last result of one phase of one domain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PhaseState {
    /// The content on which it last passed.
    pub passed_on: Option<Fingerprint>,
    /// Earlier contents on which it passed as well, the latest last: git may bring them back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_passed_on: Vec<Fingerprint>,
    /// The content on which it last failed, unless it passed since.
    pub failed_on: Option<Fingerprint>,
    /// What was wrong when it last failed; empty once it passed.
    pub issues: Vec<String>,
    /// Failures in a row.
    pub failures: u32,
    /// Failures in a row with the same issues.
    pub identical: u32,
    /// The role of the agent, or the command.
    pub by: String,
    #[serde(with = "time::millis")]
    pub at: Time,
    /// The last result did not count because the content had changed meanwhile.
    pub stale: bool,
    /// The agents whose failures count, and when they came: an agent that had started by then does not overrule them.
    pub against: BTreeMap<String, u64>,
    /// A fingerprint of the issues of the last failure, if it named any.
    pub last: Option<Fingerprint>,
}

/// An agent that serves a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentState {
    pub role: String,
    /// The iteration in which it started.
    pub iteration: u32,
    /// The content of each domain when it started.
    pub on: BTreeMap<String, Fingerprint>,
    /// A fingerprint of its result, once it has reported.
    pub result: Option<Fingerprint>,
    /// Whether it was asked for its missing result.
    pub asked: bool,
    /// When it started, in ticks.
    pub since: u64,
    /// The domains that it was about when it started, unless it names others.
    pub about: Vec<String>,
    /// Fingerprints of its reports, by phase and domains.
    #[serde(rename = "said")]
    pub reports: BTreeMap<String, Fingerprint>,
}

/// How the agent was blocked from stopping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Blocked {
    /// How often in this turn; blocks without progress count double.
    pub weight: u32,
    /// The content and the findings at the last block.
    pub print: Option<Fingerprint>,
    /// How often in a row it was blocked with the same content and findings, in any turn.
    pub repeats: u32,
    /// How many turns in a row stopped with the same content and findings.
    pub turns: u32,
    /// The content and the findings at which it last stopped to ask the user something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Fingerprint>,
    /// When it was first blocked in this loop; 1970 if it was not.
    #[serde(with = "time::millis")]
    pub since: Time,
}

/// How a loop ended before everything passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Ending {
    /// A limit was reached; a person has to decide.
    Escalated(Escalation),
    /// A person ended the loop for this session.
    Aborted,
    /// A person handed it over to a workflow.
    HandedOver {
        workflow: String,
        /// Whether the agent was informed.
        told: bool,
    },
}

/// A limit that was reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Escalation {
    /// Which limit, in words: `review of backend failed 3 times in a row`.
    pub reason: String,
    #[serde(with = "time::millis")]
    pub at: Time,
    /// The answer of an adviser, or our own text.
    pub advice: String,
    /// The model; empty for our own text.
    pub adviser: String,
    /// Whether the agent was given the advice.
    pub told: bool,
    /// The content of each domain that was open then.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub on: BTreeMap<String, Fingerprint>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    #[serde(with = "time::millis")]
    pub at: Time,
    pub iteration: u32,
    /// What, in one line.
    pub what: String,
}

/// Processes that calls left, as long as one of them runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftRunning {
    pub processes: BTreeSet<String>,
    /// Whether one of these calls names code that it writes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub names_code: bool,
    /// When the first of these calls began.
    #[serde(with = "time::millis")]
    pub since: Time,
}

impl State {
    /// Since when something may write that this session started before; `None` if nothing does.
    #[must_use]
    pub fn writing_since(&self) -> Option<Time> {
        let seen_since = self.left_running.as_ref().map(|left| left.since);
        [self.running_since, self.background_since, seen_since].into_iter().flatten().min()
    }

    pub(in crate::r#loop) fn note_writer(&mut self, writer: LeftWriter, at: Time) {
        match writer {
            LeftWriter::Detached => drop(self.running_since.get_or_insert(at)),
            LeftWriter::InBackground => drop(self.background_since.get_or_insert(at)),
            LeftWriter::Seen { processes, names_code } => {
                let left = self.left_running.get_or_insert_with(|| LeftRunning {
                    processes: BTreeSet::new(),
                    names_code: false,
                    since: at,
                });
                left.processes.extend(processes);
                left.names_code |= names_code;
                left.since = left.since.min(at);
            }
        }
    }
}

impl PhaseState {
    /// Whether it passed on this content.
    #[must_use]
    pub fn has_passed_on(&self, content: Fingerprint) -> bool {
        self.passed_on == Some(content) || self.also_passed_on.contains(&content)
    }
}

impl DomainState {
    /// Whether a phase passed on the present content.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        let print = self.fingerprint();
        self.phases.values().any(|phase| phase.has_passed_on(print))
    }

    /// A fingerprint of the content of all its edited files.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let content =
            |print: Option<Fingerprint>| print.map_or_else(|| "gone".to_owned(), |it| it.to_string());
        let changed = self.files.iter().filter(|(_, file)| !file.is_original());
        let texts = changed.flat_map(|(path, file)| [path.clone(), content(file.content)]);
        let elsewhere = self
            .elsewhere
            .iter()
            .flat_map(|(path, print)| ["elsewhere".to_owned(), path.clone(), content(*print)]);
        let texts: Vec<String> = texts.chain(elsewhere).collect();
        digest(texts.iter().map(String::as_str))
    }

    /// Whether its content is what a limit left to a person.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.left.as_ref().is_some_and(|left| left.content == self.fingerprint())
    }
}
