//! The table of `docs/failure-modes.md`, each row by a real process.

use std::fs;

use crate::support::{Project, git, run};
use serde_json::{Value, json};

fn shell_payload(project: &Project) -> Value {
    project.payload(
        "PreToolUse",
        json!({ "tool_name": "Bash", "tool_input": { "command": "ls" }, "tool_use_id": "t" }),
    )
}

#[test]
fn unparsable_input_is_denied_before_a_tool_and_passes_elsewhere() {
    let project = Project::new();
    let gate = project.hook_bytes("PreToolUse", b"{ this is no JSON");
    assert_eq!((gate.status, gate.stdout.as_str()), (2, ""));
    assert_eq!(
        gate.stderr,
        "flyball could not judge this event: the client's payload is not readable: key must be a string (line 1, \
         column 3); this is an error of the client or the machine, not a broken rule; check the installation with \
         `flyball doctor`\n"
    );
    let elsewhere = project.hook_bytes("PostToolUse", b"{ this is no JSON");
    assert_eq!((elsewhere.status, elsewhere.stdout.as_str(), elsewhere.stderr), (1, "", gate.stderr));
}

#[test]
fn a_permission_dialog_is_refused_in_the_form_that_counts_there() {
    let ran = Project::new().hook_bytes("PermissionRequest", b"[1]");
    assert_eq!(
        (ran.status, ran.json()["hookSpecificOutput"]["decision"]["behavior"].as_str()),
        (0, Some("deny"))
    );
}

#[test]
fn empty_input_is_reported() {
    let project = Project::new();
    let text = "flyball could not judge this event: standard input was empty; check the registration with `flyball doctor`\n";
    for (event, status) in [("PreToolUse", 2), ("Stop", 1)] {
        let ran = project.hook_bytes(event, b"  \n");
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (status, "", text), "{event}");
    }
}

#[test]
fn a_hundred_megabytes_are_drained_and_refused() {
    let project = Project::new();
    let mut payload = br#"{"hook_event_name":"PreToolUse","tool_input":{"command":""#.to_vec();
    payload.resize(100 * 1024 * 1024, b'x');
    let ran = project.hook_bytes("PreToolUse", &payload);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "flyball could not judge this event: the payload is larger than 32 MiB; write less at once\n"
    );
}

#[test]
fn deep_nesting_is_judged_like_anything_else() {
    let project = Project::new();
    let depth = 100_000;
    let nested = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let payload = shell_payload(&project)
        .to_string()
        .replace("\"tool_use_id\"", &format!("\"x\":{nested},\"tool_use_id\""));
    project.hook_bytes("PreToolUse", payload.as_bytes()).assert_silent();
    let guarded = payload.replace("\"ls\"", "\"rm flyball.toml\"");
    project.hook_bytes("PreToolUse", guarded.as_bytes()).assert_denied_by("guard.self");
}

#[test]
fn invalid_utf_8_is_judged_as_far_as_it_can_be_read() {
    let project = Project::new();
    let payload = shell_payload(&project).to_string().replace("\"ls\"", "\"rm flyball.toml # \\u0001\"");
    let mut bytes = payload.into_bytes();
    let at = bytes.windows(6).position(|window| window == b"\\u0001").unwrap();
    bytes.splice(at..at + 6, [0xff, 0xfe]);
    project.hook_bytes("PreToolUse", &bytes).assert_denied_by("guard.self");
}

#[test]
fn without_a_home_the_guards_work_and_the_record_is_kept() {
    let project = Project::new();
    let payload = |command: &str| {
        let fields = json!({ "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t" });
        project.payload("PreToolUse", fields).to_string()
    };
    let homeless = |text: String| {
        let mut command = project.hook_command("PreToolUse");
        command.env_remove("HOME").env("FLYBALL_STATE_DIR", project.state());
        run(command, text.as_bytes())
    };
    homeless(payload("ls")).assert_silent();
    homeless(payload("rm flyball.toml")).assert_denied_by("guard.self").assert_notice("");
    assert_eq!(project.log().len(), 2);
}

#[test]
fn a_state_directory_that_cannot_be_made_is_reported_where_a_person_looks_and_stops_nothing() {
    for blocked in ["blocked/state", "/proc/nope/flyball"] {
        let project = Project::new();
        // A file where a folder should be stops even the administrator.
        fs::write(project.folder().join("blocked"), "").unwrap();
        let state = project.folder().join(blocked);
        let project = project.with("FLYBALL_STATE_DIR", &state.to_string_lossy());
        project.file("pyproject.toml", "[project]\nname = \"a\"\n[tool.ruff]\nline-length = 100\n");
        project.file("uv.lock", "").file("src/a.py", "x = 1\n").file(".editorconfig", "root = true\n");
        let session = project.hook("SessionStart", json!({ "source": "startup" }));
        let told = "flyball: events are judged but not recorded: ";
        // That protected files cannot be kept either is said at the beginning only.
        assert!(
            session.notice().lines().last().is_some_and(|it| it.starts_with(told)),
            "{}",
            session.notice()
        );
        let notice = project.hook("UserPromptSubmit", json!({ "prompt": "go on" })).notice();
        assert!(notice.starts_with(told) && notice.lines().count() == 1, "{notice}");
        for line in [
            "ls",
            "cat pyproject.toml",
            "sed -n 1,5p pyproject.toml",
            "wc -l src/a.py",
            "uv run pytest",
            "python3 -c 'print(1)'",
            "git status",
            "make test",
            "echo x > src/b.py",
            "rm src/a.py",
        ] {
            project.shell(line).assert_silent();
        }
        let edited = project.root().join("src/a.py");
        let input = json!({ "file_path": edited, "old_string": "1", "new_string": "2" });
        project.before("Edit", input).assert_silent();
        let input = json!({ "file_path": edited, "content": "x = 2\n" });
        project.before("Write", input).assert_silent();
        project.shell("rm flyball.toml").assert_denied_by("guard.self").assert_notice("");
        let doctor = project.run(&["doctor"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(doctor.contains("; events are judged but not recorded"), "{doctor}");
    }
}

#[test]
fn a_broken_config_leaves_the_last_good_one_in_force() {
    let rule = "[[rule]]\nid = 'no-pip'\nevents = ['before_tool']\naction = 'deny'\nmessage = 'use uv'\nwhen = 'tool.command.startsWith(\"pip\")'\n";
    let project = Project::new();
    project.config(rule);
    project.shell("pip install x").assert_denied_by("rules").assert_notice("");
    project.untrusted_config(&format!("{rule}[guard.self]\nmode = \n"));
    let notice = "flyball: flyball.toml:8:8: expected a value; what was accepted stays in force";
    project.shell("pip install x").assert_denied_by("rules").assert_notice(notice);
    // Shown once among tool calls, and again where a person looks.
    project.shell("pip install x").assert_denied_by("rules").assert_notice("");
    let prompt = project.hook("UserPromptSubmit", json!({ "prompt": "go on" }));
    assert_eq!(prompt.notice(), notice);
    project.config(rule);
    project.shell("pip install x").assert_denied_by("rules").assert_notice("");
}

#[test]
fn a_working_directory_that_is_gone_does_no_harm() {
    let project = Project::new();
    let gone = project.root().join("gone");
    let mut payload = shell_payload(&project);
    payload["cwd"] = json!(gone);
    payload["tool_input"]["command"] = json!("echo x > ../flyball.toml");
    run(project.hook_command("PreToolUse"), payload.to_string().as_bytes()).assert_denied_by("guard.self");
}

#[test]
fn a_policy_that_panics_hangs_or_errs_does_not_take_the_others_down() {
    let rule = "[[rule]]\nid = 'no-pip'\nevents = ['before_tool']\naction = 'deny'\nmessage = 'use uv'\nwhen = 'tool.command.startsWith(\"pip\")'\n";
    // Only what hangs has to wait for the limit; a busy machine must not make the others late.
    for (fault, limit, message) in [
        ("panic", 30_000, "guard.self failed (flyball has a bug: a planned panic)"),
        ("hang", 200, "guard.self failed (no verdict within 200 ms)"),
        ("error", 30_000, "guard.self failed (a planned error)"),
    ] {
        let project = Project::new().with("FLYBALL_FAULT", &format!("guard.self={fault}"));
        project.config(&format!("[engine]\ndeadline_ms = {limit}\n{rule}"));
        let ran = project.shell("pip install x");
        let reason = ran.assert_denied_by("guard.self").reason();
        let first = format!("Tell the user: flyball could not judge this: {message}. ");
        assert!(reason.starts_with(&first), "{reason}");
        assert!(reason.ends_with("\nno-pip: use uv. [flyball rules]"), "{reason}");
    }
}

#[test]
fn a_panic_of_flyball_itself_is_caught_and_answered() {
    let project = Project::new().with("FLYBALL_FAULT", "hook=panic");
    let text = "flyball could not judge this event: flyball has a bug; `flyball doctor` collects what a bug report needs\n";
    for (event, status) in [("PreToolUse", 2), ("Stop", 1)] {
        let ran = project.hook(event, json!({ "tool_name": "Bash", "tool_input": { "command": "ls" } }));
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (status, "", text), "{event}");
    }
}

#[test]
fn a_rule_that_cannot_be_evaluated_leaves_the_decision_to_the_user() {
    let project = Project::new();
    project.config("[[rule]]\nid = 'r'\nevents = ['before_tool']\naction = 'deny'\nmessage = 'x'\nwhen = 'shell.commands[7].program == \"x\"'\n");
    let ran = project.shell("ls");
    assert_eq!(ran.decision().as_deref(), Some("ask"));
    assert!(
        ran.reason().starts_with("Let the user decide, and check the rule with `flyball test`: rule `r` could not be evaluated for this event: "),
        "{}",
        ran.reason()
    );
}

#[test]
fn a_policy_that_guards_nothing_lets_pass_when_it_panics() {
    let project = Project::new().with("FLYBALL_FAULT", "observe.events=panic");
    let ran = project.shell("ls");
    assert_eq!(ran.decision(), None);
    ran.assert_notice(
        "flyball: flyball could not judge this: observe.events failed (flyball has a bug: a planned panic); the \
         action was allowed; to fix: `flyball doctor` collects what a bug report needs",
    );
}

#[test]
fn a_git_that_does_not_come_back_is_a_fault_and_not_a_rule() {
    let project = Project::new();
    // Without a repository there is nothing to ask.
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    // Not below the folder for temporary files: a git that anyone could put there is not started.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bin = folder.path();
    let program = bin.join("git");
    // It answers what the start of a session asks, and hangs on what a rule does.
    std::fs::write(&program, "#!/bin/sh\ncase \"$*\" in *status*) exec sleep 60 ;; esac\n").unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let project = project.with("PATH", &path);
    let reason = project.shell("git reset --hard").assert_denied_by("guard.commands").reason();
    let first = "Tell the user: flyball could not judge this: guard.commands failed (git could not be asked: \
                 `git status";
    assert!(reason.starts_with(first), "{reason}");
    assert!(reason.contains("did not end within 5 s"), "{reason}");
    assert!(reason.contains("No rule was broken"), "{reason}");
    project.shell("git status").assert_silent();
}

#[test]
fn if_no_copy_can_be_stored_the_user_is_notified_and_edits_are_still_denied() {
    let project = Project::new();
    project.file("ruff.toml", "line-length = 80\n");
    std::fs::create_dir_all(project.state()).unwrap();
    std::fs::write(project.state().join("kept"), "not a folder").unwrap();
    let notice = project.hook("SessionStart", json!({ "source": "startup" })).notice();
    let first = "flyball: changes of protected files will not be detected in this session: a copy could not be \
                 saved in `";
    assert!(notice.starts_with(first), "{notice}");
    project.shell("echo x > ruff.toml").assert_denied_by("guard.protected");
}

#[test]
fn a_line_that_is_not_read_to_its_end_is_recorded_as_such() {
    let project = Project::new();
    let long = format!("echo {}", "$(echo ".repeat(300) + &")".repeat(300));
    project.shell(&long).assert_silent();
    let rulings = project.log().pop().unwrap()["rulings"].to_string();
    assert!(rulings.contains("not read to its end") && rulings.contains("nested too deeply"), "{rulings}");
    let ran = project.shell(&format!("{long}; rm -r ~/work"));
    assert_eq!(ran.decision().as_deref(), Some("ask"), "{ran:?}");
}

#[test]
fn a_folder_that_cannot_be_is_refused_at_once() {
    let project = Project::new();
    let deep = "/a".repeat(50_000);
    let mut payload = shell_payload(&project);
    payload["cwd"] = json!(deep);
    let ran = project.hook_bytes("PreToolUse", payload.to_string().as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("its folder has a path of 100000 bytes"), "{}", ran.stderr);
    payload["hook_event_name"] = json!("Stop");
    assert_eq!(project.hook_bytes("Stop", payload.to_string().as_bytes()).status, 1);
    // Long names and paths of files are judged like any other.
    for name in [deep.as_str(), &"x".repeat(1_000_000), &"../".repeat(50_000), &"a/../".repeat(50_000)] {
        let target = format!("{name}/flyball.toml");
        project.before("Read", json!({ "file_path": target })).assert_silent();
        project.shell(&format!("cat {target}"));
        project.before("Edit", json!({ "file_path": target, "old_string": "a", "new_string": "b" }));
    }
    let own = format!("{}flyball.toml", "a/../".repeat(50_000));
    let ran = project.before("Write", json!({ "file_path": own, "content": "" }));
    assert_eq!(ran.decision().as_deref(), Some("deny"));
}
