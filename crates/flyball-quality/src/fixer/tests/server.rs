//! Servers on loopback that speak the wire format of each provider.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use super::test_workshop::TestWorkshop;
use super::{BAD, FILE, GOOD, failed, outcome, refused, run_fix, settings};
use crate::report::FixOutcome;
use crate::settings::FixerSettings;

/// A request as a server gets it: its head in lower case, and its body.
type Received = (String, Value);

/// What a server does with a request.
enum Reply {
    Json(u16, Value),
    Busy(u16, u64),
    Text(&'static str),
    /// Takes the request and never answers.
    Hangs,
}

/// Serves one request for each reply, and returns the requests.
fn serve(replies: Vec<Reply>) -> (String, JoinHandle<Vec<Received>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let requests = replies.into_iter().map(|reply| {
            let (stream, _) = listener.accept().unwrap();
            let received = read(&stream);
            answer(&stream, reply);
            received
        });
        requests.collect()
    });
    (url, server)
}

fn read(stream: &TcpStream) -> Received {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        reader.read_line(&mut head).unwrap();
    }
    let head = head.to_lowercase();
    let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    (head, serde_json::from_slice(&body).unwrap())
}

fn answer(mut stream: &TcpStream, reply: Reply) {
    let (status, more, body) = match reply {
        Reply::Json(status, body) => (status, String::new(), body.to_string()),
        Reply::Busy(status, after) => (status, format!("retry-after: {after}\r\n"), String::new()),
        Reply::Text(text) => (200, String::new(), text.to_owned()),
        Reply::Hangs => {
            // Until the other side hangs up.
            let _ = stream.read(&mut [0]);
            return;
        }
    };
    let head = format!("HTTP/1.1 {status} So\r\n{more}content-length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).unwrap();
}

fn edits() -> Value {
    json!({ "edits": [
        { "old": "import os\n\n\n", "new": "" },
        { "old": "    unused = 1\n", "new": "" },
    ] })
}

fn anthropic(content: Value) -> Value {
    json!({ "id": "msg_1", "type": "message", "role": "assistant", "content": [content], "stop_reason": "tool_use" })
}

fn openai(message: Value) -> Value {
    json!({ "id": "c1", "object": "chat.completion",
            "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] })
}

fn called() -> Value {
    anthropic(json!({ "type": "tool_use", "id": "toolu_1", "name": "edit_file", "input": edits() }))
}

fn at(provider: &str, url: &str) -> FixerSettings {
    settings(&format!("provider = '{provider}'\nurl = '{url}'\nmodel = 'm'"))
}

/// The outcome of these replies of a server that speaks Anthropic's API.
fn outcome_of(replies: Vec<Reply>) -> (FixOutcome, String) {
    let (url, server) = serve(replies);
    let end = outcome(&TestWorkshop::new(FILE, BAD), &at("anthropic", &url));
    server.join().unwrap();
    end
}

#[test]
fn the_messages_api_is_spoken() {
    let (url, server) = serve(vec![Reply::Json(200, called())]);
    let workshop = TestWorkshop::new(FILE, BAD).with("ANTHROPIC_API_KEY", "key-1");
    let named = FixerSettings { key_variable: Some("ANTHROPIC_API_KEY".to_owned()), ..at("anthropic", &url) };
    assert_eq!(outcome(&workshop, &named), (FixOutcome::Kept(2), GOOD.to_owned()));
    let [(head, body)] = server.join().unwrap().try_into().unwrap();
    assert!(head.starts_with("post /v1/messages http/1.1\r\n"), "{head}");
    for header in ["x-api-key: key-1", "anthropic-version: 2023-06-01", "content-type: application/json"] {
        assert!(head.contains(&format!("\r\n{header}\r\n")), "{header} in {head}");
    }
    assert_eq!((&body["model"], &body["tool_choice"]["name"]), (&json!("m"), &json!("edit_file")));
    let task = body["messages"][0]["content"].as_str().unwrap();
    assert!(task.ends_with(&format!("The file `{FILE}`:\n{BAD}")), "{task}");
}

#[test]
fn a_key_goes_only_to_the_provider_it_belongs_to() {
    let (url, server) = serve(vec![Reply::Json(200, called())]);
    let workshop =
        TestWorkshop::new(FILE, BAD).with("ANTHROPIC_API_KEY", "key-1").with("OPENAI_API_KEY", "key-2");
    assert_eq!(outcome(&workshop, &at("anthropic", &url)).0, FixOutcome::Kept(2));
    let [(head, _)] = server.join().unwrap().try_into().unwrap();
    assert!(!head.contains("key-"), "{head}");
}

#[test]
fn a_secret_of_another_service_is_not_sent() {
    let cases = [
        (
            "AWS_SECRET_ACCESS_KEY",
            "`AWS_SECRET_ACCESS_KEY` holds a secret of something else than `models.example`",
        ),
        ("GITHUB_TOKEN", "`GITHUB_TOKEN` holds a secret of something else than `models.example`"),
        ("ANTHROPIC_API_KEY", "`ANTHROPIC_API_KEY` is a key of Anthropic, and `models.example` is not"),
    ];
    for (variable, why) in cases {
        let workshop = TestWorkshop::new(FILE, BAD).with(variable, "key-3");
        let settings = FixerSettings {
            key_variable: Some(variable.to_owned()),
            ..at("openai", "https://models.example/v1")
        };
        let why = format!("{why}: put the key of this server into a variable of its own");
        assert_eq!(outcome(&workshop, &settings).0, FixOutcome::Failed(why));
    }
}

#[test]
fn chat_completions_are_spoken() {
    let call = |arguments: Value| {
        openai(
            json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "call_1", "type": "function",
            "function": { "name": "edit_file", "arguments": arguments } }] }),
        )
    };
    for arguments in [json!(edits().to_string()), edits()] {
        let (url, server) = serve(vec![Reply::Json(200, call(arguments))]);
        let workshop = TestWorkshop::new(FILE, BAD).with("MY_KEY", "key-2");
        let named =
            FixerSettings { key_variable: Some("MY_KEY".to_owned()), ..at("openai", &format!("{url}/v1/")) };
        assert_eq!(outcome(&workshop, &named), (FixOutcome::Kept(2), GOOD.to_owned()));
        let [(head, body)] = server.join().unwrap().try_into().unwrap();
        assert!(head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{head}");
        assert!(head.contains("\r\nauthorization: bearer key-2\r\n"), "{head}");
        assert_eq!(body["tools"][0]["function"]["name"], "edit_file");
    }
}

#[test]
fn edits_in_a_fenced_block_do_as_well() {
    let text = format!("Sure!\n```json\n{}\n```", edits());
    let reply = anthropic(json!({ "type": "text", "text": text }));
    assert_eq!(outcome_of(vec![Reply::Json(200, reply)]).0, FixOutcome::Kept(2));
    let (url, server) =
        serve(vec![Reply::Json(200, openai(json!({ "role": "assistant", "content": text })))]);
    assert_eq!(outcome(&TestWorkshop::new(FILE, BAD), &at("openai", &url)).0, FixOutcome::Kept(2));
    let [(head, _)] = server.join().unwrap().try_into().unwrap();
    assert!(!head.contains("authorization"), "a custom server needs no key: {head}");
}

#[test]
fn a_busy_server_is_asked_once_more() {
    let (url, server) = serve(vec![Reply::Busy(429, 3), Reply::Json(200, called())]);
    let workshop = TestWorkshop::new(FILE, BAD);
    assert_eq!(outcome(&workshop, &at("anthropic", &url)), (FixOutcome::Kept(2), GOOD.to_owned()));
    assert_eq!(
        (server.join().unwrap().len(), workshop.pauses.lock().unwrap().as_slice()),
        (2, [Duration::from_secs(3)].as_slice())
    );
}

#[test]
fn a_busy_server_is_not_waited_for_longer_than_there_is_time() {
    let (url, server) = serve(vec![Reply::Busy(429, 600)]);
    let workshop = TestWorkshop::new(FILE, BAD);
    let reason = format!("{}: too many requests (429)", url.trim_start_matches("http://"));
    assert_eq!(outcome(&workshop, &at("anthropic", &url)), (failed(&reason), BAD.to_owned()));
    assert_eq!((server.join().unwrap().len(), workshop.pauses.lock().unwrap().len()), (1, 0));
}

#[test]
fn errors_of_a_server_are_reported_plainly() {
    let error = |message: &str| json!({ "type": "error", "error": { "type": "x", "message": message } });
    let refusal = json!({ "content": [], "stop_reason": "refusal" });
    let cut =
        json!({ "content": [{ "type": "text", "text": "{\"edits\": [" }], "stop_reason": "max_tokens" });
    let cases = [
        (
            Reply::Json(401, error("invalid x-api-key")),
            "HOST: a key is required (401): set one (`key_variable`)",
        ),
        (
            Reply::Json(404, error("model: m")),
            "HOST: unknown model or address (404), check the model's name and `url`: model: m",
        ),
        (Reply::Json(500, error("Internal")), "HOST: the server failed (500): Internal"),
        (Reply::Json(418, json!({ "error": "no" })), "HOST: the request was rejected (418): no"),
        (Reply::Text("<html>"), "HOST: the reply is not valid JSON"),
        (Reply::Json(200, refusal), "the model refused"),
        (Reply::Json(200, cut), "the model's reply is cut off"),
        (
            Reply::Json(200, anthropic(json!({ "type": "text", "text": "I cannot." }))),
            "the model's reply has no edits: I cannot.",
        ),
        (
            Reply::Json(
                200,
                anthropic(json!({ "type": "tool_use", "input": { "edits": [{ "old": "x", "new": "" }] } })),
            ),
            "the text that edit 1 of 1 replaces is not in the file",
        ),
    ];
    for (reply, reason) in cases {
        let (url, server) = serve(vec![reply]);
        let reason = reason.replace("HOST", url.trim_start_matches("http://"));
        assert_eq!(
            outcome(&TestWorkshop::new(FILE, BAD), &at("anthropic", &url)),
            (failed(&reason), BAD.to_owned())
        );
        server.join().unwrap();
    }
}

#[test]
fn a_server_that_hangs_is_abandoned_at_the_deadline() {
    let (url, server) = serve(vec![Reply::Hangs]);
    let workshop = TestWorkshop::new(FILE, BAD);
    let report = run_fix(&workshop, &at("anthropic", &url), Duration::from_millis(300)).unwrap();
    let FixOutcome::Failed(reason) = report.end else { panic!("{report:?}") };
    let host = url.trim_start_matches("http://");
    assert!(reason.starts_with(&format!("no answer from {host}: ")), "{reason}");
    server.join().unwrap();
}

#[test]
fn an_unreachable_server_is_reported() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (end, text) = outcome(&TestWorkshop::new(FILE, BAD), &at("openai", &format!("http://{free}")));
    let FixOutcome::Failed(reason) = end else { panic!("{end:?}") };
    assert!(reason.starts_with(&format!("no answer from {free}: ")), "{reason}");
    assert_eq!(text, BAD);
}

#[test]
fn edits_that_cheat_are_rejected_too() {
    let cheat = json!({ "edits": [{ "old": "import os", "new": "import os  # noqa" }] });
    let reply =
        Reply::Json(200, anthropic(json!({ "type": "tool_use", "name": "edit_file", "input": cheat })));
    assert_eq!(outcome_of(vec![reply]), (refused(&["it silences a check: `noqa`"]), BAD.to_owned()));
}

#[test]
fn what_cannot_be_sent_is_not_sent() {
    let workshop = || TestWorkshop::new(FILE, BAD);
    let model = "model = 'm'\nprovider = 'openai'";
    assert_eq!(outcome(&workshop(), &settings(model)).0, failed("no key: `OPENAI_API_KEY` is not set"));
    assert_eq!(
        outcome(&workshop(), &settings("provider = 'openai'")).0,
        failed("no model is configured: set `quality.fixer.model`")
    );
    let open = settings(&format!("{model}\nurl = 'http://models.example.com'\nkey_variable = 'MODELS_KEY'"));
    assert_eq!(
        outcome(&workshop().with("MODELS_KEY", "k"), &open).0,
        failed("the key would be sent unencrypted: `quality.fixer.url` must begin with `https://`")
    );
}

#[test]
fn a_file_with_a_secret_stays_here() {
    use crate::fixer::{Attempt, fix, guard::Verified};
    let before = format!("import os\ntoken = \"ghp_{}\"\n", "a1B2c3D4e5F6".repeat(3));
    let workshop = TestWorkshop::new(FILE, &before);
    let settings = at("openai", "http://127.0.0.1:1");
    let attempt = Attempt {
        settings: &settings,
        root: workshop.root(),
        path: &super::file(),
        before: &before,
        findings: &super::findings(&["F401"]),
        timeout: Duration::from_secs(1),
        verify: &Verified::default,
        guards: super::GUARDS,
    };
    let reason = "the file seems to contain a secret, so it was not sent";
    assert_eq!(fix(&attempt, &workshop).unwrap().end, failed(reason));
}
