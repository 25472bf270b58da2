//! A report for the terminal.

use flyball_board::report::{Cell as Told, Glance, Report, Row as ToldRow, Section};
use jiff::{Timestamp, Zoned};

use crate::project_context::tilde;
use crate::show::text::{cut, one_line, wrap};
use crate::show::{Cell, Columns, Row, time};
use crate::terminal::{Style, Terminal};

/// So many rows of a table are shown.
const ROWS: usize = 12;
/// Wider than this, a column other than the last is cut.
const WIDEST: usize = 30;
/// Narrower than this, a table is shown without the columns that are only nice to know.
const NARROW: usize = 100;
const OPTIONAL_COLUMNS: [&str; 4] = ["Last", "Sess.", "Sessions", "Told"];

pub(super) fn render(report: &Report, terminal: &Terminal, now: &Zoned) -> Vec<String> {
    let mut lines = vec![terminal.paint(Style::Strong, &heading(report, now)), String::new()];
    if report.glance.events == 0 {
        lines.push("No event was recorded in this time.".to_owned());
        lines.push("`flyball report --days 30` looks further back; `flyball doctor` says whether".to_owned());
        lines.push("flyball is registered.".to_owned());
        return lines;
    }
    lines.extend(glance(report, terminal));
    let (full, empty): (Vec<Section>, Vec<Section>) =
        report.sections().into_iter().partition(|section| !section.rows.is_empty());
    for section in &full {
        lines.push(String::new());
        lines.extend(table(section, terminal, now));
    }
    if !empty.is_empty() {
        lines.push(String::new());
        lines.extend(empty.iter().map(|section| terminal.paint(Style::Faint, section.empty)));
    }
    if !report.limits.is_empty() {
        lines.push(String::new());
        let limits = report.limits.iter().flat_map(|limit| wrap(limit, terminal.columns()));
        lines.extend(limits.map(|line| terminal.paint(Style::Faint, &line)));
    }
    lines
}

/// `flyball report: 2026-11-09 to 2026-11-15, 2 projects`.
pub(super) fn heading(report: &Report, now: &Zoned) -> String {
    let day = |at: i64| {
        let at = Timestamp::from_microsecond(at).unwrap_or_default().to_zoned(now.time_zone().clone());
        at.strftime("%Y-%m-%d").to_string()
    };
    let scope = match (&report.project, report.projects.len()) {
        (Some(root), _) => one_line(&tilde(root)),
        (None, 0) => "all projects".to_owned(),
        (None, 1) => "1 project".to_owned(),
        (None, many) => format!("{many} projects"),
    };
    format!("flyball report: {} to {}, {scope}", day(report.since), day(report.until.saturating_sub(1)))
}

/// The numbers with those of the time before: name, now, how they compare, before.
pub(super) fn numbers(report: &Report) -> Vec<[String; 4]> {
    let (now, before) = (&report.glance, &report.before);
    let count = |name: &str, value: fn(&Glance) -> u64| {
        let (new, old) = (value(now), value(before));
        [name.to_owned(), grouped(new), compared(new, old), grouped(old)]
    };
    let micros = |name: &str, value: fn(&Glance) -> Option<u64>| {
        let (new, old) = (value(now), value(before));
        let shown = |micros: Option<u64>| micros.map_or_else(|| "–".to_owned(), time::took);
        let change = compared(new.unwrap_or_default(), old.unwrap_or_default());
        [name.to_owned(), shown(new), change, shown(old)]
    };
    vec![
        count("sessions", |it| it.sessions),
        count("events", |it| it.events),
        count("denied", |it| it.denials),
        count("asked", |it| it.asks),
        count("allowed", |it| it.allows),
        count("characters of context", |it| it.context_chars),
        micros("time in hooks", |it| Some(it.hook_micros)),
        micros("time per session", |it| it.hook_micros.checked_div(it.sessions)),
        micros("hook, p50", |it| it.p50),
        micros("hook, p99", |it| it.p99),
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
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(' ');
        }
        shown.push(digit);
    }
    shown
}

fn glance(report: &Report, terminal: &Terminal) -> Vec<String> {
    let rows: Vec<Row> = numbers(report)
        .into_iter()
        .map(|[name, now, change, before]| {
            vec![
                Cell::new(Style::Faint, format!("  {name}")),
                Cell::amount(Style::Strong, now),
                Cell::plain(change),
                Cell::new(Style::Faint, format!("before: {before}")),
            ]
        })
        .collect();
    let columns = Columns::fit(&rows, terminal.line_limit());
    rows.iter().map(|row| columns.line(row, terminal)).collect()
}

fn table(section: &Section, terminal: &Terminal, now: &Zoned) -> Vec<String> {
    let is_narrow = terminal.columns() < NARROW;
    let shown: Vec<usize> = (0..section.columns.len())
        .filter(|place| {
            let title = section.columns.get(*place).map_or("", |column| column.title);
            !is_narrow || !OPTIONAL_COLUMNS.contains(&title)
        })
        .collect();
    let titles = shown.iter().filter_map(|place| section.columns.get(*place)).enumerate();
    let head = titles.map(|(number, column)| {
        let make = if column.is_amount { Cell::amount } else { Cell::new };
        make(Style::Faint, format!("{}{}", if number == 0 { "  " } else { "" }, column.title))
    });
    let head: Row = head.collect();
    let rows: Vec<Row> =
        section.rows.iter().take(ROWS).map(|row| line(section, row, (&shown, now))).collect();
    let columns = Columns::fit(std::iter::once(&head).chain(&rows), terminal.line_limit());
    let count = section.rows.len();
    let title = format!(
        "{} {}",
        terminal.paint(Style::Strong, section.title),
        terminal.paint(Style::Faint, &format!("({count})"))
    );
    let mut lines = vec![title, columns.line(&head, terminal)];
    for (row, told) in rows.iter().zip(&section.rows) {
        lines.push(columns.line(row, terminal));
        lines.extend(details(told, terminal, now));
    }
    if count > ROWS {
        let more = format!("  … and {} more: --markdown, --html and --json have all", count - ROWS);
        lines.push(terminal.paint(Style::Faint, &more));
    }
    lines
}

fn line(section: &Section, row: &ToldRow, (shown, now): (&[usize], &Zoned)) -> Row {
    let last = shown.last().copied();
    let cell = |(number, place): (usize, &usize)| {
        let told = row.cells.get(*place)?;
        let column = section.columns.get(*place)?;
        let (style, text) = render_cell(told, now);
        let text = if Some(*place) == last { text } else { cut(&text, WIDEST) };
        let text = if number == 0 { format!("  {text}") } else { text };
        Some(if column.is_amount { Cell::amount(style, text) } else { Cell::new(style, text) })
    };
    shown.iter().enumerate().filter_map(cell).collect()
}

fn details(row: &ToldRow, terminal: &Terminal, now: &Zoned) -> Vec<String> {
    let mut lines = Vec::new();
    for (label, detail) in &row.details {
        let (_, text) = render_cell(detail, now);
        let width = terminal.columns().saturating_sub(23).max(20);
        for (number, part) in wrap(&text, width).iter().enumerate() {
            let label = if number == 0 { *label } else { "" };
            lines.push(format!("      {}  {part}", terminal.paint(Style::Faint, &format!("{label:<14}"))));
        }
    }
    lines
}

fn render_cell(cell: &Told, now: &Zoned) -> (Style, String) {
    match cell {
        Told::Words(words) => (Style::Plain, one_line(words)),
        Told::Stance(class, word) => {
            let style = match *class {
                "deny" => Style::Bad,
                "ask" => Style::Warning,
                "allow" => Style::Good,
                _ => Style::Faint,
            };
            (style, word.clone())
        }
        Told::Code(text) => (Style::Plain, one_line(text)),
        Told::Count(0) | Told::Micros(None) => (Style::Faint, "–".to_owned()),
        Told::Count(count) => (Style::Plain, grouped(*count)),
        Told::Micros(Some(micros)) => (Style::Plain, time::took(*micros)),
        Told::At(at) => (Style::Faint, format!("{} ago", time::ago(*at, now))),
        Told::Commands(commands) => (Style::Accent, commands.join(", ")),
    }
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
        assert_eq!([0, 999, 1_234_567].map(grouped), ["0", "999", "1 234 567"]);
    }
}
