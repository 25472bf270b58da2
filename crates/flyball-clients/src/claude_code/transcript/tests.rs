//! Recorded transcripts, and lines that a reader is known to stumble over.

use flyball_core::policy::{ContextSize, Tail};
use serde_json::{Value, json};

/// The context size by a transcript with this text, and how many bytes had to be read for it.
fn context_of(text: &str) -> (Option<(u64, String)>, u64) {
    let mut read = 0;
    let size = super::context_size(&mut |most| {
        let from = text.len().saturating_sub(usize::try_from(most).unwrap());
        let bytes = text.as_bytes()[from..].to_vec();
        read += bytes.len() as u64;
        Ok(Some(Tail { bytes, is_whole: from == 0 }))
    });
    let shown = |size: ContextSize| (size.tokens, size.model);
    (size.unwrap().map(shown), read)
}

fn size(lines: &[Value]) -> Option<(u64, String)> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    context_of(&text).0
}

fn answer(usage: Value) -> Value {
    let message = json!({ "role": "assistant", "model": "claude-opus-4-8", "content": [], "usage": usage });
    json!({ "type": "assistant", "isSidechain": false, "message": message })
}

fn used(input: u64, created: u64, read: u64) -> Value {
    answer(json!({
        "input_tokens": input,
        "cache_creation_input_tokens": created,
        "cache_read_input_tokens": read,
        "output_tokens": 7_000,
        "iterations": [],
    }))
}

fn with(mut line: Value, key: &str, value: Value) -> Value {
    line[key] = value;
    line
}

fn boundary(metadata: Value) -> Value {
    json!({ "type": "system", "subtype": "compact_boundary", "isSidechain": false, "compactMetadata": metadata })
}

fn opus(tokens: u64) -> Option<(u64, String)> {
    Some((tokens, "claude-opus-4-8".to_owned()))
}

#[test]
fn recorded_transcripts_are_understood() {
    let cases = [
        ("main", include_str!("../../../fixtures/claude-code/transcript-main.jsonl"), opus(100)),
        (
            "feedback",
            include_str!("../../../fixtures/claude-code/transcript-main-posttool-feedback.jsonl"),
            opus(100),
        ),
        (
            "blocked",
            include_str!("../../../fixtures/claude-code/transcript-main-stop-blocked.jsonl"),
            opus(100),
        ),
        // A subagent's own transcript has nothing about the main thread.
        ("subagent", include_str!("../../../fixtures/claude-code/transcript-subagent.jsonl"), None),
    ];
    for (name, text, expected) in cases {
        assert_eq!(context_of(text).0, expected, "{name}");
    }
}

#[test]
fn the_last_answer_of_the_main_thread_counts() {
    let synthetic =
        with(used(9, 9, 9), "message", json!({ "model": "<synthetic>", "usage": { "input_tokens": 9 } }));
    let cases = [
        ("one", vec![used(1, 20, 300)], opus(321)),
        ("the last", vec![used(1, 20, 300), used(2, 0, 500)], opus(502)),
        (
            "not a subagent's",
            vec![used(1, 20, 300), with(used(9, 9, 9), "isSidechain", json!(true))],
            opus(321),
        ),
        (
            "not an error",
            vec![used(1, 20, 300), with(used(9, 9, 9), "isApiErrorMessage", json!(true))],
            opus(321),
        ),
        ("not one that the client made up", vec![used(1, 20, 300), synthetic], opus(321)),
        ("not one without usage", vec![used(1, 20, 300), answer(json!({}))], opus(321)),
        ("not a user's", vec![used(1, 20, 300), with(used(9, 9, 9), "type", json!("user"))], opus(321)),
        ("with parts missing", vec![answer(json!({ "input_tokens": 5 }))], opus(5)),
        ("none", vec![json!({ "type": "user" })], None),
        ("nothing", vec![], None),
    ];
    for (name, lines, expected) in cases {
        assert_eq!(size(&lines), expected, "{name}");
    }
}

#[test]
fn of_an_answer_in_several_parts_the_last_message_counts() {
    let parts = |iterations: Value| answer(json!({ "input_tokens": 1_000, "iterations": iterations }));
    let part = |kind: &str, tokens: u64| json!({ "type": kind, "input_tokens": tokens, "cache_read_input_tokens": 1 });
    let cases = [
        ("none", json!([]), opus(1_000)),
        ("one", json!([part("message", 10)]), opus(11)),
        ("the last", json!([part("message", 10), part("message", 20), part("advisor", 30)]), opus(21)),
        ("a fallback", json!([part("message", 10), part("fallback_message", 40)]), opus(41)),
        ("others only", json!([part("advisor", 30)]), opus(1_000)),
    ];
    for (name, iterations, expected) in cases {
        assert_eq!(size(&[parts(iterations)]), expected, "{name}");
    }
}

#[test]
fn after_a_compaction_what_is_left_counts() {
    let compacted = || boundary(json!({ "trigger": "auto", "preTokens": 170_000, "postTokens": 2_524 }));
    let cases = [
        ("right after it", vec![used(0, 0, 170_000), compacted()], opus(2_524)),
        ("after the next answer", vec![used(0, 0, 170_000), compacted(), used(0, 0, 9_000)], opus(9_000)),
        ("twice", vec![used(0, 0, 9), boundary(json!({ "postTokens": 1 })), compacted()], opus(2_524)),
        ("without its size", vec![used(0, 0, 170_000), boundary(json!({ "preTokens": 1 }))], None),
        ("of a subagent", vec![used(0, 0, 9), with(compacted(), "isSidechain", json!(true))], opus(9)),
        ("with nothing before it", vec![compacted()], Some((2_524, String::new()))),
    ];
    for (name, lines, expected) in cases {
        assert_eq!(size(&lines), expected, "{name}");
    }
}

#[test]
fn a_torn_or_foreign_line_is_skipped() {
    let whole = used(1, 20, 300).to_string();
    let torn = used(9, 9, 9).to_string();
    let torn = &torn[..torn.len() - 3];
    assert_eq!(context_of(&format!("{whole}\n{torn}")).0, opus(321));
    assert_eq!(context_of(&format!("{whole}\n\n\"usage\" \"assistant\"\n[1]\n{{}}\n")).0, opus(321));
    let deep = format!("{{\"type\":\"assistant\",\"usage\":{}", "[".repeat(100_000));
    assert_eq!(context_of(&format!("{whole}\n{deep}\n")).0, opus(321));
    // Cut in the middle of the only line: what is left of it may look like one.
    let long = with(used(1, 20, 300), "text", json!("x".repeat(5 * 1024 * 1024)));
    assert_eq!(size(&[long]), None);
}

// Defect 17 of the enforcement hooks.
#[test]
fn defect_17_a_line_that_mentions_a_field_twice_is_read_like_any_other() {
    let mut quoting = used(1, 20, 300);
    quoting["message"]["content"] =
        json!([{ "type": "text", "text": "\"cache_read_input_tokens\":5,\"usage\"" }]);
    quoting["message"]["usage"]["cache_creation"] = json!({ "cache_read_input_tokens": 77 });
    assert_eq!(size(&[quoting]), opus(321));
    let twice = r#"{"type":"assistant","message":{"model":"m","usage":{"input_tokens":1,"cache_read_input_tokens":5,"cache_read_input_tokens":6}}}"#;
    assert_eq!(context_of(twice).0, Some((7, "m".to_owned())));
}

#[test]
fn more_is_read_only_where_the_end_is_not_enough() {
    const MIB: u64 = 1024 * 1024;
    let result = |bytes: u64| json!({ "type": "user", "text": "x".repeat(usize::try_from(bytes).unwrap()) });
    let before = || result(6 * MIB);
    let cases = [
        ("at the end", vec![before(), used(1, 20, 300)], opus(321), MIB / 4),
        ("before a long result", vec![before(), used(1, 20, 300), result(MIB / 2)], opus(321), MIB / 4 + MIB),
        (
            "before a very long one",
            vec![before(), used(1, 20, 300), result(3 * MIB)],
            opus(321),
            MIB / 4 + 5 * MIB,
        ),
        ("too far up", vec![used(1, 20, 300), result(6 * MIB)], None, MIB / 4 + 5 * MIB),
    ];
    for (name, lines, expected, read) in cases {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(context_of(&text), (expected, read), "{name}");
    }
}
