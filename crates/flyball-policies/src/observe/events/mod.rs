//! Decides which events are recorded.

use flyball_core::config::{Config, Mode, SectionSpec};
use flyball_core::event::EventKind;
use flyball_core::policy::{OnError, Policy, PolicyId};
use flyball_core::verdict::Verdict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("observe.events"),
    summary: "every event and its answer are recorded",
    page: include_str!("policy.md"),
    listens: EventKind::ALL,
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    // Recording happens once, after all verdicts are merged; `records` decides whether.
    run: |_| Ok(Verdict::silent()),
    gather: None,
    review: None,
};

/// `[observe.events]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Kinds of events that are recorded only if flyball answers them.
    pub skip: Vec<EventKind>,
}

/// Whether an event of this kind is recorded. One that flyball answered always is.
#[must_use]
pub fn records(config: &Config, kind: EventKind, silent: bool) -> bool {
    let Some(section) = config.sections.get(POLICY.id.as_str()) else { return true };
    if section.mode == Mode::Off {
        return false;
    }
    // A section that cannot be read is a bug of flyball, but events must not be lost.
    let settings: Settings = section.parse().unwrap_or_default();
    !silent || !settings.skip.contains(&kind)
}
