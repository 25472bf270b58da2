//! `flyball audit`: proves that the record is whole.

mod check;
mod digest;
mod export;
mod key;
mod output;
mod page;
mod verify;

use std::path::Path;
use std::time::Duration;

use clap::{Args, Subcommand};
use flyball_store::Store;
use jiff::Zoned;

use crate::environment::Environment;
use crate::outcome::{Done, Failed};
use crate::show::time::{self, Bound};
use crate::terminal::Terminal;

/// How long to wait for another process that folds journals.
const WAIT: Duration = Duration::from_secs(10);

/// Arguments of `flyball audit`.
#[derive(Args)]
#[command(
    after_help = "Each event is bound to the one before it by a hash, so that none can be changed, removed or moved \
                  unnoticed. A digest that is kept elsewhere also proves that the history was not written anew."
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

/// Runs it.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.action {
        Action::Verify(arguments) => verify::run(arguments, terminal),
        Action::Export(arguments) => export::run(arguments, terminal),
        Action::Key => {
            let key = key::Own::open_or_make(store()?.root())?;
            terminal.line(key.public().pem().trim_end());
            Ok(Done::Well)
        }
    }
}

/// The store of this user.
fn store() -> Result<Store, Failed> {
    let environment = Environment::read();
    let Some(state) = environment.state_dir() else {
        return Err(Failed::new(
            "there is no home directory, so nothing is recorded",
            "set HOME or FLYBALL_STATE_DIR",
        ));
    };
    Ok(Store::at(state))
}

fn moment(text: Option<&str>, bound: Bound, now: &Zoned) -> Result<Option<i64>, Failed> {
    let Some(text) = text else { return Ok(None) };
    let moment = time::parse(text, bound, now);
    moment.map(Some).ok_or_else(|| Failed::new(format!("`{text}` is no time"), time::FORMS))
}

/// A file that cannot be read, as the failure of a command.
fn unreadable(path: &Path, cause: &dyn std::fmt::Display) -> Failed {
    Failed::new(format!("`{}` cannot be read: {cause}", path.display()), "see that it is there and is yours")
}
