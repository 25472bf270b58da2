//! How a result changes one phase of one domain.

use std::collections::BTreeMap;

use flyball_core::time::Time;

use super::fingerprints::fingerprint_issues;
use super::history::joined;
use crate::r#loop::feedback::state::{Fingerprint, PhaseState};

pub(super) struct Failure<'a> {
    /// The agent's id; empty if it is not known, or a command.
    pub id: &'a str,
    /// Its role, or the command.
    pub by: &'a str,
    /// What was wrong, bounded.
    pub issues: &'a [String],
    /// The content on which it failed.
    pub content: Fingerprint,
    /// The moment, in ticks.
    pub tick: u64,
    pub now: Time,
}

impl PhaseState {
    pub(super) fn pass(&mut self, on: Fingerprint, by: &str, now: Time) {
        *self = PhaseState { passed_on: Some(on), by: by.to_owned(), at: now, ..PhaseState::default() };
    }

    /// It failed, and that counts.
    pub(super) fn fail(&mut self, failure: &Failure<'_>) {
        // Two failures without issues are not known to be the same.
        let last = (!failure.issues.is_empty()).then(|| fingerprint_issues(failure.issues));
        let is_same = last.is_some() && self.last == last;
        self.failures = self.failures.saturating_add(1);
        self.identical = if is_same { self.identical.saturating_add(1) } else { 1 };
        self.last = last;
        self.issues = failure.issues.to_vec();
        self.against = BTreeMap::new();
        self.set_failed(failure);
    }

    /// It failed in the same round as others: those that failed it since this agent started. That counts once, and
    /// what each found stays listed.
    pub(super) fn fail_in_same_round(&mut self, failure: &Failure<'_>, since: u64) {
        self.against.retain(|_, tick| *tick > since);
        // A second report of one agent replaces its first.
        let is_its_own = self.against.keys().all(|id| id == failure.id);
        self.issues = if is_its_own { failure.issues.to_vec() } else { self.merged_issues(failure.issues) };
        self.set_failed(failure);
    }

    /// It failed on content that has changed since.
    pub(super) fn fail_stale(&mut self, issues: &[String]) {
        self.issues = self.merged_issues(issues);
        self.stale = true;
    }

    /// Whether another agent failed it after this one had started.
    pub(super) fn is_outvoted(&self, id: &str, since: u64) -> bool {
        self.against.iter().any(|(other, tick)| other != id && *tick > since)
    }

    /// Whether anyone, itself included, failed it after this agent had started.
    pub(super) fn is_failed_since(&self, since: u64) -> bool {
        self.against.values().any(|tick| *tick > since)
    }

    fn set_failed(&mut self, failure: &Failure<'_>) {
        self.against.insert(failure.id.to_owned(), failure.tick);
        // A pass on other content stays true.
        self.passed_on.take_if(|passed| *passed == failure.content);
        self.also_passed_on.retain(|passed| *passed != failure.content);
        self.failed_on = Some(failure.content);
        self.by = failure.by.to_owned();
        self.at = failure.now;
        self.stale = false;
    }

    fn merged_issues(&self, issues: &[String]) -> Vec<String> {
        joined(&self.issues, issues.iter().cloned())
    }
}
