//! What the options change: which findings count, linters of whole projects, and the model.

use super::{UNUSED, project, shown};
use crate::support::{Project, commit, git};

/// A repository whose one file had a finding before, and has two now.
fn grown() -> Project {
    let project = project();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    project.file("a.py", UNUSED);
    commit(&project);
    project.file("a.py", &format!("{UNUSED}\n\ndef more() -> int:\n    idle = 2\n    return 43\n"));
    project
}

const OLD: &str = "  2:5  warning  F841  Local variable `unused` is assigned to but never used  ruff\n";

/// The page about the file, with or without the finding that is old.
fn page(old: &str, line: u32, numbers: &str) -> String {
    let new =
        format!("  {line}:5  warning  F841  Local variable `idle` is assigned to but never used    ruff");
    let new = if old.is_empty() { new.replace("used    ruff", "used  ruff") } else { new };
    format!("a.py\n{old}{new}\n\n{numbers}")
}

fn lint(project: &Project, arguments: &[&str]) -> (i32, String) {
    let ran = project.run(&[&["lint", "--linter", "ruff"], arguments].concat());
    let (status, stdout, stderr) = shown(&ran);
    assert_eq!(stderr, "", "{stdout}");
    (status, stdout)
}

#[test]
fn the_scope_of_the_command_line_counts_instead_of_the_configured_one() {
    let all = page(OLD, 7, "2 findings in 1 file · 1 file, 1 linter, TIME");
    let narrow = page(
        "",
        7,
        "1 finding in 1 file · 1 older finding left out (--scope file shows it) · 1 file, 1 linter, TIME",
    );
    for configured in ["file", "changed-lines", "new"] {
        let project = grown();
        project.config(&format!("[quality]\nscope = \"{configured}\"\n"));
        let own = if configured == "file" { &all } else { &narrow };
        assert_eq!(lint(&project, &["a.py"]), (1, own.clone()), "{configured}");
        for (scope, expected) in [("file", &all), ("changed-lines", &narrow), ("new", &narrow)] {
            let printed = lint(&project, &["--scope", scope, "a.py"]);
            assert_eq!(printed, (1, expected.clone()), "{configured} {scope}");
        }
    }
}

#[test]
fn nothing_is_new_against_the_commit_that_has_it_all() {
    let project = grown();
    commit(&project);
    let numbers =
        "no findings · 2 older findings left out (--scope file shows them) · 1 file, 1 linter, TIME";
    for scope in ["changed-lines", "new"] {
        assert_eq!(lint(&project, &["--scope", scope]), (0, numbers.to_owned()), "{scope}");
    }
}

#[test]
fn linters_of_the_whole_project_run_only_if_they_are_asked_for() {
    let project = project();
    let piece: String = (0..12)
        .map(|at| format!("  const v{at} = compute({at}, 'x');\n  if (v{at} > {at}) log(v{at});\n"))
        .collect();
    project.file(".jscpd.json", "{}");
    project.file("src/a.ts", &format!("function a() {{\n{piece}}}\n"));
    project.file("src/b.ts", &format!("function b() {{\n{piece}}}\n"));
    let found = |arguments: &[&str]| {
        let json = project.run(&[&["lint", "--format", "json"], arguments].concat()).json();
        let findings = json["findings"].as_array().unwrap().clone();
        let of_jscpd = findings.into_iter().filter(|finding| finding["linter"] == "jscpd");
        of_jscpd.map(|finding| finding["file"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), [""; 0]);
    assert_eq!(found(&["--project", "--linter", "jscpd"]), ["src/a.ts", "src/b.ts"]);
}

#[test]
fn a_model_is_asked_only_if_the_project_enables_it() {
    let project = project();
    project.file("a.py", UNUSED);
    let left = |note: &str| format!("a.py\n{OLD}\n{note}1 finding in 1 file · 1 file, 1 linter, TIME");
    assert_eq!(lint(&project, &["--fix", "--model", "a.py"]), (1, left("")));
    project.config("[quality.fixer]\nenabled = true\nprogram = \"no-such-client\"\n");
    let note = "a.py: haiku did not fix it: `no-such-client` was not found: install the client, or set `quality.fixer.program`\n";
    assert_eq!(lint(&project, &["--fix", "--model", "a.py"]), (1, left(note)));
    assert_eq!(lint(&project, &["--fix", "a.py"]), (1, left("")));
    assert_eq!(std::fs::read_to_string(project.root().join("a.py")).unwrap(), UNUSED);
}
