//! `flyball manifest`, and the policies that follow a workflow, by real processes over a real record.

#![allow(clippy::allow_attributes, clippy::unwrap_used, reason = "test code")]

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

use crate::support::masks::masked;
use crate::support::{ProcessResult, Project};
use flyball_core::path::AbsolutePath;
use flyball_core::world::Files;
use flyball_world::machine::Machine;
use serde_json::{Value, json};

const MANIFEST: &str = ".claude/.output/features/login/MANIFEST.yaml";
const LOGIN: &str = r#"feature_name: Login
description: Log in with a password
status: in-progress
current_phase: implementation
phases:
  design: { status: complete }
  implementation: { status: in_progress }
  review: { status: pending }
agents_contributed:
  - { agent: architect, artifact: design.md, timestamp: "2026-11-14T11:00:00Z", status: complete }
artifacts:
  - { path: design.md, type: design, agent: architect }
  - { path: docs/gone.md, type: notes, agent: tester }
verification: { build: passed, tests: failed, review: }
"#;
const ON: &str =
    "[quality]\nmode = \"off\"\n[loop.workflow]\nmode = \"enforce\"\n[loop.compaction]\nmode = \"enforce\"\n";

fn project() -> Project {
    let project = Project::new().with("COLUMNS", "400");
    project.config(ON);
    project
}

fn expand(project: &Project, command: &str) -> ProcessResult {
    let fields = json!({
        "expansion_type": "slash_command",
        "command_name": command,
        "command_args": "",
        "prompt": format!("/{command}"),
    });
    project.hook("UserPromptExpansion", fields)
}

/// The agent writes a file.
fn write(project: &Project, name: &str, fields: Value) -> ProcessResult {
    let path = project.root().join(name);
    let content = std::fs::read_to_string(&path).unwrap_or_default();
    let mut all = json!({
        "tool_name": "Write",
        "tool_input": { "file_path": path, "content": content },
        "tool_response": { "type": "create", "filePath": path, "content": content },
        "tool_use_id": crate::support::unique(),
    });
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    project.hook("PostToolUse", all)
}

fn architect(project: &Project) {
    let who = json!({ "agent_id": "a1", "agent_type": "architect" });
    project.hook("SubagentStart", who.clone()).assert_silent();
    project.file("docs/design.md", "# Design\n");
    write(project, "docs/design.md", who).assert_silent();
    let stop = json!({
        "agent_id": "a1",
        "agent_type": "architect",
        "stop_hook_active": false,
        "last_assistant_message": "## The design is done\nwith more",
        "agent_transcript_path": project.home().join("a1.jsonl"),
    });
    project.hook("SubagentStop", stop).assert_silent();
}

fn workflow(project: &Project) {
    expand(project, "feature").assert_silent();
    project.file(MANIFEST, LOGIN).file(".claude/.output/features/login/design.md", "x");
    write(project, MANIFEST, json!({})).assert_silent();
}

#[test]
fn the_manifest_of_the_latest_session_is_shown_with_its_trail() {
    let project = project();
    workflow(&project);
    architect(&project);
    let ran = project.run(&["manifest", "show"]);
    let expected = "\
Login  in-progress  .claude/.output/features/login/MANIFEST.yaml
Log in with a password

Phases
     design          complete
  >  implementation  in_progress
     review          pending

Agents
  architect  complete  design.md  2026-11-14T11:00:00Z

Artifacts
  design.md     design  architect
  docs/gone.md  notes   tester     missing

Verification
  build   passed
  tests   failed
  review  not yet

Session 00000000 (claude-code)
  architect  hh:mm:ss  N unit  The design is done
  architect  hh:mm:ss       wrote docs/design.md
";
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(masked(&ran.stdout, &project), expected);
}

#[test]
fn json_has_all_of_it() {
    let project = project();
    workflow(&project);
    architect(&project);
    let json = project.run(&["manifest", "show", "--json"]).json();
    let run = &json["trail"]["agents"][0];
    let (started, ended, at) = (&run["started"], &run["ended"], &json["trail"]["artifacts"][0]["at"]);
    assert!(started.as_u64() <= at.as_u64() && at.as_u64() <= ended.as_u64(), "{json}");
    let expected = json!({
        "path": project.root().join(MANIFEST),
        "manifest": {
            "feature_name": "Login",
            "feature_slug": "",
            "description": "Log in with a password",
            "status": "in-progress",
            "current_phase": "implementation",
            "phases": [
                { "name": "design", "status": "complete" },
                { "name": "implementation", "status": "in_progress" },
                { "name": "review", "status": "pending" },
            ],
            "agents_contributed": [{
                "agent": "architect",
                "artifact": "design.md",
                "timestamp": "2026-11-14T11:00:00Z",
                "status": "complete",
            }],
            "artifacts": [
                { "path": "design.md", "type": "design", "agent": "architect", "exists": true },
                { "path": "docs/gone.md", "type": "notes", "agent": "tester", "exists": false },
            ],
            "verification": [
                { "what": "build", "result": "passed" },
                { "what": "tests", "result": "failed" },
                { "what": "review", "result": "" },
            ],
        },
        "session": { "id": "00000000-0000-4000-8000-000000000001", "client": "claude-code" },
        "trail": {
            "agents": [{
                "id": "a1",
                "role": "architect",
                "started": started,
                "ended": ended,
                "result": "The design is done",
                "background": false,
            }],
            "artifacts": [{ "path": "docs/design.md", "by": "architect", "at": at }],
            "dropped": 0,
        },
    });
    assert_eq!(json, expected);
}

#[test]
fn without_a_session_the_manifest_that_changed_last_is_found() {
    let project = project();
    project.file("node_modules/x/MANIFEST.yaml", "feature_name: not ours\n");
    project.file("old/MANIFEST.yaml", "feature_name: Old\n");
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    let old = std::fs::File::options().write(true).open(project.root().join("old/MANIFEST.yaml")).unwrap();
    old.set_modified(before).unwrap();
    project.file(".worktrees/new/MANIFEST.yaml", "feature_slug: \"new\\e[2J\"\ncurrent_phase: 2\n");
    let ran = project.run(&["manifest", "show"]);
    let expected = "\
new\u{fffd}[2J  .worktrees/new/MANIFEST.yaml

Phases
  >  2

Changed earlier: old/MANIFEST.yaml
";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
    let by_folder = project.run(&["manifest", "show", "old"]);
    assert_eq!((by_folder.status, by_folder.stdout.as_str()), (0, "Old  old/MANIFEST.yaml\n"));
}

#[test]
fn what_cannot_be_shown_is_an_error_with_its_place() {
    let project = project();
    let failed = |arguments: &[&str], expected: &str| {
        let ran = project.run(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert_eq!(crate::support::mask_folder(&ran.stderr, &project.folder()), expected, "{arguments:?}");
    };
    failed(
        &["manifest", "show"],
        "error: no manifest was found in this project or its sessions\n help: `flyball manifest show PATH` shows one, and \
         `flyball policies loop.workflow` says which files are manifests\n",
    );
    failed(
        &["manifest", "show", "nowhere.yaml"],
        "error: there is no manifest at `FOLDER/project/nowhere.yaml`\n help: `flyball manifest show` finds those of \
         this project\n",
    );
    project.file("MANIFEST.yaml", "feature_name: x\nphases: [a\n");
    failed(
        &["manifest", "show"],
        "error: FOLDER/project/MANIFEST.yaml:2:9: unclosed bracket '['\n help: a manifest is YAML with keys such as \
         `feature_name`, `current_phase` and `status`\n",
    );
    project.file("MANIFEST.yaml", "- a\n");
    failed(
        &["manifest", "use", "MANIFEST.yaml"],
        "error: `FOLDER/project/MANIFEST.yaml`: it has no `key: value` lines\n help: a manifest is YAML with keys \
         such as `feature_name`, `current_phase` and `status`\n",
    );
    project.file("MANIFEST.yaml", "feature_name: x\n");
    failed(
        &["manifest", "use", "MANIFEST.yaml"],
        "error: no session of this project is running\n help: a session begins with its first event; name a recorded one with `--session ID`\n",
    );
    failed(
        &["manifest", "use", "MANIFEST.yaml", "--session", "zzz"],
        "error: no session begins with `zzz`\n help: `flyball status --all` lists the sessions\n",
    );
}

#[test]
fn a_manifest_is_chosen_for_one_session_only() {
    let project = project();
    project.file("plans/MANIFEST.yaml", "feature_name: Plan\ncurrent_phase: 1\n");
    for session in ["aaaa-1", "bbbb-1"] {
        project.hook("SessionStart", json!({ "session_id": session, "source": "startup" })).assert_silent();
    }
    let ran = project.run(&["manifest", "use", "plans/MANIFEST.yaml", "--session", "aaaa"]);
    let expected = "plans/MANIFEST.yaml is now the manifest of session aaaa-1 (claude-code): phase 1\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
    let compact = |session: &str| {
        let fields = json!({ "session_id": session, "trigger": "auto", "custom_instructions": null });
        project.hook("PreCompact", fields).stdout
    };
    let context = "The workflow `Plan` is not finished: feature `Plan`, current phase `1`, status unknown. Its state is \
                kept in the manifest `plans/MANIFEST.yaml`.";
    assert_eq!(compact("aaaa-1").trim(), context);
    assert_eq!(compact("bbbb-1"), "");
    let ran = project.run(&["manifest", "show", "--session", "bbbb"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let ran = project.run(&["manifest", "show"]);
    let expected = "\
Plan  plans/MANIFEST.yaml

Phases
  >  1

Session aaaa-1 (claude-code)
  no subagent took part yet
";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
}

#[test]
fn if_no_policy_follows_the_manifest_a_warning_is_shown() {
    let project = project();
    project.config("").file("MANIFEST.yaml", "feature_name: x\n");
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    let ran = project.run(&["manifest", "use", "."]);
    let expected = "\
MANIFEST.yaml is now the manifest of session 00000000 (claude-code): it is in no phase yet
this has no effect, because loop.workflow is off here. To switch it on: `[loop.workflow] mode = \"enforce\"` in flyball.toml
";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, expected, ""));
}

#[test]
fn events_and_choices_at_the_same_time_lose_nothing() {
    let project = project();
    project.file("MANIFEST.yaml", "feature_name: x\ncurrent_phase: 1\n");
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    std::thread::scope(|scope| {
        for number in 0..6 {
            let project = &project;
            scope.spawn(move || {
                let who = json!({ "agent_id": format!("a{number}"), "agent_type": "developer" });
                project.hook("SubagentStart", who).assert_silent();
            });
        }
        scope.spawn(|| assert_eq!(project.run(&["manifest", "use", "."]).status, 0));
    });
    let json = project.run(&["manifest", "show", "--json"]).json();
    assert_eq!(json["path"], json!(project.root().join("MANIFEST.yaml")));
    assert_eq!(json["trail"]["agents"].as_array().unwrap().len(), 6);
}

/// A transcript whose last answer had this many tokens in its context.
fn transcript(project: &Project, tokens: u64) {
    let answer = json!({
        "type": "assistant",
        "isSidechain": false,
        "message": { "model": "claude-opus-4-8", "usage": { "input_tokens": 1, "cache_read_input_tokens": tokens - 1 } },
    });
    let text = format!("{}\n{answer}\n{{\"type\":\"assist", json!({ "type": "user" }));
    std::fs::write(project.home().join("transcript.jsonl"), text).unwrap();
}

#[test]
fn a_full_context_starts_no_subagent_of_a_workflow_until_it_is_compacted() {
    let project = project();
    let spawn = || project.before("Agent", json!({ "subagent_type": "developer", "prompt": "build it" }));
    transcript(&project, 171_000);
    spawn().assert_silent();
    workflow(&project);
    let denied = spawn();
    denied.assert_denied_by("loop.compaction");
    assert_eq!(
        denied.reason(),
        "Record the state of phase `implementation` in `.claude/.output/features/login/MANIFEST.yaml`, ask the user for \
         `/compact`, and end your turn: the context is 85 % full (171000 of 2000… [flyball loop.compaction]"
    );
    transcript(&project, 20_000);
    spawn().assert_silent();
    // No transcript, no number: nobody is stopped.
    std::fs::remove_file(project.home().join("transcript.jsonl")).unwrap();
    spawn().assert_silent();
}

#[test]
fn a_file_that_leads_out_of_the_project_is_not_given_to_a_session() {
    let project = project();
    std::fs::write(project.home().join("secret.md"), "secret").unwrap();
    std::os::unix::fs::symlink(project.home().join("secret.md"), project.root().join("rules.md")).unwrap();
    project.config("[loop.session]\nmode = \"enforce\"\n[[loop.session.inject]]\nfile = \"rules.md\"\n");
    let ran = project.hook("SessionStart", json!({ "source": "startup" }));
    assert_eq!(ran.status, 0);
    ran.assert_notice("flyball: `rules.md` is a link out of the project, so it is not read");
    assert!(!ran.stdout.contains("secret"), "{ran:?}");
}

/// The size of the context according to a real file, and how many of its bytes were read for that.
fn measured(path: &Path) -> (Option<u64>, u64) {
    let machine = Machine::new(Instant::now(), None, path, Vec::new(), flyball_clients::FACTS);
    let mut read = 0;
    let size = flyball_clients::context_size("claude-code", &mut |most| {
        let tail = machine.tail(&AbsolutePath::from_path(path), most)?;
        read += tail.as_ref().map_or(0, |tail| tail.bytes.len() as u64);
        Ok(tail)
    });
    (size.unwrap().map(|size| size.tokens), read)
}

#[test]
fn a_transcript_of_200_mb_costs_no_more_than_one_of_2() {
    let folder = tempfile::tempdir().unwrap();
    let grown = |megabytes: u64, end: &str| {
        let path = folder.path().join(format!("{megabytes}.jsonl"));
        let mut file = std::fs::File::create(&path).unwrap();
        // What nobody reads takes no room on disk either.
        file.set_len(megabytes * 1024 * 1024).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        file.write_all(end.as_bytes()).unwrap();
        measured(&path)
    };
    let usage = json!({ "input_tokens": 7, "cache_read_input_tokens": 150_000 });
    let answer = json!({ "type": "assistant", "message": { "model": "claude-opus-4-8", "usage": usage } });
    let result = json!({ "type": "user", "text": "x".repeat(600 * 1024) });
    let near = format!("\n{answer}\n");
    let far = format!("\n{answer}\n{result}\n");
    for end in [near.as_str(), &far] {
        let (small, large) = (grown(2, end), grown(200, end));
        assert_eq!(small, large);
        assert_eq!(large.0, Some(150_007));
    }
    assert_eq!(grown(200, &near).1, 256 * 1024);
    // The search ends, even if it finds nothing.
    assert_eq!(grown(200, "\n"), (None, (256 + 1024 + 4096) * 1024));
}
