//! What a command of a package manager asks for, whichever manager it is for.

use std::collections::BTreeMap;

use super::settings::AllowKey;

/// Subcommands of pip that change nothing.
const LOOKING: &[&str] =
    &["check", "debug", "freeze", "hash", "help", "index", "inspect", "list", "search", "show"];

/// Subcommands of pip with their second word that change nothing.
const LOOKING_IN: &[(&str, &[&str])] =
    &[("config", &["list", "get", "debug"]), ("cache", &["dir", "info", "list"])];

/// What a subcommand does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    /// Adds packages to the project.
    Add,
    /// Adds packages, or installs those of the project if none is named.
    Install,
    /// Installs the packages of the project.
    Sync,
    /// Installs the packages of the project without changing the lock file.
    Frozen,
    Remove,
    /// Adds packages for all projects.
    AddGlobal,
    RemoveGlobal,
    /// Runs a script of the project, or a program in its environment.
    Run,
    /// `npm test`: runs the script of this name.
    Script,
    /// Runs a program of a package: one that is installed, else it is downloaded.
    Exec,
    /// Runs a program of a package only if it is installed.
    ExecInstalled,
    /// Downloads a package and runs its program.
    Download,
    /// `yarn build`: a script, or else a program that is installed.
    ScriptOrProgram,
    /// Makes a project from a template.
    Create,
    Init,
    /// Makes a virtual environment.
    Venv,
    Lock,
    /// Locks the newest versions.
    Relock,
    Update,
    /// Lists packages, or shows those that are named.
    List,
    Outdated,
    Tree,
    Check,
    Why,
    Build,
    /// Has no translation.
    Other,
    /// Does not touch the project's packages.
    Free,
}

/// The details of a command besides its verb: names of [`super::commands`] with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Details(BTreeMap<&'static str, Vec<String>>);

impl Details {
    pub(super) fn set(&mut self, name: &'static str) {
        self.0.insert(name, Vec::new());
    }

    /// Adds one with its values, if there are any.
    pub(super) fn put(&mut self, name: &'static str, values: Vec<String>) {
        if !values.is_empty() {
            self.0.insert(name, values);
        }
    }

    pub(super) fn take(&mut self, name: &str) -> Vec<String> {
        self.0.remove(name).unwrap_or_default()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    pub(super) fn values(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

/// What was read from a command that changes or uses packages.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) verb: Verb,
    pub(super) details: Details,
    /// The subcommand as called, and by its full name: for the list of allowed ones.
    pub(super) names: Vec<String>,
    /// The list in the config that may allow it.
    pub(super) key: AllowKey,
    /// Options without a translation.
    pub(super) left_out: Vec<String>,
    /// The folder that an option names, as written.
    pub(super) folder: Option<String>,
    /// How pip was called, if it was pip.
    pub(super) pip: Option<Pip>,
}

/// A command of pip, which the other managers can run or imitate.
#[derive(Clone, Debug)]
pub(super) struct Pip {
    /// `install`, `list` …
    pub(super) verb: String,
    /// Everything after `pip`, as written.
    pub(super) words: Vec<String>,
    /// The words after `uv pip` that do the same.
    pub(super) uv: Option<UvPip>,
}

impl Pip {
    fn only_looks(&self) -> bool {
        let is_second = |of: &[&str]| {
            let mut operands = self.words.iter().filter(|word| !word.starts_with('-')).skip(1);
            operands.next().is_some_and(|word| of.contains(&word.as_str()))
        };
        LOOKING.contains(&self.verb.as_str())
            || LOOKING_IN.iter().any(|(verb, seconds)| self.verb == *verb && is_second(seconds))
    }
}

#[derive(Clone, Debug)]
pub(super) struct UvPip {
    pub(super) words: Vec<String>,
    pub(super) left_out: Vec<String>,
}

impl Request {
    pub(super) fn new(key: AllowKey, verb: Verb, names: &[&str]) -> Request {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.dedup();
        let (details, left_out) = (Details::default(), Vec::new());
        Request { verb, details, names, key, left_out, folder: None, pip: None }
    }

    /// Whether it changes nothing, so that another manager's answer is as good.
    pub(super) fn only_looks(&self) -> bool {
        match &self.pip {
            Some(pip) => pip.only_looks(),
            None => matches!(self.verb, Verb::List | Verb::Outdated | Verb::Tree | Verb::Why),
        }
    }

    /// Whether it changes what is installed.
    pub(super) fn installs(&self) -> bool {
        match &self.pip {
            Some(pip) => pip.verb == "install",
            None => matches!(self.verb, Verb::Add | Verb::AddGlobal | Verb::Sync | Verb::Frozen),
        }
    }
}
