//! What `${…}` becomes where the value and all that is done to it are known: items of arrays, parts, patterns.

use super::scope::{ARGUMENTS, Scope};

/// More steps are not taken to match a value against a pattern: the number grows with the cube of the value's length.
const MOST_STEPS: usize = 300_000;

/// The value of `${inner}`.
pub(super) fn evaluated(inner: &str, scope: &Scope) -> Option<String> {
    if let Some(rest) = inner.strip_prefix('!') {
        let (name, operation) = split_name(rest)?;
        let named = scope.value(name)?;
        let value = scope.value(named).or_else(|| item(named, scope));
        return operated(value?, operation, scope);
    }
    let (name, operation) = split_name(inner)?;
    let Some(behind) = operation.strip_prefix('[') else {
        // Without an index, an array is its first item.
        let value = scope.value(name).or_else(|| scope.list(name)?.first().map(String::as_str));
        return operated(value?, operation, scope);
    };
    let (index, operation) = behind.split_once(']')?;
    if matches!(index, "@" | "*") {
        let joined = scope.list(name)?.join(" ");
        return operated(&joined, operation, scope);
    }
    let index = filled(index, scope)?;
    operated(item(&format!("{name}[{}]", unquoted(&index)), scope)?, operation, scope)
}

/// The words of `${list[@]:1:2}` and `${@:2}`.
pub(super) fn sliced(inner: &str, scope: &Scope) -> Option<Vec<String>> {
    let (name, slice) = match inner.strip_prefix("@:") {
        Some(slice) => (ARGUMENTS, slice),
        None => inner.split_once("[@]:")?,
    };
    let list = scope.list(name)?;
    let (offset, length) = numbers(slice, scope)?;
    // `$0` is before the first argument.
    let offset = if name == ARGUMENTS && offset > 0 { offset - 1 } else { offset };
    let range = range(offset, length, list.len())?;
    list.get(range).map(<[String]>::to_vec)
}

/// An item of an array by its number, or by its key.
fn item<'s>(spelled: &str, scope: &'s Scope) -> Option<&'s str> {
    let (name, index) = spelled.strip_suffix(']')?.split_once('[')?;
    let by_number = index.trim().parse::<i64>().ok().and_then(|index| {
        let list = scope.list(name)?;
        let at = if index < 0 {
            list.len().checked_sub(usize::try_from(index.unsigned_abs()).ok()?)?
        } else {
            usize::try_from(index).ok()?
        };
        list.get(at).map(String::as_str)
    });
    by_number.or_else(|| scope.value(spelled))
}

/// The name in front, and what is done to its value.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let end =
        text.find(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric()).unwrap_or(text.len());
    text.split_at_checked(end).filter(|(name, _)| !name.is_empty())
}

fn operated(value: &str, operation: &str, scope: &Scope) -> Option<String> {
    let Some(first) = operation.chars().next() else { return Some(value.to_owned()) };
    let operation = filled(operation, scope)?;
    let rest = operation.get(first.len_utf8()..)?;
    match first {
        ':' if rest.starts_with(['-', '=', '?']) => (!value.is_empty()).then(|| value.to_owned()),
        ':' if rest.starts_with('+') => {
            (!value.is_empty()).then(|| unquoted(rest.get(1..).unwrap_or_default()))
        }
        ':' => {
            let (offset, length) = numbers(rest, scope)?;
            let letters: Vec<char> = value.chars().collect();
            let range = range(offset, length, letters.len())?;
            letters.get(range).map(|part| part.iter().collect())
        }
        '+' => Some(unquoted(rest)),
        '#' | '%' => Some(trimmed(value, first, rest)?.to_owned()),
        '/' => replaced(value, rest),
        '^' | ',' => {
            let change = |text: &str| if first == '^' { text.to_uppercase() } else { text.to_lowercase() };
            // With a pattern behind it, only some letters change.
            match rest {
                "" => {
                    let mut letters = value.chars();
                    let head: String = letters.by_ref().take(1).collect();
                    Some(change(&head) + letters.as_str())
                }
                "^" | "," => Some(change(value)),
                _ => None,
            }
        }
        '@' => match rest {
            "U" => Some(value.to_uppercase()),
            "L" => Some(value.to_lowercase()),
            "Q" | "E" => Some(value.to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// The text with plain variables in it replaced. `None` if one is not known.
pub(super) fn filled(text: &str, scope: &Scope) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        let (name, after) = match behind.strip_prefix('{') {
            Some(inner) => inner.split_once('}')?,
            None => split_name(behind)?,
        };
        out.push_str(scope.value(name)?);
        rest = after;
    }
    out.push_str(rest);
    (!out.contains('`')).then_some(out)
}

/// `offset` and `offset:length`.
fn numbers(text: &str, scope: &Scope) -> Option<(i64, Option<i64>)> {
    let text = filled(text, scope)?;
    let number = |text: &str| text.trim().trim_matches(['(', ')']).trim().parse::<i64>().ok();
    match text.split_once(':') {
        Some((offset, length)) => Some((number(offset)?, Some(number(length)?))),
        None => Some((number(&text)?, None)),
    }
}

fn range(offset: i64, length: Option<i64>, whole: usize) -> Option<std::ops::Range<usize>> {
    let whole = i64::try_from(whole).ok()?;
    let start = if offset < 0 { whole + offset } else { offset };
    let end = match length {
        Some(length) if length < 0 => whole + length,
        Some(length) => start.saturating_add(length),
        None => whole,
    };
    let (start, end) = (start.clamp(0, whole), end.clamp(0, whole));
    (start <= end).then_some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

/// `${x#a}`, `${x##a}`, `${x%a}`, `${x%%a}`.
fn trimmed<'v>(value: &'v str, side: char, rest: &str) -> Option<&'v str> {
    let (is_long, pattern) = match rest.strip_prefix(side) {
        Some(pattern) => (true, pattern),
        None => (false, rest),
    };
    let pattern = Pattern::read(pattern);
    pattern.is_affordable(value.len(), 2).then_some(())?;
    let mut places: Vec<usize> = value.char_indices().map(|(at, _)| at).chain([value.len()]).collect();
    // The shortest match comes first: near the beginning for `#`, near the end for `%`.
    if (side == '%') != is_long {
        places.reverse();
    }
    let is_cut = |at: &&usize| {
        let (head, tail) = value.split_at(**at);
        pattern.matches(if side == '#' { head } else { tail })
    };
    let Some(at) = places.iter().find(is_cut) else { return Some(value) };
    let (head, tail) = value.split_at(*at);
    Some(if side == '#' { tail } else { head })
}

/// `${x/a/b}`, `${x//a/b}`, `${x/#a/b}`, `${x/%a/b}`.
fn replaced(value: &str, rest: &str) -> Option<String> {
    let (is_all, rest) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (pattern, with) = rest.split_once('/').unwrap_or((rest, ""));
    let with = unquoted(with);
    let anchor = pattern.chars().next().filter(|first| matches!(first, '#' | '%') && !is_all);
    let pattern = Pattern::read(if anchor.is_some() { pattern.get(1..)? } else { pattern });
    pattern.is_affordable(value.len(), 3).then_some(())?;
    let mut out = String::new();
    let mut at = 0;
    while at <= value.len() {
        let tail = value.get(at..)?;
        let ends = tail.char_indices().map(|(end, letter)| end + letter.len_utf8()).rev();
        let found = ends.into_iter().find(|end| {
            let is_anchored = match anchor {
                Some('#') => at == 0,
                Some(_) => at + end == value.len(),
                None => true,
            };
            is_anchored && tail.get(..*end).is_some_and(|part| pattern.matches(part))
        });
        match found {
            Some(end) => {
                out.push_str(&with);
                at += end;
                if !is_all {
                    out.push_str(value.get(at..)?);
                    return Some(out);
                }
            }
            None => {
                let Some(letter) = tail.chars().next() else { break };
                out.push(letter);
                at += letter.len_utf8();
            }
        }
    }
    Some(out)
}

/// A text without its quotes.
fn unquoted(text: &str) -> String {
    let mut letters = text.chars();
    let mut out = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.extend(letters.next()),
            '\'' | '"' => {}
            other => out.push(other),
        }
    }
    out
}

/// A pattern of the shell: what is quoted stands for itself.
struct Pattern(Vec<Piece>);

enum Piece {
    Letter(char),
    Any,
    Many,
    /// The letters of `[…]`, and whether they are those that do not match.
    Set(Vec<char>, bool),
}

impl Pattern {
    fn read(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut quote = None;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            match (quote, letter) {
                (None, '\'' | '"') => quote = Some(letter),
                (Some(open), letter) if open == letter => quote = None,
                (Some('\''), letter) => pieces.push(Piece::Letter(letter)),
                (_, '\\') => pieces.extend(letters.next().map(Piece::Letter)),
                (Some(_), letter) => pieces.push(Piece::Letter(letter)),
                (None, '*') => pieces.push(Piece::Many),
                (None, '?') => pieces.push(Piece::Any),
                (None, '[') if letters.as_str().contains(']') => {
                    let set: Vec<char> = letters.by_ref().take_while(|letter| *letter != ']').collect();
                    let is_not = matches!(set.first(), Some('!' | '^'));
                    pieces.push(Piece::Set(set.into_iter().skip(usize::from(is_not)).collect(), is_not));
                }
                (None, letter) => pieces.push(Piece::Letter(letter)),
            }
        }
        Self(pieces)
    }

    /// Whether it can be matched against the parts of a value of so many letters in a reasonable time. `power`: how
    /// the work grows with them. Without a star, most parts are left at their first letter.
    fn is_affordable(&self, letters: usize, power: u32) -> bool {
        let stars = self.0.iter().filter(|piece| matches!(piece, Piece::Many)).count();
        let power = if stars == 0 { 2 } else { power };
        letters.saturating_pow(power).saturating_mul(1 + stars) <= MOST_STEPS
    }

    /// Whether it matches all of a text.
    fn matches(&self, text: &str) -> bool {
        // The places in the pattern that the letters so far may have led to.
        let after_stars = |mut at: usize, places: &mut Vec<usize>| {
            places.push(at);
            while matches!(self.0.get(at), Some(Piece::Many)) {
                at += 1;
                places.push(at);
            }
        };
        let mut places = Vec::new();
        after_stars(0, &mut places);
        for letter in text.chars() {
            if places.is_empty() {
                return false;
            }
            let mut next = Vec::new();
            for at in places {
                match self.0.get(at) {
                    Some(Piece::Many) => after_stars(at, &mut next),
                    Some(piece) if piece.takes(letter) => after_stars(at + 1, &mut next),
                    Some(_) | None => {}
                }
            }
            next.sort_unstable();
            next.dedup();
            places = next;
        }
        places.contains(&self.0.len())
    }
}

impl Piece {
    fn takes(&self, letter: char) -> bool {
        match self {
            Piece::Letter(own) => *own == letter,
            Piece::Any | Piece::Many => true,
            Piece::Set(letters, is_not) => {
                let in_range = letters
                    .windows(3)
                    .any(|part| matches!(part, [first, '-', last] if (*first..=*last).contains(&letter)));
                (letters.contains(&letter) || in_range) != *is_not
            }
        }
    }
}
