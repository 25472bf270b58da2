//! How a job is started, and why it could not be.

use std::io::ErrorKind;
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use flyball_core::workshop::{Ending, Inherit, Job, JobResult, Limits};
use flyball_system::CommandExt as _;

use crate::git::MISLEADING;

/// A deadline that is further away than this is none.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// How many jobs run at a time.
pub(super) fn width(limits: Limits) -> usize {
    match limits.at_a_time {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        width => width,
    }
}

/// What is known of a job that printed nothing.
pub(super) fn without_output(ending: Ending) -> JobResult {
    JobResult { ending, stdout: Vec::new(), stderr: Vec::new(), cut: false, took: Duration::ZERO }
}

/// The command of a job.
pub(super) fn command(job: &Job) -> Command {
    let mut command = Command::new(&job.program);
    // A group of its own, so that what it starts can be ended with it.
    command.args(&job.arguments).current_dir(&job.folder).process_group(0);
    for (name, _) in std::env::vars_os() {
        // A name that cannot be compared is not one that anybody asked for.
        if job.inherit != Inherit::All && !name.to_str().is_some_and(|name| job.inherit.includes(name)) {
            command.env_remove(name);
        }
    }
    for name in MISLEADING.into_iter().chain(job.unset.iter().map(String::as_str)) {
        command.env_remove(name);
    }
    let stdin = if job.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
    command.envs(&job.set).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Why a job cannot start, and what to do.
pub(super) fn start_error(job: &Job, cause: &std::io::Error) -> String {
    let (program, folder) = (&job.program, &job.folder);
    // The system reports a missing folder, program or interpreter with the same error.
    if !Path::new(folder).is_dir() {
        return format!("the folder `{folder}` is gone; make it again or run from another");
    }
    match cause.kind() {
        ErrorKind::NotFound if !Path::new(program).exists() => {
            format!("`{program}` is not there; install it or take it out of the configuration")
        }
        ErrorKind::NotFound => {
            format!("`{program}` names an interpreter that is not there; install the program again")
        }
        ErrorKind::PermissionDenied => {
            format!("`{program}` may not be run here; check the permissions of it and of `{folder}`")
        }
        _ => format!("`{program}` cannot be started: {cause}; run it by hand to see why"),
    }
}
