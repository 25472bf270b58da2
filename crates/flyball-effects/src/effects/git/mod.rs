//! Reads a call of git: where it works, its settings, its verb and options.

mod files;
mod verbs;

pub(super) use files::git;

use crate::argv::{GivenOption, Grammar, OptionStyle, Parsed, parse};
use crate::model::{Command, Directory, Word};

/// The options before the verb.
const GLOBAL: Grammar = Grammar {
    letters: "Cc",
    optional: "",
    names: "git-dir work-tree config-env namespace super-prefix attr-source",
    option_style: OptionStyle::InFront,
};

/// One call of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitCall<'a> {
    /// The directory git works in: that of the command, with every `-C` appended.
    pub directory: Directory,
    /// `--git-dir` or `GIT_DIR`.
    pub git_dir: Option<Word>,
    /// `--work-tree` or `GIT_WORK_TREE`.
    pub work_tree: Option<Word>,
    /// Settings for this call only (`-c`, `--config-env`, `GIT_CONFIG_KEY_0`): the key as written
    /// and its value, `None` if that is not known.
    pub config: Vec<(String, Option<String>)>,
    /// The verb, if there is one and it is known.
    pub verb: Option<&'a str>,
    /// All words behind the verb.
    pub arguments: &'a [Word],
    parsed: Parsed<'a>,
}

impl<'a> GitCall<'a> {
    /// Reads a command as a call of git; `None` if it starts something else.
    #[must_use]
    pub fn parse(command: &'a Command) -> Option<GitCall<'a>> {
        (command.program_name() == Some("git")).then(|| GitCall::read(command, &command.arguments))
    }

    /// Reads the words behind `git`.
    fn read(command: &'a Command, arguments: &'a [Word]) -> GitCall<'a> {
        let mut call = GitCall {
            directory: command.directory.clone(),
            git_dir: variable(command, "GIT_DIR"),
            work_tree: variable(command, "GIT_WORK_TREE"),
            config: environment_config(command),
            verb: None,
            arguments: &[],
            parsed: Parsed::default(),
        };
        let rest = call.take_global(arguments);
        if let Some((verb, arguments)) = rest.split_first() {
            call.verb = verb.text.as_deref();
            call.arguments = arguments;
            // Which letters take a value differs from verb to verb.
            call.parsed = parse(verbs::grammar(call.verb.unwrap_or_default()), arguments);
        }
        call
    }

    /// Whether an option is given, by its long name (`--force`) or its letter (`f`, or empty if it
    /// has none), also as in `-fdx`. A later `--no-…` undoes it.
    #[must_use]
    pub fn flag(&self, long: &str, short: &str) -> bool {
        let long = long.trim_start_matches('-');
        let mut is_given = false;
        for given in &self.parsed.options {
            if is_option(given, long, short) {
                is_given = true;
            } else if given.name.strip_prefix("no-").is_some_and(|name| name == long) {
                is_given = false;
            }
        }
        is_given
    }

    /// The last value given to an option.
    #[must_use]
    pub fn value(&self, long: &str, short: &str) -> Option<&Word> {
        self.values(long, short).last()
    }

    /// Every value given to an option.
    pub fn values(&self, long: &str, short: &str) -> impl Iterator<Item = &Word> {
        let long = long.trim_start_matches('-').to_owned();
        let short = short.to_owned();
        let given = self.parsed.options.iter().filter(move |given| is_option(given, &long, &short));
        given.filter_map(|given| given.value.as_deref())
    }

    /// The words that are neither options nor their values, also those after `--`.
    #[must_use]
    pub fn operands(&self) -> &[&'a Word] {
        &self.parsed.operands
    }

    /// The operands before and behind `--`; `None` if there is no `--`.
    #[must_use]
    pub fn split_at_dashes(&self) -> Option<(&[&'a Word], &[&'a Word])> {
        self.parsed.operands.split_at_checked(self.parsed.before_dashes?)
    }

    /// What this call sets `key` to: nothing, something known or something unknown.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<Option<&str>> {
        let last = self.config.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(key))?;
        Some(last.1.as_deref())
    }

    /// Takes the options before the verb.
    fn take_global<'w>(&mut self, words: &'w [Word]) -> &'w [Word] {
        let parsed = parse(&GLOBAL, words);
        for option in parsed.options {
            let Some(value) = option.value else { continue };
            match option.name {
                "C" => {
                    self.directory = match &value.text {
                        // Each `-C` is relative to the one before.
                        Some(text) => self.directory.join(text),
                        None => Directory::Unknown,
                    };
                }
                "c" => self.config.push(setting(&value)),
                // The value is in a variable of the environment.
                "config-env" => self.config.push((setting(&value).0, None)),
                "git-dir" => self.git_dir = Some(value.into_owned()),
                "work-tree" => self.work_tree = Some(value.into_owned()),
                _ => {}
            }
        }
        words.get(parsed.first_operand..).unwrap_or_default()
    }
}

/// `key=value`, or `key` alone, which means true.
fn setting(word: &Word) -> (String, Option<String>) {
    let text = word.text.as_deref().unwrap_or(&word.raw).trim_start_matches('"');
    match text.split_once('=') {
        Some((key, value)) => (key.to_owned(), word.text.as_ref().map(|_| value.to_owned())),
        None => (text.to_owned(), word.text.as_ref().map(|_| "true".to_owned())),
    }
}

/// Long names that are also the beginning of longer ones: they are not abbreviations.
const WHOLE: [&str; 16] = [
    "all",
    "author",
    "color",
    "date",
    "exclude",
    "force",
    "index",
    "log",
    "merge",
    "no",
    "patch",
    "prune",
    "rebase",
    "set-upstream",
    "stat",
    "track",
];

/// Whether this is the option; git accepts abbreviated long names.
fn is_option(given: &GivenOption<'_>, long: &str, short: &str) -> bool {
    if given.name.len() <= 1 {
        return given.name == short && !short.is_empty();
    }
    given.name == long || (long.starts_with(given.name) && !WHOLE.contains(&given.name))
}

fn variable(command: &Command, name: &str) -> Option<Word> {
    command.assignments.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.clone())
}

/// More settings in the environment than this are not read.
const MOST_SETTINGS: usize = 64;

/// Settings given as `GIT_CONFIG_KEY_0=… GIT_CONFIG_VALUE_0=…`.
fn environment_config(command: &Command) -> Vec<(String, Option<String>)> {
    let mut config = Vec::new();
    for (name, key) in &command.assignments {
        if config.len() == MOST_SETTINGS {
            break;
        }
        if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
            let value = command.assignments.iter().find(|(name, _)| {
                name.strip_prefix("GIT_CONFIG_VALUE_").is_some_and(|other| other == number)
            });
            let key = key.text.as_deref().unwrap_or(&key.raw).to_owned();
            config.push((key, value.and_then(|(_, value)| value.text.clone())));
        }
    }
    config
}
