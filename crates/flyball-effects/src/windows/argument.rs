//! A word of a command, as it is in sh.

use super::names::place;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    /// How it is written in sh.
    pub(super) sh: String,
    /// Its text, if that is known.
    pub(super) text: Option<String>,
    /// Whether it was written without quotes, so that it may be the name of a parameter.
    pub(super) is_bare: bool,
}

impl Argument {
    pub(super) fn literal(text: &str, is_bare: bool) -> Argument {
        Argument { sh: quote(text), text: Some(text.to_owned()), is_bare }
    }

    pub(super) fn unknown(sh: impl Into<String>) -> Argument {
        Argument { sh: sh.into(), text: None, is_bare: false }
    }

    /// The same as the place of a file: with slashes, and as a pattern where it is one.
    pub(super) fn as_place(&self) -> String {
        match &self.text {
            Some(text) => quote_pattern(&place(text)),
            None => self.sh.replace('\\', "/"),
        }
    }
}

/// A word of sh that is exactly this text.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The same, but a leading `~` and the letters of patterns keep their meaning.
fn quote_pattern(text: &str) -> String {
    let mut out = String::new();
    let mut plain = String::new();
    let flush = |plain: &mut String, out: &mut String| {
        if !plain.is_empty() {
            out.push_str(&quote(&std::mem::take(plain)));
        }
    };
    for (at, letter) in text.chars().enumerate() {
        if matches!(letter, '*' | '?') || (letter == '~' && at == 0) || (letter == '/' && out == "~") {
            flush(&mut plain, &mut out);
            out.push(letter);
        } else {
            plain.push(letter);
        }
    }
    flush(&mut plain, &mut out);
    if out.is_empty() { "''".to_owned() } else { out }
}
