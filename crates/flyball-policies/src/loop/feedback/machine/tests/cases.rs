//! Edits: what enters the loop, what they reopen, and which results stay valid when tests are written.

use flyball_core::time::Time;

use super::table::{PROVED, Session, THREE, describe, files, request, session};
use crate::r#loop::feedback::machine::{LoopEvent, StopDecision, StopRequest};
use crate::r#loop::feedback::state::State;

/// Paths and their content.
type Edits = &'static [(&'static str, &'static str)];

/// The back end has passed everything.
fn passed() -> Session {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1");
    session
        .approve("backend-reviewer", "review")
        .approve("test-lead", "plan")
        .approve("backend-tester", "test");
    session
}

#[test]
fn the_first_edit_begins_the_loop_and_opens_every_phase_of_its_domain() {
    let mut session = session(THREE);
    assert_eq!(session.open(), Vec::<String>::new());
    session.edit("link/a.rs", "1");
    assert_eq!((session.state.iteration, session.state.began), (1, Time::from_millis(1_001)));
    assert_eq!(session.open(), ["integrations review: not run", "integrations test: not run"]);
    session.edit("api/a.rs", "1");
    assert_eq!((session.state.iteration, session.state.began), (1, Time::from_millis(1_001)));
    let expected = [
        "backend review: not run",
        "backend plan: not run",
        "backend test: not run",
        "integrations review: not run",
        "integrations test: not run",
    ];
    assert_eq!(session.open(), expected);
}

#[test]
fn an_edit_that_changes_nothing_changes_nothing() {
    let mut session = passed();
    let before = session.state.clone();
    session.edit("api/a.rs", "1");
    assert_eq!(session.state, before);
    let nowhere = LoopEvent::Edited { domain: "nowhere".into(), files: files(&[("x", "1")]), by: None };
    session.take(nowhere).take(LoopEvent::Edited { domain: "frontend".into(), files: files(&[]), by: None });
    assert_eq!(session.state, before);
    assert_eq!(session.stop(), StopDecision::Done);
    let done = session.state.clone();
    session.edit("api/a.rs", "1");
    assert_eq!(session.state, done, "a loop that is done is not begun again");
}

#[test]
fn other_content_reopens_what_passed_and_undoing_it_closes_that_again() {
    let changed = ["backend review: changed", "backend plan: changed", "backend test: changed"];
    let cases: [(&str, Edits, &[&str]); 6] = [
        ("the same file", &[("api/a.rs", "2")], &changed),
        ("another file", &[("api/b.rs", "1")], &changed),
        ("a file that is gone", &[("api/a.rs", "gone")], &changed),
        ("a test, by the main thread", &[("api/a_test.rs", "1")], &changed),
        ("an edit that is undone", &[("api/a.rs", "2"), ("api/a.rs", "1")], &[]),
        ("one that is undone and done", &[("api/a.rs", "2"), ("api/a.rs", "1"), ("api/a.rs", "2")], &changed),
    ];
    for (name, edits, expected) in cases {
        let mut session = passed();
        for (path, text) in edits {
            session.edit(path, text);
        }
        assert_eq!(session.open(), expected, "{name}");
    }
}

#[test]
fn why_a_phase_is_open_is_the_strongest_reason() {
    type Step = fn(&mut Session);
    let cases: [(&str, Step, &str); 6] = [
        ("never run", |_| (), "backend review: not run"),
        ("failed", |s| _ = s.reject("backend-reviewer", "review", "x"), "backend review: failed (x)"),
        (
            "failed and fixed",
            |s| _ = s.reject("backend-reviewer", "review", "x").edit("api/a.rs", "2"),
            "backend review: failed (x)",
        ),
        (
            "passed, then failed on other content",
            |s| {
                s.approve("backend-reviewer", "review").edit("api/a.rs", "2");
                s.reject("backend-reviewer", "review", "y");
            },
            "backend review: failed (y)",
        ),
        (
            "stale",
            |s| _ = s.start("r", "backend-reviewer").edit("api/a.rs", "2").pass("r", "review"),
            "backend review: stale",
        ),
        (
            "failed outranks stale",
            |s| {
                s.reject("backend-reviewer", "review", "x").start("r", "backend-reviewer");
                s.edit("api/a.rs", "2").pass("r", "review");
            },
            "backend review: failed (x)",
        ),
    ];
    for (name, step, expected) in cases {
        let mut session = session(THREE);
        session.edit("api/a.rs", "1");
        step(&mut session);
        assert_eq!(session.open()[0], expected, "{name}");
    }
}

#[test]
fn tests_by_an_agent_of_a_phase_do_not_reopen_the_phases_before_it() {
    let all = ["backend review: changed", "backend plan: changed", "backend test: changed"];
    let cases: [(&str, Option<&str>, Edits, &[&str]); 8] = [
        ("a tester", Some("backend-tester"), &[("api/a_test.rs", "1")], &["backend test: changed"]),
        ("with a prefix", Some("pack:backend-tester"), &[("api/a_test.rs", "1")], &["backend test: changed"]),
        (
            "a test lead",
            Some("test-lead"),
            &[("api/a_test.rs", "1")],
            &["backend plan: changed", "backend test: changed"],
        ),
        ("a reviewer", Some("backend-reviewer"), &[("api/a_test.rs", "1")], &all),
        ("code by a tester", Some("backend-tester"), &[("api/a.rs", "2")], &all),
        ("both by a tester", Some("backend-tester"), &[("api/a.rs", "2"), ("api/a_test.rs", "1")], &all),
        ("a tester of another domain", Some("frontend-tester"), &[("api/a_test.rs", "1")], &all),
        ("a developer", Some("developer"), &[("api/a_test.rs", "1")], &all),
    ];
    for (name, by, edited, expected) in cases {
        let mut session = passed();
        session.edit_by(by, edited);
        assert_eq!(session.open(), expected, "{name}");
    }
}

#[test]
fn the_proof_of_a_command_does_not_cover_tests_that_it_did_not_see() {
    let mut session = session(
        r#"
        tests = ["**/*_test.rs"]
        phase = [
            { name = "lint", run = "cargo clippy" },
            { name = "review", agents = ["reviewer"] },
            { name = "test", agents = ["tester"] },
        ]
        domain = [{ name = "backend", paths = ["api/**"] }]
        "#,
    );
    session.edit("api/a.rs", "1").prove("backend", "lint", "").approve("reviewer", "review");
    session.edit_by(Some("tester"), &[("api/a_test.rs", "1")]);
    assert_eq!(session.open(), ["backend lint: changed", "backend test: not run"]);
}

#[test]
fn an_agents_own_tests_do_not_make_its_result_stale() {
    let mut session = session(THREE);
    session.start("early", "backend-tester");
    session.edit_by(Some("backend-tester"), &[("api/a_test.rs", "0")]).pass("early", "test");
    assert_eq!(session.open(), ["backend review: not run", "backend plan: not run"]);
    session.edit("api/a.rs", "1").approve("backend-reviewer", "review").approve("test-lead", "plan");
    session.start("t", "backend-tester").start("slow", "backend-reviewer");
    session.edit_by(Some("backend-tester"), &[("api/a_test.rs", "1")]);
    session.pass("t", "test");
    assert_eq!(session.open(), Vec::<String>::new());
    session.fail("slow", "review", "x");
    assert_eq!(
        session.open(),
        ["backend review: failed (x)"],
        "a review under way is about this content too"
    );
}

#[test]
fn a_tester_at_work_has_to_see_the_tests_of_the_test_lead() {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1").start("t", "backend-tester").start("l", "test-lead");
    session.edit_by(Some("test-lead"), &[("api/a_test.rs", "1")]);
    session.pass("l", "plan").pass("t", "test");
    assert_eq!(session.open(), ["backend review: not run", "backend test: stale"]);
}

#[test]
fn a_reviewer_that_edits_what_it_reviews_approves_nothing() {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1").start("r", "backend-reviewer");
    session.edit_by(Some("backend-reviewer"), &[("api/a.rs", "2")]).pass("r", "review");
    assert_eq!(session.open()[0], "backend review: stale");
    assert_eq!(
        session.last(),
        "review of backend passed by backend-reviewer does not count: the content changed meanwhile"
    );
}

#[test]
fn a_loop_that_is_done_leaves_what_passed_and_the_next_edit_begins_a_new_one() {
    let mut session = passed();
    session.edit("ui/a.ts", "1").reject("frontend-tester", "test", "x");
    session.edit("ui/a.ts", "2").edit("ui/a.ts", "1");
    session
        .approve("backend-reviewer", "review")
        .approve("test-lead", "plan")
        .approve("backend-tester", "test");
    session.approve("frontend-reviewer", "review").approve("frontend-tester", "test");
    assert_eq!((session.state.iteration, session.open()), (2, Vec::new()));
    assert_eq!(session.stop(), StopDecision::Done);
    assert_eq!((session.state.iteration, session.state.began), (0, Time::default()));
    assert_eq!(session.last(), "everything passed: the loop is done");
    let history = session.state.history.len();
    assert_eq!(
        (session.stop(), session.state.history.len()),
        (StopDecision::Done, history),
        "that is noted once"
    );
    session.edit("ui/a.ts", "3");
    assert_eq!((session.state.iteration, session.state.began), (1, session.now));
    session.reject("frontend-tester", "test", "y");
    let expected = ["frontend review: not run", "frontend plan: not run", "frontend test: failed (y)"];
    assert_eq!(session.open(), expected, "the back end is not in this loop");
}

#[test]
fn waiting_changes_nothing() {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1");
    assert_eq!(describe(&session.stop()), "block");
    let before = session.state.clone();
    for is_fresh in [true, false] {
        let waiting = StopRequest { is_waiting: true, ..request(is_fresh, session.now) };
        assert_eq!(session.state.stop(&session.settings, waiting), StopDecision::Wait);
        assert_eq!(session.state, before);
    }
    session
        .approve("backend-reviewer", "review")
        .approve("test-lead", "plan")
        .approve("backend-tester", "test");
    let waiting = StopRequest { is_waiting: true, ..request(true, Time::default()) };
    assert_eq!(session.state.stop(&session.settings, waiting), StopDecision::Done);
}

#[test]
fn a_config_without_phases_or_domains_never_blocks() {
    for config in
        ["", "phase = [{ name = 'review' }]", "phase = []\ndomain = [{ name = 'a', paths = ['**'] }]"]
    {
        let mut session = session(config);
        session.take(LoopEvent::Edited { domain: "a".into(), files: files(&[("a", "1")]), by: None });
        assert_eq!(session.stop(), StopDecision::Done, "{config}");
    }
}

#[test]
fn a_phase_that_is_added_to_the_config_opens_what_was_done() {
    let mut session = session(PROVED);
    session.edit("api/a.rs", "1").approve("reviewer", "review").prove("backend", "test", "");
    assert_eq!(session.stop(), StopDecision::Done);
    session.settings.phase[1].name = "audit".into();
    assert_eq!(describe(&session.stop()), "block");
    assert_eq!((session.state.iteration, session.state.began), (1, session.now));
    session.prove("backend", "audit", "");
    assert_eq!(session.stop(), StopDecision::Done);
}

#[test]
fn a_state_of_an_older_version_is_read() {
    let state: State =
        serde_json::from_str(r#"{"iteration":2,"domains":{"backend":{"phases":{"review":{}}}}}"#).unwrap();
    assert_eq!(state.iteration, 2);
    assert_eq!(state.domains["backend"].phases.len(), 1);
}
