//! Damage below the state directory, by real processes: `flyball doctor` names it, `--repair` repairs it, and a second
//! `--repair` finds nothing.

#![expect(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and these have helpers")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::support::{self, CLAUDE, Project, run};
use serde_json::Value;

const NOTHING: &str = "repair\n  ✓ the record is not damaged: nothing to repair\n";

/// A project with some events, all of them in the index.
fn project() -> Project {
    let project = support::machine(&[CLAUDE, ("git", "echo 'git version 2.50.0'")]).with("COLUMNS", "400");
    assert_eq!(project.run(&["init", "--yes"]).status, 0);
    for number in 0..4 {
        project.shell(&format!("echo {number}")).assert_silent();
    }
    assert_eq!(project.log().len(), 4);
    project
}

fn sql(project: &Project, script: &str) {
    let program =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()";
    let mut command = Command::new("python3");
    command.args(["-c", program]).arg(project.state().join("flyball.db")).arg(script);
    assert_eq!(run(command, b"").status, 0, "{script}");
}

fn journal(project: &Project) -> PathBuf {
    let mut entries =
        fs::read_dir(project.state().join("sessions")).unwrap().map(|entry| entry.unwrap().path());
    entries.find(|path| path.extension().is_some_and(|it| it == "journal")).unwrap()
}

fn ids(project: &Project) -> BTreeSet<String> {
    let id = |event: &Value| event["id"].as_str().unwrap().to_owned();
    project.log().iter().map(id).collect()
}

/// Doctor says this, and after a repair nothing is left to say.
#[track_caller]
fn named_and_repaired(project: &Project, named: &str) -> String {
    let found = project.run(&["doctor"]);
    assert_eq!(found.status, 1, "{}", found.stdout);
    assert!(found.stdout.contains(named), "{named} is not in {}", found.stdout);
    let repaired = project.run(&["doctor", "--repair"]);
    assert_eq!((repaired.status, repaired.stderr.as_str()), (0, ""), "{}", repaired.stdout);
    assert!(!repaired.stdout.starts_with(NOTHING), "{}", repaired.stdout);
    finds_nothing(project);
    repaired.stdout
}

#[track_caller]
fn finds_nothing(project: &Project) {
    let again = project.run(&["doctor", "--repair"]);
    assert_eq!(again.status, 0, "{}", again.stdout);
    assert!(again.stdout.starts_with(NOTHING), "{}", again.stdout);
}

#[test]
fn a_row_that_is_not_utf_8_stops_no_command() {
    let project = project();
    let before = ids(&project);
    sql(
        &project,
        "UPDATE events SET subject = CAST(X'61ff62' AS TEXT) WHERE id = 2;
         UPDATE records SET record = CAST(CAST(record AS BLOB) || X'ff' AS TEXT) WHERE event = 3;
         UPDATE projects SET path = CAST(X'2fff' AS TEXT);",
    );
    for command in [
        &["log", "--all"][..],
        &["top", "--once"],
        &["report"],
        &["log", "--all", "--json"],
        &["audit", "verify"],
    ] {
        let ran = project.run(command);
        assert!(ran.status < 2, "{command:?}: {} {} {}", ran.status, ran.stdout, ran.stderr);
    }
    named_and_repaired(&project, "3 rows of the index have values that flyball does not write");
    assert_eq!(ids(&project), before);
}

#[test]
fn a_schema_number_that_was_changed_is_no_dead_end() {
    for marker in ["0", "1", "-5"] {
        let project = project();
        let before = ids(&project);
        sql(&project, &format!("PRAGMA user_version = {marker}"));
        let ran = project.run(&["log"]);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("`flyball doctor --repair`"), "{}", ran.stderr);
        named_and_repaired(&project, "flyball.db` is damaged: ");
        assert_eq!(ids(&project), before);
    }
}

#[test]
fn rows_that_were_deleted_come_back() {
    let project = project();
    let before = ids(&project);
    sql(&project, "DELETE FROM events WHERE id IN (1, 3)");
    assert_eq!(project.log().len(), 2);
    named_and_repaired(&project, "2 events that journals have are missing in the index");
    assert_eq!(ids(&project), before);
    assert_eq!(project.run(&["audit", "verify"]).status, 0);
}

#[test]
fn a_session_with_a_damaged_first_line_is_recorded_again() {
    let project = project();
    let path = journal(&project);
    let mut bytes = fs::read(&path).unwrap();
    bytes[0] = 0;
    fs::write(&path, bytes).unwrap();
    project.shell("echo waiting");
    let shown = named_and_repaired(&project, "is damaged: invalid journal header");
    assert!(shown.contains("✓ repaired: ~/.local/state/flyball/sessions/"), "{shown}");
    project.shell("echo after").assert_silent();
    assert_eq!(project.log().len(), 6);
    assert_eq!(project.run(&["audit", "verify"]).status, 0);
}

#[test]
fn a_journal_of_a_newer_version_is_named_and_left_alone() {
    let project = project();
    let path = journal(&project);
    let text = fs::read_to_string(&path).unwrap().replacen("flyball-journal 2", "flyball-journal 9", 1);
    fs::write(&path, &text).unwrap();
    project.shell("echo waiting");
    let found = project.run(&["doctor"]);
    assert!(found.stdout.contains("was written by a newer flyball (journal format 9"), "{}", found.stdout);
    assert!(found.stdout.contains("1 event waits beside a journal that cannot be used"), "{}", found.stdout);
    let repaired = project.run(&["doctor", "--repair"]);
    assert!(repaired.stdout.starts_with(NOTHING), "{}", repaired.stdout);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn damaged_notes_and_ledgers_are_moved_aside() {
    let project = project();
    let folder = project.state().join("projects/0123/notes/ab");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("word"), "told").unwrap();
    fs::write(folder.join("number"), "1790000000000").unwrap();
    fs::write(folder.join("broken"), b"{\"a\": \xff").unwrap();
    fs::write(folder.join("cut"), "{\"a\": ").unwrap();
    fs::create_dir_all(project.state().join("approvals")).unwrap();
    fs::write(project.state().join("approvals/x.json"), "").unwrap();
    let shown = named_and_repaired(&project, "notes/ab/broken is damaged: it is not valid UTF-8");
    assert_eq!(shown.matches("moved aside").count(), 3, "{shown}");
    let left: BTreeSet<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(Vec::from_iter(left), ["broken.damaged-1", "cut.damaged-1", "number", "word"]);
}

#[test]
fn drafts_of_processes_that_were_killed_are_deleted() {
    let project = project();
    let (old, young) =
        (project.state().join("cache/.flyball-1-0.tmp"), project.state().join(".flyball-2-0.tmp"));
    fs::create_dir_all(project.state().join("cache")).unwrap();
    for path in [&old, &young] {
        fs::write(path, "half").unwrap();
    }
    let day = SystemTime::now() - Duration::from_secs(24 * 60 * 60);
    fs::File::options().write(true).open(&old).unwrap().set_modified(day).unwrap();
    named_and_repaired(&project, "1 draft of processes that were killed was left behind");
    assert_eq!((old.exists(), young.exists()), (false, true), "a process may still write the young one");
}

/// The limit of a file's size simulates a full disk. The signal is ignored, so that the write fails instead.
#[test]
fn a_full_disk_is_named() {
    let project = project();
    let doctor = project.command(&["doctor"]);
    let mut limited = Command::new("/bin/sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" doctor"]).arg(doctor.get_program());
    limited.current_dir(project.root()).env_clear();
    limited.envs(doctor.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = run(limited, b"");
    assert_eq!(ran.status, 1, "{} {}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("cannot be written: File too large"), "{} {}", ran.stdout, ran.stderr);
    assert!(
        !fs::read_dir(project.state())
            .unwrap()
            .any(|entry| { entry.unwrap().file_name().to_string_lossy().starts_with(".doctor-") })
    );
}

fn contents(folder: &Path, all: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            contents(&path, all);
        } else if path.is_file() {
            all.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    all.sort();
}

/// Runs the program with its state directory mounted read-only, where a process may do that.
fn run_read_only(project: &Project, arguments: &[&str]) -> support::ProcessResult {
    let own = project.command(arguments);
    let mut mounted = Command::new("unshare");
    let script = "s=$1; shift; mount --bind \"$s\" \"$s\" && mount -o remount,ro,bind \"$s\" && exec \"$@\"";
    mounted.args(["-rm", "/bin/sh", "-c", script, "sh"]).arg(project.state()).arg(own.get_program());
    mounted.args(arguments).current_dir(project.root()).env_clear();
    mounted.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
    mounted.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    run(mounted, b"")
}

#[test]
fn a_read_only_copy_is_listed_and_verified() {
    let project = project();
    project.shell("echo not in the index yet").assert_silent();
    let can_mount = Command::new("unshare")
        .args(["-rm", "mount", "--bind", "/tmp", "/tmp"])
        .output()
        .is_ok_and(|ran| ran.status.success());
    if !can_mount {
        // A lock that leads to where nobody can write stands for a read-only disk.
        fs::remove_file(project.state().join("fold.lock")).unwrap();
        std::os::unix::fs::symlink("/sys/flyball", project.state().join("fold.lock")).unwrap();
    }
    let go = |arguments: &[&str]| {
        if can_mount { run_read_only(&project, arguments) } else { project.run(arguments) }
    };
    let mut before = Vec::new();
    contents(&project.state(), &mut before);
    let log = go(&["log", "--all", "--json"]);
    assert_eq!((log.status, log.stdout.lines().count()), (0, 5), "{}", log.stderr);
    let audit = go(&["audit", "verify"]);
    assert_eq!(audit.status, 0, "{} {}", audit.stdout, audit.stderr);
    let doctor = go(&["doctor"]);
    assert!(doctor.stdout.contains("✓ index: "), "{} {}", doctor.stdout, doctor.stderr);
    let mut after = Vec::new();
    contents(&project.state(), &mut after);
    assert!(before == after || !can_mount, "something was changed");
}

/// One byte of each file of the record, at several places.
#[test]
fn bytes_that_changed_on_the_disk_are_repaired() {
    for number in 0..10_usize {
        let project = project();
        let before = ids(&project);
        let path = if number % 2 == 0 { project.state().join("flyball.db") } else { journal(&project) };
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes.len() * number / 10 + 3;
        bytes[at] ^= 0x55;
        fs::write(&path, bytes).unwrap();
        let found = project.run(&["doctor"]);
        assert!(found.status < 2, "{number}: {}", found.stderr);
        let repaired = project.run(&["doctor", "--repair"]);
        assert_eq!(repaired.status, 0, "{number} at {at} of {}: {}", path.display(), repaired.stdout);
        finds_nothing(&project);
        assert_eq!(ids(&project), before, "{number} at {at} of {}", path.display());
    }
}
