//! `flyball doctor`: what is registered, what works, what is missing.

mod agents;
mod blockers;
mod clients;
mod config;
mod handler;
mod installation;
mod last_seen;
mod live;
mod other_hooks;
mod packs;
mod program;
mod registrations;
mod repair;
mod report;
mod rule_files;
mod seatbelt;
mod snapshots;
mod state_files;
mod store;
mod telemetry;
mod tools;

use clap::Args;

use self::installation::Installation;
use self::report::{Report, Section};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::terminal::Terminal;

/// Arguments of `flyball doctor`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Prove that hooks fire: to be run by an agent, in a session
    #[arg(long, conflicts_with_all = ["json", "repair"])]
    live: bool,
    /// Repair a damaged record; damaged files are moved aside, not deleted
    #[arg(long)]
    repair: bool,
}

fn examine(installation: &Installation, progress: &Progress, terminal: &Terminal) -> Vec<Section> {
    progress.set_text("looking at the record");
    // Before the config, which writes its cache into the state folder.
    let mut record = store::examine(installation);
    snapshots::report(installation, &mut record);
    progress.set_text("looking at what is registered");
    let mut sections = vec![
        program::examine(installation),
        clients::examine(installation),
        registrations::examine(installation),
        seatbelt::examine(installation),
        blockers::examine(installation),
        other_hooks::examine(installation),
        config::examine(installation, terminal),
        record,
        telemetry::examine(),
        tools::examine(),
    ];
    progress.set_text("asking linters for their versions");
    sections.push(tools::linters(installation));
    progress.set_text("looking at agents and packs");
    sections.extend([
        agents::examine(installation),
        rule_files::examine(installation),
        packs::examine(installation),
    ]);
    // Opening the record shows a progress of its own.
    progress.clear();
    sections.push(last_seen::examine(installation));
    sections
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if arguments.live {
        return live::run(terminal);
    }
    let progress = Progress::after_a_while();
    let installation = Installation::find(&progress)?;
    let mut sections = Vec::new();
    if arguments.repair {
        sections.push(repair::repair(&installation, &progress)?);
    }
    sections.extend(examine(&installation, &progress, terminal));
    drop(progress);
    let report = Report::new(sections);
    if arguments.json {
        terminal.raw(&serde_json::to_string_pretty(&report).unwrap_or_default());
    } else {
        report.show(terminal);
    }
    Ok(if report.healthy { Done::Success } else { Done::Findings })
}
