//! The calls by which a rule is tried. They are only judged, never made.

use flyball_core::event::{Change, Event, EventData, FileEdit, SessionId, Tool, ToolCall};
use flyball_core::path::AbsolutePath;

/// A call that an agent might make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Probe {
    /// This command line, in a folder below the root.
    Shell { line: String, folder: String },
    /// An edit of this file, by its path from the root.
    Edit(String),
}

impl Probe {
    /// The call, for people.
    pub(super) fn shown(&self) -> String {
        match self {
            Probe::Shell { line, folder } if folder.is_empty() => line.clone(),
            Probe::Shell { line, folder } => format!("cd {folder} && {line}"),
            Probe::Edit(path) => format!("edit {path}"),
        }
    }

    /// The file that an edit tool changes.
    pub(super) fn edited(&self) -> Option<&str> {
        match self {
            Probe::Edit(path) => Some(path),
            Probe::Shell { .. } => None,
        }
    }

    /// The call, as an event before it.
    pub(super) fn event(&self, root: &AbsolutePath) -> Event {
        let (tool, name, cwd) = match self {
            Probe::Shell { line, folder } => {
                let cwd = if folder.is_empty() { root.clone() } else { root.join(folder) };
                (Tool::Shell { command: line.clone(), background: false }, "shell", cwd)
            }
            Probe::Edit(path) => {
                let path = root.join(path);
                let before = std::fs::read_to_string(path.as_str()).unwrap_or_default();
                let change = Change::Write { content: format!("{before}\n") };
                (Tool::Edit(vec![FileEdit { path: path.to_string(), change }]), "edit", root.clone())
            }
        };
        let call = ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() };
        Event::new("try", SessionId::new("coverage"), cwd, EventData::BeforeTool(call))
    }
}
