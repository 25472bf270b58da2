//! The screen, drawn.

use std::time::Duration;

use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_store::StoredEvent;
use jiff::Zoned;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Cell, Paragraph, Row, Sparkline, Table, TableState};

use super::keys;
use super::screen::{Pane, Screen, View};
use super::snapshot::{Session, Snapshot, Stretch};
use crate::project_context::tilde;
use crate::show::record::{agent_name, denials, kind_of, short_session, subject};
use crate::show::text::one_line;
use crate::show::time;

/// A session without an event for this long is idle.
const IDLE_AFTER: Duration = Duration::from_mins(10);

const FAINT: Style = Style::new().fg(Color::DarkGray);
const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Draws all of it.
pub(super) fn screen(frame: &mut Frame<'_>, screen: &Screen) {
    let [head, body, foot] =
        Layout::vertical([Constraint::Length(3), Constraint::Fill(1), Constraint::Length(1)])
            .areas(frame.area());
    let Some(snapshot) = &screen.snapshot else { return };
    numbers(frame, head, (screen, snapshot));
    match &screen.view {
        View::Main => lists(frame, body, (screen, snapshot)),
        View::Explanation { top, .. } => explanation(frame, body, (snapshot, *top)),
        View::Help => help(frame, body),
    }
    frame.render_widget(Paragraph::new(foot_line(screen)), foot);
}

/// A drawn screen as lines without trailing blanks, and without the empty ones at its end.
pub(super) fn plain(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    let line = |row: u16| {
        let cells = (0..area.width).filter_map(|column| buffer.cell((column, row)));
        cells.map(ratatui::buffer::Cell::symbol).collect::<String>().trim_end().to_owned()
    };
    let mut lines: Vec<String> = (0..area.height).map(line).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn numbers(frame: &mut Frame<'_>, area: Rect, (screen, snapshot): (&Screen, &Snapshot)) {
    let [texts, spark] = Layout::horizontal([Constraint::Fill(1), Constraint::Length(62)]).areas(area);
    let total = snapshot.total;
    let took = |took: Option<Duration>| took.map_or_else(|| "–".to_owned(), time::took);
    let scope = match (&screen.session, &screen.project) {
        (Some(session), _) => format!("session {}", short_session(session.session.as_str())),
        (None, Some(project)) => one_line(&tilde(project)),
        (None, None) => "all projects".to_owned(),
    };
    let lines = vec![
        Line::from(vec![Span::styled("flyball top", STRONG), Span::raw(format!("  {scope}, last hour"))]),
        Line::from(vec![
            Span::raw(format!("{} events  ", total.events)),
            Span::styled(shown_denials(total.denied), denied_style(total)),
        ]),
        Line::from(format!("hook p50 {}  p99 {}", took(total.p50), took(total.p99))),
    ];
    frame.render_widget(Paragraph::new(lines), texts);
    let events: Vec<u64> = snapshot.hour.iter().map(|stretch| stretch.events).collect();
    let block = Block::new().borders(Borders::LEFT).border_style(FAINT).title(Span::styled(" events", FAINT));
    frame.render_widget(Sparkline::default().data(events).block(block), spark);
}

fn denied_style(stretch: Stretch) -> Style {
    if stretch.denied.blocked > 0 { style_of(Outcome::Blocked) } else { FAINT }
}

fn shown_denials(denied: DenialCounts) -> String {
    let shown = denials(denied);
    if shown.is_empty() { "0 blocked".to_owned() } else { shown }
}

fn lists(frame: &mut Frame<'_>, area: Rect, (screen, snapshot): (&Screen, &Snapshot)) {
    let needed = u16::try_from(snapshot.sessions.len()).unwrap_or(u16::MAX).saturating_add(2);
    let most = (area.height / 3).max(3);
    let above = if screen.session.is_some() { 0 } else { needed.clamp(3, most) };
    let [sessions, events] = Layout::vertical([Constraint::Length(above), Constraint::Fill(1)]).areas(area);
    if above > 0 {
        session_list(frame, sessions, (screen, snapshot));
    }
    event_list(frame, events, (screen, snapshot));
}

fn session_list(frame: &mut Frame<'_>, area: Rect, (screen, snapshot): (&Screen, &Snapshot)) {
    let block = pane_block("Sessions", screen.pane == Pane::Sessions);
    if snapshot.sessions.is_empty() {
        let text = "Nothing is recorded yet. `flyball init` registers flyball with your clients.";
        frame.render_widget(Paragraph::new(text).block(block), area);
        return;
    }
    let rows = snapshot.sessions.iter().map(|session| session_row(session, &snapshot.now));
    let widths = [
        Constraint::Length(8),
        Constraint::Length(9),
        Constraint::Length(18),
        Constraint::Length(7),
        Constraint::Length(7),
        Constraint::Fill(1),
    ];
    let head = ["session", "last", "project", "events", "blocked", "waits for"];
    let table = Table::new(rows, widths).header(Row::new(head).style(FAINT)).block(block);
    show(frame, area, table.row_highlight_style(cursor(screen, Pane::Sessions)), screen.session_row);
}

fn session_row(session: &Session, now: &Zoned) -> Row<'static> {
    let summary = &session.summary;
    let is_active = !summary.has_ended && time::of(now).since(summary.last_at) < IDLE_AFTER;
    let project = summary.project.rsplit('/').next().unwrap_or(&summary.project);
    let colour = if summary.denied.blocked > 0 { style_of(Outcome::Blocked) } else { FAINT };
    Row::new(vec![
        Cell::from(short_session(summary.session.as_str())),
        Cell::from(time::ago(summary.last_at, now)),
        Cell::from(one_line(project)),
        Cell::from(format!("{:>6}", summary.events)),
        Cell::from(format!("{:>7}", summary.denied.blocked)).style(colour),
        Cell::from(one_line(&session.waits_for)),
    ])
    .style(if is_active { Style::new() } else { FAINT })
}

fn event_list(frame: &mut Frame<'_>, area: Rect, (screen, snapshot): (&Screen, &Snapshot)) {
    let mut title = match &screen.session {
        Some(session) => format!("Events of session {}", one_line(session.session.as_str())),
        None => "Events".to_owned(),
    };
    if screen.only_denials {
        title.push_str(", blocked");
    }
    if !screen.search.is_empty() || screen.is_typing {
        title.push_str(&format!(", with `{}`", one_line(&screen.search)));
    }
    let block = pane_block(&title, screen.pane == Pane::Events);
    if snapshot.events.is_empty() {
        let text = "No event matches. Esc shows all of them.";
        frame.render_widget(Paragraph::new(text).block(block), area);
        return;
    }
    let rows = snapshot.events.iter().map(|event| event_row(event, &snapshot.now));
    let widths = [
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Length(8),
        Constraint::Length(16),
        Constraint::Length(8),
        Constraint::Length(18),
        Constraint::Fill(1),
    ];
    let head = ["time", "session", "outcome", "event", "took", "by", "about"];
    let table = Table::new(rows, widths).header(Row::new(head).style(FAINT)).block(block);
    show(frame, area, table.row_highlight_style(cursor(screen, Pane::Events)), screen.event_row);
}

fn event_row(event: &StoredEvent, now: &Zoned) -> Row<'static> {
    let record = &event.record;
    let by: Vec<&str> = record.deciders().map(|ruling| ruling.policy.as_str()).collect();
    let agent = record.agent.as_ref().map(|agent| format!("@{} ", agent_name(&agent.role)));
    let tool = record.tool.map(|tool| format!("{}: ", tool.name()));
    let about = format!("{}{}{}", agent.unwrap_or_default(), tool.unwrap_or_default(), subject(record));
    Row::new(vec![
        Cell::from(time::clock(record.at, now)).style(FAINT),
        Cell::from(short_session(record.session.as_str())).style(FAINT),
        Cell::from(record.outcome().name()).style(style_of(record.outcome())),
        Cell::from(kind_of(record)),
        Cell::from(format!("{:>8}", time::took(record.took))).style(FAINT),
        Cell::from(one_line(&by.join(", "))),
        Cell::from(one_line(&about)),
    ])
}

fn cursor(screen: &Screen, pane: Pane) -> Style {
    if screen.pane == pane { CHOSEN } else { Style::new() }
}

fn show(frame: &mut Frame<'_>, area: Rect, table: Table<'_>, row: usize) {
    frame.render_stateful_widget(table, area, &mut TableState::new().with_selected(Some(row)));
}

fn pane_block(title: &str, has_cursor: bool) -> Block<'static> {
    let style = if has_cursor { STRONG } else { FAINT };
    Block::new().borders(Borders::TOP).border_style(FAINT).title(Span::styled(format!(" {title} "), style))
}

fn explanation(frame: &mut Frame<'_>, area: Rect, (snapshot, top): (&Snapshot, usize)) {
    let lines: Vec<Line<'_>> =
        snapshot.explanation.iter().skip(top).map(|line| Line::from(line.as_str())).collect();
    frame.render_widget(Paragraph::new(lines).block(pane_block("Explanation", true)), area);
}

fn help(frame: &mut Frame<'_>, area: Rect) {
    let line = |(keys, what): &(&str, &str)| {
        Line::from(vec![Span::styled(format!("  {keys:<14}  "), STRONG), Span::raw((*what).to_owned())])
    };
    let lines: Vec<Line<'_>> = keys::LIST.iter().map(line).collect();
    frame.render_widget(Paragraph::new(lines).block(pane_block("Keys", true)), area);
}

fn foot_line(screen: &Screen) -> Line<'static> {
    if screen.is_typing {
        return Line::from(format!("/{}▏", one_line(&screen.search)));
    }
    let keys = match screen.view {
        View::Main => "↑↓ move  Tab switch  Enter open  d blocked  / search  p pause  ? keys  q end",
        View::Explanation { .. } => "↑↓ scroll  Esc back  q end",
        View::Help => "Esc back  q end",
    };
    let paused = if screen.is_paused { "paused  " } else { "" };
    Line::from(vec![Span::styled(paused, style_of(Outcome::Asked)), Span::styled(keys, FAINT)])
}

const fn style_of(outcome: Outcome) -> Style {
    let style = Style::new();
    match outcome {
        Outcome::Passed => style.fg(Color::DarkGray),
        Outcome::Allowed => style.fg(Color::Green),
        Outcome::Asked | Outcome::Finding | Outcome::Held => style.fg(Color::Yellow),
        Outcome::Blocked => style.fg(Color::Red).add_modifier(Modifier::BOLD),
    }
}
