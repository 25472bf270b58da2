//! One token of a source file, with what it is and where it belongs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    /// A string, a number, a boolean, nothing; in a shell also a bare word.
    Literal,
    /// It computes, compares or combines.
    Operator,
    /// It decides what runs.
    Branch,
    /// It waits, fails, catches or leaves.
    Control,
    /// Any other word or sign of the language.
    Other,
}

/// The construct that a piece is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Plain,
    Import,
    Condition,
    /// A value that is returned or raised.
    Returned,
    /// Which errors are caught.
    Handler,
}

#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// In one form for all ways to write it: a string without its quotes, for example.
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) role: Role,
    /// The lines that it is in.
    pub(super) line: usize,
    pub(super) end_line: usize,
    /// Whether it is the name of what is called.
    pub(super) is_callee: bool,
    pub(super) is_quoted: bool,
    /// The name of the argument that it is the value of.
    pub(super) argument: Option<String>,
    /// Whether a statement may begin with it.
    pub(super) begins_line: bool,
    pub(super) is_text: bool,
}

impl Piece {
    pub(super) fn is_sign(&self, sign: &str) -> bool {
        !self.is_text && self.text == sign
    }
}
