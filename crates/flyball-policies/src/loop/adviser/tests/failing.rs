//! Servers that refuse, are busy, fail, hang, or reply something unusable.

use std::net::TcpListener;

use serde_json::json;

use super::super::ask;
use super::server::{CannedReply, Server, anthropic, chat};
use super::test_workshop::TestWorkshop;
use super::{Advice, advice_by, lines, nobody, only, question, settings};

const KEY: &str = "sk-proj-0123456789";

fn with_keys() -> TestWorkshop {
    ["GEMINI_API_KEY", "OPENAI_API_KEY", "XAI_API_KEY", "ANTHROPIC_API_KEY"]
        .into_iter()
        .fold(TestWorkshop::new(), |workshop, variable| workshop.with(variable, KEY))
}

/// A provider with two models.
fn two(provider: &str, server: &Server) -> super::Settings {
    let key = match provider {
        "ollama" => String::new(),
        _ => format!("\nkey_variable = '{}_API_KEY'", provider.to_uppercase()),
    };
    settings(&format!(
        "providers = ['{provider}']\n[{provider}]\nurl = '{}'\nmodels = ['a', 'b']{key}",
        server.url
    ))
}

#[test]
fn a_refusal_is_reported_in_one_line_with_its_reason() {
    let openai_key = json!({ "error": {
        "message": format!("Incorrect API key provided: {KEY}. You can find your API key at …"),
        "type": "invalid_request_error", "param": null, "code": "invalid_api_key",
    } });
    let gemini_key = json!({ "error": {
        "code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT",
        "details": [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID" }],
    } });
    let gemini_denied = json!({ "error": {
        "code": 403, "message": "Permission denied", "status": "PERMISSION_DENIED",
    } });
    let xai_key = json!({
        "code": "Client specified an invalid argument",
        "error": format!("Incorrect API key provided: {KEY}. You can obtain an API key from https://console.x.ai."),
    });
    let anthropic_key = json!({
        "type": "error", "error": { "type": "authentication_error", "message": "invalid x-api-key" },
    });
    let quota = json!({ "error": {
        "message": "You exceeded your current quota, please check your plan and billing details.",
        "type": "insufficient_quota", "param": null, "code": "insufficient_quota",
    } });
    let broke = json!({ "code": "x", "error": format!("the team of {KEY}\u{1b}[2J has no\u{202e} credits") });
    let cases = [
        ("openai", CannedReply::Says(401, openai_key), "OpenAI: the key was refused (401)"),
        ("gemini", CannedReply::Says(400, gemini_key), "Gemini: the key was refused (400)"),
        ("gemini", CannedReply::Says(403, gemini_denied), "Gemini: the key was refused (403)"),
        ("xai", CannedReply::Says(400, xai_key), "xAI: the key was refused (400)"),
        ("anthropic", CannedReply::Says(401, anthropic_key), "Anthropic: the key was refused (401)"),
        (
            "openai",
            CannedReply::Says(429, quota),
            "OpenAI: too many requests (429): You exceeded your current quota, please check your plan and \
             billing details.",
        ),
        (
            "xai",
            CannedReply::Says(402, broke),
            "xAI: the request was rejected (402): the team of [redacted][2J has no credits",
        ),
        ("openai", CannedReply::Text(307, ""), "OpenAI: the request was rejected (307)"),
        (
            "openai",
            CannedReply::Text(200, "<!doctype html><html>log in</html>"),
            "OpenAI: the reply is not valid JSON",
        ),
        ("openai", CannedReply::Text(200, "{\"choices\": [{"), "OpenAI: the reply is not valid JSON"),
        ("openai", CannedReply::Text(200, ""), "OpenAI: the reply is not valid JSON"),
        ("ollama", CannedReply::Text(200, "Ollama is running"), "Ollama: the reply is not valid JSON"),
        (
            "ollama",
            CannedReply::Text(404, "404 page not found"),
            "Ollama: unknown model or address (404), check the model's name and `url`",
        ),
        (
            "ollama",
            CannedReply::Says(200, json!({ "models": null })),
            "Ollama: none of these models is installed: a, b",
        ),
    ];
    for (provider, reply, error) in cases {
        let fix = if error.contains("key") { ": set a valid one (`key_variable`)" } else { "" };
        let error = format!("{error}{fix}");
        let server = Server::new(vec![reply]);
        assert_eq!(ask(&two(provider, &server), &question(), &with_keys()), nobody(&[&error]));
        assert_eq!(server.requests().len(), 1, "the second model is not asked: {error}");
    }
}

#[test]
fn after_a_missing_model_the_next_is_asked() {
    let not_found = "The model `a` does not exist or you do not have access to it.";
    let openai = json!({ "error": { "message": not_found, "type": "invalid_request_error", "code": "model_not_found" } });
    let anthropic = json!({ "type": "error", "error": { "type": "not_found_error", "message": "model: a" } });
    let gemini = json!({ "error": {
        "code": 404, "message": "models/a is not found for API version v1beta", "status": "NOT_FOUND",
    } });
    let gemini_quota = json!({ "error": { "code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED",
        "details": [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [
            { "quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }] }] } });
    let codex = json!({ "error": {
        "message": "This is not a chat model and thus not supported in the v1/chat/completions endpoint.",
        "type": "invalid_request_error", "param": "model", "code": null,
    } });
    let unsupported =
        json!({ "error": { "message": "Unsupported parameter: 'max_completion_tokens'", "code": null } });
    let unknown = "unknown model or address (404), check the model's name and `url`";
    let cases = [
        ("openai", 404, openai.clone(), format!("OpenAI a: {unknown}: {not_found}")),
        ("openai", 403, openai, format!("OpenAI a: the request was rejected (403): {not_found}")),
        (
            "openai",
            404,
            codex,
            format!(
                "OpenAI a: {unknown}: This is not a chat model and thus not supported in the v1/chat/completions \
                 endpoint."
            ),
        ),
        (
            "openai",
            400,
            unsupported,
            "OpenAI a: the request was rejected (400): Unsupported parameter: 'max_completion_tokens'"
                .to_owned(),
        ),
        ("anthropic", 404, anthropic, format!("Anthropic a: {unknown}: model: a")),
        ("gemini", 404, gemini, format!("Gemini a: {unknown}: models/a is not found for API version v1beta")),
        ("gemini", 429, gemini_quota, "Gemini a: too many requests for this model (429)".to_owned()),
    ];
    for (provider, status, body, error) in cases {
        let (by, good) = match provider {
            "openai" => ("OpenAI b", chat(json!("Do it."))),
            "gemini" => ("Gemini b", super::server::gemini(json!([{ "text": "Do it." }]))),
            _ => ("Anthropic b", self::anthropic(json!([{ "type": "text", "text": "Do it." }]))),
        };
        let server = Server::new(vec![CannedReply::Says(status, body), CannedReply::Says(200, good)]);
        assert_eq!(
            ask(&two(provider, &server), &question(), &with_keys()),
            Advice { failures: lines(&[&error]), ..advice_by(by, "Do it.") }
        );
    }
}

#[test]
fn a_busy_server_is_waited_for_once_and_not_long() {
    let busy =
        |seconds| CannedReply::Busy(429, seconds, json!({ "error": { "message": "Rate limit reached" } }));
    let good = || CannedReply::Says(200, chat(json!("Do it.")));
    let late = "OpenAI: too many requests (429): Rate limit reached";
    let cases = [
        ("as long as it asks for", "60s", vec![busy(5), good()], advice_by("OpenAI m", "Do it."), vec![5000]),
        ("not longer than that", "60s", vec![busy(6), good()], nobody(&[late]), vec![]),
        ("not twice", "60s", vec![busy(1), busy(1), good()], nobody(&[late]), vec![1000]),
        ("not beyond the deadline", "4s", vec![busy(4), good()], nobody(&[late]), vec![]),
    ];
    for (case, deadline, replies, expected, pauses) in cases {
        let server = Server::new(replies);
        let settings = super::Settings {
            deadline: String::from(deadline).try_into().unwrap(),
            ..only("openai", &server.url)
        };
        let workshop = with_keys();
        assert_eq!(ask(&settings, &question(), &workshop), expected, "{case}");
        assert_eq!(workshop.pauses(), pauses, "{case}");
    }
}

#[test]
fn a_server_that_fails_is_asked_once_more_and_then_for_its_next_model() {
    let overloaded = || {
        CannedReply::Says(
            529,
            json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
        )
    };
    let good = || CannedReply::Says(200, anthropic(json!([{ "type": "text", "text": "Do it." }])));
    let failed = |model: &str| format!("Anthropic {model}: the server failed (529): Overloaded");
    let server = Server::new(vec![overloaded(), good()]);
    let workshop = with_keys();
    assert_eq!(ask(&two("anthropic", &server), &question(), &workshop), advice_by("Anthropic a", "Do it."));
    assert_eq!((server.models(), workshop.pauses()), (lines(&["a", "a"]), vec![1000]));

    let server = Server::new(vec![overloaded(), overloaded(), good()]);
    assert_eq!(
        ask(&two("anthropic", &server), &question(), &with_keys()),
        Advice { failures: vec![failed("a")], ..advice_by("Anthropic b", "Do it.") }
    );

    let server = Server::new(vec![overloaded(), overloaded(), overloaded(), good()]);
    assert_eq!(
        ask(&two("anthropic", &server), &question(), &with_keys()),
        nobody(&[&failed("a"), &failed("b")])
    );
    assert_eq!(server.models(), ["a", "a", "b"]);
}

#[test]
fn a_server_that_hangs_is_not_asked_for_its_other_models() {
    let server = Server::new(vec![CannedReply::Hangs]);
    let workshop = with_keys();
    let error = format!("OpenAI: no answer from {}: did not answer within 60000 ms", server.host());
    assert_eq!(ask(&two("openai", &server), &question(), &workshop), nobody(&[&error]));
    assert_eq!((server.models(), workshop.given()), (lines(&["a"]), vec![60_000]));
}

#[test]
fn an_unreachable_server_is_reported_without_the_query_of_its_address() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for provider in ["ollama", "gemini", "openai", "xai", "anthropic"] {
        let advice = ask(&only(provider, &format!("http://{free}/x?key={KEY}")), &question(), &with_keys());
        let [error] = advice.failures.try_into().unwrap();
        assert!(error.ends_with(&format!(": no answer from {free}: connection refused")), "{error}");
        assert_eq!(advice.by, "");
    }
}
