//! Where plans are, and the files beside them.

use flyball_core::path::{AbsolutePath, ProjectPath};
use flyball_core::policy::{PolicyError, World};
use flyball_core::world::real_root;

use super::parse::Plan;
use crate::layout::{ACTIVE_TASK, ARTIFACTS, LESSONS, PHASES, PLAN, TASK_SUFFIX, TASKS};

/// The size limit of plans and phase files.
const MOST_BYTES: u64 = 1024 * 1024;
const MOST_FILES: usize = 200;

/// Where a file of the project is, without symlinks.
#[must_use]
pub fn absolute_path(world: &dyn World, path: &str) -> AbsolutePath {
    world.real_path(world.project_root(), path)
}

/// The folder of the task that a plan is for.
#[must_use]
pub fn folder(plan: &ProjectPath) -> &str {
    plan.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The name of the task that a plan is for: the name of its folder without its ending.
#[must_use]
pub fn task_name(plan: &ProjectPath) -> &str {
    let folder = folder(plan);
    let folder = folder.rsplit_once('/').map_or(folder, |(_, name)| name);
    folder.strip_suffix(TASK_SUFFIX).filter(|name| !name.is_empty()).unwrap_or(folder)
}

/// A file in the folder of the task that a plan is for.
#[must_use]
pub fn sibling_path(plan: &ProjectPath, file: &str) -> ProjectPath {
    plan.parent().join(file)
}

/// The lessons of the task that a plan is for.
#[must_use]
pub fn lessons_path(plan: &ProjectPath) -> ProjectPath {
    sibling_path(plan, LESSONS)
}

/// The active plan, as `TASK.md` names it; `None` if there is no active task
/// or the named plan does not exist.
///
/// # Errors
/// When the file exists and cannot be read.
pub fn active(world: &dyn World) -> Result<Option<ProjectPath>, PolicyError> {
    let Some(text) = world.read(&absolute_path(world, ACTIVE_TASK), MOST_BYTES)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&text);
    let first = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default().trim();
    let first = first.strip_prefix("./").unwrap_or(first);
    let Some(plan) = plan_path(first) else { return Ok(None) };
    let exists = world.stat(&absolute_path(world, &plan)).is_some_and(|stat| !stat.is_folder);
    Ok(exists.then_some(plan))
}

/// The path, if it can be a plan's.
#[must_use]
pub fn plan_path(path: &str) -> Option<ProjectPath> {
    ProjectPath::new(path).filter(|_| is_plan_path(path))
}

/// Whether a path can be a plan's: below the folder of tasks, in a task folder, without `..`.
#[must_use]
pub fn is_plan_path(path: &str) -> bool {
    let Some(below) = path.strip_prefix(TASKS).and_then(|below| below.strip_prefix('/')) else {
        return false;
    };
    let parts: Vec<&str> = below.split('/').collect();
    // The path comes from a file that an agent can write: it must not leave the folder of tasks.
    let is_clean = |part: &&str| {
        !matches!(*part, "" | "." | "..")
            && !part.contains(|letter: char| letter.is_control() || letter == '\\')
    };
    match parts.as_slice() {
        [.., folder, file] => *file == PLAN && folder.ends_with(TASK_SUFFIX) && parts.iter().all(is_clean),
        _ => false,
    }
}

/// The text of a plan; `None` if it does not exist.
///
/// # Errors
/// When it exists and cannot be read.
pub fn read_text(world: &dyn World, path: &ProjectPath) -> Result<Option<String>, PolicyError> {
    let absolute = absolute_path(world, path);
    let error = |why: &str| PolicyError::World {
        what: format!("the plan `{path}` {why}"),
        fix: "run `flyball task list` to see all plans of this project".to_owned(),
    };
    // The text goes into the context of a model, so a link must not bring in a file from elsewhere.
    if !absolute.is_in(&real_root(world)) {
        return Err(error("is a link to a file outside the project"));
    }
    let Some(stat) = world.stat(&absolute) else { return Ok(None) };
    if stat.is_folder {
        return Err(error("is a folder"));
    }
    match world.read(&absolute, MOST_BYTES)? {
        Some(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| error("is not valid UTF-8")),
        None => Err(error("is larger than 1 MiB")),
    }
}

/// Reads a plan with its phase files.
///
/// # Errors
/// When it exists and cannot be read.
pub fn read(world: &dyn World, path: &ProjectPath) -> Result<Option<Plan>, PolicyError> {
    let Some(text) = read_text(world, path)? else { return Ok(None) };
    Ok(Some(Plan::parse_with(&text, &files(world, path)?)))
}

/// The names and texts of the phase files beside a plan.
fn files(world: &dyn World, path: &ProjectPath) -> Result<Vec<(String, String)>, PolicyError> {
    let folder = absolute_path(world, &sibling_path(path, PHASES));
    let mut files = Vec::new();
    let is_markdown = |name: &String| name.ends_with(".md");
    for name in world.list(&folder).into_iter().filter(is_markdown).take(MOST_FILES) {
        let file = folder.join(&name);
        if world.stat(&file).is_none_or(|stat| stat.is_folder) {
            continue;
        }
        if let Some(bytes) = world.read(&file, MOST_BYTES)? {
            files.push((name, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok(files)
}

/// All plans of the project, by name, which starts with the time of creation. Lists folders, so only for commands, not
/// for hooks.
#[must_use]
pub fn all(world: &dyn World) -> Vec<ProjectPath> {
    let mut found: Vec<String> = Vec::new();
    for folder in world.list(&absolute_path(world, TASKS)) {
        if folder.ends_with(TASK_SUFFIX) {
            found.push(format!("{TASKS}/{folder}/{PLAN}"));
        } else {
            let below = world.list(&absolute_path(world, &format!("{TASKS}/{folder}")));
            let tasks = below.into_iter().filter(|name| name.ends_with(TASK_SUFFIX));
            found.extend(tasks.map(|name| format!("{TASKS}/{folder}/{name}/{PLAN}")));
        }
    }
    let plans = found.iter().filter_map(|path| plan_path(path));
    plans.filter(|path| world.stat(&absolute_path(world, path)).is_some()).collect()
}

/// The subject of a folder of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The phase was carried out: `1-2e`.
    Execution,
    /// It was verified: `1-2v`.
    Verification,
    /// Something was researched: `1-2r`.
    Research,
}

/// A folder of reports: `artifacts/<phase>-<iteration><e|v|r>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Artifact {
    /// The number of the phase.
    pub phase: u32,
    pub iteration: u32,
    /// What it is about.
    pub step: Step,
}

impl Artifact {
    /// Reads the name of a folder.
    #[must_use]
    pub fn parse(name: &str) -> Option<Artifact> {
        let (phase, rest) = name.split_once('-')?;
        let step = match rest.chars().next_back()? {
            'e' => Step::Execution,
            'v' => Step::Verification,
            'r' => Step::Research,
            _ => return None,
        };
        let iteration = rest.get(..rest.len() - 1)?.parse().ok()?;
        Some(Artifact { phase: phase.parse().ok()?, iteration, step })
    }

    /// The name of its folder.
    #[must_use]
    pub fn folder(&self) -> String {
        let step = match self.step {
            Step::Execution => 'e',
            Step::Verification => 'v',
            Step::Research => 'r',
        };
        format!("{}-{}{step}", self.phase, self.iteration)
    }
}

/// The folders of reports beside a plan, sorted.
#[must_use]
pub fn artifacts(world: &dyn World, plan: &ProjectPath) -> Vec<Artifact> {
    let names = world.list(&absolute_path(world, &sibling_path(plan, ARTIFACTS)));
    let mut found: Vec<Artifact> = names.iter().filter_map(|name| Artifact::parse(name)).collect();
    found.sort_unstable();
    found
}
