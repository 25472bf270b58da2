//! What a provider is asked, and how it fails.

use flyball_core::workshop::Workshop;

use super::{claude, server};
use crate::report::FixOutcome;
use crate::settings::{FixerSettings, Provider, Strength};

/// What a provider is asked.
pub(super) struct FixRequest<'a> {
    pub(super) settings: &'a FixerSettings,
    pub(super) strength: Strength,
    pub(super) model: &'a str,
    /// The project's root: absolute.
    pub(super) root: &'a str,
    /// The file, relative to it.
    pub(super) path: &'a str,
    /// What is in it.
    pub(super) before: &'a str,
    /// What is to be done.
    pub(super) task: String,
    /// How long it may take.
    pub(super) millis: u64,
}

impl FixRequest<'_> {
    /// The file as the model would have it. The project is not touched.
    pub(super) fn propose(&self, workshop: &dyn Workshop) -> Result<String, FixOutcome> {
        match self.settings.provider {
            Provider::Claude => claude::propose(self, workshop),
            Provider::Anthropic | Provider::Openai => server::propose(self, workshop),
        }
    }
}

pub(super) fn failed(why: String) -> FixOutcome {
    FixOutcome::Failed(why)
}
