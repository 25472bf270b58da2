//! One note: a small file that is there whole or not at all.

use std::fs;
use std::io::{ErrorKind, Result, Write};
use std::path::Path;

use flyball_files::TempFile;
use flyball_files::make_private_dirs;

pub(super) fn read(place: &Path) -> Result<Option<String>> {
    match fs::read_to_string(place) {
        Ok(text) => Ok(Some(text)),
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(cause),
    }
}

/// Stores a note; an empty text removes it.
pub(super) fn write(place: &Path, text: &str) -> Result<()> {
    if text.is_empty() {
        return match fs::remove_file(place) {
            Err(cause) if cause.kind() != ErrorKind::NotFound => Err(cause),
            Ok(()) | Err(_) => Ok(()),
        };
    }
    let folder = place.parent().unwrap_or(Path::new("/"));
    make_private_dirs(folder)?;
    let beside = TempFile::create(folder, 0o600)?;
    beside.file().write_all(text.as_bytes())?;
    beside.replace_soon(place)
}
