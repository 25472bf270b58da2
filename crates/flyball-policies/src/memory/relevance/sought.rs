//! Which folders of a project a prompt is about, by the words that only they have.
//!
//! A folder is meant if the prompt says its name. If it names none, the folders are meant whose rules are about one of
//! its words, and few others are. A word means nothing that is a verb where it stands, that is plain, or that names the
//! project.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::text::head_bytes;
use flyball_knowledge::node::{self, Node};
use flyball_knowledge::polarity::{Token, is_path, tokens};
use flyball_knowledge::similar;
use serde::{Deserialize, Serialize};

use super::lead::lead;
use super::rule::{is_command, without_mark};
use super::text::{is_keyword, is_weak, words};
use super::things::{Kind, Thing, things};

/// How many folders one prompt means, and how many of one name.
const MOST_MEANT: usize = 3;
const MOST_OF_NAME: usize = 2;
/// How much of a prompt is read.
const MOST_BYTES: usize = 16 * 1024;
/// How many words of a node are kept, those of its headings first.
const MOST_WORDS: usize = 40;
/// In a prompt of so many words, a single one may be there by chance.
const LONG_PROMPT: usize = 40;
/// A word of more than one in so many nodes is not distinctive.
const ONE_IN: usize = 10;
/// Shorter words name nothing by themselves.
const LEAST_LETTERS: usize = 3;

/// A folder that has a node of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// From the project's root.
    pub(crate) path: String,
    /// What its node is about: the stems of the words of its headings, of what its rules begin with, and of its code.
    pub(crate) subjects: Vec<String>,
}

impl Place {
    #[must_use]
    pub(crate) fn new(path: String, node: &Node) -> Place {
        Place { path, subjects: subjects(node) }
    }

    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// The stems of the words of a node's title, which name the project if it is the root's.
#[must_use]
pub(crate) fn title_words(node: &Node) -> Vec<String> {
    let title = node.text.lines().find_map(|line| line.strip_prefix("# "));
    words(title.unwrap_or_default()).map(|word| similar::stem(&word)).collect()
}

/// What a node is about, by stems.
fn subjects(node: &Node) -> Vec<String> {
    let rules = node::rules(node);
    let title = node.text.lines().find_map(|line| line.strip_prefix("# ")).map(str::to_owned);
    let headings = rules.iter().flat_map(|rule| rule.headings.iter().chain([&rule.title]));
    let headings: BTreeSet<&String> = headings.chain(&title).collect();
    let mut found: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        let stem = similar::stem(word);
        if !is_plain(word) && !found.contains(&stem) && found.len() < MOST_WORDS {
            found.push(stem);
        }
    };
    let named = |text: &str| things(text, Kind::Rule, &|_| false).into_iter().map(|thing| thing.word);
    // "Payment rules" is about payments.
    let in_headings = headings.into_iter().flat_map(|heading| named(heading));
    in_headings.filter(|word| !node::is_heading_word(word)).for_each(|word| add(&word));
    for rule in &rules {
        let own = without_mark(&rule.text);
        let tokens = tokens(own);
        let (_, end) = lead(&tokens);
        named(&without_code(own.get(..end).unwrap_or(own))).for_each(|word| add(&word));
        for (_, token) in tokens {
            if let Token::Code(code) = token
                && !is_command(code)
                && !is_path(code)
            {
                words(code).filter(|word| !node::is_verb(word)).for_each(|word| add(&word));
            }
        }
    }
    found
}

/// A text without what is between backticks.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" , ")
}

/// Words that say how something is, and not what.
const ADJECTIVES: &[&str] = &[
    "able",
    "actual",
    "bad",
    "basic",
    "best",
    "better",
    "big",
    "broken",
    "certain",
    "clean",
    "clear",
    "common",
    "complete",
    "correct",
    "current",
    "deep",
    "different",
    "direct",
    "easy",
    "empty",
    "entire",
    "everything",
    "existing",
    "explicit",
    "external",
    "extra",
    "fast",
    "few",
    "final",
    "first",
    "full",
    "general",
    "global",
    "good",
    "great",
    "half",
    "hard",
    "high",
    "important",
    "internal",
    "large",
    "last",
    "late",
    "later",
    "latest",
    "least",
    "less",
    "little",
    "local",
    "long",
    "low",
    "lower",
    "main",
    "many",
    "missing",
    "more",
    "most",
    "much",
    "narrow",
    "near",
    "newest",
    "next",
    "nothing",
    "old",
    "once",
    "one",
    "open",
    "other",
    "own",
    "plain",
    "possible",
    "proper",
    "quick",
    "rare",
    "raw",
    "real",
    "recent",
    "right",
    "safe",
    "same",
    "several",
    "shared",
    "short",
    "simple",
    "single",
    "slow",
    "small",
    "something",
    "special",
    "specific",
    "strict",
    "such",
    "sure",
    "thing",
    "things",
    "three",
    "too",
    "twice",
    "two",
    "unique",
    "upper",
    "usual",
    "valid",
    "whole",
    "wide",
    "wrong",
];
/// What folders are.
const KINDS: &[&str] = &[
    "app",
    "application",
    "area",
    "code",
    "codebase",
    "component",
    "core",
    "crate",
    "directory",
    "feature",
    "file",
    "folder",
    "layer",
    "lib",
    "library",
    "module",
    "package",
    "part",
    "repo",
    "repository",
    "service",
    "src",
    "subsystem",
    "system",
];

/// Whether a word in lower case names nothing in particular.
fn is_plain(word: &str) -> bool {
    let stem = similar::stem(word);
    is_weak(&stem)
        || is_keyword(word)
        || word.len() < LEAST_LETTERS
        || similar::is_filler(word)
        || ADJECTIVES.binary_search(&word).is_ok()
        || is_kind(&stem)
}

fn is_kind(stem: &str) -> bool {
    KINDS.iter().any(|kind| similar::stem(kind) == stem)
}

/// How names are shortened, and how the words begin that they stand for.
const SHORT_FORMS: &[(&str, &[&str])] = &[
    ("admin", &["administ"]),
    ("auth", &["authent", "authoriz", "authoris"]),
    ("calc", &["calcul"]),
    ("cfg", &["config"]),
    ("conf", &["config"]),
    ("config", &["configur"]),
    ("db", &["database"]),
    ("deps", &["dependenc"]),
    ("doc", &["document"]),
    ("docs", &["document"]),
    ("env", &["environment"]),
    ("exec", &["execut"]),
    ("i18n", &["internationali", "translat"]),
    ("infra", &["infrastruct"]),
    ("integ", &["integrat"]),
    ("l10n", &["locali"]),
    ("mgmt", &["manage"]),
    ("msg", &["message"]),
    ("nav", &["navig"]),
    ("net", &["network"]),
    ("notif", &["notif"]),
    ("ops", &["operations"]),
    ("perf", &["perform"]),
    ("pref", &["preferen"]),
    ("prefs", &["preferen"]),
    ("proc", &["process"]),
    ("repo", &["repositor"]),
    ("sched", &["schedul"]),
    ("sec", &["securit"]),
    ("spec", &["specif"]),
    ("stats", &["statist"]),
    ("sync", &["synchron"]),
    ("temp", &["tempora"]),
    ("util", &["utilit"]),
    ("viz", &["visuali"]),
];

/// The folders that a prompt means, the surest first. `paths` are those that it names as paths, which win over words.
#[must_use]
pub(crate) fn sought<'p>(
    prompt: &str,
    paths: &[String],
    project: &[String],
    places: &'p [Place],
) -> Vec<&'p str> {
    let prompt = head_bytes(prompt, MOST_BYTES);
    let words = things(prompt, Kind::Prompt, &|word| is_written_path(word, paths));
    let search = Search { said: Said::new(words), project, places };
    let named = search.named();
    if !named.is_empty() || !paths.is_empty() {
        return named;
    }
    search.by_subject()
}

/// Whether a written word is an address, a file, or one of the paths that were found.
fn is_written_path(word: &str, paths: &[String]) -> bool {
    let bare = word.trim_start_matches(['@', '.', '/']).trim_end_matches('/');
    let is_file = || is_path(word) && word.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let is_found = || {
        paths.iter().any(|path| path.trim_end_matches('/').ends_with(bare) || word.starts_with(path.as_str()))
    };
    word.contains("://")
        || word.starts_with(['/', '~', '@'])
        || (word.contains(['/', '.']) && (is_file() || is_found()))
}

/// The words of a prompt.
struct Said {
    words: Vec<Thing>,
    stems: BTreeSet<String>,
    /// How the long forms begin of short ones that it says.
    starts: Vec<&'static str>,
}

impl Said {
    fn new(words: Vec<Thing>) -> Said {
        let mut said = Said { stems: BTreeSet::new(), starts: Vec::new(), words };
        for Thing { word, .. } in &said.words {
            said.stems.insert(similar::stem(word));
            for (short, starts) in SHORT_FORMS {
                if short == word {
                    said.starts.extend(*starts);
                } else if starts.iter().any(|start| word.starts_with(start)) {
                    said.stems.insert(similar::stem(short));
                }
            }
        }
        said
    }

    /// Whether it says a form of a word, by the word's stem.
    fn has(&self, stem: &str) -> bool {
        self.stems.contains(stem) || self.starts.iter().any(|start| stem.starts_with(start))
    }

    /// Whether it says all words of a name.
    fn has_name(&self, name: &str) -> bool {
        name_stems(name).iter().all(|stem| self.has(stem))
    }

    /// Whether it calls a word a folder, a package or the like.
    fn calls_folder(&self, stem: &str) -> bool {
        let is_beside = |one: &Thing, other: &Thing| one.at.abs_diff(other.at) == 1;
        let kinds = || self.words.iter().filter(|it| is_kind(&similar::stem(&it.word)));
        let own = self.words.iter().filter(|it| similar::stem(&it.word) == stem);
        own.into_iter().any(|own| kinds().any(|kind| is_beside(own, kind)))
    }
}

/// What a prompt says, and where it could belong.
struct Search<'a, 'p> {
    said: Said,
    project: &'a [String],
    places: &'p [Place],
}

impl<'p> Search<'_, 'p> {
    /// The folders whose own names the prompt says.
    fn named(&self) -> Vec<&'p str> {
        let mut found: Vec<(usize, &Place)> = Vec::new();
        for place in self.places.iter().filter(|place| self.said.has_name(place.name())) {
            let parts = place.path.split('/').filter(|part| self.said.has_name(part)).count();
            if parts > 1 || self.is_sure(place) {
                found.push((parts, place));
            }
        }
        let all = found.clone();
        // Of several with one name: those of which more of the path is said.
        found.retain(|(parts, place)| {
            let same = all.iter().filter(|(_, other)| name_stems(other.name()) == name_stems(place.name()));
            let best = same.clone().map(|(parts, _)| *parts).max();
            best == Some(*parts) && same.filter(|(other, _)| other == parts).count() <= MOST_OF_NAME
        });
        // The rules of a folder above come with it.
        let kept: Vec<&str> = found.iter().map(|(_, place)| place.path.as_str()).collect();
        found.retain(|(_, place)| !kept.iter().any(|other| is_below(other, &place.path)));
        found.sort_by(|(one, place), (other, other_place)| {
            other.cmp(one).then(place.path.cmp(&other_place.path))
        });
        found.into_iter().take(MOST_MEANT).map(|(_, place)| place.path.as_str()).collect()
    }

    /// Whether it is no accident that the prompt says a folder's name: `data` is a plain word, "the data folder" is not.
    fn is_sure(&self, place: &Place) -> bool {
        let words = name_words(place.name());
        let is_shared = |word: &str| {
            let stem = similar::stem(word);
            let others = self.places.iter().filter(|it| it.path != place.path && it.subjects.contains(&stem));
            others.count() > (self.places.len() / 4).max(MOST_OF_NAME)
        };
        let is_telling = |word: &String| (!is_plain(word) || word.len() < LEAST_LETTERS) && !is_shared(word);
        words.iter().any(is_telling) || words.iter().all(|word| self.said.calls_folder(&similar::stem(word)))
    }

    /// The folders whose nodes are about words of the prompt that few nodes are about.
    fn by_subject(&self) -> Vec<&'p str> {
        let owned: Vec<(&Place, BTreeSet<String>)> =
            self.places.iter().map(|place| (place, own_stems(place))).collect();
        let mut spread: BTreeMap<&str, usize> = BTreeMap::new();
        owned.iter().flat_map(|(_, stems)| stems).for_each(|stem| *spread.entry(stem).or_default() += 1);
        let few = (self.places.len() / ONE_IN).clamp(1, MOST_MEANT);
        let is_distinctive = |stem: &String| {
            !self.project.contains(stem) && spread.get(stem.as_str()).is_some_and(|count| *count <= few)
        };
        let score = |stems: &BTreeSet<String>| {
            stems.iter().filter(|stem| self.said.has(stem) && is_distinctive(stem)).count()
        };
        let scores: Vec<(usize, &Place)> =
            owned.iter().map(|(place, stems)| (score(stems), *place)).collect();
        let best = scores.iter().map(|(score, _)| *score).max().unwrap_or_default();
        let least = if self.said.stems.len() > LONG_PROMPT { 2 } else { 1 };
        let meant = scores.into_iter().filter(|(score, _)| *score == best && best >= least);
        let meant: Vec<&str> = meant.map(|(_, place)| place.path.as_str()).collect();
        // What is about so many parts is about none.
        if meant.len() > MOST_MEANT { Vec::new() } else { meant }
    }
}

/// What a place is about: the subjects of its node, and what its name says it is. A name of several words ends with that.
fn own_stems(place: &Place) -> BTreeSet<String> {
    let last = name_words(place.name()).into_iter().rfind(|word| !is_plain(word));
    place.subjects.iter().cloned().chain(last.map(|word| similar::stem(&word))).collect()
}

/// The words of a folder's name; the name itself if it is short: `ui`.
fn name_words(name: &str) -> Vec<String> {
    let found: Vec<String> = words(name).collect();
    if found.is_empty() { vec![name.to_lowercase()] } else { found }
}

fn name_stems(name: &str) -> Vec<String> {
    name_words(name).iter().map(|word| similar::stem(word)).collect()
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests;
