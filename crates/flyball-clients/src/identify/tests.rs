//! One row per sign, and the cases in which signs contradict each other.

use super::{Caller, identify};
use crate::CallerContext;
use crate::dialect::examples::NOWHERE;

type Row =
    (&'static str, &'static str, &'static [(&'static str, &'static str)], Option<&'static str>, &'static str);

const BASH: &str =
    r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
const TURN: &str = r#"{"session_id":"s","turn_id":"t","hook_event_name":"PreToolUse","tool_name":"Bash"}"#;
const START: &str = r#"{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}"#;
const CREATE: &str = r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"create_file","tool_input":{"filePath":"/a"}}"#;
const OURS: (&str, &str) = ("CLAUDECODE", "1");
const ROOT: (&str, &str) = ("CLAUDE_PROJECT_DIR", "/p");

/// What, payload, environment, declared client, who it is.
const ROWS: &[Row] = &[
    ("its version", r#"{"cursor_version":"1","hook_event_name":"preToolUse"}"#, &[ROOT], None, "Cursor"),
    (
        "Claude's settings in Cursor",
        r#"{"cursor_version":"1","hook_event_name":"PreToolUse"}"#,
        &[ROOT],
        Some("claude-code"),
        "Cursor",
    ),
    ("its tools", CREATE, &[], None, "VS Code"),
    ("Claude's settings in VS Code", CREATE, &[], Some("claude-code"), "VS Code"),
    ("its variable", BASH, &[("COPILOT_CLI", "1"), ROOT], None, "Copilot"),
    ("Claude's settings in Copilot", BASH, &[("COPILOT_CLI", "1"), ROOT], Some("claude-code"), "Copilot"),
    ("its tool key", r#"{"toolName":"bash"}"#, &[], None, "Copilot"),
    ("its session key", r#"{"sessionId":"s"}"#, &[], Some("claude-code"), "Copilot"),
    ("its turns", TURN, &[], None, "codex"),
    ("its turns, though another is declared", TURN, &[], Some("claude-code"), "codex"),
    ("its variable", START, &[("GEMINI_SESSION_ID", "s"), ROOT], None, "Gemini CLI"),
    ("its events", r#"{"hook_event_name":"BeforeTool"}"#, &[], None, "Gemini CLI"),
    ("its events", r#"{"hook_event_name":"AfterAgent"}"#, &[], Some("claude-code"), "Gemini CLI"),
    ("its variable", BASH, &[("QWEN_PROJECT_DIR", "/p"), ROOT], None, "Qwen Code"),
    ("its variable", BASH, &[("FACTORY_PROJECT_DIR", "/p"), ROOT], None, "Droid"),
    ("its action", r#"{"agent_action_name":"pre_run_command"}"#, &[], None, "Windsurf"),
    ("its version", r#"{"clineVersion":"3"}"#, &[], None, "Cline"),
    ("its hook", r#"{"hookName":"PreToolUse"}"#, &[], None, "Cline"),
    ("its type", r#"{"client_type":"kimi_code_cli","hook_event_name":"Stop"}"#, &[], None, "Kimi"),
    ("its context", r#"{"event":"PreToolUse","matcher_context":"x"}"#, &[], None, "Goose"),
    ("its variable", r#"{"event":"PreToolUse"}"#, &[("CRUSH", "1")], None, "Crush"),
    ("its variable", BASH, &[("QODER_PROJECT_DIR", "/p")], None, "Qoder"),
    ("its variable", BASH, &[("AUGMENT_PROJECT_DIR", "/p")], None, "Auggie"),
    ("its variable", BASH, &[("LETTA_HOOK_EVENT", "x")], None, "Letta"),
    ("its variable", BASH, &[OURS, ROOT], None, "claude-code"),
    ("its settings", BASH, &[], Some("claude-code"), "claude-code"),
    (
        "its own turns",
        r#"{"hook_event_name":"MessageDisplay","turn_id":"t"}"#,
        &[OURS, ROOT],
        None,
        "claude-code",
    ),
    (
        "a watched file",
        r#"{"hook_event_name":"FileChanged","event":"add"}"#,
        &[OURS, ROOT, ("CRUSH", "1")],
        None,
        "claude-code",
    ),
    (
        "a prefixed tool",
        r#"{"hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":{"filePath":"/a"}}"#,
        &[OURS],
        None,
        "claude-code",
    ),
    (
        "started in another's terminal",
        BASH,
        &[OURS, ROOT, ("CLAUDE_CODE_SESSION_ID", "s"), ("COPILOT_CLI", "1")],
        None,
        "claude-code",
    ),
    (
        "another started in its terminal",
        BASH,
        &[OURS, ROOT, ("CLAUDE_CODE_SESSION_ID", "x"), ("COPILOT_CLI", "1")],
        None,
        "Copilot",
    ),
    ("Codex in Claude's terminal", TURN, &[OURS], Some("codex"), "codex"),
    ("Codex in Claude's terminal", TURN, &[OURS, ROOT], Some("codex"), "codex"),
    ("Codex in Claude's terminal, without a turn", START, &[OURS, ROOT], Some("codex"), "codex"),
    ("Codex in Copilot's terminal, without a turn", START, &[("COPILOT_CLI", "1")], Some("codex"), "codex"),
    ("no sign, a declared client nobody knows", START, &[], Some("unheard-of"), "unknown"),
    ("no sign, but its form", START, &[], None, "claude-code"),
    ("no sign, but its form", BASH, &[], None, "claude-code"),
    ("an empty variable is no sign", START, &[("COPILOT_CLI", "")], None, "claude-code"),
    ("no sign, and an event of nobody", r#"{"hook_event_name":"SomethingElse"}"#, &[], None, "unknown"),
    ("no sign and no event", r#"{"session_id":"s"}"#, &[], None, "unknown"),
    ("nothing to read", "{", &[], None, "unknown"),
    ("nothing to read, but declared", "{", &[OURS], Some("claude-code"), "claude-code"),
    ("nothing to read, but declared", "", &[], Some("codex"), "codex"),
];

#[test]
fn callers_are_known_by_their_signs() {
    for (what, payload, environment, declared, expected) in ROWS {
        let find = |name: &str| {
            environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        let surroundings = CallerContext { variable: &find, declared_client: *declared, ..NOWHERE };
        let name = match identify(payload, &surroundings) {
            Caller::Known(client) => client.id(),
            Caller::Foreign { name } => name,
            Caller::Unknown => "unknown",
        };
        assert_eq!(name, *expected, "{expected}: {what}");
    }
}
