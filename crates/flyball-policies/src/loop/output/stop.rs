//! The main agent wants to stop: documents that its agents left in the wrong place are moved first, or the user is
//! notified.

use std::collections::BTreeSet;

use flyball_core::event::Stopping;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::Verdict;

use super::agent::misplaced;
use super::memory::{Leftover, Session, StartSnapshots, recall_snapshots, remember_snapshots};
use super::messages;
use super::ownership::{AgentContext, Inputs};
use super::settings::Settings;
use crate::blocking::blocks;
use crate::digest::digest;

/// How often the main agent is blocked in one turn.
const MOST_BLOCKS: u32 = 3;

pub(super) fn judge(situation: &Situation<'_>, stopping: &Stopping) -> Result<Verdict, PolicyError> {
    // In a plan nothing can be moved.
    if stopping.has_running_subagent() || situation.event.is_planning() || !situation.remembers()? {
        return Ok(Verdict::silent());
    }
    situation.update(|session: &mut Session| {
        if session.is_busy() {
            lost_agents(situation, session)?;
        }
        let is_there = |path: &AbsolutePath| situation.world.stat(path).is_some();
        session.left.retain(|path, _| is_there(path));
        session.unclaimed.retain(is_there);
        if !stopping.again {
            session.holds = 0;
        }
        Ok(decide(session))
    })?
}

/// Agents whose stop was not seen have stopped all the same.
fn lost_agents(situation: &Situation<'_>, session: &mut Session) -> Result<(), PolicyError> {
    let befores = recall_snapshots(situation)?;
    if let Some(inputs) = situation.gathered::<Inputs>() {
        let settings: Settings = situation.config()?;
        let root = situation.world.project_root();
        let mut left: Vec<(AbsolutePath, Leftover)> = Vec::new();
        let mut unclaimed: BTreeSet<AbsolutePath> = BTreeSet::new();
        for (id, notes) in session.agents.iter().filter(|(_, notes)| notes.is_running) {
            if settings.skips(&notes.role) {
                continue;
            }
            let before = befores.get(id).map(Vec::as_slice);
            let context = AgentContext { settings: &settings, session, before, inputs, root };
            let suspects = context.suspects(id, notes);
            unclaimed.extend(suspects.unclaimed);
            left.extend(misplaced(situation, &context, &notes.role, &suspects.own).into_iter().map(|file| {
                (
                    file.path,
                    Leftover { agent: id.clone(), role: notes.role.clone(), move_command: file.move_command },
                )
            }));
        }
        session.left.extend(left);
        session.unclaimed.extend(unclaimed);
    }
    session.end_agents();
    if befores.is_empty() { Ok(()) } else { remember_snapshots(situation, StartSnapshots::new(), session) }
}

/// Blocks once for the same documents, then releases the agent and notifies the user.
fn decide(session: &mut Session) -> Verdict {
    let mut verdict = Verdict::silent();
    // A document with a known author is reported as theirs.
    session.unclaimed.retain(|path| !session.left.contains_key(path));
    if !session.unclaimed.is_empty() {
        verdict.notices.push(messages::appeared(&std::mem::take(&mut session.unclaimed)));
    }
    if session.left.is_empty() {
        session.blocked_for = None;
        return verdict;
    }
    let left: Vec<(&str, &Leftover)> =
        session.left.iter().map(|(path, left)| (path.as_str(), left)).collect();
    let print = digest(left.iter().map(|(path, _)| *path));
    if blocks(&mut session.blocked_for, &mut session.holds, print, MOST_BLOCKS) {
        verdict.join(Verdict::deny(messages::leftover_reason(&left)));
        return verdict;
    }
    // The user knows now, so these documents do not block again.
    verdict.notices.push(messages::leftover_notice(&left));
    session.left.clear();
    session.blocked_for = None;
    verdict
}
