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
    pub fn stop(&mut self, settings: &Settings, request: StopRequest) -> StopDecision {
        if self.ending == Some(Ending::Aborted) {
            return StopDecision::Over;
        }
        let open = self.open_phases(settings);
        // Before the ending is looked at: work that passes after all needs no decision of a person.
        if open.is_empty() {
            self.turn(request);
            self.finish(request.now, "everything passed: the loop is done");
            return StopDecision::Done;
        }
        if self.ending.is_some() {
            return StopDecision::Over;
        }
        if request.is_waiting {
            // Work that never ends will not wake the agent.
            let late = self.too_long(settings, request.active).filter(|_| self.iteration > 0);
            return late.map_or(StopDecision::Wait, |reason| self.escalate(reason, request.now));
        }
        self.turn(request);
        // Something is open without an edit: a phase was added to the config.
        self.begin(request.now);
        self.count_from(request.active);
        match self.limit(settings, &open, request.active) {
            Some(reason) => self.escalate(reason, request.now),
            None => self.block(settings, request, open),
        }
    }

    fn turn(&mut self, request: StopRequest) {
        if request.is_fresh {
            self.blocked.weight = 0;
        }
    }

    fn block(&mut self, settings: &Settings, request: StopRequest, open: Vec<OpenPhase>) -> StopDecision {
        let progress = self.progress_fingerprint(&open);
        let is_idle = self.blocked.print.replace(progress) == Some(progress);
        self.count_turn(request, is_idle);
        if self.blocked.turns >= IDLE_TURNS {
            return self.escalate(format!("{IDLE_TURNS} turns in a row brought no progress"), request.now);
        }
        let repeats = if is_idle { self.blocked.repeats } else { 0 };
        // Running it again does not help.
        if request.lacks_verdict && repeats > 0 {
            let reason = "a command of a phase gave no verdict twice".to_owned();
            return self.escalate(reason, request.now);
        }
        let weight = self.blocked.weight.saturating_add(if is_idle { 2 } else { 1 });
        if weight <= settings.max_holds {
            self.blocked.weight = weight;
            self.blocked.repeats = repeats.saturating_add(1);
            if self.blocked.since == Time::default() {
                self.blocked.since = request.now;
            }
            return StopDecision::Block(open);
        }
        self.blocked.repeats = repeats;
        // There was progress since the last block, so the next turn may continue.
        if repeats == 0 {
            return StopDecision::Pause(open);
        }
        self.escalate(format!("blocked from stopping {} without progress", times(repeats)), request.now)
    }

    fn count_turn(&mut self, request: StopRequest, is_idle: bool) {
        if !is_idle {
            self.blocked.turns = 1;
        } else if request.is_fresh {
            self.blocked.turns = self.blocked.turns.saturating_add(1);
        }
    }

    fn escalate(&mut self, reason: String, now: Time) -> StopDecision {
        self.note(now, &format!("a person has to decide: {reason}"));
        let escalation = Escalation { reason, at: now, ..Escalation::default() };
        self.ending = Some(Ending::Escalated(escalation.clone()));
        StopDecision::Escalate(escalation)
    }
}
