//! The places of the words of a command in the line, so that it can be replaced there.

use std::ops::Range;

use shuck_ast::Span;

/// The place of each word. A word of the line that became several has one place for all of them.
#[derive(Default)]
pub(super) struct Spans(Vec<Range<usize>>);

impl Spans {
    /// Records the place of a word of the line, after which the command has `count` words.
    pub(super) fn add(&mut self, span: Span, count: usize) {
        self.0.resize(count, span.start.offset()..span.end.offset());
    }

    /// Takes off the first `count` words. Where that cuts a word of the line in two, nothing is
    /// known any more.
    pub(super) fn drop_first(&mut self, count: usize) {
        let gone: Vec<_> = self.0.drain(..count.min(self.0.len())).collect();
        // Both words come from one word of the line, so the rest has no place of its own in it.
        if gone.last().is_some_and(|last| self.0.first() == Some(last)) {
            self.0.clear();
        }
    }

    /// From the first word to the last, if only blanks are between them.
    pub(super) fn whole(&self, source: &str) -> Option<Range<usize>> {
        let (first, last) = (self.0.first()?, self.0.last()?);
        let is_written = |span: &Range<usize>| span.start < span.end;
        let touches = |pair: &[Range<usize>]| match pair {
            [left, right] => left == right || source.get(left.end..right.start).is_some_and(is_blank),
            _ => false,
        };
        let is_whole = self.0.iter().all(is_written) && self.0.windows(2).all(touches);
        (is_whole && source.get(first.start..last.end).is_some()).then_some(first.start..last.end)
    }
}

/// Whether words with this between them stay words of one command.
fn is_blank(text: &str) -> bool {
    text.replace("\\\n", " ").chars().all(|letter| matches!(letter, ' ' | '\t'))
}
