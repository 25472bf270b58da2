//! `flyball task new`.

use std::fs;
use std::io;
use std::path::Path;

use clap::Args;
use flyball_core::config::Mode;
use flyball_core::path::ProjectPath;
use flyball_core::world::{Clock, Place};
use flyball_knowledge::layout::{ARTIFACTS, LESSONS, PLAN, TASK_SUFFIX, TASKS};
use flyball_knowledge::plan;
use serde::Serialize;

use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};
use crate::views::task::ProjectTasks;

/// What the phases are called if nothing is said.
const PHASES: [&str; 3] = ["Prepare", "Build", "Check"];
/// A larger number is a typo.
const MOST_PHASES: usize = 50;
/// So many tasks of one title can be made in one second.
const MOST_ATTEMPTS: usize = 100;

/// Arguments of `flyball task new`.
#[derive(Args)]
#[command(
    after_help = "For people and agents. Makes a folder beside the other tasks, with a plan (`PLAN.md`), an empty file of lessons \
                  and a folder for reports; nothing that is there is changed. Fill the plan in, then start the task."
)]
pub(super) struct New {
    /// What the task is about, in a few words
    #[arg(value_name = "TITLE")]
    title: String,
    /// How many phases the plan has, or their titles with commas between them [default: Prepare,Build,Check]
    #[arg(long, value_name = "N|TITLES")]
    phases: Option<String>,
    /// Print JSON: `task`, `plan`, `lessons` and `artifacts`, by their paths in the project, and `next`, the command that
    /// starts it
    #[arg(long)]
    json: bool,
}

/// A task that was made.
#[derive(Serialize)]
struct MadeTask {
    task: String,
    plan: String,
    lessons: String,
    artifacts: String,
    next: String,
}

impl New {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let title = one_line(self.title.trim());
        if title.is_empty() {
            return Err(Failed::new("the title is empty", "say in a few words what the task is about"));
        }
        let phases = self.phase_titles()?;
        let project = ProjectTasks::find()?;
        let name = plan::new_name(&title, project.machine.now());
        let path = make(&project, &name, &plan::template(&title, &phases))?;
        let name = plan::task_name(&path).to_owned();
        let made = MadeTask {
            plan: path.to_string(),
            lessons: plan::lessons_path(&path).to_string(),
            artifacts: plan::sibling_path(&path, ARTIFACTS).to_string(),
            next: format!("flyball task start {name}"),
            task: name,
        };
        if self.json {
            terminal.json(&made);
            return Ok(Done::Success);
        }
        terminal.done(&format!("{}: made, its plan is {}", one_line(&made.task), one_line(&made.plan)));
        terminal.line(&format!("  Fill the plan in, then start it: `{}`.", one_line(&made.next)));
        if project.settings().1 == Mode::Off {
            let warning = "No session is blocked from stopping: task.stop is off in this project. `flyball init --packs task` turns it on.";
            terminal.line(&format!("{} {warning}", terminal.paint(Style::Warning, "!")));
        }
        Ok(Done::Success)
    }

    /// The titles of the phases; empty ones where only their number is given.
    fn phase_titles(&self) -> Result<Vec<String>, Failed> {
        let Some(phases) = &self.phases else { return Ok(PHASES.map(str::to_owned).to_vec()) };
        let invalid = || {
            let fix = format!("write a number from 1 to {MOST_PHASES}, or titles with commas between them");
            Failed::new(format!("`{}` are no phases", one_line(phases)), fix)
        };
        let titles: Vec<String> = match phases.trim().parse::<usize>() {
            Ok(number) if number <= MOST_PHASES => vec![String::new(); number],
            Ok(_) => return Err(invalid()),
            Err(_) => {
                phases.split(',').map(|title| one_line(title.trim())).filter(|it| !it.is_empty()).collect()
            }
        };
        if titles.is_empty() || titles.len() > MOST_PHASES { Err(invalid()) } else { Ok(titles) }
    }
}

/// Makes the folder of a task with its files; one that exists gets no new files, another name is taken.
fn make(project: &ProjectTasks, name: &str, text: &str) -> Result<ProjectPath, Failed> {
    let root = Path::new(project.machine.project_root().as_str());
    let failed = |error: &io::Error| {
        let what = format!("the task cannot be made in {TASKS}: {error}");
        Failed::new(what, "make the folder writable")
    };
    fs::create_dir_all(root.join(TASKS)).map_err(|error| failed(&error))?;
    for attempt in 1..=MOST_ATTEMPTS {
        let name = if attempt == 1 { name.to_owned() } else { format!("{name}_{attempt}") };
        let below = format!("{TASKS}/{name}{TASK_SUFFIX}");
        let folder = root.join(&below);
        match fs::create_dir(&folder) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(failed(&error)),
        }
        let written = fs::create_dir(folder.join(ARTIFACTS))
            .and_then(|()| fs::write(folder.join(LESSONS), ""))
            .and_then(|()| fs::write(folder.join(PLAN), text));
        written.map_err(|error| failed(&error))?;
        return plan::plan_path(&format!("{below}/{PLAN}"))
            .ok_or_else(|| Failed::new(format!("`{below}` is no path of a task"), "choose another title"));
    }
    Err(Failed::new(format!("there are too many tasks like `{name}`"), "choose another title"))
}
