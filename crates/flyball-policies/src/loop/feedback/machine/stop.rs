//! Whether the agent may stop. It is blocked while that helps, and always released in the end.
//!
//! The rules differ from [`crate::blocking`], which blocks once for the same thing: here blocks without progress count
//! double, several turns are compared, and a limit needs the decision of a person.

use flyball_core::time::Time;

use super::limits::times;
use super::{OpenPhase, StopDecision, StopRequest};
use crate::r#loop::feedback::settings::Settings;
use crate::r#loop::feedback::state::{Ending, Escalation, State};

/// How many turns in a row may stop with the same content and findings.
const IDLE_TURNS: u32 = 3;

impl State {
    /// Decides whether the agent may stop, and counts the attempt.
    pub fn stop(&mut self, settings: &Settings, asked: StopRequest) -> StopDecision {
        if self.ending == Some(Ending::Aborted) {
            return StopDecision::Over;
        }
        let open = self.open_phases(settings);
        if open.is_empty() {
            self.turn(asked);
            self.finish(asked.now, "everything passed: the loop is done");
            return StopDecision::Done;
        }
        if self.ending.is_some() {
            return StopDecision::Over;
        }
        if asked.is_waiting {
            // Something that never ends wakes nobody.
            let late = self.too_long(settings, asked.now).filter(|_| self.iteration > 0);
            return late.map_or(StopDecision::Wait, |reason| self.escalate(reason, asked.now));
        }
        self.turn(asked);
        // Something is open without an edit: a phase was added to the config.
        self.begin(asked.now);
        match self.limit(settings, &open, asked.now) {
            Some(reason) => self.escalate(reason, asked.now),
            None => self.block(settings, asked, open),
        }
    }

    fn turn(&mut self, asked: StopRequest) {
        if asked.is_fresh {
            self.held.weight = 0;
        }
    }

    fn block(&mut self, settings: &Settings, asked: StopRequest, open: Vec<OpenPhase>) -> StopDecision {
        let progress = self.progress_fingerprint(&open);
        let is_idle = self.held.print.replace(progress) == Some(progress);
        self.count_turn(asked, is_idle);
        if self.held.turns >= IDLE_TURNS {
            return self.escalate(format!("{IDLE_TURNS} turns in a row brought no progress"), asked.now);
        }
        let repeats = if is_idle { self.held.repeats } else { 0 };
        // Running it again does not help.
        if asked.lacks_verdict && repeats > 0 {
            let reason = "a command of a phase gave no verdict twice".to_owned();
            return self.escalate(reason, asked.now);
        }
        let weight = self.held.weight.saturating_add(if is_idle { 2 } else { 1 });
        if weight <= settings.max_holds {
            self.held.weight = weight;
            self.held.repeats = repeats.saturating_add(1);
            if self.held.since == Time::default() {
                self.held.since = asked.now;
            }
            return StopDecision::Block(open);
        }
        self.held.repeats = repeats;
        if repeats == 0 {
            return StopDecision::Pause(open);
        }
        self.escalate(format!("blocked from stopping {} without progress", times(repeats)), asked.now)
    }

    fn count_turn(&mut self, asked: StopRequest, is_idle: bool) {
        if !is_idle {
            self.held.turns = 1;
        } else if asked.is_fresh {
            self.held.turns = self.held.turns.saturating_add(1);
        }
    }

    fn escalate(&mut self, reason: String, now: Time) -> StopDecision {
        self.note(now, &format!("a person has to decide: {reason}"));
        let escalation = Escalation { reason, at: now, ..Escalation::default() };
        self.ending = Some(Ending::Escalated(escalation.clone()));
        StopDecision::Escalate(escalation)
    }
}
