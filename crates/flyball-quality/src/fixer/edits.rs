//! The edits that a model without tools of its own asks for, and what they make of a text.

use serde::Deserialize;
use serde_json::{Value, json};

/// The name of the tool.
pub(super) const NAME: &str = "edit_file";

/// What it does, for the model.
pub(super) const DESCRIPTION: &str = "Edits the file: each edit replaces `old` with `new`. `old` must be copied \
    exactly from the file and occur in it exactly once; include enough lines around it.";

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct Edit {
    old: String,
    new: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Listed {
    Under { edits: Vec<Edit> },
    Bare(Vec<Edit>),
}

/// The form of the answer, as JSON Schema.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "edits": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "old": { "type": "string" }, "new": { "type": "string" } },
                    "required": ["old", "new"],
                    "additionalProperties": false
                }
            }
        },
        "required": ["edits"],
        "additionalProperties": false
    })
}

/// The edits in a value that has the form of the answer.
pub(super) fn from_value(value: &Value) -> Option<Vec<Edit>> {
    let listed = Listed::deserialize(value).ok()?;
    Some(match listed {
        Listed::Under { edits } | Listed::Bare(edits) => edits,
    })
}

/// The edits in a text: the text itself, a fenced block in it, or the part between its braces.
pub(super) fn from_text(text: &str) -> Option<Vec<Edit>> {
    let fenced = text.split("```").skip(1).step_by(2).map(|block| {
        let (first, rest) = block.split_once('\n').unwrap_or(("", block));
        if first.trim().chars().all(char::is_alphanumeric) { rest } else { block }
    });
    // Models like to write sentences around their JSON.
    let between = text.find('{').zip(text.rfind('}')).and_then(|(from, to)| text.get(from..=to));
    let mut texts = std::iter::once(text).chain(fenced).chain(between);
    texts.find_map(|text| from_value(&serde_json::from_str(text.trim()).ok()?))
}

/// The text after all edits. Line ends stay as they are.
pub(super) fn apply(before: &str, edits: &[Edit]) -> Result<String, String> {
    // Only if all lines end that way; mixed line ends are left alone.
    let is_crlf = before.contains("\r\n") && !before.replace("\r\n", "").contains('\n');
    let plain = |text: &str| if is_crlf { text.replace("\r\n", "\n") } else { text.to_owned() };
    let mut text = plain(before);
    for (at, edit) in edits.iter().enumerate() {
        let (old, new) = (plain(&edit.old), plain(&edit.new));
        let count = if old.is_empty() { 0 } else { text.matches(&old).count() };
        // More than one place would be a guess which one the model meant.
        if count != 1 {
            let times = if count == 0 {
                "is not in the file".to_owned()
            } else {
                format!("occurs {count} times in it")
            };
            return Err(format!("the text that edit {} of {} replaces {times}", at + 1, edits.len()));
        }
        text = text.replacen(&old, &new, 1);
    }
    Ok(if is_crlf { text.replace('\n', "\r\n") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str) -> Edit {
        Edit { old: old.to_owned(), new: new.to_owned() }
    }

    #[test]
    fn edits_are_found_however_they_are_wrapped() {
        let bare = r#"[{"old": "a", "new": "b"}]"#;
        let under = format!(r#"{{"edits": {bare}}}"#);
        let cases = [
            ("as asked for", under.clone()),
            ("a bare list", bare.to_owned()),
            ("fenced", format!("Here you are:\n```json\n{under}\n```\nDone.")),
            ("fenced without a language", format!("```\n{bare}\n```")),
            ("after another block", format!("```python\nx = 1\n```\n```json\n{under}\n```")),
            ("in prose", format!("I would do {under} and no more.")),
        ];
        for (name, text) in cases {
            assert_eq!(from_text(&text), Some(vec![edit("a", "b")]), "{name}");
        }
        for text in ["", "no", "{", r#"{"edits": [{"old": 1}]}"#, "```json\n```"] {
            assert_eq!(from_text(text), None, "{text}");
        }
    }

    #[test]
    fn each_edit_replaces_exactly_one_place() {
        assert_eq!(apply("a\nb\n", &[edit("a", "c"), edit("c\nb", "d")]), Ok("d\n".to_owned()));
        assert_eq!(
            apply("a\n", &[edit("a", "b"), edit("x", "y")]),
            Err("the text that edit 2 of 2 replaces is not in the file".to_owned())
        );
        assert_eq!(
            apply("a\na\n", &[edit("a", "b")]),
            Err("the text that edit 1 of 1 replaces occurs 2 times in it".to_owned())
        );
        assert_eq!(
            apply("a\n", &[edit("", "b")]),
            Err("the text that edit 1 of 1 replaces is not in the file".to_owned())
        );
    }

    #[test]
    fn line_ends_stay() {
        assert_eq!(apply("a\r\nb\r\n", &[edit("a\nb", "c\nd")]), Ok("c\r\nd\r\n".to_owned()));
        assert_eq!(apply("a\r\nb\n", &[edit("b", "c")]), Ok("a\r\nc\n".to_owned()));
    }
}
