//! `flyball memory stats`: how well the rules help.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use flyball_core::world::{Files, Place};
use flyball_knowledge::{node, timestamp};
use flyball_store::PayloadMode;
use flyball_world::machine::Machine;

use super::history::{self, HistoryEvent, HistoryKind, KnownRules};
use super::place::display_path;
use super::stats_page;
use super::tally::{Day, NodeStats, Stats, Tally, Uncovered};
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// So many folders without rules are shown.
const MOST_FOLDERS: usize = 10;

/// Arguments of `flyball memory stats`.
#[derive(Args)]
pub(super) struct Arguments {
    /// How many days back
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
    /// Print JSON: `days`, `injections`, `successes`, `failures`, `told` and `untold` (edits made with rules
    /// and without, each with `successes` and `failures`), `nodes` (each with `node`, `injections`, `successes`, `failures`),
    /// `uncovered` (folders with failures and no rules of their own, each with `folder`, `failures`, `files`) and `trend`
    /// (each with `day`, `injections`, `successes`, `failures`)
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let stats = collect(&here, arguments.days)?;
    if arguments.json {
        terminal.json(&stats);
    } else {
        stats_page::page(&stats, &here).print(terminal);
    }
    Ok(Done::Success)
}

/// How well the rules of a project helped in the last days.
pub(super) fn collect(here: &ProjectContext, days: u32) -> Result<Stats, Failed> {
    let all = history::read(here, days, PayloadMode::Without)?;
    let mut stats = counted(&all);
    stats.days = days;
    stats.uncovered = uncovered(&all, &here.machine());
    Ok(stats)
}

fn counted(all: &[HistoryEvent]) -> Stats {
    let mut stats = Stats::default();
    let mut knowing = KnownRules::default();
    let mut nodes: BTreeMap<String, (usize, Tally)> = BTreeMap::new();
    let mut days: BTreeMap<String, (usize, Tally)> = BTreeMap::new();
    for happened in all {
        let day = days.entry(timestamp::date(happened.at)).or_default();
        if matches!(happened.kind, HistoryKind::Injected(_)) {
            stats.injections += 1;
            day.0 += 1;
            for node in &happened.nodes {
                nodes.entry(node.clone()).or_default().0 += 1;
            }
            knowing.add_injection(happened);
            continue;
        }
        // In the order of time: only what was added before an edit can have helped it.
        let told = knowing.known_nodes(happened);
        let side = if told.is_empty() { &mut stats.untold } else { &mut stats.told };
        for tally in [side, &mut stats.all, &mut day.1] {
            tally.count(&happened.kind);
        }
        for node in told {
            nodes.entry(node).or_default().1.count(&happened.kind);
        }
    }
    let node = |(node, (injections, tally))| NodeStats { node, injections, tally };
    stats.nodes = nodes.into_iter().map(node).collect();
    // Those with most to look at first.
    stats.nodes.sort_by_key(|node| (std::cmp::Reverse(node.tally.all()), node.node.clone()));
    let day = |(day, (injections, tally))| Day { day, injections, tally };
    stats.trend = days.into_iter().map(day).collect();
    stats
}

/// Folders with failures and without rules of their own, the worst first.
fn uncovered(all: &[HistoryEvent], machine: &Machine) -> Vec<Uncovered> {
    let mut folders: BTreeMap<String, Uncovered> = BTreeMap::new();
    for failed in all.iter().filter(|it| it.kind == HistoryKind::Failure && !it.file.is_empty()) {
        let file = failed.file.clone();
        let folder =
            Path::new(&file).parent().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
        let name = if folder.is_empty() { ".".to_owned() } else { folder };
        let entry = folders.entry(name.clone());
        let entry = entry.or_insert_with(|| Uncovered { folder: name, failures: 0, files: Vec::new() });
        entry.failures += 1;
        if !entry.files.contains(&file) {
            entry.files.push(file);
        }
    }
    let mut found: Vec<Uncovered> =
        folders.into_values().filter(|folder| !is_covered(folder, machine)).collect();
    found.sort_by_key(|folder| (std::cmp::Reverse(folder.failures), folder.folder.clone()));
    found.truncate(MOST_FOLDERS);
    found
}

/// Whether rules nearer than those of the whole project are about it. Files elsewhere are nobody's.
fn is_covered(folder: &Uncovered, machine: &Machine) -> bool {
    let root = machine.project_root();
    let path = machine.real_path(root, &folder.folder);
    if !Path::new(&path).starts_with(root) {
        return true;
    }
    // Rules are looked up for a file; any name in the folder has the same.
    let probe = format!("{path}/x");
    let nodes = node::covering(machine, &probe).unwrap_or_default();
    let is_own = |node: &node::Node| folder.folder == "." || display_path(&node.folder, root) != ".";
    nodes.iter().any(is_own)
}
