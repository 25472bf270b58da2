//! One session, judged again event by event: policies remember what they decided about earlier events.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flyball_core::config::Config;
use flyball_core::engine::{Case, Faults, Judgement, Watch, judge};
use flyball_core::event::Event;
use flyball_core::policy::{InMemory, Memory, World};
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::uptime::worked_between;
use flyball_policies::REGISTRY;
use flyball_world::past::{CachedMachine, Past};

use super::ReplayMachine;
use super::payload::Exactness;

/// A larger call is judged with a deadline, watched by a second thread.
// Higher than in a hook: nobody waits, and a thread for each of thousands of events would cost more.
const TRUSTED_BYTES: usize = 1024 * 1024;

/// When and where an event is judged, and by which configuration.
pub(crate) struct Moment {
    pub(crate) at: Time,
    /// The root of its project.
    pub(crate) root: String,
    /// Policies that the person who started the client had switched off.
    pub(crate) skipped: Arc<[String]>,
    pub(crate) config: Arc<Config>,
}

impl Moment {
    /// The moment of a record, judged by this configuration.
    pub(crate) fn from_record(record: &Record, config: Arc<Config>) -> Moment {
        let skipped = record.rulings.iter().filter(|ruling| ruling.skipped);
        let skipped = skipped.map(|ruling| ruling.policy.clone()).collect();
        Moment { at: record.at, root: record.project.clone(), skipped, config }
    }
}

/// An event, judged again.
#[derive(Clone, Debug)]
pub(crate) struct JudgedEvent {
    pub(crate) event: Arc<Event>,
    pub(crate) judgement: Judgement,
    /// Whether that depends on files or a repository as they are today.
    pub(crate) rests_on_today: bool,
    /// Whether all of the event was there to judge.
    pub(crate) exactness: Exactness,
}

/// A session that is judged again.
pub(crate) struct Session<'a> {
    machine: &'a ReplayMachine,
    memory: Arc<InMemory>,
    /// How long was worked in it so far.
    active: Duration,
    /// When its last event was, since 1970.
    last_at: Option<Duration>,
    /// By the root of the project; nearly always there is one.
    past_projects: HashMap<String, Arc<CachedMachine>>,
}

impl<'a> Session<'a> {
    /// A session without events yet.
    pub(crate) fn new(machine: &'a ReplayMachine) -> Session<'a> {
        Session {
            machine,
            memory: Arc::default(),
            active: Duration::ZERO,
            last_at: None,
            past_projects: HashMap::new(),
        }
    }

    /// Judges the next event.
    pub(crate) fn judge(&mut self, event: Event, moment: &Moment) -> JudgedEvent {
        let past = Arc::new(Past::new(
            self.past_project(&moment.root),
            // The clock of policies has whole milliseconds, in a hook as here.
            Time::from_millis(moment.at.as_millis()),
            self.machine.local_minutes(moment.at),
        ));
        let event = Arc::new(event);
        self.work_until(moment.at);
        let case = Case {
            event: Arc::clone(&event),
            config: Arc::clone(&moment.config),
            world: Arc::clone(&past) as Arc<dyn World>,
            memory: Arc::clone(&self.memory) as Arc<dyn Memory>,
            skipped: Arc::clone(&moment.skipped),
            watch: watch(&event),
            // Faults that a test planned for hooks must not fail a replay.
            faults: Faults::default(),
            facts: Arc::default(),
            // Without it, policies can start no linter, formatter or model: a replay changes nothing.
            workshop: None,
        };
        let judgement = judge(REGISTRY, &case);
        JudgedEvent { event, judgement, rests_on_today: past.rests_on_today(), exactness: Exactness::Exact }
    }

    /// Counts the time that was worked up to an event. What was recorded has only the time of the clock.
    fn work_until(&mut self, at: Time) {
        let at = at.since(Time::default());
        self.active += self.last_at.map_or(Duration::ZERO, |last| worked_between(last, at));
        self.last_at = Some(at);
        self.memory.set_active_time(self.active);
    }

    fn past_project(&mut self, root: &str) -> Arc<CachedMachine> {
        if let Some(project) = self.past_projects.get(root) {
            return Arc::clone(project);
        }
        let project = self.machine.past_project(Path::new(root));
        self.past_projects.insert(root.to_owned(), Arc::clone(&project));
        project
    }
}

fn watch(event: &Event) -> Watch {
    let is_small = event.call().is_none_or(|call| call.input.len() <= TRUSTED_BYTES);
    if is_small { Watch::Trust } else { Watch::Deadline }
}
