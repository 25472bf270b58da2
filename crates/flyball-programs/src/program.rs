//! What is known about one program.

use crate::{Behaviour, Grammar};

/// A program, or a job of one that has settings of its own (`clippy` is a job of `cargo`).
#[derive(Debug)]
pub struct Program {
    /// The name it is started by.
    pub name: &'static str,
    pub kind: Kind,
    /// What it does with its arguments; nothing if only the name is known.
    pub does: Option<Behaviour>,
    /// It neither starts others nor changes the shell.
    pub is_leaf: bool,
    /// How its options are read.
    pub grammar: &'static Grammar,
    /// What only few programs have.
    pub facts: &'static Facts,
}

/// What a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Finds faults in code.
    Linter,
    Formatter,
    TestRunner,
    Compiler,
    BuildTool,
    PackageManager,
    /// Runs checks at a commit.
    HookRunner,
    /// Runs code in a language.
    Interpreter,
    Shell,
    /// A part of the shell.
    Builtin,
    /// Starts the command behind it.
    Wrapper,
    /// Shows text, or makes other text of it.
    Viewer,
    /// Shows what files there are.
    Finder,
    /// Makes, moves, deletes or marks files.
    FileTool,
    /// Packs and unpacks files.
    Archiver,
    /// Opens files to change them.
    Editor,
    /// Talks to other machines.
    Network,
    /// Talks to a database.
    Database,
    /// Sets up machines and what runs on them.
    Service,
    VersionControl,
    /// Shows or changes the machine's state.
    System,
    /// Anything else that belongs to a project.
    Tool,
}

/// What only few programs have. Texts are words with spaces between them.
#[derive(Debug, PartialEq, Eq)]
pub struct Facts {
    /// What its failures say.
    pub failures: Failures,
    /// Its operands are things to do, one after the other: `make test install`.
    pub has_goals: bool,
    /// A package manager starts it by its name: `yarn eslint`.
    pub is_started_by_name: bool,
    /// What it starts goes on after it.
    pub detaches: bool,
    /// Has another program start something, which may have run before or starts it at another time.
    pub starts_later: bool,
    /// It is a server, which goes on and writes no code.
    pub serves: bool,
    /// Words with which it is a server: `compose up`. They are its first operands, or options if they begin with `-`.
    pub serves_with: &'static [&'static str],
    /// Words with which it only looks, written the same way: `compose ps`.
    pub looks_with: &'static [&'static str],
    /// Words with which it runs tests, written the same way; a test runner without any always does.
    pub tests_with: &'static [&'static str],
    /// Words with which it runs no test all the same.
    pub tests_not: &'static [&'static str],
    /// Verbs that start a command in a container, behind the name of that.
    pub starts_inside: &'static [&'static str],
    /// Letters of options that make it write.
    pub fix_letters: &'static str,
    /// Letters of options that stop it from writing.
    pub look_letters: &'static str,
    /// Verbs that write without such an option.
    pub writing_verbs: &'static str,
    /// Verbs that are followed by the program to start.
    pub starts_behind: &'static str,
    /// Options between such a verb and the program that take the next word.
    pub start_values: &'static str,
    /// How it starts the command behind it.
    pub wrapper: Option<Wrapper>,
    /// How it starts a command behind a verb.
    pub starter: Option<Starter>,
    /// Options with which it does something else than what is safe.
    pub never: &'static str,
    /// Options with which it changes files.
    pub changes: &'static str,
    /// Where its words have text for a shell: an option, and what the text comes behind in its value. `-c !` is
    /// `vim -c '!text'`. The option `*` is any word, `<` any line of its input.
    pub runs: &'static [&'static str],
    /// Files at the project's root that say what it does.
    pub tasks: &'static [&'static str],
    /// What configures it, if it runs tests, builds or tasks of a project.
    pub settings: &'static [Setting],
}

impl Facts {
    /// A program without any of these.
    pub const NONE: Facts = Facts {
        failures: Failures::Plain,
        has_goals: false,
        is_started_by_name: false,
        detaches: false,
        starts_later: false,
        serves: false,
        serves_with: &[],
        looks_with: &[],
        tests_with: &[],
        tests_not: &[],
        starts_inside: &[],
        fix_letters: "",
        look_letters: "",
        writing_verbs: "",
        starts_behind: "",
        start_values: "",
        wrapper: None,
        starter: None,
        never: "",
        changes: "",
        runs: &[],
        tasks: &[],
        settings: &[],
    };
}

/// A file that changes how a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// A glob of its path from the project's root, or from the user's home if it begins with `~/`.
    pub file: &'static str,
    /// The beginnings of the paths of the keys that it reads; none if all of it counts.
    pub sections: &'static [&'static str],
}

/// What a failure of a program says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failures {
    Plain,
    /// It judges the project's code: its failure is about the code, not about the command.
    Judges,
    /// It shows existing text: an error in that text is not its own.
    Shows,
    /// It checks whether something exists: that it does not is not a failure.
    Looks,
    /// It runs the project's code if it is given a file.
    RunsFiles,
}

/// How a wrapper is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrapper {
    pub name: &'static str,
    /// The options that take a value.
    pub grammar: Grammar,
    /// The options with which it starts nothing.
    pub inert: &'static str,
    /// How many words are between its options and the command.
    pub operands: usize,
    /// What else it does to the command.
    pub adds: Adds,
}

/// How a program starts the command behind one of its verbs: `conda run`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Starter {
    pub name: &'static str,
    /// The verb; none if the command follows at once.
    pub verb: &'static str,
    /// The options that take a value.
    pub grammar: Grammar,
    /// How many words are between its options and the command.
    pub operands: usize,
}

/// What a wrapper does to the command it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adds {
    Nothing,
    /// Sets variables written as `NAME=value` before the command.
    Variables,
    /// Appends words that it reads when it runs, or replaces its mark with them.
    Words,
}

/// What a safe command is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Looking at files, at git's history and at versions.
    ReadOnly,
    /// Running tests, linters and compilers.
    Tests,
    Builds,
    /// Formatting, which changes files of the project.
    Formatters,
}

/// A command that may run without asking, unless it has an option in its program's `never` or `changes`.
#[derive(Debug)]
pub struct SafeCommand {
    pub program: &'static str,
    /// What it is for.
    pub purpose: Purpose,
    /// The words it begins with; all of them if it ends in `$`.
    pub pattern: &'static str,
}

impl SafeCommand {
    /// The program that the pattern begins with.
    #[must_use]
    pub fn first_word(&self) -> &'static str {
        self.pattern.split([' ', '$']).next().unwrap_or(self.pattern)
    }
}

/// A file by whose name a project shows something about a program.
#[derive(Debug)]
pub struct Sign {
    /// What it shows: the name of a program, or a command.
    pub name: &'static str,
    /// The name of the file, a glob.
    pub file: &'static str,
}
