//! What subagents say: the result of a phase, once, or nothing, and are asked for it.

use flyball_core::config::Mode;
use flyball_core::event::{Agent, Outcome};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Reason, Snippet, Verdict};

use super::machine::{AgentReport, LoopEvent, Proof};
use super::marker;
use super::settings::{Phase, Settings};
use super::state::{DomainState, State};
use super::{content, evidence, messages, stopping};

/// What is recorded of an agent that was asked and still said nothing.
const NO_RESULT: &str = "gave no result";

/// A phase for which an agent owes a word, and the domains it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExpectedResult<'a> {
    pub(super) phase: &'a Phase,
    pub(super) domains: Vec<&'a str>,
}

/// An agent begins: its result will be about what it finds now.
pub(super) fn started(situation: &Situation<'_>, settings: &Settings, state: &mut State, agent: &Agent) {
    let input = LoopEvent::Started { id: agent.id.clone(), role: agent.role.clone() };
    state.apply(settings, input, situation.world.unix_millis());
}

/// Whether an agent of this role speaks for any phase.
pub(super) fn serves(settings: &Settings, role: &str) -> bool {
    let is_served = |phase: &Phase| settings.domain.iter().any(|domain| domain.is_served_by(phase, role));
    settings.phase.iter().any(is_served)
}

/// What an agent is told when it begins: how its result is said. Not every project's agents know.
pub(super) fn result_instructions(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &State,
    agent: &Agent,
) -> Result<Option<Snippet>, PolicyError> {
    let owed = expected_results(settings, state, &agent.role);
    if owed.is_empty() || state.ending.is_some() || stopping::workflow_in_charge(situation, state)?.is_some()
    {
        return Ok(None);
    }
    Ok(Some(messages::snippet("result", messages::result_format(&owed))))
}

/// An agent works that has said its result, and the code is not what it was about: somebody sent it back to look
/// again, and what it says next is about what it finds now.
pub(super) fn restart_if_changed(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &mut State,
    agent: &Agent,
) {
    let Some(runner) = state.agents.get(&agent.id).filter(|runner| runner.result.is_some()) else { return };
    let is_other =
        |(name, domain): (&String, &DomainState)| runner.on.get(name) != Some(&domain.fingerprint());
    if state.domains.iter().any(is_other) {
        started(situation, settings, state, agent);
    }
}

/// What an agent says when it wants to finish.
pub(super) struct Reply<'a> {
    pub(super) agent: &'a Agent,
    pub(super) text: &'a str,
    /// What the commands came to that it answers for.
    pub(super) proofs: &'a [Proof],
    /// Whether its session was started by a command of a phase.
    pub(super) is_nested: bool,
}

/// An agent wants to finish.
pub(super) fn stopped(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &mut State,
    said: &Reply<'_>,
) -> Result<Verdict, PolicyError> {
    let Reply { agent, text, proofs, is_nested } = said;
    let now = situation.world.unix_millis();
    content::refresh(situation, settings, state);
    let runner = state.agents.get(&agent.id).cloned().unwrap_or_default();
    let owed = expected_results(settings, state, &agent.role);
    let has_spoken =
        record_results(settings, state, (&agent.id, &agent.role, text), now) || runner.result.is_some();
    proofs.iter().for_each(|proof| stopping::record_proof(settings, state, proof, now));
    // A workflow has its own way of asking.
    if *is_nested || state.ending.is_some() || stopping::workflow_in_charge(situation, state)?.is_some() {
        return Ok(Verdict::silent());
    }
    let owed = if has_spoken { Vec::new() } else { owed };
    if runner.asked {
        owed.iter().for_each(|owed| record_no_result(settings, state, (agent, owed), now));
        return Ok(Verdict::silent());
    }
    let failed: Vec<&Proof> =
        proofs.iter().filter(|proof| !proof.passed && evidence::has_verdict(proof)).collect();
    if owed.is_empty() && failed.is_empty() {
        return Ok(Verdict::silent());
    }
    if !state.agents.contains_key(&agent.id) {
        started(situation, settings, state, agent);
    }
    // Who only observes asks nobody, so nobody can fail to answer.
    state.agents.entry(agent.id.clone()).or_default().asked = situation.mode == Mode::Enforce;
    let text = messages::missing_result(&agent.role, &owed, &failed);
    Ok(Verdict::deny(Reason::plain(text)).with_evidence("agent", &agent.role))
}

/// An agent was asked for its result and finished without one all the same.
fn record_no_result(
    settings: &Settings,
    state: &mut State,
    (agent, owed): (&Agent, &ExpectedResult<'_>),
    now: u64,
) {
    let report = AgentReport {
        agent: Some(agent.id.clone()),
        role: agent.role.clone(),
        phase: owed.phase.name.clone(),
        domains: owed.domains.iter().map(|domain| (*domain).to_owned()).collect(),
        passed: false,
        issues: vec![NO_RESULT.to_owned()],
    };
    state.apply(settings, LoopEvent::Reported(report), now);
}

/// The answer of a subagent came back to the one who spawned it. Where the client also says that it stopped, this is
/// no news.
pub(super) fn answered(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &mut State,
    (role, outcome): (&str, &Outcome),
) {
    let Some(spawned) = outcome.spawned.as_ref().filter(|spawned| !spawned.is_running) else { return };
    let is_known = state.agents.get(&spawned.id).is_some_and(|runner| runner.result.is_some());
    if !is_known {
        let now = situation.world.unix_millis();
        record_results(settings, state, (&spawned.id, role, &outcome.text), now);
    }
}

/// Takes in the results that an agent said; whether there were any.
fn record_results(
    settings: &Settings,
    state: &mut State,
    (id, role, text): (&str, &str, &str),
    now: u64,
) -> bool {
    let mut reports = Vec::new();
    for phase in &settings.phase {
        let is_served = |name: &&String| {
            settings
                .domain(name)
                .is_some_and(|domain| !domain.skip.contains(&phase.name) && domain.is_served_by(phase, role))
        };
        if !state.domains.keys().any(|name| is_served(&name)) {
            continue;
        }
        let Some(said) = marker::read(text, phase) else { continue };
        let Some(domains) = domains_of(settings, &said) else { continue };
        reports.push(AgentReport {
            agent: Some(id.to_owned()),
            role: role.to_owned(),
            phase: phase.name.clone(),
            domains,
            passed: said.passed,
            issues: said.issues,
        });
    }
    let has_spoken = !reports.is_empty();
    for report in reports {
        state.apply(settings, LoopEvent::Reported(report), now);
    }
    has_spoken
}

/// The domains that a result names, as they are spelt in the config. One that names only what nobody knows is no
/// result: it must not pass for all of them.
fn domains_of(settings: &Settings, said: &marker::PhaseResult) -> Option<Vec<String>> {
    let known = |name: &String| {
        let domain = settings.domain.iter().find(|domain| domain.name.eq_ignore_ascii_case(name));
        domain.map(|domain| domain.name.clone())
    };
    let names: Vec<String> = said.domains.iter().filter_map(known).collect();
    (said.domains.is_empty() || !names.is_empty()).then_some(names)
}

/// The results that are open and that an agent of this role is there for. What a command proves, nobody has to say.
fn expected_results<'a>(settings: &'a Settings, state: &State, role: &str) -> Vec<ExpectedResult<'a>> {
    let open = state.open_phases(settings);
    let phases = settings.phase.iter().filter(|phase| phase.has_marker());
    let owed = phases.map(|phase| {
        let domains = settings.domain.iter().filter(|domain| {
            open.iter().any(|open| open.domain == domain.name && open.phase == phase.name)
                && domain.command_for(phase).is_none()
                && domain.is_served_by(phase, role)
        });
        ExpectedResult { phase, domains: domains.map(|domain| domain.name.as_str()).collect() }
    });
    owed.filter(|owed| !owed.domains.is_empty()).collect()
}
