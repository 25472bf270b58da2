//! Sends requests, and reports why there is no reply.

use flyball_core::redact::redact;
use flyball_core::text;
use flyball_core::workshop::{Request, Response, Workshop};
use serde_json::Value;

/// How much of a server's text is shown.
const SHOWN_CHARS: usize = 200;

/// Why a server gave no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct ServerError {
    pub text: String,
    /// Whether another model of the same server may still reply.
    pub is_about_model: bool,
}

/// Sends a request.
///
/// # Errors
/// When the server does not answer.
pub fn send(workshop: &dyn Workshop, request: &Request, key: Option<&str>) -> Result<Response, ServerError> {
    workshop.post(request).map_err(|error| ServerError {
        text: format!("no answer from {}: {}", super::host(&request.url), shown(&error.to_string(), key)),
        is_about_model: false,
    })
}

/// The JSON of a response.
///
/// # Errors
/// When the server refused the request, or answered something else.
pub fn parse_response(response: &Response, key: Option<&str>) -> Result<Value, ServerError> {
    let (status, body) = (response.status, response.body.as_str());
    let detail = || error_message(body).map_or_else(String::new, |text| format!(": {}", shown(&text, key)));
    let (text, is_about_model) = match status {
        200..=299 => match serde_json::from_str(body) {
            Ok(value) => return Ok(value),
            Err(_) => ("the reply is not valid JSON".to_owned(), false),
        },
        // Without the server's text, which quotes the key.
        400 | 401 | 403 if is_about_key(status, body) => {
            let (what, fix) = match key {
                Some(_) => ("the key was refused", "set a valid one"),
                None => ("a key is required", "set one"),
            };
            (format!("{what} ({status}): {fix} (`key_variable`)"), false)
        }
        404 => {
            (format!("unknown model or address (404), check the model's name and `url`{}", detail()), true)
        }
        // Gemini's quota of one model; another model may still have some.
        429 if body.contains("PerModel") => ("too many requests for this model (429)".to_owned(), true),
        429 => (format!("too many requests (429){}", detail()), false),
        500..=599 => (format!("the server failed ({status}){}", detail()), true),
        // May be about a parameter that only this model rejects.
        400 | 403 | 422 => (format!("the request was rejected ({status}){}", detail()), true),
        _ => (format!("the request was rejected ({status}){}", detail()), false),
    };
    Err(ServerError { text, is_about_model })
}

/// Whether a refusal is about the key. Some servers answer 400 for a bad key, some 403 for a model that the key is not
/// good for.
fn is_about_key(status: u16, body: &str) -> bool {
    match status {
        401 => true,
        403 => !body.contains("model_not_found"),
        _ => body.contains("API_KEY_INVALID") || body.contains("Incorrect API key"),
    }
}

fn error_message(body: &str) -> Option<String> {
    let value: Value = serde_json::from_str(body).ok()?;
    Some(value.pointer("/error/message").or(value.get("error"))?.as_str()?.to_owned())
}

/// The beginning of a foreign text: one line, without secrets, the key and invisible characters.
#[must_use]
pub fn shown(text: &str, key: Option<&str>) -> String {
    // The key first, because `redact` knows only the usual forms of keys.
    let text = key.map_or_else(|| text.to_owned(), |key| text.replace(key, "[redacted]"));
    text::cut(&text::one_line(&visible(&redact(&text))), SHOWN_CHARS).into_owned()
}

/// The text without characters that a reader does not see: those may be meant for the agent alone.
#[must_use]
pub fn visible(text: &str) -> String {
    let is_hidden = |it: char| {
        matches!(it,
            '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
    };
    text.chars().filter(|&it| it == '\n' || it == '\t' || !(it.is_control() || is_hidden(it))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_of_an_error_is_read() {
        let cases = [
            (r#"{"type":"error","error":{"type":"x","message":"model: m"}}"#, Some("model: m")),
            (r#"{"code":"x","error":"no such model"}"#, Some("no such model")),
            (r#"{"error":{"code":404}}"#, None),
            ("<html>", None),
            ("", None),
        ];
        for (body, expected) in cases {
            assert_eq!(error_message(body).as_deref(), expected, "{body}");
        }
    }
}
