//! Reads JSON of any shape, by a map that says where things are.

use serde_json::Value;

use super::{RawFinding, RawOutput, Unreadable, level, text};
use crate::finding::Level;
use crate::linter::{JsonList, JsonMap};

const FORM: &str = "JSON";

/// A finding in its JSON, and the values around it, from the inside out.
struct Item<'a> {
    layers: Vec<&'a Value>,
}

pub(super) fn read(map: &JsonMap, output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let mut found = Vec::new();
    if map.lines {
        for line in output.text.lines().filter(|line| !line.trim().is_empty()) {
            let value = text::parse_json("JSON lines", line)?;
            // A line of another kind has no findings.
            let items = items(map, &value).unwrap_or_default();
            found.extend(items.iter().map(|item| raw_finding(map, item)));
        }
        return Ok(found);
    }
    let value = text::parse_json(FORM, output.text)?;
    for map in std::iter::once(map.clone()).chain(map.also.iter().map(JsonList::map)) {
        let items = items(&map, &value).ok_or_else(|| missing(&map, output.text))?;
        found.extend(items.iter().map(|item| raw_finding(&map, item)));
    }
    Ok(found)
}

fn missing(map: &JsonMap, printed: &str) -> Unreadable {
    let list =
        if map.items.is_empty() { "it is not a list".to_owned() } else { format!("no `{}`", map.items) };
    Unreadable { form: FORM, why: format!("{list}: {}", text::excerpt(printed)) }
}

/// Every finding; `None` if there is no list where it should be.
fn items<'a>(map: &JsonMap, root: &'a Value) -> Option<Vec<Item<'a>>> {
    if map.items.is_empty() {
        return match root {
            Value::Array(list) => Some(list.iter().map(|item| Item { layers: vec![item] }).collect()),
            Value::Object(_) if map.lines => Some(vec![Item { layers: vec![root] }]),
            _ => None,
        };
    }
    let mut level = vec![Item { layers: vec![root] }];
    for (depth, path) in map.items.split("[].").enumerate() {
        let path = path.trim_end_matches("[]");
        let mut next = Vec::new();
        for outer in &level {
            match outer.layers.first().and_then(|value| walk(value, path)) {
                Some(Value::Array(list)) => next.extend(list.iter().map(|item| outer.with_inner(item))),
                // Go programs print an empty list as null.
                Some(Value::Null) => {}
                // Of the inner lists any may be absent, but not the outermost.
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        level = next;
    }
    Some(level)
}

impl<'a> Item<'a> {
    fn with_inner(&self, inner: &'a Value) -> Item<'a> {
        Item { layers: std::iter::once(inner).chain(self.layers.iter().copied()).collect() }
    }

    /// What is at a path, in the finding or else in the values around it.
    fn at(&self, path: &str) -> Option<&'a Value> {
        let present = |value: &&Value| !value.is_null();
        let found = self.layers.iter().find_map(|layer| walk(layer, path).filter(present));
        // An empty path would find the value itself.
        found.filter(|_| !path.is_empty())
    }

    fn text(&self, path: &str) -> Option<String> {
        match self.at(path)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(truth) => Some(truth.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    fn number(&self, path: &str) -> Option<u32> {
        let number = match self.at(path)? {
            Value::Number(number) => number.as_f64()?,
            Value::String(digits) => digits.trim().parse::<f64>().ok()?,
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
        };
        // `as` saturates: the result is the nearest `u32`.
        Some(number as u32)
    }
}

/// The value at names joined by dots; `name[]` is the first of a list.
pub(crate) fn walk<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').filter(|name| !name.is_empty()).try_fold(value, |value, name| {
        match name.strip_suffix("[]") {
            Some("") => value.get(0),
            Some(name) => value.get(name)?.get(0),
            None => value.get(name),
        }
    })
}

fn raw_finding(map: &JsonMap, item: &Item<'_>) -> RawFinding {
    let from_zero = u32::from(map.from_zero);
    let column_from_zero = u32::from(map.from_zero || map.columns_from_zero);
    let line = item.number(&map.line).map_or(0, |line| line.saturating_add(from_zero));
    let end = item.number(&map.end_line).map(|end| end.saturating_add(from_zero));
    let code = item.text(&map.code).unwrap_or_default();
    let message = item.text(&map.message).unwrap_or_default();
    RawFinding {
        file: item.text(&map.file).filter(|file| !file.is_empty()),
        line,
        column: item.number(&map.column).map_or(0, |column| column.saturating_add(column_from_zero)),
        end_line: end.filter(|end| *end > line),
        message: text::paragraph(if message.is_empty() { &code } else { &message }),
        code: format!("{}{code}", map.code_prefix),
        level: item.text(&map.level).and_then(|word| level(map, &word)),
        fixable: item.at(&map.fixable).is_some_and(is_fix),
        fix: item.text(&map.fix).and_then(|fix| text::advice(&fix)),
    }
}

/// Some say whether there is a fix, others give the fix, and others how safe it is.
fn is_fix(fix: &Value) -> bool {
    match fix {
        Value::Bool(is_there) => *is_there,
        Value::String(word) => !matches!(word.as_str(), "unsafe" | "display"),
        Value::Array(fixes) => !fixes.is_empty(),
        _ => true,
    }
}

fn level(map: &JsonMap, word: &str) -> Option<Level> {
    let mapped = map.levels.get(word).or_else(|| map.levels.get(&word.to_lowercase())).copied();
    mapped.or_else(|| level::parse(word))
}
