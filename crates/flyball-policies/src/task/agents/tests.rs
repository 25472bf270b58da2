//! What workers get, and the next step when they return, in a project on disk.

use std::sync::Arc;

use flyball_core::event::{
    Agent, Event, EventData, Outcome, PermissionMode, SessionId, SpawnedAgent, Stopping, Tool, ToolCall,
};
use flyball_core::path::ProjectPath;
use flyball_core::verdict::Stance;
use flyball_knowledge::lock::{self, Binding, ORPHANED_AFTER};
use flyball_world::machine::Machine;

use super::brief::BOUNDARY;
use crate::test_project::TestProject;
use crate::testing::{before, event, problems};

const ON: &str = "[task.agents]\nmode = 'enforce'\n";
const FOLDER: &str = ".claude/tasks/1_login_task";
const PLAN: &str = ".claude/tasks/1_login_task/PLAN.md";
const COORDINATOR: &str = ".claude/agents/bc-coordinator.md";
const LESSONS: &str = ".claude/tasks/1_login_task/KNOWLEDGE.jsonl";
const TEXT: &str = "status: in progress\n\n# Login\n\n<!-- ALL -->\nNo new dependencies.\n<!-- /ALL -->\n\
    <!-- DEV -->\nSmall functions.\n<!-- /DEV -->\n<!-- TEST -->\nReal database.\n<!-- /TEST -->\n\n\
    ## Phase 1: form\n\n- [x] done\n\n## Phase 2: session\n\n- [ ] open\n";

const PLACE: &str = "This is work on task `1_login`, phase 2 of 2: its plan is `.claude/tasks/1_login_task/PLAN.md`, \
    reports of this phase go to `.claude/tasks/1_login_task/artifacts/2-1e`. To record a lesson for later agents, run \
    `flyball knowledge add TEXT --type avoid|works|fact --source java_developer`.";

/// A project with an active task on which no session works.
fn started(settings: &str) -> TestProject {
    let stage = TestProject::new(settings);
    stage.write(PLAN, TEXT);
    stage.write(".claude/TASK.md", &format!("{PLAN}\n"));
    stage.write(COORDINATOR, "---\nname: bc-coordinator\ndescription: runs tasks\n---\nRun it.\n");
    assert_eq!(
        lock::start(&stage.machine(), &plan_at(PLAN), None, ORPHANED_AFTER).unwrap(),
        Binding::Unbound
    );
    stage
}

/// The same, and the session of the tests works on it.
fn bound(settings: &str) -> TestProject {
    let stage = started(settings);
    assert_eq!(lock::bind(&stage.machine(), &plan_at(PLAN), ("test", "s1")).unwrap(), Binding::Bound);
    stage
}

fn spawn(role: &str, prompt: &str) -> Tool {
    Tool::SpawnAgent { role: role.to_owned(), prompt: prompt.to_owned(), background: None }
}

fn given(stage: &TestProject, role: &str, prompt: &str) -> Option<String> {
    let merged = stage.judge_event(before("Agent", spawn(role, prompt))).merged;
    assert_eq!((merged.stance, merged.context.text.as_str(), merged.notices.len()), (Stance::Silent, "", 0));
    merged.rewritten
}

fn call(role: &str) -> ToolCall {
    ToolCall { id: None, name: "Agent".to_owned(), tool: spawn(role, "p"), input: "{}".to_owned() }
}

fn back(role: &str, is_running: bool) -> Event {
    let spawned = Some(SpawnedAgent { id: format!("id of {role}"), is_running });
    event(EventData::AfterTool { call: call(role), outcome: Outcome { spawned, ..Outcome::default() } })
}

fn failed(role: &str, interrupted: bool) -> Event {
    let outcome = Outcome { text: "it broke".to_owned(), ..Outcome::default() };
    event(EventData::ToolFailed { call: call(role), outcome, interrupted })
}

fn stop(role: &str) -> Event {
    let agent = Some(Agent { id: format!("id of {role}"), role: role.to_owned() });
    let stopping = Stopping::default();
    Event { agent, ..event(EventData::AgentStop { stopping, transcript: None }) }
}

fn prompt() -> Event {
    event(EventData::PromptSubmit { text: "go on".to_owned(), by_machine: true })
}

fn lesson(sign: &str, text: &str) -> String {
    serde_json::json!({ "t": sign, "txt": text }).to_string() + "\n"
}

const DONE: &str = "TESTER done (task `1_login`, phase 2 of 2). Next: 1. write its report to \
    `.claude/tasks/1_login_task/artifacts/2-1v/tester_output.md`; 2. call the agent `bc-coordinator`.";
const UNBOUND: &str = "Task `1_login` was started, but no session works on it yet: call the agent `bc-coordinator` \
    first, which binds it to this session.";
const IS_BOUND: &str =
    "Task `1_login` is bound to this session now: its plan is `.claude/tasks/1_login_task/PLAN.md`.";

fn plan_at(path: &str) -> ProjectPath {
    ProjectPath::new(path).unwrap()
}

#[test]
fn a_worker_is_given_constraints_lessons_and_places_before_its_prompt() {
    let stage = bound(ON);
    stage.write(LESSONS, &(lesson("ℹ", "The port is 8080.") + &lesson("❌", "Never mock | the store.")));
    let expected = format!(
        "Constraints of this task, from `{PLAN}`:\nNo new dependencies.\n\nSmall functions.\n\nLessons of this task so far, \
         from `{LESSONS}`:\n- ❌ avoid: Never mock | the store.\n- ℹ️ fact: The port is 8080.\n\n{PLACE}\n\n{BOUNDARY}\n\nBuild \
         it."
    );
    assert_eq!(given(&stage, "java_developer", "Build it."), Some(expected));
}

#[test]
fn every_part_can_be_switched_off_or_be_missing() {
    let only_place = Some(format!("{PLACE}\n\n{BOUNDARY}\n\nBuild it."));
    let stage = bound(&format!("{ON}constraints = false\nknowledge = false\n"));
    stage.write(LESSONS, &lesson("❌", "Never mock the store."));
    assert_eq!(given(&stage, "java_developer", "Build it."), only_place);
    let stage = bound(&format!("{ON}constraints = false\ntokens = 3\n"));
    stage.write(LESSONS, &lesson("❌", "Never mock the store."));
    assert_eq!(given(&stage, "java_developer", "Build it."), only_place);
    let stage = bound(ON);
    stage.write(PLAN, "status: in progress\n\n## Phase 1\n\n- [x] a\n\n## Phase 2\n\n- [ ] b\n");
    assert_eq!(given(&stage, "java_developer", "Build it."), only_place);
}

#[test]
fn defect_24_a_role_gets_its_own_section() {
    let stage = bound(ON);
    let cases = [
        ("java_developer", true, false),
        ("devops", true, false),
        ("test_automator", false, true),
        ("qa_lead", false, true),
        ("contest", false, false),
    ];
    for (role, develops, tests) in cases {
        let text = given(&stage, role, "x").unwrap();
        let seen =
            (text.contains("No new"), text.contains("Small functions"), text.contains("Real database"));
        assert_eq!(seen, (true, develops, tests), "{role}");
    }
}

#[test]
fn defect_16_and_17_what_was_learned_last_is_given_within_the_budget() {
    let stage = bound(&format!("{ON}tokens = 24\nconstraints = false\n"));
    let all: String = [
        "Sockets leak without a timeout.",
        "Fonts load from the vendor folder.",
        "Uploads larger than 5 MB need chunks.",
        "Cookies expire at midnight UTC.",
        "Ledger rows are append only.",
        "The badge service speaks gRPC.",
    ]
    .map(|text| lesson("✅", text))
    .concat();
    stage.write(LESSONS, &all);
    let text = given(&stage, "developer", "x").unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(
        lines,
        ["- ✅ works: The badge service speaks gRPC.", "- ✅ works: Ledger rows are append only."]
    );
    assert!(text.contains(" (4 more there):"), "{text}");
}

#[test]
fn defect_19_handoff_notes_are_not_given_to_workers() {
    let stage = bound(&format!("{ON}constraints = false\n"));
    flyball_knowledge::lesson::append_handoff(&stage.machine(), &stage.path(LESSONS), "phase 2 of 2", "")
        .unwrap();
    assert!(!given(&stage, "developer", "x").unwrap().contains("Handoff"));
}

#[test]
fn defect_23_nothing_is_allowed_by_being_given() {
    let stage = bound(ON);
    let judgement = stage.judge_event(before("Agent", spawn("developer", "x")));
    assert!(judgement.merged.rewritten.is_some());
    assert_eq!((judgement.merged.stance, judgement.merged.reasons.len()), (Stance::Silent, 0));
}

#[test]
fn only_workers_of_the_sessions_own_task_are_given_anything() {
    let stage = bound(ON);
    for role in ["bc-coordinator", "brewcode:bc-knowledge-manager", "Explore", ""] {
        assert_eq!(given(&stage, role, "x"), None, "{role}");
    }
    let other = Event { session: SessionId::new("s2"), ..before("Agent", spawn("developer", "x")) };
    assert_eq!(stage.judge_event(other).merged.rewritten, None);
    assert_eq!(given(&started(ON), "developer", "x"), None, "nobody works on it");
    assert_eq!(given(&TestProject::new(ON), "developer", "x"), None, "no task at all");
    let own = bound(&format!("{ON}system_agents = ['developer']\n"));
    assert_eq!(given(&own, "developer", "x"), None);
    assert!(given(&own, "Explore", "x").is_some(), "a list of one's own replaces ours");
    assert_eq!(given(&own, "bc-coordinator", "x"), None, "a coordinator is not a worker");
}

#[test]
fn nothing_is_given_twice_nor_while_planning_nor_after_the_end() {
    let stage = bound(ON);
    let once = given(&stage, "developer", "x").unwrap();
    assert_eq!(given(&stage, "developer", &once), None);
    assert_eq!(given(&stage, "developer", &format!("Try again:\n{once}")), None);
    let planning =
        Event { permission_mode: Some(PermissionMode::Plan), ..before("Agent", spawn("developer", "x")) };
    assert_eq!(stage.judge_event(planning).merged.rewritten, None);
    stage.write(PLAN, &TEXT.replace("in progress", "finished"));
    assert_eq!(given(&stage, "developer", "x"), None);
    assert_eq!(stage.injected_context(back("developer", false)), "");
}

#[test]
fn long_constraints_end_with_a_line_and_say_so() {
    let stage = bound(ON);
    let rules: String = (0..1_000).map(|number| format!("Rule number {number}.\n")).collect();
    stage.write(
        PLAN,
        &format!("status: in progress\n<!-- ALL -->\n{rules}<!-- /ALL -->\n## Phase 1\n- [ ] a\n"),
    );
    let text = given(&stage, "developer", "x").unwrap();
    assert!(
        text.len() < 9_000 && text.contains(&format!(".\n(cut here; `{PLAN}` has the rest)\n")),
        "{text}"
    );
}

#[test]
fn two_steps_follow_a_worker_that_is_done() {
    let stage = bound(ON);
    assert_eq!(stage.injected_context(back("tester", false)), DONE);
    std::fs::create_dir_all(stage.root().join(FOLDER).join("artifacts/2-1e")).unwrap();
    std::fs::create_dir_all(stage.root().join(FOLDER).join("artifacts/2-2e")).unwrap();
    let injected = stage.injected_context(back("acme:developer", false));
    assert!(injected.contains(&format!("{FOLDER}/artifacts/2-2e/acme_developer_output.md")), "{injected}");
    assert_eq!(stage.injected_context(back("Explore", false)), "");
    let other = Event { session: SessionId::new("s2"), ..back("tester", false) };
    assert_eq!(stage.injected_context(other), "");
}

#[test]
fn without_a_coordinator_the_boxes_are_ticked() {
    let stage = bound(&format!("{ON}coordinators = []\n"));
    let expected = DONE.replace(
        "call the agent `bc-coordinator`.",
        &format!("tick the boxes that are done in `{PLAN}`; `flyball task status` shows what is open."),
    );
    assert_eq!(stage.injected_context(back("tester", false)), expected);
    let stage = started(&format!("{ON}coordinators = []\n"));
    let unbound = "Task `1_login` was started, but no session works on it yet: run `flyball task start 1_login` to bind it to this session.";
    assert_eq!(stage.injected_context(back("tester", false)), unbound);
}

#[test]
fn a_plan_in_progress_without_a_lock_is_to_be_started() {
    let stage = TestProject::new(&format!("{ON}coordinators = []\n"));
    stage.write(PLAN, TEXT);
    stage.write(".claude/TASK.md", &format!("{PLAN}\n"));
    let hint = stage.injected_context(back("tester", false));
    assert!(hint.contains("run `flyball task start 1_login`"), "{hint}");
    stage.write(PLAN, &TEXT.replace("in progress", "pending"));
    assert_eq!(stage.injected_context(back("tester", false)), "");
}

#[test]
fn defect_26_a_worker_that_failed_is_not_called_done() {
    let stage = bound(ON);
    let expected = format!(
        "TESTER failed (task `1_login`, phase 2 of 2). Next: retry it once; if that fails too, mark the phase failed in \
         `{PLAN}` and write no report."
    );
    assert_eq!(stage.injected_context(failed("tester", false)), expected);
    assert_eq!(stage.injected_context(failed("tester", true)), "", "a person stopped it");
    assert_eq!(stage.injected_context(failed("bc-coordinator", false)), "");
}

#[test]
fn the_coordinator_comes_first() {
    let stage = started(ON);
    assert_eq!(stage.injected_context(back("tester", false)), UNBOUND);
    assert_eq!(stage.injected_context(back("tester", true)), UNBOUND);
    assert_eq!(stage.injected_context(back("bc-coordinator", false)), IS_BOUND);
    assert_eq!(lock::bound_plan(&stage.machine(), ("test", "s1")).unwrap().as_deref(), Some(PLAN));
    assert_eq!(stage.injected_context(back("bc-coordinator", false)), "", "it is known");
    assert_eq!(stage.injected_context(back("tester", false)), DONE);
}

#[test]
fn the_coordinator_reports_a_task_of_another_session() {
    let stage = started(ON);
    lock::bind(&stage.machine(), &plan_at(PLAN), ("test", "another-session")).unwrap();
    let injected = stage.injected_context(back("brewcode:bc-coordinator", false));
    let start = "Task `1_login` is not bound to this session: session another- has worked on it since 20";
    assert!(
        injected.starts_with(start) && injected.ends_with("Z. To see all tasks, run `flyball task list`."),
        "{injected}"
    );
    assert_eq!(lock::bound_plan(&stage.machine(), ("test", "s1")).unwrap(), None);
    assert_eq!(stage.injected_context(back("tester", false)), "");
}

#[test]
fn a_coordinator_binds_only_a_task_that_was_started_and_is_open() {
    let stage = TestProject::new(ON);
    assert_eq!(stage.injected_context(back("bc-coordinator", false)), "");
    stage.write(PLAN, TEXT);
    stage.write(".claude/TASK.md", PLAN);
    assert_eq!(stage.injected_context(back("bc-coordinator", false)), "", "nobody started it");
    let finished = started(ON);
    finished.write(PLAN, &TEXT.replace("in progress", "finished"));
    assert_eq!(finished.injected_context(back("bc-coordinator", false)), "");
    assert_eq!(lock::bound_plan(&finished.machine(), ("test", "s1")).unwrap(), None);
    let watched = started("[task.agents]\nmode = 'observe'\n");
    assert_eq!(watched.injected_context(back("bc-coordinator", false)), "");
    assert_eq!(
        lock::bound_plan(&watched.machine(), ("test", "s1")).unwrap(),
        None,
        "observe mode changes nothing"
    );
}

#[test]
fn the_end_of_a_background_agent_is_reported_with_the_next_prompt() {
    let stage = bound(ON);
    assert_eq!(stage.injected_context(back("tester", true)), "", "it has only begun");
    assert_eq!(stage.injected_context(prompt()), "");
    assert_eq!(stage.injected_context(stop("tester")), "", "only the worker would see it");
    let expected = format!(
        "TESTER has ended in the background (task `1_login`, phase 2 of 2). Next, if it did its work: 1. write its report to \
         `{FOLDER}/artifacts/2-1v/tester_output.md`; 2. call the agent `bc-coordinator`. If it failed: retry it once; if that \
         fails too, mark the phase failed in `{PLAN}` and write no report."
    );
    assert_eq!(stage.injected_context(prompt()), expected);
    assert_eq!(stage.injected_context(prompt()), "", "once");
}

#[test]
fn a_worker_that_was_waited_for_is_reported_once() {
    let stage = bound(ON);
    assert_eq!(stage.injected_context(stop("tester")), "");
    assert_eq!(stage.injected_context(back("tester", false)), DONE);
    assert_eq!(stage.injected_context(prompt()), "");
}

#[test]
fn a_client_that_does_not_say_whether_it_waited_is_believed_when_the_agent_has_ended() {
    let stage = bound(ON);
    let back = || event(EventData::AfterTool { call: call("tester"), outcome: Outcome::default() });
    assert_eq!(stage.injected_context(back()), "");
    stage.injected_context(stop("tester"));
    assert_eq!(stage.injected_context(back()), DONE);
}

#[test]
fn a_coordinator_in_the_background_binds_when_it_ends() {
    let stage = started(ON);
    assert_eq!(stage.injected_context(back("bc-coordinator", true)), "");
    assert_eq!(
        lock::bound_plan(&stage.machine(), ("test", "s1")).unwrap(),
        None,
        "it may not have started the task yet"
    );
    assert_eq!(stage.injected_context(stop("bc-coordinator")), "");
    assert_eq!(lock::bound_plan(&stage.machine(), ("test", "s1")).unwrap().as_deref(), Some(PLAN));
    assert_eq!(stage.injected_context(prompt()), IS_BOUND);
    assert_eq!(stage.injected_context(prompt()), "");
}

#[test]
fn the_binding_of_an_awaited_coordinator_is_reported_at_its_end() {
    let stage = started(ON);
    assert_eq!(stage.injected_context(stop("bc-coordinator")), "");
    assert_eq!(stage.injected_context(back("bc-coordinator", false)), IS_BOUND);
    assert_eq!(stage.injected_context(prompt()), "");
}

#[test]
fn two_sessions_that_bind_at_once_do_not_both_win() {
    let stage = Arc::new(started(ON));
    let results: Vec<String> = std::thread::scope(|scope| {
        let run = |number: usize| {
            let stage = Arc::clone(&stage);
            scope.spawn(move || {
                let machine: Machine = stage.machine();
                let session = format!("racer{number}");
                match lock::bind(&machine, &plan_at(PLAN), ("test", &session)).unwrap() {
                    Binding::Bound => "bound".to_owned(),
                    _ => "taken".to_owned(),
                }
            })
        };
        let all: Vec<_> = (0..8).map(run).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(results.iter().filter(|result| *result == "bound").count(), 1, "{results:?}");
}

#[test]
fn unknown_settings_are_refused() {
    assert_eq!(problems("[task.agents]\ntokns = 5\n").len(), 1);
    assert_eq!(problems("[task.agents]\ntokens = -5\n").len(), 1);
}

#[test]
fn the_workers_that_a_client_has_everywhere_do_the_work_of_a_task() {
    let stage = bound(ON);
    let given = |client: &str, role: &str| {
        let event = Event { client: client.to_owned(), ..before("Agent", spawn(role, "Build it.")) };
        stage.judge_event(event).merged.rewritten
    };
    lock::release(&stage.machine(), &plan_at(PLAN), None).unwrap();
    for (client, role, source) in [
        ("claude-code", "general-purpose", "general-purpose"),
        ("claude-code", "", "general-purpose"),
        ("codex", "default", "default"),
        ("codex", "", "default"),
    ] {
        lock::bind(&stage.machine(), &plan_at(PLAN), (client, "s1")).unwrap();
        let text = given(client, role).unwrap_or_default();
        assert!(
            text.contains("No new dependencies.") && text.contains(&format!("--source {source}`.")),
            "{client} {role}: {text}"
        );
        lock::release(&stage.machine(), &plan_at(PLAN), None).unwrap();
    }
}

#[test]
fn a_coordinator_is_named_only_if_there_is_one() {
    let by_hand =
        format!("tick the boxes that are done in `{PLAN}`; `flyball task status` shows what is open.");
    let stage = bound(ON);
    std::fs::remove_file(stage.root().join(COORDINATOR)).unwrap();
    let text = stage.injected_context(back("tester", false));
    assert_eq!(text, DONE.replace("call the agent `bc-coordinator`.", &by_hand));
    // One of a plugin is known once it has run.
    stage.injected_context(back("brewcode:bc-coordinator", false));
    let text = stage.injected_context(back("tester", false));
    assert_eq!(text, DONE.replace("`bc-coordinator`", "`brewcode:bc-coordinator`"));
    // A file of any name may define it.
    let stage = bound(ON);
    std::fs::remove_file(stage.root().join(COORDINATOR)).unwrap();
    stage.write(".claude/agents/team/lead.md", "---\nname: bc-coordinator\n---\n");
    assert_eq!(stage.injected_context(back("tester", false)), DONE);
    let unbound = started(ON);
    std::fs::remove_file(unbound.root().join(COORDINATOR)).unwrap();
    assert!(!unbound.injected_context(back("tester", false)).contains("coordinator"));
}

#[test]
fn what_is_done_while_a_task_is_paused_is_not_work_on_it() {
    let stage = bound(ON);
    let pause = lock::Pause { at: flyball_core::time::Time::from_millis(1), text: "pause here".to_owned() };
    lock::pause(&stage.machine(), &plan_at(PLAN), &pause).unwrap();
    assert_eq!(given(&stage, "developer", "x"), None);
    assert_eq!(stage.injected_context(back("developer", false)), "");
    lock::resume(&stage.machine(), &plan_at(PLAN)).unwrap();
    assert!(given(&stage, "developer", "x").is_some());
}
