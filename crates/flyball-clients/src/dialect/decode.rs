//! From a payload to an event. Every field but the first few may be missing or of another type.

use flyball_core::event::{
    Agent, BackgroundWork, CompactTrigger, Event, EventData, EventKind, PermissionMode, RefusedCall,
    SessionId, Stopping, Tool, ToolCall,
};
use flyball_core::path::AbsolutePath;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::outcome::{failure, goes_on, outcome};
use super::protocol::Protocol;
use crate::exchange::{CallerContext, DecodeError};
use crate::stranger;
use crate::wire::Object;

/// Decodes a payload. The caller adds the client and its project.
pub(crate) fn decode(
    protocol: &Protocol,
    payload: &str,
    surroundings: &CallerContext,
) -> Result<Event, DecodeError> {
    let payload = Object::read(payload)?;
    let declared = || surroundings.declared_event.unwrap_or_default().to_owned();
    let native = payload.non_empty("hook_event_name").unwrap_or_else(declared);
    let kind = protocol.event(&native).map_or(EventKind::Unknown, |event| event.meaning.resolve(&payload));
    let reader = Reader { protocol, payload: &payload };
    Ok(Event {
        client: String::new(),
        session: SessionId::new(&payload.text("session_id").unwrap_or_default()),
        agent: agent(&payload),
        cwd: cwd(&payload, surroundings),
        project: None,
        transcript: payload.path("transcript_path"),
        permission_mode: payload.text("permission_mode").and_then(|mode| permission_mode(&mode)),
        happening: reader.event_data(kind),
        native,
    })
}

/// The folder of the session. A client that names none starts us in it: names in the payload are relative to it, and
/// without it guards would compare them with absolute ones.
fn cwd(payload: &Object, surroundings: &CallerContext) -> AbsolutePath {
    payload.path("cwd").or_else(surroundings.folder).unwrap_or_default()
}

fn agent(payload: &Object) -> Option<Agent> {
    Some(Agent { id: payload.non_empty("agent_id")?, role: payload.string("agent_type") })
}

/// The mode that the client calls so.
pub(crate) fn permission_mode(mode: &str) -> Option<PermissionMode> {
    match mode {
        "default" => Some(PermissionMode::Default),
        "acceptEdits" => Some(PermissionMode::AcceptEdits),
        "plan" => Some(PermissionMode::Plan),
        "auto" => Some(PermissionMode::Auto),
        "dontAsk" => Some(PermissionMode::DontAsk),
        "bypassPermissions" => Some(PermissionMode::Bypass),
        _ => None,
    }
}

struct Reader<'r, 'p> {
    protocol: &'r Protocol,
    payload: &'r Object<'p>,
}

impl Reader<'_, '_> {
    fn event_data(&self, kind: EventKind) -> EventData {
        let string = |key: &str| self.payload.string(key);
        match kind {
            EventKind::SessionStart => EventData::SessionStart { source: string("source") },
            EventKind::SessionSetup => EventData::SessionSetup { trigger: string("trigger") },
            EventKind::InstructionsLoaded => EventData::InstructionsLoaded { path: string("file_path") },
            EventKind::PromptSubmit => self.prompt(),
            EventKind::PromptExpanded => EventData::PromptExpanded {
                command: string("command_name"),
                arguments: string("command_args"),
            },
            EventKind::BeforeTool => EventData::BeforeTool(self.coming_call()),
            EventKind::PermissionAsked => EventData::PermissionAsked(self.coming_call()),
            EventKind::PermissionDenied => {
                EventData::PermissionDenied { call: self.call(), reason: string("reason") }
            }
            EventKind::AfterTool => self.after_tool(),
            EventKind::ToolFailed => self.tool_failed(),
            EventKind::AfterBatch => self.batch(),
            EventKind::Stop => EventData::Stop(self.stopping()),
            EventKind::StopFailed => EventData::StopFailed { error: string("error") },
            EventKind::AgentStart => EventData::AgentStart,
            EventKind::AgentStop => self.agent_stop(),
            EventKind::TeammateIdle => EventData::TeammateIdle { name: string("teammate_name") },
            EventKind::TaskCreated => {
                EventData::TaskCreated { id: string("task_id"), subject: string("task_subject") }
            }
            EventKind::TaskCompleted => {
                EventData::TaskCompleted { id: string("task_id"), subject: string("task_subject") }
            }
            EventKind::BeforeCompact => EventData::BeforeCompact {
                trigger: self.trigger(),
                instructions: string("custom_instructions"),
            },
            EventKind::AfterCompact => {
                EventData::AfterCompact { trigger: self.trigger(), summary: string("compact_summary") }
            }
            EventKind::BeforeModelSwitch => {
                EventData::BeforeModelSwitch { from: string("from_model"), to: string("to_model") }
            }
            EventKind::AfterModelSwitch => {
                EventData::AfterModelSwitch { from: string("from_model"), to: string("to_model") }
            }
            EventKind::BeforeModelCall => EventData::BeforeModelCall { model: string("model") },
            EventKind::AfterModelCall => {
                EventData::AfterModelCall { model: string("model"), status: string("status") }
            }
            EventKind::Interrupted => EventData::Interrupted,
            EventKind::SessionEnd => EventData::SessionEnd { reason: string("reason") },
            EventKind::Notification => {
                EventData::Notification { topic: string("notification_type"), message: string("message") }
            }
            EventKind::Elicitation => {
                EventData::Elicitation { server: string("mcp_server_name"), message: string("message") }
            }
            EventKind::ElicitationAnswered => {
                EventData::ElicitationAnswered { server: string("mcp_server_name"), action: string("action") }
            }
            EventKind::ConfigChanged => EventData::ConfigChanged {
                source: string("source"),
                path: self.payload.non_empty("file_path"),
            },
            EventKind::CwdChanged => EventData::CwdChanged { from: string("old_cwd"), to: string("new_cwd") },
            EventKind::FileChanged => {
                EventData::FileChanged { path: string("file_path"), how: string("event") }
            }
            EventKind::DirectoryAdded => EventData::DirectoryAdded { path: string("directory") },
            EventKind::WorktreeCreate => EventData::WorktreeCreate { name: string("name") },
            EventKind::WorktreeRemove => EventData::WorktreeRemove { path: string("worktree_path") },
            EventKind::MessageShown => EventData::MessageShown { text: string("delta") },
            EventKind::Unknown => EventData::Unknown,
        }
    }

    fn prompt(&self) -> EventData {
        let text = self.payload.string("prompt");
        // Some clients report the prompt of a subagent as if the user had written it.
        let by_machine = self.payload.has("agent_id")
            || text.trim_start().starts_with("<task-notification>")
            || self.payload.text("source").is_some_and(|source| is_machine(&source));
        EventData::PromptSubmit { text, by_machine }
    }

    fn call(&self) -> ToolCall {
        self.call_in(self.payload)
    }

    /// A call that is about to run. What this client's own names do not explain is read by meaning: a new version may have
    /// renamed a field, and guards must not go out with it.
    fn coming_call(&self) -> ToolCall {
        let call = self.call();
        let input = self.payload.object("tool_input");
        let needed = (self.protocol.needed)(&call.name);
        if !call.name.is_empty() && needed.iter().all(|key| input.text(key).is_some()) {
            return call;
        }
        // Of an edit whose file is known, the rest is judged as far as it is known.
        let is_placed = || call.tool.edits().first().is_some_and(|edit| !edit.path.is_empty());
        let mut fields = self.payload.values();
        // The one thing that it needs may be all of the input.
        if let (Some(bare @ (Value::Array(_) | Value::String(_))), [only]) =
            (fields.get_mut("tool_input"), needed)
            && !bare.as_str().is_some_and(|text| text.trim_start().starts_with('{'))
        {
            *bare = json!({ *only: bare.take() });
        }
        match stranger::call(&fields, None) {
            Some(found) if call.name.is_empty() => found,
            Some(ToolCall { tool: tool @ (Tool::Shell { .. } | Tool::Edit(_)), .. }) => {
                ToolCall { tool, ..call }
            }
            _ if is_placed() => call,
            _ => ToolCall { tool: Tool::Unreadable, ..call },
        }
    }

    /// One call; a batch holds several, each with the fields that a payload has for its only one.
    fn call_in(&self, fields: &Object) -> ToolCall {
        let name = fields.string("tool_name");
        let input = fields.raw("tool_input");
        ToolCall {
            id: fields.non_empty("tool_use_id"),
            tool: (self.protocol.tool)(&name, &Object::from_value(input)),
            // `ToolCall::input` is JSON in any case.
            input: input.map_or("{}", RawValue::get).to_owned(),
            name,
        }
    }

    fn after_tool(&self) -> EventData {
        let mut call = self.call();
        // The client or the user may have put it there after it began.
        if let Tool::Shell { background, .. } = &mut call.tool {
            *background |= goes_on(self.payload);
        }
        let outcome = outcome(self.payload, &call.tool);
        EventData::AfterTool { call, outcome }
    }

    fn tool_failed(&self) -> EventData {
        let interrupted = self.payload.flag("is_interrupt").unwrap_or_default();
        let call = self.call();
        let outcome = failure(self.payload, &call.tool);
        EventData::ToolFailed { call, outcome, interrupted }
    }

    fn batch(&self) -> EventData {
        let (mut calls, mut refused) = (Vec::new(), Vec::new());
        for call in self.payload.list("tool_calls") {
            let fields = Object::from_value(Some(call));
            let call = self.call_in(&fields);
            let answer = fields.text("tool_response").unwrap_or_default();
            if let Some(error) = refusal(&answer) {
                refused.push(RefusedCall { call: call.clone(), error: error.to_owned() });
            }
            calls.push(call);
        }
        EventData::AfterBatch { calls, refused }
    }

    fn stopping(&self) -> Stopping {
        let tasks = self.payload.list("background_tasks").into_iter();
        Stopping {
            again: self.payload.flag("stop_hook_active").unwrap_or_default(),
            last_message: self.payload.string("last_assistant_message"),
            background: tasks.filter_map(background_work).collect(),
            lists_background: self.payload.raw("background_tasks").is_some(),
        }
    }

    fn agent_stop(&self) -> EventData {
        let transcript = self.payload.path("agent_transcript_path");
        EventData::AgentStop { stopping: self.stopping(), transcript }
    }

    fn trigger(&self) -> CompactTrigger {
        match self.payload.text("trigger").as_deref() {
            Some("manual") => CompactTrigger::Manual,
            _ => CompactTrigger::Auto,
        }
    }
}

/// The error that the model got if its call was not run.
fn refusal(answer: &str) -> Option<&str> {
    // How the client marks, for the model, a call that it did not run.
    answer.trim().strip_prefix("<tool_use_error>")?.strip_suffix("</tool_use_error>").map(str::trim)
}

/// Whether a prompt of this source was written by a machine. An open set: an unknown source counts
/// as a person's.
fn is_machine(source: &str) -> bool {
    matches!(source, "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event")
}

/// Work that still goes on; what is finished stays in the client's list for a while.
fn background_work(task: &RawValue) -> Option<BackgroundWork> {
    let task = Object::from_value(Some(task));
    let is_over = matches!(
        task.text("status").as_deref(),
        Some("completed" | "failed" | "killed" | "stopped" | "cancelled")
    );
    (!is_over).then(|| BackgroundWork {
        id: task.string("id"),
        kind: task.string("type"),
        description: task.string("description"),
        command: task.string("command"),
    })
}
