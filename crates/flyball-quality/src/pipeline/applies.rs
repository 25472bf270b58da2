//! Which files a linter is for, whatever the project chose.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use super::globs;
use super::keys::DiskState;
use crate::linter::{Entry, Linter};
use crate::settings::Settings;

/// Whether a linter applies to a file by its path alone: the disk is not read.
#[must_use]
pub fn applies_to_path(linter: &Linter, file: &str, settings: &Settings) -> bool {
    includes(linter, file) && !is_excluded(linter, file, settings)
}

/// Whether a file is one of those that a linter is for.
pub(super) fn includes(linter: &Linter, file: &str) -> bool {
    globs::any(linter.entry.files.as_deref().unwrap_or_default(), file)
}

/// Whether a linter would apply to a file, but `quality.exclude` names it.
#[must_use]
pub fn is_left_out(file: &str, settings: &Settings) -> bool {
    let is_for = |linter: &Linter| globs::any(linter.entry.files.as_deref().unwrap_or_default(), file);
    globs::any(&settings.exclude, file) && settings.linters.iter().any(is_for)
}

/// Whether a file is excluded from a linter.
pub(super) fn is_excluded(linter: &Linter, file: &str, settings: &Settings) -> bool {
    globs::any(&settings.exclude, file) || is_excluded_by(linter, file, settings)
}

/// Whether it is excluded from this linter, and not from all.
pub(super) fn is_excluded_by(linter: &Linter, file: &str, settings: &Settings) -> bool {
    let entry = &linter.entry;
    globs::any(entry.exclude.as_deref().unwrap_or_default(), file)
        || (entry.security == Some(true) && globs::any(&settings.security_exclude, file))
}

/// Whether the files that a linter needs are near a folder, and those of others are not.
pub(super) fn has_files(
    disk: &mut DiskState,
    workshop: &dyn Workshop,
    entry: &Entry,
    folder: &AbsolutePath,
) -> bool {
    let mut near = |names: &[String]| disk.nearest_folder(workshop, names, folder).is_some();
    entry.needs.as_deref().is_none_or(&mut near) && !entry.unless.as_deref().is_some_and(near)
}
