//! The committed reference is what the program says of itself today.

use std::path::Path;

use crate::support::Project;

#[test]
fn the_reference_is_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let ran = Project::new().run(&["reference", "--check", &docs.to_string_lossy()]);
    let help = "refresh with: cargo run -- reference --write docs/reference";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""), "{help}");
}

#[test]
fn what_is_stale_or_missing_is_named_with_the_command_that_mends_it() {
    let project = Project::new();
    let written = project.root().join("docs");
    let written = written.to_string_lossy();
    assert_eq!(project.run(&["reference", "--write", &written]).status, 0);
    project.file("docs/events.md", "# Events and tools\n\nby hand\n");
    std::fs::remove_file(project.root().join("docs/config.md")).unwrap();
    let ran = project.run(&["reference", "--check", &written]);
    let expected = format!(
        "{written}/config.md is missing\n{written}/events.md:3 is out of date\nrefresh with: cargo run -- reference --write docs/reference\n"
    );
    assert_eq!((ran.status, ran.stdout, ran.stderr.as_str()), (1, expected, ""));
}

#[test]
fn the_readme_lists_every_policy_as_it_is() {
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let listed: Vec<&str> = readme.lines().filter(|line| line.starts_with("| [`")).collect();
    let ran = Project::new().run(&["policies", "--json"]);
    let policies: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).unwrap();
    let line = |policy: &serde_json::Value| {
        let (id, summary) = (policy["id"].as_str().unwrap(), policy["summary"].as_str().unwrap());
        format!("| [`{id}`](docs/reference/policies.md) | {summary} |")
    };
    assert_eq!(listed, policies.iter().map(line).collect::<Vec<_>>());
}

#[test]
fn every_shell_gets_completions() {
    let project = Project::new();
    for (shell, mark) in [
        ("bash", "complete -F _flyball"),
        ("zsh", "#compdef flyball"),
        ("fish", "complete -c flyball"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[flyball]"),
    ] {
        let ran = project.run(&["completions", shell]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{shell}");
        assert!(ran.stdout.contains(mark), "{shell}");
    }
}
