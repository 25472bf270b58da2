//! The task that a command is about.

use flyball_core::path::{AbsolutePath, ProjectPath};
use flyball_core::world::Files;
use flyball_knowledge::{layout, lock, plan};
use flyball_world::machine::Machine;

use crate::outcome::Failed;
use crate::session;
use crate::show::text::one_line;
use crate::views::task::ProjectTasks;

/// The longest file of lessons that a command reads.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A task and the machine it is on.
pub(super) struct Task {
    /// The machine, with the project as its root.
    pub(super) machine: Machine,
    pub(super) plan: ProjectPath,
    /// The file of lessons.
    pub(super) lessons: AbsolutePath,
}

impl Task {
    /// The task that is named, else the one this session works on, else the active one.
    pub(super) fn find(named: Option<&str>) -> Result<Task, Failed> {
        let project = ProjectTasks::find()?;
        let plan = match named {
            Some(name) => project.find_named(name)?,
            None => find_current(&project.machine)?,
        };
        let lessons = plan::absolute_path(&project.machine, &plan::lessons_path(&plan));
        Ok(Task { machine: project.machine, plan, lessons })
    }

    /// All of the file; empty if there is none.
    pub(super) fn content(&self) -> Result<Vec<u8>, Failed> {
        let content = self.machine.read(&self.lessons, MOST_BYTES)?;
        // Unreadable is not empty: compacting an empty text would lose the file.
        if content.is_none() && self.machine.stat(&self.lessons).is_some() {
            let what = format!(
                "`{}` cannot be read: it is not a file, or too large",
                plan::lessons_path(&self.plan)
            );
            return Err(Failed::new(what, "move it aside, or shorten it in an editor"));
        }
        Ok(content.unwrap_or_default())
    }

    /// Its name, for messages.
    pub(super) fn name(&self) -> String {
        one_line(plan::task_name(&self.plan))
    }
}

fn find_current(machine: &Machine) -> Result<ProjectPath, Failed> {
    if let Some((client, id)) = session::own()
        && let Some(plan) = lock::bound_plan(machine, (client, id.as_str()))?
    {
        return Ok(plan);
    }
    plan::active(machine)?.ok_or_else(|| {
        let what = format!("no active task: `{}` names no existing plan", layout::ACTIVE_TASK);
        Failed::new(what, "name one with --task; `flyball task list` shows all")
    })
}
