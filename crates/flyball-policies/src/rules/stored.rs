//! Rules as the hook path loads them: a row per rule that shows whether it can match, and the
//! rest unread until it can.

use flyball_core::config::Mode;
use flyball_core::event::{Event, EventKind, PermissionMode, ToolKind};
use flyball_core::expr::{Program, Template};
use flyball_core::policy::PolicyError;
use flyball_core::verdict::Rewrite;
use serde::{Deserialize, Serialize};

use super::action::{Action, Once};

/// All rules of a config.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRules {
    pub(super) rules: Vec<StoredRule>,
}

/// One rule: which events it can be about, and the rest as postcard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredRule {
    events: u64,
    /// No bit set: any tool, or none.
    tools: u32,
    #[serde(with = "serde_bytes")]
    body: Vec<u8>,
}

/// What a rule matches and does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Body {
    pub(super) id: String,
    /// Where it was written: `flyball.toml:9:1`.
    pub(super) origin: String,
    pub(super) path: Vec<String>,
    pub(super) agent: Vec<String>,
    pub(super) permission_mode: Vec<PermissionMode>,
    pub(super) when: Option<Program>,
    pub(super) action: Action,
    pub(super) message: Template,
    pub(super) rewrites: Vec<Rewrite>,
    pub(super) once: Option<Once>,
    pub(super) rank: i32,
    pub(super) mode: Mode,
}

impl StoredRules {
    /// The rules that can be about this event.
    pub(super) fn candidates(&self, event: &Event) -> impl Iterator<Item = &StoredRule> {
        let kind = event_bit(event.kind());
        let tool = event.call().map_or(0, |call| tool_bit(call.tool.kind()));
        self.rules
            .iter()
            .filter(move |rule| rule.events & kind != 0 && (rule.tools == 0 || rule.tools & tool != 0))
    }
}

impl StoredRule {
    pub(super) fn new(events: &[EventKind], tools: &[ToolKind], body: &Body) -> StoredRule {
        StoredRule {
            events: events.iter().fold(0, |bits, kind| bits | event_bit(*kind)),
            tools: tools.iter().fold(0, |bits, kind| bits | tool_bit(*kind)),
            // Plain data: writing it into memory cannot fail, and an empty body cannot be read.
            body: postcard::to_stdvec(body).unwrap_or_default(),
        }
    }

    pub(super) fn body(&self) -> Result<Body, PolicyError> {
        postcard::from_bytes(&self.body)
            .map_err(|cause| PolicyError::Bug { what: format!("a compiled rule: {cause}") })
    }
}

const fn event_bit(kind: EventKind) -> u64 {
    // There must be no more than 64 kinds of events: a greater shift overflows.
    1 << (kind as u32)
}

const fn tool_bit(kind: ToolKind) -> u32 {
    // The same for 32 kinds of tools.
    1 << (kind as u32)
}
