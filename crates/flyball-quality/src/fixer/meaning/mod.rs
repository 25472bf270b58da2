//! Compares what two versions of a file mean, and asks for each difference whether a finding is about it.
//!
//! A model is asked to fix findings, not to improve a program. Both versions are read as lists of
//! statements, with the beginnings and ends of their blocks. The lists must be equal, in the same order,
//! but for steps that a finding permits at its own place: each topic has its own, and a finding whose
//! topic is not known permits only what its message names.

mod align;
mod data;
mod hunks;
mod layout;
mod piece;
mod reason;
mod rename;
mod rules;
mod search;
mod source;
mod statements;
mod strings;
mod syntax;
#[cfg(test)]
mod tests;
mod topics;
mod units;

use flyball_effects::lex::Language;

use self::hunks::Hunk;
use self::rename::Scope;
use self::rules::{Rules, Scene};
use self::topics::{Subject, Topic};
use self::units::Unit;
use super::candidate::Candidate;

/// What a change does that no finding asks for, in plain words.
pub(super) fn refusals(candidate: &Candidate<'_>) -> Vec<String> {
    let subjects: Vec<Subject<'_>> = candidate.findings.iter().map(Subject::new).collect();
    let hunks = hunks::all(candidate.before, candidate.after);
    let far = hunks.iter().filter(|hunk| {
        let (first, last) = hunk.touched();
        !subjects.iter().any(|subject| subject.is_near(first, last))
    });
    let far: Vec<&Hunk> = far.collect();
    let path = candidate.path;
    let versions = statements::read(path, candidate.before).zip(statements::read(path, candidate.after));
    // In prose, only the place of a change counts.
    let Some((old, new)) = versions else {
        return far.first().map(|hunk| distance(hunk)).into_iter().collect();
    };
    let is_broken = subjects.iter().any(|subject| subject.topic == Topic::Syntax);
    if is_broken && far.is_empty() && syntax::is_completed(&old, &new) {
        return Vec::new();
    }
    match difference(path, &old, &new, &subjects) {
        Some(reason) => vec![reason],
        // What cannot be explained by a finding elsewhere is a comment or layout.
        None => {
            let unexplained =
                far.into_iter().find(|hunk| within(&old, &hunk.before) == within(&new, &hunk.after));
            unexplained.map(distance).into_iter().collect()
        }
    }
}

fn distance(hunk: &Hunk) -> String {
    format!("it changes line {}, which no finding is about", hunk.shown_line())
}

/// The units that begin in these lines.
fn within<'u>(units: &'u [Unit], lines: &std::ops::Range<usize>) -> Vec<&'u Unit> {
    units.iter().filter(|unit| unit.is_statement() && lines.contains(&unit.line)).collect()
}

/// What no finding explains.
fn difference(path: &str, old: &[Unit], new: &[Unit], subjects: &[Subject<'_>]) -> Option<String> {
    let language = Language::from_path(path);
    let mut reason = None;
    for scope in [Scope::Function, Scope::File] {
        let old = rename::apply(old, new, subjects, scope);
        let scene = Scene { old: &old, new, language, subjects };
        let reached = search::explain(&Rules::new(&scene));
        if reached.is_end(&scene) {
            return None;
        }
        reason.get_or_insert_with(|| reason::reason(&scene, &reached));
    }
    reason
}
