//! Adds values to the text of a `flyball.toml`, or changes them, without touching anything else in it.
//!
//! The text is changed at places that the parser names, and what comes out is parsed again: unless
//! it says exactly what the old one said and the additions, nothing is written.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::addition::{Additions, Entry, OnExisting, Value};

pub(crate) mod addition;
mod list;
#[cfg(test)]
mod tests;

use self::list::extended;

/// The text with all additions, or why they cannot be made.
pub(crate) fn merge(text: &str, additions: &Additions) -> Result<String, String> {
    let mut text = text.to_owned();
    for entry in &additions.0 {
        let ways = candidates(&text, entry)?;
        let expected = expected(&text, entry)?;
        let is_right = |after: &String| after.parse::<toml::Table>().is_ok_and(|says| says == expected);
        text = ways.into_iter().find(is_right).ok_or_else(|| edit_failure(entry))?;
    }
    Ok(text)
}

fn edit_failure(entry: &Entry) -> String {
    format!("[{}] is written in a way that cannot be added to", entry.section)
}

/// What the file says with one more entry.
fn expected(text: &str, entry: &Entry) -> Result<toml::Table, String> {
    let mut root: toml::Table = text.parse().map_err(|_| edit_failure(entry))?;
    let mut table = &mut root;
    for name in entry.section.split('.') {
        let below = table.entry(name).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        table = below.as_table_mut().ok_or_else(|| edit_failure(entry))?;
    }
    match (&entry.value, entry.on_existing) {
        (Value::List(list), OnExisting::Add) => {
            let old = table.entry(&entry.key).or_insert_with(|| toml::Value::Array(Vec::new()));
            let old = old.as_array_mut().ok_or_else(|| edit_failure(entry))?;
            old.extend(
                list::missing(list, |text| old.iter().any(|it| it.as_str() == Some(text)))
                    .map(toml::Value::from),
            );
        }
        (value, _) => drop(table.insert(entry.key.clone(), value.to_toml())),
    }
    Ok(root)
}

/// The text with one more entry, in all the ways in which it might be written, the best first.
fn candidates(text: &str, entry: &Entry) -> Result<Vec<String>, String> {
    let root =
        DeTable::parse(text).map_err(|problem| format!("the file is broken: {}", problem.message()))?;
    let Some(section) = section(root.get_ref(), entry) else { return Ok(appended(text, entry)) };
    let value = section.iter().find(|(key, _)| key.get_ref() == entry.key.as_str()).map(|(_, value)| value);
    let Some(old) = value else { return Ok(inserted(text, section, entry)) };
    match (&entry.value, entry.on_existing) {
        (Value::List(list), OnExisting::Add) if old.get_ref().is_array() => {
            Ok(vec![extended(text, old, list)])
        }
        (new, _) if current_value(text, entry)? == Some(new.to_toml()) => Ok(vec![text.to_owned()]),
        (new, OnExisting::Replace) => Ok(replaced(text, old, new)),
        (_, OnExisting::Add) => {
            let old = text.get(old.span()).unwrap_or_default();
            Err(format!("`{}.{}` is set already, to {old}", entry.section, entry.key))
        }
    }
}

/// What the file says for the entry's key.
fn current_value(text: &str, entry: &Entry) -> Result<Option<toml::Value>, String> {
    let root: toml::Table = text.parse().map_err(|_| edit_failure(entry))?;
    let mut table = &root;
    for name in entry.section.split('.') {
        let Some(below) = table.get(name).and_then(toml::Value::as_table) else { return Ok(None) };
        table = below;
    }
    Ok(table.get(&entry.key).cloned())
}

/// Puts a new value in the place of the old one: what stands around it stays, and of a list also
/// what stands between its entries.
fn replaced(text: &str, old: &Spanned<DeValue<'_>>, new: &Value) -> Vec<String> {
    let Range { start, end } = old.span();
    let head = text.get(..start).unwrap_or_default();
    let behind = head.rsplit('\n').next().unwrap_or_default().chars().count();
    let whole = format!("{head}{}{}", new.render_after(behind), text.get(end..).unwrap_or_default());
    match new {
        Value::List(list) => list::replace_items(text, old, list).into_iter().chain([whole]).collect(),
        Value::Text(_) | Value::Flag(_) | Value::Number(_) | Value::Share(_) | Value::Tables(_) => {
            vec![whole]
        }
    }
}

/// The table of the entry's section, if the file has it.
fn section<'t, 'i>(root: &'t DeTable<'i>, entry: &Entry) -> Option<&'t DeTable<'i>> {
    entry.section.split('.').try_fold(root, |table, name| {
        table.iter().find(|(key, _)| key.get_ref() == name)?.1.get_ref().as_table()
    })
}

/// Adds a section: behind the last one of its family, or at the end.
fn appended(text: &str, entry: &Entry) -> Vec<String> {
    let with_family = family_end(text, entry).and_then(|at| {
        let (before, after) = text.split_at_checked(at)?;
        Some(format!("{before}\n[{}]\n{}{after}", entry.section, entry.line()))
    });
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let at_the_end = format!("{text}{gap}[{}]\n{}", entry.section, entry.line());
    with_family.into_iter().chain([at_the_end]).collect()
}

/// Where the block of the last section ends that lies below the same one as the entry's, or is
/// that one; else below the one above that.
fn family_end(text: &str, entry: &Entry) -> Option<usize> {
    let mut parent = entry.section.as_str();
    while let Some((above, _)) = parent.rsplit_once('.') {
        if let Some(end) = block_end(text, above) {
            // At the end of the file there is nothing to keep together.
            return (end < text.len()).then_some(end);
        }
        parent = above;
    }
    None
}

/// Where the block of the last section ends that is this one or lies below it. A block ends with an
/// empty line; if it does not, what comes out says something else, and another way is taken.
fn block_end(text: &str, parent: &str) -> Option<usize> {
    let is_family = |line: &str| {
        let name = heading(line);
        name.is_some_and(|name| name == parent || name.starts_with(&format!("{parent}.")))
    };
    let mut at = 0;
    let starts = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (is_family(line), at)
    });
    let start = starts.filter(|(is_family, _)| *is_family).last()?.1;
    let rest = text.get(start..)?.split_inclusive('\n');
    let block = rest.take_while(|line| !line.trim().is_empty() && heading(line).is_none());
    Some(start + block.map(str::len).sum::<usize>())
}

/// The name of the section that begins with this line.
fn heading(line: &str) -> Option<String> {
    let line: String = line.split('#').next()?.chars().filter(|letter| !letter.is_whitespace()).collect();
    let name = line.strip_prefix('[')?.strip_suffix(']')?;
    (!name.starts_with('[')).then(|| name.to_owned())
}

/// Puts a new key behind the last one of its section.
fn inserted(text: &str, section: &DeTable<'_>, entry: &Entry) -> Vec<String> {
    let is_header = |line: &str| heading(line).as_ref() == Some(&entry.section);
    let values = section.iter().filter(|(_, value)| !value.get_ref().is_table());
    let last = values.map(|(_, value)| value.span().end).max();
    let mut at = 0;
    let header_end = text.split_inclusive('\n').find_map(|line| {
        at += line.len();
        is_header(line).then_some(at)
    });
    match (last, header_end) {
        (Some(last), _) => {
            let end = line_end(text, last);
            entry.dotted_lines().iter().map(|line| spliced(text, end, line)).collect()
        }
        (None, Some(end)) => vec![spliced(text, end, &entry.line())],
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
