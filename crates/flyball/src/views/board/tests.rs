//! The board's views of real journals and a real index.

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

fn views(folder: &Path) -> LocalViews {
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
        denied: flyball_core::outcome::DenialCounts::default(),
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
    let options = FoldOptions {
        now: Time::from_micros(2_000_000),
        ..FoldOptions::now(&settings, Duration::from_secs(5))
    };
    Store::at(folder).fold(&options).unwrap();
}

#[test]
fn what_a_session_waits_for_is_read_from_its_last_events() {
    let folder = tempfile::tempdir().unwrap();
    let views = views(folder.path());
    commit(folder.path(), &json!({ "stance": "ask" }), &[]);
    let waiting = WaitingView { on_person: true, what: "waiting for a person's permission: make".to_owned() };
    assert_eq!(views.waiting(&session("/p")), Some(waiting));
}

#[test]
fn a_missing_project_and_an_unknown_session_have_empty_views() {
    let folder = tempfile::tempdir().unwrap();
    let views = views(folder.path());
    let unknown = session("/nowhere/at/all");
    assert_eq!(views.loop_view(&unknown), None);
    assert_eq!(views.findings(&unknown), []);
    assert_eq!(views.tasks("/nowhere/at/all"), []);
    assert_eq!(views.policies(Some("/nowhere/at/all")).len(), REGISTRY.len());
    assert!(!folder.path().join("sessions").exists(), "reading creates no journal");
}

#[test]
fn findings_without_a_recorded_message_are_only_counted() {
    let folder = tempfile::tempdir().unwrap();
    let ruling = json!({ "policy": "quality", "mode": "enforce", "stance": "deny", "micros": 1, "reasons": [{ "what": FINDING }] });
    // The fingerprint of another finding: the reported one is fixed, and another is open.
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
    assert_eq!(views(folder.path()).findings(&session("/p")), [expected]);
}

#[test]
fn many_threads_may_ask_at_once() {
    let folder = tempfile::tempdir().unwrap();
    commit(folder.path(), &json!({ "kind": "stop" }), &[]);
    let views = views(folder.path());
    let expected = WaitingView { on_person: true, what: "turn ended, waiting for a prompt".to_owned() };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(views.waiting(&session("/p")).as_ref(), Some(&expected));
                    assert_eq!(views.policies(None).len(), REGISTRY.len());
                }
            });
        }
    });
}

#[test]
fn a_policy_has_the_mode_of_its_project() {
    let project = tempfile::tempdir().unwrap();
    std::fs::write(project.path().join("flyball.toml"), "[guard.secrets]\nmode = \"observe\"\n").unwrap();
    let state = tempfile::tempdir().unwrap();
    let root = project.path().to_string_lossy().into_owned();
    let all = views(state.path()).policies(Some(&root));
    let policy = all.iter().find(|it| it.id == "guard.secrets").unwrap();
    assert_eq!((policy.mode.as_str(), policy.origin.as_str()), ("observe", "flyball.toml:2"));
    assert!(policy.page.starts_with('#'));
}
