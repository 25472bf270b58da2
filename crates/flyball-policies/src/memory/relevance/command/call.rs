//! A command as rules name it: its program, its operands and its options, whatever it is called through.

use std::collections::BTreeSet;

use flyball_effects::argv::{Grammar, OptionStyle, parse};
use flyball_effects::{Command, GitCall, Word};
use flyball_programs::program;

use crate::guard::packages;

/// A command, or the beginning of one in a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    /// Empty in a rule about an option of any program.
    pub(crate) program: String,
    pub(crate) operands: Vec<String>,
    /// By their long names, without dashes.
    pub(crate) options: BTreeSet<String>,
}

/// Short names of options and subcommands that rules name by the long ones: program, subcommand, short, long.
const SHORT_OPTIONS: &[(&str, &str, &str, &str)] = &[
    ("git", "commit", "a", "all"),
    ("git", "commit", "n", "no-verify"),
    ("git", "push", "d", "delete"),
    ("git", "push", "f", "force"),
    ("git", "branch", "D", "force"),
    ("git", "checkout", "f", "force"),
    ("git", "clean", "f", "force"),
    ("git", "add", "A", "all"),
    ("npm", "install", "g", "global"),
    ("npm", "install", "D", "save-dev"),
    ("pnpm", "install", "g", "global"),
    ("pnpm", "add", "g", "global"),
    ("pnpm", "add", "D", "save-dev"),
    ("bun", "add", "g", "global"),
];
const SHORT_VERBS: &[(&str, &str, &str)] =
    &[("cargo", "b", "build"), ("cargo", "c", "check"), ("cargo", "r", "run"), ("cargo", "t", "test")];

impl Call {
    /// Reads a command; `None` if its program is not known.
    pub(crate) fn read(command: &Command) -> Option<Call> {
        if let Some(spelled) = packages::spelled_out(command) {
            return Some(Call::new(spelled.manager, &Grammar::PLAIN, &spelled.words));
        }
        if let Some(call) = GitCall::parse(command) {
            return Some(of_git(&call));
        }
        let name = command.program_name()?;
        let known = program(name).map_or(&Grammar::PLAIN, |known| known.grammar);
        let grammar = match known.option_style {
            // The options of subcommands count, too.
            OptionStyle::InFront | OptionStyle::Wrapper => {
                Grammar { option_style: OptionStyle::Anywhere, ..*known }
            }
            OptionStyle::Gnu | OptionStyle::Anywhere | OptionStyle::OneDash => *known,
        };
        Some(Call::new(name, &grammar, &command.arguments))
    }

    /// The words of a rule as they are written.
    pub(super) fn of_words(code: &str) -> Option<Call> {
        let mut words = code.split_whitespace();
        let program = words.next()?;
        let words: Vec<Word> = words.map(Word::literal).collect();
        Some(Call::new(program, &Grammar::PLAIN, &words))
    }

    fn new(program: &str, grammar: &Grammar, words: &[Word]) -> Call {
        let parsed = parse(grammar, words);
        let known = parsed.operands.iter().map_while(|word| word.text.clone());
        // `cargo +nightly test`
        let mut operands: Vec<String> = known.filter(|word| !word.starts_with('+')).collect();
        if let Some(verb) = operands.first_mut()
            && let Some((.., long)) =
                SHORT_VERBS.iter().find(|(of, short, _)| *of == program && short == verb)
        {
            *verb = (*long).to_owned();
        }
        let verb = operands.first().map_or("", String::as_str);
        let options = parsed.options.iter().map(|option| long_name(program, verb, option.name)).collect();
        Call { program: program.to_owned(), options, operands }
    }

    /// The same as a command of the wrapper around it: `bundle exec rspec`.
    pub(super) fn through(&self, command: &Command) -> Option<Call> {
        let mut words = command.wrappers.last()?.split(' ').map(str::to_owned);
        let program = words.next()?;
        let inner = std::iter::once(self.program.clone()).chain(self.operands.iter().cloned());
        Some(Call { program, operands: words.chain(inner).collect(), options: self.options.clone() })
    }

    /// Whether another command begins like this one and has its options.
    pub(super) fn is_in(&self, other: &Call) -> bool {
        let is_same = |(own, other): (&String, &String)| {
            own == other || (own.contains('*') && fast_glob::glob_match(own.as_str(), other.as_str()))
        };
        (self.program.is_empty() || self.program == other.program)
            && self.operands.len() <= other.operands.len()
            && self.operands.iter().zip(&other.operands).all(is_same)
            && self.options.is_subset(&other.options)
    }
}

fn of_git(call: &GitCall<'_>) -> Call {
    let verb = call.verb.unwrap_or_default();
    let operands = call.operands().iter().map_while(|word| word.text.clone());
    // Which letters take a value differs from verb to verb.
    let by_letter = SHORT_OPTIONS.iter().filter(|(program, of, ..)| *program == "git" && *of == verb);
    let by_letter =
        by_letter.filter(|(_, _, short, _)| call.flag("", short)).map(|(.., long)| (*long).to_owned());
    let long = call.arguments.iter().filter_map(|word| word.text.as_deref()?.strip_prefix("--"));
    let long =
        long.map(|name| name.split('=').next().unwrap_or(name).to_owned()).filter(|name| !name.is_empty());
    Call {
        program: "git".to_owned(),
        operands: call.verb.map(str::to_owned).into_iter().chain(operands).collect(),
        options: by_letter.chain(long).collect(),
    }
}

fn long_name(program: &str, verb: &str, name: &str) -> String {
    let known =
        SHORT_OPTIONS.iter().find(|(of, with, short, _)| *of == program && *with == verb && *short == name);
    known.map_or(name, |(.., long)| long).to_owned()
}
