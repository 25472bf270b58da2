//! Decides whether two texts say the opposite with the same words: "use X" and "never use X", "before" and "after".

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::sorted_words;
use flyball_core::text::Words;

use super::word::{PLAIN_NEGATIONS, Word};

/// Words that negate what follows them, beside the plain ones.
static NEGATIONS: &[&str] = sorted_words!(
    "nor|neither|forbid|forbidden|prohibited|banned|nicht|nie|niemals|kein|keine|keinen|ohne|vermeide|\
    pas|jamais|sans|ne|nunca|sin|evitar|no",
);

/// The same in scripts without spaces, as pairs of letters.
const NEGATING_PAIRS: &[&str] = &["不要", "禁止", "不能", "不得", "切勿", "避免"];

/// Words before a negation with which it negates the whole clause: `X is not …`, `X must not …`.
static AUXILIARIES: &[&str] =
    sorted_words!("is|are|was|were|be|do|does|must|should|shall|can|may|will|would|could");

/// Words of which one says the opposite of the other, by their stems.
const PAIRS: Words = Words(
    "enabl/disabl|allow/deny|allow/forbid|add/remov|add/delet|creat/delet|increas/decreas|rais/lower|\
    open/clos|first/last|abov/below|minimum/maximum|min/max|start/stop|true/fals|sync/async|\
    synchronou/asynchronou|synchronous/asynchronous|lock/unlock|saf/unsaf|accept/reject|includ/exclud|\
    import/export|encod/decod|encrypt/decrypt|mutabl/immutabl|public/privat|optional/required|\
    optional/requir|sort/unsort|ascend/descend|upgrad/downgrad|read/writ|client/server|local/remot|tab/spac|\
    singl/doubl|fast/slow|early/late|ear/lat",
);

/// Words that say what comes earlier, in one order and the other.
const EARLIER_FIRST: &[&str] = &["before", "vor", "bevor", "avant", "antes"];
const LATER_FIRST: &[&str] = &["after", "nach", "nachdem", "après", "después"];

/// What a text affirms, denies and puts into an order, to compare it with many others.
pub(super) struct Stance {
    polarities: BTreeMap<String, (f64, Polarity)>,
    /// The pairs of opposite words of which it has one, by their places, and whether that is the first.
    sides: Vec<(usize, bool)>,
    order: Option<Order>,
}

impl Stance {
    pub(super) fn new(words: &[Word]) -> Stance {
        Stance { polarities: polarities(words), sides: sides(words), order: Order::find(words) }
    }

    /// Whether two texts say the opposite.
    pub(super) fn is_opposed(&self, other: &Stance) -> bool {
        self.disagrees(other) || self.has_a_pair(other) || self.is_in_other_order(other)
    }

    /// Whether most of what both name is negated in one of them.
    fn disagrees(&self, other: &Stance) -> bool {
        let (mut agreed, mut negated) = (0.0, 0.0);
        for (stem, (weight, sign)) in &self.polarities {
            let Some((other_weight, other_sign)) = other.polarities.get(stem) else { continue };
            let weight = weight.min(*other_weight);
            match (sign, other_sign) {
                // A word that is used both ways shows nothing.
                (Polarity::Both, _) | (_, Polarity::Both) => {}
                _ if sign == other_sign => agreed += weight,
                _ => negated += weight,
            }
        }
        negated > agreed
    }

    /// Whether each has one of two opposite words that the other does not have.
    fn has_a_pair(&self, other: &Stance) -> bool {
        self.sides.iter().any(|(pair, is_first)| other.sides.contains(&(*pair, !is_first)))
    }

    /// Whether both say what comes before what, and not in the same order.
    fn is_in_other_order(&self, other: &Stance) -> bool {
        let (Some(one), Some(other)) = (&self.order, &other.order) else { return false };
        let straight = common(&one.earlier, &other.earlier) + common(&one.later, &other.later);
        let crossed = common(&one.earlier, &other.later) + common(&one.later, &other.earlier);
        crossed > straight
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Polarity {
    Plain,
    Negated,
    /// Both plain and negated: `use A, never A without B`.
    Both,
}

fn polarities(words: &[Word]) -> BTreeMap<String, (f64, Polarity)> {
    let negated = negated_words(words);
    let mut found: BTreeMap<String, (f64, Polarity)> = BTreeMap::new();
    for (word, is_negated) in words.iter().zip(negated).filter(|(word, _)| word.weight > 0.0) {
        let sign = if is_negated { Polarity::Negated } else { Polarity::Plain };
        let known = found.entry(word.stem.clone()).or_insert((word.weight, sign));
        if known.1 != sign {
            known.1 = Polarity::Both;
        }
    }
    found
}

/// For each word whether it is negated.
fn negated_words(words: &[Word]) -> Vec<bool> {
    let mut marks = vec![false; words.len()];
    for (at, word) in words.iter().enumerate() {
        let Some(whole) = negates(words, at) else { continue };
        for (index, mark) in marks.iter_mut().enumerate() {
            // A negation does not reach into the next clause.
            let is_here = words.get(index).is_some_and(|other| other.clause == word.clause);
            if is_here && (whole || index > at) {
                *mark = true;
            }
        }
    }
    marks
}

/// Whether the word at this place is a negation, and then whether of its whole clause.
fn negates(words: &[Word], at: usize) -> Option<bool> {
    let word = words.get(at)?;
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    if NEGATING_PAIRS.contains(&word.plain.as_str()) {
        return Some(false);
    }
    if [PLAIN_NEGATIONS, NEGATIONS].iter().any(|words| words.binary_search(&word.plain.as_str()).is_ok()) {
        let is_of_clause = word.plain.ends_with("n't")
            || before.is_some_and(|it| AUXILIARIES.binary_search(&it.plain.as_str()).is_ok());
        return Some(is_of_clause || word.plain == "forbidden" || word.plain == "prohibited");
    }
    let is_of = || words.get(at + 1).is_some_and(|next| next.plain == "of");
    let is_instead = word.plain == "instead" && is_of() || word.plain == "than" && is_rather(words, at);
    is_instead.then_some(false)
}

/// `X rather than Y`.
fn is_rather(words: &[Word], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|word| word.plain == "rather")
}

/// The pairs of opposite words of which a text has exactly one.
fn sides(words: &[Word]) -> Vec<(usize, bool)> {
    let stems: BTreeSet<&str> = words.iter().map(|word| word.stem.as_str()).collect();
    let pairs = PAIRS.iter().filter_map(|pair| pair.split_once('/')).enumerate();
    pairs
        .filter_map(|(at, (first, second))| match (stems.contains(first), stems.contains(second)) {
            (true, false) => Some((at, true)),
            (false, true) => Some((at, false)),
            _ => None,
        })
        .collect()
}

fn common(one: &Weights, other: &Weights) -> f64 {
    one.iter().filter_map(|(stem, weight)| other.get(stem).map(|it| it.min(*weight))).sum()
}

/// Stems and what they count.
type Weights = BTreeMap<String, f64>;

/// What a text says of an order.
struct Order {
    earlier: Weights,
    later: Weights,
}

impl Order {
    /// The first order that a text names.
    fn find(words: &[Word]) -> Option<Order> {
        let has = |list: &[&str], word: &Word| list.contains(&word.plain.as_str());
        let at = words.iter().position(|word| has(EARLIER_FIRST, word) || has(LATER_FIRST, word))?;
        let named = words.get(at)?;
        let of_sentence = |word: &&Word| word.sentence == named.sentence && word.weight > 0.0;
        let behind = words.iter().skip(at + 1).filter(|word| word.clause == named.clause);
        let behind: Vec<&Word> = behind.filter(of_sentence).collect();
        let mut around: Vec<&Word> = words.iter().take(at).filter(of_sentence).collect();
        if around.is_empty() {
            // `Before A, B`; `Before A.` as a title, and then B.
            let next = words.iter().skip(at).filter(|word| word.clause != named.clause && word.weight > 0.0);
            around = next.collect();
        }
        let is_after = has(LATER_FIRST, named);
        let (earlier, later) = if is_after { (behind, around) } else { (around, behind) };
        let weights = |words: Vec<&Word>| -> Weights {
            words.into_iter().map(|word| (word.stem.clone(), word.weight)).collect()
        };
        Some(Order { earlier: weights(earlier), later: weights(later) })
    }
}
