//! Takes flyball out of the clients' settings again and gives files back as they were.

mod plan;
mod purge;

use clap::Args;

use self::plan::{Plan, Wanted};
use crate::install::{ScopeArguments, Site, apply, remove_empty};
use crate::outcome::{Done, Failed};
use crate::terminal::{Style, Terminal};

/// What `uninstall` can be told.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Change without asking
    #[arg(long, short)]
    yes: bool,
    /// Show the difference that every file would see, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Every settings file in which flyball is registered
    #[arg(long, conflicts_with_all = ["local", "user", "managed"])]
    all: bool,
    /// Also delete all that flyball has recorded
    #[arg(long)]
    purge: bool,
}

/// Takes flyball out.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let wanted = if arguments.all { Wanted::All } else { Wanted::Only(arguments.scope.chosen()) };
    let plan = Plan::make(&site, wanted)?;
    plan.steps.show(terminal);
    if plan.steps.is_done() {
        plan.say_where_else(&site, terminal);
    } else if arguments.dry_run {
        terminal.line("");
        plan.steps.show_diffs(terminal);
    } else if arguments.yes || plan.steps.agreed(terminal)? {
        apply(&plan.steps.changes(), site.state())?;
        remove_empty(&plan.folders);
        terminal.line(&terminal.paint(Style::Good, "✓ flyball is taken out"));
        plan.say_where_else(&site, terminal);
    } else {
        terminal.line("nothing was changed");
        return Ok(Done::Well);
    }
    if arguments.purge {
        purge::purge(&site, terminal, arguments.into())?;
    }
    if arguments.dry_run {
        terminal.line("a dry run: nothing was changed");
    }
    Ok(Done::Well)
}
