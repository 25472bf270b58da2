//! `flyball knowledge`: lessons are added, shown, compacted and made rules, by real processes at the same time.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code"
)]

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use flyball_core::path::ProjectPath;

use crate::support::{ProcessResult, Project};
use serde_json::{Value, json};

const PLAN: &str = ".claude/tasks/20260101_login_task/PLAN.md";
const LESSONS: &str = ".claude/tasks/20260101_login_task/KNOWLEDGE.jsonl";
const ARCHIVE: &str = ".claude/tasks/20260101_login_task/KNOWLEDGE.old.jsonl";

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "400");
    project.file(PLAN, "status: in progress\n\n# Login\n\n## Phase 1: form\n\n- [ ] a\n");
    project.file(".claude/TASK.md", &format!("{PLAN}\n"));
    project
}

fn add(project: &Project, kind: &str, text: &str) -> ProcessResult {
    project.run(&["knowledge", "add", text, "--type", kind, "--source", "tester"])
}

fn read(project: &Project, name: &str) -> String {
    fs::read_to_string(project.root().join(name)).unwrap_or_default()
}

fn texts(content: &str) -> Vec<String> {
    let text = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?["txt"].as_str()?.to_owned());
    content.lines().filter_map(text).collect()
}

/// Ids as they are in the file, by text.
fn id(project: &Project, text: &str) -> String {
    let listed = project.run(&["knowledge", "list", "--json"]);
    let all: Vec<Value> = listed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    all.iter().find(|lesson| lesson["text"] == text).unwrap()["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn printed(ran: &ProcessResult, status: i32, stdout: &str) {
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (status, stdout, ""));
}

#[track_caller]
fn failed(ran: &ProcessResult, stderr: &str) {
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", stderr));
}

#[test]
fn a_lesson_is_added_once_and_shown() {
    let project = project();
    let added = add(&project, "avoid", "Mocks of the store hide broken queries.");
    printed(&added, 0, &format!("added to {LESSONS}: ❌ Mocks of the store hide broken queries.\n"));
    let again = add(&project, "avoid", "Mocks of the store hide broken queries.");
    printed(&again, 1, "not added, already known: ❌ Mocks of the store hide broken queries.\n");
    let chatter = add(&project, "works", "Phase 3 complete");
    let why = "not added: it reports progress; a lesson says what to avoid, what works or what is true\n";
    printed(&chatter, 1, why);
    printed(
        &add(&project, "works", "Fixed-size buffers are enough for headers"),
        0,
        &format!("added to {LESSONS}: ✅ Fixed-size buffers are enough for headers\n"),
    );
    let ids = ["Mocks of the store hide broken queries.", "Fixed-size buffers are enough for headers"]
        .map(|text| id(&project, text));
    let day = texts_day(&project);
    let shown = format!(
        "{}  {day}  avoid  Mocks of the store hide broken queries. (tester)\n{}  {day}  works  Fixed-size buffers are enough for headers (tester)\n",
        ids[0], ids[1]
    );
    printed(&project.run(&["knowledge", "list"]), 0, &shown);
    let one = format!("{}\n{}\n", shown.lines().next_back().unwrap(), "1 lesson before these are not shown");
    printed(&project.run(&["knowledge", "list", "--limit", "1"]), 0, &one);
    let works = project.run(&["knowledge", "list", "--type", "works", "--json"]);
    let works: Value = serde_json::from_str(&works.stdout).unwrap();
    let expected = json!({
        "id": ids[1], "at": works["at"], "type": "works", "text": "Fixed-size buffers are enough for headers",
        "source": "tester", "promoted": false,
    });
    assert_eq!(works, expected);
}

/// The day that is written in the file.
fn texts_day(project: &Project) -> String {
    let line: Value = serde_json::from_str(read(project, LESSONS).lines().next().unwrap()).unwrap();
    line["ts"].as_str().unwrap()[..10].to_owned()
}

#[test]
fn the_task_is_the_one_that_is_named_else_the_sessions_else_the_active_one() {
    let project = project();
    let other = ".claude/tasks/20260102_logout_task/PLAN.md";
    project.file(other, "status: pending\n\n# Logout\n");
    for name in ["20260102_logout", "logout", "./.claude/tasks/20260102_logout_task/", other] {
        let ran = project.run(&["knowledge", "list", "--task", name]);
        printed(&ran, 0, "no lessons in 20260102_logout\n");
    }
    printed(&project.run(&["knowledge", "list"]), 0, "no lessons in 20260101_login\n");
    let several = "error: several tasks match `log`\n help: name one: `20260101_login`, `20260102_logout`\n";
    failed(&project.run(&["knowledge", "list", "--task", "log"]), several);
    let none = "error: no task `../secrets` in this project\n help: `flyball task list` lists all tasks\n";
    failed(&project.run(&["knowledge", "list", "--task", "../secrets"]), none);
    project.file(".claude/TASK.md", "../elsewhere/PLAN.md\n");
    let inactive = "error: no active task: `.claude/TASK.md` names no existing plan\n help: name one with --task; `flyball task list` shows all\n";
    failed(&add(&project, "fact", "The port is 8080"), inactive);
    assert_eq!(read(&project, LESSONS), "");
}

#[test]
fn a_session_writes_to_the_task_it_is_bound_to() {
    let project = project();
    bind(&project);
    let other = ".claude/tasks/20260102_logout_task/PLAN.md";
    project.file(other, "status: pending\n").file(".claude/TASK.md", other);
    let project = project.with("CLAUDE_CODE_SESSION_ID", SESSION);
    printed(
        &add(&project, "fact", "The port is 8080"),
        0,
        &format!("added to {LESSONS}: ℹ️ The port is 8080\n"),
    );
}

/// The session of the support module.
const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// Binds it to the plan, as `flyball task start` in it does.
fn bind(project: &Project) {
    let machine = flyball_world::machine::Machine::new(
        std::time::Instant::now(),
        Some(project.home()),
        &project.root(),
        Vec::new(),
        flyball_clients::FACTS,
    );
    let machine = machine.with_state(Some(&project.state()));
    flyball_knowledge::lock::bind(&machine, &ProjectPath::new(PLAN).unwrap(), ("claude-code", SESSION))
        .unwrap();
}

#[test]
fn defect_23_a_worker_is_given_lessons_without_being_allowed_to_start() {
    let project = project();
    project.config("[task.agents]\nmode = \"enforce\"\n");
    add(&project, "avoid", "Mocks of the store hide broken queries.");
    let input =
        json!({ "subagent_type": "developer", "prompt": "Build it.", "description": "d", "model": "m" });
    project.before("Agent", input.clone()).assert_silent();
    bind(&project);
    let answer = project.before("Agent", input).json();
    let prompt = answer["hookSpecificOutput"]["updatedInput"]["prompt"].as_str().unwrap().to_owned();
    assert!(prompt.contains("- ❌ avoid: Mocks of the store hide broken queries.\n"), "{prompt}");
    assert!(prompt.ends_with("\n--- The prompt as it was written: ---\n\nBuild it."), "{prompt}");
    let expected = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "updatedInput": { "subagent_type": "developer", "prompt": prompt, "description": "d", "model": "m" },
    } });
    assert_eq!(answer, expected, "no decision is sent");
}

#[test]
fn defect_26_what_the_client_calls_a_failure_is_reported_as_one() {
    let project = project();
    project.config("[task.agents]\nmode = \"enforce\"\n");
    bind(&project);
    let input = json!({ "subagent_type": "developer", "prompt": "Build it.", "description": "d" });
    let fields = |more: Value| {
        let mut fields =
            json!({ "tool_name": "Agent", "tool_input": input, "tool_use_id": crate::support::unique() });
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        fields
    };
    let context = |ran: ProcessResult| {
        let text =
            ran.json()["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned();
        text.split(" (task").next().unwrap_or_default().to_owned()
    };
    let broken = project.hook("PostToolUseFailure", fields(json!({ "error": "it broke" })));
    assert_eq!(context(broken), "DEVELOPER failed");
    let response = json!({ "tool_response": { "status": "completed", "agentId": "a1", "content": [{ "type": "text", "text": "ok" }] } });
    assert_eq!(context(project.hook("PostToolUse", fields(response))), "DEVELOPER done");
    let response = json!({ "tool_response": { "status": "async_launched", "agentId": "a2" } });
    project.hook("PostToolUse", fields(response)).assert_silent();
    project
        .hook(
            "SubagentStop",
            json!({ "agent_id": "a2", "agent_type": "developer", "stop_hook_active": false }),
        )
        .assert_silent();
    let notified = project.hook(
        "UserPromptSubmit",
        json!({ "prompt": "<task-notification><task-id>a2</task-id></task-notification>" }),
    );
    assert_eq!(context(notified), "DEVELOPER has ended in the background");
}

/// A lesson that is different for each number.
fn distinct(number: usize) -> String {
    const WORDS: [&str; 16] = [
        "socket",
        "migration",
        "font",
        "cache",
        "timezone",
        "upload",
        "cookie",
        "invoice",
        "search",
        "email",
        "thread",
        "pixel",
        "router",
        "ledger",
        "cursor",
        "badge",
    ];
    let word = |at: usize| WORDS[(number / 16_usize.pow(u32::try_from(at).unwrap()) + at * 5) % 16];
    format!("{}{number} must precede {}{number} because {}{number} waits", word(0), word(1), word(2))
}

#[test]
fn sixteen_at_once_and_a_compaction_lose_nothing() {
    const WRITERS: usize = 16;
    const EACH: usize = 6;
    let project = project();
    let path = project.root().join(LESSONS);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (project, path, is_over) = (&project, &path, &is_over);
        let mut writers = Vec::new();
        for writer in 0..WRITERS {
            writers.push(scope.spawn(move || {
                for turn in 0..EACH {
                    let ran = add(project, "works", &distinct(writer * EACH + turn));
                    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
                }
            }));
        }
        // Others do not ask for our lock: they open, write and close, as `echo >>` does.
        for foreigner in 0..2 {
            writers.push(scope.spawn(move || {
                for turn in 0..20 {
                    let line =
                        json!({ "t": "ℹ", "txt": distinct(1_000 + foreigner * 100 + turn), "own": [1] });
                    let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
                    file.write_all(format!("{line}\n").as_bytes()).unwrap();
                }
            }));
        }
        let compactor = scope.spawn(move || {
            let mut changes = 0;
            while !is_over.load(Ordering::Relaxed) {
                let ran = project.run(&["knowledge", "compact", "--most", "20"]);
                assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
                changes += usize::from(ran.stdout.contains("moved to"));
            }
            changes
        });
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        is_over.store(true, Ordering::Relaxed);
        assert!(compactor.join().unwrap() > 0, "nothing was compacted meanwhile");
    });
    let both = read(&project, LESSONS) + &read(&project, ARCHIVE);
    let (mut left, mut expected) = (texts(&both), Vec::new());
    expected.extend((0..WRITERS * EACH).chain(1_000..1_020).chain(1_100..1_120).map(distinct));
    left.sort();
    left.dedup();
    expected.sort();
    assert_eq!(left, expected);
    assert_eq!(both.lines().filter(|line| serde_json::from_str::<Value>(line).is_err()).count(), 0, "{both}");
}

#[test]
fn a_compaction_shows_what_it_does_and_has_a_dry_run() {
    let project = project();
    let lines: Vec<String> =
        (0..12).map(|number| json!({ "t": "✅", "txt": distinct(number) }).to_string()).collect();
    let content = format!("{}\n", lines.join("\n"));
    project.file(LESSONS, &content);
    let rehearsed = project.run(&["knowledge", "compact", "--most", "10", "--dry-run"]);
    printed(
        &rehearsed,
        0,
        "4 of 12 would be moved to KNOWLEDGE.old.jsonl (0 duplicates, 4 over the limit); 8 are left\n",
    );
    assert_eq!((read(&project, LESSONS), read(&project, ARCHIVE)), (content, String::new()));
    let done = project.run(&["knowledge", "compact", "--most", "10"]);
    printed(&done, 0, "4 of 12 moved to KNOWLEDGE.old.jsonl (0 duplicates, 4 over the limit); 8 are left\n");
    assert_eq!(read(&project, ARCHIVE), format!("{}\n", lines[..4].join("\n")));
    printed(&project.run(&["knowledge", "compact", "--most", "10"]), 0, "nothing to do: 8 lessons\n");
}

#[test]
fn lessons_become_rules_once() {
    let project = project();
    project.file("AGENTS.md", "# Project\n\n## Pitfalls\n\n- Sleeping in tests makes them slow.\n");
    let (mocks, port) = ("Mocks of the store hide broken queries.", "The port is 8080 on staging");
    add(&project, "avoid", mocks);
    add(&project, "fact", port);
    let (mocks_id, port_id) = (id(&project, mocks), id(&project, port));
    let before = read(&project, "AGENTS.md");
    let rehearsed = project.run(&["knowledge", "promote", &mocks_id[..6], "--dry-run"]);
    printed(&rehearsed, 0, &format!("{mocks_id} would become a rule in AGENTS.md: {mocks}\n"));
    assert_eq!(read(&project, "AGENTS.md"), before);
    let done = project.run(&["knowledge", "promote", &mocks_id]);
    printed(&done, 0, &format!("{mocks_id} is now a rule in AGENTS.md: {mocks}\n"));
    let node = read(&project, "AGENTS.md");
    assert!(node.contains(mocks) && node.contains("Sleeping in tests"), "{node}");
    let all = project.run(&["knowledge", "promote", "--all"]);
    printed(&all, 0, &format!("{port_id} is now a rule in AGENTS.md: {port}\n"));
    let node = read(&project, "AGENTS.md");
    printed(
        &project.run(&["knowledge", "promote", "--all"]),
        0,
        "nothing to do: all 2 lessons of 20260101_login are rules already\n",
    );
    assert_eq!(read(&project, "AGENTS.md"), node);
    assert!(node.contains("## Context"), "{node}");
    assert!(
        project.run(&["knowledge", "list"]).stdout.lines().all(|line| line.ends_with("(tester, is a rule)"))
    );
}

#[test]
fn what_a_node_already_contains_is_not_written_twice() {
    let project = project();
    add(&project, "avoid", "Mocks of the store hide broken queries.");
    let lessons = read(&project, LESSONS);
    project.run(&["knowledge", "promote", "--all"]);
    let node = read(&project, "AGENTS.md");
    // As after a crash between the two writes.
    project.file(LESSONS, &lessons);
    let id = id(&project, "Mocks of the store hide broken queries.");
    let again = project.run(&["knowledge", "promote", "--all"]);
    printed(&again, 0, &format!("{id} is already in AGENTS.md: Mocks of the store hide broken queries.\n"));
    assert_eq!(read(&project, "AGENTS.md"), node);
}

#[test]
fn a_sentence_is_not_written_twice_in_other_words_or_below_what_says_it() {
    let project = project();
    project.file(
        "AGENTS.md",
        "# Project\n\n## Database\n\nMocks of the store hide broken queries. Use the real one.\n",
    );
    project.file("src/AGENTS.md", "# Source\n");
    let (known, first, second) = (
        "Mocking the store hides broken queries",
        "Sessions expire after 15 minutes on staging",
        "On staging, sessions expire after 15 minutes.",
    );
    // As another tool writes them, which does not look for what is there.
    let line = |text: &str| format!("{}\n", json!({ "t": "❌", "txt": text }));
    project.file(LESSONS, &[known, first, second].map(line).concat());
    let (one, two) = (id(&project, first), id(&project, second));
    let ran = project.run(&["knowledge", "promote", "--all", "--to", "src/AGENTS.md"]);
    let node = read(&project, "src/AGENTS.md");
    assert!(ran.stdout.contains("is already in AGENTS.md"), "{ran:?}");
    assert!(ran.stdout.contains(&format!("{two} says the same as {one}")), "{ran:?}");
    assert_eq!((node.matches("expire after").count() > 0, node.contains("ocking")), (true, false), "{node}");
    assert!(!node.contains(second), "{node}");
}

#[test]
fn a_promoted_lesson_stands_there_once_and_as_its_section_is_written() {
    let project = project();
    let (one, two) = ("pytest needs --no-cov on this machine", "Mocks hide races: use the real store.");
    add(&project, "avoid", one);
    add(&project, "avoid", two);
    project.run(&["knowledge", "promote", "--all"]);
    let node = read(&project, "AGENTS.md");
    assert_eq!(node.matches("needs --no-cov").count(), 1, "{node}");
    assert!(node.contains("### Mocks hide races\n\nUse the real store.\n"), "{node}");
    let list = "# App\n\n## Pitfalls\n\n- Dates are UTC.\n\n## Context\n\nx\n";
    project.file("src/AGENTS.md", list);
    add(&project, "avoid", "Run `pnpm build` before a release");
    project.file("README.md", "");
    project.run(&["knowledge", "promote", "--all", "--to", "src/AGENTS.md"]);
    let node = read(&project, "src/AGENTS.md");
    assert!(node.contains("- Dates are UTC.\n- Run `pnpm build` before a release\n  _"), "{node}");
    // Another command is another rule.
    add(&project, "avoid", "Run `pnpm test` before a release");
    let ran = project.run(&["knowledge", "promote", "--all", "--to", "src/AGENTS.md"]);
    assert!(ran.stdout.contains("is now a rule"), "{ran:?}");
}

#[test]
fn lessons_become_rows_of_rule_files() {
    let project = project();
    add(&project, "avoid", "Never pipe `a | b` into the log.");
    add(&project, "works", "Use the real store in tests.");
    add(&project, "fact", "The port is 8080 on staging");
    let fact = id(&project, "The port is 8080 on staging");
    let ran = project.run(&["knowledge", "promote", "--all", "--rules", ".claude/rules"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.ends_with(&format!("{fact} stays a lesson: facts are not rules\n")), "{}", ran.stdout);
    let day = texts_day(&project);
    assert_eq!(
        read(&project, ".claude/rules/avoid.md"),
        format!(
            "# Avoid\n\n| Avoid | Learned |\n|---|---|\n| Never pipe `a \\| b` into the log. | tester, {day} |\n"
        )
    );
    assert_eq!(
        read(&project, ".claude/rules/best-practice.md"),
        format!(
            "# Best practice\n\n| Do | Learned |\n|---|---|\n| Use the real store in tests. | tester, {day} |\n"
        )
    );
    let outside = project.run(&["knowledge", "promote", "--all", "--to", "../outside.md"]);
    assert_eq!(outside.status, 2, "{}", outside.stdout);
    assert!(!project.folder().join("outside.md").exists());
}

#[test]
fn an_id_has_to_name_one_lesson() {
    let project = project();
    add(&project, "fact", "The port is 8080 on staging");
    let none = "error: no lesson has the id `zzz`\n help: `flyball knowledge list` shows the ids\n";
    failed(&project.run(&["knowledge", "promote", "zzz"]), none);
    let several = project.run(&["knowledge", "promote"]);
    assert_eq!(several.status, 2);
}
