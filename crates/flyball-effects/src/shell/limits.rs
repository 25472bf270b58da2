//! Refuses, before parsing, what would cost the parser its stack or quadratic time.
//!
//! Measured on shuck 0.2.8: it overflows the stack on some hundred `time`, `coproc` or `$((` in
//! each other, and scans again from every opener in a word. One cheap pass over the bytes bounds
//! all of it; what is left of the nesting, the parser's own limits catch.

use crate::model::UnknownReason;

/// Longer sources are not read at all.
pub(super) const MOST_BYTES: usize = 256 * 1024;
/// How deep the parser may nest; every level costs it up to 100 KB of stack in a debug build.
pub(super) const MOST_LEVELS: usize = 40;
/// How many shells may read each other's text: `bash -c 'bash -c …'`.
pub(super) const MOST_SHELLS: usize = 8;
/// How many `$(`, `${`, `<(` may be open at once.
const MOST_EXPANSIONS_OPEN: usize = 32;
/// How many `{` and `name[` may be open at once; JSON in a here-document nests less deeply.
const MOST_BRACKETS_OPEN: usize = 128;
/// How many `time` and `coproc` may follow each other.
const MOST_PREFIXES: usize = 16;
/// Expansions times bytes, because the parser looks at the rest of a word for every expansion in
/// it: 16 KB may contain a thousand of them, 64 KB still 256.
const MOST_WORK: usize = 16 * 1024 * 1024;

/// Why `source` must not be given to the parser, if so.
pub(super) fn refuse(source: &str) -> Option<UnknownReason> {
    if source.len() > MOST_BYTES {
        return Some(UnknownReason::TooLong);
    }
    let nesting = Nesting::from_bytes(source.as_bytes());
    if nesting.expansions_deep > MOST_EXPANSIONS_OPEN
        || nesting.brackets_deep > MOST_BRACKETS_OPEN
        || longest_prefix_run(source) > MOST_PREFIXES
    {
        return Some(UnknownReason::TooDeep);
    }
    let work = nesting.expansions.saturating_mul(source.len());
    (work > MOST_WORK).then_some(UnknownReason::TooMany)
}

/// What opens and closes in a source, read without regard to quotes: that may refuse too much,
/// never too little.
#[derive(Default)]
struct Nesting {
    open: Vec<Opener>,
    open_expansions: usize,
    expansions: usize,
    expansions_deep: usize,
    brackets_deep: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Opener {
    Expansion,
    Plain,
}

impl Nesting {
    fn from_bytes(bytes: &[u8]) -> Self {
        let mut nesting = Self::default();
        let mut before = 0u8;
        for &byte in bytes {
            nesting.see(before, byte);
            before = byte;
        }
        nesting
    }

    fn see(&mut self, before: u8, byte: u8) {
        match byte {
            // `={` and `<{` open nothing, but refusing too much is safe.
            b'(' | b'{' if matches!(before, b'$' | b'<' | b'>' | b'=') => self.push(Opener::Expansion),
            b'(' | b'{' => self.push(Opener::Plain),
            // A subscript or `$[`; a lone `[` is a test or a pattern and does not nest.
            b'[' if before == b'$' || before == b'_' || before.is_ascii_alphabetic() => {
                self.push(Opener::Plain);
            }
            // An opening backtick looks like a closing one, so each counts as work and none as depth.
            b'`' => self.expansions += 1,
            b')' | b'}' | b']' => self.pop(),
            _ => {}
        }
    }

    fn push(&mut self, opener: Opener) {
        self.open.push(opener);
        match opener {
            Opener::Expansion => {
                self.expansions += 1;
                self.open_expansions += 1;
                self.expansions_deep = self.expansions_deep.max(self.open_expansions);
            }
            Opener::Plain => self.brackets_deep = self.brackets_deep.max(self.open.len()),
        }
    }

    fn pop(&mut self) {
        if self.open.pop() == Some(Opener::Expansion) {
            self.open_expansions -= 1;
        }
    }
}

/// The longest row of `time` and `coproc` without another word between them.
fn longest_prefix_run(source: &str) -> usize {
    if !source.contains("time") && !source.contains("coproc") && !source.contains("\\\n") {
        return 0;
    }
    // A continued line can split `time` in two.
    let whole = source.replace("\\\n", "");
    let (mut longest, mut run) = (0, 0);
    for word in whole.split_ascii_whitespace() {
        match word {
            "time" | "coproc" => run += 1,
            "!" | "-p" | "--" | "-" => {}
            _ => run = 0,
        }
        longest = longest.max(run);
    }
    longest
}
