//! A compact way to write down what a line runs: one command a line.

use crate::model::{Command, Directory, Place, Redirect, RedirectKind, Script, Word};

/// Every command and everything unknown, a line each.
pub(super) fn render(script: &Script) -> Vec<String> {
    let commands = script.commands.iter().map(command);
    let unknown = script.unknown.iter().map(|unknown| format!("?{:?} {}", unknown.why, shown(&unknown.text)));
    commands.chain(unknown).collect()
}

fn command(command: &Command) -> String {
    let mut pieces: Vec<String> = command.wrappers.iter().map(|wrapper| format!("{wrapper}>")).collect();
    pieces.extend(command.assignments.iter().map(|(name, value)| format!("{name}={}", word(value))));
    if !command.program.is("") {
        pieces.push(word(&command.program));
    }
    pieces.extend(command.arguments.iter().map(word));
    pieces.extend(command.redirects.iter().map(redirect));
    pieces.extend(place(command.place));
    match &command.directory {
        Directory::Start => {}
        Directory::OneOf(places) => pieces.push(format!("@{}", places.join("|"))),
        Directory::Unknown => pieces.push("@?".to_owned()),
    }
    pieces.join(" ")
}

fn word(word: &Word) -> String {
    match &word.text {
        None => format!("?{}", shown(&word.raw)),
        Some(text) if word.glob => format!("glob:{}", shown(text)),
        Some(text) => shown(text),
    }
}

fn shown(text: &str) -> String {
    let plain = !text.is_empty() && !text.contains([' ', '\n', '\t']);
    if plain { text.to_owned() } else { format!("{text:?}") }
}

fn redirect(redirect: &Redirect) -> String {
    let sign = match redirect.kind {
        RedirectKind::Read => "<",
        RedirectKind::Write => ">",
        RedirectKind::Append => ">>",
        RedirectKind::ReadWrite => "<>",
        RedirectKind::HereDoc => "<<",
        RedirectKind::HereString => "<<<",
        RedirectKind::Duplicate => ">&",
    };
    let descriptor = redirect.descriptor.map(|descriptor| descriptor.to_string()).unwrap_or_default();
    format!("{descriptor}{sign}{}", word(&redirect.target))
}

fn place(place: Place) -> Vec<String> {
    let marks = [
        (place.pipe_in, "|in"),
        (place.pipe_out, "|out"),
        (place.substitution, "$()"),
        (place.subshell, "()"),
        (place.function, "fn"),
        (place.conditional, "if"),
        (place.background, "&"),
        (place.negated, "!"),
    ];
    marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| (*mark).to_owned()).collect()
}
