//! Arrays in a TOML file: items come and go, the layout and the comments stay.

use toml_edit::{Array, RawString, Value};

/// Beyond this an array is written over several lines.
const LONGEST_LINE: usize = 100;
const INDENT: &str = "    ";

/// The items, if all of them are texts.
pub(super) fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// Writes an array over several lines, one item to a line, if it contains tables or does not fit on a line that already
/// has `used` characters.
pub(super) fn lay_out(value: &mut Value, used: usize) {
    let length = value.to_string().chars().count();
    let Some(array) = value.as_array_mut() else { return };
    if array.iter().any(Value::is_inline_table) || used + length >= LONGEST_LINE && !array.is_empty() {
        array.iter_mut().for_each(|item| item.decor_mut().set_prefix(format!("\n{INDENT}")));
        array.set_trailing("\n");
        array.set_trailing_comma(true);
    }
}

/// Adds the missing texts at the end, in the layout of the array. False if none are missing.
pub(super) fn extend(array: &mut Array, texts: &[&str]) -> bool {
    let is_missing = |text: &&&str| !array.iter().any(|item| item.as_str() == Some(text));
    let missing: Vec<String> = texts.iter().filter(is_missing).map(|&text| text.to_owned()).collect();
    if missing.is_empty() {
        return false;
    }
    let rest = detach_rest(array);
    let lines = rest.rsplit_once('\n');
    let indent = array.iter().last().and_then(|item| item.decor().prefix()).map_or("", read);
    // The last item may be on the line of others; then there is no indent to copy.
    let indent = indent.rsplit_once('\n').map_or(INDENT, |(_, indent)| indent).to_owned();
    let mut prefix = match lines {
        // Comments after the last item stay after it.
        Some((comments, _)) => format!("{}\n{indent}", comments.trim_end()),
        None if array.is_empty() => String::new(),
        None => " ".to_owned(),
    };
    for text in missing {
        array.push_formatted(Value::from(text).decorated(prefix, ""));
        prefix = if lines.is_some() { format!("\n{indent}") } else { " ".to_owned() };
    }
    array.set_trailing(lines.map(|(_, closing)| format!("\n{closing}")).unwrap_or_default());
    array.set_trailing_comma(lines.is_some());
    true
}

/// The array with exactly these texts, the remaining items in their place; `None` if their order changes.
pub(super) fn replaced(array: &Array, texts: &[&str]) -> Option<Array> {
    let mut array = array.clone();
    if !extend(&mut array, texts) {
        let rest = detach_rest(&mut array);
        array.set_trailing_comma(rest.contains('\n'));
        array.set_trailing(rest);
    }
    let is_gone = |item: &Value| item.as_str().is_none_or(|text| !texts.contains(&text));
    // From the end, so that removing one does not move those still to be looked at.
    for at in (0..array.len()).rev() {
        if array.get(at).is_some_and(is_gone) {
            remove(&mut array, at);
        }
    }
    array.iter().map(Value::as_str).eq(texts.iter().map(|&text| Some(text))).then_some(array)
}

/// Removes and returns the text between the last item and the closing bracket.
fn detach_rest(array: &mut Array) -> String {
    let trailing = read(array.trailing()).to_owned();
    let Some(last) = array.iter_mut().last() else { return trailing };
    let suffix = last.decor().suffix().map_or("", read).to_owned();
    last.decor_mut().set_suffix("");
    suffix + &trailing
}

/// Removes an item, with the comment after it. Comments above it stay.
fn remove(array: &mut Array, at: usize) {
    let removed = array.remove(at);
    let before = removed.decor().prefix().map_or("", read);
    let joined = |after: &str| {
        // A comment behind an item is stored in the prefix of the next one, up to its first line feed.
        let (above, below) = (before.rsplit_once('\n')?.0, after.split_once('\n')?.1);
        Some(format!("{above}\n{below}"))
    };
    match array.get_mut(at) {
        Some(next) => {
            let after = next.decor().prefix().map_or("", read);
            let prefix = joined(after).unwrap_or_else(|| before.to_owned());
            next.decor_mut().set_prefix(prefix);
        }
        None => {
            if let Some(trailing) = joined(read(array.trailing())) {
                array.set_trailing(trailing);
            }
        }
    }
}

pub(super) fn read(raw: &RawString) -> &str {
    raw.as_str().unwrap_or_default()
}
