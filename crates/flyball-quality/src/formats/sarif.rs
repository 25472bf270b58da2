//! A report as SARIF 2.1.0, for code-scanning services and editors.

use serde_json::{Map, Value, json};

use super::{findings, prefixed_path};
use crate::finding::{Finding, Level};
use crate::report::{FailureKind, LinterFailure, Report};

/// Where the schema is.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

/// The report as pretty-printed JSON. `prefix` is the project's folder below the repository, with
/// a `/` at its end, or empty.
#[must_use]
pub fn render(report: &Report, prefix: &str) -> String {
    let found = findings(report);
    let rules = rules(&found);
    let results: Vec<Value> = found.iter().map(|finding| result(finding, &rules, prefix)).collect();
    let failed = |error: &LinterFailure| {
        matches!(error.kind, FailureKind::Failed | FailureKind::Late | FailureKind::Memory)
    };
    let run = json!({
        "tool": {"driver": {
            "name": "flyball",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules.iter().map(rule).collect::<Vec<_>>(),
        }},
        // Our columns count characters; the default of SARIF is UTF-16.
        "columnKind": "unicodeCodePoints",
        "invocations": [{
            "executionSuccessful": !report.troubles.iter().any(failed),
            "toolExecutionNotifications": notifications(report),
        }],
        "results": results,
    });
    let document = json!({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]});
    // A JSON value can always be written.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// A rule's id names its linter too: two linters may use the same name for different rules.
fn rule_id(finding: &Finding) -> String {
    match finding.code.as_str() {
        "" => finding.linter.clone(),
        code => format!("{}/{code}", finding.linter),
    }
}

/// The id of every rule that was broken, sorted.
fn rules(found: &[&Finding]) -> Vec<String> {
    let mut ids: Vec<String> = found.iter().map(|finding| rule_id(finding)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn rule(id: &String) -> Value {
    json!({"id": id})
}

fn result(finding: &Finding, rules: &[String], prefix: &str) -> Value {
    let id = rule_id(finding);
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Advisory => "note",
    };
    let mut place = Map::new();
    place.insert("artifactLocation".to_owned(), artifact(&prefixed_path(prefix, &finding.file)));
    place.insert("region".to_owned(), region(finding));
    json!({
        "ruleId": id,
        // The rules are sorted, and every finding's rule is among them.
        "ruleIndex": rules.binary_search(&id).unwrap_or_default(),
        "level": level,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    })
}

fn artifact(path: &str) -> Value {
    match path.strip_prefix('/') {
        Some(_) => json!({"uri": format!("file://{}", uri(path))}),
        None => json!({"uri": uri(path), "uriBaseId": "%SRCROOT%"}),
    }
}

/// The lines it is about. Code scanning requires a line, so a finding about a whole file is shown at the first.
fn region(finding: &Finding) -> Value {
    let mut region = Map::new();
    region.insert("startLine".to_owned(), finding.line.max(1).into());
    if finding.line > 0 && finding.column > 0 {
        region.insert("startColumn".to_owned(), finding.column.into());
    }
    if let Some(end) = finding.end_line.filter(|end| finding.line > 0 && *end >= finding.line) {
        region.insert("endLine".to_owned(), end.into());
    }
    Value::Object(region)
}

/// A path as a relative reference: a `:` in its first part would begin a scheme.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

fn notifications(report: &Report) -> Vec<Value> {
    let skipped = report.skipped.iter().map(|skipped| {
        json!({
            "level": "warning",
            "descriptor": {"id": "file-skipped"},
            "message": {"text": format!("{} is not checked, because {}", skipped.file, skipped.why.describe())},
        })
    });
    report.troubles.iter().map(notification).chain(skipped).collect()
}

fn notification(error: &LinterFailure) -> Value {
    let (level, id) = match error.kind {
        FailureKind::Missing => ("note", "missing"),
        FailureKind::Untrusted => ("note", "untrusted"),
        FailureKind::TooOld => ("warning", "too-old"),
        FailureKind::Unreadable => ("warning", "unreadable"),
        FailureKind::Failed => ("error", "failed"),
        FailureKind::Late => ("error", "late"),
        FailureKind::Memory => ("error", "memory"),
    };
    let fix = if error.fix.is_empty() { String::new() } else { format!("; {}", error.fix) };
    json!({
        "level": level,
        "descriptor": {"id": format!("linter-{id}")},
        "message": {"text": format!("{}: {}{fix}", error.linter, error.what)},
    })
}
