//! Writes a rule into a node, into the right section, without splitting what stands there.
//!
//! Text is only ever added, at one place: everything that was there is there afterwards, byte for byte.

mod escape;
mod place;
mod render;

use self::place::Outline;
use crate::markdown::front_matter;
use crate::node::Topic;

/// A rule to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub topic: Topic,
    /// Its heading, all punctuation kept.
    pub title: String,
    pub body: String,
    /// Where it comes from, for the line in italics below it.
    pub source: String,
}

/// The node with the rule in it. Line ends and all other text stay as they are; a section that is missing is made
/// beside those that are there, else at the end.
#[must_use]
pub fn insert(text: &str, entry: &Entry) -> String {
    let outline = Outline::read(text);
    let mut first = None;
    for spot in outline.spots(entry.topic) {
        let lines = escape_front_matter(text, render::lines(entry, &spot));
        // A comment or fence that is never closed swallows what is put behind it: then the rule goes before it.
        for at in &spot.places {
            let changed = put(text, *at, &lines);
            if spot.is_clean_insert(&outline, &changed, entry.topic) {
                return changed.text;
            }
            first.get_or_insert(changed.text);
        }
    }
    first.unwrap_or_else(|| text.to_owned())
}

/// A line across at the very start is front matter as soon as another follows: the lines of a rule must not be that.
fn escape_front_matter(text: &str, mut lines: Vec<String>) -> Vec<String> {
    let text = text.trim_start_matches('\u{feff}');
    let is_open = text.starts_with("---") && front_matter(text).is_none();
    for line in lines.iter_mut().filter(|line| is_open && matches!(line.trim_end(), "---" | "...")) {
        line.insert(0, ' ');
    }
    lines
}

/// A text with something put in.
struct Insertion {
    text: String,
    /// Where it was cut open.
    cut: usize,
    /// Where what was put in begins.
    start: usize,
}

/// The text with these lines put in at a place, a blank line on each side.
fn put(text: &str, at: usize, lines: &[String]) -> Insertion {
    let end = line_end(text);
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let mut all = String::with_capacity(text.len() + 256);
    all.push_str(before);
    let is_begun = !before.trim_start_matches('\u{feff}').is_empty();
    if is_begun {
        let is_ended = before.ends_with('\n');
        all.push_str(if is_ended { "" } else { end });
        all.push_str(if ends_blank(before) { "" } else { end });
    }
    let start = all.len();
    all.push_str(&lines.join(end));
    let begins_blank = after.lines().next().is_some_and(|line| line.trim().is_empty());
    // A file that ends without a line end stays one.
    let stays_open = after.is_empty() && is_begun && !before.ends_with('\n');
    all.push_str(if stays_open { "" } else { end });
    all.push_str(if after.is_empty() || begins_blank { "" } else { end });
    all.push_str(after);
    Insertion { text: all, cut: at, start }
}

/// Whether the last whole line is blank.
fn ends_blank(text: &str) -> bool {
    text.ends_with('\n') && text.lines().next_back().is_some_and(|line| line.trim().is_empty())
}

/// What most lines end with.
fn line_end(text: &str) -> &'static str {
    let (all, long) = (text.matches('\n').count(), text.matches("\r\n").count());
    if long * 2 > all { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests;
