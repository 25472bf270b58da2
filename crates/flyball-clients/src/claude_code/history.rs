//! Claude Code's transcripts as events.
//!
//! Hooks heard more than a transcript tells: only sessions that begin, prompts, calls and their results, and subagents
//! that start are made out of it. Fields that we do not know, or of another type, count as absent.

mod fate;
mod moment;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use flyball_core::event::{Agent, Event, EventKind, Happening, PermissionMode, SessionId, ToolCall};
use flyball_core::pack::units;
use serde_json::value::RawValue;

use super::events::EVENTS;
use super::facts::ID;
use super::tool;
use crate::dialect::{self, Meaning, permission_mode};
use crate::history::{Fate, History, Line, Told, Which};
use crate::wire::{self, Object};

/// So many calls may wait for their results; a transcript that leaves more open is not a real one.
const MOST_OPEN: usize = 10_000;

/// What begins a text that the client put where a prompt would stand.
const NO_PROMPT: &[&str] =
    &["<command-", "<local-command-", "<bash-", "[Request interrupted", "<system-reminder>", "Caveat: "];

/// What was read of a session so far.
#[derive(Default)]
pub(super) struct Reader {
    /// Where the session began.
    project: Option<String>,
    session: String,
    cwd: String,
    permission_mode: Option<PermissionMode>,
    /// When the last line was written.
    at: i64,
    /// The calls that have no result yet, and when they were made.
    open: HashMap<String, (ToolCall, i64)>,
    /// The roles of subagents, by their ids.
    roles: HashMap<String, String>,
}

impl History for Reader {
    fn read(&mut self, line: &[u8]) -> Line {
        let line = String::from_utf8_lossy(line);
        if line.trim().is_empty() {
            return Line::Passed;
        }
        let Ok(fields) = Object::read(&line) else { return Line::Unreadable };
        let Some(kind) = fields.text("type") else { return Line::Unreadable };
        let mut told = Vec::new();
        match kind.as_ref() {
            "user" => self.user(&fields, &mut told),
            "assistant" => self.assistant(&fields, &mut told),
            "attachment" => attachment(&fields.object("attachment"), &mut told),
            _ => return Line::Passed,
        }
        if told.is_empty() { Line::Passed } else { Line::Told(told) }
    }
}

impl Reader {
    /// Takes in what each line says of where and when it was written.
    fn place(&mut self, line: &Object, told: &mut Vec<Told>) {
        if let Some(at) = line.text("timestamp").and_then(|text| moment::micros(&text)) {
            self.at = at;
        }
        if let Some(session) = line.filled("sessionId") {
            self.session = session;
        }
        if let Some(cwd) = line.filled("cwd") {
            self.cwd = cwd;
        }
        if let Some(mode) = line.text("permissionMode") {
            self.permission_mode = permission_mode(&mode);
        }
        if let (Some(id), Some(role)) = (line.filled("agentId"), line.filled("attributionAgent")) {
            self.roles.insert(id, role);
        }
        let is_first = self.project.is_none();
        if is_first && !self.cwd.is_empty() {
            self.project = Some(self.cwd.clone());
            if line.flag("isSidechain") != Some(true) {
                let start = Happening::SessionStart { source: "startup".to_owned() };
                told.push(self.happened(line, "SessionStart", start));
            }
        }
    }

    fn user(&mut self, line: &Object, told: &mut Vec<Told>) {
        self.place(line, told);
        let message = line.object("message");
        let Some(content) = message.raw("content") else { return };
        if let Some(said) = wire::text(content) {
            return self.said(line, &said, told);
        }
        let mut texts = Vec::new();
        for part in wire::list(content) {
            let part = Object::within(Some(part));
            match part.text("type").as_deref() {
                Some("tool_result") => self.result(line, &part, told),
                Some("text") => texts.push(part.string("text")),
                _ => {}
            }
        }
        if !texts.is_empty() {
            self.said(line, &texts.join("\n"), told);
        }
    }

    /// A text where a prompt stands: the user's, or the one a subagent was started with.
    fn said(&self, line: &Object, said: &str, told: &mut Vec<Told>) {
        if line.flag("isSidechain") == Some(true) {
            // Only the first line of a subagent follows nothing.
            if line.raw("parentUuid").is_none_or(|parent| parent.get() == "null") {
                told.push(self.happened(line, "SubagentStart", Happening::AgentStart));
            }
            return;
        }
        let is = |key: &str| line.flag(key) == Some(true);
        let is_no_prompt = NO_PROMPT.iter().any(|start| said.trim_start().starts_with(start));
        if is("isMeta") || is("isCompactSummary") || is_no_prompt || said.is_empty() {
            return;
        }
        let by_machine = said.trim_start().starts_with("<task-notification>");
        let prompt = Happening::PromptSubmit { text: said.to_owned(), by_machine };
        told.push(self.happened(line, "UserPromptSubmit", prompt));
    }

    fn assistant(&mut self, line: &Object, told: &mut Vec<Told>) {
        self.place(line, told);
        for part in line.object("message").list("content") {
            let part = Object::within(Some(part));
            if part.text("type").as_deref() != Some("tool_use") {
                continue;
            }
            let call = call(&part);
            if let Some(id) = call.id.clone() {
                if self.open.len() >= MOST_OPEN {
                    self.open.clear();
                }
                self.open.insert(id, (call.clone(), self.at));
            }
            told.push(self.happened(line, "PreToolUse", Happening::BeforeTool(call)));
        }
    }

    fn result(&mut self, line: &Object, part: &Object, told: &mut Vec<Told>) {
        let Some(id) = part.filled("tool_use_id") else { return };
        let Some((call, since)) = self.open.remove(&id) else { return };
        let fate = fate::of(line, part);
        told.push(Told::Became { of: Which { kind: EventKind::BeforeTool, call: Some(id) }, fate });
        let millis = u64::try_from(self.at.saturating_sub(since) / 1_000).unwrap_or_default();
        let happening = match fate {
            Fate::Ran => {
                // Subagents' transcripts leave the response out: what the model was shown is there.
                let response = line.raw("toolUseResult").or_else(|| part.raw("content"));
                let outcome = dialect::came_of(response, &call.tool, Some(millis));
                Happening::AfterTool { call, outcome }
            }
            Fate::Failed => {
                let outcome = dialect::failed_with(fate::shown(part), Some(millis));
                Happening::ToolFailed { call, outcome, interrupted: false }
            }
            Fate::DeniedByHook | Fate::Refused | Fate::Injected(_) => return,
        };
        let native =
            if happening.kind() == EventKind::AfterTool { "PostToolUse" } else { "PostToolUseFailure" };
        told.push(self.happened(line, native, happening));
    }

    fn happened(&self, line: &Object, native: &str, happening: Happening) -> Told {
        let agent = (line.flag("isSidechain") == Some(true)).then(|| {
            let id = line.filled("agentId").unwrap_or_else(|| "sidechain".to_owned());
            let role = self.roles.get(&id).cloned().unwrap_or_default();
            Agent { id, role }
        });
        let event = Event {
            client: ID.to_owned(),
            native: native.to_owned(),
            session: SessionId::new(&self.session),
            agent,
            cwd: self.cwd.clone(),
            project: self.project.clone(),
            transcript: None,
            permission_mode: self.permission_mode,
            happening,
        };
        Told::Happened { at: self.at, event: Box::new(event) }
    }
}

fn call(part: &Object) -> ToolCall {
    let (name, input) = (part.string("name"), part.raw("input"));
    ToolCall {
        id: part.filled("id"),
        tool: tool::tool(&name, &Object::within(input)),
        input: input.map_or("{}", RawValue::get).to_owned(),
        name,
    }
}

/// What hooks did, as far as the client wrote it down.
fn attachment(attachment: &Object, told: &mut Vec<Told>) {
    let fate = match attachment.text("type").as_deref() {
        Some("hook_blocking_error") => Fate::DeniedByHook,
        Some("hook_additional_context") => {
            let texts = attachment.list("content").into_iter().filter_map(wire::text);
            Fate::Injected(texts.map(|text| units(&text)).sum())
        }
        _ => return,
    };
    let native = attachment.string("hookEvent");
    let Some(event) = EVENTS.iter().find(|event| event.name == native) else { return };
    let Meaning::Always(kind) = event.meaning else { return };
    let is_about_a_call =
        matches!(kind, EventKind::BeforeTool | EventKind::AfterTool | EventKind::ToolFailed);
    let call = attachment.filled("toolUseID").filter(|_| is_about_a_call);
    told.push(Told::Became { of: Which { kind, call }, fate });
}
