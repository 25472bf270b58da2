//! `flyball status`: the sessions, and what each waits for.

mod active_denial;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use flyball_core::grant::Grant;
use flyball_core::outcome::DenialCounts;
use flyball_core::record::Record;
use flyball_core::text;
use flyball_core::time::Time;
use flyball_knowledge::report::Status::Pending;
use flyball_policies::r#loop::feedback::report::Status;
use flyball_store::{Filter, SessionFilter, SessionSummary};
use jiff::Zoned;
use serde::Serialize;

use self::active_denial::ActiveDenial;
use super::allow;
use super::memory::reports;
use super::update;
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::{Archive, ProjectContext, tilde};
use crate::session;
use crate::show::record::{denials, short_session};
use crate::show::text::one_line;
use crate::show::{Cell, Fit, Page, Row, time};
use crate::terminal::{Style, Terminal};
use crate::views::r#loop::{self as view, Loop, LoopSettings};
use crate::views::task::{self, Task};
use crate::views::waiting::{self, LOOKED_AT, Waiting, WaitingOn};

/// A session without an event for longer than this is not taken to be running.
const ACTIVE: Duration = Duration::from_mins(30);
/// How many sessions are shown without `--all`.
const FEW: usize = 12;

/// Arguments of `flyball status`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// All sessions in the record, not only the latest
    #[arg(long)]
    all: bool,
    /// Print JSON: `problems` (of the config), `reports` (how many of this project are pending), `allowed` (what people allowed in it for a while: `file` or `rule`, `name`, `from` and `until` in milliseconds) and `sessions`, each with `session`, `client`, `project`,
    /// `state` (active, idle or ended), `waits_on` (person, agent or nobody), `waits_for`,
    /// `first_at` and `last_at` (microseconds since 1970), `last_kind`, `events`, `denials`,
    /// `denied` (the denials by what they were: `blocked`, `held`, `findings`), and
    /// `held`: what stays denied, each with `subject` (`file` or `intent`), `policy`, `attempts`,
    /// `since` and `until`; where code has to be reviewed and tested, `loop`, as `flyball loop status` has it; where it
    /// works on tasks, `tasks`, as `flyball task status` has them
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let archive = here.archive()?;
    let progress = Progress::with_text("looking at sessions");
    let now = Zoned::now();
    let filter = SessionFilter { limit: (!arguments.all).then_some(FEW), ..SessionFilter::default() };
    let mut sessions = Vec::new();
    let mut rules = LoopSettings::default();
    for summary in archive.index.sessions(&filter)? {
        sessions.push(Session::build(
            summary,
            &mut Lookup { archive: &archive, loop_settings: &mut rules, now: &now },
        )?);
    }
    let mut problems = problems(&here, &sessions);
    let reports = reports::count(&here.machine(), Pending);
    // What cannot be read allows nothing.
    let allowed = allow::active(&here).unwrap_or_else(|error| {
        problems.insert(format!("{error}; {}", error.fix()));
        Vec::new()
    });
    drop(progress);
    if arguments.json {
        terminal.json(&StatusOutput { problems, reports, allowed, sessions });
        return Ok(Done::Success);
    }
    let mut page = Page::aligned();
    page.config_problems(&problems);
    add_sessions(&mut page, &sessions, &now);
    if !allowed.is_empty() {
        page.blank();
    }
    for grant in &allowed {
        page.line(Style::Warning.text(format!("allowed by a person: {}", allow::line(grant, &now))));
    }
    if let Some(line) = reports::line(reports) {
        page.blank();
        page.line(Style::Warning.text(line));
    }
    if let Some(line) = update::notice() {
        page.blank();
        page.line(line);
    }
    page.print(terminal);
    Ok(Done::Success)
}

/// What is wrong with the config, here and where sessions are running.
fn problems(here: &ProjectContext, sessions: &[Session]) -> BTreeSet<String> {
    let running = sessions.iter().filter(|session| session.state == State::Active);
    let roots: BTreeSet<PathBuf> = running.map(|session| PathBuf::from(&session.project)).collect();
    let elsewhere = roots.into_iter().filter(|root| *root != here.root).flat_map(|root| {
        let notices = ProjectContext::at(root.clone()).load_config().notices.into_iter();
        notices.map(move |notice| format!("{}: {notice}", tilde(&root.to_string_lossy()))).collect::<Vec<_>>()
    });
    here.load_config().notices.into_iter().chain(elsewhere).collect()
}

/// The output of `--json`.
#[derive(Serialize)]
struct StatusOutput {
    problems: BTreeSet<String>,
    /// The pending reports of this project.
    reports: usize,
    /// What people allowed in this project for a while.
    allowed: Vec<Grant>,
    sessions: Vec<Session>,
}

/// Whether a session is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    /// It had an event in the last half hour.
    Active,
    /// It had none, and the client did not report its end.
    Idle,
    /// The client reported its end.
    Ended,
}

/// What a session is looked up in.
struct Lookup<'a> {
    archive: &'a Archive,
    loop_settings: &'a mut LoopSettings,
    now: &'a Zoned,
}

/// One session, as scripts see it.
#[derive(Serialize)]
struct Session {
    session: String,
    client: String,
    project: String,
    state: State,
    waits_on: WaitingOn,
    waits_for: String,
    #[serde(with = "flyball_core::time::micros")]
    first_at: Time,
    #[serde(with = "flyball_core::time::micros")]
    last_at: Time,
    last_kind: String,
    events: u64,
    denials: u64,
    denied: DenialCounts,
    held: Vec<ActiveDenial>,
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    session_loop: Option<Loop>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<Task>,
}

impl Session {
    fn build(summary: SessionSummary, lookup: &mut Lookup<'_>) -> Result<Session, Failed> {
        let Lookup { archive, loop_settings: rules, now } = lookup;
        let filter =
            Filter { session: Some(summary.session.clone()), limit: Some(LOOKED_AT), ..Filter::default() };
        let events = archive.index.events(&filter)?;
        let records: Vec<Record> = events.into_iter().map(|event| event.record).collect();
        let age = time::of(now).since(summary.last_at);
        let state = match summary.has_ended {
            true => State::Ended,
            false if age > ACTIVE => State::Idle,
            false => State::Active,
        };
        let Waiting { on, what } = waiting::from_records(&records);
        let (held, session_loop) = match state {
            // Nothing stays denied in a session that has ended, and its loop asks for nothing more.
            State::Ended => (Vec::new(), None),
            State::Active | State::Idle => {
                (active_denial::find(&summary, archive, now)?, view::find(&summary, archive, rules)?)
            }
        };
        let tasks = match state {
            State::Ended => Vec::new(),
            State::Active | State::Idle => {
                task::of_session(&summary.project, (&summary.client, summary.session.as_str()))
            }
        };
        Ok(Session {
            session: summary.session.as_str().to_owned(),
            client: summary.client,
            project: summary.project,
            state,
            waits_on: on,
            waits_for: what,
            first_at: summary.first_at,
            last_at: summary.last_at,
            last_kind: summary.last_kind,
            events: summary.events,
            denials: summary.denials,
            denied: summary.denied,
            held,
            session_loop,
            tasks,
        })
    }

    /// Whether its client started this program.
    fn is_own(&self) -> bool {
        session::own().is_some_and(|(client, id)| self.client == client && self.session == id.as_str())
    }

    fn row(&self, now: &Zoned) -> Row {
        let denied = denials(self.denied);
        let denied = if denied.is_empty() { denied } else { format!(", {denied}") };
        let name = if self.state == State::Active { Style::Strong } else { Style::Faint };
        vec![
            Cell::new(name, short_session(&self.session)),
            Cell::plain(one_line(&self.client)),
            Cell::plain(format!("{}{denied}", text::counted(self.events, "event"))),
            Cell::new(Style::Faint, format!("started {} ago", time::ago(self.first_at, now))),
            Cell::plain(one_line(&tilde(&self.project))),
            Cell::plain(if self.is_own() { "this session" } else { "" }),
        ]
    }

    /// What it waits for and since when, its loop, its tasks and what stays denied in it.
    fn details(&self, now: &Zoned) -> Page {
        let style = match (self.state, self.waits_on) {
            (State::Idle | State::Ended, _) | (State::Active, WaitingOn::Nobody) => Style::Faint,
            (State::Active, WaitingOn::Person) => Style::Warning,
            (State::Active, WaitingOn::Agent) => Style::Good,
        };
        let mut page = Page::default();
        let since = Style::Faint.text(format!(" ({} ago)", time::ago(self.last_at, now)));
        page.cut(style.text(&self.waits_for), since);
        if let Some(session_loop) = &self.session_loop {
            page.rows([vec![Cell::new(loop_style(session_loop), "loop"), Cell::plain(session_loop.line())]]);
        }
        page.rows(self.tasks.iter().map(|task| {
            let paused = if task.paused().is_some() { ", paused: `flyball task resume`" } else { "" };
            let text = format!("{}, {}{paused}", one_line(&task.task), task.progress());
            vec![Cell::new(Style::Warning, "task"), Cell::plain(text)]
        }));
        page.rows(self.held.iter().map(|denial| denial.row(now)));
        let mut below = Page::default();
        below.indented(2, page);
        below
    }
}

const fn loop_style(session_loop: &Loop) -> Style {
    match session_loop.standing {
        Status::Escalated => Style::Bad,
        Status::Idle | Status::Open => Style::Warning,
        Status::Passed => Style::Good,
        Status::Aborted | Status::HandedOver | Status::Ended => Style::Faint,
    }
}

fn add_sessions(page: &mut Page, sessions: &[Session], now: &Zoned) {
    if sessions.is_empty() {
        page.line(
            "No sessions are recorded yet. `flyball init` registers flyball with your client; `flyball demo` shows it at work.",
        );
        return;
    }
    let groups = [
        (State::Active, "Active"),
        (State::Idle, "Idle (no event for half an hour)"),
        (State::Ended, "Ended"),
    ];
    let mut is_first = true;
    for (state, title) in groups {
        let group: Vec<&Session> = sessions.iter().filter(|session| session.state == state).collect();
        if group.is_empty() {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            page.blank();
        }
        page.line(Style::Faint.text(title));
        page.rows_with(Fit::Cut, group.iter().map(|session| (session.row(now), session.details(now))));
    }
}
