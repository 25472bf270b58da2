//! The page `/events`: all events, by filters and search.

mod goto;
mod query;
pub(super) mod reason;
mod relax;
pub(super) mod row;

use flyball_core::event::{EventKind, ToolKind};
use flyball_core::outcome::Outcome;
use flyball_core::verdict::Stance;
use flyball_store::{Filter, Page as Part, StoredEvent};
use jiff::Zoned;
use maud::{Markup, html};

use self::query::EventQuery;
use self::row::{Columns, EventTable};
use super::titles::Titles;
use super::{Page, PageContext, PageError, calls, parts};
use crate::route::{Request, Route};

/// Events on one page.
const PAGE: usize = 80;
const MARGIN: usize = 21;
/// Counting more events than this would take too long for a page.
const COUNTABLE: u64 = 20_000;
/// How many pages one can walk back to newer ones.
const TRAIL: usize = 20;
/// The values that the form shows, and those that must not survive it.
const FIELDS: [&str; 10] =
    ["project", "session", "policy", "verdict", "tool", "kind", "agent", "q", "before", "trail"];

pub(super) fn page(context: &PageContext<'_>) -> Result<Page, PageError> {
    let asked = EventQuery::from_request(context)?;
    let before = context.request.value("before").and_then(|row| row.parse().ok());
    let filter = Filter {
        page: before.map_or(Part::Newest, Part::Before),
        // More than is shown: they tell whether there is another page, and complete the calls of this one.
        limit: Some(PAGE + MARGIN),
        ..asked.filter.clone()
    };
    let mut events = if asked.is_impossible { Vec::new() } else { context.index.events(&filter)? };
    let length = calls::page_length(&events, PAGE);
    let has_more = events.len() > length;
    events.truncate(length);
    let titles = Titles::of_events(context, events.iter())?;
    let sorting = row::sorting(context.request);
    let mut rows = calls::rows(&events);
    if sorting.is_chosen() {
        row::sort(&mut rows, &sorting);
    }
    let table = EventTable {
        rows: &rows,
        columns: columns(&asked),
        titles: &titles,
        now: context.now,
        sorting: Some(sorting),
    };
    let body = html! {
        div.head { h1 { "Events" } (asked.period.switch(&fresh(context.request), context.now)) }
        (goto::links(context)?)
        (parts::filters(context.request, &FIELDS, &fields(context, &asked)?))
        (pills(context.request, &asked, context.now))
        @if events.is_empty() {
            (relax::empty_list(context, &asked)?)
        } @else {
            p.muted.amount {
                (amount(context, &asked, (&events, has_more))?)
                @if rows.len() < events.len() { " in " (parts::counted(rows.len() as u64, "row")) ": before and after of a call are one, and so are repeats" }
                @if sorting.is_chosen() { ". Sorted within this page: " a href=(context.request.with("sort", None)) { "newest first" } }
            }
            (table.markup())
        }
        (pager(context.request, &events, has_more))
    };
    Ok(Page { title: "Events".to_owned(), body })
}

const fn columns(asked: &EventQuery) -> Columns {
    match asked.session {
        Some(_) => Columns::OfOneSession,
        None => Columns::All,
    }
}

/// The first page of the same list.
fn fresh(request: &Request) -> Request {
    request.with("trail", None)
}

/// How many there are: exactly where that is known or cheap, else only that there are more.
fn amount(
    context: &PageContext<'_>,
    asked: &EventQuery,
    shown: (&[StoredEvent], bool),
) -> Result<String, PageError> {
    let (events, has_more) = shown;
    let many = events.len() as u64;
    let is_first = context.request.value("before").is_none();
    let is_small = asked.session.as_ref().is_some_and(|session| session.events <= COUNTABLE);
    Ok(match (is_first, has_more) {
        (true, false) => parts::counted(many, "event"),
        _ if is_small => {
            let all = context.index.counts(&asked.filter)?.events;
            format!("{} of {}", parts::number(many), parts::counted(all, "event"))
        }
        (true, true) => format!("The newest {} of many", parts::number(many)),
        (false, true) => format!("{} more, and there are older ones", parts::number(many)),
        (false, false) => format!("The oldest {}", parts::number(many)),
    })
}

fn fields(context: &PageContext<'_>, asked: &EventQuery) -> Result<Markup, PageError> {
    let request = context.request;
    let projects = context.index.projects()?;
    // Of the chosen project: its config decides which policies there are to filter by.
    let policies: Vec<String> =
        context.views.policies(request.value("project")).into_iter().map(|policy| policy.id).collect();
    let kinds: Vec<&str> = EventKind::ALL.iter().map(|kind| kind.name()).collect();
    let tools: Vec<&str> = ToolKind::ALL.iter().map(|tool| tool.name()).collect();
    let outcomes = Outcome::ALL.iter().rev().map(|outcome| outcome.name());
    let outcomes: Vec<&str> = outcomes.chain([Stance::Deny.name(), query::WOULD_DENY]).collect();
    let policies: Vec<&str> = policies.iter().map(String::as_str).collect();
    Ok(html! {
        label.field.grow {
            span { "Text" }
            input type="search" name="q" value=[request.value("q")] placeholder="command, path, decision id" autocomplete="off" spellcheck="false";
        }
        (parts::project_field(request, &projects))
        (Choice { key: "verdict", label: "Decision", any: "any decision" }.among(request, &outcomes))
        (Choice { key: "policy", label: "Policy", any: "any policy" }.among(request, &policies))
        (Choice { key: "kind", label: "Event", any: "any event" }.among(request, &kinds))
        (Choice { key: "tool", label: "Tool", any: "any tool" }.among(request, &tools))
        label.field {
            span { "Session" }
            input type="search" name="session" value=[request.value("session")] placeholder="id" autocomplete="off" spellcheck="false";
        }
        (agents(context, asked)?)
    })
}

/// A filter by one word of several.
struct Choice {
    key: &'static str,
    label: &'static str,
    /// What no choice is called.
    any: &'static str,
}

impl Choice {
    fn among(&self, request: &Request, words: &[&str]) -> Markup {
        let Choice { key, label, any } = *self;
        let current = request.value(key).unwrap_or_default();
        html! {
            label.field {
                span { (label) }
                select name=(key) {
                    option value="" selected[current.is_empty()] { (any) }
                    // A value from a link that this version does not know stays chosen, or the form would
                    // drop it silently.
                    @if !current.is_empty() && !words.contains(&current) {
                        option value=(current) selected { (parts::cut(current, 60)) }
                    }
                    @for word in words { option value=(word) selected[*word == current] { (word) } }
                }
            }
        }
    }
}

/// The choice of an agent: only one session at a time has agents to choose from.
fn agents(context: &PageContext<'_>, asked: &EventQuery) -> Result<Markup, PageError> {
    let Some(session) = &asked.session else { return Ok(html! {}) };
    let agents = context.index.agents(&session.client, &session.session)?;
    let current = context.request.value("agent").unwrap_or_default();
    Ok(html! {
        label.field {
            span { "Agent" }
            select name="agent" {
                option value="" selected[current.is_empty()] { "any agent" }
                option value=(query::MAIN) selected[current == query::MAIN] { "main" }
                @for agent in agents.iter().filter(|agent| !agent.id.is_empty()).take(300) {
                    option value=(agent.id) selected[agent.id == current] {
                        (parts::cut(row::role(&agent.role), 40)) " " (parts::cut(&agent.id, 9))
                    }
                }
            }
        }
    })
}

/// The active filters, each with a link that removes it.
fn pills(request: &Request, asked: &EventQuery, now: &Zoned) -> Markup {
    let active = query::active(request, asked, now);
    html! {
        @if !active.is_empty() {
            p.active-filters {
                @for (key, words) in &active {
                    a.pill.removable href=(query::without(&fresh(request), key)) {
                        (words) span aria-hidden="true" { " ×" } span.visually-hidden { ": remove this filter" }
                    }
                    " "
                }
                a href=(Route::Events.bare()) { "clear" }
            }
        }
    }
}

fn pager(request: &Request, events: &[StoredEvent], has_more: bool) -> Markup {
    html! {
        nav.pager aria-label="Pages of the list" {
            @if let Some(newer) = newer(request) {
                a rel="prev" href=(newer) { "Newer" }
                a href=(fresh(request)) { "Newest" }
            }
            @if let Some(last) = events.last().filter(|_| has_more) { a rel="next" href=(older(request, last.row)) { "Older" } }
        }
    }
}

/// The page after this one. It remembers the pages before it, so that one can walk back.
fn older(request: &Request, row: i64) -> Request {
    // 0 stands for the first page, which has no row to begin before.
    let before = request.value("before").map_or("0", |row| row);
    let trail = trail(request).chain([before]);
    let trail: Vec<&str> = trail.collect();
    let last = trail.get(trail.len().saturating_sub(TRAIL)..).unwrap_or_default();
    request.with("trail", Some(&last.join("."))).with("before", Some(&row.to_string()))
}

/// The page before this one; the first, if there is no trail.
fn newer(request: &Request) -> Option<Request> {
    request.value("before")?;
    let mut trail: Vec<&str> = trail(request).collect();
    let before = trail.pop().filter(|row| *row != "0");
    let rest = (!trail.is_empty()).then(|| trail.join("."));
    Some(request.with("trail", rest.as_deref()).with("before", before))
}

fn trail(request: &Request) -> impl Iterator<Item = &str> {
    request.value("trail").unwrap_or_default().split('.').filter(|row| row.parse::<i64>().is_ok())
}
