//! What a session remembers of the files it edited and of the findings in them.

use std::collections::{BTreeMap, BTreeSet};

use flyball_quality::finding::{Finding, Level};
use flyball_quality::report::FileReport;
use serde::{Deserialize, Serialize};

use super::blocked::BlockedStop;
use super::fingerprint::{Fingerprint, fingerprint, fingerprints};
use super::inputs::Inputs;
use crate::stamp::Stamp;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Session {
    /// The commit at its start, if findings are compared with it.
    pub(super) base: Option<String>,
    /// The files it edited, by path below the project's root.
    pub(super) files: BTreeMap<String, Edited>,
    /// The failures that were reported to the user, by linter or model.
    // The old name here and below: sessions that are stored have it.
    #[serde(rename = "troubles")]
    pub(super) failures: BTreeMap<String, String>,
    /// The last result of the whole-project linters.
    pub(super) project: Option<ProjectSeen>,
    /// The findings that last blocked it from stopping.
    #[serde(rename = "held")]
    pub(super) blocked: Option<BlockedStop>,
}

/// One file that the session edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Edited {
    pub(super) stamp: Stamp,
    /// The findings that are left to fix, sorted; several may have the same fingerprint.
    pub(super) open: Vec<Fingerprint>,
    /// Whether linters will fix something in it at the end of the turn.
    pub(super) is_fixed_later: bool,
    /// The advice that was given on it.
    pub(super) advised: BTreeSet<Fingerprint>,
}

/// The findings of the whole-project linters, and for which state of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ProjectSeen {
    /// The files and their stamps in one number.
    pub(super) state: u64,
    pub(super) open: BTreeSet<Fingerprint>,
    /// Whether one of them has to be fixed.
    pub(super) has_errors: bool,
}

/// Whether a finding has to be fixed, and is not only advice.
pub(super) fn is_open(finding: &Finding) -> bool {
    finding.level > Level::Advisory
}

/// The files with open findings in the stored memory of a session, and how many each has.
pub(crate) fn open_files(memory: &str) -> Vec<(String, usize)> {
    let session: Session = serde_json::from_str(memory).unwrap_or_default();
    let open = session.files.into_iter().map(|(file, edited)| (file, edited.open.len()));
    open.filter(|(_, findings)| *findings > 0).collect()
}

impl Session {
    /// Separates findings that the agent was told of after an earlier edit from those that are new. If there are more of a
    /// kind than before, all of them count as new.
    pub(super) fn split_known<'f>(&self, findings: Vec<&'f Finding>) -> (Vec<&'f Finding>, Vec<&'f Finding>) {
        let now = fingerprints(findings.iter().copied());
        let count = |all: &[Fingerprint], print: Fingerprint| all.iter().filter(|it| **it == print).count();
        findings.into_iter().partition(|finding| {
            let print = fingerprint(finding);
            let before = self.files.get(&finding.file).map_or(0, |file| count(&file.open, print));
            before > 0 && count(&now, print) <= before
        })
    }

    /// Records all findings; returns the new advice.
    pub(super) fn record_report<'b>(&mut self, inputs: &'b Inputs) -> Vec<&'b Finding> {
        // A file that only whole-project linters check is an edited one too.
        for (name, stamp) in &inputs.stamps {
            self.files.entry(name.clone()).or_default().stamp = *stamp;
        }
        inputs.report.files.iter().flat_map(|file| self.record_file(file)).collect()
    }

    fn record_file<'r>(&mut self, report: &'r FileReport) -> Vec<&'r Finding> {
        let edited = self.files.entry(report.file.to_string()).or_default();
        let (open, advice): (Vec<&Finding>, Vec<&Finding>) =
            report.findings.iter().partition(|finding| is_open(finding));
        edited.open = fingerprints(open);
        edited.is_fixed_later = !report.later.is_empty();
        let given: BTreeSet<Fingerprint> = advice.iter().map(|finding| fingerprint(finding)).collect();
        let new =
            advice.into_iter().filter(|finding| !edited.advised.contains(&fingerprint(finding))).collect();
        // Replaced, not extended: advice that comes back later is given again.
        edited.advised = given;
        new
    }
}
