//! flyball: the governor for coding agents.
//!
//! A library only so that `flyball-dev` can measure and describe what the program is made of.

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

/// Runs the program with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    #[cfg(debug_assertions)]
    environment::set_wrong_clock();
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // A client that starts commands through us can give the program no arguments of its own.
    if let Some(line) = seatbelt::wrapped_line() {
        return commands::run_line(&line);
    }
    // The hook runs before and after everything an agent does: building the command-line parser
    // for it would cost more than the rest of its work.
    match arguments.split_first() {
        Some((first, rest)) if first == "hook" && !is_help(rest) => hook::run(rest),
        Some((first, rest)) if first == seatbelt::INSIDE => commands::run_inside(rest),
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

/// Whether the kernel lets this build of the program protect files from commands here.
#[must_use]
pub fn seatbelt_holds(program: &std::path::Path) -> bool {
    matches!(seatbelt::holds(program), Ok(seatbelt::Means::Namespaces | seatbelt::Means::SandboxExec))
}

/// Whether a person wants to know what the hook is.
fn is_help(arguments: &[String]) -> bool {
    matches!(arguments, [only] if only == "--help" || only == "-h")
}
