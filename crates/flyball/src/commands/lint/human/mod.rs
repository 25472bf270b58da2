//! A report for people: findings by file, then what could not be checked, then one line of numbers.

use std::time::Duration;

use flyball_core::text;
use flyball_quality::finding::{Finding, Level};
use flyball_quality::formats::{TOOL_NAME, Tally, findings};
use flyball_quality::report::{FailureKind, FixOutcome, FixReport, LinterFailure, Report, SkipReason};

use super::arguments::Arguments;
use super::coverage::Coverage;
use crate::show::text::{one_line, width, wrap};
use crate::show::time::took;
use crate::terminal::{Style, Terminal};

/// Longer messages do not push the linters' names of the others to the right.
const MESSAGE: usize = 72;
/// A narrower column of messages is useless.
const MIN_WIDTH: usize = 24;
const GAP: usize = 2;
const NOTHING_CHOSEN: &str = "no linter is chosen for these files: `flyball lint --why` says why";

/// A report, and who reads it.
pub(super) struct Human<'a> {
    pub(super) report: &'a Report,
    pub(super) coverage: Coverage,
    pub(super) took: Duration,
    /// The linters that may change files with `--fix`.
    pub(super) fixing_linters: Vec<&'a str>,
    pub(super) terminal: &'a Terminal,
}

/// One finding, as text.
struct Row {
    place: String,
    level: Level,
    code: String,
    message: String,
    linter: String,
}

/// The column of messages.
struct MessageColumn {
    /// The columns left of it.
    before: usize,
    /// How wide it is, but for long messages.
    width: usize,
    /// How wide it may be.
    room: usize,
}

impl Human<'_> {
    pub(super) fn lines(&self, arguments: &Arguments) -> Vec<String> {
        let mut lines = Vec::new();
        let all = findings(self.report);
        for file in all.chunk_by(|one, other| one.file == other.file) {
            lines.extend(self.group(file));
            lines.push(String::new());
        }
        lines.extend(self.fixes());
        for error in &self.report.troubles {
            lines.extend(self.failure_lines(error, arguments));
        }
        for skipped in &self.report.skipped {
            let mark = self.terminal.paint(Style::Warning, "!");
            let file = one_line(&skipped.file);
            lines.push(format!("{mark} {file} is not checked, because {}", skipped.why.describe()));
        }
        if self.report.skipped.iter().any(|skipped| skipped.why != SkipReason::Excluded) {
            let arrow = self.terminal.paint(Style::Accent, "→");
            lines.push(format!("  {arrow} name such files in `quality.exclude` to leave them out"));
        }
        let is_empty_handed = match self.coverage {
            Coverage::Chosen => false,
            Coverage::Nothing => true,
            Coverage::NothingInChange => !arguments.quiet,
        };
        if is_empty_handed {
            lines.push(self.terminal.paint(Style::Warning, NOTHING_CHOSEN));
        } else if !arguments.quiet {
            lines.push(self.summary(arguments));
        } else if lines.last().is_some_and(String::is_empty) {
            drop(lines.pop());
        }
        lines
    }

    /// A file and what was found in it.
    fn group(&self, found: &[&Finding]) -> Vec<String> {
        let name = found.first().map(|finding| one_line(&finding.file)).unwrap_or_default();
        let rows: Vec<Row> = found.iter().map(|finding| Row::from_finding(finding)).collect();
        let widest = |part: fn(&Row) -> usize| rows.iter().map(part).max().unwrap_or(0);
        let (place, level) = (widest(|row| width(&row.place)), widest(|row| row.level.name().len()));
        let (code, linter) = (widest(|row| width(&row.code)), widest(|row| width(&row.linter)));
        let before = GAP + place + GAP + level + GAP + code + GAP;
        let room = self.terminal.line_limit().saturating_sub(before + GAP + linter).max(MIN_WIDTH);
        // Wrapped messages take all the room there is.
        let taken = rows.iter().map(|row| width(&row.message).min(room));
        let message = taken.filter(|taken| *taken <= MESSAGE).max().unwrap_or(0);
        let mut lines = vec![self.terminal.paint(Style::Strong, &name)];
        for row in &rows {
            let start = format!(
                "  {}  {}  {}  ",
                padded(self.terminal.paint(Style::Faint, &row.place), place - width(&row.place)),
                padded(self.level(row.level), level - row.level.name().len()),
                padded(self.terminal.paint(Style::Accent, &row.code), code - width(&row.code)),
            );
            lines.extend(self.finding(row, &start, &MessageColumn { before, width: message, room }));
        }
        lines
    }

    /// The lines of one finding: the linter is at the end of the first.
    fn finding(&self, row: &Row, start: &str, column: &MessageColumn) -> Vec<String> {
        let mut lines = Vec::new();
        for (number, part) in wrap(&row.message, column.room).into_iter().enumerate() {
            if number == 0 {
                let padding = column.width.saturating_sub(width(&part));
                let linter = self.terminal.paint(Style::Faint, &row.linter);
                lines.push(format!("{start}{}  {linter}", padded(part, padding)));
            } else {
                lines.push(format!("{}{part}", " ".repeat(column.before)));
            }
        }
        lines
    }

    fn level(&self, level: Level) -> String {
        let style = match level {
            Level::Error => Style::Bad,
            Level::Warning => Style::Warning,
            Level::Advisory => Style::Faint,
        };
        self.terminal.paint(style, level.name())
    }

    /// What the model did.
    fn fixes(&self) -> Vec<String> {
        let fixes = self.report.files.iter().filter_map(|file| Some((file, file.fix.as_ref()?)));
        fixes
            .map(|(file, fix)| format!("{}: {}", one_line(&file.file), one_line(&describe_fix(fix))))
            .collect()
    }

    /// A linter that failed. Missing ones are in the last line, unless they count.
    fn failure_lines(&self, error: &LinterFailure, arguments: &Arguments) -> Vec<String> {
        let (mark, style) = match error.kind {
            FailureKind::Failed | FailureKind::Late | FailureKind::Memory => ("✗", Style::Bad),
            FailureKind::Missing | FailureKind::TooOld | FailureKind::Untrusted | FailureKind::Unreadable => {
                ("!", Style::Warning)
            }
        };
        if error.kind == FailureKind::Missing && !arguments.strict {
            return Vec::new();
        }
        let files = match error.files.as_slice() {
            [] => String::new(),
            [one] => format!(" ({})", one_line(one)),
            [one, rest @ ..] => format!(" ({} and {} more)", one_line(one), rest.len()),
        };
        let text = format!("{}: {}{files}", error.linter, one_line(&error.what));
        let mut lines = vec![format!("{} {text}", self.terminal.paint(style, mark))];
        if !error.fix.is_empty() {
            let arrow = self.terminal.paint(Style::Accent, "→");
            lines.push(format!("  {arrow} {}", one_line(&error.fix)));
        }
        lines
    }

    /// One line of numbers.
    fn summary(&self, arguments: &Arguments) -> String {
        let tally = Tally::from_report(self.report);
        let mut parts = vec![self.verdict(&tally, arguments)];
        if tally.rewritten > 0 {
            parts.push(format!("{} rewritten", text::counted(tally.rewritten, "file")));
        }
        if tally.old > 0 {
            let them = text::plural(tally.old, "it", "them");
            let old = text::counted(tally.old, "older finding");
            parts.push(format!("{old} left out (--scope file shows {them})"));
        }
        let checked =
            format!("{}, {}", text::counted(tally.files, "file"), text::counted(tally.linters, "linter"));
        parts.push(format!("{checked}, {}", took(self.took)));
        for (kinds, label) in [
            (&[FailureKind::Failed, FailureKind::Late, FailureKind::Memory][..], "not checked by"),
            (&[FailureKind::Missing][..], "not installed:"),
        ] {
            let names = self.failed_linters(kinds);
            if !names.is_empty() {
                parts.push(format!("{label} {}", names.join(", ")));
            }
        }
        parts.join(" · ")
    }

    fn verdict(&self, tally: &Tally, arguments: &Arguments) -> String {
        let advisories =
            format!("{} {}", tally.advisories, text::plural(tally.advisories, "advisory", "advisories"));
        let (style, mut text) = match (tally.findings, tally.advisories, tally.failed) {
            (0, 0, 0) => (Style::Good, "no findings".to_owned()),
            (0, 0, _) => (Style::Warning, "no findings".to_owned()),
            (0, _, _) => (Style::Good, format!("no findings, {advisories}")),
            (found, advised, _) => {
                let files = text::counted(tally.files_with_findings, "file");
                let advised = if advised > 0 { format!(", {advisories}") } else { String::new() };
                (Style::Bad, format!("{} in {files}{advised}", text::counted(found, "finding")))
            }
        };
        let fixable = self.fixable();
        if fixable > 0 && !arguments.fix {
            text.push_str(&format!(" (up to {fixable} fixable with --fix)"));
        }
        self.terminal.paint(style, &text)
    }

    /// How many findings may be gone after `--fix`: those that their linter says it can fix. It may skip some of them.
    fn fixable(&self) -> usize {
        // A linter may call a finding fixable without being one of those that fix files here.
        let can_fix = |linter: &str| linter == TOOL_NAME || self.fixing_linters.contains(&linter);
        let counts =
            |found: &&Finding| found.fixable && found.level > Level::Advisory && can_fix(&found.linter);
        self.report.files.iter().flat_map(|file| &file.findings).filter(counts).count()
    }

    /// The linters with one of these failures, each once.
    fn failed_linters(&self, kinds: &[FailureKind]) -> Vec<&str> {
        let of_kind = self.report.troubles.iter().filter(|error| kinds.contains(&error.kind));
        let mut names: Vec<&str> = of_kind.map(|error| error.linter.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Row {
    fn from_finding(finding: &Finding) -> Row {
        let place = match (finding.line, finding.column) {
            (0, _) => "-".to_owned(),
            (line, 0) => line.to_string(),
            (line, column) => format!("{line}:{column}"),
        };
        Row {
            place,
            level: finding.level,
            code: one_line(&finding.code),
            message: one_line(&finding.message),
            linter: one_line(&finding.linter),
        }
    }
}

fn describe_fix(fix: &FixReport) -> String {
    let FixReport { model, given, .. } = fix;
    match &fix.end {
        FixOutcome::Kept(gone) => format!("{model} fixed {gone} of {}", text::counted(*given, "finding")),
        FixOutcome::Unchanged => format!("{model} changed nothing"),
        FixOutcome::Refused(reasons) => {
            format!("the patch of {model} was rejected: {}", reasons.join("; "))
        }
        FixOutcome::Failed(how) => format!("{model} did not fix it: {how}"),
    }
}

fn padded(text: String, blanks: usize) -> String {
    text + &" ".repeat(blanks)
}

#[cfg(test)]
mod tests;
