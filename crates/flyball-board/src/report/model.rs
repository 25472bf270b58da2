//! The content of a report, as scripts read it.

use std::time::Duration;

use flyball_core::outcome::DenialCounts;
use flyball_core::time::{self, Time};

use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// From this moment on.
    #[serde(with = "time::micros")]
    pub since: Time,
    /// Up to, and without, this moment.
    #[serde(with = "time::micros")]
    pub until: Time,
    /// Only of the project with this root.
    pub project: Option<String>,
    /// The roots of the projects with an event.
    pub projects: Vec<String>,
    /// All that happened, in a few numbers.
    pub glance: Glance,
    /// The same of the time before, which was as long.
    pub before: Glance,
    /// The length of the stretches below.
    #[serde(with = "time::micros")]
    pub stretch_length: Duration,
    /// What happened in each stretch, oldest first.
    pub stretches: Vec<Stretch>,
    /// Policies and rules that took part in a decision.
    pub fired: Vec<Fired>,
    /// Those that are on and took part in none.
    pub never_fired: Vec<NeverFired>,
    /// What people overrode.
    pub overridden: Vec<Overridden>,
    /// What was stopped, and then allowed by a person.
    pub candidates: Vec<Candidate>,
    /// What was denied, and tried again in the same session.
    pub repeated: Vec<Repeated>,
    /// The policies that took most time.
    pub slow_policies: Vec<SlowPolicy>,
    /// The events that took longest.
    pub slow_events: Vec<SlowEvent>,
    /// Policies that could not judge.
    pub troubles: Vec<PolicyErrors>,
    /// What was not looked at, in sentences.
    pub limits: Vec<String>,
}

/// What happened, in a few numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Glance {
    /// Sessions that were going on.
    pub sessions: u64,
    pub events: u64,
    pub denials: u64,
    /// The denials by what they were.
    pub denied: DenialCounts,
    /// Of these, given to a person to decide.
    pub asks: u64,
    /// Of these, allowed without asking.
    pub allows: u64,
    /// Characters of context that were added.
    pub context_chars: u64,
    /// How long all hooks together took.
    #[serde(rename = "hook_micros", with = "time::micros")]
    pub hook_time: Duration,
    /// How long half of them took at most.
    #[serde(with = "time::micros")]
    pub p50: Option<Duration>,
    /// How long all but one in a hundred took at most.
    #[serde(with = "time::micros")]
    pub p99: Option<Duration>,
}

/// One stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stretch {
    #[serde(with = "time::micros")]
    pub start: Time,
    #[serde(flatten)]
    pub glance: Glance,
}

/// A policy or a rule that took part in a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Fired {
    pub policy: String,
    /// The rule, if it is one of the user's.
    pub rule: Option<String>,
    /// How often it blocked something.
    pub denied: u64,
    /// How often it kept an agent from ending its work.
    pub held: u64,
    /// How often it reported something after the fact.
    pub found: u64,
    /// How often it asked.
    pub asked: u64,
    /// How often it allowed.
    pub allowed: u64,
    /// How often it contributed to the context or the notices.
    pub told: u64,
    /// How often it would have denied or asked, and did not count.
    pub would: u64,
    /// In how many sessions.
    pub sessions: u64,
    #[serde(with = "time::micros")]
    pub last_at: Time,
    /// What that was about.
    pub example: String,
    /// The answer to it.
    pub answer: String,
}

/// A policy or a rule that is on and took part in no decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NeverFired {
    pub policy: String,
    /// The rule, if it is one of the user's.
    pub rule: Option<String>,
    /// The root of the project whose config has the rule.
    pub project: Option<String>,
    /// Where it is written, or where its mode comes from.
    pub origin: String,
    /// How many events came that it listens to.
    pub chances: u64,
}

/// Something that people overrode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Overridden {
    /// How: `skipped`, `observed`, `asked, then run`, `approved`, `loop accept` …
    pub how: String,
    /// The policy that was overridden; empty if it was none.
    pub who: String,
    pub times: u64,
    /// In how many sessions; nothing where that is not known.
    pub sessions: Option<u64>,
    #[serde(with = "time::micros")]
    pub last_at: Time,
    /// What it was about, the last time.
    pub example: String,
    /// The answer to it, if there was one.
    pub answer: String,
}

/// How certain it is that a person wanted to allow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// It passed later, and the record does not say why.
    #[default]
    Unclear,
    /// It passed after the config was changed.
    Likely,
    /// A person allowed it: when asked, by an approval or by a skip.
    Sure,
}

/// What was stopped, and then allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Candidate {
    pub policies: Vec<String>,
    /// The kind of tool; empty if it is about none.
    pub tool: String,
    /// What it was about.
    pub subject: String,
    /// The root of its project.
    pub project: String,
    /// How often it was stopped and then passed.
    pub times: u64,
    /// How certain it is.
    pub certainty: Certainty,
    /// How it passed, in words.
    pub passed: String,
    /// The answers, newest first; some of them.
    pub answers: Vec<String>,
    /// The setting that would allow it, found by trying; nothing where none was found.
    pub suggestion: Option<String>,
}

/// What was denied, and tried again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repeated {
    pub policies: Vec<String>,
    /// What it was about.
    pub subject: String,
    /// How often it was denied.
    pub times: u64,
    /// In how many sessions.
    pub sessions: u64,
    pub answer: String,
}

/// A policy and its time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SlowPolicy {
    pub policy: String,
    /// How often it ran.
    pub asked: u64,
    /// How long it took in all.
    #[serde(with = "time::micros")]
    pub total: Duration,
    /// How long half took at most.
    #[serde(with = "time::micros")]
    pub p50: Option<Duration>,
    /// How long all but one in a hundred took at most.
    #[serde(with = "time::micros")]
    pub p99: Option<Duration>,
}

/// An event and its time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SlowEvent {
    pub answer: String,
    /// Its kind, and the tool.
    pub kind: String,
    /// How long it took.
    #[serde(rename = "micros", with = "time::micros")]
    pub took: Duration,
    /// The policy that took most of it.
    pub by: String,
    /// What it was about.
    pub subject: String,
}

/// A policy that could not judge.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PolicyErrors {
    pub policy: String,
    pub text: String,
    pub times: u64,
    #[serde(with = "time::micros")]
    pub last_at: Time,
    pub answer: String,
}

fn named(policy: &str, rule: Option<&str>) -> String {
    rule.map_or_else(|| policy.to_owned(), |rule| format!("{policy}: {rule}"))
}

impl Certainty {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Certainty::Unclear => "unclear",
            Certainty::Likely => "likely",
            Certainty::Sure => "sure",
        }
    }
}

impl Fired {
    /// The policy, or the rule within it.
    #[must_use]
    pub fn name(&self) -> String {
        named(&self.policy, self.rule.as_deref())
    }
}

impl NeverFired {
    /// The policy, or the rule within it.
    #[must_use]
    pub fn name(&self) -> String {
        named(&self.policy, self.rule.as_deref())
    }
}
