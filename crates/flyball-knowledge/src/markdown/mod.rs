//! Markdown as CommonMark reads it: headings and the text below them, without fences and front matter.

mod blocks;
mod fence;
mod front_matter;
#[cfg(test)]
pub(crate) mod tests;

use std::ops::Range;

pub(crate) use self::blocks::{Block, Kind, blocks};
pub(crate) use self::fence::Fence;
pub use self::fence::{Line, lines};
pub(crate) use self::front_matter::front_matter;
pub(crate) use self::front_matter::{bom_len, content_start};

/// A heading with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The text of the heading, without marks and spaces at its ends.
    pub title: String,
    /// 1 to 6.
    pub level: u8,
    /// From the heading to the next of the same or a higher level, in bytes.
    pub span: Range<usize>,
    /// The same without the heading.
    pub body: Range<usize>,
}

/// All headings of a text, in order; a subheading is inside the span of its parent. What only looks like a heading
/// (in a fence, a comment, a quote, a list, the front matter) does not count.
#[must_use]
pub fn sections(text: &str) -> Vec<Section> {
    sections_of(&blocks(text), text.len())
}

/// The sections that these blocks of a text of this length make.
pub(crate) fn sections_of(blocks: &[Block], length: usize) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // Indices of the sections that have not ended yet, outermost first, so one walk is enough.
    let mut open: Vec<usize> = Vec::new();
    for block in blocks {
        let Kind::Heading { level, title } = &block.kind else { continue };
        open.retain(|at| match sections.get_mut(*at).filter(|section| section.level >= *level) {
            Some(section) => {
                section.span.end = block.span.start;
                section.body.end = block.span.start;
                false
            }
            None => true,
        });
        open.push(sections.len());
        let (span, body) = (block.span.start..length, block.span.end..length);
        sections.push(Section { title: title.clone(), level: *level, span, body });
    }
    sections
}
