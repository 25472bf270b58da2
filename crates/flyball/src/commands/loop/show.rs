//! The loops on a terminal.

use flyball_core::text;
use flyball_core::time::Time;
use flyball_policies::r#loop::feedback::machine::condense_by;
use flyball_policies::r#loop::feedback::report::{Choice, PhaseStatus, Status};
use flyball_policies::r#loop::iterations::View;
use jiff::Zoned;

use crate::project_context::tilde;
use crate::session;
use crate::show::record::short_session;
use crate::show::text::{one_line, wrap, wrap_lines};
use crate::show::{Cell, Columns, Row, time};
use crate::terminal::{Style, Terminal};
use crate::views::r#loop::{Domain, Escalation, Loop, Phase, SessionOutput};

/// How many issues of a phase, files of a domain and entries of the history are shown.
const MOST_ISSUES: usize = 10;
const MOST_FILES: usize = 4;
const MOST_ENTRIES: usize = 12;

/// The indents below a session.
const INDENT: &str = "  ";
const DEEPER: &str = "    ";

pub(super) fn sessions(sessions: &[SessionOutput], now: &Zoned, terminal: &Terminal) {
    let own = session::own();
    for (number, session) in sessions.iter().enumerate() {
        if number > 0 {
            terminal.line("");
        }
        let id = terminal.paint(Style::Strong, &short_session(&session.session));
        let is_own = own
            .as_ref()
            .is_some_and(|(client, id)| session.client == *client && session.session == id.as_str());
        terminal.line(&format!(
            "{id}  {}  {}{}",
            one_line(&session.client),
            one_line(&tilde(&session.project)),
            if is_own { "  this session" } else { "" }
        ));
        if let Some(session_loop) = &session.session_loop {
            let page = Page { session_loop, now, terminal };
            terminal.lines(page.lines());
        }
        terminal.lines(session.task.as_ref().map(|it| format!("{INDENT}{}", task(it, now))));
    }
}

/// The task of loop.iterations.
fn task(task: &View, now: &Zoned) -> String {
    let count = match task.max {
        Some(max) => format!("iteration {} of {max}", task.iteration),
        None => format!("iteration {}", task.iteration),
    };
    let until = task.until.as_deref().map(|until| format!(", until `{}` passes", one_line(until)));
    let ago = time::ago(task.began, now);
    format!("task `{}`: {count}{}, began {ago} ago", one_line(&task.text), until.unwrap_or_default())
}

struct Page<'a> {
    session_loop: &'a Loop,
    now: &'a Zoned,
    terminal: &'a Terminal,
}

impl Page<'_> {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.head()];
        lines.extend(self.phases());
        if let Some(escalation) = &self.session_loop.escalation {
            lines.extend(self.escalation(escalation));
        }
        lines.extend(self.choices());
        lines.extend(self.history());
        lines
    }

    fn head(&self) -> String {
        let (style, text) = match self.session_loop.standing {
            Status::Idle | Status::Open => (Style::Warning, "open".to_owned()),
            Status::Passed => (Style::Good, "everything passed".to_owned()),
            Status::Escalated => (Style::Bad, "escalated: a person decides".to_owned()),
            Status::Aborted => (Style::Faint, "ended for this session by a person".to_owned()),
            Status::Ended => (Style::Faint, "the session ended before everything had passed".to_owned()),
            Status::HandedOver => {
                let workflow = one_line(self.session_loop.handed_over_to.as_deref().unwrap_or_default());
                (Style::Faint, format!("handed over to {workflow}"))
            }
        };
        let text = self.terminal.paint(style, &text);
        if self.session_loop.iteration == 0 {
            // The loop is done, and no other has begun.
            return format!("{INDENT}{text}");
        }
        let began = format!(", began {} ago", time::ago(self.session_loop.began, self.now));
        let began = if self.session_loop.began > Time::default() { began } else { String::new() };
        format!("{INDENT}{}{}: {text}", self.session_loop.round(), self.terminal.paint(Style::Faint, &began))
    }

    /// The phases of each domain in columns, with the issues below each.
    fn phases(&self) -> Vec<String> {
        let blocks: Vec<(&Domain, Vec<(Row, &Phase)>)> =
            self.session_loop.domains.iter().map(|domain| (domain, self.rows(domain))).collect();
        let rows = blocks.iter().flat_map(|(_, rows)| rows.iter().map(|(row, _)| row));
        let columns = Columns::fit(rows, self.terminal.line_limit());
        let mut lines = Vec::new();
        for (domain, rows) in &blocks {
            for (row, phase) in rows {
                lines.push(columns.line(row, self.terminal));
                lines.extend(issues(phase, self.terminal));
            }
            let files = format!("{DEEPER}{}", files(domain));
            lines.push(self.terminal.paint(Style::Faint, &files));
        }
        lines
    }

    fn rows<'a>(&self, domain: &'a Domain) -> Vec<(Row, &'a Phase)> {
        let name = |number: usize| if number == 0 { one_line(&domain.name) } else { String::new() };
        let numbered = domain.phases.iter().enumerate();
        numbered.map(|(number, phase)| (self.row(&name(number), phase), phase)).collect()
    }

    fn row(&self, domain: &str, phase: &Phase) -> Row {
        let (mark, style) = match phase.status {
            PhaseStatus::Passed => ("✓", Style::Good),
            PhaseStatus::Failed => ("✗", Style::Bad),
            PhaseStatus::Stale | PhaseStatus::Changed | PhaseStatus::Elsewhere => ("○", Style::Warning),
            PhaseStatus::NotRun => ("○", Style::Plain),
        };
        vec![
            Cell::new(Style::Strong, format!("{INDENT}{domain}")),
            Cell::plain(one_line(&phase.name)),
            Cell::new(style, format!("{mark} {}", phase.status.name())),
            Cell::new(Style::Faint, self.describe_source(phase)),
        ]
    }

    /// Who reported the result and when, and how often it failed.
    fn describe_source(&self, phase: &Phase) -> String {
        // What was reported then says nothing about the code of this iteration.
        if phase.status == PhaseStatus::NotRun {
            // The result is from an earlier iteration.
            let again = phase.at.map(|_| "has to pass again".to_owned());
            return again.unwrap_or_default();
        }
        let ago = phase.at.map(|at| format!("{} ago", time::ago(at, self.now)));
        let failed = match phase.failures {
            0 | 1 => None,
            count => Some(format!("failed {count} times in a row")),
        };
        let why = match phase.status {
            PhaseStatus::Stale => Some("the files changed before its result came".to_owned()),
            PhaseStatus::Changed => Some("the files changed since it passed".to_owned()),
            PhaseStatus::Elsewhere => Some("the work is on another branch".to_owned()),
            PhaseStatus::Passed | PhaseStatus::Failed | PhaseStatus::NotRun => None,
        };
        let by = phase.by.as_deref().map(one_line);
        by.into_iter().chain(ago).chain(failed).chain(why).collect::<Vec<_>>().join(", ")
    }

    fn escalation(&self, escalation: &Escalation) -> Vec<String> {
        let ago = format!(" ({} ago)", time::ago(escalation.at, self.now));
        let reason = self.terminal.paint(Style::Bad, &one_line(&escalation.reason));
        let mut all =
            vec![String::new(), format!("{INDENT}{reason}{}", self.terminal.paint(Style::Faint, &ago))];
        if !escalation.advice.trim().is_empty() {
            let by = match escalation.adviser.as_str() {
                "" => "advice:".to_owned(),
                adviser => format!("advice of {}:", one_line(adviser)),
            };
            all.push(format!("{INDENT}{}", self.terminal.paint(Style::Faint, &by)));
            let room = self.terminal.columns().saturating_sub(DEEPER.len());
            let wrapped = wrap_lines(&escalation.advice, room);
            all.extend(wrapped.iter().map(|line| format!("{DEEPER}{line}").trim_end().to_owned()));
        }
        all
    }

    fn choices(&self) -> Vec<String> {
        if self.session_loop.choices.is_empty() {
            return Vec::new();
        }
        let row = |Choice { command, what }: &Choice| {
            vec![
                Cell::plain(format!("{DEEPER}{}", one_line(command))),
                Cell::new(Style::Faint, one_line(what)),
            ]
        };
        let rows: Vec<Row> = self.session_loop.choices.iter().map(row).collect();
        let columns = Columns::fit(&rows, self.terminal.line_limit());
        let head = match self.session_loop.standing {
            Status::Escalated => "the agent may stop; a person decides:",
            _ => "to override (people only):",
        };
        let head = format!("{INDENT}{head}");
        let rows = rows.iter().map(|row| columns.line(row, self.terminal));
        [String::new(), head].into_iter().chain(rows).collect()
    }

    fn history(&self) -> Vec<String> {
        let history = &self.session_loop.history;
        if history.is_empty() {
            return Vec::new();
        }
        let shown = condense_by(history, MOST_ENTRIES, |entry| entry.iteration);
        let earlier = history.len().saturating_sub(shown.len());
        let mut lines = vec![String::new(), format!("{INDENT}history:")];
        // Of every iteration the end is shown.
        if earlier > 0 {
            let text = format!("{DEEPER}{earlier} more (--json has all)");
            lines.push(self.terminal.paint(Style::Faint, &text));
        }
        let rows: Vec<Row> = shown
            .into_iter()
            .map(|entry| {
                let clock = format!("{DEEPER}{}", time::clock(entry.at, self.now));
                let iteration = Cell::amount(Style::Faint, format!("#{}", entry.iteration));
                vec![Cell::new(Style::Faint, clock), iteration, Cell::plain(one_line(&entry.what))]
            })
            .collect();
        let columns = Columns::fit(&rows, self.terminal.line_limit());
        lines.extend(rows.iter().map(|row| columns.line(row, self.terminal)));
        lines
    }
}

fn issues(phase: &Phase, terminal: &Terminal) -> Vec<String> {
    let room = terminal.columns().saturating_sub(DEEPER.len() + 2);
    let issues = phase.issues.iter().take(MOST_ISSUES);
    let mut lines: Vec<String> = issues
        .flat_map(|issue| {
            let mut start = "- ";
            wrap(&one_line(issue), room)
                .into_iter()
                .map(move |line| format!("{DEEPER}{}{line}", std::mem::replace(&mut start, "  ")))
                .collect::<Vec<_>>()
        })
        .collect();
    let more = phase.issues.len().saturating_sub(MOST_ISSUES);
    if more > 0 {
        lines.push(format!("{DEEPER}- {more} more (--json has all)"));
    }
    lines
}

/// The files of a domain, as far as they fit.
fn files(domain: &Domain) -> String {
    let names: Vec<String> = domain.files.iter().map(|file| one_line(file)).collect();
    format!("edited: {}", text::first(&names, MOST_FILES))
}
