//! What fails again, was denied or corrected becomes a report for people.

mod classify;
mod correction;
mod drafts;
mod failure;
mod place;
mod relevance;
mod sameness;
mod settings;
mod state;
mod table;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::Ruling;
use flyball_core::event::{EventData, EventKind, Outcome, RefusedCall, Tool, ToolCall};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Reason, Snippet, Stance, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::layout;
use flyball_knowledge::report::ledger::{self, Recorded, Repeated};
use flyball_knowledge::report::{Draft, Status, sanitize};

pub(crate) use self::failure::read as read_failure;
pub use self::settings::Settings;
use self::state::State;

/// Policies whose denials are about the workflow, not about the project.
const PROCESS: &[&str] =
    &["guard.self", "guard.denials", "guard.agents-first", "guard.permissions", "loop.", "task.", "memory."];

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.failures"),
    summary: "what fails again, was denied or corrected becomes a report for people",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::ToolFailed,
        EventKind::AfterBatch,
        EventKind::AfterTool,
        EventKind::BeforeTool,
        EventKind::PermissionDenied,
        EventKind::PromptSubmit,
        EventKind::Stop,
    ],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: Some(review),
};

/// What was reported in this event.
struct Reported(Vec<(Recorded, Draft)>);

/// Whether a person's words correct what was done.
pub(crate) fn is_correction(words: &str) -> bool {
    correction::detect(words).is_some()
}

/// Whether a policy denied for a reason that is about the project, in enforce mode.
pub(crate) fn is_denial(ruling: &Ruling) -> bool {
    let id = ruling.policy.as_str();
    let is_process = |process: &&str| id == *process || (process.ends_with('.') && id.starts_with(*process));
    ruling.mode == Mode::Enforce
        && !ruling.skipped
        && ruling.error.is_none()
        && ruling.verdict.stance == Stance::Deny
        && !PROCESS.iter().any(is_process)
}

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    if situation.mode != Mode::Enforce || !ledger::is_enabled(situation.world) {
        return Ok(None);
    }
    let state: State = situation.recall()?;
    let mut reported = Vec::new();
    for draft in &state.denied {
        reported.push(record(workshop, &drafts::with_node(situation, draft.clone())?)?);
    }
    if let Some(draft) = draft_report(situation, &state)? {
        reported.push(record(workshop, &draft)?);
    }
    for (call, outcome) in failed_calls(situation, &state) {
        reported.extend(record_failure(situation, workshop, &call, &outcome)?);
    }
    Ok((!reported.is_empty()).then(|| Box::new(Reported(reported)) as Gathered))
}

fn record(workshop: &dyn Workshop, draft: &Draft) -> Result<(Recorded, Draft), PolicyError> {
    let draft = sanitize(draft);
    Ok((ledger::record(workshop, &draft)?, draft))
}

/// The calls that failed in this event and are not counted yet.
fn failed_calls(situation: &Situation<'_>, state: &State) -> Vec<(ToolCall, Outcome)> {
    match &situation.event.happening {
        EventData::ToolFailed { call, outcome, interrupted: false } => vec![(call.clone(), outcome.clone())],
        EventData::AfterBatch { refused, .. } => {
            let new = refused.iter().filter(|refused| !state.has_failed(&refused.call));
            let outcome = |error: &String| Outcome { text: error.clone(), ..Outcome::default() };
            new.map(|RefusedCall { call, error }| (call.clone(), outcome(error))).collect()
        }
        _ => Vec::new(),
    }
}

/// Counts a failure, and reports it if it is not the first of its kind or a rule did not help.
fn record_failure(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    call: &ToolCall,
    outcome: &Outcome,
) -> Result<Option<(Recorded, Draft)>, PolicyError> {
    let settings: Settings = situation.config()?;
    let is_wanted = match &call.tool {
        Tool::Shell { command, .. } => settings.commands && !settings.ignores(command),
        _ => settings.tools,
    };
    let Some(failure) = read_failure(situation, call, outcome).filter(|_| is_wanted) else { return Ok(None) };
    let after = if failure.is_despite_rule(situation)? { 1 } else { settings.after };
    let draft = sanitize(&drafts::from_failure(situation, call, &failure)?);
    let recorded = ledger::record_repeated(workshop, &draft, Repeated { key: &failure.key, after })?;
    Ok(recorded.map(|recorded| (recorded, draft)))
}

/// The report of a refusal by the client or of a person's correction.
fn draft_report(situation: &Situation<'_>, state: &State) -> Result<Option<Draft>, PolicyError> {
    match &situation.event.happening {
        EventData::PermissionDenied { call, reason } => {
            let settings: Settings = situation.config()?;
            let what = format!("{} was not permitted", call.name);
            let refused = Verdict::deny(Reason { what, why: reason.clone(), instead: String::new() });
            Ok(drafts::from_denial(situation, "The client", &refused).filter(|_| settings.denials))
        }
        EventData::PromptSubmit { text, by_machine: false }
            if situation.event.agent.is_none() && state.acted =>
        {
            let settings: Settings = situation.config()?;
            let correction = correction::detect(text).filter(|_| settings.corrections);
            correction
                .map(|correction| drafts::from_correction(situation, (text, correction), state))
                .transpose()
        }
        _ => Ok(None),
    }
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let none = Vec::new();
    let reported = situation.gathered().map_or(&none, |Reported(reported)| reported);
    let is_prompt = is_prompt(situation);
    let acts = is_action(situation);
    // Most events end here, before anything is read.
    if !reported.is_empty() || ((is_prompt || acts) && ledger::is_enabled(situation.world)) {
        let before: State = situation.recall()?;
        let mut state = before.clone();
        state.denied.retain(|denied| !reported.iter().any(|(_, draft)| draft.sameness == denied.sameness));
        if is_prompt {
            // A prompt begins new work, but denials still wait to be reported.
            state = State { denied: state.denied, ..State::default() };
        }
        if acts {
            state.record_action(edited(situation));
        }
        if let EventData::ToolFailed { call, .. } = &situation.event.happening {
            state.record_failure(call);
        }
        if state != before {
            situation.remember(&state)?;
        }
    }
    let mut verdict = record_outcome(situation);
    // At a stop, `memory.stop` names the reports of the whole session.
    if situation.event.kind() != EventKind::Stop {
        for (recorded, draft) in reported {
            match recorded {
                Recorded::New(id) if draft.is_skeleton() => verdict.notices.push(notice(id, draft)),
                Recorded::New(id) => verdict.context.push(message(id)),
                Recorded::Again(_) | Recorded::Rejected(_) => {}
            }
        }
    }
    Ok(verdict)
}

fn is_prompt(situation: &Situation<'_>) -> bool {
    let by_person = matches!(situation.event.happening, EventData::PromptSubmit { by_machine: false, .. });
    by_person && situation.event.agent.is_none()
}

/// Whether the agent did something that a person may want otherwise.
fn is_action(situation: &Situation<'_>) -> bool {
    let is_done = matches!(situation.event.kind(), EventKind::AfterTool | EventKind::ToolFailed);
    let call = situation.event.call().filter(|_| is_done);
    call.is_some_and(|call| matches!(call.tool, Tool::Edit(_) | Tool::Shell { .. } | Tool::Mcp { .. }))
}

/// The files of the project that an edit tool was called for.
fn edited(situation: &Situation<'_>) -> Vec<String> {
    let calls: Vec<&ToolCall> = match &situation.event.happening {
        EventData::AfterBatch { refused, .. } => refused.iter().map(|refused| &refused.call).collect(),
        _ => situation.event.call().into_iter().collect(),
    };
    let edits = calls.into_iter().flat_map(|call| call.tool.edits());
    edits.filter_map(|edit| place::below_root(situation, &edit.path)).collect()
}

/// What came of an edit, for `flyball memory stats`.
fn record_outcome(situation: &Situation<'_>) -> Verdict {
    let mut verdict = Verdict::silent();
    let has_failed = match &situation.event.happening {
        EventData::AfterBatch { refused, .. } => !refused.is_empty(),
        happening => happening.kind() == EventKind::ToolFailed,
    };
    if !has_failed || !ledger::is_enabled(situation.world) {
        return verdict;
    }
    let switch = situation.world.project_root().join(layout::NO_TELEMETRY);
    if situation.world.stat(&switch).is_none() {
        for file in edited(situation) {
            verdict = verdict.with_evidence("outcome", "failure").with_evidence("file", file);
        }
    }
    verdict
}

/// A person's line about a report whose lesson is still missing: only a person can write it.
fn notice(id: &str, draft: &Draft) -> String {
    format!("recorded for review: {} (`flyball learn show {id}`)", draft.title)
}

/// The model's line about a lesson that a person gave.
fn message(id: &str) -> Snippet {
    let file = format!("{}/{id}.md", Status::Pending.folder());
    let text = format!(
        "No action needed: this was recorded as report {id} (`{file}`). A person reviews it with `flyball learn`. [flyball memory.failures]"
    );
    Snippet { key: format!("memory.failures {id}"), rank: -5, text }
}

/// Remembers denials until the next event, which reports them: nothing can be written here.
fn review(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    let is_gate = situation.event.kind() == EventKind::BeforeTool;
    let mut denied = rulings.iter().filter(|ruling| is_denial(ruling)).peekable();
    if !is_gate || denied.peek().is_none() || !ledger::is_enabled(situation.world) {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    if settings.denials {
        let mut state: State = situation.recall()?;
        for ruling in denied {
            if let Some(draft) = drafts::from_denial(situation, ruling.policy.as_str(), &ruling.verdict) {
                state.record_denial(sanitize(&draft));
            }
        }
        situation.remember(&state)?;
    }
    Ok(Verdict::silent())
}
