//! Rules that say the same, or the opposite, in one file or in a file above it.

use std::collections::BTreeSet;

use flyball_knowledge::node::Rule;
use flyball_knowledge::similar::Words;

use super::found::Found;
use super::severity::Severity;
use crate::commands::memory::place::display_path;

/// So many pairs of rules are compared for one file.
const MOST_PAIRS: usize = 60_000;
/// From here on one of two rules is enough, if they name the same code.
const SAME: f64 = 0.75;
/// Shorter rules have too few words to compare.
const LEAST_BYTES: usize = 16;

/// What the rules of a file repeat or contradict: rules of the files above it, and earlier ones of its own.
pub(super) fn inspect(own: &[Rule], above: &[Rule], root: &str) -> Vec<Found> {
    let texts: Vec<(&Rule, String)> = above.iter().chain(own).map(|rule| (rule, own_words(rule))).collect();
    let words: Vec<(&Rule, Words<'_>)> = texts.iter().map(|(rule, text)| (*rule, Words::new(text))).collect();
    let mut found = Vec::new();
    let mut left = MOST_PAIRS;
    for at in above.len()..words.len() {
        let Some((rule, own)) =
            words.get(at).filter(|(rule, _)| rule.text.len() + rule.title.len() >= LEAST_BYTES)
        else {
            continue;
        };
        for (other, theirs) in words.iter().take(at) {
            if left == 0 {
                return found;
            }
            left -= 1;
            if other.text.len() + other.title.len() < LEAST_BYTES {
                continue;
            }
            let place = || format!("{}:{}", display_path(&other.node, root), other.line);
            if own.similarity(theirs) >= SAME && code(rule) == code(other) {
                found.push((
                    rule.line,
                    Severity::Warning,
                    format!("it says the same as {}: keep one of them", place()),
                ));
                break;
            }
            if own.contradicts(theirs) {
                let what = format!("it may contradict {}: \"{}\"", place(), other.summary());
                found.push((rule.line, Severity::Warning, what));
                break;
            }
        }
    }
    found
}

/// The words of a rule, without those that it shares with others of its list.
fn own_words(rule: &Rule) -> String {
    format!("{}\n{}", rule.title, rule.text)
}

/// What a rule names in code: two commands are two rules, however alike.
fn code(rule: &Rule) -> BTreeSet<&str> {
    rule.text.split('`').skip(1).step_by(2).collect()
}
