//! What policies may know of the world beyond the event, in parts.
//!
//! No part has a default method: a guard that gets "nothing there" from an implementation that forgot to
//! answer would allow everything. An implementation that overrides only some parts forwards the others with [`delegate`](crate::delegate).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::client::KnowsClients;
use crate::error::PolicyError;
use crate::grant::Grant;
use crate::path::AbsolutePath;
use crate::time::{self, Time};

/// All that policies may know of the world. Tests pin it.
pub trait World:
    Clock + Place + Processes + Files + Git + Contents + FileApprovals + Notes + Transcripts + KnowsClients
{
}

impl<T> World for T where
    T: Clock
        + Place
        + Processes
        + Files
        + Git
        + Contents
        + FileApprovals
        + Notes
        + Transcripts
        + KnowsClients
        + ?Sized
{
}

/// What time it is.
pub trait Clock: Send + Sync {
    /// On a clock that never goes back, since some moment: for durations only.
    fn elapsed(&self) -> Duration;

    /// In whole milliseconds, as policies remember it: for ages and file times.
    fn now(&self) -> Time;

    /// Minutes since midnight where the user is; `None` if unknown.
    fn local_minutes(&self) -> Option<u32>;
}

/// Where the event happened, and where flyball is.
pub trait Place: Send + Sync {
    /// The root of the project this event belongs to.
    fn project_root(&self) -> &AbsolutePath;

    /// This program, for follow-ups that start it; `None` if unknown.
    fn program(&self) -> Option<AbsolutePath>;

    /// The files and folders that flyball itself consists of on this machine.
    fn own_files(&self) -> &[OwnFile];

    /// The home folder of a user of this machine, as `~name` means it; `None` if there is no such user.
    fn home_of(&self, user: &str) -> Option<AbsolutePath>;

    /// For whom the client starts the commands of its agent through `flyball run`; `None` if it does not.
    fn seatbelt(&self) -> Option<Wearer> {
        None
    }
}

/// Whose commands run in a seatbelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wearer {
    /// An ordinary user, who inside can become nobody else.
    User,
    /// The administrator.
    Root,
}

/// What runs on this machine.
pub trait Processes: Send + Sync {
    /// What started since a time and still runs, and was started by this client, or lost its parent and has to do with
    /// the project: what the client's commands may have left. `None` where the system does not show processes, or if this
    /// client did not start this hook.
    fn left_running(&self, client: &str, since: Time) -> Option<Vec<LeftProcess>>;
}

/// A process that a command may have left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftProcess {
    /// Not used again, unlike the number of a process.
    pub id: String,
    /// Whether it waits for connections, or what it started does.
    pub serves: bool,
    /// Whether what started it has ended.
    pub is_orphan: bool,
}

/// What is on disk.
pub trait Files: Send + Sync {
    /// The symlink-free form of a path as the event names it, relative to `base`.
    /// What does not exist yet keeps its name below the part that does.
    fn real_path(&self, base: &AbsolutePath, path: &str) -> AbsolutePath;

    /// What is at a path; symlinks are followed. `None` if nothing is there.
    fn stat(&self, path: &AbsolutePath) -> Option<Stat>;

    /// The content of a file. `None` if there is none, or if it is longer
    /// than `most` bytes.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn read(&self, path: &AbsolutePath, most: u64) -> Result<Option<Vec<u8>>, PolicyError>;

    /// The end of a file: at most `most` bytes, and whether that is all of it.
    /// `None` if there is none. The cost does not grow with the file.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn tail(&self, path: &AbsolutePath, most: u64) -> Result<Option<Tail>, PolicyError>;

    /// The names in a folder, sorted; none if there is no such folder.
    fn list(&self, folder: &AbsolutePath) -> Vec<String>;

    /// Why something that was asked of this world could not be known, although it may be there: a disk that fails, no
    /// room for another open file. What does not exist, or not for this user, is known. The engine asks this after
    /// each guard, so that no guard takes "could not be known" for "nothing there".
    fn unknown_fact(&self) -> Option<PolicyError>;
}

/// The project's root without symlinks.
pub fn real_root(world: &(impl Place + Files + ?Sized)) -> AbsolutePath {
    world.real_path(world.project_root(), ".")
}

/// What git knows. Each question costs a process: ask only where the answer decides.
pub trait Git: Send + Sync {
    /// What `git` answers when it is asked something that changes nothing.
    ///
    /// # Errors
    /// When there is no answer although there is a repository: git is not there, cannot be started, is killed, does
    /// not come back, fails, or answers as git does not.
    fn git(&self, folder: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError>;

    /// What changed on disk below a folder of a checkout at or after this time, and in the repositories inside of it.
    /// Nothing where there is no repository.
    ///
    /// # Errors
    /// When git does not answer although there is a repository.
    fn changed_files(&self, folder: &AbsolutePath, since: Time) -> Result<ChangedFiles, PolicyError>;
}

/// What changed in a checkout: what git shows, and where it would not show it. The paths are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedFiles {
    /// The files that git shows: they differ from the last commit or are new, and are not ignored.
    pub shown: Vec<AbsolutePath>,
    /// Those of them that are not there any more, whenever they went.
    pub gone: Vec<AbsolutePath>,
    /// Files of which git's index says that they are not to be looked at; also those that are gone.
    pub unwatched: Vec<AbsolutePath>,
    /// What git ignores: files that changed, and folders, in which anything may have changed.
    pub ignored: Vec<AbsolutePath>,
    /// The files that can say what git ignores, whether they changed or not.
    pub ignore_rules: Vec<AbsolutePath>,
    /// The symbolic links that git has or shows, whether they changed or not.
    pub links: Vec<AbsolutePath>,
    /// The repositories inside in which something may have been committed or checked out.
    pub nested: Vec<AbsolutePath>,
    /// Whether there is more than could be read.
    pub is_cut: bool,
}

/// What git answers. That it could not be asked is no answer but an error: "nothing to lose" is only what git said.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum GitAnswer {
    /// It printed this.
    Said(String),
    /// Something that the question names is not there: a commit, a branch, a file in a commit. Also the "no" to a
    /// question of yes or no.
    No,
    /// The folder is in no repository, or does not exist.
    NoRepository,
}

impl GitAnswer {
    /// What it printed; `None` if what was asked for is not there, or no repository.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self {
            GitAnswer::Said(text) => Some(text),
            GitAnswer::No | GitAnswer::NoRepository => None,
        }
    }
}

/// Texts by their hash.
pub trait Contents: Send + Sync {
    /// Stores a text by its hash, so that it can be restored later.
    ///
    /// # Errors
    /// When it cannot be written.
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError>;

    /// The hash of a text.
    fn hash(&self, content: &[u8]) -> ContentHash;
}

/// Changes to protected files: those that people accepted, and those that were seen.
pub trait FileApprovals: Send + Sync {
    /// What a person last accepted as the content of a file, if that was at
    /// or after this time. What was accepted before a session began was accepted for another one.
    ///
    /// # Errors
    /// When what was accepted cannot be read.
    fn approval(&self, path: &AbsolutePath, since: Time) -> Result<Option<Approval>, PolicyError>;

    /// Notes what was seen of protected files, for the commands by which a
    /// person accepts or undoes a change after the session.
    ///
    /// # Errors
    /// When it cannot be written.
    fn add_notes(&self, notes: &[(AbsolutePath, FileNote)]) -> Result<(), PolicyError>;

    /// What people allowed in this project for a while, also what has ended lately. Costs a file: ask only where
    /// something would be stopped.
    ///
    /// # Errors
    /// When it is there and cannot be read: then every rule holds.
    fn grants(&self) -> Result<Vec<Grant>, PolicyError>;
}

/// What is noted of a project, across its sessions.
pub trait Notes: Send + Sync {
    /// What is noted of this project under a key, by [`NoteChanges`](crate::workshop::NoteChanges) and by commands.
    /// The cost does not grow with the number of notes.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn project_note(&self, key: &str) -> Result<Option<String>, PolicyError>;
}

/// What a client writes down of its sessions. The cost of a question does not grow with the transcript.
pub trait Transcripts: Send + Sync {
    /// How full the model's context is, by the end of the transcript that a client keeps of a session. `None` if
    /// the transcript does not say.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn context_size(
        &self,
        client: &str,
        transcript: &AbsolutePath,
    ) -> Result<Option<ContextSize>, PolicyError>;

    /// The latest messages and tool calls of a session, from the end of the client's transcript: plain text, the
    /// latest last, up to a number of characters, without what looks like a secret. `None` if no client can read the
    /// transcript.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn recent_conversation(
        &self,
        client: &str,
        transcript: &AbsolutePath,
        most: usize,
    ) -> Result<Option<String>, PolicyError>;
}

/// What a person accepted for a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Its content; `None` if they accepted that it is gone.
    pub content: Option<ContentHash>,
}

/// What was seen of a protected file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileNote {
    /// A session began and found it so.
    Found(ContentHash),
    /// It changed since, and this is what it was before; `None` if it was not there.
    Changed(Option<ContentHash>),
    /// It changed to this while a person allowed it: that content is approved. `None` if it is gone.
    Allowed(Option<ContentHash>),
}

/// The end of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    pub bytes: Vec<u8>,
    /// Whether these are all bytes of the file.
    pub is_whole: bool,
}

/// How full a model's context is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextSize {
    /// How many tokens were in it when the model last answered, or are left of it after a compaction.
    pub tokens: u64,
    /// The model, by the client's name for it; empty if the client does not say.
    pub model: String,
}

/// Reads the end of a transcript: up to a number of bytes.
pub type TailReader<'a> = dyn FnMut(u64) -> Result<Option<Tail>, PolicyError> + 'a;

/// Finds out how full a context is, from the transcript of the client of this id.
pub type TranscriptReader = fn(&str, &mut TailReader<'_>) -> Result<Option<ContextSize>, PolicyError>;

/// Returns the latest messages, up to a number of characters, from the transcript of the client of this id.
pub type ConversationReader = fn(&str, &mut TailReader<'_>, usize) -> Result<Option<String>, PolicyError>;

/// What is known of something on disk without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stat {
    /// A folder, not a file.
    pub is_folder: bool,
    pub bytes: u64,
    /// When its content or its attributes last changed (not its settable time), in whole
    /// milliseconds.
    #[serde(rename = "changed_millis", with = "time::millis")]
    pub changed: Time,
    /// When its content last changed, as far as nobody has set that time.
    #[serde(rename = "modified_millis", with = "time::millis", default)]
    pub modified: Time,
    /// The time of the last change with all the digits the file system has; only good for "the same as before".
    pub changed_nanos: u64,
    /// Its number on its device.
    pub inode: u64,
    /// How many names it has: what is written by one is in all of them.
    #[serde(default)]
    pub links: u64,
}

/// The hash of a text: 64 hexadecimal digits of SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// A hash in its written form.
    #[must_use]
    pub fn new(hexadecimal: String) -> ContentHash {
        ContentHash(hexadecimal)
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the files are that the project's config makes us run or obey.
pub const OBEYED: &str = "a file that flyball runs or obeys";

/// A file or folder that an agent may not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFile {
    /// As configured: symlinks in it are not resolved.
    pub path: AbsolutePath,
    /// What it is, for the message: "flyball's configuration".
    pub what: &'static str,
}
