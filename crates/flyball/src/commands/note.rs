//! The record of what a command changed in a session, so that `flyball log` shows it among the events.

use std::time::Duration;

use flyball_core::event::{AnswerId, CallKey, EventKind};
use flyball_core::record::Record;
use flyball_core::redact::redact;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_store::SessionSummary;

/// The record of what `command` was told about a session: `flyball loop`, `loop continue 3`.
pub(in crate::commands) fn note(session: &SessionSummary, (command, said): (&str, &str)) -> Record {
    let at = Time::now();
    let process = std::process::id();
    let unique = u64::try_from(at.as_micros())
        .unwrap_or_default()
        // The low bits are for the process: two commands may run in the same microsecond.
        .wrapping_mul(0x1_0000)
        .wrapping_add(u64::from(process));
    Record {
        id: AnswerId::from_seed(unique),
        at,
        client: session.client.clone(),
        session: session.session.clone(),
        agent: None,
        project: session.project.clone(),
        // No client sends it, so it is none of the events that policies know.
        kind: EventKind::Unknown,
        native: command.to_owned(),
        tool: None,
        subject: redact(said).into_owned(),
        // Two people who say the same within a second have both said it.
        call: CallKey::from_payload(format!("{said} {process} {}", at.as_micros()).as_bytes()),
        duplicate: false,
        stance: Stance::Silent,
        said: String::new(),
        context_chars: 0,
        notices: Vec::new(),
        rewritten: false,
        rulings: Vec::new(),
        took: Duration::ZERO,
        payload: None,
    }
}

/// Now, in whole milliseconds, as policies remember it.
pub(in crate::commands) fn now() -> Time {
    Time::from_millis(Time::now().as_millis())
}
