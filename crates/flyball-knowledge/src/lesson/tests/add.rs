//! What joins the lessons.

use super::*;

fn draft(text: &str) -> Draft {
    Draft { kind: Kind::Avoid, text: text.to_owned(), source: "tester".to_owned() }
}

fn added(task: &Task, text: &str) -> Added {
    append(&task.machine(), &task.path(), &draft(text)).unwrap()
}

#[test]
fn a_lesson_is_one_line_that_old_tools_read() {
    let task = Task::new("{\"t\":\"✅\",\"txt\":\"never ended\"}");
    let Added::Yes(lesson) = added(&task, "  Mocks hide\n\tbroken queries | always.  ") else {
        panic!("not added")
    };
    assert_eq!(lesson.text, "Mocks hide broken queries | always.");
    let expected = format!(
        "{{\"t\":\"✅\",\"txt\":\"never ended\"}}\n{{\"ts\":\"{}\",\"t\":\"❌\",\"txt\":\"Mocks hide broken queries | always.\",\"src\":\"tester\"}}\n",
        crate::when::iso(lesson.at)
    );
    assert_eq!(task.read(), expected);
    assert_eq!(parse(&task.read()).last(), Some(&lesson));
}

#[test]
fn what_is_known_is_not_added_again() {
    let task = Task::new("");
    let Added::Yes(first) = added(&task, "Mocks hide broken queries.") else { panic!("not added") };
    let before = task.read();
    assert_eq!(added(&task, "Mocks hide  broken queries."), Added::Known(first.clone()));
    let works = Draft { kind: Kind::Works, ..draft("Mocks hide broken queries.") };
    assert_eq!(append(&task.machine(), &task.path(), &works).unwrap(), Added::Known(first));
    assert_eq!(task.read(), before);
}

#[test]
fn chatter_is_not_added() {
    let task = Task::new("");
    assert!(matches!(added(&task, "Starting work on the parser"), Added::No(_)));
    assert_eq!(added(&task, " \n "), Added::No("it is empty".to_owned()));
    assert_eq!(task.read(), "");
}

#[test]
fn secrets_are_struck_out() {
    let task = Task::new("");
    added(&task, "The deploy needs API_KEY=sk-ant-REDACTED to be set");
    assert!(!task.read().contains("Aa0Bb1Cc2"), "{}", task.read());
    handoff(&task.machine(), &task.path(), "phase 1", "password=hunter2hunter2").unwrap();
    assert!(!task.read().contains("hunter2"), "{}", task.read());
}

#[test]
fn nothing_is_written_outside_of_the_project() {
    let task = Task::new("");
    let outside = tempfile::tempdir().unwrap();
    let path = outside.path().join("KNOWLEDGE.jsonl").to_string_lossy().into_owned();
    assert!(append(&task.machine(), &path, &draft("Mocks hide queries")).is_err());
    assert!(!outside.path().join("KNOWLEDGE.jsonl").exists());
}
