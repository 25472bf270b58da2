//! The results of subagents: each reports the result of a phase, or is asked for it once.

use flyball_core::config::Mode;
use flyball_core::event::{Agent, Outcome};
use flyball_core::policy::PolicyError;
use flyball_core::verdict::{Reason, Snippet, Verdict};

use super::content;
use super::gather::Inputs;
use super::machine::{AgentReport, LoopEvent, Proof};
use super::marker;
use super::messages;
use super::result_format::{ExpectedResult, result_format};
use super::roster::Roster;
use super::session::Session;
use super::settings::{Domain, Settings};
use super::spawns;
use super::state::DomainState;

/// What is recorded of an agent that was asked and still reported nothing.
const NO_RESULT: &str = "gave no result";

/// What the message of an agent had.
struct Recorded {
    /// Whether there was any result.
    any: bool,
    /// The domains that passed by the agent's word alone, where a test run is needed.
    untested: Vec<String>,
}

impl Session<'_> {
    /// An agent starts: its result will be about the current content.
    pub(super) fn agent_started(&mut self, agent: &Agent) {
        self.apply(LoopEvent::Started { id: agent.id.clone(), role: agent.role.clone() });
    }

    /// Tells an agent at its start how to report its result. Not every project's agents know.
    pub(super) fn result_instructions(&self, agent: &Agent) -> Result<Option<Snippet>, PolicyError> {
        let expected = self.expected_results(agent)?;
        if expected.is_empty() || self.state.ending.is_some() || self.workflow_in_charge()?.is_some() {
            return Ok(None);
        }
        Ok(Some(messages::snippet("result", result_format(&expected))))
    }

    /// Restarts an agent that has reported its result, if the code has changed since then: somebody sent it back to look
    /// again, and its next report is about the current code.
    pub(super) fn restart_if_changed(&mut self, agent: &Agent) {
        let finished = self.state.agents.get(&agent.id).filter(|known| known.result.is_some());
        let Some(known) = finished else { return };
        let is_other =
            |(name, domain): (&String, &DomainState)| known.on.get(name) != Some(&domain.fingerprint());
        if self.state.domains.iter().any(is_other) {
            self.agent_started(agent);
        }
    }

    /// An agent wants to finish with this message.
    pub(super) fn agent_stopped(
        &mut self,
        agent: &Agent,
        message: &str,
        inputs: Option<&Inputs>,
    ) -> Result<Verdict, PolicyError> {
        // Changes by others while the agent worked come first: its result is not about them.
        self.look_again()?;
        let proofs = inputs.map(|inputs| inputs.proofs.as_slice()).unwrap_or_default();
        let known = self.state.agents.get(&agent.id).cloned().unwrap_or_default();
        let mut expected = self.expected_results(agent)?;
        let recorded = self.record_results(agent, message)?;
        if recorded.any || known.result.is_some() {
            expected.clear();
        }
        proofs.iter().for_each(|proof| self.record_proof(proof));
        let is_nested = inputs.is_some_and(|inputs| inputs.is_nested);
        // A workflow has its own way of asking.
        if is_nested || self.state.ending.is_some() || self.workflow_in_charge()?.is_some() {
            return Ok(Verdict::silent());
        }
        // An agent is asked once; a second answer without a result counts as failed. The client's worker, which may do
        // anything, has only not done the phase.
        if known.asked {
            expected.retain(|expected| !expected.is_stand_in);
            expected.iter().for_each(|expected| self.record_no_result(agent, expected));
            return Ok(Verdict::silent());
        }
        let failed: Vec<&Proof> =
            proofs.iter().filter(|proof| !proof.passed && proof.has_verdict()).collect();
        if expected.is_empty() && failed.is_empty() && recorded.untested.is_empty() {
            return Ok(Verdict::silent());
        }
        if !self.state.agents.contains_key(&agent.id) {
            self.agent_started(agent);
        }
        // In observe mode nobody is asked, so nobody can fail to answer.
        self.state.agents.entry(agent.id.clone()).or_default().asked = self.situation.mode == Mode::Enforce;
        let reason = match recorded.untested.as_slice() {
            [] => Reason::plain(messages::missing_result(&agent.role, &expected, &failed)),
            untested => messages::missing_run(untested),
        };
        Ok(Verdict::deny(reason).with_evidence("agent", &agent.role))
    }

    /// An agent was asked for its result and finished without one all the same.
    fn record_no_result(&mut self, agent: &Agent, expected: &ExpectedResult) {
        self.apply(LoopEvent::Reported(AgentReport {
            agent: Some(agent.id.clone()),
            role: agent.role.clone(),
            phase: expected.phase.name.clone(),
            domains: expected.domains.clone(),
            passed: false,
            issues: vec![NO_RESULT.to_owned()],
        }));
    }

    /// The answer of a subagent was returned to its spawner. If the client also reports that it stopped,
    /// this is nothing new.
    pub(super) fn agent_answered(&mut self, role: &str, outcome: &Outcome) -> Result<(), PolicyError> {
        let Some(spawned) = outcome.spawned.as_ref().filter(|spawned| !spawned.is_running) else {
            return Ok(());
        };
        if self.state.agents.get(&spawned.id).is_none_or(|known| known.result.is_none()) {
            let agent = Agent { id: spawned.id.clone(), role: role.to_owned() };
            self.record_results(&agent, &outcome.text)?;
        }
        Ok(())
    }

    /// Records the results in an agent's message.
    fn record_results(&mut self, agent: &Agent, message: &str) -> Result<Recorded, PolicyError> {
        self.state.redefined_roles.extend(content::redefined_by_content(self.situation)?);
        let was_asked_for = spawns::was_asked_for(self.situation, agent)?;
        let (settings, role) = (&self.settings, &agent.role);
        let roles = &self.state.redefined_roles;
        let is_redefined = roles.contains(role) || roles.contains(content::ANY_ROLE);
        let redefined = || messages::redefined_role(role);
        let edited: Vec<&Domain> =
            settings.domain.iter().filter(|domain| self.state.domains.contains_key(&domain.name)).collect();
        let reports: Vec<AgentReport> = settings
            .phase
            .iter()
            .filter(|phase| {
                edited
                    .iter()
                    .any(|domain| !domain.skip.contains(&phase.name) && domain.is_served_by(phase, role))
            })
            .filter_map(|phase| {
                let result = marker::read(message, phase)?;
                Some(AgentReport {
                    agent: Some(agent.id.clone()),
                    role: role.clone(),
                    phase: phase.name.clone(),
                    domains: named_domains(settings, &result)?,
                    passed: result.passed && !is_redefined,
                    issues: result.issues.into_iter().chain(is_redefined.then(redefined)).collect(),
                })
            })
            .collect();
        let mut recorded = Recorded { any: !reports.is_empty(), untested: Vec::new() };
        for report in reports {
            if report.passed && !was_asked_for {
                let issues = vec![messages::unasked(role)];
                self.apply(LoopEvent::Unproven(AgentReport { issues, ..report }));
            } else {
                recorded.untested.extend(self.record_report(report)?);
            }
        }
        Ok(recorded)
    }

    /// Records a report. Returns the domains that it passes without a test run that was seen, where one is needed: for
    /// these it does not count.
    fn record_report(&mut self, report: AgentReport) -> Result<Vec<String>, PolicyError> {
        let phase = self.settings.phase(&report.phase).filter(|phase| report.passed && phase.needs_run());
        let Some(phase) = phase else {
            self.apply(LoopEvent::Reported(report));
            return Ok(Vec::new());
        };
        let served = self.settings.domain.iter().filter(|domain| {
            self.state.domains.contains_key(&domain.name)
                && !domain.skip.contains(&phase.name)
                && domain.is_served_by(phase, &report.role)
                && (report.domains.is_empty() || report.domains.contains(&domain.name))
        });
        let (proved, claimed): (Vec<&Domain>, Vec<&Domain>) =
            served.partition(|domain| domain.command_for(phase).is_some());
        let names: Vec<&str> = claimed.iter().map(|domain| domain.name.as_str()).collect();
        let untested: Vec<String> = self.untested(&names)?.into_iter().map(str::to_owned).collect();
        if untested.is_empty() {
            self.apply(LoopEvent::Reported(report));
            return Ok(untested);
        }
        let is_tested = |domain: &&Domain| !untested.contains(&domain.name);
        let counted = proved.into_iter().chain(claimed).filter(is_tested);
        let counted: Vec<String> = counted.map(|domain| domain.name.clone()).collect();
        let issues = vec![messages::UNTESTED.to_owned()];
        let unproven = AgentReport { domains: untested.clone(), issues, ..report.clone() };
        if !counted.is_empty() {
            self.apply(LoopEvent::Reported(AgentReport { domains: counted, ..report }));
        }
        self.apply(LoopEvent::Unproven(unproven));
        Ok(untested)
    }

    /// The open results that an agent of this role reports. A phase that a command proves needs no report. The client's worker
    /// takes part in a phase only if its prompt asked for it.
    fn expected_results(&self, agent: &Agent) -> Result<Vec<ExpectedResult>, PolicyError> {
        let open = self.open_phases();
        let roster = Roster::read(self.situation)?;
        let mut expected = Vec::new();
        for phase in self.settings.phase.iter().filter(|phase| phase.has_marker()) {
            let is_stand_in =
                |domain: &Domain| roster.stand_in(domain, phase).is_some_and(|worker| worker == agent.role);
            let domains: Vec<&Domain> = self
                .settings
                .domain
                .iter()
                .filter(|domain| {
                    open.iter().any(|open| open.domain == domain.name && open.phase == phase.name)
                        && domain.command_for(phase).is_none()
                        && domain.is_served_by(phase, &agent.role)
                })
                .collect();
            let is_stand_in = domains.iter().any(|domain| is_stand_in(domain));
            let is_asked =
                || spawns::phases_asked_for(self.situation, agent).map(|phases| phases.contains(&phase.name));
            if !domains.is_empty() && (!is_stand_in || is_asked()?) {
                let domains = domains.into_iter().map(|domain| domain.name.clone()).collect();
                expected.push(ExpectedResult { phase: phase.clone(), domains, is_stand_in });
            }
        }
        Ok(expected)
    }
}

/// The domains that a result names, as they are spelt in the config. A result that names only unknown ones is ignored: it
/// must not pass for all of them.
fn named_domains(settings: &Settings, result: &marker::PhaseResult) -> Option<Vec<String>> {
    let is_named = |domain: &&Domain| result.domains.iter().any(|name| domain.is_named(name));
    let names: Vec<String> =
        settings.domain.iter().filter(is_named).map(|domain| domain.name.clone()).collect();
    (result.domains.is_empty() || !names.is_empty()).then_some(names)
}
