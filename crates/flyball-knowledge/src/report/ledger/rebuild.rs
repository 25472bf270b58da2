//! Counts all reports again, after changes by people or other programs.

use std::collections::BTreeMap;

use flyball_core::policy::PolicyError;
use flyball_core::workshop::Workshop;

use super::notes::{Folder, KnownReport, Ledger, Stamps, Trust, counts_as_risk, put, same_note};
use super::summary::{Line, Summary};
use crate::report::{Report, Status, load};

/// How often it starts over because reports were written meanwhile.
const TRIES: usize = 3;

/// Reads all reports again. Slow with many reports, so never in a hook.
///
/// # Errors
/// When they cannot be read or the notes cannot be written.
pub fn rebuild(workshop: &dyn Workshop) -> Result<Summary, PolicyError> {
    let mut summary = Summary::default();
    for _ in 0..TRIES {
        // Taken before anything is read: what changes meanwhile makes the count stale.
        let before = Stamps::now(workshop);
        let old = Ledger::read(workshop)?;
        let count = Count::read(workshop, &old.summary)?;
        // Written before the ledger names the generation, so nobody reads them half-finished.
        count.note(workshop, old.generation.wrapping_add(1))?;
        let mut is_unchanged = true;
        Ledger::change(workshop, Trust::AsCounted, |ledger| {
            ledger.generation = old.generation.wrapping_add(1);
            ledger.summary = count.summary.clone();
            is_unchanged = before == Stamps::now(workshop);
            // Otherwise it stays stale, and is counted once more.
            ledger.stamps = before.clone();
            Ok(())
        })?;
        summary = count.summary;
        if is_unchanged {
            break;
        }
    }
    Ok(summary)
}

/// What was found in the folders.
#[derive(Default)]
struct Count {
    summary: Summary,
    folders: BTreeMap<String, u32>,
    /// The report of each sameness.
    same: BTreeMap<String, KnownReport>,
}

impl Count {
    fn read(workshop: &dyn Workshop, old: &Summary) -> Result<Count, PolicyError> {
        let mut count = Count::default();
        // Rejected reports come last, so that they replace others of the same sameness.
        for status in [Status::Integrated, Status::Accepted, Status::Pending, Status::Rejected] {
            for name in workshop.list(&workshop.project_root().join(status.folder())) {
                let id = name.strip_suffix(".md").filter(|id| !id.starts_with('.') && *id != "README");
                // A folder, or gone meanwhile.
                let Some(report) = id.map(|id| load(workshop, status, id)).transpose()?.flatten() else {
                    continue;
                };
                count.add(&report, old);
            }
        }
        Ok(count)
    }

    fn add(&mut self, report: &Report, old: &Summary) {
        if counts_as_risk(report.status) {
            let folder = self.folders.entry(report.draft.folder.clone()).or_default();
            *folder = folder.saturating_add(1);
        }
        match report.status {
            Status::Pending => {
                self.summary.pending = self.summary.pending.saturating_add(1);
                put(&mut self.summary.newest_pending, Line::new(report, report.at));
            }
            // No file says when it was accepted, but the old summary does.
            Status::Accepted | Status::Integrated => {
                let recorded =
                    old.newest_accepted.iter().find(|line| line.id == report.id).map(|line| line.at);
                put(&mut self.summary.newest_accepted, Line::new(report, recorded.unwrap_or(report.at)));
            }
            Status::Rejected => {}
        }
        if !report.draft.sameness.is_empty() {
            let same = KnownReport { id: report.id.clone(), times: report.times };
            self.same.insert(report.draft.sameness.clone(), same);
        }
    }

    fn note(&self, workshop: &dyn Workshop, generation: u64) -> Result<(), PolicyError> {
        for (folder, count) in &self.folders {
            Folder { generation, count: *count }.note(workshop, folder)?;
        }
        for (sameness, same) in &self.same {
            // The file is not updated each time, so the note may have counted further.
            let recorded = same_note(workshop, sameness)?.filter(|recorded| recorded.id == same.id);
            let times = recorded.map_or(same.times, |recorded| recorded.times.max(same.times));
            KnownReport { id: same.id.clone(), times }.note(workshop, sameness)?;
        }
        Ok(())
    }
}
