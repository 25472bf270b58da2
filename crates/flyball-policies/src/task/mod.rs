//! Work that survives: plans, locks and lessons over subagents, compaction and stops.

pub mod agents;
pub mod search;
pub mod session;
pub mod stop;
mod wish;

use flyball_core::event::Event;

/// The client and the id of the session of an event, as locks know it.
fn session_key(event: &Event) -> (&str, &str) {
    (&event.client, event.session.as_str())
}
