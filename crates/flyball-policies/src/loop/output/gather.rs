//! Asks git what exists when an agent starts, and what is new when it stops.

use std::collections::BTreeSet;

use flyball_core::event::EventData;
use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{Gathered, PolicyError, Situation, World};
use flyball_core::workshop::Workshop;

use super::memory::{Notes, Session, recall_snapshots};
use super::ownership::{AgentContext, Inputs};
use super::settings::Settings;
use super::trees::{self, Snapshot, tree_of};

pub(super) fn gather(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
) -> Result<Option<Gathered>, PolicyError> {
    let agent = situation.event.agent.as_ref().filter(|agent| !agent.role.is_empty());
    let settings = || situation.config::<Settings>();
    let inputs = match (&situation.event.happening, agent) {
        (EventData::AgentStart, Some(agent)) if !settings()?.skips(&agent.role) => {
            Some(inputs_at_start(situation, workshop))
        }
        (EventData::AgentStop { .. }, Some(agent)) if !settings()?.skips(&agent.role) => {
            Some(inputs_at_end(situation, workshop, &settings()?, &agent.id)?)
        }
        (EventData::Stop(stopping), _) if !stopping.has_running_subagent() => at_stop(situation, workshop)?,
        _ => None,
    };
    Ok(inputs.map(|inputs| Box::new(inputs) as Gathered))
}

/// The state of the trees. Without an answer of git it is not known, and only the agent's calls count.
fn survey_trees(situation: &Situation<'_>, world: &dyn World) -> Option<Vec<Snapshot>> {
    let folders = [situation.world.project_root(), &situation.event.cwd];
    trees::survey(world, folders).ok().flatten()
}

fn inputs_at_start(situation: &Situation<'_>, workshop: &dyn Workshop) -> Inputs {
    let mut now = survey_trees(situation, workshop);
    // With the content it is known later which earlier changes the agent did not touch.
    trees::hash(workshop, now.as_deref_mut().unwrap_or_default());
    Inputs { trees: now, ..Inputs::default() }
}

fn inputs_at_end(
    situation: &Situation<'_>,
    workshop: &dyn Workshop,
    settings: &Settings,
    id: &str,
) -> Result<Inputs, PolicyError> {
    let session: Session = situation.recall()?;
    let befores = recall_snapshots(situation)?;
    let mut inputs = Inputs { trees: survey_trees(situation, workshop), ..Inputs::default() };
    let notes = session.agents.get(id).cloned().unwrap_or_default();
    let before = befores.get(id).map(Vec::as_slice);
    let root = workshop.project_root();
    let context = AgentContext { settings, session: &session, before, inputs: &inputs, root };
    let questions = questions(&context, &notes);
    inputs.existing = existing_files(situation.world, &notes);
    for question in questions {
        question.answer(workshop, &mut inputs)?;
    }
    Ok(inputs)
}

/// Agents whose stop was not seen are checked when the main agent stops.
fn at_stop(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Inputs>, PolicyError> {
    let session: Session = situation.recall()?;
    if !session.is_busy() {
        return Ok(None);
    }
    let settings: Settings = situation.config()?;
    let mut all = Inputs::default();
    let lost = session.agents.iter().filter(|(_, notes)| notes.is_running && !settings.skips(&notes.role));
    for (id, _) in lost {
        let Inputs { trees: now, in_base, tracked, existing: there, .. } =
            inputs_at_end(situation, workshop, &settings, id)?;
        // The trees as they are now are the same for every agent.
        all.trees = now;
        all.in_base.extend(in_base);
        all.tracked.extend(tracked);
        all.existing.extend(there);
    }
    Ok(Some(all))
}

/// The files that an agent wrote and that exist.
pub(super) fn existing_files(world: &dyn World, notes: &Notes) -> BTreeSet<AbsolutePath> {
    let is_file = |path: &&AbsolutePath| world.stat(path).is_some_and(|stat| !stat.is_folder);
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
fn questions(context: &AgentContext<'_>, notes: &Notes) -> Vec<Question> {
    let mut paths = context.appeared();
    paths.extend(notes.written.keys().cloned());
    let now = context.inputs.trees.as_deref().unwrap_or_default();
    let ask = |tree: &Snapshot| {
        let here = |path: &&AbsolutePath| tree_of(now, path).is_some_and(|it| it.path == tree.path);
        let names = paths.iter().filter(here).filter_map(|path| strip_folder(path, &tree.path));
        let was = context.before.and_then(|before| before.iter().find(|was| was.path == tree.path));
        Question { now: tree.clone(), was: was.cloned(), names: names.map(str::to_owned).collect() }
    };
    now.iter().map(ask).filter(|question| !question.names.is_empty()).collect()
}

impl Question {
    fn answer(&self, world: &dyn World, inputs: &mut Inputs) -> Result<(), PolicyError> {
        // Files that git does not list are unchanged, committed or ignored.
        if self.names.iter().any(|name| !self.now.files.contains_key(name)) {
            inputs.tracked.extend(self.ask(world, &["ls-files", "-z", "--"])?);
        }
        let Some(was) = &self.was else { return Ok(()) };
        let head = was.head.as_str();
        inputs.in_base.extend(self.ask(world, &["ls-tree", "-r", "-z", "--name-only", head, "--"])?);
        if was.head != self.now.head {
            inputs
                .differs
                .extend(self.ask(world, &["diff", "--name-only", "-z", "--no-renames", head, "--"])?);
        }
        for name in &self.names {
            let Some(hash) = was.files.get(name).and_then(|mark| mark.content.as_ref()) else { continue };
            let path = self.now.path.join(name);
            if trees::content(world, &path).as_ref() == Some(hash) {
                inputs.unchanged.insert(path);
            }
        }
        Ok(())
    }

    /// The files of the question that git names in its answer.
    fn ask(&self, world: &dyn World, words: &[&str]) -> Result<BTreeSet<AbsolutePath>, PolicyError> {
        // A name that looks like a pattern is still a name.
        let mut question = vec!["--literal-pathspecs"];
        question.extend(words);
        question.extend(self.names.iter().map(String::as_str));
        // A commit that is gone, or a tree, has none of them.
        let answer = world.git(&self.now.path, &question)?.text().unwrap_or_default();
        let named: BTreeSet<&str> = answer.split('\0').collect();
        let known = self.names.iter().filter(|name| named.contains(name.as_str()));
        Ok(known.map(|name| self.now.path.join(name)).collect())
    }
}
