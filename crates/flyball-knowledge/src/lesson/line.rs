//! One line of a file of lessons.

use flyball_core::event::CallKey;
use flyball_core::time::Time;
use serde_json::Value;

use super::kind::Kind;
use crate::timestamp;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// When; 1970 if it does not say.
    pub at: Time,
    pub kind: Kind,
    pub text: String,
    /// Who learned it; may be empty.
    pub source: String,
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// All of it, with its newline if it has one.
    pub raw: &'a [u8],
    /// The lesson in it; `None` if no lesson can be read from it.
    pub lesson: Option<Lesson>,
    /// Whether the lesson was made a rule.
    pub is_promoted: bool,
}

impl Line<'_> {
    /// Whether it has a newline. A line without one may still be in the middle of being written.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.raw.ends_with(b"\n")
    }
}

impl Lesson {
    /// A short id that depends only on the kind and the text.
    #[must_use]
    pub fn id(&self) -> String {
        let key = CallKey::from_payload(format!("{} {}", self.kind.name(), self.text).as_bytes()).as_u64();
        // Both halves count: short texts differ in few bits.
        format!("{:08x}", (key ^ (key >> 32)) & 0xffff_ffff)
    }
}

/// The lines of a file; joined, they are the file again.
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
    let content = text("txt");
    if content.is_empty() {
        return None;
    }
    let source = text("src");
    let kind = if is_old_handoff(content, source) { Kind::Handoff } else { Kind::from_sign(text("t")) };
    Some(Lesson { at: time(value.get("ts")), kind, text: content.to_owned(), source: source.to_owned() })
}

/// A handoff note that an older tool wrote as a lesson.
fn is_old_handoff(text: &str, source: &str) -> bool {
    source == "pre-compact-hook" && text.starts_with("Handoff at phase ")
}

fn time(value: Option<&Value>) -> Time {
    match value {
        Some(Value::String(text)) => timestamp::parse(text).unwrap_or_default(),
        Some(Value::Number(number)) => Time::from_millis(number.as_u64().unwrap_or_default()),
        _ => Time::default(),
    }
}
