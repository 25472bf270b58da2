//! Whether a client started this process, or a command that its agent runs.
//!
//! An event that an agent makes up would write what its session remembers: a stop that nobody made, a prompt that nobody
//! typed.

use std::path::Path;

use flyball_core::event::{Event, EventData};
use flyball_core::memory::{CLIENT, OUTER_SESSION};
use flyball_core::policy::Memory;
use flyball_store::Store;

use crate::environment::{self, Environment, LOCK_WAIT};
use crate::processes::{self, MOST_ANCESTORS, Process};

/// Who started this process.
pub(super) enum Speaker {
    Client(Process),
    /// A command of an agent.
    Agent(Process),
    /// No client is above it: a person, a test, or a process that left its parents.
    Unknown,
}

impl Speaker {
    pub(super) fn find(state: Option<&Path>) -> Speaker {
        let mut between = Vec::new();
        let mut next = Process::find(flyball_system::parent_id());
        let (client, facts) = loop {
            let Some(process) = next.filter(|_| between.len() < MOST_ANCESTORS) else {
                return Speaker::Unknown;
            };
            if let Some(facts) = process.client() {
                break (process, facts);
            }
            next = process.parent();
            between.push(process);
        };
        // What the client has itself is from the terminal of another one.
        let is_from_client = |mark: &str| client.variable(mark).is_none();
        let is_tool = |process: &Process| process.mark(facts.tool_marks).is_some_and(is_from_client);
        let is_set_here = |mark: &&&str| environment::variable(mark).is_some();
        let here = facts.tool_marks.iter().find(is_set_here).is_some_and(|mark| is_from_client(mark));
        let forger = between.into_iter().find(is_tool).or_else(|| here.then(processes::this));
        // With another state directory it is a test: it writes into no memory of that client's sessions.
        match forger.filter(|_| client.state_dir().as_deref() == state) {
            Some(forger) => Speaker::Agent(forger),
            None => Speaker::Client(client),
        }
    }

    /// Whether the client of this event's session runs and did not send it: a process that left its parents did.
    pub(super) fn is_forged(&self, event: &Event, environment: &Environment) -> bool {
        let Speaker::Unknown = self else { return false };
        let Some(state) = environment.state_dir() else { return false };
        let journal = Store::at(state).session(&event.client, &event.session, LOCK_WAIT);
        let known = journal.peek(CLIENT).ok().flatten();
        known.and_then(|known| Process::find_known(&known)).is_some_and(|process| process.client().is_some())
    }

    /// Remembers which client a session belongs to, with the events that begin its work.
    pub(super) fn remember(&self, event: &Event, memory: &dyn Memory) {
        let begins =
            matches!(event.happening, EventData::SessionStart { .. } | EventData::PromptSubmit { .. });
        let Speaker::Client(client) = self else { return };
        let known = client.identity();
        if begins && memory.peek(CLIENT).ok().flatten().as_ref() != Some(&known) {
            // If the store fails, that is reported when the event is recorded.
            drop(memory.write(CLIENT, known));
            // The client was started by a command of another session's agent.
            let outer = client.client().and_then(|facts| client.variable(facts.session_variable));
            if let Some(outer) = outer.filter(|outer| *outer != event.session.as_str()) {
                drop(memory.write(OUTER_SESSION, outer));
            }
        }
    }
}
