//! What a command of a package manager is for, and what it would be with another one.

use flyball_core::policy::World;

use super::settings::AllowKey;
use super::tool::{Call, Ecosystem, Tool};
use super::{javascript, python};

/// What is known of the place where a command runs. Only looked at where it decides what the
/// replacement is.
#[derive(Clone, Copy)]
pub(super) struct WorkingFolder<'a> {
    pub(super) world: &'a dyn World,
    /// The folder, absolute; none if it cannot be known.
    pub(super) folder: Option<&'a str>,
}

impl WorkingFolder<'_> {
    /// Whether there is such a file in the folder or, up to the project's root, above it.
    pub(super) fn has_file_upwards(&self, name: &str) -> bool {
        self.upwards().iter().any(|folder| self.world.stat(&format!("{folder}/{name}")).is_some())
    }

    /// Whether there is such a file in the folder itself.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.folder.is_some_and(|folder| self.world.stat(&format!("{folder}/{name}")).is_some())
    }

    /// The text of a file in the folder itself.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        super::detect::text(self.world, &format!("{}/{name}", self.folder?)).ok()?
    }

    /// Whether the project's yarn is of version 2 or later, which has other words for much.
    pub(super) fn has_modern_yarn(&self) -> bool {
        let told = |folder: &String| super::detect::modern_yarn(self.world, folder);
        self.upwards().iter().find_map(told).unwrap_or_default()
    }

    fn upwards(&self) -> Vec<String> {
        self.folder.map(|folder| super::detect::upwards(self.world, folder)).unwrap_or_default()
    }
}

/// What a package manager's command is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Intent {
    Python(python::Intent),
    JavaScript(javascript::Intent),
}

/// What was read from a command that changes or uses packages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// What it is for; `None` if that is something only its own tool does.
    pub(super) intent: Option<Intent>,
    /// The subcommand as called, and by its full name: for the list of free ones.
    pub(super) names: Vec<String>,
    /// The list of free ones it is looked up in.
    pub(super) key: AllowKey,
    /// Flags that were not understood.
    pub(super) left_out: Vec<String>,
    /// Whether it changes what is installed.
    pub(super) installs: bool,
    /// The folder it is told to work in, as written.
    pub(super) folder: Option<String>,
}

impl Reading {
    /// A command by the names of its subcommand.
    pub(super) fn new(key: AllowKey, called: &str, full: &str) -> Reading {
        let mut names = vec![called.to_owned()];
        if called != full {
            names.push(full.to_owned());
        }
        Reading { intent: None, names, key, left_out: Vec::new(), installs: false, folder: None }
    }

    /// The same in another folder.
    pub(super) fn work_in(&mut self, folder: Option<String>) {
        if let Some(Intent::JavaScript(wish)) = &mut self.intent {
            wish.folder.clone_from(&folder);
        }
        self.folder = folder;
    }
}

/// A command in the words of another package manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Replacement {
    pub(super) text: String,
    /// What of the original it does not say.
    pub(super) left_out: Vec<String>,
}

impl Replacement {
    /// A command that says all.
    pub(super) fn from_words(words: &[&str], more: &[String]) -> Replacement {
        let words = words.iter().copied().chain(more.iter().map(String::as_str));
        let text = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        Replacement { text, left_out: Vec::new() }
    }
}

/// Reads a command; `None` if it is free whoever the project's package manager is: help,
/// versions, what only the run will tell.
pub(super) fn read(call: &Call) -> Option<Reading> {
    match call.tool.ecosystem() {
        Ecosystem::Python => python::read(call),
        Ecosystem::JavaScript => javascript::read(call),
    }
}

/// The same command of another package manager; `None` if it has none.
pub(super) fn translate(reading: &Reading, to: Tool, ground: WorkingFolder<'_>) -> Option<Replacement> {
    // What was only to be shown must not be done.
    if reading.left_out.iter().any(|flag| flag == "--dry-run") {
        return None;
    }
    let mut replacement = match reading.intent.as_ref()? {
        Intent::Python(wish) => inside(python::write(wish, to, ground)?, reading.folder.as_deref()),
        Intent::JavaScript(wish) => javascript::write(wish, to, ground)?,
    };
    replacement.left_out.extend(reading.left_out.iter().cloned());
    Some(replacement)
}

/// The same command, told to work in a folder.
fn inside(mut replacement: Replacement, folder: Option<&str>) -> Replacement {
    let Some(folder) = folder else { return replacement };
    let told = [("uv ", "--directory"), ("poetry ", "-C")].into_iter().find_map(|(program, flag)| {
        let rest = replacement.text.strip_prefix(program)?;
        Some(format!("{program}{flag} {folder} {rest}"))
    });
    match told {
        Some(text) => replacement.text = text,
        None => replacement.left_out.push(format!("--directory {folder}")),
    }
    replacement
}
