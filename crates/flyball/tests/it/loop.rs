//! `flyball loop` and what `flyball status` shows of it, by real processes over a real record.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot be set up has failed")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::support::masks::masked;
use crate::support::{Project, TerminalUser, run};
use flyball_core::event::SessionId;
use flyball_core::policy::Memory;
use flyball_policies::r#loop::feedback::state::{DomainState, FileState};
use flyball_store::Store;
use serde_json::{Value, json};

const CONFIG: &str = r#"
[loop.feedback]
mode = "enforce"
max_iterations = 5
grant = 3
handoff = "/feature"

[[loop.feedback.phase]]
name = "review"
heading = "Review Result"
pass = "REVIEW_APPROVED"
fail = "REVIEW_REJECTED"
agents = ["reviewer"]

[[loop.feedback.phase]]
name = "testing"
heading = "Test Result"
pass = "TESTS_PASSED"
fail = "TESTS_FAILED"
agents = ["tester"]

[[loop.feedback.domain]]
name = "backend"
paths = ["**/*.rs"]

[[loop.feedback.domain]]
name = "frontend"
paths = ["web/**"]
skip = ["testing"]
"#;

/// Long ago, so that it is shown with its day.
const LONG_AGO: u64 = 1_000_000_000_000;

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "120");
    project.config(CONFIG);
    project
}

fn now() -> u64 {
    u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// A session of the project in which nothing happened but its start.
fn session(project: &Project, id: &str) {
    project.hook("SessionStart", json!({ "session_id": id, "source": "startup" })).assert_silent();
}

/// Puts something into the memory of a session.
fn remember(project: &Project, id: &str, (policy, value): (&str, &Value)) {
    let journal =
        Store::at(&project.state()).session("claude-code", &SessionId::new(id), Duration::from_secs(5));
    journal.write(policy, value.to_string()).unwrap();
    journal.keep_memory().unwrap();
}

fn remembered(project: &Project, id: &str, policy: &str) -> Option<Value> {
    let journal =
        Store::at(&project.state()).session("claude-code", &SessionId::new(id), Duration::from_secs(5));
    journal.read(policy).unwrap().map(|text| serde_json::from_str(&text).unwrap())
}

/// A domain with one edited file, and its fingerprint.
fn domain(file: &str) -> (Value, u64) {
    let state = FileState { content: Some(7), stamp: (1, 2, 3), original: None };
    let state = DomainState { files: [(file.to_owned(), state)].into(), ..DomainState::default() };
    let print = state.fingerprint();
    let mut state = serde_json::to_value(state).unwrap();
    state["active"] = json!(true);
    (state, print)
}

/// A loop in which the review passed, the tests failed twice, and another domain has nothing yet.
fn state() -> Value {
    let (mut backend, print) = domain("src/login.rs");
    let at = now() - 120_000;
    backend["phases"] = json!({
        "review": { "passed_on": print, "by": "backend-reviewer", "at": at },
        "testing": {
            "failed_on": print, "by": "cargo test", "at": at, "failures": 2,
            "issues": ["an empty password is let in", "a long one\nis \u{1b}[2Jcut"],
        },
    });
    let (frontend, _) = domain("web/app.tsx");
    json!({
        "domains": { "backend": backend, "frontend": frontend },
        "iteration": 2,
        "began": at,
        "history": [{ "at": LONG_AGO, "iteration": 1, "what": "testing of backend failed: 1 issue" }],
    })
}

fn escalated() -> Value {
    let mut state = state();
    state["ending"] = json!({
        "how": "escalated",
        "reason": "testing of backend failed 3 times in a row",
        "at": now() - 60_000,
        "advice": "Root cause: the check is in the wrong place.\n\nMove it before the query.",
        "adviser": "ollama",
    });
    state
}

#[track_caller]
fn succeeded(project: &Project, arguments: &[&str]) -> String {
    let ran = project.run(arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    masked(&ran.stdout, project)
}

/// Runs flyball at a terminal, detached from the process that runs the tests.
fn at_terminal(project: &Project, arguments: &[&str]) -> (i64, String) {
    let seen = TerminalUser::new(project).with("NO_COLOR", "1").run(arguments);
    (seen["status"].as_i64().unwrap(), seen["text"].as_str().unwrap().to_owned())
}

#[test]
fn the_loop_is_shown_domain_by_domain_with_what_was_wrong() {
    let project = project();
    session(&project, "aaaa-1");
    remember(&project, "aaaa-1", ("loop.feedback", &state()));
    let expected = "\
aaaa-1  claude-code  PROJECT
  iteration 2 of 5, began N unit ago: open
  backend   review   ✓ passed  backend-reviewer, N unit ago
            testing  ✗ failed  cargo test, N unit ago, failed 2 times in a row
    - an empty password is let in
    - a long one is \u{fffd}[2Jcut
    edited: src/login.rs
  frontend  review   ○ open
    edited: web/app.tsx

  to override (people only):
    flyball loop continue 3  continue, for 3 more iterations
    flyball loop accept      take the work as it is
    flyball loop abort       end the loop for this session
    flyball loop handoff     hand it over to `/feature`

  history:
    yyyy-mm-dd hh:mm:ss  #1  testing of backend failed: 1 issue
";
    assert_eq!(succeeded(&project, &["loop", "status"]), expected);
    assert_eq!(succeeded(&project, &["loop", "status", "--session", "aaa"]), expected);
    assert_eq!(succeeded(&project, &["loop"]), expected);
}

#[test]
fn an_escalation_is_shown_with_its_reason_and_the_advice() {
    let project = project();
    session(&project, "aaaa-1");
    remember(&project, "aaaa-1", ("loop.feedback", &escalated()));
    let shown = succeeded(&project, &["loop", "status"]);
    let (head, rest) = shown.split_once('\n').unwrap();
    assert_eq!(head, "aaaa-1  claude-code  PROJECT");
    assert!(
        rest.starts_with("  iteration 2 of 5, began N unit ago: escalated: a person decides\n"),
        "{rest}"
    );
    let expected = "
  testing of backend failed 3 times in a row (N unit ago)
  advice of ollama:
    Root cause: the check is in the wrong place.

    Move it before the query.

  the agent may stop; a person decides:
    flyball loop continue 3  continue, for 3 more iterations
";
    assert!(rest.contains(expected), "{rest}");
}

#[test]
fn what_changed_after_a_result_is_not_shown_as_passed() {
    let project = project();
    session(&project, "aaaa-1");
    let mut state = state();
    state["domains"]["backend"]["phases"]["review"]["passed_on"] = json!(1);
    state["domains"]["backend"]["phases"]["testing"] = json!({ "stale": true, "by": "tester", "at": now() });
    remember(&project, "aaaa-1", ("loop.feedback", &state));
    let shown = succeeded(&project, &["loop", "status"]);
    let expected = "\
  backend   review   ○ reopened  backend-reviewer, N unit ago, the files changed since it passed
            testing  ○ stale     tester, N unit ago, the files changed before its result came
";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn scripts_see_all_of_it() {
    let project = project();
    session(&project, "aaaa-1");
    let state = escalated();
    remember(&project, "aaaa-1", ("loop.feedback", &state));
    let micros = |value: &Value| value.as_u64().unwrap() * 1_000;
    let at = micros(&state["began"]);
    let expected_loop = json!({
        "standing": "escalated",
        "iteration": 2,
        "of": 5,
        "began": at,
        "domains": [
            {
                "name": "backend",
                "files": ["src/login.rs"],
                "phases": [
                    { "name": "review", "status": "passed", "failures": 0, "by": "backend-reviewer", "at": at },
                    {
                        "name": "testing", "status": "failed", "failures": 2, "by": "cargo test", "at": at,
                        "issues": ["an empty password is let in", "a long one\nis \u{1b}[2Jcut"],
                    },
                ],
            },
            {
                "name": "frontend",
                "files": ["web/app.tsx"],
                "phases": [{ "name": "review", "status": "open", "failures": 0, "by": null, "at": null }],
            },
        ],
        "escalation": {
            "reason": "testing of backend failed 3 times in a row",
            "at": micros(&state["ending"]["at"]),
            "advice": state["ending"]["advice"],
            "adviser": "ollama",
        },
        "history": [
            { "at": LONG_AGO * 1_000, "iteration": 1, "what": "testing of backend failed: 1 issue" },
        ],
    });
    let expected = json!([{
        "session": "aaaa-1", "client": "claude-code", "project": project.root(), "loop": expected_loop, "task": null,
    }]);
    assert_eq!(project.run(&["loop", "status", "--json"]).json(), expected);
    assert_eq!(project.run(&["status", "--json"]).json()["sessions"][0]["loop"], expected_loop);
}

#[test]
fn status_shows_the_loop_below_its_session() {
    let project = project();
    for (id, value) in [("aaaa-1", state()), ("bbbb-1", escalated())] {
        session(&project, id);
        remember(&project, id, ("loop.feedback", &value));
    }
    session(&project, "cccc-1");
    let expected = "\
Active
cccc-1  claude-code  1 event  started N unit ago  PROJECT
  started, waiting for a prompt (N unit ago)
bbbb-1  claude-code  1 event  started N unit ago  PROJECT
  started, waiting for a prompt (N unit ago)
  loop  escalated: testing of backend failed 3 times in a row; a person decides: `flyball loop status`
aaaa-1  claude-code  1 event  started N unit ago  PROJECT
  started, waiting for a prompt (N unit ago)
  loop  iteration 2 of 5: backend testing failed; frontend review open
";
    assert_eq!(succeeded(&project, &["status"]), expected);
}

#[test]
fn how_a_loop_ended_is_shown_in_a_line() {
    let project = project();
    let (backend, print) = domain("src/login.rs");
    let passed = |print: u64| json!({ "passed_on": print, "by": "x", "at": 1 });
    let mut done = json!({ "domains": { "backend": backend }, "iteration": 1 });
    done["domains"]["backend"]["phases"] = json!({ "review": passed(print), "testing": passed(print) });
    let ended = |ending: Value| {
        let mut state = state();
        state["ending"] = ending;
        state
    };
    let cases = [
        (done, "loop  everything passed"),
        (ended(json!({ "how": "aborted" })), "loop  ended for this session by a person"),
        (
            ended(json!({ "how": "handed_over", "workflow": "/feature", "told": false })),
            "loop  handed over to /feature",
        ),
    ];
    session(&project, "aaaa-1");
    for (state, line) in cases {
        remember(&project, "aaaa-1", ("loop.feedback", &state));
        let shown = succeeded(&project, &["status"]);
        assert_eq!(shown.lines().last().unwrap().trim(), line);
    }
}

#[test]
fn a_loop_that_is_done_has_no_iteration_and_nothing_to_decide() {
    let project = project();
    session(&project, "aaaa-1");
    remember(&project, "aaaa-1", ("loop.feedback", &state()));
    assert_eq!(at_terminal(&project, &["loop", "accept"]).0, 0);
    let shown = succeeded(&project, &["loop", "status"]);
    let expected = "\
aaaa-1  claude-code  PROJECT
  everything passed
  backend   review   ✓ passed  a person, N unit ago
            testing  ✓ passed  a person, N unit ago
    edited: src/login.rs
  frontend  review   ✓ passed  a person, N unit ago
    edited: web/app.tsx

  history:
";
    assert!(shown.starts_with(expected), "{shown}");
    let (_, status) = succeeded(&project, &["status"]).split_once("\n  loop  ").map(owned).unwrap();
    assert_eq!(status, "everything passed\n");
}

fn owned((one, other): (&str, &str)) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

#[test]
fn an_agent_sees_which_session_is_its_own() {
    let project = project();
    for id in ["aaaa-1", "bbbb-1"] {
        session(&project, id);
        remember(&project, id, ("loop.feedback", &state()));
    }
    for arguments in [["loop"].as_slice(), &["status"]] {
        let mut command = project.command(arguments);
        command.env("CLAUDE_CODE_SESSION_ID", "aaaa-1");
        let shown = run(command, b"").stdout;
        let own: Vec<&str> = shown.lines().filter(|line| line.ends_with("  this session")).collect();
        assert_eq!(own.len(), 1, "{shown}");
        assert!(own[0].starts_with("aaaa-1  claude-code  "), "{shown}");
    }
}

#[test]
fn what_passed_in_an_earlier_iteration_has_to_be_passed_again() {
    let project = project();
    session(&project, "aaaa-1");
    let mut state = state();
    state["domains"]["backend"]["phases"]["review"]["passed_on"] = Value::Null;
    remember(&project, "aaaa-1", ("loop.feedback", &state));
    let shown = succeeded(&project, &["loop", "status"]);
    assert!(shown.contains("\n  backend   review   ○ open    has to pass again\n"), "{shown}");
}

#[test]
fn the_log_shows_who_decided() {
    let project = project();
    session(&project, "aaaa-1");
    remember(&project, "aaaa-1", ("loop.feedback", &escalated()));
    assert_eq!(at_terminal(&project, &["loop", "continue", "2"]).0, 0);
    let shown = succeeded(&project, &["log"]);
    let last = shown.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert_eq!(words[1..5], ["aaaa-1", "flyball", "loop", "passed"], "{last}");
    assert!(last.ends_with("loop continue 2"), "{last}");
    let id = project.log().last().unwrap()["id"].as_str().unwrap().to_owned();
    let explained = succeeded(&project, &["explain", &id]);
    assert!(explained.contains("  passed  flyball loop\n"), "{explained}");
}

#[test]
fn without_a_loop_one_line_explains_why() {
    let project = project();
    session(&project, "aaaa-1");
    assert_eq!(
        succeeded(&project, &["loop", "status"]),
        "No loop is open: no session of this project has edited code that has to be reviewed and tested.\n"
    );
    remember(&project, "aaaa-1", ("loop.feedback", &state()));
    project.config("");
    assert_eq!(
        succeeded(&project, &["loop", "status"]),
        "No loop is open: loop.feedback is off here. `flyball init --packs loop` switches the loop on.\n"
    );
    assert!(!succeeded(&project, &["status"]).contains("loop"));
}

#[test]
fn an_agent_decides_nothing() {
    let project = project();
    session(&project, "aaaa-1");
    remember(&project, "aaaa-1", ("loop.feedback", &state()));
    let before = remembered(&project, "aaaa-1", "loop.feedback");
    for action in ["continue", "accept", "abort", "handoff"] {
        let ran = project.run(&["loop", action]);
        let expected = format!(
            "error: only a person may do this: this is not a terminal\n help: open a terminal of your own and run `flyball loop {action}` there\n"
        );
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (3, "", expected.as_str()));
        project.shell(&format!("flyball loop {action}")).assert_denied_by("guard.self");
    }
    assert_eq!(remembered(&project, "aaaa-1", "loop.feedback"), before);
}

#[test]
fn a_person_decides_and_sees_what_happens_next() {
    let project = project();
    session(&project, "aaaa-1");
    let cases: [(&[&str], &str, &str); 5] = [
        (
            &["continue"],
            "✓ aaaa-1: the agent may continue for 3 more iterations; tell it to\n",
            "loop continue 3",
        ),
        (
            &["continue", "1"],
            "✓ aaaa-1: the agent may continue for 1 more iteration; tell it to\n",
            "loop continue 1",
        ),
        (
            &["accept"],
            "✓ aaaa-1: the work is accepted as it is now; the next edit opens the loop again\n",
            "loop accept",
        ),
        (
            &["handoff", "/ship"],
            "✓ aaaa-1: `/ship` takes over; tell the agent to run it\n",
            "loop handoff /ship",
        ),
        (
            &["abort"],
            "✓ aaaa-1: the loop is over for this session: it no longer blocks the agent\n",
            "loop abort",
        ),
    ];
    for (options, expected, recorded) in cases {
        remember(&project, "aaaa-1", ("loop.feedback", &escalated()));
        let arguments: Vec<&str> = ["loop"].iter().chain(options).copied().collect();
        assert_eq!(at_terminal(&project, &arguments), (0, expected.to_owned()));
        let log = project.log();
        let last = log.last().unwrap();
        assert_eq!(
            (&last["native"], &last["subject"], &last["session"]),
            (&json!("flyball loop"), &json!(recorded), &json!("aaaa-1"))
        );
    }
}

#[test]
fn which_session_is_meant_is_never_guessed() {
    let project = project();
    let (code, text) = at_terminal(&project, &["loop", "accept"]);
    assert_eq!(code, 2);
    assert!(text.contains("no session of this project has a loop that is open or escalated"), "{text}");
    for id in ["aaaa-1", "aaab-1"] {
        session(&project, id);
        remember(&project, id, ("loop.feedback", &escalated()));
    }
    let (code, text) = at_terminal(&project, &["loop", "accept"]);
    assert_eq!(code, 2);
    assert!(text.contains("the loops of several sessions are open"), "{text}");
    assert!(text.contains("--session aaaa-1  last event ") && text.contains("--session aaab-1  "), "{text}");
    let (code, text) = at_terminal(&project, &["loop", "accept", "--session", "aaa"]);
    assert_eq!(code, 2);
    assert!(text.contains("several sessions begin with `aaa`"), "{text}");
    assert_eq!(at_terminal(&project, &["loop", "accept", "--session", "aaab"]).0, 0);
    let (code, text) = at_terminal(&project, &["loop", "accept", "--session", "zzz"]);
    assert_eq!(code, 2);
    assert!(text.contains("no session begins with `zzz`"), "{text}");
}

#[test]
fn where_there_is_nothing_to_decide_nothing_is_changed() {
    let project = project();
    session(&project, "aaaa-1");
    let (code, text) = at_terminal(&project, &["loop", "accept", "--session", "aaaa-1"]);
    assert_eq!(
        (code, text.as_str()),
        (2, "error: this session has no loop\n help: nothing blocks its agent\n")
    );
    let mut aborted = state();
    aborted["ending"] = json!({ "how": "aborted" });
    remember(&project, "aaaa-1", ("loop.feedback", &aborted));
    let before = remembered(&project, "aaaa-1", "loop.feedback");
    let (code, text) = at_terminal(&project, &["loop", "continue", "--session", "aaaa-1"]);
    assert_eq!(code, 2);
    assert!(text.starts_with("error: the loop of this session is over: a person aborted it\n"), "{text}");
    assert_eq!(remembered(&project, "aaaa-1", "loop.feedback"), before);
    assert_eq!(project.log().len(), 1);
}

#[test]
fn decisions_at_the_same_time_are_all_taken() {
    let project = project();
    session(&project, "aaaa-1");
    remember(&project, "aaaa-1", ("loop.feedback", &escalated()));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert_eq!(at_terminal_of(&project), 0));
        }
    });
    let decisions =
        project.log().iter().filter(|record| record["subject"] == json!("loop continue 2")).count();
    assert_eq!(decisions, 8);
    let after = remembered(&project, "aaaa-1", "loop.feedback").unwrap();
    assert_eq!((&after["granted"], &after["ending"]), (&json!(16), &Value::Null));
    assert!(
        succeeded(&project, &["loop", "status"]).contains("  iteration 2 of 21, began N unit ago: open\n")
    );
}

fn at_terminal_of(project: &Project) -> i64 {
    let seen = TerminalUser::new(project).run(&["loop", "continue", "2", "--session", "aaaa-1"]);
    seen["status"].as_i64().unwrap()
}

#[test]
fn a_task_is_bounded_by_an_agent_in_its_own_session() {
    let project = project();
    session(&project, "aaaa-1");
    session(&project, "bbbb-1");
    let mut command =
        project.command(&["loop", "start", "--task", "fix the login", "--max", "4", "--until", "cargo test"]);
    command.env("CLAUDE_CODE_SESSION_ID", "aaaa-1").env("CLAUDECODE", "1");
    let ran = run(command, b"");
    let expected = "\
✓ aaaa-1: `fix the login`, at most 4 iterations, until `cargo test` passes
! This has no effect: loop.iterations is off in this project.
  To switch it on: [loop.iterations] mode = \"enforce\" in flyball.toml.
";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
    assert!(remembered(&project, "aaaa-1", "loop.iterations").is_some());
    assert_eq!(remembered(&project, "bbbb-1", "loop.iterations"), None);

    let expected = "\
aaaa-1  claude-code  PROJECT
  task `fix the login`: iteration 1 of 4, until `cargo test` passes, began N unit ago
";
    assert_eq!(succeeded(&project, &["loop", "status"]), expected);

    let (code, text) = at_terminal(&project, &["loop", "done", "--session", "aaaa"]);
    assert_eq!((code, text.as_str()), (0, "✓ aaaa-1: the task is done\n"));
    let ran = project.run(&["loop", "done", "--session", "bbbb"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("no task is running in this session"), "{}", ran.stderr);
    let mut command = project.command(&["loop", "start", "--task", "x", "--max", "1"]);
    command.env("CLAUDE_CODE_SESSION_ID", "unheard-of");
    let ran = run(command, b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("this session (unheard-of) is not recorded"), "{}", ran.stderr);
}

#[test]
fn only_a_person_ends_a_task_that_a_command_proves() {
    let project = project();
    session(&project, "aaaa-1");
    let by_agent = |arguments: &[&str]| {
        let mut command = project.command(arguments);
        command.env("CLAUDE_CODE_SESSION_ID", "aaaa-1").env("CLAUDECODE", "1");
        run(command, b"")
    };
    assert_eq!(by_agent(&["loop", "start", "--task", "a", "--until", "cargo test"]).status, 0);
    let before = remembered(&project, "aaaa-1", "loop.iterations");
    for arguments in [&["loop", "done"][..], &["loop", "start", "--task", "b", "--max", "1"]] {
        let ran = by_agent(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (3, ""), "{arguments:?}");
        assert!(ran.stderr.contains("an agent started this"), "{}", ran.stderr);
    }
    assert_eq!(remembered(&project, "aaaa-1", "loop.iterations"), before);
    assert_eq!(at_terminal(&project, &["loop", "done", "--session", "aaaa"]).0, 0);
    // A task that nothing proves is its agent's own.
    assert_eq!(by_agent(&["loop", "start", "--task", "c"]).status, 0);
    assert_eq!(by_agent(&["loop", "done"]).status, 0);
}

#[test]
fn the_loop_of_a_session_that_has_ended_is_not_shown_as_open() {
    let project = project();
    session(&project, "aaaa-1");
    remember(&project, "aaaa-1", ("loop.feedback", &state()));
    let shown = succeeded(&project, &["loop", "status"]);
    assert!(shown.contains(": open"), "{shown}");
    assert_eq!(project.run(&["loop", "status", "--check"]).status, 1);
    project.hook("SessionEnd", json!({ "session_id": "aaaa-1", "reason": "other" }));
    let shown = succeeded(&project, &["loop", "status"]);
    assert!(shown.contains("the session ended before everything had passed"), "{shown}");
    assert!(!shown.contains("to override"), "{shown}");
    let json: Value = serde_json::from_str(&succeeded(&project, &["loop", "status", "--json"])).unwrap();
    assert_eq!(json[0]["loop"]["standing"], "ended");
    assert!(!succeeded(&project, &["status"]).contains("testing"), "status shows only what is under way");
    assert_eq!(project.run(&["loop", "status", "--check"]).status, 1, "it was never proven");
}
