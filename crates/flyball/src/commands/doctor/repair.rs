//! Rebuilds a damaged record.

use std::path::PathBuf;
use std::time::Duration;

use flyball_store::{DatabaseHealth, FoldOptions, Health, RebuildReport, Store};

use super::installation::Installation;
use super::report::Section;
use super::store;
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
