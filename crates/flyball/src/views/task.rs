//! A task as people and scripts see it.

use std::path::Path;

use flyball_core::config::Mode;
use flyball_core::path::ProjectPath;
use flyball_core::time::{self, Time};
use flyball_core::world::Clock;
use flyball_knowledge::lock::{self, Lock};
use flyball_knowledge::plan::{self, Count, Plan};
use flyball_policies::task::agents;
use flyball_policies::task::stop::{POLICY, Settings};
use flyball_world::machine::Machine;
use serde::Serialize;

use crate::outcome::Failed;
use crate::project_context::{ProjectContext, mode_in};

/// A project and its tasks.
pub(crate) struct ProjectTasks {
    pub(crate) here: ProjectContext,
    pub(crate) machine: Machine,
}

impl ProjectTasks {
    /// The project that the command was started in.
    pub(crate) fn find() -> Result<ProjectTasks, Failed> {
        ProjectTasks::open(ProjectContext::find()?)
    }

    pub(crate) fn open(here: ProjectContext) -> Result<ProjectTasks, Failed> {
        if here.state_dir().is_none() {
            let what = "no home directory, so the state of tasks is not known";
            return Err(Failed::new(what, "set HOME or FLYBALL_STATE_DIR"));
        }
        Ok(ProjectTasks { machine: here.machine(), here })
    }

    /// The settings of `task.stop`, and whether it does anything.
    pub(crate) fn settings(&self) -> (Settings, Mode) {
        let config = self.here.peek_config().config;
        let section = config.sections.get(POLICY.id.as_str());
        let settings = section.and_then(|section| section.parse().ok()).unwrap_or_default();
        (settings, mode_in(&config, &POLICY))
    }
}

impl ProjectTasks {
    /// The settings of `task.agents`.
    pub(crate) fn agent_settings(&self) -> agents::Settings {
        let config = self.here.peek_config().config;
        let section = config.sections.get(agents::POLICY.id.as_str());
        section.and_then(|section| section.parse().ok()).unwrap_or_default()
    }
}

#[derive(Serialize)]
pub(crate) struct Task {
    pub(crate) task: String,
    /// The path of its plan below the project.
    pub(crate) plan: String,
    /// Its title; empty if it has none.
    pub(crate) title: String,
    /// The status of its plan; empty if that cannot be read.
    pub(crate) status: String,
    /// Whether nothing is left to do.
    pub(crate) is_over: bool,
    /// Whether `TASK.md` names it.
    pub(crate) is_active: bool,
    /// The phase it is in: `2`, `2V`; none if all are complete.
    pub(crate) phase: Option<String>,
    /// The title of that phase.
    pub(crate) phase_title: String,
    /// How many phases are complete. One that verifies another counts with it.
    pub(crate) complete: usize,
    /// How many there are.
    pub(crate) phases: usize,
    /// How far it is.
    #[serde(skip)]
    count: Count,
    /// The open items of the phase it is in.
    pub(crate) open: Vec<String>,
    /// What to do next.
    pub(crate) next: String,
    /// Whether it was started, and who works on it.
    pub(crate) lock: Option<Started>,
    /// Why its plan cannot be read, if it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

/// A task that was started.
#[derive(Serialize)]
pub(crate) struct Started {
    #[serde(with = "time::micros")]
    pub(crate) started_at: Time,
    /// Who works on it.
    pub(crate) holder: Option<Worker>,
    /// That a person paused it.
    pub(crate) paused: Option<Paused>,
}

/// A task that a person paused.
#[derive(Serialize)]
pub(crate) struct Paused {
    #[serde(with = "time::micros")]
    pub(crate) at: Time,
    /// What the person wrote: a prompt, or the command.
    pub(crate) text: String,
}

/// The session that works on a task.
#[derive(Serialize)]
pub(crate) struct Worker {
    pub(crate) client: String,
    pub(crate) session: String,
    #[serde(with = "time::micros")]
    pub(crate) bound_at: Time,
    #[serde(with = "time::micros")]
    pub(crate) heard_at: Time,
    /// Whether it has reported its end.
    pub(crate) has_ended: bool,
    /// Whether it ended, or has been silent for so long that `flyball task start` may replace it.
    pub(crate) is_orphan: bool,
}

impl Task {
    /// The task of a plan.
    pub(crate) fn read(project: &ProjectTasks, path: &ProjectPath) -> Result<Task, Failed> {
        let lock = lock::read(&project.machine, path)?;
        let is_active = plan::active(&project.machine).ok().flatten().as_ref() == Some(path);
        let (plan, problem) = match plan::read(&project.machine, path) {
            Ok(Some(plan)) => (plan, None),
            // Listed all the same: a task whose plan is gone can still be locked, and has to be released.
            Ok(None) => (Plan::parse(""), Some("its plan does not exist".to_owned())),
            Err(error) => (Plan::parse(""), Some(error.to_string())),
        };
        let phase = plan.phase();
        let count = plan.count();
        let is_known = problem.is_none();
        Ok(Task {
            task: plan::task_name(path).to_owned(),
            plan: path.to_string(),
            status: if is_known { plan.status.as_str().to_owned() } else { String::new() },
            is_over: plan.status.is_terminal(),
            is_active,
            phase: phase.map(plan::Phase::label),
            phase_title: phase.map(|phase| phase.title.clone()).unwrap_or_default(),
            complete: count.complete,
            phases: count.all,
            count,
            open: phase.map(|phase| phase.open.clone()).unwrap_or_default(),
            next: if is_known { next(&plan) } else { String::new() },
            title: plan.title,
            lock: lock.map(|lock| started(lock, project)),
            problem,
        })
    }

    /// `phase 2 of 5`.
    pub(crate) fn progress(&self) -> String {
        match (&self.phase, self.phases) {
            (_, 0) => "no phases".to_owned(),
            (None, 1) => "its only phase is complete".to_owned(),
            (None, all) => format!("all {all} phases complete"),
            (Some(_), _) => self.count.progress(),
        }
    }

    /// That a person paused it.
    pub(crate) fn paused(&self) -> Option<&Paused> {
        self.lock.as_ref().and_then(|lock| lock.paused.as_ref())
    }
}

/// The tasks that a session of a project works on. What cannot be read is left out; `flyball task` reports it.
pub(crate) fn of_session(root: &str, who: (&str, &str)) -> Vec<Task> {
    let Ok(project) = ProjectTasks::open(ProjectContext::at(root.into())) else { return Vec::new() };
    let bound = lock::bound_plans(&project.machine, who).unwrap_or_default();
    bound.iter().filter_map(|path| Task::read(&project, path).ok()).collect()
}

/// How far the task of a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskProgress {
    /// The phase that it is in, from 1.
    pub(crate) phase: usize,
    /// How many there are.
    pub(crate) all: usize,
    pub(crate) is_paused: bool,
}

/// How far the task of a session is. Without the config, and so quick.
pub(crate) fn progress_of(root: &Path, who: (&str, &str)) -> Option<TaskProgress> {
    let project = ProjectTasks::open(ProjectContext::at(root.to_path_buf())).ok()?;
    let (path, lock) = lock::bound(&project.machine, who).ok()?.into_iter().next()?;
    let plan = plan::read(&project.machine, &path).ok()??;
    let count = plan.count();
    (count.all > 0 && !plan.status.is_terminal()).then(|| TaskProgress {
        phase: count.at,
        all: count.all,
        is_paused: lock.paused.is_some(),
    })
}

/// The tasks of a project that are not over, and those that are still locked, the newest first. What cannot
/// be read is left out.
pub(crate) fn open(here: ProjectContext, most: usize) -> Vec<Task> {
    let Ok(project) = ProjectTasks::open(here) else { return Vec::new() };
    let mut paths = plan::all(&project.machine);
    let locked = lock::read_all(&project.machine).map(|locks| locks.0).unwrap_or_default().into_keys();
    // A lock can outlive its plan.
    paths.extend(locked.filter(|path| !paths.contains(path)).collect::<Vec<_>>());
    // The names of tasks begin with a date.
    paths.sort_by(|one, other| other.cmp(one));
    let tasks = paths.iter().filter_map(|path| Task::read(&project, path).ok());
    tasks.filter(|task| !task.is_over || task.lock.is_some()).take(most).collect()
}

fn started(lock: Lock, project: &ProjectTasks) -> Started {
    let orphaned_after = project.settings().0.orphaned_after();
    let now = project.machine.now();
    let holder = lock.holder.map(|holder| Worker {
        has_ended: holder.has_ended,
        is_orphan: holder.is_gone(now, orphaned_after),
        bound_at: holder.bound_at,
        heard_at: holder.heard_at,
        client: holder.client,
        session: holder.session,
    });
    let paused = lock.paused.map(|pause| Paused { at: pause.at, text: pause.text });
    Started { started_at: lock.started_at, holder, paused }
}

/// What to do next, in one line.
fn next(plan: &Plan) -> String {
    if plan.status.is_terminal() {
        return String::new();
    }
    match plan.phase() {
        Some(phase) => match phase.open.first() {
            Some(item) => item.clone(),
            None => format!("complete phase {}", phase.label()),
        },
        None => "set the status of the plan to finished".to_owned(),
    }
}
