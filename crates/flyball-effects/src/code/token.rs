//! The pieces that code is made of.

/// Marks where the shell puts something into code: `python -c "print($X)"`.
pub(super) const HOLE: char = '\u{FFFC}';

/// One piece of code.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    /// Whether there is space before it.
    pub(super) spaced: bool,
}

/// What a piece of code is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    /// A name or keyword, with its sigil.
    Name(&'a str),
    Text(Vec<Part<'a>>),
    /// Text that a shell runs: backticks, `%x()`, `qx()`.
    Shell(Vec<Part<'a>>),
    /// A list of plain words: `%w[a b]`, `qw(a b)`.
    Words(Vec<String>),
    /// A number, a pattern or whatever else does nothing.
    Value,
    /// An operator or bracket.
    Sign(&'a str),
    /// The end of a line, where that may end a statement.
    Newline,
    /// Something that the shell puts in.
    Hole,
}

/// A part of a string.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part<'a> {
    Text(String),
    /// The value of this code: `{x}` in an f-string.
    Code(Vec<Token<'a>>),
    /// Something that is known only at run time.
    Unknown,
}

impl Token<'_> {
    /// Whether this is the sign `sign`.
    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.kind, Kind::Sign(own) if own == sign)
    }

    /// The text of a string without anything put in.
    pub(super) fn text(&self) -> Option<String> {
        match &self.kind {
            Kind::Text(parts) => match parts.as_slice() {
                [] => Some(String::new()),
                [Part::Text(text)] => Some(text.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}
