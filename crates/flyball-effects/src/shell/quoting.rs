//! Removes quotes and escapes from literal text, the way the shell does.

use std::iter::Peekable;
use std::str::Chars;

/// The quotes around a piece of literal text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    /// Nothing: a backslash escapes any letter, patterns and braces are expanded.
    None,
    /// `"…"`: a backslash escapes only `$`, a backtick, `"`, `\` and newline.
    Double,
    /// The body of a here-document: as in `"…"`, but `"` is an ordinary letter.
    HereDoc,
    /// `'…'`: nothing is special.
    Single,
}

impl Quotes {
    fn escapes(self, letter: char) -> bool {
        match self {
            Self::None => true,
            Self::Double => matches!(letter, '$' | '`' | '"' | '\\' | '\n'),
            Self::HereDoc => matches!(letter, '$' | '`' | '\\' | '\n'),
            Self::Single => false,
        }
    }

    /// The quotes after a quote mark, if it is one here. Inside braces and patterns the parser
    /// leaves the quotes in the text.
    fn after(self, mark: char, outer: Self) -> Option<Self> {
        match (self, mark) {
            (Self::None, '"') => Some(Self::Double),
            (Self::None, '\'') => Some(Self::Single),
            (Self::Double, '"') | (Self::Single, '\'') if outer == Self::None => Some(Self::None),
            _ => None,
        }
    }
}

/// The letters of a text after quote removal, each with whether it was quoted.
pub(super) struct Letters<'a> {
    rest: Peekable<Chars<'a>>,
    outer: Quotes,
    quotes: Quotes,
}

/// The letters of `raw`, which is in `quotes`.
pub(super) fn letters(raw: &str, quotes: Quotes) -> Letters<'_> {
    Letters { rest: raw.chars().peekable(), outer: quotes, quotes }
}

impl Iterator for Letters<'_> {
    type Item = (char, bool);

    fn next(&mut self) -> Option<(char, bool)> {
        loop {
            let letter = self.rest.next()?;
            if let Some(quotes) = self.quotes.after(letter, self.outer) {
                self.quotes = quotes;
            } else if letter != '\\' {
                return Some((letter, self.quotes != Quotes::None));
            } else {
                match self.rest.next_if(|next| self.quotes.escapes(*next)) {
                    // A line continuation leaves no letter behind.
                    Some('\n') => {}
                    // A backslash that escapes nothing here stays, as in `"\d"`.
                    escaped => return Some((escaped.unwrap_or('\\'), true)),
                }
            }
        }
    }
}

/// What a text is a part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Word,
    /// A pattern or regular expression, with parentheses and bars of its own.
    Pattern,
}

/// Whether unquoted text contains what must end a word, or ends inside quotes.
pub(super) fn breaks_word(raw: &str, kind: Kind) -> bool {
    // Most words have none of these; the check saves the scan.
    if !raw.contains([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')', '"', '\'']) {
        return false;
    }
    let is_pattern =
        kind == Kind::Pattern || ["@(", "!(", "+(", "?(", "*("].iter().any(|open| raw.contains(open));
    let ends = |letter: char| match letter {
        ' ' | '\t' | '\n' | ';' | '&' => true,
        '|' | '<' | '>' | '(' | ')' => !is_pattern,
        _ => false,
    };
    let mut scan = letters(raw, Quotes::None);
    scan.any(|(letter, is_quoted)| !is_quoted && ends(letter)) || scan.quotes != Quotes::None
}

/// What in a literal text is not literal at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Expansion {
    Nothing,
    /// `$name`.
    Variable,
    /// `$(`, `${`, `<(` or a backtick: commands may run.
    Commands,
}

/// The expansion in `raw`, which the parser took for plain text.
pub(super) fn find_expansion(raw: &str, quotes: Quotes) -> Expansion {
    if !raw.contains(['$', '`', '(']) {
        return Expansion::Nothing;
    }
    let mut found = Expansion::Nothing;
    let mut scan = letters(raw, quotes);
    while let Some(letter) = scan.rest.next() {
        if let Some(quotes) = scan.quotes.after(letter, quotes) {
            scan.quotes = quotes;
        } else if letter == '\\' {
            let quotes = scan.quotes;
            scan.rest.next_if(|next| quotes.escapes(*next));
        } else {
            found = found.max(expansion_at(letter, scan.rest.peek().copied(), scan.quotes));
        }
    }
    found
}

fn expansion_at(letter: char, next: Option<char>, quotes: Quotes) -> Expansion {
    match (letter, next) {
        _ if quotes == Quotes::Single => Expansion::Nothing,
        ('`', _) | ('$', Some('(' | '{' | '[')) => Expansion::Commands,
        // Process substitution exists only outside quotes.
        ('<' | '>' | '=', Some('(')) if quotes == Quotes::None => Expansion::Commands,
        ('$', Some(next)) if next.is_ascii_alphanumeric() || "_@*#?!$-".contains(next) => Expansion::Variable,
        _ => Expansion::Nothing,
    }
}

/// `text` as one shell word.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
