//! JavaScript: npm, yarn, pnpm, bun.

mod read;
mod write;

pub(super) use read::{VALUED, read};
pub(super) use write::write;

/// What a command is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Intent {
    pub(super) act: Act,
    /// The folder it is told to work in.
    pub(super) folder: Option<String>,
    /// The workspace it is about.
    pub(super) workspace: Workspace,
    /// `--registry`.
    pub(super) registry: Option<String>,
}

/// Which workspace of a project a command is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Workspace {
    /// The one it runs in.
    #[default]
    Here,
    Named(Vec<String>),
    All,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Adds, installs or removes packages.
    Change(Change),
    /// Runs a script of the project.
    Run(Run),
    /// Runs a program of a package.
    Execute(Execute),
    /// Makes a project from a template.
    Create { template: String, words: Vec<String> },
    /// One of the acts that every tool has a word for.
    Plain(Plain),
}

/// An act that has one word in each tool, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    /// npm's full name of the subcommand.
    pub(super) verb: String,
    pub(super) words: Vec<String>,
    pub(super) is_global: bool,
    /// What it prints is for a program.
    pub(super) is_json: bool,
}

/// A change of what is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) verb: Verb,
    pub(super) packages: Vec<String>,
    pub(super) flags: Vec<Flag>,
    pub(super) is_global: bool,
}

/// How packages are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Add,
    /// What the project needs.
    Install,
    /// The same, and the lock file must not change.
    Frozen,
    Remove,
}

/// What is said of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    /// Only needed to develop.
    Develop,
    Peer,
    Optional,
    Exact,
    /// Without what is only needed to develop.
    Production,
    /// Only the lock file is written.
    LockOnly,
    DryRun,
    IgnoreScripts,
    Force,
}

/// A script of the project to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) script: String,
    pub(super) words: Vec<String>,
    pub(super) if_present: bool,
}

/// A program of a package to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Execute {
    /// The packages it comes from, where that is said.
    pub(super) packages: Vec<String>,
    pub(super) program: String,
    pub(super) words: Vec<String>,
    pub(super) from: Origin,
}

/// Where a program is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// What is installed, or else downloaded.
    Either,
    Installed,
    /// A name alone, as in `yarn build`: a script, or else a program that is installed.
    Unspecified,
    Downloaded,
}
