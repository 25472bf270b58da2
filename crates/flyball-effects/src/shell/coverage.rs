//! Checks that the parser has accounted for every letter of a source.
//!
//! shuck 0.2.8 drops the rest of some lines without an error, for instance behind `[[ -n {a ]]`.
//! So every part that is read is recorded, and what remains between the parts may only be the
//! grammar's own words and signs.

use shuck_ast::Span;

/// The parts of a source that have been read.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    parts: Vec<(usize, usize)>,
}

impl Coverage {
    pub(super) fn add(&mut self, span: Span) {
        self.add_range(span.start.offset(), span.end.offset());
    }

    /// Records the bytes from `start` to `end`.
    pub(super) fn add_range(&mut self, start: usize, end: usize) {
        if start < end {
            self.parts.push((start, end));
        }
    }

    /// The first stretch between `start` and `end` that was not read and has a meaning.
    pub(super) fn gap(mut self, source: &str, start: usize, end: usize) -> Option<&str> {
        self.parts.push((end, end));
        self.parts.sort_unstable();
        let mut at = start;
        for (from, to) in self.parts {
            let stretch = source.get(at..from.min(end)).unwrap_or_default();
            if !is_grammar(stretch) {
                return Some(stretch);
            }
            // Parts may overlap or be nested, so the end never moves back.
            at = at.max(to);
        }
        None
    }
}

/// Whether a stretch contains nothing but signs, reserved words and comments.
fn is_grammar(stretch: &str) -> bool {
    let is_sign = |letter: char| letter.is_ascii_whitespace() || ";&|(){}!\\".contains(letter);
    stretch.lines().all(|line| {
        // A comment goes to the end of its line; the parser leaves it out of its tree.
        let mut words = line.split(is_sign).take_while(|word| !word.starts_with('#'));
        words.all(|word| word.is_empty() || RESERVED.contains(&word))
    })
}

const RESERVED: [&str; 29] = [
    "if", "then", "elif", "else", "fi", "for", "in", "do", "done", "while", "until", "case", "esac",
    "select", "function", "time", "-p", "--", "coproc", "[[", "]]", "repeat", "foreach", "end", "always",
    "break", "continue", "return", "exit",
];
