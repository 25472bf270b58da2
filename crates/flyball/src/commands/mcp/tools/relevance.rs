//! Which of many short texts fit a few words best: BM25, with words that begin alike counted by half.

use std::collections::BTreeSet;

/// How soon more of the same word stops to count.
const SATURATION: f64 = 1.2;
/// How much long texts are found back.
const LENGTH: f64 = 0.6;
/// A word of the title counts so many times.
const TITLE: f64 = 2.5;
/// So many words of a query count.
const MOST_TERMS: usize = 16;
/// Words from this length on match those that begin alike.
const STEM: usize = 4;

/// The words that are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Terms(Vec<String>);

impl Terms {
    /// The words of a query.
    pub(super) fn from_query(query: &str) -> Terms {
        let mut seen = BTreeSet::new();
        let lower = query.to_lowercase();
        let all = words(&lower).filter(|word| word.chars().count() > 1 && seen.insert((*word).to_owned()));
        Terms(all.map(str::to_owned).take(MOST_TERMS).collect())
    }

    /// Whether there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of them a text may hold: quick, and never too few. Letters that JSON has written as numbers cannot be
    /// looked for.
    pub(super) fn estimate_matches(&self, text: &str) -> usize {
        let lower = text.to_lowercase();
        let found = self.0.iter().filter(|term| lower.contains(stem(term))).count();
        found.max(usize::from(lower.contains("\\u")))
    }

    /// How often each occurs in a text, and how long it is.
    fn count(&self, title: &str, text: &str) -> (Vec<f64>, f64) {
        let mut counts = vec![0.0; self.0.len()];
        let mut length = 0.0;
        for (part, weight) in [(title, TITLE), (text, 1.0)] {
            let lower = part.to_lowercase();
            for word in words(&lower) {
                length += 1.0;
                for (count, term) in counts.iter_mut().zip(&self.0) {
                    *count += weight * likeness(term, word);
                }
            }
        }
        (counts, length)
    }
}

/// What a word of a text is worth for a word of the query.
fn likeness(term: &str, word: &str) -> f64 {
    if term == word {
        return 1.0;
    }
    // Short words begin too many others: `api` would find `apiary`.
    let are_long = term.len() >= STEM && word.len() >= STEM;
    if are_long && (word.starts_with(stem(term)) && stem(word).len() <= term.len() + 2) { 0.5 } else { 0.0 }
}

/// A word without the end that a plural or a tense gives it.
fn stem(word: &str) -> &str {
    let ends = ["ing", "es", "ed", "s"];
    let cut = ends.iter().filter_map(|end| word.strip_suffix(end)).find(|stem| stem.len() >= STEM);
    cut.unwrap_or(word)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// All texts that were looked at, and those that fit.
pub(super) struct Ranking<T> {
    terms: Terms,
    text_count: f64,
    words: f64,
    /// In how many texts each word occurs.
    texts_with_term: Vec<f64>,
    hits: Vec<Hit<T>>,
}

struct Hit<T> {
    item: T,
    weight: f64,
    counts: Vec<f64>,
    length: f64,
}

impl<T> Ranking<T> {
    pub(super) fn new(terms: Terms) -> Ranking<T> {
        let spread = vec![0.0; terms.0.len()];
        Ranking { terms, text_count: 0.0, words: 0.0, texts_with_term: spread, hits: Vec::new() }
    }

    /// The words that are looked for.
    pub(super) const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Looks at a text; what is kept of it is made only if it fits. `weight` says how much its source counts.
    pub(super) fn add_text(&mut self, (title, text): (&str, &str), weight: f64, what: impl FnOnce() -> T) {
        let (counts, length) = self.terms.count(title, text);
        self.text_count += 1.0;
        self.words += length;
        if counts.iter().all(|count| *count == 0.0) {
            return;
        }
        for (spread, count) in self.texts_with_term.iter_mut().zip(&counts) {
            *spread += f64::from(u8::from(*count > 0.0));
        }
        self.hits.push(Hit { item: what(), weight, counts, length });
    }

    /// Counts texts that were seen not to fit, so that rare words stay rare.
    pub(super) fn skip_texts(&mut self, number: u32) {
        self.text_count += f64::from(number);
    }

    /// How many fit, and the best of them, the best first; of two that are as good the one that was seen first.
    pub(super) fn best(self, most: usize) -> (usize, Vec<T>) {
        let average = (self.words / self.text_count.max(1.0)).max(1.0);
        let (looked_at, spread) = (self.text_count, &self.texts_with_term);
        let score = |hit: &Hit<T>| -> f64 {
            let share = SATURATION * (1.0 - LENGTH + LENGTH * hit.length / average);
            let terms = hit.counts.iter().zip(spread).map(|(count, spread)| {
                let rarity = (1.0 + (looked_at - spread + 0.5) / (spread + 0.5)).ln();
                rarity * count * (SATURATION + 1.0) / (count + share)
            });
            // A text with all of the words is meant sooner than one with one of them in a good place.
            let found: f64 = hit.counts.iter().map(|count| count.min(1.0)).sum();
            let whole = f64::from(u32::try_from(hit.counts.len().max(1)).unwrap_or(u32::MAX));
            hit.weight * (0.5 + 0.5 * found / whole) * terms.sum::<f64>()
        };
        let found = self.hits.len();
        // Each is weighed once: there may be tens of thousands.
        let mut weighed: Vec<(f64, Hit<T>)> = self.hits.into_iter().map(|hit| (score(&hit), hit)).collect();
        weighed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        (found, weighed.into_iter().take(most).map(|(_, hit)| hit.item).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(query: &str, texts: &[(&str, &str)]) -> Vec<usize> {
        let mut ranking = Ranking::new(Terms::from_query(query));
        for (at, text) in texts.iter().enumerate() {
            ranking.add_text(*text, 1.0, || at);
        }
        ranking.best(10).1
    }

    #[test]
    fn rare_words_and_titles_count_more() {
        let texts = [
            ("", "run the tests before you push"),
            ("", "the tests of the parser need the grammar"),
            ("Parser", "regenerate the grammar"),
            ("", "nothing of the kind"),
            ("", "the tests are slow"),
        ];
        assert_eq!(best("parser tests", &texts), [1, 2, 4, 0]);
        assert_eq!(best("grammar", &texts), [2, 1]);
        assert_eq!(best("unheard", &texts), [0_usize; 0]);
    }

    #[test]
    fn words_that_begin_alike_count_by_half() {
        let texts = [("", "one migration more"), ("", "two migrations more"), ("", "one migrant more")];
        assert_eq!(best("migrations", &texts), [1, 0]);
        assert_eq!(best("MIGRATION", &texts), [0, 1]);
        assert_eq!(best("größe", &[("", "Die Größe zählt")]), [0]);
    }

    #[test]
    fn a_line_is_left_out_only_if_it_cannot_fit() {
        let terms = Terms::from_query("migrations");
        assert_eq!(terms.estimate_matches("old Migration"), 1);
        assert_eq!(terms.estimate_matches("gr\\u00f6\\u00dfe"), 1);
        assert_eq!(terms.estimate_matches("something else"), 0);
        assert!(Terms::from_query(" ?! a").is_empty());
    }
}
