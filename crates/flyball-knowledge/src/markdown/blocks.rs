//! The outermost blocks of a text, each with its whole lines.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::front_matter::{bom_len, content_start};

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A heading, of either form.
    Heading {
        /// 1 to 6.
        level: u8,
        title: String,
    },
    /// A paragraph, or a table.
    Paragraph,
    /// One item of a list, with everything nested in it.
    Item,
    /// Code, in a fence or indented.
    Code,
    Html,
    Break,
    /// Anything else: a quote.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    /// From the start of its first line to the end of its last, in bytes.
    pub(crate) span: Range<usize>,
}

/// The blocks of a text, in order. Text outside them is blank, defines links, or is front matter.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let begin = content_start(text);
    let markdown = text.get(begin..).unwrap_or_default();
    let mut found = Reader::default();
    for (event, range) in Parser::new(markdown).into_offset_iter() {
        found.take(&event, lines(text, range.start + begin..range.end + begin));
    }
    found.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    depth: usize,
    is_list: bool,
    /// The text of the heading that is being read.
    title: Option<String>,
}

impl Reader {
    fn take(&mut self, event: &Event<'_>, span: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(tag, span),
            Event::End(end) => self.close(*end),
            Event::Rule if self.depth == 0 => self.blocks.push(Block { kind: Kind::Break, span }),
            Event::Text(text) | Event::Code(text) => self.add_to_title(text),
            Event::SoftBreak | Event::HardBreak => self.add_to_title(" "),
            _ => {}
        }
    }

    fn open(&mut self, tag: &Tag<'_>, span: Range<usize>) {
        // The items of an outermost list are blocks; the list itself is not.
        let is_list = matches!(tag, Tag::List(_));
        let is_item = self.depth == 1 && self.is_list;
        if self.depth == 0 {
            self.is_list = is_list;
        }
        if is_item || (self.depth == 0 && !is_list) {
            self.title = matches!(tag, Tag::Heading { .. }).then(String::new);
            self.blocks.push(Block { kind: kind(tag), span });
        }
        self.depth += 1;
    }

    fn close(&mut self, end: TagEnd) {
        self.depth = self.depth.saturating_sub(1);
        if !matches!(end, TagEnd::Heading(_)) {
            return;
        }
        let (Some(text), Some(block)) = (self.title.take(), self.blocks.last_mut()) else { return };
        if let Kind::Heading { title, .. } = &mut block.kind {
            text.trim().clone_into(title);
        }
    }

    fn add_to_title(&mut self, text: &str) {
        if let Some(title) = &mut self.title {
            title.push_str(text);
        }
    }
}

fn kind(tag: &Tag<'_>) -> Kind {
    match tag {
        Tag::Heading { level, .. } => Kind::Heading { level: *level as u8, title: String::new() },
        Tag::Paragraph => Kind::Paragraph,
        Tag::Item => Kind::Item,
        Tag::CodeBlock(_) => Kind::Code,
        Tag::HtmlBlock => Kind::Html,
        _ => Kind::Other,
    }
}

/// The whole lines that a range of a text touches.
fn lines(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default();
    // A byte order mark is not part of the first line. A lone `\r` ends a line in CommonMark.
    let mark = bom_len(text);
    let start = before.rfind(['\n', '\r']).map_or(mark.min(range.start), |at| at + 1);
    let is_ended = text.get(..range.end).is_none_or(|up_to| up_to.ends_with(['\n', '\r']));
    let rest = text.get(range.end..).unwrap_or_default();
    // Some ranges end between the two bytes of a line's end.
    let behind = |rest: &str| rest.find('\n').map_or(rest.len(), |at| at + 1);
    let end = match is_ended {
        true if rest.starts_with('\n')
            && text.get(..range.end).is_some_and(|up_to| up_to.ends_with('\r')) =>
        {
            1
        }
        true => 0,
        false => behind(rest),
    };
    start..range.end + end
}
