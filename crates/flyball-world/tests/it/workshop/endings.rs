//! Jobs that do not end by themselves, and what they leave behind.

use std::path::Path;
use std::time::Duration;

use flyball_core::workshop::{Ending, Job, JobLimit, Limits, Programs};

use crate::workshop::sample::{LONG_LIMITS, is_alive, machine, pids, ran, script, timeless, wait_for};

/// A script that writes its own process id and that of a child of its own.
const FAMILY: &str = "sleep 600 & echo $! >> pids; echo $$ >> pids; ";

fn over_time(millis: u64) -> Ending {
    Ending::OverLimit(JobLimit::Time(Duration::from_millis(millis)))
}

fn all_gone(folder: &Path) {
    for pid in pids(&folder.join("pids")) {
        wait_for(&format!("the end of {pid}"), || !is_alive(pid));
    }
}

#[test]
fn a_job_that_hangs_is_stopped_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let hangs = script(folder.path(), &format!("echo begun; {FAMILY} wait"));
    let stubborn = script(folder.path(), &format!("trap '' TERM; {FAMILY} while :; do sleep 600; done"));
    let ended = machine().run(
        &[hangs, stubborn],
        Limits { timeout: Duration::from_millis(1_500), at_a_time: 2, ..LONG_LIMITS },
    );
    assert_eq!(timeless(ended), [ran(Ending::TimedOut, b"begun\n", b""), ran(Ending::TimedOut, b"", b"")]);
    assert_eq!(pids(&folder.path().join("pids")).len(), 4);
    all_gone(folder.path());
}

#[test]
fn a_job_may_clean_up_when_its_time_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let tidy = "exec 2>/dev/null; trap 'echo tidied; exit 0' TERM; echo begun; while :; do sleep 0.01; done";
    let job = Job { timeout: Some(Duration::from_millis(1_500)), ..script(folder.path(), tidy) };
    assert_eq!(
        timeless(machine().run(&[job], LONG_LIMITS)),
        [ran(over_time(1_500), b"begun\ntidied\n", b"")]
    );
}

#[test]
fn its_own_time_ends_one_job_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let hangs = Job { timeout: Some(Duration::from_millis(50)), ..script(folder.path(), "sleep 600") };
    let works = script(folder.path(), "sleep 0.3; echo done");
    let ended = machine().run(&[hangs, works], Limits { at_a_time: 2, ..LONG_LIMITS });
    assert_eq!(timeless(ended), [ran(over_time(50), b"", b""), ran(Ending::Exited(0), b"done\n", b"")]);
}

#[test]
fn jobs_whose_turn_never_came_are_late_and_did_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = [script(folder.path(), "sleep 600"), script(folder.path(), "touch ran")];
    let ended =
        machine().run(&jobs, Limits { timeout: Duration::from_millis(200), at_a_time: 1, ..LONG_LIMITS });
    assert_eq!(timeless(ended), [ran(Ending::TimedOut, b"", b""), ran(Ending::TimedOut, b"", b"")]);
    assert!(!folder.path().join("ran").exists());
    let none = machine().run(&jobs[1..], Limits { timeout: Duration::ZERO, ..LONG_LIMITS });
    assert_eq!(none, [ran(Ending::TimedOut, b"", b"")]);
}

#[test]
fn what_a_job_leaves_running_in_its_group_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let job = script(folder.path(), &format!("{FAMILY} echo done"));
    assert_eq!(timeless(machine().run(&[job], LONG_LIMITS)), [ran(Ending::Exited(0), b"done\n", b"")]);
    all_gone(folder.path());
}

#[test]
fn a_daemon_that_holds_the_output_open_is_not_waited_for_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    // In a session of its own: it means to stay. It ends when its file is taken away.
    let daemon = "echo $$ > daemon; while [ -e daemon ]; do sleep 0.01; done";
    let text = format!("setsid sh -c '{daemon}' & while [ ! -s daemon ]; do :; done; echo done");
    let ended = timeless(machine().run(&[script(folder.path(), &text)], LONG_LIMITS));
    let pid = pids(&folder.path().join("daemon"))[0];
    assert!(is_alive(pid));
    std::fs::remove_file(folder.path().join("daemon")).unwrap();
    assert_eq!(ended, [ran(Ending::Exited(0), b"done\n", b"")]);
    wait_for("the end of the daemon", || !is_alive(pid));
}

#[test]
fn a_job_that_closes_its_outputs_is_still_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let job = script(folder.path(), "exec >&- 2>&-; sleep 0.2; touch finished; exit 4");
    assert_eq!(timeless(machine().run(&[job], LONG_LIMITS)), [ran(Ending::Exited(4), b"", b"")]);
    assert!(folder.path().join("finished").exists());
}

#[test]
fn no_zombie_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let late = Job {
        timeout: Some(Duration::from_millis(1_500)),
        ..script(folder.path(), "echo $$ >> pids; sleep 600")
    };
    let jobs = [script(folder.path(), "echo $$ >> pids"), late];
    drop(machine().run(&jobs, LONG_LIMITS));
    let written = pids(&folder.path().join("pids"));
    let left: Vec<&u32> = written.iter().filter(|pid| Path::new(&format!("/proc/{pid}")).exists()).collect();
    assert_eq!((written.len(), left), (2, Vec::new()));
}
