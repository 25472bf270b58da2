//! Reads SARIF 2.1.

use flyball_core::encoding::percent_decoded;
use serde_json::Value;

use super::{RawFinding, RawOutput, Unreadable, level, text};

const FORM: &str = "SARIF";

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let log = text::parse_json(FORM, output.text)?;
    let unreadable = || Unreadable { form: FORM, why: format!("no `runs`: {}", text::excerpt(output.text)) };
    let runs = log.get("runs").and_then(Value::as_array).ok_or_else(unreadable)?;
    Ok(runs.iter().flat_map(findings).collect())
}

/// What one run found. A run without `results` did not look for any.
fn findings(run: &Value) -> Vec<RawFinding> {
    let results = run.get("results").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    results.iter().filter(|result| is_finding(result)).map(|result| raw_finding(run, result)).collect()
}

/// Neither a check that passed, nor a finding that is suppressed in the code.
fn is_finding(result: &Value) -> bool {
    let passed = matches!(text_at(result, "/kind"), Some("pass" | "notApplicable"));
    let suppressions = result.get("suppressions").and_then(Value::as_array);
    // Without a status, a suppression counts as accepted.
    let accepted = |one: &Value| !matches!(text_at(one, "/status"), Some("rejected" | "underReview"));
    !passed && !suppressions.is_some_and(|all| all.iter().any(accepted))
}

fn raw_finding(run: &Value, result: &Value) -> RawFinding {
    let rule = rule(run, result);
    let rule_text = |pointer: &str| rule.and_then(|rule| text_at(rule, pointer));
    let code = text_at(result, "/ruleId").or(text_at(result, "/rule/id")).or(rule_text("/id"));
    // The default of the standard.
    let level = text_at(result, "/level").or(rule_text("/defaultConfiguration/level")).unwrap_or("warning");
    let place = result.pointer("/locations/0/physicalLocation");
    let line = number(place, "/region/startLine");
    RawFinding {
        file: place.and_then(|place| file(run, place)),
        line,
        column: number(place, "/region/startColumn"),
        end_line: Some(number(place, "/region/endLine")).filter(|end| *end > line),
        code: code.unwrap_or_default().to_owned(),
        message: text::paragraph(&message(result, rule)),
        level: level::parse(level),
        fixable: result.get("fixes").and_then(Value::as_array).is_some_and(|fixes| !fixes.is_empty()),
        fix: text_at(result, "/fixes/0/description/text").and_then(text::advice),
    }
}

/// The rule that a result names by its place in the list or by its id.
fn rule<'a>(run: &'a Value, result: &Value) -> Option<&'a Value> {
    let rules = run.pointer("/tool/driver/rules")?.as_array()?;
    let index = result.get("ruleIndex").or_else(|| result.pointer("/rule/index")).and_then(Value::as_u64);
    let by_index = index.and_then(|index| rules.get(usize::try_from(index).ok()?));
    let id = text_at(result, "/ruleId").or(text_at(result, "/rule/id"));
    by_index.or_else(|| rules.iter().find(|rule| id.is_some() && text_at(rule, "/id") == id))
}

/// The message's own text, or the rule's with the arguments put in.
fn message(result: &Value, rule: Option<&Value>) -> String {
    if let Some(text) = text_at(result, "/message/text").or(text_at(result, "/message/markdown")) {
        return text.to_owned();
    }
    let id = text_at(result, "/message/id").unwrap_or("default");
    let template = rule.and_then(|rule| rule.get("messageStrings")?.get(id)?.get("text")?.as_str());
    let arguments = result.pointer("/message/arguments").and_then(Value::as_array);
    let mut text = template.unwrap_or_default().to_owned();
    for (index, argument) in arguments.into_iter().flatten().enumerate() {
        text = text.replace(&format!("{{{index}}}"), argument.as_str().unwrap_or_default());
    }
    text
}

/// The file: its address, or that of the artifact it points to, below its base if that is known.
fn file(run: &Value, place: &Value) -> Option<String> {
    let location = place.get("artifactLocation")?;
    let artifact = || run.get("artifacts")?.get(usize::try_from(location.get("index")?.as_u64()?).ok()?);
    let uri = match text_at(location, "/uri") {
        Some(uri) => uri.to_owned(),
        None => text_at(artifact()?, "/location/uri")?.to_owned(),
    };
    let base = location.get("uriBaseId").and_then(Value::as_str);
    let base = base.and_then(|id| run.get("originalUriBaseIds")?.get(id)?.get("uri")?.as_str());
    let is_absolute = uri.starts_with('/') || uri.contains("://") || uri.starts_with("file:");
    Some(match base {
        Some(base) if !is_absolute => path(&format!("{}/{uri}", base.trim_end_matches('/'))),
        _ => path(&uri),
    })
}

/// The path that an address names.
fn path(uri: &str) -> String {
    let path = match uri.strip_prefix("file://") {
        // What comes before the first slash is a host: nearly always none, or this one.
        Some(rest) => rest.find('/').and_then(|slash| rest.get(slash..)).unwrap_or(rest),
        None => uri.strip_prefix("file:").unwrap_or(uri),
    };
    String::from_utf8(percent_decoded(path)).unwrap_or_else(|_| path.to_owned())
}

fn text_at<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

fn number(value: Option<&Value>, pointer: &str) -> u32 {
    let number = value.and_then(|value| value.pointer(pointer)?.as_u64());
    number.map_or(0, |number| u32::try_from(number).unwrap_or(u32::MAX))
}
