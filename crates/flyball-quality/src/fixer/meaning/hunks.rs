//! The places where two texts differ.

use std::ops::Range;

use flyball_core::diff::{self, Line};

use crate::scope::plain_line_ends;

/// Lines that differ, in both versions. Line numbers count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    /// Empty where lines are only added: it begins then with the line behind them.
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

impl Hunk {
    /// The first and the last line of the old version that it touches. What is only added touches the lines around it.
    pub(super) fn touched(&self) -> (usize, usize) {
        if self.before.is_empty() {
            (self.before.start.saturating_sub(1), self.before.start)
        } else {
            (self.before.start, self.before.end - 1)
        }
    }

    /// The line that a message names: one that the model can look at.
    pub(super) fn shown_line(&self) -> usize {
        self.touched().0.max(1)
    }
}

/// All differences in order. Line ends do not count, and blank lines do not separate.
pub(super) fn all(before: &str, after: &str) -> Vec<Hunk> {
    let (before, after) = (plain_line_ends(before), plain_line_ends(after));
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut old, mut new) = (1, 1);
    let mut only_blank = false;
    for line in diff::compare(&before, &after) {
        let (in_old, in_new) = match line {
            Line::Same(text) => {
                only_blank &= text.trim().is_empty();
                old += 1;
                new += 1;
                continue;
            }
            Line::Old(_) => (1, 0),
            Line::New(_) => (0, 1),
        };
        match hunks.last_mut().filter(|_| only_blank) {
            Some(hunk) => {
                hunk.before.end = old + in_old;
                hunk.after.end = new + in_new;
            }
            None => hunks.push(Hunk { before: old..old + in_old, after: new..new + in_new }),
        }
        only_blank = true;
        old += in_old;
        new += in_new;
    }
    hunks
}
