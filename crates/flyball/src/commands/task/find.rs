//! Which task of a project a command is about, and what commands do to it.

use std::path::Path;

use flyball_core::event::SessionId;
use flyball_core::path::{AbsolutePath, ProjectPath};
use flyball_core::workshop::FileChanges;
use flyball_core::world::{Files, Place};
use flyball_knowledge::layout::{PLAN, TASK_SUFFIX, TASKS};
use flyball_knowledge::lock::{self, Holder};
use flyball_knowledge::plan::{self, Status};
use flyball_policies::task::stop::POLICY;
use flyball_store::{SessionFilter, SessionSummary};

use crate::commands::note::note;
use crate::environment;
use crate::outcome::Failed;
use crate::session;
use crate::show::text::one_line;
use crate::views::task::ProjectTasks;

impl ProjectTasks {
    /// The plan that is named: by its path, by the name of its task, or by a part of that.
    pub(in crate::commands) fn find_named(&self, name: &str) -> Result<ProjectPath, Failed> {
        if let Some(path) = self.by_path(name) {
            return Ok(path);
        }
        let all = plan::all(&self.machine);
        let is_exact = |path: &&ProjectPath| {
            let task = plan::task_name(path);
            task == name || format!("{task}{TASK_SUFFIX}") == name
        };
        // Before parts of names: a name that is also a part of a longer one would otherwise be ambiguous.
        if let Some(path) = all.iter().find(is_exact) {
            return Ok(path.clone());
        }
        let mut matching: Vec<&ProjectPath> =
            all.iter().filter(|path| plan::task_name(path).contains(name)).collect();
        match (matching.pop(), matching.is_empty()) {
            (Some(path), true) => Ok(path.clone()),
            (Some(path), false) => {
                matching.push(path);
                let what = format!("several tasks match `{}`", one_line(name));
                Err(Failed::new(what, format!("name one: {}", names(matching.into_iter()))))
            }
            (None, _) => {
                let what = format!("no task `{}` in this project", one_line(name));
                Err(Failed::new(what, "`flyball task list` lists all tasks"))
            }
        }
    }

    /// The path of a plan, if the name is one.
    fn by_path(&self, name: &str) -> Option<ProjectPath> {
        let root = self.machine.project_root();
        let directory = environment::working_directory().map(|folder| AbsolutePath::from_path(&folder));
        // The working directory comes before the root, as in a shell.
        for base in directory.iter().chain([root]) {
            let place = self.machine.real_path(base, name);
            let below =
                Path::new(&place).strip_prefix(root).ok().map(|below| below.to_string_lossy().into_owned());
            // The folder of a task stands for its plan.
            let paths = below.into_iter().flat_map(|below| [format!("{below}/{PLAN}"), below]);
            let exists =
                |path: &ProjectPath| self.machine.stat(&plan::absolute_path(&self.machine, path)).is_some();
            if let Some(path) = paths.filter_map(|path| plan::plan_path(&path)).find(exists) {
                return Some(path);
            }
        }
        None
    }

    /// The plan to start if none is named: the active one, else the newest that is open.
    pub(super) fn to_start(&self) -> Result<ProjectPath, Failed> {
        let is_open = |path: &ProjectPath| {
            plan::read(&self.machine, path).ok().flatten().is_some_and(|plan| !plan.status.is_terminal())
        };
        // The active plan stays recorded after it is finished; a plan that is over cannot be started.
        let active = plan::active(&self.machine)?.filter(is_open);
        let newest = || plan::all(&self.machine).into_iter().rev().find(is_open);
        active.or_else(newest).ok_or_else(|| {
            let what = "no task of this project is open";
            let fix =
                format!("`flyball task new TITLE` makes one: a plan in {TASKS}/NAME{TASK_SUFFIX}/{PLAN}");
            Failed::new(what, fix)
        })
    }

    /// The named plan, else the one that this session works on, else the only one in progress,
    /// else the active one.
    pub(super) fn find_under_way(&self, name: Option<&str>) -> Result<ProjectPath, Failed> {
        if let Some(name) = name {
            return self.find_named(name);
        }
        // Other sessions may have tasks of their own in this project: this session's own one comes first.
        if let Some((client, id)) = session::own()
            && let Some(path) = lock::bound_plan(&self.machine, (client, id.as_str()))?
        {
            return Ok(path);
        }
        let locked: Vec<ProjectPath> = lock::read_all(&self.machine)?.0.into_keys().collect();
        match locked.as_slice() {
            [one] => return Ok(one.clone()),
            [] => {}
            // No guess: ending the wrong task would release a session that still has work.
            several => {
                let fix = format!("name one: {}", names(several.iter()));
                return Err(Failed::new("several tasks of this project are in progress", fix));
            }
        }
        plan::active(&self.machine)?.ok_or_else(|| {
            Failed::new("no task of this project is in progress", "`flyball task list` shows all tasks")
        })
    }

    /// Sets the status of a plan: whether that changed anything.
    pub(super) fn set_status(&self, path: &ProjectPath, status: &Status) -> Result<bool, Failed> {
        let change = &mut |before: Option<&[u8]>| {
            let text = before.and_then(|bytes| std::str::from_utf8(bytes).ok());
            Ok(text.map(|text| plan::with_status(text, status).into_bytes()))
        };
        self.machine.update(&plan::absolute_path(&self.machine, path), change).map_err(Failed::from)
    }

    /// The recorded session of a holder.
    pub(super) fn session_of(&self, holder: &Holder) -> Result<Option<SessionSummary>, Failed> {
        let archive = self.here.archive()?;
        let filter = SessionFilter { id_prefix: Some(holder.session.clone()), ..SessionFilter::default() };
        let found = archive.index.sessions(&filter)?;
        let is_holder = |one: &SessionSummary| {
            // The filter only compares the beginning of the id.
            one.session == SessionId::new(&holder.session)
                // Locks by other tools do not name the client; then the id has to be enough.
                && (holder.client.is_empty() || one.client == holder.client)
        };
        Ok(found.into_iter().find(is_holder))
    }

    /// Records a command in the session that it was about, and resets the session's memory of task.stop.
    /// A session that is not recorded is skipped.
    pub(super) fn record(&self, holder: Option<&Holder>, text: &str) -> Result<(), Failed> {
        let Some(holder) = holder else { return Ok(()) };
        let Some(session) = self.session_of(holder)? else { return Ok(()) };
        let mut record = note(&session, ("flyball task", text));
        let archive = self.here.archive()?;
        archive.change(&session, (POLICY.id.as_str(), &mut record), |_| Ok("{}".to_owned()))
    }
}

/// The names of tasks, in one line.
fn names<'a>(paths: impl Iterator<Item = &'a ProjectPath>) -> String {
    let names: Vec<String> = paths.map(|path| format!("`{}`", one_line(plan::task_name(path)))).collect();
    names.join(", ")
}
