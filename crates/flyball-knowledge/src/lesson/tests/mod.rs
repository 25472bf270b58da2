//! Lessons: writing, choosing and compacting them.

mod add;
mod chatter;
mod choose;
mod compact;

use std::fs;
use std::path::Path;
use std::time::Instant;

use flyball_core::time::Time;

use flyball_world::machine::Machine;

use flyball_core::path::AbsolutePath;

use super::*;

/// A task's folder in a project on disk.
struct Task {
    folder: tempfile::TempDir,
}

impl Task {
    fn new(content: &str) -> Task {
        let task = Task { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(task.folder.path().join("project/.claude/tasks/1_x_task")).unwrap();
        fs::write(task.path(), content).unwrap();
        task
    }

    fn machine(&self) -> Machine {
        let root = self.folder.path().canonicalize().unwrap();
        let state = root.join("state");
        let machine =
            Machine::new(Instant::now(), Some(root.join("home")), &root.join("project"), Vec::new(), &[]);
        machine.with_state(Some(Path::new(&state)))
    }

    fn path(&self) -> AbsolutePath {
        let root = self.folder.path().canonicalize().unwrap();
        AbsolutePath::from_root(root.to_string_lossy()).join("project/.claude/tasks/1_x_task/KNOWLEDGE.jsonl")
    }

    fn read(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    fn archive(&self) -> String {
        fs::read_to_string(self.path().replace(".jsonl", ".old.jsonl")).unwrap_or_default()
    }
}

fn lesson(at: Time, kind: Kind, text: &str) -> Lesson {
    Lesson { at, kind, text: text.to_owned(), source: String::new() }
}

#[test]
fn lessons_are_read_whatever_is_between_them() {
    let text = concat!(
        "{\"ts\":\"2026-02-09T12:00:00.000Z\",\"t\":\"❌\",\"txt\":\"no mocks\",\"src\":\"tester\",\"extra\":[1]}\n",
        "\n",
        "not json\n",
        "{\"t\":\"✅\"}\n",
        "{\"t\":\"✅\",\"txt\":\"  \"}\n",
        "[1,2]\n",
        "{\"t\":\"✅\",\"txt\":\"works\",\"ts\":1770638400000,\"src\":7}\r\n",
        "{\"txt\":\"no sign\"}\n",
        "{\"t\":\"✅\",\"txt\":\"half",
    );
    let expected = [
        Lesson {
            source: "tester".to_owned(),
            ..lesson(Time::from_millis(1_770_638_400_000), Kind::Avoid, "no mocks")
        },
        lesson(Time::from_millis(1_770_638_400_000), Kind::Works, "works"),
        lesson(Time::default(), Kind::Fact, "no sign"),
    ];
    assert_eq!(parse(text), expected);
}

#[test]
fn defect_21_facts_are_read_with_every_sign_and_unknown_signs_are_facts() {
    let cases = [
        ("ℹ️", Kind::Fact),
        ("ℹ", Kind::Fact),
        ("ℹ\u{fe0e}", Kind::Fact),
        ("⚠️", Kind::Fact),
        ("note", Kind::Fact),
        ("", Kind::Fact),
        ("❌", Kind::Avoid),
        ("❌\u{fe0f}", Kind::Avoid),
        ("avoid", Kind::Avoid),
        ("✅", Kind::Works),
        ("✔️", Kind::Works),
        ("🔁", Kind::Handoff),
    ];
    for (sign, kind) in cases {
        let line = serde_json::json!({ "t": sign, "txt": "a b" }).to_string();
        assert_eq!(parse(&line), [lesson(Time::default(), kind, "a b")], "{sign:?}");
    }
    for kind in [Kind::Avoid, Kind::Works, Kind::Fact, Kind::Handoff] {
        assert_eq!((Kind::from_sign(kind.sign()), Kind::from_sign(kind.name())), (kind, kind));
    }
}

#[test]
fn defect_19_handoff_notes_of_every_age_are_not_lessons() {
    let old = "{\"t\":\"✅\",\"txt\":\"Handoff at phase 2: context auto-compact\",\"src\":\"pre-compact-hook\",\"ts\":\"x\"}";
    let task = Task::new(&format!("{old}\n"));
    append_handoff(&task.machine(), &task.path(), "phase 3 of 5", "context\ncompacted").unwrap();
    let read = read_recent(&task.machine(), &task.path()).unwrap();
    let kinds: Vec<Kind> = read.iter().map(|lesson| lesson.kind).collect();
    assert_eq!(kinds, [Kind::Handoff, Kind::Handoff]);
    assert_eq!(last_handoff(&read).unwrap().text, "Handoff at phase 3 of 5: context compacted");
    let request = Request { role: None, prompt: "handoff", now: Time::default(), tokens: 500 };
    assert_eq!(choose(&read, &request), Selection::default());
}

#[test]
fn only_the_end_of_a_long_file_is_read() {
    let line = |number: usize| format!("{{\"t\":\"ℹ️\",\"txt\":\"lesson number {number}\"}}\n");
    let text: String = (0..100_000).map(line).collect();
    let task = Task::new(&text);
    let read = read_recent(&task.machine(), &task.path()).unwrap();
    assert!(text.len() > 3_000_000 && read.len() < 3_000, "{}", read.len());
    assert_eq!(read.last().unwrap().text, "lesson number 99999");
    assert_eq!(read[0].text, format!("lesson number {}", 100_000 - read.len()));
    assert_eq!(read_recent(&task.machine(), &AbsolutePath::from_root("/nowhere")).unwrap(), []);
}

#[test]
fn promoted_lessons_are_marked_and_their_lines_stay_otherwise() {
    let first = "{ \"txt\" : \"one thing\", \"zzz\": {\"a\":1}, \"t\":\"❌\" }";
    let second = "{\"t\":\"❌\",\"txt\":\"another thing\"}";
    let content = format!("{first}\nbroken }}\n{second}\n{{\"txt\":\"half");
    let task = Task::new(&content);
    let id = lesson(Time::default(), Kind::Avoid, "one thing").id();
    assert_ne!(id, lesson(Time::default(), Kind::Works, "one thing").id());
    assert!(mark_promoted(&task.machine(), &task.path(), std::slice::from_ref(&id)).unwrap());
    let day = crate::timestamp::date(flyball_core::policy::Clock::now(&task.machine()));
    let marked = first.replace(" }", &format!(",\"promoted\":\"{day}\"}}"));
    assert_eq!(task.read(), content.replace(first, &marked));
    let promoted: Vec<bool> = lines(task.read().as_bytes()).map(|line| line.is_promoted).collect();
    assert_eq!(promoted, [true, false, false, false]);
    assert!(!mark_promoted(&task.machine(), &task.path(), &[id]).unwrap(), "not twice");
}
