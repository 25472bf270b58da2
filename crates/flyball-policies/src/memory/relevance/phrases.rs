//! The phrases of the table of topics by their first words. The compiler splits and sorts them, so that a process only
//! looks up the words that it has.

use flyball_core::text::{is_before, next_listed};
use flyball_knowledge::similar::Stem;

use super::text::is_name_letter;
use super::topic_set::Topics;
use super::topics::{TOPICS, Topic};

/// A phrase of one topic.
#[derive(Clone, Copy)]
pub(super) struct Phrase {
    /// Its first word, or the stem of that without its `y`; empty if it has none. A form of code (`{hex}`) is one word.
    first: &'static str,
    has_y: bool,
    text: &'static str,
    /// Where its first word begins.
    inside: usize,
    /// The place of its topic in the table.
    row: usize,
}

/// Words of rules, by their stems.
static STEMS: [Phrase; count(Kind::Stems)] = sorted(Kind::Stems);
/// What rules are looked through for as it is.
static RULES: [Phrase; count(Kind::Rules)] = sorted(Kind::Rules);
/// The same for changed lines; a plain word among them is also the part of a name.
static CODE: [Phrase; count(Kind::Code)] = sorted(Kind::Code);

#[derive(Clone, Copy)]
enum Kind {
    Stems,
    Rules,
    Code,
}

/// The topics of a word in a rule, by its stem.
pub(super) fn of_stem(word: &str) -> Topics {
    let (first, has_y) = Stem::of(word).parts();
    all(beginning_with(&STEMS, first, has_y))
}

/// The topics of the phrases of rules that a text has at a word of it, which begins at this byte.
pub(super) fn of_rule(text: &str, word: &str, at: usize) -> Topics {
    all(beginning_with(&RULES, word, false).filter(|phrase| phrase.is_at(text, at)))
}

/// The same for the phrases of code.
pub(super) fn of_code(text: &str, word: &str, at: usize) -> Topics {
    all(beginning_with(&CODE, word, false).filter(|phrase| phrase.is_at(text, at)))
}

/// The topics of a word of code, or of a form, as a whole.
pub(super) fn of_word(word: &str) -> Topics {
    all(beginning_with(&CODE, word, false).filter(|phrase| phrase.text == word))
}

/// The topics of what a rule has that is no word.
pub(super) fn of_signs_in_rule(text: &str) -> Topics {
    all(beginning_with(&RULES, "", false).filter(|phrase| text.contains(phrase.text)))
}

/// The same for code.
pub(super) fn of_signs_in_code(text: &str) -> Topics {
    all(beginning_with(&CODE, "", false).filter(|phrase| text.contains(phrase.text)))
}

fn beginning_with(
    phrases: &'static [Phrase],
    first: &str,
    has_y: bool,
) -> impl Iterator<Item = &'static Phrase> {
    let from = phrases.partition_point(|phrase| (phrase.first, phrase.has_y) < (first, has_y));
    phrases.iter().skip(from).take_while(move |phrase| phrase.first == first && phrase.has_y == has_y)
}

fn all<'p>(phrases: impl Iterator<Item = &'p Phrase>) -> Topics {
    Topics::all(phrases.map(|phrase| Topics::of_row(phrase.row)))
}

impl Phrase {
    const NONE: Phrase = Phrase { first: "", has_y: false, text: "", inside: 0, row: 0 };

    /// Whether a text has it with its first word at this place.
    fn is_at(&self, text: &str, at: usize) -> bool {
        let here = at.checked_sub(self.inside).and_then(|start| text.get(start..));
        here.is_some_and(|here| here.starts_with(self.text) && is_ended(here, self.text))
    }

    const fn read(text: &'static str, row: usize, kind: Kind) -> Phrase {
        if let Kind::Stems = kind {
            let (first, has_y) = Stem::of(text).parts();
            return Phrase { first, has_y, text, inside: 0, row };
        }
        let (inside, first) = if is_form(text) { (0, text) } else { first_word(text) };
        Phrase { first, has_y: false, text, inside, row }
    }

    const fn is_before(&self, other: &Phrase) -> bool {
        is_before(self.first, other.first)
            || (!is_before(other.first, self.first) && !self.has_y && other.has_y)
    }
}

/// Whether a phrase that ends with a letter is not continued by others.
fn is_ended(here: &str, phrase: &str) -> bool {
    let ends_with_letter = phrase.chars().next_back().is_some_and(is_name_letter);
    let next = here.get(phrase.len()..).and_then(|after| after.chars().next());
    !(ends_with_letter && next.is_some_and(is_name_letter))
}

/// The phrases of a kind that a topic has, with `|` between them, and others.
const fn listed(topic: &Topic, kind: Kind) -> &'static str {
    match kind {
        Kind::Stems | Kind::Rules => topic.rule,
        Kind::Code => topic.code,
    }
}

const fn is_one(text: &str, kind: Kind) -> bool {
    !text.is_empty()
        && match kind {
            Kind::Stems => is_word(text),
            Kind::Rules => !is_word(text),
            Kind::Code => true,
        }
}

const fn is_word(text: &str) -> bool {
    first_word(text).1.len() == text.len()
}

/// `{hex}`: what lines look like, in no words.
const fn is_form(text: &str) -> bool {
    matches!(text.as_bytes(), [b'{', ..])
}

/// The first word of a phrase, and where it begins. The table has no other letters than those of ASCII.
const fn first_word(text: &str) -> (usize, &str) {
    let mut at = 0;
    let mut bytes = text.as_bytes();
    while let [first, rest @ ..] = bytes
        && !is_letter(*first)
    {
        (at, bytes) = (at + 1, rest);
    }
    let mut length = 0;
    while let [first, rest @ ..] = bytes
        && is_letter(*first)
    {
        (length, bytes) = (length + 1, rest);
    }
    (at, text.split_at(at).1.split_at(length).0)
}

const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[expect(clippy::indexing_slicing, reason = "the compiler runs it, for which a wrong place is an error")]
const fn count(kind: Kind) -> usize {
    let (mut row, mut count) = (0, 0);
    while row < TOPICS.len() {
        let mut rest = listed(&TOPICS[row], kind);
        while !rest.is_empty() {
            let (text, behind) = next_listed(rest);
            if is_one(text, kind) {
                count += 1;
            }
            rest = behind;
        }
        row += 1;
    }
    count
}

#[expect(clippy::indexing_slicing, reason = "the compiler runs it, for which a wrong place is an error")]
const fn sorted<const COUNT: usize>(kind: Kind) -> [Phrase; COUNT] {
    let mut phrases = [Phrase::NONE; COUNT];
    let (mut row, mut taken) = (0, 0);
    while row < TOPICS.len() {
        let mut rest = listed(&TOPICS[row], kind);
        while !rest.is_empty() {
            let (text, behind) = next_listed(rest);
            if is_one(text, kind) {
                phrases[taken] = Phrase::read(text, row, kind);
                taken += 1;
            }
            rest = behind;
        }
        row += 1;
    }
    // Shell's sort: short, and the compiler is slow at what it runs.
    let mut gap = COUNT / 2;
    while gap > 0 {
        let mut at = gap;
        while at < COUNT {
            let phrase = phrases[at];
            let mut place = at;
            while place >= gap && phrase.is_before(&phrases[place - gap]) {
                phrases[place] = phrases[place - gap];
                place -= gap;
            }
            phrases[place] = phrase;
            at += 1;
        }
        gap /= 2;
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_of_the_table_is_found() {
        let mut seen = 0;
        for (row, topic) in TOPICS.iter().enumerate() {
            let is_its = |topics: Topics| !(topics & Topics::of_row(row)).is_empty();
            for phrase in topic.rule.split('|').filter(|phrase| !phrase.is_empty()) {
                let (inside, first) = first_word(phrase);
                let found = of_stem(phrase) | of_rule(phrase, first, inside) | of_signs_in_rule(phrase);
                assert!(is_its(found), "{phrase}");
                seen += 1;
            }
            for phrase in topic.code.split('|').filter(|phrase| !phrase.is_empty()) {
                let (inside, first) = first_word(phrase);
                let found = of_code(phrase, first, inside) | of_word(phrase) | of_signs_in_code(phrase);
                assert!(is_its(found), "{phrase}");
                seen += 1;
            }
        }
        assert_eq!(seen, STEMS.len() + RULES.len() + CODE.len());
        assert!(of_stem("zebra").is_empty() && of_code("zebra", "zebra", 0).is_empty());
    }

    #[test]
    fn the_table_has_only_letters_of_ascii_in_lower_case() {
        for topic in TOPICS {
            let all = format!("{}{}", topic.rule, topic.code);
            assert_eq!(all, all.to_ascii_lowercase());
            assert!(all.is_ascii(), "{all}");
        }
    }
}
