//! What a command line would do: which commands it runs, what the code in it says, which files
//! it reads and changes, what it sends and fetches.
//!
//! Pure: text in, readings out. Nothing here opens a file, starts a process or reads a clock, and
//! what cannot be known is reported as unknown, because guards rely on it.
//!
//! The layers, each looking only at those below it:
//!
//! ```text
//! Line       a line read whole: commands and effects
//! effects    what each command does to files and the network
//! shell      a bash, sh or zsh line as a flat list of commands
//! windows    a PowerShell or cmd line as one of sh
//! code       what code given to an interpreter does: python -c, awk …
//! argv       which words of a command are options, values, operands
//! printed    what echo and printf print
//! yaml       the part of YAML that files of tasks use
//! lex        code, comments and strings of a source file
//! model      what they all speak about: words, commands, acts, effects
//! ```
//!
//! The shell reader is the driver of the two readers: code may start a shell again (`os.system`),
//! so `shell` asks `code` what a piece of code starts and puts that into its list; `code` itself
//! never reads a command line.
//!
//! This crate is below `flyball-core`, whose facts about an event keep one [`Line`] for all
//! policies; it knows nothing of events, policies or configuration.

#![forbid(unsafe_code)]

pub mod argv;
pub mod code;
mod decoders;
mod effects;
pub mod lex;
mod model;
mod printed;
pub mod shell;
pub mod windows;
pub mod yaml;

pub use effects::{GitCall, Patched, PatchedFile, builds, built_folders, patched_files};
pub use model::{
    CodeAct, CodeReading, Command, Content, DecodedCode, Directory, Disk, Effects, FetchedCode, FetchedFile,
    FileAct, FileEffect, Insertion, Language, NetworkEffect, Opaque, OpaqueReason, Place, Redirect,
    RedirectKind, Script, Sent, Target, Unknown, UnknownReason, Word, WrittenText,
};

/// A command line: what it runs and what that does.
#[derive(Debug)]
pub struct Line {
    pub script: Script,
    /// What its commands would do.
    pub effects: Effects,
}

impl Line {
    /// Reads a command line.
    #[must_use]
    pub fn read(text: &str) -> Line {
        Line::read_with(text, &[])
    }

    /// Reads a command line in which these programs only start another one.
    #[must_use]
    pub fn read_with(text: &str, wrappers: &[String]) -> Line {
        Line::from_script(shell::parse_with(text, wrappers))
    }

    fn from_script(script: Script) -> Line {
        let effects = effects::read(&script);
        Line { script, effects }
    }

    /// Whether files that the line runs may do more than the line itself says.
    #[must_use]
    pub fn may_run_files(&self) -> bool {
        let changes_unknown =
            |effect: &FileEffect| effect.act.changes_target() && effect.target.word.text.is_none();
        !self.script.unknown.is_empty()
            || self.effects.files.iter().any(|effect| effect.act == FileAct::Run)
            || self.script.commands.iter().any(shell::starts_more)
            || self.effects.files.iter().any(changes_unknown)
    }
}

impl Line {
    /// Whether it starts a program that runs code of the project by itself: a test runner, a build.
    #[must_use]
    pub fn runs_project_code(&self) -> bool {
        self.script.commands.iter().any(shell::runs_project_code)
    }
}

/// A command line with what the files say that it runs.
#[derive(Debug)]
pub struct DeepLine {
    pub line: Line,
    /// What programs would start of which nothing is known, if they start what they are given.
    pub guessed: Option<Line>,
    /// The files that were read, as the line or another file names them.
    pub files: Vec<String>,
}

/// What came of reading a command line with the files that it runs.
#[derive(Debug)]
pub struct DeepReading(shell::Deep);

impl DeepReading {
    /// Reads a command line, and the files that it runs from this disk.
    #[must_use]
    pub fn read(text: &str, wrappers: &[String], disk: &dyn Disk) -> DeepReading {
        DeepReading(shell::parse_deeply(text, wrappers, disk))
    }

    /// The files that the line writes, where their whole text is known.
    #[must_use]
    pub fn written(&self) -> &[WrittenText] {
        &self.0.written
    }

    /// Whether it found a file to read. If not, it knows nothing that is in one.
    #[must_use]
    pub fn has_read_files(&self) -> bool {
        !self.0.files.is_empty()
    }

    /// What it says that the line alone does not.
    #[must_use]
    pub fn beyond(self, line: &Line) -> Option<DeepLine> {
        let shell::Deep { script, guessed, files, .. } = self.0;
        let guessed = (!guessed.commands.is_empty()).then(|| Line::from_script(guessed));
        let says_more = script != line.script || guessed.is_some();
        says_more.then(|| DeepLine { line: Line::from_script(script), guessed, files })
    }
}
