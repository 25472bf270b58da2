//! Laws that are true for every config and every order of events.

use std::time::Duration;

use flyball_core::time::Time;

use proptest::collection::vec;
use proptest::prelude::*;

use super::table::{Session, files, is_all_passed, oblige, request};
use crate::r#loop::feedback::machine::history::{MOST_ENTRIES, MOST_ISSUES};
use crate::r#loop::feedback::machine::{
    AgentReport, LoopEvent, OpenPhase, PersonDecision, Proof, StopDecision, StopRequest,
};
use crate::r#loop::feedback::settings::{OnFail, Settings};
use crate::r#loop::feedback::state::{Ending, Fingerprint, State};

/// Something that may happen, by indexes into a config that is not known yet.
#[derive(Clone, Debug)]
enum Act {
    Edit { domain: usize, file: usize, text: u8, by: usize },
    Start { id: usize, role: usize },
    Report { id: Option<usize>, role: usize, phase: usize, domains: Vec<usize>, issue: Option<u8> },
    Prove { domain: usize, phase: usize, is_stale: bool, tail: Option<u8> },
    Stop { is_fresh: bool, is_waiting: bool, asks: bool, plans: bool, is_full: bool },
    Prompt { planning: bool },
    Later(u32),
    Decide(PersonDecision),
}

/// The roles: a reviewer, tester, … of each domain and phase, one of all, and one of none.
fn role(settings: &Settings, at: usize) -> String {
    let (domains, phases) = (settings.domain.len(), settings.phase.len());
    match at % (domains * phases + 2) {
        0 => "everyone".to_owned(),
        1 => "developer".to_owned(),
        at => format!("agent-{}-{}", (at - 2) / phases, (at - 2) % phases),
    }
}

/// A config: by phase whether it restarts, how many failures it may have, and who proves it, by domain what is skipped.
fn config(phases: &[(bool, u32, bool)], domains: &[Vec<bool>], limits: [u32; 3]) -> Settings {
    let mut text = format!(
        "tests = ['**/test*']\nmax_iterations = {}\nmax_identical = {}\nmax_holds = {}\nmax_time = '60s'\n",
        limits[0], limits[1], limits[2]
    );
    for (at, (restarts, max_failures, is_proved)) in phases.iter().enumerate() {
        let on_fail = if *restarts { "restart" } else { "again" };
        let run = if *is_proved { "run = 'make'\n" } else { "" };
        text.push_str(&format!(
            "[[phase]]\nname = 'p{at}'\nagents = ['everyone']\non_fail = '{on_fail}'\nmax_failures = {max_failures}\n{run}"
        ));
    }
    for (at, skips) in domains.iter().enumerate() {
        let skips: Vec<String> = skips
            .iter()
            .enumerate()
            .filter(|(_, skips)| **skips)
            .map(|(phase, _)| format!("'p{phase}'"))
            .collect();
        let agents: Vec<String> =
            (0..phases.len()).map(|phase| format!("p{phase} = ['agent-{at}-{phase}']")).collect();
        text.push_str(&format!(
            "[[domain]]\nname = 'd{at}'\npaths = ['d{at}/**']\nskip = [{}]\nagents = {{ {} }}\n",
            skips.join(", "),
            agents.join(", ")
        ));
    }
    toml::from_str(&text).unwrap()
}

fn any_config() -> impl Strategy<Value = Settings> {
    let phases = vec((any::<bool>(), 0u32..5, prop::bool::weighted(0.3)), 1..=5);
    let domains = vec(vec(prop::bool::weighted(0.2), 5), 1..=4);
    let limits = [0u32..5, 0u32..5, 0u32..8];
    (phases, domains, limits).prop_map(|(phases, mut domains, limits)| {
        domains.iter_mut().for_each(|skips| skips.truncate(phases.len()));
        config(&phases, &domains, limits)
    })
}

fn any_act() -> impl Strategy<Value = Act> {
    let few = || 0usize..8;
    prop_oneof![
        4 => (few(), 0usize..3, 0u8..4, 0usize..24)
            .prop_map(|(domain, file, text, by)| Act::Edit { domain, file, text, by }),
        3 => (few(), 0usize..24).prop_map(|(id, role)| Act::Start { id, role }),
        6 => (prop::option::weighted(0.8, few()), 0usize..24, few(), vec(few(), 0..3), prop::option::of(0u8..3))
            .prop_map(|(id, role, phase, domains, issue)| Act::Report { id, role, phase, domains, issue }),
        3 => (few(), few(), prop::bool::weighted(0.3), prop::option::of(0u8..3))
            .prop_map(|(domain, phase, is_stale, tail)| Act::Prove { domain, phase, is_stale, tail }),
        4 => (any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.2), [prop::bool::weighted(0.1), prop::bool::weighted(0.1)])
            .prop_map(|(is_fresh, is_waiting, asks, [plans, is_full])| Act::Stop { is_fresh, is_waiting, asks, plans, is_full }),
        1 => (0u32..20_000).prop_map(Act::Later),
    ]
}

fn any_decision() -> impl Strategy<Value = Act> {
    let decision = prop_oneof![
        (0u32..4).prop_map(PersonDecision::Continue),
        Just(PersonDecision::Accept),
        Just(PersonDecision::Abort),
        Just(PersonDecision::HandOver("/feature".into())),
    ];
    prop_oneof![4 => decision.prop_map(Act::Decide), 2 => any::<bool>().prop_map(|planning| Act::Prompt { planning })]
}

fn acts(with_decisions: bool) -> impl Strategy<Value = Vec<Act>> {
    if with_decisions {
        vec(prop_oneof![9 => any_act(), 1 => any_decision()], 0..60).boxed()
    } else {
        vec(any_act(), 0..60).boxed()
    }
}

/// The event of an act in this session.
fn input(session: &Session, act: Act) -> Option<LoopEvent> {
    let settings = &session.settings;
    let domain = |at: usize| settings.domain[at % settings.domain.len()].name.clone();
    let phase = |at: usize| settings.phase[at % settings.phase.len()].name.clone();
    Some(match act {
        Act::Edit { domain: at, file, text, by } => {
            let name = domain(at);
            let path = format!("{name}/{}", ["a", "b", "test"][file]);
            let text = if text == 0 { "gone".to_owned() } else { text.to_string() };
            let by = (by > 5).then(|| role(settings, by));
            LoopEvent::Edited { domain: name, files: files(&[(&path, &text)]), by }
        }
        Act::Start { id, role: at } => LoopEvent::Started { id: id.to_string(), role: role(settings, at) },
        Act::Report { id, role: at, phase: of, domains, issue } => LoopEvent::Reported(AgentReport {
            agent: id.map(|id| id.to_string()),
            role: id
                .and_then(|id| session.state.agents.get(&id.to_string()))
                .map_or_else(|| role(settings, at), |runner| runner.role.clone()),
            phase: phase(of),
            domains: domains.into_iter().map(domain).collect(),
            passed: issue.is_none(),
            issues: issue.map(|issue| format!("issue {issue}")).into_iter().collect(),
        }),
        Act::Prove { domain: at, phase: of, is_stale, tail } => {
            let domain = domain(at);
            let on = session.print(&domain).wrapping_add(Fingerprint::from(is_stale));
            let tail_text = tail.map(|tail| format!("tail {tail}")).unwrap_or_default();
            let passed = tail.is_none();
            LoopEvent::Proved(Proof {
                domain,
                phase: phase(of),
                command: "make".into(),
                content: on,
                passed,
                tail: tail_text,
            })
        }
        Act::Decide(decision) => LoopEvent::Decided(decision),
        Act::Prompt { planning } => LoopEvent::Prompted { planning },
        Act::Stop { .. } | Act::Later(_) => return None,
    })
}

/// Applies an act. Returns the decision if the act was a request to stop.
fn play(session: &mut Session, act: Act) -> Option<StopDecision> {
    session.now += Duration::from_millis(1);
    match act {
        Act::Stop { is_fresh, is_waiting, asks, plans, is_full } => {
            let request = StopRequest { is_waiting, asks, plans, is_full, ..request(is_fresh, session.now) };
            return Some(session.state.stop(&session.settings, request));
        }
        Act::Later(millis) => session.now += Duration::from_millis(millis.into()),
        act => {
            let input = input(session, act)?;
            session.take(input);
        }
    }
    None
}

fn new(settings: Settings) -> Session {
    Session { settings, state: State::default(), now: Time::from_millis(1_000) }
}

fn is_released(decision: &StopDecision) -> bool {
    !matches!(decision, StopDecision::Block(_))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn the_loop_is_never_done_while_something_is_open_and_nothing_grows(
        settings in any_config(), acts in acts(true)
    ) {
        let mut session = new(settings);
        for act in acts {
            let open = session.state.open_phases(&session.settings);
            let ending = session.state.ending.clone();
            let is_free = play(&mut session, act).inspect(|decision| match decision {
                StopDecision::Block(listed)
                | StopDecision::Pause(listed)
                | StopDecision::Ask(listed)
                | StopDecision::NoRoom(listed) => {
                    assert!(!listed.is_empty());
                    assert_eq!(listed, &open);
                    assert_eq!(ending, None);
                }
                StopDecision::Done | StopDecision::Wait | StopDecision::Escalate(_) | StopDecision::Over => (),
            }) == Some(StopDecision::Done);
            prop_assert!(!is_free || is_all_passed(&session));
            let is_left = !session.state.left_phases(&session.settings).is_empty();
            let is_asked = !session.state.open_phases(&session.settings).is_empty();
            prop_assert_eq!(!is_asked && !is_left, is_all_passed(&session));
            prop_assert!(session.state.history.len() <= MOST_ENTRIES);
            let mut phases = session.state.domains.values().flat_map(|domain| domain.phases.values());
            prop_assert!(phases.all(|phase| phase.issues.len() <= MOST_ISSUES));
        }
        let text = serde_json::to_string(&session.state).unwrap();
        prop_assert_eq!(serde_json::from_str::<State>(&text).unwrap(), session.state);
    }

    #[test]
    fn an_agent_that_does_what_is_listed_is_done_after_one_round(settings in any_config(), acts in acts(true)) {
        let mut session = new(settings);
        for act in acts {
            play(&mut session, act);
        }
        for open in session.state.open_phases(&session.settings) {
            oblige(&mut session, &open);
        }
        prop_assert_eq!(session.open(), Vec::<String>::new());
        let expected = match session.state.ending {
            Some(Ending::Aborted) => StopDecision::Over,
            _ if !session.state.left_phases(&session.settings).is_empty() => StopDecision::Over,
            Some(Ending::Escalated(_) | Ending::HandedOver { .. }) | None => StopDecision::Done,
        };
        prop_assert_eq!(session.stop(), expected);
    }

    #[test]
    fn an_agent_that_asks_often_enough_is_released_in_every_turn(
        settings in any_config(), acts in acts(true), between in vec(any_act(), 8)
    ) {
        let mut session = new(settings);
        for act in acts {
            play(&mut session, act);
        }
        // Whatever happens between two requests, the agent is blocked no more often than a turn allows.
        let most = usize::try_from(session.settings.max_holds).unwrap();
        let mut decisions = vec![session.stop()];
        for act in between.into_iter().filter(|act| !matches!(act, Act::Stop { .. })).chain([Act::Later(0)]).cycle().take(most) {
            play(&mut session, act);
            decisions.push(session.stop_again());
        }
        prop_assert!(decisions.iter().any(is_released), "{decisions:?}");
        // An idle agent is blocked at most every second time.
        let idle = (0..=most.div_ceil(2)).map(|_| session.stop_again()).filter(|decision| !is_released(decision)).count();
        prop_assert!(idle <= most.div_ceil(2));
        prop_assert!(is_released(&session.stop_again()));
    }

    #[test]
    fn the_blocks_of_a_loop_are_bounded_by_its_progress_and_its_time(settings in any_config(), acts in acts(false)) {
        let mut session = new(settings);
        let mut states = 1;
        let mut last = None;
        let mut blocks = 0;
        for act in acts {
            // Every request is made, also the many of an agent that never gives up.
            let decision = play(&mut session, act);
            blocks += u32::from(matches!(decision, Some(StopDecision::Block(_))));
            let progress = session.state.progress_fingerprint(&session.state.open_phases(&session.settings));
            states += u32::from(last.replace(progress) != Some(progress));
        }
        for turn in 0..10 {
            blocks += (0..20).filter(|ask| {
                let request = request(*ask == 0, session.now + Duration::from_millis(turn));
                matches!(session.state.stop(&session.settings, request), StopDecision::Block(_))
            }).count() as u32;
        }
        prop_assert!(blocks <= states * (session.settings.max_holds + 3), "{blocks} blocks, {states} states");
        let over = request(true, session.state.began + Duration::from_millis(60_001));
        prop_assert!(is_released(&session.state.stop(&session.settings, over)));
    }

    #[test]
    fn an_escalation_ends_only_by_a_person_or_when_everything_passed(settings in any_config(), before in acts(false), after in acts(false)) {
        let mut session = new(settings);
        for act in before {
            play(&mut session, act);
        }
        session.edit("d0/a", "an end");
        session.now += Duration::from_secs(100);
        let is_open = !session.open().is_empty();
        session.stop();
        prop_assume!(is_open);
        for act in after {
            let decision = play(&mut session, act);
            if decision == Some(StopDecision::Done) {
                prop_assert_eq!((session.open(), session.state.ending), (Vec::new(), None));
                return Ok(());
            }
            prop_assert!(decision.is_none() || decision == Some(StopDecision::Over));
        }
        session.decide(PersonDecision::Continue(99));
        session.edit("d0/a", "another");
        let expected = session.settings.max_holds > 0 && !session.open().is_empty();
        prop_assert_eq!(matches!(session.stop(), StopDecision::Block(_)), expected);
    }

    #[test]
    fn a_question_is_no_way_out(settings in any_config(), acts in acts(true), turns in 1usize..6) {
        let mut session = new(settings);
        for act in acts {
            play(&mut session, act);
        }
        let before = session.open();
        let asks = |is_fresh, now| StopRequest { asks: true, ..request(is_fresh, now) };
        for _ in 0..turns {
            let first = session.state.stop(&session.settings, asks(true, session.now));
            let again = session.state.stop(&session.settings, asks(false, session.now));
            // Once for the same content and findings; and nothing is closed by it.
            prop_assert!(!matches!(again, StopDecision::Ask(_)), "{first:?}");
            prop_assert_eq!(&session.open(), &before);
            prop_assert!(before.is_empty() || ![first, again].contains(&StopDecision::Done));
        }
    }

    #[test]
    fn what_was_escalated_is_not_asked_for_again_until_it_changes(
        settings in any_config(), before in acts(false), after in acts(false)
    ) {
        let mut session = new(settings);
        for act in before {
            play(&mut session, act);
        }
        session.take(LoopEvent::Prompted { planning: false }).edit("d0/a", "an end");
        session.now += Duration::from_secs(100);
        let open = session.state.open_phases(&session.settings);
        let left = session.state.left_phases(&session.settings).len();
        session.stop();
        prop_assume!(matches!(session.state.ending, Some(Ending::Escalated(_))));
        session.take(LoopEvent::Prompted { planning: false });
        prop_assert_eq!(session.open(), Vec::<String>::new());
        prop_assert_eq!(session.state.left_phases(&session.settings).len(), left + open.len());
        prop_assert_eq!(session.stop(), StopDecision::Over);
        session.edit("d0/a", "a new beginning");
        let is_skipped = session.settings.phases_of(&session.settings.domain[0]).next().is_none();
        prop_assert!(is_skipped || session.state.iteration == 1 && !session.open().is_empty());
        for act in after {
            let is_left = |session: &Session| session.state.domains.values().any(|domain| domain.is_left());
            let decision = play(&mut session, act);
            prop_assert!(decision != Some(StopDecision::Done) || !is_left(&session) || is_all_passed(&session));
        }
    }

    #[test]
    fn the_order_of_agents_at_work_together_makes_no_difference(
        settings in any_config(),
        before in acts(false),
        reports in vec((0usize..24, 0usize..5, any::<bool>()), 1..6),
        order in Just((0..6usize).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let mut session = new(settings);
        for act in before {
            play(&mut session, act);
        }
        for (at, (of, ..)) in reports.iter().enumerate() {
            let role = role(&session.settings, *of);
            session.start(&format!("together {at}"), &role);
        }
        let ended = |order: Vec<usize>| {
            let mut session = session.clone();
            for at in order.into_iter().filter(|at| *at < reports.len()) {
                let (_, phase, passed) = reports[at];
                let phase = session.settings.phase[phase % session.settings.phase.len()].name.clone();
                let issue = format!("by {at}");
                let issues: Vec<&str> = if passed { Vec::new() } else { vec![&issue] };
                let report = session.report(&format!("together {at}"), &phase, &issues);
                session.take(LoopEvent::Reported(report));
            }
            let open = session.state.open_phases(&session.settings);
            let place = |open: OpenPhase| {
                let mut found: Vec<String> = open.issues.into_iter().filter(|issue| issue.starts_with("by ")).collect();
                found.sort();
                (open.domain, open.phase, found)
            };
            let open: Vec<(String, String, Vec<String>)> = open.into_iter().map(place).collect();
            (session.state.iteration, open)
        };
        let first = ended((0..6).collect());
        prop_assert_eq!(&ended(order), &first);
        // Every issue that an agent found in a domain that it serves is listed in the end.
        for (at, (of, phase, passed)) in reports.iter().enumerate().filter(|(_, (.., passed))| !passed) {
            let phase = &session.settings.phase[phase % session.settings.phase.len()];
            let role = role(&session.settings, *of);
            for (domain, _, issues) in first.1.iter().filter(|(_, name, _)| *name == phase.name) {
                let is_served = session.settings.domain(domain).unwrap().is_served_by(phase, &role);
                let is_listed = issues.contains(&format!("by {at}"));
                let is_in = session.state.iteration == 0 || session.state.domains[domain].active;
                prop_assert!(*passed || !is_served || !is_in || is_listed, "{at} in {first:?}");
            }
        }
    }

    #[test]
    fn iterations_begin_only_with_failures_that_restart(settings in any_config(), acts in acts(true)) {
        let restarts = settings.phase.iter().any(|phase| phase.on_fail == OnFail::Restart);
        let mut session = new(settings);
        for act in acts {
            let before = session.state.iteration;
            let is_result = matches!(act, Act::Report { .. } | Act::Prove { .. });
            play(&mut session, act);
            let after = session.state.iteration;
            let is_lawful = after == before || after == 0 || after == 1
                || restarts && is_result && after <= before.max(1) + 1;
            prop_assert!(is_lawful, "{before} to {after}");
        }
    }
}
