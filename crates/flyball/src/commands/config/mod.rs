//! `flyball config`: checks, shows and describes the configuration.

mod check;
mod reference;
pub(super) mod rules;
mod show;

use clap::{Args, Subcommand};
use flyball_policies::REGISTRY;

use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// Arguments of `flyball config`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say what is wrong with the config files; exit code 1 if anything is
    Check(check::Arguments),
    /// Show every value in force here, as one TOML file
    Show(show::Arguments),
    /// Print every setting with its default, in the form of a flyball.toml
    Reference,
    /// Print the JSON Schema of flyball.toml, for editors
    Schema,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments, &ProjectContext::find()?, terminal),
        Command::Show(arguments) => show::run(arguments, &ProjectContext::find()?, terminal),
        Command::Reference => {
            terminal.raw_lines(reference::reference().lines());
            Ok(Done::Success)
        }
        Command::Schema => {
            terminal.raw_lines(schema().lines());
            Ok(Done::Success)
        }
    }
}

/// The JSON Schema, laid out for people.
#[must_use]
pub fn schema() -> String {
    let schema = flyball_core::config::schema(REGISTRY);
    // A JSON value can always be written.
    serde_json::to_string_pretty(&schema).unwrap_or_default()
}
