//! The YAML block at the start of a Markdown file.

use std::ops::Range;

/// The YAML block at the very start of a text, between lines of `---`: the bytes between them.
#[must_use]
pub(crate) fn front_matter(text: &str) -> Option<Range<usize>> {
    let (_, inside) = front_matter_lines(text)?;
    Some(inside)
}

/// Where the Markdown begins: after the byte order mark and the front matter.
pub(crate) fn content_start(text: &str) -> usize {
    front_matter_lines(text).map_or_else(|| bom_len(text), |(end, _)| end)
}

/// The length of the byte order mark.
pub(crate) fn bom_len(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The end of the line that closes the front matter, and the bytes inside.
fn front_matter_lines(text: &str) -> Option<(usize, Range<usize>)> {
    let mut at = bom_len(text);
    let mut lines = text.get(at..)?.split_inclusive('\n');
    let opening = lines.next()?;
    if opening.trim_end() != "---" || !opening.ends_with('\n') {
        return None;
    }
    at += opening.len();
    let start = at;
    for line in lines {
        let line_text = line.trim_end();
        if matches!(line_text, "---" | "...") {
            return Some((at + line.len(), start..at));
        }
        // `---` followed by an empty line is a thematic break: YAML does not start that way.
        if at == start && line_text.is_empty() {
            return None;
        }
        at += line.len();
    }
    None
}
