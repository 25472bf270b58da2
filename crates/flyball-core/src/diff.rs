//! The difference of two texts, line by line, and as a unified diff for people who want to see an
//! edit first.

use std::fmt::Write as _;

/// Unchanged lines shown around each change.
const CONTEXT: usize = 3;

/// Beyond this many changed lines the shortest difference is not worth its time and memory,
/// both of which grow with the square: all lines between the first and the last change are
/// then shown as replaced.
const MAX_CHANGES: usize = 1000;

/// The difference from `old` to `new` with three lines of context; empty if there is none.
#[must_use]
pub fn unified_diff(old: &str, new: &str, name: &str) -> String {
    if old == new {
        return String::new();
    }
    let lines = compare(old, new);
    let mut out = format!("--- {name}\n+++ {name}\n");
    let mut rest = lines.as_slice();
    let mut position = Position { old: 1, new: 1 };
    while let Some([before, hunk, after]) = next_hunk(rest) {
        position.pass(before);
        write_hunk(&mut out, position, hunk);
        position.pass(hunk);
        rest = after;
    }
    out
}

/// A line of one text or of both, with its line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'t> {
    Same(&'t str),
    /// Only in the old text.
    Old(&'t str),
    /// Only in the new one.
    New(&'t str),
}

impl Line<'_> {
    fn is_change(&self) -> bool {
        !matches!(self, Self::Same(_))
    }
}

/// The numbers of the next line on both sides.
#[derive(Clone, Copy)]
struct Position {
    old: usize,
    new: usize,
}

impl Position {
    fn pass(&mut self, lines: &[Line]) {
        self.old += count_old(lines);
        self.new += count_new(lines);
    }
}

fn count_old(lines: &[Line]) -> usize {
    let is_old = |line: &&Line| !matches!(line, Line::New(_));
    lines.iter().filter(is_old).count()
}

fn count_new(lines: &[Line]) -> usize {
    let is_new = |line: &&Line| !matches!(line, Line::Old(_));
    lines.iter().filter(is_new).count()
}

/// Splits off the lines before the next hunk, and the hunk.
fn next_hunk<'l, 't>(lines: &'l [Line<'t>]) -> Option<[&'l [Line<'t>]; 3]> {
    let first = lines.iter().position(Line::is_change)?;
    let (before, rest) = lines.split_at(first.saturating_sub(CONTEXT));
    let mut end = 0;
    for (at, line) in rest.iter().enumerate() {
        if line.is_change() {
            end = at + 1;
        // Closer changes share a hunk, or their context lines would overlap.
        } else if end > 0 && at >= end + 2 * CONTEXT {
            break;
        }
    }
    let (hunk, after) = rest.split_at((end + CONTEXT).min(rest.len()));
    Some([before, hunk, after])
}

fn write_hunk(out: &mut String, position: Position, hunk: &[Line]) {
    let old = range(position.old, count_old(hunk));
    let new = range(position.new, count_new(hunk));
    // Writing to a string cannot fail.
    let _ = writeln!(out, "@@ -{old} +{new} @@");
    for line in hunk {
        let (sign, text) = match line {
            Line::Same(text) => (' ', text),
            Line::Old(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        let _ = write!(out, "{sign}{text}");
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

fn range(start: usize, count: usize) -> String {
    match count {
        // An empty range is named by the line before it.
        0 => format!("{},0", start - 1),
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    }
}

/// All lines of both texts, each as same, old or new.
#[must_use]
pub fn compare<'t>(old: &'t str, new: &'t str) -> Vec<Line<'t>> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let same = old.iter().zip(&new);
    let head = same.take_while(|(old, new)| old == new).count();
    let ((head, old), (_, new)) = (old.split_at(head), new.split_at(head));
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take_while(|(old, new)| old == new).count();
    let (old, same) = old.split_at(old.len() - tail);
    let (new, _) = new.split_at(new.len() - tail);

    let mut lines: Vec<_> = head.iter().map(|line| Line::Same(line)).collect();
    lines.extend(shortest(old, new).unwrap_or_else(|| replaced(old, new)));
    lines.extend(same.iter().map(|line| Line::Same(line)));
    lines
}

fn replaced<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let old = old.iter().map(|line| Line::Old(line));
    old.chain(new.iter().map(|line| Line::New(line))).collect()
}

/// How far into the old text a path has come on each diagonal (old position minus new
/// position), after some number of changes. Every second diagonal from `-changes` is in use.
#[derive(Clone, Default)]
struct Reach {
    furthest: Vec<usize>,
    changes: isize,
}

impl Reach {
    fn at(&self, diagonal: isize) -> Option<usize> {
        let index = usize::try_from(diagonal + self.changes).ok()?;
        self.furthest.get(index / 2).copied()
    }

    /// Whether the best way to a diagonal, with one change more, is to take a new line.
    fn is_insertion(&self, diagonal: isize) -> bool {
        self.at(diagonal - 1) < self.at(diagonal + 1)
    }

    /// Where on the diagonal one more change leads.
    fn step(&self, diagonal: isize) -> usize {
        if self.is_insertion(diagonal) {
            self.at(diagonal + 1).unwrap_or(0)
        } else {
            self.at(diagonal - 1).map_or(0, |old| old + 1)
        }
    }
}

/// The shortest difference (Myers, "An O(ND) Difference Algorithm"), unless it is too long.
fn shortest<'t>(old: &[&'t str], new: &[&'t str]) -> Option<Vec<Line<'t>>> {
    let mut history: Vec<Reach> = Vec::new();
    let goal = old.len().cast_signed() - new.len().cast_signed();
    for changes in 0..=MAX_CHANGES.min(old.len() + new.len()).cast_signed() {
        let before = history.last();
        let furthest: Vec<usize> = (-changes..=changes)
            .step_by(2)
            .map(|diagonal| {
                let start = before.map_or(0, |reach| reach.step(diagonal));
                start + count_same(old, new, (start, diagonal))
            })
            .collect();
        let reach = Reach { furthest, changes };
        // Only every second diagonal is in use; `at` would read a neighbour for the others.
        let is_done = (goal + changes) % 2 == 0 && reach.at(goal) >= Some(old.len());
        history.push(reach);
        if is_done {
            return Some(trace_back(old, new, &history));
        }
    }
    None
}

/// How many lines are the same from an old position on, along a diagonal.
fn count_same(old: &[&str], new: &[&str], (start, diagonal): (usize, isize)) -> usize {
    let old = old.get(start..).unwrap_or_default();
    let new_start = usize::try_from(start.cast_signed() - diagonal).unwrap_or(usize::MAX);
    let new = new.get(new_start..).unwrap_or_default();
    let pairs = old.iter().zip(new);
    pairs.take_while(|(old, new)| old == new).count()
}

/// Walks from the end of both texts back to their start, along the path that was found.
fn trace_back<'t>(old: &[&'t str], new: &[&'t str], history: &[Reach]) -> Vec<Line<'t>> {
    let mut lines = Vec::new();
    let mut end = old.len();
    let mut diagonal = old.len().cast_signed() - new.len().cast_signed();
    let same = |span: std::ops::Range<usize>| old.get(span).unwrap_or_default().iter().rev();
    // The last one is the end itself; each before it is one change earlier.
    for before in history.iter().rev().skip(1) {
        let start = before.step(diagonal);
        lines.extend(same(start..end).map(|line| Line::Same(line)));
        if before.is_insertion(diagonal) {
            let taken = usize::try_from(start.cast_signed() - diagonal - 1).ok();
            lines.extend(taken.and_then(|at| new.get(at)).map(|line| Line::New(line)));
            diagonal += 1;
            end = start;
        } else {
            end = start.saturating_sub(1);
            lines.extend(old.get(end).map(|line| Line::Old(line)));
            diagonal -= 1;
        }
    }
    lines.extend(same(0..end).map(|line| Line::Same(line)));
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shows_changes_with_three_lines_around_them() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15";
        let diff = "\
--- settings.json
+++ settings.json
@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
@@ -12,3 +12,4 @@
 12
 13
 14
+15
\\ No newline at end of file
";
        assert_eq!(unified_diff(old, new, "settings.json"), diff);
    }

    #[test]
    fn changes_that_share_their_surroundings_share_a_hunk() {
        let diff = "--- n\n+++ n\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n";
        let (old, new) = ("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n");
        assert_eq!(unified_diff(old, new, "n"), diff);
    }

    #[test]
    fn the_edges() {
        let cases = [
            ("nothing changed", "a\n", "a\n", ""),
            ("a new file", "", "a\nb\n", "--- n\n+++ n\n@@ -0,0 +1,2 @@\n+a\n+b\n"),
            ("all gone", "a\n", "", "--- n\n+++ n\n@@ -1 +0,0 @@\n-a\n"),
            ("line endings", "a\r\n", "a\n", "--- n\n+++ n\n@@ -1 +1 @@\n-a\r\n+a\n"),
            (
                "only the last line break",
                "a",
                "a\n",
                "--- n\n+++ n\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
            ),
        ];
        for (name, old, new, diff) in cases {
            assert_eq!(unified_diff(old, new, "n"), diff, "{name}");
        }
    }

    #[test]
    fn ten_thousand_lines_that_all_differ_are_replaced() {
        let old: String = (0..10_000).map(|line| format!("old {line}\n")).collect();
        let new: String = (0..10_000).map(|line| format!("new {line}\n")).collect();
        let diff = unified_diff(&old, &new, "n");
        assert_eq!(diff.lines().count(), 20_003);
        assert_eq!(apply(&old, &diff), new);
    }

    /// What `patch` does, for diffs that fit.
    fn apply(old: &str, diff: &str) -> String {
        let mut old = old.split_inclusive('\n');
        let mut new = String::new();
        let mut at = 1;
        for line in diff.split_inclusive('\n').skip(2) {
            let (sign, text) = line.split_at(1);
            match sign {
                "@" => {
                    let range = text.split(['-', ' ']).nth(2).unwrap_or_default();
                    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
                    let start: usize = start.parse().unwrap();
                    let start = if count == "0" { start + 1 } else { start };
                    new.extend(old.by_ref().take(start - at));
                    at = start;
                }
                "+" => new.push_str(text),
                sign => {
                    let line = old.next().unwrap();
                    assert_eq!(line, text);
                    at += 1;
                    new.push_str(if sign == " " { line } else { "" });
                }
            }
        }
        new.extend(old);
        new
    }

    proptest! {
        #[test]
        fn applying_the_difference_gives_the_new_text(
            old in proptest::collection::vec("[a-d]", 0..30),
            new in proptest::collection::vec("[a-d]", 0..30),
        ) {
            let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let (old, new) = (text(&old), text(&new));
            prop_assert_eq!(apply(&old, &unified_diff(&old, &new, "n")), new);
        }

        #[test]
        fn the_difference_is_the_shortest(
            old in proptest::collection::vec("[a-c]", 0..12),
            new in proptest::collection::vec("[a-c]", 0..12),
        ) {
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let new: Vec<&str> = new.iter().map(String::as_str).collect();
            let changes = shortest(&old, &new).unwrap().iter().filter(|line| line.is_change()).count();
            prop_assert_eq!(changes, old.len() + new.len() - 2 * common(&old, &new));
        }
    }

    /// The length of the longest common subsequence.
    fn common(old: &[&str], new: &[&str]) -> usize {
        let mut row = vec![0; new.len() + 1];
        for old in old {
            let mut corner = 0;
            for (at, new) in new.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if old == new { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[new.len()]
    }
}
