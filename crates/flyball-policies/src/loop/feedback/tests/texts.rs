//! The words, whole.

use flyball_core::event::{Agent, Event, EventData};
use flyball_core::verdict::Stance;

use super::super::machine::{LoopEvent, PersonDecision};
use super::{APPROVED, ON, REJECTED, SHORT, Session, silence};
use crate::testing::event;

const HOW: &str = " through each list from top to bottom without stopping in between; domains can go side by \
side. Only these agents' own results count, and only for the code as it was when they started: edit first, then have \
it reviewed.
A person, and only a person, can let go: `flyball loop accept` (good as it is), `flyball loop abort` (no loop in this \
session), `flyball loop handoff` (over to `/feature`), or FLYBALL_SKIP=loop.feedback for a whole session.";

fn only(texts: Vec<String>) -> String {
    assert_eq!(texts.len(), 1, "{texts:#?}");
    texts.into_iter().next().unwrap()
}

#[test]
fn a_hold_names_all_that_is_open_and_what_to_do() {
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
            "The work is not proven yet (iteration 1 of 5). Open:
frontend (ui/src/a.tsx)
  1. review: passed, but the code changed since; spawn `frontend-reviewer` (or `reviewer`) again
  2. test-planning: not done yet; spawn `test-lead`
  3. testing: not done yet; spawn `frontend-tester` (or `tester`)
backend (pkg/a.go, pkg/b.go, pkg/c.go and 2 more)
  1. review: failed by the word of `backend-reviewer`; once it is fixed, spawn `backend-reviewer` (or `reviewer`) again
     - a.go:3 the error is dropped
     - no test
  2. test-planning: not done yet; spawn `test-lead`
  3. testing: not done yet; spawn `backend-tester` (or `tester`)
Fix what failed first, then go{HOW}"
        )
    );
}

#[test]
fn a_long_list_of_issues_is_cut_and_a_void_result_is_explained() {
    let mut session = Session::new(&SHORT.replace("['reviewer']", "['*-reviewer', 're?iewer']"));
    session.edit("src/a.go", "one");
    let list: String = (1..=11).map(|number| format!("- issue {number}\n")).collect();
    session.agent("my-reviewer", &format!("## Review Result\nREVIEW_REJECTED\n### Issues\n{list}"));
    let shown: String = (1..=8).map(|number| format!("     - issue {number}\n")).collect();
    let (_, reasons, ..) = session.stop();
    assert_eq!(
        only(reasons),
        format!(
            "The work is not proven yet (iteration 1 of 5). Open:\ncode (src/a.go)\n  1. review: failed by the word of \
             `my-reviewer`; once it is fixed, spawn an agent whose role matches `*-reviewer` or `re?iewer` again\n\
             {shown}     - and 3 more\nFix what failed first, then go{HOW}"
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
            "The work is not proven yet (iteration 1 of 5). Open:\ncode (src/a.go)\n  1. review: the code changed while \
             `reviewer` was at work, so its result is void; spawn `reviewer` again\nGo{HOW}"
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
        "You are `backend-reviewer`, and your result is missing: review of python and backend. End your answer with

## Review Result
REVIEW_APPROVED

or, if something has to change,

## Review Result
REVIEW_REJECTED
### Issues
- one line for each

If it is only about some of them, say so below the heading: `Domains: python`.
The word stands alone on its line and outside of code and quotations. You are asked once; without a result this counts \
         as failed."
    );
}

#[test]
fn an_agent_that_begins_is_told_how_its_result_is_said() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let start = |role: &str| Event {
        agent: Some(Agent { id: role.to_owned(), role: role.to_owned() }),
        ..event(EventData::AgentStart)
    };
    let (stance, _, context, _) = session.hears(start("reviewer"));
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
- one line for each

The word stands alone on its line and outside of code and quotations."
    );
    assert_eq!(session.hears(start("developer")), silence());
    session.finishes(&Agent { id: "reviewer".to_owned(), role: "reviewer".to_owned() }, APPROVED);
    assert_eq!(session.hears(start("reviewer")), silence());
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
fn a_limit_is_told_with_all_that_is_needed_to_decide() {
    let mut session = Session::new(SHORT);
    for number in 1..=3 {
        session.edit("src/a.go", &format!("version {number}"));
        session.agent("reviewer", &format!("## Review Result\nREVIEW_REJECTED\n- issue {number}"));
    }
    let (stance, _, _, notices) = session.stop();
    assert_eq!(stance, Stance::Silent);
    assert_eq!(
        only(notices),
        "The loop needs you: review of code failed 3 times in a row (iteration 1 of 5). The agent was let go. Open:
code (src/a.go)
  1. review: failed by the word of `reviewer`; once it is fixed, spawn `reviewer` again
     - issue 3
What happened:
  1. the loop began
  1. code was edited
  1. review of code failed by reviewer
  1. review of code failed by reviewer
  1. review of code failed by reviewer
  1. a person has to decide: review of code failed 3 times in a row
You decide:
  flyball loop continue 3: go on, for 3 more iterations
  flyball loop accept: it is good as it is
  flyball loop abort: no more of this loop in this session
  flyball loop handoff: hand it over to `/feature`"
    );
    let (_, _, context, _) = session.prompt("hm");
    assert_eq!(
        only(context),
        "The loop was stopped: review of code failed 3 times in a row. The user was told and decides how it goes on; do \
         what they say now."
    );
}

#[test]
fn a_pause_is_told_to_the_user() {
    let mut session = Session::new(&SHORT.replace("mode = 'enforce'", "mode = 'enforce'\nmax_holds = 1"));
    session.edit("src/a.go", "one");
    assert_eq!(session.stop().0, Stance::Deny);
    session.edit("src/a.go", "two");
    session.agent("reviewer", REJECTED);
    let (stance, _, _, notices) = session.stop_again();
    assert_eq!(stance, Stance::Silent);
    assert_eq!(
        only(notices),
        "The agent was kept from stopping as often as `max_holds` allows in one turn and is let go for now (iteration 1 \
         of 5). Still open:
code (src/a.go)
  1. review: failed by the word of `reviewer`; once it is fixed, spawn `reviewer` again
     - a.go:3 the error is dropped
     - no test
The loop goes on with the next prompt. A person, and only a person, can let go: `flyball loop accept` (good as it is), \
         `flyball loop abort` (no loop in this session), `flyball loop handoff` (over to `/feature`), or \
         FLYBALL_SKIP=loop.feedback for a whole session."
    );
}

#[test]
fn a_compaction_carries_what_is_open_and_a_hand_over_says_so() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let (_, _, context, _) = session.compact();
    assert_eq!(
        only(context),
        "The loop is in force and outlives the compaction (iteration 1 of 5). Open:\ncode (src/a.go)\n  1. review: not \
         done yet; spawn `reviewer`\nYou can stop when all of it has passed."
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
        "The user handed this work over to the workflow `/feature`: start it now. The loop holds nobody any more. It \
         was left at:\ncode (src/a.go)\n  1. review: not done yet; spawn `reviewer`"
    );
}
