//! Codex's reader of answers, as strict as the client: whatever it rejects would let the action
//! pass.

use serde_json::{Map, Value};

type Members = Map<String, Value>;

/// Reads an answer to an event; the error says why the client would throw it away.
pub(super) fn read(event: &str, stdout: &str) -> Result<(), String> {
    if stdout.is_empty() {
        return Ok(());
    }
    let document: Value = serde_json::from_str(stdout).map_err(|cause| format!("no JSON: {cause}"))?;
    let document = document.as_object().ok_or("no object")?;
    no_nulls(document)?;
    match event {
        "PreToolUse" => pre_tool_use(document),
        "PermissionRequest" => permission_request(document),
        "PostToolUse" => block_or_context(document, event),
        "UserPromptSubmit" => block_or_context(document, event),
        "SessionStart" | "SubagentStart" => {
            known(document, &["systemMessage", "hookSpecificOutput"])?;
            context(document, event)
        }
        "Stop" | "SubagentStop" => {
            known(document, &["systemMessage", "decision", "reason"])?;
            block(document)
        }
        "PreCompact" | "PostCompact" | "Interrupt" => known(document, &["systemMessage"]),
        _ => Err(format!("{event} takes no answer")),
    }
}

fn pre_tool_use(document: &Members) -> Result<(), String> {
    known(document, &["systemMessage", "hookSpecificOutput"])?;
    let Some(specific) = specific(document, "PreToolUse")? else { return Ok(()) };
    let keys = [
        "hookEventName",
        "permissionDecision",
        "permissionDecisionReason",
        "updatedInput",
        "additionalContext",
    ];
    known(specific, &keys)?;
    text(specific, "additionalContext")?;
    let reason = text(specific, "permissionDecisionReason")?;
    let input = specific.get("updatedInput");
    match (text(specific, "permissionDecision")?, reason, input) {
        (Some("deny"), Some(reason), None) if !reason.trim().is_empty() => Ok(()),
        (Some("allow"), _, Some(Value::Object(_))) => Ok(()),
        (None, None, None) => Ok(()),
        other => Err(format!("decision, reason and input do not fit: {other:?}")),
    }
}

fn permission_request(document: &Members) -> Result<(), String> {
    known(document, &["systemMessage", "hookSpecificOutput"])?;
    let Some(specific) = specific(document, "PermissionRequest")? else { return Ok(()) };
    known(specific, &["hookEventName", "decision"])?;
    let decision = specific.get("decision").and_then(Value::as_object).ok_or("no decision")?;
    known(decision, &["behavior", "message"])?;
    text(decision, "message")?;
    match text(decision, "behavior")? {
        Some("allow" | "deny") => Ok(()),
        other => Err(format!("behavior {other:?}")),
    }
}

fn block_or_context(document: &Members, event: &str) -> Result<(), String> {
    known(document, &["systemMessage", "decision", "reason", "hookSpecificOutput"])?;
    block(document)?;
    context(document, event)
}

fn block(document: &Members) -> Result<(), String> {
    match (text(document, "decision")?, text(document, "reason")?) {
        (None, None) => Ok(()),
        (Some("block"), Some(reason)) if !reason.trim().is_empty() => Ok(()),
        other => Err(format!("decision and reason do not fit: {other:?}")),
    }
}

fn context(document: &Members, event: &str) -> Result<(), String> {
    let Some(specific) = specific(document, event)? else { return Ok(()) };
    known(specific, &["hookEventName", "additionalContext"])?;
    text(specific, "additionalContext").map(drop)
}

fn specific<'d>(document: &'d Members, event: &str) -> Result<Option<&'d Members>, String> {
    let Some(specific) = document.get("hookSpecificOutput") else { return Ok(None) };
    let specific = specific.as_object().ok_or("hookSpecificOutput is not an object")?;
    match text(specific, "hookEventName")? {
        Some(name) if name == event => Ok(Some(specific)),
        other => Err(format!("hookEventName {other:?}")),
    }
}

fn known(members: &Members, keys: &[&str]) -> Result<(), String> {
    match members.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown key {key}")),
        None => text(members, "systemMessage").map(drop),
    }
}

fn text<'m>(members: &'m Members, key: &str) -> Result<Option<&'m str>, String> {
    match members.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("{key} is {other}")),
    }
}

fn no_nulls(members: &Members) -> Result<(), String> {
    members.iter().try_for_each(|(key, value)| match value {
        Value::Null => Err(format!("{key} is null")),
        Value::Object(members) => no_nulls(members),
        _ => Ok(()),
    })
}

#[test]
fn the_reader_rejects_what_the_client_rejects() {
    let rejected = [
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"r"}}"#,
        ),
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}"#,
        ),
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}"#,
        ),
        ("PreToolUse", r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{}}}"#),
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}"#,
        ),
        (
            "PreToolUse",
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r","x":1}}"#,
        ),
        ("PreToolUse", r#"{"suppressOutput":true}"#),
        ("Stop", r#"{"decision":"block"}"#),
        ("Stop", r#"{"hookSpecificOutput":{"hookEventName":"Stop","additionalContext":"c"}}"#),
        ("Stop", "text"),
        ("PreCompact", r#"{"decision":"block","reason":"r"}"#),
        ("PostToolUse", r#"{"reason":"r"}"#),
        ("SessionEnd", r#"{"systemMessage":"m"}"#),
        ("SessionStart", r#"{"systemMessage":null}"#),
    ];
    for (event, stdout) in rejected {
        assert!(read(event, stdout).is_err(), "{event} {stdout}");
    }
}
