//! Everything that is wrong with what was written, each at its place.

use std::collections::BTreeSet;
use std::ops::Range;

use flyball_core::config::{Located, Problem};
use flyball_core::nearest::nearest;

use super::changes::changed;
use super::{FixerSettings, Written, check};
use crate::catalogue;
use crate::linter::Entry;

pub(super) fn all(written: &Written) -> Vec<Problem> {
    let mut problems = languages(written);
    problems.extend(written.linters.iter().flat_map(|(name, changes)| linter(name, changes)));
    let globs = written.exclude.iter().chain(&written.security_exclude);
    problems.extend(globs.filter_map(|glob| {
        let wrong = check::glob(glob.value())?;
        Some(Problem::new(glob.span(), wrong))
    }));
    let project = &written.project;
    let deadlines = [
        (*written.deadline_seconds.value(), written.deadline_seconds.span(), ""),
        (project.value().deadline_seconds, project.span(), "project."),
    ];
    problems.extend(
        deadlines.into_iter().filter(|(seconds, ..)| *seconds == 0).map(|(_, span, table)| {
            Problem::new(span, format!("`{table}deadline_seconds` must be 1 or more"))
        }),
    );
    problems.extend(fixer(written.fixer.value(), &written.fixer.span()));
    problems
}

/// Languages without a linter.
fn languages(written: &Written) -> Vec<Problem> {
    let entries = catalogue::builtin().values().chain(written.linters.values());
    let known: BTreeSet<&str> = entries.filter_map(|entry| entry.language.as_deref()).collect();
    let unknown = written.languages.keys().filter(|name| !known.contains(name.value().as_str()));
    unknown.map(|name| unknown_language(name, &known)).collect()
}

fn unknown_language(name: &Located<String>, known: &BTreeSet<&str>) -> Problem {
    let help = match nearest(name.value(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are linters for `{}`", known.iter().copied().collect::<Vec<_>>().join("`, `")),
    };
    Problem::new(name.span(), format!("no linter for the language `{}`", name.value())).with_help(help)
}

/// What is wrong with one linter. The values inside of it have no place of their own, so the problem
/// points at its name.
fn linter(name: &Located<String>, changes: &Entry) -> Vec<Problem> {
    let builtin = catalogue::builtin();
    let is_new = !builtin.contains_key(name.value());
    // Changes to a built-in linter are incomplete by themselves, so the merged entry is checked.
    let entry = builtin.get(name.value()).map_or_else(|| changes.clone(), |entry| changed(entry, changes));
    let wrong = check::entry(&entry);
    // One without a command is probably a misspelled built-in one.
    let is_misspelled = is_new && changes.check.is_none() && changes.format.is_none();
    let near = nearest(name.value(), builtin.keys().map(String::as_str));
    match near.filter(|_| is_misspelled && changes.files.is_none()) {
        Some(near) => {
            let problem = Problem::new(name.span(), format!("unknown linter `{}`", name.value()));
            vec![problem.with_help(format!("did you mean `{near}`?"))]
        }
        None => wrong.into_iter().map(|wrong| to_problem(name, wrong)).collect(),
    }
}

fn to_problem(name: &Located<String>, wrong: check::EntryError) -> Problem {
    let problem = Problem::new(name.span(), format!("linter `{}`: {}", name.value(), wrong.what));
    match wrong.help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// What is wrong with `[quality.fixer]`, at the table.
fn fixer(settings: &FixerSettings, span: &Range<usize>) -> Vec<Problem> {
    let tiers = &settings.tiers;
    let tiers = [("haiku", &tiers.haiku), ("sonnet", &tiers.sonnet), ("opus", &tiers.opus)];
    let limits = [("", settings.max_turns, settings.timeout_seconds)].into_iter();
    let limits = limits.map(|(name, turns, seconds)| (name.to_owned(), turns, seconds)).chain(
        tiers.iter().map(|(name, tier)| (format!("tiers.{name}."), tier.max_turns, tier.timeout_seconds)),
    );
    let none = limits.flat_map(|(table, turns, seconds)| {
        [("max_turns", turns), ("timeout_seconds", seconds)]
            .into_iter()
            .filter(|(_, limit)| *limit == Some(0))
            .map(|(key, _)| Problem::new(span.clone(), format!("`{table}{key}` must be 1 or more")))
            .collect::<Vec<_>>()
    });
    none.collect()
}
