//! What a command writes into the pipe behind it, where that is plain: `echo 'rm x' | sh`.

use super::decoders;
use super::launch::Input;
use crate::model::{Command, RedirectKind, input_redirect};
use crate::printed::{echoed, printed};

/// What the only command of a pipeline's part writes, if it is known.
pub(super) fn written(commands: &[Command], input: &Input) -> Option<String> {
    // With several commands, the pipe has the output of all of them mixed.
    let [command] = commands else { return None };
    let takes_output = |kind: RedirectKind| match kind {
        RedirectKind::Read | RedirectKind::HereDoc | RedirectKind::HereString => false,
        RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite | RedirectKind::Duplicate => {
            true
        }
    };
    let is_whole = !command.redirects.iter().any(|redirect| takes_output(redirect.kind));
    is_whole.then(|| written_text(command, input)).flatten()
}

/// What a command writes to its standard output, wherever that leads, if it is known.
pub(super) fn written_text(command: &Command, input: &Input) -> Option<String> {
    // A wrapper may write as well or change the words (`xargs echo`).
    if !command.wrappers.is_empty() || !command.assignments.is_empty() {
        return None;
    }
    let is = |words: &[&str]| {
        command.arguments.len() == words.len()
            && command.arguments.iter().zip(words).all(|(word, text)| word.is(text))
    };
    match command.program_name()? {
        "echo" => {
            let text = echoed(&command.arguments)?;
            Some(text.strip_suffix('\n').unwrap_or(&text).to_owned())
        }
        "printf" => printed(&command.arguments),
        "cat" if command.arguments.is_empty() || is(&["-"]) => read_by(command, input),
        "tee" => read_by(command, input),
        "base64" if is(&["-d"]) || is(&["-D"]) || is(&["--decode"]) => {
            decoders::base64(&read_by(command, input)?)
        }
        "xxd" if is(&["-r", "-p"]) || is(&["-p", "-r"]) || is(&["-rp"]) => {
            decoders::hexadecimal(&read_by(command, input)?)
        }
        _ => None,
    }
}

/// The program that `$(which rm)` names, where it is all of a word.
pub(super) fn looked_up(raw: &str, commands: &[Command]) -> Option<String> {
    let [command] = commands else { return None };
    let bare = raw.trim_matches('"');
    if !((bare.starts_with("$(") && bare.ends_with(')')) || (bare.starts_with('`') && bare.ends_with('`'))) {
        return None;
    }
    let (last, before) = command.arguments.split_last()?;
    let looks = match command.program_name()? {
        "which" => before.is_empty(),
        "command" => before.iter().all(|word| word.is("-v")) && before.len() == 1,
        "type" => before.iter().all(|word| word.is("-p") || word.is("-P")) && before.len() == 1,
        _ => false,
    };
    last.text.clone().filter(|_| looks)
}

/// What a command reads: from the line, or through its pipe.
fn read_by(command: &Command, input: &Input) -> Option<String> {
    match input_redirect(&command.redirects) {
        Some(redirect) => match redirect.kind {
            RedirectKind::HereDoc | RedirectKind::HereString => redirect.target.text.clone(),
            _ => None,
        },
        None => match input {
            Input::Text(text) if command.place.pipe_in => Some(text.to_string()),
            Input::Text(_) | Input::Unread | Input::Unknown => None,
        },
    }
}
