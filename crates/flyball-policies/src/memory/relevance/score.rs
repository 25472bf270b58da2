//! How much a rule is about an edit. The weights are tuned on one half of the labelled set (`cargo dev relevance`).

use std::collections::BTreeMap;

use flyball_knowledge::polarity::Role;
use flyball_knowledge::similar;

use super::edit::Subject;
use super::forbidden::{counted_lines, rate_forbidden};
use super::headings::Part;
use super::place::{fit, rate_place};
use super::rule::Features;
use super::text::{is_keyword, is_weak, names};
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
const EXACT_TOPIC: f64 = 1.25;
/// By where the edit has a topic: in its added, its removed or its other lines, or by its file.
const TOPIC_PLACES: [f64; 3] = [1.0, 0.7, 0.35];
const FILE_TOPIC: f64 = 0.8;
/// A heading above the rule has a word of the change.
const HEADING: f64 = 0.3;
/// The rule is in the nearest node, or in one below the root.
const NEAREST: f64 = 0.35;
const BELOW_ROOT: f64 = 0.15;
/// It says that it is about its folder.
const ABOUT_FOLDER: f64 = 1.2;
/// The change does already what the rule asks for; it has that without which something is forbidden.
const DONE: f64 = 0.35;
const MET: f64 = 0.2;
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
    let fit = fit(rule, subject);
    let forbidden = if fit.may_break { rate_forbidden(rule, subject) } else { 0.0 };
    let mut score = CODE * code.score.min(MOST_CODE)
        + FORBIDDEN * forbidden
        + rate_place(rule, subject)
        + rate_words(rule, subject, frequencies)
        + TOPIC * rate_topics(rule, subject, frequencies).min(MOST_TOPICS);
    let is_broken = forbidden > 0.0;
    if !is_broken {
        score *= code.done;
    }
    if score > 0.0 && rule.depth > 0 {
        score += if rule.depth == frequencies.deepest { NEAREST } else { BELOW_ROOT };
        score += if rule.is_about_folder { ABOUT_FOLDER } else { 0.0 };
    }
    if score > 0.0 && rule.part == Part::Tests && subject.is_test {
        score += A_TEST;
    }
    Relevance { score: score * fit.factor * rate_part(rule, subject), is_broken }
}

struct CodeRating {
    score: f64,
    /// What is left of a score if the change has what the rule asks for.
    done: f64,
}

fn rate_code(rule: &Features, subject: &Subject, frequencies: &Frequencies<'_>) -> CodeRating {
    let (mut score, mut present, mut asked, mut is_met, mut given) = (0.0, 0, false, false, 0);
    for (code, role) in &rule.code {
        let is_asked = matches!(role, Role::Wanted | Role::Needed | Role::Kept | Role::Given);
        given += usize::from(is_asked);
        let found = presence(code, *role, rule, subject);
        if found <= 0.0 || *role == Role::Exempt {
            continue;
        }
        let is_there = has_all(code, subject) || subject.context.has(code);
        if is_asked && is_there {
            present += 1;
            asked |= *role != Role::Given;
            is_met |= *role == Role::Needed && !subject.is_task;
        }
        let is_path = code.contains('/') && !code.contains([' ', '(', '*', '@']);
        let lower = code.to_lowercase();
        let is_common = is_keyword(&lower) || is_weak(&similar::stem(&lower));
        let factors = [(is_asked, 0.5), (is_path, 0.4), (is_common, 0.4)];
        let factor: f64 = factors.iter().filter(|(is_so, _)| *is_so).map(|(_, factor)| factor).product();
        score += found * factor * frequencies.code_rarity(code);
    }
    let in_language = rule.asked_language == Some(subject.language);
    let is_done = !subject.is_task && (asked || in_language || (present > 0 && present * 2 >= given));
    let done = match () {
        () if is_met => MET,
        () if is_done => DONE,
        () => 1.0,
    };
    CodeRating { score, done }
}

/// Whether the added lines have a code, or all of its names: its arguments differ.
fn has_all(code: &str, subject: &Subject) -> bool {
    let mut telling = names(code).map(|name| name.text).filter(|name| is_telling(name)).peekable();
    subject.added.has(code) || (telling.peek().is_some() && telling.all(|name| subject.added.has_name(name)))
}

/// Where in a change a code is: 1 for its added lines, less for others; a part of it counts in part.
fn presence(code: &str, role: Role, rule: &Features, subject: &Subject) -> f64 {
    if code.len() < 2 {
        return 0.0;
    }
    let is_forbidden = role == Role::Forbidden;
    let added = if is_forbidden { counted_lines(code, rule, subject) } else { Some(&subject.added) };
    if added.is_some_and(|lines| lines.has(code)) {
        return 1.0;
    }
    if subject.removed.has(code) {
        return 0.8;
    }
    if subject.context.has(code) {
        return 0.4;
    }
    let parts: Vec<&str> = names(code).map(|name| name.text).filter(|name| is_telling(name)).collect();
    let lines = if is_forbidden { &subject.code } else { &subject.added };
    let found = parts.iter().filter(|part| lines.has_name(part)).count();
    if found == 0 { 0.0 } else { 0.6 * count(found) / count(parts.len()) }
}

fn is_telling(name: &str) -> bool {
    const LEAST_LETTERS: usize = 4;
    let lower = name.to_lowercase();
    name.len() >= LEAST_LETTERS && !is_keyword(&lower) && !is_weak(&similar::stem(&lower))
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
    let headings = count(rule.above.words.iter().filter(is_told).count()).min(2.0);
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
    let (broad, exact) = (topic::broad(), topic::exact());
    // What has such a topic is about nothing else.
    let narrow = rule.topics.lead & exact;
    let is_beside = !narrow.is_empty() && (narrow & everywhere).is_empty();
    let beside = if is_beside { BROAD_TOPIC } else { 1.0 };
    let value = |row: usize| {
        let is_broad = !(Topics::of_row(row) & broad).is_empty();
        let is_exact = !(Topics::of_row(row) & exact).is_empty();
        let factor = match () {
            () if is_broad => BROAD_TOPIC,
            () if is_exact => EXACT_TOPIC,
            () => 1.0,
        };
        in_rule(row) * weight_of(row, of_edit.iter().copied()) * factor * frequencies.topic_rarity(row)
    };
    beside * common.rows().map(value).sum::<f64>()
}

/// The weight of the first set that has a topic.
fn weight_of(row: usize, mut sets: impl Iterator<Item = (Topics, f64)>) -> f64 {
    let bit = Topics::of_row(row);
    sets.find(|(topics, _)| !(*topics & bit).is_empty()).map_or(0.0, |(_, weight)| weight)
}

/// Whether the rule is for this kind of work at all.
fn rate_part(rule: &Features, subject: &Subject) -> f64 {
    match rule.part {
        Part::Tests if !subject.is_test && !subject.is_task => NOT_A_TEST,
        Part::Around if rule.code.is_empty() => AROUND,
        Part::Any | Part::Tests | Part::Around => 1.0,
    }
}
