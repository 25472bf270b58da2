//! `flyball undo`: brings files back as they were before a call, and shows what can be brought back.

mod choose;
mod kept;
mod list;
mod names;
mod report;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use flyball_core::snapshot::SnapshotId;
use flyball_core::time::Time;
use flyball_world::snapshots;

use self::kept::{Undo, settings};
use self::report::Undone;
use crate::environment::Environment;
use crate::outcome::{Done, Failed};
use crate::person::is_person;
use crate::project_context::ProjectContext;
use crate::seatbelt;
use crate::terminal::Terminal;

/// Arguments of `flyball undo`.
#[derive(Args)]
#[command(
    after_help = "Without an ID, everything is brought back as it was before the last call that changed something. What is there \
                  now is copied first, so an undo can be undone. Files that git ignores, commits and branches stay as they are; \
                  what a command did to branches is said. For an agent, protected files stay as they are, too. Exit code 1 if a \
                  file could not be brought back.

  flyball undo --list             the snapshots, the latest first
  flyball undo --diff             what `flyball undo` would change
  flyball undo 12                 everything as before snapshot 12's command
  flyball undo --file src/a.rs    one file or folder, as it was before it last changed"
)]
pub(crate) struct Arguments {
    /// The number of a snapshot; `--list` shows them
    id: Option<u64>,
    /// Show the snapshots, and what changed after each; changes nothing
    #[arg(long, conflicts_with_all = ["id", "diff", "file"])]
    list: bool,
    /// With `--list`: as JSON, one object a line
    #[arg(long, requires = "list")]
    json: bool,
    /// With `--list`: how many
    #[arg(short = 'n', long, requires = "list", default_value_t = 20, value_name = "N")]
    number: usize,
    /// Show what would change, as a diff; changes nothing
    #[arg(long)]
    diff: bool,
    /// Bring back only this file or folder
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
    /// Delete old snapshots (runs by itself)
    #[arg(long, hide = true, conflicts_with_all = ["id", "list", "diff", "file"])]
    prune: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    if arguments.prune {
        return prune(&here);
    }
    let undo = Undo::find(&here)?;
    if arguments.list {
        return list::run(&undo, arguments.number, arguments.json, terminal);
    }
    if seatbelt::is_inside(&Environment::read()) {
        return Err(Failed::new(
            "inside the seatbelt of an agent's command nothing can be brought back",
            "call `flyball undo` in a line of its own: that runs outside",
        ));
    }
    let only = arguments.file.as_deref().map(|file| undo.name(file)).transpose()?;
    let id = arguments.id.map(SnapshotId);
    let mut now = undo.copy_now(id)?;
    if !arguments.diff && undo.make_readable(&now) {
        undo.discard(&now)?;
        now = undo.copy_now(id)?;
    }
    let Some(mut choice) = choose::choose(&undo, id, only.as_deref(), &now.manifest)? else {
        undo.discard(&now)?;
        terminal.line("nothing to undo: all files are as they were before the calls that are known");
        names::say_lost(&undo, id, &now.manifest, terminal);
        return Ok(Done::Success);
    };
    if arguments.diff {
        undo.discard(&now)?;
        return report::diff(&undo, &choice, terminal);
    }
    if !is_person(terminal) {
        undo.leave_protected(&mut choice.plan)?;
    }
    let failed = undo.snapshots.carry_out(&undo.machine, &choice.plan);
    report::done(&undo, &Undone { choice: &choice, now: &now.manifest, failed: &failed }, terminal)
}

/// Deletes old snapshots, if that was not done lately. Nobody waits for it, and nobody reads what it says.
fn prune(here: &ProjectContext) -> Result<Done, Failed> {
    if here.state_dir().is_some_and(snapshots::is_prune_due) {
        delete_old(None, Time::now())?;
    }
    Ok(Done::Success)
}

/// Deletes all snapshots that are as old as this, for a person who deletes what is recorded. Returns how many.
pub(crate) fn delete_older(age: Duration, now: Time) -> Result<usize, Failed> {
    delete_old(Some(age), now)
}

fn delete_old(most: Option<Duration>, now: Time) -> Result<usize, Failed> {
    // The copies are the user's, so no project's config decides how long they are stored.
    let here = ProjectContext::at(PathBuf::from("/"));
    let Some(state) = here.state_dir() else { return Ok(0) };
    let mut retention = settings(&here)?.retention();
    retention.age = most.map_or(retention.age, |most| most.min(retention.age));
    let pruned = snapshots::prune(state, retention, now).map_err(|cause| {
        Failed::new(format!("old snapshots could not be deleted: {cause}"), "check the state directory")
    })?;
    Ok(pruned.deleted)
}
