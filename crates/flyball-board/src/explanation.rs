//! One decision and all that led to it: what `flyball explain` prints and the board's page shows.

use flyball_core::record::Record;
use serde::Serialize;

/// Everything about one decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// What was recorded, with its payload if that was stored.
    pub record: Record,
    /// What the answer meant for the client, in a sentence.
    pub meaning: String,
    /// The policies that had a part in it, each with where its settings come from. Those that were silent come last.
    pub policies: Vec<PolicyExplained>,
    /// What would have led to another answer.
    pub changes: Vec<Change>,
    /// What a person can do next: commands, mostly.
    pub next: Vec<String>,
}

/// What one policy has to do with a decision. Its ruling is the one of the same name in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PolicyExplained {
    pub policy: String,
    /// What it governs, in a line.
    pub summary: String,
    /// The mode it is in today; the record has the one it was in then.
    pub mode_now: String,
    /// Where that comes from: `flyball.toml:12` or `the default`.
    pub mode_origin: String,
    /// Its settings that are not the default, and where each comes from.
    pub settings: Vec<SettingExplained>,
    /// What else its ruling is based on: an earlier denial, approvals.
    pub notes: Vec<NoteExplained>,
}

/// Something that a ruling is based on beside the config.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteExplained {
    /// What it is, in a line.
    pub text: String,
    /// The id of the answer that it is about, if it is about one.
    pub answer: Option<String>,
}

/// One setting in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SettingExplained {
    /// The key, with the section: `guard.packages.python`.
    pub key: String,
    /// Its value, as TOML.
    pub value: String,
    /// Where it comes from: `flyball.toml:12`.
    pub origin: String,
}

/// Something that would have led to another answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// If this had been so: `guard.packages` only observed, the command was `uv add requests` …
    pub if_only: String,
    /// The answer would have been this: `silent`, or `still deny: guard.denials objects as well`.
    pub then: String,
    /// How a person makes it so, if one can: a line of config, a command.
    pub how: Option<String>,
}
