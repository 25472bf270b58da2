//! Which results count: those for the current content and iteration, so that the order in which parallel agents finish
//! makes no difference.

use flyball_core::time::Time;

use super::history::{bounded, end_of};
use super::result::Failure;
use super::{AgentReport, Proof};
use crate::r#loop::feedback::settings::{Domain, OnFail, Phase, Settings};
use crate::r#loop::feedback::state::{AgentState, Fingerprint, PhaseState, State};

/// How far a result counts for one domain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Validity {
    /// It is about the current content.
    Full,
    /// It is about the current content, by an agent of an earlier iteration.
    Late,
    /// It is about other content.
    Stale,
}

/// One phase of one domain.
#[derive(Clone, Copy)]
struct Place<'a> {
    domain: &'a Domain,
    phase: &'a Phase,
    /// The current content.
    content: Fingerprint,
}

/// A report, by whom, and when.
struct ReceivedReport<'a> {
    report: &'a AgentReport,
    agent_state: Option<AgentState>,
    now: Time,
}

impl State {
    pub(super) fn apply_report(&mut self, settings: &Settings, report: &AgentReport, now: Time) {
        let Some(phase) = settings.phase.iter().find(|phase| phase.name == report.phase) else { return };
        // A report can arrive twice: when the agent stops, and when its answer is returned to its spawner.
        if self.remember_result(report) {
            return;
        }
        let agent = report.agent.as_ref().and_then(|id| self.agents.get(id)).cloned();
        let received = ReceivedReport { report, agent_state: agent, now };
        let mut counted = false;
        for place in self.places(settings, phase, &received) {
            if report.passed {
                self.record_pass(place, &received);
            } else {
                counted |= self.record_failure(place, &received);
            }
        }
        // An agent that started in this iteration fails this iteration; for others only new content does.
        if counted
            && phase.on_fail == OnFail::Restart
            && (received.agent_state.is_some() || self.has_new_content())
        {
            self.restart(now);
        }
    }

    pub(super) fn apply_proof(&mut self, settings: &Settings, proof: &Proof, now: Time) {
        let Some(place) = self.proved_place(settings, proof) else { return };
        if proof.content != place.content {
            return self.record_stale_proof(place, proof, now);
        }
        if proof.passed {
            self.phase_at(place).pass(place.content, &proof.command, now);
            return self.note(now, &format!("{place} passed: `{}`", proof.command));
        }
        let issues = issues_of(proof);
        let state = self.phase_at(place);
        // The same command fails on the same content again: that is not another failure.
        if state.failed_on == Some(place.content) {
            state.issues = issues;
            return;
        }
        let failure =
            Failure { id: "", by: &proof.command, issues: &issues, content: place.content, tick: 0, now };
        self.fail(place, failure);
        if place.phase.on_fail == OnFail::Restart && self.has_new_content() {
            self.restart(now);
        }
    }

    /// The phases of domains that a report is about.
    fn places<'a>(
        &self,
        settings: &'a Settings,
        phase: &'a Phase,
        received: &ReceivedReport<'_>,
    ) -> Vec<Place<'a>> {
        let is_meant = |domain: &Domain| self.is_meant(domain, phase, received);
        let served = settings.domain.iter().filter(|domain| {
            !domain.skip.contains(&phase.name)
                && domain.is_served_by(phase, &received.report.role)
                && is_meant(domain)
        });
        let place = |domain| Some(Place { domain, phase, content: self.domain_content(domain)? });
        served.filter_map(place).collect()
    }

    /// Whether a report is about a domain: one that it names or, if it names none, one in its loop.
    fn is_meant(&self, domain: &Domain, phase: &Phase, received: &ReceivedReport<'_>) -> bool {
        let Some(here) = self.domains.get(&domain.name) else { return false };
        if !received.report.domains.is_empty() {
            return received.report.domains.contains(&domain.name);
        }
        // A domain that only an earlier loop was about is not in this one.
        let was_in = received
            .agent_state
            .as_ref()
            .map_or(self.iteration == 0, |agent| agent.about.contains(&domain.name));
        was_in || here.active || here.why_open(&phase.name).is_some()
    }

    fn proved_place<'a>(&self, settings: &'a Settings, proof: &Proof) -> Option<Place<'a>> {
        let domain = settings.domain(&proof.domain)?;
        let phase = settings.phases_of(domain).find(|phase| phase.name == proof.phase)?;
        domain.command_for(phase)?;
        Some(Place { domain, phase, content: self.domain_content(domain)? })
    }

    fn record_pass(&mut self, place: Place<'_>, received: &ReceivedReport<'_>) {
        let role = &received.report.role;
        // A claim never replaces the command.
        if place.domain.command_for(place.phase).is_some() {
            return self
                .note(received.now, &format!("{place} is proved by its command, not by a report of {role}"));
        }
        let validity = self.validity(place, received);
        if validity != Validity::Full {
            self.mark_stale(place);
            return self
                .note(received.now, &format!("{place} passed by {role} does not count: {}", validity.why()));
        }
        let (id, since) = received.agent();
        let state = self.phase_at(place);
        if state.is_outvoted(id, since) {
            return self
                .note(received.now, &format!("{place} passed by {role}, failed by another agent meanwhile"));
        }
        state.pass(place.content, role, received.now);
        self.note(received.now, &format!("{place} passed by {role}"));
    }

    fn record_failure(&mut self, place: Place<'_>, received: &ReceivedReport<'_>) -> bool {
        let validity = self.validity(place, received);
        let issues = &bounded(&received.report.issues);
        let role = &received.report.role;
        if validity == Validity::Stale {
            self.note(received.now, &format!("{place} failed by {role} does not count: {}", validity.why()));
            // While the phase is open, findings on older code are listed, although they do not count.
            if self.is_open(place) {
                self.phase_at(place).fail_stale(issues);
            }
            return false;
        }
        let (id, since) = received.agent();
        let is_same_round = validity == Validity::Late || self.phase_at(place).is_failed_since(since);
        let failure = Failure { id, by: role, issues, content: place.content, tick: 0, now: received.now };
        if is_same_round {
            self.fail_in_same_round(place, failure, since);
        } else {
            self.fail(place, failure);
        }
        !is_same_round
    }

    fn record_stale_proof(&mut self, place: Place<'_>, proof: &Proof, now: Time) {
        self.mark_stale(place);
        let is_open = self.is_open(place);
        let state = self.phase_at(place);
        if is_open && !proof.passed && state.failed_on != Some(place.content) {
            state.issues = issues_of(proof);
        }
        let what = if proof.passed { "passed" } else { "failed" };
        self.note(now, &format!("{place} {what} does not count: {}", Validity::Stale.why()));
    }

    fn fail(&mut self, place: Place<'_>, failure: Failure<'_>) {
        let failure = self.register_failure(place, failure);
        self.phase_at(place).fail(&failure);
    }

    fn fail_in_same_round(&mut self, place: Place<'_>, failure: Failure<'_>, since: u64) {
        let failure = self.register_failure(place, failure);
        self.phase_at(place).fail_in_same_round(&failure, since);
    }

    /// What every failure does, whether it counts or not.
    fn register_failure<'a>(&mut self, place: Place<'_>, failure: Failure<'a>) -> Failure<'a> {
        self.begin(failure.now);
        self.note(failure.now, &format!("{place} failed by {}", failure.by));
        self.domains.entry(place.domain.name.clone()).or_default().active = true;
        Failure { tick: self.tick(), ..failure }
    }

    fn validity(&self, place: Place<'_>, received: &ReceivedReport<'_>) -> Validity {
        match &received.agent_state {
            Some(agent) if agent.content_seen(&place.domain.name) != place.content => Validity::Stale,
            Some(agent) if agent.iteration < self.iteration => Validity::Late,
            // An agent whose start was not seen, or is forgotten, counts for the content as it is.
            Some(_) | None => Validity::Full,
        }
    }

    /// Whether anything was edited since the present iteration began.
    fn has_new_content(&self) -> bool {
        self.restarted_on != Some(self.content())
    }

    fn mark_stale(&mut self, place: Place<'_>) {
        if self.is_open(place) {
            self.phase_at(place).stale = true;
        }
    }

    fn is_open(&self, place: Place<'_>) -> bool {
        self.domains.get(&place.domain.name).is_some_and(|here| here.why_open(&place.phase.name).is_some())
    }

    fn domain_content(&self, domain: &Domain) -> Option<Fingerprint> {
        self.domains.get(&domain.name).map(|here| here.fingerprint())
    }

    fn phase_at(&mut self, place: Place<'_>) -> &mut PhaseState {
        let here = self.domains.entry(place.domain.name.clone()).or_default();
        here.phases.entry(place.phase.name.clone()).or_default()
    }
}

impl ReceivedReport<'_> {
    /// The agent's id and when it started; an unknown agent counts as one that has seen everything.
    fn agent(&self) -> (&str, u64) {
        let id = self.report.agent.as_deref().unwrap_or_default();
        self.agent_state.as_ref().map_or(("", u64::MAX), |agent| (id, agent.since))
    }
}

impl Validity {
    fn why(self) -> &'static str {
        match self {
            Validity::Full => "",
            Validity::Late => "it started in an earlier iteration",
            Validity::Stale => "the content changed meanwhile",
        }
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.phase.name, self.domain.name)
    }
}

fn issues_of(proof: &Proof) -> Vec<String> {
    let tail = end_of(&proof.tail);
    if tail.is_empty() { Vec::new() } else { vec![tail] }
}
