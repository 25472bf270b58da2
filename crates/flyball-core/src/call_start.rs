//! When a call began: what changed on disk since then, it may have changed.

use std::time::Duration;

use crate::error::PolicyError;
use crate::event::EventData;
use crate::policy::Situation;
use crate::time::Time;

/// How long a call may have taken where the client does not say.
const DEFAULT_CALL: Duration = Duration::from_secs(60);
/// Clocks of file systems are coarse.
const SLACK: Duration = Duration::from_millis(50);
/// How far they are behind a time that was noted: the clock of the kernel ticks.
const TICK: Duration = Duration::from_millis(10);
/// How much later than the end of a call the hook may look at its clock.
const SLOW_START: Duration = Duration::from_secs(10);
/// When the last calls began, in milliseconds, and their ids, line by line.
const STARTS: &str = "engine.call-starts";
const MOST_STARTS: usize = 16;

/// Notes that the call of this event begins: the hook after it may be late, and what was written at once would seem older
/// than the call.
///
/// # Errors
/// When the memory cannot be used.
pub fn note_call_start(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let Some(id) = situation.event.call().and_then(|call| call.id.as_deref()) else { return Ok(()) };
    let known = situation.memory.peek(STARTS)?.unwrap_or_default();
    let mut starts: Vec<String> = known.lines().map(str::to_owned).collect();
    starts.push(format!("{} {id}", situation.world.now().as_millis()));
    let surplus = starts.len().saturating_sub(MOST_STARTS);
    situation.memory.write(STARTS, starts.split_off(surplus).join("\n"))
}

/// When the call of this event began.
#[must_use]
pub fn call_start(situation: &Situation<'_>) -> Time {
    *situation.facts.call_start.get_or_init(|| start(situation))
}

fn start(situation: &Situation<'_>) -> Time {
    let outcome = match &situation.event.happening {
        EventData::AfterTool { outcome, .. } | EventData::ToolFailed { outcome, .. } => Some(outcome),
        _ => None,
    };
    let took = outcome.and_then(|outcome| outcome.took).unwrap_or(DEFAULT_CALL);
    let estimated = situation.world.now() - took.saturating_add(SLACK);
    match noted_start(situation) {
        // A person may have been asked before it ran, and the hook may have been slow to start after it.
        Some(noted) => (noted - TICK).max(estimated - SLOW_START),
        None => estimated,
    }
}

fn noted_start(situation: &Situation<'_>) -> Option<Time> {
    let id = situation.event.call()?.id.as_deref()?;
    // Without a note, the start is estimated.
    let known = situation.memory.peek(STARTS).ok()??;
    let (millis, _) =
        known.lines().rev().filter_map(|line| line.split_once(' ')).find(|(_, it)| *it == id)?;
    Some(Time::from_millis(millis.parse().ok()?))
}
