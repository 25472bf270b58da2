//! `flyball task finish`, `cancel` and `release`.

use clap::Args;
use flyball_core::path::ProjectPath;
use flyball_core::text;
use flyball_core::workshop::FileChanges;
use flyball_core::world::{Clock, Files};
use flyball_knowledge::lock::{self, Lock};
use flyball_knowledge::plan::{self, Phase, Plan, Status};
use flyball_knowledge::timestamp;

use crate::outcome::{Done, Failed};
use crate::person::require_person;
use crate::session;
use crate::show::record::short_session;
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};
use crate::views::task::ProjectTasks;

/// How many phases are named.
const MOST_PHASES: usize = 5;

/// Arguments of `flyball task finish`.
#[derive(Args)]
pub(super) struct Finish {
    #[command(flatten)]
    which: Which,
    /// Even if phases are not complete: for people only
    #[arg(long)]
    anyway: bool,
}

/// Arguments of `flyball task cancel`.
#[derive(Args)]
pub(super) struct Cancel {
    #[command(flatten)]
    which: Which,
    /// Why; it is added at the end of the plan
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Arguments of `flyball task release`.
#[derive(Args)]
pub(super) struct Release {
    #[command(flatten)]
    which: Which,
}

/// Which task to change.
#[derive(Args)]
pub(super) struct Which {
    /// The task: its name, a part of it, or the path of its plan [default: the one of this session, else the only one
    /// under way]
    #[arg(value_name = "TASK")]
    pub(super) task: Option<String>,
}

impl Finish {
    /// Sets a plan to finished.
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        if self.anyway {
            // An agent could otherwise get out of its task without doing it.
            require_person("flyball task finish --anyway", terminal)?;
        }
        let project = ProjectTasks::find()?;
        let path = project.find_under_way(self.which.task.as_deref())?;
        let name = one_line(plan::task_name(&path));
        let plan = read(&project, &path)?;
        if plan.status.is_terminal() && plan.status != Status::Finished {
            return Err(already_over(&name, &plan));
        }
        let open: Vec<&Phase> = plan.unfinished().collect();
        if !open.is_empty() && !self.anyway {
            let what = format!("task `{name}` is not complete: {}", listed(&open));
            let fix = format!(
                "tick what is done in the plan; to override: a person runs `flyball task finish {name} --anyway` in a terminal"
            );
            terminal.print_failure(&what, &fix);
            return Ok(Done::Findings);
        }
        if !self.anyway
            && let Some(holder) = other_session(&project, &path)?
        {
            let what = format!("session {holder} works on task `{name}`, not this one");
            let fix =
                format!("to override: a person runs `flyball task finish {name} --anyway` in a terminal");
            terminal.print_failure(&what, &fix);
            return Ok(Done::Findings);
        }
        // The plan first: if this fails, the session stays bound and the command can be repeated.
        project.set_status(&path, &Status::Finished)?;
        let free = release(
            &project,
            &path,
            &format!("task finish {name}{}", if self.anyway { " --anyway" } else { "" }),
        )?;
        terminal.done(&format!("{name}: finished{free}"));
        if project.machine.stat(&plan::absolute_path(&project.machine, &plan::lessons_path(&path))).is_some()
        {
            terminal.line("  `flyball knowledge promote` turns its lessons into rules.");
        }
        Ok(Done::Success)
    }
}

impl Cancel {
    /// Sets a plan to cancelled.
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        require_person("flyball task cancel", terminal)?;
        let project = ProjectTasks::find()?;
        let path = project.find_under_way(self.which.task.as_deref())?;
        let name = one_line(plan::task_name(&path));
        let plan = read(&project, &path)?;
        if plan.status.is_terminal() && plan.status != Status::Cancelled {
            return Err(already_over(&name, &plan));
        }
        project.set_status(&path, &Status::Cancelled)?;
        if let Some(reason) = &self.reason {
            note_reason(&project, &path, reason)?;
        }
        let reason =
            self.reason.as_deref().map(|reason| format!(": {}", one_line(reason))).unwrap_or_default();
        let free = release(&project, &path, &format!("task cancel {name}{reason}"))?;
        terminal.done(&format!("{name}: cancelled{free}"));
        Ok(Done::Success)
    }
}

impl Release {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        require_person("flyball task release", terminal)?;
        let project = ProjectTasks::find()?;
        // Locks that cannot be read would make each command about tasks fail; this is the way out of that.
        if lock::quarantine(&project.machine)? {
            let warning = "the task locks of this project could not be read; they were moved aside";
            terminal.line(&format!("{} {warning}", terminal.paint(Style::Warning, "!")));
        }
        let path = self.path(&project)?;
        let name = one_line(plan::task_name(&path));
        if lock::read(&project.machine, &path)?.is_none() {
            return Err(Failed::new(format!("task `{name}` was not started"), "there is nothing to release"));
        }
        let free = release(&project, &path, &format!("task release {name}"))?;
        terminal.done(&format!("{name}: released, its plan is unchanged{free}"));
        Ok(Done::Success)
    }

    /// The plan; also a deleted one, by the name of its lock.
    fn path(&self, project: &ProjectTasks) -> Result<ProjectPath, Failed> {
        let Some(name) = &self.which.task else { return project.find_under_way(None) };
        // Locks are searched first, because the plan may be gone while its lock still blocks a session.
        let mut locked = lock::read_all(&project.machine)?.0.into_keys();
        let gone = locked.find(|path| plan::task_name(path) == name || *path == **name);
        gone.map_or_else(|| project.find_named(name), Ok)
    }
}

fn read(project: &ProjectTasks, path: &ProjectPath) -> Result<Plan, Failed> {
    plan::read(&project.machine, path)?.ok_or_else(|| {
        let what = format!("no such plan: `{}`", one_line(path));
        Failed::new(what, "`flyball task release` releases a task whose plan is gone")
    })
}

fn already_over(name: &str, plan: &Plan) -> Failed {
    let what = format!("task `{name}` is over: {}", plan.status.as_str());
    Failed::new(what, "to continue it, set its status in the plan back to `in progress`")
}

/// The session that works on a plan, if this runs in another one.
fn other_session(project: &ProjectTasks, path: &ProjectPath) -> Result<Option<String>, Failed> {
    let Some((client, id)) = session::own() else { return Ok(None) };
    let holder = lock::read(&project.machine, path)?.and_then(|lock| lock.holder);
    let other = holder.filter(|holder| !holder.is_session((client, id.as_str())));
    Ok(other.map(|holder| short_session(&holder.session)))
}

/// Releases a plan, and says from which session.
fn release(project: &ProjectTasks, path: &ProjectPath, text: &str) -> Result<String, Failed> {
    let lock = lock::release(&project.machine, path, None)?;
    let holder = lock.and_then(|Lock { holder, .. }| holder);
    project.record(holder.as_ref(), text)?;
    Ok(holder
        .map(|holder| format!("; session {} is released", short_session(&holder.session)))
        .unwrap_or_default())
}

/// Adds the reason at the end of the plan.
fn note_reason(project: &ProjectTasks, path: &ProjectPath, reason: &str) -> Result<(), Failed> {
    let line = format!("**Cancelled** {}: {}", timestamp::date(project.machine.now()), one_line(reason));
    let change = &mut |before: Option<&[u8]>| {
        let text = before.and_then(|bytes| std::str::from_utf8(bytes).ok());
        Ok(text.map(|text| format!("{}\n\n{line}\n", text.trim_end()).into_bytes()))
    };
    project
        .machine
        .update(&plan::absolute_path(&project.machine, path), change)
        .map(drop)
        .map_err(Failed::from)
}

fn listed(open: &[&Phase]) -> String {
    let one = |phase: &&Phase| match phase.open.len() {
        0 => format!("phase {}", phase.label()),
        count => format!("phase {} ({})", phase.label(), text::counted(count, "open item")),
    };
    let mut parts: Vec<String> = open.iter().take(MOST_PHASES).map(one).collect();
    if open.len() > MOST_PHASES {
        parts.push(format!("and {} more", open.len() - MOST_PHASES));
    }
    parts.join(", ")
}
