//! A plan as CommonMark reads it, reduced to headings and the plain text of paragraphs, items and table rows. Code,
//! comments and quotations do not show progress.

use flyball_core::text;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::markdown::front_matter;

/// Replaces the bracket of a box in a code span, which is not a box.
const NO_BOX: char = '\u{e000}';

/// A piece of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// A heading of a level.
    Heading(u8, String),
    /// A paragraph or an item, line by line; boxes are `[ ]` and `[x]`.
    Text {
        text: String,
        /// Whether it is an item of a list.
        is_item: bool,
    },
    /// A row of a table; the first is its head.
    Row {
        /// Whether it is the head.
        is_head: bool,
        cells: Vec<String>,
    },
}

/// All blocks of a text after its front matter.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let from = front_matter(text).map_or(0, |matter| matter.end);
    let body = text.get(from..).unwrap_or_default();
    let mut reader = Reader::default();
    for event in Parser::new_ext(body, Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS) {
        reader.take(event);
    }
    reader.flush();
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    text: String,
    cells: Vec<String>,
    /// The nesting depth of quotations, code and HTML.
    skip_depth: u32,
    items: u32,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.push(&text),
            Event::Code(code) => self.push(&format!("`{}`", code.replace('[', &NO_BOX.to_string()))),
            Event::SoftBreak | Event::HardBreak => self.push("\n"),
            Event::TaskListMarker(is_ticked) => self.push(if is_ticked { "[x] " } else { "[ ] " }),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::BlockQuote(_) | Tag::CodeBlock(_) | Tag::HtmlBlock => {
                self.flush();
                self.skip_depth += 1;
            }
            Tag::Item => {
                self.flush();
                self.items += 1;
            }
            Tag::Paragraph | Tag::Heading { .. } | Tag::List(_) | Tag::Table(_) => self.flush(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::BlockQuote(_) | TagEnd::CodeBlock | TagEnd::HtmlBlock => {
                self.skip_depth = self.skip_depth.saturating_sub(1);
            }
            TagEnd::Heading(level) => {
                let title = std::mem::take(&mut self.text);
                // A heading within an item or a quotation does not structure the plan.
                if self.skip_depth == 0 && self.items == 0 {
                    self.blocks.push(Block::Heading(level as u8, plain(&title)));
                }
            }
            TagEnd::Item => {
                self.flush();
                self.items = self.items.saturating_sub(1);
            }
            TagEnd::Paragraph | TagEnd::List(_) => self.flush(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                self.cells.push(shown(cell.trim()));
            }
            TagEnd::TableHead => self.row(true),
            TagEnd::TableRow => self.row(false),
            _ => {}
        }
    }

    fn row(&mut self, is_head: bool) {
        let cells = std::mem::take(&mut self.cells);
        if self.skip_depth == 0 {
            self.blocks.push(Block::Row { is_head, cells });
        }
    }

    fn push(&mut self, text: &str) {
        if self.skip_depth == 0 {
            self.text.push_str(text);
        }
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.trim().is_empty() {
            self.blocks.push(Block::Text { text: text.trim().to_owned(), is_item: self.items > 0 });
        }
    }
}

/// A text on one line, with the brackets of code spans.
pub(super) fn plain(text: &str) -> String {
    shown(&text::one_line(text))
}

fn shown(text: &str) -> String {
    text.replace(NO_BOX, "[")
}

/// The boxes in a text: whether each is ticked, and its label.
pub(super) fn boxes(text: &str) -> Vec<(bool, String)> {
    let mut boxes = Vec::new();
    let mut rest = text;
    while let Some((is_ticked, behind)) = next_box(rest) {
        // A label ends where the next box begins.
        let until = next_box(behind).map_or(behind.len(), |(_, after)| behind.len() - after.len() - BOX);
        let (label, after) = behind.split_at_checked(until).unwrap_or((behind, ""));
        boxes.push((is_ticked, plain(label)));
        rest = after;
    }
    boxes
}

/// How long a box is.
const BOX: usize = "[ ]".len();

/// Whether the first box is ticked, and the text after it.
fn next_box(text: &str) -> Option<(bool, &str)> {
    let found = [("[ ]", false), ("[x]", true), ("[X]", true)];
    let first = found.iter().filter_map(|(mark, is_ticked)| Some((text.find(mark)?, *is_ticked))).min()?;
    Some((first.1, text.get(first.0 + BOX..)?))
}
