//! The locks of a project, as they are stored in its note.

use std::collections::BTreeMap;
use std::time::Duration;

use flyball_core::path::ProjectPath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

/// The note with all locks of a project.
pub const NOTE: &str = "task.locks";

/// The note with locks that could not be read.
pub const DAMAGED: &str = "task.locks.damaged";

/// All locks of a project, by the path of the plan relative to its root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Locks(pub BTreeMap<ProjectPath, Lock>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lock {
    /// When the task was started.
    #[serde(with = "time::millis")]
    pub started_at: Time,
    /// `None` until a session is bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<Holder>,
    /// That a person paused it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<Pause>,
}

/// A task that a person paused: nobody is blocked from stopping for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pause {
    #[serde(with = "time::millis")]
    pub at: Time,
    /// What the person wrote: a prompt, or the command.
    pub text: String,
}

/// The session that works on a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The client; empty where only the file of another tool names the session.
    pub client: String,
    pub session: String,
    /// When it was bound.
    #[serde(with = "time::millis")]
    pub bound_at: Time,
    /// The time of its last sign of life.
    #[serde(with = "time::millis")]
    pub heard_at: Time,
    /// Whether it has ended since then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_ended: bool,
}

impl Holder {
    /// Whether it is this session. Files of other tools do not name the client.
    #[must_use]
    pub fn is_session(&self, (client, session): (&str, &str)) -> bool {
        self.session == session && (self.client == client || self.client.is_empty())
    }

    /// Whether it has ended, or has shown no sign of life for longer than `after`.
    #[must_use]
    pub fn is_gone(&self, now: Time, after: Duration) -> bool {
        self.has_ended || now.since(self.heard_at) > after
    }
}

/// All locks.
///
/// # Errors
/// When the note cannot be read. It is never deleted for that.
pub fn read_all(world: &dyn World) -> Result<Locks, PolicyError> {
    let Some(text) = world.project_note(NOTE)? else { return Ok(Locks::default()) };
    parse(&text)
}

/// Reads the note.
///
/// # Errors
/// When it is damaged.
pub fn parse(text: &str) -> Result<Locks, PolicyError> {
    serde_json::from_str(text).map_err(|cause| PolicyError::World {
        what: format!("invalid task locks of this project: {cause}"),
        fix: "run `flyball task release` in your own terminal: it sets the locks aside and leaves plans unchanged"
            .to_owned(),
    })
}
