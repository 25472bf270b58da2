//! Keeps a lesson file short: duplicates and the least important lessons go to the archive beside it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::workshop::Workshop;

use super::kind::Kind;
use super::line::{Lesson, Line, lines};
use crate::similar::Words;

/// How the names of a lesson file and of its archive end.
const ENDING: &str = ".jsonl";
const ARCHIVE: &str = ".old.jsonl";
/// Up to this many lessons, each is compared with each.
const MOST_COMPARED: usize = 300;

/// The limits of a lesson file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// More lessons than these are too many; four fifths of them are left then, so that the next lesson is not too much
    /// again.
    pub lessons: usize,
    /// How many handoff notes are left, the newest.
    pub handoffs: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { lessons: 100, handoffs: 3 }
    }
}

/// The result for a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compaction {
    /// How many lessons and notes it had.
    pub before: usize,
    /// How many went to the archive because another one says the same.
    pub same: usize,
    /// How many went there because there were too many.
    pub cut: usize,
}

impl Compaction {
    /// Whether anything leaves the file.
    #[must_use]
    pub const fn is_change(&self) -> bool {
        self.same + self.cut > 0
    }
}

/// Shortens a file if it is too long. Lines that are not lessons stay where they are, and all
/// others stay in order. Nothing is lost: lines are written to the archive before they are removed.
///
/// # Errors
/// When a file cannot be read or written.
pub fn compact(
    workshop: &dyn Workshop,
    path: &AbsolutePath,
    limits: Limits,
) -> Result<Compaction, PolicyError> {
    let mut done = Compaction::default();
    // Called again if the file changed meanwhile: nothing must be archived twice.
    let mut archived = BTreeSet::new();
    workshop.update(path, &mut |before| {
        let Some(before) = before else { return Ok(None) };
        let (rest, gone, counts) = split(before, limits);
        done = counts;
        let new: Vec<String> = gone.into_iter().filter(|line| archived.insert(line.clone())).collect();
        if !new.is_empty() {
            workshop.append(&archive(path), &new.join("\n"))?;
        }
        Ok(counts.is_change().then_some(rest))
    })?;
    Ok(done)
}

/// What a compaction of this content would do.
#[must_use]
pub fn preview_compaction(content: &[u8], limits: Limits) -> Compaction {
    split(content, limits).2
}

/// The archive of the file at a path.
fn archive(path: &AbsolutePath) -> AbsolutePath {
    AbsolutePath::from_root(format!("{}{ARCHIVE}", path.strip_suffix(ENDING).unwrap_or(path)))
}

/// What stays, the lines that are archived, and how many.
fn split(content: &[u8], limits: Limits) -> (Vec<u8>, Vec<String>, Compaction) {
    let all: Vec<Line<'_>> = lines(content).collect();
    let outcomes = classify(&all, limits);
    let count = |outcome: Outcome| outcomes.values().filter(|it| **it == outcome).count();
    let counts = Compaction { before: outcomes.len(), same: count(Outcome::Same), cut: count(Outcome::Cut) };
    let (mut rest, mut gone) = (Vec::with_capacity(content.len()), Vec::new());
    for (at, line) in all.iter().enumerate() {
        match outcomes.get(&at) {
            Some(Outcome::Same | Outcome::Cut) => {
                gone.push(String::from_utf8_lossy(line.raw).trim().to_owned())
            }
            Some(Outcome::Stays) | None => rest.extend_from_slice(line.raw),
        }
    }
    (rest, gone, counts)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Stays,
    Same,
    Cut,
}

/// The outcome for each lesson and note, by the number of its line.
fn classify(all: &[Line<'_>], limits: Limits) -> BTreeMap<usize, Outcome> {
    // A line without a newline may still be in the middle of being written.
    let read = |(at, line)| line_with_lesson(line).map(|lesson| (at, lesson));
    let known: Vec<(usize, &Lesson)> = all.iter().enumerate().filter_map(read).collect();
    let (notes, mut lessons): (Vec<_>, Vec<_>) =
        known.iter().copied().partition(|(_, it)| it.kind == Kind::Handoff);
    let mut outcomes: BTreeMap<usize, Outcome> = known.iter().map(|(at, _)| (*at, Outcome::Stays)).collect();
    // Twice the limit of notes, so that not every new note rewrites the file.
    if lessons.len() <= limits.lessons && notes.len() <= limits.handoffs.saturating_mul(2) {
        return outcomes;
    }
    let old_notes = notes.len().saturating_sub(limits.handoffs);
    outcomes.extend(notes.iter().take(old_notes).map(|(at, _)| (*at, Outcome::Cut)));
    if lessons.len() > limits.lessons {
        let room = (limits.lessons * 4 / 5).max(1);
        lessons.sort_by_key(|(at, lesson)| (Reverse(lesson.at), Reverse(*at)));
        judge(&lessons, room, &mut outcomes);
    }
    outcomes
}

fn line_with_lesson<'a>(line: &'a Line<'_>) -> Option<&'a Lesson> {
    line.lesson.as_ref().filter(|_| line.is_ended())
}

/// Decides about lessons, given the newest first. The newest quarter stays; of the others facts are archived first
/// and warnings last.
fn judge(lessons: &[(usize, &Lesson)], room: usize, outcomes: &mut BTreeMap<usize, Outcome>) {
    let mut unique: Vec<(usize, &Lesson)> = Vec::new();
    let mut texts = BTreeSet::new();
    let mut compared: Vec<(Kind, Words<'_>)> = Vec::new();
    for (at, lesson) in lessons {
        // Equal texts are found without comparing each with each, so also beyond `MOST_COMPARED`.
        let mut is_known = !texts.insert((lesson.kind, lesson.text.as_str()));
        if !is_known && compared.len() <= MOST_COMPARED {
            let words = Words::new(&lesson.text);
            is_known = compared.iter().any(|(kind, other)| *kind == lesson.kind && other.is_same(&words));
            if !is_known {
                compared.push((lesson.kind, words));
            }
        }
        if is_known {
            outcomes.insert(*at, Outcome::Same);
        } else {
            unique.push((*at, lesson));
        }
    }
    let fresh = (room / 4).min(unique.len());
    let (_, older) = unique.split_at(fresh);
    let mut older = older.to_vec();
    // The sort is stable: within a kind, the newest stay.
    older.sort_by_key(|(_, lesson)| lesson.kind);
    outcomes.extend(older.iter().skip(room - fresh).map(|(at, _)| (*at, Outcome::Cut)));
}
