//! Sed scripts: `w file`, `r file`, `e command`, and the same as flags of `s`.

use crate::model::{CodeAct, CodeReading, Content, FileAct, Language};

use super::token::HOLE;

/// What a sed script would do besides editing its input.
pub(super) fn read(code: &str) -> CodeReading {
    let reader = Reader::read_all(code);
    CodeReading { acts: reader.acts, is_opaque: reader.is_opaque, language: Language::Sed }
}

/// What a script puts into its input: what it looks for (nothing, where it adds lines) and what
/// replaces it, as written.
pub(crate) fn insertions(code: &str) -> Vec<(String, String)> {
    Reader::read_all(code).insertions
}

struct Reader<'a> {
    rest: &'a str,
    acts: Vec<CodeAct>,
    insertions: Vec<(String, String)>,
    is_opaque: bool,
}

impl<'a> Reader<'a> {
    fn read_all(code: &'a str) -> Self {
        let mut reader = Self { rest: code, acts: Vec::new(), insertions: Vec::new(), is_opaque: false };
        while !reader.rest.is_empty() {
            let before = reader.rest.len();
            reader.command();
            // A command that reads nothing must not stop the loop from ending.
            if reader.rest.len() == before {
                reader.bump();
            }
        }
        reader
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = self.rest.get(letter.len_utf8()..).unwrap_or_default();
        Some(letter)
    }

    fn skip(&mut self, belongs: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(belongs);
    }

    /// The rest of the line.
    fn line(&mut self) -> &'a str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or_default();
        self.rest = self.rest.get(end..).unwrap_or_default();
        line
    }

    /// Goes past the next `end` that is not escaped; returns the text before it.
    fn until(&mut self, end: char) -> &'a str {
        let whole = self.rest;
        let mut is_escaped = false;
        for (at, letter) in self.rest.char_indices() {
            if is_escaped {
                is_escaped = false;
            } else if letter == end {
                self.rest = whole.get(at + letter.len_utf8()..).unwrap_or_default();
                return whole.get(..at).unwrap_or_default();
            } else {
                is_escaped = letter == '\\';
            }
        }
        self.rest = "";
        // The delimiter never comes: sed would refuse the script, or we have misread it.
        self.is_opaque = true;
        ""
    }

    fn command(&mut self) {
        self.skip(|letter| letter.is_whitespace() || matches!(letter, ';' | '{' | '}' | '!'));
        self.address();
        self.skip(|letter| matches!(letter, ' ' | '\t' | '!' | '{' | ';' | '\n'));
        match self.bump() {
            Some('s') => self.substitution(),
            Some('y') => {
                if let Some(end) = self.bump() {
                    self.until(end);
                    self.until(end);
                }
            }
            Some('w' | 'W') => self.write(),
            Some('r' | 'R') => {
                // The name of the file goes on to the end of the line, `;` and `}` included.
                let path = known(self.line().trim());
                self.acts.push(CodeAct::File { act: FileAct::Read, path });
            }
            Some('e') => {
                // Without a command, `e` runs the line that sed has just read.
                let line = self.line().trim();
                let line = if line.is_empty() { None } else { known(line) };
                self.acts.push(CodeAct::Shell { line });
            }
            Some('a' | 'i' | 'c') => self.text(),
            Some('b' | 't' | 'T' | ':' | 'q' | 'Q' | 'l' | 'L' | 'v') => {
                self.skip(|letter| !matches!(letter, ';' | '\n' | '}'));
            }
            Some('#') => {
                self.line();
            }
            Some(HOLE) => self.is_opaque = true,
            Some(_) | None => {}
        }
    }

    /// `1`, `$`, `/re/`, `\,re,`, `1,/re/I`, `2~3`
    fn address(&mut self) {
        for _ in 0..2 {
            match self.peek() {
                Some('/') => {
                    self.bump();
                    self.until('/');
                    self.skip(|letter| matches!(letter, 'I' | 'M'));
                }
                Some('\\') => {
                    self.bump();
                    if let Some(end) = self.bump() {
                        self.until(end);
                    }
                }
                Some(letter) if letter.is_ascii_digit() || matches!(letter, '$' | '+' | '~' | HOLE) => {
                    self.skip(|letter| letter.is_ascii_digit() || matches!(letter, '$' | '+' | '~' | HOLE));
                }
                _ => return,
            }
            self.skip(|letter| matches!(letter, ' ' | '\t'));
            if self.peek() != Some(',') {
                return;
            }
            self.bump();
            self.skip(|letter| matches!(letter, ' ' | '\t'));
        }
    }

    fn substitution(&mut self) {
        let Some(end) = self.bump() else { return };
        // What the shell puts in may contain the delimiter; it is taken for plain text.
        let old = self.until(end).to_owned();
        let new = self.until(end).to_owned();
        self.insertions.push((old, new));
        loop {
            match self.peek() {
                Some('w') => {
                    self.bump();
                    return self.write();
                }
                Some('e') => {
                    self.bump();
                    // The result of the substitution is run as a command.
                    self.acts.push(CodeAct::Shell { line: None });
                }
                Some(letter) if letter.is_ascii_alphanumeric() => {
                    self.bump();
                }
                Some(HOLE) => {
                    self.bump();
                    self.is_opaque = true;
                }
                _ => return,
            }
        }
    }

    fn write(&mut self) {
        let path = known(self.line().trim());
        if !matches!(path.as_deref(), Some("/dev/stdout" | "/dev/stderr")) {
            self.acts.push(CodeAct::File { act: FileAct::Write(Content::Unknown), path });
        }
    }

    /// The text behind `a`, `i` and `c`: lines that end in a backslash go on.
    fn text(&mut self) {
        let mut text = String::new();
        loop {
            let line = self.line();
            text.push_str(line.trim_start().trim_matches('\\'));
            text.push('\n');
            if !line.ends_with('\\') || self.bump().is_none() {
                break;
            }
        }
        self.insertions.push((String::new(), text));
    }
}

fn known(text: &str) -> Option<String> {
    (!text.is_empty() && !text.contains(HOLE)).then(|| text.to_owned())
}
