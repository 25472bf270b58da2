//! Which snapshot is meant.

use std::collections::BTreeMap;

use flyball_core::snapshot::SnapshotId;
use flyball_world::snapshots::{Change, Manifest, Plan, Step};

use super::kept::{Choice, NO_SESSION, Undo};
use crate::outcome::Failed;

/// The snapshot of this number; without one, the latest from which something differs. `None` if nothing does.
pub(super) fn choose(
    undo: &Undo,
    id: Option<SnapshotId>,
    only: Option<&str>,
    now: &Manifest,
) -> Result<Option<Choice>, Failed> {
    let plan = |manifest: &Manifest| undo.snapshots.plan(&undo.machine, manifest, now, only);
    if let Some(id) = id {
        let Some(manifest) = undo.snapshots.read(id)? else { return Err(unknown(undo, id)) };
        let plan = plan(&manifest);
        return Ok((!plan.steps.is_empty()).then_some(Choice { manifest, plan }));
    }
    for manifest in undo.latest_first() {
        // One that is damaged must not be in the way of the others.
        let Ok(manifest) = manifest else { continue };
        // Whoever calls it again goes further back.
        if manifest.id == now.id || manifest.session == NO_SESSION {
            continue;
        }
        let plan = plan(&manifest);
        if plan.steps.iter().any(does_something) {
            return Ok(Some(Choice { manifest, plan }));
        }
    }
    if let Some(only) = only.filter(|only| !is_known(undo, only)) {
        return Err(Failed::new(
            format!("no snapshot has `{only}`"),
            "`flyball undo --list` shows the snapshots; what git ignores is copied only before a command that names it",
        ));
    }
    Ok(None)
}

fn does_something(step: &Step) -> bool {
    !matches!(step.change, Change::Leave(_))
}

fn is_known(undo: &Undo, path: &str) -> bool {
    undo.latest_first().flatten().any(|it| {
        let empty = Manifest { entries: BTreeMap::new(), ..it.clone() };
        let Plan { steps } = undo.snapshots.plan(&undo.machine, &it, &empty, Some(path));
        !steps.is_empty()
    })
}

fn unknown(undo: &Undo, id: SnapshotId) -> Failed {
    let what = format!("there is no snapshot {id} of this project");
    match (undo.snapshots.all().first(), undo.snapshots.all().last()) {
        (Some(first), Some(last)) => {
            Failed::new(what, format!("`flyball undo --list` shows those that are stored, {first} to {last}"))
        }
        _ => Failed::new(what, "none is stored yet: the first is taken before a call that may change files"),
    }
}
