//! A made-up history of several people and projects, the same each time: for the demo's board and for measuring
//! with as many events as a team has in months.

mod projects;
mod random;
mod rulings;
mod story;

use std::time::Duration;

use flyball_core::config::StoreSettings;
use flyball_core::event::{AnswerId, CallKey, EventKind, SessionId};
use flyball_core::record::Record;
use flyball_core::time::{DAY, HOUR, SECOND, Time};
use flyball_store::{FoldOptions, Store, StoreError};

use self::projects::{PROJECTS, Project};
use self::random::Random;
use self::story::{Ending, StoryEvent};
use crate::outcome::Failed;

/// Sessions that are still going on when the history ends.
const OPEN: usize = 3;
/// More than anyone waits for a file that nobody else uses.
pub const WAIT: Duration = Duration::from_secs(60);
/// The number of events between two progress reports.
const PROGRESS_EVERY: u64 = 1_000;

/// Which history to write.
#[derive(Clone, Debug)]
pub struct Plan {
    pub events: u64,
    /// Over how many days.
    pub days: u32,
    /// When it ends.
    pub until: Time,
    /// The folder that its projects are in; nothing has to be there.
    pub home: String,
    /// Another number makes another history.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { events: 10_000, days: 30, until: Time::default(), home: "/home/dev".to_owned(), seed: 1 }
    }
}

/// Writes the history into a store as hooks would, and folds it. `progress` gets the number of events.
///
/// # Errors
/// When the store cannot be written.
pub fn write(store: &Store, plan: &Plan, mut progress: impl FnMut(u64)) -> Result<(), Failed> {
    let mut written = 0;
    for session in sessions(plan) {
        let journal = store.session(session.client, &session.id, WAIT);
        for mut record in session.records(plan) {
            journal.commit(&mut record)?;
            written += 1;
            if written % PROGRESS_EVERY == 0 {
                progress(written);
            }
        }
    }
    progress(written);
    fold_all(store, plan.until).map_err(Failed::from)
}

/// Folds a store. Retention deletes none of it.
///
/// # Errors
/// When the store cannot be written.
pub fn fold_all(store: &Store, now: Time) -> Result<(), StoreError> {
    let settings = StoreSettings { keep_days: 0, max_mb: 0, ..StoreSettings::default() };
    store.fold(&FoldOptions { now, ..FoldOptions::now(&settings, WAIT) }).map(drop)
}

/// A session to write.
struct Session {
    number: u64,
    id: SessionId,
    client: &'static str,
    project: &'static Project,
    start: Time,
    events: Vec<StoryEvent>,
    chance: Random,
}

/// The sessions of a history, oldest first, one at a time: a million events at once would be gigabytes.
fn sessions(plan: &Plan) -> impl Iterator<Item = Session> {
    let mut chance = Random::new(plan.seed);
    let lengths = lengths(plan.events, &mut chance);
    let clock = Clock::from_plan(plan);
    let count = lengths.len();
    lengths.into_iter().enumerate().filter_map(move |(place, length)| {
        let number = place as u64;
        // Each session has a generator of its own: a change to one story leaves the others as they are.
        let mut own = Random::new(plan.seed.wrapping_mul(1_000_003) ^ chance.next());
        let project = PROJECTS.get(pick_project(&mut own))?;
        let ending = if place + OPEN >= count { Ending::Open } else { Ending::Over };
        let events = story::generate(project, (length, ending), own.clone());
        let lasts: Duration = events.iter().map(|event| event.after).sum();
        let start = match ending {
            Ending::Open => plan.until - lasts - Duration::from_secs(own.between(2, 90)),
            // No event may be later than the end of the history, which readers take for now.
            Ending::Over => clock.time(place, count).min(plan.until - lasts - SECOND),
        };
        let client = if own.happens(850) { "claude-code" } else { "codex" };
        let id = SessionId::new(&uuid(&mut own));
        Some(Session { number, id, client, project, start, events, chance: own })
    })
}

/// How many events each session has: most a few dozen, some a thousand.
fn lengths(events: u64, chance: &mut Random) -> Vec<usize> {
    let mut left = events;
    let mut lengths = Vec::new();
    while left > 0 {
        let length = match chance.between(0, 100) {
            0..50 => chance.between(20, 120),
            50..90 => chance.between(80, 400),
            _ => chance.between(300, 1_600),
        };
        let length = length.min(left);
        left -= length;
        lengths.push(usize::try_from(length).unwrap_or(usize::MAX));
    }
    lengths
}

/// The index of a project: the first has most of the sessions.
fn pick_project(chance: &mut Random) -> usize {
    match chance.between(0, 100) {
        0..40 => 0,
        40..65 => 1,
        65..90 => 2,
        _ => 3,
    }
}

fn uuid(chance: &mut Random) -> String {
    let (high, low) = (chance.next(), chance.next());
    format!(
        "{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xfff,
        low >> 52,
        low & 0xffff_ffff_ffff
    )
}

/// The hours of a history, weighted by how busy they are.
struct Clock {
    begin: Time,
    /// The sum of the weights up to the end of each hour.
    done: Vec<u64>,
}

impl Clock {
    fn from_plan(plan: &Plan) -> Clock {
        let begin = plan.until - plan.days.max(1) * DAY;
        let mut sum = 0;
        let hours = 0..plan.days.max(1) * 24;
        let done = hours.map(|hour| {
            sum += busy(begin + hour * HOUR);
            sum
        });
        Clock { begin, done: done.collect() }
    }

    /// The start time of session number `place` of `count`.
    fn time(&self, place: usize, count: usize) -> Time {
        let all = self.done.last().copied().unwrap_or_default();
        let share = place as u64 * all * 3_600 / (count as u64).max(1);
        let hour = self.done.partition_point(|done| done * 3_600 <= share);
        let before =
            hour.checked_sub(1).and_then(|before| self.done.get(before)).copied().unwrap_or_default();
        let within = self.done.get(hour).map_or(1, |done| done - before).max(1);
        let seconds = (share - before * 3_600) / within;
        self.begin + Duration::from_hours(hour as u64) + Duration::from_secs(seconds)
    }
}

/// The weight of an hour: people work by day, and hardly on Saturdays.
fn busy(at: Time) -> u64 {
    let hour = at.since(at.floor(DAY)).as_secs() / 3_600;
    // 1970 began on a Thursday.
    let is_weekend = matches!((at.as_millis() / 86_400_000 + 4) % 7, 0 | 6);
    match hour {
        10..16 if is_weekend => 1,
        _ if is_weekend => 0,
        9..12 | 13..17 => 12,
        8 | 12 | 17 => 6,
        7 | 18 => 3,
        19..22 => 1,
        _ => 0,
    }
}

impl Session {
    fn records(self, plan: &Plan) -> impl Iterator<Item = Record> {
        let Session { number, id, client, project, start, events, mut chance } = self;
        let root = format!("{}/{}", plan.home, project.name);
        let mut at = start;
        events.into_iter().enumerate().map(move |(place, event)| {
            at += event.after;
            let key = (number << 24) | place as u64;
            let rulings = rulings::rulings((event.kind, event.tool), &event.verdicts, &mut chance);
            let policies: Duration = rulings.iter().map(|ruling| ruling.took).sum();
            Record {
                id: AnswerId::from_seed(key ^ (plan.seed << 48)),
                at,
                client: client.to_owned(),
                session: id.clone(),
                agent: event.agent,
                project: root.clone(),
                kind: event.kind,
                native: native(event.kind).to_owned(),
                tool: event.tool,
                subject: event.subject,
                // Different for each event, or the store would mark them as duplicates.
                call: CallKey::from_payload(&key.to_le_bytes()),
                duplicate: false,
                stance: rulings::decide(&event.verdicts),
                said: rulings::message(&event.verdicts),
                context_chars: event.context_chars,
                notices: Vec::new(),
                rewritten: false,
                rulings,
                took: policies + chance.around(Duration::from_micros(900)),
                payload: None,
            }
        })
    }
}

/// The client's own name of an event.
fn native(kind: EventKind) -> &'static str {
    match kind {
        EventKind::SessionStart => "SessionStart",
        EventKind::PromptSubmit => "UserPromptSubmit",
        EventKind::BeforeTool => "PreToolUse",
        EventKind::PermissionAsked => "PermissionRequest",
        EventKind::AfterTool => "PostToolUse",
        EventKind::ToolFailed => "PostToolUseFailure",
        EventKind::Stop => "Stop",
        EventKind::AgentStart => "SubagentStart",
        EventKind::AgentStop => "SubagentStop",
        EventKind::SessionEnd => "SessionEnd",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests;
