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
        let fingerprint = fingerprint_with_line(finding, line_of(finding, content));
        self.lines.get_mut(&fingerprint).is_some_and(|lines| lines.pop().is_some())
    }

    /// Whether one like this was there before in the lines that its own replaced. It counts once.
    pub(super) fn take_near(&mut self, finding: &Finding, content: &str, replaced: &[Replaced]) -> bool {
        let Some(place) = replaced.iter().find(|place| place.new.contains(&finding.line)) else {
            return false;
        };
        let message = plain_message(finding, line_of(finding, content).unwrap_or_default());
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
    let line = line.unwrap_or_default().trim();
    (finding.code.clone(), plain_message(finding, line), line.to_owned())
}

fn line_of<'c>(finding: &Finding, content: &'c str) -> Option<&'c str> {
    content.lines().nth((finding.line as usize).checked_sub(1)?)
}

/// A message without what changes although the problem is the same: numbers, and the text of the line if it is shown.
fn plain_message(finding: &Finding, line: &str) -> String {
    let line = line.trim();
    let is_of_line = |part: &str| part == line || (part.contains(' ') && line.contains(part));
    let parts = finding.message.split('"').enumerate().map(|(at, part)| {
        let is_quoted = at % 2 == 1 && !part.is_empty();
        if is_quoted && is_of_line(part.trim_end_matches('…').trim_end_matches("...")) { "" } else { part }
    });
    without_numbers(&parts.collect::<Vec<_>>().join("\""))
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
