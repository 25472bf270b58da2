//! Which pattern allows a command, and how far it goes.

use super::options::FileChanges;
use super::pattern::{Pattern, PatternTarget, match_prefix};
use super::presets::Preset;
use super::settings::Rules;

/// A pattern that allows a command.
pub(super) struct Grant {
    /// The pattern, for people.
    pub(super) by: String,
    /// The number of words of the command that it matched.
    pub(super) matched: usize,
    /// Whether it covers options that change files.
    pub(super) options: FileChanges,
    /// Whether it covers the changes that the command is known to make to files of the project.
    pub(super) effects: FileChanges,
    /// The user wrote it.
    pub(super) is_own: bool,
    /// It allows programs that only read.
    pub(super) is_reader: bool,
    /// The program shows names of files, not what is in them.
    pub(super) reads_names_only: bool,
}

impl Grant {
    /// For assignments and redirections alone: only their effects on files need to be allowed.
    pub(super) fn without_program() -> Grant {
        Grant {
            by: "no program".to_owned(),
            matched: 0,
            options: FileChanges::Forbidden,
            effects: FileChanges::Forbidden,
            is_own: false,
            is_reader: false,
            reads_names_only: false,
        }
    }
}

/// Everything that may allow this command, each with its own limits.
pub(super) fn grants(words: &[&str], rules: &Rules) -> Vec<Grant> {
    let presets = rules.presets.iter().filter_map(|preset| by_preset(*preset, words));
    let patterns = rules.allow.iter().filter_map(|pattern| by_pattern(pattern, words));
    asks_version(words, rules).into_iter().chain(presets).chain(patterns).collect()
}

fn by_preset(preset: Preset, words: &[&str]) -> Option<Grant> {
    let (pattern, matched) = preset.find(words)?;
    let program = words.first().copied().unwrap_or_default();
    let effects = if preset.may_change() { FileChanges::Allowed } else { FileChanges::Forbidden };
    // A formatter is there to change files, so options such as `--write` belong to it.
    let options = if preset == Preset::Formatters { FileChanges::Allowed } else { FileChanges::Forbidden };
    let is_reader = preset == Preset::ReadOnly;
    Some(Grant {
        by: format!("{} ({})", pattern, preset.name()),
        matched,
        options,
        effects,
        is_own: false,
        is_reader,
        reads_names_only: is_reader
            && matches!(program, "ls" | "stat" | "du" | "tree" | "find" | "test" | "["),
    })
}

fn by_pattern(pattern: &Pattern, words: &[&str]) -> Option<Grant> {
    let PatternTarget::Command { words: expected, is_whole } = &pattern.about else { return None };
    Some(Grant {
        by: pattern.text.clone(),
        matched: match_prefix(words, expected, *is_whole)?,
        options: FileChanges::Forbidden,
        effects: FileChanges::Allowed,
        is_own: true,
        is_reader: false,
        reads_names_only: false,
    })
}

/// `node --version`: any program by its bare name.
fn asks_version(words: &[&str], rules: &Rules) -> Option<Grant> {
    let [program, "--version"] = words else { return None };
    // A path may be any program: `./node --version`.
    let is_asked = rules.presets.contains(&Preset::ReadOnly) && !program.contains('/');
    is_asked.then(|| Grant { by: "--version (read-only)".to_owned(), matched: 2, ..Grant::without_program() })
}
