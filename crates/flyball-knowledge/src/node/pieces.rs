//! Cuts the text below a heading into the pieces that can be rules: items, rows, paragraphs, code.
//!
//! No text is lost, and none is torn: code stays with the words before it, what is announced keeps the words that
//! announce it.

use std::ops::Range;

use super::statement::without_mark;
use crate::markdown::{self, Block, Kind};

/// What is shorter stays in one piece, in bytes.
const SMALL: usize = 400;
/// How deep nested lists are taken apart.
const MOST_LEVELS: usize = 4;
/// So much of the words before a nested list is repeated for each of its items.
const MOST_LEAD: usize = 300;
/// A line of bold text is a heading up to this length.
const LONGEST_LABEL: usize = 80;
/// Fewer words before a colon are a label and no sentence.
const SENTENCE: usize = 4;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Item,
    Row,
    Paragraph,
    /// Code without words.
    Code,
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) form: Form,
    /// The heading in bold text above it; empty if there is none.
    pub(super) label: String,
    pub(super) lead: String,
    pub(super) text: String,
    /// Where it begins in the text of the node.
    pub(super) start: usize,
}

/// What a line of bold text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    /// A heading.
    AreHeadings,
    /// Words like any other.
    AreWords,
}

/// The pieces of a span without headings.
pub(super) fn pieces<'a>(
    text: &str,
    span: Range<usize>,
    blocks: impl Iterator<Item = &'a Block>,
    labels: Labels,
) -> Vec<Piece> {
    let mut cutter = Cutter { text, labels, label: String::new(), pieces: Vec::new() };
    let segments = segments(text, span, blocks);
    let mut rest = segments.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let followers = behind.iter().take_while(|segment| segment.is_announced).count();
        let (announced, next) = behind.split_at(followers);
        rest = next;
        cutter.take(first, announced);
    }
    cutter.pieces
}

/// One or more blocks that belong together.
#[derive(Clone, Debug)]
struct Segment {
    kind: Kind,
    span: Range<usize>,
    /// Whether the segment before announces it.
    is_announced: bool,
}

/// Where pieces begin. Code belongs to what it is an example of.
fn segments<'a>(text: &str, span: Range<usize>, blocks: impl Iterator<Item = &'a Block>) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut is_announced = false;
    for block in blocks {
        let is_first = segments.is_empty();
        // What follows a break, or a comment, is not about what was before.
        let is_apart = segments.last().is_some_and(|last| last.kind == Kind::Break);
        if block.kind == Kind::Code && !is_first && !is_apart {
            is_announced = false;
            continue;
        }
        // Link definitions are not in a block, and may come before the first.
        let start = if is_first { span.start } else { block.span.start };
        if let Some(last) = segments.last_mut() {
            last.span.end = start;
        }
        let is_list = matches!(block.kind, Kind::Item | Kind::Other | Kind::Html) || is_table(text, block);
        segments.push(Segment {
            kind: block.kind.clone(),
            span: start..span.end,
            is_announced: is_announced && is_list,
        });
        // All items of an announced list are announced.
        is_announced = match block.kind {
            Kind::Item => is_announced,
            Kind::Paragraph => announces(text.get(block.span.clone()).unwrap_or_default()),
            Kind::Heading { .. } | Kind::Code | Kind::Html | Kind::Break | Kind::Other => false,
        };
    }
    if segments.is_empty() && !span.is_empty() {
        segments.push(Segment { kind: Kind::Paragraph, span, is_announced: false });
    }
    segments
}

fn is_table(text: &str, block: &Block) -> bool {
    block.kind == Kind::Paragraph && Table::find(text.get(block.span.clone()).unwrap_or_default()).is_some()
}

struct Cutter<'a> {
    text: &'a str,
    labels: Labels,
    label: String,
    pieces: Vec<Piece>,
}

impl Cutter<'_> {
    /// Takes a segment with what it announces.
    fn take(&mut self, segment: &Segment, announced: &[Segment]) {
        let text = self.part(&segment.span);
        if segment.kind == Kind::Paragraph
            && self.labels == Labels::AreHeadings
            && let Some(label) = label(text)
        {
            self.label = label;
            announced.iter().for_each(|segment| self.take_one(segment, ""));
            return;
        }
        let Some(last) = announced.last() else { return self.take_one(segment, "") };
        let whole = segment.span.start..last.span.end;
        let is_sentence = self.labels == Labels::AreWords || text.split_whitespace().count() >= SENTENCE;
        let has_table = announced.iter().any(|segment| segment.kind == Kind::Paragraph);
        if is_sentence && !has_table && self.part(&whole).trim().len() <= SMALL {
            self.push(Form::Item, "", (self.part(&whole), whole.start));
            return;
        }
        // Too much to be repeated: it is a piece of its own as well.
        if text.trim().len() > MOST_LEAD {
            self.push(Form::Paragraph, "", (text, segment.span.start));
        }
        let lead = lead(text);
        announced.iter().for_each(|segment| self.take_one(segment, &lead));
    }

    fn take_one(&mut self, segment: &Segment, lead: &str) {
        let (text, start) = (self.part(&segment.span), segment.span.start);
        match segment.kind {
            Kind::Item => self.take_item((text, start), lead, MOST_LEVELS),
            Kind::Code => self.push(Form::Code, lead, (text, start)),
            Kind::Paragraph => match Table::find(text) {
                Some(table) => self.take_table(&table, (text, start), lead),
                None => self.push(Form::Paragraph, lead, (text, start)),
            },
            Kind::Html | Kind::Other | Kind::Break | Kind::Heading { .. } => {
                self.push(Form::Paragraph, lead, (text, start))
            }
        }
    }

    /// A long item is taken apart, and each of its parts keeps the words above it.
    fn take_item(&mut self, (text, start): (&str, usize), lead: &str, levels: usize) {
        let children = if text.trim().len() <= SMALL || levels == 0 { Vec::new() } else { children(text) };
        let Some(first) = children.first() else { return self.push(Form::Item, lead, (text, start)) };
        let own = text.get(..first.start).unwrap_or_default();
        // What announces nothing is a statement of its own.
        if !announces(own) {
            self.push(Form::Item, lead, (own, start));
        }
        let inner = joined(lead, &self::lead(without_mark(own)));
        for child in &children {
            let part = text.get(child.clone()).unwrap_or_default();
            let dedented = without_indent(part);
            self.take_item((&dedented, start + child.start), &inner, levels - 1);
        }
    }

    /// Each row is a piece, with the header as what announces it.
    fn take_table(&mut self, table: &Table, (text, start): (&str, usize), lead: &str) {
        let before = text.get(..table.header.start).unwrap_or_default();
        if !before.trim().is_empty() && !announces(before) {
            self.push(Form::Paragraph, lead, (before, start));
        }
        let announcing = if announces(before) { self::lead(before) } else { String::new() };
        let header = text.get(table.header.clone()).unwrap_or_default();
        let header: Vec<&str> = header.lines().map(str::trim).collect();
        let inner = joined(&joined(lead, &announcing), &header.join("\n"));
        for row in &table.rows {
            self.push(Form::Row, &inner, (text.get(row.clone()).unwrap_or_default(), start + row.start));
        }
    }

    fn push(&mut self, form: Form, lead: &str, (text, start): (&str, usize)) {
        let trimmed = without_blank_ends(text);
        let skipped = text.len() - text.trim_start().len();
        if is_empty_or_comment(trimmed) {
            return;
        }
        let trimmed = if form == Form::Row { trimmed.trim() } else { trimmed };
        self.pieces.push(Piece {
            form,
            label: self.label.clone(),
            lead: lead.to_owned(),
            text: trimmed.to_owned(),
            start: start + skipped,
        });
    }
}

impl<'a> Cutter<'a> {
    fn part(&self, span: &Range<usize>) -> &'a str {
        self.text.get(span.clone()).unwrap_or_default()
    }
}

/// A table in a paragraph.
struct Table {
    /// The header with the line below it.
    header: Range<usize>,
    rows: Vec<Range<usize>>,
}

impl Table {
    fn find(text: &str) -> Option<Table> {
        if !text.contains('|') {
            return None;
        }
        let mut lines = Vec::new();
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            lines.push(end..end + line.len());
            end += line.len();
        }
        let line = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().trim();
        let rule = lines.iter().position(|range| is_rule_of_table(line(range)))?;
        let header = lines.get(rule.checked_sub(1)?)?;
        if !line(header).contains('|') {
            return None;
        }
        let header = header.start..lines.get(rule)?.end;
        let rows = lines.iter().skip(rule + 1).filter(|range| line(range).contains('|')).cloned().collect();
        Some(Table { header, rows })
    }
}

/// Whether a line is the one between the header and the rows of a table.
fn is_rule_of_table(line: &str) -> bool {
    line.contains('-')
        && line.contains('|')
        && line.chars().all(|letter| matches!(letter, '|' | '-' | ':' | ' '))
}

/// The items below an item, at the first deeper level.
fn children(item: &str) -> Vec<Range<usize>> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for line in markdown::lines(item).skip(1).filter(|line| !line.is_code) {
        let bare = line.text.trim_start();
        let indent = line.text.len() - bare.len();
        if indent > 0 && without_mark(bare).len() < bare.len() {
            starts.push((indent, line.span.start));
        }
    }
    let Some(least) = starts.iter().map(|(indent, _)| *indent).min() else { return Vec::new() };
    let mut starts: Vec<usize> =
        starts.into_iter().filter(|(indent, _)| *indent == least).map(|(_, start)| start).collect();
    starts.push(item.len());
    starts.windows(2).filter_map(|pair| Some(*pair.first()?..*pair.last()?)).collect()
}

/// The lines of an item, all of them moved to the left as far as the first.
fn without_indent(text: &str) -> String {
    let indent = text.len() - text.trim_start_matches([' ', '\t']).len();
    let line = |line: &str| {
        let own = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(own.min(indent)..).unwrap_or_default().to_owned()
    };
    text.split_inclusive('\n').map(line).collect()
}

fn joined(one: &str, other: &str) -> String {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other.to_owned(),
        (_, true) => one.to_owned(),
        (false, false) if other.starts_with('|') => format!("{one}\n\n{other}"),
        (false, false) => format!("{one}\n{other}"),
    }
}

/// The words that announce others: of a long text the beginning.
fn lead(text: &str) -> String {
    let text = text.trim();
    if text.len() <= MOST_LEAD {
        return text.to_owned();
    }
    let head = flyball_core::text::head_bytes(text, MOST_LEAD);
    let end = head.rfind(". ").map(|at| at + 1).or_else(|| head.rfind(' ')).unwrap_or(head.len());
    let cut = head.get(..end).unwrap_or(head).trim_end();
    // Half of a code span would swallow what follows.
    if cut.matches('`').count() % 2 == 1 {
        cut.rsplit_once('`').map_or(cut, |(before, _)| before).trim_end()
    } else {
        cut
    }
    .to_owned()
}

/// Whether a text announces what follows it. `**Never:**` does as well.
fn announces(text: &str) -> bool {
    text.trim_end().trim_end_matches(['*', '_']).ends_with([':', '：'])
}

/// The words of a line of bold text.
fn label(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text.trim_end_matches(':');
    let inside = ["**", "__"].into_iter().find_map(|mark| bare.strip_prefix(mark)?.strip_suffix(mark))?;
    let inside = inside.trim().trim_end_matches(':').trim_end();
    let is_one = !inside.is_empty() && !inside.contains("**") && !inside.contains('\n');
    // A sentence in bold is a rule.
    (is_one && inside.len() <= LONGEST_LABEL && !inside.ends_with(['.', '!'])).then(|| inside.to_owned())
}

/// The text without blank lines at both ends; the indentation of the first line has a meaning and stays.
pub(super) fn without_blank_ends(text: &str) -> &str {
    let text = text.trim_end();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    text.get(start..).unwrap_or_default()
}

/// Comments are for those who write the file; a thematic break has no content.
pub(super) fn is_empty_or_comment(text: &str) -> bool {
    let mut rest = text.trim();
    while let Some(comment) = rest.strip_prefix("<!--") {
        // A comment without an end hides everything behind it.
        let Some((_, behind)) = comment.split_once("-->") else { return true };
        rest = behind.trim_start();
    }
    rest.chars().all(|letter| matches!(letter, '-' | '*' | '_') || letter.is_whitespace())
}
