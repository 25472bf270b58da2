//! Compiles one section, or reports all that is wrong with it.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeValue};

use super::diagnostic::Problem;
use super::document::{Table, Value};
use super::layer::Sources;
use super::messages::{self, Keys};
use super::reader::Reader;
use super::section::{Mode, Section};
use super::slot::Slot;
use super::spec::Rejected;

/// The key that every policy's section has.
pub(super) const MODE: &str = "mode";

/// Enough to start fixing a file; the rest is shown when these are fixed.
const MOST_PROBLEMS: usize = 20;

pub(super) fn check(
    slot: &Slot,
    mut table: Spanned<Table<'_>>,
    sources: &Sources<'_>,
) -> Result<Section, Vec<Problem>> {
    let mode = match slot.mode {
        Some(default) => take_mode(table.get_mut()).map(|mode| mode.unwrap_or(default)),
        None => Ok(Mode::Enforce),
    };
    // The settings are checked even if the mode is wrong, so that one run reports all errors.
    match (mode, settings(slot, table, sources)) {
        (Ok(mode), Ok(settings)) => Ok(Section { mode, settings: settings.into() }),
        (Err(problem), Ok(_)) => Err(vec![problem]),
        (Ok(_), Err(problems)) => Err(problems),
        (Err(problem), Err(mut problems)) => {
            problems.insert(0, problem);
            Err(problems)
        }
    }
}

/// The mode that a value names.
pub(super) fn mode_of(value: &Value<'_>) -> Result<Mode, Problem> {
    let names: Vec<&str> = Mode::ALL.iter().map(|mode| mode.name()).collect();
    let Some(name) = value.get_ref().as_str() else {
        return Err(Problem::new(value.span(), "expected the name of a mode")
            .with_help(format!("the modes are `{}`", names.join("`, `"))));
    };
    Mode::from_name(name).ok_or_else(|| {
        let problem = Problem::new(value.span(), format!("unknown mode `{name}`"));
        messages::unknown_name(problem, name, &names, "modes are")
    })
}

fn take_mode(table: &mut Table<'_>) -> Result<Option<Mode>, Problem> {
    table.remove(MODE).map(|value| mode_of(&value)).transpose()
}

/// Compiles the settings. The reader stops at the first error, so the faulty key is taken
/// out and the rest read again, until all errors are found.
fn settings(
    slot: &Slot,
    mut table: Spanned<Table<'_>>,
    sources: &Sources<'_>,
) -> Result<Vec<u8>, Vec<Problem>> {
    let span = table.span();
    let mut problems = Vec::new();
    let mut damaged: Vec<Range<usize>> = Vec::new();
    while problems.len() < MOST_PROBLEMS {
        // A copy, because the reader consumes what it reads, and the table may be read again.
        let root = Spanned::new(span.clone(), DeValue::Table(table.get_ref().clone()));
        let error = match (slot.spec.compile)(Reader::from(root), sources) {
            Ok(settings) if problems.is_empty() => return Ok(settings),
            Ok(_) => break,
            Err(Rejected::Meaning(more)) => {
                problems.extend(more);
                // A section that is refused without a reason would be dropped silently.
                if problems.is_empty() {
                    problems.push(Problem::new(span.clone(), format!("`{}` is not accepted", slot.id)));
                }
                break;
            }
            Err(Rejected::Form(error)) => error,
        };
        let problem = messages::form_problem(&error, &span, &|at| own_keys(slot, table.get_ref(), at));
        let at = problem.span.clone();
        // A key that we took out ourselves is not missing, and a list that we emptied is not empty.
        if !damaged.contains(&at) {
            problems.push(problem);
        }
        match remove_from_table(table.get_mut(), &at, &span) {
            Some(owner) => damaged.push(owner),
            // What cannot be taken out would give the same error forever.
            None => break,
        }
    }
    Err(problems)
}

/// How the keys differ from the fields of the section's type: `mode` is taken out before it is
/// read, and the entries of `[[rule]]` are put in.
fn own_keys(slot: &Slot, table: &Table<'_>, at: &Range<usize>) -> Keys {
    let is_own = table.keys().any(|key| key.span() == *at);
    Keys {
        more: (is_own && slot.mode.is_some()).then_some(MODE),
        not: slot.spec.collects.filter(|_| is_own).map(|collection| collection.name),
    }
}

/// Removes the key or entry at a span, and returns the span of the table that it was
/// in. The deepest first: a table and its first entry may share a span.
fn remove_from_table(table: &mut Table<'_>, at: &Range<usize>, own: &Range<usize>) -> Option<Range<usize>> {
    for (_, value) in table.iter_mut() {
        if let Some(owner) = remove_from_value(value, at) {
            return Some(owner);
        }
    }
    let (key, _) = table.iter().find(|(key, value)| key.span() == *at || value.span() == *at)?;
    let key = key.get_ref().clone().into_owned();
    table.remove(key.as_str()).map(|_| own.clone())
}

fn remove_from_value(value: &mut Value<'_>, at: &Range<usize>) -> Option<Range<usize>> {
    let own = value.span();
    match value.get_mut() {
        DeValue::Table(table) => remove_from_table(table, at, &own),
        DeValue::Array(entries) => {
            if let Some(owner) = entries.iter_mut().find_map(|entry| remove_from_value(entry, at)) {
                return Some(owner);
            }
            let index = entries.iter().position(|entry| entry.span() == *at)?;
            let before = std::mem::replace(entries, DeArray::new()).into_iter().enumerate();
            *entries = before.filter(|(position, _)| *position != index).map(|(_, entry)| entry).collect();
            Some(own)
        }
        _ => None,
    }
}
