//! Separates code, comments and strings, cheaply and without ever failing: what is misread is
//! misread the same way before and after an edit, so that it does not count as new.

use std::ops::Range;

use super::language::{Language, Quote, Syntax};

/// A text taken apart.
#[derive(Debug)]
pub struct Lexed<'a> {
    pub text: &'a str,
    /// The text with comments and the insides of strings made blank; every byte and every line
    /// stays where it was.
    pub code: String,
    /// The comments, in order.
    pub comments: Vec<Comment<'a>>,
    /// The strings in the language's form for long texts, with their quotes.
    long_texts: Vec<Range<usize>>,
    /// All strings with their quotes, and the bodies of here-documents, in order.
    pub(super) strings: Vec<Range<usize>>,
    pub(super) language: Language,
    /// Where the lines end.
    newlines: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
pub struct Comment<'a> {
    pub start: usize,
    /// All of it, with what opens and closes it.
    pub text: &'a str,
    /// Whether it ends with its line.
    pub is_line: bool,
}

impl<'a> Lexed<'a> {
    /// The lines that are not blank, each with whether it does something: comments and long texts
    /// do not.
    pub fn lines(&self) -> impl Iterator<Item = (&'a str, bool)> {
        let mut active = self.text.as_bytes().to_vec();
        let comments = self.comments.iter().map(|comment| comment.start..comment.start + comment.text.len());
        for range in comments.chain(self.long_texts.iter().cloned()) {
            blank(&mut active, range);
        }
        // Ranges begin and end at ASCII marks, so blanking never cuts a letter and nothing is lost here.
        let active = String::from_utf8_lossy(&active).into_owned();
        let does_something: Vec<bool> = active.split('\n').map(|line| !line.trim().is_empty()).collect();
        let lines = self.text.lines().zip(does_something);
        lines.filter(|(line, _)| !line.trim().is_empty())
    }

    /// The number of the line that a byte is in, from 1.
    pub fn line_of(&self, at: usize) -> usize {
        1 + self.newlines.partition_point(|newline| *newline < at)
    }

    /// The comments that begin in a line.
    pub fn comments_in(&self, line: usize) -> impl Iterator<Item = &Comment<'_>> {
        let first = self.comments.partition_point(|comment| self.line_of(comment.start) < line);
        let rest = self.comments.iter().skip(first);
        rest.take_while(move |comment| self.line_of(comment.start) == line)
    }

    /// The code from a byte on, as far as one construct may reasonably go.
    pub fn code_from(&self, at: usize) -> &str {
        window(&self.code, at)
    }

    /// The rest of the line from a byte on, as written.
    pub fn written_from(&self, at: usize) -> &str {
        window(self.text, at).split('\n').next().unwrap_or_default().trim_end()
    }

    /// The code before a byte, as far as one construct may reasonably go.
    pub fn code_before(&self, at: usize) -> &str {
        let mut start = at.saturating_sub(WINDOW);
        while !self.code.is_char_boundary(start) {
            start += 1;
        }
        self.code.get(start..at).unwrap_or_default()
    }
}

/// How far one construct may reasonably go. Looking further would take time that grows with the
/// square of a hostile text.
const WINDOW: usize = 600;

/// The text from a byte on, as far as one construct may reasonably go.
pub fn window(text: &str, at: usize) -> &str {
    let mut end = at.saturating_add(WINDOW).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(at..end).unwrap_or_default()
}

/// Whether only spaces are before a byte in its line.
pub fn is_first_in_line(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rev().find(|byte| !b" \t".contains(byte)).is_none_or(|byte| *byte == b'\n')
}

/// Takes a text apart.
pub fn lex(text: &str, language: Language) -> Lexed<'_> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        language,
        syntax: language.syntax(),
        code: text.as_bytes().to_vec(),
        comments: Vec::new(),
        long_texts: Vec::new(),
        strings: Vec::new(),
        no_regex_before: 0,
        heredocs: Vec::new(),
    };
    let mut at = 0;
    while at < text.len() {
        at = lexer.step(at);
    }
    let code = String::from_utf8_lossy(&lexer.code).into_owned();
    let newlines = text.match_indices('\n').map(|(at, _)| at).collect();
    let Lexer { comments, long_texts, strings, .. } = lexer;
    Lexed { text, code, comments, long_texts, strings, language, newlines }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    language: Language,
    syntax: Syntax,
    code: Vec<u8>,
    comments: Vec<Comment<'a>>,
    long_texts: Vec<Range<usize>>,
    strings: Vec<Range<usize>>,
    /// No regular expression ends before this, so none is looked for.
    no_regex_before: usize,
    /// The words that end the here-documents begun in this line.
    heredocs: Vec<&'a str>,
}

impl<'a> Lexer<'a> {
    /// Reads one thing; the place behind it.
    fn step(&mut self, at: usize) -> usize {
        // Comments come first, because a quote inside of one opens nothing; strings are taken whole.
        if let Some(end) = self.line_comment(at).or_else(|| self.block_comment(at)) {
            return end;
        }
        if let Some(end) = self.special(at).or_else(|| self.string(at)) {
            return end;
        }
        at + 1
    }

    fn line_comment(&mut self, at: usize) -> Option<usize> {
        let opener = self.syntax.line.iter().find(|opener| self.has(at, opener))?;
        if *opener == "#" && !self.hash_begins_comment(at) {
            return None;
        }
        let end = self.line_end(at);
        self.comments.push(Comment { start: at, text: self.text.get(at..end)?, is_line: true });
        self.blank(at, end);
        Some(end)
    }

    fn hash_begins_comment(&self, at: usize) -> bool {
        let before = self.previous(at);
        match self.language {
            Language::Docker => is_first_in_line(self.text, at),
            Language::Shell | Language::Yaml => {
                // In a shell and in YAML, `a#b` is a word: a comment starts only behind a blank or a sign.
                before.is_none_or(|byte| byte.is_ascii_whitespace() || b";()&|".contains(&byte))
            }
            // `#{…}` occurs in strings only, `#[…]` is an attribute.
            Language::Php => self.bytes.get(at + 1) != Some(&b'['),
            _ => true,
        }
    }

    fn block_comment(&mut self, at: usize) -> Option<usize> {
        let (open, close) = *self.syntax.block.iter().find(|(open, _)| self.has(at, open))?;
        // In Rust, block comments nest.
        let end = if self.language == Language::Rust {
            self.nested_end(at)
        } else {
            self.find(at + open.len(), close).map_or(self.bytes.len(), |found| found + close.len())
        };
        self.comments.push(Comment { start: at, text: self.text.get(at..end)?, is_line: false });
        self.blank(at, end);
        Some(end)
    }

    fn nested_end(&self, start: usize) -> usize {
        let (mut at, mut depth) = (start, 0usize);
        while at < self.bytes.len() {
            if self.has(at, "/*") {
                depth += 1;
                at += 2;
            } else if self.has(at, "*/") {
                depth = depth.saturating_sub(1);
                at += 2;
                if depth == 0 {
                    break;
                }
            } else {
                at += 1;
            }
        }
        at.min(self.bytes.len())
    }

    fn string(&mut self, at: usize) -> Option<usize> {
        let quote = *self.syntax.quotes.iter().find(|quote| self.has(at, quote.open))?;
        // Plain YAML text may have apostrophes in it: `it's` opens no string.
        if self.language == Language::Yaml && !self.begins_value(at) {
            return None;
        }
        let (inside, end) = self.string_end(at + quote.open.len(), quote);
        self.blank(at + quote.open.len(), inside);
        self.strings.push(at..end);
        if quote.is_long_text {
            self.long_texts.push(at..end);
        }
        Some(end)
    }

    /// Where the inside of a string ends, and where the string does.
    fn string_end(&self, start: usize, quote: Quote) -> (usize, usize) {
        let mut at = start;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' if quote.has_escapes => at += 2,
                // The string was never closed; ending it here limits the damage of a misreading to one line.
                b'\n' if !quote.spans_lines => return (at, at),
                _ if self.has(at, quote.close) => return (at, at + quote.close.len()),
                _ => at += 1,
            }
        }
        (self.bytes.len(), self.bytes.len())
    }

    /// What only one language has.
    fn special(&mut self, at: usize) -> Option<usize> {
        match self.language {
            Language::Rust => self.raw_string(at).or_else(|| self.character(at)),
            Language::Script | Language::Component => self.regular_expression(at),
            Language::Shell => self.heredoc(at),
            _ => None,
        }
    }

    /// `r"…"` and `r#"…"#`.
    fn raw_string(&mut self, at: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b'r') || self.previous(at).is_some_and(is_word_byte_but_b) {
            return None;
        }
        let hashes = self.bytes.iter().skip(at + 1).take_while(|byte| **byte == b'#').count();
        let open = at + 1 + hashes;
        if self.bytes.get(open) != Some(&b'"') {
            return None;
        }
        // Rust allows at most 255; a hostile run of hashes must not allocate more.
        let close = format!("\"{}", "#".repeat(hashes.min(255)));
        let inside = self.find(open + 1, &close).unwrap_or(self.bytes.len());
        self.blank(open + 1, inside);
        let end = (inside + close.len()).min(self.bytes.len());
        self.strings.push(at..end);
        Some(end)
    }

    /// A character literal, not a lifetime.
    fn character(&mut self, at: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b'\'') {
            return None;
        }
        let rest = self.text.get(at + 1..)?;
        let length = if let Some(escaped) = rest.strip_prefix('\\') {
            // `'\u{10FFFF}'` is the longest escape.
            1 + escaped.char_indices().skip(1).take(12).find(|(_, letter)| *letter == '\'')?.0
        } else {
            let letter = rest.chars().next().filter(|letter| !"\n'".contains(*letter))?;
            rest.get(letter.len_utf8()..)?.starts_with('\'').then_some(letter.len_utf8())?
        };
        self.blank(at + 1, at + 1 + length);
        self.strings.push(at..at + 2 + length);
        Some(at + 2 + length)
    }

    /// `/…/` where a value can be, so that quotes inside of it open nothing.
    fn regular_expression(&mut self, at: usize) -> Option<usize> {
        if self.bytes.get(at) != Some(&b'/') || at < self.no_regex_before || !self.expects_value(at) {
            return None;
        }
        let limit = self.bytes.len().min(at + WINDOW);
        let (mut place, mut in_class) = (at + 1, false);
        while place < limit {
            match self.bytes.get(place)? {
                b'\n' => break,
                b'\\' => place += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.blank(at + 1, place);
                    self.strings.push(at..place + 1);
                    return Some(place + 1);
                }
                _ => {}
            }
            place += 1;
        }
        // Without this, every `/` of a long line without an end would scan the rest of the window again.
        self.no_regex_before = place;
        None
    }

    fn expects_value(&self, at: usize) -> bool {
        let before = self.bytes.get(..at).unwrap_or_default();
        let last = before.iter().rev().find(|byte| !byte.is_ascii_whitespace());
        // After a name, a number or a closing bracket, `/` divides.
        last.is_none_or(|byte| b"(,=:[!&|?{};+".contains(byte))
            || before.trim_ascii_end().ends_with(b"return")
    }

    /// `<<END`: records the word, and at the end of the line takes the bodies for strings.
    fn heredoc(&mut self, at: usize) -> Option<usize> {
        if self.bytes.get(at) == Some(&b'\n') && !self.heredocs.is_empty() {
            return Some(self.heredoc_bodies(at + 1));
        }
        if !self.has(at, "<<") || self.has(at, "<<<") || self.previous(at) == Some(b'<') {
            return None;
        }
        let rest = self.text.get(at + 2..)?;
        let word = rest.trim_start_matches('-').trim_start_matches([' ', '"', '\'', '\\']);
        let length = word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let word = word.get(..length).filter(|word| word.starts_with(|it: char| it.is_ascii_alphabetic()))?;
        self.heredocs.push(word);
        Some(at + 2)
    }

    fn heredoc_bodies(&mut self, start: usize) -> usize {
        let mut at = start;
        for word in std::mem::take(&mut self.heredocs) {
            let body = at;
            while at < self.bytes.len() {
                let end = self.line_end(at);
                let line = self.text.get(at..end).unwrap_or_default();
                // Too lenient without `<<-`, but a body that ends early is only read as code.
                let is_last = line.trim() == word;
                if !is_last {
                    self.blank(at, end);
                }
                at = end + 1;
                if is_last {
                    self.strings.push(body..end - line.len());
                    break;
                }
            }
        }
        at.min(self.bytes.len())
    }

    fn begins_value(&self, at: usize) -> bool {
        self.previous(at).is_none_or(|byte| byte.is_ascii_whitespace() || b"[{,".contains(&byte))
    }

    fn has(&self, at: usize, what: &str) -> bool {
        self.bytes.get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
    }

    fn find(&self, from: usize, what: &str) -> Option<usize> {
        self.text.get(from..)?.find(what).map(|offset| from + offset)
    }

    fn line_end(&self, at: usize) -> usize {
        self.find(at, "\n").unwrap_or(self.bytes.len())
    }

    fn previous(&self, at: usize) -> Option<u8> {
        self.bytes.get(at.checked_sub(1)?).copied()
    }

    fn blank(&mut self, from: usize, to: usize) {
        blank(&mut self.code, from..to);
    }
}

/// Overwrites a range with spaces; line ends stay.
fn blank(bytes: &mut [u8], range: Range<usize>) {
    let Some(range) = bytes.get_mut(range) else { return };
    for byte in range.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

/// Part of a name; `b` is not, because `br"…"` is a raw string too.
fn is_word_byte_but_b(byte: u8) -> bool {
    (byte.is_ascii_alphanumeric() || byte == b'_') && byte != b'b'
}
