//! The text that flows out of and into a command, where the line itself says it.

use super::call::input_redirect;
use crate::model::{Command, Content, RedirectKind, Script, Word};

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
    if let Some(redirect) = input_redirect(command) {
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

/// Shells disagree on escapes in `echo`, so text with escapes is known only behind `-e`.
fn echoed(arguments: &[Word]) -> Option<String> {
    let mut arguments = arguments.iter().peekable();
    let (mut newline, mut escapes) = (true, false);
    while let Some(flags) = arguments.next_if(|word| is_echo_flag(word)) {
        let flags = flags.text.as_deref().unwrap_or_default();
        newline &= !flags.contains('n');
        escapes |= flags.contains('e');
    }
    let mut text = String::new();
    for (at, word) in arguments.enumerate() {
        if at > 0 {
            text.push(' ');
        }
        text.push_str(literal(word)?);
    }
    if newline {
        text.push('\n');
    }
    match text.contains('\\') {
        true if escapes => unescaped(&text),
        true => None,
        false => Some(text),
    }
}

fn is_echo_flag(word: &Word) -> bool {
    let flags = word.text.as_deref().and_then(|text| text.strip_prefix('-')).unwrap_or_default();
    !flags.is_empty() && flags.bytes().all(|flag| matches!(flag, b'n' | b'e' | b'E'))
}

fn printed(arguments: &[Word]) -> Option<String> {
    let (format, values) = match arguments {
        // It sets a variable and prints nothing.
        [option, ..] if option.is("-v") => return Some(String::new()),
        [dashes, format, values @ ..] if dashes.is("--") => (format, values),
        [format, values @ ..] => (format, values),
        [] => return None,
    };
    let format = literal(format)?;
    let mut values = values.iter();
    let mut text = String::new();
    loop {
        let before = values.len();
        format_once(format, &mut values, &mut text)?;
        if values.len() == 0 {
            return Some(text);
        }
        if values.len() == before {
            // A format without fields is printed once, whatever follows it.
            return Some(text);
        }
    }
}

/// Puts values into the fields of a format, as far as they are plain.
fn format_once(format: &str, values: &mut std::slice::Iter<'_, Word>, text: &mut String) -> Option<()> {
    let mut rest = format;
    while let Some(at) = rest.find(['%', '\\']) {
        text.push_str(rest.get(..at)?);
        let mark = rest.get(at..)?;
        if mark.starts_with('\\') {
            let (letter, length) = escape(mark)?;
            text.push(letter);
            rest = mark.get(length..)?;
            continue;
        }
        match mark.as_bytes().get(1)? {
            b'%' => text.push('%'),
            b's' => text.push_str(values.next().map_or(Some(""), literal)?),
            b'd' => text.push_str(number(values.next())?),
            // Widths, precisions and other conversions are not followed.
            _ => return None,
        }
        rest = mark.get(2..)?;
    }
    text.push_str(rest);
    Some(())
}

fn number(word: Option<&Word>) -> Option<&str> {
    let Some(word) = word else { return Some("0") };
    literal(word).filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at)?);
        let mark = rest.get(at..)?;
        let (letter, length) = escape(mark)?;
        out.push(letter);
        rest = mark.get(length..)?;
    }
    out.push_str(rest);
    Some(out)
}

/// The letter that an escape means, and how long its spelling is.
fn escape(text: &str) -> Option<(char, usize)> {
    let letter = match text.as_bytes().get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'\\' => '\\',
        b'"' => '"',
        b'\'' => '\'',
        _ => return None,
    };
    Some((letter, 2))
}

/// What a word prints as: not a pattern, not a home that the shell puts in.
fn literal(word: &Word) -> Option<&str> {
    word.text.as_deref().filter(|_| !word.glob && !word.raw.starts_with('~'))
}
