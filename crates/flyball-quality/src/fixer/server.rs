//! Asks a model's server for edits, and makes them.

use flyball_core::redact::redact;
use flyball_core::workshop::{Request, Response, Workshop};
use serde_json::{Value, json};

use super::edits::{self, Edit};
use super::request::{FixRequest, failed, seconds};
use crate::chat::{
    address, anthropic_headers, bearer_headers, error_message, host, is_unencrypted, truncate,
};
use crate::providers;
use crate::report::FixOutcome;
use crate::settings::Provider;

/// The longest answer that is asked for, in tokens.
const MOST_TOKENS: u32 = 16_000;

/// How long a server is left alone that is busy and does not say how long.
const BUSY_SECONDS: u64 = 2;

/// A kind of server: where it is, how it is spoken to.
struct Api {
    provider: &'static providers::Provider,
    path: &'static str,
    headers: fn(Option<&str>) -> Vec<(String, String)>,
    body: fn(&FixRequest<'_>, String) -> Value,
    read: fn(&Value) -> Result<Vec<Edit>, FixOutcome>,
}

static ANTHROPIC: Api = Api {
    provider: &providers::ANTHROPIC,
    path: "/messages",
    headers: anthropic_headers,
    body: anthropic_body,
    read: anthropic_edits,
};

static OPENAI: Api = Api {
    provider: &providers::OPENAI,
    path: "/chat/completions",
    headers: bearer_headers,
    body: openai_body,
    read: openai_edits,
};

/// Asks for edits, and returns the file with them made.
pub(super) fn propose(ask: &FixRequest<'_>, workshop: &dyn Workshop) -> Result<String, FixOutcome> {
    let api = match ask.settings.provider {
        Provider::Openai => &OPENAI,
        Provider::Anthropic | Provider::Claude => &ANTHROPIC,
    };
    if redact(ask.before) != ask.before {
        return Err(failed("the file holds what looks like a secret, so it was not sent".to_owned()));
    }
    let url = address(ask.settings.url.as_deref().unwrap_or(api.provider.home), "v1", api.path);
    let key = key(ask, api, workshop)?;
    if key.is_some() && is_unencrypted(&url) {
        let why = "the key would be sent unencrypted: `quality.fixer.url` must begin with `https://`";
        return Err(failed(why.to_owned()));
    }
    let task = format!(
        "{}\nAnswer with edits of the file, as the tool `{}` takes them; without such a tool, with its JSON in a \
         fenced block and nothing else. {}\n\nThe file `{}`:\n{}",
        ask.task,
        edits::NAME,
        edits::DESCRIPTION,
        ask.path,
        ask.before
    );
    let body = (api.body)(ask, task).to_string();
    let request =
        Request { url, headers: (api.headers)(key.as_deref()), body: Some(body), millis: ask.millis };
    let response = post_with_retry(&request, workshop)?;
    let value: Value = serde_json::from_str(&response.body).map_err(|_| {
        failed(format!("the server answered what nobody can read: {}", truncate(&redact(&response.body))))
    })?;
    let edits = (api.read)(&value)?;
    edits::apply(ask.before, &edits).map_err(failed)
}

/// The server's answer. One that is too busy is asked once more, if time is left.
fn post_with_retry(request: &Request, workshop: &dyn Workshop) -> Result<Response, FixOutcome> {
    let began = workshop.micros();
    let response = post(request, workshop)?;
    let is_busy = matches!(response.status, 429 | 503 | 529);
    let wait = response.retry_after.unwrap_or(BUSY_SECONDS).saturating_mul(1000);
    let gone = workshop.micros().saturating_sub(began) / 1000;
    let left = request.millis.saturating_sub(gone).saturating_sub(wait);
    if !is_busy || left == 0 {
        return check_status(response, request);
    }
    workshop.pause(wait);
    let again = Request { millis: left, ..request.clone() };
    check_status(post(&again, workshop)?, request)
}

fn post(request: &Request, workshop: &dyn Workshop) -> Result<Response, FixOutcome> {
    workshop.post(request).map_err(|error| {
        let limit = seconds(request.millis);
        failed(format!(
            "no answer from {} within {limit}: {}",
            host(&request.url),
            truncate(&error.to_string())
        ))
    })
}

/// An answer that is one. What servers say is shown without what looks like a secret.
fn check_status(response: Response, request: &Request) -> Result<Response, FixOutcome> {
    let what = match response.status {
        200..=299 => return Ok(response),
        401 | 403 => "does not accept the key",
        404 => "does not know the address or the model",
        429 => "has had too many requests",
        500..=599 => "failed",
        _ => "refused the request",
    };
    let said = error_message(&response.body).map_or_else(String::new, |said| format!(": {said}"));
    Err(failed(format!("{} {what} ({}){said}", host(&request.url), response.status)))
}

/// The key. A server of one's own may need none.
fn key(ask: &FixRequest<'_>, api: &Api, workshop: &dyn Workshop) -> Result<Option<String>, FixOutcome> {
    let named = ask.settings.key_variable.as_deref();
    let Some(variable) = named.or(api.provider.key_variable) else { return Ok(None) };
    match workshop.variable(variable) {
        Some(key) => Ok(Some(key)),
        None if named.is_none() && ask.settings.url.is_some() => Ok(None),
        None => Err(failed(format!("there is no key: `{variable}` is not set"))),
    }
}

fn anthropic_body(ask: &FixRequest<'_>, task: String) -> Value {
    json!({
        "model": ask.model,
        "max_tokens": MOST_TOKENS,
        "messages": [{ "role": "user", "content": task }],
        "tools": [{ "name": edits::NAME, "description": edits::DESCRIPTION, "input_schema": edits::schema() }],
        "tool_choice": { "type": "tool", "name": edits::NAME },
    })
}

fn openai_body(ask: &FixRequest<'_>, task: String) -> Value {
    let function =
        json!({ "name": edits::NAME, "description": edits::DESCRIPTION, "parameters": edits::schema() });
    json!({
        "model": ask.model,
        "messages": [{ "role": "user", "content": task }],
        "tools": [{ "type": "function", "function": function }],
        "tool_choice": { "type": "function", "function": { "name": edits::NAME } },
    })
}

fn anthropic_edits(answer: &Value) -> Result<Vec<Edit>, FixOutcome> {
    let blocks = || answer.get("content").and_then(Value::as_array).into_iter().flatten();
    check_stop_reason(answer.get("stop_reason"))?;
    let called = blocks().filter_map(|block| block.get("input")).find_map(edits::from_value);
    let said = || blocks().filter_map(|block| block.get("text")?.as_str());
    called.or_else(|| said().find_map(edits::from_text)).ok_or_else(|| unreadable(said().next()))
}

fn openai_edits(answer: &Value) -> Result<Vec<Edit>, FixOutcome> {
    check_stop_reason(answer.pointer("/choices/0/finish_reason"))?;
    let message = answer.pointer("/choices/0/message").unwrap_or(&Value::Null);
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
        return Err(failed(format!("the model refused: {}", truncate(&redact(refusal)))));
    }
    // By the standard the arguments are JSON in a text; some servers send the object itself.
    let arguments = message.pointer("/tool_calls/0/function/arguments");
    let called = arguments.and_then(|it| it.as_str().map_or_else(|| edits::from_value(it), edits::from_text));
    let said = message.get("content").and_then(Value::as_str);
    called.or_else(|| said.and_then(edits::from_text)).ok_or_else(|| unreadable(said))
}

/// Whether the model came to its end.
fn check_stop_reason(reason: Option<&Value>) -> Result<(), FixOutcome> {
    match reason.and_then(Value::as_str) {
        Some("refusal" | "content_filter") => Err(failed("the model refused".to_owned())),
        Some("max_tokens" | "length") => Err(failed("the model's answer is cut off".to_owned())),
        Some(_) | None => Ok(()),
    }
}

fn unreadable(said: Option<&str>) -> FixOutcome {
    let said = said.map_or_else(String::new, |said| format!(": {}", truncate(&redact(said))));
    failed(format!("the model's answer holds no edits{said}"))
}
