//! Rebuilds a damaged record.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flyball_store::{DatabaseHealth, FoldOptions, Health, RebuildReport, Store};

use super::installation::Installation;
use super::report::Section;
use super::store;
use crate::outcome::Failed;
use crate::progress::Progress;
use crate::project_context::ProjectContext;

/// How many folders are looked through for what killed processes left.
const MOST_FOLDERS: usize = 20_000;

/// Folders that flyball never writes to.
const FOREIGN: &[&str] = &[".git", "node_modules", "target", ".venv"];

/// How long to wait for a process that is folding.
const WAIT: Duration = Duration::from_secs(10);

pub(super) fn repair(installation: &Installation, progress: &Progress) -> Result<Section, Failed> {
    let mut section = Section::new("repair");
    let Some(state) = installation.site.state().filter(|state| state.exists()) else {
        section.note("nothing is recorded: nothing to repair");
        return Ok(section);
    };
    progress.set_text("looking for what killed processes left behind");
    for path in remove_left_over(installation, state) {
        section.good(format!("deleted what a killed process left: {}", installation.site.show(&path)));
    }
    progress.set_text("looking for damage");
    let store = Store::at(state);
    if !is_damaged(&store.health()?) {
        section.good("the record is not damaged: nothing to repair");
        return Ok(section);
    }
    // The store belongs to the user, so no project's config decides how long events are stored.
    let settings = ProjectContext::at(PathBuf::from("/")).load_config().config.store.clone();
    let options = FoldOptions::now(&settings, WAIT);
    let report = store.rebuild_reporting(&options, &|step| progress.step(step))?;
    report_rebuild(installation, &report, &mut section);
    Ok(section)
}

/// Deletes temporary files of processes that are gone, below the state directory and in the project.
fn remove_left_over(installation: &Installation, state: &Path) -> Vec<PathBuf> {
    let mut folders = vec![state.to_owned(), installation.site.root.clone()];
    let (mut looked, mut removed) = (0, Vec::new());
    while let Some(folder) = folders.pop().filter(|_| looked < MOST_FOLDERS) {
        looked += 1;
        removed.extend(flyball_files::remove_left_over(&folder, SystemTime::now()));
        let below = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        // Links are not followed: they may lead anywhere.
        let is_folder = |entry: &DirEntry| {
            entry.file_type().is_ok_and(|kind| kind.is_dir())
                && !FOREIGN.iter().any(|name| entry.file_name() == *name)
        };
        folders.extend(below.filter(is_folder).map(|entry| entry.path()));
    }
    removed
}

fn is_damaged(health: &Health) -> bool {
    let index = matches!(&health.database, DatabaseHealth::Unusable(error) if store::is_damage(error));
    index || health.unreadable.iter().any(|(_, error)| store::is_damage(error))
}

fn report_rebuild(installation: &Installation, report: &RebuildReport, section: &mut Section) {
    section.good(format!(
        "rebuilt: {} events from the old index, {} from journals",
        report.saved, report.fold.records
    ));
    for path in &report.moved {
        section.note(format!("moved aside: {}", installation.site.show(path)));
    }
}
