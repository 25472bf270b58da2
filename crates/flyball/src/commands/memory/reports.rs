//! The reports of a project as they lie in its folders: for commands, which may read them all.

use std::path::Path;

use flyball_core::world::{Files, Place};
use flyball_knowledge::report::{self, Report, Status};
use flyball_world::machine::Machine;
use serde::Serialize;

/// What is longer was not written as a report.
const MOST_BYTES: u64 = 256 * 1024;

/// A report that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::commands) struct Waiting {
    pub(in crate::commands) id: String,
    pub(in crate::commands) title: String,
    pub(in crate::commands) folder: String,
}

/// The pending reports about a path (from the root of the project), the folders above it and what lies below it.
pub(in crate::commands) fn pending_about(machine: &Machine, path: &str) -> Vec<Waiting> {
    let path = Path::new(if path == "." { "" } else { path });
    let is_about = |report: &Report| {
        let folder = Path::new(report.draft.folder.trim_start_matches("./"));
        let folder = if folder == Path::new(".") { Path::new("") } else { folder };
        // By whole folders, in both directions: what is above applies, what is below is part of it.
        path.starts_with(folder) || folder.starts_with(path)
    };
    let pending = names(machine, Status::Pending)
        .filter_map(|name| read_if(machine, (Status::Pending, &name), |_| true));
    let waiting =
        |report: Report| Waiting { id: report.id, title: report.draft.title, folder: report.draft.folder };
    pending.filter(is_about).map(waiting).collect()
}

/// How many of a status there are.
pub(in crate::commands) fn count(machine: &Machine, status: Status) -> usize {
    names(machine, status).count()
}

/// A line about those that wait, and what to do about them.
pub(in crate::commands) fn line(waiting: usize) -> Option<String> {
    match waiting {
        0 => None,
        1 => Some("1 report waits for a person: `flyball learn`".to_owned()),
        _ => Some(format!("{waiting} reports wait for a person: `flyball learn`")),
    }
}

/// The files of the reports of a status, in order. A folder outside of the project holds none of its reports.
pub(in crate::commands) fn names(machine: &Machine, status: Status) -> impl Iterator<Item = String> + use<> {
    let root = machine.project_root();
    let real = machine.real_path(root, status.folder());
    let is_own = Path::new(&real).starts_with(root);
    let names = if is_own { machine.list(&real) } else { Vec::new() };
    names.into_iter().filter(|name| name.ends_with(".md"))
}

/// One report, if its text passes. A link is none.
pub(in crate::commands) fn read_if(
    machine: &Machine,
    (status, name): (Status, &str),
    passes: impl FnOnce(&str) -> bool,
) -> Option<Report> {
    let id = name.strip_suffix(".md").unwrap_or(name);
    let path = report::path(machine, status, id);
    // Without following links: a report that is a link could show any file of the user.
    let is_file = Path::new(&path).symlink_metadata().is_ok_and(|data| data.is_file());
    let bytes = is_file.then(|| machine.read(&path, MOST_BYTES).ok().flatten())??;
    let text = String::from_utf8_lossy(&bytes);
    passes(&text).then(|| report::relocate(machine, report::parse(id, status, &text)))
}
