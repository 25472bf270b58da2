//! The context that was added in a session: how much, by which events, when.

use std::collections::BTreeMap;

use flyball_core::record::Record;
use flyball_store::StoredEvent;
use maud::{Markup, html};

use super::super::events::row;
use super::super::{PageError, parts};
use super::session_data::SessionData;
use crate::chart::spark;

/// Events that are looked at: those that added most.
const MOST_READ: usize = 500;
/// Stretches of the line over time.
const STRETCHES: usize = 60;
/// Kinds of events that are shown.
const MOST_KINDS: usize = 8;
/// Events that are shown.
const MOST_EVENTS: usize = 5;

pub(super) fn section(data: &SessionData<'_>) -> Result<Markup, PageError> {
    let events = data.own_client_only(data.context.index.most_context(&data.whole(), MOST_READ)?);
    let kinds = by_kind(&events);
    let seen: u64 = kinds.iter().map(|kind| kind.1.chars).sum();
    let agents: u64 = data.agents.iter().map(|agent| agent.context_chars).sum();
    let all = agents.max(seen);
    Ok(html! {
        section.card data-key="told-part" aria-labelledby="told" {
            div.part-head {
                h2 id="told" { "Context added" }
                span.muted { (parts::number(all)) " characters in total" }
            }
            @if all == 0 { p.muted { "No context was added." } }
            @else {
                (over_time(data)?)
                (bars(&kinds, all))
                (biggest(data, &events))
                @if seen < all { p.muted { "These are the " (parts::number(events.len() as u64)) " events that added most, " (parts::share(seen, all)) " of all." } }
            }
        }
    })
}

/// When context was added, as a line over the whole session.
fn over_time(data: &SessionData<'_>) -> Result<Markup, PageError> {
    let buckets = data.context.index.timeline(&data.whole(), STRETCHES)?;
    #[expect(clippy::cast_precision_loss, reason = "the height of a line")]
    let values: Vec<Option<f64>> = buckets.iter().map(|bucket| Some(bucket.context_chars as f64)).collect();
    Ok(html! {
        @if values.len() > 2 {
            div.over-time {
                span.muted { (parts::clock(data.session.first_at, data.context.now.time_zone())) }
                (spark(&values, "Characters added over the session"))
                span.muted { (parts::clock(data.session.last_at, data.context.now.time_zone())) }
            }
        }
    })
}

#[derive(Default)]
struct ContextTotals {
    chars: u64,
    events: u64,
}

/// By the kind of the event and its tool, the most first.
fn by_kind(events: &[StoredEvent]) -> Vec<(String, ContextTotals)> {
    let mut kinds: BTreeMap<String, ContextTotals> = BTreeMap::new();
    for record in with_context(events) {
        let tool = record.tool.map(|tool| format!(" {}", tool.name())).unwrap_or_default();
        let added = kinds.entry(format!("{}{tool}", row::kind_name(record))).or_default();
        added.chars += record.context_chars as u64;
        added.events += 1;
    }
    let mut kinds: Vec<(String, ContextTotals)> = kinds.into_iter().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.1.chars));
    kinds
}

fn with_context(events: &[StoredEvent]) -> impl Iterator<Item = &Record> {
    events.iter().map(|event| &event.record).filter(|record| record.context_chars > 0)
}

fn bars(kinds: &[(String, ContextTotals)], all: u64) -> Markup {
    let most = kinds.first().map_or(1, |kind| kind.1.chars).max(1);
    html! {
        table.bars {
            thead.visually-hidden { tr { th { "Event" } th { "Share" } th { "Characters" } th { "Part" } } }
            tbody {
                @for (name, added) in kinds.iter().take(MOST_KINDS) {
                    tr {
                        th scope="row" { (name) " " span.muted { "× " (parts::number(added.events)) } }
                        td.bar {
                            svg width="100%" height="10" aria-hidden="true" {
                                rect.context width=(width(added.chars, most)) height="10" rx="2" {}
                            }
                        }
                        td.number { (parts::number(added.chars)) }
                        td.number.muted { (parts::share(added.chars, all)) }
                    }
                }
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "the width of a bar")]
fn width(part: u64, most: u64) -> String {
    format!("{:.1}%", part as f64 / most as f64 * 100.0)
}

/// The events that added most.
fn biggest(data: &SessionData<'_>, events: &[StoredEvent]) -> Markup {
    html! {
        ol.plain {
            @for record in with_context(events).take(MOST_EVENTS) {
                li.pair {
                    span.number { (parts::number(record.context_chars as u64)) }
                    a href=(row::explained(record)) { (row::kind_name(record)) " " bdi.mono { (parts::cut(row::subject(record), 60)) } }
                    span.muted { (parts::time(record.at, data.context.now)) }
                }
            }
        }
    }
}
