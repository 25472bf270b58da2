//! A file as a list of units: statements, and the beginnings and ends of the blocks that they are in.
//!
//! Two files with equal lists of units do the same: order and nesting are part of the list.

use super::piece::Piece;
use super::strings;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Statement,
    /// A block begins.
    Open,
    /// A block ends.
    Close,
    /// A string that is a whole statement: it does nothing.
    Doc,
}

#[derive(Clone, Debug)]
pub(super) struct Unit {
    pub(super) shape: Shape,
    pub(super) pieces: Vec<Piece>,
    pub(super) line: usize,
    pub(super) end_line: usize,
}

impl Unit {
    pub(super) fn structure(shape: Shape, line: usize) -> Unit {
        Unit { shape, pieces: Vec::new(), line, end_line: line }
    }

    pub(super) fn new(pieces: Vec<Piece>) -> Option<Unit> {
        let line = pieces.first()?.line;
        let end_line = pieces.iter().map(|piece| piece.end_line).max()?;
        Some(Unit { shape: Shape::Statement, pieces, line, end_line })
    }

    pub(super) fn is_statement(&self) -> bool {
        self.shape == Shape::Statement
    }

    /// Whether it begins with this word.
    pub(super) fn begins(&self, word: &str) -> bool {
        self.pieces.first().is_some_and(|piece| piece.is(word))
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.pieces.iter().any(|piece| piece.is(text))
    }

    /// Whether nothing behind it in its block runs.
    pub(super) fn leaves(&self) -> bool {
        let leaves = ["return", "raise", "throw", "break", "continue", "exit", "panic"];
        self.pieces.first().is_some_and(|piece| piece.is_any(&leaves))
    }

    /// As it could be written, for messages.
    pub(super) fn shown(&self) -> String {
        self.pieces.iter().map(strings::shown).collect::<Vec<_>>().join(" ")
    }
}

impl PartialEq for Unit {
    fn eq(&self, other: &Unit) -> bool {
        self.shape == other.shape && self.pieces == other.pieces
    }
}

/// The place behind the end of the block that begins at `open`.
pub(super) fn block_end(units: &[Unit], open: usize) -> Option<usize> {
    units.get(open).filter(|unit| unit.shape == Shape::Open)?;
    let mut depth = 0usize;
    let closes = units.iter().skip(open).position(|unit| {
        match unit.shape {
            Shape::Open => depth += 1,
            Shape::Close => depth = depth.saturating_sub(1),
            Shape::Statement | Shape::Doc => {}
        }
        depth == 0
    });
    Some(open + closes? + 1)
}

/// The head of the block that a unit is in.
pub(super) fn head_of(units: &[Unit], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for index in (0..at).rev() {
        match units.get(index)?.shape {
            Shape::Close => depth += 1,
            Shape::Open if depth == 0 => return index.checked_sub(1),
            Shape::Open => depth -= 1,
            Shape::Statement | Shape::Doc => {}
        }
    }
    None
}
