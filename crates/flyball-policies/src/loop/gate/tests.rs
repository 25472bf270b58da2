//! The cases that are not on the page.

use std::sync::Arc;

use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{BackgroundWork, Change, Event, FileEdit};
use flyball_core::policy::Memory;

use super::*;
use crate::r#loop::test_run::shows_failure;
use crate::testing::{InMemory, Surroundings, event, judged_in, problems, sections};

const ON: &str = "[loop.gate]\nmode = \"enforce\"\n";
static ALONE: Registry = &[&POLICY];

struct Session {
    memory: Arc<InMemory>,
    config: String,
}

impl Session {
    fn new(more: &str) -> Session {
        Session { memory: Arc::default(), config: format!("{ON}{more}") }
    }

    fn judge(&self, event: Event) -> Judgement {
        let surroundings = Surroundings { memory: Arc::clone(&self.memory), ..Surroundings::default() };
        judged_in(ALONE, &sections(&self.config), event, surroundings)
    }

    fn edit(&self, path: &str, by: Option<&str>) {
        let change = Change::Write { content: "x".to_owned() };
        let tool = Tool::Edit(vec![FileEdit { path: format!("/project/{path}"), change }]);
        let call = ToolCall { id: None, name: "Write".to_owned(), tool, input: "{}".to_owned() };
        let agent = by.map(|id| Agent { id: id.to_owned(), role: "tester".to_owned() });
        self.judge(Event { agent, ..event(EventData::AfterTool { call, outcome: Outcome::default() }) });
    }

    fn agent(&self, id: &str, role: &str, happening: EventData) {
        let agent = Some(Agent { id: id.to_owned(), role: role.to_owned() });
        self.judge(Event { agent, ..event(happening) });
    }

    fn starts(&self, id: &str, role: &str) {
        self.agent(id, role, EventData::AgentStart);
    }

    fn ends(&self, id: &str, role: &str) {
        let stopping = Stopping::default();
        self.agent(id, role, EventData::AgentStop { stopping, transcript: None });
    }

    fn stop(&self, again: bool) -> (Stance, String) {
        let merged = self.judge(event(EventData::Stop(Stopping { again, ..Stopping::default() }))).merged;
        let reason = merged.reasons.first().map(|denial| denial.reason.what.clone());
        (merged.stance, reason.unwrap_or_else(|| merged.notices.join("; ")))
    }
}

fn proves(line: &str, command: &str) -> bool {
    let read = flyball_effects::Line::read(line);
    Line { text: line, script: &read.script, edits: false, ran_none: false }.proves(command)
}

#[test]
fn a_line_proves_a_command_whose_failure_it_could_not_hide() {
    let counts = [
        ("cargo test", "cargo test"),
        ("cargo test --workspace -- --nocapture", "cargo test"),
        ("cd api && cargo test", "cargo test"),
        ("cd api; cargo test", "cargo test"),
        ("cargo fmt && cargo test && echo ok", "cargo test"),
        ("RUST_LOG=debug cargo test 2>&1", "cargo test"),
        ("cargo test > log.txt 2>&1", "cargo test"),
        ("timeout 600 cargo test", "cargo test"),
        ("( cargo test )", "cargo test"),
        ("./gradlew test", "gradlew test"),
        ("/usr/bin/pytest -q tests", "pytest"),
        ("go test ./...", "go test"),
        ("set -e; npm ci; npm test", "npm test"),
        ("ctest -V", "ctest"),
        ("pytest -c setup.cfg", "pytest"),
    ];
    let unproven: Vec<&str> =
        counts.iter().filter(|(line, command)| !proves(line, command)).map(|(line, _)| *line).collect();
    assert_eq!(unproven, Vec::<&str>::new());
    let does_not = [
        ("cargo test || true", "cargo test"),
        ("true || cargo test", "cargo test"),
        ("cargo test; true", "cargo test"),
        ("cargo test; echo $?", "cargo test"),
        ("cargo test\necho done", "cargo test"),
        ("cargo test | tail -5", "cargo test"),
        ("cargo test &", "cargo test"),
        ("! cargo test", "cargo test"),
        ("echo cargo test", "cargo test"),
        ("echo 'cargo test'", "cargo test"),
        ("cargo test --no-run", "cargo test"),
        ("cargo test --help", "cargo test"),
        ("pytest --collect-only", "pytest"),
        ("pytest -V", "pytest"),
        ("pytest --co", "pytest"),
        ("go test -c ./...", "go test"),
        ("ctest -N", "ctest"),
        ("cargo build", "cargo test"),
        ("cargo", "cargo test"),
        ("if false; then cargo test; fi", "cargo test"),
        ("for x in; do cargo test; done", "cargo test"),
        ("cargo() { true; }; cargo test", "cargo test"),
        ("trap 'exit 0' EXIT; cargo test", "cargo test"),
        ("PATH=/tmp/fake cargo test", "cargo test"),
        ("x=$(cargo test)", "cargo test"),
        ("# cargo test", "cargo test"),
        ("cat <<'E'\ncargo test\nE", "cargo test"),
        ("cargo test; exit 0", "cargo test"),
        ("(cargo test; true)", "cargo test"),
    ];
    let proven: Vec<&str> =
        does_not.iter().filter(|(line, command)| proves(line, command)).map(|(line, _)| *line).collect();
    assert_eq!(proven, Vec::<&str>::new());
}

#[test]
fn the_output_of_a_command_can_show_that_it_failed() {
    let failed = [
        "test result: FAILED. 3 passed; 1 failed; 0 ignored",
        "=== 1 failed, 12 passed in 0.1s ===",
        "FAILED tests/test_a.py::test_b",
        "--- FAIL: TestA (0.00s)",
        "Tests:       2 failed, 8 passed, 10 total",
        "npm ERR! Test failed.",
        "=========== 1 failed in 0.12s ===========",
        "      Tests  1 failed | 2 passed (3)",
        "10 failed",
    ];
    for text in failed {
        assert!(shows_failure(text), "{text}");
    }
    let passed = [
        "",
        "test result: ok. 12 passed; 0 failed; 0 ignored",
        "test what_has_failed_is_reported ... ok",
        "ok  \texample.com/a\t0.1s",
        "12 passed in 0.1s",
        "a login that failed is reported: ok",
        "  ✓ locks the account after 3 failed logins (4 ms)",
        "gives up when 5 failed in a row ... ok",
    ];
    for text in passed {
        assert!(!shows_failure(text), "{text}");
    }
}

#[test]
fn defect_10_a_stop_has_one_answer() {
    let session = Session::new("");
    session.edit("src/a.rs", None);
    let stop = || event(EventData::Stop(Stopping::default()));
    let first = session.judge(stop()).merged;
    assert_eq!((first.stance, first.reasons.len(), first.notices.len()), (Stance::Deny, 1, 0));
    let second = session.judge(stop()).merged;
    assert_eq!((second.stance, second.reasons.len(), second.notices.len()), (Stance::Silent, 0, 1));
}

#[test]
fn defect_11_all_that_is_missing_is_named_at_once_for_all_files() {
    let session = Session::new("");
    for path in ["api/main.go", "integrations/slack/hook.py", "web/app.tsx"] {
        session.edit(path, None);
    }
    let all = "`api/main.go`, `integrations/slack/hook.py`, `web/app.tsx`";
    let what = format!("after the last edit there is no review of {all}; no tests of {all}");
    assert_eq!(session.stop(false), (Stance::Deny, what));
    let notice = format!("the agent stopped without review of {all}; tests of {all}");
    assert_eq!(session.stop(true), (Stance::Silent, notice));
    assert_eq!(session.stop(false), (Stance::Silent, String::new()), "the user was notified");
}

#[test]
fn many_files_are_counted_not_listed() {
    let session = Session::new("\n[[loop.gate.need]]\nname = \"review\"\nagents = [\"reviewer\"]\n");
    (0..10).for_each(|number| session.edit(&format!("src/{number}.rs"), None));
    let (_, what) = session.stop(false);
    assert!(what.ends_with("`src/7.rs` and 2 more"), "{what}");
}

#[test]
fn a_turn_has_at_most_two_blocks_whatever_is_edited() {
    let session = Session::new("");
    let mut stances = Vec::new();
    for number in 0..4 {
        session.edit(&format!("src/{number}.rs"), None);
        stances.push(session.stop(number > 0).0);
    }
    assert_eq!(stances, [Stance::Deny, Stance::Deny, Stance::Silent, Stance::Silent]);
    session.edit("src/5.rs", None);
    assert_eq!(session.stop(false).0, Stance::Deny, "a new turn");
}

#[test]
fn an_agent_has_seen_what_was_there_when_it_started_and_what_it_wrote() {
    let session = Session::new("");
    session.edit("src/a.rs", None);
    session.starts("r1", "reviewer");
    session.edit("src/b.rs", None);
    session.ends("r1", "reviewer");
    session.starts("t1", "tester");
    session.edit("tests/a.rs", Some("t1"));
    session.ends("t1", "tester");
    let expected = "after the last edit there is no review of `src/b.rs`, `tests/a.rs`";
    assert_eq!(session.stop(false), (Stance::Deny, expected.to_owned()));
    session.ends("r2", "reviewer");
    assert_eq!(
        session.stop(true),
        (Stance::Silent, String::new()),
        "an agent whose start was not seen has seen everything"
    );
}

#[test]
fn an_agent_that_is_blocked_from_stopping_has_not_ended() {
    static DENIES: Policy = Policy {
        id: PolicyId::new("test.denies"),
        listens: &[EventKind::AgentStop],
        run: |_| Ok(Verdict::deny(Reason::plain("no answer"))),
        gather: None,
        review: None,
        mode: Mode::Enforce,
        section: SectionSpec::for_type::<Settings>(),
        summary: "",
        page: "",
        on_error: OnError::Notice,
    };
    static BOTH: Registry = &[&POLICY, &DENIES];
    let session = Session::new("");
    session.edit("src/a.rs", None);
    let agent = |role: &str| Some(Agent { id: "a1".to_owned(), role: role.to_owned() });
    let stop = || EventData::AgentStop { stopping: Stopping::default(), transcript: None };
    for role in ["reviewer", "tester"] {
        let surroundings = Surroundings { memory: Arc::clone(&session.memory), ..Surroundings::default() };
        let happened = Event { agent: agent(role), ..event(stop()) };
        judged_in(BOTH, &sections(&session.config), happened, surroundings);
    }
    assert_eq!(session.stop(false).0, Stance::Deny);
}

#[test]
fn files_that_the_loop_covers_are_checked_only_with_always() {
    let state = r#"{"domains":{"backend":{"files":{"src/a.rs":{}}}}}"#;
    for (when, expected) in [("uncovered", "`src/b.rs`"), ("always", "`src/a.rs`, `src/b.rs`")] {
        let needs = "[[loop.gate.need]]\nname = \"review\"\nagents = [\"reviewer\"]\n";
        let session = Session::new(&format!("when = \"{when}\"\n{needs}"));
        session.memory.write("loop.feedback", state.to_owned()).unwrap();
        session.edit("src/a.rs", None);
        session.edit("src/b.rs", None);
        let what = format!("after the last edit there is no review of {expected}");
        assert_eq!(session.stop(false), (Stance::Deny, what), "{when}");
    }
}

#[test]
fn an_edit_that_failed_edited_nothing() {
    let session = Session::new("");
    let change = Change::Write { content: "x".to_owned() };
    let tool = Tool::Edit(vec![FileEdit { path: "/project/src/a.rs".to_owned(), change }]);
    let call = ToolCall { id: None, name: "Edit".to_owned(), tool, input: "{}".to_owned() };
    session.judge(event(EventData::ToolFailed { call, outcome: Outcome::default(), interrupted: false }));
    assert_eq!(session.stop(false), (Stance::Silent, String::new()));
}

#[test]
fn a_file_that_an_edit_moves_needs_something_at_its_new_place() {
    let needs = "[[loop.gate.need]]\nname = \"review\"\nagents = [\"reviewer\"]\n";
    let session = Session::new(needs);
    let change = Change::Move { to: "src/b.rs".to_owned() };
    let tool = Tool::Edit(vec![FileEdit { path: "notes.txt".to_owned(), change }]);
    let call = ToolCall { id: None, name: "apply_patch".to_owned(), tool, input: "{}".to_owned() };
    session.judge(event(EventData::AfterTool { call, outcome: Outcome::default() }));
    let what = "after the last edit there is no review of `src/b.rs`";
    assert_eq!(session.stop(false), (Stance::Deny, what.to_owned()));
}

#[test]
fn it_waits_while_subagents_work() {
    let session = Session::new("");
    session.edit("src/a.rs", None);
    let work = |kind: &str| BackgroundWork {
        id: "b1".to_owned(),
        kind: kind.to_owned(),
        description: String::new(),
        command: String::new(),
    };
    let stop = |kind| {
        let stopping = Stopping { background: vec![work(kind)], ..Stopping::default() };
        session.judge(event(EventData::Stop(stopping))).merged.stance
    };
    assert_eq!(
        [stop("subagent"), stop("subagent"), stop("shell")],
        [Stance::Silent, Stance::Silent, Stance::Deny]
    );
}

#[test]
fn a_fresh_start_forgets_and_a_resumed_session_does_not() {
    for (source, expected) in [
        ("startup", Stance::Silent),
        ("clear", Stance::Silent),
        ("resume", Stance::Deny),
        ("compact", Stance::Deny),
    ] {
        let session = Session::new("");
        session.edit("src/a.rs", None);
        session.judge(event(EventData::SessionStart { source: source.to_owned() }));
        assert_eq!(session.stop(false).0, expected, "{source}");
    }
}

#[test]
fn a_need_that_nothing_or_everything_meets_is_refused() {
    let text = |more: &str| format!("[[loop.gate.need]]\nname = \"x\"\n{more}");
    let unmeetable = "flyball.toml:1:1: nothing can meet the need `x`; name `agents` or `commands`";
    assert_eq!(problems(&text("")), [unmeetable]);
    let empty = "flyball.toml:1:1: a command of the need `x` is empty, so every command would match it; remove it, or write a command";
    assert_eq!(problems(&text("commands = [\" \"]")), [empty]);
}

#[test]
fn a_plan_is_not_held_and_what_is_needed_stays_needed() {
    use flyball_core::event::PermissionMode;
    let session = Session::new("");
    session.edit("tools/a.sh", None);
    let stop = event(EventData::Stop(Stopping::default()));
    let planning = Event { permission_mode: Some(PermissionMode::Plan), ..stop };
    assert_eq!(session.judge(planning).merged.stance, Stance::Silent);
    assert_eq!(session.stop(false).0, Stance::Deny);
}
