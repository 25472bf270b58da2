//! Terminals of 50 columns: nothing that people read has a longer line, except for words that cannot be broken.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::path::PathBuf;

use crate::support::{ProcessResult, Project, run};

const COLUMNS: usize = 50;

/// A project whose record is that of the demo.
struct Narrow {
    project: Project,
    demo: PathBuf,
}

impl Narrow {
    fn new() -> Narrow {
        let project = Project::new();
        let temporary = project.folder().join("t");
        std::fs::create_dir(&temporary).unwrap();
        let project =
            project.with("TMPDIR", &temporary.to_string_lossy()).with("COLUMNS", &COLUMNS.to_string());
        let demo = project.run(&["demo", "--keep"]);
        assert_narrow(&["demo"], &demo);
        let demo = std::fs::read_dir(temporary).unwrap().next().unwrap().unwrap().path();
        Narrow { project, demo }
    }

    fn run(&self, arguments: &[&str]) -> ProcessResult {
        let mut command = self.project.command(arguments);
        command.current_dir(self.demo.join("project"));
        command.env("FLYBALL_STATE_DIR", self.demo.join("state"));
        command.env("FLYBALL_CONFIG_DIR", self.demo.join("config"));
        run(command, b"")
    }
}

#[track_caller]
fn assert_narrow(arguments: &[&str], ran: &ProcessResult) {
    assert!(!ran.stdout.is_empty() || !ran.stderr.is_empty(), "{arguments:?} prints nothing");
    for line in ran.stdout.lines().chain(ran.stderr.lines()) {
        let indent = line.chars().take_while(|character| *character == ' ').count();
        let widest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or_default();
        let is_unbreakable = line.split_whitespace().count() <= 2 && indent + widest + 2 > COLUMNS;
        assert!(line.chars().count() <= COLUMNS || is_unbreakable, "{arguments:?}: {line}");
    }
}

#[test]
fn every_command_fits_into_fifty_columns() {
    let narrow = Narrow::new();
    let explained = narrow.run(&["log", "--json"]).stdout;
    let denied: Vec<String> = explained
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|record| record.get("stance") == Some(&serde_json::json!("deny")))
        .filter_map(|record| Some(record.get("id")?.as_str()?.to_owned()))
        .collect();
    assert!(denied.len() > 5);
    for id in &denied {
        assert_narrow(&["explain", id], &narrow.run(&["explain", id]));
    }
    for arguments in [
        &["status"][..],
        &["log"],
        &["policies"],
        &["policies", "guard.packages"],
        &["policies", "quality"],
        &["report"],
        &["try", "git reset --hard"],
        &["try", "git push --force"],
        &["doctor"],
        &["init", "--dry-run"],
        &["init", "--yes"],
        &["doctor"],
        &["uninstall", "--dry-run"],
        &["config", "check"],
        &["test"],
        &["learn"],
        &["loop", "status"],
        &["task", "status"],
        &["memory", "resolve", "src/weather.py"],
        &["audit", "verify"],
        &["replay", "--all"],
        &["update"],
        &["explain", "nothing"],
        &["help", "nothing"],
    ] {
        assert_narrow(arguments, &narrow.run(arguments));
    }
}

#[test]
fn what_programs_read_is_never_wrapped() {
    let narrow = Narrow::new();
    let denied = narrow.run(&["log", "--json", "-n", "1"]).json();
    let id = denied.get("id").and_then(serde_json::Value::as_str).unwrap().to_owned();
    for arguments in [
        &["status", "--json"][..],
        &["policies", "--json"],
        &["report", "--json"],
        &["doctor", "--json"],
        &["config", "show", "--json"],
        &["config", "check", "--json"],
        &["config", "schema"],
        &["explain", &id, "--json"],
        &["try", "ls", "--json"],
        &["test", "--json"],
        &["learn", "list", "--json"],
        &["loop", "status", "--json"],
        &["task", "status", "--json"],
        &["memory", "stats", "--json"],
        &["memory", "resolve", "src/weather.py", "--json"],
        &["audit", "verify", "--json"],
        &["update", "--json"],
    ] {
        let ran = narrow.run(arguments);
        let json = serde_json::from_str::<serde_json::Value>(&ran.stdout);
        assert!(json.is_ok(), "{arguments:?}: {json:?}\n{}{}", ran.stdout, ran.stderr);
    }
    for line in narrow
        .run(&["log", "--json"])
        .stdout
        .lines()
        .chain(narrow.run(&["replay", "--all", "--json"]).stdout.lines())
    {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}

#[test]
fn every_page_of_help_fits_into_fifty_columns() {
    let project = Project::new().with("COLUMNS", &COLUMNS.to_string());
    let all = project.run(&["--help"]);
    assert_narrow(&["--help"], &all);
    assert_narrow(&["-h"], &project.run(&["-h"]));
    let is_name = |name: &&str| name.starts_with(|first: char| first.is_ascii_lowercase());
    let names = all.stdout.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let names: Vec<&str> =
        names.filter(is_name).filter(|name| all.stdout.contains(&format!("\n  {name} "))).collect();
    assert!(names.len() > 35, "{names:?}");
    for name in names {
        assert_narrow(&["help", name], &project.run(&["help", name]));
    }
}
