//! Records what a session taught before it ends.
//!
//! Signs are collected while the session runs. Only if there are new ones when the agent stops, a small model is asked
//! once, if a person allowed that; its findings become reports, and the agent is blocked once to tell the user.

mod capture;
mod question;
mod settings;
mod signs;
mod state;
#[cfg(test)]
mod tests;

use std::time::Duration;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::engine::Ruling;
use flyball_core::event::{EventData, EventKind};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::text;
use flyball_core::verdict::{Reason, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::report::ledger::{self, Line};

use self::capture::Inputs;
pub use self::settings::{Model, Settings};
use self::state::State;
use crate::memory::failures;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("memory.stop"),
    summary: "what a session taught is recorded before it ends",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::BeforeTool,
        EventKind::AfterTool,
        EventKind::ToolFailed,
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

/// A report of this session may be made a moment before its sign is remembered.
const SLACK: Duration = Duration::from_secs(5);

/// How many reports are named in one message.
const NAMED: usize = 3;

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    if !is_first_stop(situation) || situation.mode != Mode::Enforce {
        return Ok(None);
    }
    let Some(state) = state_with_news(situation)? else { return Ok(None) };
    let settings: Settings = situation.config()?;
    if !settings.model.enabled || state.asked >= settings.most || !ledger::is_enabled(situation.world) {
        return Ok(None);
    }
    Ok(Some(Box::new(capture::ask(situation, &state, &settings.model, workshop))))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if is_first_stop(situation) {
        return stop(situation);
    }
    let Some(sign) = signs::detect(situation)?.filter(|_| ledger::is_enabled(situation.world)) else {
        return Ok(Verdict::silent());
    };
    let mut state: State = situation.recall()?;
    if sign.repeats.is_some_and(|failure| state.is_first(failure)) {
        situation.remember(&state)?;
        return Ok(Verdict::silent());
    }
    if state.record(sign.kind, sign.what, situation.world.now()) {
        situation.remember(&state)?;
    }
    Ok(Verdict::silent().with_evidence("sign", sign.kind.name()))
}

/// Remembers denials by other policies.
fn review(situation: &Situation<'_>, rulings: &[Ruling]) -> Result<Verdict, PolicyError> {
    let is_call = situation.event.kind() == EventKind::BeforeTool;
    if is_call && rulings.iter().any(failures::is_denial) && ledger::is_enabled(situation.world) {
        let mut state: State = situation.recall()?;
        if signs::record_denials(&mut state, rulings, situation.world.now()) {
            situation.remember(&state)?;
        }
    }
    Ok(Verdict::silent())
}

/// Whether the main agent wants to stop for the first time in this turn.
fn is_first_stop(situation: &Situation<'_>) -> bool {
    let event = situation.event;
    event.agent.is_none() && matches!(&event.happening, EventData::Stop(stopping) if !stopping.again)
}

fn state_with_news(situation: &Situation<'_>) -> Result<Option<State>, PolicyError> {
    if !situation.remembers()? {
        return Ok(None);
    }
    let state: State = situation.recall()?;
    let has_news = state.new_signs().next().is_some();
    Ok(has_news.then_some(state))
}

/// Every sign is judged once, whatever the result.
fn stop(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(mut state) = state_with_news(situation)? else { return Ok(Verdict::silent()) };
    let inputs = situation.gathered::<Inputs>();
    let signs = state.describe_new();
    state.mark_judged();
    state.asked += u32::from(inputs.is_some());
    situation.remember(&state)?;
    let verdict = match inputs {
        Some(inputs) if !inputs.recorded.is_empty() => Verdict::deny(block_reason(&inputs.recorded)),
        // The model found nothing: no reminder.
        Some(inputs) if inputs.errors.is_empty() => Verdict::silent(),
        Some(_) | None => reminder(situation, &state)?,
    };
    let verdict = verdict.with_evidence("signs", signs);
    Ok(match inputs {
        Some(inputs) => add_evidence(verdict, inputs),
        None => verdict,
    })
}

/// The model's result, for `flyball explain`.
fn add_evidence(verdict: Verdict, inputs: &Inputs) -> Verdict {
    let by = if inputs.by.is_empty() { "no model answered" } else { &inputs.by };
    let ids: Vec<&str> = inputs.recorded.iter().map(|line| line.id.as_str()).collect();
    let mut verdict = verdict.with_evidence("model", by).with_evidence("new reports", ids.join(", "));
    if inputs.known > 0 {
        verdict = verdict.with_evidence("known already", inputs.known.to_string());
    }
    inputs.errors.iter().fold(verdict, |verdict, error| verdict.with_evidence("error", error.as_str()))
}

/// Why the agent is blocked: it has to tell the user, nothing else.
fn block_reason(recorded: &[Line]) -> Reason {
    let them = text::plural(recorded.len(), "it", "them");
    Reason {
        instead: format!("Tell the user about {them} in one or two sentences, then stop"),
        what: format!("a model read this session and recorded {}", named(recorded)),
        why: "The user reviews with `flyball learn list` and `flyball learn accept ID`. You are asked only once"
            .to_owned(),
    }
}

/// A notice about the pending reports of this session, if there are any.
fn reminder(situation: &Situation<'_>, state: &State) -> Result<Verdict, PolicyError> {
    if !ledger::is_enabled(situation.world) {
        return Ok(Verdict::silent());
    }
    let since = state.since - SLACK;
    let pending = ledger::summary(situation.world)?.newest_pending;
    let pending: Vec<Line> = pending.into_iter().filter(|line| line.at >= since).collect();
    if pending.is_empty() {
        return Ok(Verdict::silent());
    }
    let notice = format!("this session left {} to review: run `flyball learn list`", named(&pending));
    Ok(Verdict { notices: vec![notice], ..Verdict::default() })
}

/// `2 reports: `ID` (title), `ID` (title)`
fn named(lines: &[Line]) -> String {
    let shown: Vec<String> = lines.iter().map(|line| format!("`{}` ({})", line.id, line.title)).collect();
    let count = if lines.len() == 1 { "a report".to_owned() } else { format!("{} reports", lines.len()) };
    format!("{count}, {}", text::first(&shown, NAMED))
}
