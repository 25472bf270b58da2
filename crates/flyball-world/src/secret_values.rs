//! Reads the values of secret files, so that they are struck out of everything that is stored.
//!
//! The files are read again for each event: that costs less than a cache, and a cache would be one more file with
//! secrets in it.

use std::fs;
use std::path::{Path, PathBuf};

use flyball_core::redact::Values;

use crate::regular_file;

/// A larger file is not one of settings.
const MOST_BYTES: u64 = 128 * 1024;

/// A folder with more files is not looked through to its end.
const MOST_FILES: usize = 4_096;

/// Files in a project's folder, beside those that begin with `.env`.
const IN_PROJECT: &[&str] = &[".netrc", ".npmrc", ".pypirc", ".yarnrc.yml", ".pgpass"];

/// Files below the user's home.
const BELOW_HOME: &[&str] = &[
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".aws/credentials",
    ".git-credentials",
    ".pgpass",
    ".config/gh/hosts.yml",
];

/// Adds the values in the secret files of a project's folder.
pub fn add_folder(values: &mut Values, folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.take(MOST_FILES).flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if is_env_file(name) || IN_PROJECT.contains(&name) {
            add_file(values, &entry.path());
        }
    }
}

/// `.env`, `.env.production` and `.envrc`. Templates are shared, so what they hold is no secret.
fn is_env_file(name: &str) -> bool {
    const SAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults", "schema"];
    name.starts_with(".env") && !SAMPLES.iter().any(|sample| name.ends_with(sample))
}

/// Adds the values in the secret files of the user.
pub fn add_home(values: &mut Values, home: &Path) {
    for file in BELOW_HOME {
        add_file(values, &home.join(file));
    }
}

/// Adds the values in one file; nothing if it is not there or cannot be read.
pub fn add_file(values: &mut Values, path: &Path) {
    let content = regular_file::read(path, MOST_BYTES).ok().flatten();
    let text = content.and_then(|content| String::from_utf8(content).ok());
    if let (Some(text), Some(name)) = (text, path.file_name().and_then(|name| name.to_str())) {
        values.add_file(name, &text);
    }
}

/// Whether there is such a file.
#[must_use]
pub fn is_file(path: &PathBuf) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file())
}
