//! What happened, with the facts that belong to each kind of event.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::path::AbsolutePath;

use super::{EventKind, ToolCall};
use crate::time;

/// The subagent an event happened in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The client's id of this run of the agent.
    pub id: String,
    /// The agent's type or role, e.g. `code-reviewer`. Empty for the client's internal helpers.
    pub role: String,
}

/// How freely the client lets the agent act, in the clients' shared vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PermissionMode {
    /// Asks where its rules do not decide.
    Default,
    /// Edits pass without asking.
    AcceptEdits,
    /// Plans only.
    Plan,
    /// A classifier decides.
    Auto,
    /// Never asks: what would need asking is refused.
    DontAsk,
    /// Never asks: everything passes.
    Bypass,
}

impl PermissionMode {
    /// The name used in rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PermissionMode::Default => "default",
            PermissionMode::AcceptEdits => "accept_edits",
            PermissionMode::Plan => "plan",
            PermissionMode::Auto => "auto",
            PermissionMode::DontAsk => "dont_ask",
            PermissionMode::Bypass => "bypass",
        }
    }
}

/// Who asked for a compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactTrigger {
    /// The user typed the command.
    Manual,
    /// The client found the context full.
    Auto,
}

impl CompactTrigger {
    /// The name used in rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CompactTrigger::Manual => "manual",
            CompactTrigger::Auto => "auto",
        }
    }
}

/// What a tool call came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// What the tool returned, as text: output of a command, answer of a subagent, error text.
    pub text: String,
    /// How long the tool ran, if the client says so.
    #[serde(rename = "millis", with = "time::millis", default)]
    pub took: Option<Duration>,
    /// Whether the client says that a command came to its own end, with exit code 0. One that goes on in the
    /// background or was interrupted did not, and some clients do not report it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exited_well: bool,
    /// The subagent that the call started, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawned: Option<SpawnedAgent>,
}

/// A subagent that a call started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpawnedAgent {
    /// The client's id of this run of the agent.
    pub id: String,
    /// Whether it goes on in the background: what the tool returned is not its answer then.
    pub is_running: bool,
}

/// A call that the client did not run: a passage that is not in the file, a file that was not read before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusedCall {
    pub call: ToolCall,
    /// The error that the model got.
    pub error: String,
}

/// Work that goes on in the background while the agent wants to stop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackgroundWork {
    /// The client's id of it.
    pub id: String,
    /// `subagent`, `shell` …: the client's word.
    pub kind: String,
    /// What it is for.
    pub description: String,
    /// The command line, where it is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
}

/// An agent about to end its turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopping {
    /// Whether it already continues because a hook blocked it from stopping.
    pub again: bool,
    /// Its last message.
    pub last_message: String,
    pub background: Vec<BackgroundWork>,
    /// Whether the client lists what runs in the background.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lists_background: bool,
}

impl Stopping {
    /// Whether a subagent still runs: its end will wake the agent.
    #[must_use]
    pub fn has_running_subagent(&self) -> bool {
        self.background.iter().any(|work| work.kind == "subagent")
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EventData {
    /// A session starts; `source` is startup, resume, clear, compact or fork.
    SessionStart {
        source: String,
    },
    /// The client prepares a project.
    SessionSetup {
        trigger: String,
    },
    /// A file of instructions was loaded.
    InstructionsLoaded {
        path: String,
    },
    /// A prompt is on its way to the model.
    PromptSubmit {
        text: String,
        /// Whether a machine wrote it: a task notification, a subagent's prompt.
        by_machine: bool,
    },
    /// A typed command was expanded.
    PromptExpanded {
        command: String,
        /// What was typed behind it.
        arguments: String,
    },
    /// The agent wants to call a tool.
    BeforeTool(ToolCall),
    /// The client is about to ask for permission.
    PermissionAsked(ToolCall),
    /// The client itself refused a call.
    PermissionDenied {
        call: ToolCall,
        reason: String,
    },
    /// A tool call succeeded.
    AfterTool {
        call: ToolCall,
        /// What came of it.
        outcome: Outcome,
    },
    /// A tool call failed.
    ToolFailed {
        call: ToolCall,
        /// The error, in the client's words.
        outcome: Outcome,
        /// Whether the user interrupted it.
        interrupted: bool,
    },
    /// All calls of one model message are done.
    AfterBatch {
        calls: Vec<ToolCall>,
        /// The invalid ones, which the client did not run. No other event reports them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refused: Vec<RefusedCall>,
    },
    /// The main agent wants to end its turn.
    Stop(Stopping),
    /// A turn ended by an error.
    StopFailed {
        /// The client's word for the error.
        error: String,
    },
    AgentStart,
    /// A subagent wants to finish.
    AgentStop {
        stopping: Stopping,
        transcript: Option<AbsolutePath>,
    },
    /// A member of an agent team is about to idle.
    TeammateIdle {
        name: String,
    },
    /// An entry of the client's task list was made.
    TaskCreated {
        id: String,
        subject: String,
    },
    /// An entry of the client's task list is about to be closed.
    TaskCompleted {
        id: String,
        subject: String,
    },
    /// The context is about to be compacted.
    BeforeCompact {
        trigger: CompactTrigger,
        /// What the user asked the summary to keep.
        instructions: String,
    },
    /// The context was compacted.
    AfterCompact {
        trigger: CompactTrigger,
        summary: String,
    },
    /// Another model was asked for.
    BeforeModelSwitch {
        from: String,
        to: String,
    },
    AfterModelSwitch {
        from: String,
        to: String,
    },
    /// The client is about to call the model.
    BeforeModelCall {
        model: String,
    },
    AfterModelCall {
        model: String,
        status: String,
    },
    /// The client notifies its user.
    Notification {
        /// The kind of notice.
        topic: String,
        message: String,
    },
    /// A tool server asks the user.
    Elicitation {
        server: String,
        message: String,
    },
    /// The user answered a tool server.
    ElicitationAnswered {
        server: String,
        /// accept, decline or cancel.
        action: String,
    },
    /// A settings file changed.
    ConfigChanged {
        source: String,
        /// The file, if named.
        path: Option<String>,
    },
    /// The working directory changed.
    CwdChanged {
        from: String,
        to: String,
    },
    /// A watched file changed.
    FileChanged {
        path: String,
        /// change, add or unlink.
        how: String,
    },
    /// A directory was added to the session.
    DirectoryAdded {
        path: String,
    },
    /// The client wants a worktree.
    WorktreeCreate {
        name: String,
    },
    /// The client wants a worktree gone.
    WorktreeRemove {
        path: String,
    },
    /// Text is shown to the user.
    MessageShown {
        text: String,
    },
    /// The user interrupted the turn.
    Interrupted,
    SessionEnd {
        reason: String,
    },
    /// Something newer than this program.
    Unknown,
}

impl EventData {
    /// The kind of this event.
    #[must_use]
    pub const fn kind(&self) -> EventKind {
        match self {
            EventData::SessionStart { .. } => EventKind::SessionStart,
            EventData::SessionSetup { .. } => EventKind::SessionSetup,
            EventData::InstructionsLoaded { .. } => EventKind::InstructionsLoaded,
            EventData::PromptSubmit { .. } => EventKind::PromptSubmit,
            EventData::PromptExpanded { .. } => EventKind::PromptExpanded,
            EventData::BeforeTool(_) => EventKind::BeforeTool,
            EventData::PermissionAsked(_) => EventKind::PermissionAsked,
            EventData::PermissionDenied { .. } => EventKind::PermissionDenied,
            EventData::AfterTool { .. } => EventKind::AfterTool,
            EventData::ToolFailed { .. } => EventKind::ToolFailed,
            EventData::AfterBatch { .. } => EventKind::AfterBatch,
            EventData::Stop(_) => EventKind::Stop,
            EventData::StopFailed { .. } => EventKind::StopFailed,
            EventData::AgentStart => EventKind::AgentStart,
            EventData::AgentStop { .. } => EventKind::AgentStop,
            EventData::TeammateIdle { .. } => EventKind::TeammateIdle,
            EventData::TaskCreated { .. } => EventKind::TaskCreated,
            EventData::TaskCompleted { .. } => EventKind::TaskCompleted,
            EventData::BeforeCompact { .. } => EventKind::BeforeCompact,
            EventData::AfterCompact { .. } => EventKind::AfterCompact,
            EventData::BeforeModelSwitch { .. } => EventKind::BeforeModelSwitch,
            EventData::AfterModelSwitch { .. } => EventKind::AfterModelSwitch,
            EventData::BeforeModelCall { .. } => EventKind::BeforeModelCall,
            EventData::AfterModelCall { .. } => EventKind::AfterModelCall,
            EventData::Notification { .. } => EventKind::Notification,
            EventData::Elicitation { .. } => EventKind::Elicitation,
            EventData::ElicitationAnswered { .. } => EventKind::ElicitationAnswered,
            EventData::ConfigChanged { .. } => EventKind::ConfigChanged,
            EventData::CwdChanged { .. } => EventKind::CwdChanged,
            EventData::FileChanged { .. } => EventKind::FileChanged,
            EventData::DirectoryAdded { .. } => EventKind::DirectoryAdded,
            EventData::WorktreeCreate { .. } => EventKind::WorktreeCreate,
            EventData::WorktreeRemove { .. } => EventKind::WorktreeRemove,
            EventData::MessageShown { .. } => EventKind::MessageShown,
            EventData::Interrupted => EventKind::Interrupted,
            EventData::SessionEnd { .. } => EventKind::SessionEnd,
            EventData::Unknown => EventKind::Unknown,
        }
    }

    /// The tool call it is about, if it is about exactly one.
    #[must_use]
    pub fn call(&self) -> Option<&ToolCall> {
        match self {
            EventData::BeforeTool(call)
            | EventData::PermissionAsked(call)
            | EventData::PermissionDenied { call, .. }
            | EventData::AfterTool { call, .. }
            | EventData::ToolFailed { call, .. } => Some(call),
            _ => None,
        }
    }
}
