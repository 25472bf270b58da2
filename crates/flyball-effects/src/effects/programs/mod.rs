//! What each program does to files: a table of those we know, and caution for the rest.

mod archives;
mod behaviour;
mod files;
mod find;
pub(super) mod interpreters;
mod patching;
mod reading;
mod tools;

use std::borrow::Cow;

use flyball_programs::{Behaviour, Facts, Program, program};

use super::call::{Call, Site};
use super::found::Found;
use crate::model::{FileAct, OpaqueWhy, Target, Word};

/// The longest word that is taken for a path.
const MOST_PATH: usize = 4096;

/// Adds what a program does that is started as `name`.
pub(super) fn run(name: &str, site: Site<'_>, found: &mut Found) {
    match known(name) {
        Some((known, does)) => {
            behaviour::function(does)(&Call::new(site, known.name, known.grammar), found);
        }
        None if interpreters::interpret(name, site, found) => {}
        None => unknown(name, site, found),
    }
}

/// A command as a program of our table reads it, if it is one.
pub(super) fn call<'a>(name: &str, site: Site<'a>) -> Option<Call<'a>> {
    known(name).map(|(known, _)| Call::new(site, known.name, known.grammar))
}

/// A program whose behaviour is known.
fn known(name: &str) -> Option<(&'static Program, Behaviour)> {
    let known = program(name)?;
    Some((known, known.does?))
}

/// What is known of a program besides.
fn facts(name: &str) -> &'static Facts {
    program(name).map_or(&Facts::NONE, |known| known.facts)
}

/// A program of which nothing is known may do anything with every path it is given.
fn unknown(name: &str, site: Site<'_>, found: &mut Found) {
    found.opaque(OpaqueWhy::Program, name);
    let program = &site.command.program;
    if program.text.as_deref().is_some_and(|path| path.contains('/') && path.ends_with(name)) {
        found.file(FileAct::Run, Target::new(program, &site.command.directory), "a script");
    }
    for word in site.arguments {
        if let Some(word) = perhaps_path(word) {
            let target = Target::new(&word, &site.command.directory);
            found.file(FileAct::Anything, target, "an unknown program");
        }
    }
}

/// The part of an argument that may be a path: not an option, but the value of one.
fn perhaps_path(word: &Word) -> Option<Cow<'_, Word>> {
    let text = word.text.as_deref().unwrap_or(&word.raw);
    if text.contains("://") || text.contains('\n') || text.len() > MOST_PATH {
        return None;
    }
    match text.split_once('=') {
        Some((name, value)) if is_name(name) => Some(crate::argv::part(value, word.text.is_some())),
        _ if text.starts_with('-') => None,
        _ => Some(Cow::Borrowed(word)),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
