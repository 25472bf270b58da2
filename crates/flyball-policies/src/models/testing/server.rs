//! A server on loopback that sends canned replies and records its requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// The header with the milliseconds that an answer took.
pub(crate) const TOOK: &str = "x-took";

/// What a server does with a request.
#[derive(Clone)]
pub(crate) enum CannedReply {
    Says(u16, Value),
    /// With a `Retry-After`.
    Busy(u16, u64, Value),
    Text(u16, &'static str),
    /// Takes this many milliseconds.
    Slow(u64, Value),
    /// Takes the request and never answers.
    Hangs,
}

/// A request as a server gets it: its first line, all of its head, and its body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ReceivedRequest {
    pub(crate) line: String,
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Server {
    /// Gives these replies, one to each request; there must not be more.
    pub(crate) fn new(replies: Vec<CannedReply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let received = Arc::clone(&requests);
        // It ends with the test's process, as it never knows whether another request comes.
        std::thread::spawn(move || {
            let surplus = CannedReply::Says(418, json!({ "error": "nobody expected this request" }));
            let mut replies = replies.into_iter();
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                received.lock().unwrap().push(read(&stream));
                answer(&stream, replies.next().unwrap_or_else(|| surplus.clone()));
            }
        });
        Server { url, requests }
    }

    pub(crate) fn host(&self) -> &str {
        self.url.trim_start_matches("http://")
    }

    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }

    /// The first lines of its requests.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.requests().into_iter().map(|asked| asked.line).collect()
    }

    /// The models it was asked for.
    pub(crate) fn models(&self) -> Vec<String> {
        let named = self
            .requests()
            .into_iter()
            .filter_map(|asked| Some(asked.body.get("model")?.as_str()?.to_owned()));
        named.collect()
    }
}

fn read(stream: &TcpStream) -> ReceivedRequest {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0);
    }
    // A request without a body needs no `content-length`.
    let length = head.split("content-length: ").nth(1).map_or("0", |rest| rest.split("\r\n").next().unwrap());
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let line = head.split(" HTTP/1.1\r\n").next().unwrap().to_owned();
    ReceivedRequest { line, head, body: serde_json::from_slice(&body).unwrap_or_default() }
}

fn answer(mut stream: &TcpStream, reply: CannedReply) {
    let (status, more, body) = match reply {
        CannedReply::Says(status, body) => (status, String::new(), body.to_string()),
        CannedReply::Busy(status, after, body) => {
            (status, format!("retry-after: {after}\r\n"), body.to_string())
        }
        CannedReply::Text(status, text) => (status, String::new(), text.to_owned()),
        CannedReply::Slow(millis, body) => (200, format!("{TOOK}: {millis}\r\n"), body.to_string()),
        CannedReply::Hangs => return,
    };
    let head = format!("HTTP/1.1 {status} So\r\n{more}content-length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes()).unwrap();
}

/// An answer of Ollama's.
pub(crate) fn ollama(text: &str) -> Value {
    json!({
        "model": "m", "created_at": "2026-10-29T18:29:00.1Z",
        "message": { "role": "assistant", "content": text },
        "done_reason": "stop", "done": true, "total_duration": 5_191_566_416_u64, "eval_count": 298,
    })
}

/// Ollama's list of these models.
pub(crate) fn tags(names: &[&str]) -> Value {
    let model = |name: &&str| {
        json!({
            "name": name, "model": name, "modified_at": "2026-01-01T00:00:00Z", "size": 4_683_075_271_u64,
            "digest": "0a8c26691023", "details": { "format": "gguf", "family": "llama", "parameter_size": "7B" },
        })
    };
    json!({ "models": names.iter().map(model).collect::<Vec<_>>() })
}

/// An answer of Gemini's in these parts.
pub(crate) fn gemini(parts: Value) -> Value {
    json!({
        "candidates": [{
            "content": { "parts": parts, "role": "model" }, "finishReason": "STOP", "index": 0,
        }],
        "usageMetadata": { "promptTokenCount": 15, "candidatesTokenCount": 6, "totalTokenCount": 21 },
        "modelVersion": "gemini-2.5-pro", "responseId": "Il0taoSYJ5Cez7",
    })
}

/// An answer of chat completions with this content.
pub(crate) fn chat(content: Value) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_790_000_000, "model": "m-2026-01-01",
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": content, "refusal": null, "annotations": [] },
            "logprobs": null, "finish_reason": "stop",
        }],
        "usage": { "prompt_tokens": 9, "completion_tokens": 10, "total_tokens": 19 },
    })
}

/// An answer of Anthropic's in these blocks.
pub(crate) fn anthropic(blocks: Value) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": blocks,
        "stop_reason": "end_turn", "stop_sequence": null, "usage": { "input_tokens": 9, "output_tokens": 10 },
    })
}
