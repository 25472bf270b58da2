//! Refuses, before parsing, what would cost the parser its stack or quadratic time.
//!
//! Measured on shuck 0.2.8: it overflows the stack on some hundred `time`, `coproc` or `$((` in
//! each other, and scans again from every opener in a word. One cheap pass over the bytes bounds
//! all of it; what is left of the nesting, the parser's own limits catch.

use std::borrow::Cow;

use crate::model::UnknownReason;

/// Sources with more text than this in which something could happen are not read at all.
pub(super) const MOST_BYTES: usize = 256 * 1024;
/// Nor are those that are longer than this with all that is only quoted.
const MOST_QUOTED_BYTES: usize = 4 * 1024 * 1024;
/// How deep the parser may nest; every level costs it up to 100 KB of stack in a debug build.
pub(super) const MOST_LEVELS: usize = 40;
/// How many shells may read each other's text: `bash -c 'bash -c …'`.
pub(super) const MOST_SHELLS: usize = 24;
/// How many `$(`, `${`, `<(` may be open at once.
const MOST_EXPANSIONS_OPEN: usize = 32;
/// How many `{` and `name[` may be open at once; JSON in a here-document nests less deeply.
const MOST_BRACKETS_OPEN: usize = 128;
/// How many `time` and `coproc` may follow each other.
const MOST_PREFIXES: usize = 16;
/// Expansions times bytes, because the parser looks at the rest of a word for every expansion in
/// it: 16 KB may contain a thousand of them, 64 KB still 256.
const MOST_WORK: usize = 16 * 1024 * 1024;

/// Words by which what was not read may do harm.
pub(super) const HARMFUL: &[&str] = &[
    "rm",
    "rmdir",
    "unlink",
    "shred",
    "dd",
    "mkfs",
    "wipefs",
    "truncate",
    "mv",
    "chmod",
    "chown",
    "git",
    "curl",
    "wget",
    "nc",
    "ncat",
    "ssh",
    "scp",
    "rsync",
    "sudo",
    "doas",
    "kill",
    "pkill",
    "killall",
    "dropdb",
    "terraform",
    "kubectl",
    "helm",
    "aws",
    "gcloud",
    "docker",
    "npm",
    "crontab",
    "flyball",
    "rmtree",
    "rmSync",
    "unlinkSync",
    "remove_tree",
];

/// Where the part of a text begins that may do harm, if there is one.
pub(super) fn harmful_part(text: &str) -> Option<usize> {
    let is_part = |letter: char| letter.is_alphanumeric() || "._-".contains(letter);
    let mut at = 0;
    for word in text.split(|letter: char| !is_part(letter)) {
        if HARMFUL.contains(&word) || word.starts_with("mkfs.") {
            return Some(at);
        }
        at += word.len() + text.get(at + word.len()..)?.chars().next().map_or(1, char::len_utf8);
    }
    None
}

/// The source without the bodies of quoted here-documents: nothing in them is expanded, so they cost nothing.
fn without_documents(source: &str) -> Cow<'_, str> {
    if !source.contains("<<") {
        return Cow::Borrowed(source);
    }
    let mut kept = String::with_capacity(source.len());
    let mut ends: Vec<&str> = Vec::new();
    for line in source.split_inclusive('\n') {
        if let Some(end) = ends.first() {
            if line.trim_end_matches(['\r', '\n']).trim_start_matches('\t') == *end {
                ends.remove(0);
            }
            continue;
        }
        kept.push_str(line);
        ends.extend(quoted_ends(line));
    }
    // An end that never comes: then nothing is a document.
    if ends.is_empty() { Cow::Owned(kept) } else { Cow::Borrowed(source) }
}

/// The end marks of the quoted here-documents that begin in a line. With one that is not quoted, none: its body
/// would come first.
fn quoted_ends(line: &str) -> Vec<&str> {
    let mut ends = Vec::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("<<") {
        // In quotes, a comment or arithmetic it begins no document.
        if before.contains(['"', '\'', '#', '\\', '`']) || before.contains("((") {
            return Vec::new();
        }
        rest = behind;
        let mark = behind.trim_start_matches('-').trim_start_matches(' ');
        if behind.starts_with('<') {
            rest = behind.trim_start_matches('<');
            continue;
        }
        let end = ['\'', '"'].iter().find_map(|quote| mark.strip_prefix(*quote)?.split_once(*quote));
        match end {
            Some((end, _)) => ends.push(end),
            None => return Vec::new(),
        }
    }
    ends
}

/// Why `source` must not be given to the parser, if so.
pub(super) fn refuse(source: &str) -> Option<UnknownReason> {
    if source.len() > MOST_QUOTED_BYTES {
        return Some(UnknownReason::TooLong);
    }
    let active = without_documents(source);
    let active = without_quoted(&active);
    if active.len() > MOST_BYTES {
        return Some(UnknownReason::TooLong);
    }
    let nesting = Nesting::from_bytes(active.as_bytes());
    if nesting.expansions_deep > MOST_EXPANSIONS_OPEN
        || nesting.brackets_deep > MOST_BRACKETS_OPEN
        || longest_prefix_run(source) > MOST_PREFIXES
    {
        return Some(UnknownReason::TooDeep);
    }
    let work = nesting.expansions.saturating_mul(active.len());
    (work > MOST_WORK).then_some(UnknownReason::TooMany)
}

/// The source without what single quotes hold, and without brackets in double quotes that open nothing. All of it if that
/// cannot be told by a simple scan: then too much is refused, never too little.
fn without_quoted(source: &str) -> Cow<'_, str> {
    // Where quotes are letters, or where what looks like one thing is another.
    const UNCLEAR: [&str; 7] = ["$'", "`", "$[", "\\\n", "case", "#", "$\""];
    let has_none = !source.contains(['\'', '"']);
    let is_unclear = || UNCLEAR.iter().any(|sign| source.contains(sign));
    if has_none || is_unclear() || source.replace("<<<", "").contains("<<") {
        return Cow::Borrowed(source);
    }
    let mut scan = QuoteScan::default();
    let mut kept = String::with_capacity(source.len().min(MOST_BYTES));
    for letter in source.chars() {
        if scan.keeps(letter) {
            kept.push(letter);
        }
    }
    if scan.is_closed() { Cow::Owned(kept) } else { Cow::Borrowed(source) }
}

/// Where in its quotes a source is.
#[derive(Default)]
struct QuoteScan {
    /// The quotes and expansions that are open, the innermost last.
    open: Vec<Within>,
    before: char,
    is_escaped: bool,
    is_unclear: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Within {
    Single,
    Double,
    /// `$(` in double quotes: everything as outside of them, up to its `)`.
    Command,
    /// A bracket in such a command.
    Bracket,
    /// `${` in double quotes, where single quotes are letters.
    Variable,
}

impl QuoteScan {
    fn keeps(&mut self, letter: char) -> bool {
        let before = std::mem::replace(&mut self.before, letter);
        let within = self.open.last().copied();
        match within {
            Some(Within::Single) => {
                if letter == '\'' {
                    self.open.pop();
                }
                return letter == '\'';
            }
            _ if std::mem::take(&mut self.is_escaped) => return true,
            _ if letter == '\\' => self.is_escaped = true,
            Some(Within::Double | Within::Variable) => return self.keeps_in_double(before, letter),
            None | Some(Within::Command | Within::Bracket) => match letter {
                '\'' => self.open.push(Within::Single),
                '"' => self.open.push(Within::Double),
                '(' if within.is_some() => self.open.push(Within::Bracket),
                ')' if within.is_some() => _ = self.open.pop(),
                _ => {}
            },
        }
        true
    }

    fn keeps_in_double(&mut self, before: char, letter: char) -> bool {
        let is_variable = self.open.last() == Some(&Within::Variable);
        match letter {
            // Quotes in such quotes: what is quoted then depends on more than is known here.
            '"' if is_variable => self.is_unclear = true,
            '"' => _ = self.open.pop(),
            '}' if is_variable => _ = self.open.pop(),
            '(' if before == '$' => self.open.push(Within::Command),
            '{' if before == '$' => self.open.push(Within::Variable),
            // They open and close nothing here.
            '(' | ')' | '{' | '}' | '[' | ']' => return is_variable,
            _ => {}
        }
        true
    }

    fn is_closed(&self) -> bool {
        self.open.is_empty() && !self.is_unclear
    }
}

/// What opens and closes in a source, read without regard to the quotes that are left: that may refuse too much, never
/// too little.
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
