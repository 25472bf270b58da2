//! A report as workflow commands, which GitHub shows beside the lines they are about.

use super::{findings, prefixed_path};
use crate::finding::{Finding, Level};
use crate::report::{FailureKind, LinterFailure, Report, SkippedFile};

/// One command a line. `prefix` is the project's folder below the repository, with a `/` at its
/// end, or empty.
#[must_use]
pub fn render(report: &Report, prefix: &str) -> Vec<String> {
    let found = findings(report).into_iter().map(|finding| annotation(finding, prefix));
    let skipped = report.skipped.iter().map(|skipped| skip_annotation(skipped, prefix));
    found.chain(report.troubles.iter().map(failure_annotation)).chain(skipped).collect()
}

fn skip_annotation(skipped: &SkippedFile, prefix: &str) -> String {
    let file = property(&prefixed_path(prefix, &skipped.file));
    format!("::warning file={file},line=1,title=not checked::{}", data(skipped.why.describe()))
}

fn annotation(finding: &Finding, prefix: &str) -> String {
    let kind = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Advisory => "notice",
    };
    let mut properties = format!("file={}", property(&prefixed_path(prefix, &finding.file)));
    // The whole file is shown at its first line.
    properties.push_str(&format!(",line={}", finding.line.max(1)));
    if finding.line > 0 && finding.column > 0 {
        properties.push_str(&format!(",col={}", finding.column));
    }
    if let Some(end) = finding.end_line.filter(|_| finding.line > 0) {
        properties.push_str(&format!(",endLine={end}"));
    }
    let title = format!("{} {}", finding.linter, finding.code);
    format!("::{kind} {properties},title={}::{}", property(title.trim_end()), data(&finding.message))
}

fn failure_annotation(error: &LinterFailure) -> String {
    let (kind, state) = match error.kind {
        FailureKind::Missing => ("notice", "is not installed"),
        FailureKind::Untrusted => ("notice", "was left out"),
        FailureKind::TooOld => ("warning", "is too old"),
        FailureKind::Unreadable => ("warning", "cannot read this syntax"),
        FailureKind::Failed => ("error", "failed"),
        FailureKind::Late => ("error", "was late"),
        FailureKind::Memory => ("error", "used too much memory"),
    };
    let title = property(&format!("{} {state}", error.linter));
    let fix = if error.fix.is_empty() { "" } else { "\n" };
    format!("::{kind} title={title}::{}", data(&format!("{}{fix}{}", error.what, error.fix)))
}

/// What follows `::` must be on one line.
fn data(text: &str) -> String {
    // The percent sign first, or it would escape the escapes.
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In properties what separates them must be escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
