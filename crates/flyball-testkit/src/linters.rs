//! The pinned linters that `scripts/tools linters` installs.

use std::path::PathBuf;

/// The folder of the pinned linters' programs.
pub fn linters() -> PathBuf {
    let folder = std::env::var_os("FLYBALL_LINTERS_DIR")
        .expect("FLYBALL_LINTERS_DIR is not set: run `export FLYBALL_LINTERS_DIR=$(scripts/tools linters)`");
    PathBuf::from(folder).join("bin")
}

/// A search path that begins with these folders.
pub fn search_path(first: &[PathBuf]) -> String {
    let own = std::env::var_os("PATH").unwrap_or_default();
    let all = first.iter().cloned().chain(std::env::split_paths(&own));
    std::env::join_paths(all).unwrap().into_string().unwrap()
}
