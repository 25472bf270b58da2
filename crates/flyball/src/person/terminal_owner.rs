//! Who holds a terminal: the leader of its session, and whoever has the other end of a pseudo-terminal.

use std::path::Path;

use crate::processes::{self, Process};

/// The processes that made the terminal of this process, as far as they can be seen.
pub(super) fn find(this: &Process) -> Vec<Process> {
    let leader = (this.session != this.id).then(|| Process::find(this.session)).flatten();
    let masters = terminal_number().map(masters).unwrap_or_default();
    leader.into_iter().chain(masters).collect()
}

/// The number of the pseudo-terminal on standard input: 3 for `/dev/pts/3`.
fn terminal_number() -> Option<u32> {
    let path = flyball_system::terminal_name()?;
    path.parent()?.ends_with("pts").then_some(())?;
    path.file_name()?.to_str()?.parse().ok()
}

/// The processes that have the other end of a pseudo-terminal open.
fn masters(number: u32) -> Vec<Process> {
    let this = std::process::id();
    let holders = processes::all().filter(|id| *id != this && holds(*id, number));
    holders.filter_map(Process::find).collect()
}

fn holds(id: u32, number: u32) -> bool {
    let folder = Path::new("/proc").join(id.to_string());
    // Processes of other users cannot be looked at; nor can an agent be one.
    let open = std::fs::read_dir(folder.join("fd")).into_iter().flatten().flatten();
    open.into_iter().any(|entry| {
        let is_master = std::fs::read_link(entry.path()).is_ok_and(|target| target.ends_with("ptmx"));
        is_master && index_of(&folder.join("fdinfo").join(entry.file_name())) == Some(number)
    })
}

/// The number in `tty-index: 3`.
fn index_of(info: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(info).ok()?;
    text.lines().find_map(|line| line.strip_prefix("tty-index:")?.trim().parse().ok())
}
