//! From the commands of a line to what they would do: files, network, code from elsewhere.
//!
//! Policies speak about effects, never about text, so that `echo rm -rf /` is silent and
//! `cd / && rm -rf .` is not.

mod builds;
mod call;
mod code;
mod collector;
mod content;
mod fetched;
mod git;
mod network;
mod origins;
mod patch;
mod programs;
mod redirections;
mod site;

#[cfg(test)]
mod tests;

pub use builds::{builds, built_folders};
pub use git::GitCall;
pub use patch::{Patched, PatchedFile, patched_files};

use crate::model::{Command, Effects, Script};
use collector::Collector;
use site::Site;

/// What the commands of a script would do.
#[must_use]
pub(crate) fn read(script: &Script) -> Effects {
    let mut found = Collector::new(programs::run);
    for unknown in &script.unknown {
        found.unknown_line(&unknown.text);
    }
    for (index, command) in script.commands.iter().enumerate() {
        found.index = index;
        redirections::redirections(script, index, command, &mut found);
        program(script, index, command, &mut found);
    }
    // Last, because it looks at the files that were written and run.
    fetched::fetched_code(script, &mut found);
    found.into_effects()
}

fn program(script: &Script, index: usize, command: &Command, found: &mut Collector) {
    let site = Site { script, index, command, arguments: &command.arguments };
    match command.program_name() {
        Some("") => {}
        Some(name) => programs::run(name, site, found),
        // An unknown program goes the same way: no name in the table looks like `$x`.
        None => programs::run(&command.program.raw, site, found),
    }
}
