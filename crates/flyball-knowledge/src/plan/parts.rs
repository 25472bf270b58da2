//! What else is in a plan: constraints for roles, and decisions.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::blocks::{Block, blocks, plain};

/// The text between `<!-- NAME -->` and `<!-- /NAME -->`, without lines that are only a comment.
#[must_use]
pub fn role_section(text: &str, name: &str) -> Option<String> {
    let code = code(text);
    let start = comment(text, 0, name, &code)?;
    let end = comment(text, start.end, &format!("/{name}"), &code)?;
    let inside = without_comments(text.get(start.end..end.start)?);
    (!inside.is_empty()).then_some(inside)
}

/// The items below a heading about decisions.
#[must_use]
pub fn decisions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside: Option<u8> = None;
    for block in blocks(text) {
        match block {
            Block::Heading(level, title) => {
                let is_one =
                    title.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).any(is_decision);
                // Deeper headings belong to the one about decisions.
                inside = inside.filter(|above| *above < level).or(is_one.then_some(level));
            }
            Block::Text { text, is_item: true } if inside.is_some() => found.push(plain(&text)),
            Block::Row { is_head: false, cells } if inside.is_some() => {
                let cells: Vec<&str> =
                    cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
                found.push(plain(&cells.join(" — ")));
            }
            Block::Text { .. } | Block::Row { .. } => {}
        }
    }
    found.retain(|decision| !decision.is_empty());
    found
}

fn is_decision(word: &str) -> bool {
    matches!(word, "decision" | "decisions")
}

/// The spans of code: a comment there is an example.
fn code(text: &str) -> Vec<Range<usize>> {
    let is_code = |event: &Event<'_>| matches!(event, Event::Start(Tag::CodeBlock(_)) | Event::Code(_));
    Parser::new(text).into_offset_iter().filter(|(event, _)| is_code(event)).map(|(_, span)| span).collect()
}

/// The first comment that contains only this name, at or after an offset.
fn comment(text: &str, from: usize, name: &str, code: &[Range<usize>]) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let start = at + text.get(at..)?.find("<!--")?;
        let end = start + text.get(start..)?.find("-->")?;
        let inside = text.get(start + "<!--".len()..end).unwrap_or_default();
        if inside.trim() == name && !code.iter().any(|span| span.contains(&start)) {
            return Some(start..end + "-->".len());
        }
        at = start + "<!--".len();
    }
}

/// The text without comment lines, including comments over several lines.
fn without_comments(text: &str) -> String {
    let mut lines = Vec::new();
    let mut is_comment = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if is_comment || trimmed.starts_with("<!--") {
            is_comment = !trimmed.contains("-->");
            // Text behind the end of a comment is content.
            if trimmed.ends_with("-->") || is_comment {
                continue;
            }
        }
        lines.push(line.trim_end());
    }
    lines.join("\n").trim().to_owned()
}
