//! Examines the installation: what is registered, what works, what is missing.

mod agents;
mod blockers;
mod clients;
mod config;
mod handler;
mod live;
mod neighbours;
mod packs;
mod patient;
mod program;
mod registrations;
mod repair;
mod report;
mod seen;
mod store;
mod telemetry;
mod tools;

use clap::Args;

use self::patient::Patient;
use self::report::{Report, Section};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::terminal::Terminal;

/// What `doctor` can be told.
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

fn examine(patient: &Patient, progress: &Progress, terminal: &Terminal) -> Vec<Section> {
    progress.say("looking at the record");
    // Before the config, which leaves its cache behind.
    let record = store::examine(patient);
    progress.say("looking at what is registered");
    let mut sections = vec![
        program::examine(patient),
        clients::examine(patient),
        registrations::examine(patient),
        blockers::examine(patient),
        neighbours::examine(patient),
        config::examine(patient, terminal),
        record,
        telemetry::examine(),
        tools::examine(),
    ];
    progress.say("asking linters for their versions");
    sections.push(tools::linters(patient));
    progress.say("looking at agents and packs");
    sections.extend([agents::examine(patient), packs::examine(patient)]);
    // Opening the record tells how far it is by itself.
    progress.clear();
    sections.push(seen::examine(patient));
    sections
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    if arguments.live {
        return live::run(terminal);
    }
    let progress = Progress::after_a_while();
    let patient = Patient::find(&progress)?;
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
    Ok(if report.healthy { Done::Well } else { Done::Findings })
}
