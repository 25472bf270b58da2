//! One line of a file of lessons.

use flyball_core::event::CallKey;
use serde_json::Value;

use super::{Kind, Lesson};
use crate::timestamp;

/// A line as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// All of it, with its end if it has one.
    pub raw: &'a [u8],
    /// The lesson in it; `None` if it holds none that can be read.
    pub lesson: Option<Lesson>,
    /// Whether the lesson was made a rule.
    pub is_promoted: bool,
}

impl Line<'_> {
    /// Whether it has an end. One that has none may be half of what somebody writes just now.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.raw.ends_with(b"\n")
    }
}

impl Lesson {
    /// A short name of it that stays the same while it says the same.
    #[must_use]
    pub fn id(&self) -> String {
        let key = CallKey::from_payload(format!("{} {}", self.kind.name(), self.text).as_bytes()).as_u64();
        // Both halves count: short texts differ in few bits.
        format!("{:08x}", (key ^ (key >> 32)) & 0xffff_ffff)
    }
}

/// The lines of a file, whatever is in them: put together again they are the file.
pub fn lines(content: &[u8]) -> impl Iterator<Item = Line<'_>> {
    content.split_inclusive(|byte| *byte == b'\n').map(read)
}

fn read(raw: &[u8]) -> Line<'_> {
    let value = serde_json::from_slice::<Value>(raw).ok();
    let lesson = value.as_ref().and_then(lesson);
    let is_promoted = value.as_ref().is_some_and(|value| value.get("promoted").is_some());
    Line { raw, lesson, is_promoted }
}

fn lesson(value: &Value) -> Option<Lesson> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    let said = text("txt");
    if said.is_empty() {
        return None;
    }
    let source = text("src");
    let kind = if is_old_handoff(said, source) { Kind::Handoff } else { Kind::from_sign(text("t")) };
    Some(Lesson { at: time(value.get("ts")), kind, text: said.to_owned(), source: source.to_owned() })
}

/// A note that an older tool wrote in the guise of a lesson.
fn is_old_handoff(text: &str, source: &str) -> bool {
    source == "pre-compact-hook" && text.starts_with("Handoff at phase ")
}

fn time(value: Option<&Value>) -> u64 {
    match value {
        Some(Value::String(text)) => timestamp::parse(text).unwrap_or_default(),
        Some(Value::Number(number)) => number.as_u64().unwrap_or_default(),
        _ => 0,
    }
}
