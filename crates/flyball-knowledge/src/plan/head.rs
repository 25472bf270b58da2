//! The lines of `name: value` at the top of a plan: in YAML front matter, or in a paragraph of only such lines before
//! the first part of the plan.

use std::ops::Range;

use super::status::Status;
use crate::markdown::{bom_len, front_matter};

/// The value of a line of the head, as it is written but without quotes and comment.
pub(super) fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.get(find(text, name)?)
}

/// The text of a plan with another status: only that line changes, or one is added to the head.
#[must_use]
pub fn with_status(text: &str, status: &Status) -> String {
    // A line break in the status would add lines to the head.
    let name: String =
        status.as_str().chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if let Some(value) = find(text, "status") {
        let (before, after) = around(text, &value);
        // `status:` without a value has no space behind it yet, and `#` begins a comment only after a space.
        let space = if before.ends_with(':') { " " } else { "" };
        let gap = if after.starts_with('#') { " " } else { "" };
        return format!("{before}{space}{name}{gap}{after}");
    }
    let end = line_end(text);
    let at = front_matter(text).map_or_else(|| bom_len(text), |inside| inside.end);
    let (before, after) = around(text, &(at..at));
    // Without front matter, an empty line stops the text below from becoming part of the head.
    let gap = if front_matter(text).is_some() || after.is_empty() { "" } else { end };
    format!("{before}status: {name}{end}{gap}{after}")
}

fn around<'a>(text: &'a str, span: &Range<usize>) -> (&'a str, &'a str) {
    (text.get(..span.start).unwrap_or_default(), text.get(span.end..).unwrap_or_default())
}

/// The line end that a text uses.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|before| before.ends_with('\r')) => "\r\n",
        Some(_) | None => "\n",
    }
}

/// The lines of a text without their ends.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = bom_len(text);
    text.get(at..).unwrap_or_default().split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_end_matches(['\n', '\r']).len()
    })
}

fn find(text: &str, name: &str) -> Option<Range<usize>> {
    let matter = front_matter(text);
    let inside = matter.clone().and_then(|matter| {
        lines(text)
            .filter(|line| line.start >= matter.start && line.end <= matter.end)
            .find_map(|line| field(text, line, name))
    });
    inside.or_else(|| below(text, matter.map_or(0, |matter| matter.end), name))
}

/// Looks in the paragraphs before the first part of the plan.
fn below(text: &str, from: usize, name: &str) -> Option<Range<usize>> {
    let mut paragraph: Vec<Range<usize>> = Vec::new();
    let mut is_code = false;
    for span in lines(text).filter(|line| line.start >= from) {
        let line = text.get(span.clone()).unwrap_or_default();
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_code ^= is_fence;
        let is_heading = line.starts_with('#');
        if line.trim().is_empty() || is_fence || is_code || is_heading {
            if let Some(found) = find_in_paragraph(text, &paragraph, name) {
                return Some(found);
            }
            paragraph.clear();
            // The head may be below the title, but it ends at the first part of the plan.
            if is_heading && line.starts_with("##") {
                return None;
            }
        } else {
            paragraph.push(span);
        }
    }
    find_in_paragraph(text, &paragraph, name)
}

/// The value of that name, if all lines of the paragraph have a name.
fn find_in_paragraph(text: &str, paragraph: &[Range<usize>], name: &str) -> Option<Range<usize>> {
    let is_field = |line: &Range<usize>| {
        let line = text.get(line.clone()).unwrap_or_default();
        // A `---` below the lines is not prose.
        line.trim_end() == "---" || line.split_once(':').is_some_and(|(name, _)| is_name(name))
    };
    if !paragraph.iter().all(is_field) {
        return None;
    }
    paragraph.iter().find_map(|line| field(text, line.clone(), name))
}

fn is_name(text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    !text.is_empty() && text.chars().all(is_letter)
}

/// Where the value of a line is, without quotes, comment and spaces, if the line is the one of that name.
fn field(text: &str, span: Range<usize>, name: &str) -> Option<Range<usize>> {
    let line = text.get(span.clone())?;
    let (key, rest) = line.split_once(':')?;
    if !key.eq_ignore_ascii_case(name) {
        return None;
    }
    let start = span.start + key.len() + 1;
    let spaces = rest.len() - rest.trim_start().len();
    let value = if rest.trim().is_empty() { 0..0 } else { bare(rest.trim_start(), spaces) };
    Some(start + value.start..start + value.end)
}

/// Where the value itself is in a text that is `at` bytes in.
fn bare(text: &str, at: usize) -> Range<usize> {
    for quote in ['"', '\''] {
        let inside = text.strip_prefix(quote).and_then(|rest| rest.split_once(quote));
        if let Some((inside, _)) = inside {
            return at + 1..at + 1 + inside.len();
        }
    }
    if text.starts_with('#') {
        return at..at;
    }
    let end = text.find(" #").or_else(|| text.find("\t#")).unwrap_or(text.len());
    at..at + text.get(..end).unwrap_or(text).trim_end().len()
}
