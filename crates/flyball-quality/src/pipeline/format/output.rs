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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use flyball_core::workshop::Ending;

    use super::*;
    use crate::catalogue;

    fn ran(stderr: &str) -> JobResult {
        JobResult {
            ending: Ending::Exited(2),
            stdout: Vec::new(),
            stderr: stderr.as_bytes().to_vec(),
            cut: false,
            took: Duration::ZERO,
        }
    }

    /// Recorded from versions and tools that the tests do not install.
    #[test]
    fn formatters_say_where_they_cannot_parse() {
        let cases = [
            (
                "black",
                "error: cannot format a.py: Cannot parse: 2:6: def f(:\n\nOh no!\n",
                Some((2, "def f(:")),
            ),
            (
                "terraform-fmt",
                "\nError: Unclosed configuration block\n\n  on <stdin> line 2, in b:\n   2: b {\n\nThere is no closing brace.\n",
                Some((2, "Unclosed configuration block")),
            ),
            (
                "buf-format",
                "Failure: b.proto:2:1:missing name after `message`\n",
                Some((2, "missing name after `message`")),
            ),
            ("prettier", "[error] Cannot find package 'x' imported from /p/.prettierrc\n", None),
        ];
        for (linter, printed, expected) in cases {
            let filter = &catalogue::builtin()[linter].format.as_ref().unwrap()[0];
            let found = parse_error(filter, &ran(printed));
            let found = found.as_ref().map(|raw| (raw.line, raw.message.as_str()));
            assert_eq!(found, expected, "{linter}");
        }
    }

    #[test]
    fn content_is_taken_from_json_and_nothing_there_changes_nothing() {
        let at = |printed: &str| content_at(printed, "[].output").map_err(|failure| failure.what);
        assert_eq!(at("[{\"output\":\"x\"}]"), Ok(Some("x".to_owned())));
        assert_eq!(at("[{}]"), Ok(None));
        assert!(at("oops").is_err());
    }
}
