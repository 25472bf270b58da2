//! Every program that flyball knows, once: what it is, how its arguments are read, what it does, which
//! files configure it, which of its commands are safe, how a project shows that it uses it.
//!
//! The facts are written in `programs/*.toml`, one entry a program. `build.rs` turns them into the
//! tables below, so that the hook parses nothing and finds a program by binary search. Guards, effects,
//! quality, memory and `flyball init` read these tables and have no list of their own.

#![forbid(unsafe_code)]

mod behaviour;
mod cmdlet;
mod config;
mod grammar;
mod program;
mod risk;

pub use behaviour::Behaviour;
pub use cmdlet::Cmdlet;
pub use config::{Commands, Config, Format, Manifest, Section};
pub use grammar::{Grammar, OptionStyle};
pub use program::{
    Adds, Facts, Failures, Kind, Program, Purpose, SafeCommand, Setting, Sign, Starter, Wrapper,
};
pub use risk::{Risk, RiskyProgram};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The program of this name.
#[must_use]
pub fn program(name: &str) -> Option<&'static Program> {
    let at = PROGRAMS.binary_search_by(|program| program.name.cmp(name)).ok()?;
    PROGRAMS.get(at)
}

/// The command of PowerShell or `cmd` of this name, in whatever case it is written.
#[must_use]
pub fn cmdlet(name: &str) -> Option<&'static Cmdlet> {
    if name.is_empty() {
        return None;
    }
    let is_other = |cmdlet: &&Cmdlet| cmdlet.also.split(' ').any(|other| other.eq_ignore_ascii_case(name));
    let own = CMDLETS.iter().find(|cmdlet| cmdlet.name.eq_ignore_ascii_case(name));
    own.or_else(|| CMDLETS.iter().find(is_other))
}

/// The calls of the program of this name that rules are about.
#[must_use]
pub fn risky_program(name: &str) -> Option<&'static RiskyProgram> {
    let at = RISKS.binary_search_by(|risky| risky.name.cmp(name)).ok()?;
    RISKS.get(at)
}

/// The commands of a purpose whose first word is this one, in the order in which they are tried.
pub fn safe_commands(purpose: Purpose, first_word: &str) -> impl Iterator<Item = &'static str> {
    let start = SAFE_COMMANDS.partition_point(|safe| safe.first_word() < first_word);
    let same = SAFE_COMMANDS.iter().skip(start).take_while(move |safe| safe.first_word() == first_word);
    same.filter(move |safe| safe.purpose == purpose).map(|safe| safe.pattern)
}

#[cfg(test)]
mod tests;
