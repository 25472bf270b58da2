//! What a rule names: code, words, paths and topics.

use std::collections::{BTreeMap, BTreeSet};

use flyball_knowledge::node::Rule;
use flyball_knowledge::similar;

use super::text::{is_keyword, is_meaningful, parts, weight, words};
use super::token::{Named, Role, Token, lead, named, tokens};
use super::topic::{self, Topics, named_in_rule};

/// What a word at the beginning of a rule counts more.
const LEAD: f64 = 1.7;

/// What is known of one rule, without knowing the edit.
#[derive(Debug, Default)]
pub(super) struct Features {
    /// The code that it names, each once, and how.
    pub(super) code: Vec<(String, Role)>,
    /// Whether its first word is its first code: the rule says something about it.
    pub(super) begins_with_code: bool,
    /// Plain words that name what it forbids, by their stems.
    pub(super) forbidden_words: BTreeSet<String>,
    /// Its words by their stems, and what each counts.
    pub(super) words: BTreeMap<String, f64>,
    /// The words of the headings above it, by their stems.
    pub(super) heading_words: BTreeSet<String>,
    /// The topics of its first words, of several words, of one word, and of the headings above it.
    pub(super) topics: TopicsOfRule,
    /// How deep its node is in the project.
    pub(super) depth: usize,
    /// The part of the work that the headings above it are about.
    pub(super) part: Part,
    /// Whether it is about its own folder as a whole.
    pub(super) is_about_folder: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TopicsOfRule {
    pub(super) lead: Topics,
    pub(super) often: Topics,
    pub(super) once: Topics,
    pub(super) headings: Topics,
}

/// What part of the work a section is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    #[default]
    Any,
    /// Writing tests.
    Tests,
    /// What is done around a change: installing, running, committing.
    Around,
}

impl Features {
    pub(super) fn new(rule: &Rule, depth: usize) -> Features {
        let title = if rule.title.is_empty() { String::new() } else { format!("{}.\n", rule.title) };
        let own = without_mark(&rule.text);
        let body = format!("{title}{}{own}", lead_in(&rule.lead));
        let all = tokens(&body);
        let Named { code, forbidden_words } = named(&all);
        // What a rule is about is said at the beginning of its title and of its text.
        let (mut first, mut ends) = (BTreeSet::new(), Vec::new());
        for (offset, part) in [(0, title.as_str()), (body.len() - own.len(), own)] {
            let (stems, end) = lead(&tokens(part));
            first.extend(stems);
            ends.push(offset..offset + end.min(part.len()));
        }
        let headings = headings(rule);
        let part = part_of(&rule.headings, own);
        Features {
            words: word_weights(&all, &first),
            code: once_each(code),
            begins_with_code: own.starts_with('`'),
            forbidden_words: forbidden_words.iter().map(|word| similar::stem(word)).collect(),
            heading_words: words(&headings).map(|word| similar::stem(&word)).collect(),
            topics: topics(&body, &headings, |at| ends.iter().any(|end| end.contains(&at))),
            depth,
            part,
            is_about_folder: ["this folder", "this directory", "this module", "this package"]
                .iter()
                .any(|here| body.contains(here)),
        }
    }
}

impl Features {
    /// Whether it is about how work is done, or begins with nothing that only some edits are about.
    pub(super) fn is_about_work(&self) -> bool {
        self.part == Part::Around || self.topics.lead.without(topic::broad()).is_empty()
    }

    /// Whether so many words are common that it is worth to compare the texts.
    pub(super) fn is_like(&self, other: &Features) -> bool {
        let common = self.words.keys().filter(|word| other.words.contains_key(*word)).count();
        common * 2 >= self.words.len().min(other.words.len())
    }
}

/// The sentence that announces a rule, as a sentence of its own.
fn lead_in(lead: &str) -> String {
    if lead.is_empty() { String::new() } else { format!("{lead}.\n") }
}

/// The text without the mark of its list item.
fn without_mark(text: &str) -> &str {
    let text = text.trim_start();
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let numbered = (digits.len() < text.len()).then(|| digits.strip_prefix(['.', ')'])).flatten();
    let bare = numbered.or_else(|| text.strip_prefix(['-', '*', '+'])).filter(|rest| rest.starts_with(' '));
    let text = bare.map_or(text, str::trim_start);
    ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text)
}

/// The headings above, without the title of the file, which names the project.
fn headings(rule: &Rule) -> String {
    let own = rule.headings.iter().skip(1).filter(|heading| **heading != rule.title);
    own.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Each code once; that something is forbidden counts more than that it is named.
fn once_each(code: Vec<(&str, Role)>) -> Vec<(String, Role)> {
    let mut found: Vec<(String, Role)> = Vec::new();
    for (code, role) in code {
        if code.is_empty() || is_command(code) {
            continue;
        }
        match found.iter_mut().find(|(known, _)| known == code) {
            Some((_, known)) if role == Role::Forbidden => *known = role,
            Some(_) => {}
            None => found.push((code.to_owned(), role)),
        }
    }
    found
}

/// `uv run pytest`: what is typed, not what is written into a file.
fn is_command(code: &str) -> bool {
    let mut words = code.split_whitespace();
    let first = words.next().map(|word| word.rsplit('/').next().unwrap_or(word));
    words.next().is_some() && first.is_some_and(|first| flyball_programs::program(first).is_some())
}

fn word_weights(tokens: &[(usize, Token<'_>)], first: &BTreeSet<String>) -> BTreeMap<String, f64> {
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    let mut add = |word: &str| {
        let stem = similar::stem(word);
        let value = weight(&stem) * if first.contains(&stem) { LEAD } else { 1.0 };
        let known = found.entry(stem).or_default();
        *known = known.max(value);
    };
    for (_, token) in tokens {
        match token {
            Token::Word(text) => {
                let words = text.split(|letter: char| !letter.is_alphanumeric()).flat_map(parts);
                words.map(str::to_lowercase).filter(|word| is_meaningful(word)).for_each(|word| add(&word));
            }
            Token::Code(code) => words(code).filter(|word| !is_keyword(word)).for_each(|word| add(&word)),
            Token::Stop | Token::Comma => {}
        }
    }
    found
}

fn topics(body: &str, headings: &str, is_first: impl Fn(usize) -> bool) -> TopicsOfRule {
    let mut found = TopicsOfRule::default();
    named_in_rule(body, |at, topics| {
        if is_first(at) {
            found.lead = found.lead | topics;
        }
        found.often = found.often | (found.once & topics);
        found.once = found.once | topics;
    });
    named_in_rule(headings, |_, topics| found.headings = found.headings | topics);
    found
}

const AROUND: &[&str] = &[
    "setup",
    "getting started",
    "commands",
    "build",
    "pull request",
    "pr instruction",
    "before you commit",
    "how to work",
    "ground rules",
    "working agreement",
    "dev environment",
    "releases",
    "installation",
    "contributing",
    "commit",
];

fn part_of(headings: &[String], text: &str) -> Part {
    let lower: Vec<String> = headings.iter().skip(1).map(|heading| heading.to_lowercase()).collect();
    let is_about_tests = |heading: &String| {
        let heading = heading.trim_end_matches(" instructions").trim_end_matches(" guidelines");
        heading.rsplit(' ').next().is_some_and(|last| matches!(last, "test" | "tests" | "testing"))
    };
    let first_two = text.split_whitespace().take(2).map(str::to_lowercase);
    if lower.iter().any(is_about_tests) || first_two.into_iter().any(|word| word == "tests") {
        return Part::Tests;
    }
    let is_around = |heading: &String| AROUND.iter().any(|words| heading.contains(words));
    if lower.iter().any(is_around) { Part::Around } else { Part::Any }
}
