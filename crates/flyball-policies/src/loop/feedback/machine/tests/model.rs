//! A model check: every state that a tiny loop can reach, and the laws in each of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use flyball_core::time::Time;

use super::table::{Session, is_all_passed, oblige, session};
use crate::r#loop::feedback::machine::{PersonDecision, StopDecision};
use crate::r#loop::feedback::state::{Blocked, Ending, Escalation, LeftWork, State};

const TINY: &str = r#"
    tests = ["**/*_test"]
    max_iterations = 2
    max_identical = 2
    max_holds = 3
    phase = [
        { name = "review", agents = ["reviewer"], max_failures = 2 },
        { name = "test", agents = ["tester"], max_failures = 2, on_fail = "restart" },
    ]
    [[domain]]
    name = "a"
    paths = ["a/**"]
    [[domain]]
    name = "b"
    paths = ["b/**"]
    skip = ["review"]
    run = { test = "make" }
"#;

/// More states than any of these loops has.
const MOST: usize = 5_000;

/// One thing that can happen.
type Step = (&'static str, fn(&mut Session));

/// Two domains, whose results come from commands and from agents whose start nobody saw.
const DOMAINS: [Step; 9] = [
    ("a is edited", |s| _ = s.edit("a/x", "1")),
    ("b is edited", |s| _ = s.edit("b/x", "1")),
    ("review passes", |s| _ = s.unknown("reviewer", "review", (&[], &[]))),
    ("review fails", |s| _ = s.unknown("reviewer", "review", (&[], &["x"]))),
    ("test of a passes", |s| _ = s.unknown("tester", "test", (&["a"], &[]))),
    ("test of a fails", |s| _ = s.unknown("tester", "test", (&["a"], &["x"]))),
    ("test of b passes", |s| _ = s.prove("b", "test", "")),
    ("test of b fails", |s| _ = s.prove("b", "test", "x")),
    ("the agent stops", |s| _ = s.stop()),
];

/// One domain that changes and changes back.
const CHANGES: [Step; 7] = [
    ("a is edited", |s| _ = s.edit("a/x", "1")),
    ("a is edited again", |s| _ = s.edit("a/x", "2")),
    ("review passes", |s| _ = s.unknown("reviewer", "review", (&[], &[]))),
    ("review fails", |s| _ = s.unknown("reviewer", "review", (&[], &["x"]))),
    ("test passes", |s| _ = s.unknown("tester", "test", (&[], &[]))),
    ("test fails", |s| _ = s.unknown("tester", "test", (&[], &["x"]))),
    ("the agent stops", |s| _ = s.stop()),
];

/// One domain and agents at work together.
const TOGETHER: [Step; 7] = [
    ("a is edited", |s| _ = s.edit("a/x", "1")),
    ("a reviewer starts", |s| _ = s.start("r", "reviewer")),
    ("a tester starts", |s| _ = s.start("t", "tester")),
    ("the reviewer passes it", |s| _ = s.pass("r", "review")),
    ("the reviewer fails it", |s| _ = s.fail("r", "review", "x")),
    ("the tester passes it", |s| _ = s.pass("t", "test")),
    ("the tester fails it", |s| _ = s.fail("t", "test", "x")),
];

/// One domain that changes, also by the tester, while agents are at work.
const MEANWHILE: [Step; 7] = [
    ("a is edited", |s| _ = s.edit("a/x", "1")),
    ("a is edited again", |s| _ = s.edit("a/x", "2")),
    ("the tester writes a test", |s| _ = s.edit_by(Some("tester"), &[("a/x_test", "1")])),
    ("a reviewer starts", |s| _ = s.start("r", "reviewer")),
    ("the reviewer passes it", |s| _ = s.pass("r", "review")),
    ("test passes", |s| _ = s.unknown("tester", "test", (&[], &[]))),
    ("the agent stops", |s| _ = s.stop()),
];

const PEOPLE: [Step; 10] = [
    ("b is edited", |s| _ = s.edit("b/x", "1")),
    ("test of b passes", |s| _ = s.prove("b", "test", "")),
    ("test of b fails", |s| _ = s.prove("b", "test", "x")),
    ("the agent stops", |s| _ = s.stop()),
    ("the agent stops again", |s| _ = s.stop_again()),
    ("a person prompts", |s| _ = s.prompt()),
    ("a person says continue", |s| _ = s.decide(PersonDecision::Continue(1))),
    ("a person says accept", |s| _ = s.decide(PersonDecision::Accept)),
    ("a person says abort", |s| _ = s.decide(PersonDecision::Abort)),
    ("a person says handoff", |s| _ = s.decide(PersonDecision::HandOver("/feature".into()))),
];

/// The part of a state that makes a difference: no times, no history, no counters far beyond their limits.
fn essence(state: &State) -> State {
    let mut state = state.clone();
    state.history.clear();
    state.began = if state.began == Time::default() { state.began } else { Time::from_millis(1_000) };
    state.began_after = state.began_after.map(|_| Duration::ZERO);
    state.granted = state.granted.min(1);
    state.blocked.since = state.blocked.since.min(Time::from_millis(1));
    state.iteration = state.iteration.min(3 + state.granted);
    state.agents.values_mut().for_each(|runner| runner.result = None);
    if let Some(Ending::Escalated(escalation)) = &mut state.ending {
        *escalation = Escalation { on: std::mem::take(&mut escalation.on), ..Escalation::default() };
    }
    for left in state.domains.values_mut().filter_map(|domain| domain.left.as_mut()) {
        *left = LeftWork { content: left.content, ..LeftWork::default() };
    }
    let mut ticks: BTreeSet<u64> = state.agents.values().map(|runner| runner.since).collect();
    for phase in state.domains.values_mut().flat_map(|domain| domain.phases.values_mut()) {
        phase.at = Time::default();
        phase.by.clear();
        phase.failures = phase.failures.min(2);
        phase.identical = phase.identical.min(2);
        ticks.extend(phase.against.values());
    }
    let ranks: BTreeMap<u64, u64> = ticks.into_iter().zip(1..).collect();
    let ranked = state.agents.values_mut().map(|runner| &mut runner.since);
    let phases = state.domains.values_mut().flat_map(|domain| domain.phases.values_mut());
    ranked.chain(phases.flat_map(|phase| phase.against.values_mut())).for_each(|tick| *tick = ranks[tick]);
    state.ticks = u64::try_from(ranks.len()).unwrap();
    state
}

/// The tiny loop, in all the states that it is put into.
struct Model {
    session: Session,
    steps: &'static [Step],
    /// Whether the count of blocks is part of a state.
    holds: bool,
}

impl Model {
    /// The session in a state.
    fn at(&mut self, state: &State) -> &mut Session {
        state.clone_into(&mut self.session.state);
        self.session.now = Time::from_millis(1_000);
        &mut self.session
    }

    /// Every state that the steps lead to, the nearest first; `most` of them if there are more.
    fn reachable(&mut self, most: usize) -> Vec<State> {
        let mut known = BTreeSet::new();
        let mut found = Vec::new();
        let mut next = VecDeque::from([State::default()]);
        while let Some(here) = next.pop_front().filter(|_| found.len() < most) {
            for (_, step) in self.steps {
                let session = self.at(&here);
                step(session);
                let mut there = essence(&session.state);
                if !self.holds {
                    there.blocked = Blocked::default();
                }
                if known.insert(postcard::to_stdvec(&there).unwrap()) {
                    next.push_back(there);
                }
            }
            found.push(here);
        }
        found
    }

    fn check(&mut self, here: &State) {
        let is_taken = matches!(here.ending, Some(Ending::Aborted | Ending::Escalated(_)));
        let is_done = is_all_passed(self.at(here));
        let is_left = !here.left_phases(&self.session.settings).is_empty();
        let is_only_left = is_left && here.open_phases(&self.session.settings).is_empty();
        // It is done when everything passed, and only then.
        let decision = self.at(here).stop();
        let is_aborted = here.ending == Some(Ending::Aborted);
        assert_eq!(decision == StopDecision::Done, is_done && !is_aborted, "{here:?}");
        assert_eq!(
            decision == StopDecision::Over,
            is_aborted || is_only_left || here.ending.is_some() && !is_done,
            "{here:?}"
        );
        // One turn blocks no more often than allowed, and three turns without progress end it.
        let idle = self.at(here);
        let holds = (0..4).filter(|_| matches!(idle.stop_again(), StopDecision::Block(_))).count();
        assert!(holds <= 3 && !matches!(idle.stop_again(), StopDecision::Block(_)), "{here:?}");
        (0..3).for_each(|_| _ = idle.stop());
        assert!(matches!(idle.stop(), StopDecision::Done | StopDecision::Over), "{here:?}");
        // An agent that does what is listed is done.
        let honest = self.at(here);
        honest.state.open_phases(&honest.settings).iter().for_each(|open| oblige(honest, open));
        let expected = if is_aborted || is_left { StopDecision::Over } else { StopDecision::Done };
        assert_eq!(honest.stop(), expected, "{here:?}");
        // Only a person, or that everything passed, ends it.
        let is_final = is_taken && (is_aborted || !is_done && !is_only_left);
        for (name, step) in self.steps.iter().filter(|(name, _)| is_final && !name.contains("person")) {
            let there = self.at(here);
            step(there);
            assert_eq!(there.state.ending, here.ending, "{name}: {here:?}");
        }
    }
}

/// Checks the laws in every state that the steps lead to.
fn check(steps: &'static [Step], holds: bool) {
    let mut model = Model { session: session(TINY), steps, holds };
    let states = model.reachable(MOST);
    assert!(states.len() < MOST, "there are more states than were looked at");
    states.iter().for_each(|here| model.check(here));
}

#[test]
fn the_laws_are_true_in_every_state_of_two_domains() {
    check(&DOMAINS, false);
}

#[test]
fn the_laws_are_true_in_every_state_of_a_domain_that_changes() {
    check(&CHANGES, false);
}

#[test]
fn the_laws_are_true_in_every_state_of_agents_at_work_together() {
    check(&TOGETHER, false);
}

#[test]
fn the_laws_are_true_in_every_state_of_a_domain_that_changes_under_its_reviewer() {
    check(&MEANWHILE, false);
}

#[test]
fn the_laws_are_true_in_every_state_that_people_bring_about() {
    check(&PEOPLE, true);
}
