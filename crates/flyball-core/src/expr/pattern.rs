//! Regular expressions that are compiled only when they can match.
//!
//! Compiling costs far more than everything else a condition does, and most rules do not match
//! most events. So a pattern carries words that every match must contain; where none of them is
//! in the text, the answer is known without compiling.

use regex_lite::{Regex, RegexBuilder};

/// Bounds the time of one match, which grows with the size of the pattern times the text.
const COMPILED_LIMIT: usize = 64 * 1024;

/// A regular expression and what its matches must contain.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Pattern {
    pub(super) source: String,
    /// One word per alternative: a match contains at least one of them. Nothing is known about
    /// the matches if there are none.
    words: Vec<String>,
    case: Case,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Case {
    Sensitive,
    /// Of ASCII letters: regex-lite knows no other.
    Insensitive,
}

impl Pattern {
    /// Does not check the source: that is [`compile`](Self::compile).
    pub(super) fn new(source: &str) -> Self {
        let (body, case) = match source.strip_prefix("(?i)") {
            Some(body) => (body, Case::Insensitive),
            None => (source, Case::Sensitive),
        };
        Self { source: source.to_owned(), words: required_words(body).unwrap_or_default(), case }
    }

    /// Whether a match is possible, judged without compiling.
    pub(super) fn may_match(&self, text: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| self.case.contains(text, word))
    }

    #[cfg(test)]
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// The compiled pattern, or what is wrong with it.
    pub(super) fn compile(&self) -> Result<Regex, String> {
        RegexBuilder::new(&self.source).size_limit(COMPILED_LIMIT).build().map_err(|error| error.to_string())
    }
}

impl Case {
    fn contains(self, text: &str, word: &str) -> bool {
        match self {
            Self::Sensitive => text.contains(word),
            Self::Insensitive => {
                // `words` are never empty, and `windows` would panic on 0.
                text.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
            }
        }
    }
}

/// The longest plain word of each alternative. Nothing, if one alternative has none or if the
/// pattern uses anything whose extent is not obvious: a guess would lose matches.
fn required_words(body: &str) -> Option<Vec<String>> {
    let mut scan = Scan { rest: body, words: Vec::new(), longest: String::new(), word: String::new() };
    while let Some(character) = scan.next() {
        scan.step(character)?;
    }
    scan.end_alternative()?;
    Some(scan.words)
}

struct Scan<'s> {
    rest: &'s str,
    words: Vec<String>,
    /// Of the current alternative.
    longest: String,
    word: String,
}

impl Scan<'_> {
    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next();
        self.rest = characters.as_str();
        next
    }

    fn step(&mut self, character: char) -> Option<()> {
        match character {
            '|' => self.end_alternative()?,
            '(' => self.skip_group()?,
            '[' => self.skip_class()?,
            '\\' => self.escape()?,
            '*' | '?' => self.drop_last(),
            '{' => self.skip_count()?,
            '+' => self.repeat(),
            '.' | '^' | '$' => self.end_word(),
            plain => self.word.push(plain),
        }
        Some(())
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.len() > self.longest.len() {
            self.longest = word;
        }
    }

    fn end_alternative(&mut self) -> Option<()> {
        self.end_word();
        let longest = std::mem::take(&mut self.longest);
        (!longest.is_empty()).then(|| self.words.push(longest))
    }

    /// The last character may be absent from a match.
    fn drop_last(&mut self) {
        self.word.pop();
        self.end_word();
    }

    /// `a+` and `a+?` hold an `a`; `a+*` is a repetition that may be empty.
    fn repeat(&mut self) {
        let more = self.rest.trim_start_matches(['*', '+', '?', '{']);
        match self.rest.strip_suffix(more).unwrap_or_default() {
            "" | "?" => self.end_word(),
            _ => self.drop_last(),
        }
    }

    fn skip_count(&mut self) -> Option<()> {
        self.drop_last();
        self.rest = self.rest.split_once('}')?.1;
        Some(())
    }

    fn escape(&mut self) -> Option<()> {
        match self.next()? {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'B' | 'A' | 'z' | 'n' | 't' | 'r' | '<' | '>' => {
                self.end_word();
            }
            'b' if !self.rest.starts_with('{') => self.end_word(),
            sign if sign.is_ascii_punctuation() => self.word.push(sign),
            _ => return None,
        }
        Some(())
    }

    fn skip_class(&mut self) -> Option<()> {
        self.end_word();
        self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
        // A bracket that comes first is a member and closes nothing.
        self.rest = self.rest.strip_prefix(']').unwrap_or(self.rest);
        loop {
            match self.next()? {
                ']' => return Some(()),
                // A nested class such as `[[:alpha:]]`.
                '[' => return None,
                '\\' => _ = self.next()?,
                _ => {}
            }
        }
    }

    fn skip_group(&mut self) -> Option<()> {
        self.end_word();
        // Flags change how the rest is read; names and `(?:` do not.
        if self.rest.starts_with('?') && !["?:", "?<", "?P<"].iter().any(|plain| self.rest.starts_with(plain))
        {
            return None;
        }
        let mut open = 1_usize;
        while open > 0 {
            match self.next()? {
                // Flags may follow, and some change what a parenthesis or a bracket means.
                '(' if self.rest.starts_with('?') && !self.rest.starts_with("?:") => return None,
                '(' => open += 1,
                ')' => open -= 1,
                '[' => self.skip_class()?,
                '\\' => _ = self.next()?,
                _ => {}
            }
        }
        Some(())
    }
}
