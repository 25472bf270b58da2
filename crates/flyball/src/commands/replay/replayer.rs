//! Replays one session: judges its events in order and keeps what would differ.

use std::path::Path;
use std::sync::Arc;

use flyball_core::event::{Agent, EventKind, ToolKind};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_world::interrupt::Interrupt;

use super::compare::{NewAnswer, PastAnswer, PastOutcome, changes};
use super::configs::Configs;
use super::tally::{Entry, Tally};
use crate::hook::subject;
use crate::replay::{Exactness, JudgedEvent, Moment, ReplayMachine, Session, parse_event};

/// Which differences are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) since: Option<Time>,
    pub(super) until: Option<Time>,
    pub(super) policy: Option<String>,
    pub(super) tool: Option<ToolKind>,
    /// Also show events that would not differ.
    pub(super) all_events: bool,
}

impl Wanted {
    /// Whether an event is wanted; it is judged in any case, because later ones may depend on it.
    fn covers(&self, at: Time, tool: Option<ToolKind>) -> bool {
        self.since.is_none_or(|since| at >= since)
            && self.until.is_none_or(|until| at < until)
            && (self.tool.is_none() || self.tool == tool)
    }
}

/// What all replays share.
pub(super) struct ReplayContext<'a> {
    pub(super) machine: &'a ReplayMachine,
    pub(super) configs: &'a Configs<'a>,
    pub(super) wanted: &'a Wanted,
    pub(super) interrupt: &'a Interrupt,
    /// Where transcripts are judged whose own folder is gone.
    pub(super) project: Option<&'a Path>,
}

#[derive(Default)]
pub(super) struct SessionResult {
    pub(super) tally: Tally,
    pub(super) entries: Vec<Entry>,
}

pub(super) struct Replayer<'a> {
    context: &'a ReplayContext<'a>,
    session: Session<'a>,
    pub(super) result: SessionResult,
}

/// An event that was judged, and its decision then.
pub(super) struct Comparison {
    pub(super) at: Time,
    pub(super) root: String,
    pub(super) judged: JudgedEvent,
    pub(super) past: PastAnswer,
}

impl<'a> Replayer<'a> {
    pub(super) fn new(context: &'a ReplayContext<'a>) -> Replayer<'a> {
        let tally = Tally { sessions: 1, ..Tally::default() };
        Replayer {
            context,
            session: Session::new(context.machine),
            result: SessionResult { tally, entries: Vec::new() },
        }
    }

    /// Whether the user interrupted it.
    pub(super) fn is_over(&self) -> bool {
        self.context.interrupt.is_set()
    }

    /// Judges an event of a transcript.
    pub(super) fn judge(&mut self, at: Time, root: &str, event: flyball_core::event::Event) -> JudgedEvent {
        let config = self.context.configs.for_project(root);
        let moment = Moment { at, root: root.to_owned(), skipped: Arc::default(), config };
        self.session.judge(event, &moment)
    }

    /// Judges a recorded event.
    pub(super) fn record(&mut self, record: &Record) {
        let is_wanted = self.context.wanted.covers(record.at, record.tool);
        let (event, exactness) = match parse_event(record) {
            Ok(found) => found,
            Err(unjudged) => {
                *self.result.tally.unjudged.entry(unjudged).or_default() += usize::from(is_wanted);
                return;
            }
        };
        let moment = Moment::from_record(record, self.context.configs.for_project(&record.project));
        // Judged even if it is not wanted: policies remember earlier events of the session.
        let again = JudgedEvent { exactness, ..self.session.judge(event, &moment) };
        let then = PastAnswer::from_record(record);
        self.compare(Comparison { at: record.at, root: record.project.clone(), judged: again, past: then });
    }

    /// Compares the new decision with the old one, and keeps the event if it was asked for.
    pub(super) fn compare(&mut self, comparison: Comparison) {
        let Comparison { at, root, judged: again, past: then } = comparison;
        let event = &again.event;
        let tool = event.call().map(|call| call.tool.kind());
        if !self.context.wanted.covers(at, tool) {
            return;
        }
        let would = NewAnswer::from_judged(&again);
        let mut changes = changes(&then, &would);
        if let Some(policy) = &self.context.wanted.policy {
            changes.retain(|(_, policies)| policies.contains(policy));
        }
        for policy in &then.had_run {
            *self.result.tally.had_run.entry(policy.clone()).or_default() += 1;
        }
        let is_kept = self.context.wanted.all_events || !changes.is_empty();
        let entry = Entry {
            at,
            session: event.session.as_str().to_owned(),
            agent: event.agent.as_ref().map(name_of),
            project: root,
            kind: event.kind(),
            tool,
            // Removing secrets takes longer than judging.
            subject: if is_kept { subject(event) } else { String::new() },
            past_outcome: then.outcome.unwrap_or(PastOutcome::Passed),
            new_answer: would,
            changes,
            rests_on_today: again.rests_on_today,
            is_altered: again.exactness == Exactness::Altered,
        };
        self.result.tally.count(&entry);
        if is_kept {
            self.result.entries.push(entry);
        }
    }
}

fn name_of(agent: &Agent) -> String {
    if agent.role.is_empty() { agent.id.clone() } else { agent.role.clone() }
}

/// What is known of an event of a transcript before its result.
pub(super) fn initial_answer(kind: EventKind) -> PastAnswer {
    let was = if kind == EventKind::BeforeTool { PastOutcome::Open } else { PastOutcome::Passed };
    PastAnswer { outcome: Some(was), context: Some(0), ..PastAnswer::default() }
}
