//! Where the config files are.

use std::path::{Path, PathBuf};

use flyball_core::config::Layer;

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

/// The three config files, whether they exist or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFiles {
    pub managed: PathBuf,
    /// The user's; none where there is no home.
    pub user: Option<PathBuf>,
    pub project: PathBuf,
}

impl ConfigFiles {
    /// The files for the project at `root`.
    #[must_use]
    pub fn locate(root: &Path, homes: &Homes) -> ConfigFiles {
        ConfigFiles {
            managed: PathBuf::from(MANAGED_FILE),
            user: user_file(homes),
            project: root.join("flyball.toml"),
        }
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
