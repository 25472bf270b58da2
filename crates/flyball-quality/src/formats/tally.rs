//! A report in numbers.

use std::collections::BTreeSet;

use serde::Serialize;

use super::findings;
use crate::finding::{Finding, Level};
use crate::report::{Formatted, Report, TroubleKind};

/// A report in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Findings that count: errors and warnings.
    pub findings: usize,
    /// Those of them that are errors.
    pub errors: usize,
    /// What is only told.
    pub advisories: usize,
    /// Findings that count and can be mended without a person.
    pub fixable: usize,
    /// Files with findings that count.
    pub files_with_findings: usize,
    /// Findings that `quality.scope` left out.
    pub old: usize,
    /// Files that were looked at.
    pub files: usize,
    /// Files that were rewritten.
    pub rewritten: usize,
    /// Linters that looked at them.
    pub linters: usize,
    /// Linters that failed or were late.
    pub failed: usize,
    /// Linters that are not installed.
    pub missing: usize,
}

impl Tally {
    #[must_use]
    pub fn of(report: &Report) -> Tally {
        let all = findings(report);
        let counting: Vec<&&Finding> = all.iter().filter(|found| found.level > Level::Advisory).collect();
        let files: BTreeSet<&str> = counting.iter().map(|found| found.file.as_str()).collect();
        let trouble = |kinds: &[TroubleKind]| {
            let of_kind = report.troubles.iter().filter(|trouble| kinds.contains(&trouble.kind));
            of_kind.map(|trouble| trouble.linter.as_str()).collect::<BTreeSet<_>>().len()
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
            failed: trouble(&[TroubleKind::Failed, TroubleKind::Late]),
            missing: trouble(&[TroubleKind::Missing]),
        }
    }
}
