//! Recognises a finding that was there before although lines have moved.

use std::collections::BTreeMap;

use super::lines::Replaced;
use crate::finding::Finding;

/// What identifies a finding without its place: code, message without numbers, and the text of its line.
type Fingerprint = (String, String, String);

/// Findings that were there before, each to be recognised once.
#[derive(Default)]
pub(super) struct Known {
    /// The lines that they were in, which are not recognised yet.
    lines: BTreeMap<Fingerprint, Vec<u32>>,
}

impl Known {
    pub(super) fn new(findings: &[Finding], content: &str) -> Known {
        let lines: Vec<&str> = content.lines().collect();
        let mut known = Known::default();
        for finding in findings {
            known.lines.entry(fingerprint(finding, &lines)).or_default().push(finding.line);
        }
        known
    }

    /// Adds one whose line is not known.
    pub(super) fn add(&mut self, finding: &Finding) {
        self.lines.entry(fingerprint(finding, &[])).or_default().push(finding.line);
    }

    /// Whether this one was there before. It counts once.
    pub(super) fn take(&mut self, finding: &Finding, content: &str) -> bool {
        let line = content.lines().nth((finding.line as usize).saturating_sub(1));
        let fingerprint = fingerprint_with_line(finding, line.filter(|_| finding.line > 0));
        self.lines.get_mut(&fingerprint).is_some_and(|lines| lines.pop().is_some())
    }

    /// Whether one like this was there before in the lines that its own replaced. It counts once.
    pub(super) fn take_near(&mut self, finding: &Finding, replaced: &[Replaced]) -> bool {
        let Some(place) = replaced.iter().find(|place| place.new.contains(&finding.line)) else {
            return false;
        };
        let message = without_numbers(&finding.message);
        let alike =
            self.lines.iter_mut().filter(|((code, text, _), _)| *code == finding.code && *text == message);
        for (_, lines) in alike {
            if let Some(at) = lines.iter().position(|line| place.old.contains(line)) {
                lines.remove(at);
                return true;
            }
        }
        false
    }
}

fn fingerprint(finding: &Finding, lines: &[&str]) -> Fingerprint {
    let at = (finding.line as usize).checked_sub(1);
    fingerprint_with_line(finding, at.and_then(|at| lines.get(at).copied()))
}

fn fingerprint_with_line(finding: &Finding, line: Option<&str>) -> Fingerprint {
    let line = line.unwrap_or_default().trim().to_owned();
    (finding.code.clone(), without_numbers(&finding.message), line)
}

/// A message in which every number is the same: `line 12` moves, and so does `(88 > 79)`.
fn without_numbers(message: &str) -> String {
    let mut plain = String::with_capacity(message.len());
    for letter in message.chars() {
        match letter {
            '0'..='9' if plain.ends_with('#') => {}
            '0'..='9' => plain.push('#'),
            other => plain.push(other),
        }
    }
    plain
}
