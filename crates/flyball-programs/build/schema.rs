//! What an entry of `programs/*.toml` may say.

use std::collections::BTreeMap;

use serde::Deserialize;

/// One program. Lists of options are texts with spaces between the words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// What it is: a variant of `Kind`.
    pub(crate) kind: String,
    /// What it is called on pages, if not by its name.
    pub(crate) title: Option<String>,
    /// The program whose job this is; nothing is started by the name of the entry itself.
    pub(crate) part_of: Option<String>,

    /// What it does with its arguments: a variant of `Behaviour`.
    pub(crate) does: Option<String>,
    /// How it looks for options: a variant of `OptionStyle`, `anywhere` unless it says otherwise.
    pub(crate) habit: Option<String>,
    /// The options that take a value, letters and long names, without dashes.
    #[serde(default)]
    pub(crate) values: String,
    /// Letters that take the rest of their word, if there is one.
    #[serde(default)]
    pub(crate) optional: String,
    /// Letters of options that make it write.
    #[serde(default)]
    pub(crate) fix_letters: String,
    /// Letters of options that stop it from writing.
    #[serde(default)]
    pub(crate) look_letters: String,
    /// Verbs that write without such an option.
    #[serde(default)]
    pub(crate) writing_verbs: String,
    /// Verbs that are followed by the program to start: `uv run`.
    #[serde(default)]
    pub(crate) starts_behind: String,
    /// Options between such a verb and the program that take the next word.
    #[serde(default)]
    pub(crate) start_values: String,
    /// A package manager starts it by its name: `yarn eslint`.
    #[serde(default)]
    pub(crate) started_by_name: bool,
    /// What it starts goes on after it.
    #[serde(default)]
    pub(crate) detaches: bool,
    /// Has another program start something, which may have run before or starts it at another time.
    #[serde(default)]
    pub(crate) starts_later: bool,
    /// It is a server, which goes on and writes no code.
    #[serde(default)]
    pub(crate) serves: bool,
    /// Words with which it is a server, as in `Facts::serves_with`.
    #[serde(default)]
    pub(crate) serves_with: Vec<String>,
    /// Words with which it only looks.
    #[serde(default)]
    pub(crate) looks_with: Vec<String>,
    /// Words with which it runs tests, if it does not always.
    #[serde(default)]
    pub(crate) tests_with: Vec<String>,
    /// Words with which it runs no test all the same.
    #[serde(default)]
    pub(crate) tests_not: Vec<String>,
    /// Verbs that start a command in a container, behind the name of that.
    #[serde(default)]
    pub(crate) starts_inside: Vec<String>,
    /// It neither starts others nor changes the shell, so that a plain line of it needs no parser.
    #[serde(default)]
    pub(crate) leaf: bool,
    /// Where its words have text for a shell, each as in `Facts::runs`.
    #[serde(default)]
    pub(crate) runs: Vec<String>,
    /// It starts the command behind it.
    pub(crate) wrapper: Option<Wrapper>,
    /// It starts the command behind a verb.
    pub(crate) starter: Option<Starter>,

    /// Files of its own besides those in `linter.configs`: protected, and watched for loosening.
    #[serde(default)]
    pub(crate) configs: Vec<String>,
    /// Files that are watched for loosening but free to change.
    #[serde(default)]
    pub(crate) watched_configs: Vec<String>,
    /// How its files are written whose names do not say so: a variant of `Format`.
    pub(crate) format: Option<String>,
    /// Its parts of files that it shares with others: protected, and watched for loosening.
    #[serde(default)]
    pub(crate) sections: BTreeMap<String, Vec<String>>,
    /// Parts that are watched for loosening but free to change.
    #[serde(default)]
    pub(crate) watched_sections: BTreeMap<String, Vec<String>>,
    /// Files at the project's root that say what it does.
    #[serde(default)]
    pub(crate) tasks: Vec<String>,
    /// More files that change how it runs, each with its part of it; all of it where none is named. A name with `~/` is below
    /// the user's home.
    #[serde(default)]
    pub(crate) settings: BTreeMap<String, Vec<String>>,

    /// Lock files that it writes.
    #[serde(default)]
    pub(crate) locks: Vec<String>,
    /// Files that show a project's tests, and the command that runs them.
    #[serde(default)]
    pub(crate) tests: BTreeMap<String, String>,
    /// Packages of a `package.json` that bring it.
    #[serde(default)]
    pub(crate) packages: Vec<String>,

    /// How a pipeline runs it as a check.
    #[serde(default)]
    pub(crate) checks: Vec<String>,
    /// Commands that are safe, by a variant of `Purpose`.
    #[serde(default)]
    pub(crate) allow: BTreeMap<String, Vec<String>>,
    /// Options with which it does something else than what is safe.
    #[serde(default)]
    pub(crate) never: String,
    /// Options with which it changes files.
    #[serde(default)]
    pub(crate) changes: String,
    /// Its operands are things to do, one after the other.
    #[serde(default)]
    pub(crate) goals: bool,
    /// What its failures say: a variant of `Failures`, if its kind does not say so.
    pub(crate) failures: Option<String>,

    /// How it is run as a linter, as a user writes it below `[quality.linters]`.
    pub(crate) linter: Option<toml::Table>,
}

/// How a wrapper is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wrapper {
    /// The options that take a value, letters and long names, without dashes.
    #[serde(default)]
    pub(crate) values: String,
    /// Letters that take the rest of their word, if there is one.
    #[serde(default)]
    pub(crate) optional: String,
    /// The options with which it starts nothing.
    #[serde(default)]
    pub(crate) inert: String,
    /// How many words are between its options and the command.
    #[serde(default)]
    pub(crate) operands: usize,
    /// What else it does to the command: a variant of `Adds`.
    pub(crate) adds: Option<String>,
}

/// How a command behind a verb is started.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Starter {
    /// The verb; none if the command follows at once.
    #[serde(default)]
    pub(crate) verb: String,
    /// The options that take a value, letters and long names, without dashes.
    #[serde(default)]
    pub(crate) values: String,
    /// How many words are between its options and the command.
    #[serde(default)]
    pub(crate) operands: usize,
}

/// A file that several programs share.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// How it is written: a variant of `Format`.
    pub(crate) format: String,
    /// Where its commands are: `anywhere`, or below a key.
    pub(crate) commands: Option<String>,
}

/// The calls of a program that rules are about.
#[derive(Deserialize)]
pub(crate) struct Risks {
    /// Programs with the same calls.
    #[serde(default)]
    pub(crate) also: Vec<String>,
    /// How it looks for options: a variant of `OptionStyle`, `anywhere` unless it says otherwise.
    pub(crate) habit: Option<String>,
    /// The options that take a value, letters and long names, without dashes.
    pub(crate) values: Option<String>,
    /// Patterns by rule; `src/risk.rs` says how they are written.
    #[serde(flatten)]
    pub(crate) rules: BTreeMap<String, Vec<String>>,
}

/// A command of PowerShell or `cmd`: see `src/cmdlet.rs`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Cmdlet {
    pub(crate) also: String,
    pub(crate) runs: String,
    pub(crate) operands: String,
    pub(crate) options: String,
    pub(crate) switches: String,
    pub(crate) drops: String,
}
