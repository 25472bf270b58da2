//! `flyball learn reject` and `discard`: a report that does not become a rule.

use clap::Args;
use flyball_core::world::Clock;
use flyball_knowledge::report::{Report, Status};
use flyball_knowledge::timestamp;

use super::report_store::ReportStore;
use super::report_text;
use crate::outcome::{Done, Failed};
use crate::terminal::Terminal;

#[derive(Args)]
pub(super) struct Reject {
    /// The report's id, or the beginning of it
    id: String,
    /// Why, for those who read it later
    #[arg(long, default_value = "")]
    reason: String,
}

#[derive(Args)]
pub(super) struct Discard {
    /// The report's id, or the beginning of it
    id: String,
}

impl Reject {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let report_store = ReportStore::find()?;
        let report = report_store.report(&self.id)?;
        reject(&report_store, &report, &self.reason)?;
        terminal.done(&format!("{} is rejected; the same is not reported again", report.id));
        Ok(Done::Success)
    }
}

impl Discard {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let report_store = ReportStore::find()?;
        let report = report_store.report(&self.id)?;
        report_store.discard(&report)?;
        terminal.done(&format!("{} is deleted; the same may be reported again", report.id));
        Ok(Done::Success)
    }
}

/// Moves a report to those that were rejected, with the reason.
pub(super) fn reject(report_store: &ReportStore, report: &Report, reason: &str) -> Result<(), Failed> {
    let id = &report.id;
    match report.status {
        Status::Pending | Status::Accepted => {}
        Status::Rejected => {
            return Err(Failed::new(format!("`{id}` is already rejected"), "there is nothing to do"));
        }
        Status::Integrated => {
            let what = format!("`{id}` is already in a rule file");
            return Err(Failed::new(what, "remove the rule from that file in an editor"));
        }
    }
    let date = timestamp::date(report_store.machine.now());
    let change = |text: &str| report_text::add_rejection(text, reason, &date);
    report_store.change_and_move(report, (Status::Rejected, &change), &mut || Ok(()))
}
