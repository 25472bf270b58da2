//! An agent goes on while the task it is bound to is open.

mod messages;
mod pause;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod waiting;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Stopping};
use flyball_core::path::ProjectPath;
use flyball_core::policy::{Gathered, OnError, Policy, PolicyError, PolicyId, Situation, World};
use flyball_core::verdict::Verdict;
use flyball_core::workshop::Workshop;
use flyball_knowledge::layout::{ARTIFACTS, PHASES};
use flyball_knowledge::lock;
use flyball_knowledge::plan::{self, Plan};

pub use self::settings::Settings;
use self::state::State;
use crate::blocking::StopDecision;
use crate::digest::digest;
use crate::task::session_key;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("task.stop"),
    summary: "an agent goes on while the task it is bound to is open",
    page: include_str!("policy.md"),
    listens: &[EventKind::Stop, EventKind::AfterTool, EventKind::ToolFailed, EventKind::PromptSubmit],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// The plans that were released because their tasks have ended.
struct Released(Vec<ProjectPath>);

/// A plan as it is now.
enum PlanState {
    /// It was read; a digest of its text, and one of everything that shows that work is done.
    Plan { plan: Plan, text_digest: u64, work_digest: u64 },
    /// It could not be read, and why.
    Unreadable(String),
}

/// The main agent that wants to stop and waits for nothing.
fn stopping<'a>(situation: &Situation<'a>) -> Option<&'a Stopping> {
    let EventData::Stop(stopping) = &situation.event.happening else { return None };
    // In a plan nothing can be done for the task.
    let can_go_on = !stopping.has_running_subagent() && !situation.event.is_planning();
    (situation.event.agent.is_none() && can_go_on).then_some(stopping)
}

fn gather(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Option<Gathered>, PolicyError> {
    if situation.mode != Mode::Enforce {
        return Ok(None);
    }
    if let Some(prompt) = pause::prompt_of_person(situation.event) {
        return Ok(pause::gather(situation, workshop, prompt)?.map(|change| Box::new(change) as Gathered));
    }
    let beat = lock::heartbeat(workshop, session_key(situation.event));
    if stopping(situation).is_none() {
        // Unreadable locks are reported at a stop, not at each use of a tool.
        return Ok(None);
    }
    beat?;
    lock::adopt(workshop, session_key(situation.event))?;
    let plans = lock::bound_plans(workshop, session_key(situation.event))?;
    if plans.is_empty() {
        return Ok(None);
    }
    let settings: Settings = situation.config()?;
    // Only a peek: the decision is made later, when the session's events are in order.
    let state = situation.memory.peek(situation.policy.as_str())?;
    let state: State = state.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut released = Vec::new();
    for path in plans {
        let PlanState::Plan { plan, text_digest: text, .. } = read(workshop, &path) else { continue };
        let history = state.0.get(&path).cloned().unwrap_or_default();
        let is_over =
            plan.status.is_terminal() && (!is_contradicted(&plan) || history.is_settled(text, &settings));
        if is_over && lock::release(workshop, &path, Some(session_key(situation.event)))?.is_some() {
            released.push(path);
        }
    }
    Ok(Some(Box::new(Released(released))))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    match &situation.event.happening {
        EventData::AfterTool { .. } | EventData::ToolFailed { .. } => record_work(situation),
        EventData::PromptSubmit { by_machine: false, .. } if situation.event.agent.is_none() => {
            if situation.remembers()? {
                let before: State = situation.recall()?;
                let mut state = before.clone();
                state.rearm();
                save_if_changed(situation, &before, &state)?;
            }
            Ok(situation.gathered::<pause::Change>().map(pause::verdict).unwrap_or_default())
        }
        EventData::Stop(_) if stopping(situation).is_some() => decide_stop(situation),
        _ => Ok(Verdict::silent()),
    }
}

fn save_if_changed(situation: &Situation<'_>, before: &State, state: &State) -> Result<(), PolicyError> {
    if state == before { Ok(()) } else { situation.remember(state) }
}

/// A tool was used. Read without a lock; it is news once after each block.
fn record_work(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(text) = situation.memory.peek(situation.policy.as_str())? else { return Ok(Verdict::silent()) };
    let mut state: State = serde_json::from_str(&text).unwrap_or_default();
    if state.record_work() {
        // Read again under the lock: it may have changed since the peek.
        let mut state: State = situation.recall()?;
        state.record_work();
        situation.remember(&state)?;
    }
    Ok(Verdict::silent())
}

fn decide_stop(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let released: &[ProjectPath] = situation.gathered::<Released>().map_or(&[], |released| &released.0);
    let bound = lock::bound(situation.world, session_key(situation.event))?;
    if released.is_empty() && bound.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let awaited = waiting::awaited(situation, &settings)?;
    let before: State = situation.recall()?;
    let mut state = before.clone();
    let mut verdict = Verdict::silent();
    for path in released {
        if let PlanState::Plan { plan, .. } = read(situation.world, path) {
            verdict.join(messages::ended(path, &plan, has_lessons(situation.world, path)));
        }
        state.0.remove(path);
    }
    for (path, lock) in bound.iter().filter(|(path, _)| !released.contains(path)) {
        verdict.join(match (&lock.paused, &awaited) {
            (Some(_), _) => Verdict::silent().with_evidence("paused", path.as_str()),
            (None, Some(work)) => Verdict::silent().with_evidence("waits", work),
            (None, None) => decide_plan(situation.world, path, (&mut state, &settings)),
        });
    }
    save_if_changed(situation, &before, &state)?;
    Ok(verdict)
}

/// The verdict about a stop for one plan that the session is bound to.
fn decide_plan(world: &dyn World, path: &ProjectPath, (state, settings): (&mut State, &Settings)) -> Verdict {
    let history = state.0.entry(path.to_owned()).or_default();
    let (plan, text, seen) = match read(world, path) {
        PlanState::Plan { plan, text_digest: text, work_digest: seen } => (plan, text, seen),
        PlanState::Unreadable(why) => {
            return match history.release(digest([why.as_str()])) {
                StopDecision::Release => messages::unreadable(path, &why),
                StopDecision::Block | StopDecision::Silent => Verdict::silent(),
            };
        }
    };
    if is_contradicted(&plan) {
        return match history.contradict(text, settings) {
            StopDecision::Block => messages::contradicted(path, &plan),
            StopDecision::Release => messages::ended(path, &plan, has_lessons(world, path)),
            StopDecision::Silent => Verdict::silent(),
        };
    }
    if plan.status.is_terminal() {
        return match history.release(text) {
            StopDecision::Release => messages::ended(path, &plan, has_lessons(world, path)),
            StopDecision::Block | StopDecision::Silent => Verdict::silent(),
        };
    }
    match history.stop(seen, settings) {
        StopDecision::Block => messages::blocked(path, &plan, (history, settings)),
        StopDecision::Release => messages::released(path, &plan),
        StopDecision::Silent => Verdict::silent(),
    }
}

/// Whether a plan says that it is over while its phases say that they are not complete.
fn is_contradicted(plan: &Plan) -> bool {
    plan.status.is_terminal() && plan.unfinished().next().is_some()
}

fn has_lessons(world: &dyn World, path: &ProjectPath) -> bool {
    world.stat(&plan::absolute_path(world, &plan::lessons_path(path))).is_some_and(|stat| stat.bytes > 0)
}

fn read(world: &dyn World, path: &ProjectPath) -> PlanState {
    if !plan::is_plan_path(path) {
        return PlanState::Unreadable(format!("`{path}` is not the path of a plan"));
    }
    let text = match plan::read_text(world, path) {
        Ok(Some(text)) => text,
        Ok(None) => return PlanState::Unreadable(format!("its plan `{path}` does not exist")),
        Err(error) => return PlanState::Unreadable(error.to_string()),
    };
    match plan::read(world, path) {
        Ok(Some(plan)) => {
            let text_digest = digest([text.as_str()]);
            PlanState::Plan { plan, text_digest, work_digest: digest([text.as_str(), &traces(world, path)]) }
        }
        Ok(None) => PlanState::Unreadable(format!("its plan `{path}` does not exist")),
        Err(error) => PlanState::Unreadable(error.to_string()),
    }
}

/// What changes beside the plan when an agent works on the task: phase files and reports.
fn traces(world: &dyn World, path: &ProjectPath) -> String {
    let mut traces = String::new();
    for below in [PHASES, ARTIFACTS] {
        let folder = plan::absolute_path(world, &plan::sibling_path(path, below));
        for name in world.list(&folder) {
            let changed = world.stat(&folder.join(&name)).map(|stat| stat.changed_nanos);
            traces.push_str(&format!("{name}\n{}\n", changed.unwrap_or_default()));
        }
    }
    traces
}
