//! The page `/sessions`: where sessions work, what they wait for, what was denied.

mod state;

pub(super) use state::{State, found};

use flyball_core::time::{Time, whole_micros};

use flyball_store::{SessionFilter, SessionSummary};
use maud::{Markup, html};

use super::parts::{Column, Direction, SortValue, Sorting};
use super::period::{Period, preset};
use super::titles::Titles;
use super::{Page, PageContext, PageError, parts};
use crate::route::{Range, Request, Route};
use crate::view::{LoopView, WaitingView};

/// Sessions on one page.
const PAGE: usize = 50;
/// Sessions that are looked through at most.
const MOST: usize = 5_000;
/// The values of the form.
const FIELDS: [&str; 5] = ["project", "client", "state", "q", "before"];

/// A session as the list shows it.
struct Row {
    summary: SessionSummary,
    state: State,
    waiting: Option<WaitingView>,
    looping: Option<LoopView>,
}

/// What the list has, and what it would have.
struct List {
    rows: Vec<Row>,
    clients: Vec<String>,
    /// The address of those that come after.
    older: Option<Request>,
}

pub(super) fn page(context: &PageContext<'_>) -> Result<Page, PageError> {
    let period = Period::from_request(context.request, context.now);
    let list = list(context, period)?;
    let projects = context.index.projects()?;
    let body = html! {
        div.head { h1 { "Sessions" } (period.switch(&first_page(context.request), context.now)) }
        (parts::filters(context.request, &FIELDS, &fields(context.request, &projects, &list.clients)))
        @if list.rows.is_empty() { (nothing(context.request, period)) } @else { (table(context, &list.rows)?) }
        nav.pager aria-label="Pages of the list" {
            @if context.request.value("before").is_some() {
                a href=(first_page(context.request)) { "Latest sessions" }
            }
            @if let Some(older) = &list.older { a rel="next" href=(older) { "Earlier sessions" } }
        }
    };
    Ok(Page { title: "Sessions".to_owned(), body })
}

fn list(context: &PageContext<'_>, period: Period) -> Result<List, PageError> {
    let request = context.request;
    let filter = SessionFilter {
        id_prefix: request.value("q").map(|text| text.trim().to_owned()),
        project: request.value("project").map(str::to_owned),
        since: period.since(context.now),
        until: period.until(),
        // The state is not in the index, so pages cannot be cut there: sessions are read and looked through.
        limit: Some(MOST),
        ..SessionFilter::default()
    };
    let mut all = context.index.sessions(&filter)?;
    let mut clients: Vec<String> = all.iter().map(|session| session.client.clone()).collect();
    clients.sort_unstable();
    clients.dedup();
    all.retain(|session| wanted_client(session, request));
    let sorting = sorting(request);
    if sorting.is_chosen() {
        sort(&mut all, &sorting);
    }
    let begin = begin(request, &all, sorting.is_chosen());
    let mut rows: Vec<Row> = Vec::new();
    let mut older = None;
    for (place, summary) in all.into_iter().enumerate().skip(begin) {
        let last_at = rows.last().map(|last: &Row| last.summary.last_at);
        // Those of the same moment stay together: the next page begins before it.
        if rows.len() >= PAGE && (sorting.is_chosen() || last_at != Some(summary.last_at)) {
            let place = u64::try_from(place).unwrap_or(u64::MAX).to_string();
            let last_at = last_at.map(|at| at.as_micros().to_string());
            let next = last_at.filter(|_| !sorting.is_chosen()).unwrap_or(place);
            older = Some(request.with("before", Some(&next)));
            break;
        }
        rows.extend(row(context, summary));
    }
    for row in &mut rows {
        if row.state != State::Ended && State::is_recent(&row.summary, context) {
            row.looping = context.views.loop_view(&row.summary);
        }
    }
    Ok(List { rows, clients, older })
}

const PROJECT: Column = Column::words("project", "Project");
// Where there is little room, others matter more.
const CLIENT: Column = Column { class: "roomy", ..Column::words("client", "Client") };
const LAST: Column = Column::time("last", "Last event");
const LENGTH: Column = Column { class: "number roomy", ..Column::number("length", "Length") };
const EVENTS: Column = Column::number("events", "Events");
const BLOCKED: Column = Column::number("blocked", "Blocked");

fn sorting(request: &Request) -> Sorting<'_> {
    let columns = [PROJECT, CLIENT, LAST, LENGTH, EVENTS, BLOCKED];
    Sorting::from_request(request, &columns, (LAST.key, Direction::Descending))
}

fn sort(all: &mut [SessionSummary], sorting: &Sorting<'_>) {
    sorting.sort(all, |session, key| match key {
        "project" => parts::last_folder(&session.project).into(),
        "client" => session.client.as_str().into(),
        "length" => whole_micros(session.last_at.since(session.first_at)).into(),
        "events" => session.events.into(),
        "blocked" => session.denied.blocked.into(),
        _ => SortValue::from(session.last_at),
    });
}

/// Where the page begins. In order of time that is a moment, since sessions come in at the top; in another order it is a
/// place in the list.
fn begin(request: &Request, all: &[SessionSummary], is_sorted: bool) -> usize {
    match request.value("before").and_then(|text| text.parse::<i64>().ok()) {
        None => 0,
        Some(place) if is_sorted => usize::try_from(place).unwrap_or_default(),
        Some(moment) => all.partition_point(|session| session.last_at >= Time::from_micros(moment)),
    }
}

fn wanted_client(session: &SessionSummary, request: &Request) -> bool {
    request.value("client").is_none_or(|client| session.client == client)
}

/// The session, if it is in the state that was asked for.
fn row(context: &PageContext<'_>, summary: SessionSummary) -> Option<Row> {
    let wanted = context.request.value("state").and_then(State::from_name);
    // What a session waits for is read from its journal: not for those that cannot be wanted.
    if wanted == Some(State::Ended) && !summary.has_ended
        || summary.has_ended && wanted.is_some_and(|it| it != State::Ended)
    {
        return None;
    }
    let waiting = State::waiting(&summary, context);
    let state = State::determine(&summary, waiting.as_ref(), context);
    wanted.is_none_or(|wanted| wanted == state).then_some(Row { summary, state, waiting, looping: None })
}

fn first_page(request: &Request) -> Request {
    request.with("before", None)
}

fn fields(request: &Request, projects: &[String], clients: &[String]) -> Markup {
    let state = request.value("state").unwrap_or_default();
    let client = request.value("client").unwrap_or_default();
    html! {
        (parts::project_field(request, projects))
        label.field {
            span { "Client" }
            select name="client" {
                option value="" selected[client.is_empty()] { "any client" }
                @if !client.is_empty() && !clients.iter().any(|name| name == client) {
                    option value=(client) selected { (parts::cut(client, 40)) }
                }
                @for name in clients { option value=(name) selected[name == client] { (parts::cut(name, 40)) } }
            }
        }
        label.field {
            span { "State" }
            select name="state" {
                option value="" selected[state.is_empty()] { "any state" }
                @for one in State::ALL { option value=(one.name()) selected[one.name() == state] { (one.words()) } }
            }
        }
        label.field {
            span { "Id begins with" }
            input type="search" name="q" value=[request.value("q")] autocomplete="off" spellcheck="false";
        }
    }
}

fn nothing(request: &Request, period: Period) -> Markup {
    let filters: Vec<(&str, &str)> =
        [("project", "any project"), ("client", "any client"), ("state", "any state"), ("q", "any id")]
            .into_iter()
            .filter(|(key, _)| request.value(key).is_some())
            .collect();
    let how = html! {
        @if filters.is_empty() && period.is_all() {
            p {
                "A session is listed as soon as its client calls flyball. "
                code { "flyball init" } " registers it; " code { "flyball doctor" } " shows whether events arrive."
            }
        } @else {
            p {
                "Widen the search: "
                @for (key, words) in &filters { a href=(request.with(key, None)) { (words) } " · " }
                @if !period.is_all() { a href=(preset(request, Range::All)) { "any time" } " · " }
                a href=(Route::Sessions.bare()) { "clear all filters" }
            }
        }
    };
    parts::empty("No session matches", &how)
}

fn table(context: &PageContext<'_>, rows: &[Row]) -> Result<Markup, PageError> {
    let sorting = sorting(context.request);
    let titles = Titles::of_sessions(context, rows.iter().map(|row| &row.summary))?;
    let inside = html! {
        table.list.cards {
            thead {
                tr {
                    th scope="col" { "Session" } th scope="col" { "State" } th scope="col" { "Waits for" }
                    @for column in [PROJECT, CLIENT, LAST, LENGTH, EVENTS, BLOCKED] { (sorting.head(column)) }
                }
            }
            tbody { @for row in rows { (line(context, row, &titles)) } }
        }
    };
    Ok(parts::scroll("Sessions", &inside))
}

fn line(context: &PageContext<'_>, row: &Row, titles: &Titles) -> Markup {
    let session = &row.summary;
    let length = session.last_at.since(session.first_at);
    html! {
        tr data-row={ "session-" (parts::cut(&session.client, 60)) "-" (parts::cut(session.session.as_str(), 200)) } {
            td.session-cell data-label="Session" {
                (titles.session(session))
                @if titles.of(session).is_some() { div.muted.small.mono { (parts::cut(session.session.as_str(), 9)) } }
            }
            td data-label="State" { (row.state.pill()) }
            td.wide data-label="Waits for" {
                @if let Some(waiting) = &row.waiting { (parts::message(&waiting.what, 200)) }
                @if let Some(looping) = &row.looping { div.muted { (parts::cut(&looping.line, 200)) } }
            }
            td data-label="Project" { (parts::project(&session.project)) }
            td.roomy data-label="Client" { (parts::cut(&session.client, 40)) }
            td data-label="Last event" { (parts::time(session.last_at, context.now)) }
            td.number.roomy data-label="Length" { (parts::duration(length)) }
            td.number data-label="Events" { (parts::number(session.events)) }
            td.number data-label="Blocked" { (parts::denied(session.denied)) }
        }
    }
}
