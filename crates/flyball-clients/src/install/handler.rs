//! Our handlers among a client's hooks: how they are recognised and how their command is written.

use serde_json::Value;

use super::gate;
use super::quoting::quote;

/// Whether a handler runs `flyball hook`, in exec form (`command` and `args`) or as a line for a
/// shell, whatever path it is called by.
#[must_use]
pub fn is_ours(handler: &Value) -> bool {
    let text = |key: &str| handler.get(key).and_then(Value::as_str);
    let Some(command) = text("command") else { return false };
    match handler.get("args").and_then(Value::as_array) {
        Some(arguments) => is_program(command) && is_hook(arguments.first().and_then(Value::as_str)),
        None => is_own_command(command),
    }
}

fn is_own_command(line: &str) -> bool {
    if gate::is_gate_line(line) {
        return true;
    }
    let mut words = words(line).into_iter().skip_while(|word| word == "exec");
    words.next().is_some_and(|program| is_program(&program)) && is_hook(words.next().as_deref())
}

fn is_program(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    // By name and not by path: an installation that was moved or upgraded must find its old handlers.
    name == "flyball" || name.eq_ignore_ascii_case("flyball.exe")
}

fn is_hook(argument: Option<&str>) -> bool {
    argument == Some("hook")
}

/// The first three words of a line, without their quotes.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() && words.len() < 3 {
        let (word, behind) = first_word(rest);
        words.push(word);
        rest = behind.trim_start();
    }
    words
}

fn first_word(line: &str) -> (String, &str) {
    let mut word = String::new();
    let mut quote = None;
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter.is_whitespace() => return (word, line.get(at..).unwrap_or_default()),
            // A backslash is part of the path on Windows, so only what needs an escape has one.
            None | Some('"') if letter == '\\' && matches!(next, Some(' ' | '"' | '\'' | '\\')) => {
                word.extend(next);
                letters.next();
            }
            _ => word.push(letter),
        }
    }
    (word, "")
}

/// How a handler names the program to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandForm {
    /// Program and arguments. Without a shell in between, which takes longer than all that we do.
    Exec,
    /// A line for a shell.
    ShellLine,
}

/// The fields of a handler that starts a program with these arguments.
pub(crate) fn command(
    program: &str,
    arguments: &[&str],
    form: CommandForm,
    timeout_seconds: u32,
) -> Vec<(String, Value)> {
    let field = |key: &str, value: Value| (key.to_owned(), value);
    let mut handler = vec![field("type", Value::from("command"))];
    match form {
        CommandForm::Exec => {
            handler.push(field("command", Value::from(program)));
            handler.push(field("args", Value::from(arguments.to_vec())));
        }
        CommandForm::ShellLine => {
            let line = format!("{} {}", quote(program), arguments.join(" "));
            handler.push(field("command", Value::from(line)));
        }
    }
    handler.push(field("timeout", Value::from(timeout_seconds)));
    handler
}

/// The fields of a handler that runs a line of a shell.
pub(crate) fn line(text: String, timeout_seconds: u32) -> Vec<(String, Value)> {
    let field = |key: &str, value: Value| (key.to_owned(), value);
    vec![
        field("type", Value::from("command")),
        field("command", Value::from(text)),
        field("timeout", Value::from(timeout_seconds)),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::quoting::quote;
    use super::is_ours;

    #[test]
    fn our_handlers_are_recognised_in_every_form() {
        let ours = [
            json!({"type": "command", "command": "/usr/bin/flyball", "args": ["hook", "--client", "codex"]}),
            json!({"command": "flyball hook"}),
            json!({"command": "  exec /opt/flyball hook --client codex --event Stop"}),
            json!({"command": "'/my tools/flyball' hook"}),
            json!({"command": "\"/my tools/flyball\" hook"}),
            json!({"command": r"/my\ tools/flyball hook"}),
            json!({"command": "'/it'\\''s/flyball' hook"}),
            json!({"command": r#""C:\Program Files\flyball\flyball.exe" hook"#}),
            json!({"command": r"C:\bin\Flyball.EXE", "args": ["hook"]}),
            json!({"command": "\"$HOME\"/.cargo/bin/flyball hook"}),
        ];
        for handler in ours {
            assert!(is_ours(&handler), "{handler}");
        }
    }

    #[test]
    fn other_handlers_are_not_ours() {
        let others = [
            json!({"command": "flyball"}),
            json!({"command": "flyball", "args": []}),
            json!({"command": "flyball", "args": ["doctor"]}),
            json!({"command": "flyball hook", "args": ["hook"]}),
            json!({"command": "flyball-wrapper hook"}),
            json!({"command": "echo flyball hook"}),
            json!({"command": "/flyball/other hook"}),
            json!({"command": ["flyball", "hook"]}),
            json!({"type": "http", "url": "flyball hook"}),
            json!("flyball hook"),
            Value::Null,
        ];
        for handler in others {
            assert!(!is_ours(&handler), "{handler}");
        }
    }

    #[cfg(not(windows))]
    #[test]
    fn a_path_is_quoted_only_where_a_shell_would_split_it() {
        assert_eq!(quote("/usr/local/bin/flyball"), "/usr/local/bin/flyball");
        assert_eq!(quote("/my tools/flyball"), "'/my tools/flyball'");
        assert_eq!(quote("/it's/flyball"), r"'/it'\''s/flyball'");
        assert_eq!(quote("/$HOME/flyball"), "'/$HOME/flyball'");
    }
}
