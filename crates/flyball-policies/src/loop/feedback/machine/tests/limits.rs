//! Limits and blocks: how the loop ends.

use std::time::Duration;

use flyball_core::time::Time;

use super::table::{PROVED, Session, THREE, describe, request, session};
use crate::r#loop::feedback::machine::{StopDecision, StopRequest};
use crate::r#loop::feedback::state::{Ending, Escalation};

fn edited() -> Session {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1");
    session
}

/// Stops again in one turn until the agent is released.
fn turn(session: &mut Session) -> Vec<String> {
    let mut words = vec![describe(&session.stop())];
    while words.last().unwrap() == "block" {
        words.push(describe(&session.stop_again()));
    }
    words
}

#[test]
fn each_limit_escalates_with_its_reason() {
    type Step = fn(&mut Session);
    let cases: [(&str, Step, &str); 9] = [
        ("nothing", |_| (), "block"),
        (
            "iterations",
            |s| {
                s.settings.phase[2].max_failures = 9;
                (0..3).for_each(|at| _ = s.reject("backend-tester", "test", &at.to_string()));
            },
            "escalate: iteration 4 started, and 3 are allowed",
        ),
        (
            "failures",
            |s| (0..3).for_each(|at| _ = s.reject("backend-reviewer", "review", &format!("issue {at}"))),
            "escalate: review of backend failed 3 times in a row",
        ),
        (
            "two failures",
            |s| (0..2).for_each(|at| _ = s.reject("backend-reviewer", "review", &at.to_string())),
            "block",
        ),
        (
            "a limit of one",
            |s| {
                s.settings.phase[0].max_failures = 1;
                s.reject("backend-reviewer", "review", "x");
            },
            "escalate: review of backend failed once",
        ),
        ("a limit of none, before any failure", |s| s.settings.phase[0].max_failures = 0, "block"),
        (
            "the same twice",
            |s| {
                s.settings.max_identical = 2;
                s.reject("backend-reviewer", "review", "x").edit("api/a.rs", "2").reject(
                    "backend-reviewer",
                    "review",
                    "x",
                );
            },
            "escalate: review of backend failed 2 times in a row with the same findings",
        ),
        (
            "time that is just up",
            |s| s.now = Time::from_millis(1_001) + s.settings.max_time.duration(),
            "block",
        ),
        (
            "time",
            |s| s.now = Time::from_millis(1_002) + s.settings.max_time.duration(),
            "escalate: the loop has taken longer than 4h",
        ),
    ];
    for (name, step, expected) in cases {
        let mut session = edited();
        step(&mut session);
        assert_eq!(session.state.ending, None, "{name}: only a request to stop escalates");
        assert_eq!(describe(&session.stop()), expected, "{name}");
    }
}

#[test]
fn a_pass_resets_the_limit_of_failures() {
    let mut session = edited();
    (0..3).for_each(|at| _ = session.reject("backend-reviewer", "review", &at.to_string()));
    session.approve("backend-reviewer", "review");
    assert_eq!(describe(&session.stop()), "block");
}

#[test]
fn a_loop_that_passed_reaches_no_limit() {
    let mut session = session(PROVED);
    session.edit("api/a.rs", "1").approve("reviewer", "review").prove("backend", "test", "");
    let request = request(true, Time::MAX);
    assert_eq!(session.state.stop(&session.settings, request), StopDecision::Done);
}

#[test]
fn an_escalation_is_reported_once_and_lasts_until_a_person_decides() {
    let mut session = edited();
    session.now += Duration::from_millis(1) + session.settings.max_time.duration();
    let escalation = Escalation {
        reason: "the loop has taken longer than 4h".into(),
        at: session.now,
        on: [("backend".to_owned(), session.print("backend"))].into(),
        ..Escalation::default()
    };
    assert_eq!(session.stop(), StopDecision::Escalate(escalation.clone()));
    assert_eq!(session.state.ending, Some(Ending::Escalated(escalation)));
    assert_eq!(session.last(), "a person has to decide: the loop has taken longer than 4h");
    session.edit("api/a.rs", "2").edit("ui/a.ts", "1");
    assert_eq!([session.stop_again(), session.stop()], [StopDecision::Over, StopDecision::Over]);
}

#[test]
fn what_passes_after_an_escalation_ends_it() {
    let mut session = edited();
    session.now += Duration::from_millis(1) + session.settings.max_time.duration();
    assert!(describe(&session.stop()).starts_with("escalate"));
    session
        .approve("backend-reviewer", "review")
        .approve("test-lead", "plan")
        .approve("backend-tester", "test");
    assert_eq!((session.stop(), session.state.ending.clone()), (StopDecision::Done, None));
    session.edit("api/a.rs", "2");
    assert_eq!(describe(&session.stop()), "block");
}

#[test]
fn background_work_that_never_ends_is_not_waited_for_for_ever() {
    let mut session = edited();
    let waiting = |now| StopRequest { is_waiting: true, ..request(true, now) };
    let (began, most) = (session.state.began, session.settings.max_time.duration());
    assert_eq!(session.state.stop(&session.settings, waiting(began + most)), StopDecision::Wait);
    let decision = session.state.stop(&session.settings, waiting(began + most + Duration::from_millis(1)));
    assert_eq!(describe(&decision), "escalate: the loop has taken longer than 4h");
}

#[test]
fn a_command_without_a_verdict_is_not_run_again_and_again() {
    let mut session = edited();
    let mute = |now| StopRequest { lacks_verdict: true, ..request(false, now) };
    assert_eq!(describe(&session.state.stop(&session.settings, mute(Time::default()))), "block");
    session.edit("api/a.rs", "2");
    assert_eq!(
        describe(&session.state.stop(&session.settings, mute(Time::default()))),
        "block",
        "the agent did something about it"
    );
    let decision = session.state.stop(&session.settings, mute(Time::default()));
    assert_eq!(describe(&decision), "escalate: a command of a phase gave no verdict twice");
}

#[test]
fn an_idle_agent_is_blocked_a_few_times() {
    let mut session = edited();
    let expected =
        ["block", "block", "block", "block", "escalate: blocked from stopping 4 times without progress"];
    assert_eq!(turn(&mut session), expected);
    assert_eq!(turn(&mut session), ["over"]);
}

#[test]
fn an_agent_with_progress_is_blocked_up_to_the_limit_of_a_turn_and_again_in_the_next() {
    let mut session = edited();
    let mut words = vec![describe(&session.stop())];
    for at in 0..7 {
        session.edit("api/a.rs", &format!("more {at}"));
        words.push(describe(&session.stop_again()));
    }
    assert_eq!(words, ["block", "block", "block", "block", "block", "block", "block", "pause"]);
    assert_eq!(
        describe(&session.stop_again()),
        "pause",
        "another policy blocked it: the loop still does not"
    );
    session.edit("api/a.rs", "next");
    assert_eq!(describe(&session.stop()), "block");
}

#[test]
fn no_progress_is_the_same_content_and_the_same_findings() {
    type Step = fn(&mut Session);
    let cases: [(&str, Step, u32); 6] = [
        ("nothing", |_| (), 3),
        ("an edit", |s| _ = s.edit("api/a.rs", "2"), 2),
        ("an edit that is undone", |s| _ = s.edit("api/a.rs", "2").edit("api/a.rs", "1"), 3),
        ("an agent that says nothing", |s| _ = s.start("r", "backend-reviewer"), 3),
        ("a pass", |s| _ = s.approve("backend-reviewer", "review"), 2),
        ("findings", |s| _ = s.reject("backend-reviewer", "review", "x"), 2),
    ];
    for (name, step, expected) in cases {
        let mut session = edited();
        session.stop();
        step(&mut session);
        session.stop_again();
        assert_eq!(session.state.blocked.weight, expected, "{name}");
    }
}

#[test]
fn three_turns_without_progress_are_enough() {
    let mut session = edited();
    assert_eq!([describe(&session.stop()), describe(&session.stop())], ["block", "block"]);
    assert_eq!(describe(&session.stop()), "escalate: 3 turns in a row brought no progress");
    let mut session = edited();
    for at in 0..20 {
        assert_eq!([describe(&session.stop()), describe(&session.stop())], ["block", "block"], "{at}");
        session.edit("api/a.rs", &format!("more {at}"));
    }
}

#[test]
fn small_values_of_max_holds_are_respected() {
    let idle = "escalate: blocked from stopping once without progress";
    let turns = "escalate: 3 turns in a row brought no progress";
    let cases: [(u32, &[&[&str]]); 4] = [
        (0, &[&["pause"], &["pause"], &[turns], &["over"]]),
        (1, &[&["block", idle], &["over"]]),
        (2, &[&["block", idle], &["over"]]),
        (3, &[&["block", "block", "escalate: blocked from stopping 2 times without progress"], &["over"]]),
    ];
    for (max_holds, expected) in cases {
        let mut session = edited();
        session.settings.max_holds = max_holds;
        let turns: Vec<Vec<String>> = expected.iter().map(|_| turn(&mut session)).collect();
        assert_eq!(turns, expected, "{max_holds}");
    }
}

#[test]
fn a_question_may_be_asked_once_for_the_same_content() {
    let mut session = edited();
    let ask = |session: &mut Session, is_fresh| {
        describe(&session.stop_with(|request| (request.asks, request.is_fresh) = (true, is_fresh)))
    };
    assert_eq!([ask(&mut session, true), ask(&mut session, false)], ["ask", "block"]);
    // The user answers: the agent may ask again, but three turns without progress are enough.
    session.prompt();
    assert_eq!(ask(&mut session, true), "ask");
    session.prompt();
    assert_eq!(ask(&mut session, true), "escalate: 3 turns in a row brought no progress");
    let mut session = edited();
    assert_eq!(ask(&mut session, true), "ask");
    session.edit("api/a.rs", "2");
    assert_eq!(ask(&mut session, true), "ask", "it is about something else");
    assert_eq!(session.open().len(), 3, "nothing is closed by it");
    let alone = session.stop_with(|request| (request.asks, request.is_alone) = (true, true));
    assert_eq!(describe(&alone), "block", "nobody would answer");
}

#[test]
fn a_plan_that_a_person_asked_for_is_not_held_and_one_of_the_agent_is_a_question() {
    use crate::r#loop::feedback::machine::LoopEvent;
    let plan = |session: &mut Session| describe(&session.stop_with(|request| request.plans = true));
    let mut session = edited();
    session.take(LoopEvent::Prompted { planning: true });
    assert_eq!((0..5).map(|_| plan(&mut session)).collect::<Vec<_>>(), ["wait"; 5]);
    assert_eq!(describe(&session.stop()), "block", "the client does not plan any more");
    let mut session = edited();
    session.prompt();
    assert_eq!([plan(&mut session), plan(&mut session)], ["ask", "block"]);
}

#[test]
fn without_room_for_subagents_the_loop_waits_and_a_run_without_a_person_fails() {
    let mut session = edited();
    let stop = |session: &mut Session, is_alone| {
        describe(&session.stop_with(|request| (request.is_full, request.is_alone) = (true, is_alone)))
    };
    assert_eq!((0..5).map(|_| stop(&mut session, false)).collect::<Vec<_>>(), ["no room"; 5]);
    assert_eq!(session.state.blocked.turns, 0, "it is no turn without progress");
    let mut compacted = session.clone();
    assert_eq!(describe(&compacted.stop()), "block");
    assert_eq!(stop(&mut session, true), "escalate: the context is too full to start a subagent");
    let mut session = super::table::session(PROVED);
    session.edit("api/a.rs", "1").approve("reviewer", "review");
    assert_eq!(stop(&mut session, false), "block", "a command needs no subagent");
}

#[test]
fn a_run_without_a_person_never_pauses() {
    let mut session = edited();
    session.settings.max_holds = 0;
    let decision = session.stop_with(|request| request.is_alone = true);
    assert_eq!(describe(&decision), "escalate: blocked from stopping as often as one turn allows");
}

#[test]
fn time_in_which_nobody_works_does_not_count() {
    let mut session = edited();
    let next_week = session.now + Duration::from_secs(7 * 24 * 3600);
    let request = StopRequest { active: Duration::from_secs(60), ..request(true, next_week) };
    assert_eq!(describe(&session.state.stop(&session.settings, request)), "block");
}

#[test]
fn the_history_keeps_an_entry_of_every_iteration() {
    use crate::r#loop::feedback::machine::condense;
    let mut session = edited();
    session.settings.phase[2].max_failures = 99;
    for round in 0..5 {
        for at in 0..30 {
            session.edit("api/a.rs", &format!("{round} {at}")).approve("backend-reviewer", "review");
        }
        session.reject("backend-tester", "test", &format!("issue {round}"));
    }
    let history = &session.state.history;
    assert_eq!((history.len(), session.state.iteration), (60, 6));
    let shown: Vec<(u32, &str)> =
        condense(history, 6).into_iter().map(|entry| (entry.iteration, entry.what.as_str())).collect();
    let failed = "test of backend failed by backend-tester";
    let last = "iteration 6 started: every phase has to pass again";
    assert_eq!(shown, [(1, failed), (2, failed), (3, failed), (4, failed), (5, failed), (6, last)]);
}
