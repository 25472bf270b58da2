//! Markdown as CommonMark reads it: headings and what stands below them, fences and front matter aside.

mod blocks;
#[cfg(test)]
pub(crate) mod tests;

use std::ops::Range;

pub(crate) use self::blocks::{Block, Kind, blocks};

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

/// All headings of a text, in order. Those below others are inside of their spans. What only looks like a heading
/// (in a fence, a comment, a quote, a list, the front matter) is none.
#[must_use]
pub fn sections(text: &str) -> Vec<Section> {
    sections_of(&blocks(text), text.len())
}

/// The sections that these blocks of a text of this length make.
pub(crate) fn sections_of(blocks: &[Block], length: usize) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // Those that have not ended yet, by their places, the outermost first: one walk is enough.
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

/// The YAML block at the very start of a text, between lines of `---`: the bytes between them.
#[must_use]
pub fn front_matter(text: &str) -> Option<Range<usize>> {
    let (_, inside) = front_matter_lines(text)?;
    Some(inside)
}

/// Where what is read as Markdown begins: behind the byte order mark and the front matter.
pub(crate) fn content_start(text: &str) -> usize {
    front_matter_lines(text).map_or_else(|| bom_len(text), |(end, _)| end)
}

fn bom_len(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// The end of the line that closes the front matter, and the bytes inside.
fn front_matter_lines(text: &str) -> Option<(usize, Range<usize>)> {
    let mut at = bom_len(text);
    let mut lines = text.get(at..)?.split_inclusive('\n');
    let opening = lines.next()?;
    if opening.trim_end() != "---" || !opening.ends_with('\n') {
        return None;
    }
    at += opening.len();
    let start = at;
    for line in lines {
        let word = line.trim_end();
        if matches!(word, "---" | "...") {
            return Some((at + line.len(), start..at));
        }
        // A break with an empty line behind it is a break: nobody begins YAML so.
        if at == start && word.is_empty() {
            return None;
        }
        at += line.len();
    }
    None
}
