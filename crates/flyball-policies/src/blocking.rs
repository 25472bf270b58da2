//! An agent that wants to stop is blocked a few times, not twice in a row for the same thing, and then released; the
//! user is notified once of what is left.

use serde::{Deserialize, Serialize};

/// The decision about a stop while something is left to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopDecision {
    /// The agent continues.
    Block,
    /// The agent stops, and the user is notified of what is left.
    Release,
    /// The agent stops, and the user was notified before.
    Silent,
}

/// Whether an agent is blocked: at most `most` times, and once for the same thing. `last` is what it was blocked for
/// last, `count` how often it was.
pub(crate) fn blocks(last: &mut Option<u64>, count: &mut u32, left: u64, most: u32) -> bool {
    let is_blocked = last.replace(left) != Some(left) && *count < most;
    *count += u32::from(is_blocked);
    is_blocked
}

/// Releases an agent; the user is notified once of the same thing.
pub(crate) fn release(notified: &mut Option<u64>, what: u64) -> StopDecision {
    if notified.replace(what) == Some(what) { StopDecision::Silent } else { StopDecision::Release }
}

/// How an agent was blocked. What is left is known by a digest of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct BlockHistory {
    /// How often in this turn.
    pub(crate) in_turn: u32,
    /// What was left when it was last blocked.
    pub(crate) print: Option<u64>,
    /// What was left when the user was last notified.
    // The name in states that older versions stored.
    #[serde(rename = "told")]
    notified: Option<u64>,
}

impl BlockHistory {
    /// Blocks at most `most` times in a turn, and once for the same thing.
    pub(crate) fn stop(&mut self, left: u64, most: u32) -> StopDecision {
        if blocks(&mut self.print, &mut self.in_turn, left, most) {
            return StopDecision::Block;
        }
        release(&mut self.notified, left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_blocked_once_for_the_same_thing_and_the_user_is_notified_once() {
        let mut history = BlockHistory::default();
        let stops = [1, 1, 1, 2, 3, 3].map(|left| history.stop(left, 2));
        assert_eq!(
            stops,
            [
                StopDecision::Block,
                StopDecision::Release,
                StopDecision::Silent,
                StopDecision::Block,
                StopDecision::Release,
                StopDecision::Silent
            ]
        );
    }
}
