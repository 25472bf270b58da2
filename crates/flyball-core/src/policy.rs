//! What a policy is, and what it is given.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::config::{Mode, Section, SectionSpec};
use crate::event::{Event, EventKind};
use crate::verdict::Verdict;

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
}

impl Policy {
    /// Whether it judges events of this kind.
    #[must_use]
    pub fn listens_to(&self, kind: EventKind) -> bool {
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
    /// The policy's own section of the config.
    pub section: &'a Section,
    /// What it may know of the world.
    pub world: &'a dyn World,
    /// What it remembered of this session.
    pub memory: &'a dyn Memory,
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

    /// The files and folders that flyball itself consists of on this machine.
    fn own_files(&self) -> &[OwnFile];
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
