//! When the linters of the whole project run: they are slow, so once after several edited files
//! and again at the end.

use flyball_quality::linter::Linter;
use flyball_quality::pipeline::applies_to_path;
use flyball_quality::settings::Settings;

use super::memory::Session;
use crate::digest::digest;
use crate::stamp::Stamp;

/// Whether a linter of the whole project is for a file.
fn applies(settings: &Settings, name: &str) -> bool {
    let of_the_project = |linter: &&Linter| linter.entry.checks_project();
    settings.linters.iter().filter(of_the_project).any(|linter| applies_to_path(linter, name, settings))
}

/// Whether they run after an edit: once in a session, when it has edited enough files.
pub(super) fn is_due_after<'n>(
    settings: &Settings,
    session: &Session,
    names: impl Iterator<Item = &'n str>,
) -> bool {
    let enough = settings.project.after_files;
    enough > 0 && session.project.is_none() && names.filter(|name| applies(settings, name)).count() >= enough
}

/// Whether they run at the end: if files changed since they ran, or if something is left that
/// blocks.
pub(super) fn is_due_at_stop(settings: &Settings, session: &Session, state: Option<u64>) -> bool {
    let is_stale = match (&session.project, state) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(seen), Some(state)) => {
            seen.state != state || seen.has_errors || (settings.project.blocking && !seen.open.is_empty())
        }
    };
    settings.project.at_stop && is_stale
}

/// The edited files that they are for, in one number that changes when one of them does. `None`
/// if there are none.
pub(super) fn state<'n>(settings: &Settings, files: impl Iterator<Item = (&'n str, Stamp)>) -> Option<u64> {
    let stamped: Vec<String> = files
        .filter(|(name, _)| applies(settings, name))
        .map(|(name, (nanos, inode, bytes))| format!("{name} {nanos} {inode} {bytes}"))
        .collect();
    (!stamped.is_empty()).then(|| digest(stamped.iter().map(String::as_str)))
}
