//! Reads the rules of a node, heading by heading.

use std::borrow::Cow;
use std::ops::Range;

use flyball_core::path::AbsolutePath;
use flyball_core::text::{Words, head_bytes};

use super::kinds::{SectionKind, is_about_commands, kind_of};
use super::pieces::{Form, Labels, Piece, is_empty_or_comment, pieces, without_blank_ends};
use super::statement::{Signs, describes_command, has_command};
use super::{Node, Rule, Topic, source_line};
use crate::markdown::{self, Block, Section, blocks, sections_of};

/// The least level of a section that a rule can be added to: the first is the title of the file.
pub(crate) const LEAST_LEVEL: u8 = 2;

/// More of a heading is not repeated for each rule below it, in bytes.
const LONGEST_HEADING: usize = 200;

/// The rules of a node, in order.
#[must_use]
pub fn rules(node: &Node) -> Vec<Rule> {
    if !has_words(&node.text) {
        return Vec::new();
    }
    let text = without_tags(&node.text);
    let blocks = blocks(&text);
    let sections = sections_of(&blocks, text.len());
    let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut page = Page { node, text: &text, blocks, sections, line_starts, rules: Vec::new() };
    page.read(markdown::content_start(&text)..text.len(), &Place::default());
    page.rules
}

/// Many nodes only import another, and parsing Markdown costs more than looking for a line of words.
fn has_words(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('@') && line.contains(char::is_alphabetic)
    })
}

/// The text with lines of nothing but a tag (`<rules>`), the label of a part that can be folded, or an import blank, so
/// that the Markdown between them is read. Everything stays at its place.
fn without_tags(text: &str) -> Cow<'_, str> {
    if !text.contains("</") && !text.contains("\n@") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for line in markdown::lines(text) {
        let whole = text.get(line.span.clone()).unwrap_or_default();
        if line.is_code || !(is_tag(line.text.trim()) || is_label(line.text.trim()) || is_import(line.text)) {
            plain.push_str(whole);
            continue;
        }
        plain.extend(whole.chars().flat_map(|letter| {
            let blank = if matches!(letter, '\n' | '\r') { letter } else { ' ' };
            std::iter::repeat_n(blank, letter.len_utf8())
        }));
    }
    Cow::Owned(plain)
}

fn is_tag(line: &str) -> bool {
    let Some(inside) = line.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else { return false };
    let name = inside.strip_prefix('/').unwrap_or(inside);
    name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && !inside.contains(['<', '>', ':', '@'])
}

/// `<summary>More</summary>`, also behind `<details>`.
fn is_label(line: &str) -> bool {
    (line.starts_with("<summary") || line.starts_with("<details")) && line.ends_with("</summary>")
}

/// A line that is only an import: `@docs/style.md`.
fn is_import(line: &str) -> bool {
    let path = line.trim().strip_prefix('@');
    path.is_some_and(|path| {
        path.len() > 1
            && !path.contains(char::is_whitespace)
            && path.contains(['.', '/'])
            && !path.contains('`')
    })
}

/// Where in a node a text is.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The headings above, the outermost first.
    headings: Vec<String>,
    kind: SectionKind,
    /// The kind that sections inside have if their headings say nothing.
    inherited: SectionKind,
}

impl Place {
    /// Inside of a section.
    fn inside(&self, section: &Section) -> Place {
        let mut headings = self.headings.clone();
        // Each rule has its own copy.
        headings.push(head_bytes(&section.title, LONGEST_HEADING).to_owned());
        let kind = kind_of(&section.title, self.inherited);
        if section.level >= LEAST_LEVEL {
            return Place { headings, kind, inherited: kind };
        }
        // The title of a file says little about its parts: it may be the name of its folder.
        let own = if kind == SectionKind::Norm { kind } else { SectionKind::Open };
        Place { headings, kind: own, inherited: SectionKind::Open }
    }

    fn heading(&self) -> &str {
        self.headings.last().map(String::as_str).unwrap_or_default()
    }
}

struct Page<'a> {
    node: &'a Node,
    text: &'a str,
    blocks: Vec<Block>,
    sections: Vec<Section>,
    line_starts: Vec<usize>,
    rules: Vec<Rule>,
}

impl Page<'_> {
    /// Reads the text outside of any topic.
    fn read(&mut self, span: Range<usize>, place: &Place) {
        let below = self.outermost(&span);
        let lead_end = below.first().map_or(span.end, |first| first.span.start);
        self.read_pieces(span.start..lead_end, place);
        for section in below {
            match topic_of(&section) {
                Some(topic) => self.collect_rules(topic, &section, place),
                None => self.read(section.body.clone(), &place.inside(&section)),
            }
        }
    }

    /// Takes what is a rule below an ordinary heading.
    fn read_pieces(&mut self, span: Range<usize>, place: &Place) {
        for piece in self.pieces(span, Labels::AreHeadings) {
            let mut place = place.clone();
            if !piece.label.is_empty() {
                place.kind = kind_of(&piece.label, place.kind);
                place.headings.push(piece.label.clone());
            }
            if is_rule(&piece, &place) {
                self.push_piece(Topic::Rules, piece, &place.headings);
            }
        }
    }

    /// Takes the rules of a topic's section: the text before its first heading, and each heading with its text.
    fn collect_rules(&mut self, topic: Topic, section: &Section, place: &Place) {
        let place = place.inside(section);
        let below = self.outermost(&section.body);
        let lead_end = below.first().map_or(section.body.end, |first| first.span.start);
        for piece in self.pieces(section.body.start..lead_end, Labels::AreWords) {
            self.push_piece(topic, piece, &place.headings);
        }
        for entry in below {
            match topic_of(&entry) {
                Some(inner) => self.collect_rules(inner, &entry, &place),
                None => self.push_entry(topic, entry, &place.headings),
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

    /// The pieces of a span without headings.
    fn pieces(&self, span: Range<usize>, labels: Labels) -> Vec<Piece> {
        let from = self.blocks.partition_point(|block| block.span.start < span.start);
        let inside = self.blocks.iter().skip(from).take_while(|block| block.span.start < span.end);
        pieces(self.text, span.clone(), inside, labels)
    }

    fn push_piece(&mut self, topic: Topic, piece: Piece, headings: &[String]) {
        let Piece { lead, text, start, .. } = piece;
        let text = source_line::without(&text).to_owned();
        if !text.is_empty() {
            let headings = headings.to_vec();
            self.push(start, |node, line| Rule {
                topic,
                headings,
                title: String::new(),
                lead,
                text,
                node,
                line,
            });
        }
    }

    fn push_entry(&mut self, topic: Topic, entry: Section, headings: &[String]) {
        let text = without_blank_ends(self.text.get(entry.body.clone()).unwrap_or_default());
        let text = if is_empty_or_comment(text) { "" } else { source_line::without(text) }.to_owned();
        if entry.title.is_empty() && text.is_empty() {
            return;
        }
        let (headings, lead) = (headings.to_vec(), String::new());
        self.push(entry.span.start, |node, line| Rule {
            topic,
            headings,
            title: entry.title,
            lead,
            text,
            node,
            line,
        });
    }

    /// Adds the rule that begins at a byte, made from its node and line.
    fn push(&mut self, start: usize, rule: impl FnOnce(AbsolutePath, usize) -> Rule) {
        let line = self.line_starts.partition_point(|line| *line <= start);
        self.rules.push(rule(self.node.path.clone(), line));
    }
}

fn topic_of(section: &Section) -> Option<Topic> {
    Topic::from_heading(&section.title)
}

/// Whether a piece below an ordinary heading is a rule.
fn is_rule(piece: &Piece, place: &Place) -> bool {
    let signs = Signs::new(&piece.lead, &piece.text);
    if signs.links() {
        return false;
    }
    match piece.form {
        Form::Item => is_item_rule(&signs, place, &piece.text),
        Form::Row => is_row_rule(&signs, place, &piece.text),
        Form::Paragraph => {
            let has_commands = place.kind != SectionKind::Description && shell_block(&piece.text).is_some();
            has_commands || is_paragraph_rule(&signs, place)
        }
        Form::Code => is_command_block(&piece.text, place),
    }
}

fn is_item_rule(signs: &Signs<'_>, place: &Place, text: &str) -> bool {
    match place.kind {
        SectionKind::Norm => true,
        SectionKind::Open => {
            let is_command = is_about_commands(place.heading()) && describes_command(text);
            !signs.lists() || signs.obliges() || signs.limits() || is_command
        }
        SectionKind::Description => signs.obliges() || signs.commands() || (!signs.lists() && signs.limits()),
    }
}

fn is_row_rule(signs: &Signs<'_>, place: &Place, text: &str) -> bool {
    match place.kind {
        SectionKind::Norm => true,
        SectionKind::Open => {
            let is_command = is_about_commands(place.heading()) && has_command(text);
            signs.obliges() || signs.limits() || signs.instructs() || is_command
        }
        SectionKind::Description => signs.obliges(),
    }
}

fn is_paragraph_rule(signs: &Signs<'_>, place: &Place) -> bool {
    if signs.introduces() {
        return false;
    }
    match place.kind {
        SectionKind::Norm => true,
        SectionKind::Open => signs.obliges() || signs.instructs() || signs.limits() || signs.declares(),
        SectionKind::Description => signs.obliges() || signs.commands() || signs.bounds(),
    }
}

/// Commands in a block of their own, below a heading that says what they are for.
fn is_command_block(text: &str, place: &Place) -> bool {
    let is_tree = text.contains(['├', '└', '│']);
    let is_meant = shell_block(text).is_some() || is_about_commands(place.heading());
    !is_tree && place.kind != SectionKind::Description && is_meant
}

/// The first fence of a text with commands for a shell.
fn shell_block(text: &str) -> Option<&str> {
    const SHELLS: Words = Words("sh|bash|zsh|shell|console|terminal|fish|powershell|shellsession");
    if !text.contains("```") && !text.contains("~~~") {
        return None;
    }
    let mut fences = markdown::lines(text).filter(|line| line.is_code).map(|line| line.text.trim());
    fences.find(|line| {
        let info = line.trim_start_matches(['`', '~']);
        info.len() < line.len() && SHELLS.contains(&info.trim().to_lowercase())
    })
}
