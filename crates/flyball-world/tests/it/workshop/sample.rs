//! A machine, and jobs for it.

use std::path::Path;
use std::time::{Duration, Instant};

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits};
use flyball_world::machine::Machine;

/// Longer than anything here takes, unless something hangs that must not.
pub(crate) const LONG_LIMITS: Limits =
    Limits { timeout: Duration::from_mins(1), at_a_time: 0, output_bytes: 1024 * 1024 };

pub(crate) fn machine() -> Machine {
    Machine::new(Instant::now(), None, Path::new("/"), Vec::new(), &[])
}

/// A job that runs a script in a folder.
pub(crate) fn script(folder: &Path, text: &str) -> Job {
    Job {
        program: AbsolutePath::from_root("/bin/sh"),
        arguments: vec!["-c".to_owned(), text.to_owned()],
        folder: AbsolutePath::new(folder.to_str().unwrap()).unwrap(),
        ..Job::default()
    }
}

/// The result of a job that printed this and ended so; how long it took is not compared.
pub(crate) fn ran(ending: Ending, stdout: &[u8], stderr: &[u8]) -> JobResult {
    JobResult { ending, stdout: stdout.to_vec(), stderr: stderr.to_vec(), cut: false, took: Duration::ZERO }
}

pub(crate) fn timeless(all: Vec<JobResult>) -> Vec<JobResult> {
    all.into_iter().map(|ran| JobResult { took: Duration::ZERO, ..ran }).collect()
}

/// The process ids that jobs wrote into a file, one per line.
pub(crate) fn pids(file: &Path) -> Vec<u32> {
    std::fs::read_to_string(file).unwrap_or_default().lines().map(|line| line.parse().unwrap()).collect()
}

/// Whether a process exists and is not a zombie.
pub(crate) fn is_alive(pid: u32) -> bool {
    let state = |text: String| text.rsplit(") ").next().and_then(|rest| rest.chars().next());
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok().and_then(state);
    status.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Waits until something is so that another process does.
pub(crate) fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed().as_secs() < 60, "{what} never came true");
        std::thread::yield_now();
    }
}
