//! `[[rule.case]]` as people write it: an event in few words, and what the rule is expected to do.

use flyball_core::config::Located;
use flyball_core::event::{
    Agent, Change, CompactTrigger, Event, EventData, EventKind, FileEdit, Outcome, PermissionMode, SessionId,
    Stopping, Tool, ToolCall,
};
use flyball_core::path::AbsolutePath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One case: an event and the expected result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// The event.
    pub(super) event: Located<Given>,
    /// What the rule has to do: an action, or `silent`.
    pub(super) expect: Expected,
    /// Words that the message has to contain.
    #[serde(default)]
    pub(super) message: Option<String>,
}

/// What a rule is expected to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// Nothing.
    Silent,
    /// Stop it.
    Deny,
    /// Let the user decide.
    Ask,
    /// Let it pass without asking.
    Allow,
    /// Notify the user.
    Warn,
    /// Add context for the model.
    Inject,
    /// Change the call.
    Rewrite,
}

impl Expected {
    /// The name used in the config.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Expected::Silent => "silent",
            Expected::Deny => "deny",
            Expected::Ask => "ask",
            Expected::Allow => "allow",
            Expected::Warn => "warn",
            Expected::Inject => "inject",
            Expected::Rewrite => "rewrite",
        }
    }
}

/// An event in few words. Exactly one of the first group says what happens; the rest adds to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Given {
    /// A shell runs this command line.
    shell: Option<String>,
    /// This file is written with `content`.
    write: Option<String>,
    /// In this file `old` is replaced by `new`.
    edit: Option<String>,
    /// This file is read.
    read: Option<String>,
    /// A subagent of this role is started with `prompt`.
    spawn_agent: Option<String>,
    /// This skill is invoked.
    skill: Option<String>,
    /// This tool of a tool server is called: `server/tool`.
    mcp: Option<String>,
    /// This address is fetched.
    fetch: Option<String>,
    /// The event is about no tool; `kind` says what it is, this is its text: the prompt, the last
    /// message, the source.
    text: Option<String>,
    /// The kind of event; `before_tool` by default.
    kind: Option<EventKind>,
    /// What is written.
    content: String,
    /// What is replaced.
    old: String,
    /// What replaces it.
    new: String,
    /// What a subagent is asked.
    prompt: String,
    /// The tool's output, for events after it.
    output: String,
    /// The role of the subagent in which it happens.
    agent: Option<String>,
    /// The permission mode of the client.
    permission_mode: Option<PermissionMode>,
    /// The working directory, relative to the project.
    cwd: String,
}

impl Given {
    pub(super) fn event(&self, root: &AbsolutePath) -> Result<Event, String> {
        let cwd = if self.cwd.is_empty() { root.clone() } else { root.join(&self.cwd) };
        Ok(Event {
            native: "case".to_owned(),
            agent: self.agent.as_ref().map(|role| Agent { id: "case".to_owned(), role: role.clone() }),
            project: Some(root.to_owned()),
            permission_mode: self.permission_mode,
            ..Event::new("case", SessionId::new("case"), cwd, self.happening()?)
        })
    }

    fn happening(&self) -> Result<EventData, String> {
        let kind = self.kind.unwrap_or(EventKind::BeforeTool);
        match (self.call()?, &self.text) {
            (Some(call), None) => self.about_call(kind, call),
            (None, Some(text)) => about_text(kind, text),
            (Some(_), Some(_)) => Err("an event is about a tool or has a `text`, not both".to_owned()),
            (None, None) => {
                Err("say what happens: shell, write, edit, read, spawn_agent, skill, mcp, fetch or text"
                    .to_owned())
            }
        }
    }

    fn call(&self) -> Result<Option<ToolCall>, String> {
        let edit = |path: &String, change| Tool::Edit(vec![FileEdit { path: path.clone(), change }]);
        let tools = [
            self.shell.as_ref().map(|command| Tool::Shell { command: command.clone(), background: false }),
            self.write.as_ref().map(|path| edit(path, Change::Write { content: self.content.clone() })),
            self.edit.as_ref().map(|path| {
                edit(path, Change::Replace { old: self.old.clone(), new: self.new.clone(), all: false })
            }),
            self.read.as_ref().map(|path| Tool::Read { path: path.clone() }),
            self.spawn_agent.as_ref().map(|role| Tool::SpawnAgent {
                role: role.clone(),
                prompt: self.prompt.clone(),
                background: None,
            }),
            self.skill.as_ref().map(|name| Tool::Skill { name: name.clone(), arguments: String::new() }),
            self.mcp.as_ref().map(|name| {
                let (server, tool) = name.split_once('/').unwrap_or((name, ""));
                Tool::Mcp { server: server.to_owned(), tool: tool.to_owned() }
            }),
            self.fetch.as_ref().map(|url| Tool::Fetch { url: url.clone() }),
        ];
        let mut tools = tools.into_iter().flatten();
        let (first, second) = (tools.next(), tools.next());
        if second.is_some() {
            return Err("an event is about one tool, not several".to_owned());
        }
        Ok(first.map(|tool| ToolCall {
            id: None,
            name: tool.kind().name().to_owned(),
            tool,
            input: "{}".to_owned(),
        }))
    }

    fn about_call(&self, kind: EventKind, call: ToolCall) -> Result<EventData, String> {
        let outcome = Outcome { text: self.output.clone(), ..Outcome::default() };
        match kind {
            EventKind::BeforeTool => Ok(EventData::BeforeTool(call)),
            EventKind::PermissionAsked => Ok(EventData::PermissionAsked(call)),
            EventKind::AfterTool => Ok(EventData::AfterTool { call, outcome }),
            EventKind::ToolFailed => Ok(EventData::ToolFailed { call, outcome, interrupted: false }),
            _ => Err(format!("an event of kind `{}` is not about a tool call", kind.name())),
        }
    }

    pub(super) fn shown(&self) -> String {
        let parts = [
            ("shell", &self.shell),
            ("write", &self.write),
            ("edit", &self.edit),
            ("read", &self.read),
            ("spawn_agent", &self.spawn_agent),
            ("skill", &self.skill),
            ("mcp", &self.mcp),
            ("fetch", &self.fetch),
            ("text", &self.text),
        ];
        let shown =
            parts.iter().find_map(|(name, value)| value.as_ref().map(|value| format!("{name} {value:?}")));
        shown.unwrap_or_default()
    }
}

fn about_text(kind: EventKind, text: &str) -> Result<EventData, String> {
    let text = text.to_owned();
    match kind {
        EventKind::PromptSubmit => Ok(EventData::PromptSubmit { text, by_machine: false }),
        EventKind::Stop => Ok(EventData::Stop(Stopping { last_message: text, ..Stopping::default() })),
        EventKind::AgentStart => Ok(EventData::AgentStart),
        EventKind::AgentStop => {
            let stopping = Stopping { last_message: text, ..Stopping::default() };
            Ok(EventData::AgentStop { stopping, transcript: None })
        }
        EventKind::SessionStart => Ok(EventData::SessionStart { source: text }),
        EventKind::SessionEnd => Ok(EventData::SessionEnd { reason: text }),
        EventKind::BeforeCompact => {
            Ok(EventData::BeforeCompact { trigger: CompactTrigger::Manual, instructions: text })
        }
        EventKind::Notification => Ok(EventData::Notification { topic: String::new(), message: text }),
        EventKind::PromptExpanded => {
            Ok(EventData::PromptExpanded { command: text, arguments: String::new() })
        }
        _ => Err(format!("a case cannot make an event of kind `{}` out of a text", kind.name())),
    }
}
