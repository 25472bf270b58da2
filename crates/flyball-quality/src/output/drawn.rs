//! Reads diagnostics that are drawn for people, as rustc and codespan do:
//!
//! ```text
//! error: conflicting keys
//!   ┌─ a.toml:2:1
//!   │
//! 2 │ a = 2
//!   │ ^ duplicate key
//! ```

use super::{RawFinding, RawOutput, Unreadable, level, text};

const FORM: &str = "drawn diagnostics";

/// What comes before the place: codespan, rustc, miette and ariadne.
const ARROWS: &[&str] = &["┌─ ", "--> ", "╭─[", "┌─[", ",-["];

pub(super) fn read(output: RawOutput<'_>) -> Result<Vec<RawFinding>, Unreadable> {
    let plain = text::strip_escapes(output.text);
    let mut found: Vec<RawFinding> = Vec::new();
    // A title waits for its place; the drawing below a place may still add its label.
    let mut title: Option<RawFinding> = None;
    let mut labelled = true;
    for line in plain.lines() {
        if let Some(next) = titled(line) {
            (title, labelled) = (Some(next), true);
        } else if let Some((file, line, column)) = place(line) {
            // Further places below a title are notes to it.
            if let Some(title) = title.take() {
                found.push(RawFinding { file: Some(file), line, column, ..title });
                labelled = false;
            }
        } else if !labelled && let (Some(label), Some(last)) = (label(line), found.last_mut()) {
            last.message = format!("{}: {label}", last.message);
            labelled = true;
        }
    }
    if found.is_empty() && !plain.trim().is_empty() {
        return Err(Unreadable { form: FORM, why: format!("no diagnostic in {}", text::excerpt(&plain)) });
    }
    Ok(found)
}

/// `error: what`, `warning[CODE]: what`.
fn titled(line: &str) -> Option<RawFinding> {
    let (head, message) = line.split_once(": ")?;
    let (word, code) = match head.split_once('[') {
        Some((word, code)) => (word, code.strip_suffix(']')?),
        None => (head, ""),
    };
    // `ERROR operation failed` and the like are logs; so is any indented line.
    let level = word.chars().all(|letter| letter.is_ascii_lowercase()).then(|| level::parse(word))??;
    let message = message.trim().to_owned();
    Some(RawFinding { code: code.to_owned(), message, level: Some(level), ..RawFinding::default() })
}

/// `┌─ file:2:1`; the file may contain colons.
fn place(line: &str) -> Option<(String, u32, u32)> {
    let line = line.trim();
    let rest = ARROWS.iter().find_map(|arrow| line.strip_prefix(arrow))?.trim_end_matches(']').trim();
    let (rest, column) = rest.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?, column.parse().ok()?))
}

/// What follows the carets of a drawing.
fn label(line: &str) -> Option<&str> {
    let (gutter, drawing) = line.split_once(['│', '|'])?;
    // With a number in front, it is a line of the source, which may have a `^` of its own.
    if !gutter.trim().is_empty() {
        return None;
    }
    let (before, label) = drawing.rsplit_once('^')?;
    let is_drawn = |letter: char| " ^-─│|╭╰_/\\".contains(letter);
    let label = label.trim();
    (before.chars().all(is_drawn) && !label.is_empty()).then_some(label)
}
