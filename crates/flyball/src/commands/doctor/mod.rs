//! Examines the installation: what is registered, what works, what is missing.

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
    /// Rebuild a damaged record; what is damaged is moved aside, not deleted
    #[arg(long)]
    repair: bool,
}

fn examine(patient: &Installation, progress: &Progress, terminal: &Terminal) -> Vec<Section> {
    progress.set_text("looking at the record");
    // Before the config, which leaves its cache behind.
    let record = store::examine(patient);
    progress.set_text("looking at what is registered");
    let mut sections = vec![
        program::examine(patient),
        clients::examine(patient),
        registrations::examine(patient),
        blockers::examine(patient),
        other_hooks::examine(patient),
        config::examine(patient, terminal),
        record,
        telemetry::examine(),
        tools::examine(),
    ];
    progress.set_text("asking linters for their versions");
    sections.push(tools::linters(patient));
    progress.set_text("looking at agents and packs");
    sections.extend([agents::examine(patient), packs::examine(patient)]);
    // Opening the record tells how far it is by itself.
    progress.clear();
    sections.push(last_seen::examine(patient));
    sections
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if arguments.live {
        return live::run(terminal);
    }
    let progress = Progress::after_a_while();
    let patient = Installation::find(&progress)?;
    let mut sections = Vec::new();
    if arguments.repair {
        sections.push(repair::repair(&patient, &progress)?);
    }
    sections.extend(examine(&patient, &progress, terminal));
    drop(progress);
    let report = Report::new(sections);
    if arguments.json {
        terminal.line(&serde_json::to_string_pretty(&report).unwrap_or_default());
    } else {
        report.show(terminal);
    }
    Ok(if report.healthy { Done::Success } else { Done::Findings })
}
