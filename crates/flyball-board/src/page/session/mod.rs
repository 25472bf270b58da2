//! The page of one session: its agents, its lanes, denials, loop, findings and added context.

mod axis;
mod draw;
mod findings;
mod injections;
mod looping;
mod notable;
mod plan;
mod session_data;
mod snapshots;
mod strip;
mod tree;
mod view;

use flyball_core::outcome::Outcome;
use flyball_store::Filter;
use maud::{Markup, html};

use self::plan::{LaneName, Plan};
use self::session_data::{SessionData, session_filter};
use self::tree::Tree;
use super::calls;
use super::events::row::{self, Columns, EventTable};
use super::sessions::{State, found};
use super::{Page, PageContext, PageError, parts};
use crate::route::Request;
use crate::view::WaitingView;

/// Events that are named for being slow.
const SLOWEST: usize = 8;
/// Events in the list at the end.
const LATEST: usize = 50;

pub(super) fn page(context: &PageContext<'_>, client: &str, id: &str) -> Result<Page, PageError> {
    let Some(session) = found(context, client, id)? else {
        return Err(unknown(client, id));
    };
    let data = SessionData::read(context, session)?;
    let waiting = State::waiting(&data.session, context);
    let state = State::determine(&data.session, waiting.as_ref(), context);
    let tree = Tree::build(context, (&data.session, state), &data.agents)?;
    let lanes = tree.lanes(&data.agents);
    let body = html! {
        (head(&data, state, waiting.as_ref()))
        (lanes_section(&data, &lanes)?)
        div.side-by-side {
            div {
                section.card data-key="agents-part" aria-labelledby="agents" { h2 id="agents" { "Agents" } (agents(&data, &tree)) }
                (injections::section(&data)?)
            }
            div {
                (notable::section(&data)?)
                (slowest(&data)?)
            }
        }
        (looping::section(&data))
        (findings::section(&data))
        (snapshots::section(&data))
        (latest(&data)?)
    };
    let title = data.titles.of(&data.session).unwrap_or_else(|| format!("Session {}", parts::cut(id, 20)));
    Ok(Page { title, body })
}

fn unknown(client: &str, id: &str) -> PageError {
    PageError::NotFound(format!(
        "no session {} of {} in the store; /sessions?range=all lists all of them",
        parts::cut(id, 80),
        parts::cut(client, 40)
    ))
}

fn head(data: &SessionData<'_>, state: State, waiting: Option<&WaitingView>) -> Markup {
    let session = &data.session;
    let asks: u64 = data.agents.iter().map(|agent| agent.asks).sum();
    let subagents = data.agents.iter().filter(|agent| !agent.id.is_empty()).count() as u64;
    let length = session.last_at.since(session.first_at);
    html! {
        div.head {
            h1 { @match data.titles.heading(session) {
                Some(title) => bdi { (title) },
                None => { "Session " bdi.mono { (parts::cut(session.session.as_str(), 40)) } },
            } }
            (state.pill())
        }
        @if let Some(waiting) = waiting {
            p class=(if waiting.on_person { "waits-for on-person" } else { "waits-for" }) {
                strong { @if waiting.on_person { "Needs a person: " } @else { "Now: " } } (parts::message(&waiting.what, 400))
            }
        }
        dl.facts.across {
            div.id { dt { "Session" } dd {
                bdi.mono { (parts::cut(session.session.as_str(), 40)) } (parts::copy(session.session.as_str(), "session id"))
            } }
            div { dt { "Project" } dd { (parts::project(&session.project)) } }
            div { dt { "Client" } dd { (parts::cut(&session.client, 60)) } }
            div { dt { "Began" } dd { (parts::time(session.first_at, data.context.now)) } }
            div { dt { "Last event" } dd { (parts::time(session.last_at, data.context.now)) } }
            div { dt { "Length" } dd { (parts::duration(length)) } }
            div { dt { "Events" } dd { a href=(data.events_request("verdict", None)) { (parts::number(session.events)) } } }
            @for (name, many, outcome) in [
                ("Blocked", session.denied.blocked, Outcome::Blocked),
                ("Held", session.denied.held, Outcome::Held),
                ("Findings", session.denied.findings, Outcome::Finding),
            ] { div { dt { (name) } dd { (count_link(many, &data.events_request("verdict", Some(outcome.name())))) } } }
            div { dt { "Asked" } dd { (count_link(asks, &data.events_request("verdict", Some("ask")))) } }
            div { dt { "Subagents" } dd { (parts::number(subagents)) } }
        }
    }
}

fn count_link(many: u64, list: &Request) -> Markup {
    html! { @if many == 0 { "0" } @else { a href=(list) { (parts::number(many)) } } }
}

fn lanes_section(data: &SessionData<'_>, lanes: &[LaneName]) -> Result<Markup, PageError> {
    let plan = Plan::build(&data.events, lanes);
    let hidden = plan.without_mark();
    Ok(html! {
        section.card.timeline data-key="timeline-part" aria-labelledby="timeline" {
            div.part-head { h2 id="timeline" { "Timeline" } (data.view.links(data.context.request, &data.session)) }
            (strip::strip(data)?)
            @if plan.lanes.is_empty() {
                (parts::empty("No events in this part of the session", &html! {
                    p { a href=(data.context.request.with("from", None).with("to", None)) { "Show the whole session" } }
                }))
            } @else {
                (draw::lanes(&plan, data.context.now.time_zone(), |agent| data.agent_events(agent)))
            }
            @let copied = data.shown_snapshots();
            @if !copied.is_empty() {
                p.snapshots {
                    span.muted { "Copied before: " }
                    @for snapshot in copied {
                        a href={ "#" (snapshots::anchor(snapshot)) } title=(parts::cut(&snapshot.before, 120)) { (snapshot.id) } " "
                    }
                }
            }
            @if data.is_cut {
                p.muted {
                    "These are the newest " (parts::number(data.events.len() as u64)) " events of this part. "
                    "For earlier ones, choose an earlier part or "
                    a href=(data.events_request("verdict", None)) { "read the list" } "."
                }
            }
            @if hidden > 0 {
                p.muted {
                    (parts::counted(u64::from(hidden), "further event")) " have no mark of their own and are drawn as height. "
                    a href=(data.events_request("verdict", None)) { "All of them in the list" }
                }
            }
        }
    })
}

fn agents(data: &SessionData<'_>, tree: &Tree) -> Markup {
    html! {
        @if data.agents.is_empty() { p.muted { "No agents were recorded." } }
        @else { (tree.list(&|agent| data.agent_events(agent))) }
    }
}

/// Where the hook took long.
fn slowest(data: &SessionData<'_>) -> Result<Markup, PageError> {
    let events = data.own_client_only(data.context.index.slowest(&data.whole(), SLOWEST)?);
    Ok(html! {
        section.card data-key="slowest-part" aria-labelledby="slowest" {
            h2 id="slowest" { "Slowest events" }
            ol.plain {
                @for record in events.iter().map(|event| &event.record) {
                    li.pair {
                        span.number { (parts::duration(record.took)) }
                        a href=(row::explained(record)) { (row::kind_name(record)) " " bdi.mono { (parts::cut(row::subject(record), 80)) } }
                    }
                }
            }
        }
    })
}

fn latest(data: &SessionData<'_>) -> Result<Markup, PageError> {
    let filter = Filter { limit: Some(LATEST), ..session_filter(&data.session) };
    let events = data.own_client_only(data.context.index.events(&filter)?);
    let all = parts::counted(data.session.events, "event");
    let rows = calls::rows(&events);
    let table = EventTable {
        rows: &rows,
        columns: Columns::OfOneSession,
        titles: &data.titles,
        now: data.context.now,
        sorting: None,
    };
    Ok(html! {
        section data-key="latest-part" aria-labelledby="latest" {
            div.part-head { h2 id="latest" { "Latest events" } a href=(data.events_request("verdict", None)) { "All " (all) } }
            (table.markup())
        }
    })
}

#[cfg(test)]
mod tests;
