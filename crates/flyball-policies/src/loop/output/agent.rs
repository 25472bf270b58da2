//! One agent: what is there when it starts, what is wrong when it stops, and what the one who spawned it is told.

use std::collections::BTreeSet;

use flyball_core::config::Mode;
use flyball_core::event::{Agent, Outcome, Stopping};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Snippet, Verdict};

use super::gather::{Inputs, existing_files};
use super::memory::{Leftover, Notes, OtherProblems, Session, recall_snapshots, remember_snapshots};
use super::messages::{self, Misplaced, Problems};
use super::metadata::{Metadata, is_among};
use super::ownership::{AgentContext, Suspects};
use super::revert;
use super::settings::Settings;
use super::words::quoted;

/// An agent is held at most so often, however its problems change.
const MOST_HOLDS: u32 = 3;
/// So many of an agent's documents are read for their metadata, and none that is longer.
const MOST_READ: usize = 20;
const MOST_READ_BYTES: u64 = 256 * 1024;

/// An agent starts: it is known to run, and what is there is not its own.
pub(super) fn start(situation: &Situation<'_>, agent: &Agent) -> Result<(), PolicyError> {
    let mut session: Session = situation.recall()?;
    let goes_on = session.agents.get(&agent.id).is_some_and(|notes| notes.is_running && notes.start > 0);
    session.start(&agent.id, &agent.role);
    situation.remember(&session)?;
    let now = situation.gathered::<Inputs>().and_then(|brought| brought.trees.clone());
    let Some(now) = now.filter(|_| !goes_on) else { return Ok(()) };
    let mut befores = recall_snapshots(situation)?;
    befores.insert(agent.id.clone(), now);
    remember_snapshots(situation, befores, &session)
}

/// An agent wants to finish.
pub(super) fn stop(
    situation: &Situation<'_>,
    agent: &Agent,
    stopping: &Stopping,
) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let mut session: Session = situation.recall()?;
    if settings.skips(&agent.role) {
        if let Some(notes) = session.agents.get_mut(&agent.id).filter(|notes| notes.is_running) {
            notes.is_running = false;
            situation.remember(&session)?;
        }
        return Ok(Verdict::silent());
    }
    let notes = session.notes(&agent.id, &agent.role).clone();
    let befores = recall_snapshots(situation)?;
    let bare = || Inputs { existing: existing_files(situation.world, &notes), ..Inputs::default() };
    let brought = situation.gathered::<Inputs>().cloned().unwrap_or_else(bare);
    let scene = AgentContext {
        settings: &settings,
        session: &session,
        before: befores.get(&agent.id).map(Vec::as_slice),
        inputs: &brought,
        root: situation.world.project_root(),
    };
    let Suspects { own, unclaimed } = scene.suspects(&agent.id, &notes);
    let said = read_metadata(situation, &scene, (&notes, &own), &stopping.last_message);
    let problems = Problems {
        files: misplaced(situation, &scene, &agent.role, &own),
        missing: missing(&settings, &notes, &said),
        folders: wrong_folders(situation, &scene, &said),
    };
    let undo = match problems.missing.as_slice() {
        [] => Vec::new(),
        _ => revert::plan_undo(&scene, (&agent.id, &notes), &own),
    };
    session.unclaimed.extend(unclaimed);
    let verdict = decide(&mut session, agent, &problems, &undo);
    // Nobody holds it where this only observes.
    if situation.mode != Mode::Enforce {
        session.notes(&agent.id, &agent.role).is_running = false;
    }
    situation.remember(&session)?;
    Ok(verdict)
}

/// Holds an agent once for the same problems. Then it is let go, and the main agent and the user hear of it.
fn decide(session: &mut Session, agent: &Agent, problems: &Problems, undo: &[revert::Undo]) -> Verdict {
    session.left.retain(|_, left| left.agent != agent.id);
    let notes = session.notes(&agent.id, &agent.role);
    notes.verdict =
        Some(OtherProblems { missing: problems.missing.clone(), folders: problems.folders.clone() });
    if !problems.is_blocking() {
        notes.is_running = false;
        return Verdict::silent();
    }
    let print = problems.fingerprint();
    if notes.held != Some(print) && notes.holds < MOST_HOLDS {
        notes.held = Some(print);
        notes.holds += 1;
        return record_problems(Verdict::deny(problems.reason(undo)), problems);
    }
    notes.is_running = false;
    let was_told = notes.let_go.replace(print) == Some(print);
    for file in &problems.files {
        let (agent, role, way) = (agent.id.clone(), agent.role.clone(), file.move_command.clone());
        session.left.insert(file.path.clone(), Leftover { agent, role, way });
    }
    let notices = if was_told { Vec::new() } else { vec![problems.notice(&agent.role)] };
    record_problems(Verdict { notices, ..Verdict::silent() }, problems)
}

fn record_problems(mut verdict: Verdict, problems: &Problems) -> Verdict {
    for file in &problems.files {
        verdict = verdict.with_evidence("misplaced", file.path.clone());
    }
    for skill in &problems.missing {
        verdict = verdict.with_evidence("skill not used", skill.clone());
    }
    verdict
}

/// Documents in the wrong place, with the way to the right one.
pub(super) fn misplaced(
    situation: &Situation<'_>,
    scene: &AgentContext<'_>,
    role: &str,
    paths: &BTreeSet<String>,
) -> Vec<Misplaced> {
    let mut taken = BTreeSet::new();
    let mut found = Vec::new();
    for path in paths {
        let Some(rule) = scene.rule_broken_by(path) else { continue };
        let by = (role, scene.home(situation));
        found.extend(Misplaced::plan_move((path, rule), (scene, situation.world), by, &mut taken));
    }
    found
}

/// What the agent says of its work: in its last message, and in the documents that it wrote.
fn read_metadata(
    situation: &Situation<'_>,
    scene: &AgentContext<'_>,
    (notes, own): (&Notes, &BTreeSet<String>),
    last_message: &str,
) -> Metadata {
    let mut said = Metadata::parse(last_message);
    let is_document = |path: &&String| {
        let name = scene.locate(path).map(|spot| spot.name);
        name.is_some_and(|name| scene.settings.rule.iter().any(|rule| rule.files.match_path(name)))
    };
    let written: BTreeSet<&String> = notes.written.keys().filter(is_document).chain(own).collect();
    for path in written.into_iter().take(MOST_READ) {
        if let Ok(Some(bytes)) = situation.world.read(path, MOST_READ_BYTES) {
            said.join(Metadata::parse(&String::from_utf8_lossy(&bytes)));
        }
    }
    said
}

fn missing(settings: &Settings, notes: &Notes, said: &Metadata) -> Vec<String> {
    let owed = settings.required_skills(&notes.role).into_iter();
    let open = owed.filter(|skill| !is_among(&notes.skills, skill) && !said.names(skill));
    open.map(str::to_owned).collect()
}

/// Folders that metadata names and that are no place for documents.
fn wrong_folders(situation: &Situation<'_>, scene: &AgentContext<'_>, said: &Metadata) -> Vec<String> {
    let home = scene.home(situation);
    let is_wrong = |folder: &&String| {
        let path = situation.world.real_path(home, folder);
        let spot = scene.locate(&path).filter(|_| !scene.is_top(&path));
        !spot.is_some_and(|spot| scene.settings.is_place(spot.name))
    };
    said.folders.iter().filter(is_wrong).cloned().collect()
}

/// After an agent that was waited for: what its spawner should know. Nothing is held here.
pub(super) fn report_to_spawner(
    situation: &Situation<'_>,
    role: &str,
    outcome: &Outcome,
) -> Result<Verdict, PolicyError> {
    let Some(spawned) = outcome.spawned.as_ref().filter(|spawned| !spawned.is_running) else {
        return Ok(Verdict::silent());
    };
    let settings: Settings = situation.config()?;
    let session: Session = situation.recall()?;
    let unseen = || Notes { role: role.to_owned(), ..Notes::default() };
    let notes = session.agents.get(&spawned.id).cloned().unwrap_or_else(unseen);
    if settings.skips(&notes.role) {
        return Ok(Verdict::silent());
    }
    let said = Metadata::parse(&outcome.text);
    let befores = recall_snapshots(situation)?;
    let scene = AgentContext {
        settings: &settings,
        session: &session,
        before: befores.get(&spawned.id).map(Vec::as_slice),
        inputs: &Inputs::default(),
        root: situation.world.project_root(),
    };
    // Where its end was seen, it was judged with all that git knows.
    let judged = notes.verdict.clone().unwrap_or_else(|| OtherProblems {
        missing: missing(&settings, &notes, &said),
        folders: wrong_folders(situation, &scene, &said),
    });
    let mut problems = Vec::new();
    let open: Vec<String> = judged.missing.into_iter().filter(|skill| !said.names(skill)).collect();
    if !open.is_empty() {
        problems.push(format!("it did not use {}", messages::skills(&open)));
    }
    let left = session
        .left
        .iter()
        .filter(|(path, left)| left.agent == spawned.id && situation.world.stat(path).is_some());
    problems
        .extend(left.map(|(path, left)| format!("{} is not where it belongs: {}", quoted(path), left.way)));
    problems.extend(judged.folders.iter().map(|folder| messages::wrong_folder(folder)));
    let mut verdict = Verdict::silent();
    if !problems.is_empty() {
        let text = messages::spawner_report(&notes.role, &problems);
        verdict.context.push(Snippet { key: "loop.output".to_owned(), rank: 0, text });
    }
    Ok(verdict)
}
