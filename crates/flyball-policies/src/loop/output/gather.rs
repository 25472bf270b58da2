//! Asks git: when an agent starts, what is there already; when it stops, what is new.

use std::collections::BTreeSet;

use flyball_core::event::{Happening, Stopping};
use flyball_core::policy::{Gathered, Situation, Trouble, World};
use flyball_core::workshop::Workshop;

use super::memory::{Notes, Session, recall_before};
use super::ownership::Scene;
use super::settings::Settings;
use super::trees::{self, Snapshot, tree_of};
use crate::paths::inside;

/// What git says, and what is on disk, of the files that matter for one event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Brought {
    /// All trees; `None` where there is no repository.
    pub(super) now: Option<Vec<Snapshot>>,
    /// Files in question that the commit had which the agent started on.
    pub(super) in_base: BTreeSet<String>,
    /// Files in question that git knows now.
    pub(super) tracked: BTreeSet<String>,
    /// Files in question that differ from the commit which the agent started on.
    pub(super) differs: BTreeSet<String>,
    /// Files that were changed already and hold what they held then.
    pub(super) same: BTreeSet<String>,
    /// Files in question that are there.
    pub(super) there: BTreeSet<String>,
}

pub(super) fn gather(situation: &Situation<'_>, shop: &dyn Workshop) -> Result<Option<Gathered>, Trouble> {
    let agent = situation.event.agent.as_ref().filter(|agent| !agent.role.is_empty());
    let brought = match (&situation.event.happening, agent) {
        (Happening::AgentStart, Some(agent)) => {
            let settings: Settings = situation.config()?;
            if settings.skips(&agent.role) { None } else { Some(before(situation, shop)) }
        }
        (Happening::AgentStop { .. }, Some(agent)) => {
            let settings: Settings = situation.config()?;
            if settings.skips(&agent.role) {
                None
            } else {
                Some(after(situation, shop, &settings, &agent.id)?)
            }
        }
        (Happening::Stop(stopping), _) if !is_worked_on(stopping) => at_stop(situation, shop)?,
        _ => None,
    };
    Ok(brought.map(|brought| Box::new(brought) as Gathered))
}

/// Whether a subagent still works: its own end comes.
pub(super) fn is_worked_on(stopping: &Stopping) -> bool {
    stopping.background.iter().any(|work| work.kind == "subagent")
}

/// What the trees look like. If git does not come back, that is not known, and only calls that were seen count.
fn now(situation: &Situation<'_>, world: &dyn World) -> Option<Vec<Snapshot>> {
    let folders = [situation.world.project_root(), situation.event.cwd.as_str()];
    trees::survey(world, folders).ok().flatten()
}

fn before(situation: &Situation<'_>, shop: &dyn Workshop) -> Brought {
    let mut now = now(situation, shop);
    trees::hash(shop, now.as_deref_mut().unwrap_or_default());
    Brought { now, ..Brought::default() }
}

fn after(
    situation: &Situation<'_>,
    shop: &dyn Workshop,
    settings: &Settings,
    id: &str,
) -> Result<Brought, Trouble> {
    let session: Session = situation.recall()?;
    let befores = recall_before(situation)?;
    let mut brought = Brought { now: now(situation, shop), ..Brought::default() };
    let notes = session.agents.get(id).cloned().unwrap_or_default();
    let before = befores.get(id).map(Vec::as_slice);
    let root = shop.project_root();
    let scene = Scene { settings, session: &session, before, brought: &brought, root };
    let questions = questions(&scene, &notes);
    brought.there = there(situation.world, &notes);
    for question in questions {
        question.answer(shop, &mut brought)?;
    }
    Ok(brought)
}

/// Agents that never stopped, as far as is known, are looked at when the main agent stops.
fn at_stop(situation: &Situation<'_>, shop: &dyn Workshop) -> Result<Option<Brought>, Trouble> {
    let session: Session = situation.recall()?;
    if !session.is_busy() {
        return Ok(None);
    }
    let settings: Settings = situation.config()?;
    let mut all = Brought::default();
    let lost = session.agents.iter().filter(|(_, notes)| notes.is_running && !settings.skips(&notes.role));
    for (id, _) in lost {
        let Brought { now, in_base, tracked, there, .. } = after(situation, shop, &settings, id)?;
        all.now = now;
        all.in_base.extend(in_base);
        all.tracked.extend(tracked);
        all.there.extend(there);
    }
    Ok(Some(all))
}

/// The files that an agent wrote and that are there.
pub(super) fn there(world: &dyn World, notes: &Notes) -> BTreeSet<String> {
    let is_file = |path: &&String| world.stat(path).is_some_and(|stat| !stat.is_folder);
    notes.written.keys().filter(is_file).cloned().collect()
}

/// What is asked of one tree.
struct Question {
    now: Snapshot,
    was: Option<Snapshot>,
    /// Paths below its top.
    names: Vec<String>,
}

/// Questions about everything that the agent wrote or that appeared while it ran.
fn questions(scene: &Scene<'_>, notes: &Notes) -> Vec<Question> {
    let mut paths = scene.appeared();
    paths.extend(notes.written.keys().cloned());
    let now = scene.brought.now.as_deref().unwrap_or_default();
    let ask = |tree: &Snapshot| {
        let here = |path: &&String| tree_of(now, path).is_some_and(|it| it.path == tree.path);
        let names = paths.iter().filter(here).filter_map(|path| inside(path, &tree.path));
        let was = scene.before.and_then(|before| before.iter().find(|was| was.path == tree.path));
        Question { now: tree.clone(), was: was.cloned(), names: names.map(str::to_owned).collect() }
    };
    now.iter().map(ask).filter(|question| !question.names.is_empty()).collect()
}

impl Question {
    fn answer(&self, world: &dyn World, brought: &mut Brought) -> Result<(), Trouble> {
        // Files that git says nothing of are unchanged, committed or ignored.
        if self.names.iter().any(|name| !self.now.files.contains_key(name)) {
            brought.tracked.extend(self.ask(world, &["ls-files", "-z", "--"])?);
        }
        let Some(was) = &self.was else { return Ok(()) };
        let head = was.head.as_str();
        brought.in_base.extend(self.ask(world, &["ls-tree", "-r", "-z", "--name-only", head, "--"])?);
        if was.head != self.now.head {
            brought
                .differs
                .extend(self.ask(world, &["diff", "--name-only", "-z", "--no-renames", head, "--"])?);
        }
        for name in &self.names {
            let Some(hash) = was.files.get(name).and_then(|mark| mark.content.as_ref()) else { continue };
            let path = format!("{}/{name}", self.now.path);
            if trees::content(world, &path).as_ref() == Some(hash) {
                brought.same.insert(path);
            }
        }
        Ok(())
    }

    /// The files of the question that git names in its answer.
    fn ask(&self, world: &dyn World, words: &[&str]) -> Result<BTreeSet<String>, Trouble> {
        // A name is a name, also if it looks like a pattern.
        let mut question = vec!["--literal-pathspecs"];
        question.extend(words);
        question.extend(self.names.iter().map(String::as_str));
        let answer = world.git(&self.now.path, &question)?.unwrap_or_default();
        let named: BTreeSet<&str> = answer.split('\0').collect();
        let known = self.names.iter().filter(|name| named.contains(name.as_str()));
        Ok(known.map(|name| format!("{}/{name}", self.now.path)).collect())
    }
}
