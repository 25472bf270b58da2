//! One way of reading arguments: which words of a command are options, which are the values of
//! options, and which are what the program works on.
//!
//! A program is described once, by its [`Grammar`]; its words are read
//! with it everywhere.
//!
//! ```text
//! use flyball_effects::Word;
//! use flyball_effects::argv::{Grammar, OptionStyle, parse};
//!
//! const GREP: Grammar =
//!     Grammar { letters: "eAm", optional: "", names: "regexp max-count", option_style: OptionStyle::Gnu };
//! let words: Vec<Word> = ["-rm1", "--regexp=x", "src", "-i"].map(Word::literal).into();
//! let parsed = parse(&GREP, &words);
//! let names: Vec<&str> = parsed.options.iter().map(|option| option.name).collect();
//! assert_eq!(names, ["r", "m", "regexp", "i"]);
//! assert_eq!(parsed.value("e regexp", OptionStyle::Gnu).and_then(|word| word.text.as_deref()), Some("x"));
//! assert_eq!(parsed.operands, [&words[2]]);
//! assert_eq!(parsed.first_operand, 2);
//! ```

use std::borrow::Cow;
use std::ops::Range;

pub use flyball_programs::{Grammar, OptionStyle};

use crate::model::Word;

/// One option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenOption<'a> {
    /// Its letter or its long name, without dashes.
    pub name: &'a str,
    /// Its value, if it has one.
    pub value: Option<Cow<'a, Word>>,
    /// Its words: one, or two if its value is the next word.
    pub words: Range<usize>,
    is_long: bool,
}

/// The options and operands of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The options, letters of one word one by one.
    pub options: Vec<GivenOption<'a>>,
    /// The words that are neither options nor their values.
    pub operands: Vec<&'a Word>,
    /// The index of the first operand; the number of arguments if there is none.
    pub first_operand: usize,
    /// How many operands are before `--`, if there is one.
    pub before_dashes: Option<usize>,
}

/// Separates options from operands.
#[must_use]
pub fn parse<'a>(grammar: &Grammar, arguments: &'a [Word]) -> Parsed<'a> {
    let mut parser = Parser { grammar, arguments, at: 0, parsed: Parsed::default() };
    while let Some(word) = arguments.get(parser.at) {
        parser.at += 1;
        match option_text(grammar.option_style, word) {
            Some("--") if word.text.is_some() => {
                parser.parsed.before_dashes = Some(parser.parsed.operands.len());
                parser.operands(parser.at);
            }
            Some(text) => parser.option(text, word.text.is_some()),
            // They stop at the first operand: the rest belongs to the script or command that they start.
            None if matches!(grammar.option_style, OptionStyle::InFront | OptionStyle::Wrapper) => {
                parser.operands(parser.at - 1);
            }
            None => parser.operand(word),
        }
    }
    let Parser { mut parsed, .. } = parser;
    if parsed.operands.is_empty() {
        parsed.first_operand = arguments.len();
    }
    parsed
}

/// The spelling of a word that is an option.
fn option_text(style: OptionStyle, word: &Word) -> Option<&str> {
    let (text, shortest) = match (&word.text, style) {
        // A lone `-` is an option of a wrapper (`env -`); elsewhere it means standard input.
        (Some(text), OptionStyle::Wrapper) => (text.as_str(), 1),
        // An unknown word is taken for the program, which is then reported as unknown.
        (None, OptionStyle::Wrapper) => return None,
        (Some(text), _) => (text.as_str(), 2),
        // The dash is literal even where the rest is a variable: `-o$x`, `"-o$x"`.
        (None, _) => (word.raw.strip_prefix('"').unwrap_or(&word.raw), 2),
    };
    (text.len() >= shortest && text.starts_with('-')).then_some(text)
}

/// A long name behind a single dash.
fn single_dash<'a>(grammar: &Grammar, text: &'a str) -> Option<&'a str> {
    let name = text.strip_prefix('-')?;
    let is_long = match grammar.option_style {
        OptionStyle::OneDash => true,
        OptionStyle::Wrapper => name.len() > 1 && grammar.names.split(' ').any(|listed| listed == name),
        OptionStyle::Gnu | OptionStyle::Anywhere | OptionStyle::InFront => false,
    };
    is_long.then_some(name)
}

/// Whether an option of this long name is the listed one, perhaps abbreviated.
fn matches_name(style: OptionStyle, name: &str, listed: &str) -> bool {
    // getopt_long accepts any unambiguous prefix: `--rec` is `--recursive`.
    let may_be_short = matches!(style, OptionStyle::Gnu | OptionStyle::Wrapper);
    listed == name || (may_be_short && !name.is_empty() && listed.len() > 1 && listed.starts_with(name))
}

/// Arguments that are being read.
struct Parser<'g, 'a> {
    grammar: &'g Grammar,
    arguments: &'a [Word],
    at: usize,
    parsed: Parsed<'a>,
}

impl<'a> Parser<'_, 'a> {
    fn operand(&mut self, word: &'a Word) {
        if self.parsed.operands.is_empty() {
            self.parsed.first_operand = self.at - 1;
        }
        self.parsed.operands.push(word);
    }

    /// Everything from a word on is an operand.
    fn operands(&mut self, from: usize) {
        if self.parsed.operands.is_empty() {
            self.parsed.first_operand = from;
        }
        self.parsed.operands.extend(self.arguments.get(from..).unwrap_or_default());
        self.at = self.arguments.len();
    }

    fn option(&mut self, text: &'a str, is_known: bool) {
        let long = text.strip_prefix("--").or_else(|| single_dash(self.grammar, text));
        let Some(long) = long else { return self.cluster(text, is_known) };
        let Grammar { names, option_style: style, .. } = *self.grammar;
        let takes_value = |name| names.split(' ').any(|listed| matches_name(style, name, listed));
        let start = self.at - 1;
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(part(value, is_known))),
            None if takes_value(long) => (long, self.next()),
            None => (long, None),
        };
        self.parsed.options.push(GivenOption { name, value, words: start..self.at, is_long: true });
    }

    /// The letters behind one dash, up to one that takes a value.
    fn cluster(&mut self, text: &'a str, is_known: bool) {
        let start = self.at - 1;
        for (at, letter) in text.char_indices().skip(1) {
            let end = at + letter.len_utf8();
            let name = text.get(at..end).unwrap_or_default();
            let rest = text.get(end..).filter(|rest| !rest.is_empty());
            let attached = rest.map(|rest| part(rest, is_known));
            let takes_value = self.grammar.letters.contains(letter);
            let takes_rest = takes_value || self.grammar.optional.contains(letter);
            let value = match attached {
                Some(rest) => takes_rest.then_some(rest),
                None if takes_value => self.next(),
                None => None,
            };
            self.parsed.options.push(GivenOption { name, value, words: start..self.at, is_long: false });
            // Past the first letter of an unknown word, the spelling is no longer that of letters: `-r$x`.
            if takes_rest || !is_known {
                return;
            }
        }
    }

    /// The next word, as the value of an option.
    fn next(&mut self) -> Option<Cow<'a, Word>> {
        let word = self.arguments.get(self.at)?;
        self.at += 1;
        Some(Cow::Borrowed(word))
    }
}

impl GivenOption<'_> {
    /// Whether it is one of `names`, which are separated by spaces.
    #[must_use]
    pub fn is_one_of(&self, names: &str, style: OptionStyle) -> bool {
        let is_listed = |listed: &str| {
            if self.is_long { matches_name(style, self.name, listed) } else { listed == self.name }
        };
        names.split_ascii_whitespace().any(is_listed)
    }

    /// The text of its value, if it has one that is known.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.value.as_ref()?.text.as_deref()
    }
}

impl<'a> Parsed<'a> {
    /// Whether one of these options is given.
    #[must_use]
    pub fn has(&self, names: &str, style: OptionStyle) -> bool {
        self.options.iter().any(|given| given.is_one_of(names, style))
    }

    /// The values of these options.
    pub fn values<'s>(&'s self, names: &'s str, style: OptionStyle) -> impl Iterator<Item = &'s Word> {
        let given = self.options.iter().filter(move |given| given.is_one_of(names, style));
        given.filter_map(|given| given.value.as_deref())
    }

    /// The last value of these options.
    #[must_use]
    pub fn value<'s>(&'s self, names: &'s str, style: OptionStyle) -> Option<&'s Word> {
        self.values(names, style).last()
    }
}

/// A part of a word as a word.
pub(crate) fn part(text: &str, is_known: bool) -> Cow<'static, Word> {
    Cow::Owned(if is_known { Word::literal(text) } else { Word::unknown(text) })
}

/// The part of a word behind `prefix`: `of=x`, `@file`. `None` if it does not start with it.
pub(crate) fn after(word: &Word, prefix: &str) -> Option<Word> {
    match &word.text {
        Some(text) => text.strip_prefix(prefix).map(Word::literal),
        None => {
            let raw = word.raw.strip_prefix('"').unwrap_or(&word.raw);
            raw.strip_prefix(prefix).map(Word::unknown)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_module_holds() {
        const GREP: Grammar = Grammar {
            letters: "eAm",
            optional: "",
            names: "regexp max-count",
            option_style: OptionStyle::Gnu,
        };
        let words: Vec<Word> = ["-rm1", "--regexp=x", "src", "-i"].map(Word::literal).into();
        let parsed = parse(&GREP, &words);
        let names: Vec<&str> = parsed.options.iter().map(|option| option.name).collect();
        assert_eq!(names, ["r", "m", "regexp", "i"]);
        assert_eq!(
            parsed.value("e regexp", OptionStyle::Gnu).and_then(|word| word.text.as_deref()),
            Some("x")
        );
        assert_eq!(parsed.operands, [&words[2]]);
        assert_eq!(parsed.first_operand, 2);
    }
}
