//! The APIs of the providers: where they are, what they are sent, where their answers have the text.

use flyball_quality::chat::{address, anthropic_headers, bearer_headers, header};
use flyball_quality::providers;
use serde_json::{Value, json};

use super::settings::Provider;

/// The longest answer that is asked for, in tokens. What a model thinks before it speaks counts too, so this is far
/// more than an answer has words.
const MOST_TOKENS: u32 = 8_000;

/// How much a model of Ollama's is to hold, in tokens: by itself it would drop the beginning of a long question.
const CONTEXT_TOKENS: u32 = 16_384;

pub(crate) struct Api {
    pub(crate) provider: &'static providers::Provider,
    /// Whether it says which models it has, at `/api/tags`.
    pub(crate) lists: bool,
    /// The address of a model below a base.
    pub(crate) address: fn(&str, &str) -> String,
    /// The headers, with a key.
    pub(crate) headers: fn(Option<&str>) -> Vec<(String, String)>,
    /// What is sent: the model, the question.
    pub(crate) body: fn(&str, &str) -> Value,
    /// The text of an answer, or why there is none.
    pub(crate) read: fn(&Value) -> Result<String, &'static str>,
}

const REFUSED: &str = "the model refused";

/// The API of this provider.
pub(crate) const fn for_provider(provider: Provider) -> &'static Api {
    match provider {
        Provider::Ollama => &OLLAMA,
        Provider::Gemini => &GEMINI,
        Provider::Openai => &OPENAI,
        Provider::Xai => &XAI,
        Provider::Anthropic => &ANTHROPIC,
    }
}

static OLLAMA: Api = Api {
    provider: &providers::OLLAMA,
    lists: true,
    address: |base, _| ollama_address(base, "/api/chat"),
    headers: bearer_headers,
    body: ollama_body,
    read: ollama_text,
};

static GEMINI: Api = Api {
    provider: &providers::GEMINI,
    lists: false,
    address: gemini_address,
    headers: gemini_headers,
    body: gemini_body,
    read: gemini_text,
};

static OPENAI: Api = Api {
    provider: &providers::OPENAI,
    lists: false,
    address: chat_address,
    headers: bearer_headers,
    body: chat_body,
    read: chat_text,
};

static XAI: Api = Api {
    provider: &providers::XAI,
    lists: false,
    address: chat_address,
    headers: bearer_headers,
    body: chat_body,
    read: chat_text,
};

static ANTHROPIC: Api = Api {
    provider: &providers::ANTHROPIC,
    lists: false,
    address: |base, _| address(base, "v1", "/messages"),
    headers: anthropic_headers,
    body: anthropic_body,
    read: anthropic_text,
};

/// An address of Ollama's, whether or not what people set names the API already.
pub(crate) fn ollama_address(base: &str, path: &str) -> String {
    let base = base.trim_end_matches('/');
    let base = base.strip_suffix("/api").or(base.strip_suffix("/v1")).unwrap_or(base);
    format!("{base}{path}")
}

fn ollama_body(model: &str, question: &str) -> Value {
    json!({
        "model": model,
        "messages": [{ "role": "user", "content": question }],
        "stream": false,
        "options": { "num_ctx": CONTEXT_TOKENS, "num_predict": MOST_TOKENS },
    })
}

fn ollama_text(answer: &Value) -> Result<String, &'static str> {
    Ok(text_of(answer.pointer("/message/content")))
}

fn gemini_address(base: &str, model: &str) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    address(base, "v1beta", &format!("/models/{model}:generateContent"))
}

/// The key is a header: an address ends up in logs.
fn gemini_headers(key: Option<&str>) -> Vec<(String, String)> {
    let mut headers = vec![header("content-type", "application/json")];
    headers.extend(key.map(|key| header("x-goog-api-key", key)));
    headers
}

fn gemini_body(_: &str, question: &str) -> Value {
    json!({
        "contents": [{ "role": "user", "parts": [{ "text": question }] }],
        "generationConfig": { "maxOutputTokens": MOST_TOKENS },
    })
}

fn gemini_text(answer: &Value) -> Result<String, &'static str> {
    let is_blocked = answer.pointer("/promptFeedback/blockReason").is_some();
    let end = answer.pointer("/candidates/0/finishReason").and_then(Value::as_str);
    if is_blocked
        || end.is_some_and(|end| !matches!(end, "STOP" | "MAX_TOKENS" | "FINISH_REASON_UNSPECIFIED"))
    {
        return Err(REFUSED);
    }
    Ok(text_of(answer.pointer("/candidates/0/content/parts")))
}

fn chat_address(base: &str, _: &str) -> String {
    address(base, "v1", "/chat/completions")
}

fn chat_body(model: &str, question: &str) -> Value {
    json!({
        "model": model,
        "messages": [{ "role": "user", "content": question }],
        "max_completion_tokens": MOST_TOKENS,
    })
}

fn chat_text(answer: &Value) -> Result<String, &'static str> {
    let is_filtered = answer.pointer("/choices/0/finish_reason").is_some_and(|end| end == "content_filter");
    let has_refused = answer.pointer("/choices/0/message/refusal").is_some_and(Value::is_string);
    if is_filtered || has_refused {
        return Err(REFUSED);
    }
    Ok(text_of(answer.pointer("/choices/0/message/content")))
}

fn anthropic_body(model: &str, question: &str) -> Value {
    json!({
        "model": model,
        "max_tokens": MOST_TOKENS,
        "messages": [{ "role": "user", "content": question }],
    })
}

fn anthropic_text(answer: &Value) -> Result<String, &'static str> {
    if answer.get("stop_reason").is_some_and(|reason| reason == "refusal") {
        return Err(REFUSED);
    }
    Ok(text_of(answer.get("content")))
}

/// The text of a content that is one, or that has parts. What a model thought before it spoke is not part of it.
fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let spoken = parts.iter().filter(|part| part.get("thought") != Some(&Value::Bool(true)));
            spoken.filter_map(|part| part.get("text")?.as_str()).collect()
        }
        _ => String::new(),
    }
}
