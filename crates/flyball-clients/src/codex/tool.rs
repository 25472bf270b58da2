//! Codex's tools by meaning.

use flyball_core::event::Tool;

use super::{heredoc, patch};
use crate::dialect;
use crate::wire::Object;

/// What a tool of that name with that input does.
pub(super) fn tool(name: &str, input: &Object) -> Tool {
    match name {
        "Bash" => shell(input.string("command")),
        // The tool's only argument is called `command`, also for a patch.
        "apply_patch" => Tool::Edit(patch::parse(&input.string("command"))),
        "view_image" => Tool::Read { path: input.string("path") },
        _ if is_spawn(name) => spawn(input),
        _ => dialect::mcp(name).unwrap_or(Tool::Other),
    }
}

/// The fields, all of them texts, without which it is unknown what a tool runs or writes.
pub(super) fn needed(name: &str) -> &'static [&'static str] {
    match name {
        "Bash" | "apply_patch" => &["command"],
        _ => &[],
    }
}

/// The client glues a tool's namespace to its name without a separator.
pub(super) fn is_spawn(name: &str) -> bool {
    name.ends_with("spawn_agent") && !name.starts_with("mcp__")
}

/// A command line; or the patch that it only wraps, because the client applies
/// such a patch itself and does not report the edited files.
fn shell(command: String) -> Tool {
    match heredoc::find_patch(&command) {
        Some(edits) => Tool::Edit(edits),
        None => Tool::Shell { command, background: false },
    }
}

fn spawn(input: &Object) -> Tool {
    Tool::SpawnAgent { role: input.string("agent_type"), prompt: input.string("message"), background: None }
}
