//! The canonical event: what happened in a coding agent's client, in flyball's own words.
//!
//! Adapters build it, policies read it. Nothing here knows a client's names.

mod data;
mod ids;
mod kind;
mod tool;

pub use data::{
    Agent, BackgroundWork, CompactTrigger, EventData, Outcome, PermissionMode, RefusedCall, SpawnedAgent,
    Stopping,
};
pub use ids::{AnswerId, CallKey, SessionId};
pub use kind::EventKind;
pub use tool::{Change, FileEdit, SearchFor, Tool, ToolCall, ToolKind};

use serde::{Deserialize, Serialize};

use crate::path::AbsolutePath;

/// One event of one session, decoded from whatever the client sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The adapter that decoded it, e.g. `claude-code`.
    pub client: String,
    /// The client's own name of the event, kept for the record.
    pub native: String,
    /// The session it belongs to.
    pub session: SessionId,
    /// The subagent it happened in; `None` on the main thread.
    pub agent: Option<Agent>,
    /// The working directory of the session at this moment.
    pub cwd: AbsolutePath,
    /// The project directory the client was started in, if it says so.
    pub project: Option<AbsolutePath>,
    /// The client's transcript of the session, if it names one.
    pub transcript: Option<AbsolutePath>,
    /// How freely the client lets the agent act.
    pub permission_mode: Option<PermissionMode>,
    pub happening: EventData,
}

impl Event {
    /// An event of which no more is known than this.
    #[must_use]
    pub fn new(client: &str, session: SessionId, cwd: AbsolutePath, happening: EventData) -> Event {
        Event {
            client: client.to_owned(),
            native: String::new(),
            session,
            agent: None,
            cwd,
            project: None,
            transcript: None,
            permission_mode: None,
            happening,
        }
    }

    /// The kind of this event: the word policies and rules listen by.
    #[must_use]
    pub fn kind(&self) -> EventKind {
        self.happening.kind()
    }

    /// The tool call this event is about, for the events that are about one.
    #[must_use]
    pub fn call(&self) -> Option<&ToolCall> {
        self.happening.call()
    }

    /// Whether the client only plans: nothing can be edited.
    #[must_use]
    pub fn is_planning(&self) -> bool {
        self.permission_mode == Some(PermissionMode::Plan)
    }

    /// The same event with the main text of its tool call replaced: what the client will run
    /// after a rewrite. `None` when the event has no such text.
    #[must_use]
    pub fn with_main_text(&self, text: String) -> Option<Event> {
        let mut event = self.clone();
        // At any other event the call has already been made, or the client takes no rewrite.
        let EventData::BeforeTool(call) = &mut event.happening else {
            return None;
        };
        *call.tool.main_text_mut()? = text;
        Some(event)
    }
}
