//! Reads what linters print.
//!
//! Nothing here guesses: output in another form than its entry says is [`Unreadable`], so that a
//! linter that failed never counts as one that found nothing.

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
mod raw;
#[cfg(test)]
mod reading;
mod sarif;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use self::mapped::walk as walk_json;
pub use self::raw::{RawFinding, RawOutput, Unreadable};
use crate::linter::{Check, Output};

/// What a check found that exited with one of the codes in [`Check::ran`]. A code other than 0 means
/// that it found something: if nothing can be read, it failed.
///
/// # Errors
/// When its output does not have the expected form, or has no findings where it should.
pub fn read_findings(
    check: &Check,
    exit: i32,
    printed: RawOutput<'_>,
) -> Result<Vec<RawFinding>, Unreadable> {
    let mut found = read(&check.output, printed)?;
    if found.is_empty() && exit != 0 {
        let shown = text::excerpt(printed.text);
        return Err(Unreadable {
            form: "findings",
            why: format!("it exited with {exit} and printed {shown}"),
        });
    }
    for raw in found.iter_mut().filter(|raw| raw.code.is_empty()) {
        raw.code.clone_from(&check.code);
    }
    columns::count_characters(check.columns, &mut found, printed);
    Ok(found)
}

/// Reads what a linter printed. Nothing printed is nothing found, where a linter that finds nothing
/// prints nothing.
///
/// # Errors
/// When it is not of that form.
pub fn read(form: &Output, output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    // These print a report even if there is nothing in it, so silence is a crash.
    let always_prints = matches!(form, Output::Biome | Output::Cargo | Output::Jscpd | Output::Knip);
    if output.text.trim().is_empty() && !always_prints {
        return Ok(Vec::new());
    }
    match form {
        Output::Sarif => sarif::read(output),
        Output::Gitlab => gitlab::read(output),
        Output::Eslint => eslint::read(output),
        Output::Cargo => cargo::read(output),
        Output::GoVet => go_vet::read(output),
        Output::Biome => biome::read(output),
        Output::Jscpd => jscpd::read(output),
        Output::Knip => knip::read(output),
        Output::Json(map) => mapped::read(map, output),
        Output::Lines(patterns) => lines::read(patterns, output),
        Output::Drawn => drawn::read(output),
        Output::Whole(code) => Ok(text::whole(code, output)),
    }
}
