//! What a model replied.

use serde_json::Value;

use super::protocol::Protocol;

#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Its texts, in order, without its thinking.
    pub texts: Vec<String>,
    /// The arguments of its tool calls: a value, or the JSON of one in a string.
    pub calls: Vec<Value>,
    pub end: End,
}

/// How a reply ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Complete,
    /// There were too many tokens.
    CutOff,
    /// The model refused; some say why.
    Refused(Option<String>),
}

impl Reply {
    #[must_use]
    pub fn read(protocol: Protocol, reply: &Value) -> Reply {
        let string = |pointer: &str| reply.pointer(pointer).and_then(Value::as_str);
        match protocol {
            Protocol::Ollama => Reply {
                texts: texts(reply.pointer("/message/content")),
                calls: Vec::new(),
                end: End::Complete,
            },
            Protocol::Gemini => Reply {
                texts: texts(reply.pointer("/candidates/0/content/parts")),
                calls: Vec::new(),
                end: match string("/candidates/0/finishReason") {
                    _ if reply.pointer("/promptFeedback/blockReason").is_some() => End::Refused(None),
                    None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => End::Complete,
                    Some("MAX_TOKENS") => End::CutOff,
                    // `SAFETY`, `RECITATION` and the like.
                    Some(_) => End::Refused(None),
                },
            },
            Protocol::OpenAi => Reply {
                texts: texts(reply.pointer("/choices/0/message/content")),
                calls: reply
                    .pointer("/choices/0/message/tool_calls/0/function/arguments")
                    .into_iter()
                    .cloned()
                    .collect(),
                end: match string("/choices/0/message/refusal") {
                    Some(why) => End::Refused(Some(why.to_owned())),
                    None => end(string("/choices/0/finish_reason")),
                },
            },
            Protocol::Anthropic => Reply {
                texts: texts(reply.get("content")),
                calls: parts(reply.get("content")).filter_map(|part| part.get("input")).cloned().collect(),
                end: end(string("/stop_reason")),
            },
        }
    }
}

fn end(reason: Option<&str>) -> End {
    match reason {
        Some("refusal" | "content_filter") => End::Refused(None),
        Some("max_tokens" | "length") => End::CutOff,
        Some(_) | None => End::Complete,
    }
}

fn parts(content: Option<&Value>) -> impl Iterator<Item = &Value> {
    content.and_then(Value::as_array).into_iter().flatten()
}

fn texts(content: Option<&Value>) -> Vec<String> {
    if let Some(Value::String(text)) = content {
        return vec![text.clone()];
    }
    // Gemini sends its thinking as parts of the same list.
    let visible = parts(content).filter(|part| part.get("thought") != Some(&Value::Bool(true)));
    visible.filter_map(|part| Some(part.get("text")?.as_str()?.to_owned())).collect()
}
