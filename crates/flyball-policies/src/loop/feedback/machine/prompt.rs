//! A person prompts. What a limit has ended is theirs from then on, and what changes begins a new loop.

use std::time::Duration;

use flyball_core::time::Time;

use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::{Blocked, Ending, Escalation, LeftWork, PhaseState, State};

impl State {
    pub(super) fn apply_prompt(&mut self, settings: &Settings, planning: bool, now: Time) {
        self.planning = planning;
        // The user has answered.
        self.blocked.question = None;
        if let Some(Ending::Escalated(escalation)) =
            self.ending.take_if(|ending| matches!(ending, Ending::Escalated(_)))
        {
            self.settle(&escalation);
            self.note(now, "a person prompted: what was escalated is left to them, and the loop starts anew");
            self.iteration = 0;
            // What changed between the escalation and this prompt was not what the person was notified of.
            self.domains.values_mut().for_each(|domain| domain.active = false);
            self.begin_if_open(settings, now);
        }
    }

    /// Begins a loop about what is open, unless one is under way or nothing is.
    pub(super) fn begin_if_open(&mut self, settings: &Settings, now: Time) {
        let open = self.open_phases(settings);
        if open.is_empty() || self.iteration > 0 {
            return;
        }
        self.begin(now);
        for (name, domain) in &mut self.domains {
            domain.active |= open.iter().any(|open| open.domain == *name);
        }
    }

    /// Leaves what was open then to a person, and forgets the counters of its loop.
    fn settle(&mut self, escalation: &Escalation) {
        for (name, domain) in &mut self.domains {
            // Older states do not have the content.
            let content = match escalation.on.is_empty() {
                true => Some(domain.fingerprint()),
                false => escalation.on.get(name).copied(),
            };
            if let Some(content) = content {
                let (reason, at) = (escalation.reason.clone(), escalation.at);
                domain.left = Some(LeftWork { content, reason, at });
            }
            domain.phases.values_mut().for_each(PhaseState::reset_counters);
        }
        self.granted = 0;
        (self.began, self.began_after) = (Time::default(), None::<Duration>);
        self.restarted_on = None;
        self.blocked = Blocked::default();
        // Their later reports are not about the next loop.
        self.agents.values_mut().for_each(|agent| agent.iteration = 0);
    }

    /// Takes back that work was left to a person: they have decided about it.
    pub(super) fn reclaim(&mut self) {
        self.domains.values_mut().for_each(|domain| domain.left = None);
    }
}
