//! What a registered handler runs.

use std::path::PathBuf;

use flyball_clients::install::program_of_gate;
use serde_json::Value;

/// How a handler is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// By the client itself.
    Exec,
    Shell,
}

pub(super) fn form(handler: &Value) -> Form {
    if handler.get("args").is_some() { Form::Exec } else { Form::Shell }
}

/// The program that a handler of ours runs; nothing if it contains a shell variable.
pub(super) fn program(handler: &Value) -> Option<PathBuf> {
    let command = handler.get("command")?.as_str()?;
    let path = match form(handler) {
        Form::Exec => command.to_owned(),
        Form::Shell => program_of_gate(command).unwrap_or_else(|| program_in(command)),
    };
    // Only the client's shell knows what a variable stands for.
    (!path.contains('$')).then(|| PathBuf::from(path))
}

/// The program in a line as `init` writes it: bare, or in quotes.
fn program_in(line: &str) -> String {
    let line = line.trim_start();
    let line = line.strip_prefix("exec ").unwrap_or(line).trim_start();
    // The subcommand is the one word that is always there: a path may contain spaces.
    let (path, _) = line.split_once(" hook").unwrap_or((line, ""));
    let bare = |quote: char| path.strip_prefix(quote)?.strip_suffix(quote);
    match (bare('\''), bare('"')) {
        // A quote within single quotes is written as `'\''` in a shell.
        (Some(path), _) => path.replace(r"'\''", "'"),
        (None, Some(path)) => path.to_owned(),
        (None, None) => path.replace("\\ ", " "),
    }
}

/// A name for a handler that people recognise.
pub(super) fn name(handler: &Value) -> String {
    let text = |key: &str| handler.get(key).and_then(Value::as_str);
    let arguments = handler.get("args").and_then(Value::as_array);
    let mut parts: Vec<&str> =
        ["command", "url", "server", "tool"].iter().filter_map(|key| text(key)).collect();
    parts.extend(arguments.into_iter().flatten().filter_map(Value::as_str));
    if parts.is_empty() {
        parts.extend(text("type"));
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_program_of_a_handler_is_found_in_every_form() {
        let cases = [
            (json!({"command": "/bin/flyball", "args": ["hook"]}), Some("/bin/flyball")),
            (json!({"command": "/my tools/flyball", "args": ["hook"]}), Some("/my tools/flyball")),
            (json!({"command": "/bin/flyball hook --client codex"}), Some("/bin/flyball")),
            (json!({"command": "exec '/it'\\''s/flyball' hook"}), Some("/it's/flyball")),
            (json!({"command": "\"/my tools/flyball\" hook"}), Some("/my tools/flyball")),
            (json!({"command": "/my\\ tools/flyball hook"}), Some("/my tools/flyball")),
            (json!({"command": "$HOME/flyball hook"}), None),
        ];
        for (handler, expected) in cases {
            assert_eq!(program(&handler), expected.map(PathBuf::from), "{handler}");
        }
    }

    #[test]
    fn any_handler_has_a_name() {
        let cases = [
            (json!({"type": "command", "command": "lint.sh"}), "lint.sh"),
            (json!({"type": "command", "command": "node", "args": ["a.js"]}), "node a.js"),
            (json!({"type": "http", "url": "https://x/y"}), "https://x/y"),
            (json!({"type": "mcp_tool", "server": "s", "tool": "t"}), "s t"),
            (json!({"type": "prompt", "prompt": "is this fine?"}), "prompt"),
        ];
        for (handler, expected) in cases {
            assert_eq!(name(&handler), expected);
        }
    }
}
