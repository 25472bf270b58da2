//! Reads a finding from each line that matches a pattern.

use regex_lite::{Captures, Regex};

use super::{RawFinding, RawOutput, Unreadable, level, text};

const FORM: &str = "lines of findings";

pub(super) fn read(patterns: &str, output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let patterns = compile(patterns)?;
    let plain = text::strip_escapes(output.text);
    let raw = |line: &str| patterns.iter().find_map(|pattern| pattern.captures(line).map(raw_finding));
    let found: Vec<RawFinding> = plain.lines().filter_map(raw).collect();
    // A linter with an unknown output must not pass for one that found nothing.
    if found.is_empty() && !plain.trim().is_empty() {
        return Err(Unreadable { form: FORM, why: format!("no line matches in {}", text::excerpt(&plain)) });
    }
    Ok(found)
}

/// The patterns, one a line.
fn compile(patterns: &str) -> Result<Vec<Regex>, Unreadable> {
    let lines = patterns.lines().map(str::trim).filter(|line| !line.is_empty());
    let compiled: Result<Vec<Regex>, _> = lines.map(Regex::new).collect();
    compiled.map_err(|error| Unreadable { form: FORM, why: format!("invalid pattern: {error}") })
}

fn raw_finding(parts: Captures<'_>) -> RawFinding {
    let part = |name: &str| parts.name(name).map(|part| part.as_str());
    let number = |name: &str| part(name).and_then(|digits| digits.parse::<u32>().ok());
    let line = number("line").unwrap_or(0);
    RawFinding {
        file: part("file").map(str::to_owned),
        line,
        column: number("column").unwrap_or(0),
        end_line: number("end_line").filter(|end| *end > line),
        code: part("code").unwrap_or_default().to_owned(),
        message: part("message").unwrap_or_default().trim().to_owned(),
        level: part("level").and_then(level::parse),
        fixable: false,
        fix: None,
    }
}
