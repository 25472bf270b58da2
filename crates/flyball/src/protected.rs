//! The protected files of a project, seen by the commands that approve and restore them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use flyball_core::config::Mode;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::ContentHash;
use flyball_core::world::{Files, Git, GitAnswer};
use flyball_policies::guard::protected::{Coverage, POLICY, ProtectedProject, Protection, Settings};
use flyball_world::approvals::{Approvals, Ledger};
use flyball_world::content_store::{ContentStore, hash};
use flyball_world::machine::Machine;

use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::own_files::{obeyed_files, own_files};
use crate::project_context::ProjectContext;

/// A project with what is needed to read, approve and restore its protected files.
pub(crate) struct ProtectedFiles {
    machine: Machine,
    settings: Settings,
    pub(crate) approvals: Approvals,
    /// The stored copies of their contents.
    pub(crate) contents: ContentStore,
}

/// A protected file and what it should be.
pub(crate) struct ProtectedFile {
    pub(crate) path: AbsolutePath,
    /// From the project's root.
    pub(crate) name: String,
    pub(crate) extension: Coverage,
    /// What is protected of it now; `None` if it is not there.
    pub(crate) now: Option<Vec<u8>>,
    pub(crate) reference: Reference,
}

/// A file before a commit and in it; `None` if it is not there.
#[derive(Clone, Copy)]
pub(crate) struct Committed<'a> {
    pub(crate) before: Option<&'a [u8]>,
    pub(crate) after: Option<&'a [u8]>,
}

/// What a file is compared with.
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
    /// It was there when a session began.
    Session,
    Commit,
    /// No content is known.
    Nowhere,
}

impl Source {
    /// In words, after "differs from".
    pub(crate) const fn reference_name(self) -> &'static str {
        match self {
            Source::Approved => "what was last approved",
            Source::Session => "what the session found",
            Source::Commit => "the last commit",
            Source::Nowhere => "nothing",
        }
    }

    /// In words, after "is".
    pub(crate) const fn describe_state(self) -> &'static str {
        match self {
            Source::Approved => "as last approved",
            Source::Session => "as the session found it",
            Source::Commit => "as in the last commit",
            Source::Nowhere => "unknown",
        }
    }
}

impl ProtectedFile {
    /// Whether it is what it should be.
    pub(crate) fn matches_reference(&self) -> bool {
        self.now == self.reference.content
    }

    /// The hash of what is there now.
    pub(crate) fn current_hash(&self) -> Option<ContentHash> {
        self.now.as_deref().map(hash)
    }
}

impl ProtectedFiles {
    /// The project that the command was started in.
    pub(crate) fn find() -> Result<ProtectedFiles, Failed> {
        let here = ProjectContext::find()?;
        let environment = Environment::read();
        let Some(state) = environment.state_dir() else {
            return Err(Failed::new(
                "no home directory to store approvals in",
                "set HOME or FLYBALL_STATE_DIR",
            ));
        };
        let config = here.load_config().config;
        let section = config.sections.get(POLICY.id.as_str());
        let settings = section.map_or_else(|| Ok(Settings::default()), |section| section.parse())?;
        let mut own = own_files(&environment, &here.root);
        own.extend(obeyed_files(&config, &here.root));
        Ok(ProtectedFiles {
            machine: Machine::new(
                Instant::now(),
                environment.home.clone(),
                &here.root,
                own,
                flyball_clients::FACTS,
            ),
            settings,
            approvals: Approvals::for_project(state, &here.root),
            contents: ContentStore::below(state),
        })
    }

    /// The same, unless the policy is off or only observes.
    pub(crate) fn find_enforced() -> Result<Option<ProtectedFiles>, Failed> {
        let config = ProjectContext::find()?.load_config().config;
        let section = config.sections.get(POLICY.id.as_str());
        let is_enforced = section.is_none_or(|section| section.mode == Mode::Enforce);
        is_enforced.then(ProtectedFiles::find).transpose()
    }

    /// The name of a file from the project's root, if it is protected.
    pub(crate) fn covered_name(&self, path: &AbsolutePath) -> Option<String> {
        let project = self.context();
        let name = project.relative(path)?;
        (project.coverage(path) != Coverage::Nothing).then(|| name.to_owned())
    }

    /// Whether a commit may make this of a file: it leaves what is protected of it as it was, or a person approved the
    /// content. What a session found is not enough, because the session before may have changed it.
    pub(crate) fn may_commit(&self, path: &AbsolutePath, texts: Committed<'_>) -> Result<bool, Failed> {
        let project = self.context();
        // A new manifest has no earlier tables to weaken.
        if texts.before.is_none() && project.coverage(path) == Coverage::Part {
            return Ok(true);
        }
        let content = |text: Option<&[u8]>| text.map(|text| project.protected_content(path, text));
        let (before, after) = (content(texts.before), content(texts.after));
        if before == after {
            return Ok(true);
        }
        let after = after.as_deref().map(hash);
        let ledger = self.approvals.read()?;
        let approved = ledger.entry(path).and_then(|entry| entry.approved.as_ref());
        Ok(approved.is_some_and(|approved| approved.0.content == after))
    }

    fn context(&self) -> ProtectedProject<'_> {
        ProtectedProject::new(&self.machine, Protection::new(self.settings.clone(), flyball_clients::FACTS))
    }

    /// The named files. A file that is not protected is an error.
    pub(crate) fn named(&self, paths: &[PathBuf]) -> Result<Vec<ProtectedFile>, Failed> {
        let project = self.context();
        let ledger = self.approvals.read()?;
        let folder = environment::working_directory();
        let folder = folder.as_deref().map_or_else(|| project.root().clone(), AbsolutePath::from_path);
        let one = |path: &PathBuf| {
            let real = self.machine.real_path(&folder, &path.to_string_lossy());
            if project.coverage(&real) == Coverage::Nothing {
                return Err(Failed::new(
                    format!("`{}` is not protected", path.display()),
                    "`flyball approve --list` shows the files that are",
                ));
            }
            self.read_file(real, &project, &ledger)
        };
        paths.iter().map(one).collect()
    }

    /// All protected files that exist or are known to have existed.
    pub(crate) fn all(&self) -> Result<Vec<ProtectedFile>, Failed> {
        let project = self.context();
        let ledger = self.approvals.read()?;
        let mut paths = project.find_existing()?;
        // A file that was deleted is a change as well, and only the ledger knows of it.
        paths.extend(ledger.files().map(|(path, _)| path.to_owned()));
        paths.retain(|path| project.coverage(path) != Coverage::Nothing);
        paths.sort_unstable();
        paths.dedup();
        paths.into_iter().map(|path| self.read_file(path, &project, &ledger)).collect()
    }

    fn read_file(
        &self,
        path: AbsolutePath,
        project: &ProtectedProject<'_>,
        ledger: &Ledger,
    ) -> Result<ProtectedFile, Failed> {
        let now = project.read_protected(&path)?;
        let reference = self.reference(&path, project, ledger)?;
        let name = project.relative(&path).unwrap_or(&path).to_owned();
        let extension = project.coverage(&path);
        Ok(ProtectedFile { path, name, extension, now, reference })
    }

    /// What was last approved or found, whichever came later, else what the last commit holds.
    fn reference(
        &self,
        path: &AbsolutePath,
        project: &ProtectedProject<'_>,
        ledger: &Ledger,
    ) -> Result<Reference, Failed> {
        if let Some(entry) = ledger.entry(path) {
            // An approval of an older content no longer says anything about the file.
            let approved = entry.approved.as_ref().is_some_and(|approved| approved.0.content == entry.before);
            let source = if approved { Source::Approved } else { Source::Session };
            let content = entry.before.as_ref().map(|hash| self.contents.read(hash));
            match content {
                None => return Ok(Reference { source, content: None }),
                Some(Some(text)) => return Ok(Reference { source, content: Some(text) }),
                // The copy is gone; a commit may still have it.
                Some(None) => {}
            }
        }
        // `./` makes git look from the folder it runs in: the project may be below the root of the
        // repository.
        let committed = project.relative(path).map(|name| format!("HEAD:./{name}"));
        let shown = committed.map(|object| self.machine.git(project.root(), &["show", &object])).transpose();
        // A file that is in no commit, or a project without one, has no reference.
        let text = shown?.and_then(GitAnswer::text);
        let source = if text.is_some() { Source::Commit } else { Source::Nowhere };
        let content = text.map(|text| project.protected_content(path, text.as_bytes()));
        Ok(Reference { source, content })
    }

    /// Restores a file to its reference, and returns the copy of the replaced content.
    pub(crate) fn restore(&self, file: &ProtectedFile) -> Result<Option<PathBuf>, Failed> {
        // Content from a commit is not in the content store yet.
        let content = file.reference.content.as_deref().map(|text| self.contents.store(text)).transpose();
        let content = content?;
        let replaced = self.contents.restore(Path::new(&file.path), content.as_ref())?;
        self.approvals.mark_restored(&file.path)?;
        Ok(replaced)
    }
}
