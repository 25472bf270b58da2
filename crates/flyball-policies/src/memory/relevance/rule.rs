//! What a rule names: code, words, paths and topics.

use std::collections::{BTreeMap, BTreeSet};

use flyball_knowledge::node::Rule;
use flyball_knowledge::polarity::{Named, Role, Token, forbids_what_follows, named, tokens};
use flyball_knowledge::similar;

use super::language::{Language, Languages, asked_for};
use super::lead::lead;
use super::text::{is_keyword, is_meaningful, parts, weight, words};
use super::topic::{self, Topics, named_in_rule};

/// What a word at the beginning of a rule counts more.
const LEAD: f64 = 1.7;

/// So many words are a short rule.
const SHORT: usize = 12;

/// What is known of one rule, without knowing the edit.
#[derive(Debug, Default)]
pub(super) struct Features {
    /// The code that it names, each once, and how.
    pub(super) code: Vec<(String, Role)>,
    /// Whether its first word is its first code: the rule says something about it.
    pub(super) begins_with_code: bool,
    /// Whether it begins with where it holds, and is about all that is there: `everything in X`.
    pub(super) is_about_its_place: bool,
    /// Plain words that name what it forbids, by their stems.
    pub(super) forbidden_words: BTreeSet<String>,
    /// Its words by their stems, and what each counts.
    pub(super) words: BTreeMap<String, f64>,
    /// The words of the headings above it, by their stems.
    pub(super) heading_words: BTreeSet<String>,
    /// The topics of its first words, of several words, of one word, and of the headings above it.
    pub(super) topics: TopicsOfRule,
    /// The languages that it is about, and the one that it asks for.
    pub(super) languages: Languages,
    pub(super) asked_language: Option<Language>,
    /// Whether it names commands, and no other code.
    pub(super) is_about_commands: bool,
    /// Whether it is about comments.
    pub(super) is_about_remarks: bool,
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
        let title = title_sentence(rule);
        let own = without_mark(&rule.text);
        let (body, start) = body(rule);
        let all = tokens(&body);
        let Named { code, forbidden_words } = roles(rule, &all, start);
        // What a rule is about is said at the beginning of its title and of its text.
        let (mut first, mut ends) = (BTreeSet::new(), Vec::new());
        for (offset, part) in [(0, title.as_str()), (start, own)] {
            let (stems, end) = lead(&tokens(part));
            first.extend(stems);
            ends.push(offset..offset + end.min(part.len()));
        }
        let headings = headings(rule);
        let part = part_of(&rule.headings, own);
        Features {
            words: word_weights(&all, &first),
            is_about_commands: !code.is_empty() && code.iter().all(|(code, _)| is_command(code)),
            code: once_each(code),
            is_about_its_place: is_about_its_place(own),
            begins_with_code: own.starts_with('`') && !is_below_layout(rule),
            forbidden_words: forbidden_words.iter().map(|word| similar::stem(word)).collect(),
            heading_words: words(&headings).map(|word| similar::stem(&word)).collect(),
            topics: topics(&body, &headings, |at| ends.iter().any(|end| end.contains(&at))),
            languages: languages(rule, &body),
            asked_language: asked_for(&body),
            is_about_remarks: ["comment", "docstring", "TODO"].iter().any(|it| body.contains(it)),
            depth,
            part,
            is_about_folder: ["this folder", "this directory", "this module", "this package"]
                .iter()
                .any(|here| body.contains(here)),
        }
    }
}

impl Features {
    /// Whether its words or headings have one of these topics.
    pub(super) fn is_about(&self, topics: Topics) -> bool {
        !((self.topics.once | self.topics.headings) & topics).is_empty()
    }

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

fn title_sentence(rule: &Rule) -> String {
    if rule.title.is_empty() { String::new() } else { format!("{}.\n", rule.title) }
}

/// A rule with its title and the words that it belongs to, and where its own text begins in that.
pub(super) fn body(rule: &Rule) -> (String, usize) {
    let above = format!("{}{}", title_sentence(rule), lead_in(&rule.lead));
    (format!("{above}{}", without_mark(&rule.text)), above.len())
}

/// Whether the heading above a rule, or the words that it belongs to, forbid what it says.
pub(super) fn forbids_below(rule: &Rule) -> bool {
    let heading = rule.headings.iter().rfind(|heading| **heading != rule.title);
    heading.is_some_and(|heading| forbids_what_follows(heading)) || forbids_what_follows(&rule.lead)
}

/// What a rule names, and how; its own text begins at a place.
fn roles<'a>(rule: &Rule, tokens: &[(usize, Token<'a>)], own: usize) -> Named<'a> {
    let (above, own) = tokens.split_at(tokens.partition_point(|(at, _)| *at < own));
    let (mut all, more) = (named(above, false), named(own, forbids_below(rule)));
    all.code.extend(more.code);
    all.forbidden_words.extend(more.forbidden_words);
    all
}

/// Whether a rule is in a description of folders: that it begins with one is only its form.
fn is_below_layout(rule: &Rule) -> bool {
    const DESCRIPTIONS: &[&str] =
        &["layout", "structure", "architecture", "overview", "folders", "directories"];
    let heading = rule.headings.iter().next_back().map(|heading| heading.to_lowercase()).unwrap_or_default();
    DESCRIPTIONS.iter().any(|word| heading.contains(word))
}

/// `In X, …`, `everything in X is …`, `migrations in db/migrations are …`: nothing is named before the place but what is there.
fn is_about_its_place(own: &str) -> bool {
    const ALL: &[&str] = &[
        "everything",
        "anything",
        "nothing",
        "file",
        "files",
        "code",
        "all",
        "every",
        "any",
        "inside",
        "under",
    ];
    let tokens = tokens(own);
    let Some((at, Token::Code(code))) = tokens.iter().find(|(_, token)| matches!(token, Token::Code(_)))
    else {
        return false;
    };
    let is_scope = named(&tokens, false).code.first().is_some_and(|(_, role)| *role == Role::Scope);
    let of_place: BTreeSet<String> = words(code).map(|word| similar::stem(&word)).collect();
    let mut before = words(own.get(..*at).unwrap_or_default());
    is_scope && before.all(|word| ALL.contains(&word.as_str()) || of_place.contains(&similar::stem(&word)))
}

/// The languages that a rule or the heading above it names.
fn languages(rule: &Rule, body: &str) -> Languages {
    let own = Languages::named_in(body);
    let heading = rule.headings.iter().skip(1).next_back();
    if own.is_empty() { heading.map(|it| Languages::named_in(it)).unwrap_or_default() } else { own }
}

/// The sentence that announces a rule, as a sentence of its own.
fn lead_in(lead: &str) -> String {
    if lead.is_empty() { String::new() } else { format!("{lead}.\n") }
}

/// The text without the mark of its list item.
pub(super) fn without_mark(text: &str) -> &str {
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
pub(super) fn is_command(code: &str) -> bool {
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
            Token::Stop | Token::Colon | Token::Comma => {}
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
    // A short rule is about what it names, wherever that is.
    if body.split_whitespace().take(SHORT + 1).count() <= SHORT {
        found.lead = found.lead | (found.once & topic::exact());
    }
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
