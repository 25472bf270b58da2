//! `[guard.gaming]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::globs::Glob;

/// `[guard.gaming]`: what happens when an edit weakens a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// A new `noqa`, `@ts-ignore`, `#[allow]` and similar.
    pub suppressions: Level,
    /// A test that is skipped, or the only one that still runs.
    pub skipped_tests: Level,
    /// A test that is deleted, loses its body or asserts nothing.
    pub deleted_tests: Level,
    /// Fewer assertions in as many tests.
    pub removed_assertions: Level,
    /// A threshold, a rule or a step of the checks that gets weaker.
    pub loosened_config: Level,
    /// A suppression with a reason in the same line, or a skip under a condition.
    pub justified: Level,
    /// What `ask` becomes in the permission modes in which the client does not ask.
    pub unattended: Unattended,
    /// Markers that are allowed here: the beginning of their text, e.g. `noqa: E501`.
    pub allow: Vec<String>,
    /// Markers that are searched for in addition.
    pub also: Vec<Extra>,
    /// Paths that are never checked: globs, relative to the project.
    pub exempt: Vec<Glob>,
}

impl Default for Settings {
    fn default() -> Settings {
        let globs = [
            "**/vendor/**",
            "**/third_party/**",
            "**/node_modules/**",
            "**/generated/**",
            "**/__generated__/**",
            "**/fixtures/**",
            "**/__fixtures__/**",
            "**/testdata/**",
            "**/__snapshots__/**",
        ];
        Settings {
            suppressions: Level::Ask,
            skipped_tests: Level::Ask,
            deleted_tests: Level::Ask,
            removed_assertions: Level::Tell,
            loosened_config: Level::Ask,
            justified: Level::Tell,
            unattended: Unattended::Tell,
            allow: Vec::new(),
            also: Vec::new(),
            exempt: globs.map(Glob::builtin).to_vec(),
        }
    }
}

/// What happens. The greatest is the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing.
    Off,
    /// It passes; the user gets a notice, the model a hint.
    Tell,
    /// The user decides.
    Ask,
    /// It is stopped.
    Deny,
}

/// What `ask` becomes where the client does not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unattended {
    /// It passes; the user gets a notice, the model a hint.
    Tell,
    /// It is stopped.
    Deny,
}

/// Markers that are only searched for if the config lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extra {
    /// `as any` in TypeScript.
    AsAny,
    /// `#[expect(…)]` in Rust.
    RustExpect,
    /// `except: pass`, `catch {}`.
    EmptyCatch,
}
