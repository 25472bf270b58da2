//! What plain filters make of a text: `sed 's/a/b/'`, `tr a b`, `base64 -d`.
//!
//! A filter that only leaves lines out is taken to leave none out: what is shown may be more than what runs, never less.

use crate::argv::{Grammar, OptionStyle, parse};
use crate::decoders;
use crate::model::Word;

/// The files that a filter reads.
pub(super) fn files<'a>(name: &str, arguments: &'a [Word]) -> Vec<&'a Word> {
    const SED: Grammar = gnu("efl", "expression file");
    const AWK: Grammar = gnu("fvF", "file assign field-separator");
    const GREP: Grammar = gnu("efmABC", "regexp file max-count");
    const LINES: Grammar = gnu("nc", "lines bytes");
    let grammar = match name {
        "sed" => &SED,
        "awk" | "gawk" | "mawk" | "nawk" => &AWK,
        "grep" | "egrep" => &GREP,
        "head" | "tail" => &LINES,
        _ => &Grammar::PLAIN,
    };
    let parsed = parse(grammar, arguments);
    let has_code =
        parsed.options.iter().any(|it| matches!(it.name, "e" | "f" | "expression" | "regexp" | "file"));
    let skipped = match name {
        "tr" | "tee" | "envsubst" => return Vec::new(),
        "sed" | "grep" | "egrep" | "awk" | "gawk" | "mawk" | "nawk" => usize::from(!has_code),
        _ => 0,
    };
    parsed.operands.into_iter().skip(skipped).collect()
}

const fn gnu(letters: &'static str, names: &'static str) -> Grammar {
    Grammar { letters, optional: "i", names, option_style: OptionStyle::Gnu }
}

/// What comes out of a filter, if that is known.
pub(super) fn filtered(name: &str, arguments: &[Word], text: String) -> Option<String> {
    let is = |options: &[&str]| arguments.iter().any(|word| options.iter().any(|option| word.is(option)));
    match name {
        "sed" => sed(arguments, text),
        "tr" => tr(arguments, &text),
        "rev" => {
            Some(text.lines().map(|line| line.chars().rev().chain(['\n']).collect::<String>()).collect())
        }
        "base64" if is(&["-d", "-D", "--decode", "-di", "-id"]) => decoders::base64(&text),
        "xxd" if is(&["-rp", "-pr"]) || (is(&["-r"]) && is(&["-p"])) => decoders::hexadecimal(&text),
        "base64" | "xxd" | "gunzip" | "zcat" | "nl" => None,
        _ => Some(text),
    }
}

/// Substitutions of plain text; a script that only leaves out or prints lines changes nothing.
fn sed(arguments: &[Word], mut text: String) -> Option<String> {
    let parsed = parse(&gnu("efl", "expression file"), arguments);
    let given: Vec<&Word> = parsed.values("e expression", OptionStyle::Gnu).collect::<Vec<_>>();
    let scripts = if given.is_empty() { parsed.operands.iter().copied().take(1).collect() } else { given };
    for script in scripts {
        for part in script.text.as_deref()?.split([';', '\n']) {
            let part = part.trim();
            if part.starts_with('s') {
                text = substituted(part, &text)?;
            } else if !part.ends_with(['p', 'd', 'q']) && !part.is_empty() {
                return None;
            }
        }
    }
    Some(text)
}

fn substituted(script: &str, text: &str) -> Option<String> {
    let mut letters = script.chars();
    letters.next()?;
    let mark = letters.next()?;
    let mut parts = letters.as_str().split(mark);
    let (old, new, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let is_plain = |part: &str| !part.contains(['\\', '[', '*', '&', '(', '+', '?']);
    if !is_plain(old) || !is_plain(new) {
        return None;
    }
    match (old.strip_prefix('^'), old.strip_suffix('$')) {
        (Some(""), _) => Some(text.lines().map(|line| format!("{new}{line}\n")).collect()),
        (_, Some("")) => Some(text.lines().map(|line| format!("{line}{new}\n")).collect()),
        (Some(old), _) => {
            let line = |line: &str| {
                line.strip_prefix(old).map_or_else(|| line.to_owned(), |rest| format!("{new}{rest}"))
            };
            Some(text.lines().map(|it| line(it) + "\n").collect())
        }
        (None, Some(_)) => None,
        (None, None) if old.contains('.') || old.is_empty() => None,
        (None, None) if flags.contains('g') => Some(text.replace(old, new)),
        (None, None) => Some(text.split_inclusive('\n').map(|line| line.replacen(old, new, 1)).collect()),
    }
}

/// `tr abc xyz` and `tr -d x`, with ranges.
fn tr(arguments: &[Word], text: &str) -> Option<String> {
    let parsed = parse(&Grammar::PLAIN, arguments);
    let sets: Option<Vec<Vec<char>>> =
        parsed.operands.iter().map(|word| word.text.as_deref().and_then(set)).collect();
    let sets = sets?;
    let deletes = parsed.options.iter().any(|option| matches!(option.name, "d" | "delete"));
    match (sets.as_slice(), deletes) {
        ([from], true) => Some(text.chars().filter(|letter| !from.contains(letter)).collect()),
        ([from, to], false) => {
            let other = |letter: char| match from.iter().position(|known| *known == letter) {
                Some(at) => to.get(at).or(to.last()).copied().unwrap_or(letter),
                None => letter,
            };
            Some(text.chars().map(other).collect())
        }
        _ => None,
    }
}

/// The letters of a set: `a-z`, `\n`.
fn set(spelled: &str) -> Option<Vec<char>> {
    if spelled.contains("[:") {
        return None;
    }
    let mut letters: Vec<char> = Vec::new();
    let mut rest = spelled.chars().peekable();
    while let Some(letter) = rest.next() {
        let letter = match letter {
            '\\' => match rest.next()? {
                'n' => '\n',
                't' => '\t',
                '\\' => '\\',
                '0' => '\0',
                other if other.is_ascii_digit() => return None,
                other => other,
            },
            _ => letter,
        };
        letters.push(letter);
        if rest.peek() == Some(&'-') {
            rest.next();
            match rest.next() {
                Some(end) => letters.extend((letter..=end).skip(1)),
                None => letters.push('-'),
            }
        }
    }
    Some(letters)
}
