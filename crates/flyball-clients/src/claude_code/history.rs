//! Claude Code's transcripts as events.
//!
//! A transcript has less than hooks get: only sessions that begin, prompts, calls and their results, and subagents
//! that start are read from it. Fields that we do not know, or of another type, count as absent.

mod outcome;
#[cfg(test)]
mod tests;
mod timestamp;

use std::collections::HashMap;

use flyball_core::event::{Agent, Event, EventData, EventKind, PermissionMode, SessionId, ToolCall};
use flyball_core::pack::utf16_len;
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use serde_json::value::RawValue;

use super::events::EVENTS;
use super::facts::ID;
use super::tool;
use crate::dialect::{self, Meaning, permission_mode};
use crate::history::{EventOutcome, EventRef, History, HistoryEntry, Line};
use crate::wire::{self, Object};

/// How many calls may wait for their results; a transcript with more open calls is not a real one.
const MOST_OPEN: usize = 10_000;

/// How texts begin that the client put in place of a prompt.
const NON_PROMPT_PREFIXES: &[&str] =
    &["<command-", "<local-command-", "<bash-", "[Request interrupted", "<system-reminder>", "Caveat: "];

/// What was read of a session so far.
#[derive(Default)]
pub(super) struct Reader {
    /// Where the session began.
    project: Option<AbsolutePath>,
    session: String,
    cwd: Option<AbsolutePath>,
    permission_mode: Option<PermissionMode>,
    /// When the last line was written.
    at: Time,
    /// The calls that have no result yet, and when they were made.
    open: HashMap<String, (ToolCall, Time)>,
    /// The roles of subagents, by their ids.
    roles: HashMap<String, String>,
}

impl History for Reader {
    fn read(&mut self, line: &[u8]) -> Line {
        let line = String::from_utf8_lossy(line);
        if line.trim().is_empty() {
            return Line::Skipped;
        }
        let Ok(fields) = Object::read(&line) else { return Line::Unreadable };
        let Some(kind) = fields.text("type") else { return Line::Unreadable };
        let mut entries = Vec::new();
        match kind.as_ref() {
            "user" => self.read_user(&fields, &mut entries),
            "assistant" => self.read_assistant(&fields, &mut entries),
            "attachment" => read_attachment(&fields.object("attachment"), &mut entries),
            _ => return Line::Skipped,
        }
        if entries.is_empty() { Line::Skipped } else { Line::Entries(entries) }
    }
}

impl Reader {
    /// Reads where and when a line was written.
    fn update_position(&mut self, line: &Object, entries: &mut Vec<HistoryEntry>) {
        if let Some(at) = line.text("timestamp").and_then(|text| timestamp::parse(&text)) {
            self.at = at;
        }
        if let Some(session) = line.non_empty("sessionId") {
            self.session = session;
        }
        if let Some(cwd) = line.path("cwd") {
            self.cwd = Some(cwd);
        }
        if let Some(mode) = line.text("permissionMode") {
            self.permission_mode = permission_mode(&mode);
        }
        if let (Some(id), Some(role)) = (line.non_empty("agentId"), line.non_empty("attributionAgent")) {
            self.roles.insert(id, role);
        }
        // The agent may change the folder later; the project is where the session began.
        let is_first = self.project.is_none();
        if is_first && self.cwd.is_some() {
            self.project.clone_from(&self.cwd);
            // The transcript of a subagent is a file of its own, and begins no session.
            if line.flag("isSidechain") != Some(true) {
                let start = EventData::SessionStart { source: "startup".to_owned() };
                entries.push(self.event_entry(line, "SessionStart", start));
            }
        }
    }

    fn read_user(&mut self, line: &Object, entries: &mut Vec<HistoryEntry>) {
        self.update_position(line, entries);
        let message = line.object("message");
        let Some(content) = message.raw("content") else { return };
        if let Some(text) = wire::text(content) {
            return self.add_prompt(line, &text, entries);
        }
        let mut texts = Vec::new();
        for part in wire::list(content) {
            let part = Object::from_value(Some(part));
            match part.text("type").as_deref() {
                Some("tool_result") => self.read_result(line, &part, entries),
                Some("text") => texts.push(part.string("text")),
                _ => {}
            }
        }
        if !texts.is_empty() {
            self.add_prompt(line, &texts.join("\n"), entries);
        }
    }

    /// A prompt: the user's, or the one a subagent was started with.
    fn add_prompt(&self, line: &Object, text: &str, entries: &mut Vec<HistoryEntry>) {
        if line.flag("isSidechain") == Some(true) {
            // Only the first line of a subagent follows nothing.
            if line.raw("parentUuid").is_none_or(|parent| parent.get() == "null") {
                entries.push(self.event_entry(line, "SubagentStart", EventData::AgentStart));
            }
            return;
        }
        let is = |key: &str| line.flag(key) == Some(true);
        let is_other_text = NON_PROMPT_PREFIXES.iter().any(|start| text.trim_start().starts_with(start));
        if is("isMeta") || is("isCompactSummary") || is_other_text || text.is_empty() {
            return;
        }
        let by_machine = text.trim_start().starts_with("<task-notification>");
        let prompt = EventData::PromptSubmit { text: text.to_owned(), by_machine };
        entries.push(self.event_entry(line, "UserPromptSubmit", prompt));
    }

    fn read_assistant(&mut self, line: &Object, entries: &mut Vec<HistoryEntry>) {
        self.update_position(line, entries);
        for part in line.object("message").list("content") {
            let part = Object::from_value(Some(part));
            if part.text("type").as_deref() != Some("tool_use") {
                continue;
            }
            let call = call(&part);
            if let Some(id) = call.id.clone() {
                // Bounds the memory for a hostile file.
                if self.open.len() >= MOST_OPEN {
                    self.open.clear();
                }
                self.open.insert(id, (call.clone(), self.at));
            }
            entries.push(self.event_entry(line, "PreToolUse", EventData::BeforeTool(call)));
        }
    }

    fn read_result(&mut self, line: &Object, part: &Object, entries: &mut Vec<HistoryEntry>) {
        let Some(id) = part.non_empty("tool_use_id") else { return };
        let Some((call, since)) = self.open.remove(&id) else { return };
        let outcome = outcome::classify(line, part);
        entries.push(HistoryEntry::Resolved {
            event: EventRef { kind: EventKind::BeforeTool, call: Some(id) },
            outcome,
        });
        let took = self.at.since(since);
        // A call that was refused never ran: hooks get no event after it either.
        let happening = match outcome {
            EventOutcome::Ran => {
                // Subagents' transcripts leave the response out: what the model was shown is there.
                let response = line.raw("toolUseResult").or_else(|| part.raw("content"));
                let outcome = dialect::outcome_from_response(response, &call.tool, Some(took));
                EventData::AfterTool { call, outcome }
            }
            EventOutcome::Failed => {
                let outcome = dialect::failed_outcome(outcome::result_text(part), Some(took));
                EventData::ToolFailed { call, outcome, interrupted: false }
            }
            EventOutcome::DeniedByHook | EventOutcome::Refused | EventOutcome::Injected(_) => return,
        };
        let native =
            if happening.kind() == EventKind::AfterTool { "PostToolUse" } else { "PostToolUseFailure" };
        entries.push(self.event_entry(line, native, happening));
    }

    fn event_entry(&self, line: &Object, native: &str, happening: EventData) -> HistoryEntry {
        let agent = (line.flag("isSidechain") == Some(true)).then(|| {
            let id = line.non_empty("agentId").unwrap_or_else(|| "sidechain".to_owned());
            let role = self.roles.get(&id).cloned().unwrap_or_default();
            Agent { id, role }
        });
        let cwd = self.cwd.clone().unwrap_or_default();
        let event = Event {
            native: native.to_owned(),
            agent,
            project: self.project.clone(),
            permission_mode: self.permission_mode,
            ..Event::new(ID, SessionId::new(&self.session), cwd, happening)
        };
        HistoryEntry::Happened { at: self.at, event: Box::new(event) }
    }
}

fn call(part: &Object) -> ToolCall {
    let (name, input) = (part.string("name"), part.raw("input"));
    ToolCall {
        id: part.non_empty("id"),
        tool: tool::tool(&name, &Object::from_value(input)),
        // `ToolCall::input` is JSON in any case.
        input: input.map_or("{}", RawValue::get).to_owned(),
        name,
    }
}

/// What hooks did, as far as the transcript has it.
fn read_attachment(attachment: &Object, entries: &mut Vec<HistoryEntry>) {
    let outcome = match attachment.text("type").as_deref() {
        Some("hook_blocking_error") => EventOutcome::DeniedByHook,
        Some("hook_additional_context") => {
            let texts = attachment.list("content").into_iter().filter_map(wire::text);
            EventOutcome::Injected(texts.map(|text| utf16_len(&text)).sum())
        }
        _ => return,
    };
    let native = attachment.string("hookEvent");
    let Some(event) = EVENTS.iter().find(|event| event.name == native) else { return };
    let Meaning::Always(kind) = event.meaning else { return };
    let is_about_a_call =
        matches!(kind, EventKind::BeforeTool | EventKind::AfterTool | EventKind::ToolFailed);
    let call = attachment.non_empty("toolUseID").filter(|_| is_about_a_call);
    entries.push(HistoryEntry::Resolved { event: EventRef { kind, call }, outcome });
}
