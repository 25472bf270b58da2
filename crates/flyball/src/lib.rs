//! flyball: the governor for coding agents.
//!
//! A library only so that `flyball-dev` can measure and describe what the program is made of.

#![forbid(unsafe_code)]

mod arguments;
mod changed_registration;
mod commands;
mod config_edit;
pub mod environment;
pub mod history;
mod hook;
mod install;
mod linters;
pub mod outcome;
mod own_files;
mod person;
mod processes;
pub mod progress;
mod project_context;
mod protected;
mod replay;
mod seatbelt;
mod secret_values;
mod session;
mod show;
mod temporary;
pub mod terminal;
mod views;

pub use commands::{GROUPS, Group, command_line, schema};

use std::process::ExitCode;

/// What a client starts all day, which needs nothing of the runtime.
pub enum Everyday {
    /// An event is to be answered.
    Event,
    /// A line is to be run in the seatbelt.
    Line(String),
}

impl Everyday {
    /// What this process was started for, if it is one of them.
    #[must_use]
    pub fn find() -> Option<Everyday> {
        // A client that starts commands through us can give the program no arguments of its own.
        if let Some(line) = seatbelt::wrapped_line() {
            return Some(Everyday::Line(line));
        }
        let mut words = std::env::args_os().skip(1);
        let is_event = words.next().is_some_and(|word| word == "hook") && !is_help(words);
        is_event.then_some(Everyday::Event)
    }

    /// Does it, and returns the exit code.
    #[must_use]
    pub fn run(self) -> u8 {
        #[cfg(debug_assertions)]
        environment::set_wrong_clock();
        match self {
            Everyday::Event => hook::run(own_arguments().get(1..).unwrap_or_default()),
            Everyday::Line(line) => commands::run_line(&line),
        }
    }
}

/// Runs the program with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    // It runs before, during and after everything an agent does: building the command-line parser for it would cost more
    // than the rest of its work.
    if let Some(everyday) = Everyday::find() {
        return ExitCode::from(everyday.run());
    }
    #[cfg(debug_assertions)]
    environment::set_wrong_clock();
    let arguments = own_arguments();
    match arguments.split_first() {
        Some((first, rest)) if first == seatbelt::INSIDE => ExitCode::from(commands::run_inside(rest)),
        // The same for the status line, which clients print several times a second.
        Some((first, rest)) if first == "statusline" => {
            commands::statusline::run_early(rest).unwrap_or_else(|| commands::run(&arguments))
        }
        _ => {
            secret_values::learn_here();
            commands::run(&arguments)
        }
    }
}

fn own_arguments() -> Vec<String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Whether the kernel lets this build of the program protect files from commands here.
#[must_use]
pub fn seatbelt_holds(program: &std::path::Path) -> bool {
    matches!(seatbelt::holds(program), Ok(seatbelt::Means::Namespaces | seatbelt::Means::SandboxExec))
}

/// Whether a person wants to know what the hook is.
fn is_help(mut rest: impl Iterator<Item = std::ffi::OsString>) -> bool {
    rest.next().is_some_and(|word| word == "--help" || word == "-h") && rest.next().is_none()
}
