//! Removes flyball from the clients' settings and restores files.

mod arguments;
mod plan;
mod purge;

pub(crate) use self::arguments::Arguments;
use self::plan::{Plan, Selection};
use crate::install::{Program, Site, apply, remove_empty};
use crate::outcome::{Done, Failed};
use crate::person::require_no_agent;
use crate::terminal::{Style, Terminal};

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if !arguments.dry_run {
        require_no_agent("flyball uninstall")?;
    }
    let site = Site::find()?;
    let selection = if arguments.all { Selection::All } else { Selection::Only(arguments.scope.chosen()) };
    let plan = Plan::make(&site, selection)?;
    plan.steps.show(terminal);
    if plan.steps.is_done() {
        plan.print_elsewhere(&site, terminal);
        if !arguments.dry_run && plan.is_last(&site, selection) {
            forget_program(&site)?;
        }
    } else if arguments.dry_run {
        terminal.line("");
        plan.steps.show_diffs(terminal);
    } else if arguments.yes || plan.steps.confirm(terminal)? {
        apply(&plan.steps.changes(), site.state())?;
        remove_empty(&plan.folders);
        if plan.is_last(&site, selection) {
            forget_program(&site)?;
        }
        terminal.line(&terminal.paint(Style::Good, "✓ flyball is removed"));
        plan.print_elsewhere(&site, terminal);
    } else {
        terminal.line("nothing was changed");
        return Ok(Done::Success);
    }
    if arguments.purge {
        purge::purge(&site, terminal, arguments.into())?;
    }
    if arguments.dry_run {
        terminal.line("a dry run: nothing was changed");
    }
    Ok(Done::Success)
}

/// Else the hooks of a shared repository would go on to miss a program that a person has removed.
fn forget_program(site: &Site) -> Result<(), Failed> {
    let Some(state) = site.state() else { return Ok(()) };
    Program::forget(state).map_err(|error| {
        let what = format!("{} cannot be changed: {error}", site.show(state));
        Failed::new(what, "make it writable, or delete it")
    })
}
