//! How much of a text another version changes, line by line.

/// The most comparisons that are made to find what stayed; beyond that, all between the first and the
/// last difference counts as changed.
const MOST_COMPARISONS: usize = 4_000_000;

/// How many lines were removed and added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineChanges {
    pub(super) removed: usize,
    pub(super) added: usize,
}

impl LineChanges {
    /// A line that replaces another is one change.
    pub(super) fn lines(self) -> usize {
        self.removed.max(self.added)
    }
}

/// Counts the lines that are in one version only.
pub(super) fn count_changes(before: &str, after: &str) -> LineChanges {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(one, other): &(&&str, &&str)| one == other;
    // What both versions begin and end with is cut off, so that the table below stays small.
    let head = before.iter().zip(&after).take_while(same).count();
    let (before, after) = (before.get(head..).unwrap_or_default(), after.get(head..).unwrap_or_default());
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    let before = before.get(..before.len() - tail).unwrap_or_default();
    let after = after.get(..after.len() - tail).unwrap_or_default();
    let common = common_lines(before, after);
    LineChanges { removed: before.len() - common, added: after.len() - common }
}

/// The length of the longest common subsequence.
fn common_lines(before: &[&str], after: &[&str]) -> usize {
    if before.len().saturating_mul(after.len()) > MOST_COMPARISONS {
        return 0;
    }
    let mut row = vec![0usize; after.len() + 1];
    for line in before {
        // One row of the table is enough: the cell above left is remembered before it is overwritten.
        let mut diagonal = 0;
        let mut left = 0;
        for (other, cell) in after.iter().zip(row.iter_mut().skip(1)) {
            let above = *cell;
            *cell = if line == other { diagonal + 1 } else { above.max(left) };
            (diagonal, left) = (above, *cell);
        }
    }
    row.last().copied().unwrap_or_default()
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
