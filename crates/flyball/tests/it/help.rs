//! The help, the version, colours, manual pages, completions and where the program came from.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::process::Command;

use serde_json::json;

use crate::support::{Project, program, run};

const SHORT: &str = "\
Set up             init doctor demo import completions update uninstall
See what happened  status log explain dash top report audit
";

#[test]
fn the_short_help_has_a_line_for_each_group_and_the_long_one_for_each_command() {
    let project = Project::new();
    let short = project.run(&["-h"]);
    assert_eq!((short.status, short.stderr.as_str()), (0, ""));
    assert!(short.stdout.contains(SHORT), "{}", short.stdout);
    assert!(short.stdout.lines().count() < 25, "{}", short.stdout);
    let long = project.run(&["--help"]);
    assert_eq!((long.status, long.stderr.as_str()), (0, ""));
    assert!(long.stdout.contains("\nDecide:\n  allow        "), "{}", long.stdout);
    assert_eq!(project.run(&["help"]).stdout, long.stdout);
    // Without a command: the short help, as an error.
    let nothing = project.run(&[]);
    assert_eq!((nothing.status, nothing.stdout.as_str()), (2, ""));
    assert!(nothing.stderr.contains(SHORT), "{}", nothing.stderr);
}

#[test]
fn help_is_the_page_of_a_command() {
    let project = Project::new();
    for words in [&["log"][..], &["loop", "accept"], &["hook"], &["self-test"]] {
        let help = project.run(&[&["help"], words].concat());
        let option = project.run(&[words, &["--help"]].concat());
        assert_eq!((help.status, help.stderr.as_str()), (0, ""), "{words:?}");
        let lines = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(lines(&help.stdout), lines(option.stdout.trim_end()), "{words:?}");
    }
    let unknown = project.run(&["help", "loop", "acept"]);
    let expected = "error: `flyball loop` has no command `acept`\n help: did you mean `accept`? `flyball loop --help` lists its commands\n";
    assert_eq!((unknown.status, unknown.stdout.as_str(), unknown.stderr.as_str()), (2, "", expected));
}

#[test]
fn the_version_is_one_line() {
    for option in ["--version", "-V"] {
        let ran = Project::new().run(&[option]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert_eq!(ran.stdout, format!("flyball {}\n", env!("CARGO_PKG_VERSION")));
    }
}

#[test]
fn the_option_decides_about_colours_then_the_variables_then_the_terminal() {
    let escape = '\u{1b}';
    for (option, variable, expected) in [
        (None, None, false),
        (Some("auto"), None, false),
        (Some("always"), None, true),
        (Some("never"), None, false),
        (None, Some("CLICOLOR_FORCE"), true),
        (Some("never"), Some("CLICOLOR_FORCE"), false),
        (None, Some("NO_COLOR"), false),
        (Some("always"), Some("NO_COLOR"), true),
    ] {
        let project = Project::new();
        let project = if let Some(name) = variable { project.with(name, "1") } else { project };
        for arguments in [&["policies"][..], &["--help"], &["help"], &["explain", "nothing"], &["doctor"]] {
            let option: Vec<&str> = option.into_iter().flat_map(|when| ["--color", when]).collect();
            // Before the command and after it.
            for words in [[&option[..], arguments].concat(), [arguments, &option[..]].concat()] {
                let ran = project.run(&words);
                let text = ran.stdout + &ran.stderr;
                assert_eq!(text.contains(escape), expected, "{words:?} {variable:?}: {text}");
            }
        }
    }
    let wrong = Project::new().run(&["--color", "blue", "policies"]);
    assert_eq!((wrong.status, wrong.stdout.as_str()), (2, ""));
}

#[test]
fn an_option_before_the_hook_does_not_let_the_call_pass() {
    let project = Project::new();
    project.file("uv.lock", "");
    let payload = project.payload(
        "PreToolUse",
        json!({ "tool_name": "Bash", "tool_input": { "command": "pip install x" }, "tool_use_id": "t" }),
    );
    let mut command = project.command(&["--color", "never", "hook"]);
    command.env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", project.root());
    let answer = run(command, payload.to_string().as_bytes());
    let decision = answer.json().pointer("/hookSpecificOutput/permissionDecision").cloned();
    assert_eq!(decision, Some(json!("deny")), "{}", answer.stdout);
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let project = Project::new();
    let folder = project.folder().join("man1");
    let ran = project.run(&["man", "--dir", &folder.to_string_lossy()]);
    let pages: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|page| page.unwrap().path()).collect();
    assert_eq!(ran.stdout, format!("✓ wrote {} manual pages to {}\n", pages.len(), folder.display()));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(
        ["flyball.1", "flyball-log.1", "flyball-loop-accept.1"].iter().all(|page| folder.join(page).exists())
    );
    assert_eq!(
        project.run(&["man"]).stdout.trim(),
        std::fs::read_to_string(folder.join("flyball.1")).unwrap().trim()
    );
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        assert!(text.contains("\n.TH ") && text.contains("\n.SH NAME"), "{}", page.display());
        // Where there is a reader of manuals, it has nothing to complain about.
        let mut reader = Command::new("man");
        reader.args(["--warnings", "-E", "UTF-8", "-P", "cat", "-l"]).arg(&page).env("MANWIDTH", "80");
        if let Ok(shown) = reader.output() {
            assert!(shown.status.success(), "{}", page.display());
            assert_eq!(String::from_utf8_lossy(&shown.stderr), "", "{}", page.display());
        }
    }
}

#[test]
fn completions_are_written_where_the_shell_finds_them() {
    for (shell, file, steps) in [
        (
            "bash",
            ".local/share/bash-completion/completions/flyball",
            "They work in the next shell that you open, if bash-completion is installed.\n",
        ),
        ("fish", ".config/fish/completions/flyball.fish", "They work in the next shell that you open.\n"),
        (
            "zsh",
            ".zfunc/_flyball",
            "Add these two lines to ~/.zshrc yourself:\n  fpath+=(~/.zfunc)\n  autoload -Uz compinit && compinit\n",
        ),
    ] {
        let project = Project::new().with("SHELL", &format!("/usr/bin/{shell}"));
        let end = format!("{steps}To undo this: rm ~/{file}\n");
        let first = project.run(&["completions", "--install"]);
        let expected = format!("✓ wrote the completions for {shell} to ~/{file}\n{end}");
        assert_eq!((first.status, first.stdout, first.stderr.as_str()), (0, expected, ""));
        let written = std::fs::read_to_string(project.home().join(file)).unwrap();
        assert_eq!(written.trim_end(), project.run(&["completions", shell]).stdout.trim_end());
        let again = project.run(&["completions", "--install", shell]);
        let expected = format!("✓ the completions for {shell} are up to date: ~/{file}\n{end}");
        assert_eq!((again.status, again.stdout, again.stderr.as_str()), (0, expected, ""));
        // Those of another version are replaced, what somebody else wrote is not.
        let first_line = written.lines().next().unwrap();
        std::fs::write(project.home().join(file), format!("{first_line}\nold\n")).unwrap();
        assert_eq!(project.run(&["completions", "--install"]).status, 0);
        assert_eq!(std::fs::read_to_string(project.home().join(file)).unwrap(), written);
        std::fs::write(project.home().join(file), "# mine\n").unwrap();
        let other = project.run(&["completions", "--install"]);
        let expected = format!(
            "error: ~/{file} exists, and flyball did not write it\n help: move it away, then run this again\n"
        );
        assert_eq!((other.status, other.stdout.as_str(), other.stderr), (2, "", expected));
        let start_up = [".bashrc", ".zshrc", ".config/fish/config.fish"];
        assert!(start_up.iter().all(|name| !project.home().join(name).exists()));
    }
}

#[test]
fn completions_need_a_shell_that_is_known() {
    let project = Project::new();
    let unknown = project.run(&["completions", "--install"]);
    let expected =
        "error: the shell is unknown: $SHELL names none\n help: name it: `flyball completions bash`\n";
    assert_eq!((unknown.status, unknown.stdout.as_str(), unknown.stderr.as_str()), (2, "", expected));
    assert_eq!(project.run(&["completions", "elvish", "--install"]).status, 2);
}

/// A program that cargo installed from a repository, and the id of that repository's newest commit.
fn installed(project: &Project) -> String {
    let root = project.folder().join("cargo");
    let upstream = project.folder().join("upstream");
    for folder in [root.join("bin"), upstream.clone()] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::hard_link(program(), root.join("bin/flyball"))
        .or_else(|_| std::fs::copy(program(), root.join("bin/flyball")).map(drop))
        .unwrap();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let done =
            Command::new("git").args(identity).args(arguments).current_dir(&upstream).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
    let commit = git(&["rev-parse", "HEAD"]);
    let key = format!("flyball 0.1.0 (git+file://{}#{commit})", upstream.display());
    std::fs::write(root.join(".crates2.json"), json!({ "installs": { key: {} } }).to_string()).unwrap();
    commit
}

#[test]
fn an_update_is_looked_for_only_when_asked_and_then_noticed() {
    let project = Project::new();
    installed(&project);
    let upstream = project.folder().join("upstream");
    let flyball = |arguments: &[&str]| {
        let mut command = project.command(arguments);
        let environment: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_owned(), value.unwrap().to_owned())).collect();
        command = Command::new(project.folder().join("cargo/bin/flyball"));
        command.args(arguments).current_dir(project.root()).env_clear().envs(environment);
        run(command, b"")
    };
    let shown = flyball(&["update", "--json"]).json();
    assert_eq!(shown.get("source"), Some(&json!("git")));
    assert_eq!(shown.get("newer"), None);
    let update = format!("cargo install --locked --git file://{} flyball", upstream.display());
    assert_eq!(shown.get("update"), Some(&json!(update)));
    let same = flyball(&["update", "--check"]);
    assert_eq!((same.status, same.stderr.as_str()), (0, ""), "{}", same.stdout);
    assert!(same.stdout.ends_with("✓ there is nothing newer\n"), "{}", same.stdout);
    assert!(!flyball(&["status"]).stdout.contains("newer"));
    let committed = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.com",
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            "second",
        ])
        .current_dir(&upstream)
        .status();
    assert!(committed.unwrap().success());
    let newer = flyball(&["update", "--check"]);
    assert_eq!((newer.status, newer.stderr.as_str()), (1, ""), "{}", newer.stdout);
    assert!(newer.stdout.contains("there is something newer: commit "), "{}", newer.stdout);
    assert!(flyball(&["status"]).stdout.contains("There is a newer flyball (commit "));
    // Another program is not told.
    assert!(!project.run(&["status"]).stdout.contains("newer"));
}
