//! A report in numbers.

use std::collections::BTreeSet;

use serde::Serialize;

use super::findings;
use crate::finding::{Finding, Level};
use crate::report::{FailureKind, Formatted, Report};

/// A report in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Findings that count: errors and warnings.
    pub findings: usize,
    /// Those of them that are errors.
    pub errors: usize,
    /// What is only reported.
    pub advisories: usize,
    /// Findings that count and can be fixed automatically.
    pub fixable: usize,
    /// Files with findings that count.
    pub files_with_findings: usize,
    /// Findings that `quality.scope` left out.
    pub old: usize,
    /// Files that were checked.
    pub files: usize,
    /// Files that were rewritten.
    pub rewritten: usize,
    /// Linters that checked them.
    pub linters: usize,
    /// Linters that failed or exceeded a limit.
    pub failed: usize,
    /// Linters that are not installed.
    pub missing: usize,
}

impl Tally {
    #[must_use]
    pub fn from_report(report: &Report) -> Tally {
        let all = findings(report);
        let counting: Vec<&&Finding> = all.iter().filter(|found| found.level > Level::Advisory).collect();
        let files: BTreeSet<&str> = counting.iter().map(|found| found.file.as_str()).collect();
        let linters_with = |kinds: &[FailureKind]| {
            let failures = report.troubles.iter().filter(|failure| kinds.contains(&failure.kind));
            failures.map(|failure| failure.linter.as_str()).collect::<BTreeSet<_>>().len()
        };
        Tally {
            findings: counting.len(),
            errors: counting.iter().filter(|found| found.level == Level::Error).count(),
            advisories: all.len() - counting.len(),
            fixable: counting.iter().filter(|found| found.fixable).count(),
            files_with_findings: files.len(),
            old: report.files.iter().map(|file| file.old).sum(),
            files: report.files.len(),
            rewritten: report.files.iter().filter(|file| file.format == Formatted::Rewritten).count(),
            linters: report.files.iter().flat_map(|file| &file.linters).collect::<BTreeSet<_>>().len(),
            failed: linters_with(&[FailureKind::Failed, FailureKind::Late, FailureKind::Memory]),
            missing: linters_with(&[FailureKind::Missing]),
        }
    }
}
