//! Processes and users.

use std::io::Error;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process, test_kill_process};

/// Whether a process with this number runs, whoever's it is.
#[must_use]
pub fn is_alive(process: u32) -> bool {
    let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return false };
    // One that may not be signalled is there as well.
    !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Becomes another program; returns only if that fails.
pub fn exec(command: &mut Command) -> Error {
    command.exec()
}

/// Ends this process as Ctrl-C does.
pub fn interrupt_self() {
    // If it fails there is no other way.
    kill_process(rustix::process::getpid(), Signal::INT).ok();
}

/// The number of the user that this process was started by.
#[must_use]
pub fn real_user() -> Option<u32> {
    Some(rustix::process::getuid().as_raw())
}

/// The number of the user whose rights this process has.
#[must_use]
pub fn effective_user() -> Option<u32> {
    Some(rustix::process::geteuid().as_raw())
}

#[must_use]
pub fn page_size() -> u64 {
    u64::try_from(rustix::param::page_size()).unwrap_or(4096)
}

/// Whether files may not grow beyond a size (`ulimit -f`).
#[must_use]
pub fn has_limit_of_file_size() -> bool {
    getrlimit(Resource::Fsize).current.is_some()
}

/// Whether the process may not run longer than a time (`ulimit -t`).
#[must_use]
pub fn has_limit_of_time() -> bool {
    getrlimit(Resource::Cpu).current.is_some()
}
