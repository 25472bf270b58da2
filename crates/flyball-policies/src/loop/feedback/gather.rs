//! Runs what proves a phase, and asks for advice when the loop is about to give up: before anything is judged, on a
//! copy of what is remembered.

use flyball_core::config::Mode;
use flyball_core::event::{EventData, Stopping, Tool};
use flyball_core::policy::{Gathered, PolicyError, Situation};
use flyball_core::workshop::Workshop;

use super::super::adviser::{self, Advice, Question};
use super::super::run::IN_LOOP;
use super::evidence::{self, DueProof};
use super::machine::{OpenPhase, OpenReason, Proof, StopDecision, StopRequest};
use super::report::limit;
use super::settings::{Domain, Settings};
use super::state::{Ending, Escalation, State};
use super::{content, stopping};

/// An adviser reads the last things that happened.
const SHOWN_HISTORY: usize = 40;
/// And so many names of files.
const SHOWN_FILES: usize = 60;

/// What was brought home.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inputs {
    /// What commands came to.
    pub(super) proofs: Vec<Proof>,
    /// What an adviser said, if the loop is about to give up.
    pub(super) advice: Option<Advice>,
    /// Whether a command of a phase started this session: it is part of a proof, and owes none.
    pub(super) is_nested: bool,
}

pub(super) fn gather(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
) -> Result<Option<Gathered>, PolicyError> {
    let is_meant = match &situation.event.happening {
        EventData::AfterTool { call, .. } => matches!(call.tool, Tool::Shell { background: false, .. }),
        EventData::Stop(_) => true,
        EventData::AgentStop { .. } => {
            situation.event.agent.as_ref().is_some_and(|agent| !agent.role.is_empty())
        }
        _ => false,
    };
    // Who only observes runs nothing.
    if !is_meant || situation.mode != Mode::Enforce || !situation.remembers()? {
        return Ok(None);
    }
    let mut state: State = situation.recall()?;
    if state.domains.is_empty() || matches!(state.ending, Some(Ending::Aborted | Ending::HandedOver { .. })) {
        return Ok(None);
    }
    if workshop.variable(IN_LOOP).is_some() {
        return Ok(Some(Box::new(Inputs { is_nested: true, ..Inputs::default() })));
    }
    let (settings, _) = super::settings_in_force(situation)?;
    if settings.commands().next().is_none() && !matches!(situation.event.happening, EventData::Stop(_)) {
        return Ok(None);
    }
    content::refresh(situation, &settings, &mut state);
    // A person decides; only what is new can settle it.
    if state.ending.is_some() && stopping::is_notified(situation, &state)? {
        return Ok(None);
    }
    let work = Gatherer { situation, workshop, settings: &settings };
    let brought = match &situation.event.happening {
        EventData::Stop(stopping) => work.at_stop(state, stopping)?,
        EventData::AgentStop { .. } => work.at_agent_stop(&state)?,
        _ => {
            evidence::note_passed_command(situation, workshop, &settings, &state)?;
            None
        }
    };
    Ok(brought.map(|brought| Box::new(brought) as Gathered))
}

/// What is needed to prove something.
#[derive(Clone, Copy)]
struct Gatherer<'a> {
    situation: &'a Situation<'a>,
    workshop: &'a dyn Workshop,
    settings: &'a Settings,
}

impl Gatherer<'_> {
    fn at_stop(&self, mut state: State, stopping: &Stopping) -> Result<Option<Inputs>, PolicyError> {
        let asked = stopping::stop_request(self.situation, self.settings, stopping);
        if asked.is_waiting || stopping::workflow_in_charge(self.situation, &state)?.is_some() {
            return Ok(None);
        }
        content::close_unchanged(self.situation, self.settings, &mut state)?;
        let mut proofs: Vec<Proof> = Vec::new();
        // One proof may open the way to the next.
        for _ in &self.settings.phase {
            let is_new = |due: &DueProof| {
                !proofs.iter().any(|proof| proof.domain == due.domain && proof.phase == due.phase)
            };
            let due: Vec<DueProof> = due_at_stop(self.settings, &state).into_iter().filter(is_new).collect();
            if due.is_empty() {
                break;
            }
            for proof in evidence::prove(self.situation, self.workshop, self.settings, &due)? {
                stopping::record_proof(self.settings, &mut state, &proof, asked.now);
                proofs.push(proof);
            }
        }
        let asked = StopRequest { lacks_verdict: stopping::lacks_verdict(&proofs), ..asked };
        let advice = match state.stop(self.settings, asked) {
            StopDecision::Escalate(escalation) => {
                let question = question(self.settings, &state, &escalation);
                Some(adviser::ask(&self.settings.adviser, &question, self.workshop))
            }
            StopDecision::Done
            | StopDecision::Wait
            | StopDecision::Block(_)
            | StopDecision::Pause(_)
            | StopDecision::Over => None,
        };
        Ok(Some(Inputs { proofs, advice, is_nested: false }))
    }

    fn at_agent_stop(&self, state: &State) -> Result<Option<Inputs>, PolicyError> {
        let role = self.situation.event.agent.as_ref().map(|agent| agent.role.as_str()).unwrap_or_default();
        let due = due_for_role(self.settings, state, role);
        if due.is_empty() || stopping::workflow_in_charge(self.situation, state)?.is_some() {
            return Ok(None);
        }
        let proofs = evidence::prove(self.situation, self.workshop, self.settings, &due)?;
        Ok(Some(Inputs { proofs, ..Inputs::default() }))
    }
}

/// The commands whose turn it is: nothing that has to pass before them is open. Those that passed are asked again,
/// because files that they cover may have changed outside of the loop's sight.
pub(super) fn due_at_stop(settings: &Settings, state: &State) -> Vec<DueProof> {
    let open = state.open_phases(settings);
    let mut due = Vec::new();
    for (domain, known) in changed_domains(settings, state) {
        for phase in settings.phases_of(domain) {
            if let Some(command) = domain.command_for(phase) {
                due.push(DueProof {
                    domain: domain.name.clone(),
                    phase: phase.name.clone(),
                    command: command.to_owned(),
                    content: known,
                });
            }
            if open.iter().any(|open| open.domain == domain.name && open.phase == phase.name) {
                break;
            }
        }
    }
    due
}

/// The commands that an agent of this role answers for.
pub(super) fn due_for_role(settings: &Settings, state: &State, role: &str) -> Vec<DueProof> {
    let mut due = Vec::new();
    for (domain, known) in changed_domains(settings, state) {
        let served = settings.phases_of(domain).filter(|phase| domain.is_served_by(phase, role));
        due.extend(served.filter_map(|phase| {
            Some(DueProof {
                domain: domain.name.clone(),
                phase: phase.name.clone(),
                command: domain.command_for(phase)?.to_owned(),
                content: known,
            })
        }));
    }
    due
}

/// The domains in the loop, with the content of each. One that is what it was before has nothing to prove.
fn changed_domains<'a>(settings: &'a Settings, state: &State) -> Vec<(&'a Domain, u64)> {
    let known = settings.domain.iter();
    let known = known.filter_map(|domain| Some((domain, state.domains.get(&domain.name)?)));
    let known = known.map(|(domain, here)| (domain, here.origin, here.fingerprint()));
    let changed = known.filter(|(_, origin, print)| *origin != Some(*print));
    changed.map(|(domain, _, print)| (domain, print)).collect()
}

/// What an adviser is told: what is really open and what was really said.
pub(super) fn question(settings: &Settings, state: &State, escalation: &Escalation) -> Question {
    let open = state.open_phases(settings);
    let told = |open: &OpenPhase| {
        let known = state.domains.get(&open.domain).and_then(|domain| domain.phases.get(&open.phase));
        let failures = known.map(|phase| phase.failures).unwrap_or_default();
        let why = match open.why {
            OpenReason::NotRun => "not done yet".to_owned(),
            OpenReason::Changed => "passed on other code".to_owned(),
            OpenReason::Stale => "the result came for other code".to_owned(),
            OpenReason::Failed if failures > 1 => format!("failed {failures} times in a row"),
            OpenReason::Failed => "failed".to_owned(),
        };
        format!("{} of {}: {why}", open.phase, open.domain)
    };
    let issues = open.iter().flat_map(|open| {
        open.issues.iter().map(|issue| format!("{} of {}: {issue}", open.phase, open.domain))
    });
    let files = state.domains.values().flat_map(|domain| domain.files.keys().cloned());
    let history = state.history.iter().rev().take(SHOWN_HISTORY).rev();
    Question {
        reason: escalation.reason.clone(),
        iteration: state.iteration,
        max_iterations: limit(state, settings),
        open: open.iter().map(told).collect(),
        issues: issues.collect(),
        files: files.take(SHOWN_FILES).collect(),
        history: history.map(|entry| format!("iteration {}: {}", entry.iteration, entry.what)).collect(),
    }
}
