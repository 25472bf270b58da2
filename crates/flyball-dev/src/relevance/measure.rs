//! Counts how many of the rules that a method shows are wanted.

use flyball::outcome::Failed;
use flyball_knowledge::node::Rule;

use super::baselines;
use super::set::{Edit, Project};
use super::stage::Stage;

/// So many rules of each edit count, the first.
const AT: usize = 3;

/// A way to choose rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// What the hook shows.
    Flyball,
    /// All rules that cover the file.
    Everything,
    /// Those that share words with the edit.
    Words,
}

impl Method {
    pub(super) const ALL: [Method; 3] = [Method::Flyball, Method::Everything, Method::Words];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Method::Flyball => "flyball",
            Method::Everything => "everything that covers the file",
            Method::Words => "common words (BM25)",
        }
    }
}

/// What a method reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) edits: usize,
    /// Rules shown among the first three of an edit, without those that count neither way.
    pub(super) shown: usize,
    /// Those of them that are wanted.
    pub(super) hits: usize,
    /// How many are wanted, at most three of an edit.
    pub(super) wanted: usize,
    /// Those of them that are shown.
    pub(super) found: usize,
}

impl Counts {
    pub(super) fn precision(&self) -> f64 {
        share(self.hits, self.shown)
    }

    pub(super) fn recall(&self) -> f64 {
        share(self.found, self.wanted)
    }

    pub(super) fn f1(&self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }
    }
}

fn share(part: usize, all: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if all == 0 { 0.0 } else { number(part) / number(all) }
}

/// The edits where what is shown differs from the labels.
#[derive(Default)]
pub(super) struct Misses(pub(super) Vec<String>);

/// What a method reaches in these projects.
pub(super) fn measure(projects: &[&Project], method: Method, misses: &mut Misses) -> Result<Counts, Failed> {
    let mut counts = Counts::default();
    for project in projects {
        let stage = Stage::new(project)?;
        for edit in &project.edits {
            let rules = stage.covering(edit)?;
            let places = match method {
                Method::Flyball => shown(&stage.shown(edit)?, &rules),
                Method::Everything => baselines::everything(&rules),
                Method::Words => baselines::by_words(edit, &rules),
            };
            let first: Vec<&Rule> = places.iter().take(AT).filter_map(|place| rules.get(*place)).collect();
            let missed = count(edit, &first, &mut counts);
            misses.0.extend(missed.map(|missed| format!("{} {}\n{missed}", project.name, edit.file)));
        }
    }
    Ok(counts)
}

/// The rules in a text, in its order.
fn shown(text: &str, rules: &[Rule]) -> Vec<usize> {
    let mut found: Vec<(usize, usize)> =
        rules.iter().enumerate().filter_map(|(place, rule)| Some((text.find(&rule.text)?, place))).collect();
    found.sort_unstable();
    // A rule whose text is a part of another's is found there too.
    found.dedup_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, place)| place).collect()
}

/// Counts one edit, and says what is wrong.
fn count(edit: &Edit, first: &[&Rule], counts: &mut Counts) -> Option<String> {
    let is_one = |rule: &Rule, labels: &[String]| labels.iter().any(|label| rule.words().contains(label));
    let counted: Vec<&&Rule> =
        first.iter().filter(|rule| is_one(rule, &edit.want) || !is_one(rule, &edit.fine)).collect();
    let hits = counted.iter().filter(|rule| is_one(rule, &edit.want)).count();
    let is_found = |label: &&String| first.iter().any(|rule| rule.words().contains(*label));
    let found = edit.want.iter().filter(is_found).count().min(AT);
    let wanted = edit.want.len().min(AT);
    counts.edits += 1;
    counts.shown += counted.len();
    counts.hits += hits;
    counts.wanted += wanted;
    counts.found += found;
    let wrong = counted
        .iter()
        .filter(|rule| !is_one(rule, &edit.want))
        .map(|rule| format!("  not wanted: {}", rule.summary()));
    let missing =
        edit.want.iter().filter(|label| !is_found(label)).map(|label| format!("  missing: {label}"));
    let lines: Vec<String> = wrong.chain(missing.filter(|_| found < wanted)).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
