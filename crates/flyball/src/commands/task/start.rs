//! `flyball task start`.

use std::time::Duration;

use clap::Args;
use flyball_core::config::Mode;
use flyball_core::path::ProjectPath;
use flyball_core::time::Time;
use flyball_core::workshop::FileChanges;
use flyball_knowledge::layout::ACTIVE_TASK;
use flyball_knowledge::lock::{self, Binding, Holder};
use flyball_knowledge::plan::{self, Plan, Status};
use jiff::Zoned;

use crate::outcome::{Done, Failed};
use crate::person::require_person;
use crate::session;
use crate::show::record::short_session;
use crate::show::text::one_line;
use crate::show::{Page, time};
use crate::terminal::{Style, Terminal};
use crate::views::task::{ProjectTasks, Task};

/// Arguments of `flyball task start`.
#[derive(Args)]
#[command(
    after_help = "For people and agents. Inside a client the task is bound to that session, which is then blocked from stopping \
                  until the plan is finished. Otherwise it is bound to the first session that works on it.\n\n\
                  Exits with 1 if another session works on it, unless that session has ended or was silent for \
                  `task.stop.orphan_after`."
)]
pub(super) struct Start {
    /// The task's name, a part of it, or the path of its plan [default: the active one, else the newest open one]
    #[arg(value_name = "TASK")]
    task: Option<String>,
    /// The session to bind it to, or the beginning of its id [default: the one that this runs in]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

impl Start {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let project = ProjectTasks::find()?;
        let path = match &self.task {
            Some(name) => project.find_named(name)?,
            None => project.to_start()?,
        };
        let plan = open_plan(&project, &path)?;
        let who = self.find_session(&project, terminal)?;
        let (settings, mode) = project.settings();
        let session = who.as_ref().map(|(client, id)| (client.as_str(), id.as_str()));
        // Zero: a session that has ended will not come back to its task, so it is replaced at once.
        let gone_after = if has_ended(&project, &path)? { Duration::ZERO } else { settings.orphaned_after() };
        let bound = match session {
            Some(who) => lock::bound_plans(&project.machine, who)?,
            None => Vec::new(),
        };
        // The lock comes before the plan is changed: of two sessions that start it at once, one is refused.
        let binding = lock::start(&project.machine, &path, session, gone_after)?;
        if let Binding::HeldBy(holder) = &binding {
            refuse(&path, holder, terminal);
            return Ok(Done::Findings);
        }
        let was_active = match mark_started(&project, &path, &plan) {
            Ok(was_active) => was_active,
            Err(error) => {
                // A task that could not be started must not block a session.
                if binding != Binding::AlreadyBound {
                    lock::release(&project.machine, &path, None)?;
                }
                return Err(error);
            }
        };
        let holder = lock::read(&project.machine, &path)?.and_then(|lock| lock.holder);
        // A session that is bound already must not reset its count: it would never be released.
        if binding != Binding::AlreadyBound {
            project.record(holder.as_ref(), &format!("task start {}", one_line(plan::task_name(&path))))?;
        }
        started(&project, &path, (&binding, session))?.print(terminal);
        let others = bound.into_iter().chain(was_active).filter(|other| *other != path);
        warn_of_others(&project, others.collect(), terminal);
        if mode == Mode::Off {
            let warning = "No session is blocked from stopping: task.stop is off in this project. `flyball init --packs task` turns it on.";
            terminal.line(&format!("{} {warning}", terminal.paint(Style::Warning, "!")));
        }
        Ok(Done::Success)
    }

    /// The session that the task is bound to.
    fn find_session(
        &self,
        project: &ProjectTasks,
        terminal: &Terminal,
    ) -> Result<Option<(String, String)>, Failed> {
        let own = session::own().map(|(client, id)| (client.to_owned(), id.as_str().to_owned()));
        let Some(start) = &self.session else { return Ok(own) };
        let named = session::find_named(start, &project.here.archive()?)?;
        let named = (named.client, named.session.as_str().to_owned());
        // An agent may bind itself, but not make another session unable to stop.
        if own.is_some_and(|own| own != named) {
            require_person(&format!("flyball task start --session {}", one_line(start)), terminal)?;
        }
        Ok(Some(named))
    }
}

/// The plan, if it is not over.
fn open_plan(project: &ProjectTasks, path: &ProjectPath) -> Result<Plan, Failed> {
    let plan = plan::read(&project.machine, path)?;
    let Some(plan) = plan else {
        return Err(Failed::new(
            format!("no such plan: `{}`", one_line(path)),
            "`flyball task list` shows all",
        ));
    };
    if plan.status.is_terminal() {
        let what = format!("task `{}` is over: {}", one_line(plan::task_name(path)), plan.status.as_str());
        return Err(Failed::new(what, "to continue it, set its status in the plan back to `in progress`"));
    }
    Ok(plan)
}

/// Whether the session that works on a plan has ended.
fn has_ended(project: &ProjectTasks, path: &ProjectPath) -> Result<bool, Failed> {
    let holder = lock::read(&project.machine, path)?.and_then(|lock| lock.holder);
    let Some(holder) = holder else { return Ok(false) };
    Ok(project.session_of(&holder)?.is_some_and(|session| session.has_ended))
}

fn refuse(path: &ProjectPath, holder: &Holder, terminal: &Terminal) {
    let now = Zoned::now();
    let ago = |at: Time| time::ago(at, &now);
    let client =
        if holder.client.is_empty() { String::new() } else { format!("{} ", one_line(&holder.client)) };
    let what = format!(
        "task `{}` belongs to {client}session {}, bound {} ago, last event {} ago",
        one_line(plan::task_name(path)),
        short_session(&holder.session),
        ago(holder.bound_at),
        ago(holder.heard_at)
    );
    let fix = format!(
        "end that session, or release the task in your own terminal: `flyball task release {}`",
        one_line(plan::task_name(path))
    );
    terminal.print_failure(&what, &fix);
}

/// Marks a plan as in progress and active; returns the plan that was active before, if another one was.
fn mark_started(
    project: &ProjectTasks,
    path: &ProjectPath,
    plan: &Plan,
) -> Result<Option<ProjectPath>, Failed> {
    if plan.status != Status::InProgress {
        project.set_status(path, &Status::InProgress)?;
    }
    make_active(project, path)
}

/// Makes a plan the active one; returns the plan that was active before, if another one was.
fn make_active(project: &ProjectTasks, path: &ProjectPath) -> Result<Option<ProjectPath>, Failed> {
    let was = plan::active(&project.machine)?.filter(|was| was != path);
    let change = &mut |before: Option<&[u8]>| {
        let text = String::from_utf8_lossy(before.unwrap_or_default()).into_owned();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        Ok(match first.trim_start_matches('\u{feff}').trim() {
            first if *path == *first => None,
            first if first.is_empty() || plan::is_plan_path(first) => {
                Some(format!("{path}\n{rest}").into_bytes())
            }
            // The file has other content, which stays.
            _ => Some(format!("{path}\n{text}").into_bytes()),
        })
    };
    project.machine.update(&plan::absolute_path(&project.machine, ACTIVE_TASK), change)?;
    Ok(was)
}

fn started(
    project: &ProjectTasks,
    path: &ProjectPath,
    (binding, who): (&Binding, Option<(&str, &str)>),
) -> Result<Page, Failed> {
    let task = Task::read(project, path)?;
    let id = who.map(|(_, id)| short_session(id)).unwrap_or_default();
    let how = match binding {
        Binding::Bound => format!("bound to session {id}"),
        Binding::AlreadyBound => format!("already bound to session {id}"),
        Binding::Unbound | Binding::HeldBy(_) => "started, but not bound to a session yet".to_owned(),
    };
    let name = one_line(&task.task);
    let mut page = Page::default();
    page.line(Style::Good.text("✓").and(format!(" {name}: {how}, {}", task.progress())));
    if !task.next.is_empty() {
        page.line(Style::Faint.text("  next").and(format!(" {}", one_line(&task.next))));
    }
    if *binding == Binding::Unbound {
        let coordinator = project
            .agent_settings()
            .coordinator(&project.machine, &[])
            .map(|coordinator| format!("when the agent `{}` returns, or ", one_line(coordinator)));
        let coordinator = coordinator.unwrap_or_default();
        page.line("  This was not run inside a client. The task is bound to a session");
        page.line(format!(
            "  {coordinator}when the agent that works on it runs `flyball task start {name}`."
        ));
    }
    Ok(page)
}

/// Warns that other tasks stay open.
fn warn_of_others(project: &ProjectTasks, mut others: Vec<ProjectPath>, terminal: &Terminal) {
    others.sort();
    others.dedup();
    for other in others {
        let is_over =
            plan::read(&project.machine, &other).ok().flatten().is_none_or(|plan| plan.status.is_terminal());
        if !is_over {
            let name = one_line(plan::task_name(&other));
            let warning = format!("task `{name}` is open too; sessions bound to it stay bound");
            terminal.line(&format!("{} {warning}", terminal.paint(Style::Warning, "!")));
        }
    }
}
