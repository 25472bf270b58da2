//! Lists in the text of a TOML file: entries come and go, the layout stays.

use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use super::addition::quoted;

/// The entries of a list that are not there yet.
pub(super) fn missing(list: &[String], has: impl Fn(&str) -> bool) -> std::vec::IntoIter<String> {
    let new: Vec<String> = list.iter().filter(|text| !has(text)).cloned().collect();
    new.into_iter()
}

/// Puts more entries at the end of a list, in the way in which it is laid out.
pub(super) fn extended(text: &str, old: &Spanned<DeValue<'_>>, list: &[String]) -> String {
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

/// Adds the entries that only the new list has, and takes those out that it has not.
pub(super) fn replace_items(text: &str, old: &Spanned<DeValue<'_>>, new: &[String]) -> Option<String> {
    let is_gone = |item: &&Spanned<DeValue<'_>>| {
        item.get_ref().as_str().is_none_or(|text| new.iter().all(|kept| kept != text))
    };
    let items = old.get_ref().as_array()?;
    let gone: Vec<Range<usize>> = items.iter().filter(is_gone).map(Spanned::span).collect();
    // From the end, so that the places before it stay right.
    gone.into_iter().rev().try_fold(extended(text, old, new), |text, span| without(&text, span))
}

/// Takes one entry out, with its comma, and with its line if there is nothing else on it.
fn without(text: &str, Range { start, end }: Range<usize>) -> Option<String> {
    let before = text.get(..start)?;
    let after = text.get(end..)?;
    let comma = after.trim_start().starts_with(',').then(|| after.find(',')).flatten();
    let Some(comma) = comma else {
        let before = before.trim_end().strip_suffix(',')?;
        return Some(format!("{before}{after}"));
    };
    let rest = after.get(comma + 1..)?;
    let (on_line, below) = rest.split_once('\n')?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let is_alone = before.get(line_start..)?.trim().is_empty()
        && (on_line.trim().is_empty() || on_line.trim_start().starts_with('#'));
    if is_alone {
        return Some(format!("{}{below}", before.get(..line_start)?));
    }
    Some(format!("{before}{}", rest.trim_start_matches(' ')))
}
