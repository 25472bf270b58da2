//! Stops of real sessions over real plans.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use flyball_core::engine::Judgement;
use flyball_core::event::{Agent, BackgroundWork, Event, Outcome, SessionId, Tool, ToolCall};
use flyball_core::path::ProjectPath;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_core::workshop::NoteChanges;
use flyball_core::world::{Clock, Notes};

use super::*;
use crate::test_project::TestProject;
use crate::testing::event;

const PLAN: &str = ".claude/tasks/20260209_search_task/PLAN.md";
const OPEN: &str = "status: in progress\n\n# Plan: Search\n\n### Phase 1: The index\n\n- [x] written\n\n### Phase 2: The query\n\n- [x] parsed\n- [ ] ranked\n- [ ] empty\n\n### Phase 2V: Verification\n\n- [ ] looked at\n";
const ON: &str = "[task.stop]\nmode = 'enforce'\n";

fn stage() -> TestProject {
    stage_with(ON)
}

fn stage_with(settings: &str) -> TestProject {
    let stage = TestProject::new(settings);
    stage.write(PLAN, OPEN);
    lock::bind(&stage.machine(), &plan_at(PLAN), ("test", "s1")).unwrap();
    stage
}

fn stop() -> Event {
    event(EventData::Stop(Stopping::default()))
}

fn stop_again() -> Event {
    event(EventData::Stop(Stopping { again: true, ..Stopping::default() }))
}

fn of_session(session: &str, event: Event) -> Event {
    Event { session: SessionId::new(session), ..event }
}

fn tool() -> Event {
    let tool = Tool::Shell { command: "true".to_owned(), background: false };
    let call = ToolCall { id: None, name: "Bash".to_owned(), tool, input: "{}".to_owned() };
    event(EventData::AfterTool { call, outcome: Outcome::default() })
}

fn prompt(by_machine: bool) -> Event {
    event(EventData::PromptSubmit { text: "go on".to_owned(), by_machine })
}

/// Whether the agent is blocked, and the notices for the user.
fn seen(judgement: &Judgement) -> (bool, Vec<String>) {
    (judgement.merged.stance == Stance::Deny, judgement.merged.notices.clone())
}

fn happens(stage: &TestProject, event: Event) -> (bool, Vec<String>) {
    seen(&stage.judge_event(event))
}

fn free() -> (bool, Vec<String>) {
    (false, vec![])
}

fn blocked() -> (bool, Vec<String>) {
    (true, vec![])
}

fn is_bound(stage: &TestProject) -> bool {
    lock::bound_plan(&stage.machine(), ("test", "s1")).unwrap().is_some()
}

const RELEASED: &str = "the agent stopped while task `20260209_search` is open: phase 2 of 2, `Phase 2: The query`; open: ranked; empty. To continue, send a prompt; to end it, run `flyball task finish`, `cancel` or `release 20260209_search`";

fn plan_at(path: &str) -> ProjectPath {
    ProjectPath::new(path).unwrap()
}

#[test]
fn an_open_task_blocks_and_shows_what_is_next() {
    let judgement = stage().judge_event(stop());
    let text: Vec<String> = judgement.merged.reasons.iter().map(|denial| denial.reason.text()).collect();
    assert_eq!(
        text,
        [
            "Continue task `20260209_search`: it is in progress, phase 2 of 2, `Phase 2: The query`. Open in this phase:\n- ranked\n- empty\nTick what is done in `.claude/tasks/20260209_search_task/PLAN.md`; set its status to `finished` when all phases are complete, or to `failed` if it cannot be done. If only the user can help, say what you need and stop again: you will be blocked 2 more times, then released"
        ]
    );
}

#[test]
fn an_idle_agent_is_released_and_the_user_notified_once() {
    let stage = stage();
    for _ in 0..3 {
        assert_eq!(happens(&stage, stop_again()), blocked());
    }
    assert_eq!(happens(&stage, stop_again()), (false, vec![RELEASED.to_owned()]));
    assert_eq!(happens(&stage, stop()), free());
    assert_eq!(happens(&stage, prompt(true)), free());
    assert_eq!(happens(&stage, stop()), free());
    assert!(is_bound(&stage));
    assert_eq!(stage.read(PLAN), OPEN);
    // After the user's next prompt it is blocked again.
    assert_eq!(happens(&stage, prompt(false)), free());
    assert_eq!(happens(&stage, stop()), blocked());
}

#[test]
fn an_agent_that_works_is_blocked_longer_but_not_forever() {
    let stage = stage();
    for round in 0..12 {
        assert_eq!(happens(&stage, stop_again()), blocked(), "{round}");
        happens(&stage, tool());
    }
    assert_eq!(happens(&stage, stop_again()), (false, vec![RELEASED.to_owned()]));
}

#[test]
fn a_changed_plan_and_a_new_artifact_are_progress() {
    let stage = stage();
    for _ in 0..3 {
        assert_eq!(happens(&stage, stop_again()), blocked());
    }
    stage.write(PLAN, &OPEN.replace("[ ] ranked", "[x] ranked"));
    for _ in 0..3 {
        assert_eq!(happens(&stage, stop_again()), blocked());
    }
    stage.write(".claude/tasks/20260209_search_task/artifacts/2-1e/summary.md", "done");
    for _ in 0..3 {
        assert_eq!(happens(&stage, stop_again()), blocked());
    }
    assert!(!happens(&stage, stop_again()).0);
}

#[test]
fn an_agent_that_waits_for_others_may_stop() {
    let stage = stage();
    let work = BackgroundWork {
        id: "b1".to_owned(),
        kind: "subagent".to_owned(),
        description: String::new(),
        command: String::new(),
    };
    let stopping = Stopping { background: vec![work], ..Stopping::default() };
    assert_eq!(happens(&stage, event(EventData::Stop(stopping))), free());
    let agent = Some(Agent { id: "a1".to_owned(), role: "dev".to_owned() });
    let stopping = EventData::AgentStop { stopping: Stopping::default(), transcript: None };
    assert_eq!(happens(&stage, Event { agent, ..event(stopping) }), free());
    assert_eq!(happens(&stage, stop()), blocked());
}

#[test]
fn a_task_that_has_ended_releases_its_lock_and_is_reported() {
    let done = OPEN.replace("[ ]", "[x]");
    let cases = [
        (done.replace("in progress", "finished"), "task `20260209_search` is over: finished"),
        (
            done.replace("in progress", "failed"),
            "task `20260209_search` is over: failed, all phases are complete",
        ),
        ("status: \"Cancelled\"\n".to_owned(), "task `20260209_search` is over: cancelled, it has no phases"),
    ];
    for (text, notice) in cases {
        let stage = stage();
        stage.write(PLAN, &text);
        assert_eq!(happens(&stage, stop()), (false, vec![notice.to_owned()]));
        assert!(!is_bound(&stage));
        assert!(stage.read(&plan::sibling_path(&plan_at(PLAN), ".lock")).contains("released_at"));
        assert_eq!(happens(&stage, stop()), free());
        assert_eq!(stage.read(PLAN), text);
    }
}

#[test]
fn lessons_are_pointed_to_at_the_end() {
    let stage = stage();
    stage.write(&plan::lessons_path(&plan_at(PLAN)), "{}\n");
    stage.write(PLAN, "status: finished\n");
    let notice = "task `20260209_search` is over: finished; run `flyball knowledge promote` to turn its lessons into rules";
    assert_eq!(happens(&stage, stop()), (false, vec![notice.to_owned()]));
}

#[test]
fn a_plan_that_contradicts_itself_blocks_once() {
    let stage = stage();
    stage.write(PLAN, &OPEN.replace("in progress", "finished"));
    let judgement = stage.judge_event(stop());
    assert_eq!(
        judgement.merged.reasons.iter().map(|denial| denial.reason.text()).collect::<Vec<_>>(),
        [
            "Tick what is done, or set the status of task `20260209_search` back to `in progress` and finish it: its plan `.claude/tasks/20260209_search_task/PLAN.md` says `finished`, but phase 2 has 2 open items, phase 2V has 1 open item. If the plan is right, stop again: you will be released"
        ]
    );
    assert!(is_bound(&stage));
    let notice = "task `20260209_search` is over: finished, although phase 2 has 2 open items, phase 2V has 1 open item";
    assert_eq!(happens(&stage, stop_again()), (false, vec![notice.to_owned()]));
    assert!(!is_bound(&stage));
}

#[test]
fn a_task_is_not_given_up_without_an_explanation() {
    let cases = [
        ("failed", "If it cannot be done, say why and stop again: you will be released"),
        ("error", "If it cannot be done, say why and stop again: you will be released"),
        (
            "cancelled",
            "Only a person cancels a task. If one did, say so and stop again: you will be released",
        ),
    ];
    for (word, why) in cases {
        let stage = stage();
        stage.write(PLAN, &OPEN.replace("in progress", word));
        let reason = stage.judge_event(stop()).merged.reasons.first().unwrap().reason.clone();
        assert_eq!(
            reason.what,
            format!(
                "its plan `{PLAN}` says `{word}`, but phase 2 has 2 open items, phase 2V has 1 open item"
            )
        );
        assert_eq!(reason.why, why);
        assert!(is_bound(&stage));
        let notice = format!("task `20260209_search` is over: {word} in phase 2 of 2, `Phase 2: The query`");
        assert_eq!(happens(&stage, stop_again()), (false, vec![notice]));
        assert!(!is_bound(&stage));
    }
}

#[test]
fn a_missing_or_unreadable_plan_does_not_block_and_stays_bound() {
    let stage = stage();
    fs::remove_file(stage.root().join(PLAN)).unwrap();
    let notice = format!(
        "task `20260209_search` does not block the agent: its plan `{PLAN}` does not exist. Nothing was changed; to release the task, run `flyball task release 20260209_search`"
    );
    assert_eq!(happens(&stage, stop()), (false, vec![notice]));
    assert_eq!(happens(&stage, stop()), free());
    fs::write(stage.root().join(PLAN), [0xff, 0xfe]).unwrap();
    let (is_blocked, notices) = happens(&stage, stop());
    assert!(!is_blocked && notices.len() == 1 && notices[0].contains("is not valid UTF-8"), "{notices:?}");
    assert!(is_bound(&stage));
}

#[test]
fn observe_mode_changes_nothing() {
    let stage = stage_with("[task.stop]\nmode = 'observe'\n");
    stage.write(PLAN, "status: finished\n");
    assert_eq!(happens(&stage, stop()), free());
    assert!(is_bound(&stage));
}

#[test]
fn max_holds_of_0_never_blocks() {
    let stage = stage_with("[task.stop]\nmode = 'enforce'\nmax_holds = 0\n");
    assert_eq!(happens(&stage, stop()), (false, vec![RELEASED.to_owned()]));
    assert_eq!(happens(&stage, stop()), free());
}

#[test]
fn every_event_of_the_session_keeps_it_alive() {
    for event in [tool(), prompt(false), stop()] {
        let stage = stage();
        let long_ago = stage.machine().now() - Duration::from_hours(48);
        age(&stage, long_ago);
        stage.judge_event(of_session("other", event.clone()));
        assert_eq!(heard_at(&stage), long_ago);
        stage.judge_event(event);
        assert!(heard_at(&stage) > long_ago + Duration::from_hours(47));
    }
}

fn age(stage: &TestProject, at: Time) {
    let change = &mut |text: Option<&str>| {
        let mut locks = lock::parse(text.unwrap())?;
        let lock = locks.0.get_mut(PLAN).unwrap();
        lock.started_at = at;
        let holder = lock.holder.as_mut().unwrap();
        (holder.bound_at, holder.heard_at) = (at, at);
        Ok(Some(serde_json::to_string(&locks).unwrap()))
    };
    stage.machine().change_note(lock::NOTE, change).unwrap();
}

fn heard_at(stage: &TestProject) -> Time {
    lock::read_all(&stage.machine()).unwrap().0[PLAN].holder.as_ref().unwrap().heard_at
}

#[test]
fn a_session_with_two_tasks_is_blocked_for_both() {
    let stage = stage();
    let second = ".claude/tasks/20260210_tiny_task/PLAN.md";
    stage.write(second, "status: pending\n\n## Phase 1: x\n\n- [ ] y\n");
    lock::bind(&stage.machine(), &plan_at(second), ("test", "s1")).unwrap();
    assert_eq!(stage.judge_event(stop()).merged.reasons.len(), 2);
    stage.write(second, "status: finished\n");
    let (is_blocked, notices) = happens(&stage, stop_again());
    assert!(is_blocked);
    assert_eq!(notices, ["task `20260210_tiny` is over: finished"]);
}

#[test]
fn defect_01_a_stop_does_not_touch_a_task_that_nobody_is_bound_to() {
    let stage = TestProject::new(ON);
    stage.write(PLAN, OPEN);
    lock::start(&stage.machine(), &plan_at(PLAN), None, lock::ORPHANED_AFTER).unwrap();
    let before =
        (lock::read_all(&stage.machine()).unwrap(), stage.read(&plan::sibling_path(&plan_at(PLAN), ".lock")));
    assert_eq!(happens(&stage, stop()), free());
    assert_eq!(happens(&stage, of_session("other", stop())), free());
    assert_eq!(
        (lock::read_all(&stage.machine()).unwrap(), stage.read(&plan::sibling_path(&plan_at(PLAN), ".lock"))),
        before
    );
}

#[test]
fn another_session_is_not_blocked_and_changes_nothing() {
    let mut stage = stage();
    stage.write(PLAN, "status: finished\n");
    stage.memory = Arc::default();
    assert_eq!(happens(&stage, of_session("other", stop())), free());
    assert!(is_bound(&stage));
}

#[test]
fn defect_04_a_task_is_not_released_for_its_age() {
    let stage = stage();
    age(&stage, stage.machine().now() - Duration::from_hours(240));
    assert_eq!(happens(&stage, of_session("other", stop())), free());
    assert_eq!(happens(&stage, stop()), blocked());
    assert!(is_bound(&stage));
}

#[test]
fn defect_06_another_active_task_does_not_free_the_agent() {
    let stage = stage();
    let second = ".claude/tasks/20260210_tiny_task/PLAN.md";
    stage.write(second, "status: finished\n");
    stage.write(".claude/TASK.md", second);
    assert_eq!(happens(&stage, stop()), blocked());
    fs::remove_file(stage.root().join(".claude/TASK.md")).unwrap();
    assert_eq!(happens(&stage, stop_again()), blocked());
}

#[test]
fn defect_08_an_agent_that_was_blocked_before_is_blocked_again() {
    let stage = stage();
    assert_eq!(happens(&stage, stop()), blocked());
    assert_eq!(happens(&stage, stop_again()), blocked());
}

#[test]
fn a_damaged_note_is_reported_and_does_not_block() {
    let stage = stage();
    stage.machine().change_note(lock::NOTE, &mut |_| Ok(Some("{half".to_owned()))).unwrap();
    let (is_blocked, notices) = happens(&stage, stop());
    assert!(
        !is_blocked && notices.iter().any(|notice| notice.contains("invalid task locks of this project")),
        "{notices:?}"
    );
    assert_eq!(stage.machine().project_note(lock::NOTE).unwrap().as_deref(), Some("{half"));
}

#[test]
fn unreadable_locks_are_reported_at_the_stop_only() {
    let stage = stage();
    stage.machine().change_note(lock::NOTE, &mut |_| Ok(Some("{".to_owned()))).unwrap();
    assert_eq!(happens(&stage, tool()), free());
    let (is_blocked, notices) = happens(&stage, stop());
    assert!(
        !is_blocked && notices.len() == 1 && notices[0].contains("`flyball task release`"),
        "{notices:?}"
    );
}

#[test]
fn a_plan_of_the_client_is_not_held() {
    use flyball_core::event::PermissionMode;
    let stage = stage();
    let planning = Event { permission_mode: Some(PermissionMode::Plan), ..stop() };
    assert_eq!(seen(&stage.judge_event(planning)), (false, Vec::new()));
    assert!(seen(&stage.judge_event(stop())).0);
}

fn written(text: &str) -> Event {
    event(EventData::PromptSubmit { text: text.to_owned(), by_machine: false })
}

fn is_paused(stage: &TestProject) -> bool {
    lock::read(&stage.machine(), &plan_at(PLAN)).unwrap().is_some_and(|lock| lock.paused.is_some())
}

#[test]
fn a_person_who_says_so_pauses_the_task_until_they_say_to_continue() {
    let stage = stage();
    assert_eq!(happens(&stage, stop()), blocked());
    let judgement = stage.judge_event(written("Good work. Let's pause here for today."));
    assert_eq!(
        (judgement.merged.context.text.as_str(), judgement.merged.notices.as_slice()),
        (
            "Task `20260209_search` is paused, as the user asked: do not work on it until the user says to continue. You may stop; what is done can still be ticked in the plan.",
            &["Task `20260209_search` is paused: the agent may stop. To resume, write `continue`, or run `flyball task resume`".to_owned()][..]
        )
    );
    assert_eq!(judgement.merged.stance, Stance::Silent);
    for _ in 0..5 {
        assert_eq!(happens(&stage, stop()), free());
    }
    // Another prompt is about something else.
    assert_eq!(happens(&stage, written("What does the index cost?")), free());
    assert_eq!(happens(&stage, stop()), free());
    assert!(is_bound(&stage) && is_paused(&stage));
    let pause = lock::read(&stage.machine(), &plan_at(PLAN)).unwrap().unwrap().paused.unwrap();
    assert_eq!(pause.text, "Good work. Let's pause here for today.");
    let judgement = stage.judge_event(written("OK, continue."));
    let context = format!("Task `20260209_search` is no longer paused: continue by the plan `{PLAN}`.");
    assert_eq!(judgement.merged.context.text, context);
    assert_eq!(happens(&stage, stop()), blocked());
}

#[test]
fn only_a_person_in_this_session_pauses_its_task() {
    let stage = stage();
    let by_machine = event(EventData::PromptSubmit { text: "pause here".to_owned(), by_machine: true });
    assert_eq!(happens(&stage, by_machine), free());
    let agent = Some(Agent { id: "a1".to_owned(), role: "dev".to_owned() });
    assert_eq!(happens(&stage, Event { agent, ..written("pause here") }), free());
    assert_eq!(happens(&stage, of_session("other", written("pause here"))), free());
    assert_eq!(happens(&stage, written("Is the pause here too long?")), free());
    assert_eq!(happens(&stage, stop()), blocked());
    let watched = stage_with("[task.stop]\nmode = 'observe'\n");
    watched.judge_event(written("pause here"));
    assert!(!is_paused(&watched));
}

#[test]
fn a_task_that_is_finished_while_it_is_paused_ends() {
    let stage = stage();
    stage.judge_event(written("pause here"));
    stage.write(PLAN, &OPEN.replace("[ ]", "[x]").replace("in progress", "finished"));
    assert_eq!(happens(&stage, stop()), (false, vec!["task `20260209_search` is over: finished".to_owned()]));
    assert!(!is_bound(&stage));
}

fn in_background(id: &str, kind: &str, command: &str) -> BackgroundWork {
    BackgroundWork {
        id: id.to_owned(),
        kind: kind.to_owned(),
        description: "run it".to_owned(),
        command: command.to_owned(),
    }
}

fn waits(background: Vec<BackgroundWork>) -> Event {
    let stopping = Stopping { background, lists_background: true, ..Stopping::default() };
    event(EventData::Stop(stopping))
}

#[test]
fn an_agent_is_not_blocked_while_its_command_runs_in_the_background() {
    let stage = stage();
    for kind in ["shell", "monitor", "workflow", "something new"] {
        assert_eq!(happens(&stage, waits(vec![in_background("b1", kind, "make test")])), free(), "{kind}");
    }
    assert_eq!(happens(&stage, waits(vec![])), blocked());
    assert_eq!(happens(&stage, waits(vec![in_background("b2", "shell", "make test")])), free());
}

#[test]
fn a_command_that_never_ends_is_not_waited_for_forever() {
    let stage = stage_with(&format!("{ON}background = '0s'\n"));
    let server = || waits(vec![in_background("b1", "shell", "make serve")]);
    assert_eq!(happens(&stage, server()), free());
    // The clock has to have moved on from the millisecond of the first stop.
    let began = stage.machine().now();
    while stage.machine().now() <= began {}
    assert_eq!(happens(&stage, server()), blocked());
    let both =
        waits(vec![in_background("b1", "shell", "make serve"), in_background("b2", "shell", "make test")]);
    assert_eq!(happens(&stage, both), free(), "a new one is waited for");
}

#[test]
fn the_lock_of_another_tool_blocks_too() {
    let stage = TestProject::new(ON);
    stage.write(PLAN, OPEN);
    stage.write(".claude/TASK.md", &format!("{PLAN}\n"));
    let lock = format!(
        r#"{{"task_path":"{PLAN}","started_at":"2026-02-09T12:00:00.000Z","session_id":"s1","bound_at":"2026-02-09T12:01:00.000Z"}}"#
    );
    stage.write(".claude/tasks/20260209_search_task/.lock", &lock);
    assert_eq!(happens(&stage, of_session("other", stop())), free());
    assert_eq!(happens(&stage, stop()), blocked());
    assert!(is_bound(&stage));
    assert_eq!(lock::read_all(&stage.machine()).unwrap().0.len(), 1);
}

#[test]
fn a_phase_that_is_verified_is_counted_once() {
    let stage = stage();
    stage.write(PLAN, &OPEN.replace("[ ] ranked", "[x] ranked").replace("[ ] empty", "[x] empty"));
    let reason = stage.judge_event(stop()).merged.reasons.first().unwrap().reason.clone();
    assert_eq!(reason.what, "it is in progress, phase 2 of 2 (verification), `Phase 2V: Verification`");
}
