//! The order of the chain, the deadline that all share, what is sent and what is not.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::{Provider, Question, ask, fallback};
use super::server::{CannedReply, Server, anthropic, chat, gemini, ollama, tags};
use super::test_workshop::TestWorkshop;
use super::{Advice, Settings, advice_by, lines, nobody, question, settings};

const ALL: [&str; 5] = ["ollama", "gemini", "openai", "xai", "anthropic"];
const NAMES: [&str; 5] = ["Ollama", "Gemini", "OpenAI", "xAI", "Anthropic"];

/// An answer of each provider, in the order of [`ALL`].
fn answers() -> [Value; 5] {
    [
        ollama("Do it."),
        gemini(json!([{ "text": "Do it." }])),
        chat(json!("Do it.")),
        chat(json!("Do it.")),
        anthropic(json!([{ "type": "text", "text": "Do it." }])),
    ]
}

/// All five providers, each with these replies.
fn all(replies: impl Fn(usize) -> Vec<CannedReply>) -> Vec<Server> {
    (0..ALL.len()).map(|at| Server::new(replies(at))).collect()
}

/// Settings with all providers at these servers.
fn at(servers: &[Server], more: &str) -> Settings {
    let mut text = format!("{more}\n");
    for (provider, server) in ALL.iter().zip(servers) {
        writeln!(text, "[{provider}]\nurl = '{}'\nmodels = ['m']", server.url).unwrap();
    }
    settings(&text)
}

fn counts(servers: &[Server]) -> Vec<usize> {
    servers.iter().map(|server| server.requests().len()).collect()
}

#[test]
fn nothing_is_sent_and_nothing_is_run_unless_it_is_switched_on() {
    let servers = all(|_| Vec::new());
    let off = Settings { enabled: false, ..at(&servers, "") };
    let workshop = TestWorkshop::new().with("OPENAI_API_KEY", "k");
    assert_eq!(ask(&off, &question(), &workshop), nobody(&[]));
    assert_eq!(ask(&Settings::default(), &question(), &workshop), nobody(&[]));
    assert_eq!((counts(&servers), workshop.given()), (vec![0; 5], Vec::new()));
    assert_eq!(ask(&settings("providers = []"), &question(), &workshop), nobody(&[]));
}

#[test]
fn each_provider_is_asked_after_those_before_it_have_failed() {
    for winner in 0..ALL.len() {
        let servers = all(|at| {
            let list = (at == 0).then(|| CannedReply::Says(200, tags(&["m:latest"])));
            let answer = if at < winner {
                CannedReply::Text(200, "<html>")
            } else {
                CannedReply::Says(200, answers()[at].clone())
            };
            list.into_iter().chain([answer]).collect()
        });
        let model = if winner == 0 { "m:latest" } else { "m" };
        let failures: Vec<String> =
            NAMES[..winner].iter().map(|name| format!("{name}: the reply is not valid JSON")).collect();
        assert_eq!(
            ask(&at(&servers, ""), &question(), &TestWorkshop::new()),
            Advice { failures, ..advice_by(&format!("{} {model}", NAMES[winner]), "Do it.") }
        );
        let expected: Vec<usize> = (0..ALL.len())
            .map(|at| match at {
                0 => 2,
                at if at <= winner => 1,
                _ => 0,
            })
            .collect();
        assert_eq!(counts(&servers), expected, "{}", NAMES[winner]);
    }
}

#[test]
fn the_order_is_that_of_the_config_and_nobody_is_asked_twice() {
    let servers = all(|at| vec![CannedReply::Says(200, answers()[at].clone())]);
    let first = at(&servers, "providers = ['anthropic', 'openai']");
    assert_eq!(ask(&first, &question(), &TestWorkshop::new()), advice_by("Anthropic m", "Do it."));
    assert_eq!(counts(&servers), [0, 0, 0, 0, 1]);
    let servers = all(|_| vec![CannedReply::Text(200, "")]);
    let twice = at(&servers, "providers = ['xai', 'xai']");
    assert_eq!(ask(&twice, &question(), &TestWorkshop::new()), nobody(&["xAI: the reply is not valid JSON"]));
    assert_eq!(counts(&servers), [0, 0, 0, 1, 0]);
}

#[test]
fn all_share_one_deadline_and_one_that_hangs_leaves_half_of_it() {
    let servers = all(|at| {
        let list = (at == 0).then(|| CannedReply::Says(200, tags(&["m:latest"])));
        list.into_iter().chain([CannedReply::Hangs]).collect()
    });
    let workshop = TestWorkshop::new();
    let late = |at: usize, millis: u64| {
        format!("{}: no answer from {}: did not answer within {millis} ms", NAMES[at], servers[at].host())
    };
    let left = |name: &str| format!("{name}: no time was left");
    assert_eq!(
        ask(&at(&servers, "deadline = '40s'"), &question(), &workshop).failures,
        [late(0, 20_000), late(1, 20_000), left("OpenAI"), left("xAI"), left("Anthropic")]
    );
    assert_eq!(workshop.given(), [2_000, 20_000, 20_000]);
    assert_eq!(counts(&servers), [2, 1, 0, 0, 0]);
}

#[test]
fn time_that_one_provider_used_is_gone_for_the_next() {
    let servers = all(|at| match at {
        1 => vec![CannedReply::Slow(9_000, json!({}))],
        2 => vec![CannedReply::Slow(15_000, json!({}))],
        3 => vec![CannedReply::Busy(503, 2, json!({})), CannedReply::Slow(9_000, json!({}))],
        _ => vec![CannedReply::Says(200, answers()[at].clone())],
    });
    let workshop = TestWorkshop::new();
    let chain = at(&servers, "deadline = '40s'\nproviders = ['gemini', 'openai', 'xai', 'anthropic']");
    let empty = |name: &str| format!("{name} m: the reply has no text");
    assert_eq!(
        ask(&chain, &question(), &workshop),
        Advice {
            failures: vec![empty("Gemini"), empty("OpenAI"), empty("xAI")],
            ..advice_by("Anthropic m", "Do it.")
        }
    );
    assert_eq!(workshop.given(), [20_000, 20_000, 16_000, 14_000, 5_000]);
}

#[test]
fn the_last_provider_with_a_key_gets_all_the_time_left() {
    let servers = all(|at| vec![CannedReply::Says(200, answers()[at].clone())]);
    let text = format!(
        "providers = ['xai', 'openai', 'gemini']\n[openai]\nurl = '{}'\nmodels = ['m']",
        servers[2].url
    );
    let workshop = TestWorkshop::new();
    let missing = |name: &str, variable: &str| format!("{name}: no key: `{variable}` is not set");
    assert_eq!(
        ask(&settings(&text), &question(), &workshop),
        Advice {
            failures: vec![missing("xAI", "XAI_API_KEY"), missing("Gemini", "GEMINI_API_KEY")],
            ..advice_by("OpenAI m", "Do it.")
        }
    );
    assert_eq!(workshop.given(), [60_000]);
}

#[test]
fn a_probe_that_hangs_costs_two_seconds() {
    let dead = Server::new(vec![CannedReply::Hangs]);
    let good = Server::new(vec![CannedReply::Says(200, chat(json!("Do it.")))]);
    let text = format!(
        "providers = ['ollama', 'openai']\n[ollama]\nurl = '{}'\n[openai]\nurl = '{}'\nmodels = ['m']",
        dead.url, good.url
    );
    let workshop = TestWorkshop::new();
    let error = format!("Ollama: no answer from {}: did not answer within 2000 ms", dead.host());
    assert_eq!(
        ask(&settings(&text), &question(), &workshop),
        Advice { failures: lines(&[&error]), ..advice_by("OpenAI m", "Do it.") }
    );
    assert_eq!(workshop.given(), [2_000, 58_000]);
}

#[test]
fn no_server_sees_a_secret() {
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let leaky = Question {
        issues: vec![
            format!("the token {token} is in the source"),
            format!("$ pytest\nE  requests.get('https://ada:hunter2@db/x')\nE  API_KEY=swordfish\n{token}"),
        ],
        history: vec![format!("edited with {token}")],
        ..question()
    };
    let servers = all(|at| {
        let list = (at == 0).then(|| CannedReply::Says(200, tags(&["m:latest"])));
        list.into_iter().chain([CannedReply::Text(200, "<html>")]).collect()
    });
    let advice = ask(&at(&servers, ""), &leaky, &TestWorkshop::new());
    assert_eq!((advice.failures.len(), &advice.text), (5, &fallback::advise(&leaky)));
    assert_eq!(counts(&servers), [2, 1, 1, 1, 1]);
    for seen in servers.iter().flat_map(Server::requests) {
        let seen = format!("{}{}", seen.head, seen.body);
        for secret in [token, "hunter2", "swordfish"] {
            assert!(!seen.contains(secret), "{secret} in {seen}");
        }
    }
    assert!(!advice.text.contains(token), "{}", advice.text);
}

#[test]
fn the_number_of_words_is_sent_and_limits_the_answer() {
    let server = Server::new(vec![CannedReply::Says(200, chat(json!("word ".repeat(9_000))))]);
    let text =
        format!("providers = ['openai']\nmax_words = 500\n[openai]\nurl = '{}'\nmodels = ['m']", server.url);
    let advice = ask(&settings(&text), &question(), &TestWorkshop::new());
    assert!((5_900..=6_001).contains(&advice.text.chars().count()), "{}", advice.text.len());
    assert!(server.requests()[0].body.to_string().contains("at most 500 words"));
}

#[test]
fn misspelt_settings_are_errors() {
    let wrong = ["enabld = true", "providers = ['gpt']", "deadline = '60'", "[gemini]\nmodel = 'x'"];
    for text in wrong {
        assert!(toml::from_str::<Settings>(text).is_err(), "{text}");
    }
}

#[test]
fn the_page_shows_every_key_with_its_default() {
    let page = include_str!("../../feedback/policy.md").split("### A second opinion").nth(1).unwrap();
    let block = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let tables = block.replace("[loop.feedback.adviser.", "[").replace("[loop.feedback.adviser]\n", "");
    let shown: Settings = toml::from_str(&tables).unwrap();
    let usual = |models: &[&str]| models.iter().map(|&model| model.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        (shown.providers, shown.deadline),
        (Settings::default().providers, Settings::default().deadline)
    );
    assert_eq!(shown.max_words, Settings::default().max_words);
    let providers = [
        (Provider::Ollama, shown.ollama),
        (Provider::Gemini, shown.gemini),
        (Provider::Openai, shown.openai),
        (Provider::Xai, shown.xai),
        (Provider::Anthropic, shown.anthropic),
    ];
    for (provider, server) in providers {
        let entry = provider.entry();
        assert_eq!(server.models, usual(entry.models), "{}", entry.name);
        assert_eq!(server.url.as_deref(), Some(entry.home), "{}", entry.name);
        assert!(server.key_command.is_empty() || provider == Provider::Gemini, "{}", entry.name);
        if server.key_command.is_empty() {
            assert_eq!(server.key_variable.as_deref(), entry.key_variable, "{}", entry.name);
        }
    }
}
