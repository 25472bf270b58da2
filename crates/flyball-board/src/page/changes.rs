//! What would have led to another decision, and how a person makes it so.

use maud::{Markup, html};

use super::events::reason;
use super::inline_code::with_code;
use super::reading::Reading;
use crate::explanation::Change;

/// The changes as a list.
pub(super) fn list(changes: &[Change], (project, reading): (&str, Reading)) -> Markup {
    html! {
        ul.plain.rows.changes {
            @for change in changes {
                li {
                    p { "If " (with_code(&change.if_only, reading)) ": " strong class=[class_of(&change.then)] { (with_code(&change.then, reading)) } }
                    @if let Some(how) = &change.how { p.how { span.muted { "How: " } (with_code(&reason::strip_project_path(how, project), reading)) } }
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

#[cfg(test)]
mod tests {
    use super::*;

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
