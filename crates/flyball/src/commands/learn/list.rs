//! `flyball learn list` and `show`.

use clap::{Args, ValueEnum};
use flyball_knowledge::report::{Report, Status};
use flyball_knowledge::timestamp;
use serde_json::Value;

use super::accept::Accept;
use super::report_store::ReportStore;
use super::target::Target;
use super::view::{needs_lesson, print_known, report_json, show, status_name};
use crate::outcome::{Done, Failed};
use crate::show::text::one_line;
use crate::show::{Cell, table};
use crate::terminal::{Style, Terminal};

/// What `list` can be told.
#[derive(Args, Default)]
pub(super) struct List {
    /// Those of this status
    #[arg(long, value_enum, default_value_t)]
    status: Which,
    /// Those of every status
    #[arg(long, conflicts_with = "status")]
    all: bool,
    /// Print an array of JSON objects
    #[arg(long)]
    json: bool,
}

/// What `show` can be told.
#[derive(Args)]
pub(super) struct Show {
    /// The report: its id, or how that begins
    id: String,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Waiting for a person
    #[default]
    Pending,
    /// Taken for true, not in a file of rules yet
    Accepted,
    /// Not taken for true
    Rejected,
    /// In a file of rules
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
            terminal.line(&Value::Array(reports.iter().map(report_json).collect()).to_string());
            return Ok(Done::Success);
        }
        if reports.is_empty() {
            terminal.line(match which {
                Which::Pending => "no report waits for a person",
                Which::Accepted | Which::Rejected | Which::Integrated | Which::All => {
                    "there are no such reports"
                }
            });
            return Ok(Done::Success);
        }
        let rows = reports.iter().map(row).collect();
        terminal.lines(table(&["report", "date", "status", "folder", "title"], rows, terminal));
        if reports.iter().any(|report| report.status == Status::Pending) {
            terminal.line(
                "\n`flyball learn show ID` shows one; `accept`, `reject`, `edit` and `discard` decide about it; \
                 `flyball learn` at a terminal goes through all of them",
            );
        }
        Ok(Done::Success)
    }
}

fn row(report: &Report) -> Vec<Cell> {
    let at = if report.at > 0 { timestamp::date(report.at) } else { "-".to_owned() };
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
            terminal.line(&all.to_string());
            return Ok(Done::Success);
        }
        show(&report, terminal);
        print_target(&report_store, &report, terminal)?;
        Ok(Done::Success)
    }
}

/// Shows where a report that is not in a node yet would go, and what is said there already.
pub(super) fn print_target(
    report_store: &ReportStore,
    report: &Report,
    terminal: &Terminal,
) -> Result<(), Failed> {
    if report.status == Status::Integrated {
        return Ok(());
    }
    let target = Target::covering(report_store, &report.draft.folder)?;
    let made = if target.is_new { " (would be made)" } else { "" };
    terminal.line(&format!("  {:<8} {}{made}", "goes to", report_store.display_path(&target.path)));
    // Without a lesson there is nothing to compare but what happened.
    let mut asked = Accept::default();
    asked.detail = needs_lesson(report).then(|| text_of(report));
    if let Ok(rule) = asked.rule(report_store, report) {
        for known in rule.find_duplicates() {
            print_known(&known, report_store, terminal);
        }
    }
    Ok(())
}

fn text_of(report: &Report) -> String {
    let draft = &report.draft;
    let texts = [draft.detail.as_str(), draft.said.as_str(), draft.operation.as_str()];
    texts.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default().to_owned()
}
