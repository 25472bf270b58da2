//! Recognizes a finding after other edits of its file.

use flyball_quality::finding::Finding;

use crate::digest::digest;

/// A finding without its place in the file: edits above it must not change it.
pub(super) type Fingerprint = u64;

/// Numbers in the message do not count: they are often lines.
pub(super) fn fingerprint(finding: &Finding) -> Fingerprint {
    fingerprint_parts(&finding.file, (&finding.linter, &finding.code), &finding.message)
}

pub(super) fn fingerprint_parts(file: &str, (linter, code): (&str, &str), message: &str) -> Fingerprint {
    let message: String = message.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    digest([file, linter, code, &message])
}
