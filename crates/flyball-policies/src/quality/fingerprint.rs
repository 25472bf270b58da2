//! Recognizes a finding after other edits of its file.

use flyball_quality::finding::Finding;

use super::messages::short;
use crate::digest::digest;

/// A finding without its place in the file: edits above it must not change it.
pub(super) type Fingerprint = u64;

pub(super) fn fingerprint(finding: &Finding) -> Fingerprint {
    fingerprint_parts(&finding.file, (&finding.linter, &finding.code), &finding.message)
}

/// The fingerprints of findings, sorted. Several findings may have the same.
pub(super) fn fingerprints<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<Fingerprint> {
    let mut all: Vec<Fingerprint> = findings.into_iter().map(fingerprint).collect();
    all.sort_unstable();
    all
}

/// Of the message, what is shown of it counts; numbers do not, because they are often lines.
pub(super) fn fingerprint_parts(file: &str, (linter, code): (&str, &str), message: &str) -> Fingerprint {
    let message: String = short(message).chars().filter(|letter| !letter.is_ascii_digit()).collect();
    digest([file, linter, code, &message])
}
