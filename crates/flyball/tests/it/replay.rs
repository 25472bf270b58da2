//! `flyball replay`, by real processes over a real record and real transcripts.

#![allow(
    clippy::allow_attributes,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "all of it is test code"
)]

use std::collections::BTreeMap;
use std::path::Path;

use crate::support::{ProcessResult, Project, commit, git, long_transcript, run};
use serde_json::{Value, json};

/// Guards, rules of every action, and nothing that runs programs.
const A: &str = r#"
[guard.packages]
python = "uv"

[quality]
mode = "off"

[[rule]]
id = "no-sleep"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.contains('sleep')"
action = "deny"
message = "do not wait"

[[rule]]
id = "careful"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.contains('deploy')"
action = "ask"
message = "deploys are asked for"

[[rule]]
id = "quiet"
events = ["before_tool"]
tool = ["shell"]
when = "tool.command.startsWith('npm run')"
action = "rewrite"
rewrite = { append = " --silent" }

[[rule]]
id = "remember"
events = ["prompt_submit"]
action = "inject"
message = "the tests run with `make check`"
"#;

/// A scratch project that is a real repository.
fn project() -> Project {
    let project = Project::new().with("COLUMNS", "160").with("TZ", "UTC");
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    project.config(A).file("ruff.toml", "line-length = 80\n").file("src/app.py", "x = 1\n");
    commit(&project);
    project
}

/// A session with denials, asks, context, repeated denials and a subagent.
fn session(project: &Project) {
    project.hook("SessionStart", json!({ "source": "startup" }));
    project.hook("UserPromptSubmit", json!({ "prompt": "Make it faster." }));
    project.shell("ls -la").assert_silent();
    project.shell("sleep 60").assert_denied_by("rules");
    project.shell("npm run build");
    project.shell("pip install requests").assert_denied_by("guard.packages");
    assert_eq!(project.shell("make deploy").decision().as_deref(), Some("ask"));
    let ruff = project.root().join("ruff.toml");
    let edit = json!({ "file_path": ruff, "old_string": "80", "new_string": "400" });
    project.before("Edit", edit).assert_denied_by("guard.protected");
    project.shell("cat > ruff.toml").assert_denied_by("guard.protected");
    project.shell("sed -i s/80/400/ ruff.toml").assert_denied_by("guard.protected");
    project.hook(
        "PreToolUse",
        json!({
            "tool_name": "Bash", "tool_input": { "command": "python -m pip install x" }, "tool_use_id": crate::support::unique(),
            "agent_id": "a1", "agent_type": "helper",
        }),
    );
    project.hook("PostToolUse", json!({
        "tool_name": "Bash", "tool_input": { "command": "ls -la" }, "tool_response": { "stdout": "", "interrupted": false },
        "tool_use_id": crate::support::unique(),
    }));
    project.hook("Stop", json!({ "stop_hook_active": false }));
}

fn replay(project: &Project, arguments: &[&str]) -> ProcessResult {
    project.run(&[&["replay"], arguments].concat())
}

/// The events and the summary of a replay.
#[track_caller]
fn seen(ran: &ProcessResult) -> (Vec<Value>, Value) {
    assert_eq!(ran.stderr, "", "{}", ran.stdout);
    let mut lines: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = lines.pop().unwrap();
    assert_eq!(summary["type"], "summary");
    (lines, summary)
}

/// Each difference as `subject: what [policies]`.
fn differences(events: &[Value]) -> Vec<String> {
    let one = |event: &Value| {
        let changes = event["changes"].as_array().unwrap().iter();
        let changes: Vec<String> = changes
            .map(|change| {
                let policies = change["policies"].as_array().unwrap().iter();
                let policies: Vec<&str> = policies.map(|policy| policy.as_str().unwrap()).collect();
                format!("{} [{}]", change["what"].as_str().unwrap(), policies.join(" "))
            })
            .collect();
        format!("{}: {}", event["subject"].as_str().unwrap(), changes.join(", "))
    };
    events.iter().map(one).collect()
}

#[test]
fn the_same_config_answers_a_session_as_it_did() {
    let project = project();
    session(&project);
    let ran = replay(&project, &["--all", "--json"]);
    let (events, summary) = seen(&ran);
    assert_eq!(differences(&events), Vec::<String>::new());
    assert_eq!((ran.status, summary["events"].as_u64(), summary["calls"].as_u64()), (0, Some(13), Some(9)));
    assert_eq!(summary["answers"], json!({ "silent": 6, "ask": 1, "deny": 6 }));
    assert_eq!(summary["unjudged"], json!([]));
    let shown = replay(&project, &["--session", "0000"]);
    assert!(shown.stdout.contains("No decision would differ."), "{}", shown.stdout);
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
}

#[test]
fn another_config_shows_exactly_what_it_would_change() {
    let project = project();
    session(&project);
    let other = A
        .replace("do not wait", "wait")
        .replace("contains('deploy')", "contains('ls')")
        .replace("[guard.packages]", "[guard.protected]\nmode = \"off\"\n\n[guard.packages]");
    let other = other.replace("make check", "make all checks").replace("npm run", "npm test");
    std::fs::write(project.home().join("b.toml"), other).unwrap();
    let file = project.home().join("b.toml");
    let ran = replay(&project, &["--all", "--config", file.to_str().unwrap(), "--json"]);
    let (events, summary) = seen(&ran);
    let ruff = project.root().join("ruff.toml");
    let expected = [
        "Make it faster.: would tell the model something else [rules]".to_owned(),
        "ls -la: would be asked, passed then [rules]".to_owned(),
        "npm run build: was rewritten, would not be [(then)]".to_owned(),
        "make deploy: would pass, asked then [rules]".to_owned(),
        format!("{}: would pass, denied then [guard.protected]", ruff.display()),
        "cat > ruff.toml: would pass, denied then [guard.denials guard.protected]".to_owned(),
        "sed -i s/80/400/ ruff.toml: would pass, denied then [guard.denials guard.protected]".to_owned(),
    ];
    assert_eq!(differences(&events), expected);
    assert_eq!((ran.status, summary["differing"].as_u64()), (1, Some(7)));
    let only = replay(
        &project,
        &["--all", "--config", file.to_str().unwrap(), "--policy", "guard.denials", "--json"],
    );
    assert_eq!(seen(&only).0.len(), 2);
    // A switch without a file.
    let off = replay(&project, &["--all", "--mode", "guard.packages=off", "--tool", "shell", "--json"]);
    let expected = [
        "pip install requests: would pass, denied then [guard.packages]",
        "python -m pip install x: would pass, denied then [guard.denials guard.packages]",
    ];
    assert_eq!(differences(&seen(&off).0), expected);
}

#[test]
fn events_without_a_payload_are_counted_as_unjudged() {
    let project = project();
    std::fs::create_dir_all(project.home().join(".config/flyball")).unwrap();
    project.config(&format!("[store]\npayloads = \"none\"\n{A}"));
    project.shell("sleep 60");
    let ran = replay(&project, &["--all", "--json"]);
    let (events, summary) = seen(&ran);
    assert_eq!((ran.status, events.len(), summary["events"].as_u64()), (4, 0, Some(0)));
    assert_eq!(summary["unjudged"][0]["events"], 1);
}

#[test]
fn mistakes_are_reported_before_anything_is_judged() {
    let project = project();
    std::fs::write(project.home().join("bad.toml"), "[guard.packages]\npyton = \"uv\"\n").unwrap();
    let bad = project.home().join("bad.toml");
    let ran = replay(&project, &["--all", "--config", bad.to_str().unwrap()]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("pyton") && ran.stderr.contains("bad.toml:2:1"), "{}", ran.stderr);
    let cases: [(&[&str], &str); 4] = [
        (
            &["--all", "--mode", "guard.gamin=enforce"],
            "error: no policy is called `guard.gamin`\n help: did you mean `guard.gaming`? `flyball policies` lists them all\n",
        ),
        (
            &["--all", "--mode", "guard.gaming=loud"],
            "error: invalid mode `loud`\n help: the modes are `enforce`, `observe` and `off`\n",
        ),
        (
            &["--session", "nobody"],
            "error: no session begins with `nobody`\n help: `flyball status --all` lists the sessions\n",
        ),
        (
            &["--all", "--config", "none.toml"],
            "error: no such file: `none.toml`\n help: `--config` takes a file like flyball.toml\n",
        ),
    ];
    for (arguments, expected) in cases {
        let ran = replay(&project, arguments);
        assert_eq!(
            (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
            (2, "", expected),
            "{arguments:?}"
        );
    }
    assert_eq!(replay(&project, &[]).status, 2);
}

/// The recorded transcript of a session in which four ways to a protected file were denied.
fn transcript(project: &Project) -> String {
    let text = include_str!("../../../flyball-clients/fixtures/claude-code/transcript-denied.jsonl");
    text.replace("/home/dev/project", &project.root().to_string_lossy())
}

#[test]
fn a_transcript_shows_what_ran_and_what_was_denied() {
    let project = project();
    project.file(
        "fix.patch",
        "--- a/ruff.toml\n+++ b/ruff.toml\n@@ -1 +1 @@\n-line-length = 80\n+line-length = 400\n",
    );
    let file = project.home().join("session.jsonl");
    std::fs::write(&file, transcript(&project)).unwrap();
    project.config(&A.replace("action = \"inject\"", "action = \"inject\"\nmode = \"observe\""));
    let path = file.to_str().unwrap();
    let ran = replay(&project, &[path, "--json"]);
    let (events, summary) = seen(&ran);
    assert_eq!(differences(&events), Vec::<String>::new());
    assert_eq!((ran.status, summary["calls"].as_u64()), (0, Some(5)));
    let off = replay(&project, &[path, "--mode", "guard.protected=off", "--json"]);
    let (events, _) = seen(&off);
    assert_eq!((off.status, events.len()), (1, 4));
    assert!(events.iter().all(|event| event["was"] == "denied" && event["would"] == "silent"));
    // The same from standard input, and from a folder of the client's own.
    let piped = run(project.command(&["replay", "-", "--json"]), transcript(&project).as_bytes());
    assert_eq!((piped.status, seen(&piped).1["calls"].as_u64()), (0, Some(5)));
    let folder = project.home().join(".claude/projects/-p");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::rename(&file, folder.join("00000000-0000-4000-8000-000000000001.jsonl")).unwrap();
    let all = replay(&project, &["--all", "--json"]);
    assert_eq!(seen(&all).1["calls"], 5);
}

#[test]
fn a_hostile_transcript_costs_nothing_but_its_lines() {
    let project = project();
    project.file(
        "fix.patch",
        "--- a/ruff.toml\n+++ b/ruff.toml\n@@ -1 +1 @@\n-line-length = 80\n+line-length = 400\n",
    );
    let file = project.home().join("hostile.jsonl");
    let mut text = transcript(&project).into_bytes();
    text.extend(b"\0\xff\xfe binary\n[1,2]\n{\"type\":\"user\",\"message\":7,\"cwd\":[]}\n");
    let deep = format!("{{\"type\":\"assistant\",\"message\":{}\n", "[".repeat(200_000));
    text.extend(deep.as_bytes());
    text.extend(b"{\"type\":\"assistant\",\"timestamp\":\"9999-99-99T99:99:99Z\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"name\":9}]}}\n");
    text.extend(b"{\"type\":\"user\",\"message\":{\"content\":\"torn");
    std::fs::write(&file, text).unwrap();
    let ran = replay(&project, &[file.to_str().unwrap(), "--tool", "shell", "--json"]);
    let (_, summary) = seen(&ran);
    assert_eq!(
        (ran.status, summary["calls"].as_u64(), summary["unreadable_lines"].as_u64()),
        (0, Some(3), Some(4))
    );
    let gone = replay(&project, &["/nowhere.jsonl"]);
    assert_eq!((gone.status, gone.stdout.as_str()), (2, ""));
}

/// All files below a folder, with what is in them.
fn contents(folder: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            contents(&path, all);
        } else {
            all.insert(path.to_string_lossy().into_owned(), std::fs::read(&path).unwrap());
        }
    }
}

#[test]
fn nothing_is_run_and_nothing_is_written() {
    let project = project();
    session(&project);
    let file = project.home().join("session.jsonl");
    std::fs::write(&file, transcript(&project)).unwrap();
    let programs = project.folder().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let marks = project.folder().join("marks");
    std::fs::create_dir(&marks).unwrap();
    for name in ["ruff", "mypy", "pytest", "claude", "notify-send", "paplay", "node", "sh", "bash", "make"] {
        let path = programs.join(name);
        std::fs::write(&path, format!("#!/bin/sh\necho > {}/{name}\n", marks.display())).unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    // What every command does that reads the store: takes in what the hooks wrote.
    project.run(&["log"]);
    let look = || {
        let mut all = BTreeMap::new();
        contents(&project.home(), &mut all);
        contents(&project.root(), &mut all);
        // Where SQLite's connections meet; no data.
        all.retain(|path, _| !path.ends_with("-shm"));
        all
    };
    let before = look();
    let everything =
        "[quality]\nmode = \"enforce\"\n[loop.feedback]\nmode = \"enforce\"\n[notify]\nmode = \"enforce\"\n";
    let config = project.folder().join("c.toml");
    std::fs::write(&config, everything).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut command = project.command(&[
        "replay",
        "--all",
        file.to_str().unwrap(),
        "--json",
        "--config",
        config.to_str().unwrap(),
    ]);
    command.env("PATH", path);
    let ran = run(command, b"");
    let (_, summary) = seen(&ran);
    assert_eq!(summary["sessions"], 2, "{summary}");
    assert!(summary["not_asked"]["quality"].as_u64().unwrap() > 0, "{summary}");
    assert_eq!(look().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    assert!(look() == before, "a file changed");
    assert_eq!(std::fs::read_dir(&marks).unwrap().count(), 0);
}

#[test]
fn git_is_asked_the_same_only_once() {
    let project = project();
    let programs = project.folder().join("programs");
    std::fs::create_dir(&programs).unwrap();
    let asked = project.folder().join("asked");
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("git"))
        .find(|git| git.is_file())
        .unwrap();
    let script = format!("#!/bin/sh\necho \"$*\" >> {}\nexec {} \"$@\"\n", asked.display(), real.display());
    std::fs::write(programs.join("git"), script).unwrap();
    std::fs::set_permissions(programs.join("git"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let file = project.home().join("long.jsonl");
    std::fs::write(&file, long_transcript(&project, 400)).unwrap();
    let mut command = project.command(&["replay", file.to_str().unwrap(), "--json"]);
    command.env("PATH", format!("{}:{}", programs.display(), std::env::var("PATH").unwrap()));
    let (_, summary) = seen(&run(command, b""));
    assert_eq!(summary["calls"], 400);
    let asked = std::fs::read_to_string(&asked).unwrap_or_default();
    let mut questions: Vec<&str> = asked.lines().collect();
    let all = questions.len();
    questions.sort_unstable();
    questions.dedup();
    assert_eq!(questions.len(), all, "{asked}");
}

#[test]
fn what_comes_again_and_again_is_shown_first() {
    let project = project();
    let file = project.home().join("long.jsonl");
    std::fs::write(&file, long_transcript(&project, 100)).unwrap();
    let ran = replay(&project, &[file.to_str().unwrap(), "-n", "2", "--policy", "guard.packages"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let at = |text: &str| {
        lines.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {}", ran.stdout))
    };
    assert!(at("would be denied, ran then") < at("Repeated"));
    assert!(lines[at("Repeated") + 2].ends_with("guard.packages  pip install requests"), "{}", ran.stdout);
    assert!(lines.last().unwrap().contains("more: `--full` or `-n` shows them"), "{}", ran.stdout);
}
