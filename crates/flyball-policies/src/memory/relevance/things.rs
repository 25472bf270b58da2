//! The words of a sentence that name things, and not what is done with them: `billing` and `code` in "search the billing
//! code". Which words are verbs follows from where they stand, since many names of folders are verbs, too.

use flyball_knowledge::{markdown, node, similar};

use super::text::words;

/// A word that names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    /// In lower case.
    pub(super) word: String,
    /// The number of the written word that it is a part of: `user` and `auth` of `user-auth` have the same.
    pub(super) at: usize,
}

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It says what to do: what it says to leave alone is not what it is about.
    Prompt,
    /// It says how something is.
    Rule,
}

/// The things that a text names, in their order. `is_skipped` are written words that are something else, such as paths.
pub(super) fn things(text: &str, kind: Kind, is_skipped: &dyn Fn(&str) -> bool) -> Vec<Thing> {
    let (mut found, mut at) = (Vec::new(), 0);
    for sentence in sentences(text) {
        let clause = Clause { words: &sentence };
        let left = if kind == Kind::Prompt { clause.left_alone() } else { Vec::new() };
        for (place, written) in sentence.iter().enumerate() {
            let is_left = left.get(place).is_some_and(|is_left| *is_left);
            if !is_left && !written.is_call && !is_skipped(written.raw) && !clause.is_act(place) {
                found.extend(parts(written.raw).map(|word| Thing { word, at: at + place }));
            }
        }
        // The last word of a sentence and the first of the next are not beside each other.
        at += sentence.len() + 1;
    }
    found
}

/// The words of a written word; the word itself if it is short: `ui`.
fn parts(raw: &str) -> impl Iterator<Item = String> + use<> {
    let mut parts: Vec<String> = words(raw).filter(|word| !is_function_word(word)).collect();
    let lower = raw.to_lowercase();
    if parts.is_empty() && lower.len() > 1 && !is_function_word(&lower) {
        parts.push(lower);
    }
    parts.into_iter()
}

/// One word as it is written.
struct Written<'t> {
    raw: &'t str,
    lower: String,
    /// Whether it is a call: `search()`.
    is_call: bool,
    start: Start,
    /// Whether a comma is in front of it.
    is_after_comma: bool,
    /// Whether a colon follows.
    is_label: bool,
}

/// What can begin with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Nothing,
    /// Another thing or another instruction: it is behind a comma or an "and".
    Either,
    /// An instruction: it is the first word, or follows `please`, `then` and the like.
    Instruction,
}

impl Start {
    /// The start of a word that follows the others of its sentence.
    fn behind(sentence: &[Written<'_>], is_after_comma: bool) -> Start {
        let Some(last) = sentence.last() else { return Start::Instruction };
        let is_lead_in = node::is_lead_in(&last.lower);
        // `Can search be faster`: a question.
        let is_question = sentence.len() == 1 && is_in(AUXILIARIES, &last.lower);
        match last.start {
            _ if is_in(BEFORE_VERBS, &last.lower) && !is_question => Start::Instruction,
            _ if last.lower == "but" => Start::Instruction,
            Start::Instruction if is_lead_in => Start::Instruction,
            Start::Either if is_lead_in && !is_joint(&last.lower) => Start::Instruction,
            _ if is_after_comma || is_joint(&last.lower) => Start::Either,
            _ => Start::Nothing,
        }
    }
}

/// The sentences of a text outside of fences, as their words.
fn sentences(text: &str) -> Vec<Vec<Written<'_>>> {
    let mut found: Vec<Vec<Written<'_>>> = Vec::new();
    let mut sentence: Vec<Written<'_>> = Vec::new();
    for line in markdown::lines(text) {
        if line.is_code || line.text.trim().is_empty() || begins_anew(line.text) {
            found.push(std::mem::take(&mut sentence));
        }
        let words = line.text.split_whitespace().filter(|_| !line.is_code);
        let mut is_after_comma = false;
        for token in words {
            let bare = token.trim_matches(|letter: char| !is_inner(letter));
            if token.starts_with(['(', '[']) || bare.is_empty() {
                found.push(std::mem::take(&mut sentence));
            }
            if bare.is_empty() {
                continue;
            }
            let is_number = sentence.is_empty() && bare.chars().all(|letter| letter.is_ascii_digit());
            if !is_number {
                let written = written(token, bare, &sentence, is_after_comma);
                sentence.push(written);
            }
            let end = token.trim_end_matches(['`', '*', '_', '"', '\'']).chars().next_back();
            is_after_comma = end == Some(',');
            if matches!(end, Some('.' | '!' | '?' | ';' | ':' | ')' | ']')) {
                found.push(std::mem::take(&mut sentence));
            }
        }
    }
    found.push(sentence);
    found
}

/// The next word of a sentence.
fn written<'t>(token: &'t str, bare: &'t str, sentence: &[Written<'t>], is_after_comma: bool) -> Written<'t> {
    let behind = token.split_once(bare).map_or("", |(_, behind)| behind);
    Written {
        raw: bare,
        lower: bare.to_lowercase().replace('’', "'"),
        is_call: behind.starts_with('(') || bare.contains('('),
        start: Start::behind(sentence, is_after_comma),
        is_after_comma,
        is_label: behind.ends_with(':'),
    }
}

/// Whether a line is not the rest of the sentence in the line above.
fn begins_anew(line: &str) -> bool {
    let first = line.trim_start().chars().next();
    first.is_some_and(|first| first.is_uppercase() || first.is_ascii_digit() || "-*+#>|•".contains(first))
}

/// Whether a letter can be the first or last of a word or a path.
fn is_inner(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '/' | '~' | '@' | '_')
}

/// What can only be in front of a noun, so that a verb in front of it is one.
const BEFORE_NOUNS: &[&str] = &[
    "a",
    "all",
    "an",
    "any",
    "each",
    "every",
    "everything",
    "her",
    "his",
    "it",
    "its",
    "my",
    "our",
    "some",
    "that",
    "the",
    "their",
    "them",
    "these",
    "this",
    "those",
    "whether",
    "your",
];
/// What a verb follows.
const BEFORE_VERBS: &[&str] =
    &["can", "could", "i", "just", "let's", "must", "please", "should", "they", "we", "will", "would", "you"];
/// What a form with `-ing` follows that is no noun.
const BEFORE_GERUNDS: &[&str] =
    &["after", "avoid", "before", "by", "keep", "start", "try", "when", "while", "without"];
/// Behind the subject of a sentence.
const AUXILIARIES: &[&str] = &[
    "are", "aren't", "can", "can't", "cannot", "could", "did", "didn't", "does", "doesn't", "had", "has",
    "hasn't", "have", "is", "isn't", "must", "should", "was", "wasn't", "were", "weren't", "will", "won't",
];
/// Verbs whose object says what is done: "do a web search".
const LIGHT_VERBS: &[&str] = &["conduct", "do", "execute", "perform", "run"];
/// What begins what is left alone.
const EXCLUSIONS: &[&str] =
    &["don't", "dont", "except", "exclude", "excluding", "ignore", "never", "without"];
/// Not to do these is to do it.
const NEGLECTS: &[&str] = &["fail", "forget", "hesitate", "miss", "omit", "skip"];

/// More words without a meaning of their own than texts are compared without: they end what a verb is about.
const PREPOSITIONS: &[&str] = &[
    "about",
    "across",
    "against",
    "along",
    "around",
    "between",
    "down",
    "during",
    "how",
    "like",
    "off",
    "over",
    "per",
    "through",
    "throughout",
    "towards",
    "under",
    "until",
    "via",
    "where",
    "while",
    "why",
    "within",
];

fn is_function_word(word: &str) -> bool {
    similar::is_filler(word) || is_in(PREPOSITIONS, word)
}

fn is_in(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// The words of one sentence.
struct Clause<'c, 't> {
    words: &'c [Written<'t>],
}

impl Clause<'_, '_> {
    fn word(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.words.get(at)).map_or("", |written| &written.lower)
    }

    /// Whether a word says what is done.
    fn is_act(&self, at: usize) -> bool {
        let own = self.word(Some(at));
        let before = self.word(at.checked_sub(1));
        let next = self.next_in_phrase(at);
        // `search the code`, `a report about`.
        let has_object = is_in(BEFORE_NOUNS, next);
        let is_one = matches!(before, "a" | "an") && (next.is_empty() || is_function_word(next));
        let is_base = node::is_verb(own);
        (is_base && (has_object || is_one || self.is_imperative(at) || self.is_infinitive(at)))
            || (is_gerund(own) && (has_object || is_in(BEFORE_GERUNDS, before)))
            || (has_object && self.start(at) == Start::Instruction)
            || self.is_object_of_light_verb(at)
    }

    fn start(&self, at: usize) -> Start {
        self.words.get(at).map_or(Start::Nothing, |written| written.start)
    }

    /// The next word, if no comma is between them.
    fn next_in_phrase(&self, at: usize) -> &str {
        self.words.get(at + 1).filter(|next| !next.is_after_comma).map_or("", |next| &next.lower)
    }

    /// A verb with which an instruction begins, unless it is the subject of a sentence: "search is slow", "search: …".
    fn is_imperative(&self, at: usize) -> bool {
        let (next, second) = (self.next_in_phrase(at), self.word(Some(at + 2)));
        let is_subject = is_in(AUXILIARIES, next) || (is_in(AUXILIARIES, second) && !is_function_word(next));
        match self.start(at) {
            Start::Instruction => !is_subject && !self.words.get(at).is_some_and(|it| it.is_label),
            // In a row of things nothing else follows: "billing, search and auth".
            Start::Either => is_function_word(next) && !is_joint(next),
            Start::Nothing => false,
        }
    }

    /// `You to search files`, `to search for it`; "add retries to search" only leads there.
    fn is_infinitive(&self, at: usize) -> bool {
        const WISHES: &[&str] = &["have", "how", "is", "need", "needs", "order", "try", "want"];
        let Some(to) = at.checked_sub(1).filter(|to| self.word(Some(*to)) == "to") else { return false };
        let before = self.word(to.checked_sub(1));
        is_in(WISHES, before) || is_in(BEFORE_VERBS, before) || is_function_word(self.next_in_phrase(at))
    }

    /// `web search` in "do a web search for it".
    fn is_object_of_light_verb(&self, at: usize) -> bool {
        if is_function_word(self.word(Some(at))) {
            return false;
        }
        let phrase = self.words.get(..at).unwrap_or_default();
        let Some(article) = phrase.iter().rposition(|it| is_function_word(&it.lower)) else { return false };
        matches!(self.word(Some(article)), "a" | "an")
            && is_in(LIGHT_VERBS, self.word(article.checked_sub(1)))
    }

    /// Whether each word belongs to what the sentence says to leave alone: "don't touch billing", "except for billing".
    fn left_alone(&self) -> Vec<bool> {
        let mut is_left = false;
        let mut all = Vec::new();
        for (at, written) in self.words.iter().enumerate() {
            let (word, next) = (written.lower.as_str(), self.word(Some(at + 1)));
            let pairs = [("do", "not"), ("instead", "of"), ("rather", "than"), ("but", "not")];
            if is_in(EXCLUSIONS, word) || pairs.contains(&(word, next)) {
                let verb = if word == "do" { self.word(Some(at + 2)) } else { next };
                is_left = !is_in(NEGLECTS, verb);
            } else if is_left {
                let is_joined = written.is_after_comma || self.word(at.checked_sub(1)) == "and";
                let has_more = !self.next_in_phrase(at).is_empty();
                let is_other = is_joined && ((node::is_verb(word) && has_more) || is_in(BEFORE_VERBS, word));
                is_left = !is_other && !matches!(word, "but" | "only");
            }
            all.push(is_left);
        }
        all
    }
}

/// What is between two of a kind.
fn is_joint(word: &str) -> bool {
    matches!(word, "and" | "or" | "but" | "nor")
}

/// Whether a word is the form with `-ing` of a verb with which instructions begin.
fn is_gerund(word: &str) -> bool {
    let Some(stem) = word.strip_suffix("ing").filter(|stem| stem.len() > 2) else { return false };
    let single = || {
        let mut letters = stem.chars().rev();
        let is_double = letters.next() == letters.next();
        is_double && stem.get(..stem.len() - 1).is_some_and(node::is_verb)
    };
    node::is_verb(stem) || node::is_verb(&format!("{stem}e")) || single()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_known_by_their_places() {
        let cases = [
            ("Search the billing code", "billing code"),
            ("Search for leaks", "leaks"),
            ("Please search files", "files"),
            ("Find the search endpoint and fix it", "search endpoint"),
            ("Read it, then search for usages of foo()", "usages"),
            ("Fix billing, search and auth", "billing search auth"),
            ("Search is slow", "search slow"),
            ("Search results are wrong", "search results wrong"),
            ("search: fix the paging", "search paging"),
            ("You should test parsers", "parsers"),
            ("You must then search files", "files"),
            ("Can search be faster?", "search faster"),
            ("Add retries to search", "retries search"),
            ("We want you to search logs", "want logs"),
            ("Start by searching for leaks", "leaks"),
            ("Write a report about leaks", "leaks"),
            ("Write a report page", "report page"),
            ("Do a web search for React", "react"),
            ("Look at why the\nsearch pipeline stops", "search pipeline stops"),
            ("1. Test parsers\n2. Build `userAuth`", "parsers user auth"),
            ("```\nbilling\n```\nRead files", "files"),
            ("Don't touch billing or search, but fix auth", "auth"),
            ("Fix auth without a change of billing", "auth"),
            ("Do not forget billing", "forget billing"),
        ];
        for (text, expected) in cases {
            let found = things(text, Kind::Prompt, &|_| false);
            let words: Vec<&str> = found.iter().map(|thing| thing.word.as_str()).collect();
            assert_eq!(words.join(" "), expected, "{text}");
        }
    }
}
