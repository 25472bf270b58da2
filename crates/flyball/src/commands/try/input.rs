//! What is tried: command lines (plain, a shell's history, or JSON), events as clients send them, and edits.

use std::io::{ErrorKind, Read as _};
use std::path::Path;

use flyball_clients::stranger::{self, Report};
use flyball_clients::{Caller, CallerContext, DecodeError, identify};
use flyball_core::event::{Change, Event, EventData, FileEdit, SessionId, Tool, ToolCall};
use flyball_core::path::AbsolutePath;

use crate::hook::subject;
use crate::outcome::Failed;

/// Something that an agent might do.
pub(super) struct Candidate {
    /// The number of its first line in the file.
    pub(super) number: usize,
    /// The command line, or what the event is about.
    pub(super) shown: String,
    pub(super) event: Event,
}

/// A command line of a file.
#[derive(Debug, PartialEq, Eq)]
struct CommandLine {
    number: usize,
    text: String,
}

/// The content of a file, or of standard input.
pub(super) fn read(file: &Path) -> Result<String, Failed> {
    let failed = |cause: std::io::Error| {
        Failed::new(
            format!("`{}` cannot be read: {cause}", file.display()),
            "name a file that exists, or `-`",
        )
    };
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        bytes
    } else {
        std::fs::read(file).map_err(failed)?
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a file holds.
#[derive(Default)]
pub(super) struct Found {
    pub(super) candidates: Vec<Candidate>,
    /// The numbers of the lines that name nothing that an agent would do.
    pub(super) skipped: Vec<usize>,
}

impl Found {
    pub(super) fn one(candidate: Candidate) -> Found {
        Found { candidates: vec![candidate], ..Found::default() }
    }
}

/// What a file holds: one event in JSON, or command lines and events, one on each line.
pub(super) fn find(text: &str, cwd: &AbsolutePath) -> Result<Found, Failed> {
    let unreadable = |cause: &dyn std::fmt::Display| {
        Failed::new(
            format!("this is not an event that a client sends: {cause}"),
            "record one, or write `{\"command\": \"…\"}`",
        )
    };
    // A group of commands begins with a brace, too.
    let is_json = text.trim_start().strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) if value.is_object() => {
            let found = json_candidate((1, text), &value, cwd).map_err(|cause| unreadable(&cause))?;
            let candidate = found.ok_or_else(|| unreadable(&"nothing in it says what would be done"))?;
            return Ok(Found::one(candidate));
        }
        // Objects on lines of their own are no JSON together.
        Err(cause) if is_json && text.lines().next().is_some_and(|line| !is_object(line)) => {
            return Err(unreadable(&cause));
        }
        Ok(_) | Err(_) => {}
    }
    let mut found = Found::default();
    for CommandLine { number, text } in parse(text) {
        let candidate = match serde_json::from_str::<serde_json::Value>(&text) {
            Ok(value) if value.is_object() => {
                json_candidate((number, &text), &value, cwd).unwrap_or_default()
            }
            Ok(_) | Err(_) => Some(command_line(number, &text, cwd)),
        };
        match candidate {
            Some(candidate) => found.candidates.push(candidate),
            None => found.skipped.push(number),
        }
    }
    Ok(found)
}

fn is_object(line: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(line).is_ok_and(|value| value.is_object())
}

/// What an object is about: an event of a client, or a command line.
fn json_candidate(
    (number, text): (usize, &str),
    value: &serde_json::Value,
    cwd: &AbsolutePath,
) -> Result<Option<Candidate>, DecodeError> {
    if let Some(event) = event(text, cwd)? {
        return Ok(Some(Candidate { number, shown: shown(&event), event }));
    }
    Ok(find_command(value).map(|command| command_line(number, &command, cwd)))
}

/// A command line that an agent might run.
pub(super) fn command_line(number: usize, line: &str, cwd: &AbsolutePath) -> Candidate {
    let call = ToolCall {
        id: None,
        name: "shell".to_owned(),
        tool: Tool::Shell { command: line.to_owned(), background: false },
        input: serde_json::json!({ "command": line }).to_string(),
    };
    let event = before(call, cwd);
    Candidate { number, shown: line.to_owned(), event }
}

/// An edit that makes this of a file. Without a content: one that adds an empty line, or makes the file.
pub(super) fn edit(file: &str, content: Option<String>, cwd: &AbsolutePath) -> Result<Candidate, Failed> {
    let path = cwd.join(file);
    let content = match content {
        Some(content) => content,
        None => match std::fs::read_to_string(path.as_str()) {
            Ok(present) => present + "\n",
            Err(cause) if cause.kind() == ErrorKind::NotFound => "\n".to_owned(),
            Err(cause) => {
                return Err(Failed::new(
                    format!("`{file}` cannot be read: {cause}"),
                    "name a text file, or say what it becomes with `--content`",
                ));
            }
        },
    };
    let input = serde_json::json!({ "file_path": path.as_str(), "content": content }).to_string();
    let change = Change::Write { content };
    let tool = Tool::Edit(vec![FileEdit { path: path.to_string(), change }]);
    let event = before(ToolCall { id: None, name: "edit".to_owned(), tool, input }, cwd);
    Ok(Candidate { number: 1, shown: file.to_owned(), event })
}

fn before(call: ToolCall, cwd: &AbsolutePath) -> Event {
    Event::new("try", SessionId::new("try"), cwd.clone(), EventData::BeforeTool(call))
}

/// The event of a payload, as if it came now and here; `None` for what no client sends.
fn event(text: &str, cwd: &AbsolutePath) -> Result<Option<Event>, DecodeError> {
    // The variables of this process are not those of the client.
    let context = CallerContext {
        variable: &|_| None,
        folder: &|| Some(cwd.clone()),
        declared_client: None,
        declared_event: None,
    };
    let event = match identify(text, &context) {
        Caller::Known(client) => client.decode(text, &context)?,
        // The calls of other clients are guarded, too.
        Caller::Foreign { .. } | Caller::Unknown => match stranger::read(text, None) {
            Report::Call(call, folders) => {
                let cwd = folders.call.unwrap_or_else(|| cwd.clone());
                Event { native: stranger::sender(text).1, ..before(*call, &cwd) }
            }
            Report::Other | Report::Unreadable => return Ok(None),
        },
    };
    let is_there = Path::new(event.cwd.as_str()).is_dir();
    let cwd = if is_there { event.cwd.clone() } else { cwd.clone() };
    Ok(Some(Event { cwd, project: None, ..event }))
}

fn shown(event: &Event) -> String {
    // Without the name of an event it is a line of its own.
    if let Some(text) =
        event.call().and_then(|call| call.tool.main_text()).filter(|_| event.native.is_empty())
    {
        return text.to_owned();
    }
    let subject = subject(event);
    if subject.is_empty() { event.native.clone() } else { format!("{}: {subject}", event.native) }
}

fn parse(text: &str) -> Vec<CommandLine> {
    let mut found: Vec<CommandLine> = Vec::new();
    // Whether the last line ended with a backslash, as in the history of zsh.
    let mut goes_on = false;
    for (at, line) in text.lines().enumerate() {
        let continued = line.strip_suffix('\\').filter(|rest| !rest.ends_with('\\'));
        if let Some(last) = found.last_mut().filter(|_| goes_on) {
            last.text.push('\n');
            last.text.push_str(continued.unwrap_or(line));
            goes_on = continued.is_some();
            continue;
        }
        goes_on = false;
        let Some(command) = command(line) else { continue };
        let text = command.strip_suffix('\\').filter(|_| continued.is_some()).unwrap_or(&command).to_owned();
        goes_on = continued.is_some();
        found.push(CommandLine { number: at + 1, text });
    }
    found
}

/// The command of one line; `None` for what is none.
fn command(line: &str) -> Option<String> {
    let trimmed = line.trim();
    if trimmed.is_empty() || is_bash_time(trimmed) {
        return None;
    }
    Some(without_zsh_time(trimmed).to_owned())
}

/// `#1690000000`.
fn is_bash_time(line: &str) -> bool {
    line.strip_prefix('#')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `: 1690000000:0;command`.
fn without_zsh_time(line: &str) -> &str {
    let is_time = |text: &str| {
        text.split(':').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let split = line.strip_prefix(": ").and_then(|rest| rest.split_once(';'));
    split.filter(|(time, _)| is_time(time.trim())).map_or(line, |(_, command)| command)
}

/// The first `command` in a value, however deep.
fn find_command(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::Object(fields) => {
            let own = fields.get("command").and_then(serde_json::Value::as_str).map(str::to_owned);
            own.or_else(|| fields.values().find_map(find_command))
        }
        serde_json::Value::Array(items) => items.iter().find_map(find_command),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<(usize, String)> {
        let found = find(text, &AbsolutePath::from_root("/")).unwrap_or_else(|_| panic!("{text}"));
        found.candidates.into_iter().map(|it| (it.number, it.shown)).collect()
    }

    #[test]
    fn what_says_nothing_is_named_and_what_is_broken_is_an_error() {
        let find = |text: &str| find(text, &AbsolutePath::from_root("/"));
        let found = find("ls\n{\"x\":1}\n{\"tool\":\"sh\",\"input\":{\"cmd\":\"pwd\"}}\n").ok().unwrap();
        assert_eq!((found.candidates.len(), found.skipped), (2, vec![2]));
        for text in [
            "{\"x\":1}",
            "{\n \"hook_event_name\": \"PreToolUse\",\n",
            "{\"hook_event_name\":3,\"tool_name\":[]}",
        ] {
            assert!(find(text).is_err(), "{text}");
        }
    }

    #[test]
    fn plain_lines_and_histories() {
        let cases: [(&str, &[(usize, &str)]); 6] = [
            ("ls\n\ngit status\n", &[(1, "ls"), (3, "git status")]),
            ("#1690000000\nls\n#1690000009\npwd\n", &[(2, "ls"), (4, "pwd")]),
            (": 1690000000:0;ls\n: 1690000001:5;echo a; b\n", &[(1, "ls"), (2, "echo a; b")]),
            (
                ": 1690000000:0;for a in b\\\ndo ls\\\ndone\npwd\n",
                &[(1, "for a in b\ndo ls\ndone"), (4, "pwd")],
            ),
            (
                "{\"command\":\"ls\"}\n{\"input\":{\"command\":\"a\\nb\"}}\n{\"x\":1}\n",
                &[(1, "ls"), (2, "a\nb")],
            ),
            ("# a comment\n{ ls; }\n", &[(1, "# a comment"), (2, "{ ls; }")]),
        ];
        for (text, expected) in cases {
            let expected: Vec<(usize, String)> =
                expected.iter().map(|(at, line)| (*at, (*line).to_owned())).collect();
            assert_eq!(texts(text), expected, "{text}");
        }
    }
}
