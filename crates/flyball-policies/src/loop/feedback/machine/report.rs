//! What is believed of what agents say and commands show: a result counts for the content and the iteration that it
//! is about, so the order in which agents at work together are done makes no difference.

use super::history::{bounded, end_of};
use super::result::Failure;
use super::{Proof, Report};
use crate::r#loop::feedback::settings::{Domain, OnFail, Phase, Settings};
use crate::r#loop::feedback::state::{PhaseState, Print, Runner, State};

/// What a result is worth for one domain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    /// It is about what is there now.
    Full,
    /// It is about what is there now, by an agent of an earlier iteration.
    Late,
    /// It is about other content.
    Stale,
}

/// One phase of one domain.
#[derive(Clone, Copy)]
struct Place<'a> {
    domain: &'a Domain,
    phase: &'a Phase,
    /// The content that is there now.
    print: Print,
}

/// A report, by whom, and when: milliseconds since 1970.
struct Told<'a> {
    report: &'a Report,
    runner: Option<Runner>,
    now: u64,
}

impl State {
    pub(super) fn reported(&mut self, settings: &Settings, report: &Report, now: u64) {
        let Some(phase) = settings.phase.iter().find(|phase| phase.name == report.phase) else { return };
        if self.is_repeated(report) {
            return;
        }
        let runner = report.agent.as_ref().and_then(|id| self.agents.get(id)).cloned();
        let told = Told { report, runner, now };
        let mut counted = false;
        for place in self.places(settings, phase, &told) {
            if report.passed {
                self.told_passed(place, &told);
            } else {
                counted |= self.told_failed(place, &told);
            }
        }
        // An agent that started in this iteration failed this iteration; of others only new content says so.
        if counted && phase.on_fail == OnFail::Restart && (told.runner.is_some() || self.is_news()) {
            self.restart(now);
        }
    }

    pub(super) fn proved(&mut self, settings: &Settings, proof: &Proof, now: u64) {
        let Some(place) = self.proved_place(settings, proof) else { return };
        if proof.on != place.print {
            return self.proved_before(place, proof, now);
        }
        if proof.passed {
            self.phase_at(place).pass(place.print, &proof.command, now);
            return self.note(now, &format!("{place} passed: `{}`", proof.command));
        }
        let issues = issues_of(proof);
        let state = self.phase_at(place);
        if state.failed_on == Some(place.print) {
            state.issues = issues;
            return;
        }
        let failure = Failure { id: "", by: &proof.command, issues: &issues, on: place.print, tick: 0, now };
        self.fail(place, failure);
        if place.phase.on_fail == OnFail::Restart && self.is_news() {
            self.restart(now);
        }
    }

    /// The domains that a report speaks for.
    fn places<'a>(&self, settings: &'a Settings, phase: &'a Phase, told: &Told<'_>) -> Vec<Place<'a>> {
        let is_meant = |domain: &Domain| self.is_meant(domain, phase, told);
        let served = settings.domain.iter().filter(|domain| {
            !domain.skip.contains(&phase.name)
                && domain.is_served_by(phase, &told.report.role)
                && is_meant(domain)
        });
        let place = |domain| Some(Place { domain, phase, print: self.print_of(domain)? });
        served.filter_map(place).collect()
    }

    /// Whether a report is about a domain: one that it names or, if it names none, one in its loop.
    fn is_meant(&self, domain: &Domain, phase: &Phase, told: &Told<'_>) -> bool {
        let Some(here) = self.domains.get(&domain.name) else { return false };
        if !told.report.domains.is_empty() {
            return told.report.domains.contains(&domain.name);
        }
        // A domain that only an earlier loop was about is not in this one.
        let was_in =
            told.runner.as_ref().map_or(self.iteration == 0, |runner| runner.about.contains(&domain.name));
        was_in || here.active || here.why_open(&phase.name).is_some()
    }

    fn proved_place<'a>(&self, settings: &'a Settings, proof: &Proof) -> Option<Place<'a>> {
        let domain = settings.domain(&proof.domain)?;
        let phase = settings.phases_of(domain).find(|phase| phase.name == proof.phase)?;
        domain.command_for(phase)?;
        Some(Place { domain, phase, print: self.print_of(domain)? })
    }

    fn told_passed(&mut self, place: Place<'_>, told: &Told<'_>) {
        let role = &told.report.role;
        if place.domain.command_for(place.phase).is_some() {
            return self
                .note(told.now, &format!("{place} is proved by its command, not by what {role} says"));
        }
        let worth = self.worth(place, told);
        if worth != Worth::Full {
            self.mark_stale(place);
            return self.note(told.now, &format!("{place} passed by {role} does not count: {}", worth.why()));
        }
        let (id, since) = told.agent();
        let state = self.phase_at(place);
        if state.is_outvoted(id, since) {
            return self
                .note(told.now, &format!("{place} passed by {role}, failed by another agent meanwhile"));
        }
        state.pass(place.print, role, told.now);
        self.note(told.now, &format!("{place} passed by {role}"));
    }

    fn told_failed(&mut self, place: Place<'_>, told: &Told<'_>) -> bool {
        let worth = self.worth(place, told);
        let issues = &bounded(&told.report.issues);
        let role = &told.report.role;
        if worth == Worth::Stale {
            self.note(told.now, &format!("{place} failed by {role} does not count: {}", worth.why()));
            if self.is_open(place) {
                self.phase_at(place).fail_before(issues);
            }
            return false;
        }
        let (id, since) = told.agent();
        let is_same_round = worth == Worth::Late || self.phase_at(place).is_failed_since(since);
        let failure = Failure { id, by: role, issues, on: place.print, tick: 0, now: told.now };
        if is_same_round {
            self.fail_too(place, failure, since);
        } else {
            self.fail(place, failure);
        }
        !is_same_round
    }

    fn proved_before(&mut self, place: Place<'_>, proof: &Proof, now: u64) {
        self.mark_stale(place);
        let is_open = self.is_open(place);
        let state = self.phase_at(place);
        if is_open && !proof.passed && state.failed_on != Some(place.print) {
            state.issues = issues_of(proof);
        }
        let what = if proof.passed { "passed" } else { "failed" };
        self.note(now, &format!("{place} {what} does not count: {}", Worth::Stale.why()));
    }

    fn fail(&mut self, place: Place<'_>, failure: Failure<'_>) {
        let failure = self.failed(place, failure);
        self.phase_at(place).fail(&failure);
    }

    fn fail_too(&mut self, place: Place<'_>, failure: Failure<'_>, since: u64) {
        let failure = self.failed(place, failure);
        self.phase_at(place).fail_too(&failure, since);
    }

    /// What every failure that stands does, whether it counts or not.
    fn failed<'a>(&mut self, place: Place<'_>, failure: Failure<'a>) -> Failure<'a> {
        self.begin(failure.now);
        self.note(failure.now, &format!("{place} failed by {}", failure.by));
        self.domains.entry(place.domain.name.clone()).or_default().active = true;
        Failure { tick: self.tick(), ..failure }
    }

    fn worth(&self, place: Place<'_>, told: &Told<'_>) -> Worth {
        match &told.runner {
            Some(runner) if runner.saw(&place.domain.name) != place.print => Worth::Stale,
            Some(runner) if runner.iteration < self.iteration => Worth::Late,
            Some(_) | None => Worth::Full,
        }
    }

    /// Whether anything was edited since the present iteration began.
    fn is_news(&self) -> bool {
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

    fn print_of(&self, domain: &Domain) -> Option<Print> {
        self.domains.get(&domain.name).map(|here| here.print())
    }

    fn phase_at(&mut self, place: Place<'_>) -> &mut PhaseState {
        let here = self.domains.entry(place.domain.name.clone()).or_default();
        here.phases.entry(place.phase.name.clone()).or_default()
    }
}

impl Told<'_> {
    /// The agent's id and when it started: one that is not known has seen everything.
    fn agent(&self) -> (&str, u64) {
        let id = self.report.agent.as_deref().unwrap_or_default();
        self.runner.as_ref().map_or(("", u64::MAX), |runner| (id, runner.since))
    }
}

impl Worth {
    fn why(self) -> &'static str {
        match self {
            Worth::Full => "",
            Worth::Late => "it began in an earlier iteration",
            Worth::Stale => "the content changed meanwhile",
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
