//! What a text may set that nobody has accepted: only what makes a policy stricter.

use serde_json::Value as Json;
use toml::Spanned;
use toml::de::{DeArray, DeValue};

use super::document::Value;
use super::merge::to_json;
use super::spec::{SectionSpec, Tightening};

/// What is left of a value.
pub(super) struct Tightened<'a> {
    /// What to set; nothing if no part of it tightens.
    pub(super) value: Option<Value<'a>>,
    /// Whether part of it is not in force.
    pub(super) loses: bool,
}

impl<'a> Tightened<'a> {
    const NOTHING: Tightened<'a> = Tightened { value: None, loses: true };
}

impl SectionSpec {
    /// The part of a value that tightens: `path` is its key inside of the section, `now` what is written there so
    /// far and what is in force.
    pub(super) fn tightened<'a>(
        &self,
        path: &[String],
        now: (Option<&Value<'a>>, &Json),
        value: Value<'a>,
    ) -> Tightened<'a> {
        match self.tightenings.iter().find(|(key, _)| matches(key, path)) {
            Some((_, Tightening::More)) => joined(now, value),
            Some((_, Tightening::Later(words))) if is_later(words, now.1, &to_json(&value)) => {
                Tightened { value: Some(value), loses: false }
            }
            Some((_, Tightening::Later(_))) | None => Tightened::NOTHING,
        }
    }
}

fn matches(key: &str, path: &[String]) -> bool {
    let mut parts = key.split('.');
    let each = path.iter().all(|name| parts.next().is_some_and(|part| part == "*" || part == name));
    each && parts.next().is_none()
}

/// The list in force with the entries that are new.
fn joined<'a>(now: (Option<&Value<'a>>, &Json), value: Value<'a>) -> Tightened<'a> {
    let span = value.span();
    let DeValue::Array(entries) = value.into_inner() else { return Tightened::NOTHING };
    let in_force = now.1.as_array().cloned().unwrap_or_default();
    let written: Vec<Json> = entries.iter().map(to_json).collect();
    let before: Vec<Value<'a>> = match now.0.map(Spanned::get_ref) {
        Some(DeValue::Array(before)) => before.iter().cloned().collect(),
        Some(_) => return Tightened::NOTHING,
        // The entries of a default have no place; that of the list is the nearest there is.
        None => in_force.iter().filter_map(|entry| text_value(entry, &span)).collect(),
    };
    let added = entries.into_iter().filter(|entry| !in_force.contains(&to_json(entry)));
    let all: DeArray<'a> = before.into_iter().chain(added).collect();
    Tightened {
        value: Some(Spanned::new(span, DeValue::Array(all))),
        loses: in_force.iter().any(|entry| !written.contains(entry)),
    }
}

fn text_value<'a>(entry: &Json, span: &std::ops::Range<usize>) -> Option<Value<'a>> {
    Some(Spanned::new(span.clone(), DeValue::String(entry.as_str()?.to_owned().into())))
}

fn is_later(words: &[&str], now: &Json, new: &Json) -> bool {
    let rank = |value: &Json| words.iter().position(|word| value.as_str() == Some(word));
    match (rank(now), rank(new)) {
        (Some(now), Some(new)) => new > now,
        // What is in force depends on more than this key.
        (None, Some(new)) => new + 1 == words.len(),
        (_, None) => false,
    }
}
