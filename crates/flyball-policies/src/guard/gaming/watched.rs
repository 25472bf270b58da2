//! Which files set up checks, and which parts of them.

use fast_glob::glob_match;
use flyball_programs::{CONFIGS, Commands, Format, Kind, MANIFESTS, TASKS, WATCHED_CONFIGS};

/// A file that sets up checks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    /// How its settings are written, if it has any.
    pub(super) format: Option<Format>,
    /// The parts that are about checks: beginnings of paths. None if all of it is.
    pub(super) sections: &'static [&'static str],
    /// Where the commands that run checks stand.
    pub(super) commands: Commands,
}

/// Pipelines, besides those that lie in a folder for them.
const PIPELINES: &[&str] = &[
    ".gitlab-ci.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    ".travis.yml",
    ".drone.yml",
    "Jenkinsfile",
];

impl Watched {
    /// What a file sets up, if it is one that sets up checks.
    pub(super) fn of(path: &str) -> Option<Watched> {
        let name = path.rsplit('/').next().unwrap_or(path);
        Watched::of_manifest(name)
            .or_else(|| Watched::of_config(name))
            .or_else(|| Watched::of_tasks(name))
            .or_else(|| Watched::by_place(path, name))
    }

    fn of_manifest(name: &str) -> Option<Watched> {
        let shared = MANIFESTS.iter().filter(|manifest| !manifest.watched.is_empty());
        let manifest = shared.into_iter().find(|manifest| glob_match(manifest.file, name))?;
        let format = Some(manifest.format);
        Some(Watched { format, sections: manifest.watched, commands: manifest.commands })
    }

    fn of_config(name: &str) -> Option<Watched> {
        let all = CONFIGS.iter().chain(WATCHED_CONFIGS);
        let config = all.into_iter().find(|config| glob_match(config.pattern, name))?;
        let commands = if config.kind == Kind::HookRunner { Commands::Anywhere } else { Commands::None };
        Some(Watched { format: Some(config.format_of(name)?), sections: &[], commands })
    }

    /// Files that say what `make`, `just` and the like run, and pipelines.
    fn of_tasks(name: &str) -> Option<Watched> {
        let is_task = PIPELINES.contains(&name) || TASKS.iter().any(|sign| sign.file == name);
        is_task.then(|| Watched::running(name))
    }

    fn running(name: &str) -> Watched {
        Watched { format: Format::of_name(name), sections: &[], commands: Commands::Anywhere }
    }

    fn by_place(path: &str, name: &str) -> Option<Watched> {
        let is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        let below = |folder: &str| path.starts_with(folder) || path.contains(&format!("/{folder}"));
        if is_yaml && (below(".github/workflows/") || below(".circleci/") || below(".gitlab/")) {
            return Some(Watched::running(name));
        }
        let is_script = name.ends_with(".sh") || !name.contains('.');
        let is_ours = below("ci/") || below(".ci/") || below(".github/") || below(".husky/");
        (is_script && is_ours).then_some(Watched {
            format: None,
            sections: &[],
            commands: Commands::Anywhere,
        })
    }
}
