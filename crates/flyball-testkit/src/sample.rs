//! Records to test with.

use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::{AnswerId, CallKey, EventKind, SessionId, ToolKind};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::{Reason, Stance};

/// 2026-11-15.
pub const NOW: Time = Time::from_millis(1_794_700_800_000);

/// The `number`th event of a session: one second after the one before, each of another call. A test changes what it is
/// about: `Record { stance: Stance::Deny, ..record(1) }`.
pub fn record(number: u64) -> Record {
    Record {
        id: AnswerId::from_seed(number),
        at: NOW + Duration::from_secs(number),
        client: "claude-code".to_owned(),
        session: SessionId::new("5f0c-1"),
        agent: None,
        project: "/home/ada/engine".to_owned(),
        kind: EventKind::BeforeTool,
        native: "PreToolUse".to_owned(),
        tool: Some(ToolKind::Shell),
        subject: format!("cargo test number-{number}"),
        call: CallKey::from_payload(&number.to_le_bytes()),
        duplicate: false,
        stance: Stance::Silent,
        said: String::new(),
        context_chars: 0,
        notices: Vec::new(),
        rewritten: false,
        rulings: Vec::new(),
        took: Duration::from_micros(400),
        payload: Some(format!("{{\"tool_input\":{{\"command\":\"cargo test number-{number}\"}}}}")),
    }
}

/// What a policy decided about an event.
pub fn ruling(policy: &str, stance: Stance) -> RecordedRuling {
    RecordedRuling {
        policy: policy.to_owned(),
        mode: Mode::Enforce,
        skipped: false,
        stance,
        reasons: if stance == Stance::Deny { vec![Reason::plain("no")] } else { Vec::new() },
        evidence: Vec::new(),
        error: None,
        took: Duration::from_micros(12),
    }
}
