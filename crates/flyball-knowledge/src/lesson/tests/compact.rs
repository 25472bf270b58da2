//! What stays in a file of lessons.

use proptest::prelude::*;

use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;

use super::*;

const WORDS: [&str; 12] = [
    "socket",
    "migration",
    "font",
    "cache",
    "timezone",
    "upload",
    "session",
    "invoice",
    "search",
    "email",
    "thread",
    "pixel",
];

/// A line about something that no other number is about.
fn line(number: usize, kind: Kind) -> String {
    let (one, two) = (WORDS[number % 12], WORDS[(number / 12) % 12]);
    let text = format!("{one}{number} and {two}x{number} collide at gate{number}");
    serde_json::json!({ "ts": crate::timestamp::iso(Time::from_millis(1_700_000_000_000 + number as u64 * 1000)), "t": kind.sign(), "txt": text })
        .to_string()
}

fn file(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn limits(lessons: usize) -> Limits {
    Limits { lessons, handoffs: 2 }
}

#[test]
fn a_file_within_its_limit_is_left_alone() {
    let content = file(&(0..10).map(|number| line(number, Kind::Fact)).collect::<Vec<_>>());
    let task = Task::new(&content);
    let done = compact(&task.machine(), &task.path(), limits(10)).unwrap();
    assert_eq!(done, Compaction { before: 10, same: 0, cut: 0 });
    assert_eq!((task.read(), task.archive()), (content, String::new()));
    assert_eq!(
        compact(&task.machine(), &AbsolutePath::from_root(task.path().replace("KNOW", "NO")), limits(1))
            .unwrap(),
        Compaction::default()
    );
}

#[test]
fn facts_go_first_then_the_older_and_the_order_stays() {
    let kinds = [Kind::Avoid, Kind::Works, Kind::Fact];
    let all: Vec<String> = (0..12).map(|number| line(number, kinds[number % 3])).collect();
    let task = Task::new(&file(&all));
    let done = compact(&task.machine(), &task.path(), limits(10)).unwrap();
    assert_eq!(done, Compaction { before: 12, same: 0, cut: 4 });
    let gone = [1, 2, 5, 8];
    let rest: Vec<String> =
        (0..12).filter(|number| !gone.contains(number)).map(|number| all[number].clone()).collect();
    assert_eq!(task.read(), file(&rest));
    assert_eq!(task.archive(), file(&gone.map(|number| all[number].clone())));
}

#[test]
fn of_two_that_say_the_same_the_newer_stays() {
    let mut all: Vec<String> = (0..6).map(|number| line(number, Kind::Works)).collect();
    let text: serde_json::Value = serde_json::from_str(&all[1]).unwrap();
    all.push(serde_json::json!({ "ts": "2099-01-01T00:00:00Z", "t": "✅", "txt": text["txt"] }).to_string());
    let task = Task::new(&file(&all));
    let done = compact(&task.machine(), &task.path(), limits(6)).unwrap();
    assert_eq!((done.before, done.same), (7, 1));
    assert!(task.read().contains("2099") && task.archive().contains(&all[1]));
}

#[test]
fn defect_19_only_the_newest_handoff_notes_stay() {
    let task = Task::new(&file(&[line(1, Kind::Fact)]));
    for phase in 1..=5 {
        append_handoff(&task.machine(), &task.path(), &format!("phase {phase}"), "").unwrap();
    }
    compact(&task.machine(), &task.path(), limits(10)).unwrap();
    let texts: Vec<String> = parse(&task.read()).into_iter().skip(1).map(|note| note.text).collect();
    assert_eq!(texts, ["Handoff at phase 4", "Handoff at phase 5"]);
    assert_eq!(parse(&task.archive()).len(), 3);
}

#[test]
fn defect_22_unreadable_lines_stay_where_they_are() {
    let mut all: Vec<Vec<u8>> =
        (0..20).map(|number| (line(number, Kind::Fact) + "\n").into_bytes()).collect();
    all.insert(0, b"# our notes\n".to_vec());
    all.insert(7, b"\xff\xfe not text\n".to_vec());
    all.insert(8, b"\n".to_vec());
    all.insert(12, b"{\"t\":\"x\"}\r\n".to_vec());
    let half = b"{\"ts\":\"2026-01-01T00:00:00Z\",\"t\":\"".to_vec();
    all.push(half.clone());
    let task = Task::new("");
    fs::write(task.path(), all.concat()).unwrap();
    let done = compact(&task.machine(), &task.path(), limits(10)).unwrap();
    assert_eq!(done, Compaction { before: 20, same: 0, cut: 12 });
    let left = fs::read(task.path()).unwrap();
    assert!(left.starts_with(b"# our notes\n") && left.ends_with(&half), "its writer can continue it");
    let others = |content: &[u8]| -> Vec<Vec<u8>> {
        lines(content).filter(|line| line.lesson.is_none()).map(|line| line.raw.to_vec()).collect()
    };
    assert_eq!(others(&left), others(&all.concat()));
}

#[test]
fn defect_22_a_line_that_was_not_ended_is_left_to_its_writer() {
    let mut content = file(&(0..12).map(|number| line(number, Kind::Avoid)).collect::<Vec<_>>());
    let last = line(0, Kind::Fact);
    content.push_str(&last);
    let task = Task::new(&content);
    compact(&task.machine(), &task.path(), limits(10)).unwrap();
    assert!(task.read().ends_with(&format!("\n{last}")));
}

#[test]
fn defect_22_what_was_compacted_is_not_written_again_by_the_next_lesson() {
    let task = Task::new(&file(&(0..101).map(|number| line(number, Kind::Fact)).collect::<Vec<_>>()));
    assert!(compact(&task.machine(), &task.path(), Limits::default()).unwrap().is_change());
    assert_eq!(parse(&task.read()).len(), 80);
    let draft =
        Draft { kind: Kind::Fact, text: "The port is 8080 on staging".to_owned(), source: String::new() };
    append(&task.machine(), &task.path(), &draft).unwrap();
    let before = (task.read(), task.archive());
    assert!(!compact(&task.machine(), &task.path(), Limits::default()).unwrap().is_change());
    assert_eq!((task.read(), task.archive()), before);
}

#[test]
fn a_huge_file_is_shortened_too() {
    let task = Task::new(&file(&(0..20_000).map(|number| line(number, Kind::Fact)).collect::<Vec<_>>()));
    let done = compact(&task.machine(), &task.path(), Limits::default()).unwrap();
    assert_eq!((done.before, done.same + done.cut), (20_000, 19_920));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_whatever_the_file_contains(
        picks in prop::collection::vec((0_usize..40, 0_usize..6), 0..40),
        most in 1_usize..20,
        is_ended in any::<bool>(),
    ) {
        let one = |(number, form): &(usize, usize)| match form {
            0 => line(*number, Kind::Avoid),
            1 => line(*number, Kind::Works),
            2 => line(*number, Kind::Fact),
            3 => line(*number, Kind::Handoff),
            4 => format!("{{broken {number}"),
            _ => String::new(),
        };
        let all: Vec<String> = picks.iter().map(one).collect();
        let mut content = file(&all);
        if !is_ended {
            content.pop();
        }
        let task = Task::new(&content);
        compact(&task.machine(), &task.path(), limits(most)).unwrap();
        let both = task.read() + "\n" + &task.archive();
        for line in &all {
            prop_assert!(both.lines().any(|other| other == line), "{line}");
        }
        let (left, lessons) = (task.read(), parse(&task.read()));
        prop_assert!(lessons.iter().filter(|lesson| lesson.kind != Kind::Handoff).count() <= most + 1);
        let again = compact(&task.machine(), &task.path(), limits(most)).unwrap();
        prop_assert!(!again.is_change());
        prop_assert_eq!(task.read(), left);
    }
}
