//! What a person's decision does.

use flyball_core::time::Time;

use super::PersonDecision;
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::{Blocked, Ending, State};

impl State {
    pub(super) fn apply_decision(&mut self, settings: &Settings, decision: PersonDecision, now: Time) {
        match decision {
            PersonDecision::Continue(more) => self.continue_loop(settings, more, now),
            PersonDecision::Accept => self.accept(settings, now),
            PersonDecision::Abort => {
                self.ending = Some(Ending::Aborted);
                self.note(now, "a person ended the loop for this session");
            }
            PersonDecision::HandOver(workflow) => self.hand_over(workflow, now),
        }
    }

    fn continue_loop(&mut self, settings: &Settings, more: u32, now: Time) {
        self.reclaim();
        self.begin_if_open(settings, now);
        self.granted = self.granted.saturating_add(more);
        self.clear_ending();
        // Limits count anew, or the loop would stop again at once.
        self.began = now;
        self.began_after = None;
        self.blocked = Blocked::default();
        for phase in self.domains.values_mut().flat_map(|domain| domain.phases.values_mut()) {
            phase.failures = 0;
            phase.identical = 0;
        }
        self.note(now, &format!("a person continued the loop for {more} more iterations"));
    }

    fn accept(&mut self, settings: &Settings, now: Time) {
        self.reclaim();
        for domain in self.domains.values_mut() {
            let print = domain.fingerprint();
            for phase in &settings.phase {
                domain.phases.entry(phase.name.clone()).or_default().pass(print, "a person", now);
            }
        }
        // Running agents report on what a person has judged already.
        self.agents.values_mut().for_each(|agent| agent.on.clear());
        self.accepted_scripts = self.shown_scripts.or(self.accepted_scripts);
        self.note(now, "a person accepted everything as it is");
        self.finish(now, "the loop is done");
    }

    fn hand_over(&mut self, workflow: String, now: Time) {
        self.reclaim();
        self.note(now, &format!("a person handed the loop over to {workflow}"));
        self.clear_ending();
        self.ending.get_or_insert(Ending::HandedOver { workflow, told: false });
    }

    /// Takes an ending back; an abort lasts for the whole session.
    fn clear_ending(&mut self) {
        self.ending.take_if(|ending| *ending != Ending::Aborted);
    }
}
