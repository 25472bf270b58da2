//! What a finding is about, by its message: which part of a program may change to fix it.

use std::collections::BTreeSet;

use super::hunks::Hunk;
use crate::finding::Finding;

/// How many lines around a finding belong to it.
const NEAR: usize = 3;

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Topic {
    /// Comments and docstrings.
    Docs,
    /// Types that are written down.
    Annotation,
    /// Line length, blanks, order.
    Layout,
    /// Something that nothing uses.
    Unused,
    /// Code that never runs.
    Unreachable,
    Import,
    Condition,
    Literal,
    Returned,
    /// Errors that are raised, caught or ignored.
    Handling,
    Quoting,
    /// A part of a program that is too long or too complex.
    Structure,
}

/// The beginnings of words that show a topic.
const WORDS: &[(Topic, &[&str])] = &[
    (Topic::Docs, &["docstring", "comment", "documentation", "jsdoc", "missing-doc"]),
    (Topic::Annotation, &["annotat", "type hint", "typed", "optional", "explicit any", "unexpected any"]),
    (
        Topic::Layout,
        &[
            "line too long",
            "line-length",
            "too long",
            "whitespace",
            "indent",
            "blank line",
            "newline",
            "trailing",
            "unsorted",
            "not sorted",
            "un-sorted",
        ],
    ),
    (
        Topic::Unused,
        &[
            "unused",
            "never used",
            "not used",
            "not accessed",
            "never read",
            "appears unused",
            "not referenced",
        ],
    ),
    (Topic::Unreachable, &["unreachable", "never executed", "dead code"]),
    (
        Topic::Import,
        &["import", "undefined name", "not defined", "undefined:", "undeclared", "unresolved", "cannot find"],
    ),
    (
        Topic::Condition,
        &[
            "comparison",
            "compare",
            "comparing",
            "condition",
            "equality",
            "negat",
            "boolean",
            "truth",
            "ternary",
            "membership",
            "optional chain",
            "non-null",
            "`if`",
            "if-else",
            "if statement",
            "isinstance",
        ],
    ),
    (
        Topic::Literal,
        &[
            "literal",
            "f-string",
            "fstring",
            "placeholder",
            "escape",
            "percent format",
            "format string",
            "magic value",
            "magic number",
            "hardcoded",
            "string format",
            "concatenat",
            "regular expression",
            "octal",
        ],
    ),
    (Topic::Returned, &["return", "yield", "lambda"]),
    (
        Topic::Handling,
        &[
            "exception",
            "`except`",
            "except clause",
            "bare except",
            "catch",
            "raise",
            "throw",
            "error return",
            "not checked",
            "unchecked",
            "try-except",
            "unhandled",
            "in case",
        ],
    ),
    (Topic::Quoting, &["quote", "quoting", "word splitting"]),
    (Topic::Structure, &["too complex", "too many", "complexity", "cognitive"]),
];

/// Topics that are about nothing that runs: another word in such a message (the docstring of a `return`
/// value, the annotation of one) allows nothing more.
const HARMLESS: &[Topic] = &[Topic::Docs, Topic::Annotation, Topic::Layout];

/// Operators, where the message of a finding names one.
const COMPARISONS: &[&str] = &["==", "!=", "===", "!==", "<", ">", "<=", ">=", "&&", "||"];

/// One finding, read.
#[derive(Debug)]
struct Subject<'a> {
    /// Its lines; `None` if it is about the whole file.
    lines: Option<(usize, usize)>,
    topics: BTreeSet<Topic>,
    /// The parts of its message between quotes.
    quoted: Vec<&'a str>,
    message: &'a str,
}

/// What the findings allow.
#[derive(Debug)]
pub(super) struct Permits<'a>(Vec<Subject<'a>>);

impl<'a> Permits<'a> {
    pub(super) fn new(findings: &'a [Finding], before: &str) -> Permits<'a> {
        Permits(findings.iter().map(|finding| Subject::new(finding, before)).collect())
    }

    pub(super) fn is_near(&self, hunk: &Hunk) -> bool {
        let (first, last) = hunk.touched();
        self.0.iter().any(|subject| subject.is_near(first, last))
    }

    /// Why a place may not change, if no finding is near it.
    pub(super) fn distance_reason(&self, hunk: &Hunk) -> Option<String> {
        (!self.is_near(hunk))
            .then(|| format!("it changes line {}, which no finding is about", hunk.shown_line()))
    }

    /// Whether a finding near a line is about this.
    pub(super) fn is_about(&self, line: usize, topic: Topic) -> bool {
        self.near(line).any(|subject| subject.topics.contains(&topic))
    }

    /// Whether any finding of the file is about this.
    pub(super) fn any_is_about(&self, topic: Topic) -> bool {
        self.0.iter().any(|subject| subject.topics.contains(&topic))
    }

    /// Whether a finding near a line names this word or sign in quotes.
    pub(super) fn quotes(&self, line: usize, text: &str) -> bool {
        self.near(line).any(|subject| subject.quoted.iter().any(|part| has_token(part, text)))
    }

    /// Whether a finding near a line names this word anywhere in its message.
    pub(super) fn names(&self, line: usize, word: &str) -> bool {
        self.near(line).any(|subject| has_token(subject.message, word))
    }

    /// Whether any finding of the file names this word.
    pub(super) fn any_names(&self, word: &str) -> bool {
        self.0.iter().any(|subject| has_token(subject.message, word))
    }

    fn near(&self, line: usize) -> impl Iterator<Item = &Subject<'a>> {
        self.0.iter().filter(move |subject| subject.is_near(line, line))
    }
}

impl<'a> Subject<'a> {
    fn new(finding: &'a Finding, before: &str) -> Subject<'a> {
        let topics = topics(finding);
        let first = usize::try_from(finding.line).unwrap_or(0);
        let last = finding.end_line.and_then(|line| usize::try_from(line).ok()).unwrap_or(first).max(first);
        // A function that is too complex is changed in its body.
        let last = if topics.contains(&Topic::Structure) { last.max(block_end(before, first)) } else { last };
        Subject {
            lines: (first > 0).then_some((first, last)),
            topics,
            quoted: quoted(&finding.message),
            message: &finding.message,
        }
    }

    fn is_near(&self, first: usize, last: usize) -> bool {
        self.lines.is_none_or(|(from, to)| first <= to + NEAR && last + NEAR >= from)
    }
}

fn topics(finding: &Finding) -> BTreeSet<Topic> {
    let text = format!("{} {}", finding.message, spaced(&finding.code)).to_lowercase();
    let shows = |words: &[&str]| words.iter().any(|word| begins_word(&text, word));
    let found: BTreeSet<Topic> =
        WORDS.iter().filter(|(_, words)| shows(words)).map(|(topic, _)| *topic).collect();
    let harmless: BTreeSet<Topic> = found.iter().copied().filter(|topic| HARMLESS.contains(topic)).collect();
    if !harmless.is_empty() {
        let is_import = found.contains(&Topic::Import);
        return harmless.into_iter().chain(is_import.then_some(Topic::Import)).collect();
    }
    let mut found = found;
    if finding.message.split([' ', '`', '\'', '"', ',']).any(|part| COMPARISONS.contains(&part)) {
        found.insert(Topic::Condition);
    }
    found
}

/// `noDoubleEquals` as words: the names of rules say what they are about.
fn spaced(code: &str) -> String {
    let mut text = String::new();
    for letter in code.chars() {
        if letter.is_uppercase() {
            text.push(' ');
        }
        text.push(if matches!(letter, '_' | '/' | ':') { ' ' } else { letter });
    }
    text
}

fn begins_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric)
    })
}

/// Whether a text has this as a whole word, or as a sign of its own.
fn has_token(text: &str, token: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let same_kind = |letter: char| match token.chars().next() {
        Some(first) if is_word(first) => is_word(letter),
        _ => !is_word(letter) && !letter.is_whitespace() && !"`'\"".contains(letter),
    };
    !token.is_empty()
        && text.match_indices(token).any(|(at, _)| {
            let (before, after) =
                (text.get(..at).unwrap_or_default(), text.get(at + token.len()..).unwrap_or_default());
            !before.ends_with(same_kind) && !after.starts_with(same_kind)
        })
}

/// The parts between quotes.
fn quoted(message: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for quote in ['`', '\'', '"'] {
        parts.extend(message.split(quote).skip(1).step_by(2));
    }
    parts
}

/// The last line of the block that begins in a line: what is indented deeper.
fn block_end(text: &str, first: usize) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().enumerate().skip(first.saturating_sub(1));
    let Some((_, head)) = lines.next() else { return first };
    let body = lines.take_while(|(_, line)| line.trim().is_empty() || indent(line) > indent(head));
    body.filter(|(_, line)| !line.trim().is_empty()).last().map_or(first, |(at, _)| at + 1)
}
