//! How the statistics look.

use flyball_core::config::Mode;
use flyball_policies::memory::context;

use super::tally::{Day, Stats, Tally};
use crate::project_context::{ProjectContext, mode_in};
use crate::show::text::one_line;
use crate::show::{Cell, Row, table};
use crate::terminal::{Style, Terminal};

/// So many days of the trend are shown, the last.
const MOST_DAYS: usize = 14;

/// So many files of rules are shown.
const MOST_NODES: usize = 20;

const BAR: usize = 24;

pub(super) fn page(stats: &Stats, here: &ProjectContext, terminal: &Terminal) -> Vec<String> {
    if stats.injections == 0 && stats.all.all() == 0 {
        return nothing(stats, here);
    }
    let mut page = totals(stats, terminal);
    page.extend(nodes(stats, terminal));
    page.extend(uncovered(stats, terminal));
    page.extend(trend(stats, terminal));
    page
}

fn nothing(stats: &Stats, here: &ProjectContext) -> Vec<String> {
    let what = format!("Nothing is recorded of the last {}.", days(stats.days));
    let way = match mode_in(&here.load_config().config, &context::POLICY) {
        Mode::Off => "The memory is off here: `flyball init --packs memory` switches it on.",
        Mode::Observe | Mode::Enforce => {
            "Figures come with the next edits of an agent; `flyball memory resolve PATH` shows what it will be told."
        }
    };
    vec![what, way.to_owned()]
}

/// `1 day`, `30 days`
pub(super) fn days(number: u32) -> String {
    if number == 1 { "day".to_owned() } else { format!("{number} days") }
}

fn totals(stats: &Stats, terminal: &Terminal) -> Vec<String> {
    let title = format!("The last {}", days(stats.days));
    let mut lines = vec![terminal.paint(Style::Strong, &title)];
    let row = |name: &str, tally: Tally| -> Row {
        let mut row =
            vec![Cell::plain(format!("  {name}")), Cell::amount(Style::Plain, tally.all().to_string())];
        row.extend(rate(tally));
        row
    };
    let rows = vec![
        vec![
            Cell::plain("  rules told"),
            Cell::amount(Style::Plain, stats.injections.to_string()),
            Cell::plain(""),
        ],
        row("edits after that", stats.told),
        row("edits without", stats.untold),
    ];
    let columns = crate::show::Columns::fit(&rows, terminal.line_limit());
    lines.extend(rows.iter().map(|row| columns.line(row, terminal)));
    lines
}

/// `93 % went well`
fn rate(tally: Tally) -> Option<Cell> {
    let percent = tally.percent();
    Some(match percent {
        Some(percent) => Cell::new(style(percent), format!("{percent} % went well")),
        None => Cell::plain(""),
    })
}

const fn style(percent: usize) -> Style {
    match percent {
        0..50 => Style::Bad,
        50..80 => Style::Warning,
        _ => Style::Good,
    }
}

fn nodes(stats: &Stats, terminal: &Terminal) -> Vec<String> {
    if stats.nodes.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), terminal.paint(Style::Strong, "Rules")];
    let rows = stats.nodes.iter().take(MOST_NODES).map(|node| {
        let amount = |number: usize| Cell::amount(Style::Plain, number.to_string());
        let percent = node.tally.percent();
        let rate = percent.map_or(Cell::amount(Style::Faint, "-"), |percent| {
            Cell::amount(style(percent), format!("{percent} %"))
        });
        vec![
            amount(node.injections),
            amount(node.tally.successes),
            amount(node.tally.failures),
            rate,
            Cell::plain(one_line(&node.node)),
        ]
    });
    lines.extend(indented(table(&["told", "went well", "failed", "rate", "file"], rows.collect(), terminal)));
    if stats.nodes.len() > MOST_NODES {
        lines.push(format!("  and {} more: `flyball memory stats --json`", stats.nodes.len() - MOST_NODES));
    }
    lines
}

fn uncovered(stats: &Stats, terminal: &Terminal) -> Vec<String> {
    if stats.uncovered.is_empty() {
        return Vec::new();
    }
    let title = "Failures where no rules of their own are";
    let mut lines = vec![String::new(), terminal.paint(Style::Strong, title)];
    let rows = stats.uncovered.iter().map(|folder| {
        let files: Vec<String> = folder.files.iter().map(|file| one_line(file)).collect();
        vec![
            Cell::amount(Style::Plain, folder.failures.to_string()),
            Cell::plain(one_line(&folder.folder)),
            Cell::new(Style::Faint, files.join(", ")),
        ]
    });
    lines.extend(indented(table(&["failed", "folder", "files"], rows.collect(), terminal)));
    lines.push("  An AGENTS.md in such a folder is told before the next edit there.".to_owned());
    lines
}

fn trend(stats: &Stats, terminal: &Terminal) -> Vec<String> {
    let days: Vec<&Day> = stats.trend.iter().rev().take(MOST_DAYS).rev().collect();
    let most = days.iter().map(|day| day.tally.all()).max().unwrap_or_default();
    if most == 0 {
        return Vec::new();
    }
    let mut lines = vec![String::new(), terminal.paint(Style::Strong, "Edits per day")];
    for day in days {
        let (good, bad) = (bar(day.tally.successes, most), bar(day.tally.failures, most));
        let blanks = " ".repeat((BAR + 1).saturating_sub(good + bad));
        let good = terminal.paint(Style::Good, &"█".repeat(good));
        let bad = terminal.paint(Style::Bad, &"░".repeat(bad));
        let failed = match day.tally.failures {
            0 => String::new(),
            failures => format!(", {failures} failed"),
        };
        lines.push(format!("  {}  {good}{bad}{blanks} {}{failed}", day.day, day.tally.all()));
    }
    lines
}

/// How long a bar is: at least one letter where there is something.
fn bar(amount: usize, most: usize) -> usize {
    (amount * BAR).div_ceil(most.max(1)).min(BAR)
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}
