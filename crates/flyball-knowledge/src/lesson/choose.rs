//! Which lessons an agent gets: those that match its prompt, the fresh ones, and warnings first.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use flyball_core::redact::redact;
use flyball_core::text::Words;
use flyball_core::time::{DAY, Time};

use super::kind::Kind;
use super::line::Lesson;
use super::sentence;
use crate::role::Role;
use crate::{similar, tokens};

/// The longest part of one lesson, in bytes; it ends with a sentence.
const LESSON_BYTES: usize = 480;
/// Roughly; [`tokens::estimate`] counts what is really used.
const BYTES_PER_TOKEN: usize = 4;
/// Marks a lesson that was cut.
const CUT: &str = " […]";
/// Shorter words do not show what a text is about.
const WORD_LETTERS: usize = 4;
/// The highest score for words in common.
const MOST_FIT: u64 = 12;

/// Fewer tokens have no space for a lesson.
const LEAST_TOKENS: usize = 6;
/// Only the newest are weighed.
const MOST_WEIGHED: usize = 400;

/// Words that every prompt has.
const COMMON: Words = Words(
    "about|after|agent|also|always|been|before|code|does|each|every|file|files|from|have|into|make|must|need|\
    needs|never|only|other|please|should|some|task|that|their|them|then|there|they|this|those|using|what|\
    when|where|which|will|with|work|your",
);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// What the agent does.
    pub role: Option<Role>,
    /// What it is asked to do.
    pub prompt: &'a str,
    pub now: Time,
    /// The most tokens the text may have.
    pub tokens: usize,
}

/// The lessons that were chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// A list, one lesson a line; empty if there is none.
    pub text: String,
    /// How many are in it.
    pub included: usize,
    /// How many there are besides.
    pub left_out: usize,
}

/// The lessons that match a request. Handoff notes are not lessons.
#[must_use]
pub fn choose(lessons: &[Lesson], request: &Request<'_>) -> Selection {
    let count = lessons.iter().filter(|lesson| lesson.kind != Kind::Handoff).count();
    let ranked = ranked(lessons, request);
    let mut taken: Vec<(&Lesson, String)> = Vec::new();
    let mut text = String::new();
    for lesson in &ranked {
        let room = request.tokens.saturating_sub(tokens::estimate(&text));
        if room < LEAST_TOKENS {
            break;
        }
        // Its first sentence does not fit, but a shorter lesson may.
        let Some(line) = line(lesson, room) else { continue };
        let longer = if text.is_empty() { line.clone() } else { format!("{text}\n{line}") };
        let fits = tokens::estimate(&longer) <= request.tokens;
        // Comparing costs most, so it comes last.
        if fits && !taken.iter().any(|(other, _)| says_the_same(other, lesson)) {
            text = longer;
            taken.push((lesson, line));
        }
    }
    // Warnings come first; the sort keeps the order of the ranks.
    taken.sort_by_key(|(lesson, _)| lesson.kind);
    let (included, left_out) = (taken.len(), count - taken.len());
    let text = taken.into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("\n");
    Selection { text, included, left_out }
}

fn says_the_same(one: &Lesson, other: &Lesson) -> bool {
    one.kind == other.kind && similar::is_same(&one.text, &other.text)
}

/// All lessons, the best first.
fn ranked<'a>(lessons: &'a [Lesson], request: &Request<'_>) -> Vec<&'a Lesson> {
    let topic = topics(request.prompt);
    let is_lesson = |(_, lesson): &(usize, &Lesson)| lesson.kind != Kind::Handoff;
    let newest = lessons.iter().enumerate().rev().filter(is_lesson).take(MOST_WEIGHED);
    let mut all: Vec<(usize, &Lesson)> = newest.collect();
    // A later line was learned later, whatever the times say.
    all.sort_by_cached_key(|(at, lesson)| Reverse((weight(lesson, &topic, request), *at)));
    all.into_iter().map(|(_, lesson)| lesson).collect()
}

fn weight(lesson: &Lesson, topic: &BTreeSet<String>, request: &Request<'_>) -> u64 {
    fit(lesson, topic) * 10
        + role_match(lesson, request.role) * 10
        + freshness(lesson, request.now)
        + importance(lesson.kind)
}

/// What a lesson and the prompt have in common. A path says more than a word.
fn fit(lesson: &Lesson, topic: &BTreeSet<String>) -> u64 {
    let shared = topics(&lesson.text).into_iter().filter(|word| topic.contains(word));
    let worth = |word: String| if word.contains(['/', '.']) { 4 } else { 2 };
    shared.map(worth).sum::<u64>().min(MOST_FIT)
}

/// Whether an agent of the same role learned it.
fn role_match(lesson: &Lesson, role: Option<Role>) -> u64 {
    u64::from(role.is_some() && Role::from_agent(&lesson.source) == role)
}

fn freshness(lesson: &Lesson, now: Time) -> u64 {
    // 1970 stands for a line without a time, so its age is not known.
    if lesson.at == Time::default() {
        return 0;
    }
    match now.since(lesson.at).as_secs() / DAY.as_secs() {
        0 => 20,
        1..7 => 15,
        7..30 => 10,
        30..180 => 5,
        _ => 0,
    }
}

const fn importance(kind: Kind) -> u64 {
    match kind {
        Kind::Avoid => 12,
        Kind::Works => 6,
        Kind::Fact | Kind::Handoff => 0,
    }
}

/// The words and paths that a text is about, in lower case.
fn topics(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '/' | '.');
    let mut topics = BTreeSet::new();
    for token in text.split(|letter| !is_part(letter)) {
        let token = token.trim_matches(['.', '-', '/']).to_lowercase();
        if token.contains(['/', '.']) {
            topics.insert(token.clone());
            // A file is the same by its name alone.
            topics.extend(token.rsplit('/').next().filter(|name| name.contains('.')).map(str::to_owned));
        }
        let words = token.split(['/', '.', '-']).filter(|word| word.chars().count() >= WORD_LETTERS);
        topics.extend(words.filter(|word| !COMMON.contains(word)).map(str::to_owned));
    }
    topics
}

/// A lesson in one line of a list, in whole sentences.
fn line(lesson: &Lesson, tokens: usize) -> Option<String> {
    let head = format!("- {} {}: ", lesson.kind.sign(), lesson.kind.name());
    let text = sentence::in_one_line(&redact(&lesson.text));
    let room = tokens.saturating_mul(BYTES_PER_TOKEN).saturating_sub(head.len()).min(LESSON_BYTES);
    if text.len() <= room {
        return Some(head + &text);
    }
    let start = sentence::beginning(&text, room.saturating_sub(CUT.len()))?;
    Some(format!("{head}{start}{CUT}"))
}
