//! What interpreter code on the line does, as its readers say.

use super::collector::Collector;
use super::site::Site;
use crate::code;
use crate::model::{
    CodeAct, CodeReading, Command, Content, FileAct, Language, OpaqueReason, Sent, Target, Word,
};

/// Adds what the code of a command does; `false` if no reader knows it.
pub(super) fn run(site: Site<'_>, found: &mut Collector) -> bool {
    let Some(reading) = code::read_command(site.command) else { return false };
    let CodeReading { acts, is_opaque, language } = reading;
    let by = language.name();
    let place = |act: FileAct, path: Option<String>, found: &mut Collector| {
        let is_pattern = |path: &String| matches!(act, FileAct::Delete { .. }) && path.contains('*');
        let glob = path.as_ref().is_some_and(is_pattern);
        let word = path.map_or_else(|| Word::unknown(by), |path| Word { glob, ..Word::literal(path) });
        found.file(act, Target::new(&word, &site.command.directory), by);
    };
    let writes_somewhere =
        |act: &CodeAct| matches!(act, CodeAct::File { act, path: None } if act.changes_target());
    // What it is given may be what it writes.
    if is_opaque || acts.iter().any(writes_somewhere) {
        for word in code_arguments(site.command) {
            found.file(FileAct::Anything, Target::new(word, &site.command.directory), by);
        }
    }
    for act in acts {
        match act {
            // awk prints once for every line that it reads, so no text is all of it.
            CodeAct::File { act: FileAct::Write(_), path } if language == Language::Awk => {
                place(FileAct::Write(Content::Unknown), path, found);
            }
            CodeAct::File { act: FileAct::Append(_), path } if language == Language::Awk => {
                place(FileAct::Append(Content::Unknown), path, found);
            }
            CodeAct::File { act, path } => place(in_command_directory(act, site.command), path, found),
            CodeAct::Network { to, sends } => {
                let sends = if sends { vec![Sent::Unknown(by.to_owned())] } else { Vec::new() };
                found.network(to, sends);
            }
            // Commands that code starts are commands of the script.
            CodeAct::Shell { .. } | CodeAct::Command { .. } => {}
            CodeAct::Decoded => found.decoded(site.index, site.index),
        }
    }
    if is_opaque {
        found.opaque(OpaqueReason::Code, by);
    }
    true
}

/// The words that code on the line is given: those behind it, or behind the `-` that means
/// standard input.
fn code_arguments(command: &Command) -> impl Iterator<Item = &Word> {
    let is_code_flag = |word: &Word| {
        word.text.as_deref().is_some_and(|text| matches!(text, "-c" | "-e" | "-r" | "--eval" | "-p" | "-"))
    };
    let start = command.arguments.iter().position(is_code_flag);
    let skipped = start.map_or(usize::MAX, |at| match command.arguments.get(at) {
        Some(word) if word.is("-") => at + 1,
        // The word behind the flag is the code itself.
        _ => at + 2,
    });
    command.arguments.iter().skip(skipped).filter(|word| !word.raw.starts_with('-'))
}

/// An act whose other place is relative to the directory of the command.
fn in_command_directory(act: FileAct, command: &Command) -> FileAct {
    let place = |target: Target| Target { directory: command.directory.clone(), ..target };
    match act {
        FileAct::Move { to } => FileAct::Move { to: place(to) },
        FileAct::Link { name } => FileAct::Link { name: place(name) },
        FileAct::Read
        | FileAct::Write(_)
        | FileAct::Append(_)
        | FileAct::Change
        | FileAct::Delete { .. }
        | FileAct::Attributes { .. }
        | FileAct::ApplyPatch
        | FileAct::Run
        | FileAct::Anything => act,
    }
}
