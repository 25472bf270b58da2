//! What kind of text is below a heading: rules, a description, or either.

use super::words::{ADJECTIVES, COMMANDS, DESCRIPTIONS, NORMS, PLAIN_DESCRIPTIONS, any_word};

/// What a section holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SectionKind {
    /// Rules: everything counts that is not only a link.
    Norm,
    /// What needs no sign of a rule in a list, but does in prose.
    #[default]
    Open,
    /// How things are: only what clearly is a rule counts.
    Description,
}

/// The kind of a section with this heading, inside of one of another kind.
pub(super) fn kind_of(title: &str, outer: SectionKind) -> SectionKind {
    let title = title.to_lowercase();
    if any_word(&title, NORMS) {
        return SectionKind::Norm;
    }
    if any_word(&title, DESCRIPTIONS) || is_plain_description(&title) {
        return SectionKind::Description;
    }
    // Commands are worth knowing, wherever they are listed.
    if is_about_commands(&title) {
        return SectionKind::Open;
    }
    outer
}

/// Whether a heading only names parts of a project: `Key components`.
fn is_plain_description(title: &str) -> bool {
    let words = title.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    let mut words =
        words.filter(|word| !word.is_empty() && ADJECTIVES.binary_search(word).is_err()).peekable();
    // "Code" alone is one of both.
    match words.peek() {
        Some(_) => words.all(|word| PLAIN_DESCRIPTIONS.binary_search(&word).is_ok()),
        None => title.chars().any(char::is_alphanumeric),
    }
}

/// Whether a word in lower case only says what kind of text is below a heading: `rules`, `overview`, `testing`.
#[must_use]
pub fn is_heading_word(word: &str) -> bool {
    [&NORMS, &DESCRIPTIONS, &PLAIN_DESCRIPTIONS, &ADJECTIVES, &COMMANDS]
        .iter()
        .any(|list| list.binary_search(&word).is_ok())
}

/// Whether a heading announces commands.
pub(super) fn is_about_commands(title: &str) -> bool {
    any_word(&title.to_lowercase(), COMMANDS)
}

#[cfg(test)]
mod tests {
    use super::SectionKind::{Description, Norm, Open};
    use super::*;

    #[test]
    fn headings_say_what_is_below() {
        let cases = [
            ("Coding Conventions", Open, Norm),
            ("Do NOT", Open, Norm),
            ("🚨 Critical rules", Description, Norm),
            ("Project Structure", Open, Description),
            ("Project structure rules", Open, Norm),
            ("Overview", Norm, Description),
            ("What this is", Open, Description),
            ("Key components", Open, Description),
            ("Vue components", Open, Open),
            ("Features", Open, Description),
            ("Development features", Open, Open),
            ("Testing", Open, Open),
            ("Backend", Description, Description),
            ("Build & Test Commands", Description, Open),
            ("PR instructions", Open, Norm),
        ];
        for (title, outer, expected) in cases {
            assert_eq!(kind_of(title, outer), expected, "{title}");
        }
    }
}
