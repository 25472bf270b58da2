//! Plays one session: judges its events in order and keeps what would differ.

use std::sync::Arc;

use flyball_core::event::{Agent, EventKind, ToolKind};
use flyball_core::record::Record;
use flyball_world::interrupt::Interrupt;

use super::compare::{Then, Was, Would, changes};
use super::configs::Configs;
use super::tally::{Entry, Tally};
use crate::hook::subject;
use crate::replay::{Again, Exactness, Moment, Session, Stage, event_of};

/// Which differences are asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) since: Option<i64>,
    pub(super) until: Option<i64>,
    pub(super) policy: Option<String>,
    pub(super) tool: Option<ToolKind>,
    /// Also events that would not differ.
    pub(super) all_events: bool,
}

impl Wanted {
    /// Whether an event is looked at; it is judged in any case, because later ones may rest on it.
    fn holds(&self, at: i64, tool: Option<ToolKind>) -> bool {
        self.since.is_none_or(|since| at >= since)
            && self.until.is_none_or(|until| at < until)
            && (self.tool.is_none() || self.tool == tool)
    }
}

/// What all players share.
pub(super) struct Theatre<'a> {
    pub(super) stage: &'a Stage,
    pub(super) configs: &'a Configs<'a>,
    pub(super) wanted: &'a Wanted,
    pub(super) interrupt: &'a Interrupt,
}

/// What a session came to.
#[derive(Default)]
pub(super) struct Played {
    pub(super) tally: Tally,
    pub(super) entries: Vec<Entry>,
}

/// A session at play.
pub(super) struct Player<'a> {
    theatre: &'a Theatre<'a>,
    session: Session<'a>,
    pub(super) played: Played,
}

/// An event that was judged, and where it stands.
pub(super) struct Scene {
    pub(super) at: i64,
    pub(super) root: String,
    pub(super) again: Again,
    pub(super) then: Then,
}

impl<'a> Player<'a> {
    pub(super) fn new(theatre: &'a Theatre<'a>) -> Player<'a> {
        let tally = Tally { sessions: 1, ..Tally::default() };
        Player {
            theatre,
            session: Session::new(theatre.stage),
            played: Played { tally, entries: Vec::new() },
        }
    }

    /// Whether the user has had enough.
    pub(super) fn is_over(&self) -> bool {
        self.theatre.interrupt.is_told()
    }

    /// Judges an event of a transcript.
    pub(super) fn judge(&mut self, at: i64, root: &str, event: flyball_core::event::Event) -> Again {
        let config = self.theatre.configs.of(root);
        let moment = Moment { at, root: root.to_owned(), skipped: Arc::default(), config };
        self.session.judge(event, &moment)
    }

    /// Judges a recorded event.
    pub(super) fn record(&mut self, record: &Record) {
        let is_wanted = self.theatre.wanted.holds(record.at, record.tool);
        let (event, exactness) = match event_of(record) {
            Ok(found) => found,
            Err(unjudged) => {
                *self.played.tally.unjudged.entry(unjudged).or_default() += usize::from(is_wanted);
                return;
            }
        };
        let moment = Moment::of(record, self.theatre.configs.of(&record.project));
        let again = Again { exactness, ..self.session.judge(event, &moment) };
        let then = Then::recorded(record);
        self.compare(Scene { at: record.at, root: record.project.clone(), again, then });
    }

    /// Compares what would be with what was, and keeps it if it is asked for.
    pub(super) fn compare(&mut self, scene: Scene) {
        let Scene { at, root, again, then } = scene;
        let event = &again.event;
        let tool = event.call().map(|call| call.tool.kind());
        if !self.theatre.wanted.holds(at, tool) {
            return;
        }
        let would = Would::of(&again);
        let mut changes = changes(&then, &would);
        if let Some(policy) = &self.theatre.wanted.policy {
            changes.retain(|(_, policies)| policies.contains(policy));
        }
        for policy in &then.worked {
            *self.played.tally.worked.entry(policy.clone()).or_default() += 1;
        }
        let is_kept = self.theatre.wanted.all_events || !changes.is_empty();
        let entry = Entry {
            at,
            session: event.session.as_str().to_owned(),
            agent: event.agent.as_ref().map(name_of),
            project: root,
            kind: event.kind(),
            tool,
            // Looking for secrets in it takes longer than many a judgement.
            subject: if is_kept { subject(event) } else { String::new() },
            was: then.was.unwrap_or(Was::Passed),
            would,
            changes,
            rests_on_today: again.rests_on_today,
            is_altered: again.exactness == Exactness::Altered,
        };
        self.played.tally.count(&entry);
        if is_kept {
            self.played.entries.push(entry);
        }
    }
}

fn name_of(agent: &Agent) -> String {
    if agent.role.is_empty() { agent.id.clone() } else { agent.role.clone() }
}

/// What is known of an event of a transcript before its fate is told.
pub(super) fn before_its_fate(kind: EventKind) -> Then {
    let was = if kind == EventKind::BeforeTool { Was::Open } else { Was::Passed };
    Then { was: Some(was), context: Some(0), ..Then::default() }
}
