//! What a command line would do, flat: the vocabulary that policies speak about.

use super::command::{Directory, Word};

/// All that a command line would do, as far as it can be known before it runs.
///
/// What is not listed does not happen, unless [`Effects::opaque`] says that something cannot be
/// known. Nothing here is guessed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Files read and changed, in the order of the line.
    pub files: Vec<FileEffect>,
    /// Text that in-place edits put into files, where the edit says it.
    pub insertions: Vec<Insertion>,
    /// Calls of the network.
    pub network: Vec<NetworkEffect>,
    /// Text from elsewhere that is run: `curl … | sh`.
    pub fetched_code: Vec<FetchedCode>,
    /// The files that have text from elsewhere when the line is over.
    pub fetched_files: Vec<FetchedFile>,
    /// Text that a decoder prints and that is run: `base64 -d f | sh`.
    pub decoded_code: Vec<DecodedCode>,
    /// What may do more than is listed here.
    pub opaque: Vec<Opaque>,
}

/// Something done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEffect {
    pub act: FileAct,
    pub target: Target,
    /// By which route, for people: `a redirection`, `sed -i`, `python code`.
    pub by: &'static str,
    /// The command that does it: its index in `Script::commands`.
    pub command: usize,
}

/// Text that an edit puts into a file: `sed -i 's/old/new/' f`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    pub target: Target,
    /// What it looks for, as written; empty if it only adds.
    pub old: String,
    /// What it puts there, as written.
    pub new: String,
}

/// What is done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileAct {
    Read,
    Write(Content),
    /// Something is added at the end.
    Append(Content),
    /// Changed in place (`sed -i`, `patch f`); what comes out is not known.
    Change,
    /// Deleted, with everything below it if `recursive`.
    Delete {
        /// Whether a folder is deleted with all that is in it.
        recursive: bool,
    },
    /// Gets another name; the target is the old one.
    Move {
        to: Target,
    },
    /// Another name is made that leads to the target: writing through it changes the target.
    Link {
        name: Target,
    },
    /// Mode, owner or times change, not the content.
    Attributes {
        /// Whether all below it changes too.
        recursive: bool,
    },
    /// The patch in the target is applied to whatever files it names.
    ApplyPatch,
    /// The commands or code in the target are run.
    Run,
    /// Given to a program that may do anything with it.
    Anything,
}

impl FileAct {
    /// Whether the target may be different afterwards.
    #[must_use]
    pub const fn changes_target(&self) -> bool {
        match self {
            FileAct::Write(_)
            | FileAct::Append(_)
            | FileAct::Change
            | FileAct::Delete { .. }
            | FileAct::Move { .. }
            | FileAct::Link { .. }
            | FileAct::Attributes { .. }
            | FileAct::Anything => true,
            FileAct::Read | FileAct::ApplyPatch | FileAct::Run => false,
        }
    }
}

/// The text that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Text(String),
    /// Only known when it runs.
    Unknown,
}

impl Content {
    /// The text, if it is known.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Content::Text(text) => Some(text),
            Content::Unknown => None,
        }
    }
}

/// A place in the file system, as the line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The word; its text is `None` where it is known only at run time.
    pub word: Word,
    /// The directory it is relative to.
    pub directory: Directory,
    /// If the target turns out to be a folder, then this name in it is meant: `cp a folder`.
    pub or_below: Option<String>,
}

impl Target {
    /// The place that a word names for a command in this directory.
    #[must_use]
    pub fn new(word: &Word, directory: &Directory) -> Target {
        Target { word: word.clone(), directory: directory.clone(), or_below: None }
    }
}

/// A call of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkEffect {
    /// The address, host or remote as written, if it is known.
    pub to: Option<String>,
    /// What leaves this machine; empty for a plain fetch.
    pub sends: Vec<Sent>,
    /// The command that does it: its index in `Script::commands`.
    pub command: usize,
}

/// Something that leaves the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    File(Target),
    /// What comes through the pipe or is redirected into it.
    Input,
    /// Text on the command line: `curl -d 'x=1'`.
    Text(String),
    /// Something only known when it runs, with its spelling: `curl -d "$TOKEN"`, `$(cat .env)`.
    Unknown(String),
}

/// Text from elsewhere that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchedCode {
    /// The command that fetches it.
    pub fetch: usize,
    /// The command that runs it.
    pub run: usize,
    /// Whether it is one of many files of an archive or a repository.
    pub is_in_folder: bool,
}

/// A file with text that the line does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedFile {
    pub target: Target,
    /// The command that brings it.
    pub fetch: usize,
    /// It comes out of a decoder, not from elsewhere.
    pub is_decoded: bool,
}

/// Text that a decoder prints and that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodedCode {
    /// The command that prints it.
    pub decoder: usize,
    /// The command that runs it.
    pub run: usize,
}

/// Something that may do more than the effects say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// Why it cannot be known.
    pub why: OpaqueReason,
    /// The program, the code or the part of the line.
    pub text: String,
    /// The command it belongs to, where there is one.
    pub command: Option<usize>,
}

/// Why something cannot be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpaqueReason {
    /// A part of the line that cannot be read, or is only known when it runs.
    Line,
    /// A program of which nothing is known: it may do anything.
    Program,
    /// Code given to an interpreter that does what its text does not show.
    Code,
}
