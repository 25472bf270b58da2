//! The history of a loop, limited in size.

use flyball_core::text;
use flyball_core::time::Time;

use crate::r#loop::feedback::state::{Entry, State};

/// How many entries are stored.
pub(super) const MOST_ENTRIES: usize = 60;
/// How many characters one may have.
const LONGEST_ENTRY: usize = 240;
/// How many issues of a phase are stored.
pub(super) const MOST_ISSUES: usize = 20;
/// How many characters an issue may have.
pub(super) const LONGEST_ISSUE: usize = 500;
/// How many characters of a command's output are stored, from its end, where the error is.
pub(super) const LONGEST_TAIL: usize = 4_000;

impl State {
    pub(super) fn note(&mut self, now: Time, what: &str) {
        let what = text::fit(&text::one_line(what), LONGEST_ENTRY).into_owned();
        self.history.push(Entry { at: now, iteration: self.iteration, what });
        while self.history.len() > MOST_ENTRIES {
            let iterations: Vec<u32> = self.history.iter().map(|entry| entry.iteration).collect();
            self.history.remove(least_needed(&iterations));
        }
    }
}

/// At most this many entries, with the last one of every iteration as long as there is room for it.
#[must_use]
pub fn condense(history: &[Entry], most: usize) -> Vec<&Entry> {
    condense_by(history, most, |entry| entry.iteration)
}

/// The same for entries in another form.
#[must_use]
pub fn condense_by<E>(history: &[E], most: usize, iteration: fn(&E) -> u32) -> Vec<&E> {
    let mut shown: Vec<&E> = history.iter().collect();
    while shown.len() > most {
        let iterations: Vec<u32> = shown.iter().map(|entry| iteration(entry)).collect();
        shown.remove(least_needed(&iterations));
    }
    shown
}

/// The oldest entry that is not the last one of its iteration, else the oldest.
fn least_needed(iterations: &[u32]) -> usize {
    iterations.iter().zip(iterations.iter().skip(1)).position(|(this, next)| this == next).unwrap_or_default()
}

/// Issues as they are stored: not too many, none too long, none twice.
pub(super) fn bounded(issues: &[String]) -> Vec<String> {
    joined(&[], issues.iter().map(|issue| text::fit(issue.trim(), LONGEST_ISSUE).into_owned()))
}

/// Issues and those that came later: not too many, none twice.
pub(super) fn joined(first: &[String], more: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut all = first.to_vec();
    for issue in more {
        if !issue.is_empty() && !all.contains(&issue) && all.len() < MOST_ISSUES {
            all.push(issue);
        }
    }
    all
}

/// The end of a text.
pub(super) fn end_of(text: &str) -> String {
    let text = text.trim_end();
    let surplus = text.chars().count().saturating_sub(LONGEST_TAIL);
    if surplus == 0 {
        text.to_owned()
    } else {
        // One letter less, for the mark.
        ['…'].into_iter().chain(text.chars().skip(surplus + 1)).collect()
    }
}
