//! The loop of a session while one event is handled: what happens, under which settings, in which state.

use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;
use std::time::Duration;

use super::super::limits;
use super::super::workflow::{self, ActiveWorkflow};
use super::machine::{LoopEvent, OpenPhase, Proof};
use super::roster;
use super::settings::Settings;
use super::state::State;

pub(super) struct Session<'a> {
    pub(super) situation: &'a Situation<'a>,
    pub(super) settings: Settings,
    pub(super) state: State,
}

impl<'a> Session<'a> {
    /// The session with its file of limits taken into account, and the notice about a file that cannot be used, unless
    /// the user has seen it.
    pub(super) fn with_limits(
        situation: &'a Situation<'a>,
        mut state: State,
    ) -> Result<(Session<'a>, Option<String>), PolicyError> {
        let mut settings: Settings = situation.config()?;
        let (limits, notice) = limits::in_force(situation, &settings.limits_file, &mut state.limits_notice)?;
        if let Some(limits) = limits {
            settings = settings.with_limits(&limits);
        }
        roster::admit_worker(situation, &mut settings)?;
        settings = settings.with_trees(&state.trees);
        Ok((Session { situation, settings, state }, notice))
    }

    /// How long was worked in the session.
    pub(super) fn active(&self) -> Duration {
        // A session whose journal cannot be read has no limit of time: its loop ends by the other limits.
        self.situation.memory.active_time().unwrap_or_default()
    }

    pub(super) fn now(&self) -> Time {
        self.situation.world.now()
    }

    pub(super) fn apply(&mut self, event: LoopEvent) {
        self.state.apply(&self.settings, event, self.situation.world.now());
        self.state.count_from(self.active());
    }

    pub(super) fn open_phases(&self) -> Vec<OpenPhase> {
        self.state.open_phases(&self.settings)
    }

    /// Records the result of a command, unless it is known or has no verdict on the code.
    pub(super) fn record_proof(&mut self, proof: &Proof) {
        let known = self.state.domains.get(&proof.domain).and_then(|domain| domain.phases.get(&proof.phase));
        let is_known = proof.passed && known.is_some_and(|phase| phase.passed_on == Some(proof.content));
        if !is_known && proof.has_verdict() {
            self.apply(LoopEvent::Proved(proof.clone()));
        }
    }

    /// The workflow that brings its own review and tests, so that the loop does not block.
    pub(super) fn workflow_in_charge(&self) -> Result<Option<ActiveWorkflow>, PolicyError> {
        workflow::in_charge(self.situation)
    }

    /// Remembers the state if it changed.
    pub(super) fn save(&self, before: &State) -> Result<(), PolicyError> {
        if self.state == *before { Ok(()) } else { self.situation.remember(&self.state) }
    }
}
