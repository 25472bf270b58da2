//! Registers `flyball statusline` as the status line of a client, and removes it again. Somebody else's line is never
//! touched: a client shows only one.

use flyball_clients::Client;
use flyball_clients::registration::Object;
use flyball_core::shell_word::path_word;
use serde_json::{Value, json};

use super::server::OnMissing;

/// What happens to the status line in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) enum LineEdit {
    /// It stays as it is: ours is there, or none was asked for.
    Unchanged,
    /// There is another one, which is not changed.
    Foreign,
    /// The text with ours.
    Written(String),
}

/// The settings with our status line, if it was asked for or was there already under another path.
pub(in crate::commands) fn add(
    text: &str,
    client: &Client,
    (program, on_missing): (&str, OnMissing),
) -> LineEdit {
    let Some((root, key)) = Object::root(text).zip(client.facts.status_line) else {
        return LineEdit::Unchanged;
    };
    let command = format!("{} statusline", path_word(program));
    let line = json!({ "type": "command", "command": command, "padding": 0 });
    match root.value(text, key) {
        None if on_missing == OnMissing::Leave => LineEdit::Unchanged,
        None => LineEdit::Written(root.with(text, key, &render(&command))),
        Some(found) if !is_ours(&found) && on_missing == OnMissing::Leave => LineEdit::Unchanged,
        Some(found) if !is_ours(&found) => LineEdit::Foreign,
        Some(found) if found.get("command") == line.get("command") => LineEdit::Unchanged,
        Some(_) => LineEdit::Written(root.changed(text, key, &render(&command))),
    }
}

/// The settings without our status line; nothing if ours is not in them.
pub(in crate::commands) fn remove(text: &str, client: &Client) -> Option<String> {
    let (root, key) = Object::root(text).zip(client.facts.status_line)?;
    root.value(text, key).filter(is_ours)?;
    Some(root.without(text, key))
}

fn render(command: &str) -> String {
    format!("{{ \"type\": \"command\", \"command\": {}, \"padding\": 0 }}", Value::from(command))
}

fn is_ours(line: &Value) -> bool {
    let command = line.get("command").and_then(Value::as_str).unwrap_or_default();
    let Some(program) = command.strip_suffix(" statusline") else { return false };
    program.trim_matches(['\'', '"']).rsplit('/').next() == Some("flyball")
}

#[cfg(test)]
mod tests {
    use flyball_clients::find;

    use super::*;

    #[track_caller]
    fn after(text: &str, program: &str, on_missing: OnMissing) -> LineEdit {
        add(text, find("claude-code").unwrap(), (program, on_missing))
    }

    #[test]
    fn the_line_is_added_once_and_removed_again() {
        let before = "{\n  \"model\": \"x\"\n}\n";
        let LineEdit::Written(text) = after(before, "/opt/flyball", OnMissing::Write) else {
            panic!("not written")
        };
        assert_eq!(
            text,
            "{\n  \"model\": \"x\",\n  \"statusLine\": { \"type\": \"command\", \"command\": \"/opt/flyball statusline\", \"padding\": 0 }\n}\n"
        );
        assert_eq!(after(&text, "/opt/flyball", OnMissing::Write), LineEdit::Unchanged);
        assert_eq!(remove(&text, find("claude-code").unwrap()).unwrap(), before);
        assert_eq!(remove(before, find("claude-code").unwrap()), None);
    }

    #[test]
    fn a_path_that_moved_is_followed_and_a_foreign_line_is_left_alone() {
        let old = "{\"statusLine\": {\"type\": \"command\", \"command\": \"'/a b/flyball' statusline\"}}";
        let LineEdit::Written(text) = after(old, "/c d/flyball", OnMissing::Leave) else {
            panic!("not written")
        };
        assert!(text.contains("'/c d/flyball' statusline"), "{text}");
        let foreign = "{\"statusLine\": {\"type\": \"command\", \"command\": \"~/line.sh\"}}";
        assert_eq!(after(foreign, "/opt/flyball", OnMissing::Write), LineEdit::Foreign);
        assert_eq!(after(foreign, "/opt/flyball", OnMissing::Leave), LineEdit::Unchanged);
        assert_eq!(remove(foreign, find("claude-code").unwrap()), None);
    }

    #[test]
    fn no_line_is_added_without_being_asked_for() {
        assert_eq!(after("{}", "/opt/flyball", OnMissing::Leave), LineEdit::Unchanged);
        let codex = add("{}", find("codex").unwrap(), ("/opt/flyball", OnMissing::Write));
        assert_eq!(codex, LineEdit::Unchanged);
    }
}
