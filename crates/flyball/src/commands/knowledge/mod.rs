//! `flyball knowledge`: add, show, tidy up and promote the lessons of a task. For people and agents.

mod add;
mod compact;
mod kind;
mod list;
mod promote;
mod rules;
mod task;

use clap::{Args, Subcommand};

use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Arguments of `flyball knowledge`.
#[derive(Args)]
#[command(
    after_help = "The lessons of a task are in KNOWLEDGE.jsonl beside its plan. Without --task: the task that this session works on, else the active one."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add a lesson, unless it is rejected or already known
    Add(add::Arguments),
    /// Show the lessons
    List(list::Arguments),
    /// Shorten the file if it is too long; removed lessons go to KNOWLEDGE.old.jsonl
    Compact(compact::Arguments),
    /// Turn lessons into rules of the project
    Promote(promote::Arguments),
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.action {
        Action::Add(arguments) => add::run(arguments, terminal),
        Action::List(arguments) => list::run(arguments, terminal),
        Action::Compact(arguments) => compact::run(arguments, terminal),
        Action::Promote(arguments) => promote::run(arguments, terminal),
    }
}
