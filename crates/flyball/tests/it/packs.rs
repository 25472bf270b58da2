//! `flyball init --packs`: what it switches on, the agents and commands it writes, and that `uninstall`
//! takes all of it away again.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::{Project, run};
use serde_json::{Value, json};

/// The parts of the loop that `--packs loop` switches on.
const LOOP: [&str; 6] =
    ["loop.workflow", "loop.feedback", "loop.gate", "loop.completion", "loop.compaction", "loop.session"];

const COMPANIONS: [&str; 5] = [
    ".claude/agents/reviewer.md",
    ".claude/agents/test-lead.md",
    ".claude/agents/tester.md",
    ".claude/commands/flyball-status.md",
    ".claude/commands/sound.md",
];

/// A project on a machine that has these clients and nothing else.
fn machine(clients: &[(&str, &str)]) -> Project {
    let project = Project::new();
    let bin = project.folder().join("bin");
    fs::create_dir(&bin).unwrap();
    for (name, version) in clients {
        let path = bin.join(name);
        fs::write(&path, format!("#!/bin/sh\necho '{version}'\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    project.with("PATH", &bin.to_string_lossy())
}

const CLAUDE: (&str, &str) = ("claude", "2.1.325 (Claude Code)");
const CODEX: (&str, &str) = ("codex", "codex-cli 0.166.0");

#[track_caller]
fn succeeded(project: &Project, arguments: &[&str]) -> String {
    let ran = project.run(arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    ran.stdout.replace(&*project.folder().to_string_lossy(), "FOLDER")
}

/// The lines that show what happens to which file.
fn steps(text: &str) -> Vec<String> {
    let is_step = |line: &&str| ["+ ", "~ ", "- ", "= ", "! "].iter().any(|mark| line.starts_with(mark));
    let lines = text.lines().filter(is_step).filter(|line| !line.contains("is in a build folder"));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// Every file below a folder, with its bytes, and every folder.
fn everything(project: &Project) -> BTreeMap<String, String> {
    let top = project.folder();
    let mut found = BTreeMap::new();
    let mut waiting = vec![top.clone()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&top).unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                waiting.push(path);
                found.insert(name, "/".to_owned());
            } else {
                found.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
            }
        }
    }
    found.retain(|name, _| !name.starts_with("home/.local"));
    found
}

fn modes(project: &Project) -> Vec<(String, String)> {
    let text = fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    let config: toml::Table = text.parse().unwrap();
    let mut modes = Vec::new();
    for id in LOOP {
        let section = id.split('.').try_fold(&config, |table, name| table.get(name)?.as_table());
        let mode = section.and_then(|section| section.get("mode")).and_then(toml::Value::as_str);
        modes.push((id.to_owned(), mode.unwrap_or("not set").to_owned()));
    }
    modes
}

fn all(mode: &str) -> Vec<(String, String)> {
    LOOP.iter().map(|id| ((*id).to_owned(), mode.to_owned())).collect()
}

#[test]
fn a_pack_that_does_not_exist_is_an_error_that_lists_them() {
    let ran = machine(&[CLAUDE]).run(&["init", "--yes", "--packs", "guard,lop"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("invalid value 'lop'"), "{}", ran.stderr);
    assert!(ran.stderr.contains("[possible values: guard, quality, loop, memory, task]"), "{}", ran.stderr);
}

#[test]
fn the_loop_is_switched_on_in_a_new_config_with_its_agents_and_commands() {
    let project = machine(&[CLAUDE, CODEX]);
    project.file("Cargo.toml", "[package]\nname = \"x\"\n");
    let seen = succeeded(&project, &["init", "--yes", "--packs", "guard,quality,loop"]);
    assert_eq!(
        steps(&seen),
        [
            "+ flyball.toml 6 settings of yours, the others with their defaults, rules to try",
            "+ .claude/settings.json 29 events of Claude Code 2.1.325",
            "+ .codex/hooks.json 12 events of Codex 0.166.0",
            "+ .claude/agents/reviewer.md an agent for review",
            "+ .claude/agents/test-lead.md an agent for test planning",
            "+ .claude/agents/tester.md an agent for testing",
            "+ .claude/commands/flyball-status.md the command /flyball-status",
            "+ .claude/commands/sound.md the command /sound",
            "! Codex does not support agents and commands: none written",
        ]
    );
    assert_eq!(modes(&project), all("enforce"));
    let config = fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    assert!(config.contains("run = \"cargo test\""), "{config}");
    assert_eq!(project.run(&["config", "check"]).status, 0);
    for name in COMPANIONS {
        let text = fs::read_to_string(project.root().join(name)).unwrap();
        assert!(text.starts_with("---\n# generated by flyball "), "{name}: {text}");
    }
}

#[test]
fn without_the_pack_nothing_of_it_is_written() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &["init", "--yes"]);
    assert_eq!(modes(&project), all("not set"));
    assert!(COMPANIONS.iter().all(|name| !project.root().join(name).exists()));
}

#[test]
fn an_existing_config_keeps_all_it_says() {
    let project = machine(&[CLAUDE]);
    let mine = "# mine\n[loop.gate]\nmode = \"off\" # never\n\n[loop.feedback]\nmax_iterations = 9\n";
    project.config(mine);
    let seen = succeeded(&project, &["init", "--yes", "--packs", "loop"]);
    assert!(seen.contains("\n  loop.gate stays as flyball.toml has it: mode = \"off\"\n"), "{seen}");
    let text = fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    assert!(text.starts_with("# mine\n[loop.gate]\nmode = \"off\" # never\n"), "{text}");
    assert!(text.contains("[loop.feedback]\nmax_iterations = 9\nmode = \"enforce\"\n"), "{text}");
    let expected: Vec<(String, String)> = all("enforce")
        .into_iter()
        .map(|(id, mode)| if id == "loop.gate" { (id, "off".to_owned()) } else { (id, mode) })
        .collect();
    assert_eq!(modes(&project), expected);
    let before = everything(&project);
    let seen = succeeded(&project, &["init", "--yes", "--packs", "loop"]);
    assert!(seen.ends_with("✓ already set up: nothing was changed\n"), "{seen}");
    assert_eq!(everything(&project), before);
}

#[test]
fn a_dry_run_shows_the_agents_and_writes_none() {
    let project = machine(&[CLAUDE]);
    let before = everything(&project);
    let seen = succeeded(&project, &["init", "--dry-run", "--packs", "loop"]);
    assert!(seen.contains("\n--- /dev/null\n+++ .claude/agents/reviewer.md\n"), "{seen}");
    assert!(seen.contains("\n+REVIEW_APPROVED\n"), "{seen}");
    assert_eq!(everything(&project), before);
}

#[test]
fn uninstall_restores_every_byte_with_the_agents_too() {
    for scope in ["", "--local", "--user"] {
        for before in [None, Some(".claude/agents/mine.md"), Some(".claude/commands/reviewer.md")] {
            let project = machine(&[CLAUDE]);
            if let Some(name) = before {
                project.file(name, "---\nname: mine\n---\n");
            }
            let with = |arguments: &[&'static str]| -> Vec<&'static str> {
                arguments.iter().copied().chain([scope]).filter(|argument| !argument.is_empty()).collect()
            };
            let before = everything(&project);
            succeeded(&project, &with(&["init", "--yes", "--packs", "loop"]));
            let folder = if scope == "--user" { project.home() } else { project.root() };
            assert!(COMPANIONS.iter().all(|name| folder.join(name).is_file()), "{scope}");
            succeeded(&project, &with(&["init", "--yes"]));
            succeeded(&project, &with(&["uninstall", "--yes"]));
            assert_eq!(everything(&project), before, "{scope}");
        }
    }
}

#[test]
fn files_of_others_and_edited_ones_are_left_alone_and_listed() {
    let project = machine(&[CLAUDE]);
    project.file(".claude/agents/reviewer.md", "---\nname: reviewer\n---\nMine.\n");
    let seen = succeeded(&project, &["init", "--yes", "--packs", "loop"]);
    let line = "= .claude/agents/reviewer.md exists and is not flyball's: not changed";
    assert!(steps(&seen).contains(&line.to_owned()), "{seen}");
    let tester = project.root().join(".claude/agents/tester.md");
    let edited = fs::read_to_string(&tester).unwrap() + "Use nextest.\n";
    fs::write(&tester, &edited).unwrap();
    let seen = succeeded(&project, &["init", "--yes", "--packs", "loop"]);
    let line = "= .claude/agents/tester.md edited since flyball wrote it: not changed";
    assert!(steps(&seen).contains(&line.to_owned()), "{seen}");
    assert_eq!(
        steps(&succeeded(&project, &["uninstall", "--yes"])),
        [
            "- .claude/settings.json made by `flyball init`",
            "- .claude/agents/test-lead.md as `flyball init` wrote it",
            "= .claude/agents/tester.md kept: edited since `flyball init`",
            "- .claude/commands/flyball-status.md as `flyball init` wrote it",
            "- .claude/commands/sound.md as `flyball init` wrote it",
            "- flyball.toml as `flyball init` wrote it",
        ]
    );
    assert_eq!(fs::read_to_string(&tester).unwrap(), edited);
    let mine = fs::read_to_string(project.root().join(".claude/agents/reviewer.md")).unwrap();
    assert_eq!(mine, "---\nname: reviewer\n---\nMine.\n");
}

#[test]
fn agents_get_the_markers_of_the_config() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &["init", "--yes", "--packs", "loop"]);
    let reviewer = project.root().join(".claude/agents/reviewer.md");
    let before = fs::read_to_string(&reviewer).unwrap();
    project.config(
        "[loop.feedback]\nmode = \"enforce\"\n[[loop.feedback.phase]]\nname = \"review\"\nheading = \"Urteil\"\n\
         pass = \"GUT\"\nfail = \"SCHLECHT\"\nissues = [\"Mangel\"]\nagents = [\"reviewer\"]\n",
    );
    let seen = succeeded(&project, &["init", "--yes"]);
    let line = "~ .claude/agents/reviewer.md an agent for review";
    assert!(steps(&seen).contains(&line.to_owned()), "{seen}");
    let after = fs::read_to_string(&reviewer).unwrap();
    assert_ne!(after, before);
    assert!(after.contains("\n## Urteil\n\nGUT\n"), "{after}");
    assert!(after.contains("\n## Urteil\n\nSCHLECHT\n\n### Mangel\n\n- "), "{after}");
    fs::remove_file(&reviewer).unwrap();
    succeeded(&project, &["init", "--yes"]);
    assert!(!reviewer.exists(), "what a person deleted stays away unless the pack is asked for");
}

#[test]
fn agents_stay_while_another_settings_file_of_the_project_needs_them() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &["init", "--yes", "--packs", "loop"]);
    succeeded(&project, &["init", "--yes", "--local"]);
    succeeded(&project, &["uninstall", "--yes", "--local"]);
    assert!(COMPANIONS.iter().all(|name| project.root().join(name).is_file()));
    succeeded(&project, &["uninstall", "--yes", "--all"]);
    assert!(COMPANIONS.iter().all(|name| !project.root().join(name).exists()));
}

/// A config whose one domain has a reviewer of its own and the common tester.
const CONFIG_WITH_AGENTS: &str = "[loop.feedback]\nmode = \"enforce\"\n\n[[loop.feedback.phase]]\nname = \"review\"\nheading = \"H\"\npass = \"P\"\nfail = \"F\"\n\n\
     [[loop.feedback.phase]]\nname = \"testing\"\nheading = \"H\"\npass = \"P\"\nfail = \"F\"\nagents = [\"*-tester\", \"tester\"]\n\n\
     [[loop.feedback.phase]]\nname = \"proof\"\nheading = \"H\"\npass = \"P\"\nfail = \"F\"\nagents = [\"prover\"]\nrun = \"make\"\n\n\
     [[loop.feedback.domain]]\nname = \"backend\"\npaths = [\"**/*.rs\"]\nagents = { review = [\"rust-reviewer\"] }\n";

#[test]
fn doctor_lists_agents_of_the_loop_that_are_not_defined() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &["init", "--yes"]);
    let about = |project: &Project| {
        let report = project.run(&["doctor", "--json"]).json();
        let sections = report.get("sections").unwrap().as_array().unwrap().clone();
        let section = sections.into_iter().find(|section| section.get("title") == Some(&json!("loop")));
        section.unwrap().get("lines").unwrap().clone()
    };
    assert_eq!(about(&project), json!([]));
    project.config(CONFIG_WITH_AGENTS);
    let expected = |missing: &str| {
        json!([{
            "level": "warning",
            "text": format!("loop.feedback asks for agents that Claude Code has no definition of: {missing}"),
            "way_out": "`flyball init --packs loop` writes a reviewer, a test lead and a tester; define the others, \
                        or name the agents that you have in flyball.toml",
        }])
    };
    assert_eq!(about(&project), expected("rust-reviewer, tester"));
    project.file(".claude/agents/team/other.md", "---\nname: \"rust-reviewer\"\n---\n");
    assert_eq!(about(&project), expected("tester"));
    let user = project.home().join(".claude/agents");
    fs::create_dir_all(&user).unwrap();
    fs::write(user.join("tester.md"), "---\ndescription: x\n---\n").unwrap();
    let good = json!([{ "level": "good", "text": "Claude Code has the agents that loop.feedback asks for" }]);
    assert_eq!(about(&project), good);
}

/// What a person sees who types these lines at `flyball init`.
#[track_caller]
fn typed(project: &Project, lines: &[&str]) -> String {
    let (text, left) = typed_with(project, &[], lines);
    assert_eq!(left, json!([]), "{text}");
    text
}

/// The same with options, and the lines that nobody asked for.
#[track_caller]
fn typed_with(project: &Project, options: &[&str], lines: &[&str]) -> (String, Value) {
    let driver = project.folder().join("terminal.py");
    fs::write(&driver, include_str!("init/terminal.py")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_flyball"));
    let mut arguments = vec![json!(program), json!("init")];
    arguments.extend(options.iter().map(|option| json!(option)));
    let request = json!({ "command": arguments, "lines": lines, "path": project.folder().join("bin") });
    let mut command = std::process::Command::new("python3");
    command.arg(&driver).arg(request.to_string()).current_dir(project.root()).env_clear();
    command.env("HOME", project.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("NO_COLOR", "1").env("COLUMNS", "200");
    let seen = run(command, b"").json();
    let text = seen.get("text").unwrap().as_str().unwrap().to_owned();
    assert_eq!(seen.get("status"), Some(&json!(0)), "{text}");
    (text, seen.get("left").unwrap().clone())
}

#[test]
fn what_an_option_sets_is_not_asked_again() {
    let project = machine(&[CLAUDE]);
    project.file("notes.txt", "x\n");
    let (seen, left) = typed_with(&project, &["--packs", "loop,memory,task", "--mcp"], &[""; 8]);
    assert_eq!(left, json!([]), "{seen}");
    assert!(!seen.contains("Review and tests before an agent may stop"), "{seen}");
    assert!(!seen.contains("Further packs"), "{seen}");
    assert!(seen.contains("The loop blocks an agent that edited code"), "{seen}");
}

/// The policies of the packs that are switched on together.
const FURTHER: [&str; 9] = [
    "memory.context",
    "memory.agents",
    "memory.failures",
    "memory.session",
    "memory.stop",
    "task.stop",
    "task.agents",
    "task.session",
    "task.search",
];

fn modes_of_further(project: &Project) -> Vec<Option<String>> {
    let text = fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    let config: toml::Table = text.parse().unwrap();
    let mode = |id: &&str| {
        let section = id.split('.').try_fold(&config, |table, name| table.get(name)?.as_table())?;
        section.get("mode")?.as_str().map(str::to_owned)
    };
    FURTHER.iter().map(mode).collect()
}

#[test]
fn memory_and_tasks_are_switched_on_with_what_goes_with_them() {
    let project = machine(&[CLAUDE]);
    let before = everything(&project);
    let seen = succeeded(&project, &["init", "--yes", "--packs", "memory,task", "--mcp"]);
    assert_eq!(
        steps(&seen),
        [
            "+ flyball.toml 9 settings of yours, the others with their defaults, rules to try",
            "+ .claude/settings.json 29 events of Claude Code 2.1.325",
            "+ .claude/commands/flyball-learn.md the command /flyball-learn",
            "+ .mcp.json the server `flyball mcp`, for agents that ask",
            "+ .intent-layer/mistakes/pending/.gitkeep the folder for reports; without it nothing is captured",
        ]
    );
    assert!(
        seen.contains(
            "\n  Reports of failures wait in .intent-layer for a person; review them with `flyball learn`.\n"
        ),
        "{seen}"
    );
    assert!(
        seen.contains("\n  To work on a task: `flyball task start`; to see its progress: `flyball task`.\n"),
        "{seen}"
    );
    assert!(!seen.contains("`flyball init --mcp`"), "it has just been done: {seen}");
    assert_eq!(modes_of_further(&project), vec![Some("enforce".to_owned()); 9]);
    assert_eq!(modes(&project), all("not set"));
    assert_eq!(project.run(&["config", "check"]).status, 0);
    let program = Path::new(env!("CARGO_BIN_EXE_flyball")).canonicalize().unwrap();
    let servers: Value =
        serde_json::from_str(&fs::read_to_string(project.root().join(".mcp.json")).unwrap()).unwrap();
    assert_eq!(servers, json!({ "mcpServers": { "flyball": { "command": program, "args": ["mcp"] } } }));
    let seen = succeeded(&project, &["init", "--yes", "--packs", "memory,task", "--mcp"]);
    assert!(seen.ends_with("✓ already set up: nothing was changed\n"), "{seen}");
    succeeded(&project, &["uninstall", "--yes"]);
    assert_eq!(everything(&project), before);
}

#[test]
fn the_first_session_after_init_knows_of_the_reports_that_were_there() {
    let project = machine(&[CLAUDE]);
    let report = "## Learning Report\n\n**Type**: pitfall\n**Title**: Mind the gap\n**Directory**: .\n";
    project.file(".intent-layer/mistakes/pending/PITFALL-1.md", report);
    let seen = succeeded(&project, &["init", "--yes", "--packs", "memory"]);
    assert!(seen.contains("\n  `flyball init --mcp` lets agents ask what the project knows.\n"), "{seen}");
    let output = project.hook("SessionStart", json!({ "source": "startup" })).stdout;
    assert!(output.contains("Mind the gap"), "{output}");
}

#[test]
fn without_their_packs_neither_folder_nor_server_is_made() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &["init", "--yes", "--packs", "task"]);
    for name in [".intent-layer", ".mcp.json", ".claude/commands/flyball-learn.md"] {
        assert!(!project.root().join(name).exists(), "{name}");
    }
}

#[test]
fn reports_outlive_an_uninstall() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &["init", "--yes", "--packs", "memory"]);
    project.file(".intent-layer/mistakes/pending/a.md", "# A\n");
    succeeded(&project, &["uninstall", "--yes"]);
    let pending = project.root().join(".intent-layer/mistakes/pending");
    assert_eq!(fs::read_to_string(pending.join("a.md")).unwrap(), "# A\n");
    assert!(!pending.join(".gitkeep").exists());
}

#[test]
fn other_servers_of_the_project_keep_every_byte() {
    let files = [
        "{}",
        "{\"mcpServers\":{}}\n",
        "{\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" } \n  }\n}\n",
        "{\r\n\t\"$schema\": \"x\",\r\n\t\"mcpServers\" : { \"a\":{\"url\":\"y\"},   \"b\": {} }\r\n}",
        "{ \"unrelated\": [1,  2] }",
    ];
    for text in files {
        let project = machine(&[CLAUDE]);
        project.file(".mcp.json", text);
        let read = || fs::read_to_string(project.root().join(".mcp.json")).unwrap();
        succeeded(&project, &["init", "--yes", "--mcp"]);
        let with: Value = serde_json::from_str(&read()).unwrap();
        assert_eq!(with["mcpServers"]["flyball"]["args"], json!(["mcp"]), "{text}");
        let mut rest = with;
        rest["mcpServers"].as_object_mut().unwrap().remove("flyball");
        let mut before: Value = serde_json::from_str(text).unwrap();
        before.as_object_mut().unwrap().entry("mcpServers").or_insert(json!({}));
        assert_eq!(rest, before, "{text}");
        succeeded(&project, &["uninstall", "--yes"]);
        assert_eq!(read(), text);
    }
}

#[test]
fn a_file_of_servers_that_was_edited_since_loses_only_ours() {
    let project = machine(&[CLAUDE]);
    succeeded(&project, &["init", "--yes", "--mcp"]);
    let path = project.root().join(".mcp.json");
    let edited = fs::read_to_string(&path).unwrap().replace("[\"mcp\"] }", "[\"mcp\"] },\n    \"mine\": {}");
    fs::write(&path, edited).unwrap();
    succeeded(&project, &["uninstall", "--yes"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\n  \"mcpServers\": {\n    \"mine\": {}\n  }\n}\n");
}

#[test]
fn a_server_of_that_name_that_is_not_ours_and_a_broken_file_are_left_alone() {
    let project = machine(&[CLAUDE]);
    let theirs = "{\"mcpServers\":{\"flyball\":{\"command\":\"/opt/aeroplane\"}}}";
    project.file(".mcp.json", theirs);
    let seen = succeeded(&project, &["init", "--yes", "--mcp"]);
    let line = "= .mcp.json has a server `flyball` that is not flyball's: not changed";
    assert!(steps(&seen).contains(&line.to_owned()), "{seen}");
    succeeded(&project, &["uninstall", "--yes"]);
    assert_eq!(fs::read_to_string(project.root().join(".mcp.json")).unwrap(), theirs);
    project.file(".mcp.json", "{ half");
    let ran = project.run(&["init", "--yes", "--mcp"]);
    assert_ne!(ran.status, 0);
    assert!(ran.stderr.contains("`.mcp.json` is not a JSON object"), "{}", ran.stderr);
    assert!(!project.root().join("flyball.toml").exists(), "all or nothing");
    succeeded(&project, &["init", "--yes"]);
    assert_eq!(fs::read_to_string(project.root().join(".mcp.json")).unwrap(), "{ half");
}

#[test]
fn a_person_is_asked_for_the_server_if_memory_is_on() {
    let project = machine(&[CLAUDE]);
    project.file("notes.txt", "x\n");
    let seen = typed(&project, &["", "", "", "", "", "", "", "", "1", "", "y", "y"]);
    assert!(
        seen.contains(
            "May agents ask for it themselves, by `flyball mcp` in the project's .mcp.json? [y/N] y\n"
        ),
        "{seen}"
    );
    assert!(project.root().join(".mcp.json").is_file());
    assert!(project.root().join(".intent-layer/mistakes/pending/.gitkeep").is_file());
    let modes = modes_of_further(&project);
    let on: Vec<&str> =
        FURTHER.iter().zip(&modes).filter(|(_, mode)| mode.is_some()).map(|(id, _)| *id).collect();
    assert_eq!(on, FURTHER[..5]);
}

// Defect 29 of the task hooks: milliseconds where the client counts seconds are no limit at all.
#[test]
fn defect_29_what_is_registered_ends_in_seconds() {
    let project = machine(&[CLAUDE, CODEX]);
    succeeded(&project, &["init", "--yes", "--packs", "memory,task"]);
    for file in [".claude/settings.json", ".codex/hooks.json"] {
        let text = fs::read_to_string(project.root().join(file)).unwrap();
        let settings: Value = serde_json::from_str(&text).unwrap();
        let groups =
            settings["hooks"].as_object().unwrap().values().flat_map(|list| list.as_array().unwrap());
        let handlers: Vec<&Value> = groups.flat_map(|group| group["hooks"].as_array().unwrap()).collect();
        assert!(!handlers.is_empty(), "{file}");
        for handler in handlers {
            let seconds = handler["timeout"].as_u64();
            assert!(seconds.is_some_and(|seconds| (1..=600).contains(&seconds)), "{file}: {handler}");
        }
    }
}

#[test]
fn if_the_loop_only_observes_init_does_not_announce_that_it_blocks() {
    for (mode, expected) in [
        ("observe", "\n  The loop only observes and blocks nobody; `flyball loop` shows the progress.\n"),
        ("off", "\n  The loop itself is off: flyball.toml sets that in [loop.feedback].\n"),
    ] {
        let project = machine(&[CLAUDE]);
        project.config(&format!("[loop.feedback]\nmode = \"{mode}\"\n"));
        let ran = project.run(&["init", "--packs", "loop", "--yes"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        assert!(ran.stdout.contains(expected), "{}", ran.stdout);
        assert!(!ran.stdout.contains("The loop blocks"), "{}", ran.stdout);
    }
}

#[test]
fn a_person_can_have_the_tests_proven_by_the_command_that_runs_them() {
    let project = machine(&[CLAUDE]);
    project.file("go.mod", "module x\n");
    let seen = typed(&project, &["", "", "", "", "", "", "", "", "y", "y", "", "y"]);
    assert!(
        seen.contains(
            "\nReview and tests before an agent may stop\n  Require review and tests? Agents spawn a reviewer and a \
             tester. [y/N] y\n  May flyball run `go test ./...` itself, instead of trusting a tester's report? [y/N] y\n"
        ),
        "{seen}"
    );
    assert_eq!(modes(&project), all("enforce"));
    let text = fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    let config: toml::Table = text.parse().unwrap();
    let phases = config["loop"]["feedback"]["phase"].as_array().unwrap();
    let runs: Vec<Option<&str>> =
        phases.iter().map(|phase| phase.get("run").and_then(toml::Value::as_str)).collect();
    assert_eq!(runs, [None, None, Some("go test ./...")]);
    assert!(!text.contains("# phase = ["), "{text}");
    assert_eq!(project.run(&["config", "check"]).status, 0);
}
