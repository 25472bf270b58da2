//! A report as JSON in a stable format.
//!
//! `version` is raised when a field changes its meaning or is removed; fields may be added at any time.

use serde::Serialize;

use super::{Tally, findings};
use crate::finding::Finding;
use crate::phases::Phases;
use crate::report::{FixReport, Formatted, LinterFailure, Report, SkippedFile};

/// The version of the format.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    summary: Tally,
    /// Sorted by file and place; `line` 0 is the whole file, `column` 0 is unknown.
    findings: Vec<&'a Finding>,
    /// Every file that was checked.
    files: Vec<File<'a>>,
    /// Linters that failed.
    troubles: &'a [LinterFailure],
    /// Files that were not checked.
    skipped: &'a [SkippedFile],
    /// How long each phase took.
    phases: &'a Phases,
}

/// The result for a file, besides its findings.
#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    format: Formatted,
    old: usize,
    linters: &'a [String],
    cached: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'a FixReport>,
}

/// The report as pretty-printed JSON without a line break at its end.
#[must_use]
pub fn render(report: &Report) -> String {
    let files = report.files.iter().map(|file| File {
        file: &file.file,
        format: file.format,
        old: file.old,
        linters: &file.linters,
        cached: file.cached,
        fix: file.fix.as_ref(),
    });
    let document = Document {
        version: VERSION,
        summary: Tally::from_report(report),
        findings: findings(report),
        files: files.collect(),
        troubles: &report.troubles,
        skipped: &report.skipped,
        phases: &report.phases,
    };
    // A value of these types can always be written.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}
