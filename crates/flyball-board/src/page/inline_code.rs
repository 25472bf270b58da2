//! A line of text in which code is set off. A command that shows something the board shows too is a link to that; any
//! other command can be copied.

use maud::{Markup, html};

use super::parts;
use super::reading::Reading;
use crate::route::{Request, Route};

/// A line with the text between backticks shown as code. In a file there is nothing to link to, and no script to copy.
pub(super) fn with_code(line: &str, reading: Reading) -> Markup {
    let line = parts::cut(line, 2_000);
    let pieces: Vec<&str> = line.split('`').collect();
    // A backtick without a second one is only a backtick.
    let is_paired = pieces.len() % 2 == 1;
    html! {
        @if is_paired {
            @for (place, piece) in pieces.iter().enumerate() {
                @if place % 2 == 1 { (code(piece, reading)) } @else { (piece) }
            }
        } @else { (line) }
    }
}

fn code(text: &str, reading: Reading) -> Markup {
    let page = page_of(text).filter(|_| reading == Reading::Board);
    html! {
        @match page {
            Some((page, words)) => a href=(page) { (words) },
            None => {
                code { (text) }
                @if reading == Reading::Board && text.starts_with("flyball ") { (parts::copy(text, "command")) }
            },
        }
    }
}

/// The page that shows what a command would print, and words for it.
fn page_of(command: &str) -> Option<(Request, String)> {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["flyball", "explain", id] if !id.starts_with('-') => {
            Some((Route::Event { answer: (*id).to_owned() }.bare(), format!("decision {id}")))
        }
        ["flyball", "policies"] => Some((Route::Policies.bare(), "the policies".to_owned())),
        ["flyball", "policies", id] if !id.starts_with('-') => {
            Some((Route::Policy { id: (*id).to_owned() }.bare(), format!("the page of {id}")))
        }
        ["flyball", "log", "--session", id] => {
            Some((Route::Events.bare().with("session", Some(id)), "the events of this session".to_owned()))
        }
        ["flyball", "task"] => Some((Route::Tasks.bare(), "the tasks".to_owned())),
        _ => None,
    }
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
            assert_eq!(with_code(line, Reading::Board).into_string(), expected);
        }
    }

    #[test]
    fn a_command_that_the_board_can_show_is_a_link_and_another_can_be_copied() {
        let cases = [
            ("see `flyball explain 4k7q2m8x`", "see <a href=\"/events/4k7q2m8x\">decision 4k7q2m8x</a>"),
            (
                "Read it: `flyball policies guard.packages`",
                "Read it: <a href=\"/policies/guard.packages\">the page of guard.packages</a>",
            ),
            (
                "`flyball log --session a/b`",
                "<a href=\"/events?session=a%2Fb\">the events of this session</a>",
            ),
        ];
        for (line, expected) in cases {
            assert_eq!(with_code(line, Reading::Board).into_string(), expected);
        }
        let approve = with_code("`flyball approve a.sql`", Reading::Board).into_string();
        assert!(approve.starts_with("<code>flyball approve a.sql</code><button"), "{approve}");
        let in_a_file = with_code("`flyball explain x` and `flyball approve y`", Reading::File).into_string();
        assert_eq!(in_a_file, "<code>flyball explain x</code> and <code>flyball approve y</code>");
    }
}
