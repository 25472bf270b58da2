//! `flyball learn reject` and `discard`: a report that teaches nothing.

use clap::Args;
use flyball_core::policy::World;
use flyball_knowledge::report::{Report, Status};
use flyball_knowledge::when;

use super::paper;
use super::shelf::Shelf;
use crate::outcome::{Done, Failed};
use crate::terminal::{Style, Terminal};

/// What `reject` can be told.
#[derive(Args)]
pub(super) struct Reject {
    /// The report: its id, or how that begins
    id: String,
    /// Why, for those who read it later
    #[arg(long, default_value = "")]
    reason: String,
}

/// What `discard` can be told.
#[derive(Args)]
pub(super) struct Discard {
    /// The report: its id, or how that begins
    id: String,
}

impl Reject {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let shelf = Shelf::find()?;
        let report = shelf.report(&self.id)?;
        reject(&shelf, &report, &self.reason)?;
        say(terminal, &format!("{} is rejected; the same is not reported again", report.id));
        Ok(Done::Well)
    }
}

impl Discard {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let shelf = Shelf::find()?;
        let report = shelf.report(&self.id)?;
        shelf.discard(&report)?;
        say(terminal, &format!("{} is deleted; the same may be reported again", report.id));
        Ok(Done::Well)
    }
}

/// Moves a report to those that were rejected, with the reason.
pub(super) fn reject(shelf: &Shelf, report: &Report, reason: &str) -> Result<(), Failed> {
    let id = &report.id;
    match report.status {
        Status::Pending | Status::Accepted => {}
        Status::Rejected => {
            return Err(Failed::new(format!("`{id}` was rejected before"), "there is nothing to do"));
        }
        Status::Integrated => {
            let what = format!("`{id}` is in a file of rules already");
            return Err(Failed::new(what, "take the rule out of that file in an editor"));
        }
    }
    let date = when::date(shelf.machine.unix_millis());
    let change = |text: &str| paper::rejected(text, reason, &date);
    shelf.settle(report, (Status::Rejected, &change), &mut || Ok(()))
}

pub(super) fn say(terminal: &Terminal, text: &str) {
    terminal.line(&format!("{} {text}", terminal.paint(Style::Good, "✓")));
}
