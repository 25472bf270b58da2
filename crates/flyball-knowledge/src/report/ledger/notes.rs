//! The notes of the ledger, as they are stored.

use flyball_core::policy::{PolicyError, World};
use flyball_core::workshop::Workshop;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::summary::{Line, MOST_LINES, Summary};
use crate::report::{Draft, Report, Status};

/// The key of the summary.
pub(super) const LEDGER_KEY: &str = "memory.reports";

/// The summary, and stamps that show whether it is up to date.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Ledger {
    /// Raised when everything is counted again.
    pub(super) generation: u64,
    /// How the folders were when this was written.
    pub(super) stamps: Stamps,
    /// All reports at a glance.
    pub(super) summary: Summary,
}

/// Shows whether folders changed: inode, time, length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamps(pub(super) Vec<(u64, u64, u64)>);

impl Stamps {
    /// How the folders are now. Stats three folders, without listing them. Equal to the default if none exists.
    pub(super) fn now(world: &dyn World) -> Stamps {
        let stamp = |status: Status| {
            let stat = world.stat(&world.project_root().join(status.folder()));
            stat.map_or((0, 0, 0), |stat| (stat.inode, stat.changed_nanos, stat.bytes))
        };
        // Rejected reports are in no count, so their folder may change.
        let all = [Status::Pending, Status::Accepted, Status::Integrated].map(stamp);
        if all == [(0, 0, 0); 3] { Stamps::default() } else { Stamps(all.to_vec()) }
    }

    /// A stamp that no folder has.
    fn never() -> Stamps {
        Stamps(vec![(0, 0, 1)])
    }
}

/// Whether the notes match the folders after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// If they matched before.
    IfFresh,
    /// The caller has made the change already.
    Always,
    /// The stamps of the count stay.
    AsCounted,
}

impl Ledger {
    pub(super) fn read(world: &dyn World) -> Result<Ledger, PolicyError> {
        Ok(world.project_note(LEDGER_KEY)?.map(|text| read(&text)).unwrap_or_default())
    }

    /// Changes the ledger and the reports, one process after the other.
    pub(super) fn change(
        workshop: &dyn Workshop,
        trust: Trust,
        mut change: impl FnMut(&mut Ledger) -> Result<(), PolicyError>,
    ) -> Result<(), PolicyError> {
        workshop.change_note(LEDGER_KEY, &mut |text| {
            let mut ledger: Ledger = text.map(read).unwrap_or_default();
            let is_trusted = match trust {
                Trust::IfFresh => ledger.stamps == Stamps::now(workshop),
                Trust::Always => true,
                Trust::AsCounted => false,
            };
            change(&mut ledger)?;
            // What others changed before has to be counted again, so a stale stamp stays.
            if is_trusted {
                ledger.stamps = Stamps::now(workshop);
            }
            // All reports that were listed are reviewed and older ones wait: only a new count finds their
            // titles.
            if ledger.summary.pending > 0 && ledger.summary.newest_pending.is_empty() {
                ledger.stamps = Stamps::never();
            }
            to_json(&ledger).map(Some)
        })
    }

    /// Counts a new report.
    pub(super) fn record_new(
        &mut self,
        workshop: &dyn Workshop,
        draft: &Draft,
        line: Line,
    ) -> Result<(), PolicyError> {
        self.summary.pending = self.summary.pending.saturating_add(1);
        put(&mut self.summary.newest_pending, line);
        self.count(workshop, &draft.folder, 1)
    }

    /// Counts a report that was moved from its status to another, or deleted.
    pub(super) fn record_move(
        &mut self,
        workshop: &dyn Workshop,
        report: &Report,
        to: Option<Status>,
    ) -> Result<(), PolicyError> {
        let from = report.status;
        let Summary { pending, newest_pending, newest_accepted, .. } = &mut self.summary;
        newest_pending.retain(|line| line.id != report.id);
        let was = newest_accepted.iter().find(|line| line.id == report.id).map(|line| line.at);
        newest_accepted.retain(|line| line.id != report.id);
        if from == Status::Pending {
            *pending = pending.saturating_sub(1);
        }
        match to {
            Some(Status::Pending) => {
                *pending = pending.saturating_add(1);
                put(newest_pending, Line::new(report, report.at));
            }
            // Accepted first and written into a node later: it was learned at the first.
            Some(Status::Accepted | Status::Integrated) => {
                put(newest_accepted, Line::new(report, was.unwrap_or_else(|| workshop.now())));
            }
            Some(Status::Rejected) | None => {}
        }
        let change = i64::from(to.is_some_and(counts_as_risk)) - i64::from(counts_as_risk(from));
        self.count(workshop, &report.draft.folder, change)?;
        match to {
            None if !report.draft.sameness.is_empty() => {
                workshop.change_note(&same_key(&report.draft.sameness), &mut |_| Ok(Some(String::new())))
            }
            _ => Ok(()),
        }
    }

    fn count(&self, workshop: &dyn Workshop, folder: &str, change: i64) -> Result<(), PolicyError> {
        if change == 0 {
            return Ok(());
        }
        workshop.change_note(&folder_key(folder), &mut |text| {
            let note: Folder = text.map(read).unwrap_or_default();
            let count = if note.generation == self.generation { note.count } else { 0 };
            let count = u32::try_from((i64::from(count) + change).max(0)).unwrap_or(u32::MAX);
            to_json(&Folder { generation: self.generation, count }).map(Some)
        })
    }
}

/// Whether reports of this status count as a risk of a folder: once in a node, the rule is shown instead.
pub(super) const fn counts_as_risk(status: Status) -> bool {
    matches!(status, Status::Pending | Status::Accepted)
}

/// Puts a line in its place, newest first.
pub(super) fn put(lines: &mut Vec<Line>, line: Line) {
    let at = lines.partition_point(|other| other.at > line.at);
    lines.insert(at, line);
    lines.truncate(MOST_LINES);
}

/// How many reports are about one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Folder {
    pub(super) generation: u64,
    pub(super) count: u32,
}

impl Folder {
    pub(super) fn note(&self, workshop: &dyn Workshop, folder: &str) -> Result<(), PolicyError> {
        save_note(workshop, &folder_key(folder), &to_json(self)?)
    }
}

/// How many reports of a generation are about a folder.
pub(super) fn folder_note(world: &dyn World, folder: &str, generation: u64) -> Result<u32, PolicyError> {
    let note: Folder = world.project_note(&folder_key(folder))?.map(|text| read(&text)).unwrap_or_default();
    Ok(if note.generation == generation { note.count } else { 0 })
}

/// The report that a sameness belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KnownReport {
    pub(super) id: String,
    pub(super) times: u32,
}

impl KnownReport {
    pub(super) fn note(&self, workshop: &dyn Workshop, sameness: &str) -> Result<(), PolicyError> {
        save_note(workshop, &same_key(sameness), &to_json(self)?)
    }
}

pub(super) fn same_note(world: &dyn World, sameness: &str) -> Result<Option<KnownReport>, PolicyError> {
    Ok(world
        .project_note(&same_key(sameness))?
        .map(|text| read(&text))
        .filter(|same: &KnownReport| !same.id.is_empty()))
}

fn same_key(sameness: &str) -> String {
    format!("memory.report same {sameness}")
}

fn folder_key(folder: &str) -> String {
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    format!("memory.report folder {}", if folder.is_empty() { "." } else { folder })
}

/// Writes a note, unless it has this text already.
fn save_note(workshop: &dyn Workshop, key: &str, text: &str) -> Result<(), PolicyError> {
    workshop.change_note(key, &mut |before| Ok((before != Some(text)).then(|| text.to_owned())))
}

/// An unreadable note counts as missing: it is written again.
pub(super) fn read<T: DeserializeOwned + Default>(text: &str) -> T {
    serde_json::from_str(text).unwrap_or_default()
}

pub(super) fn to_json<T: Serialize>(note: &T) -> Result<String, PolicyError> {
    serde_json::to_string(note)
        .map_err(|cause| PolicyError::Bug { what: format!("a note of reports: {cause}") })
}
