//! Takes down what agents write and which skills they use, as it happens. Asks nobody anything.

use flyball_core::event::{Agent, Change};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::policy::{PolicyError, Situation};

use super::memory::{Claim, Session, record_claim};
use super::settings::Settings;
use crate::worktree_updates::{only_updates_worktree, updates_worktree};

/// Before an agent writes a document: whether it is there already, and so not of its making.
pub(super) fn before(situation: &Situation<'_>, agent: &Agent) -> Result<(), PolicyError> {
    let edits = situation.edits()?;
    if edits.is_empty() {
        return Ok(());
    }
    let settings: Settings = situation.config()?;
    let documents = edits.iter().filter(|edit| is_document(&settings, &edit.path));
    let there: Vec<&SeenEdit> = documents.filter(|edit| situation.world.stat(&edit.path).is_some()).collect();
    if there.is_empty() {
        return Ok(());
    }
    let before: Session = situation.recall()?;
    let mut session = before.clone();
    let notes = session.notes(&agent.id, &agent.role);
    for edit in there {
        notes.record_existing(&edit.path);
    }
    save(situation, &before, &session)
}

/// After a call that may have written: what it wrote. What the main thread writes counts while agents run.
pub(super) fn after(situation: &Situation<'_>, agent: Option<&Agent>) -> Result<(), PolicyError> {
    if agent.is_none() && !situation.remembers()? {
        return Ok(());
    }
    let line = situation.line();
    if line.is_some_and(only_updates_worktree) {
        return Ok(());
    }
    let before: Session = situation.recall()?;
    if agent.is_none() && !before.is_busy() {
        return Ok(());
    }
    let edits = situation.edits()?;
    let is_moved = line.is_some_and(updates_worktree);
    let mut session = before.clone();
    for edit in edits.iter().filter(|edit| !(is_moved && edit.route == EditRoute::Noticed)) {
        record_edit(situation, &mut session, agent, edit);
    }
    save(situation, &before, &session)
}

fn record_edit(situation: &Situation<'_>, session: &mut Session, agent: Option<&Agent>, edit: &SeenEdit) {
    let claim = if edit.route == EditRoute::Noticed { Claim::Noticed } else { Claim::Sure };
    let to = match &edit.change {
        Some(Change::Move { to }) => Some(situation.world.real_path(&situation.event.cwd, to)),
        _ => None,
    };
    let paths = [edit.path.clone()].into_iter().chain(to);
    let Some(agent) = agent else {
        paths.for_each(|path| record_claim(&mut session.main, path, claim));
        return;
    };
    let notes = session.notes(&agent.id, &agent.role);
    if needs_the_file(edit) {
        notes.record_existing(&edit.path);
    }
    paths.for_each(|path| notes.wrote(path, claim));
}

/// Whether an edit is of a kind that only a file which is there can have.
fn needs_the_file(edit: &SeenEdit) -> bool {
    match &edit.change {
        Some(Change::Replace { old, .. }) => !old.is_empty(),
        Some(Change::Cell { .. } | Change::Delete | Change::Move { .. }) => true,
        Some(Change::Write { .. }) | None => false,
    }
}

/// An agent used a skill.
pub(super) fn skill(situation: &Situation<'_>, agent: &Agent, name: &str) -> Result<(), PolicyError> {
    let before: Session = situation.recall()?;
    let mut session = before.clone();
    session.notes(&agent.id, &agent.role).skills.insert(name.to_owned());
    save(situation, &before, &session)
}

fn save(situation: &Situation<'_>, before: &Session, session: &Session) -> Result<(), PolicyError> {
    if session == before { Ok(()) } else { situation.remember(session) }
}

/// Whether a rule may be about a file. Which tree it is in is not known yet, so a pattern of one folder is tried on all
/// that it could be below.
fn is_document(settings: &Settings, path: &str) -> bool {
    let below = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    below.into_iter().any(|name| settings.rule.iter().any(|rule| rule.files.match_path(name)))
}
