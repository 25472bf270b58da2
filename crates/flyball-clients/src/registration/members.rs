//! Puts a member into a JSON object and takes it out again. All other bytes of the text stay as they are.

use serde_json::Value;

use super::scan::{Kind, Member, Node, Span, scan, slice};
use super::splice::{Splice, apply};

/// A JSON object in a text.
pub struct Object {
    node: Node,
}

impl Object {
    /// The object that a text consists of; `None` if it is not such a text.
    #[must_use]
    pub fn root(text: &str) -> Option<Object> {
        // Not every client skips a byte order mark.
        let node = scan(text).ok().filter(|_| !text.starts_with('\u{feff}'))?;
        Object::new(node)
    }

    /// The object below a key.
    #[must_use]
    pub fn below(&self, text: &str, key: &str) -> Option<Object> {
        Object::new(self.member(text, key)?.value.clone())
    }

    /// The value below a key.
    #[must_use]
    pub fn value(&self, text: &str, key: &str) -> Option<Value> {
        serde_json::from_str(slice(text, self.member(text, key)?.value.span.clone())).ok()
    }

    /// The value below a key as it is written.
    #[must_use]
    pub fn text<'text>(&self, text: &'text str, key: &str) -> Option<&'text str> {
        Some(slice(text, self.member(text, key)?.value.span.clone()))
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.node.members.is_empty()
    }

    /// The text with one more member, last.
    #[must_use]
    pub fn with(&self, text: &str, key: &str, value: &str) -> String {
        let member = format!("{}: {value}", Value::from(key));
        match self.node.members.last() {
            Some(last) => {
                let before = slice(text, 0..last.start());
                let space = slice(before, before.trim_end().len()..before.len());
                spliced(text, last.end()..last.end(), format!(",{space}{member}"))
            }
            None => {
                let indent = indent_of_line(text, self.node.span.start);
                spliced(text, self.node.inside(), format!("\n{indent}  {member}\n{indent}"))
            }
        }
    }

    /// The text with another value below a key that it has.
    #[must_use]
    pub fn changed(&self, text: &str, key: &str, value: &str) -> String {
        let Some(member) = self.member(text, key) else { return text.to_owned() };
        spliced(text, member.value.span.clone(), value.to_owned())
    }

    /// The text without the member of this key; of two, without the last, which is the one that counts.
    #[must_use]
    pub fn without(&self, text: &str, key: &str) -> String {
        let members = &self.node.members;
        let Some(at) = members.iter().rposition(|member| is_called(text, member, key)) else {
            return text.to_owned();
        };
        let before = at.checked_sub(1).and_then(|before| members.get(before));
        let cut = match (before, members.get(at), members.get(at + 1)) {
            // With the comma before it, as `with` added it: removing restores the text to the byte.
            (Some(before), Some(this), _) => before.end()..this.end(),
            // The first has no comma before it, so the one behind it goes.
            (None, Some(this), Some(next)) => this.start()..next.start(),
            _ => self.node.inside(),
        };
        apply(text, vec![Splice::cut(cut)])
    }

    fn new(node: Node) -> Option<Object> {
        (node.kind == Kind::Object).then_some(Object { node })
    }

    fn member(&self, text: &str, key: &str) -> Option<&Member> {
        // Of two members of one name the last counts.
        self.node.members.iter().rev().find(|member| is_called(text, member, key))
    }
}

fn is_called(text: &str, member: &Member, key: &str) -> bool {
    let written = member.key.clone().map(|span| slice(text, span)).unwrap_or_default();
    serde_json::from_str::<String>(written).is_ok_and(|name| name == key)
}

fn indent_of_line(text: &str, at: usize) -> &str {
    let line = slice(text, 0..at).rsplit('\n').next().unwrap_or_default();
    slice(line, 0..line.len() - line.trim_start().len())
}

fn spliced(text: &str, span: Span, new: String) -> String {
    apply(text, vec![Splice { span, text: new }])
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
    fn a_member_is_removed_from_any_place() {
        let cases = [
            ("{\"x\": 1, \"a\": 2}", "{\"a\": 2}"),
            ("{\"a\": 1, \"x\": 2, \"b\": 3}", "{\"a\": 1, \"b\": 3}"),
            ("{\"a\": 1}", "{\"a\": 1}"),
            ("{\"x\": 1, \"a\": 2, \"x\": 3}", "{\"x\": 1, \"a\": 2}"),
        ];
        for (text, expected) in cases {
            assert_eq!(Object::root(text).unwrap().without(text, "x"), expected);
        }
    }

    #[test]
    fn a_text_that_is_not_an_object_is_none() {
        for text in ["", "[]", "{", "{\"a\": }", "{\"a\": 1} x", "\u{feff}{}"] {
            assert!(Object::root(text).is_none(), "{text:?}");
        }
    }
}
