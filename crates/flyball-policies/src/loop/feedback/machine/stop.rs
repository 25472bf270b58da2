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
            if self.left_phases(settings).is_empty() {
                self.finish(request.now, "everything passed: the loop is done");
                self.reclaim();
                return StopDecision::Done;
            }
            // Not done: a person still has to decide about the rest.
            self.finish(request.now, "everything passed but what is left to a person");
            return StopDecision::Over;
        }
        if self.ending.is_some() {
            return StopDecision::Over;
        }
        // A person who prompts for a plan gets a plan; an agent that turns to planning by itself only asks.
        let has_to_plan = request.plans && self.planning;
        let lacks_room = request.is_full && needs_agents(settings, &open);
        if request.is_waiting || has_to_plan || (lacks_room && !request.is_alone) {
            // Work that never ends will not wake the agent.
            let late = self.too_long(settings, request.active).filter(|_| self.iteration > 0);
            return match late {
                Some(reason) if !has_to_plan => self.escalate(settings, reason, request.now),
                Some(_) | None if request.is_waiting || has_to_plan => StopDecision::Wait,
                Some(_) | None => StopDecision::NoRoom(open),
            };
        }
        self.turn(request);
        // Something is open without an edit: a phase was added to the config.
        self.begin(request.now);
        self.count_from(request.active);
        // Nobody is there who could compact it.
        let no_room = || lacks_room.then(|| "the context is too full to start a subagent".to_owned());
        match self.limit(settings, &open, request.active).or_else(no_room) {
            Some(reason) => self.escalate(settings, reason, request.now),
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
            let reason = format!("{IDLE_TURNS} turns in a row brought no progress");
            return self.escalate(settings, reason, request.now);
        }
        // Once for the same content and findings, or a question would be a way out.
        let asks = (request.asks || request.plans) && !request.is_alone;
        if asks && self.blocked.question.replace(progress) != Some(progress) {
            return StopDecision::Ask(open);
        }
        let repeats = if is_idle { self.blocked.repeats } else { 0 };
        // Running it again does not help.
        if request.lacks_verdict && repeats > 0 {
            let reason = "a command of a phase gave no verdict twice".to_owned();
            return self.escalate(settings, reason, request.now);
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
        if repeats == 0 && !request.is_alone {
            return StopDecision::Pause(open);
        }
        let reason = match repeats {
            0 => "blocked from stopping as often as one turn allows".to_owned(),
            repeats => format!("blocked from stopping {} without progress", times(repeats)),
        };
        self.escalate(settings, reason, request.now)
    }

    fn count_turn(&mut self, request: StopRequest, is_idle: bool) {
        if !is_idle {
            self.blocked.turns = 1;
        } else if request.is_fresh {
            self.blocked.turns = self.blocked.turns.saturating_add(1);
        }
    }

    fn escalate(&mut self, settings: &Settings, reason: String, now: Time) -> StopDecision {
        self.note(now, &format!("a person has to decide: {reason}"));
        let open = self.open_phases(settings).into_iter().map(|open| open.domain);
        let on = open.filter_map(|name| {
            let content = self.domains.get(&name)?.fingerprint();
            Some((name, content))
        });
        let escalation = Escalation { reason, at: now, on: on.collect(), ..Escalation::default() };
        self.ending = Some(Ending::Escalated(escalation.clone()));
        StopDecision::Escalate(escalation)
    }
}

/// Whether any of these phases is passed by an agent and not by a command.
fn needs_agents(settings: &Settings, open: &[OpenPhase]) -> bool {
    open.iter().any(|open| {
        let place = settings.domain(&open.domain).zip(settings.phase(&open.phase));
        place.is_some_and(|(domain, phase)| domain.command_for(phase).is_none())
    })
}
