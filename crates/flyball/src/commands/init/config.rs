//! The config that goes with a registration: the project's, the user's or the machine's.

use std::path::PathBuf;

use flyball_clients::install::Scope;
use flyball_core::config::{Layer, Mode, Section, compile};
use flyball_core::policy::Policy;
use flyball_core::text;
use flyball_policies::REGISTRY;
use flyball_policies::r#loop::feedback;
use flyball_policies::seatbelt::{self, Level};
use flyball_world::config::{ConfigFiles, Layers};

use crate::install::{Site, Snapshot};
use crate::outcome::Failed;
use crate::project_context::ProjectContext;

/// The config file of a scope, as it is.
pub(super) struct ConfigFile {
    pub(super) file: Snapshot,
    files: ConfigFiles,
}

impl ConfigFile {
    /// Reads the file. A config that is broken is an error: what is in force would not be what the file says.
    pub(super) fn of(site: &Site, scope: Scope) -> Result<ConfigFile, Failed> {
        let root = if scope.is_of_project() { site.root.clone() } else { PathBuf::from("/") };
        let files = ProjectContext::at(root).files;
        let layer = match scope {
            Scope::Project | Scope::Local => Layer::Project,
            Scope::User => Layer::User,
            Scope::Managed => Layer::Managed,
        };
        let layers = Layers::read(&files);
        let broken = layers.errors().into_iter().map(|error| error.to_string()).next();
        let broken =
            broken.or_else(|| compile(&layers.texts(), REGISTRY).err()?.first().map(|it| it.one_line()));
        if let Some(problem) = broken {
            return Err(Failed::new(
                text::followed(&problem, "nothing was changed"),
                "fix it (`flyball config check` shows the place), then run `flyball init` again",
            ));
        }
        let path = match layer {
            // Not that of the main worktree: this one gets its own.
            Layer::Project => Some(site.root.join("flyball.toml")),
            layer => files.path(layer).map(PathBuf::from),
        };
        let path =
            path.ok_or_else(|| Failed::new("no place for your config", "set HOME or FLYBALL_CONFIG_DIR"))?;
        Ok(ConfigFile { file: Snapshot::read(&path)?, files })
    }

    pub(super) fn content(&self) -> Option<&str> {
        self.file.content()
    }

    pub(super) fn text(&self) -> &str {
        self.file.text()
    }

    /// The settings of the loop that are written down.
    pub(super) fn feedback(&self) -> feedback::Settings {
        self.section(&feedback::POLICY).and_then(|section| section.parse().ok()).unwrap_or_default()
    }

    /// How much of the seatbelt commands are started in; `None` if it is switched off.
    pub(super) fn seatbelt_level(&self) -> Option<Level> {
        let Some(section) = self.section(&seatbelt::POLICY) else { return Some(Level::default()) };
        let settings: seatbelt::Settings = section.parse().unwrap_or_default();
        (section.mode == Mode::Enforce).then_some(settings.level)
    }

    fn section(&self, policy: &Policy) -> Option<Section> {
        let compiled = compile(&Layers::read(&self.files).texts(), REGISTRY).ok()?;
        compiled.config.sections.get(policy.id.as_str()).cloned()
    }
}
