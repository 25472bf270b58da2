//! Test runs that were seen to succeed in this session, and on which content: a tester's report alone proves nothing.

use std::collections::BTreeMap;

use flyball_core::event::Outcome;
use flyball_core::policy::{PolicyError, Situation};

use super::super::test_run::Line;
use super::session::Session;
use super::state::Fingerprint;

/// The content of each domain at the last run.
const RUNS: &str = "loop.feedback.tests";

/// Whether this call ran tests, and they passed.
pub(super) fn ran_tests(situation: &Situation<'_>, outcome: &Outcome) -> bool {
    Line::succeeded(situation, outcome).is_some_and(|line| line.proves_tests())
}

impl Session<'_> {
    /// Remembers that tests passed on the content that the domains have now.
    pub(super) fn note_test_run(&mut self) -> Result<(), PolicyError> {
        // A formatter may have changed files since the edit, or the tests themselves.
        self.refresh();
        let now = self.state.domains.iter().map(|(name, domain)| (name.clone(), domain.fingerprint()));
        let runs: BTreeMap<String, Fingerprint> = now.collect();
        self.situation.memory.write(RUNS, serde_json::to_string(&runs).unwrap_or_default())
    }

    /// Those of these domains on whose content no test run was seen.
    pub(super) fn untested<'d>(&self, domains: &[&'d str]) -> Result<Vec<&'d str>, PolicyError> {
        let stored = self.situation.memory.read(RUNS)?;
        let runs: BTreeMap<String, Fingerprint> =
            stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let print = |name: &str| self.state.domains.get(name).map(|domain| domain.fingerprint());
        Ok(domains.iter().copied().filter(|name| runs.get(*name).copied() != print(name)).collect())
    }
}
