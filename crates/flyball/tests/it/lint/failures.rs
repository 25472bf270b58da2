//! How it ends when something is wrong that is not in the files.

use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use super::{FINE, UNUSED, project, shown};
use crate::support::{Project, run};

/// Status and output, with the folder of the test replaced.
fn output(project: &Project, arguments: &[&str]) -> (i32, String, String) {
    let ran = project.run(arguments);
    let (status, stdout, stderr) = shown(&ran);
    let folder = project.folder();
    (status, crate::support::mask_folder(&stdout, &folder), crate::support::mask_folder(stderr, &folder))
}

#[test]
fn defect_16_a_linter_that_fails_is_never_clean() {
    let project = project();
    project.file("a.py", FINE).file("ruff.toml", "line-length = \"long\"\n");
    let (status, stdout, stderr) = output(&project, &["lint", "a.py", "--linter", "ruff"]);
    assert_eq!((status, stderr.as_str()), (4, ""), "{stdout}");
    let lines: Vec<&str> = stdout.lines().collect();
    let start = "✗ ruff: cannot use its config ruff.toml:1:15: ";
    assert!(lines.first().is_some_and(|line| line.starts_with(start)), "{stdout}");
    assert_eq!(lines.last(), Some(&"no findings · 1 file, 0 linters, TIME · not checked by ruff"));
}

#[test]
fn what_asks_for_colours_changes_nothing() {
    for (name, value) in [("CI", "true"), ("FORCE_COLOR", "3")] {
        let project = project().with(name, value);
        project.file(".prettierrc", "{}\n").file("a.js", "let x = ;\n");
        project.file("b.py", "def f(:\n").file("c.sh", "#!/bin/sh\necho $1\n");
        let linters = ["prettier", "black", "ruff", "shellcheck"].map(|name| ["--linter", name]).concat();
        let (_, stdout, stderr) = output(&project, &[&["lint", "--fix"], linters.as_slice()].concat());
        assert_eq!(stderr, "", "{name}: {stdout}");
        assert!(stdout.contains("1:9  error  syntax  Unexpected token"), "{name}: {stdout}");
        assert!(!stdout.contains("exited with") && !stdout.contains("not checked"), "{name}: {stdout}");
    }
}

#[test]
fn findings_win_over_linters_that_failed() {
    let project = project();
    project
        .file("a.py", FINE)
        .file("ruff.toml", "line-length = \"long\"\n")
        .file("b.sh", "#!/bin/sh\necho $1\n");
    let (status, stdout, stderr) = output(&project, &["lint", "--linter", "ruff", "--linter", "shellcheck"]);
    assert_eq!((status, stderr.as_str()), (1, ""), "{stdout}");
}

#[test]
fn a_linter_that_is_missing_fails_only_where_it_must_not() {
    let project = project();
    let nothing = project.folder().join("empty");
    std::fs::create_dir(&nothing).unwrap();
    project.file("a.py", UNUSED);
    let project = project.with("PATH", &nothing.to_string_lossy());
    // What nobody checked is not clean.
    let expected = "no findings · 1 file, 0 linters, TIME · not installed: ruff";
    assert_eq!(output(&project, &["lint", "--linter", "ruff"]), (4, expected.to_owned(), String::new()));
    project.file("b.json", "{}\n");
    let both = ["lint", "--linter", "ruff", "--linter", "json"];
    let expected = "no findings · 2 files, 1 linter, TIME · not installed: ruff";
    assert_eq!(output(&project, &both), (0, expected.to_owned(), String::new()));
    let (status, stdout, _) = output(&project, &[&both[..], &["--strict"]].concat());
    assert_eq!(status, 4, "{stdout}");
    assert!(stdout.starts_with("! ruff: "), "{stdout}");
}

#[test]
fn wrong_arguments_are_errors_with_a_fix() {
    let project = project();
    project.config("[quality.linters.gofmt]\nenabled = false\n");
    let outside = "error: `--staged` needs a git repository, and this folder is not in one\n help: name files or folders instead: `flyball lint src`\n";
    let cases = [
        (vec!["lint", "gone.py"], "error: there is no `gone.py`\n help: name files and folders that exist\n"),
        (
            vec!["lint", "--linter", "ruuf"],
            "error: no linter is called `ruuf`\n help: did you mean `ruff`? `flyball self-test` lists them all\n",
        ),
        (
            vec!["lint", "--linter", "gofmt"],
            "error: the linter `gofmt` is disabled\n help: set `quality.linters.gofmt.enabled` to true, and switch its language on\n",
        ),
        (vec!["lint", "--staged"], outside),
        (
            vec!["lint", "--linter", "jscpd"],
            "error: the linter `jscpd` only checks whole projects\n help: add `--project`\n",
        ),
        (
            vec!["lint", "../elsewhere.py"],
            "error: `../elsewhere.py` is not in the project FOLDER/project\n help: run `flyball lint` in its own project\n",
        ),
    ];
    std::fs::write(project.folder().join("elsewhere.py"), UNUSED).unwrap();
    for (arguments, expected) in cases {
        assert_eq!(output(&project, &arguments), (2, String::new(), expected.to_owned()), "{arguments:?}");
    }
    for arguments in
        [vec!["lint", "--staged", "--changed"], vec!["lint", "--model"], vec!["lint", "--format", "xml"]]
    {
        let ran = project.run(&arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.starts_with("error: "), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_name_that_is_not_utf_8_is_refused() {
    let project = project();
    let name = std::ffi::OsStr::from_bytes(b"bad\xff.py");
    std::fs::write(project.root().join(name), UNUSED).unwrap();
    let mut command = project.command(&["lint"]);
    command.arg(name);
    let ran = run(command, b"");
    let expected = "error: the name `bad\u{fffd}.py` is not UTF-8\n help: rename it\n";
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (2, "", expected));
}

#[test]
fn with_a_broken_config_nothing_is_checked() {
    let project = project();
    project.file("a.py", UNUSED).config("[guard.slef]\nmode = \"off\"\n");
    let (status, stdout, stderr) = output(&project, &["lint"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    let expected = "\
error: the config files are broken, so nothing was checked

error: unknown section `guard.slef`
  ╭▸ flyball.toml:1:8
  │
1 │ [guard.slef]
  │        ━━━━
  │
  ╰ help: did you mean `guard.self`?

 help: fix them; `flyball config check` shows the same
";
    assert_eq!(stderr, expected);
}

/// A linter that uses 300 MB and then never ends, or only the latter.
fn odd(limit: &str, script: &str) -> String {
    format!(
        "[quality.linters.odd]\nfiles = ['*.txt']\n{limit}\n\
         check = {{ command = ['sh', '-c', '''{script}'''], folder = 'root' }}\n"
    )
}

#[test]
fn a_linter_over_its_limit_is_never_clean_and_the_limit_is_named() {
    let takes = "x=$(head -c 314572800 /dev/zero | tr \"\\0\" x); sleep 600";
    let cases = [
        ("memory_mb = 100", takes, "stopped at more than 100 MB, its memory limit", "memory_mb"),
        ("timeout_seconds = 1", "sleep 600", "stopped after 1 s, its time limit", "timeout_seconds"),
    ];
    for (limit, script, what, key) in cases {
        let project = project();
        project.config(&odd(limit, script)).file("a.txt", "one\n");
        let (status, stdout, stderr) = output(&project, &["lint", "a.txt"]);
        let expected = format!(
            "✗ odd: {what} (a.txt)\n  → raise `quality.linters.odd.{key}`, or name such files in `quality.linters.odd.exclude`\n\
             no findings · 1 file, 0 linters, TIME · not checked by odd"
        );
        assert_eq!((status, stdout, stderr), (4, expected, String::new()));
    }
}

#[test]
fn a_long_run_without_a_terminal_writes_a_line_now_and_then() {
    let project = project();
    let waits = "touch there; while [ ! -e go ]; do sleep 0.05; done";
    project.config(&odd("", waits)).file("a.txt", "one\n");
    let mut command = project.command(&["lint", "a.txt"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "flyball: 0 of 1 checks done (odd)\n");
    // Only now may the linter end.
    project.file("go", "");
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.starts_with("no findings · 1 file, 1 linter"), "{stdout}");
}
