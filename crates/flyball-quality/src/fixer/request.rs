//! What a provider is asked, and how it fails.

use std::time::Duration;

use flyball_core::path::{AbsolutePath, ProjectPath};
use flyball_core::time::whole_millis;

use crate::report::FixOutcome;
use crate::settings::{FixerSettings, Strength};

/// Set for the model's client and all that it starts. Where it is set, no model is asked.
pub const IN_FIXER: &str = "FLYBALL_IN_FIXER";

/// What a provider is asked.
pub(super) struct FixRequest<'a> {
    pub(super) settings: &'a FixerSettings,
    pub(super) strength: Strength,
    pub(super) model: &'a str,
    /// The project's root.
    pub(super) root: &'a AbsolutePath,
    pub(super) path: &'a ProjectPath,
    /// What is in it.
    pub(super) before: &'a str,
    /// The task for the model.
    pub(super) task: String,
    /// How long it may take.
    pub(super) timeout: Duration,
}

pub(super) fn failed(why: String) -> FixOutcome {
    FixOutcome::Failed(why)
}

/// `120 s`, `1.5 s`.
pub(super) fn seconds(duration: Duration) -> String {
    let millis = whole_millis(duration);
    if millis.is_multiple_of(1000) {
        format!("{} s", millis / 1000)
    } else {
        format!("{}.{} s", millis / 1000, millis % 1000 / 100)
    }
}
