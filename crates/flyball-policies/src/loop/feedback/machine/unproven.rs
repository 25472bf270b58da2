//! A pass that does not count, because nothing shows that it is true.

use flyball_core::time::Time;

use super::AgentReport;
use crate::digest::digest;
use crate::r#loop::feedback::settings::{Domain, Settings};
use crate::r#loop::feedback::state::State;

impl State {
    /// The phase stays open, and lists why.
    pub(super) fn apply_unproven(&mut self, settings: &Settings, report: &AgentReport, now: Time) {
        let why = report.issues.join("; ");
        let is_named = |domain: &&Domain| report.domains.is_empty() || report.domains.contains(&domain.name);
        for domain in settings.domain.iter().filter(is_named) {
            let Some(here) = self.domains.get_mut(&domain.name) else { continue };
            if here.why_open(&report.phase).is_none() {
                continue;
            }
            let content = here.fingerprint();
            let phase = here.phases.entry(report.phase.clone()).or_default();
            // A failure of this content says more.
            if phase.failed_on == Some(content) || phase.issues == report.issues {
                continue;
            }
            phase.issues.clone_from(&report.issues);
            phase.by.clone_from(&report.role);
            let what =
                format!("{} of {} passed by {} does not count", report.phase, domain.name, report.role);
            self.note(now, &format!("{what}: {why}"));
        }
        // It has reported: another report, after what was missing was done, is a new one.
        if let Some(agent) = report.agent.as_ref().and_then(|id| self.agents.get_mut(id)) {
            agent.result.get_or_insert(digest([why.as_str()]));
        }
    }
}
