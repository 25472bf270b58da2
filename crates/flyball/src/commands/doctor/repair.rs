//! Repairs the record and the small files beside it.

use std::path::PathBuf;
use std::time::Duration;

use flyball_core::time::Time;

use flyball_store::{FoldOptions, RebuildReport, Store};

use super::installation::Installation;
use super::report::Section;
use super::state_files::StateFiles;
use crate::outcome::Failed;
use crate::progress::Progress;
use crate::project_context::ProjectContext;

/// How long to wait for a process that is folding.
const WAIT: Duration = Duration::from_secs(10);

pub(super) fn repair(installation: &Installation, progress: &Progress) -> Result<Section, Failed> {
    let mut section = Section::new("repair");
    let Some(state) = installation.site.state().filter(|state| state.exists()) else {
        section.note("nothing is recorded: nothing to repair");
        return Ok(section);
    };
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
        let options = FoldOptions { settings: &settings, now: Time::now(), wait: WAIT };
        let report = store.repair(&health, &options, &|step| progress.step(step))?;
        report_rebuild(installation, &report, &mut section);
    }
    files.repair(installation, &mut section).map_err(|cause| {
        Failed::new(format!("a damaged file cannot be moved aside: {cause}"), "check the permissions there")
    })?;
    Ok(section)
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
