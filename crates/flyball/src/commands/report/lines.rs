//! A report for the terminal.

use std::time::Duration;

use flyball_board::report::{Glance, Report};
use flyball_board::table::{Entry, Section, Style};
use flyball_core::text;
use flyball_core::time::{Time, whole_micros};
use jiff::Zoned;

use crate::project_context::tilde;
use crate::show::text::{cut_text, one_line};
use crate::show::{Cell, Fit, Page, Row, column_titles, shown, time};
use crate::terminal::Terminal;

/// The most rows of a table that are shown.
const ROWS: usize = 12;
/// Wider than this, a column other than the last is cut.
const WIDEST: usize = 30;
/// A narrower terminal does not show the optional columns.
const NARROW: usize = 100;
const OPTIONAL_COLUMNS: [&str; 4] = ["Last", "Sess.", "Sessions", "Added"];

pub(super) fn render(report: &Report, terminal: &Terminal, now: &Zoned) -> Page {
    let mut page = Page::default();
    page.title(heading(report, now));
    page.blank();
    if report.glance.events == 0 {
        page.line("No events were recorded in this period.");
        page.line("`flyball report --days 30` looks further back; `flyball doctor` shows whether");
        page.line("flyball is registered.");
        return page;
    }
    page.rows(numbers(report).into_iter().map(|[name, now, change, before]| {
        vec![
            Cell::new(Style::Faint, format!("  {name}")),
            Cell::amount(Style::Strong, now),
            Cell::plain(change),
            Cell::new(Style::Faint, format!("before: {before}")),
        ]
    }));
    let (full, empty): (Vec<Section>, Vec<Section>) =
        report.sections().into_iter().partition(|section| !section.entries.is_empty());
    for section in &full {
        page.blank();
        add_section(&mut page, section, terminal.columns() < NARROW);
    }
    if !empty.is_empty() {
        page.blank();
        empty.iter().for_each(|section| page.line(Style::Faint.text(section.empty)));
    }
    if !report.limits.is_empty() {
        page.blank();
        report.limits.iter().for_each(|limit| page.paragraph("", Style::Faint.text(limit)));
    }
    page
}

/// `flyball report: 2026-11-09 to 2026-11-15, 2 projects`.
pub(super) fn heading(report: &Report, now: &Zoned) -> String {
    let day = |at: Time| time::local(at, now).strftime("%Y-%m-%d").to_string();
    let scope = match (&report.project, report.projects.len()) {
        (Some(root), _) => one_line(&tilde(root)),
        (None, 0) => "all projects".to_owned(),
        (None, count) => text::counted(count, "project"),
    };
    format!(
        "flyball report: {} to {}, {scope}",
        day(report.since),
        day(report.until - Duration::from_micros(1))
    )
}

/// The numbers and those of the period before: name, now, how they compare, before.
pub(super) fn numbers(report: &Report) -> Vec<[String; 4]> {
    let (now, before) = (&report.glance, &report.before);
    let count = |name: &str, value: fn(&Glance) -> u64| {
        let (new, old) = (value(now), value(before));
        [name.to_owned(), number(new), compared(new, old), number(old)]
    };
    let duration = |name: &str, value: fn(&Glance) -> Option<Duration>| {
        let (new, old) = (value(now), value(before));
        let shown = |took: Option<Duration>| took.map_or_else(|| "–".to_owned(), time::took);
        let [change_to, from] = [new, old].map(|took| whole_micros(took.unwrap_or_default()));
        let change = compared(change_to, from);
        [name.to_owned(), shown(new), change, shown(old)]
    };
    vec![
        count("sessions", |it| it.sessions),
        count("events", |it| it.events),
        count("blocked", |it| it.denied.blocked),
        count("held", |it| it.denied.held),
        count("findings", |it| it.denied.findings),
        count("asked", |it| it.asks),
        count("allowed", |it| it.allows),
        count("characters of context", |it| it.context_chars),
        duration("time in hooks", |it| Some(it.hook_time)),
        duration("time per session", |it| {
            whole_micros(it.hook_time).checked_div(it.sessions).map(Duration::from_micros)
        }),
        duration("hook, p50", |it| it.p50),
        duration("hook, p99", |it| it.p99),
    ]
}

/// `▲ 20 %`: how a number compares with the one before.
fn compared(now: u64, before: u64) -> String {
    if now == before {
        return "=".to_owned();
    }
    let arrow = if now > before { "▲" } else { "▼" };
    if before == 0 {
        return format!("{arrow} new");
    }
    let percent = u128::from(now.abs_diff(before)) * 100 / u128::from(before);
    match percent {
        0 => format!("{arrow} <1 %"),
        1..=999 => format!("{arrow} {percent} %"),
        _ => format!("{arrow} ×{}", now / before),
    }
}

/// A number with blanks between thousands.
pub(super) fn number(number: u64) -> String {
    text::grouped(&number.to_string(), ' ')
}

fn add_section(page: &mut Page, section: &Section, is_narrow: bool) {
    let count = section.entries.len();
    page.line(Style::Strong.text(section.title).then(Style::Faint.text(format!(" ({count})"))));
    let is_shown = |title: &str| !is_narrow || !OPTIONAL_COLUMNS.contains(&title);
    let places: Vec<usize> = section
        .columns
        .iter()
        .enumerate()
        .filter(|(_, title)| is_shown(title))
        .map(|(place, _)| place)
        .collect();
    let titles: Vec<&str> = places.iter().filter_map(|place| section.columns.get(*place).copied()).collect();
    let entries: Vec<&Entry> = section.entries.iter().take(ROWS).collect();
    let rows: Vec<Row> = entries.iter().map(|entry| row(entry, &places)).collect();
    let head = (column_titles(&titles, &rows), Page::default());
    let below = entries.iter().map(|entry| details(entry));
    let mut table = Page::default();
    table.rows_with(Fit::Cut, std::iter::once(head).chain(rows.into_iter().zip(below)));
    if count > ROWS {
        let more = format!("… and {} more: --markdown, --html and --json have all", count - ROWS);
        table.line(Style::Faint.text(more));
    }
    page.indented(2, table);
}

/// The cells in these places; only the last may be long.
fn row(entry: &Entry, places: &[usize]) -> Row {
    let cell = |place: &usize| {
        let cell = entry.row.get(*place)?;
        let text = shown(cell);
        let text = if places.last() == Some(place) { text } else { cut_text(&text, WIDEST) };
        Some(if cell.is_amount() { Cell::Amount(text) } else { Cell::Words(text) })
    };
    places.iter().filter_map(cell).collect()
}

fn details(entry: &Entry) -> Page {
    let mut below = Page::default();
    for detail in &entry.details {
        let label = Style::Faint.text(format!("{:<14}  ", detail.label));
        below.paragraph(label, shown(&detail.cell).plain());
    }
    let mut page = Page::default();
    page.indented(4, below);
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_with_those_before() {
        let cases = [
            (5, 5, "="),
            (6, 5, "▲ 20 %"),
            (3, 0, "▲ new"),
            (0, 4, "▼ 100 %"),
            (1_001, 1_000, "▲ <1 %"),
            (90, 3, "▲ ×30"),
        ];
        for (now, before, expected) in cases {
            assert_eq!(compared(now, before), expected, "{now} {before}");
        }
        assert_eq!([0, 999, 1_234_567].map(number), ["0", "999", "1 234 567"]);
    }
}
