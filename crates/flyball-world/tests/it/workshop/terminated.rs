//! A process that is terminated while its jobs run: this test program again, controlled by
//! environment variables.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use flyball_core::workshop::Programs;
use flyball_world::scratch;

use crate::workshop::sample::{LONG_LIMITS, is_alive, machine, pids, script, wait_for};

const FOLDER: &str = "FLYBALL_TEST_FOLDER";
const THEN: &str = "FLYBALL_TEST_THEN";
/// Waits without jobs, as a command that has folders to remove.
const WATCH: &str = "watch";

/// What the other process does; nothing in this one.
#[test]
fn entry() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let then = std::env::var(THEN).ok();
    let scratch_in = |name: &str| scratch::make(&folder.join(name), &[("a", b"")]).unwrap();
    let _folders = (scratch_in("scratch"), scratch_in("scratch"));
    if then.as_deref() == Some(WATCH) {
        scratch::clean_up_on_signal();
    }
    if then.is_some() {
        // Two calls, so that the second finds what the first left of its listening.
        for _ in 0..2 {
            drop(machine().run(&[script(folder, "true")], LONG_LIMITS));
        }
        std::fs::write(folder.join("pids"), std::process::id().to_string()).unwrap();
        loop {
            std::thread::park();
        }
    }
    drop(machine().run(&[script(folder, "true")], LONG_LIMITS));
    let family = "sleep 600 & echo $! >> pids; echo $$ >> pids; wait";
    drop(machine().run(&[script(folder, family), script(folder, family)], LONG_LIMITS));
    std::fs::write(folder.join("went-on"), "").unwrap();
}

fn start(folder: &Path, then: Option<&str>) -> Child {
    start_below(Command::new(std::env::current_exe().unwrap()), folder, then)
}

/// The same, below a command that ends in the name of this program.
fn start_below(mut command: Command, folder: &Path, then: Option<&str>) -> Child {
    // A test is named by its path without the crate.
    let (_, module) = module_path!().split_once("::").unwrap();
    let entry = format!("{module}::entry");
    command.args(["--exact", &entry, "--nocapture", "--test-threads=1"]).env(FOLDER, folder);
    command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    if let Some(then) = then {
        command.env(THEN, then);
    }
    command.spawn().unwrap()
}

/// How many scratch folders are there.
fn left(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("scratch")).unwrap().count()
}

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn defect_27_its_jobs_end_first_and_no_other_process_does() {
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        let folder = tempfile::tempdir().unwrap();
        let mut other = Command::new("sleep").arg("600").spawn().unwrap();
        let mut child = start(folder.path(), None);
        let at_a_time = std::thread::available_parallelism().unwrap().get().min(2);
        let file = folder.path().join("pids");
        // A member of the same group as the process that is terminated: group 0, as it sees it.
        let group = i32::try_from(child.id()).unwrap();
        let mut member = Command::new("sleep").arg("600").process_group(group).spawn().unwrap();
        let complete = || std::fs::read_to_string(&file).unwrap_or_default().matches('\n').count();
        wait_for("the start of its jobs", || complete() == 2 * at_a_time);
        send(&child, signal);
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        for pid in pids(&file) {
            wait_for(&format!("the end of {pid}"), || !is_alive(pid));
        }
        assert!(!folder.path().join("went-on").exists());
        assert_eq!(left(folder.path()), 0, "{signal}");
        assert!(is_alive(other.id()) && is_alive(member.id()), "{signal}");
        for bystander in [&mut other, &mut member] {
            bystander.kill().unwrap();
            bystander.wait().unwrap();
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_its_parent_had_ignored_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let mut deaf = Command::new("sh");
    deaf.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    let mut child = start_below(deaf, folder.path(), None);
    wait_for("the start of its jobs", || pids(&folder.path().join("pids")).len() >= 2);
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    assert_eq!(u64::from_str_radix(ignored.trim(), 16).unwrap() & 1, 1, "{status}");
    send(&child, "-HUP");
    send(&child, "-TERM");
    assert_eq!(child.wait().unwrap().signal(), Some(15));
}

#[test]
fn when_no_job_runs_a_signal_does_what_it_always_did() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), Some("park"));
    wait_for("the end of its jobs", || !pids(&folder.path().join("pids")).is_empty());
    send(&child, "-TERM");
    assert_eq!(child.wait().unwrap().signal(), Some(15));
}

#[test]
fn a_command_that_cleans_up_leaves_no_scratch_folders_even_when_no_job_runs() {
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start(folder.path(), Some(WATCH));
        wait_for("the end of its jobs", || !pids(&folder.path().join("pids")).is_empty());
        assert_eq!(left(folder.path()), 2);
        send(&child, signal);
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(left(folder.path()), 0, "{signal}");
    }
}
