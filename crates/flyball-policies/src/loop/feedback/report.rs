//! The status of the loop, for the commands that show it and for reminders.

use flyball_core::time::{self, Time};

use serde::Serialize;

use super::machine::{OpenPhase, OpenReason};
use super::settings::{Domain, Phase, Settings};
use super::state::{DomainState, Ending, Entry, Escalation, State};

/// How many domains one line names.
const SHOWN_DOMAINS: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    pub status: Status,
    /// The present iteration, from 1; 0 while nothing was edited.
    pub iteration: u32,
    /// How many are allowed, with those that people granted.
    pub max_iterations: u32,
    /// When the loop started; 1970 while none is under way.
    #[serde(with = "time::millis")]
    pub began: Time,
    /// The domains that were edited, in the order of the config.
    pub domains: Vec<DomainReport>,
    /// What happened, oldest first.
    pub history: Vec<Entry>,
    /// The limit that was reached, if one was.
    pub escalation: Option<Escalation>,
    /// The workflow that it was handed over to, if it was.
    pub workflow: Option<String>,
    /// What a person can do now.
    pub options: Vec<Choice>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Idle,
    Open,
    Passed,
    /// A limit was reached; a person decides.
    Escalated,
    /// A person ended it.
    Aborted,
    /// A person handed it over to a workflow.
    HandedOver,
    /// Its session ended while it was open.
    Ended,
}

impl Status {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Status::Idle => "idle",
            Status::Open => "open",
            Status::Passed => "passed",
            Status::Escalated => "escalated",
            Status::Aborted => "aborted",
            Status::HandedOver => "handed over",
            Status::Ended => "ended unproven",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainReport {
    pub name: String,
    /// Its files that were edited.
    pub files: Vec<String>,
    /// Its phases, in order.
    pub phases: Vec<PhaseReport>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhaseReport {
    pub name: String,
    pub status: PhaseStatus,
    /// An agent's role, a command or a person; empty without a result.
    pub by: String,
    #[serde(with = "time::millis")]
    pub at: Option<Time>,
    /// Failures in a row.
    pub failures: u32,
    /// What was wrong, if it failed.
    pub issues: Vec<String>,
    /// The command that proves it, if one does.
    pub command: Option<String>,
    /// The agents that can be spawned for it, the best first.
    pub agents: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseStatus {
    /// It passed on the code as it is.
    Passed,
    /// Without a result in this iteration.
    #[serde(rename = "open")]
    NotRun,
    /// It passed on other code.
    #[serde(rename = "reopened")]
    Changed,
    /// Its result came for code that had changed meanwhile.
    Stale,
    Failed,
    /// git has the work on another branch.
    Elsewhere,
}

impl PhaseStatus {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PhaseStatus::Passed => "passed",
            PhaseStatus::NotRun => "open",
            PhaseStatus::Changed => "reopened",
            PhaseStatus::Stale => "stale",
            PhaseStatus::Failed => "failed",
            PhaseStatus::Elsewhere => "elsewhere",
        }
    }
}

impl From<OpenReason> for PhaseStatus {
    fn from(why: OpenReason) -> PhaseStatus {
        match why {
            OpenReason::NotRun => PhaseStatus::NotRun,
            OpenReason::Changed => PhaseStatus::Changed,
            OpenReason::Stale => PhaseStatus::Stale,
            OpenReason::Failed => PhaseStatus::Failed,
            OpenReason::Elsewhere => PhaseStatus::Elsewhere,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub command: String,
    pub what: String,
}

#[must_use]
pub fn report(state: &State, settings: &Settings) -> Report {
    let settings = &settings.clone().with_trees(&state.trees);
    let (asked, left) = (state.open_phases(settings), state.left_phases(settings));
    let status = status(state, &asked, &left);
    let open: Vec<OpenPhase> = asked.into_iter().chain(left).collect();
    let known = settings.domain.iter().filter_map(|domain| Some((domain, state.domains.get(&domain.name)?)));
    let domains = known.map(|(domain, known)| DomainReport {
        name: domain.name.clone(),
        files: known.files.keys().cloned().collect(),
        phases: settings.phases_of(domain).map(|phase| phase_report(phase, domain, known, &open)).collect(),
    });
    Report {
        status,
        iteration: state.iteration,
        max_iterations: state.max_iterations(settings),
        began: state.began,
        domains: domains.collect(),
        history: state.history.clone(),
        escalation: match &state.ending {
            Some(Ending::Escalated(escalation)) => Some(escalation.clone()),
            Some(Ending::Aborted | Ending::HandedOver { .. }) => None,
            None => left_to_a_person(state, settings),
        },
        workflow: match &state.ending {
            Some(Ending::HandedOver { workflow, .. }) => Some(workflow.clone()),
            Some(Ending::Aborted | Ending::Escalated(_)) | None => None,
        },
        options: match status {
            Status::Open | Status::Escalated => choices(settings).into(),
            Status::Idle | Status::Passed | Status::Aborted | Status::HandedOver | Status::Ended => {
                Vec::new()
            }
        },
    }
}

fn phase_report(phase: &Phase, domain: &Domain, known: &DomainState, open: &[OpenPhase]) -> PhaseReport {
    let open = open.iter().find(|open| open.domain == domain.name && open.phase == phase.name);
    let result = known.phases.get(&phase.name);
    PhaseReport {
        name: phase.name.clone(),
        status: open.map_or(PhaseStatus::Passed, |open| open.why.into()),
        by: result.map(|it| it.by.clone()).unwrap_or_default(),
        at: result.map(|it| it.at).filter(|at| *at > Time::default()),
        failures: result.map_or(0, |it| it.failures),
        issues: open.map(|open| open.issues.clone()).unwrap_or_default(),
        command: domain.command_for(phase).map(str::to_owned),
        agents: domain.agents_for(phase).into_iter().map(str::to_owned).collect(),
    }
}

/// The latest escalation whose work is open and still the same.
fn left_to_a_person(state: &State, settings: &Settings) -> Option<Escalation> {
    let open = state.left_phases(settings);
    let left = open.iter().filter_map(|open| state.domains.get(&open.domain)?.left.as_ref());
    let latest = left.max_by_key(|left| left.at)?;
    Some(Escalation { reason: latest.reason.clone(), at: latest.at, told: true, ..Escalation::default() })
}

fn status(state: &State, open: &[OpenPhase], left: &[OpenPhase]) -> Status {
    match &state.ending {
        Some(Ending::Escalated(_)) => Status::Escalated,
        Some(Ending::Aborted) => Status::Aborted,
        Some(Ending::HandedOver { .. }) => Status::HandedOver,
        None if state.domains.is_empty() => Status::Idle,
        None if !open.is_empty() => Status::Open,
        None if !left.is_empty() => Status::Escalated,
        None => Status::Passed,
    }
}

/// The status in one line, while there is something to report:
/// `loop: iteration 2 of 5, backend: review open, testing open`.
#[must_use]
pub fn one_line(state: &State, settings: &Settings) -> Option<String> {
    match &state.ending {
        Some(Ending::Escalated(escalation)) => {
            return Some(format!("loop: {}; a person decides (`flyball loop`)", escalation.reason));
        }
        Some(Ending::Aborted | Ending::HandedOver { .. }) => return None,
        None => {}
    }
    let settings = &settings.clone().with_trees(&state.trees);
    let open = state.open_phases(settings);
    if open.is_empty() {
        let left =
            state.domains.values().filter(|domain| domain.is_left()).find_map(|domain| domain.left.as_ref());
        let left = left.filter(|_| !state.left_phases(settings).is_empty());
        return left.map(|left| format!("loop: {}; a person decides (`flyball loop`)", left.reason));
    }
    let iteration = format!("loop: iteration {} of {}", state.iteration, state.max_iterations(settings));
    Some(format!("{iteration}, {}", open_line(&open)))
}

/// What is open, in one line: `backend: review open, testing open`.
pub(super) fn open_line(open: &[OpenPhase]) -> String {
    let mut domains: Vec<(&str, Vec<String>)> = Vec::new();
    for open in open {
        let phase = format!("{} {}", open.phase, PhaseStatus::from(open.why).name());
        // Open phases come domain by domain, so only the last one can be the same.
        match domains.last_mut().filter(|(domain, _)| *domain == open.domain) {
            Some((_, phases)) => phases.push(phase),
            None => domains.push((&open.domain, vec![phase])),
        }
    }
    let left = domains.len().saturating_sub(SHOWN_DOMAINS);
    let shown = domains.iter().take(SHOWN_DOMAINS);
    let mut parts: Vec<String> =
        shown.map(|(domain, phases)| format!("{domain}: {}", phases.join(", "))).collect();
    match left {
        0 => {}
        1 => parts.push("1 more domain".to_owned()),
        more => parts.push(format!("{more} more domains")),
    }
    parts.join("; ")
}

/// What a person can do about a loop.
pub(super) fn choices(settings: &Settings) -> [Choice; 4] {
    let grant = settings.grant;
    let choice = |command: &str, what: String| Choice { command: command.to_owned(), what };
    [
        choice(&format!("flyball loop continue {grant}"), format!("continue, for {grant} more iterations")),
        choice("flyball loop accept", "take the work as it is".to_owned()),
        choice("flyball loop abort", "end the loop for this session".to_owned()),
        match settings.handoff.as_str() {
            "" => choice("flyball loop handoff WORKFLOW", "hand it over to a workflow".to_owned()),
            workflow => choice("flyball loop handoff", format!("hand it over to `{workflow}`")),
        },
    ]
}
