//! Packs context for the model into a budget: ranks, deduplicates, names what it left out.
//!
//! Clients cut or set aside what is too long, so whatever does not fit is left out whole and
//! named, rather than cut in the middle of a sentence.

use std::collections::BTreeSet;

use crate::text;
use crate::verdict::Snippet;

/// What was packed, and what not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// The text for the model, within the budget. Empty if there are no snippets.
    pub text: String,
    /// Keys of the snippets that did not fit, best first.
    pub left_out: Vec<String>,
}

/// The length by which clients measure: UTF-16 units.
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Packs `snippets` into at most `budget` UTF-16 units.
#[must_use]
pub fn pack<'a>(snippets: impl IntoIterator<Item = &'a Snippet>, budget: usize) -> Packed {
    let ranked = ranked(snippets);
    let whole = fill(&ranked, budget);
    if whole.left_out.is_empty() {
        return whole;
    }
    // The line that names what was left out needs room of its own; its length is bounded, so that
    // reserving it once is enough.
    let reserve = utf16_len(&left_out_line(&ranked.iter().map(|s| s.key.as_str()).collect::<Vec<_>>()));
    let mut packed = fill(&ranked, budget.saturating_sub(reserve + 1));
    let names: Vec<&str> = packed.left_out.iter().map(String::as_str).collect();
    let line = left_out_line(&names);
    let line = if packed.text.is_empty() { line } else { format!("\n{line}") };
    if utf16_len(&packed.text) + utf16_len(&line) <= budget {
        packed.text.push_str(&line);
    }
    packed
}

/// Best first, each key and each text once; equal ranks keep the order they came in.
fn ranked<'a>(snippets: impl IntoIterator<Item = &'a Snippet>) -> Vec<&'a Snippet> {
    let mut all: Vec<&Snippet> = snippets.into_iter().filter(|s| !s.text.trim().is_empty()).collect();
    all.sort_by_key(|snippet| std::cmp::Reverse(snippet.rank));
    let (mut keys, mut texts) = (BTreeSet::new(), BTreeSet::new());
    all.retain(|s| keys.insert(s.key.as_str()) && texts.insert(s.text.trim()));
    all
}

fn fill(ranked: &[&Snippet], budget: usize) -> Packed {
    let mut packed = Packed::default();
    let mut used = 0;
    for snippet in ranked {
        let text = snippet.text.trim_end();
        let separator = usize::from(!packed.text.is_empty());
        let needed = utf16_len(text) + separator;
        if used + needed > budget {
            // And on to the next: a shorter one of lower rank may still fit.
            packed.left_out.push(snippet.key.clone());
            continue;
        }
        if separator == 1 {
            packed.text.push('\n');
        }
        packed.text.push_str(text);
        used += needed;
    }
    packed
}

/// Names at most five, so that a thousand of them cannot eat the budget.
fn left_out_line(keys: &[&str]) -> String {
    const NAMED: usize = 5;
    const LONGEST: usize = 60;
    let names: Vec<&str> = keys.iter().map(|key| text::head(key, LONGEST)).collect();
    format!("(left out for lack of room: {})", text::first(&names, NAMED))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn snippet(key: &str, rank: i32, text: &str) -> Snippet {
        Snippet { key: key.to_owned(), rank, text: text.to_owned() }
    }

    #[test]
    fn the_best_comes_first_and_equals_keep_their_order() {
        let all = [snippet("a", 0, "A"), snippet("b", 5, "B"), snippet("c", 0, "C")];
        assert_eq!(pack(&all, 100), Packed { text: "B\nA\nC".into(), left_out: vec![] });
    }

    #[test]
    fn the_same_key_or_text_is_packed_once() {
        let all = [snippet("a", 0, "A"), snippet("a", 0, "other"), snippet("b", 0, "A\n")];
        assert_eq!(pack(&all, 100), Packed { text: "A".into(), left_out: vec![] });
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let all = [snippet("short", 0, "ok"), snippet("long", 9, &"x".repeat(200))];
        let packed = pack(&all, 80);
        assert_eq!(packed.text, "ok\n(left out for lack of room: long)");
        assert_eq!(packed.left_out, ["long"]);
    }

    #[test]
    fn length_is_counted_as_clients_count_it() {
        assert_eq!(utf16_len("a\u{1F600}é"), 4);
    }

    proptest! {
        #[test]
        fn never_over_budget_and_nothing_vanishes(
            texts in proptest::collection::vec(("[a-d]", -3i32..3, ".{0,40}"), 0..12),
            budget in 0usize..200,
        ) {
            let all: Vec<Snippet> = texts.iter().map(|(k, r, t)| snippet(k, *r, t)).collect();
            let packed = pack(&all, budget);
            prop_assert!(utf16_len(&packed.text) <= budget);
            for key in ranked(&all).iter().map(|s| &s.key) {
                let is_packed = ranked(&all).iter().any(|s| &s.key == key && packed.text.contains(s.text.trim_end()));
                prop_assert!(is_packed || packed.left_out.contains(key));
            }
        }
    }
}
