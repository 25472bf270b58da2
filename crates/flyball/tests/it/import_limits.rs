//! `flyball import limits`, by real processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use crate::support::{ProcessResult, Project};

const FILE: &str = ".claude/config/orchestration-limits.yaml";

/// Every key that there is, none of them at its default.
const ALL: &str = "\
inter_phase:
  max_feedback_iterations: 7 # a colon: in a remark
  max_consecutive_review_failures: 4
  max_consecutive_test_failures: 2
intra_task:
  max_iterations: 12
  max_runtime_minutes: 20
  consecutive_error_limit: 5
  loop_detection_threshold: 6
orchestrator:
  requirement_compliance_retries: 1
  quality_fix_retries: 2
  test_fix_retries: 3
escalation:
  default_action: ask_user
  include_iteration_history: true
  max_user_continue_iterations: 8
  options: [Continue, Abort]
extra:
  x: 1
";

fn parts(ran: &ProcessResult) -> (i32, &str, &str) {
    (ran.status, ran.stdout.as_str(), ran.stderr.as_str())
}

fn config(project: &Project) -> toml::Table {
    std::fs::read_to_string(project.root().join("flyball.toml")).unwrap().parse().unwrap()
}

#[test]
fn every_value_is_imported_or_listed_with_a_reason() {
    let project = Project::new();
    project.file(FILE, ALL);
    let ran = project.run(&["import", "limits"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let (report, toml) =
        ran.stdout.split_once("\nto add to flyball.toml (run again with --write):\n\n").unwrap();
    let lines: Vec<&str> =
        report.lines().map(|line| line.strip_prefix(&format!("{FILE}: ")).unwrap_or(line)).collect();
    assert_eq!(
        lines,
        [
            "inter_phase.max_consecutive_review_failures = 4 → loop.feedback.phase: max_failures = 4 in `review`, with all phases",
            "inter_phase.max_consecutive_test_failures = 2 → loop.feedback.phase: max_failures = 2 in `testing`, with all phases",
            "inter_phase.max_feedback_iterations = 7 → loop.feedback.max_iterations = 7",
            "intra_task.max_iterations = 12 → loop.iterations.max_iterations = 12",
            "intra_task.max_runtime_minutes = 20 → loop.iterations.max_runtime = \"20m\"",
            "intra_task.consecutive_error_limit = 5 → loop.iterations.consecutive_errors = 5",
            "intra_task.loop_detection_threshold = 6 → loop.iterations.repeated_calls = 6",
            "orchestrator.quality_fix_retries = 2 not imported: it does not name the skills; write [[loop.iterations.pattern]] with name = \"quality_fix\", retries = 2 and `skills`",
            "orchestrator.requirement_compliance_retries = 1 not imported: it does not name the skills; write [[loop.iterations.pattern]] with name = \"requirement_compliance\", retries = 1 and `skills`",
            "orchestrator.test_fix_retries = 3 not imported: it does not name the skills; write [[loop.iterations.pattern]] with name = \"test_fix\", retries = 3 and `skills`",
            "escalation.default_action = \"ask_user\" not imported: built in: a person is always asked",
            "escalation.include_iteration_history = true not imported: built in: the history is always shown",
            "escalation.max_user_continue_iterations = 8 → loop.feedback.grant = 8",
            "escalation.options = [\"Continue\",\"Abort\"] not imported: built in: flyball loop continue, accept, abort, handoff, status",
            "extra.x = 1 not imported: unknown key",
        ]
    );
    let (toml, off) = toml.split_once("\n\nloop.feedback is off here").unwrap();
    let table: toml::Table = toml.parse().unwrap();
    let feedback = table["loop"]["feedback"].as_table().unwrap();
    assert_eq!(feedback["max_iterations"].as_integer(), Some(7));
    assert_eq!(feedback["grant"].as_integer(), Some(8));
    let phases = feedback["phase"].as_array().unwrap();
    let failures: Vec<(&str, Option<i64>)> = phases
        .iter()
        .map(|phase| {
            (phase["name"].as_str().unwrap(), phase.get("max_failures").and_then(toml::Value::as_integer))
        })
        .collect();
    assert_eq!(failures, [("review", Some(4)), ("test-planning", None), ("testing", Some(2))]);
    assert!(off.contains("\n\nloop.iterations is off here"), "{off}");
    assert!(!project.root().join("flyball.toml").exists());
}

#[test]
fn what_is_written_is_in_force_and_never_written_twice() {
    let project = Project::new();
    let text = "inter_phase: {max_feedback_iterations: 7, max_consecutive_test_failures: 2}\n";
    project.file("limits.yaml", text).config("# mine\n[loop.feedback]\nmode = \"enforce\"\n");
    let ran = project.run(&["import", "limits", "limits.yaml", "--write"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(!ran.stdout.contains("is off here"), "{}", ran.stdout);
    let feedback = config(&project)["loop"]["feedback"].clone();
    assert_eq!(feedback["max_iterations"].as_integer(), Some(7));
    assert_eq!(feedback["phase"].as_array().unwrap().len(), 3);
    assert_eq!(project.run(&["config", "check"]).status, 0);
    let before = std::fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    assert!(before.starts_with("# mine\n"), "{before}");
    let ran = project.run(&["import", "limits", "limits.yaml", "--write"]);
    assert_eq!(
        parts(&ran),
        (
            0,
            "limits.yaml: inter_phase.max_consecutive_test_failures = 2 not imported: the phase `testing` already has it\n\
             limits.yaml: inter_phase.max_feedback_iterations = 7 → loop.feedback.max_iterations = 7\n\
             \nflyball.toml already has all of it; nothing changed\n",
            ""
        )
    );
    assert_eq!(std::fs::read_to_string(project.root().join("flyball.toml")).unwrap(), before);
}

#[test]
fn the_limits_of_a_task_are_written_and_the_file_is_valid() {
    let project = Project::new();
    project.file(FILE, ALL);
    let ran = project.run(&["import", "limits", "--write"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let iterations = config(&project)["loop"]["iterations"].clone();
    let expected: toml::Table =
        "max_iterations = 12\nmax_runtime = \"20m\"\nconsecutive_errors = 5\nrepeated_calls = 6\n"
            .parse()
            .unwrap();
    assert_eq!(iterations, toml::Value::Table(expected));
    let checked = project.run(&["config", "check"]);
    assert_eq!((checked.status, checked.stderr.as_str()), (0, ""), "{}", checked.stdout);
    let shown = project.run(&["config", "show"]);
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""), "{}", shown.stdout);
    assert!(shown.stdout.contains("max_runtime = \"20m\""), "{}", shown.stdout);
    let before = std::fs::read_to_string(project.root().join("flyball.toml")).unwrap();
    assert_eq!(project.run(&["import", "limits", "--write"]).status, 0);
    assert_eq!(std::fs::read_to_string(project.root().join("flyball.toml")).unwrap(), before);
}

#[test]
fn phases_of_ones_own_and_defaults_are_left_as_they_are() {
    let project = Project::new();
    let text = "inter_phase:\n  max_feedback_iterations: 5\n  max_consecutive_review_failures: 9\n  max_consecutive_test_failures: 9\n";
    project.file(FILE, text);
    project.config("[[loop.feedback.phase]]\nname = \"review\"\nheading = \"R\"\npass = \"P\"\nfail = \"F\"\nagents = [\"reviewer\"]\n");
    assert_eq!(
        parts(&project.run(&["import", "limits"])),
        (
            0,
            ".claude/config/orchestration-limits.yaml: inter_phase.max_consecutive_review_failures = 9 not imported: flyball.toml has its own phases; write `max_failures = 9` in `review`\n\
             .claude/config/orchestration-limits.yaml: inter_phase.max_consecutive_test_failures = 9 not imported: loop.feedback has no phase `testing`\n\
             .claude/config/orchestration-limits.yaml: inter_phase.max_feedback_iterations = 5 not imported: already the default\n\
             \nnothing to add to flyball.toml\n",
            ""
        )
    );
}

#[test]
fn a_file_that_is_not_there_or_broken_is_an_error() {
    let project = Project::new();
    let ran = project.run(&["import", "limits"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("`.claude/config/orchestration-limits.yaml` does not exist"),
        "{}",
        ran.stderr
    );
    project.file("x.yaml", "inter_phase:\n  max_feedback_iterations: many\n");
    let ran = project.run(&["import", "limits", "x.yaml"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("`x.yaml`: ") && ran.stderr.contains("line 2"), "{}", ran.stderr);
}
