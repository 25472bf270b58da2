//! How a loop begins, begins anew and is done.

use crate::r#loop::feedback::state::{Blocked, Ending, PhaseState, State};

impl State {
    /// Begins a loop, unless one is under way.
    pub(super) fn begin(&mut self, now: u64) {
        if self.iteration > 0 {
            return;
        }
        self.iteration = 1;
        self.began = now;
        self.granted = 0;
        self.restarted_on = None;
        self.note(now, "the loop began");
    }

    /// Begins the next iteration: all that belongs to this loop has to be passed again. What was wrong stays listed.
    pub(super) fn restart(&mut self, now: u64) {
        self.iteration = self.iteration.saturating_add(1);
        self.restarted_on = Some(self.content());
        let active = self.domains.values_mut().filter(|domain| domain.active);
        active.flat_map(|domain| domain.phases.values_mut()).for_each(|phase| phase.passed_on = None);
        self.note(now, &format!("iteration {} began: everything has to be passed again", self.iteration));
    }

    /// The loop is done: counters end, what passed and on which content stays known.
    pub(super) fn finish(&mut self, now: u64, what: &str) {
        if self.iteration > 0 {
            self.note(now, what);
        }
        self.iteration = 0;
        self.granted = 0;
        self.began = 0;
        self.restarted_on = None;
        if self.ending != Some(Ending::Aborted) {
            self.ending = None;
        }
        // The turn goes on if someone else keeps the agent from stopping, so its weight stays.
        self.held = Blocked { weight: self.held.weight, ..Blocked::default() };
        // Agents of this loop are not forgotten: what they still say is not about the next one.
        self.agents.values_mut().for_each(|runner| runner.iteration = 0);
        for domain in self.domains.values_mut() {
            domain.active = false;
            domain.phases.values_mut().for_each(PhaseState::clear_failures);
        }
    }
}

impl PhaseState {
    /// Forgets failures, keeps what it passed on.
    fn clear_failures(&mut self) {
        let PhaseState { passed_on, by, at, .. } = std::mem::take(self);
        *self = PhaseState { passed_on, by, at, ..PhaseState::default() };
    }
}
