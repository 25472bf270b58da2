//! Recorded transcripts, long ones, torn ones, and what must not be shown.

use flyball_core::policy::Tail;
use serde_json::{Value, json};

/// The end of a transcript with this text in at most `most` characters, and how many bytes had to be read for it.
fn recent(text: &str, most: usize) -> (Option<String>, u64) {
    let mut read = 0;
    let conversation = super::read_recent(
        &mut |bytes| {
            let from = text.len().saturating_sub(usize::try_from(bytes).unwrap());
            let bytes = text.as_bytes()[from..].to_vec();
            read += bytes.len() as u64;
            Ok(Some(Tail { bytes, is_whole: from == 0 }))
        },
        most,
    );
    (conversation.unwrap(), read)
}

fn conversation_of(lines: &[Value]) -> String {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    recent(&text, 10_000).0.unwrap()
}

fn user(content: Value) -> Value {
    json!({ "type": "user", "isSidechain": false, "message": { "role": "user", "content": content } })
}

fn agent(content: Value) -> Value {
    json!({ "type": "assistant", "isSidechain": false, "message": { "role": "assistant", "content": content } })
}

fn with(mut line: Value, key: &str) -> Value {
    line[key] = json!(true);
    line
}

#[test]
fn a_recorded_transcript_becomes_plain_text() {
    let text = include_str!("../../../fixtures/claude-code/transcript-main.jsonl");
    let (conversation, _) = recent(text, 10_000);
    let conversation = conversation.unwrap();
    let lines: Vec<&str> = conversation.lines().collect();
    assert_eq!(lines[0], "user: Have a helper write notes.");
    assert_eq!(lines[1], "agent: Delegating.");
    assert!(lines[2].starts_with("agent calls Agent: {\"description\":\"Write notes\","), "{conversation}");
    assert_eq!(lines[3], "result: notes.md is written.");
    assert_eq!(lines.last(), Some(&"agent: The helper wrote notes.md."));
}

#[test]
fn what_is_not_of_the_main_thread_is_left_out() {
    let lines = [
        user(json!("do it")),
        with(user(json!("a subagent's prompt")), "isSidechain"),
        with(user(json!("a caveat of the client's")), "isMeta"),
        with(user(json!("a summary")), "isCompactSummary"),
        with(agent(json!([{ "type": "text", "text": "API Error" }])), "isApiErrorMessage"),
        json!({ "type": "attachment", "attachment": { "content": "\"user\"" } }),
        json!({ "type": "user" }),
        json!(["\"user\""]),
        agent(json!([{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "Done." }])),
        user(json!([{ "type": "tool_result", "is_error": true, "content": "Exit code 1" }])),
        user(json!([{ "type": "image", "source": {} }])),
    ];
    assert_eq!(conversation_of(&lines), "user: do it\nagent: Done.\nfailed: Exit code 1");
    assert_eq!(recent("no JSON at all\n\"user\" {", 100).0.unwrap(), "");
}

#[test]
fn defect_17_the_end_of_a_long_session_is_shown_and_not_its_beginning() {
    let lines: String =
        (0..20_000).map(|at| format!("{}\n", user(json!(format!("prompt {at} ä"))))).collect();
    let (conversation, read) = recent(&lines, 2_000);
    let conversation = conversation.unwrap();
    assert!(conversation.ends_with("\nuser: prompt 19999 ä"), "{conversation}");
    assert!(conversation.starts_with("user: prompt 199"), "{conversation}");
    assert!((1_900..=2_000).contains(&conversation.chars().count()), "{}", conversation.chars().count());
    assert_eq!(read, 256 * 1024);
}

#[test]
fn long_entries_are_cut_in_their_middle_and_a_torn_line_is_skipped() {
    let long = user(json!([{ "type": "tool_result", "content": format!("A{}Z", "x".repeat(300_000)) }]));
    let conversation = conversation_of(&[user(json!("first")), long.clone()]);
    let (first, cut) = conversation.split_once('\n').unwrap();
    assert_eq!(first, "user: first");
    assert!(cut.starts_with("result: Ax") && cut.contains("x […] x") && cut.ends_with("xZ"), "{cut}");
    assert_eq!(cut.chars().count(), "result: ".len() + super::OUTPUT_CHARS + " […] ".chars().count());
    // The first step of reading ends within the long line; the next one has all of it.
    let text = format!("{}\n{long}\n{}\n", user(json!("first")), user(json!("last")));
    assert!(recent(&text, 10_000).0.unwrap().ends_with("xZ\nuser: last"));
    // What does not fit at all is shown by its end.
    assert_eq!(recent(&format!("{}\n", user(json!("abcdef"))), 4).0.unwrap(), "def");
}

#[test]
fn no_secret_is_shown_not_even_half_of_one() {
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let padded = format!("{}{token}{}", "x ".repeat(190), " y".repeat(1_000));
    let conversation = conversation_of(&[
        user(json!(format!("use {token}"))),
        agent(
            json!([{ "type": "tool_use", "name": "Bash", "input": { "command": format!("export T={token}") } }]),
        ),
        user(json!([{ "type": "tool_result", "content": padded }])),
    ]);
    for piece in [token, "16C7e42F", "838347Ae178B4a"] {
        assert!(!conversation.contains(piece), "{conversation}");
    }
    assert_eq!(conversation.lines().next(), Some("user: use [redacted]"));
}
