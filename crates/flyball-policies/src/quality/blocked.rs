//! How often an agent is blocked from stopping for findings, and when it is released.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use crate::blocking::StopDecision;

/// How often in a row an agent is blocked without progress.
const MOST_TIMES: u32 = 3;

/// Whether the agent was already blocked in this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Fresh,
    Blocked,
}

/// Findings that blocked the session from stopping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BlockedStop {
    prints: BTreeSet<Fingerprint>,
    /// How often it was blocked in a row without progress.
    times: u32,
    /// The fewest findings in this row: going back and forth is not progress.
    fewest: usize,
    /// Whether it was released and the user notified.
    #[serde(rename = "let_go")]
    is_released: bool,
}

impl BlockedStop {
    /// Blocks once for the same findings.
    pub(super) fn stop(&mut self, prints: BTreeSet<Fingerprint>, turn: Turn) -> StopDecision {
        // Fewer findings than ever before are progress, and the count starts again.
        let is_new_row = turn == Turn::Fresh || self.prints.is_empty() || prints.len() < self.fewest;
        let (times, fewest) = if is_new_row { (0, prints.len()) } else { (self.times, self.fewest) };
        if self.prints == prints || times >= MOST_TIMES {
            return self.release(prints);
        }
        *self = BlockedStop { prints, times: times + 1, fewest, is_released: false };
        StopDecision::Block
    }

    /// Releases the agent; the user is notified of the same findings once.
    pub(super) fn release(&mut self, prints: BTreeSet<Fingerprint>) -> StopDecision {
        if self.prints == prints && self.is_released {
            return StopDecision::Silent;
        }
        self.prints = prints;
        self.is_released = true;
        StopDecision::Release
    }
}
