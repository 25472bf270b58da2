//! Lines of a change, in which code is looked for.

use super::text::{has, names};
use crate::digest::digest;

/// Lines of a change, with the names in them: most of what rules name is in no change, which its first name shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) text: String,
    /// The fingerprints of the names, sorted.
    names: Vec<u64>,
}

impl Lines {
    pub(super) fn new(text: String) -> Lines {
        let mut names: Vec<u64> = names(&text).map(|name| digest([name.text])).collect();
        names.sort_unstable();
        names.dedup();
        Lines { text, names }
    }

    /// Whether this is a name in them.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.names.binary_search(&digest([name])).is_ok()
    }

    /// Whether they have a piece of code, and not only as a part of other names.
    pub(super) fn has(&self, code: &str) -> bool {
        names(code).next().is_none_or(|first| self.has_name(first.text)) && has(&self.text, code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_as_in_the_text() {
        let cases = [
            ("x = float(1)", "float", true),
            ("x = floating", "float", false),
            ("a.unwrap()", ".unwrap()", true),
            ("a.unwrapped()", ".unwrap", false),
            ("a => b", "=>", true),
            ("a |safe", "|safe", true),
            ("import (x)", "(x", true),
            ("", "a", false),
        ];
        for (text, code, expected) in cases {
            assert_eq!(Lines::new(text.to_owned()).has(code), expected, "{code} in {text}");
            assert_eq!(has(text, code), expected, "{code} in {text}");
        }
    }
}
