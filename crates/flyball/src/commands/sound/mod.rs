//! `flyball sound`: turns the sound of notices on or off, sets it, and plays it.

mod change;
mod play;
mod state;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use flyball_policies::notify::settings::Volume;

use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

use self::change::Change;
use self::state::SoundState;

/// Arguments of `flyball sound`.
#[derive(Args)]
#[command(
    after_help = "Changes `[notify]` in your own config file, for all projects; nothing is installed. Exit code 1 if the \
                  change has no effect because another config file overrides it, or if `test` could not play the sound."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Turn it on
    On,
    /// Turn it off; desktop notices stay as they are
    Off,
    /// Turn it off if it is on, and on if it is off
    Toggle,
    /// Show the settings in force, where they were written, and the player. `flyball sound` does the same
    Status,
    /// Set the volume
    Volume {
        /// From 0 to 1, or in percent: `0.3`, `30%`
        #[arg(value_parser = volume)]
        volume: Volume,
    },
    /// Set the sound file
    File {
        /// A sound file
        path: PathBuf,
    },
    /// Play it now
    Test,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let Some(command) = &arguments.command else { return status(terminal) };
    match command {
        Command::On => change(&Change::On, terminal),
        Command::Off => change(&Change::Off, terminal),
        Command::Volume { volume } => change(&Change::Volume(*volume), terminal),
        Command::File { path } => change(&Change::to_file(path)?, terminal),
        Command::Toggle => {
            let is_on = SoundState::read()?.is_on();
            change(if is_on { &Change::Off } else { &Change::On }, terminal)
        }
        Command::Status => status(terminal),
        Command::Test => play::run(&SoundState::read()?, terminal),
    }
}

fn status(terminal: &Terminal) -> Result<Done, Failed> {
    SoundState::read()?.page().print(terminal);
    Ok(Done::Success)
}

/// Makes a change, and shows what is in force then.
fn change(change: &Change, terminal: &Terminal) -> Result<Done, Failed> {
    change.write(terminal)?;
    let state = SoundState::read()?;
    let mut page = state.page();
    let obstacle = change.obstacle(&state);
    if let Some(obstacle) = &obstacle {
        page.blank();
        page.line(format!("the change has no effect: {obstacle}"));
    }
    page.print(terminal);
    Ok(if obstacle.is_some() { Done::Findings } else { Done::Success })
}

fn volume(text: &str) -> Result<Volume, String> {
    let wrong = || format!("invalid volume `{text}`; write `0.3` or `30%`");
    match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().ok().and_then(Volume::from_percent).ok_or_else(wrong),
        None => text.parse::<f64>().ok().and_then(|share| Volume::try_from(share).ok()).ok_or_else(wrong),
    }
}
