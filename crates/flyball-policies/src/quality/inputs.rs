//! What the linters found.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_quality::report::Report;

use crate::stamp::Stamp;

impl Inputs {
    /// Adds what another run of the linters on other files found.
    pub(super) fn join(&mut self, other: Inputs) {
        self.report.files.extend(other.report.files);
        for failure in other.report.troubles {
            if !self.report.troubles.contains(&failure) {
                self.report.troubles.push(failure);
            }
        }
        self.report.skipped.extend(other.report.skipped);
        self.report.phases.join(&other.report.phases);
        self.stamps.extend(other.stamps);
        self.took += other.took;
    }
}

/// What was gathered before the decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Inputs {
    pub(super) report: Report,
    /// The checked files, relative to the root.
    pub(super) stamps: BTreeMap<String, Stamp>,
    /// Edited files that no longer exist.
    pub(super) gone: Vec<String>,
    /// A digest of the files for which whole-project linters ran, if they did.
    pub(super) project: Option<u64>,
    /// How many files changed at once, if too many to be checked.
    pub(super) too_many: Option<usize>,
    pub(super) took: Duration,
}
