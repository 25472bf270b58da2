//! JavaScript: npm, yarn, pnpm, bun.

mod read;
mod write;

pub(super) use read::{VALUED, read};
pub(super) use write::write;

/// What a command is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wish {
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
    /// These.
    Named(Vec<String>),
    /// All of them.
    All,
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Adds packages.
    Add(Add),
    /// Installs what the project needs.
    Install(Install),
    /// Removes packages.
    Remove { packages: Vec<String>, is_global: bool },
    /// Runs a script of the project.
    Run { script: String, words: Vec<String>, if_present: bool },
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
    pub(super) verb: Verb,
    pub(super) words: Vec<String>,
    pub(super) is_global: bool,
    /// What it prints is for a program.
    pub(super) is_json: bool,
}

/// Packages to add.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Add {
    pub(super) packages: Vec<String>,
    pub(super) kind: Kind,
    pub(super) is_exact: bool,
    pub(super) is_global: bool,
    /// `--ignore-scripts` and `--force`, which all have.
    pub(super) shared: Vec<String>,
}

/// What a package is needed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Run,
    Develop,
    Peer,
    Optional,
}

/// How the project's packages are installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Install {
    /// The lock file must not change.
    pub(super) is_frozen: bool,
    /// Without what is only needed to develop.
    pub(super) is_production: bool,
    /// Only the lock file is written.
    pub(super) is_lock_only: bool,
    /// Nothing is done.
    pub(super) is_trial: bool,
    pub(super) shared: Vec<String>,
}

/// A program of a package to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Execute {
    /// The packages it comes from, where that is said.
    pub(super) packages: Vec<String>,
    /// The program.
    pub(super) program: String,
    pub(super) words: Vec<String>,
    pub(super) from: Origin,
}

/// Where a program is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// What is installed, or else downloaded.
    Either,
    /// What is installed.
    Installed,
    /// A name alone, as in `yarn build`: a script, or else a program that is installed.
    Unsaid,
    /// Downloaded.
    Downloaded,
}

/// Acts that have one word in each tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Init,
    List,
    Outdated,
    Update,
    Why,
    Link,
    Unlink,
    Audit,
    Dedupe,
    Prune,
    Rebuild,
    CleanCache,
    Pack,
    Publish,
    View,
    Whoami,
    Login,
    Config,
}
