use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use flyball_core::path::ProjectPath;
use flyball_core::workshop::NoteChanges;
use flyball_core::world::{Clock, Notes};
use flyball_world::machine::Machine;
use tempfile::TempDir;

use super::*;
use crate::layout::LOCK;
use crate::timestamp;

const PLAN: &str = ".claude/tasks/20260209_120000_search_task/PLAN.md";
const ONE: (&str, &str) = ("claude-code", "one");
const OTHER: (&str, &str) = ("claude-code", "other");

fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("project/.git")).unwrap();
    write(folder.path(), PLAN, "status: pending\n");
    folder
}

fn write(folder: &Path, file: &str, text: &str) {
    let path = folder.join("project").join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn machine(folder: &Path) -> Machine {
    let root = folder.canonicalize().unwrap().join("project");
    Machine::new(Instant::now(), None, &root, Vec::new(), &[]).with_state(Some(&folder.join("state")))
}

fn lock_file(folder: &Path) -> String {
    let path = folder.join("project").join(PLAN).with_file_name(LOCK);
    fs::read_to_string(path).unwrap_or_default()
}

fn put_lock(folder: &Path, text: &str) {
    write(folder, &PLAN.replace("PLAN.md", LOCK), text);
}

/// Sets the last sign of life of all holders to this long ago.
fn age(machine: &Machine, by: Duration) {
    let then = machine.now() - by;
    machine
        .change_note(NOTE, &mut |text| {
            let mut locks = parse(text.unwrap())?;
            for holder in locks.0.values_mut().filter_map(|lock| lock.holder.as_mut()) {
                holder.heard_at = then;
            }
            Ok(Some(serde_json::to_string(&locks).unwrap()))
        })
        .unwrap();
}

fn plan_at(path: &str) -> ProjectPath {
    ProjectPath::new(path).unwrap()
}

#[test]
fn a_task_is_started_bound_and_released_and_the_file_follows() {
    let folder = project();
    let machine = machine(folder.path());
    assert_eq!(start(&machine, &plan_at(PLAN), None, DAY).unwrap(), Binding::Unbound);
    let started = read_all(&machine).unwrap().0[PLAN].started_at;
    assert_eq!(
        lock_file(folder.path()),
        format!("{{\n  \"task_path\": \"{PLAN}\",\n  \"started_at\": \"{}\"\n}}\n", timestamp::iso(started))
    );
    assert_eq!(bound_plan(&machine, ONE).unwrap(), None);
    assert_eq!(bind(&machine, &plan_at(PLAN), ONE).unwrap(), Binding::Bound);
    assert_eq!(bind(&machine, &plan_at(PLAN), ONE).unwrap(), Binding::AlreadyBound);
    let holder = read_all(&machine).unwrap().0[PLAN].holder.clone().unwrap();
    assert_eq!(bind(&machine, &plan_at(PLAN), OTHER).unwrap(), Binding::HeldBy(holder.clone()));
    assert_eq!(start(&machine, &plan_at(PLAN), Some(OTHER), DAY).unwrap(), Binding::HeldBy(holder.clone()));
    assert_eq!(bound_plan(&machine, ONE).unwrap().as_deref(), Some(PLAN));
    let file: serde_json::Value = serde_json::from_str(&lock_file(folder.path())).unwrap();
    assert_eq!(
        file,
        serde_json::json!({
            "task_path": PLAN, "started_at": timestamp::iso(started), "session_id": "one",
            "bound_at": timestamp::iso(holder.bound_at),
        })
    );
    assert_eq!(release(&machine, &plan_at(PLAN), Some(OTHER)).unwrap(), None);
    assert_eq!(bound_plan(&machine, ONE).unwrap().as_deref(), Some(PLAN));
    assert!(release(&machine, &plan_at(PLAN), Some(ONE)).unwrap().is_some());
    assert_eq!(read_all(&machine).unwrap(), Locks::default());
    assert!(lock_file(folder.path()).contains("released_at"));
    assert_eq!(read(&machine, &plan_at(PLAN)).unwrap(), None);
}

#[test]
fn a_lock_of_another_tool_is_read_and_respected() {
    let folder = project();
    let machine = machine(folder.path());
    let text = format!(
        "{{\"task_path\":\"{PLAN}\",\"started_at\":\"2026-02-09T12:00:00.000Z\",\"session_id\":\"theirs\",\"bound_at\":\"2026-02-09T12:01:00.000Z\"}}"
    );
    put_lock(folder.path(), &text);
    let at = Time::from_millis(1_770_638_460_000);
    let holder = Holder {
        client: String::new(),
        session: "theirs".to_owned(),
        bound_at: at,
        heard_at: at,
        has_ended: false,
    };
    assert_eq!(
        read(&machine, &plan_at(PLAN)).unwrap(),
        Some(Lock {
            started_at: Time::from_millis(1_770_638_400_000),
            holder: Some(holder.clone()),
            paused: None
        })
    );
    // It is an orphan by now, but `bind` does not take it over.
    assert!(holder.is_gone(machine.now(), DAY));
    assert_eq!(bind(&machine, &plan_at(PLAN), ONE).unwrap(), Binding::HeldBy(holder));
    assert_eq!(bind(&machine, &plan_at(PLAN), ("claude-code", "theirs")).unwrap(), Binding::AlreadyBound);
    assert_eq!(read_all(&machine).unwrap().0[PLAN].holder.as_ref().unwrap().client, "claude-code");
}

#[test]
fn a_lock_of_another_plan_is_not_this_plans() {
    let folder = project();
    let machine = machine(folder.path());
    put_lock(
        folder.path(),
        "{\"task_path\":\".claude/tasks/x_task/PLAN.md\",\"started_at\":\"2026-02-09T12:00:00Z\",\"session_id\":\"theirs\"}",
    );
    assert_eq!(read(&machine, &plan_at(PLAN)).unwrap(), None);
    assert_eq!(bind(&machine, &plan_at(PLAN), ONE).unwrap(), Binding::Bound);
}

#[test]
fn an_orphan_is_taken_over_only_on_an_explicit_start() {
    let folder = project();
    let machine = machine(folder.path());
    bind(&machine, &plan_at(PLAN), ONE).unwrap();
    age(&machine, DAY + Duration::from_secs(1));
    assert!(matches!(bind(&machine, &plan_at(PLAN), OTHER).unwrap(), Binding::HeldBy(_)));
    assert_eq!(start(&machine, &plan_at(PLAN), Some(OTHER), DAY).unwrap(), Binding::Bound);
    assert_eq!(bound_plan(&machine, ONE).unwrap(), None);
}

#[test]
fn a_heartbeat_is_recorded_once_a_minute() {
    let folder = project();
    let machine = machine(folder.path());
    bind(&machine, &plan_at(PLAN), ONE).unwrap();
    assert!(!heartbeat(&machine, ONE).unwrap());
    age(&machine, Duration::from_secs(61));
    assert!(!heartbeat(&machine, OTHER).unwrap());
    assert!(heartbeat(&machine, ONE).unwrap());
    assert!(!heartbeat(&machine, ONE).unwrap());
}

#[test]
fn a_session_bound_to_two_plans_works_on_the_last() {
    let folder = project();
    let machine = machine(folder.path());
    let second = ".claude/tasks/20260210_120000_more_task/PLAN.md";
    bind(&machine, &plan_at(PLAN), ONE).unwrap();
    machine
        .change_note(NOTE, &mut |text| {
            let mut locks = parse(text.unwrap())?;
            locks.0.get_mut(PLAN).unwrap().holder.as_mut().unwrap().bound_at -= Duration::from_millis(10);
            Ok(Some(serde_json::to_string(&locks).unwrap()))
        })
        .unwrap();
    bind(&machine, &plan_at(second), ONE).unwrap();
    assert_eq!(bound_plans(&machine, ONE).unwrap(), [second, PLAN]);
    assert_eq!(bound_plan(&machine, ONE).unwrap().as_deref(), Some(second));
}

#[test]
fn defect_02_what_cannot_be_read_is_not_deleted() {
    for broken in ["", "{", "null", "{\"task_path\":7}", "not json at all"] {
        let folder = project();
        let machine = machine(folder.path());
        put_lock(folder.path(), broken);
        assert_eq!(read(&machine, &plan_at(PLAN)).unwrap(), None, "{broken}");
        assert_eq!(bind(&machine, &plan_at(PLAN), ONE).unwrap(), Binding::Bound, "{broken}");
        release(&machine, &plan_at(PLAN), None).unwrap();
        if !broken.is_empty() {
            assert_eq!(lock_file(folder.path()), broken);
        }
    }
}

#[test]
fn a_damaged_note_is_an_error_and_stays() {
    let folder = project();
    let machine = machine(folder.path());
    machine.change_note(NOTE, &mut |_| Ok(Some("{half".to_owned()))).unwrap();
    assert!(bind(&machine, &plan_at(PLAN), ONE).is_err());
    assert!(release(&machine, &plan_at(PLAN), None).is_err());
    assert!(bound_plan(&machine, ONE).is_err());
    assert_eq!(machine.project_note(NOTE).unwrap().as_deref(), Some("{half"));
}

#[test]
fn defect_04_a_task_that_runs_for_days_stays_with_its_session() {
    let folder = project();
    let machine = machine(folder.path());
    bind(&machine, &plan_at(PLAN), ONE).unwrap();
    machine
        .change_note(NOTE, &mut |text| {
            let mut locks = parse(text.unwrap())?;
            let lock = locks.0.get_mut(PLAN).unwrap();
            lock.started_at -= 7 * DAY;
            lock.holder.as_mut().unwrap().bound_at -= 7 * DAY;
            Ok(Some(serde_json::to_string(&locks).unwrap()))
        })
        .unwrap();
    assert!(matches!(start(&machine, &plan_at(PLAN), Some(OTHER), DAY).unwrap(), Binding::HeldBy(_)));
    assert_eq!(bound_plan(&machine, ONE).unwrap().as_deref(), Some(PLAN));
}

#[test]
fn defect_05_the_lock_that_is_read_is_the_one_that_is_released() {
    let folder = project();
    let machine = machine(folder.path());
    let second = ".claude/tasks/20260210_120000_more_task/PLAN.md";
    bind(&machine, &plan_at(PLAN), ONE).unwrap();
    bind(&machine, &plan_at(second), OTHER).unwrap();
    // The file beside the first names the second.
    put_lock(
        folder.path(),
        &format!("{{\"task_path\":\"{second}\",\"started_at\":\"2026-02-09T12:00:00Z\"}}"),
    );
    release(&machine, &plan_at(PLAN), None).unwrap();
    assert_eq!(read_all(&machine).unwrap().0.into_keys().collect::<Vec<_>>(), [second]);
}

#[test]
fn defect_07_of_many_who_bind_at_once_exactly_one_wins() {
    let folder = project();
    start(&machine(folder.path()), &plan_at(PLAN), None, DAY).unwrap();
    let bindings: Vec<(String, Binding)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|number| {
                let path = folder.path();
                scope.spawn(move || {
                    let session = format!("s{number}");
                    let binding = bind(&machine(path), &plan_at(PLAN), ("claude-code", &session)).unwrap();
                    (session, binding)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let winners: Vec<&str> = bindings
        .iter()
        .filter(|(_, binding)| *binding == Binding::Bound)
        .map(|(session, _)| session.as_str())
        .collect();
    let [winner] = winners.as_slice() else { panic!("{bindings:?}") };
    for (session, binding) in &bindings {
        if let Binding::HeldBy(holder) = binding {
            assert_eq!(holder.session, *winner, "{session}");
        }
    }
    let file: serde_json::Value = serde_json::from_str(&lock_file(folder.path())).unwrap();
    assert_eq!(file["session_id"], **winner);
}

#[test]
fn a_session_that_ended_keeps_its_task_until_another_starts_it() {
    let folder = project();
    let machine = machine(folder.path());
    assert_eq!(bind(&machine, &plan_at(PLAN), ONE).unwrap(), Binding::Bound);
    mark_ended(&machine, OTHER).unwrap();
    assert!(matches!(start(&machine, &plan_at(PLAN), Some(OTHER), DAY).unwrap(), Binding::HeldBy(_)));
    mark_ended(&machine, ONE).unwrap();
    // `bind` does not take it over.
    assert!(matches!(bind(&machine, &plan_at(PLAN), OTHER).unwrap(), Binding::HeldBy(_)));
    // It was resumed.
    assert!(heartbeat(&machine, ONE).unwrap());
    assert!(!heartbeat(&machine, ONE).unwrap());
    assert!(matches!(start(&machine, &plan_at(PLAN), Some(OTHER), DAY).unwrap(), Binding::HeldBy(_)));
    mark_ended(&machine, ONE).unwrap();
    assert_eq!(start(&machine, &plan_at(PLAN), Some(OTHER), DAY).unwrap(), Binding::Bound);
    assert_eq!(bound_plan(&machine, ONE).unwrap(), None);
}

#[test]
fn a_plan_that_leads_out_of_the_project_is_not_read() {
    let folder = project();
    let plan = ".claude/tasks/2_link_task/PLAN.md";
    write(folder.path(), "../outside.md", "status: pending\n");
    let link = folder.path().join("project").join(plan);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(folder.path().join("outside.md"), link).unwrap();
    let error = plan::read(&machine(folder.path()), &plan_at(plan)).unwrap_err().to_string();
    assert!(error.contains("is a link to a file outside the project"), "{error}");
    assert_eq!(open_plans(&machine(folder.path()), ONE).unwrap(), [""; 0]);
}

#[test]
fn locks_that_cannot_be_read_are_set_aside_on_request() {
    let folder = project();
    let machine = machine(folder.path());
    assert_eq!(bind(&machine, &plan_at(PLAN), ONE).unwrap(), Binding::Bound);
    assert!(!quarantine(&machine).unwrap());
    assert_eq!(bound_plan(&machine, ONE).unwrap().as_deref(), Some(PLAN));
    machine.change_note(NOTE, &mut |_| Ok(Some("{\"half".to_owned()))).unwrap();
    assert!(start(&machine, &plan_at(PLAN), Some(OTHER), DAY).is_err());
    assert!(quarantine(&machine).unwrap());
    assert_eq!(machine.project_note(DAMAGED).unwrap().as_deref(), Some("{\"half"));
    // The file beside the plan still counts.
    assert!(matches!(bind(&machine, &plan_at(PLAN), OTHER).unwrap(), Binding::HeldBy(_)));
}

/// A lock as another tool writes it, and the plan as the active one.
fn locked_by_another_tool(folder: &Path, session: &str) {
    let text = format!(
        "{{\"task_path\":\"{PLAN}\",\"started_at\":\"2026-02-09T12:00:00.000Z\",\"session_id\":\"{session}\",\"bound_at\":\"2026-02-09T12:01:00.000Z\"}}"
    );
    put_lock(folder, &text);
    write(folder, ".claude/TASK.md", &format!("{PLAN}\n"));
}

#[test]
fn the_active_plan_is_bound_by_the_lock_of_another_tool() {
    let folder = project();
    let machine = machine(folder.path());
    locked_by_another_tool(folder.path(), "one");
    assert_eq!(bound_plans(&machine, ONE).unwrap(), [plan_at(PLAN)]);
    assert_eq!(open_plans(&machine, ONE).unwrap(), [plan_at(PLAN)]);
    assert_eq!(bound_plans(&machine, OTHER).unwrap(), Vec::<ProjectPath>::new());
    // It is known from then on, whatever happens to the file.
    adopt(&machine, OTHER).unwrap();
    assert_eq!(read_all(&machine).unwrap(), Locks::default());
    adopt(&machine, ONE).unwrap();
    put_lock(folder.path(), "");
    assert_eq!(bound_plans(&machine, ONE).unwrap(), [plan_at(PLAN)]);
    release(&machine, &plan_at(PLAN), Some(ONE)).unwrap();
    assert_eq!(bound_plans(&machine, ONE).unwrap(), Vec::<ProjectPath>::new());
}

#[test]
fn a_released_lock_of_another_tool_binds_nobody() {
    let folder = project();
    let machine = machine(folder.path());
    locked_by_another_tool(folder.path(), "one");
    assert!(release(&machine, &plan_at(PLAN), None).unwrap().is_some());
    assert_eq!(bound_plans(&machine, ONE).unwrap(), Vec::<ProjectPath>::new());
}

#[test]
fn a_paused_task_stays_bound_and_is_not_worked_on() {
    let folder = project();
    let machine = machine(folder.path());
    let by_person = Pause { at: Time::from_millis(5), text: "pause here".to_owned() };
    assert!(!pause(&machine, &plan_at(PLAN), &by_person).unwrap(), "it was not started");
    bind(&machine, &plan_at(PLAN), ONE).unwrap();
    assert!(pause(&machine, &plan_at(PLAN), &by_person).unwrap());
    let again = Pause { at: Time::from_millis(6), ..by_person.clone() };
    assert!(!pause(&machine, &plan_at(PLAN), &again).unwrap());
    assert_eq!(read(&machine, &plan_at(PLAN)).unwrap().unwrap().paused, Some(by_person.clone()));
    assert_eq!(bound_plans(&machine, ONE).unwrap(), [plan_at(PLAN)]);
    assert_eq!(open_plans(&machine, ONE).unwrap(), Vec::<ProjectPath>::new());
    // A coordinator that returns does not resume it; who starts it does.
    bind(&machine, &plan_at(PLAN), ONE).unwrap();
    assert!(read(&machine, &plan_at(PLAN)).unwrap().unwrap().paused.is_some());
    start(&machine, &plan_at(PLAN), Some(OTHER), DAY).unwrap();
    assert!(read(&machine, &plan_at(PLAN)).unwrap().unwrap().paused.is_some());
    start(&machine, &plan_at(PLAN), Some(ONE), DAY).unwrap();
    assert_eq!(open_plans(&machine, ONE).unwrap(), [plan_at(PLAN)]);
    pause(&machine, &plan_at(PLAN), &by_person).unwrap();
    assert!(resume(&machine, &plan_at(PLAN)).unwrap());
    assert!(!resume(&machine, &plan_at(PLAN)).unwrap());
}
