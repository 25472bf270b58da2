//! A task survives compaction and is found again at the start.
//!
//! Files are written while gathering, and only if the policy is enforced. The context is read from the files afterwards.

mod handoff;
mod latest;
mod messages;
mod plans_folder;
mod settings;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind};
use flyball_core::path::{AbsolutePath, ProjectPath};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Snippet, Verdict};
use flyball_core::workshop::Workshop;
use flyball_knowledge::{layout, lock, plan};
use serde::{Deserialize, Serialize};

use self::latest::Linked;
use self::messages::Moment;
pub use self::settings::Settings;
use crate::task::session_key;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("task.session"),
    summary: "a task survives compaction and is found again at the start",
    page: include_str!("policy.md"),
    listens: &[
        EventKind::SessionStart,
        EventKind::AfterTool,
        EventKind::BeforeCompact,
        EventKind::SessionEnd,
    ],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

const MOST_OTHERS: usize = 5;

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    /// The plan of the client's plan mode with which it began.
    plan: Option<AbsolutePath>,
}

/// What was done before the decision.
enum Inputs {
    /// The task was handed over; what the user should know.
    HandedOver(Vec<String>),
    /// A plan was accepted.
    Accepted(Linked),
}

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    // A subagent's context is not the session's.
    if situation.mode != Mode::Enforce || situation.event.agent.is_some() {
        return Ok(None);
    }
    if let EventData::AfterTool { call, .. } = &situation.event.happening {
        let linked = latest::link_accepted(situation, workshop, call)?;
        return Ok(linked.map(|linked| Box::new(Inputs::Accepted(linked)) as Gathered));
    }
    let settings: Settings = situation.config()?;
    if matches!(situation.event.kind(), EventKind::BeforeCompact | EventKind::SessionStart) {
        lock::adopt(workshop, session_key(situation.event))?;
    }
    let done = match &situation.event.happening {
        EventData::BeforeCompact { .. } => {
            let mut notices = Vec::new();
            for path in open_tasks(situation)? {
                notices.extend(handoff::hand_over(workshop, &path, &settings)?);
            }
            Some(Inputs::HandedOver(notices))
        }
        EventData::SessionStart { source } if is_continued(source) => {
            // Also takes back that the session has ended.
            lock::heartbeat(workshop, session_key(situation.event))?;
            for path in open_tasks(situation)? {
                handoff::resume_task(workshop, &path)?;
            }
            None
        }
        EventData::SessionEnd { .. } => {
            lock::mark_ended(workshop, session_key(situation.event))?;
            None
        }
        // The client starts anew by `clear` when a plan is accepted.
        EventData::SessionStart { source } if source == "clear" => {
            latest::link(situation, workshop, &settings)?.map(Inputs::Accepted)
        }
        _ => None,
    };
    Ok(done.map(|done| Box::new(done) as Gathered))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if situation.event.agent.is_some() {
        return Ok(Verdict::silent());
    }
    match &situation.event.happening {
        EventData::BeforeCompact { .. } => before(situation),
        EventData::SessionStart { source } if is_continued(source) => resume_session(situation, source),
        EventData::SessionStart { .. } => start_session(situation),
        EventData::AfterTool { .. } => report_accepted(situation),
        _ => Ok(Verdict::silent()),
    }
}

/// Whether the session continues an earlier one, and its task.
fn is_continued(source: &str) -> bool {
    matches!(source, "compact" | "resume")
}

/// The open plans that this session is bound to, the last one first. Unreadable plans are left out.
fn open_tasks(situation: &Situation<'_>) -> Result<Vec<ProjectPath>, PolicyError> {
    lock::open_plans(situation.world, session_key(situation.event))
}

/// What the session works on: all facts about the task that it was bound to last, a line about each other.
fn tasks(situation: &Situation<'_>, moment: Moment) -> Result<Option<String>, PolicyError> {
    let settings: Settings = situation.config()?;
    let paused = paused_tasks(situation)?;
    let mut open = open_tasks(situation)?.into_iter();
    let first = open.next();
    let text = match &first {
        Some(first) => messages::task(situation.world, first, (moment, settings.tokens))?,
        None => None,
    };
    let mut lines: Vec<String> = text.into_iter().collect();
    lines.extend(open.take(MOST_OTHERS).map(|path| format!("It also works on the open task `{path}`.")));
    lines.extend(paused.iter().take(MOST_OTHERS).map(messages::paused));
    Ok((!lines.is_empty()).then(|| lines.join("\n")))
}

/// The tasks of this session that a person paused.
fn paused_tasks(situation: &Situation<'_>) -> Result<Vec<ProjectPath>, PolicyError> {
    let bound = lock::bound(situation.world, session_key(situation.event))?;
    let paused = bound.into_iter().filter(|(_, lock)| lock.paused.is_some());
    Ok(paused.map(|(path, _)| path).collect())
}

/// Facts for the summary.
fn before(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let mut verdict = Verdict::silent();
    tasks(situation, Moment::Before)?.into_iter().for_each(|text| verdict.join(context_verdict(text)));
    if let Some(Inputs::HandedOver(notices)) = situation.gathered::<Inputs>() {
        verdict.notices.clone_from(notices);
    }
    Ok(verdict)
}

/// What the session works on.
fn resume_session(situation: &Situation<'_>, source: &str) -> Result<Verdict, PolicyError> {
    let text = tasks(situation, Moment::After)?;
    let Some(path) = open_tasks(situation)?.into_iter().next() else {
        if let Some(text) = text {
            return Ok(context_verdict(text));
        }
        let is_bound = lock::bound_plan(situation.world, session_key(situation.event))?.is_some();
        return if is_bound {
            Ok(Verdict::silent())
        } else {
            plan_of_client(situation, &situation.config()?)
        };
    };
    let Some(text) = text else { return Ok(Verdict::silent()) };
    let mut verdict = context_verdict(text);
    let progress = plan::read(situation.world, &path)?.map(|plan| plan.progress()).unwrap_or_default();
    let occasion = if source == "compact" { "resumed after the compaction" } else { "resumed" };
    verdict.notices.push(format!("task {} {occasion}, {progress}", plan::task_name(&path)));
    Ok(verdict)
}

/// The plan of the client's plan mode that this session began with, or that its transcript names. Nothing if neither is
/// known: the newest plan of all may be another session's.
fn plan_of_client(situation: &Situation<'_>, settings: &Settings) -> Result<Verdict, PolicyError> {
    let memory: State = situation.recall()?;
    let plan = match memory.plan {
        Some(plan) => Some(plan),
        None => latest::named_in_transcript(situation, settings)?,
    };
    let Some(plan) = plan else { return Ok(Verdict::silent()) };
    let text = if situation.world.stat(&plan).is_some() {
        format!("The plan of this session is `{plan}`; the summary may not contain all of it.")
    } else {
        format!(
            "The plan of this session was `{plan}`, which no longer exists; the original request still applies."
        )
    };
    Ok(context_verdict(text))
}

/// A new session: reports a plan that was just accepted, and an open task that no session works on.
fn start_session(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let mut verdict = waiting_task(situation)?;
    verdict.join(report_accepted(situation)?);
    Ok(verdict)
}

/// Reports a plan that was just accepted, and remembers it.
fn report_accepted(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let mut verdict = Verdict::silent();
    match situation.gathered::<Inputs>() {
        Some(Inputs::Accepted(Linked::To(plan))) => {
            situation.remember(&State { plan: Some(plan.clone()) })?;
            let name = plan.rsplit('/').next().unwrap_or_default();
            verdict.notices.push(format!("`{}` links to the accepted plan {name}", layout::LATEST_PLAN));
        }
        Some(Inputs::Accepted(Linked::Skipped(why))) => verdict.notices.push(why.clone()),
        Some(Inputs::HandedOver(_)) | None => {}
    }
    Ok(verdict)
}

/// An open task that nobody works on. It is reported, never started.
fn waiting_task(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let world = situation.world;
    let Some(path) = plan::active(world)? else { return Ok(Verdict::silent()) };
    let Some(open) = plan::read(world, &path)?.filter(|plan| !plan.status.is_terminal()) else {
        return Ok(Verdict::silent());
    };
    let now = world.now();
    let holder = lock::read(world, &path)?.and_then(|lock| lock.holder);
    if holder.is_some_and(|holder| !holder.is_gone(now, lock::ORPHANED_AFTER)) {
        return Ok(Verdict::silent());
    }
    let line = format!(
        "`{path}` is an open task ({}) that no session works on; to start it, run `flyball task start`",
        open.progress()
    );
    let mut verdict = context_verdict(line.clone());
    verdict.notices.push(line);
    Ok(verdict)
}

fn context_verdict(text: String) -> Verdict {
    let snippet = Snippet { key: "task.session".to_owned(), rank: 20, text };
    Verdict { context: vec![snippet], ..Verdict::default() }
}
