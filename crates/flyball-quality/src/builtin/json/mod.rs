//! `builtin:json`: finds what is wrong with JSON, and indents it without touching anything else.
//!
//! It works on tokens, not on values: reading values and writing them again would merge duplicate
//! keys, lose comments and rewrite escapes.

mod dialect;
mod grammar;
mod layout;
#[cfg(test)]
mod tests;
mod token;

use self::dialect::Dialect;
use self::token::Fault;
use crate::finding::Level;
use crate::output::RawFinding;

/// What a finding is about.
#[derive(Clone, Copy)]
struct Rule {
    code: &'static str,
    level: Level,
}

const DUPLICATE_KEY: Rule = Rule { code: "JSON_DUPLICATE_KEY", level: Level::Warning };
const SYNTAX: Rule = Rule { code: "JSON_SYNTAX", level: Level::Error };

/// The first syntax error, and every key that an object has twice before it.
pub(super) fn check(file: &str, content: &str) -> Vec<RawFinding> {
    let parsed = grammar::parse(content, Dialect::for_file(file));
    let duplicates = parsed.duplicates.iter().map(|fault| raw_finding(file, content, fault, DUPLICATE_KEY));
    let fault = parsed.fault.iter().map(|fault| raw_finding(file, content, fault, SYNTAX));
    duplicates.chain(fault).collect()
}

/// The content with its lines and blanks in order.
pub(super) fn format(file: &str, content: &str) -> Result<String, String> {
    let parsed = grammar::parse(content, Dialect::for_file(file));
    match parsed.fault {
        // Text that is not understood is never rewritten.
        Some(fault) => Err(fault.message),
        None => layout::lay_out(content, &parsed.tokens),
    }
}

fn raw_finding(file: &str, content: &str, fault: &Fault, rule: Rule) -> RawFinding {
    let before = content.get(..fault.at).unwrap_or(content);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    // Editors do not count the byte order mark as a column.
    let column =
        before.rsplit('\n').next().unwrap_or_default().trim_start_matches('\u{feff}').chars().count() + 1;
    RawFinding {
        file: Some(file.to_owned()),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: u32::try_from(column).unwrap_or(u32::MAX),
        code: rule.code.to_owned(),
        message: fault.message.clone(),
        level: Some(rule.level),
        ..RawFinding::default()
    }
}
