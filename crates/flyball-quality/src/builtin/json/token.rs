//! The tokens of JSON and of its comments.

/// What is wrong, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Fault {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Object,
    Array,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open(Shape),
    Close(Shape),
    Colon,
    Comma,
    Text,
    /// A number, `true`, `false` or `null`.
    Word,
    LineComment,
    BlockComment,
}

/// A token, as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// The line it begins in.
    pub(super) line: usize,
    /// The line it ends in: a comment may have several.
    pub(super) end_line: usize,
}

impl Token<'_> {
    pub(super) fn is_comment(&self) -> bool {
        matches!(self.kind, Kind::LineComment | Kind::BlockComment)
    }
}

/// Cuts a text into tokens.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(content: &'a str) -> Tokens<'a> {
        let rest = content.trim_start_matches('\u{feff}');
        Tokens { rest, at: content.len() - rest.len(), line: 1 }
    }

    /// The token that starts here, and how long it is.
    fn cut(&self) -> Result<(Kind, usize), Fault> {
        let first = self.rest.chars().next().unwrap_or_default();
        match first {
            '{' => Ok((Kind::Open(Shape::Object), 1)),
            '[' => Ok((Kind::Open(Shape::Array), 1)),
            '}' => Ok((Kind::Close(Shape::Object), 1)),
            ']' => Ok((Kind::Close(Shape::Array), 1)),
            ':' => Ok((Kind::Colon, 1)),
            ',' => Ok((Kind::Comma, 1)),
            '"' => string(self.rest, self.at).map(|length| (Kind::Text, length)),
            '/' => comment(self.rest, self.at),
            // No value begins with these three, but as a word they get a message that says so.
            '-' | '0'..='9' | 'a'..='z' | 'A'..='Z' | '_' | '.' | '+' => word(self.rest, self.at),
            '\'' => Err(Fault::new(self.at, "strings need double quotes in JSON")),
            _ => Err(Fault::new(self.at, format!("unexpected `{}`", first.escape_debug()))),
        }
    }

    fn advance(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        self.at += taken.len();
        self.rest = rest;
        taken
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let blank = self.rest.len() - self.rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        self.advance(blank);
        if self.rest.is_empty() {
            return None;
        }
        let (start, line) = (self.at, self.line);
        Some(self.cut().map(|(kind, length)| {
            let text = self.advance(length);
            Token { kind, text, start, line, end_line: self.line }
        }))
    }
}

/// How long the string is that starts here.
fn string(rest: &str, at: usize) -> Result<usize, Fault> {
    let mut letters = rest.char_indices().skip(1);
    while let Some((index, letter)) = letters.next() {
        match letter {
            '"' => return Ok(index + 1),
            '\\' => match letters.next() {
                Some((_, 'u')) => {
                    let digits = rest.get(index + 2..index + 6);
                    if !digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
                        return Err(Fault::new(at + index, "`\\u` needs four hexadecimal digits"));
                    }
                }
                Some((_, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')) => {}
                Some((_, other)) if other != '\n' => {
                    return Err(Fault::new(
                        at + index,
                        format!("unknown escape `\\{}`", other.escape_debug()),
                    ));
                }
                Some(_) | None => return Err(Fault::new(at, "the string has no end")),
            },
            '\n' | '\r' => return Err(Fault::new(at, "the string has no end")),
            '\0'..='\u{1f}' => {
                let message = format!("`{}` must be written as an escape in a string", letter.escape_debug());
                return Err(Fault::new(at + index, message));
            }
            _ => {}
        }
    }
    Err(Fault::new(at, "the string has no end"))
}

/// How long the comment is that starts here.
fn comment(rest: &str, at: usize) -> Result<(Kind, usize), Fault> {
    if rest.starts_with("//") {
        let line = rest.split('\n').next().unwrap_or(rest);
        // With Windows line ends the `\r` belongs to the line end, not to the comment.
        return Ok((Kind::LineComment, line.trim_end_matches('\r').len()));
    }
    let body = rest.strip_prefix("/*").ok_or_else(|| Fault::new(at, "unexpected `/`"))?;
    let end = body.find("*/").ok_or_else(|| Fault::new(at, "the comment has no end"))?;
    Ok((Kind::BlockComment, end + 4))
}

/// How long the number or the word is that starts here.
fn word(rest: &str, at: usize) -> Result<(Kind, usize), Fault> {
    let belongs = |letter: char| letter.is_alphanumeric() || "+-._".contains(letter);
    let length = rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
    let word = rest.get(..length).unwrap_or_default();
    if matches!(word, "true" | "false" | "null") || is_number(word) {
        return Ok((Kind::Word, length));
    }
    let what = if word.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
        "is not a valid JSON number"
    } else {
        "is not a valid JSON value"
    };
    Err(Fault::new(at, format!("`{word}` {what}")))
}

/// Whether it is a number: `-0.5e+3`, but not `01`, `.5` or `1.`.
fn is_number(word: &str) -> bool {
    let word = word.strip_prefix('-').unwrap_or(word);
    let (number, exponent) = match word.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (word, None),
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}
