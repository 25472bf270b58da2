//! The protected files of a project, seen by the commands that approve and restore them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use flyball_core::policy::ContentHash;
use flyball_core::world::{Files, Git};
use flyball_policies::guard::protected::{Extension, Ground, POLICY, Protection, Settings};
use flyball_world::approvals::{Approvals, Ledger};
use flyball_world::kept::{Kept, hash};
use flyball_world::machine::Machine;

use crate::environment::{self, Environment};
use crate::here::Here;
use crate::outcome::Failed;
use crate::own_files::own_files;

/// A project with what is needed to look after its protected files.
pub(crate) struct Shelter {
    machine: Machine,
    settings: Settings,
    pub(crate) approvals: Approvals,
    /// The texts put aside.
    pub(crate) kept: Kept,
}

/// A protected file and what it should be.
pub(crate) struct Sheltered {
    pub(crate) path: String,
    /// From the project's root.
    pub(crate) name: String,
    pub(crate) extension: Extension,
    /// What is protected of it now; `None` if it is not there.
    pub(crate) now: Option<Vec<u8>>,
    pub(crate) reference: Reference,
}

/// What a file is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Where this content comes from.
    pub(crate) source: Source,
    /// The content; `None` if it was not there.
    pub(crate) content: Option<Vec<u8>>,
}

/// Where a content comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A person approved it.
    Approved,
    /// A session found it so.
    Session,
    Commit,
    /// Nobody knows of it.
    Nowhere,
}

impl Source {
    /// In words, behind "differs from".
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Source::Approved => "what was last approved",
            Source::Session => "what the session found",
            Source::Commit => "the last commit",
            Source::Nowhere => "nothing",
        }
    }

    /// In words, behind "is".
    pub(crate) const fn likeness(self) -> &'static str {
        match self {
            Source::Approved => "as last approved",
            Source::Session => "as the session found it",
            Source::Commit => "as in the last commit",
            Source::Nowhere => "as nobody knows it",
        }
    }
}

impl Sheltered {
    /// Whether it is what it should be.
    pub(crate) fn is_as_it_should_be(&self) -> bool {
        self.now == self.reference.content
    }

    /// The hash of what is there now.
    pub(crate) fn present(&self) -> Option<ContentHash> {
        self.now.as_deref().map(hash)
    }
}

impl Shelter {
    /// The project that the command was started in.
    pub(crate) fn find() -> Result<Shelter, Failed> {
        let here = Here::find()?;
        let environment = Environment::read();
        let Some(state) = environment.state_dir() else {
            return Err(Failed::new(
                "there is no home directory to keep approvals in",
                "set HOME or FLYBALL_STATE_DIR",
            ));
        };
        let config = here.loaded().config;
        let section = config.sections.get(POLICY.id.as_str());
        let settings = section.map_or_else(|| Ok(Settings::default()), |section| section.parse())?;
        let own = own_files(&environment, &here.root);
        Ok(Shelter {
            machine: Machine::new(
                Instant::now(),
                environment.home.clone(),
                &here.root,
                own,
                flyball_clients::FACTS,
            ),
            settings,
            approvals: Approvals::of_project(state, &here.root),
            kept: Kept::below(state),
        })
    }

    fn ground(&self) -> Ground<'_> {
        Ground::new(&self.machine, Protection::new(self.settings.clone(), flyball_clients::FACTS))
    }

    /// The named files. A file that is not protected is none of this command's business.
    pub(crate) fn named(&self, paths: &[PathBuf]) -> Result<Vec<Sheltered>, Failed> {
        let ground = self.ground();
        let ledger = self.approvals.read()?;
        let folder = environment::working_directory().unwrap_or_default();
        let one = |path: &PathBuf| {
            let real = self.machine.real_path(&folder.to_string_lossy(), &path.to_string_lossy());
            if ground.protects(&real) == Extension::Nothing {
                return Err(Failed::new(
                    format!("`{}` is not protected", path.display()),
                    "`flyball approve --list` shows the files that are",
                ));
            }
            self.sheltered(real, &ground, &ledger)
        };
        paths.iter().map(one).collect()
    }

    /// All protected files that exist or are known to have existed.
    pub(crate) fn all(&self) -> Result<Vec<Sheltered>, Failed> {
        let ground = self.ground();
        let ledger = self.approvals.read()?;
        let mut paths = ground.existing()?;
        paths.extend(ledger.files().map(|(path, _)| path.to_owned()));
        paths.retain(|path| ground.protects(path) != Extension::Nothing);
        paths.sort_unstable();
        paths.dedup();
        paths.into_iter().map(|path| self.sheltered(path, &ground, &ledger)).collect()
    }

    fn sheltered(&self, path: String, ground: &Ground<'_>, ledger: &Ledger) -> Result<Sheltered, Failed> {
        let now = ground.present(&path)?;
        let reference = self.reference(&path, ground, ledger)?;
        let name = ground.relative(&path).unwrap_or(&path).to_owned();
        let extension = ground.protects(&path);
        Ok(Sheltered { path, name, extension, now, reference })
    }

    /// What was last approved or found, whichever came later, else what the last commit holds.
    fn reference(&self, path: &str, ground: &Ground<'_>, ledger: &Ledger) -> Result<Reference, Failed> {
        if let Some(entry) = ledger.entry(path) {
            let approved =
                entry.approved.as_ref().is_some_and(|(approval, _)| approval.content == entry.before);
            let source = if approved { Source::Approved } else { Source::Session };
            let content = entry.before.as_ref().map(|hash| self.kept.read(hash));
            match content {
                None => return Ok(Reference { source, content: None }),
                Some(Some(text)) => return Ok(Reference { source, content: Some(text) }),
                // The copy is gone; a commit may still have it.
                Some(None) => {}
            }
        }
        let committed = ground.relative(path).map(|name| format!("HEAD:./{name}"));
        let asked = committed.map(|object| self.machine.git(ground.root(), &["show", &object])).transpose();
        let text = asked?.flatten();
        let source = if text.is_some() { Source::Commit } else { Source::Nowhere };
        let content = text.map(|text| ground.protected_of(path, text.as_bytes()));
        Ok(Reference { source, content })
    }

    /// Puts a file back to what it should be, and says where what was there is kept.
    pub(crate) fn put_back(&self, file: &Sheltered) -> Result<Option<PathBuf>, Failed> {
        // What comes from a commit is not among the kept texts yet.
        let content = file.reference.content.as_deref().map(|text| self.kept.keep(text)).transpose();
        let content = content?;
        let replaced = self.kept.put_back(Path::new(&file.path), content.as_ref())?;
        self.approvals.settle(&file.path)?;
        Ok(replaced)
    }
}
