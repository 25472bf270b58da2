//! Puts lines into a text.

/// A text with lines inserted.
pub(super) struct Insertion {
    pub(super) text: String,
    /// Where the old text was split.
    pub(super) cut: usize,
    /// Where the inserted lines begin in the new text.
    pub(super) start: usize,
}

/// What is between the inserted lines and those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Blank,
    /// They go on with a list.
    Nothing,
}

/// The lines of a rule.
pub(super) struct Lines {
    pub(super) lines: Vec<String>,
    pub(super) before: Before,
}

/// Inserts lines at an offset, with a blank line behind them.
pub(super) fn insert_lines(text: &str, at: usize, lines: &Lines) -> Insertion {
    let end = line_end(text);
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let mut all = String::with_capacity(text.len() + 256);
    all.push_str(before);
    let is_begun = !before.trim_start_matches('\u{feff}').is_empty();
    if is_begun {
        let is_ended = before.ends_with('\n');
        all.push_str(if is_ended { "" } else { end });
        all.push_str(if ends_blank(before) || lines.before == Before::Nothing { "" } else { end });
    }
    let start = all.len();
    all.push_str(&lines.lines.join(end));
    let begins_blank = after.lines().next().is_some_and(|line| line.trim().is_empty());
    // A file without a final newline stays that way.
    let stays_open = after.is_empty() && is_begun && !before.ends_with('\n');
    all.push_str(if stays_open { "" } else { end });
    all.push_str(if after.is_empty() || begins_blank { "" } else { end });
    all.push_str(after);
    Insertion { text: all, cut: at, start }
}

/// Whether the last whole line is blank.
fn ends_blank(text: &str) -> bool {
    text.ends_with('\n') && text.lines().next_back().is_some_and(|line| line.trim().is_empty())
}

/// The line ending that most lines use.
fn line_end(text: &str) -> &'static str {
    let (all, long) = (text.matches('\n').count(), text.matches("\r\n").count());
    if long * 2 > all { "\r\n" } else { "\n" }
}
