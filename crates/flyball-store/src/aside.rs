//! Damaged files are renamed, not deleted.

use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// A path with something appended to its last name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Renames a damaged file and returns its new path. `None` if there is no such file.
pub(crate) fn move_aside(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    if !path.exists() {
        return Ok(None);
    }
    let aside = free_name(path);
    std::fs::rename(path, &aside).map_err(|error| StoreError::io(path, error))?;
    Ok(Some(aside))
}

/// Copies a damaged file to a new name, before another one takes its place.
pub(crate) fn copy_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = free_name(path);
    std::fs::copy(path, &aside).map_err(|error| StoreError::io(&aside, error))?;
    Ok(aside)
}

fn free_name(path: &Path) -> PathBuf {
    // Each damaged file gets a name of its own: a second repair must not overwrite what the first one saved.
    let free =
        (1..).map(|number| with_suffix(path, &format!(".damaged-{number}"))).find(|name| !name.exists());
    free.unwrap_or_else(|| with_suffix(path, ".damaged"))
}
