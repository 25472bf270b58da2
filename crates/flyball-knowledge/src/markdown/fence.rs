//! The lines of a text, and which of them are in fences.

use std::ops::Range;

/// One line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Without its end.
    pub text: &'a str,
    /// From its start to that of the next line, in bytes.
    pub span: Range<usize>,
    /// Whether it is in a fence, or opens or closes one.
    pub is_code: bool,
}

/// The lines of a text, in order.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut open: Option<Fence> = None;
    let mut end = 0;
    text.split_inclusive('\n').map(move |whole| {
        let text = whole.lines().next().unwrap_or_default();
        let was_open = open.is_some();
        match &open {
            Some(fence) if fence.is_closed_by(text) => open = None,
            Some(_) => {}
            // In a list, a fence is indented as its item is.
            None => open = Fence::opened(text.trim_start()),
        }
        let start = end;
        end += whole.len();
        Line { text, span: start..end, is_code: was_open || open.is_some() }
    })
}

/// An open fence.
pub(crate) struct Fence {
    letter: char,
    length: usize,
}

impl Fence {
    /// The fence that a line opens.
    pub(crate) fn opened(line: &str) -> Option<Fence> {
        let start = line.trim_start();
        let letter = start.chars().next().filter(|letter| "`~".contains(*letter))?;
        let length = start.chars().take_while(|next| *next == letter).count();
        let info = start.get(length..).unwrap_or_default();
        let is_inline = letter == '`' && info.contains('`');
        (length >= 3 && line.len() - start.len() < 4 && !is_inline).then_some(Fence { letter, length })
    }

    pub(crate) fn is_closed_by(&self, line: &str) -> bool {
        let line = line.trim();
        line.len() >= self.length && line.chars().all(|letter| letter == self.letter)
    }
}
