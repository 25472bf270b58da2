//! `flyball loop`: the loop of review and tests, as people see it and decide about it.

mod decide;
mod output;
mod show;
mod status;
mod task;

use clap::{Args, Subcommand};

use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Arguments of `flyball loop`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Show the loops of this project: what passed, what failed, what is open. `flyball loop` does the same
    Status(status::Arguments),
    /// Let the agent go on for some more iterations: for people only
    Continue(decide::Continue),
    /// Take the work as it is now: for people only
    Accept(decide::SessionChoice),
    /// No more of the loop in this session: for people only
    Abort(decide::SessionChoice),
    /// Hand the work over to a workflow: for people only
    Handoff(decide::Handoff),
    /// Bound one task: so many iterations, and no more
    Start(task::Start),
    /// Say that the task of `start` is done
    Done(task::Done),
}

/// Does what was asked for.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let Some(action) = &arguments.action else {
        return status::run(&status::Arguments::default(), terminal);
    };
    match action {
        Action::Status(arguments) => status::run(arguments, terminal),
        Action::Continue(arguments) => arguments.run(terminal),
        Action::Accept(arguments) => arguments.accept(terminal),
        Action::Abort(arguments) => arguments.abort(terminal),
        Action::Handoff(arguments) => arguments.run(terminal),
        Action::Start(arguments) => arguments.run(terminal),
        Action::Done(arguments) => arguments.run(terminal),
    }
}
