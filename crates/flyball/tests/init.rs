//! `flyball init` and `flyball uninstall` as real processes, in homes of their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use support::{Project, Ran, run};

/// A project on a machine that has these programs and nothing else.
fn machine(programs: &[(&str, &str)]) -> Project {
    let project = Project::new();
    let bin = project.folder().join("bin");
    fs::create_dir(&bin).unwrap();
    for (name, script) in programs {
        let path = bin.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    project.with("PATH", &bin.to_string_lossy())
}

const CLAUDE: (&str, &str) = ("claude", "echo '2.1.325 (Claude Code)'");
const CODEX: (&str, &str) = ("codex", "echo 'codex-cli 0.166.0'");

/// Text with all that differs between machines replaced.
fn placed(text: &str, project: &Project) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_flyball")).canonicalize().unwrap();
    text.replace(&*program.to_string_lossy(), "PROGRAM")
        .replace(&*project.folder().to_string_lossy(), "FOLDER")
}

#[track_caller]
fn succeeded(project: &Project, arguments: &[&str]) -> String {
    let ran = project.run(arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    placed(&ran.stdout, project)
}

#[track_caller]
fn failed(project: &Project, ran: &Ran, words: &str) {
    assert_eq!(placed(&ran.stderr, project), words, "{}", ran.stdout);
    assert_eq!(ran.status, 2);
}

/// Every file below a folder, with its bytes; folders and links are told apart.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            let value = if path.is_symlink() {
                format!("-> {}", fs::read_link(&path).unwrap().display())
            } else if path.is_dir() {
                waiting.push(path);
                "/".to_owned()
            } else {
                String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()
            };
            found.insert(name, value);
        }
    }
    found
}

/// All but flyball's own state, which may stay behind.
fn everything(project: &Project) -> BTreeMap<String, String> {
    let mut tree = tree(&project.folder());
    tree.retain(|name, _| !name.starts_with("home/.local"));
    tree
}

#[test]
fn init_says_what_it_found_and_what_it_wrote() {
    let project = machine(&[CLAUDE, CODEX]);
    project.file("pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\n").file("uv.lock", "");
    project.file("web/package.json", r#"{"scripts": {"test": "vitest"}}"#).file("web/pnpm-lock.yaml", "");
    project.file(".claude/settings.json", "{}\n");
    assert_eq!(
        succeeded(&project, &["init", "--yes"]),
        "project    FOLDER/project
languages  Python, JavaScript (web)
packages   uv, pnpm (web)
linters    ruff
tests      uv run pytest, pnpm test (web)
clients    Claude Code 2.1.325, Codex 0.166.0

+ flyball.toml                          every setting with its default, rules to try
+ .claude/settings.json.flyball-backup  a copy of the file as it is
~ .claude/settings.json                 29 events of Claude Code 2.1.325
+ .codex/hooks.json                     12 events of Codex 0.166.0

! PROGRAM is in a build folder: when it goes, hooks fail.
  Install flyball where it stays, then run `flyball init` again.

✓ flyball is set up

Next:
  `flyball doctor` checks the installation.
  Start a new session and have the agent run `flyball doctor --live`: it proves that hooks fire.
  Codex skips hooks that nobody has reviewed, without a word: start `codex` and trust them under `/hooks`.
  The settings name flyball's path on this machine; `--local` keeps that out of the repository.
"
    );
    let files = tree(&project.root());
    assert_eq!(files[".claude/settings.json.flyball-backup"], "{}\n");
    let settings: serde_json::Value = serde_json::from_str(&files[".claude/settings.json"]).unwrap();
    assert_eq!(
        settings["hooks"]["PreToolUse"],
        serde_json::json!([{"hooks": [{
            "type": "command",
            "command": Path::new(env!("CARGO_BIN_EXE_flyball")).canonicalize().unwrap(),
            "args": ["hook", "--client", "claude-code", "--event", "PreToolUse"],
            "timeout": 60,
        }]}])
    );
    assert_eq!(project.run(&["config", "check"]).status, 0);
}

#[test]
fn without_a_trace_of_a_client_it_is_the_first_in_the_table() {
    let project = machine(&[]);
    assert_eq!(
        succeeded(&project, &["init", "--dry-run"]).lines().take(5).collect::<Vec<_>>(),
        [
            "project  FOLDER/project",
            "clients  Claude Code (not found on this machine)",
            "",
            "+ flyball.toml           every setting with its default, rules to try",
            "+ .claude/settings.json  24 events of Claude Code",
        ]
    );
}

#[test]
fn a_client_that_never_answers_is_given_up() {
    let project = machine(&[("claude", "exec /bin/sleep 600")]);
    let shown = succeeded(&project, &["init", "--dry-run"]);
    assert_eq!(shown.lines().nth(1), Some("clients  Claude Code (version unknown)"), "{shown}");
}

#[test]
fn a_dry_run_shows_every_line_and_writes_none() {
    let project = machine(&[CLAUDE]);
    let before = everything(&project);
    let shown = succeeded(&project, &["init", "--dry-run"]);
    assert_eq!(everything(&project), before);
    assert!(!project.state().exists());
    assert!(shown.ends_with("\na dry run: nothing was changed\n"), "{shown}");
    succeeded(&project, &["init", "--yes"]);
    let added = |header: &str| {
        let diff =
            shown.split("--- /dev/null\n").find(|diff| diff.starts_with(&format!("+++ {header}\n"))).unwrap();
        let lines = diff.lines().skip(2).filter_map(|line| line.strip_prefix('+'));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    for file in ["flyball.toml", ".claude/settings.json"] {
        let written = fs::read_to_string(project.root().join(file)).unwrap();
        assert_eq!(added(file), placed(&written, &project), "{file}");
    }
}

#[test]
fn a_second_init_changes_nothing_and_says_so() {
    let project = machine(&[CLAUDE]);
    project.file("flyball.toml", "# mine\n");
    succeeded(&project, &["init", "--yes"]);
    let before = tree(&project.folder());
    assert_eq!(
        succeeded(&project, &["init", "--yes"]),
        "project  FOLDER/project
clients  Claude Code 2.1.325

= flyball.toml           there already, kept as it is
= .claude/settings.json  29 events of Claude Code 2.1.325, registered already

! PROGRAM is in a build folder: when it goes, hooks fail.
  Install flyball where it stays, then run `flyball init` again.

✓ already set up: nothing was changed
"
    );
    assert_eq!(tree(&project.folder()), before);
}

#[test]
fn uninstall_gives_back_every_byte() {
    let foreign = "{\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [\r\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"lint.sh\"}]}\r\n\t\t]\r\n\t},\r\n\t\"model\":  \"x\"\r\n}\r\n";
    let cases = [
        ("no file", None),
        ("an empty file", Some("")),
        ("an empty object", Some("{}")),
        ("CRLF, tabs and hooks of others", Some(foreign)),
        ("a byte order mark, no line end", Some("\u{feff}{ \"hooks\" : { } }")),
        ("odd spaces", Some("{\"a\":1 ,\n\n   \"b\":[ ]\n}\n\n\n")),
    ];
    for (name, content) in cases {
        for scope in ["", "--local", "--user"] {
            let project = machine(&[CLAUDE]);
            let file = match scope {
                "--local" => project.root().join(".claude/settings.local.json"),
                "--user" => project.home().join(".claude/settings.json"),
                _ => project.root().join(".claude/settings.json"),
            };
            if let Some(content) = content {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, content).unwrap();
            }
            let before = everything(&project);
            let with = |command: &'static str| {
                [command, "--yes", scope].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>()
            };
            succeeded(&project, &with("init"));
            assert_ne!(everything(&project), before, "{name} {scope}");
            succeeded(&project, &with("uninstall"));
            assert_eq!(everything(&project), before, "{name} {scope}");
        }
    }
}

#[test]
fn uninstall_says_what_it_does() {
    let project = machine(&[CLAUDE, CODEX]);
    project.file(".claude/settings.json", "{\"model\": \"x\"}\n");
    succeeded(&project, &["init", "--yes"]);
    assert_eq!(
        succeeded(&project, &["uninstall", "--yes"]),
        "- .claude/settings.json.flyball-backup  not needed any more
~ .claude/settings.json                 as it was before `flyball init`
- .codex/hooks.json                     made by `flyball init`
- flyball.toml                          as `flyball init` wrote it
✓ flyball is taken out
"
    );
    assert_eq!(
        succeeded(&project, &["uninstall", "--yes"]),
        "flyball is not registered here: nothing to take out\n"
    );
}

#[test]
fn what_others_wrote_after_us_stays() {
    let project = machine(&[CLAUDE]);
    project.file(".claude/settings.json", "{\n  \"model\": \"x\"\n}\n");
    succeeded(&project, &["init", "--yes"]);
    let file = project.root().join(".claude/settings.json");
    let edited = fs::read_to_string(&file)
        .unwrap()
        .replace("\"model\": \"x\"", "\"model\": \"y\",\n  \"theme\": \"dark\"");
    fs::write(&file, edited).unwrap();
    fs::write(project.root().join("flyball.toml"), "# mine now\n").unwrap();
    assert_eq!(
        succeeded(&project, &["uninstall", "--yes"]),
        "= .claude/settings.json.flyball-backup  the file as it was before `flyball init`
~ .claude/settings.json                 29 handlers taken out, the rest stays
= flyball.toml                          kept: changed since `flyball init`
✓ flyball is taken out
"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\n  \"model\": \"y\",\n  \"theme\": \"dark\"\n}\n");
    assert_eq!(fs::read_to_string(project.root().join("flyball.toml")).unwrap(), "# mine now\n");
}

#[test]
fn a_newer_client_gets_more_events_and_uninstall_still_gives_back_every_byte() {
    let project = machine(&[("claude", "echo '2.1.119 (Claude Code)'")]);
    project.file(".claude/settings.json", "{ \"model\":\"x\" }\n");
    let before = everything(&project);
    succeeded(&project, &["init", "--yes"]);
    let claude = project.folder().join("bin/claude");
    let old = fs::read_to_string(&claude).unwrap();
    fs::write(&claude, old.replace("2.1.119", "2.1.325")).unwrap();
    let shown = succeeded(&project, &["init", "--yes"]);
    assert!(
        shown.contains(
            "\n~ .claude/settings.json  29 events of Claude Code 2.1.325 (5 added, 24 updated, 0 removed)\n"
        ),
        "{shown}"
    );
    succeeded(&project, &["uninstall", "--yes"]);
    fs::write(&claude, old).unwrap();
    assert_eq!(everything(&project), before);
}

#[test]
fn a_linked_settings_file_stays_a_link() {
    let project = machine(&[CLAUDE]);
    project.file("dotfiles/settings.json", "{}\n").file(".claude/other", "");
    symlink("../dotfiles/settings.json", project.root().join(".claude/settings.json")).unwrap();
    let before = everything(&project);
    succeeded(&project, &["init", "--yes"]);
    let after = everything(&project);
    assert_eq!(after["project/.claude/settings.json"], "-> ../dotfiles/settings.json");
    assert!(after["project/dotfiles/settings.json"].contains("PreToolUse"));
    succeeded(&project, &["uninstall", "--yes"]);
    assert_eq!(everything(&project), before);
}

#[test]
fn a_broken_settings_file_is_named_to_the_column_and_nothing_is_written() {
    let project = machine(&[CLAUDE]);
    project.file(".claude/settings.json", "{\n  \"hooks\": {\n    \"Stop\": [],\n  }\n}\n");
    let before = tree(&project.folder());
    let words =
        "error: .claude/settings.json:3:15: not valid JSON: nothing follows this comma; nothing was changed
 help: remove the comma
";
    failed(&project, &project.run(&["init", "--yes"]), words);
    assert_eq!(tree(&project.folder()), before);
    assert_eq!(
        succeeded(&project, &["uninstall", "--yes"]),
        "flyball is not registered here: nothing to take out\n"
    );
    project.file(".claude/settings.json", "{\n  \"hooks\": {\n    \"flyball\": [],\n  }\n}\n");
    failed(&project, &project.run(&["uninstall", "--yes"]), &words.replace("3:15", "3:18"));
}

#[test]
fn whatever_cannot_be_written_is_said_in_words_and_nothing_is_half_done() {
    type Obstacle = fn(&Project);
    let cases: [(Obstacle, &str); 3] = [
        (
            |project| {
                project.file(".claude/settings.json", "{}\n");
                let file = project.root().join(".claude/settings.json");
                fs::set_permissions(file, fs::Permissions::from_mode(0o444)).unwrap();
            },
            "error: `FOLDER/project/.claude/settings.json` is read-only; nothing was changed
 help: give yourself the right to write there (`sudo` for --managed), or choose another scope: --local, --user
",
        ),
        (
            |project| fs::write(project.root().join(".claude"), "a file\n").unwrap(),
            "error: part of the path `FOLDER/project/.claude/settings.json` is a file, not a folder; nothing was changed
 help: move what is in the way
",
        ),
        (
            |project| fs::create_dir_all(project.root().join(".claude/settings.json")).unwrap(),
            "error: `FOLDER/project/.claude/settings.json` is a folder, not a file; nothing was changed
 help: move what is in the way
",
        ),
    ];
    for (obstacle, words) in cases {
        let project = machine(&[CLAUDE]);
        obstacle(&project);
        let before = everything(&project);
        failed(&project, &project.run(&["init", "--yes"]), words);
        assert_eq!(everything(&project), before, "{words}");
    }
}

/// Rights mean nothing to root, so root has the program run as nobody.
#[test]
fn a_folder_that_is_not_ours_is_left_alone() {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    let project = machine(&[CLAUDE]);
    let program = project.folder().join("flyball");
    fs::copy(env!("CARGO_BIN_EXE_flyball"), &program).unwrap();
    for (path, mode) in [("", 0o755), ("home", 0o777), ("project", 0o555)] {
        fs::set_permissions(project.folder().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut command = std::process::Command::new(&program);
    command.args(["init", "--yes"]).current_dir(project.root()).env_clear();
    command.env("HOME", project.home()).env("PATH", project.folder().join("bin"));
    if fs::metadata(project.folder()).unwrap().uid() == 0 {
        command.uid(65534).gid(65534);
    }
    let ran = run(command, b"");
    fs::set_permissions(project.root(), fs::Permissions::from_mode(0o755)).unwrap();
    failed(
        &project,
        &ran,
        "error: permission denied: `FOLDER/project/flyball.toml`; nothing was changed
 help: give yourself the right to write there (`sudo` for --managed), or choose another scope: --local, --user
",
    );
    assert_eq!(tree(&project.root()).keys().collect::<Vec<_>>(), [".git"]);
}

#[test]
fn without_a_terminal_somebody_has_to_say_yes() {
    let project = machine(&[CLAUDE]);
    let before = everything(&project);
    failed(
        &project,
        &project.run(&["init"]),
        "error: there is nobody to ask: this is not a terminal; nothing was changed
 help: `--yes` goes on without asking, `--dry-run` shows what would be written
",
    );
    assert_eq!(everything(&project), before);
}

#[test]
fn a_client_without_such_a_file_is_named() {
    let project = machine(&[CODEX]);
    let shown = succeeded(&project, &["init", "--local", "--yes"]);
    assert!(shown.contains("\n! Codex         has no local settings: not registered\n"), "{shown}");
    assert!(!project.root().join(".codex").exists());
}

#[test]
fn many_at_once_leave_what_one_would() {
    let project = machine(&[CLAUDE]);
    project.file(".claude/settings.json", "{\"model\": \"x\"}\n");
    let before = everything(&project);
    let runs: Vec<Ran> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..8).map(|_| scope.spawn(|| project.run(&["init", "--yes"]))).collect();
        started.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(runs.iter().any(|ran| ran.status == 0), "{runs:#?}");
    for ran in runs.iter().filter(|ran| ran.status != 0) {
        assert!(
            ran.stderr.contains("was changed by someone else in this moment; nothing was changed"),
            "{ran:?}"
        );
    }
    let handlers = everything(&project)["project/.claude/settings.json"].matches("\"PreToolUse\": [").count();
    assert_eq!(handlers, 1);
    succeeded(&project, &["uninstall", "--yes"]);
    assert_eq!(everything(&project), before);
}

#[test]
fn all_scopes_and_the_record_go_when_asked() {
    let project = machine(&[CLAUDE]);
    let before = tree(&project.root());
    succeeded(&project, &["init", "--yes"]);
    succeeded(&project, &["init", "--user", "--yes"]);
    let shown = succeeded(&project, &["uninstall", "--yes"]);
    assert_eq!(
        shown,
        "- .claude/settings.json  made by `flyball init`
= flyball.toml           kept: still in force
✓ flyball is taken out
still registered in FOLDER/home/.claude/settings.json (`--all` takes it out there too)
"
        .replace("FOLDER/home", "~")
    );
    assert_eq!(
        succeeded(&project, &["uninstall", "--all", "--purge", "--yes"]),
        "- ~/.claude/settings.json  made by `flyball init`
- flyball.toml             as `flyball init` wrote it
✓ flyball is taken out
✓ ~/.local/state/flyball is deleted
"
    );
    assert_eq!(tree(&project.root()), before);
    assert!(!project.state().exists());
}

#[test]
fn a_state_directory_that_is_none_is_not_deleted() {
    let project = machine(&[CLAUDE]);
    let home = project.home().to_string_lossy().into_owned();
    let project = project.with("FLYBALL_STATE_DIR", &home);
    succeeded(&project, &["init", "--yes"]);
    let ran = project.run(&["uninstall", "--purge", "--yes"]);
    failed(
        &project,
        &ran,
        "error: `FOLDER/home` does not look like a state directory of flyball; it was not deleted
 help: check FLYBALL_STATE_DIR, or delete it yourself
",
    );
    assert!(project.home().exists());
}

#[test]
fn a_state_directory_that_cannot_be_written_stops_it() {
    let project = machine(&[CLAUDE]);
    let state = project.folder().join("state");
    fs::write(&state, "a file").unwrap();
    let project = project.with("FLYBALL_STATE_DIR", &state.to_string_lossy());
    let before = everything(&project);
    let ran = project.run(&["init", "--yes"]);
    failed(
        &project,
        &ran,
        "error: flyball's state directory `FOLDER/state` cannot be used: it is not a folder; nothing was changed
 help: make it writable, or set FLYBALL_STATE_DIR to a folder that is
",
    );
    assert_eq!(everything(&project), before);
}
