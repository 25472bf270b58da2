//! Assignments to places in a document: `.a.b = 1`, `del(.a)`, `a.b=c`.

use serde_json::Value;

/// One change of a document.
#[derive(Debug, PartialEq)]
pub(super) enum Assignment {
    Set { path: Vec<String>, value: Value },
    Delete { path: Vec<String> },
}

/// The assignments of a filter of jq and its relatives; `None` if it does anything else.
pub(super) fn from_filter(filter: &str) -> Option<Vec<Assignment>> {
    let mut found = Vec::new();
    for part in split_outside_quotes(filter, '|') {
        let part = part.trim();
        if part == "." || part.is_empty() {
            continue;
        }
        if let Some(inner) = part.strip_prefix("del(").and_then(|rest| rest.strip_suffix(')')) {
            for path in split_outside_quotes(inner, ',') {
                found.push(Assignment::Delete { path: path_of(path.trim())? });
            }
            continue;
        }
        let (path, value) = split_assignment(part)?;
        let path = path_of(path.trim())?;
        found.push(Assignment::Set { path, value: serde_json::from_str(value.trim()).ok()? });
    }
    (!found.is_empty()).then_some(found)
}

/// The path in `a.b[c]`, as `npm pkg` writes it.
pub(super) fn plain_path(text: &str) -> Vec<String> {
    text.split(['.', '[', ']'])
        .filter(|part| !part.is_empty())
        .map(|part| part.trim_matches(['"', '\'']).to_owned())
        .collect()
}

fn split_assignment(part: &str) -> Option<(&str, &str)> {
    // `|=` was split at its bar, so it begins with `=`; a comparison is no assignment.
    let at = part.find('=')?;
    let (path, value) = (part.get(..at)?, part.get(at + 1..)?);
    let is_comparison = value.starts_with('=') || path.ends_with(['!', '<', '>']);
    (!is_comparison).then_some((path.trim_end_matches(['+', '|']), value))
}

/// `.a."b-c"[0]`.
fn path_of(text: &str) -> Option<Vec<String>> {
    let mut rest = text.strip_prefix('.')?;
    let mut path = Vec::new();
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(inner) = rest.strip_prefix('[') {
            let (name, after) = inner.split_once(']')?;
            path.push(name.trim_matches('"').to_owned());
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('"') {
            let (name, after) = inner.split_once('"')?;
            path.push(name.to_owned());
            rest = after;
        } else {
            let end = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-')
                .unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(end).filter(|(name, _)| !name.is_empty())?;
            path.push(name.to_owned());
            rest = after;
        }
    }
    (!path.is_empty()).then_some(path)
}

fn split_outside_quotes(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut start, mut in_quotes, mut depth) = (Vec::new(), 0, false, 0_i32);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => in_quotes = !in_quotes,
            '(' | '[' | '{' if !in_quotes => depth += 1,
            ')' | ']' | '}' if !in_quotes => depth -= 1,
            // The bar of `|=` belongs to the assignment.
            _ if letter == mark
                && !in_quotes
                && depth == 0
                && !text.get(at + 1..).is_some_and(|it| it.starts_with('=')) =>
            {
                parts.extend(text.get(start..at));
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts
}

/// Applies them to a document.
pub(super) fn apply(document: &mut Value, assignments: &[Assignment]) {
    for assignment in assignments {
        match assignment {
            Assignment::Set { path, value } => {
                if let Some(place) = path.iter().try_fold(&mut *document, |place, name| enter(place, name)) {
                    *place = value.clone();
                }
            }
            Assignment::Delete { path } => delete(document, path),
        }
    }
}

fn enter<'v>(place: &'v mut Value, name: &str) -> Option<&'v mut Value> {
    if let (Value::Array(_), Ok(at)) = (&*place, name.parse::<usize>()) {
        return place.get_mut(at);
    }
    if !place.is_object() {
        *place = Value::Object(serde_json::Map::new());
    }
    Some(place.as_object_mut()?.entry(name).or_insert(Value::Null))
}

fn delete(document: &mut Value, path: &[String]) {
    let Some((last, folders)) = path.split_last() else { return };
    let place = folders.iter().try_fold(document, |place, name| match place {
        Value::Object(map) => map.get_mut(name.as_str()),
        Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
        _ => None,
    });
    match place {
        Some(Value::Object(map)) => drop(map.remove(last.as_str())),
        Some(Value::Array(items)) => {
            if let Some(at) = last.parse::<usize>().ok().filter(|at| *at < items.len()) {
                items.remove(at);
            }
        }
        _ => {}
    }
}
