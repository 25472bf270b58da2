//! The desk over real journals and a real index.

use std::path::Path;
use std::time::Duration;

use flyball_board::ViewSource;
use flyball_core::config::StoreSettings;
use flyball_core::event::SessionId;
use flyball_core::time::Time;
use flyball_store::FoldOptions;
use serde_json::{Value, json};

use super::*;

const FINDING: &str = "[flyball:error] 1 finding in a.py\n  3:1  F401  `os` imported but unused (ruff, fixable)\nFix the code, not the rules.";

fn desk(folder: &Path) -> LocalViews {
    LocalViews { store: Some(Store::at(folder)), index: Mutex::default(), projects: ProjectCache::default() }
}

fn session(project: &str) -> SessionSummary {
    SessionSummary {
        client: "c".to_owned(),
        session: SessionId::new("s"),
        project: project.to_owned(),
        first_at: Time::from_micros(1),
        last_at: Time::from_micros(1),
        events: 1,
        denials: 0,
        last_kind: "stop".to_owned(),
        has_ended: false,
    }
}

/// Records an event of the session, with what policies remember of it.
fn commit(folder: &Path, changes: &Value, memory: &[(&str, &str)]) {
    let mut fields = json!({
        "id": "4k7q2m8x", "at": 1_000_000, "client": "c", "session": "s", "project": "/p", "kind": "before_tool",
        "native": "", "tool": "shell", "subject": "make", "call": 1, "stance": "silent", "micros": 1,
    });
    fields.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    let mut record: Record = serde_json::from_value(fields).unwrap();
    let journal = Store::at(folder).session("c", &SessionId::new("s"), Duration::from_secs(5));
    for (policy, text) in memory {
        journal.write(policy, (*text).to_owned()).unwrap();
    }
    journal.commit(&mut record).unwrap();
    let settings = StoreSettings { keep_days: 100_000, ..StoreSettings::default() };
    let order =
        FoldOptions { settings: &settings, now: Time::from_micros(2_000_000), wait: Duration::from_secs(5) };
    Store::at(folder).fold(&order).unwrap();
}

#[test]
fn what_a_session_waits_for_is_read_from_its_last_events() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path());
    commit(folder.path(), &json!({ "stance": "ask" }), &[]);
    let waiting = WaitingView { on_person: true, what: "waiting for a person's permission: make".to_owned() };
    assert_eq!(desk.waiting(&session("/p")), Some(waiting));
}

#[test]
fn a_project_that_is_gone_and_a_session_that_is_unknown_are_told_as_far_as_they_can() {
    let folder = tempfile::tempdir().unwrap();
    let desk = desk(folder.path());
    let unknown = session("/nowhere/at/all");
    assert_eq!(desk.loop_view(&unknown), None);
    assert_eq!(desk.findings(&unknown), []);
    assert_eq!(desk.tasks("/nowhere/at/all"), []);
    assert_eq!(desk.policies(Some("/nowhere/at/all")).len(), REGISTRY.len());
    assert!(!folder.path().join("sessions").exists(), "a look makes no journal");
}

#[test]
fn findings_are_told_in_the_words_the_agent_heard() {
    let folder = tempfile::tempdir().unwrap();
    let ruling = json!({ "policy": "quality", "mode": "enforce", "stance": "deny", "micros": 1, "reasons": [{ "what": FINDING }] });
    // The fingerprint of another finding: what was told is mended, and something else is open.
    let memory =
        json!({ "files": { "a.py": { "stamp": [1, 2, 3], "open": [7], "advised": [] } } }).to_string();
    commit(
        folder.path(),
        &json!({ "kind": "after_tool", "stance": "deny", "rulings": [ruling] }),
        &[("quality", &memory)],
    );
    let expected = FindingView {
        file: "a.py".to_owned(),
        line: None,
        code: String::new(),
        message: "1 finding: `flyball lint` shows them".to_owned(),
        tool: String::new(),
    };
    assert_eq!(desk(folder.path()).findings(&session("/p")), [expected]);
}

#[test]
fn many_may_ask_at_once() {
    let folder = tempfile::tempdir().unwrap();
    commit(folder.path(), &json!({ "kind": "stop" }), &[]);
    let desk = desk(folder.path());
    let expected = WaitingView { on_person: true, what: "turn ended, waiting for a prompt".to_owned() };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(desk.waiting(&session("/p")).as_ref(), Some(&expected));
                    assert_eq!(desk.policies(None).len(), REGISTRY.len());
                }
            });
        }
    });
}

#[test]
fn a_policy_is_told_as_its_project_has_it() {
    let project = tempfile::tempdir().unwrap();
    std::fs::write(project.path().join("flyball.toml"), "[guard.packages]\nmode = \"observe\"\n").unwrap();
    let state = tempfile::tempdir().unwrap();
    let root = project.path().to_string_lossy().into_owned();
    let all = desk(state.path()).policies(Some(&root));
    let told = all.iter().find(|policy| policy.id == "guard.packages").unwrap();
    assert_eq!((told.mode.as_str(), told.origin.as_str()), ("observe", "flyball.toml:2"));
    assert!(told.page.starts_with('#'));
}
