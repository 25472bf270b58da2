//! Runs what proves a phase, and asks for advice when a limit is reached: before anything is judged, on a copy of the
//! state.

use flyball_core::config::Mode;
use flyball_core::event::{EventData, Stopping, Tool};
use flyball_core::policy::{Gathered, PolicyError, Situation};
use flyball_core::workshop::Workshop;

use super::super::adviser::{self, Advice, Question};
use super::super::run::IN_LOOP;
use super::content::{self, Changes, EarlierTexts};
use super::evidence::{DueProof, Prover};
use super::machine::{OpenPhase, OpenReason, Proof, StopDecision, condense};
use super::session::Session;
use super::settings::{Domain, Settings};
use super::state::{Ending, Escalation, Fingerprint, State};

/// How many of the last events an adviser reads.
const SHOWN_HISTORY: usize = 40;
/// How many names of files an adviser reads.
const SHOWN_FILES: usize = 60;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inputs {
    /// The results of commands.
    pub(super) proofs: Vec<Proof>,
    /// The answer of an adviser, if a limit is reached.
    pub(super) advice: Option<Advice>,
    /// Whether a command of a phase started this session: it is part of a proof, and needs none itself.
    pub(super) is_nested: bool,
    /// The files that are as they were before the session, by domain.
    pub(super) unchanged: Changes,
    /// What files of the loop were before git replaced them.
    pub(super) texts: EarlierTexts,
    /// Whether the client runs without a person.
    pub(super) is_alone: bool,
}

pub(super) fn gather(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
) -> Result<Option<Gathered>, PolicyError> {
    let is_meant = match &situation.event.happening {
        EventData::BeforeTool(_) | EventData::SessionStart { .. } | EventData::PromptSubmit { .. } => {
            content::store_before(situation, workshop)?;
            return Ok(None);
        }
        EventData::AfterTool { call, .. } | EventData::ToolFailed { call, .. } => {
            content::note_writes(situation, workshop)?;
            matches!(call.tool, Tool::Shell { background: false, .. })
        }
        EventData::Stop(_) => true,
        EventData::AgentStop { .. } => {
            situation.event.agent.as_ref().is_some_and(|agent| !agent.role.is_empty())
        }
        _ => false,
    };
    if !is_meant || !situation.remembers()? {
        return Ok(None);
    }
    let state: State = situation.recall()?;
    let is_idle = state.domains.is_empty() && state.writing_since().is_none();
    if is_idle || matches!(state.ending, Some(Ending::Aborted | Ending::HandedOver { .. })) {
        return Ok(None);
    }
    if workshop.variable(IN_LOOP).is_some() {
        return Ok(Some(Box::new(Inputs { is_nested: true, ..Inputs::default() })));
    }
    let (mut session, _) = Session::with_limits(situation, state)?;
    if session.is_move() {
        let texts = session.earlier_texts(workshop);
        return Ok(Some(Box::new(Inputs { texts, ..Inputs::default() })));
    }
    let is_stop = matches!(situation.event.happening, EventData::Stop(_));
    // After a call or an agent only commands matter; a stop may need advice as well. In observe mode nothing runs.
    let runs = situation.mode == Mode::Enforce && session.settings.commands().next().is_some();
    if !runs && !is_stop {
        return Ok(None);
    }
    session.look_again()?;
    // The person was notified and has to decide; only new content changes that.
    if session.state.ending.is_some() && session.is_notified()? {
        return Ok(None);
    }
    let inputs = match &situation.event.happening {
        EventData::Stop(stopping) => session.gather_at_stop(workshop, stopping)?,
        EventData::AgentStop { .. } => session.gather_at_agent_stop(workshop)?,
        _ => {
            session.prover(workshop).note_passed_command(&session.state);
            None
        }
    };
    Ok(inputs.map(|inputs| Box::new(inputs) as Gathered))
}

/// Whether the client that calls was started for one run, without a person.
fn is_alone(situation: &Situation<'_>, workshop: &dyn Workshop) -> bool {
    let marks = situation.world.clients().iter().filter_map(|client| client.runs_alone);
    marks.into_iter().any(|(name, value)| workshop.variable(name).as_deref() == Some(value))
}

impl Session<'_> {
    fn prover<'s>(&'s self, workshop: &'s dyn Workshop) -> Prover<'s> {
        Prover { situation: self.situation, workshop, settings: &self.settings }
    }

    fn gather_at_stop(
        &mut self,
        workshop: &dyn Workshop,
        stopping: &Stopping,
    ) -> Result<Option<Inputs>, PolicyError> {
        if self.is_waiting(&stopping.background) || self.workflow_in_charge()?.is_some() {
            return Ok(None);
        }
        self.forget_discarded()?;
        let unchanged = self.find_unchanged(workshop)?;
        self.close_unchanged(&unchanged);
        self.pass_finished_workflow()?;
        if self.situation.mode != Mode::Enforce {
            return Ok(Some(Inputs { unchanged, ..Inputs::default() }));
        }
        let mut proofs: Vec<Proof> = Vec::new();
        // One proof may open the way to the next.
        for _ in 0..self.settings.phase.len() {
            let is_new = |due: &DueProof| {
                !proofs.iter().any(|proof| proof.domain == due.domain && proof.phase == due.phase)
            };
            let mut due = due_at_stop(&self.settings, &self.state);
            due.retain(is_new);
            if due.is_empty() {
                break;
            }
            for proof in self.prover(workshop).prove(&due) {
                self.record_proof(&proof);
                proofs.push(proof);
            }
        }
        // On this copy of the state only: it shows whether a limit is reached and an adviser is needed.
        let is_alone = is_alone(self.situation, workshop);
        let inputs = Inputs { proofs, is_alone, unchanged, ..Inputs::default() };
        let request = self.stop_request(stopping, Some(&inputs))?;
        let advice = match self.state.stop(&self.settings, request) {
            StopDecision::Escalate(escalation) => {
                let question = question(&self.settings, &self.state, &escalation);
                Some(adviser::ask(&self.settings.adviser, &question, workshop))
            }
            StopDecision::Done
            | StopDecision::Wait
            | StopDecision::Block(_)
            | StopDecision::Pause(_)
            | StopDecision::Ask(_)
            | StopDecision::NoRoom(_)
            | StopDecision::Over => None,
        };
        Ok(Some(Inputs { advice, ..inputs }))
    }

    fn gather_at_agent_stop(&self, workshop: &dyn Workshop) -> Result<Option<Inputs>, PolicyError> {
        let role = self.situation.event.agent.as_ref().map(|agent| agent.role.as_str()).unwrap_or_default();
        let due = due_for_role(&self.settings, &self.state, role);
        if due.is_empty() || self.workflow_in_charge()?.is_some() {
            return Ok(None);
        }
        let proofs = self.prover(workshop).prove(&due);
        Ok(Some(Inputs { proofs, ..Inputs::default() }))
    }
}

/// The commands that are due: no phase before them is open. Those that passed are due again, because files that they
/// cover may have changed without an edit in the loop.
pub(super) fn due_at_stop(settings: &Settings, state: &State) -> Vec<DueProof> {
    let open = state.open_phases(settings);
    let mut due = Vec::new();
    for (domain, content) in changed_domains(settings, state) {
        for phase in settings.phases_of(domain) {
            due.extend(DueProof::new(domain, phase, content));
            if open.iter().any(|open| open.domain == domain.name && open.phase == phase.name) {
                break;
            }
        }
    }
    due
}

/// The commands of the phases that agents of this role report for.
pub(super) fn due_for_role(settings: &Settings, state: &State, role: &str) -> Vec<DueProof> {
    let due = changed_domains(settings, state).flat_map(|(domain, content)| {
        let served = settings.phases_of(domain).filter(|phase| domain.is_served_by(phase, role));
        served.filter_map(move |phase| DueProof::new(domain, phase, content))
    });
    due.collect()
}

/// The domains in the loop, with the content of each. One that is unchanged since the session began has nothing to prove.
fn changed_domains<'a>(
    settings: &'a Settings,
    state: &'a State,
) -> impl Iterator<Item = (&'a Domain, Fingerprint)> {
    settings.domain.iter().filter_map(|domain| {
        let here = state.domains.get(&domain.name)?;
        let content = here.fingerprint();
        (here.origin != Some(content) && !here.is_left() && here.elsewhere.is_empty())
            .then_some((domain, content))
    })
}

/// What an adviser reads: what is really open and what was really reported.
pub(super) fn question(settings: &Settings, state: &State, escalation: &Escalation) -> Question {
    let open = state.open_phases(settings);
    let describe = |open: &OpenPhase| {
        let known = state.domains.get(&open.domain).and_then(|domain| domain.phases.get(&open.phase));
        let failures = known.map(|phase| phase.failures).unwrap_or_default();
        let why = match open.why {
            OpenReason::NotRun => "not done yet".to_owned(),
            OpenReason::Changed => "passed on other code".to_owned(),
            OpenReason::Elsewhere => "the work is on another branch or tag".to_owned(),
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
    let history = condense(&state.history, SHOWN_HISTORY).into_iter();
    Question {
        reason: escalation.reason.clone(),
        iteration: state.iteration,
        max_iterations: state.max_iterations(settings),
        open: open.iter().map(describe).collect(),
        issues: issues.collect(),
        files: files.take(SHOWN_FILES).collect(),
        history: history.map(|entry| format!("iteration {}: {}", entry.iteration, entry.what)).collect(),
    }
}
