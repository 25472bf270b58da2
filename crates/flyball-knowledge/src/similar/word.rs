//! The words of a text: stems, names and numbers, with their places.

use flyball_core::sorted_words;

use super::stem::stem;

/// What a name, a path or a number counts, against 1 for a word.
const NAME_WEIGHT: f64 = 2.0;
/// What a near spelling counts against the same word.
const NEAR: f64 = 0.8;
/// Words from this length on may differ in one letter, and in two from the other.
const ONE_SLIP: usize = 5;
const TWO_SLIPS: usize = 9;

/// Words without a meaning of their own. `opposed` handles what negates a sentence.
static FILLER: &[&str] = sorted_words!(
    "a|an|the|this|that|these|those|it|its|is|are|was|were|be|been|being|to|of|in|on|at|by|for|from|with|\
    as|and|or|if|so|do|does|did|done|has|have|had|will|would|should|must|shall|can|could|may|might|we|\
    you|they|i|he|she|our|your|their|there|here|then|than|when|which|who|what|also|just|very|always|\
    please|make|sure|ensure|remember|need|needs|only|use|used|using|uses|into|onto|up|out|all|any|every|\
    each|some|because|since|else|otherwise|but|instead|rather|before|after|der|die|das|den|dem|des|ein|\
    eine|einen|einer|und|oder|ist|sind|im|zu|zum|zur|mit|von|für|auf|nicht|nie|niemals|kein|keine|immer|\
    vor|nach|vorher|le|la|les|un|une|et|ou|du|de|dans|avec|est|ne|pas|jamais|toujours|avant|après|el|\
    los|las|con|para|por|y|nunca|siempre|antes|después|e.g|i.e|etc",
);

/// Negations that are filler too: `opposed` handles them, not the comparison of words.
pub(super) static PLAIN_NEGATIONS: &[&str] = sorted_words!(
    "never|not|no|without|avoid|cannot|don't|doesn't|didn't|won't|can't|isn't|aren't|shouldn't|mustn't",
);

/// Whether a word in lower case has no meaning of its own.
#[must_use]
pub fn is_filler(plain: &str) -> bool {
    [FILLER, PLAIN_NEGATIONS].iter().any(|words| words.binary_search(&plain).is_ok())
}

/// One word of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// In lower case.
    pub(super) plain: String,
    /// The form that is compared.
    pub(super) stem: String,
    /// 0 for filler.
    pub(super) weight: f64,
    /// Whether it is a name, a path or a number.
    pub(super) is_name: bool,
    /// The number of its sentence.
    pub(super) sentence: usize,
    /// The number of its clause, counted through the whole text.
    pub(super) clause: usize,
}

impl Word {
    /// How near another word is that is not the same: 0 for not at all.
    pub(super) fn nearness(&self, other: &Word) -> f64 {
        // Names that are spelt alike are different things: `v1` and `v2`, `port_a` and `port_b`.
        if self.is_name || other.is_name {
            return if is_end_of_path(&self.stem, &other.stem) { 1.0 } else { 0.0 };
        }
        let (one, two) = (self.stem.as_str(), other.stem.as_str());
        // `safe` and `unsafe`, `enable` and `disable` differ where they begin.
        if one.chars().next() != two.chars().next() {
            return 0.0;
        }
        let slips = match one.chars().count().min(two.chars().count()) {
            TWO_SLIPS.. => 2,
            ONE_SLIP.. => 1,
            _ => 0,
        };
        // Comparing letter by letter is what costs most, and lengths that differ by more decide it.
        if slips == 0 || one.len().abs_diff(two.len()) > slips * 4 {
            return 0.0;
        }
        if strsim::osa_distance(one, two) <= slips { NEAR } else { 0.0 }
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut found = Vec::new();
    let (mut sentence, mut clause) = (0, 0);
    for piece in pieces(text) {
        match piece {
            Piece::Stop => sentence += 1,
            Piece::Pause => {}
            Piece::Token(token) => {
                found.extend(read(token).into_iter().map(|word| Word { sentence, clause, ..word }));
                continue;
            }
        }
        clause += 1;
    }
    found
}

enum Piece<'a> {
    Token(&'a str),
    /// The end of a sentence.
    Stop,
    /// A comma and the like.
    Pause,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    for line in text.lines() {
        for raw in line.split_whitespace() {
            let token = raw.trim_matches(is_outside);
            if !token.is_empty() {
                found.push(Piece::Token(token));
            }
            // The mark that ends a sentence may be within quotes or brackets.
            let end = raw.trim_end_matches(|letter: char| "`'\")]*_".contains(letter)).chars().last();
            match end {
                Some('.' | '!' | '?' | '。' | '！' | '？') => found.push(Piece::Stop),
                Some(',' | ';' | ':' | '—' | '–' | '，' | '、' | '；' | '：') => {
                    found.push(Piece::Pause)
                }
                Some(_) | None => {}
            }
        }
        // Titles and items of lists often have no full stop.
        found.push(Piece::Stop);
    }
    found
}

/// Marks around a word that are not part of it.
fn is_outside(letter: char) -> bool {
    !letter.is_alphanumeric()
}

/// The words in one token without spaces.
fn read(token: &str) -> Vec<Word> {
    let lower = token.to_lowercase().replace('’', "'");
    if lower.chars().any(is_ideograph) {
        return pairs(&lower);
    }
    if is_name(token) {
        // `user_id` and `userId` are one name.
        let stem: String = lower.chars().filter(|letter| !matches!(letter, '_' | '-')).collect();
        let stem = stem.trim_end_matches("()").to_owned();
        return vec![word(lower, stem, true)];
    }
    let parts = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'');
    parts.filter(|part| !part.is_empty()).map(|part| word(part.to_owned(), stem(part), false)).collect()
}

fn word(plain: String, stem: String, is_name: bool) -> Word {
    let weight = match (is_name, is_filler(&plain)) {
        (_, true) => 0.0,
        (true, false) => NAME_WEIGHT,
        (false, false) => 1.0,
    };
    Word { plain, stem, weight, is_name, sentence: 0, clause: 0 }
}

/// `a.ts`, `src/api`, `user_id`, `userId`, `HTTP2`, `std::fs`, `8080`; not `read-only` and `and/or`-like words with a
/// dash.
fn is_name(token: &str) -> bool {
    let has = |test: fn(char) -> bool| token.chars().any(test);
    let inner =
        || token.chars().zip(token.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    has(char::is_numeric) || has(|letter| "_./:@$#=\\".contains(letter)) || inner()
}

/// Scripts that put no spaces between words.
fn is_ideograph(letter: char) -> bool {
    matches!(u32::from(letter), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7af | 0x0e00..=0x0e7f | 0x20000..=0x3ffff)
}

/// Two letters at a time, where the end of a word is not marked.
fn pairs(text: &str) -> Vec<Word> {
    let letters: Vec<char> = text.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let pair = |pair: &[char]| {
        let text: String = pair.iter().collect();
        Word { plain: text.clone(), stem: text, weight: 0.6, is_name: true, sentence: 0, clause: 0 }
    };
    if letters.len() < 2 { vec![pair(&letters)] } else { letters.windows(2).map(pair).collect() }
}

/// `session.rs` is `src/session.rs`.
fn is_end_of_path(one: &str, other: &str) -> bool {
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|before| before.ends_with(['/', ':', '.']) && short.len() >= 3)
    };
    is_end(one, other) || is_end(other, one)
}
