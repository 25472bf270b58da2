//! Whether a task is done, continues, or is released.

use std::time::Duration;

use flyball_core::event::Stopping;
use flyball_core::text;
use flyball_core::verdict::{Reason, Verdict};

use super::super::run::{self, RunResult};
use super::settings::Bounds;
use super::state::{Active, State};

/// The word that reports that a task is done.
const MARKER: &str = "TASK_COMPLETE";
/// The heading under which it counts.
const HEADING: &str = "Task Result";
/// How much of a task's text is shown.
const SHOWN_CHARS: usize = 200;

/// The agent wants to stop.
pub(super) struct StopRequest<'a> {
    pub(super) stopping: &'a Stopping,
    /// The run of the command that checks whether the task is done, if it ran.
    pub(super) check_run: Option<&'a RunResult>,
    /// How often an agent is blocked from stopping in one turn.
    pub(super) max_holds: u32,
    /// Whether the client only plans: nothing can be done for the task.
    pub(super) plans: bool,
    /// How long was worked in the session.
    pub(super) active: Duration,
}

/// Decides whether the agent may stop.
pub(super) fn decide(state: &mut State, bounds: Bounds, request: &StopRequest<'_>) -> Verdict {
    let Some(task) = &mut state.task else { return Verdict::silent() };
    task.bounds = Some(bounds);
    // `again` is set for blocks by other policies, too: the client's own limit counts all of them.
    task.holds = if request.stopping.again { task.holds + 1 } else { 0 };
    if request.stopping.has_running_subagent() || request.plans {
        return Verdict::silent();
    }
    let iteration = format!("iteration {} of {}", task.iteration, bounds.iterations);
    // Before the limits: a task that is done in its last iteration is done.
    if let Some(how) = done(task, request) {
        let verdict = Verdict::notice(format!("task `{}` is done in {iteration}: {how}", shown(&task.text)));
        state.task = None;
        return verdict.with_evidence("done", how);
    }
    if let Some(why) = reached(task, bounds, request.active) {
        let verdict = Verdict::notice(format!(
            "task `{}` is released in {iteration} without being done: {why}{}. To start it again: `flyball loop start`",
            shown(&task.text),
            last_run_note(request)
        ));
        state.task = None;
        return verdict.with_evidence("escalation", why);
    }
    if let Some(command) = unproved(task, request) {
        return Verdict::notice(format!(
            "task `{}` pauses in {iteration}: the agent reported {MARKER}, and `{command}` could not run{}. Make it run, or end the task: `flyball loop done`",
            shown(&task.text),
            last_run_note(request)
        ))
        .with_evidence("pause", iteration);
    }
    // Only a pause: the client would soon release the agent by itself.
    if task.holds >= request.max_holds {
        return Verdict::notice(format!(
            "task `{}` pauses in {iteration}: the agent was blocked from stopping {} times in this turn. It continues with your next prompt; to end it: `flyball loop done`",
            shown(&task.text),
            task.holds
        ))
        .with_evidence("pause", iteration);
    }
    task.iteration += 1;
    block(task, bounds, request)
}

/// How it is known that the task is done, if it is.
fn done(task: &Active, request: &StopRequest<'_>) -> Option<String> {
    let is_reported = reports_done(&request.stopping.last_message);
    let Some(command) = &task.until else {
        return is_reported.then(|| format!("the agent reported {MARKER}"));
    };
    match request.check_run.map(|run| run.verdict) {
        Some(run::Verdict::Passed) => Some(format!("`{command}` passed")),
        // A failed command outweighs the report of the agent.
        Some(run::Verdict::Failed) => None,
        // Nobody agreed to this command, so it is as if there were none.
        Some(run::Verdict::None) | None if task.is_unconfirmed => is_reported
            .then(|| format!("the agent reported {MARKER}, and `{command}` was not confirmed by a person")),
        Some(run::Verdict::None) | None => None,
    }
}

/// The command of a task that its agent takes for done, if it could not run. It must not block an agent that has nothing
/// left to do, and nothing but the command says that the task is done.
fn unproved<'a>(task: &'a Active, request: &StopRequest<'_>) -> Option<&'a str> {
    let has_no_verdict = request.check_run.is_some_and(|run| run.verdict == run::Verdict::None);
    task.until.as_deref().filter(|_| has_no_verdict && reports_done(&request.stopping.last_message))
}

/// The limit that was reached, if one was.
fn reached(task: &Active, bounds: Bounds, active: Duration) -> Option<String> {
    // Only the time in which the agent worked counts.
    let worked = active.saturating_sub(task.began_after.unwrap_or(active));
    let is_over = |limit: u32, count: u32| limit > 0 && count >= limit;
    if is_over(bounds.errors, task.errors) {
        Some(format!("the last {} tool calls failed", task.errors))
    } else if is_over(bounds.repeats, task.calls) {
        Some(format!("the same tool call was made {} times in a row", task.calls))
    } else if task.iteration >= bounds.iterations {
        Some("it used all its iterations".to_owned())
    } else if worked >= bounds.runtime {
        Some(format!("it took longer than {} minutes", bounds.runtime.as_secs() / 60))
    } else {
        None
    }
}

fn block(task: &Active, bounds: Bounds, request: &StopRequest<'_>) -> Verdict {
    let how = match &task.until {
        Some(command) if task.is_unconfirmed => format!(
            "flyball does not run `{command}`: an agent set it, and nobody confirmed it. Ask the user to run \
             `flyball loop start` with it, or write {MARKER} on a line of its own under `## {HEADING}` when it is done"
        ),
        Some(command) => {
            format!("It is done when `{command}` exits with 0; flyball runs it when you stop")
        }
        None => format!("When it is done, write {MARKER} on a line of its own under `## {HEADING}`"),
    };
    let tail = request.check_run.map(|run| format!("\n{}", run.tail)).unwrap_or_default();
    Verdict::deny(Reason {
        instead: format!(
            "Continue with iteration {} of {} of task `{}`",
            task.iteration,
            bounds.iterations,
            shown(&task.text)
        ),
        what: "it is not done".to_owned(),
        why: format!(
            "{how}. If you are stuck, try a different approach and say what you tried. To override (people only): \
             `flyball loop done`.{tail}"
        ),
    })
}

fn last_run_note(request: &StopRequest<'_>) -> String {
    let first = request.check_run.and_then(|run| run.tail.lines().next());
    first.map(|line| format!(" (the last run of its command: {line})")).unwrap_or_default()
}

/// A task's text in one line.
fn shown(text: &str) -> String {
    text::cut(&text::one_line(text), SHOWN_CHARS).into_owned()
}

/// Whether a message reports that the task is done: the marker on its own line under its heading, outside of code
/// blocks.
pub(super) fn reports_done(message: &str) -> bool {
    let mut is_below = false;
    let mut fence = None;
    for line in message.lines().map(str::trim) {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (Some(_), _) => {}
            (None, None) => {
                if let Some(heading) = line.strip_prefix('#') {
                    is_below = heading.trim_matches(['#', ' ', ':', '*']).eq_ignore_ascii_case(HEADING);
                } else if is_below && line.trim_matches(['*', '`', '_']) == MARKER {
                    return true;
                }
            }
        }
    }
    false
}
