//! What a session remembers of its agents: who wrote what, who used which skill, who was blocked for what.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use serde::{Deserialize, Serialize};

use super::trees::Snapshot;

/// How many files are remembered of one agent.
const MOST_WRITTEN: usize = 200;
const MOST_AGENTS: usize = 64;
/// The earlier state of the trees is long and rarely read, so it is not stored again with every edit.
const BEFORE: &str = "loop.output.before";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Session {
    /// Its agents, by the client's id.
    pub(super) agents: BTreeMap<String, Notes>,
    /// What the main thread wrote while agents ran.
    pub(super) main: BTreeMap<AbsolutePath, Claim>,
    /// Documents that were left in the wrong place, by path.
    pub(super) left: BTreeMap<AbsolutePath, Leftover>,
    /// Documents in the wrong place that nobody is known to have written.
    pub(super) unclaimed: BTreeSet<AbsolutePath>,
    /// The documents that last blocked the main agent from stopping.
    // The old name here and below: sessions that are stored have it.
    #[serde(rename = "held")]
    pub(super) blocked_for: Option<u64>,
    /// How often it was blocked in this turn.
    pub(super) holds: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Notes {
    pub(super) role: String,
    /// The number of its start; 0 if that was not seen.
    pub(super) start: u32,
    /// Whether it has not stopped yet, as far as is known.
    pub(super) is_running: bool,
    /// Whether another agent ran at the same time.
    pub(super) had_company: bool,
    /// Whether it ran something that may write what no text shows.
    pub(super) ran_unknown: bool,
    /// What it wrote.
    pub(super) written: BTreeMap<AbsolutePath, Claim>,
    /// Documents that existed before it first wrote them.
    pub(super) found: BTreeSet<AbsolutePath>,
    /// The skills that it used.
    pub(super) skills: BTreeSet<String>,
    /// The problems it was last blocked for.
    #[serde(rename = "held")]
    pub(super) blocked_for: Option<u64>,
    /// How often it was blocked.
    pub(super) holds: u32,
    /// The problems with which it was released.
    #[serde(rename = "let_go")]
    pub(super) released_with: Option<u64>,
    /// What was wrong when it last stopped; `None` if it did not.
    pub(super) verdict: Option<OtherProblems>,
}

/// The problems of an agent's work besides its files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct OtherProblems {
    /// Required skills that it did not use.
    pub(super) missing: Vec<String>,
    /// Folders that its metadata names for the feature and that are not for documents.
    pub(super) folders: Vec<String>,
}

/// How sure it is that somebody wrote a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Claim {
    /// It changed while their command ran.
    Noticed,
    /// Their tool or their command line names it.
    Sure,
}

/// A document that an agent left in the wrong place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Leftover {
    pub(super) agent: String,
    pub(super) role: String,
    /// The command that moves it to where it belongs.
    #[serde(rename = "way")]
    pub(super) move_command: String,
}

impl Notes {
    pub(super) fn wrote(&mut self, path: AbsolutePath, claim: Claim) {
        record_claim(&mut self.written, path, claim);
    }

    pub(super) fn record_existing(&mut self, path: &AbsolutePath) {
        if !self.written.contains_key(path) && self.found.len() < MOST_WRITTEN {
            self.found.insert(path.clone());
        }
    }
}

/// Records a claim; the surer one counts.
pub(super) fn record_claim(written: &mut BTreeMap<AbsolutePath, Claim>, path: AbsolutePath, claim: Claim) {
    if let Some(known) = written.get_mut(&path) {
        *known = claim.max(*known);
    } else if written.len() < MOST_WRITTEN {
        written.insert(path, claim);
    }
}

impl Session {
    /// The notes on an agent. An agent that is seen for the first time is running, and so is one that acts again.
    pub(super) fn notes(&mut self, id: &str, role: &str) -> &mut Notes {
        let has_company = self.agents.iter().any(|(other, notes)| other != id && notes.is_running);
        if has_company {
            for notes in self.agents.values_mut().filter(|notes| notes.is_running) {
                notes.had_company = true;
            }
        }
        let notes = self.agents.entry(id.to_owned()).or_default();
        role.clone_into(&mut notes.role);
        notes.is_running = true;
        notes.had_company |= has_company;
        notes
    }

    /// An agent starts. One that was released and starts again has new notes.
    pub(super) fn start(&mut self, id: &str, role: &str) {
        let next = self.agents.values().map(|notes| notes.start).max().unwrap_or_default() + 1;
        if self.agents.get(id).is_some_and(|notes| !notes.is_running) {
            self.agents.remove(id);
        }
        let notes = self.notes(id, role);
        if notes.start == 0 {
            notes.start = next;
        }
        self.forget_the_oldest();
    }

    fn forget_the_oldest(&mut self) {
        while self.agents.len() > MOST_AGENTS {
            let oldest = self.agents.iter().min_by_key(|(_, notes)| (notes.is_running, notes.start));
            let Some(id) = oldest.map(|(id, _)| id.clone()) else { return };
            self.agents.remove(&id);
        }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.agents.values().any(|notes| notes.is_running)
    }

    /// The claims of all others on a file, the surest of them.
    pub(super) fn claimed_by_others(&self, id: &str, path: &str) -> Option<(&str, Claim)> {
        let others = self.agents.iter().filter(|(other, _)| *other != id);
        let agents = others.filter_map(|(_, notes)| Some((notes.role.as_str(), *notes.written.get(path)?)));
        let main = self.main.get(path).map(|claim| ("the main agent", *claim));
        agents.chain(main).max_by_key(|(_, claim)| *claim)
    }

    /// No agent runs any more, and everything that they wrote was judged.
    pub(super) fn end_agents(&mut self) {
        for notes in self.agents.values_mut() {
            notes.is_running = false;
            notes.written.clear();
            notes.found.clear();
        }
        self.main.clear();
    }
}

/// The state of the trees when each agent started, by the agent's id.
pub(super) type StartSnapshots = BTreeMap<String, Vec<Snapshot>>;

pub(super) fn recall_snapshots(situation: &Situation<'_>) -> Result<StartSnapshots, PolicyError> {
    let text = situation.memory.read(BEFORE)?;
    // A state that cannot be read is treated as not known.
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// Remembers the states for the agents that run now; the others are dropped.
pub(super) fn remember_snapshots(
    situation: &Situation<'_>,
    mut befores: StartSnapshots,
    session: &Session,
) -> Result<(), PolicyError> {
    befores.retain(|id, _| session.agents.get(id).is_some_and(|notes| notes.is_running));
    let text = serde_json::to_string(&befores)
        .map_err(|cause| PolicyError::Bug { what: format!("state of {}: {cause}", situation.policy) })?;
    situation.memory.write(BEFORE, text)
}
