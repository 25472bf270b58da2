//! URLs of servers.

use std::net::IpAddr;

/// `api.openai.com` of `https://api.openai.com/v1/chat/completions`.
#[must_use]
pub fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    // A backslash too, because some clients read it as a slash.
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    // `https://api.openai.com@evil.example/`: what comes before the last `@` is a user name.
    host.rsplit_once('@').map_or(host, |(_, host)| host)
}

/// Whether a request to this URL can be read on its way. A key must not be sent there.
#[must_use]
pub fn is_unencrypted(url: &str) -> bool {
    !url.starts_with("https://") && !is_localhost(url)
}

pub(super) fn is_localhost(url: &str) -> bool {
    let host = host(url);
    // In `[::1]` the last colon is part of the address, not before a port.
    let name = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')).map_or(host, |(name, _)| name);
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    name == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The URL of a path like `/messages`; a configured `base` may lack the version and the path.
pub(super) fn address(base: &str, version: &str, path: &str) -> String {
    let base = base.trim_end_matches('/');
    if base.ends_with(path) {
        return base.to_owned();
    }
    // Only the path counts: a host may be called `v1.example.com`.
    let folder = base.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let last = folder.and_then(|(_, path)| path.rsplit('/').next());
    let has_version = last
        .and_then(|last| last.strip_prefix('v'))
        .is_some_and(|number| number.starts_with(|it: char| it.is_ascii_digit()));
    if has_version { format!("{base}{path}") } else { format!("{base}/{version}{path}") }
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
}
