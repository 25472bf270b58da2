//! What each provider is sent, and how its answers are read.

use serde_json::{Value, json};

use super::super::{ask, prompt};
use super::server::{CannedReply, ReceivedRequest, Server, anthropic, chat, gemini, ollama, tags};
use super::test_workshop::TestWorkshop;
use super::{advice_by, keyed, nobody, only, question, settings};

/// The advice from one answer of a provider with the model `m`.
fn advice_from(provider: &str, answer: Value) -> super::Advice {
    let mut replies = vec![CannedReply::Says(200, answer)];
    if provider == "ollama" {
        replies.insert(0, CannedReply::Says(200, tags(&["m:latest"])));
    }
    ask(&only(provider, &Server::new(replies).url), &question(), &TestWorkshop::new())
}

fn one(server: &Server) -> ReceivedRequest {
    let [asked] = server.requests().try_into().unwrap();
    asked
}

fn has_header(asked: &ReceivedRequest, header: &str) -> bool {
    asked.head.contains(&format!("\r\n{header}\r\n"))
}

#[test]
fn ollama_is_asked_for_its_models_and_then_for_advice() {
    let server = Server::new(vec![
        CannedReply::Says(200, tags(&["llama3.2:latest", "deepseek-r1:7b"])),
        CannedReply::Says(200, ollama("<think>\nhm\n</think>\n\nRoot cause: the lock.")),
    ]);
    let settings = settings(&format!("[ollama]\nurl = '{}/'", server.url));
    assert_eq!(
        ask(&settings, &question(), &TestWorkshop::new()),
        super::Advice {
            failures: super::lines(&[
                "Gemini: no key: `GEMINI_API_KEY` is not set",
                "OpenAI: no key: `OPENAI_API_KEY` is not set",
                "xAI: no key: `XAI_API_KEY` is not set",
                "Anthropic: no key: `ANTHROPIC_API_KEY` is not set",
            ]),
            ..advice_by("Ollama deepseek-r1:7b", "Root cause: the lock.")
        }
    );
    assert_eq!(server.lines(), ["GET /api/tags", "POST /api/chat"]);
    let asked = server.requests().pop().unwrap();
    assert!(!asked.head.contains("authorization"), "{}", asked.head);
    assert_eq!(
        asked.body,
        json!({
            "model": "deepseek-r1:7b",
            "messages": [{ "role": "user", "content": prompt::write(&question(), 200) }],
            "stream": false,
            "options": { "num_ctx": 16_384, "num_predict": 8_000 },
        })
    );
}

#[test]
fn ollama_is_not_asked_for_a_model_that_it_does_not_have() {
    let server = Server::new(vec![CannedReply::Says(200, tags(&["other:7b"]))]);
    assert_eq!(
        ask(&only("ollama", &server.url), &question(), &TestWorkshop::new()),
        nobody(&["Ollama: none of these models is installed: m"])
    );
    assert_eq!(server.lines(), ["GET /api/tags"]);
}

#[test]
fn after_a_model_that_does_not_fit_into_memory_the_next_is_asked() {
    let full = json!({ "error": "model requires more system memory (11.0 GiB) than is available (3.1 GiB)" });
    let server = Server::new(vec![
        CannedReply::Says(200, tags(&["a:1", "b:1"])),
        CannedReply::Says(500, full.clone()),
        CannedReply::Says(500, full),
        CannedReply::Says(200, ollama("Do it.")),
    ]);
    let settings = settings(&format!(
        "providers = ['ollama']\n[ollama]\nurl = '{}'\nmodels = ['a:1', 'b:1']",
        server.url
    ));
    let why = "Ollama a:1: the server failed (500): model requires more system memory (11.0 GiB) than is available \
               (3.1 GiB)";
    assert_eq!(
        ask(&settings, &question(), &TestWorkshop::new()),
        super::Advice { failures: super::lines(&[why]), ..advice_by("Ollama b:1", "Do it.") }
    );
    assert_eq!(server.models(), ["a:1", "a:1", "b:1"]);
}

#[test]
fn gemini_has_its_key_in_a_header_and_its_text_in_parts() {
    let parts = json!([
        { "text": "**Thinking**", "thought": true },
        { "text": "Root cause: " },
        { "text": "the lock.", "thoughtSignature": "EjQKMgEM" },
    ]);
    let server = Server::new(vec![CannedReply::Says(200, gemini(parts))]);
    let workshop = TestWorkshop::new().with("GEMINI_API_KEY", "AIzaKey-1");
    assert_eq!(
        ask(&keyed("gemini", &server.url), &question(), &workshop),
        advice_by("Gemini m", "Root cause: the lock.")
    );
    let asked = one(&server);
    assert_eq!(asked.line, "POST /v1beta/models/m:generateContent");
    assert!(has_header(&asked, "x-goog-api-key: AIzaKey-1"), "{}", asked.head);
    assert_eq!(
        asked.body,
        json!({
            "contents": [{ "role": "user", "parts": [{ "text": prompt::write(&question(), 200) }] }],
            "generationConfig": { "maxOutputTokens": 8_000 },
        })
    );
}

#[test]
fn openai_and_xai_get_chat_completions() {
    for (provider, name, variable) in [("openai", "OpenAI", "OPENAI_API_KEY"), ("xai", "xAI", "XAI_API_KEY")]
    {
        let server = Server::new(vec![CannedReply::Says(200, chat(json!("Root cause: the lock.")))]);
        let workshop = TestWorkshop::new().with(variable, "key-2");
        assert_eq!(
            ask(&keyed(provider, &format!("{}/v1/", server.url)), &question(), &workshop),
            advice_by(&format!("{name} m"), "Root cause: the lock.")
        );
        let asked = one(&server);
        assert_eq!(asked.line, "POST /v1/chat/completions");
        assert!(has_header(&asked, "authorization: Bearer key-2"), "{}", asked.head);
        assert_eq!(
            asked.body,
            json!({
                "model": "m",
                "messages": [{ "role": "user", "content": prompt::write(&question(), 200) }],
                "max_completion_tokens": 8_000,
            })
        );
    }
}

#[test]
fn anthropic_gets_messages() {
    let blocks = json!([
        { "type": "thinking", "thinking": "hm", "signature": "EqQBCg" },
        { "type": "text", "text": "Root cause: " },
        { "type": "text", "text": "the lock." },
    ]);
    let server = Server::new(vec![CannedReply::Says(200, anthropic(blocks))]);
    let workshop = TestWorkshop::new().with("ANTHROPIC_API_KEY", "key-3");
    assert_eq!(
        ask(&keyed("anthropic", &server.url), &question(), &workshop),
        advice_by("Anthropic m", "Root cause: the lock.")
    );
    let asked = one(&server);
    assert_eq!(asked.line, "POST /v1/messages");
    for header in ["x-api-key: key-3", "anthropic-version: 2023-06-01", "content-type: application/json"] {
        assert!(has_header(&asked, header), "{header} in {}", asked.head);
    }
    assert_eq!(
        asked.body,
        json!({
            "model": "m",
            "max_tokens": 8_000,
            "messages": [{ "role": "user", "content": prompt::write(&question(), 200) }],
        })
    );
}

#[test]
fn content_in_parts_is_read_where_others_send_a_text() {
    let parts = json!([{ "type": "text", "text": "Do " }, { "type": "text", "text": "it." }]);
    assert_eq!(advice_from("openai", chat(parts)), advice_by("OpenAI m", "Do it."));
}

#[test]
fn an_answer_that_is_cut_off_is_better_than_none() {
    let mut cut = gemini(json!([{ "text": "Root cause: the" }]));
    cut["candidates"][0]["finishReason"] = json!("MAX_TOKENS");
    assert_eq!(advice_from("gemini", cut), advice_by("Gemini m", "Root cause: the"));
    let mut cut = anthropic(json!([{ "type": "text", "text": "Root cause: the" }]));
    cut["stop_reason"] = json!("max_tokens");
    assert_eq!(advice_from("anthropic", cut), advice_by("Anthropic m", "Root cause: the"));
}

#[test]
fn a_refusal_or_an_empty_reply_is_skipped() {
    let refused = |name: &str| nobody(&[&format!("{name} m: the model refused")]);
    let empty = |name: &str| nobody(&[&format!("{name} m: the reply has no text")]);
    let mut filtered = chat(json!(""));
    filtered["choices"][0]["finish_reason"] = json!("content_filter");
    let mut declined = chat(Value::Null);
    declined["choices"][0]["message"]["refusal"] = json!("I'm sorry, I can't help with that.");
    let mut unsafe_text = gemini(json!([{ "text": "half" }]));
    unsafe_text["candidates"][0]["finishReason"] = json!("SAFETY");
    let blocked = json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" }, "modelVersion": "m" });
    let mut only_thought = gemini(json!([{ "text": "hm", "thought": true }]));
    only_thought["candidates"][0]["finishReason"] = json!("MAX_TOKENS");
    let mut no_parts = gemini(Value::Null);
    no_parts["candidates"][0]["content"] = json!({ "role": "model" });
    let mut declined_message = anthropic(json!([]));
    declined_message["stop_reason"] = json!("refusal");
    let cases = [
        ("openai", filtered, refused("OpenAI")),
        ("openai", declined, refused("OpenAI")),
        ("xai", chat(json!(" \n")), empty("xAI")),
        ("openai", json!({ "choices": [] }), empty("OpenAI")),
        ("openai", json!({ "error": { "message": "provider down" } }), empty("OpenAI")),
        ("gemini", unsafe_text, refused("Gemini")),
        ("gemini", blocked, refused("Gemini")),
        ("gemini", only_thought, empty("Gemini")),
        ("gemini", no_parts, empty("Gemini")),
        ("anthropic", declined_message, refused("Anthropic")),
        ("anthropic", anthropic(json!([{ "type": "thinking", "thinking": "hm" }])), empty("Anthropic")),
        ("anthropic", json!([]), empty("Anthropic")),
        ("anthropic", json!("text"), empty("Anthropic")),
        ("ollama", ollama("<think>hm, perhaps"), nobody(&["Ollama m:latest: the reply has no text"])),
    ];
    for (provider, answer, expected) in cases {
        assert_eq!(advice_from(provider, answer.clone()), expected, "{answer}");
    }
}

#[test]
fn an_answer_is_cleaned_and_cut() {
    let text = format!("\u{1b}[1mDo\u{202e} it.\u{0}{}", " and".repeat(5_000));
    let advice = advice_from("openai", chat(json!(text)));
    assert!(advice.text.starts_with("[1mDo it. and and"), "{}", advice.text);
    assert!(advice.text.ends_with('…'), "{}", advice.text);
    assert!(advice.text.chars().count() <= 2_401, "{}", advice.text.chars().count());
}
