//! `flyball sound`: switches the sound of notices on or off, sets it, and tries it.

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
    after_help = "What is changed is `[notify]` in your own config file, for all projects; nothing is installed. Exit \
                  code 1 if what was wanted is not in force because another config file says otherwise, or if \
                  `test` could not be heard."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Switch it on
    On,
    /// Switch it off; notices on the desktop stay as they are
    Off,
    /// Say what is in force, where that was written, and what plays here
    Status,
    /// Set how loud it is
    Volume {
        /// From 0 to 1, or in percent: `0.3`, `30%`
        #[arg(value_parser = volume)]
        volume: Volume,
    },
    /// Set what is played
    File {
        /// A sound file
        path: PathBuf,
    },
    /// Play it now
    Test,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.command {
        Command::On => change(&Change::On, terminal),
        Command::Off => change(&Change::Off, terminal),
        Command::Volume { volume } => change(&Change::Volume(*volume), terminal),
        Command::File { path } => change(&Change::to_file(path)?, terminal),
        Command::Status => {
            SoundState::read()?.print(terminal);
            Ok(Done::Success)
        }
        Command::Test => play::run(&SoundState::read()?, terminal),
    }
}

/// Makes a change, and says what it came to.
fn change(change: &Change, terminal: &Terminal) -> Result<Done, Failed> {
    change.write(terminal)?;
    let force = SoundState::read()?;
    force.print(terminal);
    match change.obstacle(&force) {
        None => Ok(Done::Success),
        Some(obstacle) => {
            terminal.line(&format!("\nthat is not what was wanted: {obstacle}"));
            Ok(Done::Findings)
        }
    }
}

fn volume(text: &str) -> Result<Volume, String> {
    let wrong = || format!("`{text}` is no volume; write `0.3` or `30%`, from nothing to all of it");
    match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().ok().and_then(Volume::from_percent).ok_or_else(wrong),
        None => text.parse::<f64>().ok().and_then(|share| Volume::try_from(share).ok()).ok_or_else(wrong),
    }
}
