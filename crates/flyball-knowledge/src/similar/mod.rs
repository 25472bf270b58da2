//! Decides whether two short texts say the same, by more than common words.
//!
//! What two texts have in common is weighed: names and numbers count more than words, filler not at all, and two texts
//! that say the opposite of the same words are not alike.

mod opposed;
mod word;

use std::collections::BTreeMap;

use self::word::Word;
pub use self::word::{is_filler, stem};

/// From here on two texts say the same.
const SAME: f64 = 0.6;
/// The highest similarity of texts that say the opposite.
const OPPOSED: f64 = 0.4;
/// Texts that say the opposite contradict each other from this weight and overlap on.
const LEAST_WEIGHT: f64 = 2.0;
const CONTRADICTING: f64 = 0.75;
/// A text of this weight that is contained in another counts as a duplicate; a single word never does.
const FULL_WEIGHT: f64 = 4.0;
/// How much containment in a longer text counts.
const CONTAINED: f64 = 0.85;
/// Titles with the same words are enough if they have this weight and the texts below do not disagree.
const TITLE_WEIGHT: f64 = 3.0;
const SAME_TITLE: f64 = 0.85;
const NO_DISAGREEMENT: f64 = 0.2;

/// A text split into words, to compare it with many others.
pub struct Words<'a> {
    text: &'a str,
    words: Vec<Word>,
}

impl<'a> Words<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Words<'a> {
        Words { text, words: word::words(text) }
    }

    /// Whether one says what the other says.
    #[must_use]
    pub fn is_same(&self, other: &Words<'_>) -> bool {
        self.similarity(other) >= SAME
    }

    /// Whether one forbids what the other demands, in the same words.
    #[must_use]
    pub fn contradicts(&self, other: &Words<'_>) -> bool {
        let (few, many) = (by_stem(&self.words), by_stem(&other.words));
        // Of one or two words nothing is sure.
        weight(&few).min(weight(&many)) >= LEAST_WEIGHT
            && opposed::are_opposed(&self.words, &other.words)
            && overlap(&few, &many) >= CONTRADICTING
    }

    /// How alike they are: 0 for nothing in common, 1 for the same.
    #[must_use]
    pub fn similarity(&self, other: &Words<'_>) -> f64 {
        if self.text == other.text {
            return 1.0;
        }
        let (few, many) = (by_stem(&self.words), by_stem(&other.words));
        if few.is_empty() || many.is_empty() {
            return 0.0;
        }
        let like = overlap(&few, &many);
        if opposed::are_opposed(&self.words, &other.words) { like.min(OPPOSED) } else { like }
    }
}

/// How alike two texts are: 0 for nothing in common, 1 for the same.
#[must_use]
pub fn similarity(one: &str, other: &str) -> f64 {
    Words::new(one).similarity(&Words::new(other))
}

/// Whether one says what the other says.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    similarity(one, other) >= SAME
}

/// Whether two rules, each a title and the text below it, say the same. Equal titles alone are not enough: many are
/// named after the file they are about.
#[must_use]
pub fn is_same_rule((title, text): (&str, &str), (other_title, other_text): (&str, &str)) -> bool {
    let (all, other_all) = (format!("{title}.\n{text}"), format!("{other_title}.\n{other_text}"));
    if is_same(&all, &other_all) {
        return true;
    }
    let has_weight = |title: &str| weight(&by_stem(&word::words(title))) >= TITLE_WEIGHT;
    let has_same_title = || similarity(title, other_title) >= SAME_TITLE;
    has_weight(title)
        && has_weight(other_title)
        && has_same_title()
        && similarity(text, other_text) >= NO_DISAGREEMENT
}

type Bag<'a> = BTreeMap<&'a str, &'a Word>;

fn by_stem(words: &[Word]) -> Bag<'_> {
    words.iter().filter(|word| word.weight > 0.0).map(|word| (word.stem.as_str(), word)).collect()
}

fn weight(bag: &Bag<'_>) -> f64 {
    bag.values().map(|word| word.weight).sum()
}

fn overlap(one: &Bag<'_>, other: &Bag<'_>) -> f64 {
    let (first, second) = (weight(one), weight(other));
    // Near spellings count differently from each side; the mean does not depend on the order.
    let common = f64::midpoint(found_in(one, other), found_in(other, one)).min(first.min(second));
    let lighter = first.min(second);
    let of_all = common / (first + second - common);
    let of_lighter = common / lighter;
    // A single word is contained in many texts, so containment counts more the heavier the lighter text is.
    let trust = ((lighter - 1.0) / (FULL_WEIGHT - 1.0)).clamp(0.0, 1.0);
    // Cubed: only nearly complete containment counts.
    (of_all + (1.0 - of_all) * CONTAINED * trust * of_lighter.powi(3)).clamp(0.0, 1.0)
}

/// The weight of the words that the other text has too; a near spelling counts in part.
fn found_in(bag: &Bag<'_>, other: &Bag<'_>) -> f64 {
    let share = |word: &Word| {
        if other.contains_key(word.stem.as_str()) {
            return 1.0;
        }
        other.values().map(|candidate| word.nearness(candidate)).fold(0.0, f64::max)
    };
    bag.values().map(|word| word.weight * share(word)).sum()
}

#[cfg(test)]
mod tests;
