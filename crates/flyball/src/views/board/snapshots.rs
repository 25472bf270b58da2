//! What was copied before the calls of a session, and what changed after each: read from the copies, without git.

use std::path::Path;

use flyball_board::view::{ChangedFileView, SnapshotView};
use flyball_core::diff::unified_diff;
use flyball_core::redact::redact;
use flyball_policies::guard::secret_files::holds_secret;
use flyball_store::SessionSummary;
use flyball_world::snapshots::{Difference, Manifest, Snapshots};

/// Snapshots that are shown.
const MOST: usize = 20;
/// Snapshots that are looked at: others may be of other sessions.
const MOST_READ: usize = 60;
/// Files of a snapshot that are shown.
const MOST_FILES: usize = 12;
/// A longer text is not shown.
const MOST_BYTES: usize = 64 * 1024;

/// The snapshots of a session, the latest first. What cannot be read is left out.
pub(super) fn of_session(state: &Path, session: &SessionSummary) -> Vec<SnapshotView> {
    let snapshots = Snapshots::of_project(state, Path::new(&session.project));
    let mut views = Vec::new();
    let mut next: Option<Manifest> = None;
    for id in snapshots.all().into_iter().rev().take(MOST_READ) {
        let Ok(Some(manifest)) = snapshots.read(id) else { continue };
        if manifest.session == session.session.as_str() {
            views.push(view(&snapshots, &manifest, next.as_ref()));
        }
        if views.len() == MOST {
            break;
        }
        // Only a whole tree says what became of every file.
        if manifest.is_tree {
            next = Some(manifest);
        }
    }
    views
}

fn view(snapshots: &Snapshots, manifest: &Manifest, next: Option<&Manifest>) -> SnapshotView {
    let paths = next.map(|next| snapshots.differing(manifest, next)).unwrap_or_default();
    let shown = next.into_iter().flat_map(|next| {
        let differences = paths.iter().take(MOST_FILES);
        differences.map(|path| changed_file(snapshots.difference(path, manifest, next)))
    });
    SnapshotView {
        id: manifest.id.0,
        at: manifest.at,
        before: manifest.cause.clone(),
        changed: shown.collect(),
        more: paths.len().saturating_sub(MOST_FILES),
        left_out: manifest.left_out(),
        is_latest: next.is_none(),
    }
}

fn changed_file(difference: Difference) -> ChangedFileView {
    let Difference { path, before, after } = difference;
    let text = |bytes: Option<Vec<u8>>| {
        let bytes = bytes.filter(|bytes| bytes.len() <= MOST_BYTES && !bytes.contains(&0))?;
        String::from_utf8(bytes).ok()
    };
    let is_secret = holds_secret(flyball_clients::FACTS, &format!("/{path}"));
    let diff = match (text(before), text(after)) {
        _ if is_secret => String::new(),
        (Some(before), Some(after)) => redact(&unified_diff(&before, &after, &path)).into_owned(),
        _ => String::new(),
    };
    ChangedFileView { path, diff }
}
