//! Reads the code that a command line gives to an interpreter: `python -c`, `node -e`, `awk` …
//!
//! [`read_command`] finds the code of a command (`inline_code`), [`read`] says what it would do. Code
//! is cut into tokens (`lexer`, `strings`, `quotes`) and walked once (`walker`, `expressions`,
//! `postfix`, `imports`); a call means what a table of its language says (`tables`, `calls`,
//! `call_effects`). A call that no table knows makes the code opaque: it may do more than is listed.
//! Nothing is ever run or guessed.

mod applescript;
mod awk;
mod bindings;
mod call_effects;
mod calls;
pub(crate) mod compiled;
mod cursor;
mod decoding;
mod dialect;
mod expressions;
mod imports;
mod inline_code;
mod lexer;
mod postfix;
mod quotes;
mod sed;
mod spelling;
mod strings;
mod tables;
mod token;
mod value;
mod walker;

#[cfg(test)]
mod tests;

pub(crate) use inline_code::{Piped, find_inline_code, language, script_operand};
pub(crate) use sed::insertions;

use crate::model::{CodeAct, CodeReading, Command, Language, Word};

/// Longer code is not read.
const MOST_BYTES: usize = 256 * 1024;

/// What the code of a command would do, if the line gives it any: as an argument, in a
/// here-document or through a plain pipe.
#[must_use]
pub fn read_command(command: &Command) -> Option<CodeReading> {
    let name = command.program_name()?;
    language(name)?;
    let piped = match &command.input {
        Some(text) => Piped::Text(text),
        None if command.place.pipe_in => Piped::Unknown,
        None => Piped::Nothing,
    };
    let inline = find_inline_code(name, &command.arguments, &command.redirects, piped)?;
    Some(match inline.code {
        Some(code) => read(inline.language, &code),
        None => CodeReading::unknown(inline.language),
    })
}

/// Whether the code of a command runs the lines that the command reads: `awk '{system($0)}'`, `sed e`.
pub(crate) fn runs_lines(name: &str, arguments: &[Word]) -> bool {
    if !matches!(language(name), Some(Language::Awk | Language::Sed)) {
        return false;
    }
    let Some(inline) = find_inline_code(name, arguments, &[], Piped::Nothing) else { return false };
    let Some(code) = inline.code else { return false };
    match inline.language {
        Language::Awk => awk::runs_lines(&code),
        Language::Sed => {
            let is_line = |act: &CodeAct| matches!(act, CodeAct::Shell { line: None });
            code.contains('e') && sed::read(&code).acts.iter().any(is_line)
        }
        _ => false,
    }
}

/// What `code` would do.
#[must_use]
pub fn read(language: Language, code: &str) -> CodeReading {
    if code.len() > MOST_BYTES {
        return CodeReading::unknown(language);
    }
    match (language, tables::dialect(language)) {
        (_, Some(dialect)) => walker::walk(dialect, code),
        (Language::Awk, None) => awk::read(code),
        (Language::Sed, None) => sed::read(code),
        (_, None) => applescript::read(code),
    }
}
