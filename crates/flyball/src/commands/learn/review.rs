//! `flyball learn` at a terminal: one report after the other.

use flyball_knowledge::report::{Report, Status};

use super::accept::{Accept, Accepted, print_warning, print_written};
use super::decide::reject;
use super::edit::open_in_editor;
use super::list::add_target;
use super::report_store::ReportStore;
use super::view::{add_report, duplicate, needs_lesson};
use crate::outcome::{Done, Failed};
use crate::show::Page;
use crate::show::text::one_line;
use crate::terminal::{Style, Terminal};

const QUESTION: &str = "Accept, reject, edit, discard, skip, quit? [a/r/e/d/s/q/?]";

const HELP: &str = "  a  write the rule into the file that covers its folder; asks for what is missing\n  \
                      r  reject it: the same is not reported again\n  \
                      e  edit the report\n  \
                      d  delete it: the same may be reported again\n  \
                      s  decide later\n  \
                      q  stop here";

#[derive(Default)]
struct Count {
    accepted: usize,
    rejected: usize,
    discarded: usize,
    skipped: usize,
}

/// What follows a report.
enum NextStep {
    Next,
    Again,
    Stop,
}

/// Goes through all pending reports.
pub(super) fn run(terminal: &Terminal) -> Result<Done, Failed> {
    let report_store = ReportStore::find()?;
    let waiting = report_store.reports(&[Status::Pending])?;
    if waiting.is_empty() {
        terminal.line("no pending reports");
        return Ok(Done::Success);
    }
    let mut count = Count::default();
    for (at, report) in waiting.iter().enumerate() {
        terminal.line(&terminal.paint(Style::Faint, &format!("\n{} of {}", at + 1, waiting.len())));
        if let NextStep::Stop = review_one(&report_store, &report.id, &mut count, terminal)? {
            count.skipped += waiting.len() - at;
            break;
        }
    }
    let Count { accepted, rejected, discarded, skipped } = count;
    terminal.line(&format!(
        "\n{accepted} accepted, {rejected} rejected, {discarded} deleted, {skipped} left for later"
    ));
    Ok(Done::Success)
}

/// Asks about one report until something is decided.
fn review_one(
    report_store: &ReportStore,
    id: &str,
    count: &mut Count,
    terminal: &Terminal,
) -> Result<NextStep, Failed> {
    loop {
        // Someone else may have decided, or an edit changed it.
        let Ok(report) = report_store.report(id) else { return Ok(NextStep::Next) };
        if report.status != Status::Pending {
            return Ok(NextStep::Next);
        }
        let mut page = Page::default();
        add_report(&mut page, &report);
        add_target(&mut page, report_store, &report)?;
        page.print(terminal);
        let Some(answer) = terminal.ask(QUESTION) else { return Ok(NextStep::Stop) };
        let mut review = Review { report_store, report: &report, count, terminal };
        match review.apply(&answer) {
            Ok(NextStep::Again) => {}
            Ok(then) => return Ok(then),
            // An error in one report must not end the review of the others.
            Err(failed) => terminal.print_failure(&failed.what, &failed.fix),
        }
    }
}

/// One report and the person who decides about it.
struct Review<'a> {
    report_store: &'a ReportStore,
    report: &'a Report,
    count: &'a mut Count,
    terminal: &'a Terminal,
}

impl Review<'_> {
    fn apply(&mut self, answer: &str) -> Result<NextStep, Failed> {
        let Review { report_store, report, count, terminal } = self;
        match answer.to_lowercase().as_str() {
            "a" => {
                let is_written = accept(report_store, report, terminal)?;
                count.accepted += usize::from(is_written);
                return Ok(if is_written { NextStep::Next } else { NextStep::Again });
            }
            "r" => {
                let Some(reason) = terminal.ask("Why? (may be empty):") else { return Ok(NextStep::Stop) };
                reject(report_store, report, &reason)?;
                count.rejected += 1;
                terminal.done("rejected");
            }
            "d" => {
                report_store.discard(report)?;
                count.discarded += 1;
                terminal.done("deleted");
            }
            "s" => count.skipped += 1,
            "q" => return Ok(NextStep::Stop),
            "e" => {
                open_in_editor(report_store, report, terminal)?;
                return Ok(NextStep::Again);
            }
            _ => {
                terminal.line(HELP);
                return Ok(NextStep::Again);
            }
        }
        Ok(NextStep::Next)
    }
}

/// Asks for what is missing, and writes the rule; `false` if the person cancels.
fn accept(report_store: &ReportStore, report: &Report, terminal: &Terminal) -> Result<bool, Failed> {
    let mut arguments = Accept::default();
    if needs_lesson(report) {
        let title = terminal.ask(&format!("Title of the rule (empty: {}):", one_line(&report.draft.title)));
        let Some(title) = title else { return Ok(false) };
        arguments.title = (!title.is_empty()).then_some(title);
        let detail = terminal.ask("What to do, or not to do, and why (empty: back):").unwrap_or_default();
        if detail.is_empty() {
            return Ok(false);
        }
        arguments.detail = Some(detail);
    }
    loop {
        match arguments.accept(report_store, report)? {
            Accepted::Written { node, is_new, warning } => {
                let title = arguments.title.as_deref().unwrap_or(&report.draft.title);
                print_written(&one_line(title), (&node, is_new), terminal);
                print_warning(warning.as_deref(), terminal);
                return Ok(true);
            }
            Accepted::Known(rule) => {
                duplicate(&rule, report_store).print(terminal);
                let answer = terminal.ask("Write it anyway? [y/N]").unwrap_or_default().to_lowercase();
                if answer != "y" && answer != "yes" {
                    return Ok(false);
                }
                arguments.force = true;
            }
        }
    }
}
