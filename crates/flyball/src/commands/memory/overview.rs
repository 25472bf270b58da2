//! `flyball memory` alone: what there is, in a few lines, and what to type next.

use flyball_core::text;
use flyball_knowledge::report::{Status, ledger};
use flyball_world::machine::Machine;

use super::place::machine;
use super::{nodes, reports, stats};
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::show::{Cell, Columns, Row};
use crate::terminal::{Style, Terminal};

/// The days it speaks of.
const DAYS: u32 = 7;

pub(super) fn run(terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let machine = machine(&here.root);
    let nodes = nodes::all(&machine, &here.root).len();
    let rows =
        [row("Rules", rules(nodes)), row("Reports", reports(&machine)), row("Outcome", outcome(&here)?)];
    let columns = Columns::fit(&rows, terminal.line_limit());
    terminal.lines(rows.iter().map(|row| columns.line(row, terminal)));
    terminal.line("");
    let next = [
        ("flyball memory resolve PATH", "the rules that hold for a file"),
        ("flyball memory validate", "what is wrong with the files of rules"),
        ("flyball memory stats", "how well they help"),
        ("flyball learn", "reports that wait for you"),
    ];
    let next: Vec<Row> = next
        .iter()
        .map(|(command, about)| vec![Cell::new(Style::Accent, *command), Cell::plain(*about)])
        .collect();
    let columns = Columns::fit(&next, terminal.line_limit());
    terminal.lines(next.iter().map(|row| columns.line(row, terminal)));
    Ok(Done::Success)
}

fn row(name: &str, text: String) -> Row {
    vec![Cell::new(Style::Strong, name), Cell::plain(text)]
}

fn rules(nodes: usize) -> String {
    match nodes {
        0 => "no AGENTS.md or CLAUDE.md yet: write one beside the code that has rules".to_owned(),
        nodes => format!("{} of rules (AGENTS.md, CLAUDE.md)", text::counted(nodes, "file")),
    }
}

fn reports(machine: &Machine) -> String {
    if !ledger::is_enabled(machine) {
        return "none are kept here: `flyball init --packs memory` switches them on".to_owned();
    }
    let (pending, accepted) =
        (reports::count(machine, Status::Pending), reports::count(machine, Status::Accepted));
    format!("{pending} waiting, {accepted} accepted and not yet in a file of rules")
}

fn outcome(here: &ProjectContext) -> Result<String, Failed> {
    let stats = stats::collect(here, DAYS)?;
    let Some(percent) = stats.all.percent() else {
        return Ok(format!("no edit is recorded in the last {DAYS} days"));
    };
    let told = stats.told.percent().map(|told| format!("; {told} % of those after rules were told"));
    let all = text::counted(stats.all.all(), "edit");
    Ok(format!("{percent} % of {all} in the last {DAYS} days went well{}", told.unwrap_or_default()))
}
