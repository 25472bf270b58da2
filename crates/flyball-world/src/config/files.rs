//! Where the config files are.

use std::path::{Path, PathBuf};

use flyball_core::config::Layer;

use super::pin::Pin;
use super::trust::Trust;
use crate::git::main_worktree;

/// The file of a project.
const NAME: &str = "flyball.toml";

pub const MANAGED_FILE: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/flyball/managed.toml"
} else {
    "/etc/flyball/managed.toml"
};

/// The folders that the environment names, as read by the one module that reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Homes {
    /// `FLYBALL_CONFIG_DIR`.
    pub flyball_config: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub xdg_config: Option<PathBuf>,
    /// `HOME`.
    pub home: Option<PathBuf>,
}

/// Which texts of a project's file a person has accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// Those that are recorded.
    Recorded(Trust),
    /// Whatever it holds: a person named the file.
    All,
    /// None: there is no place to record it.
    Nothing,
}

/// The three config files, whether they exist or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFiles {
    pub managed: PathBuf,
    /// The user's; none where there is no home.
    pub user: Option<PathBuf>,
    pub project: PathBuf,
    /// Those of folders above the project in the same repository, of which only what tightens counts: a nested file must not
    /// undo the rules of the project that it is in.
    pub outer: Vec<PathBuf>,
    pub accepted: Accepted,
    /// The user's home, for `~`.
    pub home: Option<PathBuf>,
    /// What the session began with; nothing outside of a session and at its first event.
    pub pin: Option<Pin>,
}

impl ConfigFiles {
    /// The files for the project at `root`.
    #[must_use]
    pub fn locate(root: &Path, homes: &Homes) -> ConfigFiles {
        ConfigFiles {
            managed: PathBuf::from(MANAGED_FILE),
            user: user_file(homes),
            project: project_file(root),
            outer: outer_files(root),
            accepted: Accepted::Nothing,
            home: homes.home.clone(),
            pin: None,
        }
    }

    /// The same files, with what people accepted of them.
    #[must_use]
    pub fn with_accepted(mut self, accepted: Accepted) -> ConfigFiles {
        self.accepted = accepted;
        self
    }

    /// The same files, in a session that began with these texts.
    #[must_use]
    pub fn with_pin(mut self, pin: Option<Pin>) -> ConfigFiles {
        self.pin = pin;
        self
    }

    /// The file of a layer.
    #[must_use]
    pub fn path(&self, layer: Layer) -> Option<&Path> {
        match layer {
            Layer::Managed => Some(&self.managed),
            Layer::User => self.user.as_deref(),
            Layer::Project => Some(&self.project),
        }
    }

    /// How messages name the file of a layer: the project's by its name alone.
    pub(super) fn display_path(&self, layer: Layer) -> String {
        let path = self.path(layer).unwrap_or(Path::new(""));
        let name = match layer {
            Layer::Managed | Layer::User => path.as_os_str(),
            Layer::Project => path.file_name().unwrap_or(path.as_os_str()),
        };
        name.to_string_lossy().into_owned()
    }
}

/// The project's own file. In a worktree that has none, for example because git ignores the file, that of the main
/// worktree: an agent must not get rid of its rules by working in another one.
fn project_file(root: &Path) -> PathBuf {
    let own = root.join(NAME);
    let main = || main_worktree(root).map(|main| main.join(NAME));
    if own.symlink_metadata().is_ok() { own } else { main().filter(|file| file.is_file()).unwrap_or(own) }
}

/// The files of the folders above, up to the one with the repository; none outside of a repository.
fn outer_files(root: &Path) -> Vec<PathBuf> {
    let is_top = |folder: &Path| folder.join(".git").exists();
    // Nearly always the project is the repository, and nothing more is looked for.
    let Some(top) = root.ancestors().find(|folder| is_top(folder)).filter(|top| *top != root) else {
        return Vec::new();
    };
    let above = root.ancestors().skip(1).take_while(|folder| folder.starts_with(top));
    above.map(|folder| folder.join(NAME)).filter(|file| file.is_file()).collect()
}

fn user_file(homes: &Homes) -> Option<PathBuf> {
    let set = |folder: &Option<PathBuf>| folder.clone().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = set(&homes.flyball_config) {
        return Some(folder.join("config.toml"));
    }
    // The XDG specification has relative paths ignored.
    let xdg = set(&homes.xdg_config).filter(|folder| folder.is_absolute());
    let config = xdg.or_else(|| Some(set(&homes.home)?.join(".config")))?;
    Some(config.join("flyball").join("config.toml"))
}
