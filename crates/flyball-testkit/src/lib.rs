//! What the tests of all crates share: scratch projects, a pinned world, process drivers, an HTTP client, samples.
//!
//! Only ever a dev-dependency. A sample or driver that a second test file needs belongs here; what only one subject
//! needs stays beside its tests. Unit tests of a crate that this one depends on cannot use its types from here: the
//! compiler would see two versions of them.

#![forbid(unsafe_code)]

mod denial;
pub mod http;
mod job;
mod linters;
mod process;
mod project;
mod sample;
mod terminal;
mod world;

pub use denial::denial_problems;
pub use job::run_job;
pub use linters::{linters, search_path};
pub use process::{ProcessResult, run};
pub use project::{Project, commit, git, mask_folder, unique};
pub use sample::{NOW, record, ruling};
pub use terminal::{PromptKind, TerminalUser};
pub use world::{ClosedWorkshop, PinnedWorld, TRANSCRIPT};

use std::path::PathBuf;
use std::process::Command;

/// The program that is tested. Tests of the workspace have built it; where only another crate is tested it may have to
/// be built first.
///
/// # Panics
/// When it cannot be built.
pub fn program() -> PathBuf {
    let own = std::env::current_exe().expect("a test has a path");
    // A test is `target/TRIPLE/debug/deps/it-HASH`.
    let folder = own.parent().and_then(|deps| deps.parent()).expect("a test is in `deps`");
    let program = folder.join("flyball");
    if !program.is_file() {
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let built = build.args(["build", "--quiet", "--package", "flyball"]).status();
        assert!(built.is_ok_and(|status| status.success()), "flyball cannot be built");
    }
    program
}
