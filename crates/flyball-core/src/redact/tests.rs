//! What is a secret and what only looks like one.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::shorten::{MOST_BYTES, shorten};
use super::*;

mod contexts;
mod ordinary;
mod shapes;

const PAT: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

#[test]
fn secrets_are_struck_out_and_nothing_else() {
    let cases = [
        ("a known token", format!("git clone {PAT} x"), "git clone [redacted] x"),
        ("AWS", "id AKIAIOSFODNN7EXAMPLE.".into(), "id [redacted]."),
        ("Anthropic", "sk-ant-api03-abcDEF123_ghiJKL-456mnoPQR".into(), "[redacted]"),
        ("Slack", "(xoxb-2048-abcdefGHIJ)".into(), "([redacted])"),
        ("Google", "k=AIzaSyA1234567890abcdefghijklmnopqrstuv;".into(), "k=[redacted];"),
        ("GitLab", "glpat-abcdEFGH1234ijklMNOP".into(), "[redacted]"),
        ("npm", "npm_abcdefghijklmnopqrstuvwxyz0123456789".into(), "[redacted]"),
        ("JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSM-_x end".into(), "[redacted] end"),
        ("after an escape", format!("a\\n{PAT}\\n"), "a\\n[redacted]\\n"),
        (
            "bearer",
            "curl -H 'Authorization: Bearer abc.def' u".into(),
            "curl -H 'Authorization: Bearer [redacted]' u",
        ),
        ("bearer alone", "x: Bearer abcdefgh12345678".into(), "x: Bearer [redacted]"),
        ("URL", "psql postgres://ada:s3c/r@t@db:5432/x".into(), "psql postgres://ada:[redacted]@db:5432/x"),
        ("URL, token", "https://0123456789abcdef0123@host/x".into(), "https://[redacted]@host/x"),
        ("environment", "DB_PASSWORD=hunter2 run".into(), "DB_PASSWORD=[redacted] run"),
        ("environment, a word", "API_KEY=swordfish".into(), "API_KEY=[redacted]"),
        ("numbered", "TOKEN_2=swordfish".into(), "TOKEN_2=[redacted]"),
        ("export", "export X_TOKEN='a \"b\" c'; ls".into(), "export X_TOKEN='[redacted]'; ls"),
        ("curl", "curl -u ada:hunter2 x".into(), "curl -u ada:[redacted] x"),
        ("sshpass", "sshpass -p hunter2 ssh x".into(), "sshpass -p [redacted] ssh x"),
        ("docker", "docker login -u ada -p 'a b' x".into(), "docker login -u ada -p '[redacted]' x"),
        ("mysql", "mysql -uroot -phunter2 db".into(), "mysql -uroot -p[redacted] db"),
        ("Azure", "AccountKey=Eby8vdM02xNOcq==;x".into(), "AccountKey=[redacted];x"),
        (
            "webhook",
            "https://hooks.slack.com/services/T0/B0/xYz9 x".into(),
            "https://hooks.slack.com/services/[redacted] x",
        ),
        ("option", "mysql --password hunter2 -h x".into(), "mysql --password [redacted] -h x"),
        ("option, =", "gh --token=abc -v".into(), "gh --token=[redacted] -v"),
        ("option, quoted", "x --api-key \"a b\" y".into(), "x --api-key \"[redacted]\" y"),
        ("arguments", r#"["x","--password","a b","y"]"#.into(), r#"["x","--password","[redacted]","y"]"#),
        ("YAML", "password: correct-horse\nuser: ada".into(), "password: [redacted]\nuser: ada"),
        ("a number", "password: 123456".into(), "password: [redacted]"),
        ("TOML", "client_secret = \"x\"".into(), "client_secret = \"[redacted]\""),
        ("Python", "password: str = 'hunter2'".into(), "password: str = '[redacted]'"),
        ("index", "env[\"API_KEY\"] = 'x1'".into(), "env[\"API_KEY\"] = '[redacted]'"),
        ("Ruby", ":password => 'x1',".into(), ":password => '[redacted]',"),
        ("query", "GET /?access_token=abc123&x=1".into(), "GET /?access_token=[redacted]&x=1"),
        ("JSON", r#"{"password": "a\"b\\", "x": 1}"#.into(), r#"{"password": "[redacted]", "x": 1}"#),
        ("JSON, camel", r#"{"apiKey":"abc"}"#.into(), r#"{"apiKey":"[redacted]"}"#),
        (
            "JSON in JSON",
            r#"{"c":"{\"secret\": \"a\\\"b\", \"n\": 1}"}"#.into(),
            r#"{"c":"{\"secret\": \"[redacted]\", \"n\": 1}"}"#,
        ),
        (
            "lines in JSON",
            r#"{"content":"A=1\nDB_PASSWORD=hun\\ter2\nB_TOKEN=\"x y\"\nC=2"}"#.into(),
            r#"{"content":"A=1\nDB_PASSWORD=[redacted]\nB_TOKEN=\"[redacted]\"\nC=2"}"#,
        ),
        (
            "a quote that the string ends before",
            r#"{"c":"TOKEN='abc","d":"it's"}"#.into(),
            r#"{"c":"TOKEN='[redacted]","d":"it's"}"#,
        ),
        (
            "key",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nx".into(),
            "[redacted]\nx",
        ),
        (
            "key cut short",
            r#"{"a":"-----BEGIN PRIVATE KEY-----\nMIIE","b":"x"}"#.into(),
            r#"{"a":"[redacted]","b":"x"}"#,
        ),
    ];
    for (name, text, expected) in cases {
        let clean = redact(&text);
        assert_eq!(clean, expected, "{name}");
        assert_eq!(redact(&clean), expected, "{name}, again");
    }
}

#[test]
fn innocent_text_is_not_touched() {
    let cases = [
        "token_count: 5, max_tokens: 100, \"token\": 12, tokens=7",
        r#"{"token": 12, "secret": null, "password": {"type": "string"}, "token": ["a"]}"#,
        "I forgot my password and the token, it is a secret",
        "the password prompt appears; tokenizer=fast",
        "fn token(&self) -> Token { self.token }",
        "docker run -p 8080:80 nginx && mkdir -p a/b && pytest -p no:cacheprovider",
        "curl -u $USER:$PASSWORD x",
        "let token = self.next_token();",
        "f(password=password, token=self.token, secret=get_secret())",
        "password: string, token: Option<String>, secret: None",
        "if token == other { }",
        "Token::new()",
        "export TOKEN=$GITHUB_TOKEN; PASSWORD=${DB_PASSWORD} SECRET=$(pass show x)",
        "docker login --password-stdin --token",
        "curl --token \"$TOKEN\" https://user@host:8080/path@2 http://localhost:3000/a:b@c",
        "git clone git@github.com:ada/engine.git",
        "sk-fading-circle-and-some-more ask-me-anything-you-like-please1",
        "npm_config_registry npm_lifecycle_event_and_other_long_names",
        "eyJ is how they begin; -----BEGIN CERTIFICATE-----",
        "monkey: banana, turkey=3, key: value, PWD=/home/ada",
        "password=",
        "--- a/token\n+++ b/token",
        "",
    ];
    for text in cases {
        assert!(matches!(redact(text), Cow::Borrowed(_)), "{text} became {}", redact(text));
    }
}

/// Each of these once took seconds: every part of it is looked at, but not all that follows.
#[test]
fn no_text_takes_for_ever() {
    for part in
        ["://", "eyJ-", "password:a.", "token:str ", "--token", "--", "://a:b", "token=\\\"", "bearer "]
    {
        let text = part.repeat(60_000 / part.len());
        for text in [json!({ "a": text }).to_string(), text] {
            assert!(redact(&text).len() < 10 * text.len(), "{part}");
        }
    }
}

#[test]
fn a_payload_is_stored_as_configured() {
    let payload = format!("{{\"command\":\"login {PAT}\"}}");
    assert_eq!(payload_for_store(&payload, Payloads::None), None);
    assert_eq!(payload_for_store(&payload, Payloads::Full), Some(payload.clone()));
    let expected = "{\"command\":\"login [redacted]\"}".to_owned();
    assert_eq!(payload_for_store(&payload, Payloads::Redacted), Some(expected));
}

#[test]
fn a_long_string_is_cut_at_a_word() {
    let text = "é w ".repeat(10_000);
    let stored =
        payload_for_store(&json!({"a": text, "b": [1, "x"]}).to_string(), Payloads::Redacted).unwrap();
    let head = "é w ".repeat(500);
    assert_eq!(stored, format!("{{\"a\":\"{head}… [+38000 chars]\",\"b\":[1,\"x\"]}}"));
}

#[test]
fn a_token_at_the_cut_is_left_out() {
    for before in 1_940..2_000 {
        let text = format!("{} {PAT} {}", "x".repeat(before), "y ".repeat(10_000));
        let stored = payload_for_store(&json!({ "a": text }).to_string(), Payloads::Redacted).unwrap();
        assert!(!stored.contains("ghp_"), "cut {before}: {}", &stored[1_900..]);
    }
}

#[test]
fn many_short_values_end_at_a_member() {
    let values: Vec<Value> = (0..40_000).map(|number| json!({ "n": number, "s": "short" })).collect();
    let payload = json!({ "a": values, "z": 1 }).to_string();
    let stored = payload_for_store(&payload, Payloads::Redacted).unwrap();
    assert!(stored.len() < MOST_BYTES + 200, "{}", stored.len());
    let value: Value = serde_json::from_str(&stored).unwrap();
    assert!(value["a"].as_array().unwrap().len() > 1_000);
    assert!(stored.contains(" bytes]"));
}

/// Something that is a secret only because of where it is.
fn password() -> impl Strategy<Value = String> {
    "[a-zA-Z][a-zA-Z0-9!@#%^*+~]{5,20}[0-9]{2}Z"
}

fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        "AKIA[A-Z0-9]{16}",
        "gh[pousr]_[A-Za-z0-9]{36}",
        "github_pat_[A-Za-z0-9_]{40}",
        "sk-(ant-api03-|proj-)?[A-Za-z0-9]{20}7[A-Za-z0-9]{10}",
        "xox[baprs]-[0-9]{10}-[A-Za-z0-9]{16}",
        "AIza[A-Za-z0-9_-]{35}",
        "glpat-[A-Za-z0-9_]{20}",
        "npm_[A-Za-z0-9]{35}8",
        "eyJ[A-Za-z0-9_]{20}\\.eyJ[A-Za-z0-9_]{20}\\.[A-Za-z0-9_-]{30}",
    ]
}

fn name() -> impl Strategy<Value = String> {
    "(DB_|my-|x_|)(password|PASSWORD|passwd|secret|token|TOKEN|api_key|API_KEY|apiKey|api-key|access_key|AccessKey)"
}

/// A text with a secret in it, and the secret.
fn planted() -> impl Strategy<Value = (String, String)> {
    let noise = "[ -~\\n\\t\u{e4}\u{1f600}]{0,40}";
    let somewhere = (noise, token(), noise).prop_map(|(a, t, z)| (format!("{a} {t} {z}"), t));
    let assigned = (noise, name(), 0_usize..9, password(), noise).prop_map(|(a, n, how, p, z)| {
        let text = match how {
            0 => format!("{n}={p}"),
            1 => format!("{n}: {p}"),
            2 => format!("{n}='{p}'"),
            3 => format!("{n} = \"{p}\""),
            4 => format!("export {n}={p}"),
            5 => format!("--{n} {p}"),
            6 => format!("\"{n}\": \"{p}\""),
            7 => format!("https://ada:{p}@host/"),
            _ => format!("Authorization: Bearer {p}"),
        };
        (format!("{a}\n{text}\n{z}"), p)
    });
    prop_oneof![somewhere, assigned]
}

proptest! {
    #[test]
    fn no_planted_secret_survives((text, secret) in planted()) {
        let clean = redact(&text);
        prop_assert!(!clean.contains(&secret), "{}", clean);
        prop_assert_eq!(redact(&clean), clean.as_ref());
    }

    #[test]
    fn nor_inside_json((text, secret) in planted(), depth in 1_usize..4) {
        let mut payload = text;
        for _ in 0..depth {
            payload = json!({ "tool_input": { "content": payload }, "n": [1, null] }).to_string();
        }
        let clean = redact(&payload);
        prop_assert!(!clean.contains(&secret), "{}", clean);
        prop_assert!(serde_json::from_str::<Value>(&clean).is_ok(), "{}", clean);
        prop_assert_eq!(redact(&clean), clean.as_ref());
    }

    #[test]
    fn json_stays_json(strings in proptest::collection::vec("(\\PC|[\"'\\\\\n=:@/-]|token=|password|secret\": \"|://|--token |Bearer ){0,30}", 1..5)) {
        let payload = json!({ "a": strings, "password": strings }).to_string();
        let clean = redact(&payload);
        prop_assert!(serde_json::from_str::<Value>(&clean).is_ok(), "{}", clean);
        prop_assert_eq!(redact(&clean), clean.as_ref());
    }

    #[test]
    fn no_text_makes_it_stumble(text in "(\\PC|[\"'\\\\\n=:@/-]|token|password|://|--){0,60}") {
        let clean = redact(&text).into_owned();
        prop_assert!(clean.len() <= text.len() * 12 + 12);
        shorten(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_short_form_is_json(text in "(\\PC|[\"\\\\\n]|\u{1f600}){0,40}", times in 200_usize..400, secret in token()) {
        // As ASCII with surrogates, which must not be parted, and as it is.
        let plain = json!({ "k": text.repeat(times), "s": [format!("{} {secret}", text.repeat(times))] }).to_string();
        let ascii: String = plain.encode_utf16().map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii() => char::from(byte).to_string(),
            _ => format!("\\u{unit:04x}"),
        }).collect();
        for payload in [plain, ascii] {
            let stored = payload_for_store(&payload, Payloads::Redacted).unwrap();
            prop_assert!(serde_json::from_str::<Value>(&stored).is_ok(), "{}", stored);
            prop_assert!(!stored.contains(&secret));
        }
    }
}
