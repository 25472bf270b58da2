//! flyball: the governor for coding agents.

mod commands;
mod config_edit;
mod environment;
mod here;
mod history;
mod hook;
mod install;
mod linters;
mod outcome;
mod own_files;
mod person;
mod progress;
mod protected;
mod reference;
mod replay;
mod session;
mod show;
mod temporary;
mod terminal;
mod views;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // The hook runs before and after everything an agent does: building the command-line parser
    // for it would cost more than the rest of its work.
    match arguments.split_first() {
        Some((first, rest)) if first == "hook" => hook::run(rest),
        // The same for the status line, which clients print several times a second.
        Some((first, rest)) if first == "statusline" => {
            commands::statusline::early(rest).unwrap_or_else(commands::run)
        }
        _ => commands::run(),
    }
}
