//! What was refused, and what a person was asked: with the reasons.

use flyball_core::verdict::Stance;
use flyball_store::{Filter, StoredEvent};
use maud::{Markup, html};

use super::super::calls::{self, Repeated};
use super::super::events::{reason, row};
use super::super::{PageError, parts};
use super::session_data::{SessionData, session_filter};

/// How many are shown.
const MOST: usize = 8;
/// How many are looked at, of each: repeats are shown once.
const MOST_READ: usize = 100;

/// The denials and asks of the session, newest first.
pub(super) fn section(data: &SessionData<'_>) -> Result<Markup, PageError> {
    let mut events = read(data, Stance::Deny)?;
    events.extend(read(data, Stance::Ask)?);
    events.sort_by_key(|event| std::cmp::Reverse((event.record.at, event.row)));
    let mut rows = calls::alike(&events);
    let has_more = rows.len() > MOST || events.len() >= MOST_READ;
    rows.truncate(MOST);
    Ok(html! {
        section.card data-key="notable-part" aria-labelledby="notable" {
            div.part-head {
                h2 id="notable" { "Blocked, held, found, asked" }
                @if has_more {
                    span {
                        a href=(data.events_request("verdict", Some("deny"))) { "All denials" }
                        " · "
                        a href=(data.events_request("verdict", Some("ask"))) { "All asks" }
                    }
                }
            }
            @if rows.is_empty() { p.muted { "Nothing was blocked or held, nothing was found, and nobody was asked." } }
            ol.plain.notable { @for row in &rows { (item(data, row)) } }
        }
    })
}

fn read(data: &SessionData<'_>, stance: Stance) -> Result<Vec<StoredEvent>, PageError> {
    let filter = Filter { stance: Some(stance), limit: Some(MOST_READ), ..session_filter(&data.session) };
    Ok(data.own_client_only(data.context.index.events(&filter)?))
}

fn item(data: &SessionData<'_>, row: &Repeated<'_>) -> Markup {
    let record = &row.call.event.record;
    let reason = reason::summarize(record);
    html! {
        li {
            div.in-line {
                (parts::outcome(record.outcome())) @if row.times() > 1 { (row::times(row)) }
                a href=(row::explained(record)) {
                    @if row::subject(record).trim().is_empty() { (row::kind_name(record)) }
                    @else { bdi.mono { (parts::cut(row::subject(record), 120)) } }
                }
                span.muted { (parts::time(record.at, data.context.now)) }
            }
            div.reason {
                @for ruling in record.deciders().take(3) { span.small { (parts::policy_link(&ruling.policy)) } " " }
                @if reason.is_empty() { "No reason was recorded." } @else { (parts::message(&reason, 240)) }
            }
            @if row.times() > 1 { (row::repeats(row, data.context.now)) }
        }
    }
}
