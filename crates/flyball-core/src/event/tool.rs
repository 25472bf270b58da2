//! Tools by meaning, not by name: what a call would do, whatever the client calls it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The client's id of the call, where it gives one.
    pub id: Option<String>,
    /// The client's own name of the tool.
    pub name: String,
    pub tool: Tool,
    /// The input exactly as the client sent it: JSON text.
    pub input: String,
}

/// What a tool call means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {
    /// Runs a command line in a shell.
    Shell {
        command: String,
        /// Whether the agent goes on before it has ended.
        background: bool,
    },
    /// Changes files: write, edit, notebook edit or patch.
    Edit(Vec<FileEdit>),
    Read {
        path: String,
    },
    Search {
        /// What is looked for.
        target: SearchFor,
        pattern: String,
        path: Option<String>,
    },
    SpawnAgent {
        /// Its role; empty for the client's default.
        role: String,
        /// What it is asked to do.
        prompt: String,
        /// Whether the main agent goes on meanwhile; `None` where the client decides.
        background: Option<bool>,
    },
    Skill {
        name: String,
        arguments: String,
    },
    /// Makes an entry in the client's task list.
    TaskCreate {
        subject: String,
    },
    /// Changes an entry of the client's task list.
    TaskUpdate {
        id: String,
        /// Its new status, if that changes.
        status: Option<String>,
    },
    Fetch {
        url: String,
    },
    WebSearch {
        query: String,
    },
    /// Calls a tool of a tool server.
    Mcp {
        server: String,
        tool: String,
    },
    /// Runs or writes something, and nothing in its input says what: the client has changed its payload.
    Unreadable,
    /// Anything else; `ToolCall::input` has its input.
    Other,
}

/// What a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchFor {
    Content,
    Names,
}

/// One file that a call changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEdit {
    /// The file, as the client names it.
    pub path: String,
    pub change: Change,
}

/// How a call changes one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// The whole file is written.
    Write { content: String },
    /// A passage is replaced.
    Replace {
        old: String,
        new: String,
        /// Everywhere, not only once.
        all: bool,
    },
    /// A cell of a notebook is changed.
    Cell {
        source: String,
        /// replace, insert or delete.
        how: String,
    },
    /// The file goes away.
    Delete,
    /// The file gets another name.
    Move { to: String },
}

impl Change {
    /// The text that this change brings into the file.
    #[must_use]
    pub fn added(&self) -> &str {
        match self {
            Change::Write { content } => content,
            Change::Replace { new, .. } => new,
            Change::Cell { source, .. } => source,
            Change::Delete | Change::Move { .. } => "",
        }
    }

    /// The text that this change is known to take out of the file.
    #[must_use]
    pub fn removed(&self) -> &str {
        match self {
            Change::Replace { old, .. } => old,
            Change::Write { .. } | Change::Cell { .. } | Change::Delete | Change::Move { .. } => "",
        }
    }

    /// The text after this change; `None` if it does not apply to the text or deletes the file.
    #[must_use]
    pub fn applied_to(&self, text: &str) -> Option<String> {
        match self {
            Change::Write { content } => Some(content.clone()),
            // Appended text is written as a replacement of nothing.
            Change::Replace { old, new, .. } if old.is_empty() => Some(format!("{text}{new}")),
            Change::Replace { old, new, all: true } => {
                text.contains(old.as_str()).then(|| text.replace(old, new))
            }
            Change::Replace { old, new, all: false } => {
                text.contains(old.as_str()).then(|| text.replacen(old, new, 1))
            }
            Change::Cell { .. } | Change::Delete | Change::Move { .. } => None,
        }
    }

    /// The name used in rules.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Change::Write { .. } => "write",
            Change::Replace { .. } => "replace",
            Change::Cell { .. } => "cell",
            Change::Delete => "delete",
            Change::Move { .. } => "move",
        }
    }
}

macro_rules! tool_kinds {
    ($($variant:ident $name:literal $doc:literal $pattern:pat),+ $(,)?) => {
        /// The kind of a tool: the word that rules match by.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        pub enum ToolKind { $(#[doc = $doc] #[serde(rename = $name)] $variant,)+ }

        impl ToolKind {
            /// Every kind.
            pub const ALL: &'static [ToolKind] = &[$(ToolKind::$variant,)+];

            /// The name used in rules, logs and docs.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(ToolKind::$variant => $name,)+ }
            }

            /// One line on what such a tool does.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $(ToolKind::$variant => $doc,)+ }
            }
        }

        impl Tool {
            /// The kind of this tool.
            #[must_use]
            pub const fn kind(&self) -> ToolKind {
                match self { $($pattern => ToolKind::$variant,)+ }
            }
        }
    };
}

tool_kinds! {
    Shell "shell" "runs a command line" Tool::Shell { .. },
    Edit "edit" "writes, edits, patches, moves or deletes files" Tool::Edit(_),
    Read "read" "reads a file" Tool::Read { .. },
    Search "search" "searches files by name or content" Tool::Search { .. },
    SpawnAgent "spawn_agent" "starts a subagent" Tool::SpawnAgent { .. },
    Skill "skill" "invokes a skill" Tool::Skill { .. },
    TaskCreate "task_create" "makes an entry in the client's task list" Tool::TaskCreate { .. },
    TaskUpdate "task_update" "changes an entry of the client's task list" Tool::TaskUpdate { .. },
    Fetch "fetch" "fetches a page" Tool::Fetch { .. },
    WebSearch "web_search" "searches the web" Tool::WebSearch { .. },
    Mcp "mcp" "calls a tool of a tool server" Tool::Mcp { .. },
    Unreadable "unreadable" "runs or writes something that its input does not tell" Tool::Unreadable,
    Other "other" "anything else" Tool::Other,
}

impl ToolKind {
    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<ToolKind> {
        ToolKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl Tool {
    /// The files it says it changes.
    #[must_use]
    pub fn edits(&self) -> &[FileEdit] {
        match self {
            Tool::Edit(edits) => edits,
            _ => &[],
        }
    }

    /// The one text a rewrite may change: the command line, the subagent's prompt, the content of
    /// a file that is written whole.
    #[must_use]
    pub fn main_text(&self) -> Option<&str> {
        match self {
            Tool::Shell { command, .. } => Some(command),
            Tool::SpawnAgent { prompt, .. } => Some(prompt),
            Tool::Edit(edits) => match edits.as_slice() {
                [FileEdit { change: Change::Write { content }, .. }] => Some(content),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn main_text_mut(&mut self) -> Option<&mut String> {
        match self {
            Tool::Shell { command, .. } => Some(command),
            Tool::SpawnAgent { prompt, .. } => Some(prompt),
            Tool::Edit(edits) => match edits.as_mut_slice() {
                [FileEdit { change: Change::Write { content }, .. }] => Some(content),
                _ => None,
            },
            _ => None,
        }
    }
}
