//! What a rule names: an edit can be about that.

use super::Rule;
use super::statement::is_path;
use super::words::{PARTS, PROCESS, any_word};

impl Rule {
    /// Whether it names nothing that an edit could be about: no file, no name in code, no part of a project.
    #[must_use]
    pub fn is_general(&self) -> bool {
        let own = self.words();
        if code_spans(&own).any(is_name) || own.split_whitespace().any(is_path_word) {
            return false;
        }
        let own = own.to_lowercase();
        // How work is done is about all of the project, whatever part it mentions.
        if any_word(&own, PROCESS) {
            return true;
        }
        // A command names no part of the project: `cargo test`.
        let own = without_commands(&own);
        let above = self.headings.iter().skip(1).map(|heading| heading.to_lowercase());
        !any_word(&own, PARTS) && !above.into_iter().any(|heading| any_word(&heading, PARTS))
    }
}

fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// A text without the command lines in it.
fn without_commands(text: &str) -> String {
    let pieces = text.split('`').zip([false, true].into_iter().cycle());
    pieces
        .filter(|(piece, is_code)| !is_code || !piece.trim().contains(' '))
        .map(|(piece, _)| piece)
        .collect()
}

/// Whether code is a name, and not a command or a plain word.
fn is_name(code: &str) -> bool {
    let code = code.trim();
    let is_plain =
        code.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    !code.is_empty() && !code.contains(char::is_whitespace) && !is_plain
}

/// Whether a word outside of code is a path for sure.
fn is_path_word(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '.' && letter != '/');
    let word = word.trim_end_matches('.');
    is_path(word) && word.contains('/') && word.contains('.') && !word.starts_with('/')
}
