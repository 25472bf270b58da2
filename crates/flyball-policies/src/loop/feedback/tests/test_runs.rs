//! A tester that ran no test does not pass by its word.

use flyball_core::event::{Event, EventData, Outcome, Tool};
use flyball_core::verdict::Stance;

use super::{FAILED, PASSED, Session, call, output_of, silence};
use crate::testing::event;

const TESTING: &str = "
[loop.feedback]
mode = 'enforce'

[[loop.feedback.phase]]
name = 'testing'
heading = 'Test Result'
pass = 'TESTS_PASSED'
fail = 'TESTS_FAILED'
issues = ['Failures']
agents = ['tester']

[[loop.feedback.domain]]
name = 'code'
paths = ['src/**']
";

fn edited() -> Session {
    let mut session = Session::new(TESTING);
    session.edit("src/a.go", "one");
    session
}

fn ran(session: &mut Session, command: &str, text: &str, background: bool) {
    let call = call("Bash", Tool::Shell { command: command.to_owned(), background });
    let outcome = Outcome { text: text.to_owned(), exited_well: true, ..Outcome::default() };
    let judged = session.happens(event(EventData::AfterTool { call, outcome }));
    assert_eq!(output_of(&judged.rulings[0].verdict), silence(), "{command}");
}

/// Whether a tester passes after this.
fn passes_after(prepare: impl FnOnce(&mut Session)) -> bool {
    let mut session = edited();
    let tester = session.starts("tester");
    prepare(&mut session);
    session.finishes(&tester, PASSED);
    session.stop() == silence()
}

#[test]
fn a_tester_that_ran_nothing_is_asked_to_run_the_tests_once() {
    let mut session = edited();
    let tester = session.starts("tester");
    let (stance, reasons, ..) = session.finishes(&tester, PASSED);
    assert_eq!(stance, Stance::Deny);
    assert!(reasons[0].starts_with("Run the tests of code now, in the foreground"), "{}", reasons[0]);
    // It runs them and reports the same again.
    ran(&mut session, "go test ./...", "ok", false);
    assert_eq!(session.finishes(&tester, PASSED), silence());
    assert_eq!(session.stop(), silence());
}

#[test]
fn a_tester_that_still_ran_nothing_passes_nothing_and_the_hold_says_so() {
    let mut session = edited();
    let tester = session.starts("tester");
    session.finishes(&tester, PASSED);
    assert_eq!(session.finishes(&tester, PASSED), silence());
    let (stance, reasons, ..) = session.stop();
    assert_eq!(stance, Stance::Deny);
    let shown = "  1. testing: not done yet; spawn `tester`\n     - the tester ran no test on this code that was seen to pass: let it run the tests itself, in the foreground, alone on the line (no pipe, no `||`)\n";
    assert!(reasons[0].contains(shown), "{}", reasons[0]);
    // No iteration was used up.
    assert_eq!(session.state().iteration, 1);
}

#[test]
fn only_a_run_that_passed_on_this_code_counts() {
    let passes = [
        "go test ./...",
        "cargo nextest run --workspace",
        "cd src && npm test",
        "timeout 60 pytest -q",
        "./scripts/test",
        "bash run_tests.sh",
        "python manage.py test",
        "bazel test //...",
        "docker compose run --rm app ./check.sh",
    ];
    for command in passes {
        assert!(passes_after(|session| ran(session, command, "ok", false)), "{command}");
    }
    let fails = [
        ("", "no run at all"),
        ("echo test", "prints a word"),
        ("cat src/a_test.go", "shows a test"),
        ("ls tests", "lists them"),
        ("grep -rn test src", "looks for them"),
        ("git log -- tests", "shows their history"),
        ("test -f src/a.go", "a builtin"),
        ("go test ./... || true", "hides how it ended"),
        ("go test ./... | tail -3", "hides how it ended"),
        ("go test ./...; echo done", "hides how it ended"),
        ("go test -list .", "runs none"),
        ("pytest --collect-only", "runs none"),
        ("if false; then go test ./...; fi", "may run none"),
    ];
    for (command, why) in fails {
        let prepare = |session: &mut Session| match command {
            "" => (),
            _ => ran(session, command, "ok", false),
        };
        assert!(!passes_after(prepare), "{command}: {why}");
    }
    assert!(!passes_after(|session| ran(session, "go test ./...", "--- FAIL: TestA", false)), "its output");
    assert!(!passes_after(|session| ran(session, "go test ./...", "", true)), "in the background");
    assert!(
        !passes_after(|session| {
            ran(session, "go test ./...", "ok", false);
            session.edit("src/a.go", "two");
            session.starts("tester");
        }),
        "on other code"
    );
}

#[test]
fn a_run_of_the_main_agent_counts_if_the_code_stayed_as_it_was() {
    let mut session = edited();
    ran(&mut session, "go test ./...", "ok", false);
    let tester = session.starts("tester");
    assert_eq!(session.finishes(&tester, PASSED), silence());
    assert_eq!(session.stop(), silence());
    // An edit makes the run worthless; going back to the tested code makes it count again.
    session.edit("src/a.go", "two");
    let tester = session.starts("tester");
    assert_eq!(session.finishes(&tester, PASSED).0, Stance::Deny);
    session.edit("src/a.go", "one");
    assert_eq!(session.stop(), silence());
}

#[test]
fn a_failed_run_counts_without_proof_and_a_failed_call_is_no_run() {
    let mut session = edited();
    let tester = session.starts("tester");
    assert_eq!(session.finishes(&tester, FAILED), silence());
    assert_eq!(session.state().domains["code"].phases["testing"].failures, 1);
    let call = call("Bash", Tool::Shell { command: "go test ./...".to_owned(), background: false });
    let failed = EventData::ToolFailed { call, outcome: Outcome::default(), interrupted: false };
    session.edit("src/a.go", "two");
    session.output(Event { agent: Some(tester), ..event(failed) });
    let tester = session.starts("tester");
    assert_eq!(session.finishes(&tester, PASSED).0, Stance::Deny);
}

#[test]
fn a_project_can_take_the_word_of_its_tester_and_ask_others_for_a_run() {
    let config = TESTING.replace("heading = 'Test Result'", "heading = 'Test Result'\nneeds_run = false");
    let mut session = Session::new(&config);
    session.edit("src/a.go", "one");
    session.starts("tester");
    let tester = session.starts("tester");
    assert_eq!(session.finishes(&tester, PASSED), silence());
    assert_eq!(session.stop(), silence());
    let config = TESTING.replace("name = 'testing'", "name = 'proof'\nneeds_run = true");
    let mut session = Session::new(&config);
    session.edit("src/a.go", "one");
    let tester = session.starts("tester");
    assert_eq!(session.finishes(&tester, PASSED).0, Stance::Deny);
}
