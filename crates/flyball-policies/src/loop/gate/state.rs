//! The edits of a session, and what happened after them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::settings::{Need, Settings};
use crate::blocking::{BlockHistory, StopDecision};
use crate::digest::digest;
use crate::stamp::Stamp;

/// How often an agent is blocked from stopping in one turn.
const MOST_BLOCKS: u32 = 2;
/// How many files that need nothing more are remembered.
const MOST_FILES: usize = 256;
/// Agents that never end must not fill the memory.
const MOST_RUNS: usize = 256;

/// The edits of a session that still need something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// Counts what happened: a later number is later.
    clock: u64,
    /// Files by path below the project's root.
    files: BTreeMap<String, Edited>,
    /// When agents that serve a need started, by the client's id.
    runs: BTreeMap<String, u64>,
    #[serde(rename = "held")]
    blocks: BlockHistory,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Edited {
    at: u64,
    /// Its stamp then.
    stamp: Option<Stamp>,
    /// The client's id of the subagent that edited it last.
    by: Option<String>,
    /// The needs that were met since.
    met: BTreeSet<String>,
}

/// A need that is not met, and the files that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missing<'a> {
    pub(super) need: &'a Need,
    pub(super) files: Vec<String>,
}

impl State {
    /// A file was edited, and looks like this now.
    pub(super) fn edit(&mut self, path: &str, stamp: Option<Stamp>, by: Option<&str>) {
        self.clock += 1;
        let edited = Edited { at: self.clock, stamp, by: by.map(str::to_owned), met: BTreeSet::new() };
        self.files.insert(path.to_owned(), edited);
    }

    /// Whether a file still looks as it did when it was last edited.
    pub(super) fn is_unchanged(&self, path: &str, stamp: Option<Stamp>) -> bool {
        // Without a stamp the file is gone, which is always a change.
        stamp.is_some() && self.files.get(path).is_some_and(|edited| edited.stamp == stamp)
    }

    pub(super) fn forget(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.files.retain(|path, _| !is_forgotten(path));
    }

    /// An agent that serves a need started.
    pub(super) fn start(&mut self, agent: &str) {
        self.clock += 1;
        self.runs.insert(agent.to_owned(), self.clock);
        if self.runs.len() > MOST_RUNS {
            let oldest = self.runs.iter().min_by_key(|(_, at)| **at).map(|(id, _)| id.clone());
            oldest.and_then(|id| self.runs.remove(&id));
        }
    }

    /// An agent that serves these needs ended. It has seen what was edited before it started, and what it
    /// edited itself; if its start was not seen, everything that was edited before it ended.
    pub(super) fn end(&mut self, agent: &str, needs: &[&Need]) {
        self.clock += 1;
        let started = self.runs.remove(agent).unwrap_or(self.clock);
        let has_seen = |edited: &Edited| edited.at < started || edited.by.as_deref() == Some(agent);
        for edited in self.files.values_mut().filter(|edited| has_seen(edited)) {
            edited.met.extend(needs.iter().map(|need| need.name.clone()));
        }
    }

    /// A command that meets these needs succeeded.
    pub(super) fn mark_met(&mut self, needs: &[&Need]) {
        self.clock += 1;
        for edited in self.files.values_mut() {
            edited.met.extend(needs.iter().map(|need| need.name.clone()));
        }
    }

    /// Everything that is missing, need by need in the order of the config.
    pub(super) fn missing<'a>(&self, settings: &'a Settings) -> Vec<Missing<'a>> {
        let of = |need: &'a Need| {
            let lacks = |edited: &Edited| !edited.met.contains(&need.name);
            let files = self.files.iter().filter(|(_, edited)| lacks(edited));
            Missing { need, files: files.map(|(path, _)| path.clone()).collect() }
        };
        settings.need.iter().map(of).filter(|missing| !missing.files.is_empty()).collect()
    }

    /// Decides whether the agent may stop, and remembers that it asked.
    pub(super) fn stop(&mut self, missing: &[Missing<'_>], is_fresh: bool) -> StopDecision {
        if is_fresh {
            self.blocks.in_turn = 0;
        }
        if missing.is_empty() {
            // Their stamps stay known: some are noticed as changed once more a little later.
            if self.files.len() > MOST_FILES {
                self.files.clear();
            }
            return StopDecision::Silent;
        }
        let print = self.fingerprint(missing);
        self.blocks.stop(print, MOST_BLOCKS)
    }

    fn fingerprint(&self, missing: &[Missing<'_>]) -> u64 {
        let edits = self.files.iter().map(|(path, edited)| format!("{path}\n{}", edited.at));
        let needs = missing.iter().map(|missing| missing.need.name.clone());
        let texts: Vec<String> = edits.chain(needs).collect();
        digest(texts.iter().map(String::as_str))
    }
}
