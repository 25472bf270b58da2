//! What each program does to files: a table of those we know, and caution for the rest.

mod archives;
mod behaviour;
mod files;
mod find;
pub(super) mod interpreters;
mod patching;
mod reading;
mod tools;
mod unknown;

use flyball_programs::{Behaviour, Program, program};

use super::call::Call;
use super::collector::Collector;
use super::site::Site;
use unknown::unknown;

/// Adds what the program `name` does.
pub(super) fn run(name: &str, site: Site<'_>, found: &mut Collector) {
    match known(name) {
        Some((known, does)) => {
            behaviour::effect_fn(does)(&Call::new(site, known.name, known.grammar), found);
        }
        None if interpreters::interpret(name, site, found) => {}
        None => unknown(name, site, found),
    }
}

/// The call of a program in our table, if it is one.
pub(super) fn call<'a>(name: &str, site: Site<'a>) -> Option<Call<'a>> {
    known(name).map(|(known, _)| Call::new(site, known.name, known.grammar))
}

/// A program whose behaviour is known.
fn known(name: &str) -> Option<(&'static Program, Behaviour)> {
    let known = program(name)?;
    Some((known, known.does?))
}
