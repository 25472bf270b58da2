//! One agent: what exists when it starts, what is wrong when it stops, and the report to its spawner.

use std::collections::BTreeSet;

use flyball_core::config::Mode;
use flyball_core::event::{Agent, Outcome, Stopping};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::verdict::{Snippet, Verdict};

use super::gather::existing_files;
use super::memory::{Leftover, Notes, OtherProblems, Session, recall_snapshots, remember_snapshots};
use super::messages::{self, Misplaced, MovePlanner, Problems};
use super::metadata::{Metadata, is_among};
use super::ownership::{AgentContext, Inputs, Suspects};
use super::revert;
use super::settings::Settings;
use crate::blocking::{StopDecision, blocks, release};
use crate::shell_word::quoted;

/// How often an agent is blocked, however its problems change.
const MOST_BLOCKS: u32 = 3;
/// How many of an agent's documents are read for their metadata, and how long they may be.
const MOST_READ: usize = 20;
const MOST_READ_BYTES: u64 = 256 * 1024;

/// An agent starts: files that exist now are not its own.
pub(super) fn start(situation: &Situation<'_>, agent: &Agent) -> Result<(), PolicyError> {
    let mut session: Session = situation.recall()?;
    let continues = session.agents.get(&agent.id).is_some_and(|notes| notes.is_running && notes.start > 0);
    session.start(&agent.id, &agent.role);
    situation.remember(&session)?;
    let now = situation.gathered::<Inputs>().and_then(|inputs| inputs.trees.clone());
    // An agent that continues has written files already, so its first snapshot stays.
    let Some(now) = now.filter(|_| !continues) else { return Ok(()) };
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
    let inputs = situation.gathered::<Inputs>().cloned().unwrap_or_else(bare);
    let context = AgentContext {
        settings: &settings,
        session: &session,
        before: befores.get(&agent.id).map(Vec::as_slice),
        inputs: &inputs,
        root: situation.world.project_root(),
    };
    let Suspects { own, unclaimed } = context.suspects(&agent.id, &notes);
    let documents = context.documents(&notes).chain(&own).collect();
    let metadata = read_metadata(situation.world, &stopping.last_message, &documents);
    let problems = Problems {
        files: misplaced(situation, &context, &agent.role, &own),
        missing: missing(&settings, &notes, &metadata),
        folders: wrong_folders(situation, &context, &metadata),
    };
    let undo = match problems.missing.as_slice() {
        [] => Vec::new(),
        _ => revert::plan_undo(&context, &agent.id, &notes, &own),
    };
    session.unclaimed.extend(unclaimed);
    let verdict = decide(&mut session, agent, &problems, &undo);
    // In observe mode it is not blocked.
    if situation.mode != Mode::Enforce {
        session.notes(&agent.id, &agent.role).is_running = false;
    }
    situation.remember(&session)?;
    Ok(verdict)
}

/// Blocks an agent once for the same problems. Then it is released, and the main agent and the user are notified.
fn decide(session: &mut Session, agent: &Agent, problems: &Problems, undo: &[revert::Undo]) -> Verdict {
    // Judged anew: what it has moved meanwhile is not left in the wrong place any more.
    session.left.retain(|_, left| left.agent != agent.id);
    let notes = session.notes(&agent.id, &agent.role);
    notes.verdict =
        Some(OtherProblems { missing: problems.missing.clone(), folders: problems.folders.clone() });
    if !problems.is_blocking() {
        notes.is_running = false;
        return Verdict::silent();
    }
    let print = problems.fingerprint();
    if blocks(&mut notes.blocked_for, &mut notes.holds, print, MOST_BLOCKS) {
        return record_problems(Verdict::deny(problems.reason(undo)), problems);
    }
    notes.is_running = false;
    let released = release(&mut notes.released_with, print);
    for file in &problems.files {
        let (agent, role, move_command) = (agent.id.clone(), agent.role.clone(), file.move_command.clone());
        session.left.insert(file.path.clone(), Leftover { agent, role, move_command });
    }
    let verdict = match released {
        StopDecision::Release => Verdict::notice(problems.notice(&agent.role)),
        StopDecision::Block | StopDecision::Silent => Verdict::silent(),
    };
    record_problems(verdict, problems)
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

/// Documents in the wrong place, with the commands that move them.
pub(super) fn misplaced(
    situation: &Situation<'_>,
    context: &AgentContext<'_>,
    role: &str,
    paths: &BTreeSet<AbsolutePath>,
) -> Vec<Misplaced> {
    let home = context.home(situation);
    let mut planner = MovePlanner { context, world: situation.world, role, home, taken: BTreeSet::new() };
    paths.iter().filter_map(|path| planner.plan(path)).collect()
}

/// What the agent reports about its work: in its last message, and in these documents.
fn read_metadata(world: &dyn World, last_message: &str, documents: &BTreeSet<&AbsolutePath>) -> Metadata {
    let mut metadata = Metadata::parse(last_message);
    for path in documents.iter().take(MOST_READ) {
        if let Ok(Some(bytes)) = world.read(path, MOST_READ_BYTES) {
            metadata.join(Metadata::parse(&String::from_utf8_lossy(&bytes)));
        }
    }
    metadata
}

fn missing(settings: &Settings, notes: &Notes, metadata: &Metadata) -> Vec<String> {
    let required = settings.required_skills(&notes.role).into_iter();
    let open = required.filter(|skill| !is_among(&notes.skills, skill) && !metadata.names(skill));
    open.map(str::to_owned).collect()
}

/// Folders in the metadata that are not for documents.
fn wrong_folders(situation: &Situation<'_>, context: &AgentContext<'_>, metadata: &Metadata) -> Vec<String> {
    let home = context.home(situation);
    let is_wrong = |folder: &&String| {
        let path = situation.world.real_path(home, folder);
        let location = context.locate(&path).filter(|_| !context.is_top(&path));
        !location.is_some_and(|location| context.settings.is_place(location.name))
    };
    metadata.folders.iter().filter(is_wrong).cloned().collect()
}

/// After an agent that ran in the foreground: what its spawner should know. Nothing is blocked here.
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
    let metadata = Metadata::parse(&outcome.text);
    let befores = recall_snapshots(situation)?;
    let context = AgentContext {
        settings: &settings,
        session: &session,
        before: befores.get(&spawned.id).map(Vec::as_slice),
        inputs: &Inputs::default(),
        root: situation.world.project_root(),
    };
    // If its stop was seen, it was judged then, with the answers of git.
    let judged = notes.verdict.clone().unwrap_or_else(|| OtherProblems {
        missing: missing(&settings, &notes, &metadata),
        folders: wrong_folders(situation, &context, &metadata),
    });
    let mut problems = Vec::new();
    let open: Vec<String> = judged.missing.into_iter().filter(|skill| !metadata.names(skill)).collect();
    if !open.is_empty() {
        problems.push(format!("it did not use {}", messages::skills(&open)));
    }
    let left = session
        .left
        .iter()
        .filter(|(path, left)| left.agent == spawned.id && situation.world.stat(path).is_some());
    problems.extend(
        left.map(|(path, left)| format!("{} is in the wrong place: {}", quoted(path), left.move_command)),
    );
    problems.extend(judged.folders.iter().map(|folder| messages::wrong_folder(folder)));
    if problems.is_empty() {
        return Ok(Verdict::silent());
    }
    let text = messages::spawner_report(&notes.role, &problems);
    Ok(Verdict::context(Snippet { key: "loop.output".to_owned(), rank: 0, text }))
}
