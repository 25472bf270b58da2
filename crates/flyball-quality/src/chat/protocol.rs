//! The protocols: where a request goes and what it contains.

use std::time::Duration;

use flyball_core::workshop::Request;
use serde_json::{Value, json};

use super::address::address;

/// Anthropic requires a limit of tokens.
const ANTHROPIC_TOKENS: u32 = 16_000;

/// The context of an Ollama model, in tokens: by default it would drop the beginning of a long question.
const OLLAMA_CONTEXT_TOKENS: u32 = 16_384;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Ollama,
    Gemini,
    /// Chat Completions, which many other servers speak.
    OpenAi,
    Anthropic,
}

/// A server, and the key for it.
#[derive(Clone, Copy)]
pub struct Endpoint<'a> {
    /// Its URL, with or without the version and the path of the API.
    pub base: &'a str,
    pub key: Option<&'a str>,
}

/// One question to a model.
pub struct Question<'a> {
    pub model: &'a str,
    pub text: &'a str,
    /// The longest reply, including the model's thinking; `None` for the server's own limit.
    pub most_tokens: Option<u32>,
    /// A tool that the model has to call. Only OpenAI and Anthropic get it, and not every server that speaks their
    /// protocols knows tools: the text has to say what to do without one.
    pub tool: Option<&'a Tool>,
}

pub struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    /// The JSON Schema of its arguments.
    pub schema: Value,
}

impl Protocol {
    #[must_use]
    pub fn request(self, endpoint: Endpoint<'_>, question: &Question<'_>, timeout: Duration) -> Request {
        Request {
            url: self.url(endpoint.base, question.model),
            headers: self.headers(endpoint.key),
            body: Some(self.body(question).to_string()),
            timeout,
        }
    }

    /// Asks for the installed models; `None` if servers of this protocol do not list theirs.
    #[must_use]
    pub fn list_request(self, endpoint: Endpoint<'_>, timeout: Duration) -> Option<Request> {
        (self == Protocol::Ollama).then(|| Request {
            url: ollama_url(endpoint.base, "/api/tags"),
            headers: self.headers(endpoint.key),
            body: None,
            timeout,
        })
    }

    fn url(self, base: &str, model: &str) -> String {
        match self {
            Protocol::Ollama => ollama_url(base, "/api/chat"),
            Protocol::Gemini => {
                let model = model.strip_prefix("models/").unwrap_or(model);
                address(base, "v1beta", &format!("/models/{model}:generateContent"))
            }
            Protocol::OpenAi => address(base, "v1", "/chat/completions"),
            Protocol::Anthropic => address(base, "v1", "/messages"),
        }
    }

    /// The key is always a header: a URL ends up in logs.
    fn headers(self, key: Option<&str>) -> Vec<(String, String)> {
        let header = |name: &str, value: String| (name.to_owned(), value);
        let mut headers = vec![header("content-type", "application/json".to_owned())];
        if self == Protocol::Anthropic {
            headers.push(header("anthropic-version", "2023-06-01".to_owned()));
        }
        headers.extend(key.map(|key| match self {
            Protocol::Ollama | Protocol::OpenAi => header("authorization", format!("Bearer {key}")),
            Protocol::Gemini => header("x-goog-api-key", key.to_owned()),
            Protocol::Anthropic => header("x-api-key", key.to_owned()),
        }));
        headers
    }

    fn body(self, question: &Question<'_>) -> Value {
        let Question { model, text, most_tokens, tool } = *question;
        let tokens = most_tokens.map(Value::from);
        let model = Some(Value::from(model));
        let messages = Some(json!([{ "role": "user", "content": text }]));
        match self {
            Protocol::Ollama => object([
                ("model", model),
                ("messages", messages),
                // Ollama streams unless it is asked not to.
                ("stream", Some(Value::Bool(false))),
                (
                    "options",
                    Some(object([("num_ctx", Some(OLLAMA_CONTEXT_TOKENS.into())), ("num_predict", tokens)])),
                ),
            ]),
            Protocol::Gemini => object([
                ("contents", Some(json!([{ "role": "user", "parts": [{ "text": text }] }]))),
                ("generationConfig", tokens.map(|tokens| json!({ "maxOutputTokens": tokens }))),
            ]),
            Protocol::OpenAi => object([
                ("model", model),
                ("messages", messages),
                // OpenAI's newer models reject `max_tokens`.
                ("max_completion_tokens", tokens),
                (
                    "tools",
                    tool.map(|tool| {
                        let Tool { name, description, schema } = tool;
                        let function =
                            json!({ "name": name, "description": description, "parameters": schema });
                        json!([{ "type": "function", "function": function }])
                    }),
                ),
                (
                    "tool_choice",
                    tool.map(|tool| json!({ "type": "function", "function": { "name": tool.name } })),
                ),
            ]),
            Protocol::Anthropic => object([
                ("model", model),
                ("max_tokens", Some(most_tokens.unwrap_or(ANTHROPIC_TOKENS).into())),
                ("messages", messages),
                (
                    "tools",
                    tool.map(|tool| {
                        let Tool { name, description, schema } = tool;
                        json!([{ "name": name, "description": description, "input_schema": schema }])
                    }),
                ),
                ("tool_choice", tool.map(|tool| json!({ "type": "tool", "name": tool.name }))),
            ]),
        }
    }
}

/// A JSON object of the fields that have a value.
fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(fields.collect())
}

/// A URL of Ollama; a configured `base` may name the API already.
fn ollama_url(base: &str, path: &str) -> String {
    let base = base.trim_end_matches('/');
    let base = base.strip_suffix("/api").or(base.strip_suffix("/v1")).unwrap_or(base);
    format!("{base}{path}")
}
