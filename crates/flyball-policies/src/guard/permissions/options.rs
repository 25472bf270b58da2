//! Options that make a safe command do something else: write a file, run a program, read other
//! settings.
//!
//! Each program's own are in the table of programs. A pattern that names such an option itself
//! (`cargo test --config *`) allows it.

use flyball_programs::program;

/// Whether the pattern in use lets files of the project change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileChanges {
    /// It allows reading, or running tests.
    Forbidden,
    /// It allows a command that writes.
    Allowed,
}

/// The first word that makes a program do more than what was allowed. The words of the pattern may
/// name several programs: `uv run pytest`.
pub(super) fn unsafe_word<'a>(pattern: &[&str], words: &[&'a str], files: FileChanges) -> Option<&'a str> {
    let names = pattern.iter().filter_map(|word| word.rsplit('/').next());
    let listed: Vec<&str> = names
        .filter_map(program)
        .flat_map(|known| {
            let changes = if files == FileChanges::Forbidden { known.facts.changes } else { "" };
            known.facts.never.split_whitespace().chain(changes.split_whitespace())
        })
        .collect();
    words.iter().copied().find(|word| listed.iter().any(|option| is_option(word, option)))
}

/// Whether a word is or contains an option. `-o` is one letter, alone or among others; `=-o` only alone or
/// as `-o=x`; `--output` also its abbreviations and `--output=x`; `-exec` a word, also `--exec` and
/// `-exec=x`.
fn is_option(word: &str, option: &str) -> bool {
    let bare = word.split_once('=').map_or(word, |(name, _)| name);
    if let Some(option) = option.strip_prefix('=') {
        return bare == option;
    }
    match (option.strip_prefix("--"), option.strip_prefix('-')) {
        // Programs accept unambiguous abbreviations of long options.
        (Some(_), _) => bare.len() > 2 && bare.starts_with("--") && option.starts_with(bare),
        (None, Some(letter)) if letter.len() == 1 => is_among(word, letter),
        (None, Some(name)) => bare == option || bare.strip_prefix("--") == Some(name),
        (None, None) => false,
    }
}

/// Whether a word of one-letter options contains this one.
fn is_among(word: &str, letter: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    letters.is_some_and(|letters| {
        letters.chars().take_while(char::is_ascii_alphanumeric).any(|found| letter.contains(found))
    })
}
