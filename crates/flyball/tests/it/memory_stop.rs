//! memory.stop and memory.agents by real processes: what the client reads is one JSON object, whatever was written.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;

use crate::support::Project;
use serde_json::{Value, json};

/// A server that answers one request of chat completions with this text, and returns the request.
fn server(text: String) -> (String, JoinHandle<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(reader.read_line(&mut head).unwrap(), 0);
        }
        let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let answer =
            json!({ "choices": [{ "message": { "content": text }, "finish_reason": "stop" }] }).to_string();
        let length = answer.len();
        stream
            .write_all(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{answer}").as_bytes())
            .unwrap();
        (head, serde_json::from_slice(&body).unwrap())
    });
    (url, asked)
}

#[test]
fn defect_18_what_the_client_reads_is_the_block_and_nothing_else() {
    let learning = json!({
        "type": "pitfall", "title": "Use pnpm", "detail": "npm breaks the lock file.", "path": ".", "confidence": "low",
    });
    let (url, asked) = server(json!({ "should_capture": true, "learnings": [learning] }).to_string());
    let key = "sk-proj-0123456789abcdef";
    let project = Project::new().with("OPENAI_API_KEY", key);
    project.config(&format!(
        "[memory.stop]\nmode = \"enforce\"\n[memory.stop.model]\nenabled = true\nproviders = [\"openai\"]\n\
         [memory.stop.model.openai]\nurl = \"{url}\"\nmodels = [\"m\"]\nkey_variable = \"OPENAI_API_KEY\"\n"
    ));
    project.file(".intent-layer/readme", "");
    let message = json!({ "type": "user", "message": { "role": "user", "content": "No, use pnpm. TOKEN=hunter2hunter2" } });
    std::fs::write(project.home().join("transcript.jsonl"), format!("{message}\n")).unwrap();
    project.hook("UserPromptSubmit", json!({ "prompt": "That's wrong, use pnpm." })).assert_silent();
    let stop = json!({ "stop_hook_active": false, "last_assistant_message": "Done." });
    let blocked = project.hook("Stop", stop.clone());
    assert_eq!((blocked.status, blocked.stderr.as_str()), (0, ""), "{blocked:?}");
    let json = blocked.json();
    assert_eq!(json["decision"], "block", "{json}");
    assert!(json["reason"].as_str().unwrap().contains("recorded a report, `"), "{json}");
    let (head, body) = asked.join().unwrap();
    assert!(head.contains(&format!("authorization: Bearer {key}\r\n")), "{head}");
    let body = body.to_string();
    assert!(body.contains("user: No, use pnpm.") && !body.contains("hunter2hunter2"), "{body}");
    let reports = std::fs::read_dir(project.root().join(".intent-layer/mistakes/pending")).unwrap().count();
    assert_eq!(reports, 1);
    // The server is gone: a second request would be reported as an error.
    project
        .hook("Stop", json!({ "stop_hook_active": true, "last_assistant_message": "Told." }))
        .assert_silent();
    project.hook("Stop", stop).assert_silent();
    let log: String = project.log().iter().map(Value::to_string).collect();
    assert!(!log.contains(key), "{log}");
}

#[test]
fn a_subagent_gets_the_pitfall_of_the_folder_in_its_prompt() {
    let project = Project::new();
    project.config("[memory.agents]\nmode = \"enforce\"\n");
    project.file("src/api/AGENTS.md", "## Pitfalls\n\n- Tokens expire\n");
    project.file("src/api/auth.ts", "");
    let input =
        json!({ "description": "Fix", "prompt": "Fix `src/api/auth.ts`.", "subagent_type": "helper" });
    project.before("Agent", input).assert_silent();
    let started = project.hook("SubagentStart", json!({ "agent_id": "a1", "agent_type": "helper" }));
    assert_eq!((started.status, started.stderr.as_str()), (0, ""), "{started:?}");
    assert_eq!(
        started.json()["hookSpecificOutput"]["additionalContext"],
        "This project's rules for the files of your task (`src/api/auth.ts`):\n\n\
         ## Pitfalls, from `src/api/AGENTS.md`\n- Tokens expire"
    );
}
