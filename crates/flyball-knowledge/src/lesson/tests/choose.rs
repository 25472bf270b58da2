//! Which lessons an agent gets.

use proptest::prelude::*;

use flyball_core::time::{DAY, Time};

use super::*;
use crate::tokens;

const NOW: Time = Time::from_millis(1_800_000_000_000);

fn request(prompt: &str, tokens: usize) -> Request<'_> {
    Request { role: None, prompt, now: NOW, tokens }
}

/// Lessons of which no two say the same.
fn many(count: usize, kind: Kind) -> Vec<Lesson> {
    const TOPICS: [&str; 10] = [
        "sockets",
        "migrations",
        "fonts",
        "caching",
        "timezones",
        "uploads",
        "sessions",
        "invoices",
        "search",
        "emails",
    ];
    let text = |number: usize| {
        let topic = TOPICS[number % 10];
        format!("{topic}{number} wants treatment{number} by procedure{number}")
    };
    (0..count)
        .map(|number| lesson(NOW - DAY * u32::try_from(count - number).unwrap(), kind, &text(number)))
        .collect()
}

#[test]
fn defect_16_new_lessons_are_seen_before_old_ones() {
    let lessons = many(60, Kind::Works);
    let chosen = choose(&lessons, &request("nothing in common", 60));
    assert!(
        chosen.text.starts_with("- ✅ works: emails59 wants treatment59 by procedure59\n"),
        "{}",
        chosen.text
    );
    assert!(!chosen.text.contains("treatment0 "), "{}", chosen.text);
    assert_eq!(chosen.included + chosen.left_out, 60);
}

#[test]
fn defect_16_lessons_without_a_time_count_by_their_place() {
    let mut lessons = many(60, Kind::Works);
    lessons.iter_mut().for_each(|lesson| lesson.at = Time::default());
    let chosen = choose(&lessons, &request("nothing in common", 20));
    assert_eq!(chosen.text, "- ✅ works: emails59 wants treatment59 by procedure59");
}

#[test]
fn warnings_come_first_and_the_rest_by_kind() {
    let lessons = [
        lesson(NOW, Kind::Fact, "The port is 8080."),
        lesson(NOW, Kind::Works, "Pytest with xdist."),
        lesson(NOW - 90 * DAY, Kind::Avoid, "Sleeping in tests."),
    ];
    let expected =
        "- ❌ avoid: Sleeping in tests.\n- ✅ works: Pytest with xdist.\n- ℹ️ fact: The port is 8080.";
    let chosen = choose(&lessons, &request("x", 500));
    assert_eq!(chosen, Selection { text: expected.to_owned(), included: 3, left_out: 0 });
}

#[test]
fn what_matches_the_prompt_beats_what_is_new() {
    let mut lessons = many(40, Kind::Fact);
    lessons
        .insert(0, lesson(NOW - 300 * DAY, Kind::Fact, "src/parser/lexer.rs keeps its tokens in an arena."));
    lessons.insert(1, lesson(NOW - 300 * DAY, Kind::Fact, "The arena is shared by threads."));
    let first = |prompt| choose(&lessons, &request(prompt, 24)).text;
    assert_eq!(
        first("Change src/parser/lexer.rs"),
        "- ℹ️ fact: src/parser/lexer.rs keeps its tokens in an arena."
    );
    assert_eq!(first("the lexer.rs, please"), "- ℹ️ fact: src/parser/lexer.rs keeps its tokens in an arena.");
    assert!(
        first("make threads and the arena faster").starts_with("- ℹ️ fact: The arena is shared by threads.")
    );
}

#[test]
fn lessons_of_the_same_role_count_more() {
    let from =
        |source: &str, text: &str| Lesson { source: source.to_owned(), ..lesson(NOW, Kind::Fact, text) };
    let lessons =
        [from("qa-lead", "Fixtures live in conftest."), from("java_developer", "Maven needs a proxy.")];
    let chosen = |role| choose(&lessons, &Request { role, ..request("x", 12) }).text;
    assert_eq!(chosen(Some(crate::role::Role::Test)), "- ℹ️ fact: Fixtures live in conftest.");
    assert_eq!(chosen(Some(crate::role::Role::Develop)), "- ℹ️ fact: Maven needs a proxy.");
}

#[test]
fn defect_17_the_budget_is_respected_to_the_token() {
    let lessons: Vec<Lesson> = Kind::LESSONS.into_iter().flat_map(|kind| many(40, kind)).collect();
    for budget in (0..400).step_by(7) {
        let chosen = choose(&lessons, &request("sockets", budget));
        assert!(tokens::estimate(&chosen.text) <= budget, "{budget}: {}", chosen.text);
        assert_eq!(chosen.text.lines().count(), chosen.included);
    }
    assert_eq!(choose(&lessons, &request("sockets", 5)).included, 0);
    let all = choose(&lessons, &request("sockets", 500));
    assert!(tokens::estimate(&all.text) > 480, "the room is used: {}", tokens::estimate(&all.text));
}

#[test]
fn defect_18_sentences_are_whole_and_every_lesson_is_a_line() {
    let long =
        "Never mock the store | it hides broken queries. Use the real one, e.g. SQLite in memory, instead. "
            .to_owned()
            + &"More words that nobody needs here. ".repeat(20);
    let chosen = choose(&[lesson(NOW, Kind::Avoid, &long)], &request("x", 35)).text;
    assert_eq!(
        chosen,
        "- ❌ avoid: Never mock the store | it hides broken queries. Use the real one, e.g. SQLite in memory, instead. […]"
    );
    let chosen = choose(&[lesson(NOW, Kind::Avoid, &long)], &request("x", 20)).text;
    assert_eq!(chosen, "- ❌ avoid: Never mock the store | it hides broken queries. […]");
    assert_eq!(
        choose(&[lesson(NOW, Kind::Avoid, &long)], &request("x", 10)),
        Selection { left_out: 1, ..Selection::default() }
    );
    let lines = lesson(NOW, Kind::Fact, "one\n- ❌ avoid: two\r\n---\nthree");
    assert_eq!(choose(&[lines], &request("x", 100)).text, "- ℹ️ fact: one - ❌ avoid: two --- three");
    let medium = "Fifty letters are not enough to say what this lesson says about the pool of connections.";
    assert_eq!(
        choose(&[lesson(NOW, Kind::Fact, medium)], &request("x", 100)).text,
        format!("- ℹ️ fact: {medium}")
    );
}

#[test]
fn secrets_that_others_wrote_are_not_passed_on() {
    let secret = lesson(NOW, Kind::Fact, "log in with password=hunter2hunter2 on staging");
    assert!(!choose(&[secret], &request("x", 100)).text.contains("hunter2"));
}

#[test]
fn the_same_text_is_given_once() {
    let lessons = [
        lesson(Time::from_millis(1), Kind::Fact, "The port is 8080."),
        lesson(Time::from_millis(2), Kind::Fact, "The port is 8080."),
    ];
    assert_eq!(choose(&lessons, &request("x", 100)).included, 1);
}

proptest! {
    #[test]
    fn no_text_breaks_the_list_or_the_budget(texts in prop::collection::vec("\\PC{0,200}|[a-z .\n|`]{0,300}", 0..20), budget in 0_usize..200) {
        let lessons: Vec<Lesson> = texts.iter().map(|text| lesson(NOW, Kind::Works, text)).collect();
        let chosen = choose(&lessons, &request("some words", budget));
        prop_assert!(tokens::estimate(&chosen.text) <= budget);
        prop_assert_eq!(chosen.text.lines().filter(|line| line.starts_with("- ✅ works: ")).count(), chosen.included);
        prop_assert_eq!(chosen.text.lines().count(), chosen.included);
    }
}
