//! How the servers of models are spoken to: their addresses, their headers, what they say when they refuse.
//!
//! Nothing here sends anything, and nothing here is about what is asked.

use std::net::IpAddr;

use flyball_core::redact::redact;
use flyball_core::text;
use serde_json::Value;

/// `api.openai.com` of `https://api.openai.com/v1/chat/completions`.
#[must_use]
pub fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    host.rsplit_once('@').map_or(host, |(_, host)| host)
}

/// Whether what is sent to an address can be read on its way: a key must not be.
#[must_use]
pub fn is_unencrypted(url: &str) -> bool {
    !url.starts_with("https://") && !is_localhost(url)
}

fn is_localhost(url: &str) -> bool {
    let host = host(url);
    let name = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')).map_or(host, |(name, _)| name);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The whole address of a path like `/messages`. What people set may leave out the version and what follows.
#[must_use]
pub fn address(base: &str, version: &str, path: &str) -> String {
    let base = base.trim_end_matches('/');
    if base.ends_with(path) {
        return base.to_owned();
    }
    let folder = base.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let last = folder.and_then(|(_, path)| path.rsplit('/').next());
    let has_version = last
        .and_then(|last| last.strip_prefix('v'))
        .is_some_and(|number| number.starts_with(|it: char| it.is_ascii_digit()));
    if has_version { format!("{base}{path}") } else { format!("{base}/{version}{path}") }
}

#[must_use]
pub fn header(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// The headers of Anthropic's API.
#[must_use]
pub fn anthropic_headers(key: Option<&str>) -> Vec<(String, String)> {
    let mut headers =
        vec![header("content-type", "application/json"), header("anthropic-version", "2023-06-01")];
    headers.extend(key.map(|key| header("x-api-key", key)));
    headers
}

/// The headers of `OpenAI`'s API, and of those who took it over.
#[must_use]
pub fn bearer_headers(key: Option<&str>) -> Vec<(String, String)> {
    let mut headers = vec![header("content-type", "application/json")];
    headers.extend(key.map(|key| header("authorization", &format!("Bearer {key}"))));
    headers
}

/// The error message of a server, in one line and without what looks like a secret.
#[must_use]
pub fn error_message(body: &str) -> Option<String> {
    let value: Value = serde_json::from_str(body).ok()?;
    let said = value.pointer("/error/message").or(value.get("error"))?.as_str()?;
    Some(truncate(&redact(said)))
}

/// The beginning of a foreign text, in one line.
#[must_use]
pub fn truncate(text: &str) -> String {
    const MOST: usize = 200;
    text::cut(&text::one_line(text), MOST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_sent_unencrypted_to_this_machine_only() {
        let cases = [
            ("https://api.openai.com/v1", false),
            ("http://api.openai.com/v1", true),
            ("HTTP://api.openai.com/v1", true),
            ("http://localhost:11434", false),
            ("http://127.0.0.1:8080/v1", false),
            ("http://127.1.2.3", false),
            ("http://[::1]:8080/v1", false),
            ("http://[::1]", false),
            ("http://127.evil.example.com", true),
            ("http://localhost.example.com", true),
            ("http://localhost@example.com/v1", true),
            ("http://example.com\\@localhost/", true),
            ("http://example.com#@localhost/", true),
            ("http://192.168.0.7:11434", true),
        ];
        for (url, expected) in cases {
            assert_eq!(is_unencrypted(url), expected, "{url}");
        }
    }

    #[test]
    fn what_people_leave_out_of_an_address_is_added() {
        let cases = [
            ("https://a.example", "https://a.example/v1/messages"),
            ("https://a.example/", "https://a.example/v1/messages"),
            ("https://a.example/v1", "https://a.example/v1/messages"),
            ("https://a.example/v4beta/", "https://a.example/v4beta/messages"),
            ("https://a.example/proxy", "https://a.example/proxy/v1/messages"),
            ("https://v1.example", "https://v1.example/v1/messages"),
            ("https://a.example/v1/messages", "https://a.example/v1/messages"),
        ];
        for (base, expected) in cases {
            assert_eq!(address(base, "v1", "/messages"), expected, "{base}");
        }
    }

    #[test]
    fn each_shape_of_a_refusal_is_read() {
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
