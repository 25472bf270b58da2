//! The files of reports, with paths relative to where the project is now.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};

use super::draft::{Report, Status};
use super::parse::parse;

const MOST_BYTES: u64 = 256 * 1024;

/// Where a report is.
#[must_use]
pub fn path(world: &dyn World, status: Status, id: &str) -> AbsolutePath {
    // The id is a file name and must not leave the folder.
    let name: String = id.chars().filter(|letter| !"/\\".contains(*letter) && !letter.is_control()).collect();
    world.project_root().join(&format!("{}/{name}.md", status.folder()))
}

/// Reads a report; `None` if it does not exist.
///
/// # Errors
/// When it exists and cannot be read.
pub fn load(world: &dyn World, status: Status, id: &str) -> Result<Option<Report>, PolicyError> {
    let Some(bytes) = world.read(&path(world, status, id), MOST_BYTES)? else { return Ok(None) };
    let report = parse(id, status, &String::from_utf8_lossy(&bytes));
    Ok(Some(relocate(world, report)))
}

/// The report with its folder, file and node relative to the project's root. If the project has moved since, the longest
/// suffix of each old path that exists is used.
#[must_use]
pub fn relocate(world: &dyn World, mut report: Report) -> Report {
    report.draft.folder = relative(world, &report.draft.folder, ".");
    report.draft.file = relative(world, &report.draft.file, "");
    report.draft.node = relative(world, &report.draft.node, "");
    report
}

fn relative(world: &dyn World, path: &str, nowhere: &str) -> String {
    if !path.starts_with('/') {
        // No path in a report may lead out of the project.
        let leads_out = path.split('/').any(|part| part == "..");
        return if leads_out { nowhere.to_owned() } else { path.to_owned() };
    }
    let root = world.project_root();
    if let Some(below) = path.strip_prefix(root.trim_end_matches('/')) {
        if below.trim_matches('/').is_empty() {
            return ".".to_owned();
        }
        if let Some(below) = below.strip_prefix('/') {
            return below.to_owned();
        }
    }
    let mut rest = path.trim_start_matches('/');
    while let Some((_, shorter)) = rest.split_once('/') {
        rest = shorter;
        let is_name = !rest.split('/').any(|part| part == ".." || part.is_empty());
        if is_name && world.stat(&root.join(rest)).is_some() {
            return rest.to_owned();
        }
    }
    nowhere.to_owned()
}
