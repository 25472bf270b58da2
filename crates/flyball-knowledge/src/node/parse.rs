//! Splits the sections of a node into rules, without losing or cutting any of their text.

use std::ops::Range;

use super::{Node, Rule, Topic};
use crate::markdown::{Block, Kind, Section, blocks, sections_of};

/// The least level of a section of rules: the first is the title of the file.
pub(crate) const LEAST_LEVEL: u8 = 2;

/// The rules of a node, in order.
#[must_use]
pub fn rules(node: &Node) -> Vec<Rule> {
    if !names_a_topic(&node.text) {
        return Vec::new();
    }
    let blocks = blocks(&node.text);
    let sections = sections_of(&blocks, node.text.len());
    let mut page = Page { node, blocks, sections, rules: Vec::new() };
    page.read(0..node.text.len());
    page.rules
}

/// Most nodes have no rules, and parsing Markdown costs more than a search for four words.
fn names_a_topic(text: &str) -> bool {
    let text = text.as_bytes();
    Topic::ALL.iter().any(|topic| {
        let word = topic.heading().as_bytes();
        text.windows(word.len()).any(|bytes| bytes.eq_ignore_ascii_case(word))
    })
}

struct Page<'a> {
    node: &'a Node,
    blocks: Vec<Block>,
    sections: Vec<Section>,
    rules: Vec<Rule>,
}

impl Page<'_> {
    /// Reads the text outside of any topic.
    fn read(&mut self, span: Range<usize>) {
        for section in self.outermost(&span) {
            match topic_of(&section) {
                Some(topic) => self.collect_rules(topic, &section),
                None => self.read(section.body.clone()),
            }
        }
    }

    /// Takes the rules of a topic's section: the text before its first heading, and each heading with its text.
    fn collect_rules(&mut self, topic: Topic, section: &Section) {
        let below = self.outermost(&section.body);
        let lead_end = below.first().map_or(section.body.end, |first| first.span.start);
        self.split_rules(topic, section.body.start..lead_end);
        for entry in below {
            match topic_of(&entry) {
                Some(inner) => self.collect_rules(inner, &entry),
                None => self.push(topic, entry.title, entry.body),
            }
        }
    }

    /// The headings in a span that are not below another heading of it.
    fn outermost(&self, span: &Range<usize>) -> Vec<Section> {
        let mut found = Vec::new();
        let mut from = span.start;
        loop {
            let at = self.sections.partition_point(|section| section.span.start < from);
            let Some(section) = self.sections.get(at).filter(|section| section.span.start < span.end) else {
                return found;
            };
            // INVARIANT: a span is never empty, so this goes on.
            from = section.span.end;
            found.push(section.clone());
        }
    }

    /// Cuts text without headings into rules: at each item of a list, and at each paragraph.
    fn split_rules(&mut self, topic: Topic, span: Range<usize>) {
        let from = self.blocks.partition_point(|block| block.span.start < span.start);
        let inside = self.blocks.iter().skip(from).take_while(|block| block.span.start < span.end);
        let mut cuts = cuts(&self.node.text, inside);
        // Link definitions are not in a block, and may come before the first.
        if let Some(first) = cuts.first_mut() {
            *first = span.start;
        } else {
            cuts.push(span.start);
        }
        cuts.push(span.end);
        for pair in cuts.windows(2) {
            if let [start, end] = *pair {
                self.push(topic, String::new(), start..end);
            }
        }
    }

    fn push(&mut self, topic: Topic, title: String, span: Range<usize>) {
        let text = without_blank_ends(self.node.text.get(span).unwrap_or_default());
        if title.is_empty() && is_empty_or_comment(text) {
            return;
        }
        self.rules.push(Rule { topic, title, text: text.to_owned(), node: self.node.path.clone() });
    }
}

fn topic_of(section: &Section) -> Option<Topic> {
    if section.level < LEAST_LEVEL { None } else { Topic::from_heading(&section.title) }
}

/// Where rules begin. Code belongs to what it is an example of, and a list to the words that announce it.
fn cuts<'a>(text: &str, blocks: impl Iterator<Item = &'a Block>) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut is_announced = false;
    for block in blocks {
        let is_cut = match block.kind {
            Kind::Code | Kind::Break => cuts.is_empty(),
            Kind::Item | Kind::Other | Kind::Html => cuts.is_empty() || !is_announced,
            Kind::Paragraph | Kind::Heading { .. } => true,
        };
        // All items of an announced list are announced.
        is_announced = match block.kind {
            Kind::Item => is_announced,
            Kind::Paragraph => announces(text, block),
            Kind::Heading { .. } | Kind::Code | Kind::Html | Kind::Break | Kind::Other => false,
        };
        if is_cut {
            cuts.push(block.span.start);
        }
    }
    cuts
}

fn announces(text: &str, block: &Block) -> bool {
    let paragraph = text.get(block.span.clone()).unwrap_or_default();
    // `**Never:**` announces a list as well.
    paragraph.trim_end().trim_end_matches(['*', '_']).ends_with(':')
}

/// The text without blank lines at both ends; the indentation of the first line has a meaning and stays.
fn without_blank_ends(text: &str) -> &str {
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
fn is_empty_or_comment(text: &str) -> bool {
    let mut rest = text.trim();
    while let Some(comment) = rest.strip_prefix("<!--") {
        // A comment without an end hides everything behind it.
        let Some((_, behind)) = comment.split_once("-->") else { return true };
        rest = behind.trim_start();
    }
    rest.chars().all(|letter| matches!(letter, '-' | '*' | '_') || letter.is_whitespace())
}
