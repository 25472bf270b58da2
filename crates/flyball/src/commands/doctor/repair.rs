//! Repairs the record and the small files beside it.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flyball_store::{FoldOptions, RebuildReport, Store};

use super::installation::Installation;
use super::report::Section;
use super::state_files::StateFiles;
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
    let files = StateFiles::examine(state);
    let health = store.health()?;
    if !health.is_damaged() && files.are_well() {
        section.good("the record is not damaged: nothing to repair");
        return Ok(section);
    }
    if health.is_damaged() {
        // The store belongs to the user, so no project's config decides how long events are stored.
        let settings = ProjectContext::at(PathBuf::from("/")).load_config().config.store.clone();
        let options = FoldOptions::now(&settings, WAIT);
        let report = store.repair(&health, &options, &|step| progress.step(step))?;
        report_rebuild(installation, &report, &mut section);
    }
    files.repair(installation, &mut section).map_err(|cause| {
        Failed::new(format!("a damaged file cannot be moved aside: {cause}"), "check the permissions there")
    })?;
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

fn report_rebuild(installation: &Installation, report: &RebuildReport, section: &mut Section) {
    for path in &report.repaired {
        section.good(format!("repaired: {}", installation.site.show(path)));
    }
    if report.is_index_new {
        section.good(format!(
            "rebuilt: {} events from the old index, {} from journals",
            report.saved, report.fold.records
        ));
    }
    for path in &report.moved {
        section.note(format!("moved aside: {}", installation.site.show(path)));
    }
}
