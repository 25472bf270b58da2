//! `flyball explain`: one decision, who made it, why, and on what evidence.

mod choose;
mod page;

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_board::explanation::{Explanation, PolicyExplained};
use flyball_board::{ViewSource as _, explanation_document};
use jiff::Zoned;
use serde::Serialize;

use super::page_file;
use crate::outcome::{Done, Failed};
use crate::project_context::ProjectContext;
use crate::show::Page;
use crate::terminal::Terminal;
use crate::views::board::LocalViews;

/// Arguments of `flyball explain`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The id of the decision; its beginning is enough
    #[arg(conflicts_with = "last")]
    id: Option<String>,
    /// The last event of this project that flyball took part in (the default)
    #[arg(long)]
    last: bool,
    /// Show the payload uncut
    #[arg(long)]
    full: bool,
    /// Print JSON: `record` (as in `flyball log --json`), `meaning`, `policies` (`policy`, `summary`, `mode_now`,
    /// `mode_origin`, `settings` with `key`, `value` and `origin`, `notes` with `text` and `answer`), `changes` (`if_only`,
    /// `then`, `how`), `next`, and `modes_now` (`policy`, `mode`, `origin`)
    #[arg(long)]
    json: bool,
    /// Print a self-contained HTML page
    #[arg(long, conflicts_with_all = ["json", "full"])]
    html: bool,
    /// Write the page to this file
    #[arg(short, long, value_name = "FILE", requires = "html")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let archive = here.archive()?;
    let record = match &arguments.id {
        Some(id) => choose::by_id(&archive, id)?,
        None => choose::last(&archive, &here)?,
    };
    let explanation = LocalViews::open().explanation(record);
    if arguments.html {
        return html(&explanation, arguments.output.as_deref(), terminal);
    }
    if arguments.json {
        let modes_now = explanation.policies.iter().map(ModeNow::from_policy).collect();
        let whole = ExplanationJson { explanation: &explanation, modes_now };
        terminal.json(&whole);
        return Ok(Done::Success);
    }
    page(&explanation, terminal, arguments.full).print(terminal);
    Ok(Done::Success)
}

/// An explanation as lines without colours.
pub(crate) fn plain_lines(explanation: &Explanation, columns: usize) -> Vec<String> {
    let terminal = Terminal::plain(columns);
    page(explanation, &terminal, false).lines(&terminal)
}

fn page(explanation: &Explanation, terminal: &Terminal, full: bool) -> Page {
    page::View { explanation, columns: terminal.line_limit(), now: Zoned::now() }.page(full)
}

/// Prints the page, or writes it.
fn html(explanation: &Explanation, file: Option<&Path>, terminal: &Terminal) -> Result<Done, Failed> {
    let page = explanation_document(explanation, &Zoned::now());
    let Some(file) = file else {
        terminal.raw(&page);
        return Ok(Done::Success);
    };
    page_file::write(file, &page)?;
    Ok(Done::Success)
}

/// The current mode of a policy of the record. The record itself has the mode at that time.
#[derive(Serialize)]
struct ModeNow<'a> {
    policy: &'a str,
    mode: &'a str,
    origin: &'a str,
}

impl<'a> ModeNow<'a> {
    fn from_policy(policy: &'a PolicyExplained) -> ModeNow<'a> {
        ModeNow { policy: &policy.policy, mode: &policy.mode_now, origin: &policy.mode_origin }
    }
}

/// The output of `--json`.
#[derive(Serialize)]
struct ExplanationJson<'a> {
    #[serde(flatten)]
    explanation: &'a Explanation,
    modes_now: Vec<ModeNow<'a>>,
}
