//! What was found in a project.

use flyball_core::shell_word::path_word;

use super::signs::Aspect;

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands::init) struct Finding {
    /// What: `Rust`, `uv`, `cargo test`.
    pub(in crate::commands::init) name: String,
    /// The file that shows it, from the project's root.
    pub(in crate::commands::init) file: String,
}

impl Finding {
    /// The folder below the root that it is about, if any.
    pub(in crate::commands::init) fn folder(&self) -> Option<&str> {
        self.file.split_once('/').map(|(folder, _)| folder)
    }

    /// The command, for a shell at the project's root.
    fn at_root(&self) -> String {
        self.folder().map_or_else(
            || self.name.clone(),
            |folder| format!("(cd {} && {})", path_word(folder), self.name),
        )
    }
}

/// More than this in folders of a project are packages of a larger whole, and nobody would run all of them.
const MOST_TEST_COMMANDS: usize = 3;

/// All that was found, each in the order of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::commands::init) struct Findings {
    pub(in crate::commands::init) languages: Vec<Finding>,
    /// Package managers, by their lock files.
    pub(in crate::commands::init) locks: Vec<Finding>,
    pub(in crate::commands::init) linters: Vec<Finding>,
    /// Commands that run tests.
    pub(in crate::commands::init) tests: Vec<Finding>,
}

impl Findings {
    /// Whether a package manager is in use.
    pub(in crate::commands::init) fn locks_with(&self, manager: &str) -> bool {
        self.locks.iter().any(|lock| lock.name == manager)
    }

    /// The command that runs all tests of the project, if the findings show one.
    pub(in crate::commands::init) fn test_command(&self) -> Option<String> {
        let at_root: Vec<&Finding> = self.tests.iter().filter(|test| test.folder().is_none()).collect();
        // A recipe of the project's own knows best what belongs to it.
        let recipe =
            at_root.iter().find(|test| test.name.starts_with("make ") || test.name.starts_with("just "));
        let commands: Vec<String> = match (recipe, at_root.as_slice()) {
            (Some(recipe), _) => vec![recipe.name.clone()],
            (None, []) => self.tests.iter().map(Finding::at_root).collect(),
            (None, all) => all.iter().map(|test| test.name.clone()).collect(),
        };
        let is_clear = (1..=MOST_TEST_COMMANDS).contains(&commands.len());
        is_clear.then(|| commands.join(" && "))
    }

    pub(in crate::commands::init) fn add(&mut self, aspect: Aspect, name: impl Into<String>, file: &str) {
        let list = match aspect {
            Aspect::Language => &mut self.languages,
            Aspect::Lock => &mut self.locks,
            Aspect::Linter => &mut self.linters,
            Aspect::Test => &mut self.tests,
        };
        let name = name.into();
        // The first file wins: those of the root are looked at before those of folders.
        if list.iter().all(|known| known.name != name) {
            list.push(Finding { name, file: file.to_owned() });
        }
    }
}
