//! What the linters found.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_quality::report::Report;

use crate::stamp::Stamp;

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
    /// The linters that the project is configured for and that are not installed.
    pub(super) wanted: BTreeSet<String>,
    pub(super) took: Duration,
}
