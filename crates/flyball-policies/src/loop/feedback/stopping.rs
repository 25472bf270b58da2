//! What is answered when the agent wants to stop.

use flyball_core::event::{BackgroundWork, Stopping};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Reason, Verdict};

use super::super::workflow::{self, ActiveWorkflow, WorkflowStart};
use super::gather::Inputs;
use super::machine::{LoopEvent, Proof, StopDecision, StopRequest};
use super::settings::Settings;
use super::state::{Ending, State};
use super::{content, evidence, messages, report};
use crate::digest::digest;

/// Where it is kept on which content the user was last told that a loop is out of the agent's hands.
const NOTIFIED_KEY: &str = "loop.feedback.told";

/// Where it is kept of which workflow the user was last told that it lets the loop off.
const EXEMPTED_KEY: &str = "loop.feedback.let-off";

/// Background work of these kinds brings no result of its own.
const IDLE: [&str; 2] = ["shell", "monitor"];

/// Decides, and says why.
pub(super) fn decide(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &mut State,
    (stopping, brought): (&Stopping, Option<&Inputs>),
) -> Result<Verdict, PolicyError> {
    let now = situation.world.unix_millis();
    content::refresh(situation, settings, state);
    let proofs = brought.map(|brought| brought.proofs.as_slice()).unwrap_or_default();
    proofs.iter().for_each(|proof| record_proof(settings, state, proof, now));
    content::close_unchanged(situation, settings, state)?;
    if let Some(workflow) = workflow_in_charge(situation, state)? {
        return exempt(situation, settings, state, &workflow);
    }
    if brought.is_some_and(|brought| brought.is_nested) {
        return Ok(Verdict::silent());
    }
    let asked =
        StopRequest { lacks_verdict: lacks_verdict(proofs), ..stop_request(situation, settings, stopping) };
    let was_escalated = matches!(state.ending, Some(Ending::Escalated(_)));
    let verdict = match state.stop(settings, asked) {
        StopDecision::Done => done(state, was_escalated),
        StopDecision::Wait => Verdict::silent(),
        StopDecision::Block(open) => {
            let mute: Vec<&Proof> = proofs.iter().filter(|proof| !evidence::has_verdict(proof)).collect();
            let text = messages::blocked(state, settings, &open, &mute);
            let seen = report::one_line(state, settings).unwrap_or_default();
            Verdict::deny(Reason::plain(text)).with_evidence("open", seen)
        }
        StopDecision::Pause(open) => notice(messages::paused(state, settings, &open)),
        StopDecision::Escalate(escalation) => {
            if let Some(advice) = brought.and_then(|brought| brought.advice.as_ref())
                && let Some(Ending::Escalated(escalation)) = &mut state.ending
            {
                escalation.advice.clone_from(&advice.text);
                escalation.adviser.clone_from(&advice.by);
            }
            remember_notified(situation, state)?;
            let verdict =
                notice(messages::escalated(state, settings)).with_evidence("escalation", escalation.reason);
            let troubles = brought.and_then(|brought| brought.advice.as_ref()).map(|advice| &advice.failures);
            troubles.into_iter().flatten().fold(verdict, |verdict, why| verdict.with_evidence("adviser", why))
        }
        StopDecision::Over => notify_once(situation, settings, state)?,
    };
    Ok(verdict)
}

/// The workflow that brings its own review and tests, and so lets the loop off. That a manifest says so is not
/// enough, because the agent may have written it; and who is held already gets off by no workflow of its own choice.
pub(super) fn workflow_in_charge(
    situation: &Situation<'_>,
    state: &State,
) -> Result<Option<ActiveWorkflow>, PolicyError> {
    let is_held_by = |at: u64| (1..=at).contains(&state.held.since);
    let counts = |began: WorkflowStart| began.by_person || !is_held_by(began.at);
    Ok(workflow::active(situation)?.filter(|active| active.began.is_some_and(counts)))
}

/// A workflow lets the loop off; the user is told once for each that they are not held to it.
fn exempt(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &State,
    workflow: &ActiveWorkflow,
) -> Result<Verdict, PolicyError> {
    let silent = Verdict::silent().with_evidence("workflow", &workflow.name);
    let began = workflow.began.map(|began| (began.at, began.by_person));
    let (Some((at, by_person)), Some(open)) = (began, report::one_line(state, settings)) else {
        return Ok(silent);
    };
    let told = format!("{at} {}", workflow.name);
    if situation.memory.read(EXEMPTED_KEY)?.as_ref() == Some(&told) {
        return Ok(silent);
    }
    situation.memory.write(EXEMPTED_KEY, told)?;
    let text = messages::exempted(&workflow.name, by_person, &open);
    Ok(Verdict { notices: vec![text], ..silent })
}

/// Nothing is open. The user hears of it if they were asked to decide, or if the proof is not what it was.
fn done(state: &mut State, was_escalated: bool) -> Verdict {
    let redefined: Vec<String> = std::mem::take(&mut state.redefined).into_iter().collect();
    let notices = [
        was_escalated.then(|| messages::PASSED_AFTER_ALL.to_owned()),
        (!redefined.is_empty()).then(|| messages::redefined(&redefined)),
    ];
    Verdict { notices: notices.into_iter().flatten().collect(), ..Verdict::silent() }
}

/// Whether a command said nothing about the code.
pub(super) fn lacks_verdict(proofs: &[Proof]) -> bool {
    proofs.iter().any(|proof| !evidence::has_verdict(proof))
}

/// Takes in what a command came to, unless that is known or says nothing about the code.
pub(super) fn record_proof(settings: &Settings, state: &mut State, proof: &Proof, now: u64) {
    let known = state.domains.get(&proof.domain).and_then(|domain| domain.phases.get(&proof.phase));
    let is_known = proof.passed && known.is_some_and(|phase| phase.passed_on == Some(proof.content));
    if !is_known && evidence::has_verdict(proof) {
        state.apply(settings, LoopEvent::Proved(proof.clone()), now);
    }
}

/// How the agent wants to stop.
pub(super) fn stop_request(
    situation: &Situation<'_>,
    settings: &Settings,
    stopping: &Stopping,
) -> StopRequest {
    StopRequest {
        is_fresh: !stopping.again,
        is_waiting: is_waiting(settings, &stopping.background),
        lacks_verdict: false,
        now: situation.world.unix_millis(),
    }
}

/// Whether something runs that may still bring a result: an agent, or a command that proves a phase. A server that
/// was started for the work lets nobody off.
fn is_waiting(settings: &Settings, background: &[BackgroundWork]) -> bool {
    background.iter().any(|work| {
        !IDLE.contains(&work.kind.as_str())
            || settings.commands().any(|command| !command.is_empty() && work.command.contains(command))
    })
}

/// The user is told once for each state of the files that an agent goes on with what they have to decide about.
fn notify_once(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &State,
) -> Result<Verdict, PolicyError> {
    let Some(Ending::Escalated(_)) = &state.ending else { return Ok(Verdict::silent()) };
    if is_notified(situation, state)? {
        return Ok(Verdict::silent());
    }
    remember_notified(situation, state)?;
    Ok(report::one_line(state, settings).map_or_else(Verdict::silent, notice))
}

/// Whether the user was told already how it stands on this content.
pub(super) fn is_notified(situation: &Situation<'_>, state: &State) -> Result<bool, PolicyError> {
    Ok(situation.memory.read(NOTIFIED_KEY)? == Some(fingerprint(state)))
}

fn remember_notified(situation: &Situation<'_>, state: &State) -> Result<(), PolicyError> {
    situation.memory.write(NOTIFIED_KEY, fingerprint(state))
}

fn fingerprint(state: &State) -> String {
    let prints: Vec<String> = state.domains.values().map(|domain| domain.fingerprint().to_string()).collect();
    digest(prints.iter().map(String::as_str)).to_string()
}

fn notice(text: String) -> Verdict {
    Verdict { notices: vec![text], ..Verdict::silent() }
}
