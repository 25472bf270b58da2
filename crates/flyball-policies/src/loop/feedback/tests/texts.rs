//! The messages, in full.

use flyball_core::event::{Agent, Event, EventData};
use flyball_core::verdict::Stance;

use super::super::machine::{LoopEvent, PersonDecision, Proof};
use super::{APPROVED, ON, REJECTED, SHORT, Session, silence};
use crate::testing::event;

const HOW: &str =
    "Domains can run in parallel. Only the results of these agents count, for the code as it was when they \
started: edit first, then review.
To override (people only): `flyball loop accept` (take it as it is), `flyball loop abort` (no loop in this \
session), `flyball loop handoff` (to `/feature`), or FLYBALL_SKIP=loop.feedback for a whole session.";

fn only(texts: Vec<String>) -> String {
    assert_eq!(texts.len(), 1, "{texts:#?}");
    texts.into_iter().next().unwrap()
}

#[test]
fn a_block_lists_everything_that_is_open_and_what_to_do() {
    let mut session = Session::new(ON);
    for name in ["a", "b", "c", "d", "e"] {
        session.edit(&format!("pkg/{name}.go"), "one");
    }
    session.edit("ui/src/a.tsx", "one");
    session.agent("backend-reviewer", REJECTED);
    session.agent("frontend-reviewer", APPROVED);
    session.edit("ui/src/a.tsx", "two");
    let (_, reasons, ..) = session.stop();
    assert_eq!(
        only(reasons),
        format!(
            "Not done yet (iteration 1 of 5). Fix what failed first, then work through each list in order, without stopping in \
between:
frontend (ui/src/a.tsx)
  1. review: passed, but the code changed since; spawn `frontend-reviewer` (or `reviewer`) again
  2. test-planning: not done yet; spawn `test-lead`
  3. testing: not done yet; spawn `frontend-tester` (or `tester`)
backend (pkg/a.go, pkg/b.go, pkg/c.go and 2 more)
  1. review: failed (`backend-reviewer`); fix it, then spawn `backend-reviewer` (or `reviewer`) again
     - a.go:3 the error is dropped
     - no test
  2. test-planning: not done yet; spawn `test-lead`
  3. testing: not done yet; spawn `backend-tester` (or `tester`)
{HOW}"
        )
    );
}

#[test]
fn a_long_list_of_issues_is_cut_and_a_stale_result_is_explained() {
    let mut session = Session::new(&SHORT.replace("['reviewer']", "['*-reviewer', 're?iewer']"));
    session.edit("src/a.go", "one");
    let list: String = (1..=11).map(|number| format!("- issue {number}\n")).collect();
    session.agent("my-reviewer", &format!("## Review Result\nREVIEW_REJECTED\n### Issues\n{list}"));
    let shown: String = (1..=8).map(|number| format!("     - issue {number}\n")).collect();
    let (_, reasons, ..) = session.stop();
    assert_eq!(
        only(reasons),
        format!(
            "Not done yet (iteration 1 of 5). Fix what failed first, then work through each list in order, without \
             stopping in between:\ncode (src/a.go)\n  1. review: failed (`my-reviewer`); fix it, then spawn an agent \
             whose role matches `*-reviewer` again\n{shown}     - and 3 more\n{HOW}"
        )
    );
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    session.agent("reviewer", APPROVED);
    session.edit("src/a.go", "two");
    let late = session.starts("reviewer");
    session.edit("src/a.go", "three");
    session.finishes(&late, APPROVED);
    let (_, reasons, ..) = session.stop();
    assert_eq!(
        only(reasons),
        format!(
            "Not done yet (iteration 1 of 5). Work through each list in order, without stopping in between:\ncode \
             (src/a.go)\n  1. review: the code changed while `reviewer` was working, so its result does not count; \
             spawn `reviewer` again\n{HOW}"
        )
    );
}

#[test]
fn an_agent_is_asked_with_the_exact_template() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    session.edit("a.py", "one");
    let (stance, reasons, ..) = session.agent("backend-reviewer", "fine");
    assert_eq!(stance, Stance::Deny);
    assert_eq!(
        only(reasons),
        "Your result as `backend-reviewer` is missing: review of python and backend. End your answer with

## Review Result
REVIEW_APPROVED

or, if something has to change,

## Review Result
REVIEW_REJECTED
### Issues
- one line per issue

If it is about some of them only, add a line below the heading: `Domains: python`.
Put the word alone on its line, not into a sentence or a quote. You are asked once; without a result this counts \
         as failed."
    );
}

#[test]
fn an_agent_that_starts_is_shown_how_to_report_its_result() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let start = |role: &str| Event {
        agent: Some(Agent { id: role.to_owned(), role: role.to_owned() }),
        ..event(EventData::AgentStart)
    };
    session.spawn("reviewer", "call1");
    let (stance, _, context, _) = session.output(start("reviewer"));
    assert_eq!(stance, Stance::Silent);
    assert_eq!(
        only(context),
        "The result of review of code is read from the end of this agent's answer:

## Review Result
REVIEW_APPROVED

or, if something has to change,

## Review Result
REVIEW_REJECTED
### Issues
- one line per issue

Put the word alone on its line, not into a sentence or a quote."
    );
    assert_eq!(session.output(start("developer")), silence());
    session.finishes(&Agent { id: "reviewer".to_owned(), role: "reviewer".to_owned() }, APPROVED);
    assert_eq!(session.output(start("reviewer")), silence());
}

#[test]
fn what_the_template_shows_is_a_result() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let reviewer = session.starts("reviewer");
    let (_, reasons, ..) = session.finishes(&reviewer, "fine");
    let template = only(reasons);
    let first = template.split("\n\n").nth(1).unwrap();
    session.finishes(&reviewer, first);
    assert_eq!(session.line(), None);
}

#[test]
fn a_limit_is_reported_with_everything_needed_to_decide() {
    let mut session = Session::new(SHORT);
    for number in 1..=3 {
        session.edit("src/a.go", &format!("version {number}"));
        session.agent("reviewer", &format!("## Review Result\nREVIEW_REJECTED\n- issue {number}"));
    }
    let (stance, _, _, notices) = session.stop();
    assert_eq!(stance, Stance::Silent);
    assert_eq!(
        only(notices),
        "The loop needs your decision: review of code failed 3 times in a row (iteration 1 of 5). The agent was released. \
         Open:
code (src/a.go)
  1. review: failed (`reviewer`); fix it, then spawn `reviewer` again
     - issue 3
History:
  1. the loop started
  1. code was edited
  1. review of code failed by reviewer
  1. review of code failed by reviewer
  1. review of code failed by reviewer
  1. a person has to decide: review of code failed 3 times in a row
Your options:
  flyball loop continue 3: continue, for 3 more iterations
  flyball loop accept: take the work as it is
  flyball loop abort: end the loop for this session
  flyball loop handoff: hand it over to `/feature`"
    );
    let (_, _, context, _) = session.prompt("hm");
    assert_eq!(
        only(context),
        "The loop stopped: review of code failed 3 times in a row. The user was notified and decides how to continue; \
         follow their instructions."
    );
}

#[test]
fn the_user_is_notified_of_a_pause() {
    let mut session = Session::new(&SHORT.replace("mode = 'enforce'", "mode = 'enforce'\nmax_holds = 1"));
    session.edit("src/a.go", "one");
    assert_eq!(session.stop().0, Stance::Deny);
    session.edit("src/a.go", "two");
    session.agent("reviewer", REJECTED);
    let (stance, _, _, notices) = session.stop_again();
    assert_eq!(stance, Stance::Silent);
    assert_eq!(
        only(notices),
        "The agent was blocked from stopping `max_holds` times in this turn and is released for now (iteration 1 of 5). \
         Still open:
code (src/a.go)
  1. review: failed (`reviewer`); fix it, then spawn `reviewer` again
     - a.go:3 the error is dropped
     - no test
The loop continues with the next prompt. To override (people only): `flyball loop accept` (take it as it is), \
         `flyball loop abort` (no loop in this session), `flyball loop handoff` (to `/feature`), or \
         FLYBALL_SKIP=loop.feedback for a whole session."
    );
}

#[test]
fn open_phases_are_listed_after_a_compaction_and_a_handoff() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let (_, _, context, _) = session.compact();
    assert_eq!(
        only(context),
        "The review loop is still active after the compaction (iteration 1 of 5). Open:\ncode (src/a.go)\n  1. review: not \
         done yet; spawn `reviewer`\nYou can stop when everything has passed."
    );
    let mut state = session.state();
    state.apply(
        &session.settings(),
        LoopEvent::Decided(PersonDecision::HandOver("/feature".to_owned())),
        session.now,
    );
    session.set(&state);
    let (_, _, context, _) = session.prompt("go");
    assert_eq!(
        only(context),
        "The user handed this work over to the workflow `/feature`: start it now. The loop no longer blocks you. Still \
         open:\ncode (src/a.go)\n  1. review: not done yet; spawn `reviewer`"
    );
}

/// Every message of a loop with everything open and much to say about it.
#[test]
fn every_message_fits_on_a_screen() {
    let mut session = Session::new(ON);
    let places = ["integrations/x/a.go", "scanners/a.go", ".claude/tools/a.ts", "a.tsx", "a.py", "a.go"];
    for place in places {
        for copy in 0..30 {
            session.edit(&place.replace("a.", &format!("a{copy}.")), "one");
        }
    }
    let many: String =
        (1..=20).map(|number| format!("- {} {number}\n", "a long issue ".repeat(20))).collect();
    let rejected = format!("## Review Result\nREVIEW_REJECTED\n### Issues\n{many}");
    for reviewer in ["integration", "capability", "tool", "frontend", "backend"] {
        session.agent(&format!("{reviewer}-reviewer"), &rejected);
    }
    let (_, reasons, ..) = session.stop();
    let first = only(reasons);
    assert!(first.lines().count() <= 20, "{first}");
    for domain in ["integrations", "capabilities", "tools", "frontend", "python", "backend"] {
        assert!(first.contains(&format!("\n{domain} (")), "{first}");
    }
    let (_, _, context, _) = session.compact();
    let compacted = only(context);
    assert!(compacted.lines().count() <= 20, "{compacted}");
    while session.stop_again().0 == Stance::Deny {}
    let (_, _, context, _) = session.prompt("hm");
    assert!(only(context).lines().count() <= 20);
    let notice = super::super::report(&session.state(), &session.settings()).escalation.unwrap();
    assert_eq!(notice.reason, "blocked from stopping 6 times without progress");
}

#[test]
fn a_long_output_shows_its_end() {
    let mut session = Session::new(&format!("{SHORT}run = {{ review = 'make check' }}\n"));
    session.edit("src/a.go", "one");
    let output: Vec<String> = (1..=60).map(|number| format!("line {number}")).collect();
    let mut state = session.state();
    state.apply(
        &session.settings(),
        LoopEvent::Proved(Proof {
            domain: "code".to_owned(),
            phase: "review".to_owned(),
            command: "make check".to_owned(),
            content: state.domains["code"].fingerprint(),
            passed: false,
            tail: output.join("\n"),
        }),
        session.now,
    );
    session.set(&state);
    let (_, reasons, ..) = session.stop();
    let text = only(reasons);
    assert!(text.lines().count() <= 20, "{text}");
    assert!(text.contains("     - …\n       line 47\n") && text.contains("       line 60\n"), "{text}");
}

#[test]
fn a_repeated_block_is_shorter_than_the_first() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    session.agent("backend-reviewer", REJECTED);
    session.stop();
    let (_, reasons, ..) = session.stop_again();
    let again =
        "Still not done (iteration 1 of 5): nothing changed since this was listed: backend: review failed, \
                 test-planning open, testing open.
Next: spawn `backend-reviewer` (or `reviewer`) for review of backend. If you cannot go on, ask the user.
To override (people only): `flyball loop accept`, `flyball loop abort`.";
    assert_eq!(only(reasons), again);
    session.edit("pkg/a.go", "two");
    let (_, reasons, ..) = session.stop_again();
    assert!(only(reasons).starts_with("Not done yet"), "what changed is listed in full");
}
