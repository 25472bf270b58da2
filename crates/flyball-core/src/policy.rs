//! What a policy is, and what it is given.

use std::any::Any;
use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::config::{Mode, Section, SectionSpec};
use crate::engine::Ruling;
use crate::event::{Event, EventKind};
use crate::facts::Facts;
use crate::verdict::Verdict;
use crate::workshop::Workshop;

/// The id of a policy: what is governed, e.g. `guard.packages`. Also the name of its config section
/// and of its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolicyId(&'static str);

impl PolicyId {
    /// An id; a test walks the registry and holds each to its form.
    #[must_use]
    pub const fn new(id: &'static str) -> PolicyId {
        PolicyId(id)
    }

    /// The id as text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for PolicyId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

/// What the answer becomes when a policy cannot judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// A guard: where the client waits for a word, the answer is no. Elsewhere a notice.
    Deny,
    /// A comfort: the action passes, the user is told.
    Notice,
}

/// One policy: an entry of the registry.
pub struct Policy {
    /// Its id.
    pub id: PolicyId,
    /// One line on what it governs.
    pub summary: &'static str,
    /// Its page, in Markdown.
    pub page: &'static str,
    /// The kinds of events it judges.
    pub listens: &'static [EventKind],
    /// What happens when it cannot judge.
    pub on_error: OnError,
    /// The mode it is in unless the config says otherwise.
    pub mode: Mode,
    /// The type of its config section.
    pub section: SectionSpec,
    /// The judgement.
    pub run: fn(&Situation<'_>) -> Result<Verdict, Trouble>,
    /// What it does before it judges, if it has to do something: run programs, format a file.
    pub gather: Option<Gather>,
    /// A second word after all policies have spoken, for the few that judge the judgement: its
    /// verdict joins theirs. It cannot take any of them back.
    pub review: Option<Review>,
}

/// What a policy does before it judges. Its memory can only be read here, without holding up the
/// session's other events; what it brings home is [`Situation::gathered`] when it judges.
pub type Gather = fn(&Situation<'_>, &dyn Workshop) -> Result<Option<Gathered>, Trouble>;

/// What a policy brought home.
pub type Gathered = Box<dyn Any + Send + Sync>;

/// What a policy says about what all of them said.
pub type Review = fn(&Situation<'_>, &[Ruling]) -> Result<Verdict, Trouble>;

impl Policy {
    /// Whether it judges events of this kind.
    #[must_use]
    pub(crate) fn listens_to(&self, kind: EventKind) -> bool {
        self.listens.contains(&kind)
    }
}

/// All that a policy is given to judge one event.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The policy that is asked.
    pub policy: PolicyId,
    /// What happened.
    pub event: &'a Event,
    /// Whether its verdict counts. A policy that only observes changes nothing while it gathers.
    pub mode: Mode,
    /// The policy's own section of the config.
    pub section: &'a Section,
    /// What it may know of the world.
    pub world: &'a dyn World,
    /// What it remembered of this session.
    pub memory: &'a dyn Memory,
    /// What several policies want to know of this event.
    pub facts: &'a Facts,
    /// Programs that the user says only start another one.
    pub wrappers: &'a [String],
    /// How much the model may be told in one event, by all policies together, in UTF-16 units.
    pub context_chars: usize,
}

impl Situation<'_> {
    /// The policy's config.
    ///
    /// # Errors
    /// When the compiled config does not fit the type, which is a bug of ours.
    pub fn config<T: DeserializeOwned>(&self) -> Result<T, Trouble> {
        self.section.parse()
    }

    /// What this policy remembered of this session. From here to the end of the event no other
    /// process changes it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn recall<T: DeserializeOwned + Default>(&self) -> Result<T, Trouble> {
        match self.memory.read(self.policy.as_str())? {
            Some(text) => serde_json::from_str(&text).map_err(|cause| Trouble::World {
                what: format!("the stored state of {} cannot be read: {cause}", self.policy),
                way_out: "`flyball doctor` shows the state of the store".to_owned(),
            }),
            None => Ok(T::default()),
        }
    }

    /// Whether this policy remembered anything of this session.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn remembers(&self) -> Result<bool, Trouble> {
        self.memory.has(self.policy.as_str())
    }

    /// Remembers `value` for this session. It is kept when the event is recorded, or not at all.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub fn remember<T: Serialize>(&self, value: &T) -> Result<(), Trouble> {
        let text = serde_json::to_string(value)
            .map_err(|cause| Trouble::Bug { what: format!("state of {}: {cause}", self.policy) })?;
        self.memory.write(self.policy.as_str(), text)
    }
}

/// What policies remember of a session. Reading takes the session's lock, so that what is read
/// and then written cannot be overtaken.
pub trait Memory: Send + Sync {
    /// The text stored under a key.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn read(&self, key: &str) -> Result<Option<String>, Trouble>;

    /// Whether a text is stored under a key. Cheaper than reading it.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn has(&self, key: &str) -> Result<bool, Trouble> {
        Ok(self.read(key)?.is_some())
    }

    /// The text stored under a key, read without keeping others from changing it.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn peek(&self, key: &str) -> Result<Option<String>, Trouble> {
        self.read(key)
    }

    /// Stores a text under a key, with the record of this event.
    ///
    /// # Errors
    /// When the store cannot be used.
    fn write(&self, key: &str, text: String) -> Result<(), Trouble>;
}

/// What policies may know of the world beyond the event. Tests pin it.
pub trait World: Send + Sync {
    /// Microseconds on a clock that never goes back: for durations only.
    fn micros(&self) -> u64;

    /// The absolute, symlink-free form of a path as the event names it, relative to `base`.
    /// What does not exist yet keeps its name below the part that does.
    fn real_path(&self, base: &str, path: &str) -> String;

    /// The root of the project this event belongs to.
    fn project_root(&self) -> &str;

    /// The absolute path of this program, for errands of its own; `None` where nobody can tell.
    fn program(&self) -> Option<String> {
        None
    }

    /// The files and folders that flyball itself consists of on this machine.
    fn own_files(&self) -> &[OwnFile];

    /// Milliseconds since 1970: for ages and file times.
    fn unix_millis(&self) -> u64;

    /// Minutes since midnight where the user is; `None` where nobody can tell.
    fn local_minutes(&self) -> Option<u32> {
        None
    }

    /// What is at an absolute path; symlinks are followed. `None` if nothing is there.
    fn stat(&self, path: &str) -> Option<Stat>;

    /// The content of the file at an absolute path. `None` if there is none, or if it is longer
    /// than `most` bytes.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn read(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, Trouble>;

    /// The end of the file at an absolute path: at most so many bytes, and whether that is all of it.
    /// `None` if there is none. The cost does not grow with the file.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn tail(&self, _path: &str, _most: u64) -> Result<Option<Tail>, Trouble> {
        Ok(None)
    }

    /// How full the model's context is, by the end of the transcript that a client keeps of a session. `None` if
    /// the transcript does not tell. The cost does not grow with the transcript.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn context_size(&self, _client: &str, _transcript: &str) -> Result<Option<ContextSize>, Trouble> {
        Ok(None)
    }

    /// What was said and done last in a session, by the end of the transcript that a client keeps of it: plain text, the
    /// latest last, at most so many characters, without what looks like a secret. `None` if nobody can read the
    /// transcript. The cost does not grow with it.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn recent_talk(&self, _client: &str, _transcript: &str, _most: usize) -> Result<Option<String>, Trouble> {
        Ok(None)
    }

    /// The names in the folder at an absolute path, sorted; none if there is no such folder.
    fn list(&self, folder: &str) -> Vec<String>;

    /// What `git` prints when it is asked something that changes nothing. `None` if it fails: no
    /// repository, no such commit, no git. Costs a process: ask only where the answer decides.
    ///
    /// # Errors
    /// When it does not come back.
    fn git(&self, folder: &str, question: &[&str]) -> Result<Option<String>, Trouble>;

    /// The files of the project that git does not ignore and that changed on disk at or after
    /// this time: absolute, sorted, at most a few hundred. Costs a process.
    ///
    /// # Errors
    /// When git does not come back.
    fn changed_files(&self, since_unix_millis: u64) -> Result<Vec<String>, Trouble>;

    /// Puts a text aside by its hash, so that it can be brought back later.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&self, content: &[u8]) -> Result<ContentHash, Trouble>;

    /// The hash of a text.
    fn hash(&self, content: &[u8]) -> ContentHash;

    /// What a person last accepted as the content of the file at an absolute path, if that was at
    /// or after this time. What was accepted before a session began was accepted for another one.
    ///
    /// # Errors
    /// When what was accepted cannot be read.
    fn approved(&self, _path: &str, _since_unix_millis: u64) -> Result<Option<Approval>, Trouble> {
        Ok(None)
    }

    /// What is noted of this project under a key, by [`Workshop::change_note`] and by commands. The cost does not grow
    /// with the number of notes.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    fn project_note(&self, _key: &str) -> Result<Option<String>, Trouble> {
        Ok(None)
    }

    /// Notes what was seen of protected files, by absolute path, for the commands by which a
    /// person accepts or undoes a change after the session.
    ///
    /// # Errors
    /// When it cannot be written.
    fn note(&self, _notes: &[(String, FileNote)]) -> Result<(), Trouble> {
        Ok(())
    }
}

/// What a person accepted for a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
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
}

/// The end of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether nothing stands before them.
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

/// Gives the end of a transcript: at most so many bytes.
pub type Tails<'a> = dyn FnMut(u64) -> Result<Option<Tail>, Trouble> + 'a;

/// Finds out how full a context is, from the transcript of the client of this id.
pub type TranscriptReader = fn(&str, &mut Tails<'_>) -> Result<Option<ContextSize>, Trouble>;

/// Tells what was said last, in at most so many characters, from the transcript of the client of this id.
pub type TalkReader = fn(&str, &mut Tails<'_>, usize) -> Result<Option<String>, Trouble>;

/// What is known of something on disk without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Stat {
    /// A folder, not a file.
    pub is_folder: bool,
    /// Its length.
    pub bytes: u64,
    /// When its content or its attributes last changed (not its settable time), in milliseconds
    /// since 1970.
    pub changed_millis: u64,
    /// The same with all the digits the file system has; only good for "the same as before".
    pub changed_nanos: u64,
    /// Its number on its device.
    pub inode: u64,
}

/// The hash of a text: 64 hexadecimal digits of SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct ContentHash(String);

impl ContentHash {
    /// A hash in its written form.
    #[must_use]
    pub fn new(hexadecimal: String) -> ContentHash {
        ContentHash(hexadecimal)
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A file or folder that an agent may not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFile {
    /// Its absolute path, as configured: symlinks in it are not resolved.
    pub path: String,
    /// What it is, for the message: "flyball's configuration".
    pub what: &'static str,
}

/// Why a policy could not judge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The world's fault: a disk, a lock, a file.
    #[error("{what}")]
    World {
        /// What went wrong.
        what: String,
        /// What a person can do.
        way_out: String,
    },
    /// Ours.
    #[error("flyball has a bug: {what}")]
    Bug {
        /// What is known of it.
        what: String,
    },
    /// It took too long.
    #[error("no verdict within {limit_ms} ms")]
    Late {
        /// How long it was given.
        limit_ms: u64,
    },
}

impl Trouble {
    /// What a person can do about it.
    #[must_use]
    pub fn way_out(&self) -> &str {
        match self {
            Trouble::World { way_out, .. } => way_out,
            Trouble::Bug { .. } => "`flyball doctor` collects what a bug report needs",
            Trouble::Late { .. } => "`engine.deadline_ms` in flyball.toml sets the limit",
        }
    }
}
