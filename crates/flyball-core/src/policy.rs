//! What a policy is, and what it is given.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::config::{Mode, Payloads, Section, SectionSpec};
use crate::event::{Event, EventKind};
use crate::facts::Facts;
use crate::redact::redact;
use crate::ruling::Ruling;
use crate::verdict::Verdict;
use crate::workshop::Workshop;

pub use crate::error::PolicyError;
pub use crate::facts::Gathered;
pub use crate::memory::{InMemory, Memory};
pub use crate::policy_id::PolicyId;
pub use crate::world::{
    Approval, Clock, ContentHash, Contents, ContextSize, ConversationReader, FileApprovals, FileNote, Files,
    Git, GitAnswer, LeftProcess, Notes, OwnFile, Place, Processes, Stat, Tail, TailReader, TranscriptReader,
    Transcripts, World,
};

/// What the answer becomes when a policy cannot judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnError {
    /// A guard: deny where the client waits for a decision. Elsewhere a notice.
    Deny,
    /// A loop: the end of a turn is held, a few times at most, because nobody knows whether the work is done.
    /// Elsewhere a notice.
    Hold,
    /// A convenience: the action passes, the user gets a notice.
    Notice,
}

/// One policy: an entry of the registry.
pub struct Policy {
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
    pub run: fn(&Situation<'_>) -> Result<Verdict, PolicyError>,
    /// What it does before it judges, if it has to do something: run programs, format a file.
    pub gather: Option<Gather>,
    /// A second verdict after all policies have judged, for the few that judge the others' verdicts: its
    /// verdict joins theirs. It cannot take any of them back.
    pub review: Option<Review>,
}

/// What a policy does before it judges. Its memory can only be read here, without holding up the
/// session's other events; what it returns is [`Situation::gathered`] when it judges.
pub type Gather = fn(&Situation<'_>, &dyn Workshop) -> Result<Option<Gathered>, PolicyError>;

/// A policy's verdict on all rulings.
pub type Review = fn(&Situation<'_>, &[Ruling]) -> Result<Verdict, PolicyError>;

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
    /// The policy that judges.
    pub policy: PolicyId,
    pub event: &'a Event,
    /// Whether its verdict counts. A policy that only observes changes nothing while it gathers.
    pub mode: Mode,
    /// The policy's own section of the config.
    pub section: &'a Section,
    /// What it may know of the world.
    pub world: &'a dyn World,
    /// What it remembered of this session.
    pub memory: &'a dyn Memory,
    /// Facts about this event that several policies share.
    pub facts: &'a Facts,
    /// Programs that only start another one, by the user's config.
    pub wrappers: &'a [String],
    /// How much context all policies together may add in one event, in UTF-16 units.
    pub context_chars: usize,
    /// What may be stored of events.
    pub payloads: Payloads,
}

impl Situation<'_> {
    /// The policy's config.
    ///
    /// # Errors
    /// When the compiled config does not fit the type, which is a bug of ours.
    pub fn config<T: DeserializeOwned>(&self) -> Result<T, PolicyError> {
        self.section.parse()
    }

    /// What this policy remembered of this session. If another process changes it before this event is recorded, the
    /// event is judged again.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn recall<T: DeserializeOwned + Default>(&self) -> Result<T, PolicyError> {
        match self.memory.read(self.policy.as_str())? {
            // Not the default: a guard that forgets what it saw would let pass what it has to deny.
            Some(text) => serde_json::from_str(&text).map_err(|cause| PolicyError::Stored {
                what: format!("the stored state of {} cannot be read: {cause}", self.policy),
            }),
            None => Ok(T::default()),
        }
    }

    /// Whether this policy remembered anything of this session.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn remembers(&self) -> Result<bool, PolicyError> {
        self.memory.has(self.policy.as_str())
    }

    /// Whether what it remembers will be there at the next event.
    #[must_use]
    pub fn memory_lasts(&self) -> bool {
        self.memory.lasts()
    }

    /// Changes what this policy remembers of this session. It is written only if that made a difference.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub fn update<T, R>(&self, change: impl FnOnce(&mut T) -> R) -> Result<R, PolicyError>
    where
        T: DeserializeOwned + Serialize + Default + Clone + PartialEq,
    {
        let before: T = self.recall()?;
        let mut value = before.clone();
        let result = change(&mut value);
        if value != before {
            self.remember(&value)?;
        }
        Ok(result)
    }

    /// Remembers `value` for this session. It is stored with the record of the event, or not at all.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub fn remember<T: Serialize>(&self, value: &T) -> Result<(), PolicyError> {
        let text = serde_json::to_string(value)
            .map_err(|cause| PolicyError::Bug { what: format!("state of {}: {cause}", self.policy) })?;
        // Commands and messages that a policy remembers are in the journal like the event itself.
        self.memory.write(self.policy.as_str(), redact(&text).into_owned())
    }
}
