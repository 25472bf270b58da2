//! Whose lessons a command is about.

use std::time::Instant;

use flyball_core::world::Files;
use flyball_knowledge::{layout, lock, plan};
use flyball_world::machine::{Machine, real_path};

use crate::environment::{self, Environment};
use crate::outcome::Failed;
use crate::project_context::ProjectContext;
use crate::session;
use crate::show::text::one_line;

/// The longest file of lessons that a command reads.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A task and the machine it is on.
pub(super) struct Task {
    /// The machine, with the project as its root.
    pub(super) machine: Machine,
    /// The plan, relative to the project's root.
    pub(super) plan: String,
    /// The file of lessons: absolute.
    pub(super) lessons: String,
}

impl Task {
    /// The task that is named, else the one this session works on, else the active one.
    pub(super) fn find(named: Option<&str>) -> Result<Task, Failed> {
        let machine = machine()?;
        let plan = match named {
            Some(name) => by_name(&machine, name)?,
            None => find_current(&machine)?,
        };
        let lessons = plan::absolute_path(&machine, &plan::lessons_path(&plan));
        Ok(Task { machine, plan, lessons })
    }

    /// All of the file; empty if there is none.
    pub(super) fn content(&self) -> Result<Vec<u8>, Failed> {
        let content = self.machine.read(&self.lessons, MOST_BYTES)?;
        if content.is_none() && self.machine.stat(&self.lessons).is_some() {
            let what =
                format!("`{}` cannot be read: it is no file, or a huge one", plan::lessons_path(&self.plan));
            return Err(Failed::new(what, "look at it with other tools"));
        }
        Ok(content.unwrap_or_default())
    }

    /// Its name, for messages.
    pub(super) fn name(&self) -> String {
        one_line(plan::task_name(&self.plan))
    }
}

/// The machine as hooks see it, with the project that the command was started in.
fn machine() -> Result<Machine, Failed> {
    let root = real_path(&ProjectContext::find()?.root);
    let environment = Environment::read();
    let machine =
        Machine::new(Instant::now(), environment.home.clone(), &root, Vec::new(), flyball_clients::FACTS);
    Ok(machine.with_state(environment.state_dir()).with_environment(environment::variable))
}

fn find_current(machine: &Machine) -> Result<String, Failed> {
    if let Some((client, id)) = session::own()
        && let Some(plan) = lock::bound_plan(machine, (client, id.as_str()))?
    {
        return Ok(plan);
    }
    plan::active(machine)?.ok_or_else(|| {
        let what = format!("there is no active task: `{}` names no plan that is there", layout::ACTIVE_TASK);
        Failed::new(what, "name one with --task; `flyball task list` shows all")
    })
}

/// A plan by its path, by its folder, or by a part of its name that no other has.
fn by_name(machine: &Machine, name: &str) -> Result<String, Failed> {
    let path = name.trim_start_matches("./").trim_end_matches('/');
    let all = plan::all(machine);
    let is_meant =
        |plan: &&String| plan.as_str() == path || plan::folder(plan) == path || plan::task_name(plan) == path;
    if let Some(plan) = all.iter().find(is_meant) {
        return Ok(plan.clone());
    }
    let alike: Vec<&String> =
        all.iter().filter(|plan| !path.is_empty() && plan::folder(plan).contains(path)).collect();
    let shown = one_line(name);
    match alike.as_slice() {
        [plan] => Ok((*plan).clone()),
        [] => Err(Failed::new(format!("no task is called `{shown}`"), "`flyball task list` shows all")),
        several => {
            let names: Vec<String> =
                several.iter().map(|plan| format!("  --task {}", one_line(plan::task_name(plan)))).collect();
            Err(Failed::new(
                format!("several tasks have `{shown}` in their name"),
                format!("say which one:\n{}", names.join("\n")),
            ))
        }
    }
}
