//! `flyball explain`: one decision, who made it, why, and on what evidence.

mod advice;
mod choose;
mod page;

use std::path::PathBuf;

use clap::Args;
use flyball_core::record::Record;
use flyball_policies::REGISTRY;
use jiff::Zoned;
use serde::Serialize;

use super::{Done, Failed};
use crate::here::{Here, Origins, mode_in};
use crate::terminal::Terminal;

/// Arguments of `flyball explain`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The id of the answer; its beginning is enough
    #[arg(conflicts_with = "last")]
    id: Option<String>,
    /// The last event of this project that flyball had a say in (also without an ID)
    #[arg(long)]
    last: bool,
    /// Show the payload uncut
    #[arg(long)]
    full: bool,
    /// Print JSON: `record` (as in `flyball log --json`), `modes_now` (`policy`, `mode`, `origin`) and
    /// `next`
    #[arg(long)]
    json: bool,
}

/// Explains the decision.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = Here::find()?;
    let archive = here.archive()?;
    let record = match &arguments.id {
        Some(id) => choose::by_id(&archive, id)?,
        None => choose::last(&archive, &here)?,
    };
    let modes_now = modes_now(&record);
    let next = advice::next(&record, &modes_now);
    if arguments.json {
        let whole = Whole { record: &record, modes_now: &modes_now, next: &next };
        terminal.line(&serde_json::to_string_pretty(&whole).unwrap_or_default());
        return Ok(Done::Well);
    }
    let page = page::Page { record: &record, modes_now: &modes_now, terminal, now: Zoned::now() };
    terminal.lines(page.lines(arguments.full, &next));
    Ok(Done::Well)
}

/// The mode that a policy of the record is in today. The record tells the one it was in then.
#[derive(Serialize)]
struct ModeNow {
    policy: String,
    mode: &'static str,
    origin: String,
}

/// All of it, as scripts see it.
#[derive(Serialize)]
struct Whole<'a> {
    record: &'a Record,
    modes_now: &'a [ModeNow],
    next: &'a [String],
}

fn modes_now(record: &Record) -> Vec<ModeNow> {
    let project = Here::at(PathBuf::from(&record.project));
    let (config, origins) = (project.loaded().config, Origins::of(&project.files));
    let recorded = |id: &str| record.rulings.iter().any(|ruling| ruling.policy == id);
    let policies = REGISTRY.iter().filter(|policy| recorded(policy.id.as_str()));
    let mode_now = policies.map(|policy| ModeNow {
        policy: policy.id.as_str().to_owned(),
        mode: mode_in(&config, policy).name(),
        origin: origins.of_mode(policy.id.as_str()),
    });
    mode_now.collect()
}
