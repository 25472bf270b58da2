//! Commands that prove a phase: when they are due, and what their results do.

use flyball_core::event::{Agent, EventData, Stopping};
use flyball_core::facts::Facts;
use flyball_core::policy::Situation;
use flyball_core::verdict::Stance;

use super::super::evidence::DueProof;
use super::super::gather::{Inputs, due_at_stop, due_for_role, question};
use super::super::machine::Proof;
use super::super::session::Session as LoopSession;
use super::super::state::{Ending, Escalation};
use super::{APPROVED, Output, Session, output_of, silence};
use crate::r#loop::adviser::{Advice, Question};
use crate::testing::event;

/// Lint, then a review, then the tests; the second domain has its own command and no review.
const PROVED: &str = "
[loop.feedback]
mode = 'enforce'

[[loop.feedback.phase]]
name = 'lint'
run = 'make lint'

[[loop.feedback.phase]]
name = 'review'
heading = 'Review Result'
pass = 'REVIEW_APPROVED'
fail = 'REVIEW_REJECTED'
agents = ['reviewer']

[[loop.feedback.phase]]
name = 'testing'
run = 'make test'
agents = ['tester']
on_fail = 'restart'

[[loop.feedback.domain]]
name = 'code'
paths = ['src/**']

[[loop.feedback.domain]]
name = 'site'
paths = ['site/**']
run = { testing = 'npm test' }
skip = ['review']
";

fn proof(due: &DueProof, passed: bool) -> Proof {
    Proof {
        domain: due.domain.clone(),
        phase: due.phase.clone(),
        command: due.command.clone(),
        content: due.content,
        passed,
        tail: if passed { String::new() } else { "test a ... FAILED\n1 failed".to_owned() },
    }
}

fn names(due: &[DueProof]) -> Vec<(&str, &str, &str)> {
    due.iter().map(|due| (due.domain.as_str(), due.phase.as_str(), due.command.as_str())).collect()
}

/// Runs `judge` on the loop of the session, and stores the state.
fn judged(
    session: &mut Session,
    judge: impl FnOnce(&mut LoopSession<'_>) -> flyball_core::verdict::Verdict,
) -> Output {
    session.now += std::time::Duration::from_secs(1);
    let (world, facts, event) =
        (session.world(), Facts::default(), event(EventData::Stop(Stopping::default())));
    let section = session.sections.iter().find(|(id, _)| id == "loop.feedback").unwrap().1.clone();
    let situation = Situation {
        policy: super::super::POLICY.id,
        event: &event,
        mode: section.mode,
        section: &section,
        world: &world,
        memory: &*session.memory,
        facts: &facts,
        wrappers: &[],
        context_chars: 9_500,
        payloads: flyball_core::config::Payloads::Redacted,
    };
    let mut judged =
        LoopSession { situation: &situation, settings: session.settings(), state: session.state() };
    let verdict = judge(&mut judged);
    session.set(&judged.state);
    output_of(&verdict)
}

fn stop_with(session: &mut Session, inputs: &Inputs) -> Output {
    judged(session, |session| session.decide_stop(&Stopping::default(), Some(inputs)).unwrap())
}

fn finish_with(session: &mut Session, (agent, text): (&Agent, &str), proofs: &[Proof]) -> Output {
    let inputs = Inputs { proofs: proofs.to_vec(), ..Inputs::default() };
    judged(session, |session| session.agent_stopped(agent, text, Some(&inputs)).unwrap())
}

fn due(session: &Session) -> Vec<DueProof> {
    due_at_stop(&session.settings(), &session.state())
}

fn proved(dues: &[DueProof], passed: bool) -> Inputs {
    Inputs { proofs: dues.iter().map(|due| proof(due, passed)).collect(), ..Inputs::default() }
}

#[test]
fn a_command_is_due_when_all_before_it_has_passed() {
    let mut session = Session::new(PROVED);
    assert_eq!(due(&session), []);
    session.edit("src/a.go", "one");
    session.edit("site/a.md", "one");
    let first = due(&session);
    assert_eq!(names(&first), [("code", "lint", "make lint"), ("site", "lint", "make lint")]);
    assert_eq!(stop_with(&mut session, &proved(&first, true)).0, Stance::Deny);
    let second = due(&session);
    assert_eq!(
        names(&second),
        [("code", "lint", "make lint"), ("site", "lint", "make lint"), ("site", "testing", "npm test")]
    );
    session.agent("reviewer", APPROVED);
    let third = due(&session);
    assert_eq!(names(&third).len(), 4);
    assert_eq!(stop_with(&mut session, &proved(&third, true)), silence());
    // Everything is due again at the next stop, and nothing is noted twice.
    let history = session.state().history.len();
    assert_eq!(due(&session), third);
    assert_eq!(stop_with(&mut session, &proved(&third, true)), silence());
    assert_eq!(session.state().history.len(), history);
}

#[test]
fn the_commands_of_an_agents_phases_are_due_whatever_is_open_before() {
    let mut session = Session::new(PROVED);
    session.edit("src/a.go", "one");
    session.edit("site/a.md", "one");
    let (settings, state) = (session.settings(), session.state());
    let of = |role: &str| due_for_role(&settings, &state, role);
    assert_eq!(names(&of("tester")), [("code", "testing", "make test"), ("site", "testing", "npm test")]);
    assert_eq!(names(&of("reviewer")), []);
    assert_eq!(names(&of("developer")), []);
}

#[test]
fn an_agent_whose_command_fails_is_blocked_once() {
    let mut session = Session::new(PROVED);
    session.edit("src/a.go", "one");
    let tester = session.starts("tester");
    let failed: Vec<Proof> = due_for_role(&session.settings(), &session.state(), "tester")
        .iter()
        .map(|due| proof(due, false))
        .collect();
    let reason = "`make test`, which proves testing of code, failed:\n  test a ... FAILED\n  1 failed\nFix it if that is your task; in any case report the real result.";
    let output = finish_with(&mut session, (&tester, "all green"), &failed);
    assert_eq!(output, (Stance::Deny, vec![reason.to_owned()], vec![], vec![]));
    assert_eq!(finish_with(&mut session, (&tester, "it fails"), &failed), silence());
    assert_eq!(session.state().iteration, 2);
}

#[test]
fn a_report_does_not_pass_a_phase_with_a_command() {
    let mut session = Session::new(&format!(
        "{}heading = 'Test Result'\npass = 'TESTS_PASSED'\nfail = 'TESTS_FAILED'\n{}",
        PROVED.split("on_fail").next().unwrap(),
        "[[loop.feedback.domain]]\nname = 'code'\npaths = ['src/**']\nskip = ['lint', 'review']\n"
    ));
    session.edit("src/a.go", "one");
    // Nor is it asked for one.
    assert_eq!(session.agent("tester", "done"), silence());
    session.agent("tester", super::PASSED);
    assert_eq!(session.line().as_deref(), Some("loop: iteration 1 of 5, code: testing open"));
}

#[test]
fn a_failed_proof_is_shown_with_the_end_of_its_output() {
    let mut session = Session::new(PROVED);
    session.edit("src/a.go", "one");
    let failed = proved(&due(&session), false);
    let (stance, reasons, ..) = stop_with(&mut session, &failed);
    assert_eq!(stance, Stance::Deny);
    assert_eq!(
        reasons,
        ["Not done yet (iteration 1 of 5). Fix what failed first, then work through each list in order, without stopping \
in between:
code (src/a.go)
  1. lint: `make lint` failed; flyball runs it again when you stop
     - test a ... FAILED
       1 failed
  2. review: not done yet; spawn `reviewer`
  3. testing: `make test` has to pass; flyball runs it when you stop
Domains can run in parallel. Only the results of these agents count, for the code as it was when they started: edit \
first, then review.
To override (people only): `flyball loop accept` (take it as it is), `flyball loop abort` (no loop in this \
session), `flyball loop handoff` (to `/feature`), or FLYBALL_SKIP=loop.feedback for a whole session."]
    );
}

#[test]
fn a_command_without_a_verdict_is_reported_and_not_a_failure() {
    let mut session = Session::new(PROVED);
    session.edit("src/a.go", "one");
    let tail = "no verdict on the code: it was stopped after 8m".to_owned();
    let mut inputs = proved(&due(&session), false);
    inputs.proofs[0].tail.clone_from(&tail);
    let (stance, reasons, ..) = stop_with(&mut session, &inputs);
    assert_eq!(stance, Stance::Deny);
    assert!(reasons[0].contains(&format!(
        "when you stop\n`make lint` (lint of code): {tail}\nDomains can run in parallel."
    )));
    assert_eq!(
        session.line().as_deref(),
        Some("loop: iteration 1 of 5, code: lint open, review open, testing open")
    );
    let tester = session.starts("tester");
    let mute = [Proof { phase: "testing".to_owned(), ..inputs.proofs[0].clone() }];
    assert_eq!(finish_with(&mut session, (&tester, "done"), &mute), silence());
    assert_eq!(session.state().iteration, 1);
}

#[test]
fn a_proof_of_other_code_does_not_count() {
    let mut session = Session::new(PROVED);
    session.edit("src/a.go", "one");
    let early = proved(&due(&session), true);
    session.put("src/a.go", "two");
    assert_eq!(stop_with(&mut session, &early).0, Stance::Deny);
    assert!(session.line().unwrap().contains("lint stale"));
}

#[test]
fn advice_goes_into_the_report_and_to_the_agent() {
    let mut session = Session::new(super::SHORT);
    for number in 1..=3 {
        session.edit("src/a.go", &format!("version {number}"));
        session.agent("reviewer", &format!("## Review Result\nREVIEW_REJECTED\n- issue {number}"));
    }
    let advice = Advice {
        text: "Root cause: a.\nAlternative: b.".to_owned(),
        by: "Gemini gemini-2.5-pro".to_owned(),
        failures: Vec::new(),
    };
    let inputs = Inputs { advice: Some(advice), ..Inputs::default() };
    let (stance, _, _, notices) = stop_with(&mut session, &inputs);
    assert_eq!(stance, Stance::Silent);
    assert!(
        notices[0].contains(
            "\nAdvice (Gemini gemini-2.5-pro):\n  Root cause: a.\n  Alternative: b.\nYour options:"
        )
    );
    let Some(Ending::Escalated(escalation)) = session.state().ending else { panic!("no limit was reached") };
    assert_eq!(escalation.adviser, "Gemini gemini-2.5-pro");
    let (_, _, context, _) = session.prompt("well?");
    assert_eq!(
        context,
        [
            "The loop stopped: review of code failed 3 times in a row. The user was notified and decides how to continue; follow their instructions.\nAdvice (Gemini gemini-2.5-pro):\n  Root cause: a.\n  Alternative: b."
        ]
    );
}

#[test]
fn an_adviser_gets_what_is_really_open() {
    let mut session = Session::new(PROVED);
    session.edit("src/a.go", "one");
    let failed = proved(&due(&session), false);
    stop_with(&mut session, &failed);
    let (settings, state) = (session.settings(), session.state());
    let escalation = Escalation { reason: "too long".to_owned(), ..Escalation::default() };
    assert_eq!(
        question(&settings, &state, &escalation),
        Question {
            reason: "too long".to_owned(),
            iteration: 1,
            max_iterations: 5,
            open: vec![
                "lint of code: failed".to_owned(),
                "review of code: not done yet".to_owned(),
                "testing of code: not done yet".to_owned(),
            ],
            issues: vec!["lint of code: test a ... FAILED\n1 failed".to_owned()],
            files: vec!["src/a.go".to_owned()],
            history: vec![
                "iteration 1: the loop started".to_owned(),
                "iteration 1: code was edited".to_owned(),
                "iteration 1: lint of code failed by make lint".to_owned(),
            ],
        }
    );
}
