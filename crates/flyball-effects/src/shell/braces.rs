//! Brace expansion: `{a,b}c` is two words, `{1..3}` three.

/// More words than this are not written out.
const MOST_WORDS: usize = 64;
const MOST_LETTERS: usize = 128;

/// A letter and whether it is quoted.
type Letter = (char, bool);

/// Whether unquoted text could contain a brace expansion.
pub(super) fn may_expand(raw: &str) -> bool {
    raw.contains('{') && (raw.contains(',') || raw.contains(".."))
}

/// The words that `letters` expand to; `None` if they are too many.
pub(super) fn expand(letters: &[Letter]) -> Option<Vec<String>> {
    // Code in quotes has braces too, and is one word however long it is.
    if !letters.contains(&('{', false)) {
        return Some(vec![letters.iter().map(|(letter, _)| letter).collect()]);
    }
    if letters.len() > MOST_LETTERS {
        return None;
    }
    let mut done = Vec::new();
    let mut open = vec![letters.to_vec()];
    while let Some(word) = open.pop() {
        // `{a,b}{a,b}…` doubles with every pair; the bound is checked before a word is opened further.
        if done.len() + open.len() >= MOST_WORDS {
            return None;
        }
        match first_choice(&word) {
            // The last in is expanded first, so the order of the shell needs the variants reversed.
            Choice::Of(variants) => open.extend(variants.into_iter().rev()),
            Choice::None => done.push(word.iter().map(|(letter, _)| letter).collect()),
            Choice::TooMany => return None,
        }
    }
    Some(done)
}

enum Choice {
    None,
    Of(Vec<Vec<Letter>>),
    TooMany,
}

/// The words that replace the first brace expression in `word` with each of its alternatives.
fn first_choice(word: &[Letter]) -> Choice {
    for (start, _) in word.iter().enumerate().filter(|(_, letter)| **letter == ('{', false)) {
        // A brace without its end or without a choice is literal (`{}`), and a later one may still expand.
        let Some(inside) = Inside::at(word, start) else { continue };
        let Some(alternatives) = inside.alternatives() else { continue };
        if alternatives.len() > MOST_WORDS {
            return Choice::TooMany;
        }
        let before = word.get(..start).unwrap_or_default();
        let join = |middle: Vec<Letter>| [before, &middle, inside.after].concat();
        return Choice::Of(alternatives.into_iter().map(join).collect());
    }
    Choice::None
}

/// The text between a `{` and its `}`.
struct Inside<'a> {
    text: &'a [Letter],
    commas: Vec<usize>,
    after: &'a [Letter],
}

impl<'a> Inside<'a> {
    fn at(word: &'a [Letter], start: usize) -> Option<Self> {
        let (mut depth, mut commas) = (0usize, Vec::new());
        let body = word.get(start + 1..)?;
        for (at, letter) in body.iter().enumerate() {
            match letter {
                ('{', false) => depth += 1,
                ('}', false) if depth == 0 => {
                    return Some(Self { text: body.get(..at)?, commas, after: body.get(at + 1..)? });
                }
                ('}', false) => depth -= 1,
                (',', false) if depth == 0 => commas.push(at),
                _ => {}
            }
        }
        None
    }

    fn alternatives(&self) -> Option<Vec<Vec<Letter>>> {
        if self.commas.is_empty() {
            return self.sequence();
        }
        let mut from = 0;
        let ends = self.commas.iter().copied().chain([self.text.len()]);
        let cut = ends.map(|end| {
            let piece = self.text.get(from..end).unwrap_or_default().to_vec();
            from = end + 1;
            piece
        });
        Some(cut.collect())
    }

    /// `1..5` and `a..e`, with an optional step.
    fn sequence(&self) -> Option<Vec<Vec<Letter>>> {
        let text: String = self.text.iter().map(|(letter, _)| letter).collect();
        let mut parts = text.split("..");
        let (first, last, step) = (parts.next()?, parts.next()?, parts.next());
        let step = step.map_or(Some(1), |step| step.parse::<i64>().ok())?.unsigned_abs().max(1);
        let values = match (first.parse::<i64>(), last.parse::<i64>()) {
            (Ok(first), Ok(last)) => range(first, last, step).map(|value| value.to_string()).collect(),
            _ => letter_range(first, last, step)?,
        };
        // Marked as quoted: what a sequence produces is not expanded again.
        Some(values.iter().map(|value| value.chars().map(|letter| (letter, true)).collect()).collect())
    }
}

fn letter_range(first: &str, last: &str, step: u64) -> Option<Vec<String>> {
    let only =
        |text: &str| text.chars().next().filter(|letter| text.len() == 1 && letter.is_ascii_alphabetic());
    let (first, last) = (only(first)?, only(last)?);
    let letters = range(i64::from(u32::from(first)), i64::from(u32::from(last)), step);
    Some(
        letters
            .filter_map(|code| u32::try_from(code).ok().and_then(char::from_u32))
            .map(String::from)
            .collect(),
    )
}

/// From `first` to `last`, up or down; at most one more than we ever use.
fn range(first: i64, last: i64, step: u64) -> impl Iterator<Item = i64> {
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    let step = if first <= last { step } else { -step };
    std::iter::successors(Some(first), move |value| value.checked_add(step))
        .take_while(move |value| if step > 0 { *value <= last } else { *value >= last })
        .take(MOST_WORDS + 1)
}
