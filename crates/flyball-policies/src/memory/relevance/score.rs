//! How much a rule is about an edit. The weights are tuned on one half of the labelled set (`cargo dev relevance`).

use std::collections::BTreeMap;

use flyball_knowledge::similar;

use super::edit::Subject;
use super::rule::{Features, Part};
use super::text::{has, is_keyword, is_weak, names, words};
use super::token::Role;
use super::topic::{self, Topics};

/// Code of the rule is in the change.
const CODE: f64 = 1.7;
const MOST_CODE: f64 = 2.0;
/// The change has what the rule forbids.
const FORBIDDEN: f64 = 1.5;
/// Common words: each, and as a share of the rule.
const WORDS: f64 = 0.35;
const MOST_WORDS: f64 = 2.5;
const SHARE: f64 = 1.75;
/// Common topics: those that the rule begins with, those of several words, of one word, of its headings.
const TOPIC: f64 = 1.3;
const MOST_TOPICS: f64 = 2.0;
const LEAD_TOPIC: f64 = 1.4;
const OFTEN_TOPIC: f64 = 0.9;
const ONCE_TOPIC: f64 = 0.6;
const HEADING_TOPIC: f64 = 0.35;
const BROAD_TOPIC: f64 = 0.4;
/// By where the edit has a topic: in its added, its removed or its other lines, or by its file.
const TOPIC_PLACES: [f64; 3] = [1.0, 0.7, 0.35];
const FILE_TOPIC: f64 = 0.8;
/// The rule names the file, or a folder that the file is in: as what it says something about or forbids, or besides.
const NAMES_FILE: f64 = 3.0;
const ABOUT_THE_FOLDER: f64 = 2.0;
const NAMES_FOLDER: f64 = 0.5;
/// A heading above the rule has a word of the change.
const HEADING: f64 = 0.3;
/// The rule is in the nearest node, or in one below the root.
const NEAREST: f64 = 0.35;
const BELOW_ROOT: f64 = 0.15;
/// It says that it is about its folder.
const ABOUT_FOLDER: f64 = 1.2;
/// The change does already what the rule asks for.
const DONE: f64 = 0.35;
/// The rule does not hold for this file.
const EXEMPT: f64 = 0.2;
/// It is about tests, and the file is none; it is about what is done around a change.
const NOT_A_TEST: f64 = 0.35;
const A_TEST: f64 = 0.4;
const AROUND: f64 = 0.5;

/// How much a rule is about an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Relevance {
    pub(crate) score: f64,
    /// Whether the change has what the rule forbids.
    pub(crate) is_broken: bool,
}

/// In how many rules words, code and topics are: what is in all of them says nothing.
pub(super) struct Frequencies<'a> {
    rules: usize,
    words: BTreeMap<&'a str, usize>,
    code: BTreeMap<&'a str, usize>,
    topics: BTreeMap<usize, usize>,
    deepest: usize,
}

impl<'a> Frequencies<'a> {
    pub(super) fn new(rules: &'a [Features]) -> Frequencies<'a> {
        let mut found = Frequencies {
            rules: rules.len(),
            words: BTreeMap::new(),
            code: BTreeMap::new(),
            topics: BTreeMap::new(),
            deepest: rules.iter().map(|rule| rule.depth).max().unwrap_or_default(),
        };
        for rule in rules {
            rule.words.keys().for_each(|word| *found.words.entry(word).or_default() += 1);
            rule.code.iter().for_each(|(code, _)| *found.code.entry(code).or_default() += 1);
            let topics = rule.topics.once | rule.topics.headings;
            topics.rows().for_each(|row| *found.topics.entry(row).or_default() += 1);
        }
        found
    }

    /// 1 for a word of one rule, less for one of many.
    fn rarity(&self, word: &str) -> f64 {
        if self.rules < 2 {
            return 1.0;
        }
        let (all, with) = (count(self.rules), count(self.words.get(word).copied().unwrap_or(1)));
        let weight = |with: f64| (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
        weight(with) / weight(1.0)
    }

    fn code_rarity(&self, code: &str) -> f64 {
        1.0 / count(self.code.get(code).copied().unwrap_or(1)).sqrt()
    }

    fn topic_rarity(&self, row: usize) -> f64 {
        let with = self.topics.get(&row).copied().unwrap_or(1).saturating_sub(1).max(1);
        1.0 / count(with).sqrt()
    }
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// How much a rule is about an edit.
pub(super) fn rate(rule: &Features, subject: &Subject, frequencies: &Frequencies<'_>) -> Relevance {
    let code = rate_code(rule, subject, frequencies);
    let forbidden = rate_forbidden(rule, subject);
    let mut score = CODE * code.score.min(MOST_CODE)
        + FORBIDDEN * forbidden
        + rate_place(rule, subject)
        + rate_words(rule, subject, frequencies)
        + TOPIC * rate_topics(rule, subject, frequencies).min(MOST_TOPICS);
    let is_broken = forbidden > 0.0;
    if code.is_done && !is_broken {
        score *= DONE;
    }
    if score > 0.0 && rule.depth > 0 {
        score += if rule.depth == frequencies.deepest { NEAREST } else { BELOW_ROOT };
        score += if rule.is_about_folder { ABOUT_FOLDER } else { 0.0 };
    }
    if score > 0.0 && rule.part == Part::Tests && subject.is_test {
        score += A_TEST;
    }
    Relevance { score: score * rate_part(rule, subject), is_broken }
}

struct CodeRating {
    score: f64,
    /// Whether the change has what the rule asks for.
    is_done: bool,
}

fn rate_code(rule: &Features, subject: &Subject, frequencies: &Frequencies<'_>) -> CodeRating {
    let (mut score, mut present, mut asked, mut given) = (0.0, 0, false, 0);
    for (code, role) in &rule.code {
        let is_asked = matches!(role, Role::Wanted | Role::Given);
        given += usize::from(is_asked);
        let found = presence(code, subject);
        if found <= 0.0 || *role == Role::Exempt {
            continue;
        }
        let is_there = has_all(code, subject) || has(&subject.context, code);
        if is_asked && is_there {
            present += 1;
            asked |= *role == Role::Wanted;
        }
        let is_path = code.contains('/') && !code.contains([' ', '(', '*', '@']);
        let lower = code.to_lowercase();
        let is_common = is_keyword(&lower) || is_weak(&similar::stem(&lower));
        let factors = [(is_asked, 0.5), (is_path, 0.4), (is_common, 0.4)];
        let factor: f64 = factors.iter().filter(|(is_so, _)| *is_so).map(|(_, factor)| factor).product();
        score += found * factor * frequencies.code_rarity(code);
    }
    let is_done = !subject.is_task && (asked || (present > 0 && present * 2 >= given));
    CodeRating { score, is_done }
}

/// Whether the added lines have a code, or all of its names: its arguments differ.
fn has_all(code: &str, subject: &Subject) -> bool {
    let mut telling = names(code).map(|name| name.text).filter(|name| is_telling(name)).peekable();
    is_in(code, &subject.added, subject)
        || (telling.peek().is_some() && telling.all(|name| subject.names.contains(name)))
}

/// Where in a change a code is: 1 for its added lines, less for others; a part of it counts in part.
fn presence(code: &str, subject: &Subject) -> f64 {
    if code.len() < 2 {
        return 0.0;
    }
    if is_in(code, &subject.added, subject) {
        return 1.0;
    }
    if has(&subject.removed, code) {
        return 0.8;
    }
    if has(&subject.context, code) {
        return 0.4;
    }
    let parts: Vec<&str> = names(code).map(|name| name.text).filter(|name| is_telling(name)).collect();
    let found = parts.iter().filter(|part| subject.names.contains(**part)).count();
    if found == 0 { 0.0 } else { 0.6 * count(found) / count(parts.len()) }
}

fn is_telling(name: &str) -> bool {
    const LEAST_LETTERS: usize = 4;
    let lower = name.to_lowercase();
    name.len() >= LEAST_LETTERS && !is_keyword(&lower) && !is_weak(&similar::stem(&lower))
}

/// Whether a text has a code. Most code is nowhere in it, which its first name shows.
fn is_in(code: &str, text: &str, subject: &Subject) -> bool {
    let first = names(code).next();
    first.is_none_or(|name| subject.names.contains(name.text)) && has(text, code)
}

/// How clearly a change brings in what a rule forbids.
fn rate_forbidden(rule: &Features, subject: &Subject) -> f64 {
    const CODE: f64 = 1.5;
    const SHORT: f64 = 0.8;
    const WORD: f64 = 0.6;
    if subject.is_task {
        return 0.0;
    }
    let is_new = |code: &str| is_in(code, &subject.added, subject) && !has(&subject.removed, code);
    let code = rule.code.iter().filter(|(code, role)| *role == Role::Forbidden && is_new(code));
    let by_code = code.map(|(code, _)| if code.len() > 2 { CODE } else { SHORT }).fold(0.0, f64::max);
    if by_code > 0.0 || rule.forbidden_words.is_empty() {
        return by_code;
    }
    let has_word = |text: &str| words(text).any(|word| rule.forbidden_words.contains(&similar::stem(&word)));
    let is_strong = rule.forbidden_words.iter().any(|word| !is_weak(word));
    if is_strong && has_word(&subject.added) && !has_word(&subject.removed) { WORD } else { 0.0 }
}

/// What the paths in a rule say about the file.
fn rate_place(rule: &Features, subject: &Subject) -> f64 {
    let paths = rule.code.iter().enumerate().filter(|(_, (_, role))| *role != Role::Exempt);
    let value = |(at, (code, role)): (usize, &(String, Role))| {
        let is_subject = *role == Role::Forbidden || (at == 0 && rule.begins_with_code);
        names_place(code, &subject.file, is_subject)
    };
    paths.map(value).fold(0.0, f64::max)
}

fn names_place(code: &str, file: &str, is_subject: bool) -> f64 {
    const LEAST: usize = 3;
    let path = code.trim_start_matches("./").trim_matches('/');
    let is_path = code.contains(['/', '*']) || has_ending(code);
    if !is_path || path.len() < LEAST || path.contains(' ') || file.is_empty() {
        return 0.0;
    }
    if path.contains('*') {
        let anywhere = format!("**/{path}");
        let is_match = [path, anywhere.as_str()].iter().any(|glob| fast_glob::glob_match(glob, file));
        return if is_match { NAMES_FILE } else { 0.0 };
    }
    let is_end =
        |end: &str| file == end || file.strip_suffix(end).is_some_and(|before| before.ends_with('/'));
    let is_ending = code.starts_with('.') && !code.contains('/') && file.ends_with(code);
    if is_end(path) || is_ending {
        return NAMES_FILE;
    }
    let is_above = format!("/{file}").contains(&format!("/{path}/"));
    match (is_above && code.contains('/'), is_subject && path.contains('/')) {
        (true, true) => ABOUT_THE_FOLDER,
        (true, false) => NAMES_FOLDER,
        (false, _) => 0.0,
    }
}

/// `a.ts`, `.snap`.
fn has_ending(code: &str) -> bool {
    code.rsplit_once('.').is_some_and(|(_, ending)| {
        (2..=5).contains(&ending.len()) && ending.chars().all(|letter| letter.is_ascii_lowercase())
    })
}

fn rate_words(rule: &Features, subject: &Subject, frequencies: &Frequencies<'_>) -> f64 {
    const SMOOTHING: f64 = 2.0;
    let (mut common, mut all) = (0.0, SMOOTHING);
    for (word, value) in &rule.words {
        let value = value * frequencies.rarity(word);
        all += value;
        common += value * subject.words.get(word).copied().unwrap_or_default();
    }
    let is_told = |word: &&String| subject.words.get(*word).is_some_and(|value| *value >= FILE_TOPIC - 0.2);
    let headings = count(rule.heading_words.iter().filter(is_told).count()).min(2.0);
    WORDS * f64::min(common, MOST_WORDS) + SHARE * common / all + HEADING * headings
}

fn rate_topics(rule: &Features, subject: &Subject, frequencies: &Frequencies<'_>) -> f64 {
    let of_rule = [
        (rule.topics.lead, LEAD_TOPIC),
        (rule.topics.often, OFTEN_TOPIC),
        (rule.topics.once, ONCE_TOPIC),
        (rule.topics.headings, HEADING_TOPIC),
    ];
    let in_rule = |row: usize| weight_of(row, of_rule.iter().copied());
    let [added, removed, context] = subject.topics;
    let [first, second, third] = TOPIC_PLACES;
    let of_edit = [(added, first), (subject.file_topics, FILE_TOPIC), (removed, second), (context, third)];
    let everywhere = added | removed | context | subject.file_topics;
    let out_of_place = topic::only_in_its_files().without(subject.file_topics);
    let common = (everywhere & (rule.topics.once | rule.topics.headings)).without(out_of_place);
    let broad = topic::broad();
    let value = |row: usize| {
        let is_broad = !(Topics::of_row(row) & broad).is_empty();
        let factor = if is_broad { BROAD_TOPIC } else { 1.0 };
        in_rule(row) * weight_of(row, of_edit.iter().copied()) * factor * frequencies.topic_rarity(row)
    };
    common.rows().map(value).sum()
}

/// The weight of the first set that has a topic.
fn weight_of(row: usize, mut sets: impl Iterator<Item = (Topics, f64)>) -> f64 {
    let bit = Topics::of_row(row);
    sets.find(|(topics, _)| !(*topics & bit).is_empty()).map_or(0.0, |(_, weight)| weight)
}

/// Whether the rule is for this kind of work at all.
fn rate_part(rule: &Features, subject: &Subject) -> f64 {
    let is_exempt = |(code, role): &(String, Role)| {
        *role == Role::Exempt && names_place(code, &subject.file, false) > 0.0
    };
    let exempt = if rule.code.iter().any(is_exempt) { EXEMPT } else { 1.0 };
    let part = match rule.part {
        Part::Tests if !subject.is_test && !subject.is_task => NOT_A_TEST,
        Part::Around if rule.code.is_empty() => AROUND,
        Part::Any | Part::Tests | Part::Around => 1.0,
    };
    exempt * part
}
