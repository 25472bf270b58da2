//! Secrets by their value: what secret files and variables hold is struck out wherever it appears, however it looks.
//!
//! Nothing of it is stored, not even a hash: the files are read again at each event, which costs less than the
//! record, and a session remembers only their paths. So there is no second place from which a secret could leak.

use std::borrow::Cow;

use super::name::{Kind, is_filler, kind};
use super::random::is_random;
use super::scan::MARK;
use crate::encoding::percent_encoded;

/// Shorter values are words of everyday life.
const SHORTEST: usize = 8;

/// No more values than that: a file with more is not one of settings.
const MOST: usize = 2_000;

/// The ends of names, after the last `_`, whose values are settings; they count only if they look drawn by lot.
const SETTINGS: &[&str] = &[
    "env",
    "environment",
    "mode",
    "level",
    "driver",
    "connection",
    "region",
    "host",
    "hostname",
    "hosts",
    "port",
    "name",
    "user",
    "username",
    "login",
    "database",
    "db",
    "bucket",
    "dir",
    "path",
    "file",
    "folder",
    "format",
    "version",
    "timezone",
    "tz",
    "locale",
    "lang",
    "language",
    "email",
    "from",
    "address",
    "mailer",
    "scheme",
    "protocol",
    "type",
    "channel",
    "store",
    "disk",
    "cluster",
    "domain",
    "domains",
    "origin",
    "origins",
    "url",
    "uri",
    "endpoint",
    "id",
    "title",
    "description",
    "image",
    "tag",
    "project",
    "org",
    "organization",
    "team",
    "zone",
    "flags",
    "options",
    "opts",
    "args",
    "registry",
    "machine",
    "adapter",
    "engine",
    "provider",
    "stage",
    "shell",
    "editor",
    "pager",
    "term",
    "model",
    "backend",
    "server",
    "client",
    "machine",
];

/// The values that are struck out.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// Each as it is and as it is written elsewhere, grouped by the first byte.
    needles: Vec<Needle>,
    /// Whether some needle starts with the byte.
    first: ByteSet,
}

#[derive(Clone, Debug)]
struct Needle {
    text: String,
    /// Whether it is one also inside of a JSON text.
    fits_json: bool,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
struct ByteSet([u128; 2]);

impl ByteSet {
    fn add(&mut self, byte: u8) {
        let half = if byte < 128 { 0 } else { 1 };
        if let Some(bits) = self.0.get_mut(half) {
            *bits |= 1 << (byte & 127);
        }
    }

    fn has(self, byte: u8) -> bool {
        let [low, high] = self.0;
        let bits = if byte < 128 { low } else { high };
        bits >> (byte & 127) & 1 == 1
    }
}

impl Values {
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.needles.is_empty()
    }

    /// Adds the value of a variable of the environment, if its name is that of a secret.
    pub fn add_variable(&mut self, name: &str, value: &str) {
        if is_secret_variable(name, value) {
            self.add(value);
        }
    }

    /// Adds the values in the text of a secret file. Its name decides how much of it is secret.
    pub fn add_file(&mut self, name: &str, text: &str) {
        // All that somebody put into these is a setting of its own; other files have much else.
        let is_env = name.contains(".env") || name.contains("credentials") || name.contains("secret");
        let mut is_key = false;
        for line in text.lines() {
            let line = line.trim();
            if line.starts_with("-----") {
                is_key = line.contains("BEGIN") && line.contains("PRIVATE KEY");
            } else if is_key {
                self.add_key_line(line);
            } else if let Some(assignment) = Assignment::of(line) {
                let Assignment { name, value } = assignment;
                if is_secret_variable(name, value) || (is_env && is_secret_setting(name, value)) {
                    self.add(value);
                    self.add_password_of(value);
                }
            } else {
                self.add_said(line);
            }
        }
    }

    /// A line of a private key. The last one may be short and say nothing.
    fn add_key_line(&mut self, line: &str) {
        if line.len() >= 2 * SHORTEST && !line.contains(' ') {
            self.add(line);
        }
    }

    /// The password of an address counts on its own, too.
    fn add_password_of(&mut self, value: &str) {
        let login =
            value.split_once("://").and_then(|(_, rest)| rest.rsplit_once('@')).map(|(login, _)| login);
        if let Some((_, password)) = login.and_then(|login| login.split_once(':'))
            && password.len() >= SHORTEST
        {
            self.add(password);
        }
    }

    /// What follows the word `password`, as in `.netrc`.
    fn add_said(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.any(|word| word == "password")
            && let Some(value) = words.next().map(|value| value.trim_matches(['"', '\'', '\\']))
            && value.len() >= SHORTEST
        {
            self.add(value);
        }
    }

    /// Leaves out what is a part of this text: a project's own name must stay readable.
    pub fn forget_in(&mut self, text: &str) {
        self.needles.retain(|needle| !text.contains(&needle.text));
    }

    fn add(&mut self, value: &str) {
        let known = |needles: &[Needle], text: &str| needles.iter().any(|needle| needle.text == text);
        if self.needles.len() >= MOST || known(&self.needles, value) {
            return;
        }
        let once = json_text(value);
        let forms = [
            Needle { text: value.to_owned(), fits_json: once == value },
            Needle { text: json_text(&once), fits_json: true },
            Needle { text: once, fits_json: true },
            Needle { text: percent_encoded(value), fits_json: true },
        ];
        for needle in forms {
            if !known(&self.needles, &needle.text) {
                self.first.add(needle.text.as_bytes().first().copied().unwrap_or_default());
                self.needles.push(needle);
            }
        }
        // The longest first, so that no part of it is left over.
        self.needles.sort_by_key(|needle| std::cmp::Reverse(needle.text.len()));
    }

    /// The text without these values.
    #[must_use]
    pub fn strike<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let is_json = text.trim_ascii_start().starts_with(['{', '[']);
        let bytes = text.as_bytes();
        let (mut clean, mut copied, mut at) = (String::new(), 0, 0);
        while let Some(byte) = bytes.get(at) {
            let found = self.first.has(*byte).then(|| self.at(bytes, at, is_json)).flatten();
            let Some(needle) = found else {
                at += 1;
                continue;
            };
            clean.push_str(text.get(copied..at).unwrap_or_default());
            clean.push_str(MARK);
            at += needle.text.len();
            copied = at;
        }
        if copied == 0 {
            return Cow::Borrowed(text);
        }
        clean.push_str(text.get(copied..).unwrap_or_default());
        Cow::Owned(clean)
    }

    fn at(&self, bytes: &[u8], at: usize, is_json: bool) -> Option<&Needle> {
        let rest = bytes.get(at..)?;
        let needle = self
            .needles
            .iter()
            .find(|needle| rest.starts_with(needle.text.as_bytes()) && (needle.fits_json || !is_json))?;
        let before = bytes.get(..at)?;
        let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        // The `n` of `\n` is no part of a value.
        (!is_json || backslashes % 2 == 0).then_some(needle)
    }
}

/// The value as it is inside a string of JSON.
fn json_text(value: &str) -> String {
    let quoted = serde_json::to_string(value).unwrap_or_default();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(value).to_owned()
}

/// A line that gives a name a value, in most formats of settings.
struct Assignment<'a> {
    name: &'a str,
    value: &'a str,
}

impl<'a> Assignment<'a> {
    fn of(line: &'a str) -> Option<Assignment<'a>> {
        if line.starts_with(['#', ';']) {
            return None;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = match (line.find('='), line.find(": ")) {
            (Some(equals), colon) if colon.is_none_or(|colon| equals < colon) => {
                line.split_at_checked(equals)?
            }
            (_, Some(colon)) => line.split_at_checked(colon)?,
            _ => return None,
        };
        let name = name.trim().trim_matches(['"', '\'', ',', '-', ' ']);
        let value = value.get(1..)?.trim().trim_end_matches(',');
        let value = match value.chars().next() {
            Some(quote @ ('"' | '\'' | '`')) => {
                let inside = value.get(1..)?;
                inside.rfind(quote).and_then(|end| inside.get(..end)).unwrap_or(inside)
            }
            // A comment needs a blank before it.
            _ => value.split(" #").next()?.trim_end(),
        };
        let is_name = !name.is_empty() && !name.contains(' ');
        is_name.then_some(Assignment { name, value })
    }
}

/// Whether the value of a variable is a secret by its name.
fn is_secret_variable(name: &str, value: &str) -> bool {
    let counts = match kind(name.as_bytes()) {
        Kind::Secret | Kind::Password | Kind::Pass | Kind::Authorization | Kind::Directory => true,
        Kind::Perhaps | Kind::Cookie => is_random(value.as_bytes()),
        Kind::KeyLines | Kind::Nothing => false,
    };
    counts && !is_harmless(value)
}

/// Whether a value in a file of settings is a secret whose name does not say so.
fn is_secret_setting(name: &str, value: &str) -> bool {
    if is_harmless(value) {
        return false;
    }
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or(name).to_ascii_lowercase();
    let is_word = value.len() < 2 * SHORTEST && value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_setting = SETTINGS.contains(&last.as_str());
    has_login(value) || is_random(value.as_bytes()) || !(is_setting || is_word || is_host(value))
}

/// Whether a value is plainly none that has to be kept secret.
fn is_harmless(value: &str) -> bool {
    const WORDS: &[&str] =
        &["localhost", "development", "production", "staging", "changeme", "example", "disabled"];
    let is_number = value.len() < SHORTEST + 1
        && value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_' | b'-' | b':'));
    let is_path = value.starts_with(['/', '~']) || value.starts_with("./") || value.starts_with("../");
    let is_path = is_path || value.get(1..3) == Some(":\\");
    value.chars().count() < SHORTEST
        || (is_number && value.len() < SHORTEST)
        || is_filler(value.as_bytes())
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
        || value.starts_with('$')
        || value.contains(MARK)
        || (is_path && !is_random(value.as_bytes()))
        || (value.contains("://") && !has_login(value) && !is_random(value.as_bytes()))
}

fn has_login(value: &str) -> bool {
    let rest = value.split_once("://").map(|(_, rest)| rest);
    rest.and_then(|rest| rest.split('/').next()).is_some_and(|authority| authority.contains('@'))
}

/// `db.example.com:5432`, `ada@example.com`, `127.0.0.1`, `1.2.3`.
fn is_host(value: &str) -> bool {
    let belongs = |byte: u8| {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':' | b'@' | b',')
    };
    value.contains('.') && value.bytes().all(belongs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(file: &str, text: &str) -> Values {
        let mut values = Values::default();
        values.add_file(file, text);
        values
    }

    #[test]
    fn values_of_settings_are_struck_out_and_harmless_ones_are_not() {
        let text = "# comment\nDB_PASSWORD=\"cor rect\"\nexport SIGNUP_CODE='tiger-lily-77'\nAPP_ENV=production\nPORT=54321\nAPP_NAME=my-own-thing\n\
                    DATABASE_URL=postgres://ada:violet-horse@db/x\nHOME_DIR=/srv/some/where\nDEBUG=true\nSITE=https://example.com/a\n\
                    PIN=12345678\nSMALL=1234567\nHOST=db.example.com\nLEVEL=information\nOTHER=plainword # c\nREF=$OTHER_VARIABLE";
        let values = values(".env", text);
        let cases = [
            ("say cor rect", "say [redacted]"),
            ("tiger-lily-77!", "[redacted]!"),
            ("it is violet-horse", "it is [redacted]"),
            ("postgres://ada:violet-horse@db/x", "[redacted]"),
            ("12345678", "[redacted]"),
        ];
        for (text, expected) in cases {
            assert_eq!(values.strike(text), expected, "{text}");
        }
        for word in [
            "production",
            "54321",
            "my-own-thing",
            "/srv/some/where",
            "true",
            "https://example.com/a",
            "1234567",
            "db.example.com",
            "information",
            "plainword",
            "$OTHER_VARIABLE",
        ] {
            assert_eq!(values.strike(word), word);
        }
    }

    #[test]
    fn other_files_have_their_own_form() {
        let cases = [
            (".netrc", "machine h login ada password marigold1", "marigold1"),
            (".npmrc", "//registry.npmjs.org/:_authToken=marigold1", "marigold1"),
            (".pypirc", "[pypi]\nusername = ada\npassword = marigold1", "marigold1"),
            ("credentials", "[default]\naws_secret_access_key = abc/defGHI+jkl", "abc/defGHI+jkl"),
            ("auth.json", "{\n  \"token\": \"marigold1\",\n}", "marigold1"),
            (
                "id_rsa",
                "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----",
                "b3BlbnNzaC1rZXktdjEAAAAA",
            ),
        ];
        for (file, text, secret) in cases {
            assert_eq!(values(file, text).strike(&format!("<{secret}>")), "<[redacted]>", "{file}");
        }
        assert!(values(".npmrc", "save-exact=true\nregistry=https://registry.npmjs.org/").is_empty());
    }

    #[test]
    fn a_value_is_found_in_json_and_in_addresses_and_json_stays_json() {
        let values = values(".env", "X_PASSWORD=n\\ice \"one\" \u{e4}");
        let secret = "n\\ice \"one\" \u{e4}";
        let payload = serde_json::json!({ "a": format!("x\n{secret}"), "b": "\nn", "c": secret }).to_string();
        let nested = serde_json::json!({ "d": payload }).to_string();
        for text in [payload, nested] {
            let clean = values.strike(&text);
            assert!(!clean.contains("ice"), "{clean}");
            assert!(serde_json::from_str::<serde_json::Value>(&clean).is_ok(), "{clean}");
        }
        assert_eq!(values.strike("?p=n%5Cice%20%22one%22%20%C3%A4"), "?p=[redacted]");
    }

    #[test]
    fn variables_count_by_their_name() {
        let mut values = Values::default();
        values.add_variable("ACME_TOKEN", "marigold-marigold");
        values.add_variable("EDITOR", "marigolds-editor");
        values.add_variable("SSH_AUTH_SOCK", "/tmp/ssh-abcdef/agent.1");
        values.add_variable("PWD", "/home/marigolds");
        assert_eq!(values.strike("marigold-marigold"), "[redacted]");
        assert_eq!(values.strike("marigolds-editor /tmp/ssh-abcdef/agent.1 /home/marigolds").len(), 56);
        values.forget_in("/home/marigold-marigold/x");
        assert!(values.strike("marigold-marigold").len() > 10);
    }
}
