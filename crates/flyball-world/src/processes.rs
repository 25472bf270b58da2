//! The processes of the system: which started which, and how much memory each uses.

use std::collections::BTreeSet;

use rustix::process::{Pid, Signal, kill_process};

/// All processes, as they were at one time.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    all: Vec<Process>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) id: i32,
    pub(crate) parent: i32,
    group: i32,
    /// Whether it has ended, and only waits for its parent to ask how.
    pub(crate) has_ended: bool,
    /// When it started, in ticks since the machine did; 0 if that is not known.
    pub(crate) start_ticks: u64,
    /// What of it is in memory, in bytes.
    pub(crate) resident: u64,
}

impl Processes {
    /// Looks at the system. Processes that cannot be read are left out.
    pub(crate) fn read() -> Processes {
        Processes { all: list() }
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn all(&self) -> &[Process] {
        &self.all
    }

    /// The processes of a group, and those that they started, in whichever group those are.
    pub(crate) fn tree(&self, group: i32) -> Vec<Process> {
        let mut found: BTreeSet<i32> =
            self.all.iter().filter(|process| process.group == group).map(|process| process.id).collect();
        loop {
            let count = found.len();
            let below = self.all.iter().filter(|process| found.contains(&process.parent));
            let below: Vec<i32> = below.map(|process| process.id).collect();
            found.extend(below);
            if found.len() == count {
                break;
            }
        }
        self.all.iter().filter(|process| found.contains(&process.id)).copied().collect()
    }
}

#[cfg(test)]
impl Process {
    pub(crate) fn for_test(id: i32, parent: i32, start_ticks: u64) -> Process {
        Process { id, parent, group: id, has_ended: false, start_ticks, resident: 1 }
    }
}

/// Ends what a group of processes started outside of it.
pub(crate) fn kill_outside(group: i32) {
    for process in Processes::read().tree(group) {
        if process.group != group
            && let Some(pid) = Pid::from_raw(process.id)
        {
            // It may have ended already.
            kill_process(pid, Signal::KILL).ok();
        }
    }
}

/// The memory of a process, in which its part of what it shares with others is counted. What is resident, where the
/// system does not say.
pub(crate) fn proportional_bytes(process: &Process) -> u64 {
    shared_evenly(process.id).unwrap_or(process.resident)
}

#[cfg(target_os = "linux")]
fn list() -> Vec<Process> {
    let page = flyball_system::page_size();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            // Not as text: a process may have any name.
            let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
            parse_stat(id, &stat, page)
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn list() -> Vec<Process> {
    let mut command = std::process::Command::new("/bin/ps");
    command.args(["-axo", "pid=,ppid=,pgid=,rss="]);
    // A system without it has no limits of memory.
    let text = command.output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().filter_map(parse_ps).collect()
}

#[cfg(target_os = "linux")]
fn shared_evenly(id: i32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(not(target_os = "linux"))]
fn shared_evenly(_: i32) -> Option<u64> {
    None
}

/// A process out of `/proc/ID/stat`: behind the name in parentheses come state, parent, group and others.
#[cfg(any(target_os = "linux", test))]
fn parse_stat(id: i32, stat: &[u8], page: u64) -> Option<Process> {
    let at = stat.iter().rposition(|byte| *byte == b')')?;
    let text = std::str::from_utf8(stat.get(at + 1..)?).ok()?;
    let mut words = text.split_ascii_whitespace();
    let has_ended = matches!(words.next()?, "Z" | "X");
    let parent = words.next()?.parse().ok()?;
    let group = words.next()?.parse().ok()?;
    let start_ticks = words.nth(16)?.parse().ok()?;
    let pages: u64 = words.nth(1)?.parse().ok()?;
    let resident = pages.saturating_mul(page);
    Some(Process { id, parent, group, has_ended, start_ticks, resident })
}

/// A process out of a line of `ps`: process, parent, group, kilobytes.
#[cfg(any(not(target_os = "linux"), test))]
fn parse_ps(line: &str) -> Option<Process> {
    let mut words = line.split_ascii_whitespace();
    let mut number = || words.next()?.parse::<i64>().ok();
    let (id, parent, group, kilobytes) = (number()?, number()?, number()?, number()?);
    let resident = u64::try_from(kilobytes).ok()?.saturating_mul(1024);
    Some(Process {
        id: id.try_into().ok()?,
        parent: parent.try_into().ok()?,
        group: group.try_into().ok()?,
        has_ended: false,
        start_ticks: 0,
        resident,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(id: i32, parent: i32, group: i32) -> Process {
        Process { id, parent, group, has_ended: false, start_ticks: 9, resident: 1 }
    }

    #[test]
    fn a_tree_has_the_group_and_all_that_it_started() {
        let all = vec![
            process(1, 0, 1),
            process(10, 1, 10),
            process(11, 10, 10),
            // In a group of its own, and a child of that.
            process(13, 12, 12),
            process(12, 11, 12),
            // Its parent has ended.
            process(14, 1, 10),
            process(20, 1, 20),
        ];
        let tree = Processes { all }.tree(10);
        assert_eq!(tree.iter().map(|process| process.id).collect::<Vec<_>>(), [10, 11, 13, 12, 14]);
    }

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let stat =
            b"7 (a) b\xff (c) S 3 5 5 0 -1 4194560 110 0 0 0 0 0 0 0 20 0 1 0 9 2699264 288 184467440737";
        let expected =
            Process { id: 7, parent: 3, group: 5, has_ended: false, start_ticks: 9, resident: 288 * 4096 };
        assert_eq!(parse_stat(7, stat, 4096), Some(expected));
        assert_eq!(parse_stat(7, b"7 (x", 4096), None);
    }

    #[test]
    fn a_line_of_ps_is_a_process() {
        let expected =
            Process { id: 7, parent: 3, group: 5, has_ended: false, start_ticks: 0, resident: 2048 };
        assert_eq!(parse_ps("    7     3     5      2"), Some(expected));
        assert_eq!(parse_ps("  PID  PPID"), None);
    }

    #[test]
    fn this_process_is_found_with_its_memory() {
        let own = rustix::process::getpid().as_raw_nonzero().get();
        let all = Processes::read().all;
        let found = all.iter().find(|process| process.id == own).unwrap();
        assert!(found.resident > 100 * 1024, "{found:?}");
        assert!(proportional_bytes(found) > 0);
    }
}
