//! What the headings above a rule say about it.

use std::collections::BTreeSet;

use flyball_knowledge::node::Rule;
use flyball_knowledge::polarity::forbids_what_follows;
use flyball_knowledge::similar;

use super::language::Languages;
use super::text::words;
use super::topic::{Topics, named_in_rule};

/// What the headings above a rule say about it: read once for all rules below them.
#[derive(Debug, Default)]
pub(super) struct Above {
    /// Their words by their stems, without those of the title of the file, which names the project.
    pub(super) words: BTreeSet<String>,
    pub(super) topics: Topics,
    /// The languages that the last one names.
    pub(super) languages: Languages,
    /// The part of the work that they are about.
    pub(super) part: Part,
    /// Whether the last one announces a description of folders: that a rule begins with one is only its form.
    pub(super) is_layout: bool,
    /// Whether the last one forbids what is below.
    pub(super) is_forbidding: bool,
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

impl Above {
    pub(super) fn new(rule: &Rule) -> Above {
        let inner: Vec<&str> = rule.headings.iter().skip(1).map(String::as_str).collect();
        let others: Vec<&str> = inner.iter().copied().filter(|heading| *heading != rule.title).collect();
        let others = others.join("\n");
        let mut topics = Topics::default();
        named_in_rule(&others, |_, more| topics = topics | more);
        Above {
            words: words(&others).map(|word| similar::stem(&word)).collect(),
            topics,
            languages: inner.last().map(|last| Languages::named_in(last)).unwrap_or_default(),
            part: part_of(&inner),
            is_layout: rule.headings.last().is_some_and(|last| announces_layout(last)),
            is_forbidding: heading_forbids(rule),
        }
    }
}

/// Whether the heading above a rule forbids what is below it.
fn heading_forbids(rule: &Rule) -> bool {
    let last = rule.headings.iter().rfind(|heading| **heading != rule.title);
    last.is_some_and(|last| forbids_what_follows(last))
}

/// Whether the heading above a rule, or the words that it belongs to, forbid what it says.
pub(super) fn forbids_below(rule: &Rule) -> bool {
    heading_forbids(rule) || forbids_what_follows(&rule.lead)
}

/// Whether the same is above two rules.
pub(super) fn are_below_same(one: &Rule, other: &Rule) -> bool {
    let repeats = |rule: &Rule| rule.headings.contains(&rule.title);
    one.headings == other.headings && (one.title == other.title || !(repeats(one) || repeats(other)))
}

fn announces_layout(heading: &str) -> bool {
    const DESCRIPTIONS: &[&str] =
        &["layout", "structure", "architecture", "overview", "folders", "directories"];
    let heading = heading.to_lowercase();
    DESCRIPTIONS.iter().any(|word| heading.contains(word))
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

fn part_of(headings: &[&str]) -> Part {
    let lower: Vec<String> = headings.iter().map(|heading| heading.to_lowercase()).collect();
    let is_about_tests = |heading: &String| {
        let heading = heading.trim_end_matches(" instructions").trim_end_matches(" guidelines");
        heading.rsplit(' ').next().is_some_and(|last| matches!(last, "test" | "tests" | "testing"))
    };
    let is_around = |heading: &String| AROUND.iter().any(|words| heading.contains(words));
    match () {
        () if lower.iter().any(is_about_tests) => Part::Tests,
        () if lower.iter().any(is_around) => Part::Around,
        () => Part::Any,
    }
}
