//! Which files configure checks, and which parts of them.

use fast_glob::glob_match;
use flyball_programs::{CONFIGS, Commands, Format, Kind, MANIFESTS, TASKS, WATCHED_CONFIGS};

/// A file that configures checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckConfig {
    /// How its settings are written, if it has any.
    pub(super) format: Option<Format>,
    /// The parts that are about checks: beginnings of paths. None if all of it is.
    pub(super) sections: &'static [&'static str],
    /// Where the commands that run checks are.
    pub(super) commands: Commands,
}

/// Pipelines, besides those in a folder of their own.
const PIPELINES: &[&str] = &[
    ".gitlab-ci.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    ".travis.yml",
    ".drone.yml",
    "Jenkinsfile",
];

/// Words in the names of scripts that run checks.
const SCRIPTS: &[&str] =
    &["ci", "test", "tests", "check", "checks", "lint", "verify", "precommit", "validate"];

impl CheckConfig {
    /// How a file configures checks, if it does.
    pub(super) fn from_path(path: &str) -> Option<CheckConfig> {
        let name = path.rsplit('/').next().unwrap_or(path);
        CheckConfig::from_manifest(name)
            .or_else(|| CheckConfig::from_config(name))
            .or_else(|| CheckConfig::from_tasks(name))
            .or_else(|| CheckConfig::from_location(path, name))
    }

    fn from_manifest(name: &str) -> Option<CheckConfig> {
        let shared = MANIFESTS.iter().filter(|manifest| !manifest.watched.is_empty());
        let manifest = shared.into_iter().find(|manifest| glob_match(manifest.file, name))?;
        let format = Some(manifest.format);
        Some(CheckConfig { format, sections: manifest.watched, commands: manifest.commands })
    }

    fn from_config(name: &str) -> Option<CheckConfig> {
        let all = CONFIGS.iter().chain(WATCHED_CONFIGS);
        let config = all.into_iter().find(|config| glob_match(config.pattern, name))?;
        let commands = if config.kind == Kind::HookRunner { Commands::Anywhere } else { Commands::None };
        Some(CheckConfig { format: Some(config.format_of(name)?), sections: &[], commands })
    }

    /// Files with the tasks of `make`, `just` and similar, and pipelines.
    fn from_tasks(name: &str) -> Option<CheckConfig> {
        let is_task = PIPELINES.contains(&name) || TASKS.iter().any(|sign| sign.file == name);
        is_task.then(|| CheckConfig::with_commands(name))
    }

    fn with_commands(name: &str) -> CheckConfig {
        CheckConfig { format: Format::from_name(name), sections: &[], commands: Commands::Anywhere }
    }

    fn from_location(path: &str, name: &str) -> Option<CheckConfig> {
        let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        let below = |folder: &str| path.starts_with(folder) || path.contains(&format!("/{folder}"));
        if is_yaml && (below(".github/workflows/") || below(".circleci/") || below(".gitlab/")) {
            return Some(CheckConfig::with_commands(name));
        }
        let is_script = name.ends_with(".sh") || !name.contains('.');
        // `scripts/ci.sh`, `bin/test`: named after what they run.
        let stem = name.strip_suffix(".sh").unwrap_or(name);
        let is_named = stem.split(['-', '_', '.']).any(|word| SCRIPTS.contains(&word));
        let is_ours = (is_named
            && (below("scripts/")
                || below("script/")
                || below("bin/")
                || below("tools/")
                || name.ends_with(".sh")))
            || below("ci/")
            || below(".ci/")
            || below(".github/")
            || below(".husky/");
        (is_script && is_ours).then_some(CheckConfig {
            format: None,
            sections: &[],
            commands: Commands::Anywhere,
        })
    }
}
