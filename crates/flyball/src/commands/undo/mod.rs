//! `flyball undo`: brings files back as they were before a call, and shows what can be brought back.

mod choose;
mod list;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_core::event::SessionId;
use flyball_core::path::AbsolutePath;
use flyball_core::snapshot::{Extent, SnapshotId, SnapshotRequest, Snapshots as _};
use flyball_core::time::Time;
use flyball_core::world::{Files, Place};
use flyball_policies::undo::{POLICY, Settings};
use flyball_world::machine::Machine;
use flyball_world::snapshots::{self, Change, Manifest, Plan, Snapshots};

use crate::environment::{self, Environment};
use crate::outcome::{Done, Failed};
use crate::own_files::own_files;
use crate::person::is_person;
use crate::project_context::ProjectContext;
use crate::protected::ProtectedFiles;
use crate::terminal::Terminal;

/// The session that snapshots of this command belong to.
const NO_SESSION: &str = "flyball undo";

/// Arguments of `flyball undo`.
#[derive(Args)]
#[command(
    after_help = "Without an ID, everything is brought back as it was before the last call that changed something. What is there \
                  now is copied first, so an undo can be undone. Files that git ignores, commits and branches stay as they are; \
                  what a command did to branches is said. For an agent, protected files stay as they are, too. Exit code 1 if a \
                  file could not be brought back.

  flyball undo --list             the snapshots, the latest first
  flyball undo --diff             what `flyball undo` would change
  flyball undo 12                 everything as before snapshot 12's command
  flyball undo --file src/a.rs    one file or folder, as it was before it last changed"
)]
pub(crate) struct Arguments {
    /// The number of a snapshot; `--list` shows them
    id: Option<u64>,
    /// Show the snapshots, and what changed after each; changes nothing
    #[arg(long, conflicts_with_all = ["id", "diff", "file"])]
    list: bool,
    /// With `--list`: as JSON, one object a line
    #[arg(long, requires = "list")]
    json: bool,
    /// With `--list`: how many
    #[arg(short = 'n', long, requires = "list", default_value_t = 20, value_name = "N")]
    number: usize,
    /// Show what would change, as a diff; changes nothing
    #[arg(long)]
    diff: bool,
    /// Bring back only this file or folder
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
    /// Delete old snapshots (runs by itself)
    #[arg(long, hide = true, conflicts_with_all = ["id", "list", "diff", "file"])]
    prune: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    if arguments.prune {
        return prune(&here);
    }
    let undo = Undo::find(&here)?;
    if arguments.list {
        return list::run(&undo, arguments.number, arguments.json, terminal);
    }
    let only = arguments.file.as_deref().map(|file| undo.name(file)).transpose()?;
    let now = undo.copy_now(arguments)?;
    let choice = choose::choose(&undo, arguments.id.map(SnapshotId), only.as_deref(), &now)?;
    let Some(mut choice) = choice else {
        terminal.line("nothing to undo: all files are as they were before the calls that are known");
        return Ok(Done::Success);
    };
    if arguments.diff {
        return report::diff(&undo, &choice, terminal);
    }
    if !is_person(terminal) {
        undo.leave_protected(&mut choice.plan)?;
    }
    let failed = undo.snapshots.carry_out(&undo.machine, &choice.plan);
    report::done(&choice, &now, &failed, terminal)
}

/// The snapshots of a project, and what is needed to read and use them.
struct Undo {
    machine: Machine,
    snapshots: Snapshots,
    settings: Settings,
}

/// A snapshot, and what has to be done so that files are as in it.
struct Choice {
    manifest: Manifest,
    plan: Plan,
}

impl Undo {
    fn find(here: &ProjectContext) -> Result<Undo, Failed> {
        let machine = here.machine();
        Ok(Undo { snapshots: machine.snapshots()?, machine, settings: settings(here)? })
    }

    /// All snapshots, the latest first.
    fn latest_first(&self) -> impl Iterator<Item = Result<Manifest, Failed>> {
        let all = self.snapshots.all();
        all.into_iter().rev().filter_map(|id| self.snapshots.read(id).map_err(Failed::from).transpose())
    }

    /// A path of the command line as snapshots have it.
    fn name(&self, file: &Path) -> Result<String, Failed> {
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
    fn copy_now(&self, arguments: &Arguments) -> Result<Manifest, Failed> {
        let wanted = arguments.id.map(|id| self.snapshots.read(SnapshotId(id))).transpose()?.flatten();
        let elsewhere = wanted.as_ref().and_then(|it| it.elsewhere.clone());
        let root = self.machine.project_root().clone();
        let folder =
            elsewhere.map_or_else(|| root.clone(), |it| AbsolutePath::from_path(&Path::new(&root).join(it)));
        let named: Vec<AbsolutePath> = wanted
            .iter()
            .flat_map(|it| it.entries.keys())
            .map(|path| AbsolutePath::from_path(&Path::new(&root).join(path)))
            .collect();
        let words = arguments.id.map(|id| format!(" {id}")).unwrap_or_default();
        let request = SnapshotRequest {
            extent: Extent::Tree { folder: &folder, named: &named },
            session: &SessionId::new(NO_SESSION),
            cause: &format!("flyball undo{words}"),
            limits: self.settings.limits(),
        };
        let taken = self.machine.take_snapshot(&request)?;
        self.snapshots.read(taken.id)?.ok_or_else(|| {
            Failed::new("what is there now could not be copied", "make room in the state directory")
        })
    }

    /// Leaves protected files and flyball's own as they are: an agent must not set them back.
    fn leave_protected(&self, plan: &mut Plan) -> Result<(), Failed> {
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

fn settings(here: &ProjectContext) -> Result<Settings, Failed> {
    let config = here.load_config().config;
    let section = config.sections.get(POLICY.id.as_str());
    Ok(section.map_or_else(|| Ok(Settings::default()), |section| section.parse())?)
}

/// Deletes old snapshots, if that was not done lately. Nobody waits for it, and nobody reads what it says.
fn prune(here: &ProjectContext) -> Result<Done, Failed> {
    let Some(state) = here.state_dir() else { return Ok(Done::Success) };
    if snapshots::is_prune_due(state) {
        // The copies are the user's, so no project's config decides how long they are stored.
        let retention = settings(&ProjectContext::at(PathBuf::from("/")))?.retention();
        snapshots::prune(state, retention, Time::now()).map_err(|cause| {
            Failed::new(format!("old snapshots could not be deleted: {cause}"), "check the state directory")
        })?;
    }
    Ok(Done::Success)
}
