//! What is stored of an event: enough to explain the answer years later, nothing secret.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::config::Mode;
use crate::event::{Agent, AnswerId, CallKey, EventKind, SessionId, ToolKind};
use crate::outcome::Outcome;
use crate::time::{self, Time};
use crate::verdict::{Evidence, Reason, Stance};

/// The record of one event and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub id: AnswerId,
    #[serde(with = "time::micros")]
    pub at: Time,
    /// The client that called.
    pub client: String,
    pub session: SessionId,
    /// The subagent, if it happened in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// The root of the project.
    pub project: String,
    /// The kind of event.
    pub kind: EventKind,
    /// The client's own name of it.
    pub native: String,
    /// The kind of tool, for events about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolKind>,
    /// What it was about, in one redacted line: a command, a path, the head of a prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// What makes two arrivals the same call.
    pub call: CallKey,
    /// Whether the same call had been recorded already: answered again, not counted again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub duplicate: bool,
    pub stance: Stance,
    /// The texts shown to the agent or the user.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// How many characters of context were added for the model.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub context_chars: usize,
    /// Notices to the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
    /// Whether the call was rewritten.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rewritten: bool,
    /// What each policy decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<RecordedRuling>,
    /// How long flyball took, from its start to this record.
    #[serde(rename = "micros", with = "time::micros")]
    pub took: Duration,
    /// The payload, as `store.payloads` configures it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<String>,
}

impl Record {
    /// What came of it.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        Outcome::new(self.kind, self.stance)
    }

    /// The rulings that made the decision what it is.
    pub fn deciders(&self) -> impl Iterator<Item = &RecordedRuling> {
        let decided = |ruling: &&RecordedRuling| ruling.counts() && ruling.stance == self.stance;
        self.rulings.iter().filter(|_| self.stance != Stance::Silent).filter(decided)
    }
}

/// What one policy decided about one event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedRuling {
    pub policy: String,
    pub mode: Mode,
    /// Whether the person who started the client had switched it off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    pub stance: Stance,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Why it could not judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    // The name in the records that earlier versions wrote.
    #[serde(rename = "trouble")]
    pub error: Option<String>,
    /// How long it took.
    #[serde(rename = "micros", with = "time::micros")]
    pub took: Duration,
}

impl RecordedRuling {
    /// Whether it went into the decision.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.mode == Mode::Enforce && !self.skipped
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &usize) -> bool {
    *number == 0
}
