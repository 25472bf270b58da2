//! `flyball task`: make, start, pause, show and end the tasks of plans.

mod end;
mod find;
mod new;
mod pause;
mod show;
mod start;

use clap::{Args, Subcommand};

use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

/// Arguments of `flyball task`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// Make a task: a folder with a plan to fill in
    New(new::New),
    /// Start a task: the session is blocked from stopping until its plan is finished
    Start(start::Start),
    /// Pause a task: nobody is blocked from stopping for it until it is resumed. For people only
    Pause(pause::Pause),
    /// Go on with a task that was paused
    Resume(pause::Resume),
    /// Show the tasks in progress: phase, open items, sessions. The same as `flyball task`
    Status(show::Status),
    /// Show all tasks of this project
    List(show::List),
    /// Set a plan whose phases are complete to finished, and release the task
    Finish(end::Finish),
    /// Set a plan to cancelled, and release the task: for people only
    Cancel(end::Cancel),
    /// Release a task and leave its plan as it is: for people only
    Release(end::Release),
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.action {
        None => show::Status::default().run(terminal),
        Some(Action::New(arguments)) => arguments.run(terminal),
        Some(Action::Pause(arguments)) => arguments.run(terminal),
        Some(Action::Resume(arguments)) => arguments.run(terminal),
        Some(Action::Start(arguments)) => arguments.run(terminal),
        Some(Action::Status(arguments)) => arguments.run(terminal),
        Some(Action::List(arguments)) => arguments.run(terminal),
        Some(Action::Finish(arguments)) => arguments.run(terminal),
        Some(Action::Cancel(arguments)) => arguments.run(terminal),
        Some(Action::Release(arguments)) => arguments.run(terminal),
    }
}
