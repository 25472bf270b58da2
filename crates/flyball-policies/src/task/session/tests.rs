//! What survives a compaction, what is reported to a new session, and which plan is linked.

use std::fs;
use std::os::unix::fs::symlink;

use flyball_core::event::{Agent, CompactTrigger, Event, SessionId};
use flyball_core::path::{AbsolutePath, ProjectPath};
use flyball_core::time::Time;
use flyball_core::workshop::NoteChanges;
use flyball_core::world::{Clock, Files};
use flyball_knowledge::lesson;

use super::*;
use crate::test_project::TestProject;
use crate::testing::event;

const PATH: &str = ".claude/tasks/20260209_search_task/PLAN.md";
const LESSONS: &str = ".claude/tasks/20260209_search_task/KNOWLEDGE.jsonl";
const OURS: (&str, &str) = ("test", "s1");

const PLAN: &str = "\
---
status: in progress
---
# Plan: Search

## Decisions

- SQLite, because it is there

## Phase 1: The index
- [x] tables

## Phase 2: The query
- [x] parser
- [ ] ranking
- [ ] empty query

## Phase 3: The page
- [ ] form
";

fn start(source: &str) -> Event {
    event(EventData::SessionStart { source: source.to_owned() })
}

fn compact() -> Event {
    event(EventData::BeforeCompact { trigger: CompactTrigger::Auto, instructions: String::new() })
}

fn staged(plan: &str) -> TestProject {
    let stage = TestProject::new("[task.session]\nmode = 'enforce'\n");
    stage.write(PATH, plan);
    stage.write(".claude/TASK.md", &format!("{PATH}\n"));
    stage
}

fn bind(stage: &TestProject) {
    lock::start(&stage.machine(), &plan_at(PATH), Some(OURS), lock::ORPHANED_AFTER).unwrap();
}

/// The context for the model and the notices for the user.
fn output(stage: &TestProject, event: Event) -> (String, Vec<String>) {
    let merged = stage.judge_event(event).merged;
    (merged.context.text, merged.notices)
}

fn silence() -> (String, Vec<String>) {
    (String::new(), vec![])
}

fn lessons(stage: &TestProject) -> Vec<(lesson::Kind, String)> {
    let all = lesson::parse(&stage.read(LESSONS));
    all.into_iter().map(|lesson| (lesson.kind, lesson.text)).collect()
}

const HANDED: &str =
    "This session works on the task \"Search\" by the plan `.claude/tasks/20260209_search_task/PLAN.md`: \
handoff, phase 2 of 3.
The current phase is 2 (The query); open in it:
- ranking
- empty query
After it: 3 (The page).
Decisions so far:
- SQLite, because it is there";

fn plan_at(path: &str) -> ProjectPath {
    ProjectPath::new(path).unwrap()
}

#[test]
fn a_bound_task_is_handed_over_and_resumed() {
    let stage = staged(PLAN);
    bind(&stage);
    let notices = vec![
        "compact handoff, phase 2 of 3".to_owned(),
        "phase 2 has no report in the task's artifacts yet".to_owned(),
    ];
    assert_eq!(output(&stage, compact()), (HANDED.to_owned(), notices));
    assert_eq!(stage.read(PATH), PLAN.replace("status: in progress", "status: handoff"));
    let note = "Handoff at phase 2 of 3: The query. Open: ranking; empty query";
    assert_eq!(lessons(&stage), [(lesson::Kind::Handoff, note.to_owned())]);

    stage.write(
        LESSONS,
        &(stage.read(LESSONS)
            + "{\"ts\":\"2026-02-09T12:00:00.000Z\",\"t\":\"❌\",\"txt\":\"LIKE is slow on the title.\"}\n"),
    );
    let (text, notices) = output(&stage, start("compact"));
    let head = HANDED.replace("handoff, phase", "in progress, phase");
    let rest = text.strip_prefix(&head).unwrap_or_else(|| panic!("{text}"));
    assert!(
        rest.starts_with(&format!("\nNote from before the compaction: {note}\nLessons of this task:\n")),
        "{rest}"
    );
    assert!(rest.contains("LIKE is slow on the title."), "{rest}");
    assert_eq!(notices, ["task 20260209_search resumed after the compaction, phase 2 of 3"]);
    assert_eq!(stage.read(PATH), PLAN);
}

#[test]
fn a_compaction_that_is_prepared_twice_leaves_one_note() {
    let stage = staged(PLAN);
    bind(&stage);
    stage.write(".claude/tasks/20260209_search_task/artifacts/2-1e/summary.md", "x");
    for _ in 0..2 {
        assert_eq!(output(&stage, compact()).1, ["compact handoff, phase 2 of 3"]);
    }
    assert_eq!(lessons(&stage).len(), 1);
}

#[test]
fn defect_15_a_task_that_has_ended_is_not_handed_over() {
    for status in ["finished", "cancelled", "failed", "error", "Failed", "\"finished\""] {
        let text = PLAN.replace("in progress", status);
        let stage = staged(&text);
        bind(&stage);
        assert_eq!(output(&stage, compact()), silence(), "{status}");
        assert_eq!(output(&stage, start("compact")), silence(), "{status}");
        assert_eq!((stage.read(PATH), stage.read(LESSONS)), (text, String::new()), "{status}");
    }
}

#[test]
fn a_custom_status_stays() {
    let text = PLAN.replace("in progress", "waiting for the bank");
    let stage = staged(&text);
    bind(&stage);
    let (context, notices) = output(&stage, compact());
    assert!(context.contains("PLAN.md`: waiting for the bank, phase 2 of 3."), "{context}");
    assert_eq!(notices.first().map(String::as_str), Some("compact handoff, phase 2 of 3"));
    assert_eq!(stage.read(PATH), text);
}

#[test]
fn only_the_session_that_is_bound_hands_over() {
    let stage = staged(PLAN);
    assert_eq!(output(&stage, compact()), silence(), "nobody is bound");
    lock::start(&stage.machine(), &plan_at(PATH), Some(("test", "other")), lock::ORPHANED_AFTER).unwrap();
    assert_eq!(output(&stage, compact()), silence(), "another one is");
    assert_eq!(output(&stage, start("compact")), silence());
    let stage = staged(PLAN);
    bind(&stage);
    let agent = Some(Agent { id: "a1".to_owned(), role: "developer".to_owned() });
    assert_eq!(output(&stage, Event { agent, ..compact() }), silence(), "a subagent's context is its own");
    assert_eq!(stage.read(PATH), PLAN);
}

#[test]
fn observing_changes_nothing() {
    let stage = TestProject::new("[task.session]\nmode = 'observe'\n");
    stage.write(PATH, PLAN);
    bind(&stage);
    assert_eq!(output(&stage, compact()), silence());
    assert_eq!((stage.read(PATH), stage.read(LESSONS)), (PLAN.to_owned(), String::new()));
}

#[test]
fn the_context_stays_within_its_limit() {
    let items: String = (0..500).map(|number| format!("- [ ] item {number} with a few words\n")).collect();
    let stage = staged(&format!("status: in progress\n# Plan: Long\n\n## Phase 1: All\n{items}"));
    bind(&stage);
    let (text, _) = output(&stage, compact());
    assert!(flyball_knowledge::tokens::estimate(&text) < 850, "{}", text.len());
    let last = text.lines().last().unwrap_or_default().to_owned();
    assert!(
        last.ends_with("more lines were left out; `.claude/tasks/20260209_search_task/PLAN.md` has them)"),
        "{last}"
    );
}

#[test]
fn lessons_are_shortened_and_very_many_are_left_to_a_person() {
    let line = |number: usize| {
        format!(
            "{{\"ts\":\"2026-02-09T12:00:00.000Z\",\"t\":\"✅\",\"txt\":\"The table t{number} has column c{number} of kind k{number}.\"}}\n"
        )
    };
    let stage = staged(PLAN);
    bind(&stage);
    stage.write(LESSONS, &(0..300).map(line).collect::<String>());
    output(&stage, compact());
    let remaining = lessons(&stage).into_iter().filter(|(kind, _)| *kind != lesson::Kind::Handoff).count();
    assert!(remaining <= 100, "{remaining}");
    let stage = staged(PLAN);
    bind(&stage);
    let many = line(1).repeat(50_000);
    stage.write(LESSONS, &many);
    let (_, notices) = output(&stage, compact());
    let notice = "the task has very many lessons; to shorten them, run `flyball knowledge compact`";
    assert!(notices.contains(&notice.to_owned()), "{notices:?}");
    assert!(stage.read(LESSONS).starts_with(&many));
}

#[test]
fn an_open_task_that_nobody_works_on_is_reported_and_not_started() {
    let line = "`.claude/tasks/20260209_search_task/PLAN.md` is an open task (phase 2 of 3) that no session \
                works on; to start it, run `flyball task start`";
    let waiting = (line.to_owned(), vec![line.to_owned()]);
    for source in ["startup", "clear"] {
        let stage = staged(PLAN);
        assert_eq!(output(&stage, start(source)), waiting, "{source}");
        assert_eq!(lock::bound_plan(&stage.machine(), OURS).unwrap(), None, "{source}");
    }
    let stage = staged(PLAN);
    lock::start(&stage.machine(), &plan_at(PATH), Some(("test", "other")), lock::ORPHANED_AFTER).unwrap();
    assert_eq!(output(&stage, start("startup")), silence(), "another session works on it");
    let long_ago = lock::Holder {
        client: "test".to_owned(),
        session: "other".to_owned(),
        bound_at: Time::from_millis(1),
        heard_at: Time::from_millis(1),
        has_ended: false,
    };
    let locks = lock::Locks(
        [(
            plan_at(PATH),
            lock::Lock { started_at: Time::from_millis(1), holder: Some(long_ago), paused: None },
        )]
        .into(),
    );
    let note = serde_json::to_string(&locks).unwrap();
    stage.machine().change_note(lock::NOTE, &mut |_| Ok(Some(note.clone()))).unwrap();
    assert_eq!(output(&stage, start("startup")), waiting, "it was silent for a day");
    let stage = staged(PLAN);
    lock::start(&stage.machine(), &plan_at(PATH), Some(OURS), lock::ORPHANED_AFTER).unwrap();
    assert_eq!(output(&stage, event(EventData::SessionEnd { reason: "clear".to_owned() })), silence());
    let next = Event { session: SessionId::new("s2"), ..start("clear") };
    assert_eq!(output(&stage, next), waiting, "its session has ended");
    assert_eq!(lock::bound_plan(&stage.machine(), OURS).unwrap().as_deref(), Some(PATH), "and keeps it");
    assert!(output(&stage, start("resume")).0.starts_with("This session works on the task"));
    let next = Event { session: SessionId::new("s2"), ..start("startup") };
    assert_eq!(output(&stage, next), silence(), "it was resumed");
    let stage = staged(&PLAN.replace("in progress", "finished"));
    assert_eq!(output(&stage, start("startup")), silence(), "it is over");
    let stage = TestProject::new("[task.session]\nmode = 'enforce'\n");
    assert_eq!(output(&stage, start("startup")), silence(), "there is none");
}

const LATEST: &str = ".claude/plans/LATEST.md";

/// A folder of plans that all projects share.
struct Plans(tempfile::TempDir);

impl Plans {
    fn new() -> Plans {
        Plans(tempfile::tempdir().unwrap())
    }

    fn stage(&self) -> TestProject {
        TestProject::new(&format!("[task.session]\nmode = 'enforce'\nplans = '{}'\n", self.folder()))
    }

    fn folder(&self) -> String {
        self.0.path().canonicalize().unwrap().to_string_lossy().into_owned()
    }

    fn write(&self, name: &str, text: &str) -> AbsolutePath {
        let path = AbsolutePath::from_root(self.folder()).join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

fn target(stage: &TestProject) -> Option<AbsolutePath> {
    fs::read_link(stage.path(LATEST)).ok().map(|path| AbsolutePath::from_path(&path))
}

#[test]
fn a_plan_that_was_accepted_is_linked_and_found_again_after_a_compaction() {
    let plans = Plans::new();
    let stage = plans.stage();
    let plan =
        plans.write("brave-fox.md", &format!("Edit {}/src/a.rs.\n", stage.path("").trim_end_matches('/')));
    let notice = "`.claude/plans/LATEST.md` links to the accepted plan brave-fox.md";
    assert_eq!(output(&stage, start("clear")), (String::new(), vec![notice.to_owned()]));
    assert_eq!(target(&stage), Some(plan.clone()));
    let text = format!("The plan of this session is `{plan}`; the summary may not contain all of it.");
    assert_eq!(output(&stage, start("compact")), (text, vec![]));
    fs::remove_file(&plan).unwrap();
    let text = format!(
        "The plan of this session was `{plan}`, which no longer exists; the original request still applies."
    );
    assert_eq!(output(&stage, start("compact")), (text, vec![]));
}

#[test]
fn a_plan_that_the_transcript_names_is_found_again_and_nothing_is_guessed() {
    let plans = Plans::new();
    let stage = plans.stage();
    let plan = plans.write("old.md", "x");
    plans.write("newer.md", "x");
    assert_eq!(output(&stage, start("compact")), silence(), "nothing says which plan it was");
    stage.write("transcript", &format!("{{\"planFilePath\":\"{plan}\"}}\n"));
    let transcript = Some(stage.path("transcript"));
    let text = format!("The plan of this session is `{plan}`; the summary may not contain all of it.");
    assert_eq!(output(&stage, Event { transcript, ..start("compact") }), (text, vec![]));
}

#[test]
fn defect_25_a_file_of_the_users_own_is_never_replaced() {
    let plans = Plans::new();
    let stage = plans.stage();
    plans.write("a.md", &stage.path("src"));
    stage.write(LATEST, "mine\n");
    let notice = "`.claude/plans/LATEST.md` is not a flyball link, so it was left unchanged";
    assert_eq!(output(&stage, start("clear")), (String::new(), vec![notice.to_owned()]));
    assert_eq!(stage.read(LATEST), "mine\n");
    let stage = plans.stage();
    plans.write("b.md", &stage.path("src"));
    stage.write("docs/plan.md", "mine\n");
    fs::create_dir_all(stage.path(".claude/plans")).unwrap();
    symlink(stage.path("docs/plan.md"), stage.path(LATEST)).unwrap();
    assert_eq!(output(&stage, start("clear")).1, [notice]);
    assert_eq!(target(&stage), Some(stage.path("docs/plan.md")));
}

#[test]
fn defect_25_the_plan_of_another_project_is_not_linked() {
    let plans = Plans::new();
    let stage = plans.stage();
    let root = stage.path("").trim_end_matches('/').to_owned();
    plans.write("other.md", "Edit /home/dev/other/src/a.rs and src/main.rs.\n");
    plans.write("sibling.md", &format!("Edit {root}-2/src/a.rs.\n"));
    assert_eq!(output(&stage, start("clear")), silence());
    assert_eq!(target(&stage), None);
    let ours = plans.write("ours.md", &format!("Work in {root}.\n"));
    plans.write("newer.md", "Edit /home/dev/other/src/a.rs.\n");
    output(&stage, start("clear"));
    assert_eq!(target(&stage), Some(ours));
}

#[test]
fn defect_25_a_second_clear_right_behind_links_nothing() {
    let plans = Plans::new();
    let stage = plans.stage();
    let first = plans.write("first.md", &stage.path("src"));
    output(&stage, start("clear"));
    plans.write("second.md", &stage.path("src"));
    assert_eq!(output(&stage, start("clear")), silence());
    assert_eq!(target(&stage), Some(first));
    let later = |_: Option<&str>| Ok(Some("1000".to_owned()));
    stage.machine().change_note("task.session.linked", &mut { later }).unwrap();
    output(&stage, start("clear"));
    assert!(target(&stage).unwrap().ends_with("/second.md"));
}

#[test]
fn defect_25_a_folder_that_leads_elsewhere_is_refused_and_an_old_plan_is_not_fresh() {
    let plans = Plans::new();
    let stage = plans.stage();
    plans.write("a.md", &stage.path("src"));
    fs::create_dir_all(stage.path("elsewhere")).unwrap();
    fs::create_dir_all(stage.path(".claude")).unwrap();
    symlink(stage.path("elsewhere"), stage.path(".claude/plans")).unwrap();
    let notice = "`.claude/plans` is a link to another place, so no plan was linked there";
    assert_eq!(output(&stage, start("clear")), (String::new(), vec![notice.to_owned()]));
    assert_eq!(fs::read_dir(stage.path("elsewhere")).unwrap().count(), 0);
    let settings =
        format!("[task.session]\nmode = 'enforce'\nfresh_seconds = 0\nplans = '{}'\n", plans.folder());
    let stage = TestProject::new(&settings);
    // The clock has to have moved on from the millisecond in which the plan was written.
    let path = plans.write("b.md", &stage.path("src"));
    let written = stage.machine().stat(&path).unwrap().changed;
    while stage.machine().now() <= written {}
    assert_eq!(output(&stage, start("clear")), silence());
    assert_eq!(target(&stage), None);
}

#[test]
fn defect_27_no_log_is_written_into_the_project() {
    let stage = staged(PLAN);
    bind(&stage);
    for event in [start("startup"), compact(), start("compact"), start("clear")] {
        stage.judge_event(event);
    }
    assert!(!stage.root().join(".claude/tasks/logs").exists());
    assert!(!stage.root().join(".claude/logs").exists());
    let empty = TestProject::new("[task.session]\nmode = 'enforce'\n");
    for event in [start("startup"), compact(), start("compact"), start("clear")] {
        empty.judge_event(event);
    }
    assert!(!empty.root().join(".claude").exists());
}

#[test]
fn of_several_tasks_the_open_ones_are_handed_over() {
    const OTHER: &str = ".claude/tasks/20260210_page_task/PLAN.md";
    const LAST: &str = ".claude/tasks/20260211_done_task/PLAN.md";
    let stage = staged(PLAN);
    bind(&stage);
    stage.write(OTHER, PLAN);
    let over = PLAN.replace("in progress", "finished");
    stage.write(LAST, &over);
    let holder = |at| lock::Holder {
        client: "test".to_owned(),
        session: "s1".to_owned(),
        bound_at: at,
        heard_at: stage.machine().now(),
        has_ended: false,
    };
    let locks = [(OTHER, 1), (PATH, 2), (LAST, 3)];
    let lock = |at| lock::Lock { started_at: at, holder: Some(holder(at)), paused: None };
    let locks = lock::Locks(
        locks.into_iter().map(|(path, at)| (plan_at(path), lock(Time::from_millis(at)))).collect(),
    );
    let note = serde_json::to_string(&locks).unwrap();
    stage.machine().change_note(lock::NOTE, &mut |_| Ok(Some(note.clone()))).unwrap();
    let expected = format!("{HANDED}\nIt also works on the open task `{OTHER}`.");
    assert_eq!(stage.injected_context(compact()), expected);
    let handed = PLAN.replace("in progress", "handoff");
    assert_eq!(
        [stage.read(PATH), stage.read(OTHER), stage.read(LAST)],
        [handed.clone(), handed, over.clone()]
    );
    assert!(stage.injected_context(start("compact")).contains(PATH));
    assert_eq!(
        [stage.read(PATH), stage.read(OTHER), stage.read(LAST)],
        [PLAN.to_owned(), PLAN.to_owned(), over]
    );
}

fn of_claude(event: Event) -> Event {
    Event { client: "claude-code".to_owned(), ..event }
}

/// Writes the user's settings of the client, or a file beside them.
fn write_at_home(stage: &TestProject, file: &str, text: &str) -> AbsolutePath {
    let machine = stage.machine();
    let path = machine.real_path(&stage.path(""), &format!("~/.claude/{file}"));
    fs::create_dir_all(path.folder()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

fn link_target(stage: &TestProject) -> Option<String> {
    output(stage, of_claude(start("clear")));
    target(stage).map(|path| path.to_string())
}

#[test]
fn plans_are_where_the_client_keeps_them() {
    const PROJECT: &str = ".claude/settings.json";
    let names_project =
        |stage: &TestProject| format!("Edit {}/src/a.rs.\n", stage.path("").trim_end_matches('/'));
    let on = || TestProject::new("[task.session]\nmode = 'enforce'\n");
    // Without a setting: beside the user's settings.
    let stage = on();
    let plan = write_at_home(&stage, "plans/fox.md", &names_project(&stage));
    assert_eq!(link_target(&stage), Some(plan.to_string()));
    // The project's setting, from its root; a plan in the project is the project's, whatever it says.
    for (setting, folder) in [
        ("docs/plans", "docs/plans"),
        ("./docs/../plans/", "plans"),
        ("~/plans", "~/plans"),
        (".claude/plans", ".claude/plans"),
    ] {
        let stage = on();
        stage.write(PROJECT, &format!("{{\"plansDirectory\": \"{setting}\"}}"));
        stage.write(&format!("{folder}/fox.md"), "Build it.\n");
        assert_eq!(
            link_target(&stage),
            Some(stage.path(&format!("{folder}/fox.md")).to_string()),
            "{setting}"
        );
    }
    // Local settings beat the project's, and these the user's. What leads out of the project does not count.
    let stage = on();
    write_at_home(&stage, "settings.json", r#"{"plansDirectory": "users"}"#);
    stage.write("users/fox.md", "x");
    assert_eq!(link_target(&stage), Some(stage.path("users/fox.md").to_string()));
    for (file, folder) in [(PROJECT, "projects"), (".claude/settings.local.json", "locals")] {
        let other = on();
        write_at_home(&other, "settings.json", r#"{"plansDirectory": "users"}"#);
        other.write(PROJECT, r#"{"plansDirectory": "projects"}"#);
        other.write(file, &format!("{{\"plansDirectory\": \"{folder}\"}}"));
        other.write("users/fox.md", "x");
        other.write(&format!("{folder}/hen.md"), "x");
        assert_eq!(link_target(&other), Some(other.path(&format!("{folder}/hen.md")).to_string()), "{file}");
    }
    for outside in ["../plans", "/tmp"] {
        let stage = on();
        stage.write(PROJECT, &format!("{{\"plansDirectory\": \"{outside}\"}}"));
        let plan = write_at_home(&stage, "plans/fox.md", &names_project(&stage));
        assert_eq!(link_target(&stage), Some(plan.to_string()), "{outside}");
    }
    // Our own setting beats all of them, and a client without a plan mode has no plans.
    let stage = TestProject::new("[task.session]\nmode = 'enforce'\nplans = 'mine'\n");
    stage.write(PROJECT, r#"{"plansDirectory": "projects"}"#);
    stage.write("projects/fox.md", "x");
    stage.write("mine/hen.md", "x");
    assert_eq!(link_target(&stage), Some(stage.path("mine/hen.md").to_string()));
    let stage = on();
    write_at_home(&stage, "plans/fox.md", &names_project(&stage));
    assert_eq!(output(&stage, start("clear")), silence());
}

#[test]
fn the_lock_of_another_tool_is_honoured_at_a_compaction_and_a_start() {
    let lock = format!(
        r#"{{"task_path":"{PATH}","started_at":"2026-02-09T12:00:00.000Z","session_id":"s1","bound_at":"2026-02-09T12:01:00.000Z"}}"#
    );
    for event in [compact(), start("compact"), start("resume")] {
        let stage = staged(PLAN);
        stage.write(".claude/tasks/20260209_search_task/.lock", &lock);
        let injected = stage.injected_context(event.clone());
        assert!(injected.starts_with("This session works on the task \"Search\""), "{event:?}: {injected}");
        assert_eq!(lock::bound_plan(&stage.machine(), OURS).unwrap().as_deref(), Some(PATH));
    }
}

#[test]
fn a_paused_task_is_named_and_not_handed_over() {
    let stage = staged(PLAN);
    bind(&stage);
    let pause = lock::Pause { at: Time::from_millis(1), text: "pause here".to_owned() };
    lock::pause(&stage.machine(), &plan_at(PATH), &pause).unwrap();
    let text = format!(
        "The task `20260209_search` (`{PATH}`) is paused by the user: do not work on it until the user says to continue."
    );
    for event in [compact(), start("compact"), start("resume")] {
        assert_eq!(output(&stage, event), (text.clone(), vec![]));
    }
    assert_eq!(stage.read(PATH), PLAN);
}

#[test]
fn a_plan_that_is_accepted_in_the_session_is_linked_at_once() {
    use flyball_core::event::{Outcome, Tool, ToolCall};
    let stage = TestProject::new("[task.session]\nmode = 'enforce'\n");
    let called = |name: &str, file: &str| {
        let input = serde_json::json!({ "plan": "Build it.", "planFilePath": file }).to_string();
        let call = ToolCall { id: None, name: name.to_owned(), tool: Tool::Other, input };
        of_claude(event(EventData::AfterTool { call, outcome: Outcome::default() }))
    };
    let plan = write_at_home(&stage, "plans/fox.md", "Build it.\n");
    assert_eq!(output(&stage, called("Other", &plan)), silence());
    let elsewhere = write_at_home(&stage, "notes/fox.md", "Mine.\n");
    assert_eq!(output(&stage, called("ExitPlanMode", &elsewhere)), silence());
    assert_eq!(target(&stage), None);
    let notice = "`.claude/plans/LATEST.md` links to the accepted plan fox.md";
    assert_eq!(output(&stage, called("ExitPlanMode", &plan)), (String::new(), vec![notice.to_owned()]));
    assert_eq!(target(&stage), Some(plan.clone()));
    let text = format!("The plan of this session is `{plan}`; the summary may not contain all of it.");
    assert_eq!(output(&stage, of_claude(start("compact"))), (text, vec![]));
}
