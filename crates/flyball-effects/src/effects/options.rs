//! Options and operands of a command, read by the grammar of its program.

use std::borrow::Cow;

use flyball_programs::{Grammar, Habit};

use crate::model::Word;

/// One option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given<'a> {
    /// Its letter or its long name, without dashes.
    pub(super) name: &'a str,
    /// Its value, if it has one.
    pub(super) value: Option<Cow<'a, Word>>,
}

/// The arguments of a command, told apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parsed<'a> {
    pub(super) options: Vec<Given<'a>>,
    pub(super) operands: Vec<&'a Word>,
    /// How many operands stand before `--`, if there is one.
    pub(super) before_dashes: Option<usize>,
}

/// Tells options from operands.
pub(super) fn parse<'a>(grammar: &Grammar, arguments: &'a [Word]) -> Parsed<'a> {
    Reader { grammar }.read(arguments)
}

/// Reads words by a grammar.
struct Reader<'g> {
    grammar: &'g Grammar,
}

impl Reader<'_> {
    fn read<'a>(&self, arguments: &'a [Word]) -> Parsed<'a> {
        let mut parsed = Parsed::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match option_text(word) {
                Some("--") if word.text.is_some() => {
                    parsed.before_dashes = Some(parsed.operands.len());
                    parsed.operands.extend(words);
                    break;
                }
                Some(text) => self.option(text, word, &mut words, &mut parsed),
                None => parsed.operands.push(word),
            }
            if self.grammar.habit == Habit::InFront && !parsed.operands.is_empty() {
                parsed.operands.extend(words);
                break;
            }
        }
        parsed
    }

    fn option<'a>(
        &self,
        text: &'a str,
        word: &'a Word,
        next: &mut std::slice::Iter<'a, Word>,
        parsed: &mut Parsed<'a>,
    ) {
        let is_known = word.text.is_some();
        let long = text.strip_prefix("--").or_else(|| self.single_dash(text));
        let Some(long) = long else { return self.cluster(text, is_known, next, parsed) };
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(part(value, is_known))),
            None if self.takes_value(long) => (long, next.next().map(Cow::Borrowed)),
            None => (long, None),
        };
        parsed.options.push(Given { name, value });
    }

    /// The letters behind one dash, up to one that takes a value.
    fn cluster<'a>(
        &self,
        text: &'a str,
        is_known: bool,
        next: &mut std::slice::Iter<'a, Word>,
        parsed: &mut Parsed<'a>,
    ) {
        for (at, letter) in text.char_indices().skip(1) {
            let end = at + letter.len_utf8();
            let name = text.get(at..end).unwrap_or_default();
            let rest = text.get(end..).unwrap_or_default();
            if self.grammar.letters.contains(letter) {
                let value =
                    if rest.is_empty() { next.next().map(Cow::Borrowed) } else { Some(part(rest, is_known)) };
                return parsed.options.push(Given { name, value });
            }
            if self.grammar.optional.contains(letter) {
                let value = (!rest.is_empty()).then(|| part(rest, is_known));
                return parsed.options.push(Given { name, value });
            }
            parsed.options.push(Given { name, value: None });
            if !is_known {
                return;
            }
        }
    }

    fn single_dash<'a>(&self, text: &'a str) -> Option<&'a str> {
        if self.grammar.habit == Habit::OneDash { text.strip_prefix('-') } else { None }
    }

    fn takes_value(&self, name: &str) -> bool {
        let is_cut =
            |listed: &str| self.grammar.habit == Habit::Gnu && name.len() > 2 && listed.starts_with(name);
        self.grammar.names.split(' ').any(|listed| listed == name || is_cut(listed))
    }
}

impl Given<'_> {
    /// Whether it is one of `names`, which have a space between them.
    pub(super) fn is_one_of(&self, names: &str, habit: Habit) -> bool {
        let is_cut =
            |listed: &str| habit == Habit::Gnu && self.name.len() > 2 && listed.starts_with(self.name);
        names.split(' ').any(|listed| listed == self.name || is_cut(listed))
    }
}

/// The spelling of a word that is an option.
fn option_text(word: &Word) -> Option<&str> {
    let text = match &word.text {
        Some(text) => text.as_str(),
        None => word.raw.strip_prefix('"').unwrap_or(&word.raw),
    };
    (text.len() > 1 && text.starts_with('-')).then_some(text)
}

/// A part of a word as a word.
pub(super) fn part(text: &str, is_known: bool) -> Cow<'static, Word> {
    Cow::Owned(if is_known { Word::literal(text) } else { Word::unknown(text) })
}

/// The part of a word behind `prefix`: `of=x`, `@file`. Nothing if it does not start so.
pub(super) fn after(word: &Word, prefix: &str) -> Option<Word> {
    match &word.text {
        Some(text) => text.strip_prefix(prefix).map(Word::literal),
        None => {
            let raw = word.raw.strip_prefix('"').unwrap_or(&word.raw);
            raw.strip_prefix(prefix).map(Word::unknown)
        }
    }
}
