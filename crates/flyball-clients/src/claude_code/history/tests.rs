use flyball_core::event::{Event, EventData, EventKind, Tool};
use proptest::prelude::*;
use serde_json::json;

use super::Reader;
use crate::history::{EventOutcome, History, HistoryEntry, Line};

const DENIED: &str = include_str!("../../../fixtures/claude-code/transcript-denied.jsonl");
const DENIED_BY_AN_OLDER_ONE: &str =
    include_str!("../../../fixtures/claude-code/transcript-denied-older.jsonl");
const FEEDBACK: &str = include_str!("../../../fixtures/claude-code/transcript-main-posttool-feedback.jsonl");
const MAIN: &str = include_str!("../../../fixtures/claude-code/transcript-main.jsonl");
const SUBAGENT: &str = include_str!("../../../fixtures/claude-code/transcript-subagent.jsonl");

/// The entries of a transcript, a line each.
fn entries(transcript: &str) -> Vec<String> {
    let mut reader = Reader::default();
    let mut shown = Vec::new();
    for line in transcript.lines() {
        match reader.read(line.as_bytes()) {
            Line::Entries(all) => shown.extend(all.iter().map(show)),
            Line::Skipped => {}
            Line::Unreadable => shown.push("unreadable".to_owned()),
        }
    }
    shown
}

fn show(entry: &HistoryEntry) -> String {
    match entry {
        HistoryEntry::Happened { event, .. } => {
            let agent = event.agent.as_ref().map(|agent| format!(" @{}", agent.role)).unwrap_or_default();
            format!("{}{agent}: {}", event.kind().name(), about(event))
        }
        HistoryEntry::Resolved { event: of, outcome } => format!("  {} {outcome:?}", of.kind.name()),
    }
}

fn about(event: &Event) -> &str {
    match &event.happening {
        EventData::PromptSubmit { text, .. } => text,
        EventData::SessionStart { source } => source,
        EventData::ToolFailed { outcome, .. } => &outcome.text,
        _ => match event.call().map(|call| &call.tool) {
            Some(Tool::Shell { command, .. }) => command.lines().next().unwrap_or_default(),
            Some(_) => event.call().map_or("", |call| &call.name),
            None => "",
        },
    }
}

#[test]
fn a_transcript_shows_what_was_denied_and_what_ran() {
    let expected = [
        "session_start: startup",
        "prompt_submit: Go.",
        "before_tool: Read",
        "  before_tool Ran",
        "after_tool: Read",
        "before_tool: Edit",
        "  before_tool DeniedByHook",
        "before_tool: cat > ruff.toml <<'EOF'",
        "  before_tool DeniedByHook",
        "before_tool: python3 -c \"open('ruff.toml', 'w').write('line-length = 400')\"",
        "  before_tool DeniedByHook",
        "before_tool: git apply fix.patch",
        "  before_tool DeniedByHook",
    ];
    assert_eq!(entries(DENIED), expected);
    assert_eq!(entries(DENIED_BY_AN_OLDER_ONE), expected);
}

#[test]
fn what_hooks_added_after_a_call_belongs_to_that_call() {
    let entries = entries(FEEDBACK);
    let fates: Vec<&str> =
        entries.iter().filter(|line| line.starts_with("  after")).map(String::as_str).collect();
    assert_eq!(
        fates,
        [
            "  after_batch Injected(13)",
            "  after_tool DeniedByHook",
            "  after_tool DeniedByHook",
            "  after_tool Injected(12)",
        ]
    );
}

#[test]
fn a_subagents_calls_are_its_own() {
    let expected = [
        "agent_start @: ",
        "before_tool @general-purpose: Write",
        "  before_tool Ran",
        "after_tool @general-purpose: Write",
    ];
    assert_eq!(entries(SUBAGENT), expected);
    let main = entries(MAIN);
    assert_eq!(main.get(2).map(String::as_str), Some("before_tool: Agent"), "{main:?}");
}

#[test]
fn events_are_where_and_when_the_line_was_written() {
    let mut reader = Reader::default();
    let line = json!({
        "type": "assistant", "timestamp": "1970-01-01T00:00:01.000Z", "cwd": "/p/api", "sessionId": "s",
        "message": { "content": [{ "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "ls" } }] },
    });
    let Line::Entries(entries) = reader.read(line.to_string().as_bytes()) else { panic!("no entries") };
    let [HistoryEntry::Happened { .. }, HistoryEntry::Happened { at, event }] = entries.as_slice() else {
        panic!("{entries:?}")
    };
    assert_eq!(
        (*at, event.cwd.as_str(), event.session.as_str()),
        (flyball_core::time::Time::from_millis(1_000), "/p/api", "s")
    );
    assert_eq!(event.project.as_deref(), Some("/p/api"));
    assert_eq!(event.call().unwrap().input, r#"{"command":"ls"}"#);
}

#[test]
fn the_users_no_is_not_a_failure() {
    let cases = [
        (
            "The user doesn't want to proceed with this tool use. The tool use was rejected",
            EventOutcome::Refused,
        ),
        ("[Request interrupted by user for tool use]", EventOutcome::Refused),
        ("Permission to use Bash with command ls has been denied.", EventOutcome::Refused),
        ("PreToolUse:Bash hook error: [x]: no", EventOutcome::DeniedByHook),
        ("[rules] no\n(flyball explain 4k7q2m8x)", EventOutcome::DeniedByHook),
        ("no. [flyball rules 4k7q2m8x]", EventOutcome::DeniedByHook),
        ("Exit code 1\nPreToolUse:Bash hook error: quoted", EventOutcome::Failed),
        ("<tool_use_error>String to replace not found</tool_use_error>", EventOutcome::Failed),
    ];
    for (content, expected) in cases {
        let mut reader = Reader::default();
        let use_ = json!({ "type": "assistant", "message": { "content": [
            { "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "ls" } }] } });
        let result = json!({ "type": "user", "message": { "content": [
            { "type": "tool_result", "tool_use_id": "t", "is_error": true, "content": content }] } });
        reader.read(use_.to_string().as_bytes());
        let Line::Entries(entries) = reader.read(result.to_string().as_bytes()) else { panic!("{content}") };
        let Some(HistoryEntry::Resolved { outcome, .. }) = entries.first() else { panic!("{content}") };
        assert_eq!(*outcome, expected, "{content}");
        assert_eq!(entries.len() > 1, expected == EventOutcome::Failed, "{content}");
    }
}

#[test]
fn lines_that_are_no_lines_are_counted_and_nothing_else() {
    let deep = format!("{{\"type\":\"user\",\"message\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let cases: [(&[u8], Line); 9] = [
        (b"", Line::Skipped),
        (b"{\"type\":\"summary\"}", Line::Skipped),
        (b"{\"type\":\"user\",\"message\":{\"content\":\"torn", Line::Unreadable),
        (b"\0\xff\xfe\x01", Line::Unreadable),
        (b"[1]", Line::Unreadable),
        (b"{}", Line::Unreadable),
        (b"{\"type\":7}", Line::Unreadable),
        (b"{\"type\":\"user\",\"message\":[1],\"timestamp\":5,\"cwd\":{},\"sessionId\":[]}", Line::Skipped),
        (deep.as_bytes(), Line::Skipped),
    ];
    for (line, expected) in cases {
        let shown = String::from_utf8_lossy(line.get(..line.len().min(60)).unwrap()).into_owned();
        assert_eq!(Reader::default().read(line), expected, "{shown}");
    }
}

proptest! {
    #[test]
    fn no_mutation_of_a_transcript_makes_the_reader_fail(
        at in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 0..12),
        cut in 0usize..40,
    ) {
        let mut text = [DENIED, FEEDBACK, SUBAGENT].concat().into_bytes();
        let from = at.index(text.len());
        let to = (from + cut).min(text.len());
        text.splice(from..to, bytes);
        let mut reader = Reader::default();
        for line in text.split(|byte| *byte == b'\n') {
            if let Line::Entries(entries) = reader.read(line) {
                for one in entries {
                    if let HistoryEntry::Happened { event, .. } = one {
                        prop_assert!(event.kind() != EventKind::Unknown);
                    }
                }
            }
        }
    }
}
