//! `flyball learn`: review reports of failures, and turn them into rules.

mod accept;
mod add;
mod decide;
mod edit;
mod intent;
mod kind;
mod list;
mod report_store;
mod report_text;
mod review;
mod rule;
mod target;
mod view;

use clap::{Args, Subcommand};

use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

pub(super) use self::report_store::ReportStore;

/// Arguments of `flyball learn`.
#[derive(Args)]
#[command(
    after_help = "In a terminal `flyball learn` goes through the pending reports one by one; otherwise it lists them. The beginning of an id is enough if it is unique. Exit codes: 0 done, 1 the same rule exists already, 2 failed."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    /// List the pending reports, or those with another status
    List(list::List),
    /// Show a report: what happened, the output, where its rule would go
    Show(list::Show),
    /// Write the rule of a report into the AGENTS.md or CLAUDE.md that covers its folder
    Accept(accept::Accept),
    /// Reject a report: the same is not reported again
    Reject(decide::Reject),
    /// Change the title and the text of a report, by flags or in an editor
    Edit(edit::Edit),
    /// Delete a report: the same may be reported again
    Discard(decide::Discard),
    /// Write a rule; from an agent it becomes a pending report
    Add(add::Add),
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    // Whatever else is asked for: what it shows must not be half of a decision.
    if let Ok(report_store) = ReportStore::find() {
        accept::Accept::resume_all(&report_store)?;
    }
    match &arguments.action {
        Some(Action::List(arguments)) => arguments.run(terminal),
        Some(Action::Show(arguments)) => arguments.run(terminal),
        Some(Action::Accept(arguments)) => arguments.run(terminal),
        Some(Action::Reject(arguments)) => arguments.run(terminal),
        Some(Action::Edit(arguments)) => arguments.run(terminal),
        Some(Action::Discard(arguments)) => arguments.run(terminal),
        Some(Action::Add(arguments)) => arguments.run(terminal),
        None if terminal.is_interactive() => review::run(terminal),
        None => list::List::default().run(terminal),
    }
}
