//! `flyball task status` and `flyball task list`.

use clap::Args;
use flyball_core::path::ProjectPath;
use flyball_core::text;
use flyball_knowledge::layout::{PLAN, TASK_SUFFIX, TASKS};
use flyball_knowledge::{lock, plan};
use jiff::Zoned;

use crate::outcome::{Done, Failed};
use crate::session;
use crate::show::record::short_session;
use crate::show::text::one_line;
use crate::show::{Cell, Fit, Page, Row, Text, time};
use crate::terminal::{Style, Terminal};
use crate::views::task::{ProjectTasks, Task, Worker};

/// The most open items that are shown.
const ITEMS: usize = 8;

/// Arguments of `flyball task status`.
#[derive(Args, Default)]
pub(super) struct Status {
    /// The task's name, or the path of its plan [default: those in progress]
    #[arg(value_name = "TASK")]
    task: Option<String>,
    /// Print JSON: a list of tasks, each with `task`, `plan`, `title`, `status`, `is_over`, `is_active` (by TASK.md),
    /// `phase`, `phase_title`, `complete` of `phases`, `open`, `next`, `problem` (if its plan cannot be read) and `lock`:
    /// null, or `started_at`, `holder`, which may be null or has `client`, `session`, `bound_at`, `heard_at` and
    /// `is_orphan`, and `paused`, which may be null or has `at` and `text`. Times are microseconds since 1970
    #[arg(long)]
    json: bool,
}

/// Arguments of `flyball task list`.
#[derive(Args)]
pub(super) struct List {
    /// Print JSON: a list, as `flyball task status --json` prints it
    #[arg(long)]
    json: bool,
}

impl Status {
    /// Shows the tasks under way.
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let project = ProjectTasks::find()?;
        let paths = match &self.task {
            Some(name) => vec![project.find_named(name)?],
            None => under_way(&project)?,
        };
        let tasks = tasks(&project, &paths)?;
        if self.json {
            terminal.json(&tasks);
            return Ok(Done::Success);
        }
        if tasks.is_empty() {
            let plans = text::counted(plan::all(&project.machine).len(), "plan");
            terminal.line(&format!(
                "No task is in progress ({plans} in {TASKS}). `flyball task new TITLE` makes one, `flyball task start NAME` \
                 starts one; `flyball task list` lists them."
            ));
        }
        let now = Zoned::now();
        let mut page = Page::default();
        for task in &tasks {
            if !page.is_empty() {
                page.blank();
            }
            add(&mut page, task, &now);
        }
        page.print(terminal);
        Ok(Done::Success)
    }
}

impl List {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let project = ProjectTasks::find()?;
        let mut paths = plan::all(&project.machine);
        // A lock whose plan is gone is shown too: somebody has to release it.
        let locked = lock::read_all(&project.machine)?.0.into_keys();
        paths.extend(locked.filter(|path| !paths.contains(path)).collect::<Vec<_>>());
        paths.sort_by(|one, other| other.cmp(one));
        let tasks = tasks(&project, &paths)?;
        if self.json {
            terminal.json(&tasks);
            return Ok(Done::Success);
        }
        if tasks.is_empty() {
            terminal.line(&format!(
                "No tasks: `flyball task new TITLE` makes one, a plan in {TASKS}/NAME{TASK_SUFFIX}/{PLAN}."
            ));
            return Ok(Done::Success);
        }
        let now = Zoned::now();
        let mut page = Page::default();
        let rows = tasks.iter().map(|task| row(task, &now)).collect();
        page.table(&["", "task", "status", "progress", "worked on by"], rows, Fit::Wrap);
        page.print(terminal);
        Ok(Done::Success)
    }
}

/// The tasks of the session that runs this; else all that were started, and the active one.
fn under_way(project: &ProjectTasks) -> Result<Vec<ProjectPath>, Failed> {
    if let Some((client, id)) = session::own() {
        let bound = lock::bound_plans(&project.machine, (client, id.as_str()))?;
        if !bound.is_empty() {
            return Ok(bound);
        }
    }
    let mut paths: Vec<ProjectPath> = lock::read_all(&project.machine)?.0.into_keys().collect();
    let active = plan::active(&project.machine)?;
    paths.extend(active.filter(|path| !paths.contains(path)));
    Ok(paths)
}

fn tasks(project: &ProjectTasks, paths: &[ProjectPath]) -> Result<Vec<Task>, Failed> {
    paths.iter().map(|path| Task::read(project, path)).collect()
}

fn status(task: &Task) -> Text {
    let style = match (task.status.as_str(), task.is_over) {
        ("", _) | ("failed" | "error", true) => Style::Bad,
        ("finished", true) => Style::Good,
        (_, true) => Style::Faint,
        ("pending", false) => Style::Plain,
        (_, false) => Style::Warning,
    };
    style.text(if task.status.is_empty() { "unreadable".to_owned() } else { one_line(&task.status) })
}

fn row(task: &Task, now: &Zoned) -> Row {
    vec![
        Cell::new(Style::Accent, if task.is_active { "›" } else { "" }),
        Cell::new(Style::Strong, one_line(&task.task)),
        Cell::Words(if task.paused().is_some() { Style::Warning.text("paused") } else { status(task) }),
        Cell::plain(if task.problem.is_some() { String::new() } else { task.progress() }),
        Cell::new(Style::Faint, task.problem.as_deref().map_or_else(|| describe_worker(task, now), one_line)),
    ]
}

/// Who works on a task.
fn describe_worker(task: &Task, now: &Zoned) -> String {
    match task.lock.as_ref() {
        None => String::new(),
        Some(lock) => match &lock.holder {
            None => format!("nobody yet, started {} ago", time::ago(lock.started_at, now)),
            Some(at) => holder(at, now),
        },
    }
}

fn holder(at: &Worker, now: &Zoned) -> String {
    let own = session::own().is_some_and(|(client, id)| client == at.client && id.as_str() == at.session);
    let is = match (own, at.is_orphan) {
        (true, _) => "this session, ",
        (false, true) if at.has_ended => "ended: ",
        (false, true) => "gone? ",
        (false, false) => "",
    };
    let client = if at.client.is_empty() { String::new() } else { format!("{} ", one_line(&at.client)) };
    format!("{is}{client}{}, last event {} ago", short_session(&at.session), time::ago(at.heard_at, now))
}

/// All about one task.
fn add(page: &mut Page, task: &Task, now: &Zoned) {
    let title = if task.title.is_empty() { String::new() } else { format!("  {}", one_line(&task.title)) };
    let head = Style::Strong.text(one_line(&task.task)).and("  ").then(status(task));
    page.cut(head.then(Style::Faint.text(title)), "");
    let nobody = "nobody: `flyball task start` inside the client binds it to that session";
    let mut who = describe_worker(task, now);
    if who.is_empty() && !task.is_over {
        nobody.clone_into(&mut who);
    }
    let worker = task.lock.as_ref().and_then(|lock| lock.holder.as_ref());
    let orphan = worker.filter(|worker| worker.is_orphan).map(|worker| {
        let why = if worker.has_ended { "has ended" } else { "has been silent for long" };
        let id = short_session(&worker.session);
        format!("{id} {why}; `flyball task start` in another session takes over")
    });
    let (first, problem) = match &task.problem {
        Some(problem) => ("", problem.clone()),
        None => ("phase", phase(task)),
    };
    let paused = task.paused().map(|pause| {
        format!("{} ago (\"{}\"); to go on: `flyball task resume`", time::ago(pause.at, now), pause.text)
    });
    let mut facts =
        vec![(first, problem), ("plan", task.plan.clone()), ("by", who), ("", orphan.unwrap_or_default())];
    facts.extend(paused.map(|text| ("paused", text)));
    if task.open.is_empty() || task.is_over {
        facts.push(("next", task.next.clone()));
    } else {
        let label = std::iter::once("open").chain(std::iter::repeat(""));
        facts.extend(label.zip(task.open.iter().take(ITEMS).map(|item| format!("□ {item}"))));
        let more = task.open.len().saturating_sub(ITEMS);
        facts.extend((more > 0).then(|| ("", format!("and {more} more"))));
    }
    let mut below = Page::default();
    below.facts(facts.iter().map(|(label, text)| (*label, one_line(text).into())));
    page.indented(2, below);
}

fn phase(task: &Task) -> String {
    match &task.phase {
        Some(label) if !task.phase_title.is_empty() => {
            format!("{} · Phase {label}: {}", task.progress(), task.phase_title)
        }
        _ => task.progress(),
    }
}
