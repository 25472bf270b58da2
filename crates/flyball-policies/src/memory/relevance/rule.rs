//! What a rule names: code, words, paths and topics.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use flyball_knowledge::node::Rule;
use flyball_knowledge::polarity::{Named, Role, Token, forbids_what_follows, named, tokens};
use flyball_knowledge::similar;

use super::headings::{Above, Part};
use super::language::{Language, Languages, asked_for};
use super::lead::lead;
use super::text::{is_keyword, meaningful, parts, weight, words};
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
    /// What the headings above it say.
    pub(super) above: Rc<Above>,
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

impl Features {
    /// Of a rule below some headings, in a node that is so deep in the project.
    pub(super) fn new(rule: &Rule, above: &Rc<Above>, depth: usize) -> Features {
        let text = RuleText::new(rule);
        let tokens = text.tokens();
        let (before, own) = tokens.split_at(tokens.partition_point(|(at, _)| *at < text.own_at));
        let (title, _) = before.split_at(before.partition_point(|(at, _)| *at < text.lead_at));
        let is_forbidding = above.is_forbidding || forbids_what_follows(&rule.lead);
        let (mut all, named_own) = (named(before, false), named(own, is_forbidding));
        let is_about_its_place = text.begins_with_place(own)
            && if is_forbidding {
                begins_with_scope(&named(own, false))
            } else {
                begins_with_scope(&named_own)
            };
        all.code.extend(named_own.code);
        all.forbidden_words.extend(named_own.forbidden_words);
        // What a rule is about is said at the beginning of its title and of its text.
        let ((mut first, title_end), (more, own_end)) = (lead(title), lead(own));
        first.extend(more);
        let ends = [0..title_end.min(text.lead_at), text.own_at..own_end];
        let languages = Languages::named_in(&text.body);
        Features {
            words: word_weights(&tokens, &first),
            is_about_commands: !all.code.is_empty() && all.code.iter().all(|(code, _)| is_command(code)),
            code: once_each(all.code),
            is_about_its_place,
            begins_with_code: text.own().starts_with('`') && !above.is_layout,
            forbidden_words: all.forbidden_words.iter().map(|word| similar::stem(word)).collect(),
            topics: topics(&text.body, above, |at| ends.iter().any(|end| end.contains(&at))),
            languages: if languages.is_empty() { above.languages } else { languages },
            asked_language: asked_for(&text.body),
            is_about_remarks: ["comment", "docstring", "TODO"].iter().any(|it| text.body.contains(it)),
            is_about_folder: ["this folder", "this directory", "this module", "this package"]
                .iter()
                .any(|here| text.body.contains(here)),
            part: if begins_with_tests(text.own()) { Part::Tests } else { above.part },
            above: Rc::clone(above),
            depth,
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

/// The words of a rule as one text: its title and what announces it, each as a sentence, and its own.
pub(super) struct RuleText {
    pub(super) body: String,
    /// Where what announces it begins, and its own text, without the mark of its list item.
    lead_at: usize,
    pub(super) own_at: usize,
}

impl RuleText {
    pub(super) fn new(rule: &Rule) -> RuleText {
        let mut body = String::new();
        let mut add_sentence = |text: &str| {
            if !text.is_empty() {
                body.push_str(text);
                body.push_str(".\n");
            }
            body.len()
        };
        let (lead_at, own_at) = (add_sentence(&rule.title), add_sentence(&rule.lead));
        body.push_str(without_mark(&rule.text));
        RuleText { body, lead_at, own_at }
    }

    fn own(&self) -> &str {
        self.body.get(self.own_at..).unwrap_or_default()
    }

    /// Its tokens, with their places. A backtick of one part closes none of another.
    pub(super) fn tokens(&self) -> Vec<(usize, Token<'_>)> {
        let mut all = Vec::new();
        for part in [0..self.lead_at, self.lead_at..self.own_at, self.own_at..self.body.len()] {
            let found = tokens(self.body.get(part.clone()).unwrap_or_default());
            all.extend(found.into_iter().map(|(at, token)| (part.start + at, token)));
        }
        all
    }

    /// `In X, …`, `everything in X is …`, `migrations in db/migrations are …`: nothing is named before the place but what
    /// is there.
    fn begins_with_place(&self, own: &[(usize, Token<'_>)]) -> bool {
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
        let first = own.iter().find_map(|(at, token)| match token {
            Token::Code(code) => Some((*at, *code)),
            Token::Word(_) | Token::Stop | Token::Colon | Token::Comma => None,
        });
        let Some((at, code)) = first else { return false };
        let mut of_place = None;
        let mut before = words(self.body.get(self.own_at..at).unwrap_or_default());
        before.all(|word| {
            let of_place = of_place
                .get_or_insert_with(|| words(code).map(|word| similar::stem(&word)).collect::<Vec<_>>());
            ALL.contains(&word.as_str()) || of_place.contains(&similar::stem(&word))
        })
    }
}

/// Whether the first code of a text is where something holds.
fn begins_with_scope(named: &Named<'_>) -> bool {
    named.code.first().is_some_and(|(_, role)| *role == Role::Scope)
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

fn begins_with_tests(own: &str) -> bool {
    own.split_whitespace().take(2).any(|word| word.eq_ignore_ascii_case("tests"))
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

fn word_weights(tokens: &[(usize, Token<'_>)], first: &[String]) -> BTreeMap<String, f64> {
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    let mut add = |word: String| {
        let stem = similar::stem(&word);
        let value = weight(&stem) * if first.contains(&stem) { LEAD } else { 1.0 };
        let known = found.entry(stem).or_default();
        *known = known.max(value);
    };
    for (_, token) in tokens {
        match token {
            Token::Word(text) => {
                let words = text.split(|letter: char| !letter.is_alphanumeric()).flat_map(parts);
                words.filter_map(meaningful).for_each(&mut add);
            }
            Token::Code(code) => words(code).filter(|word| !is_keyword(word)).for_each(&mut add),
            Token::Stop | Token::Colon | Token::Comma => {}
        }
    }
    found
}

fn topics(body: &str, above: &Above, is_first: impl Fn(usize) -> bool) -> TopicsOfRule {
    let mut found = TopicsOfRule { headings: above.topics, ..TopicsOfRule::default() };
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
    found
}
