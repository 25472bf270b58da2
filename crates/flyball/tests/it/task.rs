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

fn status_line(project: &Project) -> ProcessResult {
    let input = json!({ "session_id": "aaaa-1", "cwd": project.root() }).to_string();
    run(project.command(&["statusline"]), input.as_bytes())
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
  This was not run inside a client. The task is bound to a session
  when the agent that works on it runs `flyball task start 20260209_search`.
"
    );
    project.file(".claude/agents/bc-coordinator.md", "---\nname: bc-coordinator\n---\n");
    let output = succeeded(&project, &project.run(&["task", "start"]));
    assert!(
        output.contains("  when the agent `bc-coordinator` returns, or when the agent that works on it runs"),
        "{output}"
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
        "No task is in progress (1 plan in .claude/tasks). `flyball task new TITLE` makes one, `flyball task start NAME` starts\n  one; `flyball task list` lists them.\n"
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

fn made(project: &Project, arguments: &[&str]) -> Value {
    let ran = project.run(&[&["task", "new", "--json"], arguments].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.json()
}

#[test]
fn a_new_task_is_made_started_and_finished_without_anything_else() {
    let project = Project::new().with("COLUMNS", "120");
    project.config("[task.stop]\nmode = \"enforce\"\n");
    let ran = project.run(&["task", "new", "Search by price", "--phases", "The index, The query"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let name = ran.stdout.split([' ', ':']).nth(1).unwrap().to_owned();
    assert!(name.ends_with("_search_by_price") && name.starts_with("20"), "{}", ran.stdout);
    let folder = format!(".claude/tasks/{name}_task");
    assert_eq!(
        ran.stdout,
        format!(
            "✓ {name}: made, its plan is {folder}/PLAN.md\n  Fill the plan in, then start it: `flyball task start {name}`.\n"
        )
    );
    assert_eq!(read(&project, &format!("{folder}/KNOWLEDGE.jsonl")), "");
    assert!(project.root().join(&folder).join("artifacts").is_dir());
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "start", &name]));
    assert!(output.starts_with(&format!("✓ {name}: bound to session aaaa-1, phase 1 of 2")), "{output}");
    let blocked = stop(&project, "aaaa-1").json();
    assert!(blocked["reason"].as_str().unwrap().contains("`Phase 1: The index`"), "{blocked}");
    let plan = format!("{folder}/PLAN.md");
    project.file(&plan, &read(&project, &plan).replace("[ ]", "[x]"));
    succeeded(&project, &inside(&project, "aaaa-1", &["task", "finish"]));
    stop(&project, "aaaa-1").assert_silent();
}

#[test]
fn a_new_task_never_overwrites_and_says_what_is_next() {
    let project = project();
    let first = made(&project, &["Search by price"]);
    let second = made(&project, &["Search by price", "--phases", "5"]);
    assert_ne!(first["task"], second["task"]);
    assert_eq!(read(&project, PLAN), TEXT);
    for task in [&first, &second] {
        let name = task["task"].as_str().unwrap();
        let folder = format!(".claude/tasks/{name}_task");
        assert_eq!(
            *task,
            json!({
                "task": name, "plan": format!("{folder}/PLAN.md"), "lessons": format!("{folder}/KNOWLEDGE.jsonl"),
                "artifacts": format!("{folder}/artifacts"), "next": format!("flyball task start {name}"),
            })
        );
        assert!(project.root().join(&folder).join("PLAN.md").is_file());
    }
    let all = tasks(&project);
    let phases = |task: &Value| {
        all.as_array().unwrap().iter().find(|it| it["task"] == task["task"]).unwrap()["phases"].clone()
    };
    assert_eq!((phases(&first), phases(&second)), (json!(3), json!(5)));
    for (arguments, error) in [
        (["task", "new", "  "].as_slice(), "error: the title is empty"),
        (&["task", "new", "x", "--phases", "0"], "error: `0` are no phases"),
        (&["task", "new", "x", "--phases", "999"], "error: `999` are no phases"),
        (&["task", "new", "x", "--phases", " , "], "error: `,` are no phases"),
    ] {
        let ran = project.run(arguments);
        assert_eq!((ran.status, ran.stderr.lines().next()), (2, Some(error)), "{arguments:?}: {ran:?}");
    }
    let off = Project::new().with("COLUMNS", "200");
    let ran = off.run(&["task", "new", "Größe & Preis"]);
    assert!(
        ran.stdout.contains("_größe_preis_task/PLAN.md") && ran.stdout.contains("task.stop is off"),
        "{}",
        ran.stdout
    );
}

#[test]
fn only_a_person_pauses_a_task_and_anyone_resumes_it() {
    let project = project();
    inside(&project, "aaaa-1", &["task", "start"]);
    let refused = inside(&project, "aaaa-1", &["task", "pause"]);
    assert_eq!(refused.status, 3, "{refused:?}");
    assert_eq!(stop(&project, "aaaa-1").json()["decision"], "block");
    let command = json!({ "session_id": "aaaa-1", "tool_name": "Bash", "tool_input": { "command": "flyball task pause" } });
    let denied = project.hook("PreToolUse", command).json();
    assert_eq!(denied.pointer("/hookSpecificOutput/permissionDecision"), Some(&json!("deny")), "{denied}");

    let (status, text) = at_terminal(&project, &["task", "pause"]);
    assert_eq!(
        (status, text.as_str()),
        (0, "✓ 20260209_search: paused; `flyball task resume 20260209_search` goes on with it\n")
    );
    stop(&project, "aaaa-1").assert_silent();
    let (status, text) = at_terminal(&project, &["task", "pause"]);
    assert_eq!((status, text.as_str()), (0, "✓ 20260209_search: already paused\n"));
    let page = succeeded(&project, &project.run(&["task"]));
    assert!(
        page.contains(
            "  paused  N unit ago (\"flyball task pause 20260209_search\"); to go on: `flyball task resume`\n"
        ),
        "{page}"
    );
    let task = &tasks(&project)[0];
    assert_eq!(
        task.pointer("/lock/paused/text"),
        Some(&json!("flyball task pause 20260209_search")),
        "{task}"
    );
    let line = status_line(&project);
    assert!(line.stdout.contains("task 2/2 paused"), "{line:?}");
    let status = project.run(&["status"]).stdout;
    assert!(status.contains("20260209_search, phase 2 of 2, paused: `flyball task resume`"), "{status}");

    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "resume"]));
    assert_eq!(output, "✓ 20260209_search: resumed\n");
    assert_eq!(stop(&project, "aaaa-1").json()["decision"], "block");
    let output = succeeded(&project, &inside(&project, "aaaa-1", &["task", "resume"]));
    assert_eq!(output, "✓ 20260209_search: not paused\n");
    let nothing = Project::new().run(&["task", "resume"]);
    assert_eq!(nothing.status, 2, "{nothing:?}");
}

fn prompted(project: &Project, text: &str) -> Value {
    let ran = project.hook("UserPromptSubmit", json!({ "session_id": "aaaa-1", "prompt": text }));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    if ran.stdout.trim().is_empty() { Value::Null } else { ran.json() }
}

#[test]
fn a_prompt_that_says_so_pauses_the_task_of_its_session() {
    let project = project();
    inside(&project, "aaaa-1", &["task", "start"]);
    assert_eq!(prompted(&project, "The pause button is broken, fix it."), Value::Null);
    assert_eq!(stop(&project, "aaaa-1").json()["decision"], "block");
    let told = prompted(&project, "Good work. Let's pause here for today.");
    let context = told.pointer("/hookSpecificOutput/additionalContext").and_then(Value::as_str).unwrap();
    assert!(context.contains("Task `20260209_search` is paused, as the user asked"), "{told}");
    assert!(told["systemMessage"].as_str().unwrap().contains("`flyball task resume`"), "{told}");
    stop(&project, "aaaa-1").assert_silent();
    let task = &tasks(&project)[0];
    assert_eq!(
        task.pointer("/lock/paused/text"),
        Some(&json!("Good work. Let's pause here for today.")),
        "{task}"
    );
    assert_eq!(prompted(&project, "What did the index cost?"), Value::Null);
    stop(&project, "aaaa-1").assert_silent();
    prompted(&project, "Thanks. Continue with the query.");
    assert_eq!(stop(&project, "aaaa-1").json()["decision"], "block");
}

#[test]
fn an_agent_is_not_blocked_in_plan_mode_or_while_its_command_runs() {
    let project = project();
    inside(&project, "aaaa-1", &["task", "start"]);
    let stop_with = |more: Value| {
        let mut payload = json!({ "session_id": "aaaa-1", "stop_hook_active": false });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        project.hook("Stop", payload)
    };
    stop_with(json!({ "permission_mode": "plan" })).assert_silent();
    let task = |status: &str| {
        json!({ "background_tasks": [{ "id": "b1", "type": "shell", "status": status, "description": "tests",
            "command": "npm test" }] })
    };
    stop_with(task("running")).assert_silent();
    assert_eq!(stop_with(task("completed")).json()["decision"], "block");
}

#[test]
fn a_lock_that_another_tool_bound_blocks_the_stop() {
    let project = project();
    project.file(".claude/TASK.md", &format!("{PLAN}\n"));
    let lock = json!({ "task_path": PLAN, "started_at": "2026-02-09T12:00:00.000Z", "session_id": "aaaa-1",
        "bound_at": "2026-02-09T12:01:00.000Z" });
    project.file(LOCK, &lock.to_string());
    stop(&project, "bbbb-2").assert_silent();
    assert_eq!(stop(&project, "aaaa-1").json()["decision"], "block");
    let line = status_line(&project);
    assert!(line.stdout.contains("task 2/2"), "{line:?}");
    let done = read(&project, PLAN).replace("[ ]", "[x]").replace("pending", "finished");
    project.file(PLAN, &done);
    let over = project.hook("Stop", json!({ "session_id": "aaaa-1", "stop_hook_active": true })).json();
    assert_eq!(over, json!({ "systemMessage": "flyball: task `20260209_search` is over: finished" }));
    assert!(read(&project, LOCK).contains("released_at"));
}
