//! Pipelines that no longer run: deleted, or moved to where nobody looks for them.

use flyball_core::event::Change;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;

use super::compare::{Finding, Kind, Report};

/// Folders of pipelines.
const FOLDERS: &[&str] = &[".github/workflows", ".circleci", ".gitlab", ".buildkite", ".github"];
/// Pipelines that are files of their own.
const FILES: &[&str] = &[
    ".gitlab-ci.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    ".travis.yml",
    ".drone.yml",
    "Jenkinsfile",
    ".woodpecker.yml",
    ".cirrus.yml",
    "appveyor.yml",
];

/// Whether a path below the project's root is a pipeline.
pub(super) fn is_pipeline(path: &str) -> bool {
    let is_yaml = path.ends_with(".yml") || path.ends_with(".yaml");
    let is_in = |folder: &str| {
        folder != ".github" && path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    };
    FILES.contains(&path) || is_yaml && FOLDERS.iter().any(|folder| is_in(folder))
}

fn is_folder(path: &str) -> bool {
    FOLDERS.contains(&path.trim_end_matches('/'))
}

/// Whether a change could take a pipeline away, by its path alone.
pub(super) fn may_be_lost(path: &str, change: &Change) -> bool {
    matches!(change, Change::Delete | Change::Move { .. }) && (is_pipeline(path) || is_folder(path))
}

/// The report on a pipeline that is deleted or moved away.
pub(super) fn report(world: &dyn World, path: &AbsolutePath, changes: &[(&str, &Change)]) -> Option<Report> {
    let (shown, change) = changes.iter().find(|(shown, change)| may_be_lost(shown, change))?;
    let is_lost = match change {
        Change::Move { to } => {
            !is_pipeline(to.strip_prefix(&format!("{}/", world.project_root())).unwrap_or(to))
        }
        _ => true,
    };
    // A folder without pipelines, or a file that is not there, is no loss.
    let has_any = if is_folder(shown) { has_pipeline(world, path, 2) } else { world.stat(path).is_some() };
    if !is_lost || !has_any {
        return None;
    }
    let what = "the checks in it no longer run".to_owned();
    let finding = Finding { kind: Kind::LoosenedConfig, what, line: None, is_justified: false };
    Some(Report { findings: vec![finding], ..Report::default() })
}

fn has_pipeline(world: &dyn World, folder: &AbsolutePath, depth: usize) -> bool {
    let names = world.list(folder);
    let is_yaml = |name: &String| name.ends_with(".yml") || name.ends_with(".yaml");
    let is_here =
        (folder.ends_with("/workflows") || !folder.ends_with("/.github")) && names.iter().any(is_yaml);
    is_here
        || (depth > 0
            && names
                .iter()
                .any(|name| name == "workflows" && has_pipeline(world, &folder.join(name), depth - 1)))
}
