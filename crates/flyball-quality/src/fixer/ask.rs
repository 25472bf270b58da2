//! What a provider is asked, and how it fails.

use flyball_core::workshop::Workshop;

use super::{claude, server};
use crate::report::FixEnd;
use crate::settings::{FixerSettings, Provider, Strength};

/// What a provider is asked.
pub(super) struct Ask<'a> {
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

impl Ask<'_> {
    /// The file as the model would have it. The project is not touched.
    pub(super) fn propose(&self, shop: &dyn Workshop) -> Result<String, FixEnd> {
        match self.settings.provider {
            Provider::Claude => claude::propose(self, shop),
            Provider::Anthropic | Provider::Openai => server::propose(self, shop),
        }
    }
}

pub(super) fn failed(why: String) -> FixEnd {
    FixEnd::Failed(why)
}
