//! Markdown as blocks of styled text: the board shows them as HTML, commands on a terminal.
//!
//! Code has [`Style::Accent`]. Links are their text, with the address behind it if it is one on the web: the board
//! leads nowhere outside of itself.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::table::{Style, Text};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    Heading(HeadingLevel, Text),
    Paragraph(Text),
    List(Vec<Item>),
    /// Without its last line feed.
    Code(String),
    /// The first row is the head.
    Table(Vec<Vec<Text>>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// How many lists it is nested in, besides its own.
    pub depth: usize,
    /// `-`, `1.`.
    pub marker: String,
    pub text: Text,
}

#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    Parser::new_ext(text, Options::ENABLE_TABLES).for_each(|event| reader.read(event));
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    /// The text that is being read.
    text: Text,
    style: Style,
    /// The next number of each open list; none if it is a list of bullets.
    lists: Vec<Option<u64>>,
    items: Vec<Item>,
    rows: Vec<Vec<Text>>,
    address: String,
}

impl Reader {
    fn read(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Code(code) => self.text.push(Style::Accent, &code),
            Event::SoftBreak | Event::HardBreak => self.text.push(self.style, " "),
            Event::Text(text)
            // HTML is shown as text, never passed on to the browser.
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.text.push(self.style, &text),
            Event::Rule | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.style = Style::Strong,
            Tag::Link { dest_url, .. } => self.address = dest_url.into_string(),
            // A nested list begins before its item ends, so the item's own text is complete here.
            Tag::List(first) => {
                self.finish_item();
                self.lists.push(first);
            }
            Tag::Item => {
                let depth = self.lists.len().saturating_sub(1);
                let number = self.lists.last_mut().and_then(Option::as_mut);
                let marker = number.map_or_else(
                    || "-".to_owned(),
                    |number| {
                        *number += 1;
                        format!("{}.", *number - 1)
                    },
                );
                self.items.push(Item { depth, marker, text: Text::default() });
            }
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            // What is not known is shown as its text.
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.style = Style::Plain,
            TagEnd::Link => {
                let address = std::mem::take(&mut self.address);
                if address.starts_with("http") {
                    self.text.push(self.style, &format!(" ({address})"));
                }
            }
            TagEnd::Heading(level) => {
                let heading = Block::Heading(level, self.take());
                self.blocks.push(heading);
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock if self.lists.is_empty() => {
                let paragraph = Block::Paragraph(self.take());
                self.blocks.push(paragraph);
            }
            // Another paragraph of the same item may follow.
            TagEnd::Paragraph => self.text.push(self.style, " "),
            TagEnd::CodeBlock if self.lists.is_empty() => {
                let code = self.take().plain();
                self.blocks.push(Block::Code(code.trim_end_matches('\n').to_owned()));
            }
            TagEnd::Item => self.finish_item(),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    let items = std::mem::take(&mut self.items);
                    self.blocks.push(Block::List(items));
                }
            }
            TagEnd::TableCell => {
                let cell = self.take();
                self.rows.iter_mut().last().into_iter().for_each(|row| row.push(cell.clone()));
            }
            TagEnd::Table => {
                let rows = std::mem::take(&mut self.rows);
                self.blocks.push(Block::Table(rows));
            }
            // What is not known is shown as its text.
            _ => {}
        }
    }

    fn take(&mut self) -> Text {
        std::mem::take(&mut self.text)
    }

    /// Gives the item that is being read its text, unless a list inside of it came before.
    fn finish_item(&mut self) {
        let text = self.take();
        if let Some(item) = self.items.last_mut().filter(|item| item.text.is_empty()) {
            item.text = text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paragraph(text: &str) -> String {
        match blocks(text).as_slice() {
            [Block::Paragraph(text)] => text.plain(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_link_is_its_text() {
        let cases = [
            ("see [it](https://a.b/c) now", "see it (https://a.b/c) now"),
            ("see [it](../c.md)", "see it"),
            ("a[0] and [x", "a[0] and [x"),
            ("[x](javascript:alert(1))", "x"),
        ];
        for (text, expected) in cases {
            assert_eq!(paragraph(text), expected);
        }
    }

    #[test]
    fn items_know_their_depth_and_number() {
        let item =
            |depth, marker: &str, text: &str| Item { depth, marker: marker.to_owned(), text: text.into() };
        let list = "1. a\n   - b\n     c\n2. d\n";
        assert_eq!(
            blocks(list),
            [Block::List(vec![item(0, "1.", "a"), item(1, "-", "b c"), item(0, "2.", "d")])]
        );
    }
}
