//! `flyball config`, by real processes.

use crate::support::Project;
use serde_json::{Value, json};

fn project() -> Project {
    Project::new().with("COLUMNS", "400")
}

fn masked(text: &str, project: &Project) -> String {
    let text = text.replace(&*project.root().to_string_lossy(), "PROJECT");
    text.replace(&*project.home().to_string_lossy(), "HOME")
}

#[test]
fn files_that_are_fine_are_listed() {
    let project = project();
    project.config("[guard.self]\nmode = \"observe\"\n");
    let ran = project.run(&["config", "check"]);
    let expected = "\
layer    state      file
managed  not there  /etc/flyball/managed.toml
user     not there  HOME/.config/flyball/config.toml
project  fine       PROJECT/flyball.toml
";
    assert_eq!((ran.status, masked(&ran.stdout, &project).as_str(), ran.stderr.as_str()), (0, expected, ""));
    assert_eq!(project.run(&["config", "check", "--json"]).json(), json!([]));
}

#[test]
fn what_is_wrong_is_shown_with_its_lines() {
    let project = project();
    project.config("[guard.slef]\nmode = \"off\"\n");
    let ran = project.run(&["config", "check"]);
    let expected = "\
error: unknown section `guard.slef`
  ╭▸ flyball.toml:1:8
  │
1 │ [guard.slef]
  │        ━━━━
  │
  ╰ help: did you mean `guard.self`?

layer    state      file
managed  not there  /etc/flyball/managed.toml
user     not there  HOME/.config/flyball/config.toml
project  1 error    PROJECT/flyball.toml
";
    assert_eq!((ran.status, masked(&ran.stdout, &project).as_str(), ran.stderr.as_str()), (1, expected, ""));
    let ran = project.run(&["config", "check", "--json"]);
    let finding = json!({
        "severity": "error", "message": "unknown section `guard.slef`", "help": "did you mean `guard.self`?",
        "layer": "project", "file": "flyball.toml", "line": 1, "column": 8,
    });
    assert_eq!((ran.status, ran.json()), (1, json!([finding])));
}

#[test]
fn each_value_is_shown_with_the_line_it_comes_from() {
    let project = project();
    project.config("[store]\nkeep_days = 7\n\n[[rule]]\nid = \"a\"\nevents = [\"stop\"]\naction = \"warn\"\nmessage = \"bye\"\n");
    let ran = project.run(&["config", "show", "--origin"]);
    let expected = "\
[store]
keep_days = 7          # flyball.toml:2
max_mb = 512           # default
payloads = \"redacted\"  # default
";
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    let rule =
        "[[rule]]  # flyball.toml:4\naction = \"warn\"\nevents = [\"stop\"]\nid = \"a\"\nmessage = \"bye\"\n";
    assert!(ran.stdout.contains(rule), "{}", ran.stdout);
    let json = project.run(&["config", "show", "--json"]).json();
    let keep_days = json.as_array().unwrap().iter().find(|value| value["key"] == "store.keep_days").unwrap();
    let place = json!({ "layer": "project", "file": "flyball.toml", "line": 2, "column": 1 });
    assert_eq!(*keep_days, json!({ "key": "store.keep_days", "value": 7, "place": place }));
}

#[test]
fn the_limits_of_a_file_are_shown_unless_a_value_is_written() {
    let project = project();
    let file = ".claude/config/orchestration-limits.yaml";
    project.file(file, "inter_phase:\n  max_feedback_iterations: 9\nintra_task:\n  max_iterations: 40\n");
    let shown = |config: &str| {
        project.config(config);
        let ran = project.run(&["config", "show", "--origin"]);
        ran.stdout
            .lines()
            .filter(|line| line.contains(file) && line.starts_with("# loop"))
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let on = "[loop.feedback]\nmode = \"enforce\"\n";
    let tasks = "[loop.iterations]\nmode = \"enforce\"\n";
    let none: Vec<String> = Vec::new();
    assert_eq!(shown(""), none);
    let iterations = format!("# loop.feedback.max_iterations = 9  {file}");
    assert_eq!(shown(on), std::slice::from_ref(&iterations));
    assert_eq!(
        shown(&format!("{on}{tasks}")),
        [iterations, format!("# loop.iterations.max_iterations = 40  {file}")]
    );
    assert_eq!(shown(&format!("{on}max_iterations = 5\n{tasks}max_iterations = 10\n")), none);
}

#[test]
fn what_is_shown_can_be_used_as_a_config() {
    let project = project();
    project.config("[guard.self]\nmode = \"observe\"\n\n[[rule]]\nid = \"a\"\nevents = [\"stop\"]\naction = \"warn\"\nmessage = \"say \\\"bye\\\"\"\n");
    let shown = project.run(&["config", "show"]).stdout;
    project.config(&shown);
    assert_eq!(project.run(&["config", "check", "--json"]).json(), json!([]));
    assert_eq!(project.run(&["config", "show"]).stdout, shown);
}

#[test]
fn broken_files_are_not_shown_as_if_they_were_in_force() {
    let project = project();
    project.config("[store]\nkeep_days = \n");
    let ran = project.run(&["config", "show"]);
    let expected = "error: the config files are broken, so their values cannot be shown\n help: until they are fixed, the last good config stays in force\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, expected));
}

#[test]
fn the_schema_knows_every_policy() {
    let project = project();
    let ran = project.run(&["config", "schema"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let schema: Value = ran.json();
    for policy in project.run(&["policies", "--json"]).json().as_array().unwrap() {
        let id = policy["id"].as_str().unwrap();
        let section = id.split('.').fold(&schema, |at, part| &at["properties"][part]);
        assert_eq!(section["properties"]["mode"]["default"], policy["default"], "{id}");
    }
}
