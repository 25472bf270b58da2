//! Changes in the user's config file. The rest of it stays as it is, with its comments.

use std::path::Path;

use flyball_core::config::{Layer, LayerText, Mode, Standing, compile};
use flyball_policies::REGISTRY;
use flyball_policies::notify::POLICY;
use flyball_policies::notify::settings::{SoundFile, Volume};

use super::state::SoundState;
use crate::config_edit::addition::Additions;
use crate::config_edit::merge;
use crate::environment;
use crate::install::{Access, Change as FileChange, Site, Snapshot, apply};
use crate::outcome::Failed;
use crate::project_context::{ProjectContext, tilde};
use crate::terminal::Terminal;

pub(super) enum Change {
    On,
    Off,
    Volume(Volume),
    File(SoundFile),
}

impl Change {
    /// Another sound file, which must exist.
    pub(super) fn to_file(path: &Path) -> Result<Change, Failed> {
        let base = environment::working_directory().unwrap_or_default();
        let whole = base.join(path);
        if !whole.is_file() {
            return Err(Failed::new(format!("no such file: `{}`", path.display()), "name a sound file"));
        }
        let named = whole.to_str().and_then(|path| SoundFile::try_from(path.to_owned()).ok());
        named.map(Change::File).ok_or_else(|| {
            Failed::new(format!("`{}` cannot be written into a config file", path.display()), "rename it")
        })
    }

    fn additions(&self) -> Additions {
        let section = POLICY.id.as_str();
        let mut additions = Additions::default();
        match self {
            Change::On => {
                // In any other mode the policy plays nothing, whatever `sound` says.
                additions.replace(section, "mode", Mode::Enforce.name());
                additions.replace(section, "sound", true);
            }
            Change::Off => additions.replace(section, "sound", false),
            Change::Volume(volume) => {
                additions.replace(section, "volume", f64::from(volume.percent()) / 100.0)
            }
            Change::File(file) => additions.replace(section, "file", file.as_str()),
        }
        additions
    }

    /// Writes it into the user's config file.
    pub(super) fn write(&self, terminal: &Terminal) -> Result<(), Failed> {
        let here = ProjectContext::find()?;
        let Some(file) = &here.files.user else {
            return Err(Failed::new("there is no home directory", "set HOME or FLYBALL_CONFIG_DIR"));
        };
        let name = tilde(&file.to_string_lossy());
        let before = Snapshot::read(file)?;
        let by_hand = |why: String| {
            let toml = self.additions().to_toml();
            Failed::new(format!("{name} cannot be changed: {why}"), format!("write this yourself:\n\n{toml}"))
        };
        let after = merge(before.text(), &self.additions()).map_err(by_hand)?;
        if after == before.text() {
            terminal.line(&format!("{name} has this setting already\n"));
            return Ok(());
        }
        // Compiled before it is written: `merge` only knows TOML, not which values a setting may have.
        let layer = LayerText { layer: Layer::User, standing: Standing::Accepted, path: &name, text: &after };
        if let Some(problem) =
            compile(&[layer], REGISTRY).err().and_then(|problems| problems.into_iter().next())
        {
            return Err(by_hand(problem.one_line()));
        }
        apply(&[FileChange::write(before, after, Access::Default)], Site::find()?.state())?;
        terminal.line(&format!("changed {name}\n"));
        Ok(())
    }

    /// Why the change has no effect.
    pub(super) fn obstacle(&self, state: &SoundState) -> Option<String> {
        let settings = &state.settings;
        let key = match self {
            Change::On if state.mode != Mode::Enforce => "mode",
            Change::On if !settings.sound => "sound",
            Change::Off if settings.sound && state.mode == Mode::Enforce => "sound",
            Change::Volume(volume) if settings.volume != *volume => "volume",
            Change::File(file) if settings.file.as_ref() != Some(file) => "file",
            Change::On | Change::Off | Change::Volume(_) | Change::File(_) => return None,
        };
        Some(format!("`notify.{key}` is set in {}", state.origin(key)))
    }
}
