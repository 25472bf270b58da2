//! Foreign text in a report: without secrets and control characters, and of limited length.

use flyball_core::redact::redact;
use flyball_core::text;

use super::draft::Draft;

/// How long a line that names something may be, in bytes.
const LINE: usize = 240;
/// How long a text may be.
const TEXT: usize = 4_000;
/// The most lines of shown rules.
const MOST_RULES: usize = 12;
/// Marks a cut.
const CUT: &str = "\n[…]\n";

/// The draft as it is written to a report: without secrets, of limited length, with single lines in one line, and with
/// a title and a sameness if it has none.
#[must_use]
pub fn sanitize(draft: &Draft) -> Draft {
    let mut tidy = Draft {
        kind: draft.kind,
        origin: draft.origin,
        title: line(&draft.title),
        folder: folder(&draft.folder),
        operation: line(&draft.operation),
        detail: text(&draft.detail),
        said: text(&draft.said),
        command: text(&draft.command),
        file: line(&draft.file),
        node: line(&draft.node),
        told_before: draft.told_before.iter().map(|rule| line(rule)).collect(),
        agent: line(&draft.agent),
        sameness: line(&draft.sameness),
    };
    tidy.told_before.retain(|rule| !rule.is_empty());
    tidy.told_before.truncate(MOST_RULES);
    if tidy.title.is_empty() {
        tidy.title = [tidy.operation.as_str(), "untitled"]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or_default()
            .to_owned();
    }
    if tidy.sameness.is_empty() {
        tidy.sameness = line(&format!("{} {} {}", tidy.kind.name(), tidy.folder, tidy.title.to_lowercase()));
    }
    tidy
}

/// A text in one line.
pub(super) fn line(text: &str) -> String {
    let shown = cleaned(text, ' ');
    let whole = text::one_line(&shown);
    // Redacted before it is cut: half of a secret is not recognised.
    text::fit_bytes(redact(&whole).trim(), LINE).into_owned()
}

fn folder(path: &str) -> String {
    let path = line(path);
    let path = path.trim_start_matches("./").trim_end_matches(['/', ' ']).trim_start();
    if path.is_empty() { ".".to_owned() } else { path.to_owned() }
}

/// A text of some lines: its start and its end, if it is long.
pub(super) fn text(text: &str) -> String {
    let shown = cleaned(&text.replace("\r\n", "\n").replace('\r', "\n"), '\n');
    let clean = redact(shown.trim());
    let clean = clean.trim();
    if clean.len() <= TEXT {
        return clean.to_owned();
    }
    let half = (TEXT - CUT.len()) / 2;
    let head = text::head_bytes(clean, half);
    let tail = clean.get(clean.ceil_char_boundary(clean.len() - half)..).unwrap_or_default();
    format!("{}{CUT}{}", head.trim_end(), tail.trim_start())
}

/// The text without terminal escapes and characters that change the text direction. Line ends become `end`.
fn cleaned(text: &str, end: char) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.peek() == Some(&'[') => {
                // A colour: up to its last letter.
                letters.next();
                while letters.next_if(|next| next.is_ascii_digit() || ";:?".contains(*next)).is_some() {}
                letters.next_if(char::is_ascii_alphabetic);
            }
            '\n' => shown.push(end),
            '\t' => shown.push('\t'),
            // These make a text look different to the person who reviews it from what a model reads.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => {}
            other if other.is_control() => {}
            other => shown.push(other),
        }
    }
    shown
}
