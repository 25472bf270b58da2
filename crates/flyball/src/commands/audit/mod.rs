//! `flyball audit`: proves that the record is complete and unchanged.

mod check;
mod digest;
mod export;
mod input;
mod key;
mod output;
mod page;
mod verify;

use clap::{Args, Subcommand};

use self::input::open_store;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Arguments of `flyball audit`.
#[derive(Args)]
#[command(
    after_help = "Each event has a hash of the one before it, so that changes, removals and moves are found. A digest stored elsewhere also proves that the history was not rewritten."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Look for events that were changed, removed, moved or added
    Verify(verify::Arguments),
    /// Write the record with its links, and a signed digest of it
    Export(export::Arguments),
    /// Print the public key that digests are verified with
    Key,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.action {
        Action::Verify(arguments) => verify::run(arguments, terminal),
        Action::Export(arguments) => export::run(arguments, terminal),
        Action::Key => {
            let key = key::SigningKey::open_or_make(open_store()?.root())?;
            terminal.line(key.public().pem().trim_end());
            Ok(Done::Success)
        }
    }
}
