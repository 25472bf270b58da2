//! Results: which count, for what, and how often.

use super::table::{PROVED, Session, THREE, session};
use crate::r#loop::feedback::machine::LoopEvent;
use crate::r#loop::feedback::machine::agents::{MOST_AGENTS, MOST_UNFINISHED};
use crate::r#loop::feedback::machine::history::{LONGEST_ISSUE, LONGEST_TAIL, MOST_ENTRIES, MOST_ISSUES};

type Names = &'static [&'static str];

fn edited() -> Session {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1").edit("ui/a.ts", "1");
    session
}

#[test]
fn a_report_counts_for_the_domains_that_it_names_and_that_its_role_serves() {
    let cases: [(&str, &str, &str, Names, Names); 8] = [
        ("all that it serves", "test-lead", "plan", &[], &["backend plan", "frontend plan"]),
        ("its own", "backend-reviewer", "review", &[], &["backend review"]),
        ("a wildcard", "security-expert", "review", &[], &["backend review"]),
        ("the one that it names", "test-lead", "plan", &["frontend"], &["frontend plan"]),
        ("one that it does not serve", "backend-reviewer", "review", &["frontend"], &[]),
        ("one that was not edited", "integration-reviewer", "review", &["integrations"], &[]),
        ("a phase that is not its own", "backend-reviewer", "test", &[], &[]),
        ("a phase that is none", "backend-reviewer", "party", &[], &[]),
    ];
    for (name, role, phase, domains, expected) in cases {
        let mut session = edited();
        session.unknown(role, phase, (domains, &[]));
        let open = session.open();
        let all = [
            "backend review",
            "backend plan",
            "backend test",
            "frontend review",
            "frontend plan",
            "frontend test",
        ];
        let passed: Vec<&str> =
            all.into_iter().filter(|place| !open.iter().any(|line| line.starts_with(place))).collect();
        assert_eq!(passed, expected, "{name}");
    }
}

#[test]
fn a_report_about_content_that_changed_does_not_count() {
    let mut session = edited();
    session.start("r", "backend-reviewer").edit("api/a.rs", "2").fail("r", "review", "x");
    assert_eq!(session.open()[0], "backend review: stale (x)");
    assert_eq!(session.counts("backend", "review"), (0, 0));
    session.start("s", "security-expert").edit("api/a.rs", "3").fail("s", "review", "y");
    assert_eq!(session.open()[0], "backend review: stale (x; y)", "nothing that was found is lost");
    session.approve("backend-reviewer", "review");
    session.start("late", "backend-reviewer");
    session.edit("api/b.rs", "1").edit("api/a.rs", "4").approve("security-expert", "review");
    session.fail("late", "review", "z").edit("api/none.rs", "gone");
    assert_eq!(session.open()[0], "backend review: changed", "content that is gone reopens nothing");
}

#[test]
fn an_agent_that_started_before_a_domain_was_edited_has_not_seen_it() {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1").start("l", "test-lead").edit("ui/a.ts", "1").pass("l", "plan");
    let expected = [
        "backend review: not run",
        "backend test: not run",
        "frontend review: not run",
        "frontend plan: stale",
        "frontend test: not run",
    ];
    assert_eq!(session.open(), expected);
}

#[test]
fn the_same_result_of_the_same_agent_counts_once_and_a_later_one_replaces_it() {
    let mut session = edited();
    session.start("r", "backend-reviewer").fail("r", "review", "x").fail("r", "review", "x");
    assert_eq!(
        (session.counts("backend", "review"), session.open()[0].as_str()),
        ((1, 1), "backend review: failed (x)")
    );
    session.fail("r", "review", "y");
    assert_eq!(
        (session.counts("backend", "review"), session.open()[0].as_str()),
        ((1, 1), "backend review: failed (y)")
    );
    session.pass("r", "review");
    assert_eq!(session.open()[0], "backend plan: not run");
    let before = session.edit("api/a.rs", "2").state.clone();
    session.pass("r", "review");
    assert_eq!(session.state, before, "a repeated result is not even stale");
}

#[test]
fn a_repeated_test_failure_begins_one_iteration() {
    let mut session = edited();
    session.start("t", "backend-tester").start("u", "frontend-tester");
    session.fail("t", "test", "x").fail("t", "test", "x").fail("u", "test", "y").fail("t", "test", "z");
    assert_eq!(session.state.iteration, 2);
    let expected = [
        "backend review: not run",
        "backend plan: not run",
        "backend test: failed (z)",
        "frontend review: not run",
        "frontend plan: not run",
        "frontend test: failed (y)",
    ];
    assert_eq!(session.open(), expected);
    session.reject("backend-tester", "test", "w");
    assert_eq!(session.state.iteration, 3, "an agent of the second iteration failed the second");
}

#[test]
fn a_restart_undoes_every_pass_and_passes_of_the_iteration_before_do_not_count() {
    let mut session = edited();
    session.approve("backend-reviewer", "review").start("r", "frontend-reviewer").start("l", "test-lead");
    session.reject("backend-tester", "test", "x").pass("r", "review").fail("l", "plan", "late");
    let expected = [
        "backend review: not run",
        "backend plan: failed (late)",
        "backend test: failed (x)",
        "frontend review: stale",
        "frontend plan: failed (late)",
        "frontend test: not run",
    ];
    assert_eq!(session.open(), expected);
    assert_eq!((session.state.iteration, session.counts("backend", "plan")), (2, (0, 0)));
    session.edit("api/a.rs", "0").edit("api/a.rs", "1");
    assert_eq!(session.open(), expected, "no undoing brings back what a restart undid");
}

#[test]
fn one_report_that_fails_two_domains_counts_for_both_and_begins_one_iteration() {
    let mut session = session(THREE);
    session.settings.phase[1].on_fail = session.settings.phase[2].on_fail;
    session.edit("api/a.rs", "1").edit("ui/a.ts", "1").reject("test-lead", "plan", "x");
    assert_eq!(session.state.iteration, 2);
    assert_eq!([session.counts("backend", "plan"), session.counts("frontend", "plan")], [(1, 1), (1, 1)]);
}

#[test]
fn failures_of_agents_that_nobody_knows_begin_one_iteration_for_one_content() {
    let mut session = edited();
    session.unknown("backend-tester", "test", (&[], &["x"])).unknown(
        "frontend-tester",
        "test",
        (&[], &["y"]),
    );
    assert_eq!(session.state.iteration, 2);
    session.edit("api/a.rs", "2").unknown("backend-tester", "test", (&[], &["x"]));
    assert_eq!((session.state.iteration, session.counts("backend", "test")), (3, (2, 2)));
}

#[test]
fn failures_are_counted_and_compared_with_the_last() {
    let cases: [(&str, &[&str], (u32, u32)); 6] = [
        ("one", &["x"], (1, 1)),
        ("others", &["x", "y", "x"], (3, 1)),
        ("the same", &["x", "x", "x"], (3, 3)),
        ("the same again", &["y", "x", "x"], (3, 2)),
        ("the same elsewhere in the file", &["a.rs:12: x", "a.rs:15: x"], (2, 2)),
        ("nothing that could be compared", &["", ""], (2, 1)),
    ];
    for (name, issues, expected) in cases {
        for edits in [true, false] {
            let mut session = edited();
            for (at, issue) in issues.iter().enumerate() {
                session.reject("backend-reviewer", "review", issue);
                if edits {
                    session.edit("api/a.rs", &format!("fix {at}"));
                }
            }
            assert_eq!(session.counts("backend", "review"), expected, "{name}, edits: {edits}");
        }
    }
}

#[test]
fn a_pass_ends_the_row_of_failures() {
    let mut session = edited();
    session.reject("backend-reviewer", "review", "x").reject("backend-reviewer", "review", "x");
    session.approve("backend-reviewer", "review");
    assert_eq!(
        (session.counts("backend", "review"), session.open()[0].as_str()),
        ((0, 0), "backend plan: not run")
    );
    session.reject("backend-reviewer", "review", "x");
    assert_eq!(
        (session.counts("backend", "review"), session.open()[0].as_str()),
        ((1, 1), "backend review: failed (x)")
    );
}

#[test]
fn parallel_reviewers_are_one_round_and_one_rejection_is_enough() {
    let reports: [(&str, &[&str]); 3] = [("r", &["x"]), ("s", &[]), ("t", &["y"])];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut session = edited();
        session.start("r", "backend-reviewer").start("s", "security-a").start("t", "security-b");
        for (id, issues) in order.map(|at| reports[at]) {
            let report = session.report(id, "review", issues);
            session.take(LoopEvent::Reported(report));
        }
        let mut issues = session.state.domains["backend"].phases["review"].issues.clone();
        issues.sort();
        assert_eq!(
            (session.counts("backend", "review"), issues),
            ((1, 1), vec!["x".into(), "y".into()]),
            "{order:?}"
        );
        assert!(session.open()[0].starts_with("backend review: failed"), "{order:?}");
        session.approve("security-a", "review");
        assert_eq!(session.open()[0], "backend plan: not run", "an agent that starts later overrules them");
    }
}

#[test]
fn a_phase_with_a_command_is_passed_by_nothing_else() {
    let mut session = session(PROVED);
    session.edit("api/a.rs", "1").approve("reviewer", "review").approve("tester", "test");
    assert_eq!(session.open(), ["backend test: not run"]);
    session.reject("tester", "test", "x");
    assert_eq!(session.open(), ["backend review: not run", "backend test: failed (x)"]);
    session.prove("backend", "test", "").prove("backend", "review", "").prove("frontend", "test", "");
    assert_eq!(session.open(), ["backend review: not run"], "no command proves a review");
}

#[test]
fn a_proof_counts_on_exactly_the_content_that_it_ran_on() {
    let mut session = session(PROVED);
    session.edit("api/a.rs", "1").approve("reviewer", "review");
    let on = session.print("backend");
    session.edit_by(Some("tester"), &[("api/a_test.rs", "1")]);
    session.prove_on(on, ("backend", "test"), "");
    assert_eq!(session.open(), ["backend test: stale"]);
    session.prove_on(on, ("backend", "test"), "old");
    assert_eq!(session.open(), ["backend test: stale (old)"]);
    assert_eq!((session.counts("backend", "test"), session.state.iteration), ((0, 0), 1));
    session.prove("backend", "test", "");
    assert_eq!(session.open(), Vec::<String>::new());
    session.prove_on(on, ("backend", "test"), "old");
    assert_eq!(session.open(), Vec::<String>::new());
}

#[test]
fn a_command_that_fails_again_on_the_same_content_counts_once() {
    let mut session = session(PROVED);
    session.edit("api/a.rs", "1").edit("ui/a.ts", "1");
    session.prove("backend", "test", "a").prove("frontend", "test", "b").prove("backend", "test", "c");
    assert_eq!(session.state.iteration, 2, "one run of all commands is one iteration");
    assert_eq!([session.counts("backend", "test"), session.counts("frontend", "test")], [(1, 1), (1, 1)]);
    assert_eq!(session.open()[1], "backend test: failed (c)");
    session.edit("api/a.rs", "2").prove("backend", "test", "c in 3.2s");
    assert_eq!((session.state.iteration, session.counts("backend", "test")), (3, (2, 1)));
    session.edit("api/a.rs", "3").prove("backend", "test", "c in 0.1s");
    assert_eq!((session.state.iteration, session.counts("backend", "test")), (4, (3, 2)));
}

#[test]
fn a_failure_after_the_loop_was_done_begins_one() {
    let mut session = session(PROVED);
    session
        .edit("api/a.rs", "1")
        .start("slow", "reviewer")
        .approve("reviewer", "review")
        .prove("backend", "test", "");
    session.stop();
    session.fail("slow", "review", "x");
    assert_eq!((session.state.iteration, session.open()), (1, vec!["backend review: failed (x)".to_owned()]));
}

#[test]
fn reports_of_agents_of_an_earlier_loop_do_not_count_in_this_one() {
    let mut session = session(PROVED);
    session
        .edit("api/a.rs", "1")
        .start("slow", "reviewer")
        .start("twice", "reviewer")
        .pass("twice", "review");
    session.prove("backend", "test", "").stop();
    session.edit("api/a.rs", "2").pass("twice", "review").pass("slow", "review");
    assert_eq!(session.open(), ["backend review: stale", "backend test: changed"]);
}

#[test]
fn an_agent_that_starts_again_sees_the_current_content() {
    let mut session = edited();
    session.start("r", "backend-reviewer").fail("r", "review", "x").edit("api/a.rs", "2");
    session.start("r", "backend-reviewer").fail("r", "review", "x");
    assert_eq!(session.counts("backend", "review"), (2, 2));
    session.edit("api/a.rs", "3").start("r", "backend-reviewer").pass("r", "review");
    assert_eq!(session.open()[0], "backend plan: not run");
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut session = edited();
    let long = format!("{}\nend", "ä".repeat(9_000));
    let issues: Vec<String> = (0..50).map(|at| format!("{at} {long}")).collect();
    let issues: Vec<&str> = issues.iter().map(String::as_str).collect();
    session.unknown("backend-reviewer", "review", (&[], &issues));
    let stored = &session.state.domains["backend"].phases["review"].issues;
    assert_eq!((stored.len(), stored[0].chars().count()), (MOST_ISSUES, LONGEST_ISSUE));
    for at in 0..MOST_AGENTS * 2 {
        session.start(&format!("r{at}"), "backend-reviewer").fail(&format!("r{at}"), "review", &long);
    }
    assert_eq!(session.state.agents.len(), MOST_AGENTS);
    assert!(session.state.agents.contains_key("r127") && !session.state.agents.contains_key("r1"));
    for at in 0..MOST_UNFINISHED * 2 {
        session.start(&format!("u{at}"), "backend-reviewer");
    }
    assert_eq!(session.state.agents.len(), MOST_UNFINISHED);
    assert!(session.state.agents.contains_key("u511") && !session.state.agents.contains_key("r127"));
    assert_eq!(session.state.history.len(), MOST_ENTRIES);
    assert!(session.state.history.iter().all(|entry| !entry.what.contains('\n') && entry.what.len() < 1_000));
}

#[test]
fn the_end_of_a_commands_output_is_stored() {
    let mut session = session(PROVED);
    let tail = format!("{}the end\n", "line\n".repeat(3_000));
    session.edit("api/a.rs", "1").prove("backend", "test", &tail).reject("tester", "test", "x");
    let issues = &session.state.domains["backend"].phases["test"].issues;
    assert_eq!(issues, &["x"], "a later failure has its own issues");
    session.edit("api/a.rs", "2").start("t", "tester").prove("backend", "test", &tail).fail("t", "test", "x");
    let issues = &session.state.domains["backend"].phases["test"].issues;
    assert_eq!(
        (issues.len(), issues[0].chars().count(), issues[0].ends_with("the end")),
        (2, LONGEST_TAIL, true)
    );
}
