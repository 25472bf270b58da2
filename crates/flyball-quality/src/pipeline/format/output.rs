//! Reads what a filter made of a content.

use flyball_core::workshop::JobResult;
use regex_lite::{Captures, Regex};
use serde_json::Value;

use super::chain::Step;
use crate::linter::Filter;
use crate::output::{RawFinding, walk_json};
use crate::pipeline::failures::Failure;

/// The code of what a formatter says about a file that it cannot parse.
const SYNTAX: &str = "syntax";

/// What a filter made of a content.
pub(super) fn read(before: &str, ran: JobResult, step: &Step<'_>) -> Result<String, Failure> {
    if let Some(failure) = failure(&ran, step) {
        return Err(failure);
    }
    if ran.cut {
        return Err(Failure::new("printed too much"));
    }
    let printed = String::from_utf8(ran.stdout).map_err(|_| Failure::new("printed invalid UTF-8"))?;
    let after = match step.filter.content.as_str() {
        "" => printed,
        path => content_at(&printed, path)?.unwrap_or_else(|| before.to_owned()),
    };
    // A formatter that prints nothing although it succeeds must never empty a file.
    if after.is_empty() && !before.trim().is_empty() {
        return Err(Failure::new("printed nothing for a file that is not empty"));
    }
    Ok(after)
}

/// Why a filter failed; `None` if it did not.
pub(super) fn failure(ran: &JobResult, step: &Step<'_>) -> Option<Failure> {
    let failure = Failure::from_run(ran, &step.ok())?;
    Some(Failure { parse_error: parse_error(step.filter, ran).map(Box::new), ..failure })
}

/// What a filter says about a file that it cannot parse.
pub(super) fn parse_error(filter: &Filter, ran: &JobResult) -> Option<RawFinding> {
    let printed =
        [&ran.stderr, &ran.stdout].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    let patterns = filter.parse_error.lines().filter(|line| !line.is_empty());
    let mut patterns = patterns.filter_map(|pattern| Regex::new(&format!("(?m){pattern}")).ok());
    patterns.find_map(|pattern| pattern.captures(&printed).map(|parts| raw_finding(&parts)))
}

fn raw_finding(parts: &Captures<'_>) -> RawFinding {
    let part = |name: &str| parts.name(name).map(|part| part.as_str());
    let number = |name: &str| part(name).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    RawFinding {
        line: number("line"),
        column: number("column"),
        code: SYNTAX.to_owned(),
        message: part("message").unwrap_or("it cannot be parsed").trim().to_owned(),
        ..RawFinding::default()
    }
}

/// The new content in the JSON that a filter printed; `None` if it changes nothing.
fn content_at(printed: &str, path: &str) -> Result<Option<String>, Failure> {
    let value: Value = serde_json::from_str(printed)
        .map_err(|error| Failure::new(format!("printed invalid JSON: {error}")))?;
    Ok(walk_json(&value, path).and_then(Value::as_str).map(str::to_owned))
}
