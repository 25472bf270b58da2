//! What a command line says, flat and free of any parser's tree.

use std::ops::Range;

/// Everything a command line runs, in the order in which it would run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// Every command found, also inside substitutions, loops, functions and `bash -c`.
    pub commands: Vec<Command>,
    /// What could not be known. If this is not empty, the line may do more than `commands` says.
    pub unknown: Vec<Unknown>,
    /// Whether it starts processes without end: `while true; do work & done`.
    pub starts_without_end: bool,
}

/// A part of the line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Why it could not be read.
    pub why: UnknownReason,
    /// The part itself, cut short if it is long.
    pub text: String,
    /// Whether a limit stopped the reading and the rest has a word by which it may do harm.
    pub may_harm: bool,
}

/// Why a part of a line could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnknownReason {
    /// The source is longer than we read.
    TooLong,
    /// Constructs are nested deeper than we follow.
    TooDeep,
    /// More expansions than can be read in reasonable time.
    TooMany,
    /// No shell would accept it, or our parser does not.
    Syntax,
    /// The name of the program is only known when it runs: `$TOOL x`.
    Program,
    /// The text that a shell will run is only known when it runs: `eval "$X"`, `curl … | sh`.
    Source,
}

impl UnknownReason {
    /// What of a line was not read, if that is the reason: not what it does is unknown, but what it says.
    #[must_use]
    pub const fn unread(self) -> Option<&'static str> {
        match self {
            UnknownReason::TooLong => Some("the line is too long"),
            UnknownReason::TooDeep => Some("it is nested too deeply"),
            UnknownReason::TooMany => Some("it has too many parts in each other"),
            UnknownReason::Syntax => Some("its syntax is not known"),
            UnknownReason::Program | UnknownReason::Source => None,
        }
    }
}

/// One program started by the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program really run, wrappers taken off. Empty for assignments and redirects alone.
    pub program: Word,
    pub arguments: Vec<Word>,
    /// Variables set for it (`A=1 cmd`, `env A=1 cmd`), or set at all if there is no program.
    pub assignments: Vec<(String, Word)>,
    /// Its redirections, in order.
    pub redirects: Vec<Redirect>,
    /// The wrappers taken off, outermost first: `sudo`, `env`, `xargs`, `bash -c` …
    pub wrappers: Vec<String>,
    /// Its place in the line.
    pub place: Place,
    /// The directory it runs in.
    pub directory: Directory,
    /// The bytes of its program and arguments in the line, wrappers, variables and
    /// redirections left out. `None` where they are not in the line as such: inside
    /// `bash -c`, `eval` and here-documents, or with something else between them.
    pub span: Option<Range<usize>>,
    /// What it reads from standard input through a plain pipe: `echo 'print(1)' | python`. Kept
    /// only for interpreters, here or on another machine.
    pub input: Option<String>,
}

/// What is between a program and the file that it loads by itself, as a wrapper: `pytest loads tests/conftest.py`.
pub(crate) const LOADS: &str = " loads ";

impl Command {
    /// Whether it is in code that a program loads by itself, such as a test.
    pub fn is_loaded(&self) -> bool {
        self.wrappers.iter().any(|wrapper| wrapper.contains(LOADS))
    }

    /// The name of the program without its directory and without `.exe`, if it is known.
    pub fn program_name(&self) -> Option<&str> {
        self.program.text.as_deref().map(base_name)
    }
}

/// The last part of a program's path, without `.exe`. In zsh, `=name` is where `name` is found.
pub(crate) fn base_name(path: &str) -> &str {
    // Nearly every program is named without any of these, and every rule asks for the name.
    if !path.bytes().any(|byte| matches!(byte, b'/' | b'\\' | b'=' | b'.')) {
        return path;
    }
    let path = path.strip_prefix('=').unwrap_or(path);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".EXE")).unwrap_or(name)
}

/// One word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What the program is given: quotes and escapes removed, variables that the line itself set
    /// put in, a leading `~` kept. `None` if it is only known when the line runs.
    pub text: Option<String>,
    pub raw: String,
    /// Whether the shell will expand it as a pattern of file names; `text` is the pattern then.
    pub glob: bool,
}

impl Word {
    /// A word that is exactly this text.
    pub fn literal(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { raw: text.clone(), text: Some(text), glob: false }
    }

    /// A word of which only the spelling is known.
    pub fn unknown(raw: impl Into<String>) -> Self {
        Self { text: None, raw: raw.into(), glob: false }
    }

    /// Whether the word is known to be `text`.
    pub fn is(&self, text: &str) -> bool {
        self.text.as_deref() == Some(text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    pub kind: RedirectKind,
    /// The descriptor in front of it (`2` in `2>x`), if one is written.
    pub descriptor: Option<i32>,
    /// The file, the text of a here-document, or the descriptor that is copied.
    pub target: Word,
}

/// The redirection that standard input comes from. It may be a copy of another descriptor (`0<&3`).
pub(crate) fn input_redirect(redirects: &[Redirect]) -> Option<&Redirect> {
    redirects.iter().rev().find(|redirect| match redirect.kind {
        RedirectKind::Read | RedirectKind::ReadWrite | RedirectKind::HereDoc | RedirectKind::HereString => {
            redirect.descriptor.is_none_or(|descriptor| descriptor == 0)
        }
        RedirectKind::Duplicate => redirect.descriptor == Some(0),
        RedirectKind::Write | RedirectKind::Append => false,
    })
}

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<file`
    Read,
    /// `>file`, `>|file`, `&>file`, `>&file`
    Write,
    /// `>>file`, `&>>file`
    Append,
    /// `<>file`
    ReadWrite,
    /// `<<END`; the target is the body.
    HereDoc,
    /// `<<<word`
    HereString,
    /// `2>&1`, `<&3`, `>&-`
    Duplicate,
}

/// The place of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// How many constructs are around it.
    pub depth: u16,
    /// Its position in its pipeline, from 0.
    pub position: u16,
    /// Whether its input comes out of a pipe.
    pub pipe_in: bool,
    /// Whether its output goes into a pipe.
    pub pipe_out: bool,
    /// The pipe its input comes out of: every `|` of the line has a number of its own, from 1.
    /// 0 if it is none of them.
    pub from_pipe: u32,
    /// The pipe its output goes into, numbered the same way.
    pub into_pipe: u32,
    /// Inside `$(…)`, backticks, `<(…)` or `>(…)`.
    pub substitution: bool,
    /// Inside `( … )`.
    pub subshell: bool,
    /// Inside the body of a function: runs only when the function is called.
    pub function: bool,
    /// Runs only if something before it succeeded or failed: `&&`, `||`, `if`, loops, `case`.
    pub conditional: bool,
    /// Started with `&` or `coproc`.
    pub background: bool,
    /// Behind `!`.
    pub negated: bool,
}

impl Place {
    /// The same place, one construct deeper.
    pub(crate) fn deeper(mut self) -> Self {
        self.depth = self.depth.saturating_add(1);
        self
    }
}

/// The directory a command runs in, as far as the line says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Directory {
    /// The directory in which the line was started.
    #[default]
    Start,
    /// One of these, each relative to the start (which is `.`) unless absolute or `~`. More than
    /// one if it depends on whether a `cd` succeeded.
    OneOf(Vec<String>),
    /// It cannot be known.
    Unknown,
}
