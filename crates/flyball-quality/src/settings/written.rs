//! What users write below `[quality]`.

use std::collections::BTreeMap;

use flyball_core::config::Located;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fixer::FixerSettings;
use crate::linter::Entry;

/// What users write below `[quality]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Written {
    /// Which findings are reported: all in the edited file, those on lines that changed since the session began, or those that were not there before.
    pub scope: Scope,
    /// Which edited files are formatted, by formatters that the project chose: `configured` those that were formatted before and new ones, `always` all, `never` none.
    pub format: Format,
    /// Languages to disable: `python = false`. All are on by default.
    pub languages: BTreeMap<Located<String>, bool>,
    /// Files that are never formatted or checked: globs over the path below the project's root.
    pub exclude: Vec<Located<String>>,
    /// Files that security and dead-code linters (bandit, vulture, semgrep) skip.
    pub security_exclude: Vec<Located<String>>,
    /// How long all linters of one edit may take together, in seconds.
    pub deadline_seconds: Located<u32>,
    /// How long one command of a linter may take, in seconds; one that checks many files gets as much for every 20 of them. 0 is as long as all may take together.
    pub timeout_seconds: u32,
    /// How much memory one command of a linter may use with all that it starts, in megabytes; 0 is any amount.
    pub memory_mb: u32,
    /// How many linters run at a time; 0 is one per core.
    pub processes: usize,
    /// How many findings one answer shows; the rest is counted.
    pub shown: usize,
    /// If one command changed more files than this, they are not checked one by one; the agent is informed.
    pub files_at_once: usize,
    /// What happens to findings left in edited files when the agent wants to stop: `block` blocks it once for the same findings, `tell` informs the user, `off` does nothing.
    pub at_stop: AtStop,
    /// How Biome is used.
    pub biome: Biome,
    /// Linters that look at the whole project: type checks, duplicates, dead code, security.
    pub project: Located<Project>,
    /// A model that fixes what formatters cannot.
    pub fixer: Located<FixerSettings>,
    /// Changes to built-in linters, and linters of your own.
    pub linters: BTreeMap<Located<String>, Entry>,
}

impl Default for Written {
    fn default() -> Written {
        let owned = |globs: &[&str]| globs.iter().map(|glob| Located::from((*glob).to_owned())).collect();
        Written {
            scope: Scope::New,
            format: Format::Configured,
            languages: BTreeMap::new(),
            exclude: owned(&[
                ".git/**",
                "**/node_modules/**",
                "**/.venv/**",
                "**/venv/**",
                "**/target/**",
                "**/dist/**",
                "**/build/**",
                "**/__pycache__/**",
                "**/vendor/**",
                "**/*.min.js",
                "**/package-lock.json",
                "**/pnpm-lock.yaml",
                "**/*.lock",
            ]),
            security_exclude: owned(&["tests/**", "**/tests/**", "docs/**", "scripts/**", ".claude/**"]),
            deadline_seconds: Located::from(25),
            timeout_seconds: 25,
            memory_mb: 2048,
            processes: 0,
            shown: 20,
            files_at_once: 20,
            at_stop: AtStop::Block,
            biome: Biome::default(),
            project: Located::default(),
            fixer: Located::default(),
            linters: BTreeMap::new(),
        }
    }
}

/// Which findings are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// All in the edited file.
    File,
    /// Those on lines that changed.
    ChangedLines,
    /// Those that were not there before the change.
    #[default]
    New,
}

/// Which edited files are formatted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Those whose formatter the project chose. With `scope = "new"`, a file that was not formatted before is left alone.
    #[default]
    Configured,
    /// Those too that were not formatted before.
    Always,
    /// None.
    Never,
}

/// What findings that are left do when the agent wants to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AtStop {
    /// They block the agent once.
    #[default]
    Block,
    /// The user is informed.
    Tell,
    /// Nothing.
    Off,
}

/// `[quality.biome]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Biome {
    /// How Biome is started: `auto` and `node` look for the program itself, the others let a package manager find it.
    pub runtime: Runtime,
    /// What nursery rules do: `off` leaves them out, `warn` makes them advisories, `error` makes them count as errors.
    pub nursery: Nursery,
    /// Whether unsafe fixes are applied too.
    pub unsafe_fixes: bool,
}

/// How Biome is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Runtime {
    /// The program itself, wherever it is.
    #[default]
    Auto,
    /// The same.
    Node,
    /// By `npx --no-install`.
    Npm,
    /// By `pnpm exec`.
    Pnpm,
    /// By `bunx --no-install`.
    Bun,
}

/// What nursery rules do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Nursery {
    /// They are left out.
    Off,
    /// They are advisories.
    #[default]
    Warn,
    /// They are errors.
    Error,
}

/// `[quality.project]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Project {
    /// They run once this many different files were edited; 0 only at the end.
    pub after_files: usize,
    /// They run when the agent wants to stop.
    pub at_stop: bool,
    /// What they find blocks the agent like any other finding. Otherwise it is advisory.
    pub blocking: bool,
    /// The folders that are searched for duplicates; those that do not exist are skipped.
    pub folders: Vec<String>,
    /// How long they may take together, in seconds.
    pub deadline_seconds: u32,
    /// How much memory one of them may use with all that it starts, in megabytes; 0 is any amount. Also for linters of files that read the others too: mypy, pyright.
    pub memory_mb: u32,
}

impl Default for Project {
    fn default() -> Project {
        Project {
            after_files: 3,
            at_stop: true,
            blocking: false,
            folders: vec!["src/".to_owned(), "lib/".to_owned()],
            deadline_seconds: 60,
            memory_mb: 8192,
        }
    }
}
