//! The list without events: which filter to relax.

use flyball_core::time::DAY;
use flyball_store::Filter;
use jiff::Zoned;
use maud::{Markup, html};

use super::super::period::preset;
use super::super::{PageContext, PageError, parts};
use super::query::{self, EventQuery};
use crate::route::{Range, Request, Route};

/// The empty list, with the filters that can be relaxed. Those that hide something come first.
pub(super) fn empty_list(context: &PageContext<'_>, asked: &EventQuery) -> Result<Markup, PageError> {
    let request = context.request.with("trail", None);
    if context.request.value("before").is_some() {
        let how = html! { p { a href=(request) { "Back to the newest" } } };
        return Ok(parts::empty("No older events", &how));
    }
    let mut ways = relaxations(&request, asked, context.now);
    let is_first_day = context.index.last_event()?.is_none();
    for way in &mut ways {
        way.helps = helps(context, &way.request)?;
    }
    // A stable sort: within each group, the order stays that of the form.
    ways.sort_by_key(|way| !way.helps);
    let how = html! {
        @if is_first_day {
            p {
                "Events are recorded as soon as a client calls flyball. "
                code { "flyball init" } " registers it; " code { "flyball doctor" } " shows whether events arrive."
            }
        } @else {
            ul.ways {
                @for way in &ways {
                    li { a href=(way.request) { (way.words) } @if way.helps { span.muted { " finds some" } } }
                }
                li { a href=(Route::Events.bare()) { "clear all filters" } }
            }
        }
    };
    Ok(parts::empty(if is_first_day { "No events yet" } else { "No event matches all filters" }, &how))
}

struct Relaxation {
    words: String,
    request: Request,
    helps: bool,
}

fn relaxations(request: &Request, asked: &EventQuery, now: &Zoned) -> Vec<Relaxation> {
    let mut ways: Vec<Relaxation> = query::active(request, asked, now)
        .into_iter()
        .filter(|(key, _)| *key != "range")
        .map(|(key, words)| Relaxation {
            words: format!("without {words}"),
            request: query::without(request, key),
            helps: false,
        })
        .collect();
    if !asked.period.is_all() {
        let request = preset(request, Range::All);
        ways.push(Relaxation { words: "search all time".to_owned(), request, helps: false });
    }
    ways
}

/// Whether there is anything then. Text over all time is not tried: it reads every event.
fn helps(context: &PageContext<'_>, request: &Request) -> Result<bool, PageError> {
    let asked = EventQuery::from_request(&PageContext { request, ..*context })?;
    let is_long = asked.filter.since.is_none_or(|since| parts::time_of(context.now).since(since) > 8 * DAY);
    if asked.is_impossible || is_long && asked.filter.text.is_some() && asked.session.is_none() {
        return Ok(false);
    }
    let filter = Filter { limit: Some(1), ..asked.filter };
    Ok(!context.index.events(&filter)?.is_empty())
}
