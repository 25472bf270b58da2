//! What is counted of events while they are added: written with the transaction that adds them, so that each
//! counts once, however often folding is interrupted.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::outcome::DenialCounts;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::{HOUR, MINUTE, Time};
use flyball_core::verdict::Stance;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::texts::Texts;
use super::values::{number, rank, signed_micros};
use crate::questions::{FIVE_MINUTES, Histogram};

/// How many events came, and how they were answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EventCounts {
    pub(crate) events: u64,
    pub(crate) denials: u64,
    pub(crate) asks: u64,
    pub(crate) allows: u64,
    pub(crate) context: u64,
    pub(crate) took: Histogram,
}

impl EventCounts {
    pub(crate) fn add(&mut self, stance: i64, context: u64, took: Duration) {
        self.events += 1;
        self.denials += u64::from(stance == rank(Stance::Deny));
        self.asks += u64::from(stance == rank(Stance::Ask));
        self.allows += u64::from(stance == rank(Stance::Allow));
        self.context = self.context.saturating_add(context);
        self.took.add(took);
    }

    /// Adds the columns `events, denials, asks, allows, context, took` of a row, from `first` on.
    pub(crate) fn merge_row(&mut self, row: &Row<'_>, first: usize) -> rusqlite::Result<()> {
        self.events += number(row, first)?;
        self.denials += number(row, first + 1)?;
        self.asks += number(row, first + 2)?;
        self.allows += number(row, first + 3)?;
        self.context = self.context.saturating_add(number(row, first + 4)?);
        self.took.merge_bytes(row.get_ref(first + 5)?.as_bytes().unwrap_or_default());
        Ok(())
    }
}

/// The rulings of a policy, and how long they took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RulingCounts {
    pub(crate) denials: u64,
    /// What they were, where that is counted: not in the index.
    pub(crate) denied: DenialCounts,
    pub(crate) asks: u64,
    pub(crate) allows: u64,
    pub(crate) errors: u64,
    pub(crate) took: Histogram,
}

impl RulingCounts {
    pub(crate) fn add(&mut self, ruling: &RecordedRuling) {
        match ruling.stance {
            Stance::Silent => {}
            Stance::Allow => self.allows += 1,
            Stance::Ask => self.asks += 1,
            Stance::Deny => self.denials += 1,
        }
        self.errors += u64::from(ruling.error.is_some());
        self.took.add(ruling.took);
    }

    /// Adds the columns `denials, asks, allows, troubles, took` of a row, from `first` on.
    pub(crate) fn merge_row(&mut self, row: &Row<'_>, first: usize) -> rusqlite::Result<()> {
        self.denials += number(row, first)?;
        self.asks += number(row, first + 1)?;
        self.allows += number(row, first + 2)?;
        self.errors += number(row, first + 3)?;
        self.took.merge_bytes(row.get_ref(first + 4)?.as_bytes().unwrap_or_default());
        Ok(())
    }
}

/// The counts of a batch.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// By the beginning of the minute and the project; hours are made of them.
    minutes: BTreeMap<(Time, i64), EventCounts>,
    /// By the beginning of the five minutes, the project and the policy.
    policies: BTreeMap<(Time, i64), BTreeMap<String, RulingCounts>>,
    texts: Texts,
}

impl Tally {
    /// Counts an event that is new in the index, given by its row and the row of its project.
    pub(crate) fn add(&mut self, (event, project): (i64, i64), record: &Record) {
        self.texts.add((event, record.at), &record.subject);
        self.count(project, record);
    }

    /// Counts it without its text.
    pub(crate) fn count(&mut self, project: i64, record: &Record) {
        if record.duplicate {
            return;
        }
        let minute = self.minutes.entry((record.at.floor(MINUTE), project)).or_default();
        let context = u64::try_from(record.context_chars).unwrap_or(u64::MAX);
        minute.add(rank(record.stance), context, record.took);
        let policies = self.policies.entry((record.at.floor(FIVE_MINUTES), project)).or_default();
        for ruling in &record.rulings {
            match policies.get_mut(&ruling.policy) {
                Some(counts) => counts.add(ruling),
                None => policies.entry(ruling.policy.clone()).or_default().add(ruling),
            }
        }
    }

    /// Adds the counts to those in the index.
    pub(crate) fn flush(self, connection: &Connection) -> rusqlite::Result<()> {
        self.texts.flush(connection)?;
        let mut hours: BTreeMap<(Time, i64), EventCounts> = BTreeMap::new();
        for ((start, project), counts) in self.minutes {
            // Hours are stored besides minutes: a month is then some hundred rows.
            let hour = hours.entry((start.floor(HOUR), project)).or_default();
            Cell { grain: MINUTE, start, project }.put_events(connection, &counts)?;
            hour.merge(&counts);
        }
        for ((start, project), counts) in hours {
            Cell { grain: HOUR, start, project }.put_events(connection, &counts)?;
        }
        let mut hours: BTreeMap<(Time, i64, String), RulingCounts> = BTreeMap::new();
        for ((start, project), policies) in self.policies {
            for (policy, counts) in policies {
                Cell { grain: FIVE_MINUTES, start, project }.put_rulings(connection, &policy, &counts)?;
                hours.entry((start.floor(HOUR), project, policy)).or_default().merge(&counts);
            }
        }
        for ((start, project, policy), counts) in hours {
            Cell { grain: HOUR, start, project }.put_rulings(connection, &policy, &counts)?;
        }
        Ok(())
    }
}

impl EventCounts {
    fn merge(&mut self, other: &EventCounts) {
        self.events += other.events;
        self.denials += other.denials;
        self.asks += other.asks;
        self.allows += other.allows;
        self.context = self.context.saturating_add(other.context);
        self.took.merge(&other.took);
    }
}

impl RulingCounts {
    pub(crate) fn merge(&mut self, other: &RulingCounts) {
        self.denials += other.denials;
        self.asks += other.asks;
        self.allows += other.allows;
        self.errors += other.errors;
        self.took.merge(&other.took);
    }
}

/// The row that a stretch of time of one project is counted in.
#[derive(Clone, Copy)]
struct Cell {
    /// How long the stretch is.
    grain: Duration,
    start: Time,
    project: i64,
}

impl Cell {
    fn put_events(self, connection: &Connection, counts: &EventCounts) -> rusqlite::Result<()> {
        let Cell { grain, start, project } = self;
        let (grain, start) = (signed_micros(grain), start.as_micros());
        let so_far = connection
            .prepare_cached("SELECT took FROM pulse WHERE grain = ?1 AND start = ?2 AND project = ?3")?
            .query_row([grain, start, project], |row| {
                Ok(row.get_ref(0)?.as_bytes().unwrap_or_default().to_vec())
            })
            .optional()?;
        let took = merge_histogram(&counts.took, so_far);
        connection
        .prepare_cached(
            "INSERT INTO pulse (grain, start, project, events, denials, asks, allows, context, took)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT DO UPDATE SET events = events + excluded.events,
                 denials = denials + excluded.denials, asks = asks + excluded.asks,
                 allows = allows + excluded.allows, context = context + excluded.context, took = excluded.took",
        )?
        .execute(params![
            grain,
            start,
            project,
            signed(counts.events),
            signed(counts.denials),
            signed(counts.asks),
            signed(counts.allows),
            signed(counts.context),
            took
        ])?;
        Ok(())
    }

    fn put_rulings(
        self,
        connection: &Connection,
        policy: &str,
        counts: &RulingCounts,
    ) -> rusqlite::Result<()> {
        let Cell { grain, start, project } = self;
        let (grain, start) = (signed_micros(grain), start.as_micros());
        let so_far = connection
        .prepare_cached(
            "SELECT took FROM policy_pulse WHERE grain = ?1 AND start = ?2 AND project = ?3 AND policy = ?4",
        )?
        .query_row(params![grain, start, project, policy], |row| Ok(row.get_ref(0)?.as_bytes().unwrap_or_default().to_vec()))
        .optional()?;
        let took = merge_histogram(&counts.took, so_far);
        connection
            .prepare_cached(
                "INSERT INTO policy_pulse
                 (grain, start, project, policy, denials, asks, allows, troubles, took)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT DO UPDATE SET denials = denials + excluded.denials, asks = asks + excluded.asks,
                 allows = allows + excluded.allows, troubles = troubles + excluded.troubles,
                 took = excluded.took",
            )?
            .execute(params![
                grain,
                start,
                project,
                policy,
                signed(counts.denials),
                signed(counts.asks),
                signed(counts.allows),
                signed(counts.errors),
                took
            ])?;
        Ok(())
    }
}

fn merge_histogram(took: &Histogram, so_far: Option<Vec<u8>>) -> Vec<u8> {
    let Some(so_far) = so_far else {
        return took.to_bytes();
    };
    let mut all = took.clone();
    all.merge_bytes(&so_far);
    all.to_bytes()
}

fn signed(number: u64) -> i64 {
    // Sums of such numbers must not overflow either.
    i64::try_from(number).unwrap_or(i64::MAX).min(1 << 60)
}
