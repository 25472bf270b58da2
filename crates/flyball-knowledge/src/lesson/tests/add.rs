//! What is added to the lessons.

use flyball_core::path::AbsolutePath;

use super::*;

fn draft(text: &str) -> Draft {
    Draft { kind: Kind::Avoid, text: text.to_owned(), source: "tester".to_owned() }
}

fn added(task: &Task, text: &str) -> Addition {
    append(&task.machine(), &task.path(), &draft(text)).unwrap()
}

#[test]
fn a_lesson_is_one_line_that_old_tools_read() {
    let task = Task::new("{\"t\":\"✅\",\"txt\":\"never ended\"}");
    let Addition::Added(lesson) = added(&task, "  Mocks hide\n\tbroken queries | always.  ") else {
        panic!("not added")
    };
    assert_eq!(lesson.text, "Mocks hide broken queries | always.");
    let expected = format!(
        "{{\"t\":\"✅\",\"txt\":\"never ended\"}}\n{{\"ts\":\"{}\",\"t\":\"❌\",\"txt\":\"Mocks hide broken queries | always.\",\"src\":\"tester\"}}\n",
        crate::timestamp::iso(lesson.at)
    );
    assert_eq!(task.read(), expected);
    assert_eq!(parse(&task.read()).last(), Some(&lesson));
}

#[test]
fn what_is_known_is_not_added_again() {
    let task = Task::new("");
    let Addition::Added(first) = added(&task, "Mocks hide broken queries.") else { panic!("not added") };
    let before = task.read();
    assert_eq!(added(&task, "Mocks hide  broken queries."), Addition::Duplicate(first.clone()));
    let works = Draft { kind: Kind::Works, ..draft("Mocks hide broken queries.") };
    assert_eq!(append(&task.machine(), &task.path(), &works).unwrap(), Addition::Duplicate(first));
    assert_eq!(task.read(), before);
}

#[test]
fn chatter_is_not_added() {
    let task = Task::new("");
    assert!(matches!(added(&task, "Starting work on the parser"), Addition::Rejected(_)));
    assert_eq!(added(&task, " \n "), Addition::Rejected("it is empty".to_owned()));
    assert_eq!(task.read(), "");
}

#[test]
fn secrets_are_redacted() {
    let task = Task::new("");
    added(&task, "The deploy needs API_KEY=sk-ant-REDACTED to be set");
    assert!(!task.read().contains("Aa0Bb1Cc2"), "{}", task.read());
    append_handoff(&task.machine(), &task.path(), "phase 1", "password=hunter2hunter2").unwrap();
    assert!(!task.read().contains("hunter2"), "{}", task.read());
}

#[test]
fn nothing_is_written_outside_of_the_project() {
    let task = Task::new("");
    let outside = tempfile::tempdir().unwrap();
    let path = AbsolutePath::from_root(outside.path().join("KNOWLEDGE.jsonl").to_string_lossy());
    assert!(append(&task.machine(), &path, &draft("Mocks hide queries")).is_err());
    assert!(!outside.path().join("KNOWLEDGE.jsonl").exists());
}
