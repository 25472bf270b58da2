//! What describes the program, and where commands went that are not part of it any more.

use crate::support::Project;

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
