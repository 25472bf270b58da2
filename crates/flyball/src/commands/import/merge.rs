//! Adds values to the text of a `flyball.toml` without touching anything else in it.
//!
//! The text is changed at places that the parser names, and what comes out is parsed again: unless
//! it says exactly what the old one said and the additions, nothing is written.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::addition::{Additions, Entry, Value, quoted};

#[cfg(test)]
mod tests;

/// The text with all additions, or why they cannot be made.
pub(super) fn merge(text: &str, additions: &Additions) -> Result<String, String> {
    let mut text = text.to_owned();
    for entry in &additions.0 {
        let after = with(&text, entry)?;
        let says = after.parse::<toml::Table>().map_err(|_| misplaced(entry))?;
        if says != expected(&text, entry)? {
            return Err(misplaced(entry));
        }
        text = after;
    }
    Ok(text)
}

fn misplaced(entry: &Entry) -> String {
    format!("[{}] is written in a way that cannot be added to", entry.section)
}

/// What the file says with one more entry.
fn expected(text: &str, entry: &Entry) -> Result<toml::Table, String> {
    let mut root: toml::Table = text.parse().map_err(|_| misplaced(entry))?;
    let mut table = &mut root;
    for name in entry.section.split('.') {
        let below = table.entry(name).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        table = below.as_table_mut().ok_or_else(|| misplaced(entry))?;
    }
    match &entry.value {
        Value::Text(value) => drop(table.insert(entry.key.clone(), value.clone().into())),
        Value::List(list) => {
            let old = table.entry(&entry.key).or_insert_with(|| toml::Value::Array(Vec::new()));
            let old = old.as_array_mut().ok_or_else(|| misplaced(entry))?;
            old.extend(
                missing(list, |text| old.iter().any(|it| it.as_str() == Some(text))).map(toml::Value::from),
            );
        }
    }
    Ok(root)
}

/// The entries of a list that are not there yet.
fn missing(list: &[String], has: impl Fn(&str) -> bool) -> std::vec::IntoIter<String> {
    let new: Vec<String> = list.iter().filter(|text| !has(text)).cloned().collect();
    new.into_iter()
}

/// The text with one more entry.
fn with(text: &str, entry: &Entry) -> Result<String, String> {
    let root =
        DeTable::parse(text).map_err(|problem| format!("the file is broken: {}", problem.message()))?;
    let Some(section) = section(root.get_ref(), entry) else { return Ok(appended(text, entry)) };
    let value = section.iter().find(|(key, _)| key.get_ref() == entry.key.as_str()).map(|(_, value)| value);
    match (value, &entry.value) {
        (None, _) => Ok(inserted(text, section, entry)),
        (Some(old), Value::List(list)) if old.get_ref().is_array() => Ok(extended(text, old, list)),
        (Some(old), Value::Text(new)) if old.get_ref().as_str() == Some(new) => Ok(text.to_owned()),
        (Some(old), _) => {
            let old = text.get(old.span()).unwrap_or_default();
            Err(format!("`{}.{}` is set already, to {old}", entry.section, entry.key))
        }
    }
}

/// The table of the entry's section, if the file has it.
fn section<'t, 'i>(root: &'t DeTable<'i>, entry: &Entry) -> Option<&'t DeTable<'i>> {
    entry.section.split('.').try_fold(root, |table, name| {
        table.iter().find(|(key, _)| key.get_ref() == name)?.1.get_ref().as_table()
    })
}

fn appended(text: &str, entry: &Entry) -> String {
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{text}{gap}[{}]\n{}", entry.section, entry.line())
}

/// Puts a new key behind the last one of its section.
fn inserted(text: &str, section: &DeTable<'_>, entry: &Entry) -> String {
    let header = format!("[{}]", entry.section);
    let is_header = |line: &str| {
        let line = line.split('#').next().unwrap_or_default();
        line.chars().filter(|letter| !letter.is_whitespace()).eq(header.chars())
    };
    let values = section.iter().filter(|(_, value)| !value.get_ref().is_table());
    let last = values.map(|(_, value)| value.span().end).max();
    let mut at = 0;
    let header_end = text.split_inclusive('\n').find_map(|line| {
        at += line.len();
        is_header(line).then_some(at)
    });
    match (last, header_end) {
        (Some(last), _) => spliced(text, line_end(text, last), &entry.line()),
        (None, Some(end)) => spliced(text, end, &entry.line()),
        // Only tables below it have been written so far.
        (None, None) => appended(text, entry),
    }
}

/// Where the line with this offset ends, behind its end of line.
fn line_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |length| at + length + 1)
}

fn spliced(text: &str, at: usize, line: &str) -> String {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{gap}{line}{after}")
}

/// Puts more entries at the end of a list, in the way in which it is laid out.
fn extended(text: &str, old: &Spanned<DeValue<'_>>, list: &[String]) -> String {
    let items: Vec<&Spanned<DeValue<'_>>> = old.get_ref().as_array().into_iter().flatten().collect();
    let new: Vec<String> = missing(list, |text| items.iter().any(|it| it.get_ref().as_str() == Some(text)))
        .map(|text| quoted(&text))
        .collect();
    if new.is_empty() {
        return text.to_owned();
    }
    let Range { start, end } = old.span();
    let close = end.saturating_sub(1);
    let last = items.last().map_or(start + 1, |item| item.span().end);
    let between = text.get(last..close).unwrap_or_default();
    let has_comma = items.is_empty() || without_comments(between).contains(',');
    let comma = if has_comma { "" } else { "," };
    let head = text.get(..last).unwrap_or_default();
    let tail = text.get(close..).unwrap_or_default();
    if !between.contains('\n') {
        let space = if items.is_empty() { "" } else { " " };
        return format!("{head}{comma}{}{space}{}{tail}", between.trim_end(), new.join(", "));
    }
    let indent = items.last().map_or("    ", |item| indent_at(text, item.span().start));
    let (kept, closing) = between.rsplit_once('\n').unwrap_or((between, ""));
    let lines: String = new.iter().map(|item| format!("{indent}{item},\n")).collect();
    format!("{head}{comma}{kept}\n{lines}{closing}{tail}")
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect()
}

/// The white space with which the line of this offset begins.
fn indent_at(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let length = line.len() - line.trim_start().len();
    line.get(..length).unwrap_or_default()
}
