//! An agent goes on while the task it is bound to is open.

mod settings;
mod state;
mod telling;
#[cfg(test)]
mod tests;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Happening, Stopping};
use flyball_core::policy::{Gathered, OnError, Policy, PolicyId, Situation, Trouble, World};
use flyball_core::verdict::Verdict;
use flyball_core::workshop::Workshop;
use flyball_knowledge::layout::{ARTIFACTS, PHASES};
use flyball_knowledge::lock;
use flyball_knowledge::plan::{self, Plan};

pub use self::settings::Settings;
use self::state::State;
use crate::digest::digest;
use crate::hold::Stop;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("task.stop"),
    summary: "an agent goes on while the task it is bound to is open",
    page: include_str!("policy.md"),
    listens: &[EventKind::Stop, EventKind::AfterTool, EventKind::ToolFailed, EventKind::PromptSubmit],
    on_error: OnError::Notice,
    mode: Mode::Off,
    section: SectionSpec::of::<Settings>(),
    run: judge,
    gather: Some(gather),
    review: None,
};

/// The plans that were given free because their tasks have ended.
struct Released(Vec<String>);

/// A plan as it is now.
enum Read {
    /// It was read; a number for its text, and one for all that shows that work is done.
    Plan { plan: Plan, text: u64, seen: u64 },
    /// It was not, and why.
    Nothing(String),
}

/// The session of an event, as locks know it.
fn who<'a>(situation: &Situation<'a>) -> (&'a str, &'a str) {
    (&situation.event.client, situation.event.session.as_str())
}

/// The main agent that wants to stop and waits for nothing.
fn stopping<'a>(situation: &Situation<'a>) -> Option<&'a Stopping> {
    let Happening::Stop(stopping) = &situation.event.happening else { return None };
    let is_waiting = stopping.background.iter().any(|work| work.kind == "subagent");
    (situation.event.agent.is_none() && !is_waiting).then_some(stopping)
}

fn gather(situation: &Situation<'_>, shop: &dyn Workshop) -> Result<Option<Gathered>, Trouble> {
    if situation.mode != Mode::Enforce {
        return Ok(None);
    }
    let beat = lock::beat(shop, who(situation));
    if stopping(situation).is_none() {
        // Locks that cannot be read are told of when somebody stops, not at each use of a tool.
        return Ok(None);
    }
    beat?;
    let plans = lock::all_bound(shop, who(situation))?;
    if plans.is_empty() {
        return Ok(None);
    }
    let settings: Settings = situation.config()?;
    // Only a look: what is decided is decided when all of the session's events are in order.
    let state = situation.memory.peek(situation.policy.as_str())?;
    let state: State = state.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let mut released = Vec::new();
    for path in plans {
        let Read::Plan { plan, text, .. } = read(shop, &path) else { continue };
        let held = state.0.get(&path).cloned().unwrap_or_default();
        let is_over =
            plan.status.is_terminal() && (!is_contradicted(&plan) || held.is_settled(text, &settings));
        if is_over && lock::release(shop, &path, Some(who(situation)))?.is_some() {
            released.push(path);
        }
    }
    Ok(Some(Box::new(Released(released))))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    match &situation.event.happening {
        Happening::AfterTool { .. } | Happening::ToolFailed { .. } => worked(situation),
        Happening::PromptSubmit { by_machine: false, .. } if situation.event.agent.is_none() => {
            if situation.remembers()? {
                let before: State = situation.recall()?;
                let mut state = before.clone();
                state.rearm();
                keep(situation, &before, &state)?;
            }
            Ok(Verdict::silent())
        }
        Happening::Stop(_) if stopping(situation).is_some() => stopped(situation),
        _ => Ok(Verdict::silent()),
    }
}

fn keep(situation: &Situation<'_>, before: &State, state: &State) -> Result<(), Trouble> {
    if state == before { Ok(()) } else { situation.remember(state) }
}

/// A tool was used. That is looked at without keeping others out, and is news once after each hold.
fn worked(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    let Some(text) = situation.memory.peek(situation.policy.as_str())? else { return Ok(Verdict::silent()) };
    let mut state: State = serde_json::from_str(&text).unwrap_or_default();
    if state.work() {
        let mut state: State = situation.recall()?;
        state.work();
        situation.remember(&state)?;
    }
    Ok(Verdict::silent())
}

fn stopped(situation: &Situation<'_>) -> Result<Verdict, Trouble> {
    let released: &[String] = situation.gathered::<Released>().map_or(&[], |released| &released.0);
    let bound = lock::all_bound(situation.world, who(situation))?;
    if released.is_empty() && bound.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let before: State = situation.recall()?;
    let mut state = before.clone();
    let mut verdict = Verdict::silent();
    for path in released {
        if let Read::Plan { plan, .. } = read(situation.world, path) {
            verdict.join(telling::ended(path, &plan, has_lessons(situation.world, path)));
        }
        state.0.remove(path);
    }
    for path in bound.iter().filter(|path| !released.contains(path)) {
        verdict.join(open(situation.world, path, (&mut state, &settings)));
    }
    keep(situation, &before, &state)?;
    Ok(verdict)
}

/// What becomes of a stop for one plan that the session is bound to.
fn open(world: &dyn World, path: &str, (state, settings): (&mut State, &Settings)) -> Verdict {
    let held = state.0.entry(path.to_owned()).or_default();
    let (plan, text, seen) = match read(world, path) {
        Read::Plan { plan, text, seen } => (plan, text, seen),
        Read::Nothing(why) => {
            return match held.release(digest([why.as_str()])) {
                Stop::Release => telling::unreadable(path, &why),
                Stop::Block | Stop::Silent => Verdict::silent(),
            };
        }
    };
    if is_contradicted(&plan) {
        return match held.contradict(text, settings) {
            Stop::Block => telling::contradicted(path, &plan),
            Stop::Release => telling::ended(path, &plan, has_lessons(world, path)),
            Stop::Silent => Verdict::silent(),
        };
    }
    if plan.status.is_terminal() {
        return match held.release(text) {
            Stop::Release => telling::ended(path, &plan, has_lessons(world, path)),
            Stop::Block | Stop::Silent => Verdict::silent(),
        };
    }
    match held.stop(seen, settings) {
        Stop::Block => telling::held(path, &plan, (held, settings)),
        Stop::Release => telling::let_go(path, &plan),
        Stop::Silent => Verdict::silent(),
    }
}

/// Whether a plan says that it is over while its phases say that they are not complete.
fn is_contradicted(plan: &Plan) -> bool {
    plan.status.is_terminal() && plan.unfinished().next().is_some()
}

fn has_lessons(world: &dyn World, path: &str) -> bool {
    world.stat(&plan::place(world, &plan::lessons(path))).is_some_and(|stat| stat.bytes > 0)
}

fn read(world: &dyn World, path: &str) -> Read {
    if !plan::is_plan_path(path) {
        return Read::Nothing(format!("`{path}` is not the path of a plan"));
    }
    let text = match plan::text(world, path) {
        Ok(Some(text)) => text,
        Ok(None) => return Read::Nothing(format!("its plan `{path}` is not there")),
        Err(trouble) => return Read::Nothing(trouble.to_string()),
    };
    match plan::read(world, path) {
        Ok(Some(plan)) => {
            let print = digest([text.as_str()]);
            Read::Plan { plan, text: print, seen: digest([text.as_str(), &traces(world, path)]) }
        }
        Ok(None) => Read::Nothing(format!("its plan `{path}` is not there")),
        Err(trouble) => Read::Nothing(trouble.to_string()),
    }
}

/// What changes when somebody works on the task beside its plan: the files of its phases, and what agents brought.
fn traces(world: &dyn World, path: &str) -> String {
    let mut traces = String::new();
    for below in [PHASES, ARTIFACTS] {
        let folder = plan::place(world, &plan::beside(path, below));
        for name in world.list(&folder) {
            let changed = world.stat(&format!("{folder}/{name}")).map(|stat| stat.changed_nanos);
            traces.push_str(&format!("{name}\n{}\n", changed.unwrap_or_default()));
        }
    }
    traces
}
