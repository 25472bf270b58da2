//! The fields of an event that rules can read, each with the line the reference gives it.

use std::cell::OnceCell;

use flyball_core::event::{Change, Event, EventData, SearchFor, Stopping, Tool, ToolCall};
use flyball_core::expr::{Field, Schema, Scope, Type, Value};
use flyball_core::policy::{Situation, World};
use flyball_effects::{Command, RedirectKind, Script};

use super::matching::{relative, relative_real};

const fn field(name: &'static str, ty: Type, doc: &'static str) -> Field {
    Field { name, ty, doc }
}

/// All fields of an event.
pub static EVENT: Schema = Schema::new(&[
    field("event", Type::record(&WHAT), "the event itself"),
    field("session", Type::record(&SESSION), "the session it belongs to"),
    field("agent", Type::record(&AGENT), "the subagent it happened in; empty on the main thread"),
    field("tool", Type::record(&TOOL), "the tool call, for events about one"),
    field(
        "edits",
        Type::record(&EDIT).list(),
        "the files that the call changes, by an edit tool or, as far as the line shows it, a shell",
    ),
    field("shell", Type::record(&SHELL), "the parsed command line, for calls of a shell"),
    field("prompt", Type::record(&PROMPT), "the prompt, for events about one"),
    field("outcome", Type::record(&OUTCOME), "the result of a tool call, after it"),
    field("stop", Type::record(&STOP), "how an agent ends its turn"),
    field("notice", Type::record(&NOTICE), "the client's notification"),
]);

static WHAT: Schema = Schema::new(&[
    field("kind", Type::STRING, "its kind, e.g. `before_tool`"),
    field("name", Type::STRING, "the client's own name of it"),
    field("client", Type::STRING, "the client, e.g. `claude-code`"),
    field("detail", Type::STRING, "what started, ended or triggered it: `startup`, `compact`, `manual` …"),
    field("path", Type::STRING, "the file it is about, for events about a file, relative to the project"),
]);

static SESSION: Schema = Schema::new(&[
    field("id", Type::STRING, "the client's id of the session"),
    field("cwd", Type::STRING, "its working directory at this moment"),
    field("project", Type::STRING, "the root of the project"),
    field(
        "permission_mode",
        Type::STRING,
        "how freely the client lets the agent act: `default`, `accept_edits`, `plan`, `auto`, `dont_ask`, `bypass`",
    ),
]);

static AGENT: Schema = Schema::new(&[
    field("id", Type::STRING, "the client's id of this run"),
    field("role", Type::STRING, "its type or role, e.g. `code-reviewer`"),
]);

static TOOL: Schema = Schema::new(&[
    field("kind", Type::STRING, "what the tool does: `shell`, `edit`, `read` …"),
    field("name", Type::STRING, "the client's own name of the tool"),
    field("command", Type::STRING, "the command line of a shell"),
    field("background", Type::BOOL, "whether the agent continues before the command or subagent has ended"),
    field("path", Type::STRING, "the (first) file it names or changes, relative to the project"),
    field("content", Type::STRING, "the text that it adds to files"),
    field("prompt", Type::STRING, "what a subagent is asked to do"),
    field("role", Type::STRING, "the role of the subagent that is started"),
    field("pattern", Type::STRING, "what a search looks for"),
    field("searches", Type::STRING, "`content` or `names`, for a search"),
    field("skill", Type::STRING, "the skill that is invoked"),
    field("url", Type::STRING, "the address that is fetched"),
    field("query", Type::STRING, "what a web search looks for"),
    field("server", Type::STRING, "the tool server that is called"),
    field("server_tool", Type::STRING, "its tool"),
    field("input", Type::STRING, "the whole input, as JSON text"),
]);

static EDIT: Schema = Schema::new(&[
    field("path", Type::STRING, "the file, relative to the project"),
    field(
        "change",
        Type::STRING,
        "`write`, `replace`, `cell`, `delete` or `move`; empty if it cannot be known",
    ),
    field("added", Type::STRING, "the text that is added"),
    field("removed", Type::STRING, "the text that is known to be removed"),
]);

static SHELL: Schema = Schema::new(&[
    field("commands", Type::record(&COMMAND).list(), "every program that the line would really run"),
    field("is_clear", Type::BOOL, "whether the whole line could be understood"),
]);

static COMMAND: Schema = Schema::new(&[
    field("program", Type::STRING, "its name without folders; empty if it cannot be known"),
    field("path", Type::STRING, "the program as it was written"),
    field("args", Type::STRING.list(), "its arguments, unquoted; what cannot be known is empty"),
    field("writes", Type::STRING.list(), "the files that its output is redirected to"),
    field("reads", Type::STRING.list(), "the files that its input comes from"),
    field("wrappers", Type::STRING.list(), "what it is run by: `sudo`, `xargs`, `bash` …"),
]);

static PROMPT: Schema = Schema::new(&[
    field("text", Type::STRING, "what was asked"),
    field("by_machine", Type::BOOL, "whether no person wrote it"),
    field("command", Type::STRING, "the typed command or skill"),
    field("arguments", Type::STRING, "what was typed after it"),
]);

static OUTCOME: Schema = Schema::new(&[
    field("text", Type::STRING, "the output of the tool"),
    field("failed", Type::BOOL, "whether it failed"),
]);

static STOP: Schema = Schema::new(&[
    field("again", Type::BOOL, "whether it was already blocked from stopping in this turn"),
    field("last_message", Type::STRING, "the agent's last message"),
    field("background", Type::INT, "how many tasks still run in the background"),
]);

static NOTICE: Schema = Schema::new(&[
    field("topic", Type::STRING, "the kind of notification"),
    field("message", Type::STRING, "its text"),
]);

/// One event as rules see it. Costly fields are computed when a rule reads them, once.
pub struct EventScope<'a> {
    situation: &'a Situation<'a>,
    parts: [(&'static str, Part<'a>); 8],
    shell: OnceCell<Option<ShellScope>>,
    edits: OnceCell<Vec<EditScope<'a>>>,
}

impl<'a> EventScope<'a> {
    /// The scope of an event.
    #[must_use]
    pub fn new(situation: &'a Situation<'a>) -> EventScope<'a> {
        let (event, world) = (situation.event, situation.world);
        let part = |read: ReadField| Part { situation, event, world, read, path: OnceCell::new() };
        let parts = [
            ("event", part(what)),
            ("session", part(session)),
            ("agent", part(agent)),
            ("tool", part(tool)),
            ("prompt", part(prompt)),
            ("outcome", part(outcome)),
            ("stop", part(stop)),
            ("notice", part(notice)),
        ];
        EventScope { situation, parts, shell: OnceCell::new(), edits: OnceCell::new() }
    }

    fn edits(&self) -> &Vec<EditScope<'a>> {
        self.edits.get_or_init(|| changed(self.situation))
    }

    fn shell(&self) -> Option<&ShellScope> {
        let line = || self.situation.line().map(|line| ShellScope::new(&line.script));
        self.shell.get_or_init(line).as_ref()
    }
}

impl Scope for EventScope<'_> {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "edits" => Some(Value::list(self.edits())),
            "shell" => self.shell().map(|shell| Value::Record(shell)),
            _ => self.parts.iter().find(|(part, _)| *part == name).map(|(_, part)| Value::Record(part)),
        }
    }
}

type ReadField = for<'s> fn(&'s Part<'_>, &str) -> Option<Value<'s>>;

/// A record whose fields are read straight from the event.
struct Part<'a> {
    situation: &'a Situation<'a>,
    event: &'a Event,
    world: &'a dyn World,
    read: ReadField,
    // A part has at most one field that is a path, so one cell is enough.
    path: OnceCell<String>,
}

impl Part<'_> {
    fn relative(&self, path: &str) -> &str {
        self.path.get_or_init(|| relative(path, self.event, self.world))
    }

    fn call(&self) -> Option<&ToolCall> {
        self.event.call()
    }
}

impl Scope for Part<'_> {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        (self.read)(self, name)
    }
}

fn what<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    let event = part.event;
    match name {
        "kind" => Some(Value::from(event.kind().name())),
        "name" => Some(Value::from(event.native.as_str())),
        "client" => Some(Value::from(event.client.as_str())),
        "detail" => detail(&event.happening).map(Value::from),
        "path" => event_path(&event.happening).map(|path| Value::from(part.relative(path))),
        _ => None,
    }
}

fn detail(happening: &EventData) -> Option<&str> {
    match happening {
        EventData::SessionStart { source: text }
        | EventData::SessionSetup { trigger: text }
        | EventData::SessionEnd { reason: text }
        | EventData::StopFailed { error: text }
        | EventData::PermissionDenied { reason: text, .. }
        | EventData::ConfigChanged { source: text, .. }
        | EventData::FileChanged { how: text, .. }
        | EventData::BeforeModelSwitch { to: text, .. }
        | EventData::AfterModelSwitch { to: text, .. } => Some(text),
        EventData::BeforeCompact { trigger, .. } | EventData::AfterCompact { trigger, .. } => {
            Some(trigger.name())
        }
        _ => None,
    }
}

fn event_path(happening: &EventData) -> Option<&str> {
    match happening {
        EventData::InstructionsLoaded { path }
        | EventData::FileChanged { path, .. }
        | EventData::DirectoryAdded { path }
        | EventData::WorktreeRemove { path }
        | EventData::CwdChanged { to: path, .. }
        | EventData::ConfigChanged { path: Some(path), .. } => Some(path),
        _ => None,
    }
}

fn session<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    match name {
        "id" => Some(Value::from(part.event.session.as_str())),
        "cwd" => Some(Value::from(part.event.cwd.as_str())),
        "project" => Some(Value::from(part.world.project_root().as_str())),
        "permission_mode" => part.event.permission_mode.map(|mode| Value::from(mode.name())),
        _ => None,
    }
}

fn agent<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    let agent = part.event.agent.as_ref()?;
    match name {
        "id" => Some(Value::from(agent.id.as_str())),
        "role" => Some(Value::from(agent.role.as_str())),
        _ => None,
    }
}

fn tool<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    let call = part.call()?;
    match name {
        "kind" => return Some(Value::from(call.tool.kind().name())),
        "name" => return Some(Value::from(call.name.as_str())),
        "input" => return Some(Value::from(call.input.as_str())),
        _ => {}
    }
    match (&call.tool, name) {
        (Tool::Shell { command, .. }, "command") => Some(Value::from(command.as_str())),
        (Tool::Shell { background, .. }, "background") => Some(Value::Bool(*background)),
        (Tool::SpawnAgent { background, .. }, "background") => {
            Some(Value::Bool(background.unwrap_or_default()))
        }
        (Tool::Edit(edits), "path") => edits.first().map(|edit| Value::from(part.relative(&edit.path))),
        (Tool::Shell { .. }, "path") => {
            let first = || changed(part.situation).into_iter().next().map(|edit| edit.path);
            Some(part.path.get_or_init(|| first().unwrap_or_default()))
                .filter(|path| !path.is_empty())
                .map(|path| Value::from(path.as_str()))
        }
        (Tool::Edit(edits), "content") => edits.first().map(|edit| Value::from(edit.change.added())),
        (Tool::Read { path } | Tool::Search { path: Some(path), .. }, "path") => {
            Some(Value::from(part.relative(path)))
        }
        (Tool::SpawnAgent { prompt: text, .. }, "prompt")
        | (Tool::SpawnAgent { role: text, .. }, "role")
        | (Tool::Search { pattern: text, .. }, "pattern")
        | (Tool::Skill { name: text, .. }, "skill")
        | (Tool::Fetch { url: text }, "url")
        | (Tool::WebSearch { query: text }, "query")
        | (Tool::Mcp { server: text, .. }, "server")
        | (Tool::Mcp { tool: text, .. }, "server_tool") => Some(Value::from(text.as_str())),
        (Tool::Search { target: SearchFor::Content, .. }, "searches") => Some(Value::from("content")),
        (Tool::Search { target: SearchFor::Names, .. }, "searches") => Some(Value::from("names")),
        _ => None,
    }
}

fn prompt<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    match (&part.event.happening, name) {
        (EventData::PromptSubmit { text, .. }, "text")
        | (EventData::PromptExpanded { command: text, .. }, "command")
        | (EventData::PromptExpanded { arguments: text, .. }, "arguments") => {
            Some(Value::from(text.as_str()))
        }
        (EventData::PromptSubmit { by_machine, .. }, "by_machine") => Some(Value::Bool(*by_machine)),
        _ => None,
    }
}

fn outcome<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    match (&part.event.happening, name) {
        (EventData::AfterTool { outcome, .. } | EventData::ToolFailed { outcome, .. }, "text") => {
            Some(Value::from(outcome.text.as_str()))
        }
        (happening, "failed") => Some(Value::Bool(matches!(happening, EventData::ToolFailed { .. }))),
        _ => None,
    }
}

fn stop<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    let stopping: &Stopping = match &part.event.happening {
        EventData::Stop(stopping) | EventData::AgentStop { stopping, .. } => stopping,
        _ => return None,
    };
    match name {
        "again" => Some(Value::Bool(stopping.again)),
        "last_message" => Some(Value::from(stopping.last_message.as_str())),
        "background" => Some(Value::Int(i64::try_from(stopping.background.len()).unwrap_or(i64::MAX))),
        _ => None,
    }
}

fn notice<'s>(part: &'s Part<'_>, name: &str) -> Option<Value<'s>> {
    match (&part.event.happening, name) {
        (EventData::Notification { topic: text, .. }, "topic")
        | (EventData::Notification { message: text, .. }, "message") => Some(Value::from(text.as_str())),
        _ => None,
    }
}

/// One file that a call changes.
struct EditScope<'a> {
    change: Option<&'a Change>,
    path: String,
}

/// The files that a call changes. What cannot be looked up is left out here: the guards, which
/// must not miss it, look for themselves.
fn changed<'a>(situation: &Situation<'a>) -> Vec<EditScope<'a>> {
    let (event, world) = (situation.event, situation.world);
    if let Some(Tool::Edit(edits)) = event.call().map(|call| &call.tool) {
        let scope = |edit: &'a flyball_core::event::FileEdit| EditScope {
            change: Some(&edit.change),
            path: relative(&edit.path, event, world),
        };
        return edits.iter().map(scope).collect();
    }
    let edits = situation.edits().unwrap_or_default().iter();
    edits
        .map(|edit| EditScope { change: edit.change.as_ref(), path: relative_real(&edit.path, situation) })
        .collect()
}

impl Scope for EditScope<'_> {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "path" => Some(Value::from(self.path.as_str())),
            "change" => Some(Value::from(self.change.map_or("", Change::name))),
            "added" => Some(Value::from(self.change.map_or("", Change::added))),
            "removed" => Some(Value::from(self.change.map_or("", Change::removed))),
            _ => None,
        }
    }
}

/// A parsed command line.
struct ShellScope {
    commands: Vec<CommandScope>,
    is_clear: bool,
}

impl ShellScope {
    fn new(script: &Script) -> ShellScope {
        ShellScope {
            is_clear: script.unknown.is_empty(),
            commands: script.commands.iter().map(CommandScope::new).collect(),
        }
    }
}

impl Scope for ShellScope {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "commands" => Some(Value::list(&self.commands)),
            "is_clear" => Some(Value::Bool(self.is_clear)),
            _ => None,
        }
    }
}

/// One program that a command line runs.
struct CommandScope {
    program: String,
    path: String,
    arguments: Vec<String>,
    writes: Vec<String>,
    reads: Vec<String>,
    wrappers: Vec<String>,
}

impl CommandScope {
    fn new(command: &Command) -> CommandScope {
        let redirected = |writes: bool| {
            let is_meant = move |kind: &RedirectKind| match kind {
                RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite => writes,
                RedirectKind::Read => !writes,
                RedirectKind::HereDoc | RedirectKind::HereString | RedirectKind::Duplicate => false,
            };
            let targets = command.redirects.iter().filter(move |redirect| is_meant(&redirect.kind));
            targets.filter_map(|redirect| redirect.target.text.clone()).collect()
        };
        CommandScope {
            program: command.program_name().unwrap_or_default().to_owned(),
            path: command.program.text.clone().unwrap_or_default(),
            arguments: command.arguments.iter().map(|word| word.text.clone().unwrap_or_default()).collect(),
            writes: redirected(true),
            reads: redirected(false),
            wrappers: command.wrappers.clone(),
        }
    }
}

impl Scope for CommandScope {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "program" => Some(Value::from(self.program.as_str())),
            "path" => Some(Value::from(self.path.as_str())),
            "args" => Some(Value::list(&self.arguments)),
            "writes" => Some(Value::list(&self.writes)),
            "reads" => Some(Value::list(&self.reads)),
            "wrappers" => Some(Value::list(&self.wrappers)),
            _ => None,
        }
    }
}
