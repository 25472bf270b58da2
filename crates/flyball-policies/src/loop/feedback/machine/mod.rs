//! The loop as a pure state machine: how each event changes the state, and whether the agent may stop.

mod agents;
mod edit;
mod fingerprints;
mod finish;
mod history;
mod limits;
mod merge;
mod open;
mod person_decision;
mod prompt;
mod report;
mod result;
mod stop;
mod unproven;
mod workflow;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::time::Time;

use self::edit::Edit;
pub use self::history::{condense, condense_by};
use self::merge::Merge;
use self::workflow::PassedInWorkflow;
use super::settings::Settings;
use super::state::{Escalation, FileState, Fingerprint, State};

/// Something that changes the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopEvent {
    /// Files of one domain changed, or were edited for the first time.
    Edited {
        domain: String,
        /// Its files, by path below the project's root.
        files: BTreeMap<String, FileState>,
        /// The role of the subagent that did it; `None` for the main thread and for what was found on disk.
        by: Option<String>,
    },
    /// Files of the loop changed, and not by this session: what passed stays passed.
    Updated {
        domain: String,
        files: BTreeMap<String, FileState>,
    },
    /// Files of one domain are again what they were before the session.
    Restored {
        domain: String,
        files: BTreeMap<String, FileState>,
    },
    /// Files of one domain came from the same domain in another checkout, with the same content.
    Merged {
        from: String,
        into: String,
        files: BTreeMap<String, FileState>,
    },
    /// The work on a domain in another checkout was thrown away with it.
    Discarded {
        domain: String,
    },
    /// git put open work of one domain away, or brought it back: this is all that it still has of it.
    PutAway {
        domain: String,
        files: BTreeMap<String, Option<Fingerprint>>,
    },
    Started {
        /// The client's id of it.
        id: String,
        role: String,
    },
    /// An agent reported the result of a phase.
    Reported(AgentReport),
    /// An agent reported a pass that nothing shows to be true; its issues say why.
    Unproven(AgentReport),
    /// A command of a phase ran, started by flyball or by the agent.
    Proved(Proof),
    Decided(PersonDecision),
    /// A workflow of a person ended properly, with these domains as they are now.
    Workflow {
        name: String,
        domains: Vec<String>,
    },
    /// A person prompts; `planning` while the client only plans.
    Prompted {
        planning: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentReport {
    /// The client's id of the agent, if it is known.
    pub agent: Option<String>,
    pub role: String,
    pub phase: String,
    /// The domains it is about; empty for all that the role serves.
    pub domains: Vec<String>,
    /// Whether the phase passed.
    pub passed: bool,
    pub issues: Vec<String>,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub domain: String,
    pub phase: String,
    pub command: String,
    /// The content of the domain's edited files that it ran on.
    pub content: Fingerprint,
    /// Whether it exited with 0.
    pub passed: bool,
    /// The end of its output, or why it could not run.
    pub tail: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonDecision {
    /// Continue for this many more iterations.
    Continue(u32),
    /// Take the work as it is.
    Accept,
    /// End the loop for this session.
    Abort,
    /// A workflow takes over.
    HandOver(String),
}

/// How the agent wants to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopRequest {
    /// Whether this is the first time in this turn.
    pub is_fresh: bool,
    /// Whether work goes on in the background that may still bring a result.
    pub is_waiting: bool,
    /// Whether a command that just ran gave no verdict on the code.
    pub lacks_verdict: bool,
    /// Whether its message ends with a question to the user.
    pub asks: bool,
    /// Whether the client only plans: nothing can be edited.
    pub plans: bool,
    /// Whether the context is so full that no subagent may start.
    pub is_full: bool,
    /// Whether no person is there to read a question or to decide.
    pub is_alone: bool,
    pub now: Time,
    /// How long was worked in the session.
    pub active: Duration,
}

/// Whether the agent may stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopDecision {
    Done,
    /// It may, for now: what runs in the background will wake it.
    Wait,
    Block(Vec<OpenPhase>),
    /// It may although this is open: it was blocked as often as a turn allows, and made progress.
    Pause(Vec<OpenPhase>),
    /// It may, to ask the user something; this stays open.
    Ask(Vec<OpenPhase>),
    /// It may, until the context was compacted: this stays open, and needs subagents that may not start now.
    NoRoom(Vec<OpenPhase>),
    /// It may: a limit was reached just now, and a person has to decide.
    Escalate(Escalation),
    /// It may: a person was notified before, or has decided.
    Over,
}

/// One phase of one domain that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPhase {
    pub domain: String,
    pub phase: String,
    pub why: OpenReason,
    /// What was wrong when it failed.
    pub issues: Vec<String>,
}

/// Why a phase is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenReason {
    /// It was never passed in this iteration.
    NotRun,
    /// It passed on other content.
    Changed,
    /// A result came for content that had changed meanwhile.
    Stale,
    Failed,
    /// git has the work on another branch.
    Elsewhere,
}

impl State {
    pub fn apply(&mut self, settings: &Settings, event: LoopEvent, now: Time) {
        match event {
            LoopEvent::Edited { domain, files, by } => {
                self.apply_edit(settings, Edit { domain, files, by }, now)
            }
            LoopEvent::Updated { domain, files } => self.apply_update(&domain, files),
            LoopEvent::Restored { domain, files } => self.apply_restored(&domain, &files),
            LoopEvent::Merged { from, into, files } => {
                self.apply_merge(settings, Merge { from, into, files }, now)
            }
            LoopEvent::Discarded { domain } => self.apply_discarded(&domain, now),
            LoopEvent::PutAway { domain, files } => self.apply_put_away(&domain, files),
            LoopEvent::Started { id, role } => self.apply_start(id, role),
            LoopEvent::Reported(report) => self.apply_report(settings, &report, now),
            LoopEvent::Unproven(report) => self.apply_unproven(settings, &report, now),
            LoopEvent::Proved(proof) => self.apply_proof(settings, &proof, now),
            LoopEvent::Decided(decision) => self.apply_decision(settings, decision, now),
            LoopEvent::Workflow { name, domains } => {
                self.apply_workflow(settings, &PassedInWorkflow { name, domains }, now)
            }
            LoopEvent::Prompted { planning } => self.apply_prompt(settings, planning, now),
        }
    }
}
