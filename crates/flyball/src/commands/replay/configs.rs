//! The configuration that sessions are judged with: the one in force in each project, or a trial.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flyball_core::config::{Config, Mode, compile};
use flyball_policies::REGISTRY;
use flyball_world::config::{Accepted, ConfigFiles, Layers};

use crate::arguments;
use crate::outcome::Failed;
use crate::replay::ReplayMachine;
use crate::terminal::Terminal;

#[derive(Clone, Debug, Default)]
pub(super) struct Trial {
    /// Instead of each project's file.
    pub(super) file: Option<PathBuf>,
    /// Without the user's config.
    pub(super) only: bool,
    /// Modes instead of those in the files, as typed: `guard.gaming=enforce`.
    pub(super) modes: Vec<String>,
}

/// The configurations, each read once.
pub(super) struct Configs<'a> {
    machine: &'a ReplayMachine,
    only: bool,
    modes: Vec<(&'static str, Mode)>,
    /// The one for all projects, if one is tried.
    tried: Option<Arc<Config>>,
    known: Mutex<HashMap<String, Arc<Config>>>,
    notices: Mutex<BTreeSet<String>>,
}

impl<'a> Configs<'a> {
    /// Reads what is tried; what is wrong with it is shown as `flyball config check` shows it.
    pub(super) fn new(
        machine: &'a ReplayMachine,
        trial: &Trial,
        terminal: &Terminal,
    ) -> Result<Configs<'a>, Failed> {
        let modes = trial.modes.iter().map(|text| mode(text)).collect::<Result<Vec<_>, Failed>>()?;
        let mut configs = Configs {
            machine,
            only: trial.only,
            modes,
            tried: None,
            known: Mutex::default(),
            notices: Mutex::default(),
        };
        if let Some(file) = &trial.file {
            configs.tried = Some(configs.with_modes(read(&configs.files(Path::new("/")), file, terminal)?));
        }
        Ok(configs)
    }

    /// The configuration for the project with this root.
    pub(super) fn for_project(&self, root: &str) -> Arc<Config> {
        if let Some(tried) = &self.tried {
            return Arc::clone(tried);
        }
        // Locked while it is read, so that workers do not compile the same config several times.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = known.get(root) {
            return Arc::clone(config);
        }
        let loaded = self.machine.config(&self.files(Path::new(root)));
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).extend(loaded.notices);
        let config = self.with_modes(Config::clone(&loaded.config));
        known.insert(root.to_owned(), Arc::clone(&config));
        config
    }

    /// What is wrong with the files in force, for the user.
    pub(super) fn notices(&self) -> Vec<String> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn files(&self, root: &Path) -> ConfigFiles {
        let files = self.machine.files(root);
        if self.only { ConfigFiles { user: None, ..files } } else { files }
    }

    fn with_modes(&self, mut config: Config) -> Arc<Config> {
        for (policy, mode) in &self.modes {
            // After compiling: a mode that is tried also wins over a lock of the administrator.
            if let Some(section) = config.sections.get_mut(*policy) {
                section.mode = *mode;
            }
        }
        Arc::new(config)
    }
}

/// The configuration with this file instead of the project's.
fn read(files: &ConfigFiles, file: &Path, terminal: &Terminal) -> Result<Config, Failed> {
    let shown = file.display();
    if !file.exists() {
        return Err(Failed::new(
            format!("no such file: `{shown}`"),
            "`--config` takes a file like flyball.toml",
        ));
    }
    let layers =
        Layers::read(&ConfigFiles { project: file.to_path_buf(), accepted: Accepted::All, ..files.clone() });
    if let Some(error) = layers.errors().first() {
        return Err(Failed::new(error.clone(), "nothing was replayed"));
    }
    compile(&layers.texts(), REGISTRY).map(|compiled| compiled.config).map_err(|errors| {
        let style = terminal.error_render_style();
        let errors: Vec<String> = errors.iter().map(|error| error.render(style)).collect();
        Failed::new(format!("`{shown}` cannot be used\n\n{}\n", errors.join("\n\n")), "nothing was replayed")
    })
}

/// `guard.gaming=enforce`.
fn mode(text: &str) -> Result<(&'static str, Mode), Failed> {
    let Some((policy, mode)) = text.split_once('=') else {
        return Err(Failed::new(
            format!("invalid argument `{text}` for `--mode`"),
            "write `--mode guard.gaming=enforce`",
        ));
    };
    let policy = arguments::policy(policy)?.id.as_str();
    let modes = [Mode::Enforce, Mode::Observe, Mode::Off];
    match modes.into_iter().find(|known| known.name() == mode) {
        Some(mode) => Ok((policy, mode)),
        None => {
            Err(Failed::new(format!("invalid mode `{mode}`"), "the modes are `enforce`, `observe` and `off`"))
        }
    }
}
