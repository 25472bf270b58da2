//! What is taken over from the command by which a project uses a linter: its options, and the files that it is given.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_effects::Word;
use flyball_programs::program;

use crate::linter::TakenOptions;

/// A command of a project, read for one linter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    /// The options that are passed on.
    pub options: Vec<String>,
    /// Those among them that name a file of the project.
    pub names_files: bool,
    /// The first option that is neither passed on nor known to change nothing.
    pub left: Option<String>,
    /// The patterns of files that are left out.
    pub excluded: Vec<String>,
    /// What is neither an option nor the value of one; `None` for what is only known when it runs.
    pub operands: Vec<Option<String>>,
}

/// How an option of a command is written.
struct Given {
    name: String,
    /// With its dashes.
    written: String,
    value: Option<Value>,
}

/// The value of an option; `None` if it is only known when it runs.
struct Value {
    text: Option<String>,
    is_attached: bool,
}

impl Value {
    fn has_settings(&self) -> bool {
        self.text.as_deref().is_some_and(|text| text.contains(['=', '{']))
    }
}

/// The options that an entry lists.
struct Lists<'l> {
    passed: Vec<Listed<'l>>,
    idle: Vec<Listed<'l>>,
    excluding: Vec<&'l str>,
    /// Others of the program that take a value.
    values: BTreeSet<String>,
}

/// An option that an entry lists.
struct Listed<'l> {
    name: &'l str,
    takes_value: bool,
    /// The value is a path.
    is_path: bool,
    /// The least value that is passed on.
    least: Option<u32>,
}

impl<'l> Listed<'l> {
    fn parse(part: &'l str) -> Listed<'l> {
        let (name, value) = part.split_once(['=', '@']).unwrap_or((part, ""));
        let is_path = part.ends_with('@');
        Listed { name, takes_value: name.len() < part.len(), is_path, least: value.parse().ok() }
    }
}

/// Reads the arguments of a tool. `folder` is where the command runs.
pub(super) fn take(
    lists: Option<&TakenOptions>,
    tool: &str,
    arguments: &[Word],
    folder: &AbsolutePath,
) -> Taken {
    let lists = Lists::new(lists, tool);
    let mut taken = Taken::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let raw = word.text.as_deref().unwrap_or(&word.raw);
        if raw == "--" {
            taken.operands.extend(words.map(|word| word.text.clone()));
            break;
        }
        if !raw.starts_with('-') || raw.len() < 2 {
            taken.operands.push(word.text.clone());
            continue;
        }
        for given in lists.read(word, &mut words) {
            lists.add(given, folder, &mut taken);
        }
    }
    taken
}

impl<'l> Lists<'l> {
    fn new(options: Option<&'l TakenOptions>, tool: &str) -> Lists<'l> {
        let split = |list: &'l str| list.split_ascii_whitespace().map(Listed::parse).collect();
        let passed = options.map(|options| split(&options.passed)).unwrap_or_default();
        let idle = options.map(|options| split(&options.idle)).unwrap_or_default();
        let excluding = options.map(|options| options.excluding.split_ascii_whitespace().collect());
        let grammar = program(tool).map(|program| program.grammar);
        let names = grammar.iter().flat_map(|grammar| grammar.names.split(' ')).map(str::to_owned);
        let letters = grammar.iter().flat_map(|grammar| grammar.letters.chars()).map(String::from);
        let excluding = excluding.unwrap_or_default();
        Lists {
            passed,
            idle,
            excluding,
            values: names.chain(letters).filter(|name| !name.is_empty()).collect(),
        }
    }

    fn listed(&self, name: &str) -> Option<&Listed<'l>> {
        self.passed.iter().chain(&self.idle).find(|listed| listed.name == name)
    }

    fn takes_value(&self, name: &str) -> bool {
        self.excluding.contains(&name)
            || self.listed(name).map_or_else(|| self.values.contains(name), |listed| listed.takes_value)
    }

    /// The options of a word, with the value that may be in the next one.
    fn read(&self, word: &Word, words: &mut std::slice::Iter<'_, Word>) -> Vec<Given> {
        let raw = word.text.as_deref().unwrap_or(&word.raw);
        let name = raw.trim_start_matches('-');
        let (name, attached) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (name, None),
        };
        let mut next = |takes_value: bool| {
            let value = if takes_value { words.next() } else { None };
            value.map(|word| Value { text: word.text.clone(), is_attached: false })
        };
        // Some programs have long names behind one dash: `shfmt -ci`.
        if raw.starts_with("--") || self.listed(name).is_some() || attached.is_some() {
            let text = |value: &str| word.text.is_some().then(|| value.to_owned());
            let value = match attached {
                Some(value) => Some(Value { text: text(value), is_attached: true }),
                None => next(self.takes_value(name)),
            };
            let dashes = raw.len() - raw.trim_start_matches('-').len();
            let written = format!("{}{name}", "-".repeat(dashes));
            return vec![Given { name: name.to_owned(), written, value }];
        }
        let mut given = Vec::new();
        for (at, letter) in name.char_indices() {
            let letter = letter.to_string();
            let takes_value = self.takes_value(&letter);
            let rest = name.get(at + letter.len()..).filter(|rest| takes_value && !rest.is_empty());
            let value = match rest {
                Some(rest) => Some(Value { text: Some(rest.to_owned()), is_attached: false }),
                None => next(takes_value),
            };
            given.push(Given { written: format!("-{letter}"), name: letter, value });
            if takes_value {
                break;
            }
        }
        given
    }

    fn add(&self, given: Given, folder: &AbsolutePath, taken: &mut Taken) {
        let Given { name, written, value } = given;
        if self.excluding.contains(&name.as_str())
            && let Some(pattern) = value.as_ref().and_then(|value| value.text.clone())
        {
            taken.excluded.push(pattern);
            return;
        }
        let Some(listed) = self.passed.iter().find(|listed| listed.name == name) else {
            if !self.idle.iter().any(|listed| listed.name == name) {
                taken.left.get_or_insert(written);
            }
            return;
        };
        let number = value.as_ref().and_then(|value| value.text.as_ref()?.parse().ok());
        if number < listed.least {
            return;
        }
        // Some options take settings too: `--config 'line-length = 99'`.
        let is_path = listed.is_path && !value.as_ref().is_some_and(|value| value.has_settings());
        taken.names_files |= is_path;
        match value {
            None => taken.options.push(written),
            Some(Value { text: Some(text), is_attached }) => {
                let is_relative = is_path && !text.starts_with('/');
                let text = if is_relative { folder.join(&text).to_string() } else { text };
                if is_attached {
                    taken.options.push(format!("{written}={text}"));
                } else {
                    taken.options.extend([written, text]);
                }
            }
            Some(Value { text: None, .. }) => {
                taken.left.get_or_insert(written);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_passed_on_or_left() {
        let lists = TakenOptions {
            passed: "l= line-length= S skip-string-normalization config@ ci least=80".to_owned(),
            idle: "check q workers=".to_owned(),
            excluding: "exclude".to_owned(),
        };
        type Case<'c> = (&'c str, &'c [&'c str], Option<&'c str>, &'c [&'c str]);
        let cases: &[Case<'_>] = &[
            ("--line-length=120 -S .", &["--line-length=120", "-S"], None, &["."]),
            ("-l 120 src tests", &["-l", "120"], None, &["src", "tests"]),
            ("-qSl99 src", &["-S", "-l", "99"], None, &["src"]),
            ("--check --workers 3 .", &[], None, &["."]),
            ("--config ci/black.toml", &["--config", "/p/ci/black.toml"], None, &[]),
            ("-ci .", &["-ci"], None, &["."]),
            ("--fancy .", &[], Some("--fancy"), &["."]),
            ("-x", &[], Some("-x"), &[]),
            ("--config line-length=9", &["--config", "line-length=9"], None, &[]),
            ("--exclude gen/ src", &[], None, &["src"]),
            ("--least 60", &[], None, &[]),
            ("--least=90", &["--least=90"], None, &[]),
            ("-- -x", &[], None, &["-x"]),
        ];
        for (text, options, left, operands) in cases {
            let words: Vec<Word> = text.split(' ').map(Word::literal).collect();
            let taken = take(Some(&lists), "no such program", &words, &AbsolutePath::from_root("/p"));
            let found: Vec<&str> = taken.operands.iter().flatten().map(String::as_str).collect();
            assert_eq!(taken.options, *options, "{text}");
            assert_eq!(taken.left.as_deref(), *left, "{text}");
            assert_eq!(found, *operands, "{text}");
        }
    }
}
