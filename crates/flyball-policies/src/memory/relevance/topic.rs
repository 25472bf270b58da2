//! The topics of a text, looked up by its words.

use std::collections::BTreeMap;
use std::ops::{BitAnd, BitOr};
use std::sync::LazyLock;

use flyball_knowledge::similar;

use super::shape;
use super::text::{Name, is_name_letter, names, parts};
use super::topics::{TOPICS, Topic, Width};

/// A set of topics, a bit for each row of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Topics {
    low: u128,
    high: u128,
}

impl Topics {
    const NONE: Topics = Topics { low: 0, high: 0 };

    /// The topic of one row; none where there is no bit for it.
    pub(super) fn of_row(row: usize) -> Topics {
        let bit =
            |row: usize| u32::try_from(row).ok().and_then(|row| 1_u128.checked_shl(row)).unwrap_or_default();
        let half = 128;
        if row < half { Topics { low: bit(row), high: 0 } } else { Topics { low: 0, high: bit(row - half) } }
    }

    pub(super) fn is_empty(self) -> bool {
        self == Topics::NONE
    }

    pub(super) fn without(self, other: Topics) -> Topics {
        Topics { low: self.low & !other.low, high: self.high & !other.high }
    }

    /// The rows of these topics.
    pub(super) fn rows(self) -> impl Iterator<Item = usize> {
        let of = |bits: u128, first: usize| {
            (0..128_usize).filter(move |row| bits >> row & 1 == 1).map(move |row| first + row)
        };
        of(self.low, 0).chain(of(self.high, 128))
    }
}

impl BitOr for Topics {
    type Output = Topics;

    fn bitor(self, other: Topics) -> Topics {
        Topics { low: self.low | other.low, high: self.high | other.high }
    }
}

impl BitAnd for Topics {
    type Output = Topics;

    fn bitand(self, other: Topics) -> Topics {
        Topics { low: self.low & other.low, high: self.high & other.high }
    }
}

fn all(topics: impl Iterator<Item = Topics>) -> Topics {
    topics.fold(Topics::NONE, BitOr::bitor)
}

/// The topics that are so broad that they say little.
pub(super) fn broad() -> Topics {
    TABLE.broad
}

/// The topics that are so narrow that a rule and an edit that have one in common are about the same.
pub(super) fn exact() -> Topics {
    TABLE.exact
}

/// The topic of text for people.
pub(super) fn prose() -> Topics {
    named_by("prose")
}

/// The topics of what pages look like.
pub(super) fn styles() -> Topics {
    named_by("css") | named_by("color") | named_by("padding")
}

fn named_by(word: &str) -> Topics {
    TABLE.rule.plain_by_stem(word)
}

/// The topics of a new file with this text.
pub(super) fn of_new_file(text: &str) -> Topics {
    let start: String = text.lines().take(12).collect::<Vec<_>>().join("\n").to_lowercase();
    let has_license = ["copyright", "license", "licence", "spdx"].iter().any(|word| start.contains(word));
    if has_license { Topics::NONE } else { TABLE.code.shape("{no-license}") }
}

/// The topics that the words of a rule name, with the place of each.
pub(super) fn named_in_rule(text: &str, mut found: impl FnMut(usize, Topics)) {
    let lower = text.to_ascii_lowercase();
    for name in names(&lower) {
        found(name.at, TABLE.rule.plain_by_stem(name.text) | TABLE.rule.phrases_at(&lower, name));
    }
    found(0, TABLE.rule.bare_in(&lower));
}

/// The topics that changed lines are about.
pub(super) fn named_in_code(code: &str) -> Topics {
    let lower = code.to_ascii_lowercase();
    let by_place =
        names(&lower).map(|name| TABLE.code.plain(name.text) | TABLE.code.phrases_at(&lower, name));
    let by_part = names(code)
        .flat_map(|name| parts(name.text))
        .map(|part| TABLE.code.plain(&part.to_ascii_lowercase()));
    let by_shape = shape::ALL.iter().filter(|(_, is_so)| is_so(code)).map(|(name, _)| TABLE.code.shape(name));
    all(by_place.chain(by_part).chain(by_shape)) | TABLE.code.bare_in(&lower)
}

/// The topics of a file, by its path.
pub(super) fn of_file(path: &str) -> Topics {
    let place = Place::new(path);
    let is_one = |topic: &Topic| topic.files.split('|').any(|pattern| place.matches(pattern));
    all(TOPICS.iter().enumerate().filter(|(_, topic)| is_one(topic)).map(|(row, _)| Topics::of_row(row)))
}

/// Topics that only mean something in their own files.
pub(super) fn only_in_its_files() -> Topics {
    TABLE.code.shape("{requirement}")
}

/// Whether a file has tests, by its path.
pub(super) fn is_test(path: &str) -> bool {
    let place = Place::new(path);
    TOPICS.first().is_some_and(|tests| tests.files.split('|').any(|pattern| place.matches(pattern)))
}

/// The path of a file, split.
struct Place<'a> {
    folders: Vec<&'a str>,
    name: &'a str,
    words: Vec<String>,
}

impl<'a> Place<'a> {
    fn new(path: &'a str) -> Place<'a> {
        let mut folders: Vec<&str> = path.split('/').collect();
        let name = folders.pop().unwrap_or_default();
        let words = names(path).flat_map(|name| parts(name.text)).map(str::to_ascii_lowercase).collect();
        Place { folders, name, words }
    }

    fn matches(&self, pattern: &str) -> bool {
        if pattern.is_empty() {
            return false;
        }
        if let Some(folder) = pattern.strip_suffix('/') {
            return self.folders.contains(&folder);
        }
        if pattern.starts_with(['.', '_']) {
            return self.name.ends_with(pattern) || (pattern.ends_with('.') && self.name.contains(pattern));
        }
        if pattern.ends_with(['_', '.']) {
            return self.name.starts_with(pattern);
        }
        if pattern.contains('.') || pattern.starts_with(|letter: char| letter.is_uppercase()) {
            return self.name.ends_with(pattern);
        }
        self.words.iter().any(|word| word == pattern)
    }
}

struct Table {
    rule: Index,
    code: Index,
    broad: Topics,
    exact: Topics,
}

/// Built once in a process, and only if there are rules.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let (broad, exact) = (Topics::NONE, Topics::NONE);
    let mut table = Table { rule: Index::default(), code: Index::default(), broad, exact };
    for (row, topic) in TOPICS.iter().enumerate() {
        let bit = Topics::of_row(row);
        topic.rule.split('|').for_each(|pattern| table.rule.add(pattern, bit, Form::Stem));
        topic.code.split('|').for_each(|pattern| table.code.add(pattern, bit, Form::Whole));
        match topic.width {
            Width::Broad => table.broad = table.broad | bit,
            Width::Exact => table.exact = table.exact | bit,
            Width::Usual => {}
        }
    }
    table
});

/// How a plain word is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Stem,
    Whole,
}

/// A pattern of several words or signs.
struct Phrase {
    text: &'static str,
    /// Where its first word begins.
    inside: usize,
    topics: Topics,
}

impl Phrase {
    /// Whether a text has it with its first word at this place.
    fn is_at(&self, text: &str, at: usize) -> bool {
        let here = at.checked_sub(self.inside).and_then(|start| text.get(start..));
        here.is_some_and(|here| here.starts_with(self.text) && is_ended(here, self.text))
    }
}

/// Patterns by their first word.
#[derive(Default)]
struct Index {
    plain: BTreeMap<String, Topics>,
    phrases: BTreeMap<&'static str, Vec<Phrase>>,
    /// Patterns without any word.
    bare: Vec<(&'static str, Topics)>,
}

impl Index {
    fn add(&mut self, pattern: &'static str, topics: Topics, form: Form) {
        if pattern.is_empty() {
            return;
        }
        if pattern.chars().all(is_name_letter) || pattern.starts_with('{') {
            let key = if form == Form::Stem { similar::stem(pattern) } else { pattern.to_owned() };
            let known = self.plain.entry(key).or_default();
            *known = *known | topics;
            return;
        }
        match names(pattern).next() {
            Some(first) => {
                self.phrases.entry(first.text).or_default().push(Phrase {
                    text: pattern,
                    inside: first.at,
                    topics,
                });
            }
            None => self.bare.push((pattern, topics)),
        }
    }

    fn plain(&self, word: &str) -> Topics {
        self.plain.get(word).copied().unwrap_or_default()
    }

    fn plain_by_stem(&self, word: &str) -> Topics {
        self.plain.get(similar::stem(word).as_str()).copied().unwrap_or_default()
    }

    fn shape(&self, name: &str) -> Topics {
        self.plain(name)
    }

    /// The topics of the phrases of which this name of a text is the first word.
    fn phrases_at(&self, text: &str, first: Name<'_>) -> Topics {
        let Some(phrases) = self.phrases.get(first.text) else { return Topics::NONE };
        all(phrases.iter().filter(|phrase| phrase.is_at(text, first.at)).map(|phrase| phrase.topics))
    }

    fn bare_in(&self, text: &str) -> Topics {
        all(self.bare.iter().filter(|(piece, _)| text.contains(piece)).map(|(_, topics)| *topics))
    }
}

/// Whether a phrase that ends with a letter is not continued by others.
fn is_ended(here: &str, phrase: &str) -> bool {
    let ends_with_letter = phrase.chars().next_back().is_some_and(is_name_letter);
    let next = here.get(phrase.len()..).and_then(|after| after.chars().next());
    !(ends_with_letter && next.is_some_and(is_name_letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(rule: &str, code: &str) -> bool {
        let mut topics = Topics::NONE;
        named_in_rule(rule, |_, more| topics = topics | more);
        !(topics & named_in_code(code)).without(broad()).is_empty()
    }

    #[test]
    fn a_rule_and_an_edit_meet_in_a_topic_without_a_common_word() {
        let cases = [
            ("Times are kept in UTC", "const now = new Date();", true),
            ("Amounts are never floating", "let price = 3", true),
            ("Colours come from the theme", "style = \"#3366ff\"", true),
            ("Never build a query by string concatenation", "q = \"select a from b where c = '\" + d", true),
            ("Icons have a label", "<button onClick={close}>", true),
            ("Times are kept in UTC", "const size = words.length;", false),
            ("Colours come from the theme", "see issue number 4", false),
        ];
        for (rule, code, expected) in cases {
            assert_eq!(shared(rule, code), expected, "{rule} / {code}");
        }
    }

    #[test]
    fn a_file_has_topics_by_its_place() {
        for path in
            ["src/a.test.ts", "tests/a.rs", "test_a.py", "a_test.go", "x/__tests__/a.js", "FooTest.java"]
        {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/latest.ts", "contest/a.rs", "a.go", "tests.md.txt"] {
            assert!(!is_test(path), "{path}");
        }
        assert!(!(of_file("db/migrations/1.sql") & broad()).is_empty());
        assert!(of_file("a").is_empty());
    }

    #[test]
    fn the_table_fits_into_a_set() {
        assert!(TOPICS.len() <= 256, "{}", TOPICS.len());
        let sorted_out =
            TOPICS.iter().flat_map(|topic| topic.code.split('|')).filter(|it| it.starts_with('{'));
        for name in sorted_out {
            let is_known = name == "{no-license}" || shape::ALL.iter().any(|(shape, _)| *shape == name);
            assert!(is_known, "{name}");
        }
    }
}
