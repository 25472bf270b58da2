//! `flyball memory export`: what was told and what came of it, in the form of the log files that other tools read.

use clap::{Args, ValueEnum};
use flyball_knowledge::timestamp;
use flyball_store::PayloadMode;

use super::history::{self, HistoryEvent, HistoryKind};
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// The sections in the order in which that form names them.
const ORDER: [&str; 4] = ["Pitfalls", "Checks", "Patterns", "Context"];

/// Arguments of `flyball memory export`.
#[derive(Args)]
pub(super) struct Arguments {
    /// What to print
    what: Log,
    /// How many days back
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
}

/// One of the two logs.
#[derive(Clone, Copy, ValueEnum)]
enum Log {
    /// Time, file, the rule file that covers it, and the sections that were added
    Injections,
    /// Time, tool, `success` or `failure`, and the file or `unknown`
    Outcomes,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let all = history::read(&here, arguments.days, PayloadMode::With)?;
    let root = here.root.to_string_lossy();
    let line = |happened: &HistoryEvent| match arguments.what {
        Log::Injections => injection(happened, &root),
        Log::Outcomes => outcome(happened, &root),
    };
    terminal.raw_lines(all.iter().filter_map(line));
    Ok(Done::Success)
}

fn injection(happened: &HistoryEvent, root: &str) -> Option<String> {
    let HistoryKind::Injected(sections) = &happened.kind else { return None };
    let told: Vec<&str> = ORDER
        .into_iter()
        .filter(|name| sections.iter().any(|told| told.eq_ignore_ascii_case(name)))
        .collect();
    // That form knows one rule file, the nearest.
    let node = happened.nodes.last().map(|node| absolute(node, root)).unwrap_or_default();
    Some(row(&[&time(happened), &absolute(&happened.file, root), &node, &told.join(",")]))
}

fn outcome(happened: &HistoryEvent, root: &str) -> Option<String> {
    let came = match happened.kind {
        HistoryKind::Injected(_) => return None,
        HistoryKind::Success => "success",
        HistoryKind::Failure => "failure",
    };
    // The form that other tools read has no empty fields.
    let file = match happened.file.as_str() {
        "" => "unknown".to_owned(),
        file => absolute(file, root),
    };
    Some(row(&[&time(happened), &happened.tool, came, &file]))
}

fn time(happened: &HistoryEvent) -> String {
    timestamp::iso_seconds(happened.at)
}

fn absolute(path: &str, root: &str) -> String {
    std::path::Path::new(root).join(path).to_string_lossy().into_owned()
}

/// One line; a name with a tab or a line break in it must not make two fields of one.
fn row(fields: &[&str]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| field.replace(['\t', '\n', '\r'], " ")).collect();
    fields.join("\t")
}
