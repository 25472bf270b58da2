//! Whether a finding is about a difference.

use super::piece::{Kind, Piece};
use super::topics::{Permits, Topic};

/// What happened to a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It is gone, and nothing is in its place.
    Removed,
    /// It is new, and nothing was in its place.
    Added,
    Replaced,
}

/// A piece that differs, at a line of the old version.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'p> {
    pub(super) piece: &'p Piece,
    pub(super) line: usize,
    pub(super) change: Change,
}

impl Difference<'_> {
    fn is_about(&self, permits: &Permits<'_>, topic: Topic) -> bool {
        permits.is_about(self.line, topic)
    }

    /// What is unreachable may go, and what handles an error may come.
    fn is_free(&self, permits: &Permits<'_>) -> bool {
        match self.change {
            Change::Removed => self.is_about(permits, Topic::Unreachable),
            Change::Added => self.is_about(permits, Topic::Handling),
            Change::Replaced => false,
        }
    }

    /// Whether a message names the piece, or the argument that it is the value of.
    fn is_named(&self, permits: &Permits<'_>) -> bool {
        let Piece { text, kind, argument, .. } = self.piece;
        let line = self.line;
        let by_itself = match kind {
            Kind::Name => names(permits, line, text),
            // Words of the language are words of English too.
            Kind::Literal | Kind::Operator | Kind::Branch | Kind::Control | Kind::Other => {
                permits.quotes(line, text)
            }
        };
        by_itself || argument.as_ref().is_some_and(|argument| permits.names(line, argument))
    }

    pub(super) fn literal_is_allowed(&self, permits: &Permits<'_>) -> bool {
        let is_word =
            matches!(self.piece.text.as_str(), "True" | "False" | "None" | "true" | "false" | "null" | "nil");
        self.is_named(permits)
            || (self.change == Change::Removed && self.is_about(permits, Topic::Unreachable))
            || (self.change == Change::Removed && self.is_about(permits, Topic::Unused))
            || self.is_about(permits, Topic::Literal)
            || (is_word && self.is_about(permits, Topic::Condition))
            || (is_word && self.is_about(permits, Topic::Annotation))
            || (is_word && self.is_free(permits))
            || (self.piece.text == "0" && permits.names(self.line, "zero"))
            // The word of a shell that a message names.
            || (!self.piece.is_text && permits.names(self.line, &self.piece.text))
    }

    pub(super) fn operator_is_allowed(&self, permits: &Permits<'_>) -> bool {
        let text = self.piece.text.as_str();
        self.is_named(permits)
            || self.is_free(permits)
            || self.is_about(permits, Topic::Condition)
            || (text.len() > 1 && !text.starts_with(char::is_alphabetic) && permits.names(self.line, text))
            || (matches!(text, "|" | "&" | "<" | ">" | "*") && self.is_about(permits, Topic::Annotation))
            || (matches!(text, "+" | "%") && self.is_about(permits, Topic::Literal))
            || (self.change == Change::Removed && self.is_about(permits, Topic::Unused))
    }

    pub(super) fn branch_is_allowed(&self, permits: &Permits<'_>) -> bool {
        self.is_named(permits)
            || self.is_free(permits)
            || self.is_about(permits, Topic::Condition)
            || self.is_about(permits, Topic::Structure)
    }

    pub(super) fn control_is_allowed(&self, permits: &Permits<'_>) -> bool {
        let is_returned = matches!(self.piece.text.as_str(), "return" | "yield");
        self.is_named(permits)
            || self.is_free(permits)
            || names(permits, self.line, &self.piece.text)
            || (is_returned && self.is_about(permits, Topic::Returned))
    }

    /// Whether a part of a condition or of a returned value may differ, where findings about `topic` may
    /// rearrange it: `others` are the pieces of the other version.
    pub(super) fn part_is_allowed(&self, permits: &Permits<'_>, topic: Topic, others: &[&Piece]) -> bool {
        if self.is_named(permits) || self.is_free(permits) {
            return true;
        }
        let is_comparison = self.is_about(permits, Topic::Condition);
        let may_move = is_comparison || self.is_about(permits, topic);
        // They may move into the construct or out of it, but none may appear or disappear.
        let is_there = others.iter().any(|other| other.text == self.piece.text);
        match self.piece.kind {
            Kind::Name => is_there && may_move,
            Kind::Literal => (is_there && may_move) || self.literal_is_allowed(permits),
            Kind::Operator => (is_there && may_move) || self.operator_is_allowed(permits),
            Kind::Branch | Kind::Control | Kind::Other => may_move,
        }
    }

    pub(super) fn call_is_allowed(&self, permits: &Permits<'_>) -> bool {
        self.is_named(permits)
            || (self.change == Change::Removed && self.is_about(permits, Topic::Unreachable))
            || self.is_about(permits, Topic::Structure)
    }
}

/// Whether a message names a word, also in another form: `awaited`, `types`, `raising`.
fn names(permits: &Permits<'_>, line: usize, word: &str) -> bool {
    let stem = word.strip_suffix('e').unwrap_or(word);
    permits.names(line, word)
        || ["s", "ed", "ing", "es"].iter().any(|ending| permits.names(line, &format!("{stem}{ending}")))
        || permits.names(line, &format!("{word}s"))
}
