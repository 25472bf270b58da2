//! How a loop starts, restarts and ends.

use std::time::Duration;

use flyball_core::time::Time;

use crate::r#loop::feedback::state::{Blocked, Ending, PhaseState, State};

impl State {
    /// Starts a loop, unless one is running.
    pub(super) fn begin(&mut self, now: Time) {
        if self.iteration > 0 {
            return;
        }
        self.iteration = 1;
        self.began = now;
        self.began_after = None;
        self.granted = 0;
        self.restarted_on = None;
        self.note(now, "the loop started");
    }

    /// A loop that has just started counts from here on.
    pub fn count_from(&mut self, active: Duration) {
        if self.iteration > 0 {
            self.began_after.get_or_insert(active);
        }
    }

    /// Starts the next iteration: every phase in this loop has to pass again. Issues stay listed.
    pub(super) fn restart(&mut self, now: Time) {
        self.iteration = self.iteration.saturating_add(1);
        // Another failure on this very content must not start one more iteration.
        self.restarted_on = Some(self.content());
        let active = self.domains.values_mut().filter(|domain| domain.active);
        active.flat_map(|domain| domain.phases.values_mut()).for_each(PhaseState::forget_passes);
        self.note(now, &format!("iteration {} started: every phase has to pass again", self.iteration));
    }

    /// The loop is done: counters are reset, and what passed on which content stays known.
    pub(super) fn finish(&mut self, now: Time, what: &str) {
        if self.iteration > 0 {
            self.note(now, what);
        }
        self.iteration = 0;
        self.granted = 0;
        self.began = Time::default();
        self.began_after = None;
        self.restarted_on = None;
        if self.ending != Some(Ending::Aborted) {
            self.ending = None;
        }
        // The turn continues if another policy blocks the agent, so its weight stays.
        self.blocked = Blocked { weight: self.blocked.weight, ..Blocked::default() };
        // Agents of this loop are remembered: their later reports are not about the next loop.
        self.agents.values_mut().for_each(|agent| agent.iteration = 0);
        for domain in self.domains.values_mut() {
            domain.active = false;
            // A person still has to see what was wrong with what was left to them.
            let clear =
                if domain.is_left() { PhaseState::reset_counters } else { PhaseState::clear_failures };
            domain.phases.values_mut().for_each(clear);
        }
    }
}

impl PhaseState {
    fn forget_passes(&mut self) {
        self.passed_on = None;
        self.also_passed_on.clear();
    }

    /// The next failure is the first one again.
    pub(super) fn reset_counters(&mut self) {
        (self.failures, self.identical, self.last) = (0, 0, None);
    }

    /// Forgets failures, keeps what it passed on.
    fn clear_failures(&mut self) {
        let PhaseState { passed_on, also_passed_on, by, at, .. } = std::mem::take(self);
        *self = PhaseState { passed_on, also_passed_on, by, at, ..PhaseState::default() };
    }
}
