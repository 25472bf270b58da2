//! How much of a text another version changes, line by line.

use flyball_core::diff::{self, Line};

use crate::scope::plain_line_ends;

/// How many lines were removed and added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineChanges {
    pub(crate) removed: usize,
    pub(crate) added: usize,
}

impl LineChanges {
    /// A line that replaces another is one change.
    pub(super) fn lines(self) -> usize {
        self.removed.max(self.added)
    }
}

/// Counts the lines that are in one version only. Line endings do not count.
pub(crate) fn count_changes(before: &str, after: &str) -> LineChanges {
    let (before, after) = (plain_line_ends(before), plain_line_ends(after));
    let lines = diff::compare(&before, &after);
    LineChanges {
        removed: lines.iter().filter(|line| matches!(line, Line::Old(_))).count(),
        added: lines.iter().filter(|line| matches!(line, Line::New(_))).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_where_they_differ() {
        let cases = [
            ("the same", "a\nb\n", "a\nb\n", (0, 0)),
            ("one replaced", "a\nb\nc\n", "a\nx\nc\n", (1, 1)),
            ("one gone", "a\nb\nc\n", "a\nc\n", (1, 0)),
            ("two more", "a\nc\n", "a\nb\nb\nc\n", (0, 2)),
            ("moved", "a\nb\nc\nd\n", "d\na\nb\nc\n", (1, 1)),
            ("apart", "a\nb\nc\nd\ne\n", "a\nx\nc\ny\ne\n", (2, 2)),
            ("all", "a\nb\n", "x\ny\nz\n", (2, 3)),
            ("from nothing", "", "a\n", (0, 1)),
            ("to nothing", "a\n", "", (1, 0)),
        ];
        for (name, before, after, (removed, added)) in cases {
            assert_eq!(count_changes(before, after), LineChanges { removed, added }, "{name}");
        }
    }
}
