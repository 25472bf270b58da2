//! `flyball task status` and `flyball task list`.

use clap::Args;
use flyball_knowledge::layout::{PLAN, TASK_SUFFIX, TASKS};
use flyball_knowledge::{lock, plan};
use jiff::Zoned;

use crate::outcome::{Done, Failed};
use crate::session;
use crate::show::record::short_session;
use crate::show::text::{cut, one_line};
use crate::show::{Cell, Row, time};
use crate::terminal::{Style, Terminal};
use crate::views::task::{ProjectTasks, Task, Worker};

/// So many open items are shown.
const ITEMS: usize = 8;

/// Arguments of `flyball task status`.
#[derive(Args, Default)]
pub(super) struct Status {
    /// The task: its name or the path of its plan [default: those under way]
    #[arg(value_name = "TASK")]
    task: Option<String>,
    /// Print JSON: a list of tasks, each with `task`, `plan`, `title`, `status`, `is_over`, `is_active` (by TASK.md),
    /// `phase`, `phase_title`, `complete` of `phases`, `open`, `next`, `problem` (if its plan cannot be read) and `lock`:
    /// null, or `started_at` and `holder`, which may be null or has `client`, `session`, `bound_at`, `heard_at` and
    /// `is_orphan`. Times are microseconds since 1970
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
            Some(wanted) => vec![project.find_named(wanted)?],
            None => under_way(&project)?,
        };
        let tasks = tasks(&project, &paths)?;
        if self.json {
            return json(&tasks, terminal);
        }
        if tasks.is_empty() {
            let count = plan::all(&project.machine).len();
            let plans = if count == 1 { "1 plan".to_owned() } else { format!("{count} plans") };
            terminal.line(&format!(
                "No task is under way ({plans} in {TASKS}). `flyball task start NAME` starts one; `flyball task list` shows \
                 them."
            ));
        }
        let now = Zoned::now();
        for (at, task) in tasks.iter().enumerate() {
            if at > 0 {
                terminal.line("");
            }
            terminal.lines(page(task, &now, terminal));
        }
        Ok(Done::Success)
    }
}

impl List {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let project = ProjectTasks::find()?;
        let mut paths = plan::all(&project.machine);
        // A lock whose plan is gone is shown too: somebody has to give it free.
        let locked = lock::read_all(&project.machine)?.0.into_keys();
        paths.extend(locked.filter(|path| !paths.contains(path)).collect::<Vec<_>>());
        paths.sort_by(|one, other| other.cmp(one));
        let tasks = tasks(&project, &paths)?;
        if self.json {
            return json(&tasks, terminal);
        }
        if tasks.is_empty() {
            terminal.line(&format!("No tasks: a task is a plan in {TASKS}/NAME{TASK_SUFFIX}/{PLAN}."));
            return Ok(Done::Success);
        }
        let now = Zoned::now();
        let rows: Vec<Row> = tasks.iter().map(|task| row(task, &now)).collect();
        let lines = crate::show::table(&["", "task", "status", "progress", "worked on by"], rows, terminal);
        terminal.lines(lines.iter().map(|line| line.trim_end()));
        Ok(Done::Success)
    }
}

/// The tasks of the session that runs this; else all that were started, and the active one.
fn under_way(project: &ProjectTasks) -> Result<Vec<String>, Failed> {
    if let Some((client, id)) = session::own() {
        let bound = lock::bound_plans(&project.machine, (client, id.as_str()))?;
        if !bound.is_empty() {
            return Ok(bound);
        }
    }
    let mut paths: Vec<String> = lock::read_all(&project.machine)?.0.into_keys().collect();
    let active = plan::active(&project.machine)?;
    paths.extend(active.filter(|path| !paths.contains(path)));
    Ok(paths)
}

fn tasks(project: &ProjectTasks, paths: &[String]) -> Result<Vec<Task>, Failed> {
    paths.iter().map(|path| Task::read(project, path)).collect()
}

fn json(tasks: &[Task], terminal: &Terminal) -> Result<Done, Failed> {
    let text = serde_json::to_string_pretty(tasks);
    let text = text.map_err(|problem| Failed::new(format!("tasks cannot be printed: {problem}"), ""))?;
    terminal.line(&text);
    Ok(Done::Success)
}

fn style(task: &Task) -> Style {
    match (task.status.as_str(), task.is_over) {
        ("", _) | ("failed" | "error", true) => Style::Bad,
        ("finished", true) => Style::Good,
        (_, true) => Style::Faint,
        ("pending", false) => Style::Plain,
        (_, false) => Style::Warning,
    }
}

fn row(task: &Task, now: &Zoned) -> Row {
    let status = if task.status.is_empty() { "unreadable" } else { &task.status };
    vec![
        Cell::new(Style::Accent, if task.is_active { "›" } else { "" }),
        Cell::new(Style::Strong, one_line(&task.task)),
        Cell::new(style(task), one_line(status)),
        Cell::plain(if task.problem.is_some() { String::new() } else { task.progress() }),
        Cell::new(Style::Faint, task.problem.as_deref().map_or_else(|| describe_worker(task, now), one_line)),
    ]
}

/// Who works on a task, in words.
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
    format!("{is}{client}{}, heard {} ago", short_session(&at.session), time::ago(at.heard_at, now))
}

/// All about one task.
fn page(task: &Task, now: &Zoned, terminal: &Terminal) -> Vec<String> {
    let room = terminal.line_limit().saturating_sub(10);
    let status = if task.status.is_empty() { "unreadable" } else { &task.status };
    let title = if task.title.is_empty() { String::new() } else { format!("  {}", one_line(&task.title)) };
    let mut lines = vec![format!(
        "{}  {}{}",
        terminal.paint(Style::Strong, &one_line(&task.task)),
        terminal.paint(style(task), &one_line(status)),
        terminal.paint(Style::Faint, &cut(&title, room))
    )];
    let mut say = |name: &str, text: &str| {
        if !text.is_empty() {
            lines.push(format!(
                "  {} {}",
                terminal.paint(Style::Faint, &format!("{name:<6}")),
                cut(&one_line(text), room)
            ));
        }
    };
    match &task.problem {
        Some(problem) => say("", problem),
        None => say("phase", &phase(task)),
    }
    say("plan", &task.plan);
    let nobody = "nobody: `flyball task start` inside the client binds it to that session";
    let who = describe_worker(task, now);
    say("by", if who.is_empty() && !task.is_over { nobody } else { &who });
    if let Some(at) = task.lock.as_ref().and_then(|lock| lock.holder.as_ref()).filter(|at| at.is_orphan) {
        let id = short_session(&at.session);
        let why = if at.has_ended { "has ended" } else { "was not heard of for long" };
        say("", &format!("{id} {why}; `flyball task start` in another session takes over"));
    }
    if task.open.is_empty() || task.is_over {
        say("next", &task.next);
        return lines;
    }
    for (at, item) in task.open.iter().take(ITEMS).enumerate() {
        say(if at == 0 { "open" } else { "" }, &format!("□ {item}"));
    }
    if task.open.len() > ITEMS {
        say("", &format!("and {} more", task.open.len() - ITEMS));
    }
    lines
}

fn phase(task: &Task) -> String {
    match &task.phase {
        Some(label) if !task.phase_title.is_empty() => {
            format!("{} · Phase {label}: {}", task.progress(), task.phase_title)
        }
        _ => task.progress(),
    }
}
