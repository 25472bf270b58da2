//! Jobs that use more memory than they may.

use std::path::Path;

use flyball_core::workshop::{Ending, Job, JobLimit, Limits, Programs};

use crate::workshop::sample::{LONG_LIMITS, is_alive, machine, pids, ran, script, timeless, wait_for};

const MEGABYTE: u64 = 1024 * 1024;

/// A command that has this many megabytes in memory from then on.
fn takes(megabytes: u64) -> String {
    format!("x=$(head -c {} /dev/zero | tr '\\0' x)", megabytes * MEGABYTE)
}

fn limited(folder: &Path, text: &str, megabytes: u64) -> Job {
    Job { memory: Some(megabytes * MEGABYTE), ..script(folder, text) }
}

fn over(megabytes: u64) -> Ending {
    Ending::OverLimit(JobLimit::Memory(megabytes * MEGABYTE))
}

fn all_gone(folder: &Path, count: usize) {
    let all = pids(&folder.join("pids"));
    assert_eq!(all.len(), count);
    for pid in all {
        wait_for(&format!("the end of {pid}"), || !is_alive(pid));
    }
}

#[test]
fn a_job_that_takes_too_much_memory_is_ended_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let greedy =
        limited(folder.path(), &format!("echo $$ > pids; echo begun; {}; sleep 600", takes(300)), 100);
    let modest = limited(folder.path(), &format!("{}; sleep 1; echo done", takes(10)), 100);
    let ended = machine().run(&[greedy, modest], Limits { at_a_time: 2, ..LONG_LIMITS });
    assert_eq!(timeless(ended), [ran(over(100), b"begun\n", b""), ran(Ending::Exited(0), b"done\n", b"")]);
    all_gone(folder.path(), 1);
}

#[test]
fn what_a_job_starts_counts_together_and_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    // One of them is in a session of its own.
    let child = format!("echo $$ >> pids; {}; sleep 600", takes(60));
    std::fs::write(folder.path().join("child"), child).unwrap();
    let text = "echo $$ >> pids; sh child & sh child & setsid sh child & wait";
    let ended = machine().run(&[limited(folder.path(), text, 120)], LONG_LIMITS);
    assert_eq!(timeless(ended), [ran(over(120), b"", b"")]);
    all_gone(folder.path(), 4);
}

#[cfg(target_os = "linux")]
#[test]
fn what_processes_share_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    // Each of them has the 60 MB of the first, which are there once.
    let text = format!("{}; (sleep 1; :) & (sleep 1; :) & wait; echo done", takes(60));
    let ended = machine().run(&[limited(folder.path(), &text, 150)], LONG_LIMITS);
    assert_eq!(timeless(ended), [ran(Ending::Exited(0), b"done\n", b"")]);
}

#[test]
fn what_a_job_that_is_late_started_elsewhere_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = "echo $$ >> pids; setsid sh -c 'echo $$ >> pids; exec sleep 600' & wait";
    let job = Job { timeout: Some(std::time::Duration::from_millis(1_500)), ..script(folder.path(), text) };
    drop(machine().run(&[job], LONG_LIMITS));
    all_gone(folder.path(), 2);
}
