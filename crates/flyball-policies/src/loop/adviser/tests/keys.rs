//! Where keys come from, where they go, and where they do not.

use serde_json::json;

use super::super::ask;
use super::server::{CannedReply, Server, chat};
use super::test_workshop::TestWorkshop;
use super::{Advice, advice_by, keyed, nobody, only, question, settings};

fn good() -> Server {
    Server::new(vec![CannedReply::Says(200, chat(json!("Do it.")))])
}

/// `OpenAI` with this command for its key; the command is a script.
fn by_command(script: &str) -> Advice {
    let script = script.replace('"', "\\\"");
    let server = good();
    let text = format!(
        "providers = ['openai']\ndeadline = '30s'\n[openai]\nurl = '{}'\nkey_command = [\"sh\", \"-c\", \"{script}\"]",
        server.url
    );
    let advice = ask(&settings(&text), &question(), &TestWorkshop::new().with("OPENAI_API_KEY", "another"));
    assert!(!advice.by.is_empty() || server.requests().is_empty(), "without its key nobody is asked");
    for asked in server.requests() {
        assert!(asked.head.contains("\r\nauthorization: Bearer printed-key\r\n"), "{}", asked.head);
    }
    advice
}

#[test]
fn a_command_prints_the_key() {
    let advice = by_command("echo printed-key; echo noise >&2");
    assert_eq!((advice.by.as_str(), advice.failures), ("OpenAI gpt-5.5", Vec::new()));
}

#[test]
fn a_command_that_prints_no_key_is_reported_without_its_output() {
    let cases = [
        ("echo secret; exit 3", "OpenAI: the key's command `sh` exited with 3"),
        ("true", "OpenAI: the command `sh` printed no key"),
        ("echo two words", "OpenAI: the command `sh` printed no key"),
        ("echo one; echo two", "OpenAI: the command `sh` printed no key"),
    ];
    for (script, error) in cases {
        assert_eq!(by_command(script), nobody(&[error]), "{script}");
    }
}

#[test]
fn a_command_that_does_not_end_takes_no_more_than_its_share() {
    let settings = settings("providers = ['xai']\ndeadline = '1s'\n[xai]\nkey_command = ['sleep', '600']");
    assert_eq!(
        ask(&settings, &question(), &TestWorkshop::new()),
        nobody(&["xAI: the key's command `sleep` did not end in time"])
    );
}

#[test]
fn a_command_that_is_not_installed_is_reported() {
    let settings = settings("providers = ['xai']\n[xai]\nkey_command = ['no-such-keeper']");
    assert_eq!(
        ask(&settings, &question(), &TestWorkshop::new()),
        nobody(&["xAI: the key's command `no-such-keeper` is not installed"])
    );
}

#[test]
fn commands_are_not_run_for_keys_that_nobody_needs() {
    let server = good();
    let text = format!(
        "providers = ['openai', 'xai']\n[openai]\nurl = '{}'\nmodels = ['m']\n[xai]\nkey_command = ['sh', '-c', 'exit 1']",
        server.url
    );
    let workshop = TestWorkshop::new();
    assert_eq!(ask(&settings(&text), &question(), &workshop), advice_by("OpenAI m", "Do it."));
    assert_eq!(*workshop.ran.lock().unwrap(), Vec::<String>::new());
}

#[test]
fn the_key_can_be_in_a_variable_of_another_name() {
    let server = good();
    let text = format!(
        "providers = ['openai']\n[openai]\nurl = '{}'\nmodels = ['m']\nkey_variable = 'MY_KEY'",
        server.url
    );
    let workshop = TestWorkshop::new().with("MY_KEY", "mine\n").with("OPENAI_API_KEY", "another");
    assert_eq!(ask(&settings(&text), &question(), &workshop), advice_by("OpenAI m", "Do it."));
    let [asked] = server.requests().try_into().unwrap();
    assert!(asked.head.contains("\r\nauthorization: Bearer mine\r\n"), "{}", asked.head);
    assert_eq!(
        ask(&settings(&text), &question(), &TestWorkshop::new()),
        nobody(&["OpenAI: no key: `MY_KEY` is not set"])
    );
}

#[test]
fn a_server_of_ones_own_needs_no_key() {
    let server = good();
    assert_eq!(
        ask(&only("openai", &server.url), &question(), &TestWorkshop::new()),
        advice_by("OpenAI m", "Do it.")
    );
    let [asked] = server.requests().try_into().unwrap();
    assert!(!asked.head.contains("authorization"), "{}", asked.head);
    let picky = Server::new(vec![CannedReply::Says(401, json!({ "error": "unauthorized" }))]);
    assert_eq!(
        ask(&only("openai", &picky.url), &question(), &TestWorkshop::new()),
        nobody(&["OpenAI: a key is required (401): set one (`key_variable`)"])
    );
}

#[test]
fn the_usual_key_goes_to_the_provider_only() {
    let server = good();
    let workshop = TestWorkshop::new().with("OPENAI_API_KEY", "k");
    assert_eq!(ask(&only("openai", &server.url), &question(), &workshop), advice_by("OpenAI m", "Do it."));
    let [asked] = server.requests().try_into().unwrap();
    assert!(!asked.head.contains("authorization"), "{}", asked.head);
}

#[test]
fn a_key_that_cannot_be_sent_is_not_sent() {
    let workshop = || TestWorkshop::new().with("OPENAI_API_KEY", "one\r\nx-more: two");
    assert_eq!(
        ask(&settings("providers = ['openai']"), &question(), &workshop()),
        nobody(&["OpenAI: `OPENAI_API_KEY` does not contain a valid key"])
    );
    let open =
        settings("providers = ['xai']\n[xai]\nurl = 'http://models.example.com'\nkey_variable = 'MY_KEY'");
    assert_eq!(
        ask(&open, &question(), &TestWorkshop::new().with("MY_KEY", "k")),
        nobody(&["xAI: the key would be sent unencrypted: its `url` must begin with `https://`"])
    );
}

#[test]
fn a_key_that_a_server_returns_is_not_shown() {
    let server = Server::new(vec![CannedReply::Says(200, chat(json!("Use key-4711 for it.")))]);
    let workshop = TestWorkshop::new().with("OPENAI_API_KEY", "key-4711");
    assert_eq!(
        ask(&keyed("openai", &server.url), &question(), &workshop),
        advice_by("OpenAI m", "Use [redacted] for it.")
    );
}
