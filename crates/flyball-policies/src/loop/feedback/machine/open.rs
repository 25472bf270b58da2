//! What is open.

use super::{OpenPhase, OpenReason};
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::{DomainState, PhaseState, State};

impl State {
    /// All that the agent has to do, domain by domain in the order of the config, phase by phase.
    #[must_use]
    pub fn open_phases(&self, settings: &Settings) -> Vec<OpenPhase> {
        self.unpassed(settings, |here| !here.is_left())
    }

    /// All that is open and left to a person.
    #[must_use]
    pub fn left_phases(&self, settings: &Settings) -> Vec<OpenPhase> {
        self.unpassed(settings, DomainState::is_left)
    }

    fn unpassed(&self, settings: &Settings, is_meant: fn(&DomainState) -> bool) -> Vec<OpenPhase> {
        let mut open = Vec::new();
        for domain in &settings.domain {
            let Some(here) = self.domains.get(&domain.name).filter(|here| is_meant(here)) else { continue };
            for phase in settings.phases_of(domain) {
                let Some((why, issues)) = here.why_open(&phase.name) else { continue };
                open.push(OpenPhase { domain: domain.name.clone(), phase: phase.name.clone(), why, issues });
            }
        }
        open
    }
}

impl DomainState {
    /// Why a phase is open, and its issues; `None` if it passed on the current content, or if that is what it was before
    /// the session.
    pub(super) fn why_open(&self, phase: &str) -> Option<(OpenReason, Vec<String>)> {
        if self.origin == Some(self.fingerprint()) {
            return None;
        }
        // What is on disk now proves nothing for it.
        if !self.elsewhere.is_empty() {
            return Some((OpenReason::Elsewhere, Vec::new()));
        }
        let Some(state) = self.phases.get(phase) else { return Some((OpenReason::NotRun, Vec::new())) };
        (!state.has_passed_on(self.fingerprint())).then(|| (state.why(), state.issues.clone()))
    }
}

impl PhaseState {
    fn why(&self) -> OpenReason {
        match self {
            // The order matters: a failure comes first, because it names what to fix.
            PhaseState { failed_on: Some(_), .. } => OpenReason::Failed,
            PhaseState { stale: true, .. } => OpenReason::Stale,
            PhaseState { passed_on: Some(_), .. } => OpenReason::Changed,
            PhaseState { passed_on: None, .. } => OpenReason::NotRun,
        }
    }
}
