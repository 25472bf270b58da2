//! `flyball loop`: shows the loop of review and tests, and records decisions about it.

mod decide;
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
    /// Let the agent continue for some more iterations (people only)
    Continue(decide::Continue),
    /// Accept the work as it is now (people only)
    Accept(decide::SessionChoice),
    /// End the loop for this session (people only)
    Abort(decide::SessionChoice),
    /// Hand the work over to a workflow (people only)
    Handoff(decide::Handoff),
    /// Start a task with a limited number of iterations
    Start(task::Start),
    /// End the task of `start`
    Done(task::Done),
}

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
