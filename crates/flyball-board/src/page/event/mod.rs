//! The page of one decision: its explanation.

mod answer;
mod head;
mod payload;
mod ruling;

use flyball_core::record::Record;
use flyball_store::{Filter, Found, Page as Part, StoreError, StoredEvent};
use jiff::Zoned;
use maud::{Markup, html};

use super::inline_code::with_code;
use super::reading::Reading;
use super::{Page, PageContext, PageError, changes, parts};
use crate::document::document;
use crate::explanation::Explanation;
use crate::route::Route;

/// The decisions before and after one in its session.
#[derive(Default)]
struct Neighbours {
    earlier: Option<String>,
    later: Option<String>,
}

pub(super) fn page(context: &PageContext<'_>, answer: &str) -> Result<Page, PageError> {
    let event = match context.index.event(answer)? {
        Found::One(event) => event,
        Found::Several(ids) => {
            let ids: Vec<&str> = ids.iter().map(flyball_core::event::AnswerId::as_str).collect();
            return Ok(several(answer, &ids));
        }
        Found::None => {
            let answer = parts::cut(answer, 40);
            let what =
                format!("no decision {answer} in the store: events older than store.keep_days are deleted");
            return Err(PageError::NotFound(what));
        }
    };
    let neighbours = neighbours(context, &event)?;
    let explanation = context.views.explanation(event.record);
    let title = format!("{} {}", explanation.record.outcome().name(), explanation.record.id.as_str());
    let body = html! {
        (head::around(&explanation.record, (neighbours.earlier.as_deref(), neighbours.later.as_deref())))
        (explained(&explanation, context.now, Reading::Board))
    };
    Ok(Page { title, body })
}

/// An explanation, for the page and for files.
fn explained(explanation: &Explanation, now: &Zoned, reading: Reading) -> Markup {
    let record = &explanation.record;
    html! {
        article.explained {
            (head::head(explanation, now, reading))
            (answer::answer(record))
            (ruling::policies(explanation, reading))
            (what_would_change(explanation, reading))
            section.card { h2 { "What next" } (list(&explanation.next, reading)) }
            (payload::payload(record))
        }
    }
}

/// An explanation as a page that can be mailed: everything is inside, nothing is loaded.
#[must_use]
pub fn explanation_document(explanation: &Explanation, now: &Zoned) -> String {
    let record = &explanation.record;
    let title = format!("{} {}: flyball explains", record.outcome().name(), record.id.as_str());
    document(&title, &explained(explanation, now, Reading::File))
}

/// What would have led to another answer.
fn what_would_change(explanation: &Explanation, reading: Reading) -> Markup {
    html! {
        section.card {
            h2 { "What would change it" }
            @if explanation.changes.is_empty() { p.muted { "Nothing: no policy objected, and none would today." } }
            @else { (changes::list(&explanation.changes, (&explanation.record.project, reading))) }
        }
    }
}

fn list(lines: &[String], reading: Reading) -> Markup {
    html! { ul.next { @for line in lines { li { (with_code(line, reading)) } } } }
}

/// The page that asks which of several decisions is meant.
fn several(answer: &str, ids: &[&str]) -> Page {
    let answer = parts::cut(answer, 40);
    let body = html! {
        div.head { h1 { "Several decisions begin with " code { (answer) } } }
        section.card {
            p { "Choose one:" }
            ul.plain.rows { @for id in ids { li { (parts::event_link(id)) } } }
        }
        p { a href=(Route::Events.bare()) { "All events" } }
    };
    Page { title: format!("{answer}: several"), body }
}

/// The events next to one in its session.
fn neighbours(context: &PageContext<'_>, event: &StoredEvent) -> Result<Neighbours, StoreError> {
    let record = &event.record;
    // By session and not by project: a decision is read with what the same agent did around it.
    let own = Filter { session: Some(record.session.clone()), limit: Some(1), ..Filter::default() };
    let earlier = context.index.events(&Filter { page: Part::Before(event.row), ..own.clone() })?;
    let later = context.index.events(&Filter { page: Part::After(event.row), ..own })?;
    let id = |found: Vec<StoredEvent>| found.into_iter().next().map(|event| id_of(&event.record));
    Ok(Neighbours { earlier: id(earlier), later: id(later) })
}

fn id_of(record: &Record) -> String {
    record.id.as_str().to_owned()
}
