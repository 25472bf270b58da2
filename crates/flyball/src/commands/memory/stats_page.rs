//! How the statistics look.

use flyball_core::config::Mode;
use flyball_policies::memory::context;

use super::tally::{Day, Stats, Tally};
use crate::project_context::{ProjectContext, mode_in};
use crate::show::text::one_line;
use crate::show::{Cell, Fit, Page, Text};
use crate::terminal::Style;

/// The most days of the trend that are shown: the last.
const MOST_DAYS: usize = 14;

/// The most rule files that are shown.
const MOST_NODES: usize = 20;

const BAR: usize = 24;

pub(super) fn page(stats: &Stats, here: &ProjectContext) -> Page {
    let mut page = Page::default();
    if stats.injections == 0 && stats.all.all() == 0 {
        add_nothing(&mut page, stats, here);
        return page;
    }
    add_totals(&mut page, stats);
    add_nodes(&mut page, stats);
    add_uncovered(&mut page, stats);
    add_trend(&mut page, stats);
    page
}

fn add_nothing(page: &mut Page, stats: &Stats, here: &ProjectContext) {
    page.line(format!("Nothing was recorded in the last {}.", days(stats.days)));
    page.line(match mode_in(&here.load_config().config, &context::POLICY) {
        Mode::Off => "The memory pack is off here: `flyball init --packs memory` turns it on.",
        Mode::Observe | Mode::Enforce => {
            "The next edits of an agent are counted; `flyball memory resolve PATH` shows the rules it will get."
        }
    });
}

/// `day`, `30 days`
pub(super) fn days(number: u32) -> String {
    if number == 1 { "day".to_owned() } else { format!("{number} days") }
}

fn add_totals(page: &mut Page, stats: &Stats) {
    let row = |name: &str, amount: usize, tally: Tally| {
        let rate = tally
            .percent()
            .map_or(Cell::plain(""), |percent| Cell::new(style(percent), format!("{percent} % succeeded")));
        vec![Cell::plain(name), Cell::amount(Style::Plain, amount.to_string()), rate]
    };
    page.title(format!("The last {}", days(stats.days)));
    let mut totals = Page::default();
    totals.rows([
        row("rules added", stats.injections, Tally::default()),
        row("edits with rules", stats.told.all(), stats.told),
        row("edits without", stats.untold.all(), stats.untold),
    ]);
    page.indented(2, totals);
}

const fn style(percent: usize) -> Style {
    match percent {
        0..50 => Style::Bad,
        50..80 => Style::Warning,
        _ => Style::Good,
    }
}

fn amount(number: usize) -> Cell {
    Cell::amount(Style::Plain, number.to_string())
}

fn add_nodes(page: &mut Page, stats: &Stats) {
    if stats.nodes.is_empty() {
        return;
    }
    let rows = stats.nodes.iter().take(MOST_NODES).map(|node| {
        let rate = node.tally.percent().map_or(Cell::amount(Style::Faint, "-"), |percent| {
            Cell::amount(style(percent), format!("{percent} %"))
        });
        let Tally { successes, failures } = node.tally;
        let file = Cell::plain(one_line(&node.node));
        vec![amount(node.injections), amount(successes), amount(failures), rate, file]
    });
    page.title("Rules");
    let mut table = Page::default();
    table.table(&["added", "succeeded", "failed", "rate", "file"], rows.collect(), Fit::Wrap);
    let more = stats.nodes.len().saturating_sub(MOST_NODES);
    if more > 0 {
        table.line(format!("and {more} more: `flyball memory stats --json`"));
    }
    page.indented(2, table);
}

fn add_uncovered(page: &mut Page, stats: &Stats) {
    if stats.uncovered.is_empty() {
        return;
    }
    let rows = stats.uncovered.iter().map(|folder| {
        let files: Vec<String> = folder.files.iter().map(|file| one_line(file)).collect();
        let files = Cell::new(Style::Faint, files.join(", "));
        vec![amount(folder.failures), Cell::plain(one_line(&folder.folder)), files]
    });
    page.title("Failures in folders without their own rules");
    let mut table = Page::default();
    table.table(&["failed", "folder", "files"], rows.collect(), Fit::Wrap);
    table.line("Agents get the rules of an AGENTS.md in such a folder before the next edit there.");
    page.indented(2, table);
}

fn add_trend(page: &mut Page, stats: &Stats) {
    let days: Vec<&Day> = stats.trend.iter().rev().take(MOST_DAYS).rev().collect();
    let most = days.iter().map(|day| day.tally.all()).max().unwrap_or_default();
    if most == 0 {
        return;
    }
    page.title("Edits per day");
    for day in days {
        let Tally { successes, failures } = day.tally;
        let (good, bad) = (bar(successes, most), bar(failures, most));
        let failed = if failures == 0 { String::new() } else { format!(", {failures} failed") };
        let blanks = " ".repeat((BAR + 1).saturating_sub(good + bad));
        let line = Text::from(format!("  {}  ", day.day))
            .then(Style::Good.text("█".repeat(good)))
            .then(Style::Bad.text("░".repeat(bad)));
        page.line(line.and(format!("{blanks} {}{failed}", day.tally.all())));
    }
}

/// The length of a bar: at least one letter where there is something.
fn bar(amount: usize, most: usize) -> usize {
    (amount * BAR).div_ceil(most.max(1)).min(BAR)
}
