//! The snapshots of a project, as `flyball undo` uses them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flyball_core::event::SessionId;
use flyball_core::path::AbsolutePath;
use flyball_core::snapshot::{Extent, SnapshotId, SnapshotRequest, Snapshots as _};
use flyball_core::world::{Files, Place};
use flyball_policies::undo::{POLICY, Settings};
use flyball_system::MetadataExt;
use flyball_world::machine::Machine;
use flyball_world::snapshots::{Change, Content, Entry, Manifest, Missing, Plan, Snapshots};
use jiff::Zoned;

use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::own_files::own_files;
use crate::project_context::ProjectContext;
use crate::protected::ProtectedFiles;
use crate::show::time;
use crate::show::visible::visible;

/// The session that snapshots of this command belong to.
pub(super) const NO_SESSION: &str = "flyball undo";

/// The snapshots of a project, and what is needed to read and use them.
pub(super) struct Undo {
    pub(super) machine: Machine,
    pub(super) snapshots: Snapshots,
    settings: Settings,
}

/// The files as they are now, copied before anything is brought back.
pub(super) struct Now {
    pub(super) manifest: Manifest,
    /// Whether they were as in no other snapshot.
    is_new: bool,
}

/// A snapshot, and what has to be done so that files are as in it.
pub(super) struct Choice {
    pub(super) manifest: Manifest,
    pub(super) plan: Plan,
}

impl Undo {
    pub(super) fn find(here: &ProjectContext) -> Result<Undo, Failed> {
        let machine = here.machine();
        Ok(Undo { snapshots: machine.snapshots()?, machine, settings: settings(here)? })
    }

    /// All snapshots, the latest first.
    pub(super) fn latest_first(&self) -> impl Iterator<Item = Result<Manifest, Failed>> {
        let all = self.snapshots.all();
        all.into_iter().rev().filter_map(|id| self.snapshots.read(id).map_err(Failed::from).transpose())
    }

    /// A path of the command line as snapshots have it.
    pub(super) fn name(&self, file: &Path) -> Result<String, Failed> {
        let Some(folder) = environment::working_directory() else {
            return Err(Failed::new("the current directory is gone", "change to one that exists"));
        };
        let folder = AbsolutePath::from_path(&folder);
        // Only the folder is resolved: a link is a file of its own.
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let parent = self.machine.real_path(&folder, &parent.to_string_lossy());
        let place = match file.file_name() {
            Some(name) => Path::new(&parent).join(name),
            None => PathBuf::from(self.machine.real_path(&folder, &file.to_string_lossy())),
        };
        Ok(self.snapshots.name(&place))
    }

    /// Copies what is there now, so that nothing is lost.
    pub(super) fn copy_now(&self, id: Option<SnapshotId>) -> Result<Now, Failed> {
        let wanted = id.map(|id| self.snapshots.read(id)).transpose()?.flatten();
        let elsewhere = wanted.as_ref().and_then(|it| it.elsewhere.clone());
        let root = self.machine.project_root().clone();
        let folder =
            elsewhere.map_or_else(|| root.clone(), |it| AbsolutePath::from_path(&Path::new(&root).join(it)));
        let named: Vec<AbsolutePath> = wanted
            .iter()
            .flat_map(|it| it.entries.keys())
            .map(|path| AbsolutePath::from_path(&Path::new(&root).join(path)))
            .collect();
        let words = id.map(|id| format!(" {id}")).unwrap_or_default();
        let request = SnapshotRequest {
            extent: Extent::Tree { folder: &folder, named: &named },
            session: &SessionId::new(NO_SESSION),
            cause: &format!("flyball undo{words}"),
            limits: self.settings.limits(),
        };
        let taken = self.machine.take_snapshot(&request)?;
        let manifest = self.snapshots.read(taken.id)?.ok_or_else(|| {
            Failed::new("what is there now could not be copied", "make room in the state directory")
        })?;
        Ok(Now { manifest, is_new: taken.is_new })
    }

    /// Lets files be read of which a snapshot has the content and a command took that right away: what is there now could not be
    /// copied, and so not be replaced. Whether there were any.
    pub(super) fn make_readable(&self, now: &Now) -> bool {
        const OWNER_READS: u32 = 0o400;
        let unreadable = |(path, entry): (&String, &Entry)| {
            (entry.content == Content::Missing(Missing::Unreadable)).then(|| path.clone())
        };
        let mut paths: Vec<String> = now.manifest.entries.iter().filter_map(unreadable).collect();
        if paths.is_empty() {
            return false;
        }
        let known: BTreeSet<String> = self
            .latest_first()
            .flatten()
            .flat_map(|it| it.entries)
            .filter(|(_, entry)| matches!(entry.content, Content::Stored(_) | Content::Committed(_)))
            .map(|(path, _)| path)
            .collect();
        paths.retain(|path| known.contains(path));
        let mut is_changed = false;
        for path in paths.iter().map(|path| self.snapshots.root().join(path)) {
            let Ok(found) = path.symlink_metadata() else { continue };
            let mode = found.mode() & 0o7777 | OWNER_READS;
            is_changed |= found.is_file() && flyball_system::set_mode(&path, mode).is_ok();
        }
        is_changed
    }

    /// Deletes the copy of what is there now, because nothing was brought back.
    pub(super) fn discard(&self, now: &Now) -> Result<(), Failed> {
        if now.is_new {
            self.snapshots.discard(now.manifest.id)?;
        }
        Ok(())
    }

    /// Leaves protected files and flyball's own as they are: an agent must not set them back.
    pub(super) fn leave_protected(&self, plan: &mut Plan) -> Result<(), Failed> {
        let protected = ProtectedFiles::find_enforced()?;
        let own = own_files(&Environment::read(), self.snapshots.root());
        for step in &mut plan.steps {
            let path = AbsolutePath::from_path(&self.snapshots.root().join(&step.path));
            let is_own = own.iter().any(|file| path.is_in(&file.path));
            let is_protected = protected.as_ref().is_some_and(|it| it.covered_name(&path).is_some());
            if (is_own || is_protected) && !matches!(step.change, Change::Leave(_)) {
                step.change = Change::Leave("it is protected: a person can bring it back".to_owned());
            }
        }
        Ok(())
    }
}

pub(super) fn settings(here: &ProjectContext) -> Result<Settings, Failed> {
    let config = here.load_config().config;
    let section = config.sections.get(POLICY.id.as_str());
    Ok(section.map_or_else(|| Ok(Settings::default()), |section| section.parse())?)
}

/// The call of a snapshot, its number and its time.
pub(super) fn describe(manifest: &Manifest) -> String {
    let at = time::clock(manifest.at, &Zoned::now());
    format!("`{}` (snapshot {}, {at})", visible(&manifest.cause), manifest.id)
}
