//! `flyball memory` alone: what there is, in a few lines, and what to type next.

use flyball_core::text;
use flyball_knowledge::report::{Status, ledger};
use flyball_world::machine::Machine;

use super::{nodes, reports, stats};
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::show::{Cell, Page};
use crate::terminal::{Style, Terminal};

const DAYS: u32 = 7;

pub(super) fn run(terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let machine = here.machine();
    let nodes = nodes::all(&machine, &here.root).len();
    let row = |style, name: &str, text: String| vec![Cell::new(style, name), Cell::plain(text)];
    let mut page = Page::default();
    page.rows([
        row(Style::Strong, "Rules", rules(nodes)),
        row(Style::Strong, "Reports", reports(&machine)),
        row(Style::Strong, "Outcome", outcome(&here)?),
    ]);
    page.blank();
    let next = [
        ("flyball memory resolve PATH", "the rules for a file"),
        ("flyball memory validate", "problems in the rule files"),
        ("flyball memory stats", "how well the rules help"),
        ("flyball learn", "reports to review"),
    ];
    page.rows(next.map(|(command, about)| row(Style::Accent, command, about.to_owned())));
    page.print(terminal);
    Ok(Done::Success)
}

fn rules(nodes: usize) -> String {
    match nodes {
        0 => "no AGENTS.md or CLAUDE.md yet: write one beside the code it is about".to_owned(),
        nodes => format!("{} (AGENTS.md, CLAUDE.md)", text::counted(nodes, "rule file")),
    }
}

fn reports(machine: &Machine) -> String {
    if !ledger::is_enabled(machine) {
        return "off: `flyball init --packs memory` turns them on".to_owned();
    }
    let (pending, accepted) =
        (reports::count(machine, Status::Pending), reports::count(machine, Status::Accepted));
    format!("{pending} pending, {accepted} accepted and not yet in a rule file")
}

fn outcome(here: &ProjectContext) -> Result<String, Failed> {
    let stats = stats::collect(here, DAYS)?;
    let Some(percent) = stats.all.percent() else {
        return Ok(format!("no edits recorded in the last {DAYS} days"));
    };
    let told = stats.told.percent().map(|told| format!("; {told} % of those made with rules"));
    let all = text::counted(stats.all.all(), "edit");
    Ok(format!("{percent} % of {all} in the last {DAYS} days succeeded{}", told.unwrap_or_default()))
}
