//! Every destructive line of the guard's tables, run for real and then undone.
//!
//! They run in a sandbox that has nothing of the machine but its programs, to read. That it holds is tested first, and
//! without that no line runs.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "test code"
)]

mod sandbox;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use self::sandbox::{HOME, PROJECT, Ran, Sandbox, Tree};
use crate::command_table::{Row, rows, unescaped};

/// Lines that are not run, each with its reason: `reason :: line`, written as in its table.
const SKIPPED: &str = include_str!("skipped.txt");
/// Lines that delete the copies as well: all of the home goes, and the state directory is in it.
const TAKES_COPIES: &str = include_str!("takes_copies.txt");
/// Longer than any harm takes; what waits for a network or a terminal is ended.
const SECONDS: u32 = 6;

/// The sandbox; `None`, and said so, where the machine allows none. Then nothing is run.
fn sandbox() -> Option<Sandbox> {
    match Sandbox::enter() {
        Ok(sandbox) => Some(sandbox),
        Err(why) => {
            eprintln!("NOT TESTED: no sandbox can be made here, so no destructive line was run: {why}");
            None
        }
    }
}

/// What must not work in it. Each line is harmless where it does.
const PROBES: [(&str, &str); 16] = [
    ("programs cannot be changed", "touch /usr/bin/probe"),
    ("nor settings", "touch /etc/probe"),
    ("nor the root", "touch /probe"),
    ("nor flyball", "touch -c /opt/flyball/flyball"),
    ("the machine's homes are not there", "test -e /root -o -e /home/user -o -e /mnt -o -e /media"),
    (
        "nor its disks",
        "ls /dev/vda /dev/sda /dev/nvme0n1 /dev/mapper /dev/mem /dev/kmsg 2> /dev/null | grep .",
    ),
    ("nor its kernel", "ls /sys | grep ."),
    ("nor its keys", "test -w /proc/sysrq-trigger && ! test /proc/sysrq-trigger -ef /dev/null"),
    ("nor its settings of the kernel", "echo 1 > /proc/sys/kernel/printk_ratelimit"),
    (
        "the first process cannot be looked into",
        "ls /proc/1/cwd/ || readlink /proc/1/fd/0 || cat /proc/1/environ",
    ),
    ("there are no other processes", "test $(ls /proc | grep -c '^[0-9]') -gt 8"),
    ("there is no network", "grep -v '^ *lo:\\|^Inter\\|^ face' /proc/net/dev"),
    ("nothing can be mounted", "mount -t tmpfs none /tmp"),
    ("or unmounted", "umount /proc || umount ~ || umount /usr"),
    (
        "or made writable",
        "mount -o remount,rw /usr || mount -o remount,bind,rw /usr || mount -o remount,rw /",
    ),
    ("no capability is left", "grep '^Cap' /proc/self/status | grep -v ' *0000000000000000$' | grep ."),
];

/// Whether the sandbox is what it should be; the reason if not.
fn is_tight(sandbox: &mut Sandbox) -> Result<(), String> {
    for (what, line) in PROBES {
        let Ran { status, stdout, stderr } = sandbox.shell(HOME, line, SECONDS);
        if status == 0 {
            return Err(format!("{what}: `{line}` worked: {stdout}{stderr}"));
        }
    }
    let users = sandbox.run("/", &["cat", "/proc/self/uid_map"]).stdout;
    let words: Vec<&str> = users.split_whitespace().collect();
    if words.get(1) == Some(&"0") || words.get(2) != Some(&"1") {
        return Err(format!("the sandbox has the users of the machine: {users}"));
    }
    let mounts = sandbox.run("/", &["cat", "/proc/self/mountinfo"]).stdout;
    for line in mounts.lines() {
        let place = line.split(' ').nth(4).unwrap_or_default();
        let options = line.split(' ').nth(5).unwrap_or_default();
        let is_own = [HOME, "/tmp", "/dev"].contains(&place) || place.starts_with("/dev/");
        if !is_own && !options.split(',').any(|it| it == "ro") {
            return Err(format!("{place} can be written: {line}"));
        }
    }
    Ok(())
}

#[test]
fn the_sandbox_holds() {
    let Some(mut sandbox) = sandbox() else { return };
    assert_eq!(is_tight(&mut sandbox), Ok(()));
    // What belongs to a line works.
    assert_eq!(sandbox.shell(HOME, "touch a && test -f a && echo x > /dev/null", SECONDS).status, 0);
    // A line that does not end does.
    assert_eq!(sandbox.shell(HOME, "sleep 60 & sleep 60", 1).status, -9);
}

/// What became of a project by a line and by `flyball undo`.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// The line changed no file of it.
    Untouched,
    CameBack,
    TookCopies,
    /// Something is not as it was.
    Lost(String),
}

/// The lines of a file without its comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn is_skipped(line: &str) -> bool {
    lines(SKIPPED).filter_map(|skipped| skipped.split_once(" :: ")).any(|(_, it)| unescaped(it) == line)
}

/// The files that git does not ignore.
fn project_tree(sandbox: &mut Sandbox) -> Tree {
    let mut tree = sandbox.tree(PROJECT, &[".git", "ignored"]);
    tree.retain(|path, _| !path.ends_with(".log"));
    tree
}

/// Branches and the stash, and their commits.
fn refs(sandbox: &mut Sandbox) -> BTreeMap<String, String> {
    let words = ["git", "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/stash"];
    let listed = sandbox.run(PROJECT, &words).stdout;
    let named = listed.lines().filter_map(|line| line.split_once(' '));
    named.map(|(name, commit)| (name.to_owned(), commit.to_owned())).collect()
}

/// The commits that had a name and are not found by it any more.
fn lost_commits(sandbox: &mut Sandbox, before: &BTreeMap<String, String>) -> Vec<String> {
    let now = refs(sandbox);
    let is_lost = |(name, commit): &(&String, &String)| {
        let words = |now| ["git", "merge-base", "--is-ancestor", *commit, now];
        now.get(*name).is_none_or(|now| sandbox.run(PROJECT, &words(now)).status != 0)
    };
    before.iter().filter(is_lost).map(|(_, commit)| commit.clone()).collect()
}

fn has_copies(sandbox: &mut Sandbox) -> bool {
    sandbox.run("/", &["ls", &format!("{HOME}/.local/state/flyball/snapshots/contents")]).status == 0
}

/// Runs a line of a table in a project of its own, and undoes it.
fn fate(row: &Row) -> Fate {
    let mut sandbox = Sandbox::enter().unwrap();
    let made = sandbox.run(HOME, &["bash", "-c", include_str!("world.sh"), "world", row.world]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    let line = row.command.replace("{project}", PROJECT);
    let (before, refs_before) = (project_tree(&mut sandbox), refs(&mut sandbox));
    let payload = json!({
        "session_id": "00000000-0000-4000-8000-000000000001", "transcript_path": format!("{HOME}/transcript.jsonl"),
        "cwd": PROJECT, "hook_event_name": "PreToolUse", "permission_mode": "default",
        "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": "toolu_1",
    });
    // Whatever it answers: a person may say yes.
    let answer = sandbox.hook(PROJECT, "PreToolUse", &payload);
    assert_eq!(answer.status, 0, "{}", answer.stderr);
    let had_copies = has_copies(&mut sandbox);
    sandbox.shell(PROJECT, &line, SECONDS);
    sandbox.run("/", &["mkdir", "-p", PROJECT]);
    let lost_commits = lost_commits(&mut sandbox, &refs_before);
    if project_tree(&mut sandbox) == before && lost_commits.is_empty() {
        return Fate::Untouched;
    }
    if had_copies && !has_copies(&mut sandbox) {
        return Fate::TookCopies;
    }
    let undone = sandbox.typed(PROJECT, "flyball undo");
    let after = project_tree(&mut sandbox);
    let differing = differing(&before, &after);
    if !differing.is_empty() {
        return Fate::Lost(format!("{differing:?}: {}{}", undone.stdout, undone.stderr));
    }
    // Commits do not come back by themselves, but it is said where they were.
    match lost_commits.iter().find(|commit| !undone.stdout.contains(&commit[..10])) {
        Some(unsaid) => Fate::Lost(format!("{unsaid} is not named: {}{}", undone.stdout, undone.stderr)),
        None => Fate::CameBack,
    }
}

/// The paths that differ.
fn differing<'a>(before: &'a Tree, after: &'a Tree) -> Vec<&'a String> {
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    all.into_iter().filter(|path| before.get(*path) != after.get(*path)).collect()
}

/// Runs the lines of a table that are stopped, each in a sandbox of its own, and compares what became of the projects with
/// what is promised: how many were harmed and came back.
fn run_table(name: &str, table: &'static str, promised: usize) {
    let Some(mut first) = sandbox() else { return };
    if let Err(leak) = is_tight(&mut first) {
        panic!("the sandbox does not hold, so nothing was run: {leak}");
    }
    let rows: Vec<Row> = rows(table).into_iter().filter(|row| !is_skipped(&row.command)).collect();
    let rows: Vec<&Row> = rows.iter().filter(|row| row.expected == "stop").collect();
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fate = fate(row);
                    fates.lock().unwrap().push((*row, fate));
                }
            });
        }
    });
    let fates = fates.into_inner().unwrap();
    let with = |wanted: fn(&Fate) -> bool| {
        let found = fates.iter().filter(move |(_, fate)| wanted(fate));
        found.map(|(row, fate)| format!("[{}] {}: {fate:?}", row.world, row.command)).collect::<Vec<String>>()
    };
    let lost = with(|fate| matches!(fate, Fate::Lost(_)));
    let back = with(|fate| *fate == Fate::CameBack);
    eprintln!("{name}: of {} lines {} harmed the project and were undone", rows.len(), back.len());
    assert!(lost.is_empty(), "{} did not come back:\n  {}", lost.len(), lost.join("\n  "));
    let listed: Vec<String> = lines(TAKES_COPIES).map(unescaped).collect();
    let wrong = |(row, fate): &&(&Row, Fate)| (*fate == Fate::TookCopies) != listed.contains(&row.command);
    let wrong: Vec<String> =
        fates.iter().filter(wrong).map(|(row, fate)| format!("{}: {fate:?}", row.command)).collect();
    assert!(wrong.is_empty(), "`takes_copies.txt` is wrong about these:\n{}", wrong.join("\n"));
    assert!(
        back.len() >= promised,
        "only {} lines harmed the project, not {promised}:\n{}",
        back.len(),
        back.join("\n")
    );
}

#[test]
fn what_harmful_lines_did_comes_back() {
    run_table("harmful", include_str!("../commands/harmful.txt"), 35);
}

#[test]
fn what_evasions_did_comes_back() {
    run_table("evasions", include_str!("../commands/evasions.txt"), 40);
}
