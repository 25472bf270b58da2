//! What a command writes into the pipe behind it, where that is plain: `echo 'rm x' | sh`.

use super::model::{Command, RedirectKind, Word};

/// What the only command of a pipeline's part writes, if it is known.
pub(super) fn written(commands: &[Command]) -> Option<String> {
    let [command] = commands else { return None };
    let is_plain = command.wrappers.is_empty() && command.assignments.is_empty();
    match command.program_name()? {
        "echo" if is_plain && command.redirects.is_empty() => echoed(&command.arguments),
        "printf" if is_plain && command.redirects.is_empty() => formatted(&command.arguments),
        "cat" if is_plain && command.arguments.is_empty() => here(command),
        _ => None,
    }
}

/// Shells disagree on escapes in `echo`, so text with escapes is not known.
fn echoed(arguments: &[Word]) -> Option<String> {
    let arguments = match arguments {
        [first, rest @ ..] if first.is("-n") || first.is("-e") || first.is("-E") => rest,
        all => all,
    };
    let texts: Vec<&str> = arguments.iter().map(known).collect::<Option<_>>()?;
    Some(texts.join(" "))
}

fn formatted(arguments: &[Word]) -> Option<String> {
    match arguments {
        [only] => known(only).filter(|text| !text.contains('%')).map(str::to_owned),
        [format, text] if format.is("%s") || format.is(r"%s\n") => known(text).map(str::to_owned),
        _ => None,
    }
}

fn here(command: &Command) -> Option<String> {
    let [redirect] = command.redirects.as_slice() else { return None };
    match redirect.kind {
        RedirectKind::HereDoc | RedirectKind::HereString => redirect.target.text.clone(),
        RedirectKind::Read
        | RedirectKind::Write
        | RedirectKind::Append
        | RedirectKind::ReadWrite
        | RedirectKind::Duplicate => None,
    }
}

fn known(word: &Word) -> Option<&str> {
    word.text.as_deref().filter(|text| !word.glob && !text.contains('\\'))
}
