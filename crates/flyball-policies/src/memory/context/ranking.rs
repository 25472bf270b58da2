//! Ranks the rules of the covering nodes for one edit: the nearest and most specific come first.

use std::collections::{BTreeMap, BTreeSet};

use flyball_knowledge::node::{Node, Rule, rules};

use flyball_core::path::AbsolutePath;

use super::file_path;
use crate::memory::agents::rule_digest;

/// No file has more rules in practice; the rest is dropped.
const MOST_RULES: usize = 1_000;
/// The penalty for each node between a rule's node and the file.
const STEP: i32 = 10;
/// More steps than these cost nothing more.
const MOST_STEPS: i32 = 4;
/// The score of a rule that names the file with its folder, by its name only, or only its folder.
const NAMES_PATH: i32 = 60;
const NAMES_FILE: i32 = 50;
const NAMES_FOLDER: i32 = 15;
/// The score of each symbol of the change that a rule names, and how many count.
const NAMES_SYMBOL: i32 = 20;
const MOST_SYMBOLS: usize = 3;
/// The score of each report about the folder of a rule's node, and how many count.
const REPORT: i32 = 5;
const MOST_REPORTS: u32 = 3;
/// Shorter words are too common in code.
const LEAST_LETTERS: usize = 4;
/// Keywords of common languages, which name nothing.
const KEYWORDS: &[&str] = &[
    "async", "await", "bool", "case", "class", "const", "else", "export", "false", "from", "function",
    "import", "None", "null", "public", "return", "self", "Self", "static", "string", "struct", "this",
    "true", "void", "while",
];

/// A rule that could be shown.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) rule: Rule,
    /// The same for the same text in any node.
    pub(super) fingerprint: u64,
    /// Whether it names the file or something that is changed in it.
    pub(super) is_specific: bool,
    /// The place of its node among all, the root's first, and its own place in it.
    pub(super) place: (usize, usize),
    score: i32,
}

/// What one edit is about.
pub(super) struct Subject<'a> {
    /// The files with the nodes that cover each, the root's first.
    pub(super) files: &'a [(AbsolutePath, Vec<Node>)],
    /// The words of the change.
    pub(super) words: &'a [std::borrow::Cow<'a, str>],
    /// How many reports there are about the folder of each node, by the node's path.
    pub(super) reports: &'a BTreeMap<AbsolutePath, u32>,
}

/// All rules for an edit, each once, the best first.
pub(super) fn rank(subject: &Subject<'_>) -> Vec<Candidate> {
    if subject.files.is_empty() {
        return Vec::new();
    }
    let symbols: BTreeSet<&str> = subject.words.iter().flat_map(|text| words(text)).collect();
    let mut found: BTreeMap<u64, Candidate> = BTreeMap::new();
    for (at, node) in nodes(subject.files).into_iter().enumerate() {
        for (position, rule) in rules(node).into_iter().enumerate() {
            let candidate = rated((rule, (at, position)), node, (subject, &symbols));
            // The same text in two nodes is one rule, with the higher score.
            let other = found.get(&candidate.fingerprint);
            if other.is_none_or(|other| candidate.score > other.score) {
                found.insert(candidate.fingerprint, candidate);
            }
        }
    }
    let mut all: Vec<Candidate> = found.into_values().collect();
    // With equal scores: by topic, then the nearest node, then as in the file.
    let sort_key = |it: &Candidate| (-it.score, it.rule.topic, std::cmp::Reverse(it.place.0), it.place.1);
    all.sort_by_key(sort_key);
    all.truncate(MOST_RULES);
    all
}

/// Each node once, parents before children.
pub(super) fn nodes(files: &[(AbsolutePath, Vec<Node>)]) -> Vec<&Node> {
    let mut nodes: Vec<&Node> = Vec::new();
    for node in files.iter().flat_map(|(_, nodes)| nodes) {
        if !nodes.iter().any(|known| known.path == node.path) {
            nodes.push(node);
        }
    }
    // Part by part: as plain text, `a-b` would come between `a` and `a/c`.
    nodes.sort_by(|one, other| one.folder.split('/').cmp(other.folder.split('/')));
    nodes
}

type Query<'a> = (&'a Subject<'a>, &'a BTreeSet<&'a str>);

fn rated((rule, place): (Rule, (usize, usize)), node: &Node, (subject, symbols): Query<'_>) -> Candidate {
    let text = rule.words();
    let covered = subject.files.iter().filter(|(_, nodes)| nodes.iter().any(|it| it.path == node.path));
    let rate = |(file, nodes): &(AbsolutePath, Vec<Node>)| (nearness(node, nodes), mentions(&text, file));
    let (near, named) =
        covered.map(rate).max_by_key(|(near, named)| near + named).unwrap_or((-MOST_STEPS * STEP, 0));
    let shared = code_words(&text).intersection(symbols).take(MOST_SYMBOLS).count();
    let relevance = named + NAMES_SYMBOL * i32::try_from(shared).unwrap_or_default();
    let reports = subject.reports.get(&node.path).copied().unwrap_or_default().min(MOST_REPORTS);
    let score = near + relevance + REPORT * i32::try_from(reports).unwrap_or_default();
    let fingerprint = rule_digest(&rule);
    Candidate { fingerprint, is_specific: named >= NAMES_FILE || shared > 0, place, score, rule }
}

/// How near a node is among those of a file: 0 for the nearest, less for those above.
fn nearness(node: &Node, nodes: &[Node]) -> i32 {
    // Several nodes of one folder are equally near.
    let mut folders: Vec<&AbsolutePath> = nodes.iter().rev().map(|it| &it.folder).collect();
    folders.dedup();
    let steps = folders.iter().position(|folder| **folder == node.folder).unwrap_or_default();
    -STEP * i32::try_from(steps).unwrap_or(MOST_STEPS).min(MOST_STEPS)
}

/// The score of a text that names a file or its folder.
fn mentions(text: &str, file: &str) -> i32 {
    let name = file_path::name(file);
    if !name.is_empty() && is_named(text, name) {
        let parent = file_path::name(file_path::folder(file));
        let is_path = !parent.is_empty() && is_named(text, &format!("{parent}/{name}"));
        return if is_path { NAMES_PATH } else { NAMES_FILE };
    }
    let folder = file_path::name(file_path::folder(file));
    if folder.len() >= LEAST_LETTERS - 1 && is_named(text, folder) { NAMES_FOLDER } else { 0 }
}

/// Whether a text has these words, and not only as a part of others.
fn is_named(text: &str, words: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    text.match_indices(words).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + words.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_name = |word: &&str| {
        word.len() >= LEAST_LETTERS
            && !word.starts_with(|letter: char| letter.is_numeric())
            && !KEYWORDS.contains(word)
    };
    text.split(move |letter: char| !is_part(letter)).filter(is_name)
}

/// The names in a text that are code: between backticks, or written like code.
fn code_words(text: &str) -> BTreeSet<&str> {
    let parts = text.split('`').enumerate();
    let found =
        parts.flat_map(|(at, part)| words(part).filter(move |word| at % 2 == 1 || looks_like_code(word)));
    found.collect()
}

fn looks_like_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_hump =
        inner.chars().zip(inner.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    has_hump || inner.contains('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whole() {
        let cases = [
            ("see `src/api/a.ts`", "src/api/a.ts", true),
            ("a.ts.", "a.ts", true),
            ("aa.ts", "a.ts", false),
            ("src/apiextra", "api", false),
            ("src/api/", "api", true),
            ("api-extra", "api", false),
            ("", "api", false),
        ];
        for (text, words, expected) in cases {
            assert_eq!(is_named(text, words), expected, "{words} in {text}");
        }
    }

    #[test]
    fn only_code_counts_as_a_symbol() {
        let text = "Never call `openSession` or close_all without return_code; handlers of fooBar return `return` `x`\n```\nfence_word plain\n```\nafter";
        let expected = ["close_all", "fence_word", "fooBar", "openSession", "plain", "return_code"];
        assert_eq!(code_words(text).into_iter().collect::<Vec<_>>(), expected);
    }
}
