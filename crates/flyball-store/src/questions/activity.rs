//! Results about periods of time and about policies.

use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::{EventKind, ToolKind};
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use super::histogram::Histogram;

/// What happened in one stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeBucket {
    /// Its beginning.
    pub start: Time,
    pub length: Duration,
    pub events: u64,
    pub denials: u64,
    /// The denials by what they were.
    pub denied: DenialCounts,
    /// Of these, given to a person to decide.
    pub asks: u64,
    /// Characters of context that were added.
    pub context_chars: u64,
    /// How long the hook took.
    pub took: Histogram,
}

/// All that happened in a window, in a few numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    pub events: u64,
    pub denials: u64,
    /// The denials by what they were.
    pub denied: DenialCounts,
    /// Of these, given to a person to decide.
    pub asks: u64,
    /// Of these, allowed without asking.
    pub allows: u64,
    /// Of these, left to the client.
    pub silent: u64,
    /// Characters of context that were added.
    pub context_chars: u64,
    /// How long the hook took.
    pub took: Histogram,
    /// Sessions that were going on.
    pub sessions: u64,
    /// Projects with an event.
    pub projects: u64,
}

/// What one policy did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyActivity {
    pub policy: String,
    /// How often it denied, whether that counted or not.
    pub denials: u64,
    /// The same by what it would be or was: blocked, held, a finding.
    pub denied: DenialCounts,
    /// How often its verdict was to ask a person.
    pub asks: u64,
    /// How often it allowed.
    pub allows: u64,
    /// How often it could not judge.
    pub errors: u64,
    /// How long it took, each time it ran.
    pub took: Histogram,
}

/// What the policies did in each part of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyTimeline {
    /// When the first part begins.
    pub since: Time,
    /// How long each is.
    pub length: Duration,
    /// What they did in each, oldest first, by their names; also the parts in which nothing was asked.
    pub parts: Vec<Vec<PolicyActivity>>,
}

/// How often a policy gave one verdict, in one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictCount {
    pub policy: String,
    /// The mode it was in; nothing for one that only a newer flyball knows.
    pub mode: Option<Mode>,
    pub stance: Stance,
    /// What the verdict meant, or would have meant, at these events.
    pub outcome: Outcome,
    /// Whether it was stricter than the answer: it did not count.
    pub is_above: bool,
    pub events: u64,
    /// How often it could not judge.
    pub errors: u64,
}

/// When and where a policy gave a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyReach {
    pub policy: String,
    /// In how many sessions.
    pub sessions: u64,
    pub last_at: Time,
    /// The row of that event.
    pub last_row: i64,
}

/// How many events of a kind came in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindCount {
    /// The root of the project.
    pub project: String,
    /// The kind of event.
    pub kind: EventKind,
    /// The kind of tool, if it is about one.
    pub tool: Option<ToolKind>,
    pub events: u64,
}

/// Which verdicts to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictQuery<'a> {
    /// Where some policy could not judge.
    Failed,
    /// Where a policy that enforces was stricter than the answer.
    Overruled,
    /// Where this policy gave a verdict.
    By(&'a str),
}
