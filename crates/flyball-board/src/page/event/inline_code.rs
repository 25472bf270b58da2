//! A line of text in which code is set off.

use maud::{Markup, html};

use super::super::parts;

/// A line with the text between backticks shown as code.
pub(super) fn with_code(line: &str) -> Markup {
    let line = parts::cut(line, 2_000);
    let pieces: Vec<&str> = line.split('`').collect();
    // A backtick without a second one is only a backtick.
    let is_paired = pieces.len() % 2 == 1;
    html! {
        @if is_paired {
            @for (place, piece) in pieces.iter().enumerate() {
                @if place % 2 == 1 { code { (piece) } } @else { (piece) }
            }
        } @else { (line) }
    }
}
