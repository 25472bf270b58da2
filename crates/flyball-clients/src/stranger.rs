//! Callers whose protocol flyball does not speak: their calls are read by meaning and answered in the forms that most
//! clients understand, because a guard that keeps silent because it does not know who asks is no guard.
//!
//! Only calls that have not run yet are read. Everything else such a client reports is only recorded.

use flyball_core::answer::Answer;
use flyball_core::event::{EventKind, Tool, ToolCall};
use flyball_core::path::AbsolutePath;
use flyball_core::server::ServerCall;
use flyball_core::verdict::Stance;
use serde_json::{Map, Value, json};

use crate::dialect::mcp;
use crate::exchange::{Output, Refused};

/// The exit code that most clients take for a refusal.
const REFUSES: u8 = 2;
/// The exit code of an error that refuses nothing.
const PASSES: u8 = 1;

/// Keys are compared without `_` and case: `toolName`, `tool_name`.
const EVENT_KEYS: &[&str] =
    &["hookeventname", "eventname", "event", "hookname", "hook", "agentactionname", "type"];
const SESSION_KEYS: &[&str] =
    &["sessionid", "conversationid", "taskid", "trajectoryid", "threadid", "session"];
const TOOL_KEYS: &[&str] = &["toolname", "tool", "mcptoolname"];
const INPUT_KEYS: &[&str] = &[
    "toolinput",
    "toolargs",
    "toolarguments",
    "toolinfo",
    "mcptoolarguments",
    "arguments",
    "args",
    "parameters",
    "params",
    "input",
];
const FOLDER_KEYS: &[&str] = &["cwd", "workingdirectory", "workdir"];
const RESULT_KEYS: &[&str] = &["toolresult", "toolresponse", "tooloutput", "mcpresult", "result"];

/// Words in the names of events that are not about calls, whatever is in them.
const OTHER_WORDS: &[&str] = &[
    "prompt",
    "session",
    "notification",
    "notify",
    "stop",
    "agent",
    "compact",
    "compress",
    "model",
    "llm",
    "selection",
    "message",
    "response",
    "thought",
    "idle",
];
const PAST_WORDS: &[&str] = &["post", "after", "completed", "failed", "failure", "result", "changed"];

/// What a client reports that flyball does not speak with.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// A call that is about to run.
    Call(Box<ToolCall>, Folders),
    /// Something else, with a name.
    Other,
    /// Nothing by which it could be known what happens.
    Unreadable,
}

/// The folders that a payload names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders {
    /// The one that the client works in. The agent chooses the other one.
    pub session: Option<AbsolutePath>,
    /// The one that the call is made in.
    pub call: Option<AbsolutePath>,
}

/// The session that a payload names, and its event; empty if it names none.
#[must_use]
pub fn sender(payload: &str) -> (String, String) {
    let payload: Map<String, Value> = serde_json::from_str(payload).unwrap_or_default();
    let text = |keys| find(&payload, keys).and_then(Value::as_str).unwrap_or_default().to_owned();
    (text(SESSION_KEYS), text(EVENT_KEYS))
}

/// Reads a payload by meaning.
#[must_use]
pub fn read(payload: &str, declared_event: Option<&str>) -> Report {
    let Ok(Value::Object(payload)) = serde_json::from_str(payload) else { return Report::Unreadable };
    let named = find(&payload, EVENT_KEYS).and_then(Value::as_str).or(declared_event);
    let event = named.map(words).unwrap_or_default();
    // Some clients put the call below a key with the name of the event.
    let nested = payload
        .iter()
        .find(|(key, value)| value.is_object() && named.is_some_and(|name| words(key) == words(name)));
    let fields = nested.and_then(|(_, value)| value.as_object()).unwrap_or(&payload);
    let is_past = has_any(&event, PAST_WORDS) || find(fields, RESULT_KEYS).is_some();
    let may_be_call = !has_any(&event, OTHER_WORDS) || find(fields, TOOL_KEYS).is_some();
    match call(fields, named).filter(|_| may_be_call && !is_past) {
        Some(call) => Report::Call(Box::new(call), folders(&payload, fields)),
        None if event.is_empty() => Report::Unreadable,
        None => Report::Other,
    }
}

fn folders(payload: &Map<String, Value>, fields: &Map<String, Value>) -> Folders {
    let named = |object: &Map<String, Value>| AbsolutePath::new(find(object, FOLDER_KEYS)?.as_str()?);
    let roots = || {
        let roots = find(payload, &["workspaceroots", "workspacepaths"])?.as_array()?;
        AbsolutePath::new(roots.first()?.as_str()?)
    };
    let session = named(payload).or_else(|| named(fields)).or_else(roots);
    let input = find(fields, INPUT_KEYS).and_then(Value::as_object);
    Folders { call: input.and_then(named).or_else(|| session.clone()), session }
}

/// The call that these fields are about, if they are about one.
pub(crate) fn call(fields: &Map<String, Value>, event: Option<&str>) -> Option<ToolCall> {
    let name = find(fields, TOOL_KEYS).and_then(|tool| match tool {
        Value::String(name) => Some(name.clone()),
        Value::Object(tool) => find(tool, &["name"])?.as_str().map(str::to_owned),
        _ => None,
    });
    let input = Value::Object(input_of(fields)).to_string();
    let meaning = ServerCall::read("", name.as_deref().or(event).unwrap_or_default(), &input);
    // A payload without the name of a tool is about one if its fields say so: `beforeShellExecution` has a command.
    if name.is_none() && meaning.edits.is_empty() && meaning.line.is_empty() {
        return None;
    }
    let tool = tool(name.as_deref().unwrap_or_default(), meaning);
    let id = find(fields, &["tooluseid", "toolcallid", "callid"]).and_then(Value::as_str).map(str::to_owned);
    Some(ToolCall { id, tool, input, name: name.or_else(|| event.map(str::to_owned)).unwrap_or_default() })
}

/// The arguments of the call: an object, a text that holds one, or else the payload itself.
fn input_of(fields: &Map<String, Value>) -> Map<String, Value> {
    let below = match find(fields, &["tool"]) {
        Some(Value::Object(tool)) => find(tool, INPUT_KEYS),
        _ => None,
    };
    let mut input = match below.or_else(|| find(fields, INPUT_KEYS)) {
        Some(Value::Object(input)) => input.clone(),
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Object(input)) => input,
            _ => Map::from_iter([("input".to_owned(), Value::from(text.as_str()))]),
        },
        _ => fields.clone(),
    };
    // That is the folder of the event.
    let is_folder = |value: &Value| value.as_str().is_some_and(|path| path.starts_with('/'));
    input.retain(|key, value| !(is_folder(value) && FOLDER_KEYS.contains(&plain(key).as_str())));
    input
}

/// The tool that a call amounts to.
fn tool(name: &str, meaning: ServerCall) -> Tool {
    match (meaning.edits.is_empty(), meaning.line.is_empty()) {
        (false, true) => Tool::Edit(meaning.edits),
        (true, false) => Tool::Shell { command: meaning.line, background: false },
        // Guards read the input themselves, also one that is both.
        (true, true) | (false, false) => mcp(name).unwrap_or(Tool::Other),
    }
}

/// The value of the first of these keys that the object has.
fn find<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    let is_key = |name: &str, key: &str| plain(name) == key;
    let found =
        keys.iter().find_map(|key| object.iter().find(|(name, value)| is_key(name, key) && !value.is_null()));
    found.map(|(_, value)| value)
}

/// A key without `_` and case.
fn plain(key: &str) -> String {
    key.chars().filter(|letter| !matches!(letter, '_' | '-')).collect::<String>().to_lowercase()
}

/// The words of a name in any style: `preToolUse`, `pre_tool_use`, `PreToolUse`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            was_small = false;
            words.push(String::new());
            continue;
        }
        if words.is_empty() || (letter.is_uppercase() && was_small) {
            words.push(String::new());
        }
        was_small = letter.is_lowercase();
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn has_any(words: &[String], of: &[&str]) -> bool {
    words.iter().any(|word| of.contains(&word.as_str()))
}

/// What the user is told about a caller.
#[must_use]
pub fn notice(client: &str) -> String {
    format!(
        "flyball does not support this client ({client}): its tool calls are guarded, and nothing else is enforced. \
         `flyball doctor` lists the clients that it supports."
    )
}

/// The answer to a call of such a client: a refusal in every form that clients are known to understand, at once.
#[must_use]
pub fn encode(client: &str, answer: &Answer) -> Output {
    let notices: String = answer.notices.iter().map(|notice| format!("{notice}\n")).collect();
    if answer.stance < Stance::Ask {
        return Output { stderr: notices, ..Output::default() };
    }
    let told = notice(client);
    let reason = match answer.stance {
        Stance::Deny => answer.reason_text(EventKind::BeforeTool),
        // Nobody knows whether this client can ask its user.
        _ => {
            format!(
                "A person has to decide this, and flyball cannot ask one here: {}",
                answer.reason_text(EventKind::BeforeTool)
            )
        }
    };
    let reply = json!({
        "decision": "deny",
        "reason": reason,
        "permission": "deny",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
        "user_message": told,
        "agent_message": reason,
        "cancel": true,
        "errorMessage": reason,
        "systemMessage": told,
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        },
    });
    Output {
        stdout: reply.to_string(),
        stderr: format!("{reason}\n{notices}"),
        exit: REFUSES,
        unprinted: Some(Refused { exit: REFUSES, reason }),
    }
}

/// The answer to a call that could not be judged: it is refused.
#[must_use]
pub fn encode_failure(problem: &str) -> Output {
    Output::failed(REFUSES, problem)
}

/// The answer to a payload in which nothing can be recognised.
#[must_use]
pub fn encode_unreadable(client: &str) -> Output {
    Output::failed(
        PASSES,
        &format!(
            "flyball could not judge this event: nothing in its payload says what happens ({client}). If it was a call \
             of a tool, it was not checked; `flyball doctor` shows how flyball is registered"
        ),
    )
}

#[cfg(test)]
mod tests;
