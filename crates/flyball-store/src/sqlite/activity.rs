//! How many events came when, how they were answered and how long that took, counted while journals are
//! folded: a month of a million events is read in milliseconds.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::record::Record;
use flyball_core::time::{HOUR, MINUTE, Time};
use rusqlite::{Row, params_from_iter};

use super::denials;
use super::filter::Clause;
use super::index::Index;
use super::tally::{EventCounts, RulingCounts};
use super::values::{integer, number, signed_micros, text, time};
use crate::error::StoreError;
use crate::questions::{Buckets, FIVE_MINUTES, Overview, PolicyActivity, TimeBucket, Window};

/// The newest events of a session that its policies are judged by: their records have to be read.
const SESSION_RECORDS: i64 = 5_000;

impl Index {
    /// What happened in a window, cut into at most `most` stretches of equal length, oldest first, also
    /// the empty ones. They begin at full seconds, minutes, hours or days, so the first may begin before
    /// the window; only events of the window are counted.
    pub(super) fn timeline(&self, window: &Window, most: usize) -> Result<Vec<TimeBucket>, StoreError> {
        let Some(buckets) = Buckets::of_events(window, most) else { return Ok(Vec::new()) };
        let mut counts = vec![EventCounts::default(); buckets.count];
        self.each_part(window, buckets.length, |part| {
            let place = buckets.place(part.start).and_then(|place| counts.get_mut(place));
            place.map_or(Ok(()), |counts| part.add_to(counts))
        })?;
        let length = buckets.length;
        let mut found: Vec<TimeBucket> =
            buckets.starts().zip(counts).map(|(start, counts)| bucket(start, length, counts)).collect();
        self.each_unblocked(window, |at, outcome| {
            if let Some(bucket) = buckets.place(at).and_then(|place| found.get_mut(place)) {
                bucket.denied.add(outcome, 1);
            }
        })?;
        for bucket in &mut found {
            bucket.denied = denials::split(bucket.denials, bucket.denied);
        }
        Ok(found)
    }

    pub(super) fn policy_activities(&self, window: &Window) -> Result<Vec<PolicyActivity>, StoreError> {
        let counts = match &window.session {
            Some(_) => self.rulings_of_session(window)?,
            None => self.counted_rulings(window, None)?,
        };
        let mut activities: Vec<PolicyActivity> = counts.into_iter().map(policy_activity).collect();
        if window.session.is_none() {
            self.split_denials(window, None, &mut activities)?;
        }
        activities.sort_by_key(|activity| Reverse(activity.took.sum()));
        Ok(activities)
    }

    pub(super) fn policy_activity(
        &self,
        window: &Window,
        policy: &str,
    ) -> Result<Option<PolicyActivity>, StoreError> {
        let mut found: Vec<PolicyActivity> =
            self.counted_rulings(window, Some(policy))?.into_iter().map(policy_activity).collect();
        self.split_denials(window, Some(policy), &mut found)?;
        Ok(found.pop())
    }

    /// Adds what the denials of policies were, for the same time as [`Index::counted_rulings`].
    fn split_denials(
        &self,
        window: &Window,
        policy: Option<&str>,
        activities: &mut [PolicyActivity],
    ) -> Result<(), StoreError> {
        let (since, until) = window.bounds();
        let rounded =
            Window { since: since.floor(FIVE_MINUTES), until: until.ceil(FIVE_MINUTES), ..window.clone() };
        self.each_unblocked_ruling(&rounded, policy, |_, policy, outcome| {
            if let Some(activity) = activities.iter_mut().find(|activity| activity.policy == policy) {
                activity.denied.add(outcome, 1);
            }
        })?;
        for activity in activities {
            activity.denied = denials::split(activity.denials, activity.denied);
        }
        Ok(())
    }

    pub(super) fn overview(&self, window: &Window) -> Result<Overview, StoreError> {
        let (mut counts, mut projects) = (EventCounts::default(), BTreeSet::new());
        self.each_part(window, HOUR, |part| {
            projects.insert(part.project);
            part.add_to(&mut counts)
        })?;
        let mut denied = DenialCounts::default();
        self.each_unblocked(window, |_, outcome| denied.add(outcome, 1))?;
        // Not stored: it is what the other three leave.
        let silent = counts.events.saturating_sub(counts.denials + counts.asks + counts.allows);
        Ok(Overview {
            events: counts.events,
            denials: counts.denials,
            denied: denials::split(counts.denials, denied),
            asks: counts.asks,
            allows: counts.allows,
            silent,
            context_chars: counts.context,
            took: counts.took,
            sessions: self.sessions_in(window)?,
            projects: projects.len() as u64,
        })
    }

    pub(super) fn first_at(&self) -> Result<Option<Time>, StoreError> {
        let at =
            self.connection.query_row("SELECT min(at) FROM events", [], |row| row.get::<_, Option<i64>>(0));
        Ok(at.map_err(self.failed())?.map(Time::from_micros))
    }

    fn sessions_in(&self, window: &Window) -> Result<u64, StoreError> {
        let (since, until) = window.bounds();
        let mut clause = Clause::new("sessions s");
        clause.with("s.last_at >= ?", since.as_micros());
        clause.with("s.first_at < ?", until.as_micros());
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
        length: Duration,
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
                each(&Part { source, start: time(row, 0)?, project: integer(row, 1)?, row })?;
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
        // Rulings are only counted by five minutes, so the ends are rounded outwards.
        let (since, until) = (since.floor(FIVE_MINUTES), until.ceil(FIVE_MINUTES));
        let (first, last) = (since.ceil(HOUR), until.floor(HOUR));
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
        (grain, window): (Duration, &Window),
        policy: Option<&str>,
        mut each: impl FnMut(Time, &Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let mut clause = Clause::new("policy_pulse");
        clause.with("grain = ?", signed_micros(grain));
        clause.with("start >= ?", window.since.as_micros());
        clause.with("start < ?", window.until.as_micros());
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
                each(time(row, 0)?, row)?;
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
                // One that only a newer flyball can read is skipped.
                let Ok(record) = serde_json::from_str::<Record>(&text(row, 0)?) else { continue };
                for ruling in &record.rulings {
                    let counts = counts.entry(ruling.policy.clone()).or_default();
                    counts.add(ruling);
                    counts.denied.add(Outcome::new(record.kind, ruling.stance), 1);
                }
            }
            Ok(())
        };
        read().map_err(self.failed())?;
        Ok(counts)
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
            Source::Hours => clause.bare(format!("grain = {}", HOUR.as_micros())),
            Source::Minutes => clause.bare(format!("grain = {}", MINUTE.as_micros())),
            Source::Events => clause.bare("e.duplicate = 0"),
            Source::Session => {
                clause.bare("e.duplicate = 0");
                let session = window.session.as_ref().map_or_else(String::new, ToString::to_string);
                clause.with("e.session IN (SELECT id FROM sessions WHERE session = ?)", session);
            }
        }
        clause.with(&format!("{time} >= ?"), window.since.as_micros());
        clause.with(&format!("{time} < ?"), window.until.as_micros());
        if let Some(project) = &window.project {
            // The `+` prevents SQLite from choosing an index by project over the one by time.
            clause.with("+project = (SELECT id FROM projects WHERE path = ?)", project.clone());
        }
        clause
    }
}

/// One row of such a source.
struct Part<'a, 'b> {
    source: Source,
    start: Time,
    project: i64,
    row: &'a Row<'b>,
}

impl Part<'_, '_> {
    fn add_to(&self, counts: &mut EventCounts) -> rusqlite::Result<()> {
        match self.source {
            Source::Hours | Source::Minutes => counts.merge_row(self.row, 2),
            Source::Events | Source::Session => {
                let number = |column| number(self.row, column);
                counts.add(integer(self.row, 2)?, number(3)?, Duration::from_micros(number(4)?));
                Ok(())
            }
        }
    }
}

/// Which source covers which part of a window.
fn sources(window: &Window, length: Duration) -> Vec<(Source, Time, Time)> {
    let (since, until) = window.bounds();
    if window.session.is_some() {
        return vec![(Source::Session, since, until)];
    }
    let (first, last) = (since.ceil(MINUTE), until.floor(MINUTE));
    // Counts by the minute cannot be cut into seconds.
    if length < MINUTE || first >= last {
        return vec![(Source::Events, since, until)];
    }
    let ends = [(Source::Events, since, first), (Source::Events, last, until)];
    let (hour, last_hour) = (first.ceil(HOUR), last.floor(HOUR));
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

fn bucket(start: Time, length: Duration, counts: EventCounts) -> TimeBucket {
    TimeBucket {
        start,
        length,
        events: counts.events,
        denials: counts.denials,
        denied: DenialCounts::default(),
        asks: counts.asks,
        context_chars: counts.context,
        took: counts.took,
    }
}

/// Adds a row that `each_ruling` found.
pub(super) fn add_row(counts: &mut BTreeMap<String, RulingCounts>, row: &Row<'_>) -> rusqlite::Result<()> {
    let policy = text(row, 1)?;
    match counts.get_mut(&*policy) {
        Some(known) => known.merge_row(row, 2),
        None => counts.entry(policy.into_owned()).or_default().merge_row(row, 2),
    }
}

pub(super) fn policy_activity((policy, counts): (String, RulingCounts)) -> PolicyActivity {
    let RulingCounts { denials, denied, asks, allows, errors, took } = counts;
    PolicyActivity { policy, denials, denied, asks, allows, errors, took }
}
