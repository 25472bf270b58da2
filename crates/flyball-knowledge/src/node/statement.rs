//! What a piece of text is: something to do, to leave, or to know, or merely a description.

use std::cell::OnceCell;

use flyball_core::text::head_bytes;

use super::words::{
    BOUNDS, CONDITIONS, CONVENTIONS, FILLERS, FOREIGN_PARTS, FOREIGN_VERBS, FOREIGN_WORDS, LIMITS,
    NO_PLURALS, OBLIGES, RELATIVES, UNIVERSALS, VERBS, any_word, is_part,
};
use crate::markdown;

/// So many words before a verb are looked at.
const MOST_FILLERS: usize = 3;
/// So much of a clause is looked at to see how it begins: of nothing but marks, each begins one.
const MOST_START: usize = 160;
/// What separates a name from its description.
const SEPARATORS: &[&str] = &[":", "-", "–", "—", "→", "(", "|", "//", "←", "=", "/", ","];

/// The signs of a rule in a text, with the words that it belongs to. Each is looked for when it is asked for: below most
/// headings few of them matter.
pub(super) struct Signs<'a> {
    text: &'a str,
    announcing: &'a str,
    /// Both as prose.
    own: OnceCell<String>,
    lead: OnceCell<String>,
}

impl<'a> Signs<'a> {
    pub(super) fn new(lead: &'a str, text: &'a str) -> Signs<'a> {
        Signs { text, announcing: lead, own: OnceCell::new(), lead: OnceCell::new() }
    }

    fn own(&self) -> &str {
        self.own.get_or_init(|| prose(self.text))
    }

    fn lead(&self) -> &str {
        self.lead.get_or_init(|| prose(self.announcing))
    }

    fn has(&self, phrases: &[&str]) -> bool {
        any_word(self.own(), phrases) || any_word(self.lead(), phrases)
    }

    /// It says that something must be done or left.
    pub(super) fn obliges(&self) -> bool {
        self.has(OBLIGES) || self.has(FOREIGN_WORDS) || has_foreign_part(self.own())
    }

    /// One of its clauses begins like an instruction.
    pub(super) fn instructs(&self) -> bool {
        (instructs(self.own(), Ends::OfClauses) || instructs(self.lead(), Ends::OfClauses)) && !self.lists()
    }

    /// One of its sentences does, or what it belongs to is a condition.
    pub(super) fn commands(&self) -> bool {
        (instructs(self.own(), Ends::OfSentences) || is_condition(self.lead())) && !self.lists()
    }

    /// It states a limit or a place of something.
    pub(super) fn limits(&self) -> bool {
        self.has(LIMITS) || self.bounds()
    }

    /// It says how a kind of thing is done here.
    pub(super) fn declares(&self) -> bool {
        sentences(self.own()).any(declares)
    }

    /// It excludes something, or is about all of a kind.
    pub(super) fn bounds(&self) -> bool {
        self.has(BOUNDS) || sentences(self.own()).any(is_about_all)
    }

    /// It only lists a file or a name, maybe with a description. What follows "change these:" is what to do, even if it is a
    /// name only.
    pub(super) fn lists(&self) -> bool {
        lists(self.text) && {
            let lead = self.lead();
            !(any_word(lead, OBLIGES) || instructs(lead, Ends::OfSentences) || is_condition(lead))
        }
    }

    /// It is only a link, a picture or an import.
    pub(super) fn links(&self) -> bool {
        links(self.text)
    }

    /// It is about the text that it is in.
    pub(super) fn introduces(&self) -> bool {
        introduces(self.own())
    }
}

/// The text in lower case, without code: a code span is a backtick.
fn prose(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    for line in markdown::lines(text).filter(|line| !line.is_code) {
        prose.push_str(line.text);
        prose.push('\n');
    }
    let mut plain = String::with_capacity(prose.len());
    for (at, part) in prose.split('`').enumerate() {
        if at % 2 == 0 {
            plain.push_str(&part.to_lowercase());
        } else {
            plain.push('`');
        }
    }
    plain
}

fn has_foreign_part(prose: &str) -> bool {
    !prose.is_ascii() && FOREIGN_PARTS.iter().any(|part| prose.contains(part))
}

/// The sentences of a text, roughly.
fn sentences(prose: &str) -> impl Iterator<Item = &str> {
    prose
        .split_inclusive(['.', '!', '?', ';'])
        .filter(|sentence| sentence.ends_with(|end: char| !is_part(end)))
}

/// Whether a sentence is about all of a kind: "every page has a title", "a page that moves gets a redirect".
fn is_about_all(sentence: &str) -> bool {
    const SUBJECT: usize = 4;
    let words: Vec<&str> = first_words(sentence).take(SUBJECT + 1).collect();
    let Some((first, rest)) = words.split_first() else { return false };
    let is_pronoun = matches!(*first, "this" | "it" | "that" | "the" | "these" | "those" | "there");
    // In "X is a service that …" it is not about the subject.
    let subject = rest.iter().take_while(|word| !matches!(**word, "is" | "are" | "was" | "were"));
    let has_relative = subject.into_iter().any(|word| RELATIVES.binary_search(word).is_ok());
    if rest.len() < 2 {
        return false;
    }
    // "One page answers one question", "one class per file", but not "one of the services" or "one binary, several parts".
    if *first == "one" {
        return rest.get(1).is_some_and(|word| *word == "per" || (word.ends_with('s') && rest.len() > 2));
    }
    UNIVERSALS.binary_search(first).is_ok() || (has_relative && !is_pronoun)
}

/// Whether a sentence says how a kind of thing is done here: "styles use the tokens", "public names are never removed". A
/// sentence about one thing ("the server uses") describes it.
fn declares(sentence: &str) -> bool {
    const SUBJECT: usize = 3;
    let words: Vec<&str> = first_words(sentence).take(SUBJECT + 2).collect();
    let is_verb = |word: &&str| CONVENTIONS.binary_search(word).is_ok();
    let Some(at) = words.iter().take(SUBJECT + 1).position(is_verb) else { return false };
    let (Some(first), Some(head)) = (words.first(), at.checked_sub(1).and_then(|at| words.get(at))) else {
        return false;
    };
    let is_one = matches!(
        *first,
        "the" | "these" | "those" | "our" | "their" | "your" | "my" | "some" | "most" | "many"
    );
    let is_plural = head.len() > 3
        && head.ends_with('s')
        && !head.ends_with("ss")
        && NO_PLURALS.binary_search(head).is_err();
    // Behind the verb there is something: "components use" is a caption.
    is_plural && !is_one && words.len() > at + 1
}

/// Whether what follows these words is what to do in some case: "When you add a route:".
fn is_condition(lead: &str) -> bool {
    lead.lines().any(|line| {
        let is_open = line.trim_end().trim_end_matches(['*', '_']).ends_with(':');
        is_open && first_words(line).next().is_some_and(|word| CONDITIONS.binary_search(&word).is_ok())
    })
}

/// Where an instruction can begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    OfSentences,
    OfClauses,
}

/// Whether one of the sentences or clauses of a text begins with a verb in the imperative.
fn instructs(prose: &str, starts: Ends) -> bool {
    let mut clause = 0;
    let mut letters = prose.char_indices().peekable();
    if begins_with_verb(prose) {
        return true;
    }
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or('\n', |(_, next)| *next);
        let ends = match letter {
            '.' | '!' | '?' => !is_part(next) && next != '/',
            ';' | ':' => starts == Ends::OfClauses && !is_part(next) && next != '/',
            '–' | '—' | '→' | '|' | '(' => starts == Ends::OfClauses,
            '-' => starts == Ends::OfClauses && next == ' ',
            ',' => {
                let rest = head_bytes(prose.get(clause..).unwrap_or_default(), MOST_START);
                first_words(rest).next().is_some_and(|word| CONDITIONS.binary_search(&word).is_ok())
            }
            '\n' => !next.is_alphanumeric(),
            _ => false,
        };
        if ends {
            clause = at + letter.len_utf8();
            if begins_with_verb(prose.get(clause..).unwrap_or_default()) {
                return true;
            }
        }
    }
    false
}

fn begins_with_verb(clause: &str) -> bool {
    let clause = head_bytes(clause, MOST_START);
    let is_filler = |word: &&str| FILLERS.binary_search(word).is_ok();
    let Some(verb) = first_words(clause).take(MOST_FILLERS + 1).find(|word| !is_filler(word)) else {
        return false;
    };
    is_verb(verb)
}

/// The words with which a clause begins, up to the first code.
fn first_words(clause: &str) -> impl Iterator<Item = &str> {
    let mut rest = clause;
    std::iter::from_fn(move || {
        loop {
            rest = rest
                .trim_start_matches(|letter: char| !letter.is_alphanumeric() && !"`.!?;:\n".contains(letter));
            let end = rest.find(|letter: char| !is_part(letter) && letter != '-').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            if word.is_empty() {
                return None;
            }
            rest = behind;
            // The number of an item, or the mark of a box.
            let is_number = word.chars().all(|letter| letter.is_ascii_digit());
            if !is_number && word != "x" {
                return Some(word);
            }
            rest = rest.trim_start_matches(['.', ')']);
        }
    })
}

/// An item without its mark, number and box.
pub(super) fn without_mark(item: &str) -> &str {
    let item = item.trim_start();
    let number = item.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bare = match number.strip_prefix(['.', ')']) {
        Some(rest) if number.len() < item.len() && rest.starts_with(char::is_whitespace) => rest,
        _ => ["- ", "* ", "+ ", "-\t", "*\t"].iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item),
    };
    let bare = bare.trim_start();
    ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| bare.strip_prefix(mark)).unwrap_or(bare).trim_start()
}

/// Whether a text begins with a path or a name, and at the most a description behind it.
fn lists(text: &str) -> bool {
    let bare = without_mark(text).trim_start_matches(['*', '_', '|', ' ']);
    let (name, rest) = match bare.strip_prefix('`') {
        Some(code) => match code.split_once('`') {
            Some((name, rest)) => (name, rest),
            None => return false,
        },
        None if bare.starts_with('[') => match bare.split_once(')') {
            Some((link, rest)) if link.contains("](") => return separates(rest),
            _ => return false,
        },
        None => {
            let end = bare.find([' ', ':', '\n']).unwrap_or(bare.len());
            let (name, rest) = bare.split_at(end);
            if !is_path(name.trim_matches(['*', '_'])) {
                return false;
            }
            (name, rest)
        }
    };
    // What has words is a command.
    !name.trim().contains(' ') && separates(rest)
}

/// Whether a text has code of several words.
pub(super) fn has_command(text: &str) -> bool {
    text.split('`').skip(1).step_by(2).any(|code| code.trim().contains(' '))
}

/// Whether what is behind the first code of a text says what a command does: "`make`: builds it".
pub(super) fn describes_command(text: &str) -> bool {
    let Some(description) = text.split('`').nth(2) else { return false };
    let lower = description.to_lowercase();
    first_words(&lower)
        .next()
        .is_some_and(|word| is_verb(word) || word.strip_suffix('s').is_some_and(is_verb))
}

/// Whether an instruction can begin with this word in lower case.
#[must_use]
pub fn is_verb(word: &str) -> bool {
    VERBS.binary_search(&word).is_ok() || FOREIGN_VERBS.binary_search(&word).is_ok()
}

/// Whether a word in lower case may be between the start of a sentence and the verb of its instruction: `please`, `then`.
#[must_use]
pub fn is_lead_in(word: &str) -> bool {
    FILLERS.binary_search(&word).is_ok()
}

fn separates(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['*', '_', ')']);
    let line = rest.lines().next().unwrap_or_default().trim_start_matches([' ', '*', '_']);
    line.is_empty() || SEPARATORS.iter().any(|mark| line.starts_with(mark))
}

/// Whether a word looks like a path.
pub(super) fn is_path(word: &str) -> bool {
    let is_ending = |ending: &str| {
        (1..=5).contains(&ending.len()) && ending.chars().all(|letter| letter.is_ascii_alphanumeric())
    };
    let has_ending =
        word.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && is_ending(ending));
    !word.is_empty()
        && !word.contains(char::is_whitespace)
        && !word.contains("://")
        && (word.contains('/') || has_ending || word.starts_with('.'))
}

/// Whether there is nothing in a text but links, pictures or imports.
fn links(text: &str) -> bool {
    let bare = without_mark(text).trim();
    if bare.starts_with("[![") || bare.starts_with("![") {
        return true;
    }
    let is_import = |word: &str| word.starts_with('@') && word.len() > 1;
    let mut words = bare.split_whitespace().peekable();
    if words.peek().is_some() && words.all(|word| is_import(word) || word.starts_with("http")) {
        return true;
    }
    let link = bare
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("))
        .and_then(|(_, rest)| rest.split_once(')'));
    link.is_some_and(|(_, rest)| rest.trim().is_empty())
}

/// Whether a text is about the file that it is in.
fn introduces(prose: &str) -> bool {
    const OPENINGS: &[&str] = &["this file", "this document", "this guide", "this page", "this section"];
    let bare = prose.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    OPENINGS.iter().any(|opening| bare.starts_with(opening))
        || [
            "guidelines below",
            "rules below",
            "instructions below",
            "following guidelines",
            "following rules",
        ]
        .iter()
        .any(|phrase| prose.contains(phrase))
}
