//! What describes the program, and where commands went that are not part of it any more.

use std::path::Path;

use crate::support::Project;

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

#[test]
fn a_command_that_moved_is_an_error_with_its_replacement() {
    let project = Project::new();
    for (arguments, run) in [
        (&["bench"][..], "cargo dev bench"),
        (&["bench", "--quick", "--json"], "cargo dev bench --quick --json"),
        (&["reference", "--write", "docs/reference"], "cargo dev reference --write docs/reference"),
    ] {
        let ran = project.run(arguments);
        let expected = format!(
            "error: `flyball {}` is a development command and no longer part of the program\n help: run `{run}` in the repository\n",
            arguments[0]
        );
        assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr), (2, "", expected));
    }
}
