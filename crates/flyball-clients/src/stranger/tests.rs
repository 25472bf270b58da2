//! Payloads of many clients, read by meaning.

use flyball_core::event::{Change, Tool};

use super::{Report, read};

/// What a call amounts to, in a line.
fn meaning(payload: &str) -> String {
    match read(payload, None) {
        Report::Other => "other".to_owned(),
        Report::Unreadable => "unreadable".to_owned(),
        Report::Call(call, folders) => {
            let session = folders.session.as_ref().map(|it| it.as_str().to_owned()).unwrap_or_default();
            let folder = match folders.call {
                Some(call) if call.as_str() == session => format!(" in {session}"),
                Some(call) => format!(" in {} of {session}", call.as_str()),
                None => String::new(),
            };
            match call.tool {
                Tool::Shell { command, .. } => format!("run {command}{folder}"),
                Tool::Edit(edits) => {
                    let each = edits.iter().map(|edit| match &edit.change {
                        Change::Write { content } => format!("write {} {content}", edit.path),
                        Change::Replace { old, new, .. } => format!("replace {} {old}>{new}", edit.path),
                        Change::Delete => format!("delete {}", edit.path),
                        other => format!("{} {other:?}", edit.path),
                    });
                    each.collect::<Vec<_>>().join("; ") + &folder
                }
                other => format!("{other:?} {}", call.name),
            }
        }
    }
}

/// A payload, and what it amounts to.
const CALLS: &[(&str, &str)] = &[
    // Copilot: no name of the event, arguments as text.
    (
        r#"{"timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":"{\"command\":\"ls -l\"}"}"#,
        "run ls -l in /p",
    ),
    (r#"{"toolName":"bash","toolArgs":"{}","toolResult":{"resultType":"success"}}"#, "unreadable"),
    // Claude's names in camel case.
    (r#"{"hookEventName":"PreToolUse","toolName":"Bash","toolInput":{"command":"ls"}}"#, "run ls"),
    (
        r#"{"hookEventName":"preToolUse","toolName":"Write","toolInput":{"filePath":"a.py","content":"x"}}"#,
        "write a.py x",
    ),
    // Cursor: the event is the tool, and the payload its input.
    (r#"{"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/p"}"#, "run ls in /p"),
    (r#"{"hook_event_name":"afterShellExecution","command":"ls","output":""}"#, "other"),
    (r#"{"hook_event_name":"beforeSubmitPrompt","prompt":"delete all"}"#, "other"),
    (
        r#"{"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls"},"workspace_roots":["/w"]}"#,
        "run ls in /w",
    ),
    // Gemini
    (
        r#"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"},"cwd":"/p"}"#,
        "run ls in /p",
    ),
    (
        r#"{"hook_event_name":"BeforeTool","tool_name":"replace","tool_input":{"file_path":"/a","old_string":"x","new_string":"y"}}"#,
        "replace /a x>y",
    ),
    (r#"{"hook_event_name":"BeforeToolSelection","llm_request":{}}"#, "other"),
    (r#"{"hook_event_name":"BeforeAgent","prompt":"x"}"#, "other"),
    // Windsurf
    (
        r#"{"agent_action_name":"pre_run_command","tool_info":{"command_line":"ls","cwd":"/p"}}"#,
        "run ls in /p of ",
    ),
    (
        r#"{"agent_action_name":"pre_write_code","tool_info":{"file_path":"/a","edits":[{"old_string":"x","new_string":"y"}]}}"#,
        "replace /a x>y",
    ),
    (r#"{"agent_action_name":"post_run_command","tool_info":{"command_line":"ls"}}"#, "other"),
    // Cline: the call is below the name of the event.
    (
        r#"{"clineVersion":"3","hookName":"PreToolUse","preToolUse":{"toolName":"execute_command","parameters":{"command":"ls"}}}"#,
        "run ls",
    ),
    // Kiro: `command` is a verb of its editor.
    (
        r#"{"hook_event_name":"preToolUse","tool_name":"fs_write","tool_input":{"command":"create","path":"/a","file_text":"x"}}"#,
        "write /a x",
    ),
    (
        r#"{"hook_event_name":"preToolUse","tool_name":"execute_bash","tool_input":{"command":"ls"}}"#,
        "run ls",
    ),
    // VS Code
    (
        r#"{"hook_event_name":"PreToolUse","tool_name":"run_in_terminal","tool_input":{"command":"ls","explanation":"look"}}"#,
        "run ls",
    ),
    // Tools that read.
    (r#"{"hook_event_name":"beforeReadFile","file_path":"/p/.env","content":"x"}"#, "run cat -- /p/.env"),
    (r#"{"hook_event_name":"beforeReadFile","file_path":"/p/.env"}"#, "run cat -- /p/.env"),
    (
        r#"{"hook_event_name":"BeforeTool","tool_name":"read_file","tool_input":{"path":".env"}}"#,
        "run cat -- .env",
    ),
    // A command and an edit in one call: guards read both.
    (r#"{"tool":"exec","input":{"command":"ls","file":{"path":"/a","content":"x"}}}"#, "Other exec"),
    // The agent chooses the folder of its call, not the project; a relative one hides none.
    (
        r#"{"cwd":"/p","tool_name":"bash","tool_input":{"command":"ls","workdir":"/elsewhere"}}"#,
        "run ls in /elsewhere of /p",
    ),
    (
        r#"{"cwd":"/p","tool_name":"bash","tool_input":{"command":"ls","cwd":"sub"}}"#,
        "run cd sub && ls in /p",
    ),
    // Names of events that nobody has seen yet.
    (r#"{"hook_event_name":"beforeRun","command":"ls"}"#, "run ls"),
    (r#"{"event":"pre_exec","cmd":"ls"}"#, "run ls"),
    (r#"{"event":"session_end","command":"ls"}"#, "other"),
    // Something nobody has seen yet.
    (r#"{"event":"before","tool":{"name":"shell","input":{"command":"ls"}}}"#, "run ls"),
    (r#"{"event":"tool.before","tool":"shell","args":{"command":"ls"}}"#, "run ls"),
    (r#"{"tool":"shell","input":{"command":"ls"}}"#, "run ls"),
    ("{}", "unreadable"),
    ("[]", "unreadable"),
    ("no json", "unreadable"),
    (r#"{"session":"x"}"#, "unreadable"),
    (r#"{"event":"session_start"}"#, "other"),
];

#[test]
fn calls_are_read_by_meaning() {
    for (payload, expected) in CALLS {
        assert_eq!(meaning(payload), *expected, "{payload}");
    }
}
