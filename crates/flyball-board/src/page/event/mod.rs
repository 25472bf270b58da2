//! The page of one decision: its explanation.

mod answer;
mod head;
mod inline_code;
mod payload;
mod reading;
mod ruling;

use flyball_core::record::Record;
use flyball_store::{Filter, Found, Page as Part, StoreError, StoredEvent};
use jiff::Zoned;
use maud::{Markup, html};

use self::inline_code::with_code;
use self::reading::Reading;
use super::events::reason;
use super::{Page, PageContext, PageError, parts};
use crate::document::document;
use crate::explanation::{Change, Explanation};
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
    let title = format!("{} {}", explanation.record.stance.name(), explanation.record.id.as_str());
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
            (changes(&explanation.changes, &record.project))
            section.card { h2 { "What next" } (list(&explanation.next)) }
            (payload::payload(record))
        }
    }
}

/// An explanation as a page that can be mailed: everything is inside, nothing is loaded.
#[must_use]
pub fn explanation_document(explanation: &Explanation, now: &Zoned) -> String {
    let record = &explanation.record;
    let title = format!("{} {}: flyball explains", record.stance.name(), record.id.as_str());
    document(&title, &explained(explanation, now, Reading::File))
}

/// What would have led to another answer.
fn changes(changes: &[Change], project: &str) -> Markup {
    html! {
        section.card {
            h2 { "What would change it" }
            @if changes.is_empty() { p.muted { "Nothing: no policy objected, and none would today." } }
            @else {
                ul.plain.rows.changes {
                    @for change in changes {
                        li {
                            p { "If " (with_code(&change.if_only)) ": " strong class=[class_of(&change.then)] { (with_code(&change.then)) } }
                            @if let Some(how) = &change.how { p.how { span.muted { "How: " } (with_code(&reason::strip_project_path(how, project))) } }
                        }
                    }
                }
            }
        }
    }
}

/// The colour of the decision; the text names it as well.
fn class_of(then: &str) -> Option<&'static str> {
    // The text comes from `views::explain`, which begins it with the name of the decision.
    let word = then.strip_prefix("still ").unwrap_or(then).split([':', ' ']).next()?;
    ["deny", "ask", "allow"]
        .into_iter()
        .zip(["text-deny", "text-ask", "text-allow"])
        .find(|(name, _)| *name == word)
        .map(|(_, class)| class)
}

fn list(lines: &[String]) -> Markup {
    html! { ul.next { @for line in lines { li { (with_code(line)) } } } }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_backticks_is_code_and_nothing_else_is() {
        let cases = [
            ("set `a = \"<b>\"` in x", "set <code>a = &quot;&lt;b&gt;&quot;</code> in x"),
            ("a ` alone", "a ` alone"),
            ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ];
        for (line, expected) in cases {
            assert_eq!(with_code(line).into_string(), expected);
        }
    }

    #[test]
    fn an_answer_has_its_colour() {
        let cases = [
            ("still deny: a objects as well", Some("text-deny")),
            ("ask: rules", Some("text-ask")),
            ("silent", None),
            ("denying is not a stance", None),
        ];
        for (then, class) in cases {
            assert_eq!(class_of(then), class, "{then}");
        }
    }
}
