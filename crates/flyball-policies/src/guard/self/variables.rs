//! Commands that set a variable for programs that are started later, by a session manager or a multiplexer.

use flyball_core::verdict::Stance;
use flyball_effects::{Command, Script};

use super::access::Access;
use super::startup::VARIABLE;

/// Programs that keep variables, and the words with which they only show them.
const KEEPERS: &[(&str, &[&str])] = &[
    ("systemctl", &["show-environment", "show", "status", "cat"]),
    ("launchctl", &["getenv", "print", "list"]),
    ("tmux", &["show-environment", "showenv", "list-sessions", "ls", "capture-pane", "display-message"]),
    ("screen", &["-ls", "-list"]),
    ("zellij", &["list-sessions", "ls"]),
    ("set", &[]),
    ("setenv", &[]),
    ("setx", &[]),
    ("reg", &["query"]),
    ("dbus-update-activation-environment", &[]),
    ("busctl", &["get-property", "status"]),
    ("gdbus", &["introspect", "monitor"]),
    ("dbus-send", &[]),
    ("mise", &["ls", "env", "get"]),
    ("rtx", &["ls", "env", "get"]),
    ("direnv", &["status", "show_dump"]),
    ("conda", &["list"]),
    ("mamba", &["list"]),
    ("pam_env", &[]),
    ("crontab", &["-l"]),
    ("loginctl", &["show-user", "show-session"]),
    ("defaults", &["read"]),
    ("powershell", &[]),
    ("pwsh", &[]),
    ("cmd", &[]),
];

const WHAT: &str = "a command that sets a variable of flyball for programs that are started later";

/// A command of the script that would set one of our variables for later programs.
pub(super) fn find(script: &Script) -> Option<Access> {
    script.commands.iter().find_map(|command| {
        let name = command.program_name()?;
        let (program, shows) = KEEPERS.iter().find(|(keeper, _)| *keeper == name)?;
        let variable = named_variable(command)?;
        let texts = || command.arguments.iter().filter_map(|word| word.text.as_deref());
        if texts().any(|text| shows.contains(&text) || text == "--help") {
            return None;
        }
        Some(Access {
            is_below: false,
            stance: Stance::Deny,
            named: format!("{program} … {variable}"),
            what: WHAT,
            route: "a session manager",
            path: None,
            verb: "run it",
        })
    })
}

/// One of our variables that the command names.
fn named_variable(command: &Command) -> Option<String> {
    let words = command.arguments.iter().chain(command.redirects.iter().map(|redirect| &redirect.target));
    let text =
        words.map(|word| word.text.as_deref().unwrap_or(&word.raw)).find(|text| text.contains(VARIABLE))?;
    let name = text.get(text.find(VARIABLE)?..)?;
    let end =
        name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(name.len());
    name.get(..end).map(str::to_owned)
}
