//! Decisions of people.

use super::table::{PROVED, Session, THREE, describe, session};
use crate::r#loop::feedback::machine::{PersonDecision, StopDecision};
use crate::r#loop::feedback::state::{Blocked, Ending};

fn handoff() -> PersonDecision {
    PersonDecision::HandOver("/feature".into())
}

/// The back end failed its review three times, and a person was notified.
fn escalated() -> Session {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1");
    (0..3).for_each(|at| _ = session.reject("backend-reviewer", "review", &at.to_string()));
    assert_eq!(describe(&session.stop()), "escalate: review of backend failed 3 times in a row");
    session
}

fn pass_all(session: &mut Session) {
    session
        .approve("backend-reviewer", "review")
        .approve("test-lead", "plan")
        .approve("backend-tester", "test");
}

#[test]
fn continue_grants_iterations_and_clears_the_counters() {
    let mut session = escalated();
    session.decide(PersonDecision::Continue(2));
    assert_eq!(session.last(), "a person continued the loop for 2 more iterations");
    assert_eq!((session.state.granted, session.state.began), (2, session.now));
    assert_eq!((session.state.blocked.clone(), session.state.ending.clone()), (Blocked::default(), None));
    assert_eq!(session.counts("backend", "review"), (0, 0));
    assert_eq!(describe(&session.stop()), "block");
    session.settings.phase[2].max_failures = 99;
    (0..4).for_each(|at| _ = session.reject("backend-tester", "test", &at.to_string()));
    assert_eq!((session.state.iteration, describe(&session.stop())), (5, "block".to_owned()));
    session.reject("backend-tester", "test", "x");
    assert_eq!(describe(&session.stop()), "escalate: iteration 6 started, and 5 are allowed");
}

#[test]
fn accept_passes_the_current_content() {
    let mut session = escalated();
    session.start("r", "backend-reviewer").decide(PersonDecision::Accept);
    assert_eq!((session.open(), session.stop()), (Vec::new(), StopDecision::Done));
    assert_eq!((session.state.iteration, session.state.granted, session.state.ending.clone()), (0, 0, None));
    session.fail("r", "review", "late");
    assert_eq!(session.open(), Vec::<String>::new(), "a person has judged it already");
    session.edit("api/a.rs", "2");
    assert_eq!(session.open()[0], "backend review: changed");
    assert_eq!((session.state.iteration, describe(&session.stop())), (1, "block".to_owned()));
}

#[test]
fn abort_is_for_the_whole_session() {
    let mut session = escalated();
    session.decide(PersonDecision::Abort);
    assert_eq!(session.last(), "a person ended the loop for this session");
    for decision in [PersonDecision::Continue(3), PersonDecision::Accept, handoff()] {
        let text = format!("{decision:?}");
        session.decide(decision).edit("api/a.rs", &text);
        assert_eq!(
            (session.stop(), session.state.ending.clone()),
            (StopDecision::Over, Some(Ending::Aborted))
        );
    }
    assert_eq!(session.open().len(), 3, "what is edited is still known");
}

#[test]
fn a_handoff_lasts_until_everything_passed_or_a_person_takes_it_back() {
    let mut session = escalated();
    session.decide(handoff());
    assert_eq!(session.last(), "a person handed the loop over to /feature");
    let handed_over = Some(Ending::HandedOver { workflow: "/feature".into(), told: false });
    session.edit("api/a.rs", "2");
    assert_eq!((session.stop(), session.state.ending.clone()), (StopDecision::Over, handed_over));
    let mut taken_back = session.clone();
    taken_back.decide(PersonDecision::Continue(1));
    assert_eq!(describe(&taken_back.stop()), "block");
    pass_all(&mut session);
    assert_eq!((session.stop(), session.state.ending.clone()), (StopDecision::Done, None));
    session.edit("api/a.rs", "3");
    assert_eq!(describe(&session.stop()), "block");
}

#[test]
fn decisions_without_a_loop_do_no_harm() {
    for decision in [PersonDecision::Continue(3), PersonDecision::Accept, handoff()] {
        let mut session = session(PROVED);
        session.decide(decision.clone());
        assert_eq!(session.stop(), StopDecision::Done, "{decision:?}");
        session.edit("api/a.rs", "1");
        assert_eq!((session.state.granted, session.state.iteration), (0, 1), "{decision:?}");
        assert_eq!(describe(&session.stop()), "block", "{decision:?}");
    }
    let mut session = session(PROVED);
    session.decide(PersonDecision::Abort).edit("api/a.rs", "1");
    assert_eq!(session.stop(), StopDecision::Over);
}

#[test]
fn every_decision_is_in_the_history() {
    let mut session = session(PROVED);
    session.edit("api/a.rs", "1");
    [PersonDecision::Continue(3), PersonDecision::Accept, handoff(), PersonDecision::Abort]
        .into_iter()
        .for_each(|decision| _ = session.decide(decision));
    let history: Vec<&str> = session.state.history.iter().map(|entry| entry.what.as_str()).collect();
    let expected = [
        "the loop started",
        "backend was edited",
        "a person continued the loop for 3 more iterations",
        "a person accepted everything as it is",
        "the loop is done",
        "a person handed the loop over to /feature",
        "a person ended the loop for this session",
    ];
    assert_eq!(history, expected);
}

#[test]
fn an_escalation_releases_the_work_that_it_was_about_and_not_the_session() {
    let mut session = escalated();
    session.edit("api/a.rs", "meanwhile").edit("api/a.rs", "1");
    assert_eq!(session.stop(), StopDecision::Over);
    session.prompt();
    assert_eq!(
        session.last(),
        "a person prompted: what was escalated is left to them, and the loop starts anew"
    );
    assert_eq!((session.open(), session.state.ending.clone()), (Vec::new(), None));
    assert_eq!(session.state.left_phases(&session.settings)[0].issues, ["2"], "a person still sees why");
    assert_eq!([session.stop(), session.stop()], [StopDecision::Over, StopDecision::Over]);
    // Another domain, and then the same one.
    session.edit("ui/a.ts", "1");
    assert_eq!((session.state.iteration, session.counts("backend", "review")), (1, (0, 0)));
    assert_eq!(session.open().len(), 3);
    assert_eq!(describe(&session.stop()), "block");
    session.approve("frontend-reviewer", "review").approve("frontend-tester", "test");
    session.approve("test-lead", "plan");
    assert_eq!(session.stop(), StopDecision::Over, "the rest is still left to a person");
    session.edit("api/a.rs", "2");
    assert_eq!(session.open()[0], "backend review: failed (2)");
    assert_eq!(describe(&session.stop()), "block");
    pass_all(&mut session);
    assert_eq!(session.stop(), StopDecision::Done);
}

#[test]
fn edits_between_an_escalation_and_the_next_prompt_are_in_the_new_loop() {
    let mut session = escalated();
    session.edit("api/a.rs", "2").edit("ui/a.ts", "1").prompt();
    assert_eq!((session.state.iteration, session.open().len()), (1, 6));
    assert_eq!(describe(&session.stop()), "block");
}

#[test]
fn a_person_can_still_decide_about_what_was_left_to_them() {
    let mut session = escalated();
    session.prompt().decide(PersonDecision::Continue(1));
    assert_eq!(describe(&session.stop()), "block");
    let mut session = escalated();
    session.prompt().decide(PersonDecision::Accept);
    assert_eq!(session.stop(), StopDecision::Done);
    let mut session = escalated();
    session.prompt();
    pass_all(&mut session);
    assert_eq!(session.stop(), StopDecision::Done, "it passed after all");
}

#[test]
fn a_prompt_without_an_escalation_changes_nothing() {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1").reject("backend-reviewer", "review", "x");
    let before = session.state.clone();
    session.prompt();
    assert_eq!(session.state, before);
    let mut session = escalated();
    session.decide(PersonDecision::Abort).prompt();
    assert_eq!(session.state.ending, Some(Ending::Aborted));
}
