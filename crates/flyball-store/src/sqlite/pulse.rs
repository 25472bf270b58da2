//! How many events came when, how they were answered and how long that took, counted while journals are
//! folded: a month of a million events is read in milliseconds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use flyball_core::event::SessionId;
use flyball_core::record::Record;
use rusqlite::{Row, params_from_iter};

use super::Index;
use super::filter::Clause;
use super::histogram::Histogram;
use super::tally::{EventCounts, FIVE_MINUTES, HOUR, MINUTE, RulingCounts, SECOND, floor};
use crate::error::StoreError;

/// The newest events of a session that its policies are judged by: their records have to be read.
const SESSION_RECORDS: i64 = 5_000;

/// The last moment of the year 9999: who asks for everything does not get stretches of a million years.
const LATEST: i64 = 253_402_300_800 * SECOND;

/// The lengths that people read times by; beyond them, days are doubled.
const LENGTHS: [i64; 16] = [
    SECOND,
    5 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    FIVE_MINUTES,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    24 * HOUR,
];

/// Which part of the store is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// From this time on, in microseconds since 1970.
    pub since: i64,
    /// Up to, and without, this time.
    pub until: i64,
    /// Only of the project with this root.
    pub project: Option<String>,
    /// Only of this session.
    pub session: Option<SessionId>,
}

/// What happened in one stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// Its beginning, in microseconds since 1970.
    pub start: i64,
    /// Its length, in microseconds.
    pub length: i64,
    /// Events without duplicates.
    pub events: u64,
    /// Of these, denied.
    pub denials: u64,
    /// Of these, given to a person to decide.
    pub asks: u64,
    /// Characters of context that models were told.
    pub context_chars: u64,
    /// How long the hook took.
    pub took: Histogram,
}

/// What one policy did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyPulse {
    /// The policy.
    pub policy: String,
    /// How often it denied, whether that counted or not.
    pub denials: u64,
    /// How often it wanted a person to decide.
    pub asks: u64,
    /// How often it allowed.
    pub allows: u64,
    /// How often it could not judge.
    pub troubles: u64,
    /// How long it took, each time it was asked.
    pub took: Histogram,
}

/// All that happened in a window, in a few numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// Events without duplicates.
    pub events: u64,
    /// Of these, denied.
    pub denials: u64,
    /// Of these, given to a person to decide.
    pub asks: u64,
    /// Of these, allowed without asking.
    pub allows: u64,
    /// Of these, left to the client.
    pub silent: u64,
    /// Characters of context that models were told.
    pub context_chars: u64,
    /// How long the hook took.
    pub took: Histogram,
    /// Sessions that were going on.
    pub sessions: u64,
    /// Projects with an event.
    pub projects: u64,
}

impl Index {
    /// What happened in a window, cut into at most `most` stretches of equal length, oldest first, also
    /// the empty ones. They begin at full seconds, minutes, hours or days, so the first may begin before
    /// the window; only events of the window are counted.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn beats(&self, window: &Window, most: usize) -> Result<Vec<Beat>, StoreError> {
        let (since, until) = window.bounds();
        if since >= until || most == 0 {
            return Ok(Vec::new());
        }
        let length = length(since, until, most);
        let first = floor(since, length);
        let count = usize::try_from((until - first + length - 1) / length).unwrap_or_default();
        let mut stretches = vec![EventCounts::default(); count];
        self.each_part(window, length, |part| {
            let place = usize::try_from((part.start - first) / length).unwrap_or(usize::MAX);
            stretches.get_mut(place).map_or(Ok(()), |counts| part.add_to(counts))
        })?;
        let starts = (0..).map(|number| first + number * length);
        Ok(starts.zip(stretches).map(|(start, counts)| beat((start, length), counts)).collect())
    }

    /// What the policies did in a window, the one that took most time in all first. Without a session, its
    /// ends count in steps of five minutes; with one, only that session's last 5,000 events are looked at.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn policy_pulses(&self, window: &Window) -> Result<Vec<PolicyPulse>, StoreError> {
        let counts = match &window.session {
            Some(_) => self.rulings_of_session(window)?,
            None => self.counted_rulings(window, None)?,
        };
        let mut pulses: Vec<PolicyPulse> = counts.into_iter().map(policy_pulse).collect();
        pulses.sort_by_key(|pulse| Reverse(pulse.took.sum()));
        Ok(pulses)
    }

    /// What one policy did in a window, whatever its session; nothing if it was not asked.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn policy_pulse(&self, window: &Window, policy: &str) -> Result<Option<PolicyPulse>, StoreError> {
        Ok(self.counted_rulings(window, Some(policy))?.pop_first().map(policy_pulse))
    }

    /// All that happened in a window.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn overview(&self, window: &Window) -> Result<Overview, StoreError> {
        let (mut counts, mut projects) = (EventCounts::default(), BTreeSet::new());
        self.each_part(window, HOUR, |part| {
            projects.insert(part.project);
            part.add_to(&mut counts)
        })?;
        let silent = counts.events.saturating_sub(counts.denials + counts.asks + counts.allows);
        Ok(Overview {
            events: counts.events,
            denials: counts.denials,
            asks: counts.asks,
            allows: counts.allows,
            silent,
            context_chars: counts.context,
            took: counts.took,
            sessions: self.sessions_in(window)?,
            projects: projects.len() as u64,
        })
    }

    /// When the oldest event came.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn first_at(&self) -> Result<Option<i64>, StoreError> {
        self.connection.query_row("SELECT min(at) FROM events", [], |row| row.get(0)).map_err(self.failed())
    }

    fn sessions_in(&self, window: &Window) -> Result<u64, StoreError> {
        let (since, until) = window.bounds();
        let mut clause = Clause::new("sessions s");
        clause.with("s.last_at >= ?", since);
        clause.with("s.first_at < ?", until);
        if let Some(project) = &window.project {
            clause.with("s.project = (SELECT id FROM projects WHERE path = ?)", project.clone());
        }
        if let Some(session) = &window.session {
            clause.with("s.session = ?", session.as_str().to_owned());
        }
        let sql = format!("SELECT count(*) FROM {} WHERE {}", clause.from, clause.conditions());
        self.connection
            .query_row(&sql, params_from_iter(clause.values), |row| row.get::<_, i64>(0))
            .map(|count| u64::try_from(count).unwrap_or_default())
            .map_err(self.failed())
    }

    /// Calls with each part of the window: whole hours if stretches are as long as that, whole minutes at
    /// their ends, single events where not even a minute is whole.
    fn each_part(
        &self,
        window: &Window,
        length: i64,
        mut each: impl FnMut(&Part<'_, '_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let (since, until) = window.bounds();
        for (source, from, to) in sources(window, length) {
            let (from, to) = (from.max(since), to.min(until));
            if from < to {
                self.each_of(source, &Window { since: from, until: to, ..window.clone() }, &mut each)?;
            }
        }
        Ok(())
    }

    fn each_of(
        &self,
        source: Source,
        window: &Window,
        each: &mut impl FnMut(&Part<'_, '_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let clause = source.clause(window);
        let sql = format!("SELECT {} FROM {} WHERE {}", source.columns(), clause.from, clause.conditions());
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(&clause.values))?;
            while let Some(row) = rows.next()? {
                each(&Part { source, start: row.get(0)?, project: row.get(1)?, row })?;
            }
            Ok(())
        };
        read().map_err(self.failed())
    }

    fn counted_rulings(
        &self,
        window: &Window,
        policy: Option<&str>,
    ) -> Result<BTreeMap<String, RulingCounts>, StoreError> {
        let (since, until) = window.bounds();
        let (since, until) = (floor(since, FIVE_MINUTES), floor(until + FIVE_MINUTES - 1, FIVE_MINUTES));
        let (first, last) = (floor(since + HOUR - 1, HOUR), floor(until, HOUR));
        let parts = if first < last {
            vec![(FIVE_MINUTES, since, first), (HOUR, first, last), (FIVE_MINUTES, last, until)]
        } else {
            vec![(FIVE_MINUTES, since, until)]
        };
        let mut counts = BTreeMap::new();
        for (grain, since, until) in parts {
            let part = Window { since, until, ..window.clone() };
            self.each_ruling((grain, &part), policy, |_, row| add_row(&mut counts, row))?;
        }
        Ok(counts)
    }

    /// Calls with the beginning and the row of what the policies, or this one alone, did in each stretch of a
    /// window, whatever its session.
    pub(super) fn each_ruling(
        &self,
        (grain, window): (i64, &Window),
        policy: Option<&str>,
        mut each: impl FnMut(i64, &Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let mut clause = Clause::new("policy_pulse");
        clause.with("grain = ?", grain);
        clause.with("start >= ?", window.since);
        clause.with("start < ?", window.until);
        if let Some(project) = &window.project {
            clause.with("project = (SELECT id FROM projects WHERE path = ?)", project.clone());
        }
        if let Some(policy) = policy {
            clause.with("policy = ?", policy.to_owned());
        }
        let sql = format!(
            "SELECT start, policy, denials, asks, allows, troubles, took FROM policy_pulse WHERE {}",
            clause.conditions()
        );
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(&clause.values))?;
            while let Some(row) = rows.next()? {
                each(row.get(0)?, row)?;
            }
            Ok(())
        };
        read().map_err(self.failed())
    }

    fn rulings_of_session(&self, window: &Window) -> Result<BTreeMap<String, RulingCounts>, StoreError> {
        let clause = Source::Session.clause(window);
        let sql = format!(
            "SELECT r.record FROM (SELECT e.id FROM {} WHERE {} ORDER BY e.at DESC, e.id DESC
                 LIMIT {SESSION_RECORDS}) s CROSS JOIN records r ON r.event = s.id",
            clause.from,
            clause.conditions()
        );
        let mut counts: BTreeMap<String, RulingCounts> = BTreeMap::new();
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(&clause.values))?;
            while let Some(row) = rows.next()? {
                // One that only a newer flyball can read is passed over.
                let Ok(record) = serde_json::from_str::<Record>(row.get_ref(0)?.as_str()?) else { continue };
                for ruling in &record.rulings {
                    counts.entry(ruling.policy.clone()).or_default().add(ruling);
                }
            }
            Ok(())
        };
        read().map_err(self.failed())?;
        Ok(counts)
    }
}

impl Window {
    /// Its ends, within the times that there are.
    pub(crate) fn bounds(&self) -> (i64, i64) {
        (self.since.clamp(0, LATEST), self.until.clamp(0, LATEST))
    }
}

/// Where a part of a window is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Hours,
    Minutes,
    Events,
    Session,
}

impl Source {
    const fn columns(self) -> &'static str {
        match self {
            Source::Hours | Source::Minutes => "start, project, events, denials, asks, allows, context, took",
            Source::Events | Source::Session => "e.at, e.project, e.stance, e.context, e.micros",
        }
    }

    fn clause(self, window: &Window) -> Clause {
        let (from, time) = match self {
            Source::Hours | Source::Minutes => ("pulse", "start"),
            Source::Events | Source::Session => ("events e", "e.at"),
        };
        let mut clause = Clause::new(from);
        match self {
            Source::Hours => clause.bare(format!("grain = {HOUR}")),
            Source::Minutes => clause.bare(format!("grain = {MINUTE}")),
            Source::Events => clause.bare("e.duplicate = 0"),
            Source::Session => {
                clause.bare("e.duplicate = 0");
                let session = window.session.as_ref().map_or_else(String::new, ToString::to_string);
                clause.with("e.session IN (SELECT id FROM sessions WHERE session = ?)", session);
            }
        }
        clause.with(&format!("{time} >= ?"), window.since);
        clause.with(&format!("{time} < ?"), window.until);
        if let Some(project) = &window.project {
            clause.with("+project = (SELECT id FROM projects WHERE path = ?)", project.clone());
        }
        clause
    }
}

/// One row of such a source.
struct Part<'a, 'b> {
    source: Source,
    start: i64,
    project: i64,
    row: &'a Row<'b>,
}

impl Part<'_, '_> {
    fn add_to(&self, counts: &mut EventCounts) -> rusqlite::Result<()> {
        match self.source {
            Source::Hours | Source::Minutes => counts.merge_row(self.row, 2),
            Source::Events | Source::Session => {
                let number = |column| {
                    Ok::<u64, rusqlite::Error>(
                        u64::try_from(self.row.get::<_, i64>(column)?).unwrap_or_default(),
                    )
                };
                counts.add(self.row.get(2)?, number(3)?, number(4)?);
                Ok(())
            }
        }
    }
}

/// Which source tells which part of a window.
fn sources(window: &Window, length: i64) -> Vec<(Source, i64, i64)> {
    let (since, until) = window.bounds();
    if window.session.is_some() {
        return vec![(Source::Session, since, until)];
    }
    let (first, last) = (floor(since + MINUTE - 1, MINUTE), floor(until, MINUTE));
    if length < MINUTE || first >= last {
        return vec![(Source::Events, since, until)];
    }
    let ends = [(Source::Events, since, first), (Source::Events, last, until)];
    let (hour, last_hour) = (floor(first + HOUR - 1, HOUR), floor(last, HOUR));
    let whole = if length < HOUR || hour >= last_hour {
        vec![(Source::Minutes, first, last)]
    } else {
        vec![
            (Source::Minutes, first, hour),
            (Source::Hours, hour, last_hour),
            (Source::Minutes, last_hour, last),
        ]
    };
    [ends.to_vec(), whole].concat()
}

/// The shortest length of which `most` cover the window.
fn length(since: i64, until: i64, most: usize) -> i64 {
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let fits = |length: &i64| (until - floor(since, *length) + length - 1) / length <= most;
    let longer = std::iter::successors(Some(48 * HOUR), |length| length.checked_mul(2));
    // One stretch that begins in 1970 has room for everything.
    LENGTHS.into_iter().chain(longer.take(24)).find(fits).unwrap_or(2 * LATEST)
}

fn beat((start, length): (i64, i64), counts: EventCounts) -> Beat {
    Beat {
        start,
        length,
        events: counts.events,
        denials: counts.denials,
        asks: counts.asks,
        context_chars: counts.context,
        took: counts.took,
    }
}

/// Adds a row that `each_ruling` found.
pub(super) fn add_row(counts: &mut BTreeMap<String, RulingCounts>, row: &Row<'_>) -> rusqlite::Result<()> {
    let policy = row.get_ref(1)?.as_str()?;
    match counts.get_mut(policy) {
        Some(known) => known.merge_row(row, 2),
        None => counts.entry(policy.to_owned()).or_default().merge_row(row, 2),
    }
}

pub(super) fn policy_pulse((policy, counts): (String, RulingCounts)) -> PolicyPulse {
    let RulingCounts { denials, asks, allows, troubles, took } = counts;
    PolicyPulse { policy, denials, asks, allows, troubles, took }
}
