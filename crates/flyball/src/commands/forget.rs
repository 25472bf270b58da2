//! `flyball forget`: deletes what is older than the settings allow, when a person says that the clock is right.

use std::path::PathBuf;

use clap::Args;
use flyball_core::text;
use flyball_core::time::Time;
use flyball_store::{Consent, Filter};
use jiff::Zoned;

use super::undo::delete_older;
use crate::outcome::{Done, Failed};
use crate::person::require_person;
use crate::project_context::ProjectContext;
use crate::show::time;
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball forget`.
#[derive(Args)]
#[command(
    after_help = "Old events are deleted by themselves, a little at a time. This command is for when they would be a large \
                  part of the record, or when the clock was doubted. What was written since the machine was started stays."
)]
pub(crate) struct Arguments {
    /// Do it; without this, only show what would be deleted
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    // The store belongs to the user, so no project's config decides how long events are stored.
    let here = ProjectContext::at(PathBuf::from("/"));
    let days = here.load_config().config.store.keep_days;
    if days == 0 {
        terminal.line("nothing is ever too old: `store.keep_days` is 0");
        return Ok(Done::Success);
    }
    let now = Time::now();
    let limit = now - days * flyball_core::time::DAY;
    let shown = time::full(limit, &Zoned::now());
    if !arguments.yes {
        let old = Filter { until: Some(limit), with_duplicates: true, ..Filter::default() };
        let archive = here.archive()?;
        let counts = archive.index.counts(&old)?;
        let all = archive.index.counts(&Filter { with_duplicates: true, ..Filter::default() })?;
        terminal.line(&format!(
            "the clock says {}; {} of {} events are from before {shown}",
            time::full(now, &Zoned::now()),
            counts.events,
            all.events
        ));
        terminal.line(
            "`flyball forget --yes` deletes them, except for what was written since the machine was started, and copies for \
             `flyball undo` that are as old",
        );
        return Ok(Done::Success);
    }
    require_person("flyball forget", terminal)?;
    let count = || -> Result<u64, Failed> {
        let all = Filter { with_duplicates: true, ..Filter::default() };
        Ok(here.archive()?.index.counts(&all)?.events)
    };
    let before = count()?;
    here.archive_with(Consent::DeleteAllOld)?;
    let gone = before.saturating_sub(count()?);
    terminal
        .line(&format!("{} {gone} events from before {shown} are deleted", terminal.paint(Style::Good, "✓")));
    let snapshots = delete_older(days * flyball_core::time::DAY, now)?;
    if snapshots > 0 {
        let count = text::counted(snapshots, "snapshot");
        terminal.line(&format!("{} {count} of `flyball undo` deleted", terminal.paint(Style::Good, "✓")));
    }
    Ok(Done::Success)
}
