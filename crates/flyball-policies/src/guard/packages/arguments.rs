//! The words after a program: options, their values and operands. Code that translates an option takes it out;
//! what remains could not be translated.

use std::borrow::Cow;

use flyball_effects::Word;
use flyball_effects::argv::{self, GivenOption, Grammar, OptionStyle};

use crate::shell_word;

#[derive(Clone, Debug, Default)]
pub(super) struct Arguments<'a> {
    options: Vec<GivenOption<'a>>,
    pub(super) operands: Vec<&'a Word>,
    /// The words after `--`.
    pub(super) after_separator: Vec<&'a Word>,
}

impl<'a> Arguments<'a> {
    pub(super) fn read(words: &'a [Word], grammar: &Grammar) -> Arguments<'a> {
        let mut parsed = argv::parse(grammar, words);
        let before = parsed.before_dashes.unwrap_or(parsed.operands.len());
        let after_separator = parsed.operands.split_off(before);
        Arguments { options: parsed.options, operands: parsed.operands, after_separator }
    }

    /// Reads the options before the first operand; returns them and the words from there on.
    pub(super) fn head(words: &'a [Word], grammar: &Grammar) -> (Arguments<'a>, &'a [Word]) {
        let parsed = argv::parse(&Grammar { option_style: OptionStyle::InFront, ..*grammar }, words);
        let head = Arguments { options: parsed.options, ..Arguments::default() };
        (head, words.get(parsed.first_operand..).unwrap_or_default())
    }

    /// Takes these options out: their values as written, `None` if none of them is given.
    pub(super) fn take(&mut self, names: &str) -> Option<Vec<String>> {
        let taken: Vec<GivenOption<'a>> =
            self.options.extract_if(.., |option| is_one_of(option, names)).collect();
        (!taken.is_empty()).then(|| taken.iter().filter_map(value).collect())
    }

    /// Takes out options that need not be translated.
    pub(super) fn ignore(&mut self, names: &str) {
        self.options.retain(|option| !is_one_of(option, names));
    }

    /// Whether one of these options is given; they are taken out.
    #[must_use]
    pub(super) fn has(&mut self, names: &str) -> bool {
        self.take(names).is_some()
    }

    /// The values of these options, as written; they are taken out.
    #[must_use]
    pub(super) fn values(&mut self, names: &str) -> Vec<String> {
        self.take(names).unwrap_or_default()
    }

    /// Whether an option asks for help or a version.
    pub(super) fn asks_only(&self) -> bool {
        self.options.iter().any(|option| is_one_of(option, "help h version V"))
    }

    /// The operands as written.
    pub(super) fn words(&self) -> Vec<String> {
        spelled(&self.operands)
    }

    /// Adds the options of `other`.
    pub(super) fn with(mut self, other: Arguments<'a>) -> Arguments<'a> {
        self.options.extend(other.options);
        self
    }

    /// The options that were not taken out, without `noise`.
    pub(super) fn remaining(&self, noise: &str) -> Vec<String> {
        let left = self.options.iter().filter(|option| !is_one_of(option, noise));
        left.map(|option| [vec![dashed(option.name)], value(option).into_iter().collect()].concat().join(" "))
            .collect()
    }

    /// Takes the options that `known` lists out, each as the other tool spells it: `from`, or `from=to`.
    pub(super) fn take_renamed(&mut self, known: &str) -> Vec<String> {
        let new_name = |option: &GivenOption<'_>| {
            let mut entries =
                known.split_whitespace().map(|entry| entry.split_once('=').unwrap_or((entry, entry)));
            entries.find(|(from, _)| is_one_of(option, from)).map(|(_, to)| dashed(to))
        };
        let mut words = Vec::new();
        self.options.retain(|option| {
            let Some(name) = new_name(option) else { return true };
            words.push(name);
            words.extend(value(option));
            false
        });
        words
    }
}

fn is_one_of(option: &GivenOption<'_>, names: &str) -> bool {
    option.is_one_of(names, OptionStyle::Anywhere)
}

fn dashed(name: &str) -> String {
    format!("{}{name}", if name.chars().count() == 1 { "-" } else { "--" })
}

fn value(option: &GivenOption<'_>) -> Option<String> {
    Some(match option.value.as_ref()? {
        Cow::Borrowed(word) => written(word),
        Cow::Owned(part) => match part.text.as_deref() {
            Some(text) => quoted(text.strip_prefix('=').unwrap_or(text)),
            // The opening quote is before the option.
            None if part.raw.ends_with('"') => format!("\"{}", part.raw),
            None => part.raw.clone(),
        },
    })
}

/// The spellings of several words.
pub(super) fn spelled<'w>(words: impl IntoIterator<Item = &'w &'w Word>) -> Vec<String> {
    words.into_iter().map(|word| written(word)).collect()
}

/// The word as it was spelled, unless the shell makes several of that spelling; empty for words that `xargs` will add.
pub(super) fn written(word: &Word) -> String {
    let Some(text) = word.text.as_deref().filter(|_| !word.glob) else { return word.raw.clone() };
    let within = |quote| word.raw.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let is_same = word.raw == text || within('\'') == Some(text) || within('"') == Some(text);
    if is_same { word.raw.clone() } else { quoted(text) }
}

/// A text as one word of a command line, in quotes only if it needs them.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-=@:+,%^~".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { shell_word::quoted(text) }
}

/// The value of a word, if it is known; else empty.
pub(super) fn text(word: &Word) -> &str {
    word.text.as_deref().unwrap_or_default()
}
