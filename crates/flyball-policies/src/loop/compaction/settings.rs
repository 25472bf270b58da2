//! `[loop.compaction]`.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::globs::Glob;

/// The window of most models.
const DEFAULT_WINDOW: NonZeroU64 = NonZeroU64::MIN.saturating_add(199_999);
/// The window of a model whose name says so.
pub(super) const LARGE: u64 = 1_000_000;
/// The part of the name that says so.
const LARGE_WINDOW_MARK: &str = "[1m]";

/// `[loop.compaction]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// When it checks: only while a workflow is in a phase (see `loop.workflow`), or always.
    pub(super) when: When,
    /// How full the context is when the agent is reminded, in percent of the window: once each, until it is below again.
    pub(super) soft: Vec<Percent>,
    /// How full it is when new subagents are denied, in percent of the window.
    pub(super) hard: Percent,
    /// The window of a model that is in none of `windows`, in tokens. A name with `[1m]` has a million.
    pub(super) window: NonZeroU64,
    /// Windows by model: a glob of its name, and tokens. The longest glob that matches counts.
    pub(super) windows: BTreeMap<Glob, NonZeroU64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            when: When::Workflow,
            soft: vec![Percent(75), Percent(80)],
            hard: Percent(85),
            window: DEFAULT_WINDOW,
            windows: BTreeMap::new(),
        }
    }
}

/// When it checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum When {
    /// While a workflow is in a phase.
    Workflow,
    /// Always.
    Always,
}

/// A share of the window: from 1 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Percent(#[schemars(range(min = 1, max = 100))] u8);

impl Percent {
    pub(super) fn get(self) -> u64 {
        u64::from(self.0)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Percent, D::Error> {
        deserializer.deserialize_u8(PercentVisitor)
    }
}

/// Checks the value while it is parsed, so that an error points at it and not at the list around it.
struct PercentVisitor;

impl Visitor<'_> for PercentVisitor {
    type Value = Percent;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a percentage from 1 to 100")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Percent, E> {
        let share = u8::try_from(value).ok().filter(|share| (1..=100).contains(share));
        share.map(Percent).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Percent, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }
}

/// A window, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    /// From the user, or the name of the model.
    Known(u64),
    /// What most models have.
    Assumed(u64),
}

impl Settings {
    /// The window of a model.
    pub(super) fn window_of(&self, model: &str) -> Window {
        let matching = self.windows.iter().filter(|(glob, _)| glob.matches(model));
        let longest = matching.max_by_key(|(glob, _)| glob.as_str().len());
        match longest {
            Some((_, tokens)) => Window::Known(tokens.get()),
            None if model.contains(LARGE_WINDOW_MARK) => Window::Known(LARGE),
            None => Window::Assumed(self.window.get()),
        }
    }

    /// The highest soft level that a share has reached; 0 if none.
    pub(super) fn level(&self, share: u64) -> u64 {
        let reached = self.soft.iter().map(|level| level.get()).filter(|level| *level <= share);
        reached.max().unwrap_or_default()
    }
}
