//! The Markdown of a report by its parts: labels, sections, fences, without their meaning.

use super::render::{ESCAPED, PLACEHOLDER};

/// The sections that can follow the entry.
const BEHIND: [&str; 5] =
    ["Disposition", "Rejection", "Why This Matters", "How Discovered", "Intent Layer Gap"];

/// Whether a section of a report contains the suggested rule.
#[must_use]
pub fn is_entry(title: &str) -> bool {
    title.starts_with("Suggested ") && title.ends_with(" Entry")
}

/// Whether a section of a report can follow the suggested rule: any other heading below it is the rule's own.
#[must_use]
pub fn ends_entry(title: &str) -> bool {
    BEHIND.contains(&title)
}

/// A report's text by its parts.
pub(super) struct Document<'a> {
    pub(super) title: &'a str,
    /// The lines before the first section.
    head: Vec<&'a str>,
    /// The lines below each `###`.
    pub(super) sections: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> Document<'a> {
    pub(super) fn read(text: &'a str) -> Document<'a> {
        let mut document = Document { title: "", head: Vec::new(), sections: Vec::new() };
        let mut open: Option<Fence> = None;
        for line in text.lines() {
            match &open {
                Some(fence) if fence.is_closed_by(line) => open = None,
                Some(_) => {}
                None => open = Fence::opened(line),
            }
            let heading = line.strip_prefix("### ").filter(|_| open.is_none());
            // The title of a rule in an entry without a fence.
            let is_in_entry = document.sections.last().is_some_and(|(title, _)| is_entry(title));
            let heading = heading.filter(|title| !is_in_entry || ends_entry(title.trim()));
            match (heading, document.sections.last_mut()) {
                (Some(title), _) => document.sections.push((title.trim(), Vec::new())),
                (None, Some((_, lines))) => lines.push(line),
                (None, None) => document.head.push(line),
            }
        }
        document.title = document.head.iter().find_map(|line| line.strip_prefix("## ")).unwrap_or_default();
        document
    }

    /// The value of a bold label, as it is written.
    pub(super) fn label(&self, name: &str) -> Option<&'a str> {
        self.head.iter().find_map(|line| {
            let rest = line.strip_prefix("**")?.strip_prefix(name)?.strip_prefix("**:")?;
            Some(rest.trim())
        })
    }

    /// The value of a bold label; empty if there is none.
    pub(super) fn value(&self, name: &str, is_escaped: bool) -> String {
        let written = self.label(name).unwrap_or_default();
        if is_escaped { plain(written) } else { written.to_owned() }
    }

    /// The lines of the first of these sections that has content, else of the first that exists.
    pub(super) fn section(&self, names: &[&str]) -> &[&'a str] {
        let mut named = names.iter().filter_map(|name| self.sections.iter().find(|(title, _)| title == name));
        let first = named.clone().next();
        let full = named.find(|(_, lines)| !blocks(lines).is_empty());
        full.or(first).map_or(&[], |(_, lines)| lines.as_slice())
    }
}

/// A value without its escapes.
fn plain(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut letters = written.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.next_if(|next| letter == '\\' && ESCAPED.contains(next));
        out.push(next.unwrap_or(letter));
    }
    out
}

/// A fence with the label before it, or the text between fences.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The bold line before a fence; empty if there is none.
    pub(super) label: String,
    /// Whether it was in a fence.
    pub(super) is_fenced: bool,
    pub(super) text: String,
}

/// The content of the lines of a section: comments and placeholders are not content.
pub(super) fn blocks(lines: &[&str]) -> Vec<Block> {
    let mut all = Vec::new();
    let mut between: Vec<&str> = Vec::new();
    let mut rest = lines.iter();
    while let Some(line) = rest.next() {
        let Some(open) = Fence::opened(line) else {
            between.push(line);
            continue;
        };
        let inside: Vec<&str> = rest.by_ref().take_while(|line| !open.is_closed_by(line)).copied().collect();
        let label = taken_label(&mut between);
        all.push(prose(&std::mem::take(&mut between)));
        all.push(Block { label, is_fenced: true, text: inside.join("\n") });
    }
    all.push(prose(&between));
    all.retain(|block| !block.text.is_empty());
    all
}

/// Removes the bold line before a fence.
fn taken_label(between: &mut Vec<&str>) -> String {
    let written = between.iter().rposition(|line| !line.trim().is_empty());
    let label = written.and_then(|at| Some((at, between.get(at)?.strip_prefix("**")?.strip_suffix("**:")?)));
    let Some((at, label)) = label else { return String::new() };
    let label = label.to_owned();
    between.truncate(at);
    label
}

/// Lines outside of fences, without comments, placeholders and empty ends.
fn prose(lines: &[&str]) -> Block {
    let whole = lines.join("\n");
    let mut text = String::new();
    let mut rest = whole.as_str();
    while let Some((before, comment)) = rest.split_once("<!--") {
        text.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let lines: Vec<&str> = text.lines().filter(|line| line.trim() != PLACEHOLDER).collect();
    Block { label: String::new(), is_fenced: false, text: lines.join("\n").trim().to_owned() }
}

struct Fence {
    letter: char,
    length: usize,
}

impl Fence {
    fn opened(line: &str) -> Option<Fence> {
        let start = line.trim_start();
        let letter = start.chars().next().filter(|letter| "`~".contains(*letter))?;
        let length = start.chars().take_while(|next| *next == letter).count();
        let info = start.get(length..).unwrap_or_default();
        // As in CommonMark: backticks that close on the line are inline code, and four spaces make indented
        // code.
        let is_inline = letter == '`' && info.contains('`');
        (length >= 3 && line.len() - start.len() < 4 && !is_inline).then_some(Fence { letter, length })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|letter| letter == self.letter)
    }
}
