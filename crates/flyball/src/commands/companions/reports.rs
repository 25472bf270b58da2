//! The folder in which a project opts in to reports: made by `init --packs memory`, removed if it is empty.

use flyball_knowledge::layout;

use super::removal::Removal;
use crate::install::{Access, Change, FileOutcome, Receipt, Site, Snapshot, Step};
use crate::outcome::Failed;

/// Keeps the empty folder in git.
const PLACEHOLDER: &str = ".gitkeep";

/// Makes the folder, unless the project has it.
pub(in crate::commands) fn step(site: &Site) -> Result<Step, Failed> {
    let path = site.root.join(layout::PENDING).join(PLACEHOLDER);
    if site.root.join(layout::MEMORY).is_dir() {
        return Ok(Step::idle(FileOutcome::Kept, layout::MEMORY, "exists: reports are stored in it"));
    }
    let file = Snapshot::read(&path)?;
    let name = site.show(&path);
    let mut changes = Vec::new();
    if let Some(state) = site.state() {
        changes.push(Receipt::new(&file, "", None).save_change(state)?);
    }
    changes.push(Change::write(file, "", Access::Default));
    let about = "the folder for reports; without it nothing is captured".to_owned();
    Ok(Step { outcome: FileOutcome::New, name, about, changes })
}

/// Removes what `step` made. Reports and their folders stay.
pub(super) fn remove(site: &Site, removal: &mut Removal) -> Result<(), Failed> {
    let path = site.root.join(layout::PENDING).join(PLACEHOLDER);
    let Some(receipt) = Receipt::find(&path, site.state()) else { return Ok(()) };
    let file = Snapshot::read(&path)?;
    let is_ours = receipt.matches(&file);
    let mut changes: Vec<Change> = Receipt::discard_change(&path, site.state())?.into_iter().collect();
    if is_ours {
        changes.insert(0, Change::delete(file));
        removal.folders.extend(receipt.created_folders);
    }
    let outcome = if is_ours { FileOutcome::Deleted } else { FileOutcome::Kept };
    let about = if is_ours { "made by `flyball init`; reports stay" } else { "changed since `flyball init`" };
    removal.steps.push(Step { outcome, name: site.show(&path), about: about.to_owned(), changes });
    Ok(())
}
