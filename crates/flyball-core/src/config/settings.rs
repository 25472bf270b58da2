//! The sections that belong to no policy: `[engine]`, `[store]` and `[trust]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[engine]`: how an event is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EngineSettings {
    /// How long one policy may take before the decision is made without it, in milliseconds.
    pub deadline_ms: u64,
    /// How much context one event may add for the model, in characters. Clients set aside what is
    /// longer than 10,000.
    pub context_chars: usize,
    /// Programs of your own that only start another one, besides those that are known (`sudo`,
    /// `timeout` …): the first word after them and their options is the program that is judged.
    pub wrappers: Vec<String>,
}

impl Default for EngineSettings {
    fn default() -> Self {
        EngineSettings { deadline_ms: 2_000, context_chars: 9_500, wrappers: Vec::new() }
    }
}

/// `[store]`: what is kept of the events, and for how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StoreSettings {
    /// What is kept of an event's payload.
    pub payloads: Payloads,
    /// Events older than this many days are deleted. 0 keeps them forever.
    pub keep_days: u32,
    /// The oldest events are deleted when the store grows beyond this size, in megabytes. 0 is
    /// no limit.
    pub max_mb: u32,
}

impl Default for StoreSettings {
    fn default() -> Self {
        StoreSettings { payloads: Payloads::Redacted, keep_days: 30, max_mb: 512 }
    }
}

/// `[trust]`: which projects may say anything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct TrustSettings {
    /// Folders whose projects are trusted: their `flyball.toml` counts as if it had been accepted with `flyball trust`
    /// when a session begins. Absolute, or below `~/`.
    pub projects: Vec<String>,
}

/// What is kept of an event's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Payloads {
    /// The payload with keys, tokens and passwords removed.
    Redacted,
    /// Nothing but the facts that the log shows.
    None,
    /// The payload as it came, secrets included.
    Full,
}
