//! The words that linters have for how much a finding matters.

use crate::finding::Level;

/// What a word means; `None` if it is unknown.
pub(super) fn parse(word: &str) -> Option<Level> {
    match word.trim().to_ascii_lowercase().as_str() {
        "error" | "fatal" | "critical" | "blocker" | "high" => Some(Level::Error),
        "warning" | "warn" | "medium" | "moderate" | "major" => Some(Level::Warning),
        "info" | "information" | "note" | "style" | "hint" | "low" | "minor" | "convention" | "refactor"
        | "notice" | "help" | "none" => Some(Level::Advisory),
        _ => None,
    }
}
