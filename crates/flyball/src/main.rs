//! flyball: the governor for coding agents.

mod commands;
mod environment;
mod here;
mod hook;
mod install;
mod linters;
mod own_files;
mod person;
mod progress;
mod protected;
mod reference;
mod show;
mod temporary;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // The hook runs before and after everything an agent does: building the command-line parser
    // for it would cost more than the rest of its work.
    match arguments.split_first() {
        Some((first, rest)) if first == "hook" => hook::run(rest),
        _ => commands::run(),
    }
}
