//! Reads what linters print.
//!
//! Nothing here guesses: what has not the form that its entry promises is [`Unreadable`], so that a
//! linter that failed is never taken for one that found nothing.

mod biome;
mod cargo;
mod columns;
mod drawn;
mod eslint;
mod gitlab;
mod go_vet;
mod jscpd;
mod knip;
mod level;
mod lines;
mod mapped;
#[cfg(test)]
mod reading;
mod sarif;
#[cfg(test)]
mod tests;
mod text;

use crate::finding::Level;
use crate::linter::{Check, Output};

/// What a linter printed, on the stream its entry names.
#[derive(Clone, Copy)]
pub struct RawOutput<'a> {
    pub text: &'a str,
    /// The content of a file that it names, for linters that count in bytes.
    pub source: &'a dyn Fn(&str) -> Option<String>,
}

/// A finding as the linter tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawFinding {
    /// The file as the linter names it; `None` if it does not.
    pub file: Option<String>,
    /// From 1; 0 if it is about the whole file.
    pub line: u32,
    /// In characters, from 1; 0 if unknown.
    pub column: u32,
    /// The last line, if it is another one.
    pub end_line: Option<u32>,
    pub code: String,
    pub message: String,
    /// The linter's own word on how much it matters.
    pub level: Option<Level>,
    /// Whether the linter could mend it.
    pub fixable: bool,
}

/// What was printed has not the form that it should have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its output cannot be read as {form}: {why}")]
pub struct Unreadable {
    /// The form that was expected.
    pub form: &'static str,
    /// What is wrong with it.
    pub why: String,
}

/// What a check found that ended with one of the exit codes in [`Check::ran`]. One that ended with
/// another code than 0 has found something: if nothing can be read, it failed.
///
/// # Errors
/// When its output is not of the form that it should have, or says nothing where it should.
pub fn read_findings(check: &Check, exit: i32, said: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let mut found = read(&check.output, said)?;
    if found.is_empty() && exit != 0 {
        let shown = text::excerpt(said.text);
        return Err(Unreadable {
            form: "findings",
            why: format!("it ended with {exit} and printed {shown}"),
        });
    }
    for spotted in found.iter_mut().filter(|spotted| spotted.code.is_empty()) {
        spotted.code.clone_from(&check.code);
    }
    columns::count_characters(check.columns, &mut found, said);
    Ok(found)
}

/// Reads what a linter printed. Nothing printed is nothing found, where a linter that finds nothing
/// prints nothing.
///
/// # Errors
/// When it is not of that form.
pub fn read(output: &Output, said: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let always_prints = matches!(output, Output::Biome | Output::Cargo | Output::Jscpd | Output::Knip);
    if said.text.trim().is_empty() && !always_prints {
        return Ok(Vec::new());
    }
    match output {
        Output::Sarif => sarif::read(said),
        Output::Gitlab => gitlab::read(said),
        Output::Eslint => eslint::read(said),
        Output::Cargo => cargo::read(said),
        Output::GoVet => go_vet::read(said),
        Output::Biome => biome::read(said),
        Output::Jscpd => jscpd::read(said),
        Output::Knip => knip::read(said),
        Output::Json(map) => mapped::read(map, said),
        Output::Lines(patterns) => lines::read(patterns, said),
        Output::Drawn => drawn::read(said),
        Output::Whole(code) => Ok(text::whole(code, said)),
    }
}
