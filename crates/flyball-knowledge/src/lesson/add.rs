//! Adds a lesson to the others, if it is one and none of them says the same.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::redact::redact;
use flyball_core::workshop::Workshop;
use serde::Serialize;

use super::{Kind, Lesson, chatter, read_recent, sentence};
use crate::{similar, timestamp};

/// A lesson to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub kind: Kind,
    pub text: String,
    /// Who learned it; may be empty.
    pub source: String,
}

/// The result for a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Addition {
    /// It is in the file now, as shown.
    Added(Lesson),
    /// It is not a lesson, and why.
    Rejected(String),
    /// This lesson says the same already.
    Duplicate(Lesson),
}

/// The line in the file. Old tools read these keys.
#[derive(Serialize)]
struct JsonLine<'a> {
    ts: String,
    t: &'a str,
    txt: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    src: &'a str,
}

/// Appends a lesson to a file, without secrets. Duplicates are looked for at the end of the file;
/// two processes that write the same at the same time both do, and a compaction makes them one.
///
/// # Errors
/// When the file cannot be read or written.
pub fn append(workshop: &dyn Workshop, path: &AbsolutePath, draft: &Draft) -> Result<Addition, PolicyError> {
    // Redacted before it is compared: the lessons in the file are redacted, too.
    let text = redact(&sentence::in_one_line(&draft.text)).into_owned();
    if let Some(why) = chatter::objection(&text) {
        return Ok(Addition::Rejected(why.to_owned()));
    }
    let known = read_recent(workshop, path)?;
    // Only lessons of one kind are compared by meaning: `avoid` and `works` may have nearly the same words.
    let says_the_same = |lesson: &&Lesson| {
        lesson.kind != Kind::Handoff
            && (lesson.text == text || (lesson.kind == draft.kind && similar::is_same(&lesson.text, &text)))
    };
    if let Some(lesson) = known.iter().rev().find(says_the_same) {
        return Ok(Addition::Duplicate(lesson.clone()));
    }
    let source = redact(&sentence::in_one_line(&draft.source)).into_owned();
    let lesson = Lesson { at: workshop.now(), kind: draft.kind, text, source };
    workshop.append(path, &to_json(&lesson)?)?;
    Ok(Addition::Added(lesson))
}

/// Leaves a note for the session after a compaction. It has its own kind and is not a lesson.
///
/// # Errors
/// When the file cannot be written.
pub fn append_handoff(
    workshop: &dyn Workshop,
    path: &AbsolutePath,
    phase: &str,
    note: &str,
) -> Result<(), PolicyError> {
    let note = sentence::in_one_line(note);
    let text =
        if note.is_empty() { format!("Handoff at {phase}") } else { format!("Handoff at {phase}: {note}") };
    let text = redact(&text).into_owned();
    let lesson = Lesson { at: workshop.now(), kind: Kind::Handoff, text, source: "flyball".to_owned() };
    workshop.append(path, &to_json(&lesson)?)
}

fn to_json(lesson: &Lesson) -> Result<String, PolicyError> {
    let line = JsonLine {
        ts: timestamp::iso(lesson.at),
        t: lesson.kind.sign(),
        txt: &lesson.text,
        src: &lesson.source,
    };
    serde_json::to_string(&line).map_err(|cause| PolicyError::Bug { what: format!("a lesson: {cause}") })
}
