//! Puts a member into a JSON object and takes it out again. All other bytes of the text stay as they are.

use std::ops::Range;

use serde::de::IgnoredAny;
use serde_json::{Deserializer, Value};

/// A JSON object in a text.
pub(super) struct Object {
    /// Where its braces stand.
    open: usize,
    close: usize,
    members: Vec<Member>,
}

struct Member {
    key: String,
    /// From the first quote of its key to the end of its value.
    span: Range<usize>,
    value: Range<usize>,
}

impl Object {
    /// The object that a text consists of; `None` if it is no such text.
    pub(super) fn root(text: &str) -> Option<Object> {
        let whole: Value = serde_json::from_str(text).ok()?;
        whole.is_object().then(|| Object::at(text, after_space(text, 0)))?
    }

    /// The object below a key.
    pub(super) fn below(&self, text: &str, key: &str) -> Option<Object> {
        Object::at(text, self.member(key)?.value.start)
    }

    /// The value below a key.
    pub(super) fn value(&self, text: &str, key: &str) -> Option<Value> {
        serde_json::from_str(text.get(self.member(key)?.value.clone())?).ok()
    }

    /// Whether it holds nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The text with one more member, last.
    pub(super) fn with(&self, text: &str, key: &str, value: &str) -> String {
        let member = format!("{}: {value}", Value::from(key));
        match self.members.last() {
            Some(last) => {
                let before = text.get(..last.span.start).unwrap_or_default();
                let space = before.get(before.trim_end().len()..).unwrap_or_default();
                spliced(text, last.span.end..last.span.end, &format!(",{space}{member}"))
            }
            None => {
                let indent = indent_of_line(text, self.open);
                let inside = format!("\n{indent}  {member}\n{indent}");
                spliced(text, self.open + 1..self.close, &inside)
            }
        }
    }

    /// The text with another value below a key that it has.
    pub(super) fn changed(&self, text: &str, key: &str, value: &str) -> String {
        self.member(key).map_or_else(|| text.to_owned(), |member| spliced(text, member.value.clone(), value))
    }

    /// The text without the member of this key.
    pub(super) fn without(&self, text: &str, key: &str) -> String {
        let Some(at) = self.members.iter().position(|member| member.key == key) else {
            return text.to_owned();
        };
        let span = |at: usize| self.members.get(at).map(|member| member.span.clone());
        let before = at.checked_sub(1).and_then(span);
        let (this, next) = (span(at).unwrap_or_default(), span(at + 1));
        let cut = match (before, next) {
            (Some(before), _) => before.end..this.end,
            (None, Some(next)) => this.start..next.start,
            (None, None) => self.open + 1..self.close,
        };
        spliced(text, cut, "")
    }

    fn member(&self, key: &str) -> Option<&Member> {
        // Of two members of one name the last counts.
        self.members.iter().rev().find(|member| member.key == key)
    }

    fn at(text: &str, open: usize) -> Option<Object> {
        let mut members = Vec::new();
        let mut at = after_space(text, open + 1);
        if byte(text, open)? != b'{' {
            return None;
        }
        while byte(text, at)? != b'}' {
            let member = member(text, at)?;
            at = after_space(text, member.span.end);
            members.push(member);
            if byte(text, at)? == b',' {
                at = after_space(text, at + 1);
            }
        }
        Some(Object { open, close: at, members })
    }
}

fn member(text: &str, start: usize) -> Option<Member> {
    let mut keys = Deserializer::from_str(text.get(start..)?).into_iter::<String>();
    let key = keys.next()?.ok()?;
    let colon = after_space(text, start + keys.byte_offset());
    let from = after_space(text, colon + 1);
    let mut values = Deserializer::from_str(text.get(from..)?).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    let end = from + values.byte_offset();
    Some(Member { key, span: start..end, value: from..end })
}

fn byte(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}

fn after_space(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len()
}

fn indent_of_line(text: &str, at: usize) -> &str {
    let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}

fn spliced(text: &str, span: Range<usize>, new: &str) -> String {
    let (before, after) = (text.get(..span.start), text.get(span.end..));
    format!("{}{new}{}", before.unwrap_or_default(), after.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_comes_last_and_goes_without_a_trace() {
        let cases = [
            ("{ \"a\": 1 }", "{ \"a\": 1, \"x\": true }"),
            ("{\n  \"a\": [1, {\"b\": \"}\"}]\n}\n", "{\n  \"a\": [1, {\"b\": \"}\"}],\n  \"x\": true\n}\n"),
            (
                "{\r\n\t\"a\" : -1.5e3 ,\r\n\t\"é\\\"\" : null\r\n}",
                "{\r\n\t\"a\" : -1.5e3 ,\r\n\t\"é\\\"\" : null,\r\n\t\"x\": true\r\n}",
            ),
            ("{}", "{\n  \"x\": true\n}"),
        ];
        for (text, expected) in cases {
            let with = Object::root(text).unwrap().with(text, "x", "true");
            assert_eq!(with, expected);
            assert_eq!(Object::root(&with).unwrap().without(&with, "x"), text);
        }
    }

    #[test]
    fn a_member_goes_from_wherever_it_stands() {
        let cases = [
            ("{\"x\": 1, \"a\": 2}", "{\"a\": 2}"),
            ("{\"a\": 1, \"x\": 2, \"b\": 3}", "{\"a\": 1, \"b\": 3}"),
            ("{\"a\": 1}", "{\"a\": 1}"),
        ];
        for (text, expected) in cases {
            assert_eq!(Object::root(text).unwrap().without(text, "x"), expected);
        }
    }

    #[test]
    fn what_is_no_object_is_none() {
        for text in ["", "[]", "{", "{\"a\": }", "{\"a\": 1} x", "\u{feff}{}"] {
            assert!(Object::root(text).is_none(), "{text:?}");
        }
    }
}
