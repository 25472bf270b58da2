//! One token of a source file, in one form for all ways to write it.

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
    /// Any other word of the language.
    Keyword,
    /// A bracket or a separator.
    Sign,
}

#[cfg(test)]
thread_local! {
    /// How often a piece was compared with something, so that tests can count the work.
    pub(super) static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// A string begins with `"`, whatever its quotes were.
    pub(super) text: String,
    pub(super) kind: Kind,
    /// The lines that it is in.
    pub(super) line: usize,
    pub(super) end_line: usize,
    /// Whether it is the name of what is called.
    pub(super) is_callee: bool,
    /// Whether it is inside a quoted word of a shell.
    pub(super) is_quoted: bool,
    /// Whether nothing separates it from the piece before, where that matters.
    pub(super) is_glued: bool,
    /// Whether it is the first one in a line, outside of brackets.
    pub(super) begins_line: bool,
    /// How far its line is indented.
    pub(super) indent: usize,
}

impl Piece {
    pub(super) fn is(&self, text: &str) -> bool {
        #[cfg(test)]
        LOOKED_AT.set(LOOKED_AT.get() + 1);
        self.text == text
    }

    pub(super) fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind == Kind::Literal && self.text.starts_with('"')
    }

    pub(super) fn is_name(&self) -> bool {
        self.kind == Kind::Name
    }

    pub(super) fn opens(&self) -> bool {
        self.is_any(&["(", "[", "{", "${"])
    }

    pub(super) fn closes(&self) -> bool {
        self.is_any(&[")", "]", "}"])
    }

    /// A sign or a word that is the same in every place.
    pub(super) fn plain(text: &str, kind: Kind, line: usize) -> Piece {
        Piece {
            text: text.to_owned(),
            kind,
            line,
            end_line: line,
            is_callee: false,
            is_quoted: false,
            is_glued: false,
            begins_line: false,
            indent: 0,
        }
    }
}

/// Two pieces are equal if they mean the same, wherever they are.
impl PartialEq for Piece {
    fn eq(&self, other: &Piece) -> bool {
        self.is(&other.text) && self.is_quoted == other.is_quoted && self.is_glued == other.is_glued
    }
}

/// For each piece, how many brackets are open around it. A bracket belongs to what is around it.
pub(super) fn depths(pieces: &[Piece]) -> Vec<usize> {
    let mut depth = 0usize;
    let depth_of = |piece: &Piece| {
        if piece.closes() {
            depth = depth.saturating_sub(1);
        }
        let own = depth;
        if piece.opens() {
            depth += 1;
        }
        own
    };
    pieces.iter().map(depth_of).collect()
}

/// Where the first of these is, outside of brackets.
pub(super) fn find_outside(pieces: &[Piece], texts: &[&str]) -> Option<usize> {
    let depths = depths(pieces);
    pieces.iter().zip(depths).position(|(piece, depth)| depth == 0 && piece.is_any(texts))
}

/// Whether something runs when these are evaluated: a call, a wait, an assignment.
pub(super) fn has_effect(pieces: &[Piece]) -> bool {
    let calls = pieces.windows(2).any(|pair| match pair {
        [callee, open] => {
            let is_value = callee.is_name() || callee.is_any(&[")", "]", "}", "super", "this", "self"]);
            (is_value && open.is("(")) || (callee.is("$") && open.is("("))
        }
        _ => false,
    });
    let effects = ["await", "yield", "new", ":=", "++", "--", "`", "<-", "import", "delete"];
    let runs = |piece: &Piece| {
        piece.is_callee
            || piece.is_any(&effects)
            || (piece.is("?") && piece.kind == Kind::Control)
            || (piece.is_text() && piece.text.contains('(') && piece.text.replace("{{", "").contains('{'))
    };
    calls || pieces.iter().any(runs)
}
