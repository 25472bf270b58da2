//! The task and the patterns of a session, and how `flyball loop` changes them.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

use super::super::limits::{self, Limits};
use super::settings::{Bounds, Settings};

/// A task to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub text: String,
    /// How many iterations it has; `None` for the number in the config.
    pub max: Option<u32>,
    /// The command that exits with 0 when it is done.
    pub until: Option<String>,
}

/// A task as it is shown to people and to scripts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub text: String,
    /// The present iteration, from 1.
    pub iteration: u32,
    /// How many it has, once that is known.
    pub max: Option<u32>,
    pub until: Option<String>,
    /// When it began.
    #[serde(with = "time::micros")]
    pub began: Time,
}

/// The memory with this task started; a task that is running is replaced.
#[must_use]
pub fn start(memory: Option<&str>, task: Task, now: Time) -> String {
    let mut state = State::read(memory);
    state.begin(task, now);
    state.to_json()
}

/// The same for a task that an agent starts: its command runs only once a person has confirmed the call.
#[must_use]
pub fn start_by_agent(memory: Option<&str>, task: Task, now: Time) -> String {
    let mut state = State::read(memory);
    state.begin(task, now);
    if let Some(task) = &mut state.task {
        task.is_unconfirmed = task.until.is_some();
    }
    state.to_json()
}

/// The memory without a task.
#[must_use]
pub fn stop_task(memory: Option<&str>) -> String {
    State { task: None, ..State::read(memory) }.to_json()
}

/// The task that is under way, if there is one.
#[must_use]
pub fn view(memory: &str) -> Option<View> {
    let Active { text, max, until, began, iteration, bounds, .. } = State::read(Some(memory)).task?;
    let max = bounds.map(|bounds| bounds.iterations).or(max);
    Some(View { text, iteration, max, until, began })
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// The task that is under way.
    pub(super) task: Option<Active>,
    /// How often each pattern was tried since the last prompt of a person.
    pub(super) tried: BTreeMap<String, u32>,
    /// The last notice about a file of limits that cannot be used.
    #[serde(rename = "told")]
    pub(super) limits_notice: Option<String>,
}

/// A task that is under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Active {
    pub(super) text: String,
    /// How many iterations it asked for.
    pub(super) max: Option<u32>,
    pub(super) until: Option<String>,
    /// Whether an agent set that command, and nothing shows that a person agreed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_unconfirmed: bool,
    /// When it began.
    #[serde(with = "time::millis")]
    pub(super) began: Time,
    /// How long had been worked in the session then; `None` until the next event.
    #[serde(with = "time::millis", skip_serializing_if = "Option::is_none")]
    pub(super) began_after: Option<Duration>,
    /// The present iteration, from 1.
    pub(super) iteration: u32,
    /// Known from its first stop on.
    pub(super) bounds: Option<Bounds>,
    /// How often anything blocked the agent from stopping in this turn.
    pub(super) holds: u32,
    /// Tool calls in a row that failed.
    pub(super) errors: u32,
    /// A fingerprint of the last tool call.
    pub(super) call: u64,
    /// How often in a row it was made.
    pub(super) calls: u32,
}

impl State {
    /// A state that cannot be read is from another version and is dropped.
    fn read(memory: Option<&str>) -> State {
        memory.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The limits in force of the project's file, and a notice about a file that cannot be used or has changed, once.
    pub(super) fn read_limits(
        &mut self,
        situation: &Situation<'_>,
        settings: &Settings,
    ) -> Result<(Limits, Option<String>), PolicyError> {
        let (limits, notice) = limits::in_force(situation, &settings.limits_file, &mut self.limits_notice)?;
        Ok((limits.unwrap_or_default(), notice))
    }

    /// A task that has just begun counts from here on.
    pub(super) fn count_from(&mut self, active: Duration) {
        if let Some(task) = &mut self.task {
            task.began_after.get_or_insert(active);
        }
    }

    pub(super) fn begin(&mut self, task: Task, now: Time) {
        let Task { text, max, until } = task;
        self.task = Some(Active { text, max, until, began: now, iteration: 1, ..Active::default() });
    }
}
