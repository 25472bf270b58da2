//! Claude Code's tools by meaning.

use flyball_core::event::{Change, FileEdit, SearchFor, Tool};

use crate::dialect;
use crate::wire::Object;

/// What a tool of that name with that input does.
pub(super) fn tool(name: &str, input: &Object) -> Tool {
    match name {
        "Bash" | "PowerShell" => shell(input, input.flag("run_in_background").unwrap_or_default()),
        // Watches what a command prints, so it runs one; or listens to a socket, then it does not.
        "Monitor" if input.has("command") => shell(input, true),
        "Write" => edit(input, Change::Write { content: input.string("content") }),
        "Edit" => edit(input, replacement(input)),
        "MultiEdit" => edits(input),
        "NotebookEdit" => cell(input),
        "Read" => Tool::Read { path: input.string("file_path") },
        "Grep" => search(input, SearchFor::Content),
        "Glob" => search(input, SearchFor::Names),
        "Agent" | "Task" => spawn(input),
        "Skill" => skill(input),
        "TaskCreate" => Tool::TaskCreate { subject: input.string("subject") },
        "TaskUpdate" => Tool::TaskUpdate { id: input.string("taskId"), status: input.non_empty("status") },
        "WebFetch" => Tool::Fetch { url: input.string("url") },
        "WebSearch" => Tool::WebSearch { query: input.string("query") },
        _ => dialect::mcp(name).unwrap_or(Tool::Other),
    }
}

/// The fields, all of them texts, without which it is unknown what a tool runs or writes.
pub(super) fn needed(name: &str) -> &'static [&'static str] {
    match name {
        "Bash" | "PowerShell" => &["command"],
        "Write" => &["file_path", "content"],
        "Edit" => &["file_path", "old_string", "new_string"],
        "MultiEdit" => &["file_path"],
        "NotebookEdit" => &["notebook_path"],
        _ => &[],
    }
}

/// The field of a tool's input that holds its main text.
pub(super) fn main_field(name: &str) -> Option<&'static str> {
    match name {
        "Bash" | "PowerShell" | "Monitor" => Some("command"),
        "Agent" | "Task" => Some("prompt"),
        "Write" => Some("content"),
        _ => None,
    }
}

fn shell(input: &Object, background: bool) -> Tool {
    Tool::Shell { command: input.string("command"), background }
}

fn edit(input: &Object, change: Change) -> Tool {
    Tool::Edit(vec![FileEdit { path: input.string("file_path"), change }])
}

fn replacement(input: &Object) -> Change {
    Change::Replace {
        old: input.string("old_string"),
        new: input.string("new_string"),
        all: input.flag("replace_all").unwrap_or_default(),
    }
}

/// Several replacements in one file: a tool of older versions.
fn edits(input: &Object) -> Tool {
    let path = input.string("file_path");
    let changes = input.list("edits").into_iter().map(|edit| replacement(&Object::from_value(Some(edit))));
    Tool::Edit(changes.map(|change| FileEdit { path: path.clone(), change }).collect())
}

fn cell(input: &Object) -> Tool {
    let how = input.non_empty("edit_mode").unwrap_or_else(|| "replace".to_owned());
    let change = Change::Cell { source: input.string("new_source"), how };
    Tool::Edit(vec![FileEdit { path: input.string("notebook_path"), change }])
}

fn search(input: &Object, target: SearchFor) -> Tool {
    Tool::Search { target, pattern: input.string("pattern"), path: input.non_empty("path") }
}

fn spawn(input: &Object) -> Tool {
    Tool::SpawnAgent {
        role: input.string("subagent_type"),
        prompt: input.string("prompt"),
        background: input.flag("run_in_background"),
    }
}

fn skill(input: &Object) -> Tool {
    // Older versions called the field `command`.
    let name = input.non_empty("skill").or_else(|| input.non_empty("command")).unwrap_or_default();
    Tool::Skill { name, arguments: input.string("args") }
}
