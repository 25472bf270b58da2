//! Sorts the words behind a program into flags, their values and operands.

use flyball_effects::Word;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    /// What the program is given, if that is known.
    pub(super) text: Option<String>,
    /// How it is written in a command line; empty for words that `xargs` will add.
    pub(super) written: String,
}

impl Argument {
    /// A word of a command.
    pub(super) fn from_word(word: &Word) -> Argument {
        Argument { text: word.text.clone(), written: written(word) }
    }

    fn literal(text: &str) -> Argument {
        Argument { text: Some(text.to_owned()), written: quoted(text) }
    }

    /// What the program is given, if that is known; else nothing that means anything to it.
    pub(super) fn text_or_empty(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Whether it is known to be this.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text.as_deref() == Some(text)
    }
}

/// The word as it was spelled, unless the shell makes several of that spelling.
fn written(word: &Word) -> String {
    let Some(text) = word.text.as_deref().filter(|_| !word.glob) else { return word.raw.clone() };
    let is_same = word.raw == text
        || word.raw.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) == Some(text)
        || word.raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(text);
    if is_same { word.raw.clone() } else { quoted(text) }
}

/// A text as one word of a command line, in quotes only if it needs them.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |letter: char| {
        letter.is_alphanumeric()
            || matches!(letter, '/' | '.' | '_' | '-' | '=' | '@' | ':' | '+' | ',' | '%' | '^' | '~')
    };
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The spellings of several words.
pub(super) fn spelled(words: &[Argument]) -> Vec<String> {
    words.iter().map(|word| word.written.clone()).collect()
}

/// A flag with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flag {
    name: String,
    value: Option<Argument>,
}

/// The words behind a program or a subcommand. Flags are taken out by those who know them; what
/// is left then is what nobody could translate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments {
    flags: Vec<Flag>,
    /// What is no flag.
    pub(super) operands: Vec<Argument>,
    /// What stands behind `--`, if that is there.
    pub(super) after_separator: Option<Vec<Argument>>,
}

impl Arguments {
    /// Sorts all words. `valued` lists the flags that take the next word.
    pub(super) fn read(words: &[Argument], valued: &str) -> Arguments {
        let mut all = Arguments::default();
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            if word.is("--") {
                all.after_separator = Some(more.to_vec());
                return all;
            }
            rest = all.sort(word, more, valued);
        }
        all
    }

    /// Sorts the words before the first operand; gives them and the words from there on.
    pub(super) fn head<'a>(words: &'a [Argument], valued: &str) -> (Arguments, &'a [Argument]) {
        let mut all = Arguments::default();
        let mut rest = words;
        while let Some((word, more)) = rest.split_first() {
            if word.is("--") {
                return (all, more);
            }
            if !is_flag(word) {
                return (all, rest);
            }
            rest = all.sort(word, more, valued);
        }
        (all, rest)
    }

    fn sort<'a>(&mut self, word: &Argument, more: &'a [Argument], valued: &str) -> &'a [Argument] {
        if !is_flag(word) {
            self.operands.push(word.clone());
            return more;
        }
        let text = word.text_or_empty();
        if text.starts_with("--") {
            return self.take_long(word, more, valued);
        }
        for (at, letter) in text.char_indices().skip(1) {
            let name = format!("-{letter}");
            let behind = text.get(at + letter.len_utf8()..).unwrap_or_default();
            if !lists(valued, &name) {
                self.flags.push(Flag { name, value: None });
            } else if behind.is_empty() {
                return self.take_value(name, more);
            } else {
                let value = Argument::literal(behind.trim_start_matches('='));
                self.flags.push(Flag { name, value: Some(value) });
                return more;
            }
        }
        more
    }

    fn take_long<'a>(&mut self, word: &Argument, more: &'a [Argument], valued: &str) -> &'a [Argument] {
        match word.text_or_empty().split_once('=') {
            Some((name, value)) => {
                self.flags.push(Flag { name: name.to_owned(), value: Some(Argument::literal(value)) });
                more
            }
            None if lists(valued, word.text_or_empty()) => {
                self.take_value(word.text_or_empty().to_owned(), more)
            }
            None => {
                self.flags.push(Flag { name: word.text_or_empty().to_owned(), value: None });
                more
            }
        }
    }

    fn take_value<'a>(&mut self, name: String, more: &'a [Argument]) -> &'a [Argument] {
        let (value, rest) = match more.split_first() {
            Some((value, rest)) => (Some(value.clone()), rest),
            None => (None, more),
        };
        self.flags.push(Flag { name, value });
        rest
    }

    /// Takes these flags out: their values as written, `None` if none of them is there.
    pub(super) fn take(&mut self, names: &str) -> Option<Vec<String>> {
        let (taken, kept): (Vec<Flag>, Vec<Flag>) =
            std::mem::take(&mut self.flags).into_iter().partition(|flag| lists(names, &flag.name));
        self.flags = kept;
        let is_there = !taken.is_empty();
        let values = taken.into_iter().filter_map(|flag| flag.value).map(|value| value.written);
        is_there.then(|| values.collect())
    }

    /// Takes out flags that need not be accounted for.
    pub(super) fn ignore(&mut self, names: &str) {
        self.flags.retain(|flag| !lists(names, &flag.name));
    }

    /// Whether one of these flags is there; they are taken out.
    #[must_use]
    pub(super) fn has(&mut self, names: &str) -> bool {
        self.take(names).is_some()
    }

    /// The values of these flags, as written; they are taken out.
    #[must_use]
    pub(super) fn values(&mut self, names: &str) -> Vec<String> {
        self.take(names).unwrap_or_default()
    }

    /// The last value of these flags, as written; they are taken out.
    #[must_use]
    pub(super) fn value(&mut self, names: &str) -> Option<String> {
        self.values(names).pop()
    }

    /// Whether a flag asks for help or a version only.
    pub(super) fn asks_only(&self) -> bool {
        self.flags.iter().any(|flag| matches!(flag.name.as_str(), "--help" | "-h" | "--version" | "-V"))
    }

    /// The operands as written.
    pub(super) fn words(&self) -> Vec<String> {
        spelled(&self.operands)
    }

    /// Adds the flags of `other`, which stood before.
    pub(super) fn with(mut self, other: Arguments) -> Arguments {
        self.flags.extend(other.flags);
        self
    }

    /// The flags that nobody took, without `noise`: those that change nothing that matters.
    pub(super) fn remaining_flags(&self, noise: &str) -> Vec<String> {
        let left = self.flags.iter().filter(|flag| !lists(noise, &flag.name));
        left.map(|flag| match &flag.value {
            Some(value) => format!("{} {}", flag.name, value.written),
            None => flag.name.clone(),
        })
        .collect()
    }

    /// Takes the flags that `known` lists out, each as the other tool spells it: `from`, or
    /// `from=to`.
    pub(super) fn take_renamed(&mut self, known: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.flags.retain(|flag| {
            let Some(name) = known.split_whitespace().find_map(|entry| renamed(entry, &flag.name)) else {
                return true;
            };
            words.push(name.to_owned());
            words.extend(flag.value.iter().map(|value| value.written.clone()));
            false
        });
        words
    }
}

fn renamed<'a>(entry: &'a str, name: &str) -> Option<&'a str> {
    let (from, to) = entry.split_once('=').unwrap_or((entry, entry));
    (from == name).then_some(to)
}

fn is_flag(word: &Argument) -> bool {
    word.text_or_empty().len() > 1 && word.text_or_empty().starts_with('-')
}

fn lists(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}
