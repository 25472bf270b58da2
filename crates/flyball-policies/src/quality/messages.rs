//! The text of findings: grouped by file, capped, one line each.

use std::collections::BTreeMap;

use flyball_core::text;
use flyball_core::verdict::Snippet;
use flyball_quality::finding::{Finding, Level};

use crate::shell_word::path_word;

/// Some linters explain at length.
const MESSAGE_CHARS: usize = 200;

/// Findings as they are shown.
pub(super) struct FindingsMessage<'a> {
    /// In the order of their files and places.
    pub(super) findings: Vec<&'a Finding>,
    /// How many are shown.
    pub(super) shown: usize,
    /// The words between their number and their place: `findings left in`.
    pub(super) verb: &'a str,
}

impl FindingsMessage<'_> {
    /// `[flyball:error] 3 findings in src/app.py`, a line for each, and what is not shown.
    pub(super) fn text(&self) -> String {
        // `open` reads this form back from what was shown: a change here needs one there.
        let level = self.findings.iter().map(|finding| finding.level).max().unwrap_or_default();
        let mut text = format!("[flyball:{}] {}", level.name(), self.heading());
        let (shown, left) = self.chosen();
        let files = self.files();
        for file in &files {
            let here = shown.iter().filter(|finding| finding.file == **file);
            if files.len() > 1 && here.clone().next().is_some() {
                text.push_str(&format!("\n{file}"));
            }
            here.for_each(|finding| text.push_str(&format!("\n{}", line(finding))));
        }
        if !left.is_empty() {
            text.push_str(&format!("\n{}", rest(&left)));
        }
        text
    }

    fn heading(&self) -> String {
        let files = self.files();
        let place = match files.as_slice() {
            [file] => (*file).to_owned(),
            files => format!("{} files", files.len()),
        };
        format!("{} {} {place}", text::counted(self.findings.len(), "finding"), self.verb)
    }

    /// The files in the order of the findings.
    fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for finding in &self.findings {
            if !files.contains(&finding.file.as_str()) {
                files.push(&finding.file);
            }
        }
        files
    }

    /// The findings that are shown, and those that are only counted: errors are shown first, in the order of places.
    fn chosen(&self) -> (Vec<&Finding>, Vec<&Finding>) {
        let errors = self.findings.iter().filter(|finding| finding.level == Level::Error).count();
        let (mut first, mut others) = (self.shown, self.shown.saturating_sub(errors));
        self.findings.iter().partition(|finding| {
            let room = if finding.level == Level::Error { &mut first } else { &mut others };
            let fits = *room > 0;
            *room = room.saturating_sub(1);
            fits
        })
    }
}

/// How many findings that were reported before are named.
const NAMED: usize = 8;

/// `[flyball:warning] still open in src/app.py, as reported before: 2:5 F841, 3:5 F841`.
pub(super) fn still_open(findings: &[&Finding]) -> String {
    let mut files: Vec<String> = Vec::new();
    let level = findings.iter().map(|finding| finding.level).max().unwrap_or_default();
    let named = findings.get(..NAMED.min(findings.len())).unwrap_or_default();
    for group in named.chunk_by(|one, other| one.file == other.file) {
        let places: Vec<String> =
            group.iter().map(|it| format!("{} {}", place(it), it.code).trim_end().to_owned()).collect();
        let file = group.first().map_or("", |finding| finding.file.as_str());
        files.push(format!("{file}, as reported before: {}", places.join(", ")));
    }
    let more = match findings.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("[flyball:{}] still open in {}{more}", level.name(), files.join("; in "))
}

/// `12:5`.
fn place(finding: &Finding) -> String {
    match (finding.line, finding.column) {
        (0, _) => "file".to_owned(),
        (line, 0) => line.to_string(),
        (line, column) => format!("{line}:{column}"),
    }
}

/// `  12:5  F841  Local variable … (ruff, fixable)`.
fn line(finding: &Finding) -> String {
    let place = place(finding);
    let code = if finding.code.is_empty() { String::new() } else { format!("{}  ", finding.code) };
    let fixable = if finding.fixable { ", fixable" } else { "" };
    format!("  {place}  {code}{} ({}{fixable})", short(&finding.message_with_fix()), finding.linter)
}

/// A text on one line, cut where it gets long.
pub(super) fn short(text: &str) -> String {
    text::cut_trimmed(&text::one_line(text), MESSAGE_CHARS).into_owned()
}

/// `… and 17 more (ruff 12, ty 5): flyball lint src/app.py`.
fn rest(left: &[&Finding]) -> String {
    let mut linters: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files: Vec<String> = Vec::new();
    for finding in left {
        *linters.entry(&finding.linter).or_default() += 1;
        let file = path_word(&finding.file);
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let counts: Vec<String> = linters.iter().map(|(linter, count)| format!("{linter} {count}")).collect();
    format!("… and {} more ({}): flyball lint {}", left.len(), counts.join(", "), files.join(" "))
}

/// Context for the model.
pub(super) fn snippet(key: &str, text: String) -> Snippet {
    Snippet { key: format!("quality.{key}"), rank: 0, text }
}
