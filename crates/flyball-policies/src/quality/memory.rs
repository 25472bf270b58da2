//! What a session remembers of the files it edited and of what it was told about them.

use std::collections::{BTreeMap, BTreeSet};

use flyball_quality::finding::{Finding, Level};
use flyball_quality::report::FileReport;
use serde::{Deserialize, Serialize};

use super::inputs::Inputs;
use super::stamp::Stamp;
use crate::digest::digest;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Session {
    /// The commit it began with, where findings are compared with it.
    pub(super) base: Option<String>,
    /// The files it edited, by path below the project's root.
    pub(super) files: BTreeMap<String, Edited>,
    /// The troubles that the user was told of: the linter (or model) and what was wrong.
    pub(super) troubles: BTreeMap<String, String>,
    /// What linters of the whole project last said.
    pub(super) project: Option<ProjectSeen>,
    /// The findings that last kept it from stopping.
    pub(super) held: Option<BlockedStop>,
}

/// One file that the session edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Edited {
    /// What it looked like from outside when it was checked.
    pub(super) stamp: Stamp,
    /// What is left to mend.
    pub(super) open: BTreeSet<Fingerprint>,
    /// The advice that was given on it.
    pub(super) advised: BTreeSet<Fingerprint>,
}

/// What linters of the whole project said, and of which state of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ProjectSeen {
    /// The files and their stamps in one number.
    pub(super) state: u64,
    pub(super) open: BTreeSet<Fingerprint>,
}

/// Findings that kept the session from stopping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BlockedStop {
    pub(super) prints: BTreeSet<Fingerprint>,
    /// How often it was held in a row without getting anywhere.
    pub(super) times: u32,
    /// The fewest findings that were left in this row: what only goes back and forth gets nowhere.
    pub(super) fewest: usize,
    /// Whether the user was told that it was let go all the same.
    pub(super) let_go: bool,
}

/// A finding without its place in the file: edits above it must not make it another one.
pub(super) type Fingerprint = u64;

/// The fingerprint of a finding. Numbers in a message are often lines.
pub(super) fn fingerprint(finding: &Finding) -> Fingerprint {
    fingerprint_parts(&finding.file, (&finding.linter, &finding.code), &finding.message)
}

/// The same of its parts: the linter and the linter's name for it go together.
pub(super) fn fingerprint_parts(file: &str, (linter, code): (&str, &str), message: &str) -> Fingerprint {
    let message: String = message.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    digest([file, linter, code, &message])
}

/// Whether a finding is to be mended, and is not only advice.
pub(super) fn is_open(finding: &Finding) -> bool {
    finding.level > Level::Advisory
}

/// The files that have findings left to mend in what is remembered of a session, and how many each.
pub(crate) fn open_files(memory: &str) -> Vec<(String, usize)> {
    let session: Session = serde_json::from_str(memory).unwrap_or_default();
    let open = session.files.into_iter().map(|(file, edited)| (file, edited.open.len()));
    open.filter(|(_, findings)| *findings > 0).collect()
}

impl Session {
    /// Takes down all that was found; the advice that is new is returned.
    pub(super) fn record_report<'b>(&mut self, brought: &'b Inputs) -> Vec<&'b Finding> {
        // A file that only linters of the whole project are for is an edited one too.
        for (name, stamp) in &brought.stamps {
            self.files.entry(name.clone()).or_default().stamp = *stamp;
        }
        brought.report.files.iter().flat_map(|file| self.record_file(file)).collect()
    }

    fn record_file<'r>(&mut self, report: &'r FileReport) -> Vec<&'r Finding> {
        let edited = self.files.entry(report.file.clone()).or_default();
        let (open, advice): (Vec<&Finding>, Vec<&Finding>) =
            report.findings.iter().partition(|finding| is_open(finding));
        edited.open = open.into_iter().map(fingerprint).collect();
        let given: BTreeSet<Fingerprint> = advice.iter().map(|finding| fingerprint(finding)).collect();
        let new =
            advice.into_iter().filter(|finding| !edited.advised.contains(&fingerprint(finding))).collect();
        edited.advised = given;
        new
    }
}
