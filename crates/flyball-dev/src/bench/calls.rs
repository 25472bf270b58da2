//! Calls as agents make them, written down as a transcript and as a recorded session.

use std::path::Path;
use std::time::Duration;

use flyball_clients::CLIENTS;
use flyball_core::config::Mode;
use flyball_core::event::{AnswerId, CallKey, EventKind, SessionId};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::{SECOND, Time};
use flyball_core::verdict::Stance;
use flyball_policies::REGISTRY;
use flyball_store::Store;
use serde_json::{Value, json};

use super::in_process::TYPICAL;
use flyball::history::{WAIT, fold_all};
use flyball::outcome::Failed;

/// How long ago the first call is made: recent enough for the store to retain it.
const AGO: Duration = Duration::from_hours(3 * 24);
/// The time between two calls.
const APART: Duration = Duration::from_secs(3);

/// The project that calls are made in.
pub(super) struct Place {
    root: String,
    /// When the first call is made.
    start: Time,
    /// The client whose transcripts can be read.
    client: &'static str,
}

impl Place {
    pub(super) fn new(root: &Path) -> Place {
        let with_history = CLIENTS.iter().find(|client| client.history().is_some());
        let client = with_history.map_or("", |client| client.id());
        let start = Time::now().floor(SECOND) - AGO;
        Place { root: root.to_string_lossy().into_owned(), start, client }
    }
}

/// A call and its result.
pub(super) struct Call {
    number: usize,
    /// When it is made.
    at: Time,
    tool: &'static str,
    input: Value,
    result: Value,
}

/// Six in ten are command lines; the rest reads, edits, writes and searches.
pub(super) fn call(place: &Place, number: usize) -> Call {
    let root = &place.root;
    let file = format!("{root}/src/part_{:02}.py", number % 41);
    let line = TYPICAL.get(number % TYPICAL.len()).copied().unwrap_or_default();
    let output =
        "src/app.py:12: a line of the output of a program, of the usual length\n".repeat(number % 40);
    let (tool, input, result) = match number % 10 {
        1 => ("Read", json!({ "file_path": file }), json!({ "file": { "content": output } })),
        3 => {
            let old = "    return [part for part in parts if part]\n".repeat(1 + number % 12);
            let new = old.replace("part", &format!("piece_{number}"));
            let input = json!({ "file_path": file, "old_string": old, "new_string": new });
            ("Edit", input, json!({ "filePath": file }))
        }
        5 => {
            let content = format!("def test_{number}():\n    assert {number} != 1\n\n\n").repeat(20);
            (
                "Write",
                json!({ "file_path": file, "content": content }),
                json!({ "type": "create", "filePath": file }),
            )
        }
        7 => ("Grep", json!({ "pattern": format!("case_{number}"), "path": root }), json!({ "numFiles": 3 })),
        _ => {
            let command = json!({ "command": format!("{line} # {number}"), "description": "Look" });
            ("Bash", command, json!({ "stdout": output, "stderr": "", "interrupted": false }))
        }
    };
    let at = place.start + APART.saturating_mul(u32::try_from(number).unwrap_or_default());
    Call { number, at, tool, input, result }
}

impl Call {
    fn id(&self) -> String {
        format!("toolu_{:024}", self.number)
    }
}

/// The calls as the client records them in its transcript.
pub(super) fn transcript(place: &Place, session: &str, calls: &[Call]) -> String {
    let mut text = String::new();
    for call in calls {
        let at = jiff::Timestamp::from_microsecond(call.at.as_micros()).unwrap_or_default().to_string();
        let line = |kind: &str, content: Value| {
            json!({
                "type": kind, "timestamp": at, "cwd": place.root, "sessionId": session, "isSidechain": false,
                "message": { "role": kind, "content": [content] },
            })
        };
        let made = json!({ "type": "tool_use", "id": call.id(), "name": call.tool, "input": call.input });
        let outcome = json!({ "type": "tool_result", "tool_use_id": call.id(), "content": "done" });
        let mut result = line("user", outcome);
        if let Some(fields) = result.as_object_mut() {
            fields.insert("toolUseResult".to_owned(), call.result.clone());
        }
        for line in [line("assistant", made), result] {
            text.push_str(&line.to_string());
            text.push('\n');
        }
    }
    text
}

/// The calls in a store, as hooks would have recorded them: before each and after it.
pub(super) fn store(state: &Path, place: &Place, sessions: &[&[Call]]) -> Result<(), Failed> {
    let store = Store::at(state);
    for (number, calls) in sessions.iter().enumerate() {
        let session = SessionId::new(&format!("replayed-{number}"));
        let journal = store.session(place.client, &session, WAIT);
        for call in *calls {
            for kind in [EventKind::BeforeTool, EventKind::AfterTool] {
                let mut record = record(place, (&session, kind), call);
                journal.commit(&mut record)?;
            }
        }
    }
    fold_all(&store, place.start).map_err(Failed::from)
}

fn record(place: &Place, (session, kind): (&SessionId, EventKind), call: &Call) -> Record {
    let is_after = kind == EventKind::AfterTool;
    let native = if is_after { "PostToolUse" } else { "PreToolUse" };
    let mut payload = json!({
        "hook_event_name": native, "session_id": session.as_str(), "cwd": place.root,
        "tool_name": call.tool, "tool_input": call.input, "tool_use_id": call.id(),
    });
    if let Some(fields) = payload.as_object_mut().filter(|_| is_after) {
        fields.insert("tool_response".to_owned(), call.result.clone());
    }
    let key = call.number as u64 * 2 + u64::from(is_after);
    Record {
        id: AnswerId::from_seed(key),
        at: call.at + Duration::from_millis(if is_after { 900 } else { 0 }),
        client: place.client.to_owned(),
        session: session.clone(),
        agent: None,
        project: place.root.clone(),
        kind,
        native: native.to_owned(),
        tool: None,
        subject: call.tool.to_owned(),
        call: CallKey::from_payload(&key.to_le_bytes()),
        duplicate: false,
        stance: Stance::Silent,
        said: String::new(),
        context_chars: 0,
        notices: Vec::new(),
        rewritten: false,
        rulings: silent(kind),
        took: Duration::from_micros(400),
        payload: Some(payload.to_string()),
    }
}

/// The rulings on most events: all policies that listen are silent.
fn silent(kind: EventKind) -> Vec<RecordedRuling> {
    let listening =
        REGISTRY.iter().filter(|policy| policy.listens.contains(&kind) && policy.mode != Mode::Off);
    let ruling = |policy: &&flyball_core::policy::Policy| RecordedRuling {
        policy: policy.id.as_str().to_owned(),
        mode: policy.mode,
        skipped: false,
        stance: Stance::Silent,
        reasons: Vec::new(),
        evidence: Vec::new(),
        error: None,
        took: Duration::from_micros(9),
    };
    listening.map(ruling).collect()
}
