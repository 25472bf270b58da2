//! Linters that are a part of flyball: programs called `builtin:NAME` in an entry's commands.

mod json;

use crate::output::RawFinding;

/// How the names of these programs begin.
pub const PREFIX: &str = "builtin:";

/// What the built-in linter finds; `None` if there is none of that name.
#[must_use]
pub fn check(name: &str, file: &str, content: &str) -> Option<Vec<RawFinding>> {
    match name {
        "builtin:json" => Some(json::check(file, content)),
        _ => None,
    }
}

/// The content formatted by the built-in formatter, or why it cannot be; `None` if there is none of that name.
#[must_use]
pub fn format(name: &str, file: &str, content: &str) -> Option<Result<String, String>> {
    match name {
        "builtin:json" => Some(json::format(file, content)),
        _ => None,
    }
}
