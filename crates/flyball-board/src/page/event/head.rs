//! What was decided, about what, when and where.

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use jiff::Zoned;
use maud::{Markup, html};

use crate::explanation::Explanation;
use crate::page::events::row;
use crate::page::parts;
use crate::page::reading::Reading;
use crate::route::Route;

/// How much of what an event was about is shown: all that a record has.
const SUBJECT: usize = 400;

/// Links to the decisions before and after this one, and to its session.
pub(super) fn around(record: &Record, (earlier, later): (Option<&str>, Option<&str>)) -> Markup {
    let events = Route::Events.bare().with("session", Some(record.session.as_str()));
    html! {
        nav.around aria-label="In this session" {
            @if let Some(id) = earlier { a rel="prev" href=(address(id)) { "← earlier" } } @else { span.muted { "← earlier" } }
            a href=(events) { "events of this session" }
            @if let Some(id) = later { a rel="next" href=(address(id)) { "later →" } } @else { span.muted { "later →" } }
        }
    }
}

fn address(id: &str) -> crate::route::Request {
    Route::Event { answer: id.to_owned() }.bare()
}

/// The stance and what it meant, the subject, the facts.
pub(super) fn head(explanation: &Explanation, now: &Zoned, reading: Reading) -> Markup {
    let record = &explanation.record;
    html! {
        header.card {
            div.verdict {
                h1 { (parts::outcome(record.outcome())) " " (explanation.meaning) }
                p.muted { "in " (parts::duration(record.took)) }
            }
            @if !record.subject.is_empty() { div.copyable {
                pre.wrap.about { bdi { (parts::cut(&record.subject, SUBJECT)) } }
                @if reading == Reading::Board { (parts::copy(&record.subject, "what it was about")) }
            } }
            (facts(record, now, reading))
        }
    }
}

fn facts(record: &Record, now: &Zoned, reading: Reading) -> Markup {
    html! {
        dl.facts {
            dt { "Decision" } dd { span.mono { (record.id.as_str()) } @if reading == Reading::Board { (parts::copy(record.id.as_str(), "decision id")) } }
            dt { "When" } dd { time datetime=(parts::stamp(record.at)) { (parts::exact(record.at, now.time_zone())) } " " span.muted { (parts::ago(record.at, now)) } }
            dt { "Event" } dd { (event(record)) }
            dt { "Session" } dd {
                @match reading {
                    Reading::Board => { (session(record)) }
                    Reading::File => { span.mono { (parts::cut(record.session.as_str(), 200)) } }
                }
                " of " (parts::cut(&record.client, 60))
            }
            @if let Some(agent) = &record.agent {
                dt { "Subagent" } dd { (parts::cut(if agent.role.is_empty() { "helper" } else { &agent.role }, 80)) }
            }
            dt { "Project" } dd {
                @match reading {
                    Reading::Board => { a href=(Route::Events.bare().with("project", Some(&record.project))) { (parts::project(&record.project)) } }
                    Reading::File => { span.mono { (parts::cut(&record.project, 400)) } }
                }
            }
        }
    }
}

fn session(record: &Record) -> Markup {
    let route = Route::Session { client: record.client.clone(), id: record.session.as_str().to_owned() };
    html! { a.mono href=(route.bare()) { (parts::cut(record.session.as_str(), 200)) } }
}

/// The kind of event and of tool, and what the client calls it.
fn event(record: &Record) -> Markup {
    let is_known = record.kind != EventKind::Unknown;
    html! {
        (row::kind_name(record))
        @if let Some(tool) = record.tool { ", " (tool.name()) }
        @if is_known && !record.native.is_empty() { " " span.muted { "(" (parts::cut(&record.native, 80)) ")" } }
    }
}
