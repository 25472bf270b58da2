//! Reports for machines: pure functions from a report to text.
//!
//! What people see depends on their terminal, so the command itself renders that.

pub mod github;
pub mod json;
pub mod sarif;
mod tally;
#[cfg(test)]
mod tests;

pub use tally::Tally;

use crate::finding::{Finding, Level};
use crate::report::{FileReport, Formatted, Report};

/// The code of a finding about how a file is formatted, and the linter that reports it.
pub const FORMAT: &str = "format";
/// The name under which flyball itself finds something.
pub const TOOL_NAME: &str = "flyball";

/// What a file that was rewritten means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewriting {
    /// The user asked for it.
    Wanted,
    /// The staged content differs from the file.
    NeedsStaging,
}

/// The report with a finding for every file whose formatting is not as it should be.
#[must_use]
pub fn with_formatting(mut report: Report, rewriting: Rewriting) -> Report {
    for file in &mut report.files {
        if let Some((message, fixable)) = format_message(file.format, rewriting) {
            file.findings.insert(0, whole_file_finding(file, message, fixable));
        }
    }
    report
}

fn format_message(format: Formatted, rewriting: Rewriting) -> Option<(&'static str, bool)> {
    match (format, rewriting) {
        (Formatted::Already, _) | (Formatted::Rewritten, Rewriting::Wanted) => None,
        (Formatted::Rewritten, Rewriting::NeedsStaging) => Some(("was reformatted: stage it again", false)),
        (Formatted::Due, _) => Some(("is not formatted", true)),
        (Formatted::Overtaken, _) => {
            Some(("was changed by another program while it was formatted, so it was left alone", true))
        }
    }
}

fn whole_file_finding(file: &FileReport, message: &str, fixable: bool) -> Finding {
    Finding {
        file: file.file.to_string(),
        line: 0,
        column: 0,
        end_line: None,
        code: FORMAT.to_owned(),
        message: message.to_owned(),
        linter: TOOL_NAME.to_owned(),
        level: Level::Warning,
        fixable,
        fix: None,
    }
}

/// All findings, sorted by file and place: the order in which every format shows them.
#[must_use]
pub fn findings(report: &Report) -> Vec<&Finding> {
    let mut all: Vec<&Finding> =
        report.files.iter().flat_map(|file| &file.findings).chain(&report.project).collect();
    all.sort();
    // A linter of the project may report what another run of it found in the file.
    all.dedup();
    all
}

/// A path below the repository, if the project is a folder of it.
fn prefixed_path(prefix: &str, file: &str) -> String {
    if file.starts_with('/') { file.to_owned() } else { format!("{prefix}{file}") }
}
