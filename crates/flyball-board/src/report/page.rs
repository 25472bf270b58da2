//! A report as a page: numbers, charts, tables.

use std::time::Duration;

use flyball_core::time::{Time, whole_micros, whole_millis};

use jiff::Zoned;
use maud::{Markup, html};

use super::model::{Glance, Report};
use crate::chart::{self, Chart, Series, Unit};
use crate::page::parts;
use crate::table::{Cell, Entry, Section, Style, Text};

/// How much of a text a cell shows.
const TEXT: usize = 240;
/// The colours of shares, most first; what is left is grey.
const SHARES: [&str; 5] = ["p50", "p90", "p99", "allow", "ask"];

/// The body of the page.
pub(super) fn page(report: &Report, now: &Zoned) -> Markup {
    let zone = now.time_zone();
    let day = |at: Time| parts::zoned(at, zone).strftime("%Y-%m-%d %H:%M").to_string();
    html! {
        header.head {
            h1 { "flyball report" }
            p.muted { (day(report.since)) " to " (day(report.until)) ", " (scope(report)) }
        }
        @if report.glance.events == 0 {
            (parts::empty("No events were recorded in this period.", &html! {
                p { "Nothing to report. " code { "flyball report --days 30" } " looks further back; "
                    code { "flyball doctor" } " shows whether flyball is registered." }
            }))
        } @else {
            (glance(report))
            (charts(report))
            @for section in report.sections() { (table(&section, now)) }
        }
        @if !report.limits.is_empty() {
            section.card { h2 { "What this report does not cover" } ul { @for limit in &report.limits { li { (limit) } } } }
        }
    }
}

fn scope(report: &Report) -> Markup {
    html! {
        @match &report.project {
            Some(root) => { "project " bdi.mono { (parts::cut(root, TEXT)) } },
            None => { (parts::counted(report.projects.len() as u64, "project")) },
        }
    }
}

/// One number of several.
type Number<T> = fn(&Glance) -> T;

fn glance(report: &Report) -> Markup {
    let (now, before) = (&report.glance, &report.before);
    let counts: [(&str, Number<u64>); 8] = [
        ("Sessions", |it| it.sessions),
        ("Events", |it| it.events),
        ("Blocked", |it| it.denied.blocked),
        ("Held", |it| it.denied.held),
        ("Findings", |it| it.denied.findings),
        ("Asked", |it| it.asks),
        ("Allowed", |it| it.allows),
        ("Context added, characters", |it| it.context_chars),
    ];
    let times: [(&str, Number<Option<Duration>>); 4] = [
        ("Time in hooks", |it| Some(it.hook_time)),
        ("per session", per_session),
        ("p50", |it| it.p50),
        ("p99", |it| it.p99),
    ];
    html! {
        section.glance aria-label="At a glance" {
            @for (name, value) in counts {
                (Tile { name, now: value(now), before: value(before), shown: parts::number }.markup())
            }
            @for (name, value) in times {
                @let (now, before) = (value(now).unwrap_or_default(), value(before).unwrap_or_default());
                (Tile { name, now, before, shown: parts::duration }.markup())
            }
        }
    }
}

/// The time in hooks for each session.
fn per_session(glance: &Glance) -> Option<Duration> {
    whole_micros(glance.hook_time).checked_div(glance.sessions).map(Duration::from_micros)
}

/// A number, and what it was in the period before.
struct Tile<'a, T> {
    name: &'a str,
    now: T,
    before: T,
    shown: fn(T) -> String,
}

impl<T: Copy + Ord> Tile<'_, T> {
    fn markup(&self) -> Markup {
        let arrow = match self.now.cmp(&self.before) {
            std::cmp::Ordering::Greater => "▲",
            std::cmp::Ordering::Less => "▼",
            std::cmp::Ordering::Equal => "=",
        };
        html! {
            div.card.tile {
                span.muted { (self.name) }
                strong { ((self.shown)(self.now)) }
                span.muted.small { span aria-hidden="true" { (arrow) } " before: " ((self.shown)(self.before)) }
            }
        }
    }
}

fn charts(report: &Report) -> Markup {
    let first = report.stretches.first().map_or(report.since, |stretch| stretch.start);
    let chart = |title: &str, unit: Unit, series: Vec<Series>| Chart {
        title: title.to_owned(),
        unit,
        since: first,
        length: report.stretch_length,
        series,
    };
    let by_answer = vec![
        series(report, ("blocked", "deny"), |it| Some(it.denied.blocked)),
        series(report, ("held", "held"), |it| Some(it.denied.held)),
        series(report, ("findings", "finding"), |it| Some(it.denied.findings)),
        series(report, ("asked", "ask"), |it| Some(it.asks)),
        series(report, ("allowed", "allow"), |it| Some(it.allows)),
        series(report, ("no decision", "silent"), |it| {
            Some(it.events.saturating_sub(it.denials + it.asks + it.allows))
        }),
    ];
    let stopped = by_answer.iter().take(4).cloned().collect();
    let times = vec![
        series(report, ("p50", "p50"), |it| it.p50.map(whole_micros)),
        series(report, ("p99", "p99"), |it| it.p99.map(whole_micros)),
    ];
    let context = vec![series(report, ("characters", "context"), |it| Some(it.context_chars))];
    html! {
        section.grid aria-label="Charts" {
            div.card { (chart::bars(&chart("Events by decision", Unit::Count, by_answer))) }
            div.card { (chart::bars(&chart("Blocked, held, found, asked", Unit::Count, stopped))) }
            div.card { (chart::lines(&chart("Time of a hook", Unit::Micros, times))) }
            div.card { (chart::bars(&chart("Context added", Unit::Chars, context))) }
            div.card { (chart::shares("Who objected", &by_policy(report, |it| it.denied + it.asked))) }
            div.card { (chart::shares("Time by policy, in ms", &time_by_policy(report))) }
        }
    }
}

fn series(
    report: &Report,
    (name, class): (&str, &'static str),
    value: impl Fn(&Glance) -> Option<u64>,
) -> Series {
    #[expect(clippy::cast_precision_loss, reason = "a height")]
    let values = report.stretches.iter().map(|stretch| value(&stretch.glance).map(|value| value as f64));
    Series { name: name.to_owned(), class, values: values.collect() }
}

fn by_policy(
    report: &Report,
    amount: impl Fn(&super::model::Fired) -> u64,
) -> Vec<(&'static str, String, u64)> {
    // Rules are listed besides the policy that they belong to, and would count twice.
    let policies = report.fired.iter().filter(|fired| fired.rule.is_none());
    shares(policies.map(|fired| (fired.policy.clone(), amount(fired))).collect())
}

fn time_by_policy(report: &Report) -> Vec<(&'static str, String, u64)> {
    shares(report.slow_policies.iter().map(|slow| (slow.policy.clone(), whole_millis(slow.total))).collect())
}

/// The greatest with a colour each, the rest together.
fn shares(mut amounts: Vec<(String, u64)>) -> Vec<(&'static str, String, u64)> {
    amounts.retain(|(_, amount)| *amount > 0);
    amounts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let rest: u64 = amounts.iter().skip(SHARES.len()).map(|(_, amount)| amount).sum();
    let named =
        SHARES.into_iter().zip(amounts).map(|(class, (name, amount))| (class, parts::cut(&name, 60), amount));
    named.chain((rest > 0).then(|| ("silent", "others".to_owned(), rest))).collect()
}

fn table(section: &Section, now: &Zoned) -> Markup {
    let has_details = section.entries.iter().any(|entry| !entry.details.is_empty());
    let inside = html! {
        table.list {
            thead {
                tr {
                    @for (place, title) in section.columns.iter().enumerate() {
                        th.number[section.is_amount(place)] scope="col" { (title) }
                    }
                    @if has_details { th scope="col" { "What to know" } }
                }
            }
            tbody { @for entry in &section.entries { (row(section, entry, now)) } }
        }
    };
    html! {
        section.card.table {
            h2 { (section.title) }
            @if section.entries.is_empty() { p.muted { (section.empty) } } @else {
                p.muted { (parts::message(section.lead, TEXT)) }
                (parts::scroll(section.title, &inside))
            }
        }
    }
}

fn row(section: &Section, entry: &Entry, now: &Zoned) -> Markup {
    html! {
        tr {
            @for (place, shown) in entry.row.iter().enumerate() {
                td.number[section.is_amount(place)] { (cell(shown, now)) }
            }
            @if !entry.details.is_empty() {
                td {
                    dl.facts {
                        @for detail in &entry.details { dt { (detail.label) } dd { (cell(&detail.cell, now)) } }
                    }
                }
            }
        }
    }
}

fn cell(cell: &Cell, now: &Zoned) -> Markup {
    html! {
        @match cell {
            Cell::Words(text) | Cell::Amount(text) => { (words(text)) },
            Cell::Code(text) => { bdi.mono.subject { (parts::cut(text, TEXT)) } },
            Cell::Count(0) | Cell::Took(None) => {},
            Cell::Count(count) => { (parts::number(*count)) },
            Cell::Took(Some(took)) => { (parts::duration(*took)) },
            Cell::At(at) => { (parts::time(*at, now)) },
            Cell::Commands(commands) => {
                @for command in commands { code.nowrap { (parts::cut(command, TEXT)) } " " }
            },
        }
    }
}

/// What has a colour on a terminal is a pill here.
fn words(text: &Text) -> Markup {
    html! {
        @for span in &text.spans {
            @match span.style {
                Style::Plain | Style::Strong | Style::Accent => { (parts::cut(&span.text, TEXT)) },
                Style::Bad => { (parts::pill("deny", &span.text)) },
                Style::Warning => { (parts::pill("ask", &span.text)) },
                Style::Good => { (parts::pill("allow", &span.text)) },
                Style::Faint => { (parts::pill("silent", &span.text)) },
            }
        }
    }
}
