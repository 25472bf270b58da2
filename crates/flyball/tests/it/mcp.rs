//! `flyball mcp`, by the official client and by raw lines.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "test code"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::support::{ProcessResult, Project, run};
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams, ResourceContents};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

fn project() -> Project {
    let project = Project::new();
    project.file("AGENTS.md", "# Shop\n\n## Contracts\n\nPrices are in cents.\n\n## Other\n\nhidden\n");
    project.file(
        "src/db/CLAUDE.md",
        "# Database\n\n## Pitfalls\n\n### Migrations\n\nNever edit one that was released.\n",
    );
    project
}

/// Sends all lines at once, waits until every request is answered, closes, and returns what came back.
fn talk(project: &Project, arguments: &[&str], lines: &[String]) -> ProcessResult {
    let is_request = |line: &&String| serde_json::from_str::<Value>(line).is_ok_and(|it| it["id"].is_u64());
    let mut due = lines.iter().filter(is_request).count();
    let mut command = project.command(&[&["mcp"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{}\n", lines.join("\n")).as_bytes()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut stdout = String::new();
    while due > 0 {
        let from = stdout.len();
        if output.read_line(&mut stdout).unwrap() == 0 {
            break;
        }
        let is_answer = serde_json::from_str::<Value>(&stdout[from..]).is_ok_and(|it| it["id"].is_u64());
        due -= usize::from(is_answer);
    }
    drop(stdin);
    output.read_to_string(&mut stdout).unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    ProcessResult { status: output.status.code().unwrap_or(-1), stdout, stderr }
}

fn call(id: u32, tool: &str, arguments: &Value) -> String {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

/// The answers by their ids, which may come in any order.
#[track_caller]
fn answers(ran: &ProcessResult) -> BTreeMap<u64, Value> {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let all = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    all.filter_map(|answer| Some((answer["id"].as_u64()?, answer))).collect()
}

/// What the tools answered to calls without a client around them: the text, or the error.
#[track_caller]
fn tool_results(
    project: &Project,
    arguments: &[&str],
    calls: &[(&str, Value)],
) -> Vec<Result<String, String>> {
    let mut lines = vec![HELLO.to_owned()];
    let ids = 1..=u32::try_from(calls.len()).unwrap();
    lines.extend(ids.clone().zip(calls).map(|(id, (tool, arguments))| call(id, tool, arguments)));
    let answers = answers(&talk(project, arguments, &lines));
    let of = |id: u32| {
        let result = &answers[&u64::from(id)]["result"];
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        if result["isError"] == json!(true) { Err(text) } else { Ok(text) }
    };
    ids.map(of).collect()
}

fn refusal(project: &Project, path: &str) -> String {
    format!(
        "`{path}` cannot be read: this server may read only what is in {}. A person can allow more with `flyball mcp \
         --project PATH`",
        project.root().display()
    )
}

const RULES: &str = "\
Rules for `src/db/not/there.rs`, from `AGENTS.md`, `src/db/CLAUDE.md`:

From `AGENTS.md`:

## Shop > Contracts

Prices are in cents.

From `src/db/CLAUDE.md`:

## Database > Pitfalls

### Migrations

Never edit one that was released.
";

/// The real client, talking to a real process.
async fn client(project: &Project) -> RunningService<RoleClient, ()> {
    let command = tokio::process::Command::from(project.command(&["mcp"]));
    ().serve(TokioChildProcess::new(command).unwrap()).await.unwrap()
}

fn with_client<T>(work: impl AsyncFnOnce() -> T) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work())
}

#[test]
fn the_official_client_lists_and_calls_the_tools_and_reads_the_files() {
    let project = project();
    with_client(async || {
        let client = client(&project).await;
        let info = client.peer_info().unwrap();
        assert_eq!(info.server_info.as_ref().map(|it| it.name.as_str()), Some("flyball"));
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(
            names,
            ["read_context", "report_learning", "search_knowledge", "loop_status", "task_status"]
        );
        for tool in &tools {
            assert!(tool.input_schema.contains_key("properties"), "{}", tool.name);
            assert!(tool.description.as_ref().is_some_and(|about| about.len() > 80), "{}", tool.name);
        }
        let arguments = json!({ "path": "src/db/not/there.rs" }).as_object().unwrap().clone();
        let result = client
            .call_tool(CallToolRequestParams::new("read_context").with_arguments(arguments))
            .await
            .unwrap();
        let text = serde_json::to_value(&result.content).unwrap()[0]["text"].as_str().unwrap().to_owned();
        assert_eq!((text.as_str(), result.is_error), (RULES, Some(false)));
        let resources = client.list_all_resources().await.unwrap();
        let names: Vec<&str> = resources.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["AGENTS.md", "src/db/CLAUDE.md"]);
        let read = client.read_resource(ReadResourceRequestParams::new(&resources[0].uri)).await.unwrap();
        let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] else {
            panic!("{read:?}")
        };
        assert!(text.starts_with("# Shop\n"), "{text}");
        client.cancel().await.unwrap();
    });
}

#[test]
fn raw_lines_are_answered_and_broken_ones_change_nothing() {
    let project = project();
    let lines = [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "garbage",
        "",
        HELLO,
        "\u{1b}[31m{",
        "[1,2",
        r#"{"jsonrpc":"2.0","method":"notifications/unheard","params":7}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"unheard"}}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"unheard/of"}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"read_context","arguments":{"path":"src/db/not/there.rs"}}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#,
    ];
    let ran = talk(&project, &[], &lines.map(str::to_owned));
    let answers = answers(&ran);
    assert_eq!(answers.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5], "{}", ran.stdout);
    assert_eq!(answers[&0]["result"]["serverInfo"]["name"], "flyball");
    assert_eq!(answers[&1]["result"]["tools"].as_array().unwrap().len(), 5);
    assert_eq!(answers[&2]["error"], json!({ "code": -32602, "message": "unknown tool `unheard`" }));
    assert_eq!(answers[&3]["error"]["code"], json!(-32601));
    assert_eq!(answers[&4]["result"]["content"][0]["text"], RULES);
    assert_eq!(answers[&5]["result"], json!({}));
}

#[test]
fn it_ends_with_its_input_also_before_the_first_message() {
    let project = project();
    for input in ["", "\n", "garbage", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"] {
        let ran = run(project.command(&["mcp"]), input.as_bytes());
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "{input:?}");
    }
}

#[test]
fn nothing_outside_of_the_project_is_read() {
    let project = project();
    std::fs::create_dir_all(project.folder().join("secret")).unwrap();
    std::fs::write(project.folder().join("secret/AGENTS.md"), "## Pitfalls\n\nsecret\n").unwrap();
    std::os::unix::fs::symlink("../secret", project.root().join("out")).unwrap();
    std::fs::create_dir(project.root().join("in")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", project.root().join("in/AGENTS.md")).unwrap();
    let elsewhere = project.folder().join("secret/x.rs").display().to_string();
    let paths = ["../../etc/passwd", "/etc/passwd", "out/x.rs", &elsewhere, "src/../../secret/x", ".."];
    let calls: Vec<(&str, Value)> =
        paths.iter().map(|path| ("read_context", json!({ "path": path }))).collect();
    let expected: Vec<Result<String, String>> =
        paths.iter().map(|path| Err(refusal(&project, path))).collect();
    assert_eq!(tool_results(&project, &[], &calls), expected);
    let inside = tool_results(
        &project,
        &[],
        &[
            ("read_context", json!({ "path": "in/x.rs", "sections": ["contracts"] })),
            ("search_knowledge", json!({ "query": "secret root bash" })),
            ("read_context", json!({ "path": "a\u{0}b" })),
        ],
    );
    let rules = "Rules for `in/x.rs`, from `AGENTS.md`:\n\n## Contracts\n\nFrom `AGENTS.md`:\n\nPrices are in cents.\n";
    let nothing = "Nothing is known about \"secret root bash\".\n";
    assert_eq!(
        inside,
        [Ok(rules.to_owned()), Ok(nothing.to_owned()), Err("the path contains a NUL byte".to_owned())]
    );
}

#[test]
fn only_files_of_rules_are_resources() {
    let project = project();
    project.file("notes.md", "private").file("src/secret.txt", "private");
    std::os::unix::fs::symlink("secret.txt", project.root().join("src/AGENTS.md")).unwrap();
    let root = project.root().display().to_string();
    let read = |id: u32, uri: &str| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": uri } })
            .to_string()
    };
    let uris = [
        format!("file://{root}/notes.md"),
        format!("file://{root}/src/AGENTS.md"),
        format!("file://{root}/not/AGENTS.md"),
        "AGENTS.md".to_owned(),
        format!("file://{root}/%2e%2e/notes.md"),
    ];
    let mut lines = vec![HELLO.to_owned()];
    lines.extend((1..).zip(&uris).map(|(id, uri)| read(id, uri)));
    lines.push(read(9, &format!("file://{root}/src/db/CLAUDE.md")));
    let answers = answers(&talk(&project, &[], &lines));
    for (id, uri) in (1..).zip(&uris[..4]) {
        let message = format!("`{uri}` is not an AGENTS.md or CLAUDE.md that may be read here");
        assert_eq!(answers[&id]["error"], json!({ "code": -32002, "message": message }));
    }
    assert_eq!(answers[&5]["error"]["code"], json!(-32002));
    assert_eq!(answers[&9]["result"]["contents"][0]["mimeType"], "text/markdown");
}

#[test]
fn a_rule_file_that_is_a_link_is_read_under_both_names() {
    for target in ["CLAUDE.md", "docs/agents.md"] {
        let project = Project::new();
        project.file(target, "# Shop\n\n## Contracts\n\nPrices are in cents.\n");
        std::os::unix::fs::symlink(target, project.root().join("AGENTS.md")).unwrap();
        let read = |path: &str| ("read_context", json!({ "path": path }));
        let search = ("search_knowledge", json!({ "query": "prices" }));
        let found = tool_results(&project, &[], &[read("src/a.rs"), read("AGENTS.md"), read("."), search]);
        for text in &found {
            let text = text.as_ref().unwrap();
            assert!(
                text.contains("Prices are in cents.") && text.contains("AGENTS.md"),
                "{target}: {found:?}"
            );
        }
        let uri = format!("file://{}/AGENTS.md", project.root().display());
        let params = json!({ "uri": uri });
        let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params });
        let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/list" });
        let answers = answers(&talk(&project, &[], &[HELLO.to_owned(), ask.to_string(), list.to_string()]));
        let text = answers[&1]["result"]["contents"][0]["text"].as_str();
        // As a resource, only what is a rule file by both names.
        let is_rule_file = target == "CLAUDE.md";
        let is_read = text.is_some_and(|text| text.starts_with("# Shop\n"));
        assert_eq!(is_read, is_rule_file, "{target}: {answers:?}");
        assert_eq!(answers[&2]["result"]["resources"].as_array().unwrap().len(), 1, "{answers:?}");
    }
}

#[test]
fn other_projects_are_read_where_a_person_allows_it() {
    let (one, two) = (project(), Project::new());
    two.file("AGENTS.md", "## Patterns\n\nUse the pool.\n");
    let path = two.root().join("x.rs").display().to_string();
    let requests = [("read_context", json!({ "path": path }))];
    assert_eq!(tool_results(&one, &[], &requests), [Err(refusal(&one, &path))]);
    let rules = "Rules for `x.rs`, from `AGENTS.md`:\n\nFrom `AGENTS.md`:\n\n## Patterns\n\nUse the pool.\n";
    let root = two.root().display().to_string();
    assert_eq!(tool_results(&one, &["--project", &root], &requests), [Ok(rules.to_owned())]);
    let search = [("search_knowledge", json!({ "query": "pool" }))];
    let found = format!("1 match for \"pool\":\n\n1. {root}/AGENTS.md, Patterns\n   Use the pool.\n");
    assert_eq!(tool_results(&one, &["--project", &root], &search), [Ok(found)]);
    let list = format!("/not/there:relative:{root}");
    let one = one.with("INTENT_LAYER_ALLOWED_PROJECTS", &list);
    assert_eq!(tool_results(&one, &[], &requests), [Ok(rules.to_owned())]);
    let ran = one.run(&["mcp", "--project", "/not/there"]);
    let expected = "error: the project /not/there does not exist\n help: pass `--project` the root of an existing project\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}

#[test]
fn a_learning_is_written_only_where_reports_are_on() {
    let project = project();
    let learning = json!({
        "type": "pitfall",
        "title": "Never edit a released migration",
        "detail": "The checksum changes and no server starts. Write a new one.",
        "path": "src/db/orders.rs",
        "agent": "dev",
    });
    let calls = [("report_learning", learning)];
    let refused = format!(
        "nothing was written: {} keeps no reports. A person can switch that on with `flyball init --packs memory` in its \
         root. Tell the user what you learned instead",
        project.root().display()
    );
    assert_eq!(tool_results(&project, &[], &calls), [Err(refused)]);
    assert!(!project.root().join(".intent-layer").exists());
    std::fs::create_dir(project.root().join(".intent-layer")).unwrap();
    let first = tool_results(&project, &[], &calls).remove(0).unwrap();
    let pending = project.root().join(".intent-layer/mistakes/pending");
    let names: Vec<String> = std::fs::read_dir(&pending)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 1);
    let id = names[0].trim_end_matches(".md");
    assert_eq!(
        first,
        format!("Reported as {id}. It becomes a rule when a person accepts it: `flyball learn`.")
    );
    let text = std::fs::read_to_string(pending.join(&names[0])).unwrap();
    for part in ["The checksum changes and no server starts.", "src/db", "dev"] {
        assert!(text.contains(part), "{text}");
    }
    let again = format!(
        "This was reported before, as {id}; that it came up again was counted. A person has yet to decide."
    );
    assert_eq!(tool_results(&project, &[], &calls), [Ok(again)]);
    let found = tool_results(&project, &[], &[("search_knowledge", json!({ "query": "checksum" }))])
        .remove(0)
        .unwrap();
    let head = format!("1 match for \"checksum\":\n\n1. report {id} about src/db (waits for review): ");
    assert!(found.starts_with(&head), "{found}");
}

#[test]
fn wrong_arguments_are_clear_errors() {
    let learning = |field: &str, value: &str| {
        let mut all = json!({ "type": "check", "title": "t", "detail": "d", "path": "." });
        all[field] = json!(value);
        ("report_learning", all)
    };
    let calls = [
        ("read_context", json!({})),
        ("read_context", json!({ "path": "x", "sections": ["Nonsense"] })),
        ("read_context", json!({ "file": "x" })),
        ("search_knowledge", json!({ "query": " ?! " })),
        ("task_status", json!({ "extra": 1 })),
        learning("type", "idea"),
        learning("title", " "),
        learning("detail", &"x".repeat(4_001)),
        learning("path", "/etc"),
    ];
    let project = project();
    let expected = [
        "the arguments do not match the tool's schema: missing field `path`".to_owned(),
        "unknown section `Nonsense`; name a heading of the rule files, or one of Purpose, Entry Points, Contracts, Pitfalls, Checks, Patterns, \
         Boundaries, Design Rationale, Code Map, Public API, Downlinks, Context"
            .to_owned(),
        "the arguments do not match the tool's schema: unknown field `file`, expected `path` or `sections`".to_owned(),
        "`query` has no word to search for".to_owned(),
        "the arguments do not match the tool's schema: unknown field `extra`, there are no fields".to_owned(),
        "the arguments do not match the tool's schema: unknown variant `idea`, expected one of `pitfall`, `check`, `pattern`, \
         `insight`"
            .to_owned(),
        "`title` is empty".to_owned(),
        "`detail` has 4001 characters; 4000 are the most".to_owned(),
        refusal(&project, "/etc"),
    ];
    assert_eq!(tool_results(&project, &[], &calls), expected.map(Err));
}

#[test]
fn the_state_of_the_work_can_be_queried() {
    let project = project();
    let both = [("loop_status", json!({})), ("task_status", json!({}))];
    let none = [
        "No loop is open: no session has edited code that has to be reviewed and tested.",
        "No task is active: `.claude/TASK.md` names no plan.",
    ];
    assert_eq!(tool_results(&project, &[], &both), none.map(|text| Ok(text.to_owned())));
    let plan = ".claude/tasks/20261114-login_task/PLAN.md";
    project.file(".claude/TASK.md", &format!("{plan}\n"));
    let text = "---\nstatus: in progress\n---\n# Login\n\n## Phases\n\n### Phase 1: Design\n\n- [x] draw\n\n\
                ### Phase 2: Build\n\n- [ ] write the form\n- [ ] test it\n";
    project.file(plan, text);
    let task: Value = serde_json::from_str(&tool_results(&project, &[], &both)[1].clone().unwrap()).unwrap();
    assert_eq!(task[0]["plan"], plan);
    assert_eq!(task[0]["status"], "in progress");
    assert_eq!(task[0]["open"], json!(["write the form", "test it"]));
}

#[test]
fn a_large_project_is_searched_and_listed_in_pages() {
    let project = project();
    for number in 0..450 {
        let text = format!("## Pitfalls\n\n### Rule {number}\n\nThe widget{number} turns left.\n");
        project.file(&format!("parts/p{number:03}/AGENTS.md"), &text);
    }
    let lesson = |number: u32| {
        json!({ "ts": "2026-02-09T12:00:00Z", "t": "❌", "txt": format!("gadget{number} breaks the build"), "src": "dev" })
            .to_string()
    };
    let lessons: Vec<String> = (0..20_000).map(lesson).collect();
    project.file(".claude/tasks/20261114-login_task/KNOWLEDGE.jsonl", &lessons.join("\n"));
    let found = tool_results(
        &project,
        &[],
        &[
            ("search_knowledge", json!({ "query": "widget444" })),
            ("search_knowledge", json!({ "query": "gadget19999 build", "limit": 1 })),
            ("search_knowledge", json!({ "query": "unheard" })),
        ],
    );
    let rule = "1 match for \"widget444\":\n\n1. parts/p444/AGENTS.md, Pitfalls: Rule 444\n   The widget444 turns left.\n";
    let lesson = "1 of 20000 matches for \"gadget19999 build\", the best first:\n\n1. lesson of task 20261114-login \
                  (avoid)\n   gadget19999 breaks the build\n";
    assert_eq!(
        found,
        [Ok(rule.to_owned()), Ok(lesson.to_owned()), Ok("Nothing is known about \"unheard\".\n".to_owned())]
    );
    let list = |id: u32, params: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "resources/list", "params": params }).to_string()
    };
    let lines = [
        HELLO.to_owned(),
        list(1, json!({})),
        list(2, json!({ "cursor": "400" })),
        list(3, json!({ "cursor": "x" })),
    ];
    let answers = answers(&talk(&project, &[], &lines));
    let page = |id: u64| {
        (answers[&id]["result"]["resources"].as_array().unwrap().len(), &answers[&id]["result"]["nextCursor"])
    };
    assert_eq!(page(1), (200, &json!("200")));
    assert_eq!(page(2), (52, &Value::Null));
    assert_eq!(answers[&3]["error"]["message"], "`x` is not a valid cursor");
}
