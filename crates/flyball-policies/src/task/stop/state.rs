//! How often an agent was blocked from stopping, and for what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use flyball_core::path::ProjectPath;

use super::settings::Settings;
use crate::blocking::{self, StopDecision};

/// What is remembered of a session, by the path of the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct State(pub(super) BTreeMap<ProjectPath, BlockHistory>);

/// What is remembered of one task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BlockHistory {
    /// How often in a row, without anything done in between.
    pub(super) in_row: u32,
    /// How often since the user's last prompt.
    pub(super) in_all: u32,
    /// A digest of the task at the last block.
    pub(super) seen: Option<u64>,
    /// Whether a tool was used since then.
    pub(super) has_worked: bool,
    /// The plan that was last reported as contradicting its status.
    pub(super) contradiction: Option<u64>,
    /// What was last reported to the user.
    #[serde(rename = "told")]
    pub(super) notified: Option<u64>,
}

impl State {
    /// Records that a tool was used. Returns whether that changed anything.
    pub(super) fn record_work(&mut self) -> bool {
        let mut is_news = false;
        for history in self.0.values_mut().filter(|history| history.in_row > 0 && !history.has_worked) {
            history.has_worked = true;
            is_news = true;
        }
        is_news
    }

    /// After a prompt of the user, the agent may be blocked and the user notified again.
    pub(super) fn rearm(&mut self) {
        for history in self.0.values_mut() {
            // The agent was asked about this contradiction already; a prompt does not change that.
            *history = BlockHistory { contradiction: history.contradiction, ..BlockHistory::default() };
        }
    }
}

impl BlockHistory {
    /// The agent wants to stop while a task is open that looks like `seen`.
    pub(super) fn stop(&mut self, seen: u64, settings: &Settings) -> StopDecision {
        if self.has_worked || self.seen != Some(seen) {
            self.in_row = 0;
        }
        if self.in_row >= settings.max_holds || self.in_all >= settings.max_holds_in_all {
            return self.release(seen);
        }
        self.in_row += 1;
        self.in_all += 1;
        self.seen = Some(seen);
        self.has_worked = false;
        StopDecision::Block
    }

    /// The status of the plan says that it is over, but it has open items.
    pub(super) fn contradict(&mut self, plan: u64, settings: &Settings) -> StopDecision {
        if self.is_settled(plan, settings) {
            return self.release(plan);
        }
        self.in_all += 1;
        self.contradiction = Some(plan);
        StopDecision::Block
    }

    /// Whether the contradiction was reported to the agent already.
    pub(super) fn is_settled(&self, plan: u64, settings: &Settings) -> bool {
        self.contradiction == Some(plan)
            || settings.max_holds == 0
            || self.in_all >= settings.max_holds_in_all
    }

    /// Releases the agent. The user is notified of the same thing once.
    pub(super) fn release(&mut self, what: u64) -> StopDecision {
        blocking::release(&mut self.notified, what)
    }
}
