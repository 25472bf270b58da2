//! Sessions in a real project, with servers on loopback instead of models.

use std::net::TcpListener;

use flyball_core::engine::Judgement;
use flyball_core::event::{Agent, Change, Event, EventData, FileEdit, Outcome, Stopping, Tool, ToolCall};
use flyball_core::verdict::Stance;
use serde_json::{Value, json};

use super::settings::{Model, Settings};
use crate::models::testing::server::{CannedReply, Server, anthropic, chat, gemini, ollama, tags};
use crate::models::{Provider, Server as ServerSettings};
use crate::test_project::{KEY, TestProject};
use crate::testing::{event, write};

const PENDING: &str = ".intent-layer/mistakes/pending";

/// A project with reports switched on and a transcript.
fn stage(settings: &str) -> TestProject {
    let stage = TestProject::new(&format!("[memory.stop]\nmode = \"enforce\"\n{settings}"));
    stage.write(".intent-layer/readme", "");
    stage.write("src/api/auth.ts", "");
    say(&stage, &["Fix the login.", "No, use pnpm."]);
    stage
}

/// Settings with one provider at this address.
fn asking(provider: &str, url: &str) -> String {
    format!(
        "[memory.stop.model]\nenabled = true\ndeadline = \"1s\"\nproviders = [\"{provider}\"]\n\
         [memory.stop.model.{provider}]\nurl = \"{url}\"\nmodels = [\"m\"]\nkey_variable = \"{}_API_KEY\"\n",
        provider.to_uppercase()
    )
}

/// Makes a transcript of these prompts.
fn say(stage: &TestProject, prompts: &[&str]) {
    let line = |text: &&str| {
        let message = json!({ "role": "user", "content": text });
        format!("{}\n", json!({ "type": "user", "isSidechain": false, "message": message }))
    };
    stage.write("talk.jsonl", &prompts.iter().map(line).collect::<String>());
}

fn of_client(stage: &TestProject, event: Event) -> Event {
    Event { client: "claude-code".to_owned(), transcript: Some(stage.path("talk.jsonl")), ..event }
}

fn prompt(text: &str) -> Event {
    event(EventData::PromptSubmit { text: text.to_owned(), by_machine: false })
}

fn failed(command: &str, output: &str) -> Event {
    let tool = Tool::Shell { command: command.to_owned(), background: false };
    let call = ToolCall { id: None, name: "Bash".to_owned(), tool, input: "{}".to_owned() };
    let outcome = Outcome { text: output.to_owned(), ..Outcome::default() };
    event(EventData::ToolFailed { call, outcome, interrupted: false })
}

fn edit(path: &str) -> ToolCall {
    let change = Change::Write { content: String::new() };
    let tool = Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]);
    ToolCall { id: None, name: "Edit".to_owned(), tool, input: "{}".to_owned() }
}

fn failed_edit(path: &str) -> Event {
    let outcome = Outcome { text: format!("EACCES: permission denied, open '{path}'"), ..Outcome::default() };
    event(EventData::ToolFailed { call: edit(path), outcome, interrupted: false })
}

fn stopping(again: bool) -> Event {
    event(EventData::Stop(Stopping { again, last_message: "Done.".to_owned(), ..Stopping::default() }))
}

fn stop(stage: &TestProject) -> Judgement {
    stage.judge_event(of_client(stage, stopping(false)))
}

/// What memory.stop gave as evidence.
fn evidence(judgement: &Judgement) -> Vec<String> {
    let ruling = judgement.rulings.iter().find(|ruling| ruling.policy == super::POLICY.id).unwrap();
    ruling.verdict.evidence.iter().map(|it| format!("{}: {}", it.name, it.value)).collect()
}

/// The reason for which an agent is blocked; empty if it is not.
fn reason(judgement: &Judgement) -> String {
    match judgement.merged.stance {
        Stance::Deny => {
            judgement.merged.reasons.iter().map(|it| it.reason.text()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn reports(stage: &TestProject) -> Vec<String> {
    let files = std::fs::read_dir(stage.root().join(PENDING)).into_iter().flatten();
    let mut names: Vec<String> =
        files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn yes(learnings: &[Value]) -> String {
    json!({ "should_capture": true, "learnings": learnings }).to_string()
}

fn learning(title: &str, path: &str) -> Value {
    json!({ "type": "pitfall", "title": title, "detail": format!("{title}, as npm breaks the lock."), "path": path, "confidence": "high" })
}

fn replies(text: &str) -> CannedReply {
    CannedReply::Says(200, chat(json!(text)))
}

#[test]
fn a_yes_becomes_reports_and_blocks_once() {
    let server = Server::new(vec![replies(&yes(&[learning("Use pnpm", "src/api/auth.ts")]))]);
    let stage = stage(&asking("openai", &server.url));
    stage.judge_event(prompt("That's wrong, use pnpm."));
    let blocked = stop(&stage);
    let names = reports(&stage);
    let [name] = names.as_slice() else { panic!("{names:?}") };
    let id = name.trim_end_matches(".md");
    assert_eq!(
        reason(&blocked),
        format!(
            "Tell the user about it in one or two sentences, then stop: a model read this session and recorded a report, \
             `{id}` (Use pnpm). The user reviews with `flyball learn list` and `flyball learn accept ID`. You are asked \
             only once"
        )
    );
    assert_eq!(
        evidence(&blocked),
        ["signs: a correction by a person", "model: OpenAI m", &format!("new reports: {id}")]
    );
    let report = stage.read(&format!("{PENDING}/{name}"));
    for part in ["Use pnpm", "as npm breaks the lock", "src/api", "confidence: high"] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert_eq!(reason(&stage.judge_event(of_client(&stage, stopping(true)))), "");
    assert_eq!(reason(&stop(&stage)), "");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn defect_16_a_model_is_asked_once_for_new_signs_and_never_per_turn() {
    let no = || replies(r#"{"should_capture": false, "learnings": []}"#);
    let server = Server::new(vec![no(), no(), no()]);
    let stage = stage(&asking("openai", &server.url));
    stage.write(".intent-layer/hooks/injections.log", "2026-01-01T00:00:00Z\ta\tb\tPitfalls\n");
    for _ in 0..5 {
        assert_eq!(evidence(&stop(&stage)), [""; 0], "what other sessions did is not a sign");
    }
    assert_eq!(server.requests().len(), 0);
    for _ in 0..5 {
        stage.judge_event(failed("npm ci", "sh: npm: command not found"));
        stop(&stage);
    }
    assert_eq!(server.requests().len(), 1, "the same failure is the same sign");
    for turn in 0..9 {
        for _ in 0..2 {
            stage.judge_event(failed(&format!("tool-{turn} x"), "bash: line 1: tool: command not found"));
        }
        stop(&stage);
    }
    assert_eq!(server.requests().len(), 3, "`most` of a session");
}

#[test]
fn defect_17_the_end_of_the_session_is_sent() {
    let server = Server::new(vec![replies(r#"{"should_capture": false}"#)]);
    let stage = stage(&asking("openai", &server.url));
    let prompts: Vec<String> =
        (0..30_000).map(|at| format!("prompt {at} of many, each with a few words")).collect();
    say(&stage, &prompts.iter().map(String::as_str).collect::<Vec<_>>());
    stage.judge_event(prompt("You forgot the tests."));
    stop(&stage);
    let sent = server.requests()[0].body.to_string();
    assert!(sent.contains("prompt 29999 of") && !sent.contains("prompt 0 of"), "{}", sent.len());
    assert!((20_000..40_000).contains(&sent.len()), "{}", sent.len());
}

#[test]
fn defect_18_writing_reports_does_not_break_the_block() {
    let many: Vec<Value> = (0..4).map(|at| learning(&format!("Thing number {at}0{at}"), ".")).collect();
    let server = Server::new(vec![replies(&yes(&many))]);
    let stage = stage(&asking("openai", &server.url));
    stage.judge_event(prompt("You broke the build."));
    let blocked = stop(&stage);
    assert_eq!(blocked.merged.stance, Stance::Deny);
    assert_eq!(blocked.merged.reasons.len(), 1);
    assert_eq!(reports(&stage).len(), 4);
    assert!(
        reason(&blocked).starts_with("Tell the user about them in one or two sentences, then stop: a model read this session and recorded 4 reports, `"),
        "{}",
        reason(&blocked)
    );
    assert!(reason(&blocked).contains(") and 1 more. The user"), "{}", reason(&blocked));
}

#[test]
fn defect_19_nothing_is_sent_without_permission_and_never_a_secret() {
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let server = Server::new(vec![replies(&yes(&[learning(&format!("Use {token}"), ".")]))]);
    let refused = stage(&asking("openai", &server.url).replace("enabled = true", "enabled = false"));
    refused.judge_event(prompt("I told you."));
    stop(&refused);
    assert_eq!(server.requests().len(), 0, "a key alone is not a permission");
    let stage = stage(&asking("openai", &server.url));
    say(&stage, &[&format!("export TOKEN={token}"), "DB_PASSWORD=hunter2hunter2", "bye"]);
    for _ in 0..2 {
        stage.judge_event(failed(
            &format!("curl -H 'Authorization: Bearer {token}' x"),
            "bash: curl: command not found",
        ));
    }
    let blocked = stop(&stage);
    let asked = server.requests();
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    let sent = asked.body.to_string();
    for secret in [token, "hunter2hunter2", KEY] {
        assert!(!sent.contains(secret), "{sent}");
    }
    assert!(asked.head.contains(&format!("authorization: Bearer {KEY}\r\n")), "{}", asked.head);
    assert!(!asked.line.contains(KEY), "{}", asked.line);
    let remembered = flyball_core::policy::Memory::read(&*stage.memory, "memory.stop").unwrap().unwrap();
    let written = stage.read(&format!("{PENDING}/{}", reports(&stage)[0]));
    for shown in [reason(&blocked), evidence(&blocked).join("\n"), remembered, written] {
        assert!(!shown.contains(token) && !shown.contains(KEY), "{shown}");
    }
}

#[test]
fn every_provider_is_understood() {
    let text = yes(&[learning("Use pnpm", ".")]);
    let cases = [
        ("ollama", vec![CannedReply::Says(200, tags(&["m"])), CannedReply::Says(200, ollama(&text))]),
        ("gemini", vec![CannedReply::Says(200, gemini(json!([{ "text": text }])))]),
        ("openai", vec![replies(&text)]),
        ("xai", vec![replies(&text)]),
        ("anthropic", vec![CannedReply::Says(200, anthropic(json!([{ "type": "text", "text": text }])))]),
    ];
    for (provider, replies) in cases {
        let server = Server::new(replies);
        let stage = stage(&asking(provider, &server.url));
        stage.judge_event(prompt("You forgot the tests."));
        assert_eq!(stop(&stage).merged.stance, Stance::Deny, "{provider}");
        assert_eq!(reports(&stage).len(), 1, "{provider}");
    }
}

#[test]
fn whatever_goes_wrong_the_agent_stops_and_nobody_asks_again() {
    let one = learning("Use pnpm", ".").to_string();
    let half = format!("{{\"should_capture\": true, \"learnings\": [{one}");
    let word = format!("{{\"should_capture\": \"yes\", \"learnings\": [{one}]}}");
    let refused = json!({ "error": { "message": format!("Incorrect API key provided: {KEY}"), "code": "invalid_api_key" } });
    let cases = [
        (
            "a bad key",
            CannedReply::Says(401, refused),
            "OpenAI: the key was refused (401): set a valid one (`key_variable`)",
        ),
        (
            "busy",
            CannedReply::Says(429, json!({ "error": { "message": "slow down" } })),
            "OpenAI: too many requests (429): slow down",
        ),
        ("busy for long", CannedReply::Busy(429, 900, json!({})), "OpenAI: too many requests (429)"),
        ("broken", CannedReply::Text(503, "oops"), "OpenAI m: the server failed (503)"),
        ("garbage", CannedReply::Text(200, "<html>"), "OpenAI: the reply is not valid JSON"),
        ("no text", CannedReply::Says(200, chat(Value::Null)), "OpenAI m: the reply has no text"),
        ("a refusal", replies("I can't help with that."), "OpenAI m: the reply is not valid JSON"),
        ("half of it", replies(&half), "OpenAI m: the reply does not have the requested form"),
        ("a word for yes", replies(&word), "OpenAI m: the reply does not have the requested form"),
    ];
    for (case, reply, error) in cases {
        let server = Server::new(vec![reply]);
        let stage = stage(&asking("openai", &server.url));
        stage.judge_event(prompt("You forgot the tests."));
        let judgement = stop(&stage);
        assert_eq!(judgement.merged.stance, Stance::Silent, "{case}");
        assert_eq!(evidence(&judgement).last().unwrap(), &format!("error: {error}"), "{case}");
        assert!(!evidence(&judgement).join("\n").contains(KEY), "{case}");
        assert_eq!(evidence(&stop(&stage)), [""; 0], "{case}");
        assert_eq!((server.requests().len(), reports(&stage).len()), (1, 0), "{case}");
    }
}

#[test]
fn a_server_that_hangs_is_given_up_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let stage = stage(&asking("openai", &url));
    stage.judge_event(prompt("You forgot the tests."));
    let judgement = stop(&stage);
    assert_eq!(judgement.merged.stance, Stance::Silent);
    let seen = evidence(&judgement);
    assert!(seen.last().unwrap().starts_with("error: OpenAI: no answer from 127.0.0.1:"), "{seen:?}");
    assert_eq!(evidence(&stop(&stage)), [""; 0]);
}

#[test]
fn without_a_key_or_a_transcript_nobody_is_asked() {
    let server = Server::new(Vec::new());
    let keyless = asking("openai", &server.url).replace("OPENAI_API_KEY", "NOBODY_SET_THIS");
    let stage_without = stage(&keyless);
    stage_without.judge_event(prompt("You forgot the tests."));
    assert_eq!(
        evidence(&stop(&stage_without)).last().unwrap(),
        "error: OpenAI: no key: `NOBODY_SET_THIS` is not set"
    );
    let stage = stage(&asking("openai", &server.url));
    stage.judge_event(prompt("You forgot the tests."));
    let judgement = stage.judge_event(stopping(false));
    assert_eq!(evidence(&judgement).last().unwrap(), "error: the client gave no transcript");
    stage.judge_event(prompt("You broke it."));
    let codex = Event { client: "codex".to_owned(), ..of_client(&stage, stopping(false)) };
    assert_eq!(evidence(&stage.judge_event(codex)).last().unwrap(), "error: the transcript is empty");
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn known_learnings_are_not_reported_and_do_not_block() {
    let rule = learning("Use pnpm", "src/api/auth.ts");
    let server = Server::new(vec![replies(&yes(std::slice::from_ref(&rule)))]);
    let with_rule = stage(&asking("openai", &server.url));
    with_rule.write("src/AGENTS.md", "## Pitfalls\n\n### Use pnpm\n\nUse pnpm, as npm breaks the lock.\n");
    with_rule.judge_event(prompt("You forgot the tests."));
    let judgement = stop(&with_rule);
    assert_eq!((reason(&judgement), reports(&with_rule).len()), (String::new(), 0));
    assert_eq!(evidence(&judgement).last().unwrap(), "known already: 1");
    // The same again in another session of the project: a report that is there already.
    let server = Server::new(vec![replies(&yes(std::slice::from_ref(&rule))), replies(&yes(&[rule]))]);
    let mut stage = stage(&asking("openai", &server.url));
    stage.judge_event(prompt("You forgot the tests."));
    assert_eq!(stop(&stage).merged.stance, Stance::Deny);
    stage.memory = std::sync::Arc::default();
    stage.judge_event(prompt("You forgot the tests."));
    assert_eq!(stop(&stage).merged.stance, Stance::Silent);
    assert_eq!((server.requests().len(), reports(&stage).len()), (2, 1));
}

#[test]
fn a_path_that_leads_out_of_the_project_is_about_all_of_it() {
    let outside = [
        learning("One odd thing", "/etc/passwd"),
        learning("Another matter", "../../x"),
        learning("Third subject", "src/new/a.ts"),
    ];
    let server = Server::new(vec![replies(&yes(&outside))]);
    let stage = stage(&asking("openai", &server.url));
    stage.judge_event(prompt("You forgot the tests."));
    stop(&stage);
    let all: String = reports(&stage).iter().map(|name| stage.read(&format!("{PENDING}/{name}"))).collect();
    assert_eq!(
        all.matches("**Directory**: `.`").count() + all.matches("**Directory**: .\n").count(),
        2,
        "{all}"
    );
    assert!(all.contains("src/new") && !all.contains("passwd"), "{all}");
}

#[test]
fn only_events_about_the_project_are_signs() {
    let stage = stage("");
    let signs = |event: Event| {
        stage.judge_event(event);
        let seen = evidence(&stop(&stage));
        seen.first().cloned().unwrap_or_default().replace("signs: ", "")
    };
    assert_eq!(signs(failed("pytest", "1 failed, 3 passed")), "");
    assert_eq!(signs(failed("grep x y", "")), "");
    for sign in ["", "a failure", ""] {
        assert_eq!(signs(failed("npm ci", "bash: npm: command not found")), sign, "the second of a kind");
    }
    assert_eq!(signs(failed_edit("src/api/auth.ts")), "");
    assert_eq!(signs(failed_edit("src/api/auth.ts")), "a failure");
    assert_eq!(signs(prompt("Add a login.")), "");
    assert_eq!(signs(prompt("That’s wrong.")), "a correction by a person");
    let machine = EventData::PromptSubmit { text: "I told you".to_owned(), by_machine: true };
    assert_eq!(signs(event(machine)), "");
    let done = |path: &str| event(EventData::AfterTool { call: edit(path), outcome: Outcome::default() });
    assert_eq!(signs(done("src/a.ts")), "");
    assert_eq!(signs(done("src/rules/api.md")), "");
    assert_eq!(signs(done("src/AGENTS.md")), "an edit of a file of rules");
    let agent = Some(Agent { id: "a1".to_owned(), role: "dev".to_owned() });
    for _ in 0..2 {
        stage.judge_event(failed("uv run", "bash: uv: command not found"));
    }
    let of_agent = stage.judge_event(Event { agent, ..stopping(false) });
    assert_eq!(evidence(&of_agent), [""; 0], "only the main agent is asked");
}

#[test]
fn every_file_that_a_client_reads_as_rules_is_a_file_of_rules() {
    let done = |path: &str| event(EventData::AfterTool { call: edit(path), outcome: Outcome::default() });
    let cases = [
        ("AGENTS.override.md", true),
        ("src/CLAUDE.local.md", true),
        (".claude/rules/api/errors.md", true),
        (".claude/CLAUDE.md", true),
        (".claude/rules/errors.py", false),
        ("docs/rules/errors.md", false),
    ];
    for (path, expected) in cases {
        let stage = stage("");
        stage.judge_event(prompt("Start"));
        stage.judge_event(done(path));
        let is_sign = !evidence(&stop(&stage)).is_empty();
        assert_eq!(is_sign, expected, "{path}");
    }
}

#[test]
fn a_denial_and_a_failure_after_rules_are_signs() {
    let stage = stage(
        "[memory.context]\nmode = \"enforce\"\n# [rules]\n[[rule]]\nid = \"no\"\nevents = [\"before_tool\"]\n\
         tool = [\"shell\"]\naction = \"deny\"\nmessage = \"not now\"\n",
    );
    stage.judge_event(crate::testing::shell("ls"));
    assert_eq!(evidence(&stop(&stage)), ["signs: a denial"]);
    stage.judge_event(crate::testing::shell("ls"));
    assert_eq!(evidence(&stop(&stage)), [""; 0]);
    stage.write("src/api/AGENTS.md", "## Pitfalls\n\n- Tokens in `auth.ts` expire\n");
    stage.judge_event(write(&stage.path("src/api/auth.ts"), "x"));
    stage.judge_event(failed_edit(&stage.path("src/api/auth.ts")));
    assert_eq!(evidence(&stop(&stage)), ["signs: a failure although rules were shown"]);
}

#[test]
fn without_a_model_the_user_gets_a_notice_about_pending_reports() {
    let stage = stage("");
    for _ in 0..2 {
        stage.judge_event(failed("npm ci", "bash: npm: command not found"));
    }
    let report = flyball_knowledge::report::Draft {
        kind: flyball_knowledge::report::Kind::Pitfall,
        origin: flyball_knowledge::report::Origin::Failure,
        title: "npm is not there".to_owned(),
        folder: ".".to_owned(),
        operation: "Bash".to_owned(),
        detail: "It is not there.".to_owned(),
        said: String::new(),
        command: "npm ci".to_owned(),
        file: String::new(),
        node: String::new(),
        told_before: Vec::new(),
        agent: String::new(),
        sameness: "npm".to_owned(),
    };
    flyball_knowledge::report::ledger::record(&stage.machine(), &report).unwrap();
    let judgement = stop(&stage);
    let id = reports(&stage)[0].trim_end_matches(".md").to_owned();
    assert_eq!(judgement.merged.stance, Stance::Silent);
    assert_eq!(
        judgement.merged.notices,
        [format!(
            "this session left a report, `{id}` (npm is not there) to review: run `flyball learn list`"
        )]
    );
    assert_eq!(stop(&stage).merged.notices, [""; 0]);
}

#[test]
fn a_project_that_did_not_ask_for_it_and_one_that_only_observes_are_left_alone() {
    let server = Server::new(Vec::new());
    let settings = format!("[memory.stop]\nmode = \"enforce\"\n{}", asking("openai", &server.url));
    let without = TestProject::new(&settings);
    say(&without, &["Fix it."]);
    without.judge_event(prompt("You forgot the tests."));
    assert_eq!(evidence(&stop(&without)), [""; 0]);
    assert!(!without.root().join(".intent-layer").exists());
    let observing = TestProject::new(&settings.replace("enforce", "observe"));
    observing.write(".intent-layer/readme", "");
    say(&observing, &["Fix it."]);
    observing.judge_event(prompt("You forgot the tests."));
    assert_eq!(evidence(&stop(&observing)), ["signs: a correction by a person"]);
    assert_eq!((server.requests().len(), reports(&observing).len()), (0, 0));
}

#[test]
fn the_page_shows_the_settings_as_they_are_without_it() {
    let page = super::POLICY.page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let page: toml::Table = page.parse().unwrap();
    let mut section = page["memory"]["stop"].as_table().unwrap().clone();
    section.remove("mode");
    let shown: Settings = section.try_into().unwrap();
    let usual = Settings::default();
    assert_eq!(shown.most, usual.most);
    let Model { enabled, providers, deadline, chars, .. } = &shown.model;
    let model = &usual.model;
    assert_eq!(
        (*enabled, providers, *deadline, *chars),
        (model.enabled, &model.providers, model.deadline, model.chars)
    );
    for provider in [Provider::Ollama, Provider::Gemini, Provider::Openai, Provider::Xai, Provider::Anthropic]
    {
        let (entry, shown) = (provider.entry(), shown.model.server(provider));
        assert_eq!(shown.models, entry.small_models, "{}", entry.name);
        assert_eq!(shown.url.as_deref(), Some(entry.home), "{}", entry.name);
        assert_eq!(usual.model.server(provider), &ServerSettings::default());
    }
}
