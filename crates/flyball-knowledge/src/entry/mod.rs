//! Writes a rule into the right section of a node without splitting existing text.
//!
//! Text is only added, at one place: everything else stays the same, byte for byte.

mod escape;
mod insertion;
mod place;
mod render;
mod size;

use self::insertion::{Before, Lines, insert_lines};
use self::place::Outline;
pub use self::render::Entry;
pub use self::size::SectionSize;
use crate::markdown::front_matter;

/// The node with the rule in it. Line ends and all other text stay unchanged; a missing section is added beside the
/// existing ones, else at the end.
#[must_use]
pub fn insert(text: &str, entry: &Entry) -> String {
    let outline = Outline::read(text);
    let mut first = None;
    for spot in outline.spots(entry.topic) {
        let Some(lines) = render::lines(entry, &spot) else { continue };
        let before = if spot.list.is_some() { Before::Nothing } else { Before::Blank };
        let lines = Lines { lines: escape_front_matter(text, lines), before };
        // A comment or fence that is never closed swallows all text after it, so the rule goes before it.
        for at in &spot.places {
            let changed = insert_lines(text, *at, &lines);
            if spot.is_clean_insert(&outline, &changed, entry.topic) {
                return changed.text;
            }
            if spot.list.is_none() {
                first.get_or_insert(changed.text);
            }
        }
    }
    first.unwrap_or_else(|| text.to_owned())
}

/// A `---` at the very start becomes front matter as soon as another one follows: the lines of a rule must not close it.
fn escape_front_matter(text: &str, mut lines: Vec<String>) -> Vec<String> {
    let text = text.trim_start_matches('\u{feff}');
    let is_open = text.starts_with("---") && front_matter(text).is_none();
    for line in lines.iter_mut().filter(|line| is_open && matches!(line.trim_end(), "---" | "...")) {
        line.insert(0, ' ');
    }
    lines
}

#[cfg(test)]
mod tests;
