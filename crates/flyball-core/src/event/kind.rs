//! The kinds of events, and the one table that names them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($variant:ident $name:literal $doc:literal)+) => {
        /// What kind of event it is: the word that policies listen by and rules are written with.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        pub enum EventKind { $(#[doc = $doc] #[serde(rename = $name)] $variant,)+ }

        impl EventKind {
            /// Every kind, in the order of the life of a session.
            pub const ALL: &'static [EventKind] = &[$(EventKind::$variant,)+];

            /// The name used in rules, logs and docs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(EventKind::$variant => $name,)+ }
            }

            /// One line on when it happens.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(EventKind::$variant => $doc,)+ }
            }
        }
    };
}

kinds! {
    SessionStart "session_start" "a session starts, resumes, was cleared or compacted"
    SessionSetup "session_setup" "the client prepares a project, before any session"
    InstructionsLoaded "instructions_loaded" "the client loaded a file of instructions"
    PromptSubmit "prompt_submit" "a prompt is on its way to the model"
    PromptExpanded "prompt_expanded" "a typed command or skill was expanded into a prompt"
    BeforeTool "before_tool" "the agent wants to call a tool"
    PermissionAsked "permission_asked" "the client is about to ask its user for permission"
    PermissionDenied "permission_denied" "the client itself refused a call"
    AfterTool "after_tool" "a tool call succeeded"
    ToolFailed "tool_failed" "a tool call failed"
    AfterBatch "after_batch" "all tool calls of one model message are done"
    Stop "stop" "the main agent wants to end its turn"
    StopFailed "stop_failed" "a turn ended by an error of the model service"
    AgentStart "agent_start" "a subagent starts"
    AgentStop "agent_stop" "a subagent wants to finish"
    TeammateIdle "teammate_idle" "a member of an agent team is about to idle"
    TaskCreated "task_created" "an entry of the client's task list was made"
    TaskCompleted "task_completed" "an entry of the client's task list is about to be closed"
    BeforeCompact "before_compact" "the context is about to be compacted"
    AfterCompact "after_compact" "the context was compacted"
    BeforeModelSwitch "before_model_switch" "another model was asked for"
    AfterModelSwitch "after_model_switch" "the model changed"
    BeforeModelCall "before_model_call" "the client is about to call the model"
    AfterModelCall "after_model_call" "the model answered the client"
    Notification "notification" "the client notifies its user"
    Elicitation "elicitation" "a tool server asks the user something"
    ElicitationAnswered "elicitation_answered" "the user answered a tool server"
    ConfigChanged "config_changed" "a settings file of the client changed on disk"
    CwdChanged "cwd_changed" "the session's working directory changed"
    FileChanged "file_changed" "a watched file changed on disk"
    DirectoryAdded "directory_added" "another directory was added to the session"
    WorktreeCreate "worktree_create" "the client wants a git worktree made"
    WorktreeRemove "worktree_remove" "the client wants a git worktree removed"
    MessageShown "message_shown" "text of the agent is shown to the user"
    Interrupted "interrupted" "the user interrupted the turn"
    SessionEnd "session_end" "a session ends"
    Unknown "unknown" "an event this version of flyball does not know: recorded, never judged"
}

impl EventKind {
    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<EventKind> {
        EventKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Whether the client waits for a decision before it acts, so that a guard that cannot judge must
    /// not let it pass silently.
    #[must_use]
    pub const fn is_gate(self) -> bool {
        matches!(self, EventKind::BeforeTool | EventKind::PermissionAsked)
    }
}
