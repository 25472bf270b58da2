//! `flyball task pause` and `resume`.

use clap::Args;
use flyball_core::path::ProjectPath;
use flyball_core::world::Clock;
use flyball_knowledge::lock;
use flyball_knowledge::plan;

use super::end::Which;
use crate::outcome::{Done, Failed};
use crate::person::require_person;
use crate::show::text::one_line;
use crate::terminal::Terminal;
use crate::views::task::ProjectTasks;

/// Arguments of `flyball task pause`.
#[derive(Args)]
#[command(
    after_help = "An agent is released from its task that way, so only a person may do it. In the session itself, a prompt that \
                  says so does the same: `pause here`, `stop here for today`."
)]
pub(super) struct Pause {
    #[command(flatten)]
    which: Which,
}

/// Arguments of `flyball task resume`.
#[derive(Args)]
#[command(
    after_help = "For people and agents. In the session itself, a prompt like `continue` does the same."
)]
pub(super) struct Resume {
    #[command(flatten)]
    which: Which,
}

impl Pause {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        require_person("flyball task pause", terminal)?;
        let project = ProjectTasks::find()?;
        let (path, name) = started(&project, &self.which)?;
        let pause = lock::Pause { at: project.machine.now(), text: format!("flyball task pause {name}") };
        if !lock::pause(&project.machine, &path, &pause)? {
            terminal.done(&format!("{name}: already paused"));
            return Ok(Done::Success);
        }
        record(&project, &path, &pause.text)?;
        terminal.done(&format!("{name}: paused; `flyball task resume {name}` goes on with it"));
        Ok(Done::Success)
    }
}

impl Resume {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let project = ProjectTasks::find()?;
        let (path, name) = started(&project, &self.which)?;
        if !lock::resume(&project.machine, &path)? {
            terminal.done(&format!("{name}: not paused"));
            return Ok(Done::Success);
        }
        record(&project, &path, &format!("flyball task resume {name}"))?;
        terminal.done(&format!("{name}: resumed"));
        Ok(Done::Success)
    }
}

/// The task that is meant, and its name, if somebody started it.
fn started(project: &ProjectTasks, which: &Which) -> Result<(ProjectPath, String), Failed> {
    let path = project.find_under_way(which.task.as_deref())?;
    let name = one_line(plan::task_name(&path));
    if lock::read(&project.machine, &path)?.is_none() {
        let what = format!("task `{name}` was not started");
        return Err(Failed::new(what, format!("`flyball task start {name}` starts it")));
    }
    Ok((path, name))
}

fn record(project: &ProjectTasks, path: &ProjectPath, text: &str) -> Result<(), Failed> {
    let holder = lock::read(&project.machine, path)?.and_then(|lock| lock.holder);
    project.record(holder.as_ref(), text.strip_prefix("flyball ").unwrap_or(text))
}
