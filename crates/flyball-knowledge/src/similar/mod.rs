//! Decides whether two short texts say the same, by more than common words.
//!
//! What two texts have in common is weighed: names and numbers count more than words, filler not at all, and two texts
//! that say the opposite of the same words are not alike.

mod code;
mod opposed;
mod stem;
mod word;

use std::cell::OnceCell;
use std::collections::BTreeMap;

use self::opposed::Stance;
pub use self::stem::{Stem, stem};
use self::word::Word;
pub use self::word::is_filler;

/// From here on two texts say the same.
const SAME: f64 = 0.6;
/// The highest similarity of texts that say the opposite.
const OPPOSED: f64 = 0.4;
/// Texts are about as long as each other if the shorter one has this share of the longer one's weight.
const COMPARABLE: f64 = 0.66;
/// So much of such texts has to be common if both have words of their own.
const LEAST_COMMON: f64 = 0.75;
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
    /// The words that count, by their stems.
    bag: BTreeMap<String, usize>,
    weight: f64,
    /// What is in backticks.
    code: Vec<String>,
    stance: OnceCell<Stance>,
    /// The whole text as code is compared.
    plain: OnceCell<String>,
}

impl<'a> Words<'a> {
    #[must_use]
    pub fn new(text: &'a str) -> Words<'a> {
        let words = word::words(text);
        let counted = words.iter().enumerate().filter(|(_, word)| word.weight > 0.0);
        let bag: BTreeMap<String, usize> = counted.map(|(at, word)| (word.stem.clone(), at)).collect();
        let weight = bag.values().filter_map(|at| words.get(*at)).map(|word| word.weight).sum();
        let code = code::spans(text);
        Words { text, words, bag, weight, code, stance: OnceCell::new(), plain: OnceCell::new() }
    }

    /// Whether one says what the other says.
    #[must_use]
    pub fn is_same(&self, other: &Words<'_>) -> bool {
        self.similarity(other) >= SAME
    }

    /// Whether one forbids what the other demands, in the same words.
    #[must_use]
    pub fn contradicts(&self, other: &Words<'_>) -> bool {
        // Of one or two words nothing is sure.
        self.weight.min(other.weight) >= LEAST_WEIGHT
            && self.overlap(other).all >= CONTRADICTING
            && self.is_opposed(other)
    }

    /// How alike they are: 0 for nothing in common, 1 for the same.
    #[must_use]
    pub fn similarity(&self, other: &Words<'_>) -> f64 {
        if self.text == other.text {
            return 1.0;
        }
        if self.bag.is_empty() || other.bag.is_empty() {
            return 0.0;
        }
        let overlap = self.overlap(other);
        let like = overlap.all;
        if like <= OPPOSED {
            return like;
        }
        let is_other = self.names_other_code(other)
            || other.names_other_code(self)
            || self.says_other_things(other, &overlap)
            || self.is_opposed(other);
        if is_other { OPPOSED } else { like }
    }

    fn is_opposed(&self, other: &Words<'_>) -> bool {
        let own = self.stance.get_or_init(|| Stance::new(&self.words));
        own.is_opposed(other.stance.get_or_init(|| Stance::new(&other.words)))
    }

    /// Whether it names code that the other does not name: two commands are two rules, however alike.
    fn names_other_code(&self, other: &Words<'_>) -> bool {
        let plain = || other.plain.get_or_init(|| code::plain(other.text));
        self.code.iter().any(|code| !other.code.contains(code) && !code::is_in(code, plain()))
    }

    /// Whether two texts of about the same length each have words that the other has not, so that they say the same of
    /// different things: "flags for new endpoints", "flags for new screens".
    fn says_other_things(&self, other: &Words<'_>, overlap: &Overlap) -> bool {
        let (lighter, heavier) = (self.weight.min(other.weight), self.weight.max(other.weight));
        let is_comparable = lighter >= COMPARABLE * heavier;
        if !is_comparable || overlap.left.min(overlap.right) < 1.0 {
            return false;
        }
        let needed = if overlap.has_common_name { SAME } else { LEAST_COMMON };
        overlap.words < needed || self.is_same_form(other)
    }

    /// Whether only one word is another, and the rest is the same in the same order.
    fn is_same_form(&self, other: &Words<'_>) -> bool {
        let stems = |words: &[Word]| -> Vec<String> {
            words.iter().filter(|word| word.weight > 0.0).map(|word| word.stem.clone()).collect()
        };
        let (one, two) = (stems(&self.words), stems(&other.words));
        one.len() == two.len() && one.iter().zip(&two).filter(|(one, two)| one != two).count() == 1
    }

    fn overlap(&self, other: &Words<'_>) -> Overlap {
        let (found, has_common_name) = self.found_in(other);
        let (found_back, _) = other.found_in(self);
        let lighter = self.weight.min(other.weight);
        // Near spellings count differently from each side; the mean does not depend on the order.
        let common = f64::midpoint(found, found_back).min(lighter);
        let words = common / (self.weight + other.weight - common);
        let of_lighter = common / lighter;
        // A single word is contained in many texts, so containment counts more the heavier the lighter text is.
        let trust = ((lighter - 1.0) / (FULL_WEIGHT - 1.0)).clamp(0.0, 1.0);
        // Cubed: only nearly complete containment counts.
        let all = (words + (1.0 - words) * CONTAINED * trust * of_lighter.powi(3)).clamp(0.0, 1.0);
        Overlap { all, words, left: self.weight - found, right: other.weight - found_back, has_common_name }
    }

    /// The weight of the words that the other text has too, and whether one of them is a name; a near spelling counts in
    /// part.
    fn found_in(&self, other: &Words<'_>) -> (f64, bool) {
        let (mut found, mut has_name) = (0.0, false);
        for (stem, at) in &self.bag {
            let Some(word) = self.words.get(*at) else { continue };
            if other.bag.contains_key(stem) {
                found += word.weight;
                has_name |= word.is_name;
                continue;
            }
            let others = other.bag.values().filter_map(|at| other.words.get(*at));
            found += word.weight * others.map(|candidate| word.nearness(candidate)).fold(0.0, f64::max);
        }
        (found, has_name)
    }
}

/// What two texts have in common.
struct Overlap {
    /// How alike they are, also if one contains the other.
    all: f64,
    /// The share of common words.
    words: f64,
    /// The weight of what only the first has, and only the second.
    left: f64,
    right: f64,
    has_common_name: bool,
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
    let (all, other_all) = (Words::new(&all), Words::new(&other_all));
    if all.is_same(&other_all) {
        return true;
    }
    if all.names_other_code(&other_all) || other_all.names_other_code(&all) {
        return false;
    }
    let has_weight = |title: &str| Words::new(title).weight >= TITLE_WEIGHT;
    let has_same_title = || similarity(title, other_title) >= SAME_TITLE;
    has_weight(title)
        && has_weight(other_title)
        && has_same_title()
        && similarity(text, other_text) >= NO_DISAGREEMENT
}

#[cfg(test)]
mod tests;
