//! What failed, was denied or corrected becomes a report for people.

mod classify;
mod correction;
mod drafts;
mod sameness;
mod settings;
mod state;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::Ruling;
use flyball_core::event::{EventData, EventKind, Outcome, RefusedCall, Tool, ToolCall};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Reason, Snippet, Stance, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::layout;
use flyball_knowledge::report::ledger::{self, Recorded};
use flyball_knowledge::report::{Draft, Status, sanitize};

pub use self::settings::Settings;
use self::state::State;

/// Policies whose denials are about the workflow, not about the project.
const PROCESS: &[&str] =
    &["guard.self", "guard.denials", "guard.agents-first", "guard.permissions", "loop.", "task.", "memory."];

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.failures"),
    summary: "what failed, was denied or corrected becomes a report for people",
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

/// Whether a failed call says something about the project that the next agent should know.
pub(crate) fn is_mistake(situation: &Situation<'_>, call: &ToolCall, outcome: &Outcome) -> bool {
    match &call.tool {
        Tool::Shell { .. } => {
            situation.line().is_some_and(|line| classify::find_mistake(&line.script, &outcome.text).is_some())
        }
        Tool::Edit(_) | Tool::Mcp { .. } => !drafts::is_harmless(&outcome.text),
        _ => false,
    }
}

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
    let mut drafts = Vec::new();
    for draft in &state.denied {
        drafts.push(drafts::with_node(situation, draft.clone())?);
    }
    drafts.extend(draft_reports(situation, &state)?);
    let mut reported = Vec::new();
    for draft in drafts {
        let draft = sanitize(&draft);
        reported.push((ledger::record(workshop, &draft)?, draft));
    }
    Ok((!reported.is_empty()).then(|| Box::new(Reported(reported)) as Gathered))
}

/// The reports of this event itself.
fn draft_reports(situation: &Situation<'_>, state: &State) -> Result<Vec<Draft>, PolicyError> {
    let EventData::AfterBatch { refused, .. } = &situation.event.happening else {
        return Ok(draft_report(situation, state)?.into_iter().collect());
    };
    let mut drafts = Vec::new();
    for RefusedCall { call, error } in refused.iter().filter(|refused| !state.has_failed(&refused.call)) {
        let outcome = Outcome { text: error.clone(), ..Outcome::default() };
        drafts.extend(drafts::from_failure(situation, &situation.config()?, (call, &outcome))?);
    }
    Ok(drafts)
}

fn draft_report(situation: &Situation<'_>, state: &State) -> Result<Option<Draft>, PolicyError> {
    match &situation.event.happening {
        EventData::ToolFailed { call, outcome, interrupted: false } => {
            drafts::from_failure(situation, &situation.config()?, (call, outcome))
        }
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
    if situation.event.kind() != EventKind::Stop {
        verdict.context.extend(reported.iter().filter_map(|(recorded, _)| report_message(recorded)));
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
    edits.filter_map(|edit| drafts::below_root(situation, &edit.path)).collect()
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

/// The model's line about a new report.
fn report_message(recorded: &Recorded) -> Option<Snippet> {
    let Recorded::New(id) = recorded else { return None };
    let file = format!("{}/{id}.md", Status::Pending.folder());
    let text = format!(
        "No action needed: this was recorded as report {id} (`{file}`). A person reviews it with `flyball learn`. [flyball memory.failures]"
    );
    Some(Snippet { key: format!("memory.failures {id}"), rank: -5, text })
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
