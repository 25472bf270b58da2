//! Rules that say the same, or the opposite, in one file or in a file above it.

use std::collections::BTreeSet;

use flyball_knowledge::node::Rule;
use flyball_knowledge::similar::Words;

use super::found::Found;
use super::severity::Severity;
use crate::commands::memory::place::display_path;

/// So many pairs of rules are compared for one file.
const MOST_PAIRS: usize = 250_000;
/// From here on one of two rules is enough, if they name the same code.
const SAME: f64 = 0.75;
/// Shorter rules have too few words to compare.
const LEAST_BYTES: usize = 16;

/// What the rules of a file repeat or contradict: rules of the files above it, and earlier ones of its own.
pub(super) fn inspect(own: &[Rule], above: &[Rule], root: &str) -> Vec<Found> {
    let texts: Vec<(&Rule, String)> = above.iter().chain(own).map(|rule| (rule, own_words(rule))).collect();
    let all: Vec<Compared<'_>> = texts.iter().map(|(rule, text)| Compared::new(rule, text)).collect();
    let mut found = Vec::new();
    let mut left = MOST_PAIRS;
    for (at, rule) in all.iter().enumerate().skip(above.len()).filter(|(_, rule)| rule.is_long) {
        for other in all.iter().take(at) {
            if left == 0 {
                return found;
            }
            left -= 1;
            if !other.is_long {
                continue;
            }
            let place = || format!("{}:{}", display_path(&other.rule.node, root), other.rule.line);
            let what = if rule.repeats(other) {
                format!("it says the same as {}: keep one of them", place())
            } else if rule.words.contradicts(&other.words) {
                format!("it may contradict {}: \"{}\"", place(), other.rule.summary())
            } else {
                continue;
            };
            found.push((rule.rule.line, Severity::Warning, what));
            break;
        }
    }
    found
}

/// A rule that is compared with others.
struct Compared<'a> {
    rule: &'a Rule,
    words: Words<'a>,
    /// What it names in code: two commands are two rules, however alike.
    code: BTreeSet<&'a str>,
    is_long: bool,
}

impl<'a> Compared<'a> {
    fn new(rule: &'a Rule, text: &'a str) -> Compared<'a> {
        let code = rule.text.split('`').skip(1).step_by(2).collect();
        let is_long = rule.text.len() + rule.title.len() >= LEAST_BYTES;
        Compared { rule, words: Words::new(text), code, is_long }
    }

    /// Whether it says what another rule says. Rows of tables are about what stands above them.
    fn repeats(&self, other: &Compared<'_>) -> bool {
        let is_row = self.rule.text.starts_with('|') && other.rule.text.starts_with('|');
        self.code == other.code
            && (!is_row || self.rule.headings == other.rule.headings)
            && self.words.similarity(&other.words) >= SAME
    }
}

/// The words of a rule, without those that it shares with others of its list.
fn own_words(rule: &Rule) -> String {
    format!("{}\n{}", rule.title, rule.text)
}
