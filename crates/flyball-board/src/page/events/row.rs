//! Events as rows of a table, for every page that lists some.

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::verdict::Stance;
use flyball_store::StoredEvent;
use jiff::Zoned;
use maud::{Markup, html};

use super::super::parts;
use crate::route::{Request, Route};

/// How much of a subject is in the tooltip.
const WHOLE_SUBJECT: usize = 2_000;
/// Policies that are named in a row.
const MOST_POLICIES: usize = 3;

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::page) enum Columns {
    All,
    /// Without session and project: where all rows have the same.
    OfOneSession,
}

/// The events as a table.
pub(in crate::page) fn table(events: &[StoredEvent], columns: Columns, now: &Zoned) -> Markup {
    let inside = html! {
        table.list.cards.events {
            thead {
                tr {
                    th scope="col" { "Time" } th scope="col" { "Decision" } th scope="col" { "Event" } th scope="col" { "About" }
                    @if columns == Columns::All { th scope="col" { "Session" } th scope="col" { "Project" } }
                    th scope="col" { "Agent" } th scope="col" { "Policies" } th.number scope="col" { "Took" }
                }
            }
            tbody { @for event in events { (row(event, columns, now)) } }
        }
    };
    parts::scroll("Events", &inside)
}

fn row(event: &StoredEvent, columns: Columns, now: &Zoned) -> Markup {
    let record = &event.record;
    html! {
        tr data-row=(event.row) class=(record.stance.name()) {
            td.when data-label="Time" { (parts::time(record.at, now)) }
            td data-label="Decision" { (parts::stance(record.stance)) (would_be(record)) }
            td data-label="Event" { (kind(record)) }
            td.wide data-label="About" { a.subject-link href=(explained(record)) title=(parts::cut(&record.subject, WHOLE_SUBJECT)) { (about(record)) } }
            @if columns == Columns::All {
                td data-label="Session" { (parts::session_link(&record.client, record.session.as_str())) }
                td data-label="Project" { (parts::project(&record.project)) }
            }
            td data-label="Agent" { (agent(record)) }
            td data-label="Policies" { (with_verdict(record)) }
            td.number data-label="Took" { (parts::duration(record.took)) }
        }
    }
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
        @if record.context_chars > 0 {
            " " span.told { (parts::number(record.context_chars as u64)) " characters of context" }
        }
        @if record.rewritten { " " span.told { "rewritten" } }
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

/// The policies with a verdict.
fn with_verdict(record: &Record) -> Markup {
    let has_verdict = |ruling: &&RecordedRuling| ruling.stance != Stance::Silent || ruling.error.is_some();
    let mut rulings: Vec<&RecordedRuling> = record.rulings.iter().filter(has_verdict).collect();
    rulings.sort_by_key(|ruling| std::cmp::Reverse(ruling.stance));
    let more = rulings.len().saturating_sub(MOST_POLICIES);
    html! {
        @for (place, ruling) in rulings.iter().take(MOST_POLICIES).enumerate() {
            @if place > 0 { ", " }
            span.mono.speaker title={ (ruling.stance.name()) ", " (ruling.mode.name()) } { (parts::cut(&ruling.policy, 60)) }
        }
        @if more > 0 { span.muted { " and " (more) " more" } }
    }
}
