//! Stores the last good text of each config file, for use while the file is broken.
//!
//! The text and not what was compiled of it: so it also serves the next version of flyball, and
//! takes effect together with the present text of the other files.

use std::fs;
use std::path::{Path, PathBuf};

use super::cache::{fingerprint, replace};

/// The folder of the last good texts.
pub(super) struct LastGood<'a> {
    pub(super) folder: &'a Path,
}

impl LastGood<'_> {
    /// The last good text of a file.
    pub(super) fn text(&self, file: &Path) -> Option<String> {
        let stored = fs::read_to_string(self.path(file)).ok()?;
        Some(stored.strip_prefix(&header(file))?.to_owned())
    }

    /// Stores a text as the last good one of a file.
    pub(super) fn store(&self, file: &Path, text: &str) -> std::io::Result<()> {
        if self.text(file).as_deref() == Some(text) {
            return Ok(());
        }
        replace(&self.path(file), (header(file) + text).as_bytes())
    }

    fn path(&self, file: &Path) -> PathBuf {
        self.folder
            .join(format!("config-{:016x}.last-good.toml", fingerprint(file.as_os_str().as_encoded_bytes())))
    }
}

/// Names the file, so that another one whose path happens to have the same fingerprint, or was
/// made to have it, is not taken for it.
fn header(file: &Path) -> String {
    format!("# the last good text of {}\n", file.display().to_string().escape_debug())
}
