//! Reads ESLint's JSON.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{RawFinding, RawOutput, Unreadable, text};
use crate::finding::Level;

const FORM: &str = "ESLint's JSON";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OneFile {
    file_path: String,
    messages: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    rule_id: Option<String>,
    line: Option<f64>,
    column: Option<f64>,
    end_line: Option<f64>,
    message: String,
    severity: Option<u8>,
    #[serde(default)]
    fatal: bool,
    fix: Option<IgnoredAny>,
    #[serde(default)]
    suggestions: Vec<Suggestion>,
}

#[derive(Deserialize)]
struct Suggestion {
    #[serde(default)]
    desc: String,
}

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let value = text::parse_json(FORM, output.text)?;
    let files: Vec<OneFile> = serde_json::from_value(value).map_err(|error| Unreadable {
        form: FORM,
        why: format!("{error}: {}", text::excerpt(output.text)),
    })?;
    Ok(files.into_iter().flat_map(|file| raw_findings(&file.file_path, file.messages)).collect())
}

fn raw_findings(file: &str, messages: Vec<Message>) -> Vec<RawFinding> {
    // Without a rule and a place it is a note about the run: "File ignored because …".
    let is_note = |message: &Message| !message.fatal && message.rule_id.is_none() && message.line.is_none();
    messages
        .into_iter()
        .filter(|message| !is_note(message))
        .map(|message| raw_finding(file, message))
        .collect()
}

fn raw_finding(file: &str, message: Message) -> RawFinding {
    let line = number(message.line);
    let code_without_rule = if message.fatal { "syntax" } else { "eslint" };
    RawFinding {
        file: Some(file.to_owned()),
        line,
        column: number(message.column),
        end_line: message.end_line.map(|end| number(Some(end))).filter(|end| *end > line),
        code: message.rule_id.unwrap_or_else(|| code_without_rule.to_owned()),
        message: text::paragraph(&message.message),
        level: match message.severity {
            _ if message.fatal => Some(Level::Error),
            Some(2) => Some(Level::Error),
            Some(1) => Some(Level::Warning),
            _ => None,
        },
        fixable: message.fix.is_some(),
        // Of several, none is the fix.
        fix: match message.suggestions.as_slice() {
            [one] => text::advice(&one.desc),
            _ => None,
        },
    }
}

/// ESLint's rules may give any number for a place, also `NaN`, which is printed as null.
fn number(written: Option<f64>) -> u32 {
    // `as` saturates: the result is the nearest `u32`.
    written.map_or(0, |number| number as u32)
}
