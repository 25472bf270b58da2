//! The text that flows out of and into a command, where the line itself says it.

use crate::model::{Command, Content, RedirectKind, Script, input_redirect};
use crate::printed::{echoed, printed};

/// How many parts of a pipeline are followed back: the time would grow with the square.
const MOST_PARTS: usize = 4;

/// What the command writes to its standard output.
pub(super) fn output(script: &Script, index: usize) -> Content {
    known_output(script, index, MOST_PARTS).map_or(Content::Unknown, Content::Text)
}

/// What the command reads from its standard input.
pub(super) fn input(script: &Script, index: usize) -> Content {
    known_input(script, index, MOST_PARTS).map_or(Content::Unknown, Content::Text)
}

fn known_output(script: &Script, index: usize, parts: usize) -> Option<String> {
    let command = script.commands.get(index)?;
    // It runs the command with more words than the line has, and perhaps several times.
    if command.wrappers.iter().any(|wrapper| wrapper == "xargs") {
        return None;
    }
    match command.program_name()? {
        "" if is_alone(script, index) => Some(String::new()),
        ":" | "true" => Some(String::new()),
        // The shell puts in a home.
        "echo" | "printf" if command.arguments.iter().any(|word| word.raw.starts_with('~')) => None,
        "echo" => echoed(&command.arguments),
        "printf" => printed(&command.arguments),
        "cat" if command.arguments.iter().all(|word| word.is("-")) => {
            // Each part followed back costs one, which ends the recursion between the two functions.
            known_input(script, index, parts.checked_sub(1)?)
        }
        "tee" => known_input(script, index, parts.checked_sub(1)?),
        _ => None,
    }
}

fn known_input(script: &Script, index: usize, parts: usize) -> Option<String> {
    let command = script.commands.get(index)?;
    if let Some(redirect) = input_redirect(&command.redirects) {
        let text = redirect.target.text.as_deref()?;
        return match redirect.kind {
            RedirectKind::HereDoc => Some(text.to_owned()),
            RedirectKind::HereString => Some(format!("{text}\n")),
            RedirectKind::Read if text == "/dev/null" => Some(String::new()),
            RedirectKind::Read
            | RedirectKind::Write
            | RedirectKind::Append
            | RedirectKind::ReadWrite
            | RedirectKind::Duplicate => None,
        };
    }
    let before = index.checked_sub(1)?;
    let feeder = script.commands.get(before)?;
    // With its output redirected to a file, the feeder writes nothing into the pipe.
    if !feeds(feeder, command) || feeder.redirects.iter().any(takes_output) {
        return None;
    }
    known_output(script, before, parts)
}

/// Whether `first` is the whole part of the pipeline before `second`.
fn feeds(first: &Command, second: &Command) -> bool {
    let (first, second) = (first.place, second.place);
    // A deeper command is only one of several that may write into the pipe.
    first.depth == second.depth && second.from_pipe > 0 && first.into_pipe == second.from_pipe
}

fn takes_output(redirect: &crate::model::Redirect) -> bool {
    match redirect.kind {
        RedirectKind::Write | RedirectKind::Append | RedirectKind::Duplicate => {
            redirect.descriptor.is_none_or(|descriptor| descriptor == 1)
        }
        RedirectKind::Read | RedirectKind::ReadWrite | RedirectKind::HereDoc | RedirectKind::HereString => {
            false
        }
    }
}

/// Whether redirections are alone: those of `{ …; } > f` look the same, but commands follow
/// that are nested deeper.
fn is_alone(script: &Script, index: usize) -> bool {
    let depth = |index: usize| script.commands.get(index).map(|command| command.place.depth);
    match (depth(index), depth(index + 1)) {
        (Some(here), Some(next)) => next <= here,
        _ => true,
    }
}
