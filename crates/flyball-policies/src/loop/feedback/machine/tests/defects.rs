//! What earlier loops got wrong.

use super::table::{THREE, describe, session};
use crate::r#loop::feedback::machine::StopDecision;

#[test]
fn defect_01_a_reviewer_of_integrations_reports_for_integrations() {
    let mut session = session(THREE);
    session.edit("link/a.rs", "1").edit("api/a.rs", "1").approve("integration-reviewer", "review");
    assert_eq!(session.open()[0], "backend review: not run");
    session.approve("integration-tester", "test").approve("backend-reviewer", "review");
    session.approve("test-lead", "plan").approve("backend-tester", "test");
    assert_eq!(session.stop(), StopDecision::Done);
}

#[test]
fn defect_02_one_test_lead_plans_for_two_domains() {
    for named in [false, true] {
        let mut session = session(THREE);
        session.edit("api/a.rs", "1").edit("ui/a.ts", "1");
        for role in ["backend", "frontend"] {
            session.approve(&format!("{role}-reviewer"), "review").approve(&format!("{role}-tester"), "test");
        }
        assert_eq!(session.open(), ["backend plan: not run", "frontend plan: not run"]);
        if named {
            session.unknown("test-lead", "plan", (&["backend"], &[]));
            assert_eq!(session.open(), ["frontend plan: not run"]);
            session.unknown("test-lead", "plan", (&["frontend"], &[]));
        } else {
            session.approve("test-lead", "plan");
        }
        assert_eq!(session.stop(), StopDecision::Done, "named: {named}");
    }
}

#[test]
fn defect_03_edits_after_an_approval_are_reviewed() {
    let mut session = session(THREE);
    session
        .edit("link/a.rs", "1")
        .approve("integration-reviewer", "review")
        .approve("integration-tester", "test");
    session.edit("link/a.rs", "2");
    assert_eq!(describe(&session.stop()), "block");
    assert_eq!(session.open(), ["integrations review: changed", "integrations test: changed"]);
    session.approve("integration-reviewer", "review").approve("integration-tester", "test");
    assert_eq!(session.stop(), StopDecision::Done);
    session.edit("link/b.rs", "1");
    assert_eq!(describe(&session.stop()), "block", "also when the loop was done");
}

#[test]
fn defect_07_an_escalation_ends_and_is_reported_once() {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1");
    let mut decisions = Vec::new();
    for turn in 0..50 {
        decisions.push(describe(&session.stop()));
        decisions.extend((0..10).map(|_| describe(&session.stop_again())));
        session.edit("ui/a.ts", &turn.to_string());
    }
    let escalations = decisions.iter().filter(|word| word.starts_with("escalate")).count();
    let blocks = decisions.iter().filter(|word| *word == "block").count();
    assert_eq!((blocks, escalations, decisions.last().unwrap().as_str()), (4, 1, "over"));
}

#[test]
fn defect_09_failures_are_counted_per_domain_and_phase() {
    let mut session = session(THREE);
    session.edit("api/a.rs", "1").edit("ui/a.ts", "1").edit("link/a.rs", "1");
    session.reject("backend-reviewer", "review", "x").reject("frontend-reviewer", "review", "x");
    session.reject("integration-reviewer", "review", "x").reject("test-lead", "plan", "x");
    for domain in ["backend", "frontend", "integrations"] {
        assert_eq!(session.counts(domain, "review"), (1, 1), "{domain}");
    }
    assert_eq!(session.counts("backend", "plan"), (1, 1));
    assert_eq!(describe(&session.stop()), "block", "four failures, none of them a second one");
}
