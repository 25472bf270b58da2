//! What a policy may do before it judges: start programs, cache their results, rewrite a file.
//!
//! Only [`gather`](crate::policy::Policy::gather) is given a workshop. It runs before the
//! session's lock is taken, because this work can take long.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::PolicyError;
use crate::path::AbsolutePath;
use crate::snapshot::Snapshots;
use crate::world::World;

/// A place to work in. Where nothing may be done (a replay, an explanation) there is none.
pub trait Workshop:
    World + Programs + ResultCache + Network + OwnFolders + FileChanges + NoteChanges + Snapshots
{
}

impl<T> Workshop for T where
    T: World + Programs + ResultCache + Network + OwnFolders + FileChanges + NoteChanges + Snapshots + ?Sized
{
}

/// Programs to find and run, and the environment they run in.
pub trait Programs: Send + Sync {
    /// The program, if it is installed.
    fn find(&self, wanted: &ProgramQuery) -> Option<Program>;

    /// Runs all jobs, as many at a time as `limits` allow, and says how each ended, in the same
    /// order. Comes back when the last has ended or was stopped at the deadline: with everything
    /// that it started, and nothing else.
    fn run(&self, jobs: &[Job], limits: Limits) -> Vec<JobResult>;

    /// A variable of the environment; empty counts as unset.
    fn variable(&self, name: &str) -> Option<String>;

    /// Whether a person trusts the project, so that its own programs and what they load of it may be run without being
    /// asked for.
    fn trusts_project(&self) -> bool;
}

/// Results that are expensive to compute again.
pub trait ResultCache: Send + Sync {
    /// The result stored under a key, if it is still there.
    fn cached_result(&self, key: &str) -> Option<Vec<u8>>;

    /// Stores a result under a key, usually the hash of all that it depends on. It may be gone
    /// later: room is limited. A result that cannot be stored is computed again.
    fn cache_result(&self, key: &str, result: &[u8]);

    /// The results stored under these keys: faster than one by one where there are thousands.
    fn cached_results(&self, keys: &[&str]) -> Vec<Option<Vec<u8>>> {
        keys.iter().map(|key| self.cached_result(key)).collect()
    }

    /// Stores results under their keys: faster than one by one where there are thousands.
    fn cache_results(&self, results: &[(String, Vec<u8>)]) {
        for (key, result) in results {
            self.cache_result(key, result);
        }
    }
}

/// Requests to servers.
pub trait Network: Send + Sync {
    /// Sends a request and waits for its response.
    ///
    /// # Errors
    /// When there is no response: no connection, no time left. Any response of a server is `Ok`.
    fn post(&self, request: &Request) -> Result<Response, PolicyError>;

    /// Waits, because a server asked for it. Does nothing where the clock is pinned.
    fn pause(&self, duration: Duration);
}

/// Files of our own, outside of the project.
pub trait OwnFolders: Send + Sync {
    /// A new folder of our own, outside of the project, with these files in it by their paths
    /// below it. It is gone with everything in it when the value is dropped.
    ///
    /// # Errors
    /// When it cannot be made, or a path leads out of it.
    fn scratch(&self, files: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError>;

    /// A file of ours with this name and content that stays, for programs that want one.
    /// `None` if it cannot be made.
    fn persistent_file(&self, name: &str, content: &[u8]) -> Option<AbsolutePath>;
}

/// Changes to the files of the project.
pub trait FileChanges: Send + Sync {
    /// Replaces the content `from` of a file by `to`, whole or not
    /// at all. Mode and symlinks stay.
    ///
    /// # Errors
    /// When it cannot be written; it is as it was then.
    fn rewrite(&self, path: &AbsolutePath, from: &[u8], to: &[u8]) -> Result<Rewritten, PolicyError>;

    /// Makes a file with this content below the project, with the folders that are missing, unless something
    /// is there already.
    ///
    /// # Errors
    /// When it cannot be made, or a link leads out of the project.
    fn create(&self, path: &AbsolutePath, content: &[u8]) -> Result<Created, PolicyError>;

    /// Changes a file below the project, one process after the other: `change` is given what is in it (`None` if it is
    /// not there) and returns the new content, or `None` to leave it. It is called again if a process that does not wait for
    /// others changed the file meanwhile. What others appended while it was replaced is carried over.
    /// Returns whether the file was changed.
    ///
    /// # Errors
    /// What `change` returns; when the file cannot be read or written (it is as it was then); when others keep changing it.
    fn update(&self, path: &AbsolutePath, change: &mut FileUpdate<'_>) -> Result<bool, PolicyError>;

    /// Appends one line to a file below the project, one process after the other. The file is made if
    /// it is not there; a last line that was never ended is ended first.
    ///
    /// # Errors
    /// When it cannot be written.
    fn append(&self, path: &AbsolutePath, line: &str) -> Result<(), PolicyError>;

    /// Makes a symbolic link below the project that leads to `to`. Only a link that leads into the same folder as
    /// `to` is replaced; anything else that is there stays. Returns whether the link is there now.
    ///
    /// # Errors
    /// When it cannot be made.
    fn link(&self, path: &AbsolutePath, to: &AbsolutePath) -> Result<bool, PolicyError>;
}

/// Changes to what is noted of the project.
pub trait NoteChanges: Send + Sync {
    /// Changes what is noted of this project under a key, one process after the other: `change` is given the note
    /// (`None` at first) and returns the new one, empty to delete it, or `None` to leave it.
    ///
    /// # Errors
    /// What `change` returns, or when the note cannot be read or written.
    fn change_note(&self, key: &str, change: &mut NoteChange<'_>) -> Result<(), PolicyError>;
}

/// The new content of a file, from its present content.
pub type FileUpdate<'a> = dyn FnMut(Option<&[u8]>) -> Result<Option<Vec<u8>>, PolicyError> + 'a;

/// The new text of a note, from its present text.
pub type NoteChange<'a> = dyn FnMut(Option<&str>) -> Result<Option<String>, PolicyError> + 'a;

/// The result of creating a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is there now.
    Yes,
    /// Something was there; it was left alone.
    AlreadyExists,
}

/// A folder that is gone when this is dropped.
pub trait Scratch: Send + Sync {
    /// Without symlinks.
    fn path(&self) -> &AbsolutePath;

    /// Makes a symbolic link in it, with the folders that are missing. Returns whether it is there now.
    fn link(&self, path: &AbsolutePath, to: &AbsolutePath) -> bool;

    /// Replaces a file in it, with the folders that are missing. Returns whether it has this content now: never through a
    /// link, which may lead out of it.
    fn write(&self, path: &AbsolutePath, content: &[u8]) -> bool;
}

/// A program to find, and where it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramQuery {
    /// Its name, or a path to it.
    pub name: String,
    /// The folder from which project-local places are looked for, upwards to the project's root:
    /// `.venv/bin`, `venv/bin`, `node_modules/.bin`.
    pub near: AbsolutePath,
    pub places: Places,
}

/// Where a program is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Places {
    /// Project-local places before the search path.
    ProjectFirst,
    /// The search path.
    SearchPath,
    /// The search path without folders of the project: nobody trusts what is there.
    OutsideProject,
}

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub path: AbsolutePath,
    /// Changes when the program or what it is made of changes: its place, size and time, and those
    /// of the packages around it. For keys, not for people.
    pub identity: String,
}

/// A program to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    pub program: AbsolutePath,
    pub arguments: Vec<String>,
    /// The folder it runs in.
    pub folder: AbsolutePath,
    /// What it reads from standard input; nothing if `None`.
    pub stdin: Option<Vec<u8>>,
    /// Which variables of our environment it gets.
    pub inherit: Inherit,
    /// Variables set for it.
    pub set: BTreeMap<String, String>,
    /// Variables removed from its environment, besides those that would lead git to another repository.
    pub unset: Vec<String>,
    /// When it is stopped, from its own start; the common deadline holds too.
    pub timeout: Option<Duration>,
    /// It is stopped when it and what it started use more memory than this, in bytes.
    pub memory: Option<u64>,
    /// Whether it is kept from what the commands of the agent are kept from: it does what files say that an agent can write.
    pub in_seatbelt: bool,
}

/// Which variables of our environment a job gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Inherit {
    #[default]
    All,
    /// Only these: names, or their beginnings with a `*` behind them.
    Only(Vec<&'static str>),
}

impl Inherit {
    /// Whether a job gets this variable.
    #[must_use]
    pub fn includes(&self, name: &str) -> bool {
        let fits = |pattern: &&str| match pattern.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == *pattern,
        };
        match self {
            Inherit::All => true,
            Inherit::Only(patterns) => patterns.iter().any(fits),
        }
    }
}

/// How long jobs may run, and how many at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// All must have ended by then, from the call.
    pub timeout: Duration,
    /// How many run at a time; 0 is one per core.
    pub at_a_time: usize,
    /// How much of each output is returned, in bytes. The rest is read and dropped.
    pub output_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { timeout: Duration::from_secs(25), at_a_time: 0, output_bytes: 8 * 1024 * 1024 }
    }
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobResult {
    /// The way it ended.
    pub ending: Ending,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Whether more was printed than is returned.
    pub cut: bool,
    /// How long it took.
    pub took: Duration,
}

/// The way a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that was not ours.
    Killed(i32),
    /// Stopped at the common deadline.
    TimedOut,
    /// Stopped because it exceeded a limit of its own.
    OverLimit(JobLimit),
    /// It never ran, and why.
    NotStarted(String),
}

/// A limit of one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobLimit {
    Time(Duration),
    /// In bytes.
    Memory(u64),
}

/// The result of rewriting a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rewritten {
    /// It holds the new content.
    Yes,
    /// Another process changed it in the meantime: it was left alone.
    Overtaken,
}

/// A request to a model's server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub url: String,
    /// Names and values; values are secrets and never shown.
    pub headers: Vec<(String, String)>,
    /// The JSON text to post; without one the request is a GET.
    pub body: Option<String>,
    /// How long all of it may take.
    pub timeout: Duration,
}

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// 200 and so on.
    pub status: u16,
    /// Its `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Its text, cut at a few megabytes.
    pub body: String,
}
