//! `flyball task`, and the stops that it blocks, by real processes over real plans.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot be set up has failed")]

use crate::support::masks::masked;
use crate::support::{ProcessResult, Project, TerminalUser, run};
use serde_json::{Value, json};

const NAME: &str = "20260209_search";
const PLAN: &str = ".claude/tasks/20260209_search_task/PLAN.md";
const LOCK: &str = ".claude/tasks/20260209_search_task/.lock";
const TEXT: &str = "status: pending\n\n# Plan: Search\n\n### Phase 1: The index\n\n- [x] written\n\n### Phase 2: The query\n\n- [x] parsed\n- [ ] ranked\n- [ ] empty query\n";

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "120");
    project.config("[task.stop]\nmode = \"enforce\"\n");
    project.file(PLAN, TEXT);
    project
}

fn read(project: &Project, file: &str) -> String {
    std::fs::read_to_string(project.root().join(file)).unwrap_or_default()
}

/// Runs flyball as the agent of a session does.
fn inside(project: &Project, session: &str, arguments: &[&str]) -> ProcessResult {
    let mut command = project.command(arguments);
    command.env("CLAUDECODE", "1").env("CLAUDE_CODE_SESSION_ID", session);
    run(command, b"")
}

/// Runs flyball at a terminal, detached from the process that runs the tests.
fn at_terminal(project: &Project, arguments: &[&str]) -> (i64, String) {
    let seen = TerminalUser::new(project).with("NO_COLOR", "1").run(arguments);
    (seen["status"].as_i64().unwrap(), seen["text"].as_str().unwrap().to_owned())
}

#[track_caller]
fn succeeded(project: &Project, ran: &ProcessResult) -> String {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    masked(&ran.stdout, project)
}

fn stop(project: &Project, session: &str) -> ProcessResult {
    project.hook("Stop", json!({ "session_id": session, "stop_hook_active": false }))
}

fn tasks(project: &Project) -> Value {
    project.run(&["task", "list", "--json"]).json()
}

#[test]
fn an_agent_is_blocked_from_stopping_until_its_plan_is_finished() {
    let project = project();
    stop(&project, "aaaa-1").assert_silent();
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "start", "search"]));
    assert_eq!(output, "✓ 20260209_search: bound to session aaaa-1, phase 2 of 2\n  next ranked\n");
    assert_eq!(read(&project, ".claude/TASK.md"), format!("{PLAN}\n"));
    assert_eq!(read(&project, PLAN), TEXT.replace("pending", "in progress"));
    let lock: Value = serde_json::from_str(&read(&project, LOCK)).unwrap();
    assert_eq!((&lock["task_path"], &lock["session_id"]), (&json!(PLAN), &json!("aaaa-1")));

    let blocked = stop(&project, "aaaa-1").json();
    assert_eq!(blocked["decision"], "block");
    assert!(blocked["reason"].as_str().unwrap().contains("- ranked\n- empty query"), "{blocked}");
    stop(&project, "bbbb-2").assert_silent();

    let refused = inside(&project, "aaaa-1", &["task", "finish"]);
    assert_eq!(refused.status, 1);
    assert_eq!(
        refused.stderr,
        "error: task `20260209_search` is not complete: phase 2 (2 open items)\n help: tick what is done in the plan; to override: a person runs `flyball task finish 20260209_search --anyway` in a\n   terminal\n"
    );
    let done = read(&project, PLAN).replace("[ ]", "[x]");
    project.file(PLAN, &done);
    let foreign = inside(&project, "bbbb-2", &["task", "finish", "search"]);
    assert_eq!((foreign.status, foreign.stdout.as_str()), (1, ""));
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "finish"]));
    assert_eq!(output, "✓ 20260209_search: finished; session aaaa-1 is released\n");
    assert_eq!(read(&project, PLAN), done.replace("in progress", "finished"));
    assert!(read(&project, LOCK).contains("released_at"));
    stop(&project, "aaaa-1").assert_silent();
}

#[test]
fn a_task_that_is_started_outside_of_a_client_waits_for_a_session() {
    let project = project();
    let output = succeeded(&project, &project.run(&["task", "start"]));
    assert_eq!(
        output,
        "\
✓ 20260209_search: started, but not bound to a session yet, phase 2 of 2
  next ranked
  This was not run inside a client. The task is bound to a session when its coordinator returns, or when
  the agent that works on it runs `flyball task start 20260209_search`.
"
    );
    stop(&project, "aaaa-1").assert_silent();
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "start"]));
    assert!(output.starts_with("✓ 20260209_search: bound to session aaaa-1"), "{output}");
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "start"]));
    assert!(output.starts_with("✓ 20260209_search: already bound to session aaaa-1"), "{output}");
}

#[test]
fn a_task_of_a_living_session_is_refused_and_one_of_an_ended_session_is_not() {
    let project = project();
    project.hook("SessionStart", json!({ "session_id": "aaaa-1", "source": "startup" }));
    inside(&project, "aaaa-1", &["task", "start"]);
    let refused = inside(&project, "bbbb-2", &["task", "start", PLAN]);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""));
    assert_eq!(
        masked(&refused.stderr, &project),
        "error: task `20260209_search` belongs to claude-code session aaaa-1, bound N unit ago, last event N unit ago\n help: end that session, or release the task in your own terminal: `flyball task release 20260209_search`\n"
    );
    project.hook("SessionEnd", json!({ "session_id": "aaaa-1", "reason": "logout" }));
    let output = succeeded(&project, &inside(&project, "bbbb-2", &["task", "start", "search"]));
    assert!(output.starts_with("✓ 20260209_search: bound to session bbbb-2"), "{output}");
    stop(&project, "aaaa-1").assert_silent();
    assert_eq!(stop(&project, "bbbb-2").json()["decision"], "block");
}

#[test]
fn only_a_person_cancels_releases_and_finishes_anyway() {
    let project = project();
    inside(&project, "aaaa-1", &["task", "start"]);
    let before = (read(&project, PLAN), read(&project, LOCK));
    for arguments in [
        ["task", "cancel", "search"].as_slice(),
        &["task", "release", "search"],
        &["task", "finish", "--anyway"],
    ] {
        let refused = inside(&project, "aaaa-1", arguments);
        assert_eq!(refused.status, 3, "{arguments:?}: {refused:?}");
        assert!(refused.stderr.starts_with("error: only a person may do this"), "{refused:?}");
        assert_eq!((read(&project, PLAN), read(&project, LOCK)), before);
    }
    let other = inside(&project, "bbbb-2", &["task", "start", "--session", "aaaa"]);
    assert!(matches!(other.status, 2 | 3), "{other:?}");

    let (status, text) = at_terminal(&project, &["task", "release"]);
    assert_eq!(
        (status, text.as_str()),
        (0, "✓ 20260209_search: released, its plan is unchanged; session aaaa-1 is released\n")
    );
    assert_eq!(read(&project, PLAN), before.0);
    stop(&project, "aaaa-1").assert_silent();
    let (status, text) = at_terminal(&project, &["task", "release"]);
    assert_eq!(status, 2, "{text}");

    inside(&project, "aaaa-1", &["task", "start"]);
    let (status, text) = at_terminal(&project, &["task", "cancel", "search", "--reason", "too slow"]);
    assert_eq!((status, text.as_str()), (0, "✓ 20260209_search: cancelled; session aaaa-1 is released\n"));
    let plan = read(&project, PLAN);
    assert!(plan.starts_with("status: cancelled\n") && plan.ends_with(": too slow\n"), "{plan}");
    stop(&project, "aaaa-1").assert_silent();
    let over = inside(&project, "aaaa-1", &["task", "start", "search"]);
    assert_eq!(
        (over.status, over.stderr.lines().next().unwrap()),
        (2, "error: task `20260209_search` is over: cancelled")
    );
}

#[test]
fn a_person_may_finish_what_is_not_complete() {
    let project = project();
    inside(&project, "aaaa-1", &["task", "start"]);
    project.file(".claude/tasks/20260209_search_task/KNOWLEDGE.jsonl", "{}\n");
    let (status, text) = at_terminal(&project, &["task", "finish", "--anyway"]);
    assert_eq!(
        (status, text.as_str()),
        (
            0,
            "✓ 20260209_search: finished; session aaaa-1 is released\n  `flyball knowledge promote` turns its lessons into rules.\n"
        )
    );
    stop(&project, "aaaa-1").assert_silent();
}

#[test]
fn tasks_are_shown() {
    let project = project();
    assert_eq!(
        succeeded(&project, &project.run(&["task"])),
        "No task is in progress (1 plan in .claude/tasks). `flyball task start NAME` starts one; `flyball task list` lists them.\n"
    );
    project.file(".claude/tasks/20260101_old_task/PLAN.md", "status: finished\n");
    project.file(
        ".claude/tasks/20260301_wide_task/PLAN.md",
        "---\nstatus: failed\n---\n## Phase 1: a\n- [ ] b\n",
    );
    std::fs::create_dir_all(project.root().join(".claude/tasks/20260401_odd_task/PLAN.md")).unwrap();
    stop(&project, "aaaa-1").assert_silent();
    inside(&project, "aaaa-1", &["task", "start", "search"]);
    assert_eq!(
        succeeded(&project, &project.run(&["task"])),
        "\
20260209_search  in progress  Search
  phase  phase 2 of 2 · Phase 2: The query
  plan   .claude/tasks/20260209_search_task/PLAN.md
  by     claude-code aaaa-1, last event N unit ago
  open   □ ranked
         □ empty query
"
    );
    let list = succeeded(&project, &project.run(&["task", "list"]));
    assert_eq!(
        list.lines().collect::<Vec<_>>(),
        [
            "   task             status       progress      worked on by",
            "   20260401_odd     unreadable                 the plan `.claude/tasks/20260401_odd_task/PLAN.md` is a folder",
            "   20260301_wide    failed       phase 1 of 1",
            "›  20260209_search  in progress  phase 2 of 2  claude-code aaaa-1, last event N unit ago",
            "   20260101_old     finished     no phases",
        ]
    );
    let task = &inside(&project, "aaaa-1", &["task", "status", "--json"]).json()[0];
    assert_eq!((&task["task"], &task["next"], &task["phase"]), (&json!(NAME), &json!("ranked"), &json!("2")));
    assert_eq!(task["lock"]["holder"]["session"], "aaaa-1");
    let status = succeeded(&project, &project.run(&["status"]));
    assert!(status.contains("\n  task  20260209_search, phase 2 of 2\n"), "{status}");
    let whole = project.run(&["status", "--json"]).json();
    assert_eq!(whole["sessions"][0]["tasks"][0]["task"], NAME);
}

#[test]
fn a_second_task_is_warned_of_and_both_block() {
    let project = project();
    project.file(".claude/tasks/20260301_more_task/PLAN.md", "status: pending\n## Phase 1: a\n- [ ] b\n");
    inside(&project, "aaaa-1", &["task", "start", "search"]);
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "start", "more"]));
    assert_eq!(
        output,
        "✓ 20260301_more: bound to session aaaa-1, phase 1 of 1\n  next b\n! task `20260209_search` is open too; sessions bound to it stay bound\n"
    );
    let blocked = stop(&project, "aaaa-1").json()["reason"].as_str().unwrap().to_owned();
    assert!(blocked.contains(NAME) && blocked.contains("20260301_more"), "{blocked}");
}

#[test]
fn a_name_that_fits_none_or_several_is_an_error() {
    let project = project();
    project.file(".claude/tasks/20260301_search_more_task/PLAN.md", "status: pending\n");
    for (arguments, first) in [
        (["task", "start", "nothing"], "error: no task `nothing` in this project"),
        (["task", "start", "sea"], "error: several tasks match `sea`"),
        (["task", "start", "../../etc/passwd"], "error: no task `../../etc/passwd` in this project"),
    ] {
        let ran = inside(&project, "aaaa-1", &arguments);
        assert_eq!((ran.status, ran.stderr.lines().next().unwrap()), (2, first));
    }
    assert_eq!(read(&project, ".claude/TASK.md"), "");
}

#[test]
fn what_people_keep_in_the_file_of_the_active_task_stays() {
    let project = project();
    project.file(".claude/TASK.md", "My own notes\nmore\n");
    inside(&project, "aaaa-1", &["task", "start"]);
    assert_eq!(read(&project, ".claude/TASK.md"), format!("{PLAN}\nMy own notes\nmore\n"));
    // An editor's mark before the path is no note of anybody.
    project.file(".claude/TASK.md", &format!("\u{feff}{PLAN}\r\nmore\r\n"));
    inside(&project, "aaaa-1", &["task", "start"]);
    assert_eq!(read(&project, ".claude/TASK.md"), format!("\u{feff}{PLAN}\r\nmore\r\n"));
}

#[test]
fn if_no_session_is_blocked_a_warning_is_shown() {
    let project = project();
    project.config("");
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "start"]));
    assert!(output.ends_with("! No session is blocked from stopping: task.stop is off in this project. `flyball init --packs task` turns it on.\n"), "{output}");
}

#[test]
fn defect_02_a_broken_lock_is_not_deleted_by_anyone() {
    let project = project();
    project.file(LOCK, "{\"task_path\": ");
    stop(&project, "aaaa-1").assert_silent();
    project.run(&["task", "list"]);
    inside(&project, "aaaa-1", &["task", "start"]);
    stop(&project, "aaaa-1");
    at_terminal(&project, &["task", "release"]);
    assert_eq!(read(&project, LOCK), "{\"task_path\": ");
}

#[test]
fn defect_03_a_malformed_event_changes_no_lock() {
    let project = project();
    inside(&project, "aaaa-1", &["task", "start"]);
    let before = (tasks(&project), read(&project, LOCK));
    for payload in [b"".as_slice(), b"{", b"null", b"\xff\xfe", b"{\"session_id\": 7}"] {
        project.hook_bytes("Stop", payload);
        assert_eq!((tasks(&project), read(&project, LOCK)), before);
    }
}

#[test]
fn defect_07_of_sixteen_sessions_that_start_a_task_at_once_one_gets_it() {
    let project = project();
    let ran: Vec<(String, i32)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|number| {
                let project = &project;
                scope.spawn(move || {
                    let session = format!("s{number:02}-x");
                    let ran = inside(project, &session, &["task", "start"]);
                    (session, ran.status)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let winners: Vec<&str> =
        ran.iter().filter(|(_, status)| *status == 0).map(|(session, _)| session.as_str()).collect();
    assert_eq!(winners.len(), 1, "{ran:?}");
    assert!(ran.iter().all(|(_, status)| matches!(status, 0 | 1)), "{ran:?}");
    let lock: Value = serde_json::from_str(&read(&project, LOCK)).unwrap();
    assert_eq!(lock["session_id"], winners[0]);
    assert_eq!(tasks(&project)[0]["lock"]["holder"]["session"], winners[0]);
}

#[test]
fn starting_its_own_task_again_does_not_delay_the_release() {
    let project = project();
    stop(&project, "aaaa-1").assert_silent();
    inside(&project, "aaaa-1", &["task", "start"]);
    let is_blocked = |turn: &usize| {
        inside(&project, "aaaa-1", &["task", "start"]);
        let output = format!("turn {turn}");
        let event = json!({ "session_id": "aaaa-1", "stop_hook_active": *turn > 0, "last_assistant_message": output });
        project.hook("Stop", event).stdout.contains("\"block\"")
    };
    assert_eq!((0..20).take_while(is_blocked).count(), 3);
}

#[test]
fn nobody_is_bound_to_what_cannot_be_started() {
    let project = project();
    let outside = project.folder().join("outside.md");
    std::fs::write(&outside, TEXT).unwrap();
    let folder = project.root().join(".claude/tasks/20260301_link_task");
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("PLAN.md")).unwrap();
    let refused = inside(&project, "aaaa-1", &["task", "start", "link"]);
    assert_eq!(
        (refused.status, refused.stderr.lines().next().unwrap()),
        (
            2,
            "error: the plan `.claude/tasks/20260301_link_task/PLAN.md` is a link to a file outside the project"
        )
    );
    // The active task cannot be noted where a folder is.
    std::fs::create_dir_all(project.root().join(".claude/TASK.md")).unwrap();
    let refused = inside(&project, "aaaa-1", &["task", "start", "search"]);
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(
        tasks(&project).as_array().unwrap().iter().all(|task| task["lock"].is_null()),
        "{}",
        tasks(&project)
    );
    stop(&project, "aaaa-1").assert_silent();
    assert_eq!(std::fs::read_to_string(outside).unwrap(), TEXT);
}

#[test]
fn damaged_locks_are_moved_aside_by_a_person() {
    let project = project();
    inside(&project, "aaaa-1", &["task", "start"]);
    let state = project.home().join(".local/state/flyball");
    flyball_world::project::Project::at(&state, &project.root())
        .change_note("task.locks", &mut |text| Ok(text.map(|text| text[..9].to_owned())))
        .unwrap();
    let refused = project.run(&["task", "list"]);
    assert_eq!(
        (refused.status, refused.stderr.lines().nth(1).unwrap()),
        (
            2,
            " help: run `flyball task release` in your own terminal: it sets the locks aside and leaves plans unchanged"
        )
    );
    let (status, text) = at_terminal(&project, &["task", "release"]);
    assert_eq!(
        (status, text.as_str()),
        (
            0,
            "! the task locks of this project could not be read; they were moved aside\n\
             ✓ 20260209_search: released, its plan is unchanged; session aaaa-1 is released\n"
        )
    );
    stop(&project, "aaaa-1").assert_silent();
}
