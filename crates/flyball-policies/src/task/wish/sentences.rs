//! The sentences of a prompt that are the person's own: without code, quotations and what is pasted.

use super::clause::Clause;

/// A sentence, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    text: String,
    pub(super) is_question: bool,
}

/// A sentence with one of these announces text that is not the person's.
const ANNOUNCES: [&str; 10] = [
    "following",
    "below",
    "this text",
    "this message",
    "this sentence",
    "this prompt",
    "these lines",
    "pasted",
    "translate",
    "proofread",
];

/// Replaces a quotation; no word contains it.
const QUOTATION: char = '\u{fffc}';

impl Sentence {
    /// Its parts between commas and in brackets.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        self.text.split([',', '(', ')']).map(Clause::new).filter(|clause| !clause.is_empty()).collect()
    }
}

/// The person's own sentences, in order.
pub(super) fn own_sentences(prompt: &str) -> Vec<Sentence> {
    let mut own = Vec::new();
    for paragraph in own_paragraphs(prompt) {
        for sentence in split(&paragraph) {
            let announces = ANNOUNCES.iter().any(|words| sentence.text.contains(words));
            if announces {
                return own;
            }
            own.push(sentence);
        }
    }
    own
}

/// The lines that are neither code nor quoted, as far as they belong together.
fn own_paragraphs(prompt: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = vec![String::new()];
    let (mut is_code, mut is_pasted) = (false, false);
    for line in prompt.lines() {
        let trimmed = line.trim();
        // What stands below a tag or a quotation belongs to it, up to an empty line.
        is_pasted = !trimmed.is_empty() && (is_pasted || trimmed.starts_with(['<', '>', '{', '[']));
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        is_code ^= is_fence;
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        if is_fence || is_code || is_pasted || is_indented || is_markup(trimmed) {
            paragraphs.push(String::new());
            continue;
        }
        // A sentence may go on in the next line; a new one begins with a capital letter.
        let begins = trimmed.is_empty() || trimmed.starts_with(char::is_uppercase);
        if begins {
            paragraphs.push(String::new());
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.push_str(trimmed);
            paragraph.push(' ');
        }
        // What it announces is not the person's own.
        if trimmed.ends_with(':') {
            break;
        }
    }
    paragraphs
}

/// A quotation, an item, a row, a tag, a heading: not how people say what they want.
fn is_markup(line: &str) -> bool {
    line.starts_with(['>', '|', '<', '-', '*', '+', '#', '{', '[', '$'])
}

fn split(paragraph: &str) -> Vec<Sentence> {
    let text = without_quotations(&paragraph.to_lowercase().replace(['’', 'ʼ'], "'"));
    let mut sentences = Vec::new();
    let mut sentence = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_last = letters.peek().is_none_or(|next| next.is_whitespace() || ".!?".contains(*next));
        // Within a word these are a part of it: `model.py`, `well-known`.
        let ends = ".!?;…".contains(letter) && is_last || "–—".contains(letter);
        let is_dash = letter == '-' && sentence.ends_with(' ') && is_last;
        if ends || is_dash {
            sentences.push(Sentence { text: std::mem::take(&mut sentence), is_question: letter == '?' });
        } else {
            sentence.push(letter);
        }
    }
    sentences.push(Sentence { text: sentence, is_question: false });
    sentences.retain(|sentence| !sentence.text.trim().is_empty());
    sentences
}

/// A text with a mark in the place of each quotation. An apostrophe within a word is none.
fn without_quotations(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((at, open)) = rest.char_indices().find(|(at, letter)| opens(rest, *at, *letter)) {
        let (before, from) = rest.split_at(at);
        let inside = from.get(open.len_utf8()..).unwrap_or_default();
        let close = closing(open);
        let end = inside.char_indices().find(|(at, letter)| {
            let behind = inside.get(at + letter.len_utf8()..).and_then(|rest| rest.chars().next());
            *letter == close && (close != '\'' || behind.is_none_or(|next| !next.is_alphanumeric()))
        });
        kept.push_str(before);
        let Some((end, close)) = end else {
            // It is not closed: the rest may be quoted.
            kept.push(QUOTATION);
            if open == '\'' {
                rest = inside;
                continue;
            }
            return kept;
        };
        kept.push(QUOTATION);
        rest = inside.get(end + close.len_utf8()..).unwrap_or_default();
    }
    kept + rest
}

fn opens(text: &str, at: usize, letter: char) -> bool {
    let is_within = || text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric));
    match letter {
        '"' | '“' | '„' | '«' | '`' | '‘' => true,
        '\'' => !is_within(),
        _ => false,
    }
}

const fn closing(open: char) -> char {
    match open {
        '“' => '”',
        '„' => '“',
        '«' => '»',
        '‘' => '\'',
        other => other,
    }
}
