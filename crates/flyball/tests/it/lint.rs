//! `flyball lint` as a real process, with the real linters.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot be set up has failed, with a reason"
)]

mod failures;
mod git;
mod interrupted;
mod many;
mod options;
mod pages;
mod skipped;
mod unchosen;

use crate::support::{ProcessResult, Project, linters, search_path};

/// A project whose search path begins with the pinned linters, and which chose none of them.
fn bare_project() -> Project {
    Project::new().with("PATH", &search_path(&[linters()]))
}

/// The same, where ruff, shellcheck and yamllint are chosen.
fn project() -> Project {
    let project = bare_project();
    project.file("ruff.toml", "line-length = 88\n").file(".shellcheckrc", "");
    project.file(".yamllint", "extends: default\n");
    project
}

/// Python with one finding of one linter, and formatted.
const UNUSED: &str = "def answer() -> int:\n    unused = 1\n    return 42\n";
/// Python without findings.
const FINE: &str = "def answer() -> int:\n    return 42\n";
/// The same, not formatted.
const CROOKED: &str = "def answer( ) -> int:\n  return 42\n";

/// Status, standard output with the time left out, and standard error.
fn shown(ran: &ProcessResult) -> (i32, String, &str) {
    (ran.status, ran.stdout.lines().map(timeless).collect::<Vec<_>>().join("\n"), ran.stderr.as_str())
}

/// The line of numbers without the time it took.
fn timeless(line: &str) -> String {
    let parts = line.split(" · ").map(|part| {
        let is_time = part.ends_with(" s") || part.ends_with(" ms") || part.ends_with(" µs");
        match part.rsplit_once(", ") {
            Some((looked, _)) if is_time => format!("{looked}, TIME"),
            Some(_) | None => part.to_owned(),
        }
    });
    parts.collect::<Vec<_>>().join(" · ")
}
