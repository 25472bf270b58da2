//! `flyball learn list` and `show`.

use flyball_core::time::Time;

use clap::{Args, ValueEnum};
use flyball_knowledge::report::{Report, Status};
use flyball_knowledge::timestamp;
use serde_json::Value;

use super::accept::Accept;
use super::report_store::ReportStore;
use super::target::Target;
use super::view::{add_fact, add_report, duplicate, needs_lesson, report_json, status_name};
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::show::{Cell, Fit, Page};
use crate::terminal::{Style, Terminal};

#[derive(Args, Default)]
pub(super) struct List {
    /// Only reports with this status
    #[arg(long, value_enum, default_value_t)]
    status: Which,
    /// Reports with any status
    #[arg(long, conflicts_with = "status")]
    all: bool,
    /// Print an array of JSON objects
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(super) struct Show {
    /// The report's id, or the beginning of it
    id: String,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Waiting for a person's decision
    #[default]
    Pending,
    /// Accepted, but not in a rule file yet
    Accepted,
    /// Rejected: the same is not reported again
    Rejected,
    /// In a rule file
    Integrated,
    /// Any
    All,
}

impl Which {
    const fn statuses(self) -> &'static [Status] {
        match self {
            Which::Pending => &[Status::Pending],
            Which::Accepted => &[Status::Accepted],
            Which::Rejected => &[Status::Rejected],
            Which::Integrated => &[Status::Integrated],
            Which::All => &Status::ALL,
        }
    }
}

impl List {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let report_store = ReportStore::find()?;
        let which = if self.all { Which::All } else { self.status };
        let reports = report_store.reports(which.statuses())?;
        if self.json {
            terminal.raw(&Value::Array(reports.iter().map(report_json).collect()).to_string());
            return Ok(Done::Success);
        }
        let mut page = Page::default();
        if reports.is_empty() {
            page.line(if which == Which::Pending { "no pending reports" } else { "no such reports" });
        } else {
            let rows = reports.iter().map(row).collect();
            page.table(&["report", "date", "status", "folder", "title"], rows, Fit::Wrap);
        }
        if reports.iter().any(|report| report.status == Status::Pending) {
            page.blank();
            page.line(
                "`flyball learn show ID` shows one; `accept`, `reject`, `edit` and `discard` decide about it; \
                 `flyball learn` in a terminal goes through all of them",
            );
        }
        page.print(terminal);
        Ok(Done::Success)
    }
}

fn row(report: &Report) -> Vec<Cell> {
    let at = if report.at > Time::default() { timestamp::date(report.at) } else { "-".to_owned() };
    let times = if report.times > 1 { format!(" (×{})", report.times) } else { String::new() };
    let is_open = report.status == Status::Pending && needs_lesson(report);
    let status = if is_open { "needs a lesson" } else { status_name(report.status) };
    vec![
        Cell::plain(&report.id),
        Cell::new(Style::Faint, at),
        Cell::plain(status),
        Cell::plain(one_line(&report.draft.folder)),
        Cell::plain(format!("{}{times}", one_line(&report.draft.title))),
    ]
}

impl Show {
    pub(super) fn run(&self, terminal: &Terminal) -> Result<Done, Failed> {
        let report_store = ReportStore::find()?;
        let report = report_store.report(&self.id)?;
        let target = Target::covering(&report_store, &report.draft.folder)?;
        let node = report_store.display_path(&target.path);
        if self.json {
            let mut all = report_json(&report);
            if let Some(all) = all.as_object_mut() {
                all.insert("target".to_owned(), Value::String(node));
            }
            terminal.raw(&all.to_string());
            return Ok(Done::Success);
        }
        let mut page = Page::default();
        add_report(&mut page, &report);
        add_target(&mut page, &report_store, &report)?;
        page.print(terminal);
        Ok(Done::Success)
    }
}

/// Where a report that is not in a rule file yet would go, and the rules there that say the same.
pub(super) fn add_target(page: &mut Page, report_store: &ReportStore, report: &Report) -> Result<(), Failed> {
    if report.status == Status::Integrated {
        return Ok(());
    }
    let target = Target::covering(report_store, &report.draft.folder)?;
    let made = if target.is_new { " (would be created)" } else { "" };
    add_fact(page, "goes to", &format!("{}{made}", report_store.display_path(&target.path)));
    // Without a lesson there is nothing to compare but what happened.
    let mut accept = Accept::default();
    accept.detail = needs_lesson(report).then(|| text_of(report));
    if let Ok(rule) = accept.rule(report_store, report) {
        rule.find_duplicates().iter().for_each(|known| page.append(duplicate(known, report_store)));
    }
    Ok(())
}

fn text_of(report: &Report) -> String {
    let draft = &report.draft;
    let texts = [draft.detail.as_str(), draft.said.as_str(), draft.operation.as_str()];
    texts.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default().to_owned()
}
