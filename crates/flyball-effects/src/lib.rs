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
//! code       what code given to an interpreter does: python -c, awk …
//! argv       which words of a command are options, values, operands
//! printed    what echo and printf print
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

pub mod argv;
pub mod code;
mod effects;
pub mod lex;
mod model;
mod printed;
pub mod shell;

pub use effects::{GitCall, Patched, PatchedFile, patched_files};
pub use model::{
    CodeAct, CodeReading, Command, Content, DecodedCode, Directory, Effects, FetchedCode, FetchedFile,
    FileAct, FileEffect, Insertion, Language, NetworkEffect, Opaque, OpaqueReason, Place, Redirect,
    RedirectKind, Script, Sent, Target, Unknown, UnknownReason, Word,
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
        let script = shell::parse_with(text, wrappers);
        let effects = effects::read(&script);
        Line { script, effects }
    }
}
