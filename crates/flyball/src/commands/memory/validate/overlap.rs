//! Rules that say the same, or the opposite, in one file or in a file above it.

use flyball_knowledge::node::Rule;
use flyball_knowledge::similar::Words;

use super::found::Found;
use super::severity::Severity;
use crate::commands::memory::place::display_path;

/// So many pairs of rules are compared for one file.
const MOST_PAIRS: usize = 60_000;
/// Shorter rules have too few words to compare.
const LEAST_BYTES: usize = 16;

/// What the rules of a file repeat or contradict: rules of the files above it, and earlier ones of its own.
pub(super) fn inspect(own: &[Rule], above: &[Rule], root: &str) -> Vec<Found> {
    let texts: Vec<(&Rule, String)> = above.iter().chain(own).map(|rule| (rule, rule.words())).collect();
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
            if own.is_same(theirs) {
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
