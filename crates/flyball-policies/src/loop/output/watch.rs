//! Records what agents write and which skills they use, as it happens. It asks git nothing.

use flyball_core::event::{Agent, Change};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::policy::{PolicyError, Situation};

use super::super::author::{Author, author_of_noticed};
use super::super::events::{edited_paths, own_edits};
use super::memory::{Claim, Session, record_claim};
use super::settings::Settings;
use crate::worktree_updates::only_updates_worktree;

/// Before an agent writes a document: whether it exists already, and so is not its own.
pub(super) fn before(situation: &Situation<'_>, agent: &Agent) -> Result<(), PolicyError> {
    let edits = situation.edits()?;
    if edits.is_empty() {
        return Ok(());
    }
    let settings: Settings = situation.config()?;
    let documents = edits.iter().filter(|edit| may_be_document(&settings, &edit.path));
    let existing: Vec<&SeenEdit> =
        documents.filter(|edit| situation.world.stat(&edit.path).is_some()).collect();
    if existing.is_empty() {
        return Ok(());
    }
    situation.update(|session: &mut Session| {
        let notes = session.notes(&agent.id, &agent.role);
        existing.iter().for_each(|edit| notes.record_existing(&edit.path));
    })
}

/// After a call that may have written: what it wrote. What the main thread writes counts while agents run.
pub(super) fn after(situation: &Situation<'_>, agent: Option<&Agent>) -> Result<(), PolicyError> {
    let is_known = agent.is_some() || situation.remembers()?;
    // A checkout or a pull brings files that others wrote.
    if !is_known || situation.line().is_some_and(only_updates_worktree) {
        return Ok(());
    }
    if agent.is_none() && !situation.recall::<Session>()?.is_busy() {
        return Ok(());
    }
    let mut edits = own_edits(situation)?;
    // What the user saves while tests run is theirs.
    let is_known = author_of_noticed(situation) == Author::Others;
    if is_known {
        edits.retain(|edit| edit.route != EditRoute::Noticed);
    }
    situation.update(|session: &mut Session| {
        if let Some(agent) = agent.filter(|_| !is_known && situation.line().is_some()) {
            session.notes(&agent.id, &agent.role).ran_unknown = true;
        }
        edits.iter().for_each(|edit| record_edit(situation, session, agent, edit));
    })
}

fn record_edit(situation: &Situation<'_>, session: &mut Session, agent: Option<&Agent>, edit: &SeenEdit) {
    let claim = if edit.route == EditRoute::Noticed { Claim::Noticed } else { Claim::Sure };
    let paths = edited_paths(situation, edit).into_iter();
    let Some(agent) = agent else {
        paths.for_each(|path| record_claim(&mut session.main, path, claim));
        return;
    };
    let notes = session.notes(&agent.id, &agent.role);
    // Such an edit shows that the file existed, even if the event before the call was not seen.
    if needs_the_file(edit) {
        notes.record_existing(&edit.path);
    }
    paths.for_each(|path| notes.wrote(path, claim));
}

/// Whether an edit needs the file to exist.
fn needs_the_file(edit: &SeenEdit) -> bool {
    match &edit.change {
        Some(Change::Replace { old, .. }) => !old.is_empty(),
        Some(Change::Cell { .. } | Change::Delete | Change::Move { .. }) => true,
        Some(Change::Write { .. }) | None => false,
    }
}

pub(super) fn skill(situation: &Situation<'_>, agent: &Agent, name: &str) -> Result<(), PolicyError> {
    situation.update(|session: &mut Session| {
        session.notes(&agent.id, &agent.role).skills.insert(name.to_owned());
    })
}

/// Whether a rule may be about a file. Its tree is not known yet, so the globs are tried on its path below each folder.
fn may_be_document(settings: &Settings, path: &str) -> bool {
    let mut below = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    below.any(|name| settings.is_document(name))
}
