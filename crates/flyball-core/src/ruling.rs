//! What one policy decided about one event.

use std::time::Duration;

use crate::config::Mode;
use crate::error::PolicyError;
use crate::policy_id::PolicyId;
use crate::verdict::Verdict;

/// What one policy decided, and what it counted for.
#[derive(Clone, Debug)]
pub struct Ruling {
    pub policy: PolicyId,
    pub mode: Mode,
    /// Its verdict, or the fallback if it failed.
    pub verdict: Verdict,
    /// Why it could not judge, if it could not.
    pub error: Option<PolicyError>,
    /// How long it took.
    pub took: Duration,
    /// Whether it was skipped by the person who started the client.
    pub skipped: bool,
}

impl Ruling {
    /// The verdict that goes into the answer: none for a policy that only observes.
    pub(crate) fn counted_verdict(&self) -> Verdict {
        match self.mode {
            Mode::Enforce if !self.skipped => self.verdict.clone(),
            Mode::Enforce | Mode::Observe | Mode::Off => Verdict::silent(),
        }
    }
}
