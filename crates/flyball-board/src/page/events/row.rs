//! Events as rows of a table, for every page that lists some.

use std::time::Duration;

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::whole_micros;
use flyball_core::verdict::Stance;
use jiff::Zoned;
use maud::{Markup, html};

use super::super::calls::{Call, Repeated};
use super::super::parts::{self, Column, Direction, SortValue, Sorting};
use super::super::titles::Titles;
use crate::route::{Request, Route};

/// How much of a subject is in the tooltip.
const WHOLE_SUBJECT: usize = 2_000;
/// Policies that are named in a row.
const MOST_POLICIES: usize = 3;
/// Repeats that are listed behind a row.
const MOST_REPEATS: usize = 20;

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::page) enum Columns {
    All,
    /// Without session and project: where all rows have the same.
    OfOneSession,
}

const TIME: Column = Column::time("time", "Time");
const DECISION: Column = Column { class: "", ..Column::number("decision", "Decision") };
const EVENT: Column = Column::words("event", "Event");
const ABOUT: Column = Column::words("about", "About");
const PROJECT: Column = Column::words("project", "Project");
const TOOK: Column = Column::number("took", "Took");

/// The order of the events, unless another one is asked for.
pub(super) fn sorting(request: &Request) -> Sorting<'_> {
    let columns = [TIME, DECISION, EVENT, ABOUT, PROJECT, TOOK];
    Sorting::from_request(request, &columns, (TIME.key, Direction::Descending))
}

/// Sorts the rows of one page.
pub(super) fn sort(rows: &mut [Repeated<'_>], sorting: &Sorting<'_>) {
    sorting.sort(rows, |row, key| {
        let record = &row.call.event.record;
        match key {
            "decision" => (row.call.decisive().record.outcome() as u64).into(),
            "event" => kind_name(record).as_str().into(),
            "about" => subject(record).into(),
            "project" => record.project.as_str().into(),
            "took" => whole_micros(took(&row.call)).into(),
            _ => SortValue::from(record.at),
        }
    });
}

/// Rows of events.
pub(in crate::page) struct EventTable<'a> {
    pub(in crate::page) rows: &'a [Repeated<'a>],
    pub(in crate::page) columns: Columns,
    pub(in crate::page) titles: &'a Titles,
    pub(in crate::page) now: &'a Zoned,
    /// How the rows are sorted, where a reader can choose.
    pub(in crate::page) sorting: Option<Sorting<'a>>,
}

impl EventTable<'_> {
    pub(in crate::page) fn markup(&self) -> Markup {
        let inside = html! {
            table.list.cards.events {
                thead {
                    tr {
                        (self.head(TIME)) (self.head(DECISION)) (self.head(EVENT)) (self.head(ABOUT))
                        @if self.columns == Columns::All { th scope="col" { "Session" } (self.head(PROJECT)) }
                        th.roomy scope="col" { "Agent" } th scope="col" { "Policies" } (self.head(TOOK))
                    }
                }
                tbody { @for row in self.rows { (self.row(row)) } }
            }
        };
        parts::scroll("Events", &inside)
    }

    fn head(&self, column: Column) -> Markup {
        match &self.sorting {
            Some(sorting) => sorting.head(column),
            None => html! { th class=(column.class) scope="col" { (column.label) } },
        }
    }

    fn row(&self, row: &Repeated<'_>) -> Markup {
        let call = &row.call;
        let record = &call.event.record;
        let decisive = &call.decisive().record;
        html! {
            tr data-row=(call.event.row) class=(parts::outcome_class(decisive.outcome())) {
                td.when data-label="Time" { (parts::time(record.at, self.now)) }
                td data-label="Decision" { (decision(call)) @if row.times() > 1 { " " (times(row)) } }
                td data-label="Event" { (event_cell(call)) }
                td.wide data-label="About" {
                    a.subject-link href=(explained(decisive)) title=(parts::cut(&record.subject, WHOLE_SUBJECT)) { (about(record)) }
                    (notes(call))
                    @if row.times() > 1 { (repeats(row, self.now)) }
                }
                @if self.columns == Columns::All {
                    td.session-cell data-label="Session" { (self.titles.event(call.event)) }
                    td data-label="Project" { (parts::project(&record.project)) }
                }
                td.roomy data-label="Agent" { (agent(record)) }
                td.policies-cell data-label="Policies" { (with_verdict(call)) }
                td.number data-label="Took" { (took_cell(call)) }
            }
        }
    }
}

/// The decision; what was decided after the call, too, if that was something.
fn decision(call: &Call<'_>) -> Markup {
    let after = call.after.filter(|after| after.record.stance != Stance::Silent);
    html! {
        @if call.event.record.stance != Stance::Silent || after.is_none() { (parts::outcome(call.event.record.outcome())) (would_be(&call.event.record)) }
        @if let Some(after) = after { " " a href=(explained(&after.record)) { (parts::outcome(after.record.outcome())) } }
    }
}

/// How often the same came: `×7`.
pub(in crate::page) fn times(row: &Repeated<'_>) -> Markup {
    html! { span.repeated title={ "the same " (row.times()) " times" } { "×" (row.times()) } }
}

/// The repeats behind a row, each a link.
pub(in crate::page) fn repeats(row: &Repeated<'_>, now: &Zoned) -> Markup {
    let what = match row.call.decisive().record.outcome() {
        Outcome::Blocked => "denial",
        Outcome::Held => "hold",
        Outcome::Finding => "finding",
        Outcome::Asked => "question",
        Outcome::Allowed | Outcome::Passed => "event",
    };
    let oldest = row.oldest().event;
    html! {
        details.repeats id={ "repeats-" (oldest.row) } {
            summary { "same " (what) " ×" (row.times()) ", since " (parts::time(oldest.record.at, now)) }
            ul.plain {
                @for call in row.earlier.iter().take(MOST_REPEATS) {
                    li { a href=(explained(&call.event.record)) { (parts::time(call.event.record.at, now)) } }
                }
                @if row.earlier.len() > MOST_REPEATS { li.muted { "and " (row.earlier.len() - MOST_REPEATS) " more" } }
            }
        }
    }
}

/// What kind of event it was; a call with both of its ends is a call.
fn event_cell(call: &Call<'_>) -> Markup {
    let record = &call.event.record;
    let Some(after) = call.after else { return kind(record) };
    let ran = after.record.at.since(record.at);
    html! {
        span title={ "before and after the call, which ran for " (parts::duration(ran)) } {
            @if after.record.kind == EventKind::ToolFailed { "failed call" } @else { "call" }
        }
        @if let Some(tool) = record.tool { " " span.tool title=(tool.about()) { (tool.name()) } }
    }
}

/// What was added to the call or changed in it, before or after.
fn notes(call: &Call<'_>) -> Markup {
    let records = [Some(&call.event.record), call.after.map(|after| &after.record)];
    let records = || records.into_iter().flatten();
    let chars: usize = records().map(|record| record.context_chars).sum();
    html! {
        @if chars > 0 { " " span.told { (parts::number(chars as u64)) " characters of context" } }
        @if records().any(|record| record.rewritten) { " " span.told { "rewritten" } }
    }
}

/// How long flyball took, before and after.
fn took(call: &Call<'_>) -> Duration {
    call.event.record.took + call.after.map_or(Duration::ZERO, |after| after.record.took)
}

fn took_cell(call: &Call<'_>) -> Markup {
    let title = call.after.map(|after| {
        format!(
            "before {}, after {}",
            parts::duration(call.event.record.took),
            parts::duration(after.record.took)
        )
    });
    html! { span title=[title] { (parts::duration(took(call))) } }
}

/// The page that explains an event.
pub(in crate::page) fn explained(record: &Record) -> Request {
    Route::Event { answer: record.id.as_str().to_owned() }.bare()
}

/// What kind of event it was, with its tool.
pub(in crate::page) fn kind(record: &Record) -> Markup {
    let name = kind_name(record);
    html! {
        span title=(record.kind.about()) { (name) }
        @if let Some(tool) = record.tool { " " span.tool title=(tool.about()) { (tool.name()) } }
    }
}

/// The kind by its name; the client's own where it is none that policies know.
pub(in crate::page) fn kind_name(record: &Record) -> String {
    match record.kind {
        EventKind::Unknown if !record.native.is_empty() => parts::cut(&record.native, 40),
        kind => kind.name().replace('_', " "),
    }
}

/// What it was about; a file of the project by its relative path.
pub(in crate::page) fn subject(record: &Record) -> &str {
    let is_path = matches!(record.tool, Some(ToolKind::Edit | ToolKind::Read));
    // Only with a slash behind it: `/p/shop-web/x` is not in the project `/p/shop`.
    let below = record.subject.strip_prefix(record.project.as_str()).and_then(|rest| rest.strip_prefix('/'));
    below.filter(|_| is_path).unwrap_or(&record.subject)
}

fn about(record: &Record) -> Markup {
    let subject = subject(record);
    html! {
        @if subject.trim().is_empty() { span.mono { (record.id.as_str()) } }
        @else { bdi.mono { (parts::cut(subject, parts::SUBJECT)) } }
    }
}

/// The role of the agent that it happened in.
pub(in crate::page) fn agent(record: &Record) -> Markup {
    html! {
        @match &record.agent {
            None => span.muted { "main" },
            Some(agent) => span title={ "agent " (parts::cut(&agent.id, 100)) } { (parts::cut(role(&agent.role), 40)) },
        }
    }
}

/// The name of a role; the client's own agents have none.
pub(in crate::page) fn role(role: &str) -> &str {
    if role.trim().is_empty() { "helper" } else { role }
}

/// What the answer would have been, had every policy counted.
fn would_be(record: &Record) -> Markup {
    let strongest = record.rulings.iter().filter(|ruling| !ruling.counts()).map(|ruling| ruling.stance).max();
    let more = strongest.filter(|stance| *stance > record.stance.max(Stance::Allow));
    html! { @if let Some(stance) = more { " " span.pill.would { "would " (stance.name()) } } }
}

/// The policies with a verdict, before or after the call.
fn with_verdict(call: &Call<'_>) -> Markup {
    let has_verdict = |ruling: &&RecordedRuling| ruling.stance != Stance::Silent || ruling.error.is_some();
    let after = call.after.into_iter().flat_map(|after| &after.record.rulings);
    let mut rulings: Vec<&RecordedRuling> =
        call.event.record.rulings.iter().chain(after).filter(has_verdict).collect();
    rulings.sort_by_key(|ruling| (std::cmp::Reverse(ruling.stance), &ruling.policy));
    rulings.dedup_by_key(|ruling| &ruling.policy);
    let more = rulings.len().saturating_sub(MOST_POLICIES);
    html! {
        @for (place, ruling) in rulings.iter().take(MOST_POLICIES).enumerate() {
            @if place > 0 { ", " }
            a.mono.speaker href=(Route::Policy { id: ruling.policy.clone() }.bare()) title={ (ruling.stance.name()) ", " (ruling.mode.name()) } { (parts::cut(&ruling.policy, 60)) }
        }
        @if more > 0 { span.muted { " and " (more) " more" } }
    }
}
