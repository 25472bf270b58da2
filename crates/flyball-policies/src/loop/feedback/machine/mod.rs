//! The loop as a pure state machine: what each happening makes of the state, and whether the agent may stop.

mod edit;
mod finish;
mod history;
mod limits;
mod open;
mod report;
mod result;
mod runner;
mod sameness;
mod stop;
mod word;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::edit::Edit;
use super::settings::Settings;
use super::state::{Escalation, FileState, Print, State};

/// Something that changes the loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Files of one domain hold something else now, or were edited for the first time.
    Edited {
        domain: String,
        /// Its files, by path below the project's root.
        files: BTreeMap<String, FileState>,
        /// The role of the subagent that did it; `None` for the main thread and for what was found on disk.
        by: Option<String>,
    },
    Started {
        /// The client's id of it.
        id: String,
        role: String,
    },
    /// An agent said the result of a phase.
    Reported(Report),
    /// A command of a phase was run, by us or before our eyes.
    Proved(Proof),
    Said(Word),
}

/// The result that an agent said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The client's id of the agent, if it is known.
    pub agent: Option<String>,
    pub role: String,
    pub phase: String,
    /// The domains that it speaks of; empty for all that it serves.
    pub domains: Vec<String>,
    /// Whether the phase passed.
    pub passed: bool,
    pub issues: Vec<String>,
}

/// What a command came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub domain: String,
    pub phase: String,
    pub command: String,
    /// The content of the domain's edited files that it ran on.
    pub on: Print,
    /// Whether it exited with 0.
    pub passed: bool,
    /// The end of its output, or why it could not run.
    pub tail: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Go on, for so many iterations more.
    Continue(u32),
    /// It is good as it is.
    Accept,
    /// No more of this in this session.
    Abort,
    /// A workflow takes over.
    HandOver(String),
}

/// How the agent wants to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Whether this is the first time in this turn.
    pub is_fresh: bool,
    /// Whether work goes on in the background that may still bring a result.
    pub is_waiting: bool,
    /// Whether a command that was run just now says nothing about the code.
    pub is_mute: bool,
    /// Milliseconds since 1970.
    pub now: u64,
}

/// Whether the agent may stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    Free,
    /// It may, for now: what runs in the background will wake it.
    Wait,
    Hold(Vec<Open>),
    /// It may although this is open: it was held as often as a turn allows, and got on.
    Pause(Vec<Open>),
    /// It may: a limit was reached just now, and a person has to decide.
    Escalate(Escalation),
    /// It may: a person was told already, or has decided.
    Over,
}

/// One phase of one domain that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub domain: String,
    pub phase: String,
    pub why: Why,
    /// What was wrong when it failed.
    pub issues: Vec<String>,
}

/// Why a phase is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was never passed in this iteration.
    NotRun,
    /// It passed on other content.
    Changed,
    /// A result came for content that had changed meanwhile.
    Stale,
    Failed,
}

impl State {
    /// Takes in what happened.
    pub fn take(&mut self, settings: &Settings, input: Input, now: u64) {
        match input {
            Input::Edited { domain, files, by } => self.edited(settings, Edit { domain, files, by }, now),
            Input::Started { id, role } => self.started(id, role),
            Input::Reported(report) => self.reported(settings, &report, now),
            Input::Proved(proof) => self.proved(settings, &proof, now),
            Input::Said(word) => self.said(settings, word, now),
        }
    }
}
