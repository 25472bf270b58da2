//! Judges one event: runs every policy that listens, replaces those that fail by a fallback, merges the verdicts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use crate::config::{Config, Mode, Section};
use crate::event::{Event, EventData};
use crate::facts::{Facts, Gathering};
use crate::lift::{ActiveGrants, lift};
use crate::merge::{Bounds, Merged, merge};
use crate::policy::{Memory, OnError, Policy, PolicyError, PolicyId, Situation, World};
pub use crate::ruling::Ruling;
use crate::verdict::{Reason, Stance, Verdict};
use crate::workshop::Workshop;
use crate::world::real_root;

/// How often in a row the end of a turn is held because it cannot be judged.
const MOST_HELD: u32 = 3;
/// The memory key of how often it was.
const HELD_KEY: &str = "engine.held";

/// The table of all policies.
pub type Registry = &'static [&'static Policy];

/// One event with all that is needed to judge it. Shared, because a policy that hangs is left
/// behind in its thread.
#[derive(Clone)]
pub struct Case {
    pub event: Arc<Event>,
    /// The configuration in force.
    pub config: Arc<Config>,
    pub world: Arc<dyn World>,
    /// What policies remember of the session.
    pub memory: Arc<dyn Memory>,
    /// Policies that the person who started the client switched off for this run.
    pub skipped: Arc<[String]>,
    /// Whether policies run under a deadline.
    pub watch: Watch,
    /// Deliberate failures, in test builds.
    pub faults: Faults,
    /// What was computed about the event so far.
    pub facts: Arc<Facts>,
    /// Where policies run programs before they judge; none in a replay or an explanation.
    pub workshop: Option<Arc<dyn Workshop>>,
}

/// Whether a policy is watched while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// No: the input is small and the policies are code of ours, bounded by it. A thread costs
    /// a tenth of the whole call.
    Trust,
    /// Each runs in a thread of its own under the deadline.
    Deadline,
}

/// All rulings, and the one answer they make.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub rulings: Vec<Ruling>,
    pub merged: Merged,
}

/// Judges an event by all policies that listen to it.
#[must_use]
pub fn judge(registry: Registry, case: &Case) -> Judgement {
    let gathering = case.facts.gathering.get_or_init(|| Arc::new(gather(registry, case)));
    let failure = |id| gathering.failed.iter().find(|(policy, _)| *policy == id);
    let rule_unless_failed = |entry: Entry<'_>| match failure(entry.0.id) {
        Some((_, error)) => ruling(entry, case, case.world.elapsed(), Err(error.clone())),
        None => rule(entry, case),
    };
    let mut rulings: Vec<Ruling> = listening_policies(registry, case).map(rule_unless_failed).collect();
    lift_granted(&mut rulings, case);
    // Only after all have judged, because a review judges the others' rulings.
    for entry in listening_policies(registry, case) {
        review(entry, case, &mut rulings);
    }
    lift_granted(&mut rulings, case);
    end_hold(case);
    let mut merged = merge_rulings(&rulings, case);
    // The client will run the rewritten text, so it is judged again: a rewrite must not smuggle in what a guard
    // would have denied.
    if let Some(second) = merged.rewritten.clone().and_then(|text| rewritten_case(case, text)) {
        let guards =
            listening_policies(registry, &second).filter(|(policy, _)| policy.on_error == OnError::Deny);
        let objections =
            guards.map(|entry| rule(entry, &second)).filter(|ruling| ruling.verdict.stance >= Stance::Ask);
        let before = rulings.len();
        let mut objections: Vec<Ruling> = objections.collect();
        lift_granted(&mut objections, &second);
        rulings.extend(objections);
        if rulings.len() > before {
            merged = merge_rulings(&rulings, case);
        }
    }
    Judgement { rulings, merged }
}

/// Takes back what a person allowed for a while. Most events have nothing to take back, and read no file for it.
fn lift_granted(rulings: &mut [Ruling], case: &Case) {
    let Some(first) = rulings.iter_mut().find(|ruling| ruling.verdict.stance >= Stance::Ask) else { return };
    match case.world.grants() {
        Ok(grants) => {
            let root = real_root(&*case.world);
            lift(rulings, &ActiveGrants { grants: &grants, root: &root, now: case.world.now() });
        }
        Err(error) => first.verdict.notices.push(format!("{error}; {}", error.fix())),
    }
}

type Entry<'a> = (&'static Policy, &'a Section);

fn listening_policies<'a>(registry: Registry, case: &'a Case) -> impl Iterator<Item = Entry<'a>> {
    let kind = case.event.kind();
    registry.iter().filter(move |policy| policy.listens_to(kind)).filter_map(|policy| {
        let section = case.config.sections.get(policy.id.as_str())?;
        (section.mode != Mode::Off).then_some((*policy, section))
    })
}

fn merge_rulings(rulings: &[Ruling], case: &Case) -> Merged {
    let verdicts: Vec<(PolicyId, Verdict)> =
        rulings.iter().map(|ruling| (ruling.policy, ruling.counted_verdict())).collect();
    let main_text = case.event.call().and_then(|call| call.tool.main_text());
    merge(&verdicts, Bounds { main_text, context: case.config.engine.context_chars })
}

fn rewritten_case(case: &Case, text: String) -> Option<Case> {
    let event = case.event.with_main_text(text)?;
    // New facts, because the old ones are about the text before the rewrite.
    Some(Case { event: Arc::new(event), facts: Arc::default(), ..case.clone() })
}

fn rule((policy, section): Entry<'_>, case: &Case) -> Ruling {
    let started = case.world.elapsed();
    let outcome = match case.watch {
        Watch::Trust => run(policy, section, case),
        Watch::Deadline => run_watched(policy, section, case),
    };
    let outcome = outcome.and_then(|verdict| unless_unknown(policy, case, verdict));
    ruling((policy, section), case, started, outcome)
}

/// The verdict of a policy, unless a guard lets the action pass and something that was looked up for this event could
/// not be known: it would have judged as if nothing were there. Policies share what they look up, so it does not
/// matter which of them asked first.
fn unless_unknown(policy: &Policy, case: &Case, verdict: Verdict) -> Result<Verdict, PolicyError> {
    let is_guard = policy.on_error == OnError::Deny && case.event.kind().is_gate();
    let lets_pass = match verdict.stance {
        Stance::Silent => is_guard,
        // Whoever answers for the user must know what it allows.
        Stance::Allow => true,
        _ => false,
    };
    if !lets_pass {
        return Ok(verdict);
    }
    case.world.unknown_fact().map_or(Ok(verdict), Err)
}

fn ruling(
    (policy, section): Entry<'_>,
    case: &Case,
    started: Duration,
    outcome: Result<Verdict, PolicyError>,
) -> Ruling {
    let took = case.world.elapsed().saturating_sub(started);
    let (verdict, error) = match outcome {
        Ok(verdict) => (verdict, None),
        Err(error) => (fallback(policy, &error, case), Some(error)),
    };
    let skipped = is_skipped(policy, case);
    Ruling { policy: policy.id, mode: section.mode, verdict, error, took, skipped }
}

/// Runs what policies do before they judge: once for each event, even if it is judged again.
fn gather(registry: Registry, case: &Case) -> Gathering {
    let mut gathering = Gathering::default();
    let Some(workshop) = &case.workshop else { return gathering };
    for (policy, section) in
        listening_policies(registry, case).filter(|(policy, _)| !is_skipped(policy, case))
    {
        let Some(gather) = policy.gather else { continue };
        // Others may change the memory meanwhile, so what is written here could be based on an old state.
        let memory = ReadOnlyMemory(&*case.memory);
        let situation = Situation { memory: &memory, ..situation((policy, section), case) };
        match catch_panics(|| gather(&situation, &**workshop)) {
            Ok(Some(gathered)) => gathering.gathered.push((policy.id, gathered)),
            Ok(None) => {}
            Err(error) => gathering.failed.push((policy.id, error)),
        }
    }
    gathering
}

fn is_skipped(policy: &Policy, case: &Case) -> bool {
    case.skipped.iter().any(|id| id == policy.id.as_str())
}

/// The memory of a session for `gather`, which is not repeated if another event changes it.
struct ReadOnlyMemory<'a>(&'a dyn Memory);

impl Memory for ReadOnlyMemory<'_> {
    fn read(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.0.peek(key)
    }

    fn has(&self, key: &str) -> Result<bool, PolicyError> {
        Ok(self.0.peek(key)?.is_some())
    }

    fn peek(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.0.peek(key)
    }

    fn may_write(&self) -> bool {
        false
    }

    fn write(&self, key: &str, _: String) -> Result<(), PolicyError> {
        Err(PolicyError::Bug { what: format!("{key} is written before it is judged") })
    }

    fn active_time(&self) -> Result<Duration, PolicyError> {
        self.0.active_time()
    }
}

/// Adds a policy's verdict on the others' rulings to its own ruling.
fn review((policy, section): Entry<'_>, case: &Case, rulings: &mut [Ruling]) {
    let Some(review) = policy.review else { return };
    let started = case.world.elapsed();
    let outcome = catch_panics(|| review(&situation((policy, section), case), rulings));
    let Some(own) = rulings.iter_mut().find(|ruling| ruling.policy == policy.id) else { return };
    match outcome {
        Ok(verdict) => own.verdict.join(verdict),
        Err(error) => {
            own.verdict.join(fallback(policy, &error, case));
            own.error = Some(error);
        }
    }
    own.took += case.world.elapsed().saturating_sub(started);
}

fn run(policy: &'static Policy, section: &Section, case: &Case) -> Result<Verdict, PolicyError> {
    catch_panics(|| {
        case.faults.inject(policy.id.as_str())?;
        (policy.run)(&situation((policy, section), case))
    })
}

fn situation<'a>((policy, section): Entry<'a>, case: &'a Case) -> Situation<'a> {
    Situation {
        policy: policy.id,
        event: &case.event,
        mode: section.mode,
        section,
        world: &*case.world,
        memory: &*case.memory,
        facts: &case.facts,
        wrappers: &case.config.engine.wrappers,
        context_chars: case.config.engine.context_chars,
        payloads: case.config.store.payloads,
    }
}

fn catch_panics<T>(work: impl FnOnce() -> Result<T, PolicyError>) -> Result<T, PolicyError> {
    // A bug in one policy must not cost the verdicts of the others.
    let outcome = catch_unwind(AssertUnwindSafe(work));
    outcome.unwrap_or_else(|panic| Err(PolicyError::Bug { what: panic_text(&*panic) }))
}

fn run_watched(policy: &'static Policy, section: &Section, case: &Case) -> Result<Verdict, PolicyError> {
    let limit = Duration::from_millis(case.config.engine.deadline_ms);
    let (sender, receiver) = mpsc::channel();
    // Owned by the thread, which may outlive this function.
    let (section, case) = (section.clone(), case.clone());
    // Nobody receives a verdict that comes after the deadline.
    let work = move || drop(sender.send(run(policy, &section, &case)));
    let started = std::thread::Builder::new().name(policy.id.as_str().to_owned()).spawn(work);
    if let Err(cause) = started {
        return Err(PolicyError::World {
            what: format!("no thread could be started: {cause}"),
            fix: "free processes or memory on this machine".to_owned(),
        });
    }
    match receiver.recv_timeout(limit) {
        Ok(outcome) => outcome,
        // The thread is left running: it cannot be killed, and it ends with this process.
        Err(RecvTimeoutError::Timeout) => Err(PolicyError::TimedOut { limit }),
        Err(RecvTimeoutError::Disconnected) => Err(PolicyError::Bug { what: "its thread died".to_owned() }),
    }
}

/// The verdict of a failed policy: guards deny where the client waits for a decision, loops hold the end of a turn, the
/// rest allow the action, and all report the failure.
fn fallback(policy: &Policy, error: &PolicyError, case: &Case) -> Verdict {
    let what = format!("flyball could not judge this: {} failed ({error})", policy.id);
    let why = match policy.on_error {
        OnError::Deny if case.event.kind().is_gate() => "guards deny while they cannot judge",
        OnError::Hold if is_held(error, case) => {
            "nobody knows whether the work is done while it cannot be judged"
        }
        OnError::Deny | OnError::Hold | OnError::Notice => {
            return Verdict {
                notices: vec![format!("{what}; the action was allowed; to fix: {}", error.fix())],
                ..Verdict::default()
            };
        }
    };
    Verdict::deny(Reason {
        what,
        // On a line of its own, so that it is never left out.
        why: format!("No rule was broken; {why}\nTo fix: {}", error.fix()),
        instead: "Tell the user".to_owned(),
    })
}

/// Whether the end of this turn is held because a loop could not judge it. Not for ever: what is broken may stay so.
fn is_held(error: &PolicyError, case: &Case) -> bool {
    if matches!(error, PolicyError::Stored { .. }) {
        return false;
    }
    let (EventData::Stop(stopping) | EventData::AgentStop { stopping, .. }) = &case.event.happening else {
        return false;
    };
    let count = || {
        let before = case.memory.read(HELD_KEY).ok()?;
        let before: u32 = before.and_then(|text| text.parse().ok()).unwrap_or_default();
        let is_held = before < MOST_HELD;
        let after = if is_held { before + 1 } else { 0 };
        case.memory.write(HELD_KEY, after.to_string()).ok()?;
        Some(is_held)
    };
    // Without a memory, once: the client says whether it was held before.
    *case.facts.is_held.get_or_init(|| count().unwrap_or(!stopping.again))
}

/// The end of a turn that could be judged ends the row of those that could not.
fn end_hold(case: &Case) {
    let is_stop = matches!(case.event.happening, EventData::Stop(_) | EventData::AgentStop { .. });
    if is_stop && case.facts.is_held.get().is_none() && case.memory.has(HELD_KEY).unwrap_or(false) {
        // If it cannot be written, the row goes on: it ends all the same.
        drop(case.memory.write(HELD_KEY, "0".to_owned()));
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// Deliberate failures of policies, so that a real process can be tested for them. Only test
/// builds can have any.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    #[cfg(debug_assertions)]
    planned: Arc<[(String, String)]>,
}

impl Faults {
    /// Reads `policy=panic,policy=hang,policy=error`; ignored outside test builds.
    #[must_use]
    #[cfg(debug_assertions)]
    pub fn parse(text: &str) -> Faults {
        let pair = |entry: &str| entry.split_once('=').map(|(id, fault)| (id.to_owned(), fault.to_owned()));
        Faults { planned: text.split(',').filter_map(pair).collect() }
    }

    /// Whether there are any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        #[cfg(debug_assertions)]
        return self.planned.is_empty();
        #[cfg(not(debug_assertions))]
        true
    }

    /// Fails as planned for this place: a policy's id, or `hook` for the path around them.
    ///
    /// # Errors
    /// If an error was planned.
    #[cfg(debug_assertions)]
    #[expect(clippy::panic, reason = "the panic is what is being tested")]
    pub fn inject(&self, place: &str) -> Result<(), PolicyError> {
        match self.planned.iter().find(|(planned, _)| planned == place).map(|(_, fault)| fault.as_str()) {
            Some("panic") => panic!("a planned panic"),
            Some("hang") => loop {
                std::thread::park();
            },
            Some(_) => Err(PolicyError::World {
                what: "a planned error".to_owned(),
                fix: "unset FLYBALL_FAULT".to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Nothing is ever planned in this build.
    ///
    /// # Errors
    /// Never.
    #[cfg(not(debug_assertions))]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the test build's counterpart needs both"
    )]
    pub fn inject(&self, _: &str) -> Result<(), PolicyError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
