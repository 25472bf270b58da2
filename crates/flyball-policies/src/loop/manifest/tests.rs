//! How manifests are read, and texts that are not manifests.

use super::*;

const WHOLE: &str = r#"
feature_name: "User login"
feature_slug: user-login
created_at: 2026-11-14T10:00:00Z
created_by: someone
description: Log in with a password
status: in-progress
current_phase: implementation
phases:
  design:
    status: complete
    agent: architect
  implementation:
    status: in_progress
  review:
    status: pending
agents_contributed:
  - agent: architect
    artifact: design.md
    timestamp: 2026-11-14T11:00:00Z
    status: complete
artifacts:
  - path: design.md
    type: design
    agent: architect
verification:
  build: passed
  tests:
    status: failed
  review: ~
"#;

fn phase(name: &str, status: &str) -> Phase {
    Phase { name: name.to_owned(), status: status.to_owned() }
}

#[test]
fn every_known_key_is_read_and_unknown_ones_are_skipped() {
    let checked =
        |what: &str, result: &str| Verification { what: what.to_owned(), result: result.to_owned() };
    let expected = Manifest {
        feature_name: "User login".to_owned(),
        feature_slug: "user-login".to_owned(),
        description: "Log in with a password".to_owned(),
        status: "in-progress".to_owned(),
        current_phase: "implementation".to_owned(),
        phases: vec![
            phase("design", "complete"),
            phase("implementation", "in_progress"),
            phase("review", "pending"),
        ],
        agents_contributed: vec![Contribution {
            agent: "architect".to_owned(),
            artifact: "design.md".to_owned(),
            timestamp: "2026-11-14T11:00:00Z".to_owned(),
            status: "complete".to_owned(),
        }],
        artifacts: vec![Artifact {
            path: "design.md".to_owned(),
            kind: "design".to_owned(),
            agent: "architect".to_owned(),
        }],
        verification: vec![checked("build", "passed"), checked("tests", "failed"), checked("review", "")],
    };
    assert_eq!(read(WHOLE), Ok(expected));
}

#[test]
fn phases_are_read_in_every_form_that_agents_write() {
    let cases = [
        ("a number", "current_phase: 3\nphases: {3: {status: pending}}", "3", vec![phase("3", "pending")]),
        ("a plain status", "current_phase: a\nphases: {a: done}", "a", vec![phase("a", "done")]),
        ("a list of names", "phases: [a, b]", "", vec![phase("a", ""), phase("b", "")]),
        (
            "a list of entries",
            "phases:\n- name: a\n  status: complete\n- phase: 2\n  status: pending\n- c: blocked\n",
            "",
            vec![phase("a", "complete"), phase("2", "pending"), phase("c", "blocked")],
        ),
        ("nothing", "phases:\ncurrent_phase:\n", "", vec![]),
        ("something else", "phases: 4\ncurrent_phase: [a]\n", "", vec![]),
        ("a key twice", "current_phase: a\ncurrent_phase: b\n", "b", vec![]),
        ("words that were booleans once", "current_phase: on\n", "on", vec![]),
    ];
    for (name, text, current, phases) in cases {
        let expected = Manifest { current_phase: current.to_owned(), phases, ..Manifest::default() };
        assert_eq!(read(text), Ok(expected), "{name}");
    }
}

#[test]
fn an_empty_file_is_an_empty_manifest() {
    for text in ["", "\n", "# a comment\n", "---\n", "{}", "\u{feff}# with a mark\n"] {
        assert_eq!(read(text), Ok(Manifest::default()), "{text:?}");
    }
}

#[test]
fn a_workflow_runs_until_its_status_or_phases_end_it() {
    let cases = [
        ("in a phase", "current_phase: a", true),
        ("with a status", "current_phase: a\nstatus: in-progress", true),
        ("without a phase", "status: in-progress", false),
        ("complete", "current_phase: a\nstatus: complete", false),
        ("complete, shouted", "current_phase: a\nstatus: ' COMPLETED '", false),
        ("blocked", "current_phase: a\nstatus: blocked", false),
        ("cancelled", "current_phase: a\nstatus: cancelled", false),
        ("its phase is blocked", "current_phase: a\nphases: {a: blocked, b: pending}", false),
        ("between two phases", "current_phase: a\nphases: {a: complete, b: pending}", true),
        ("after the last phase", "current_phase: b\nphases: {a: complete, b: complete}", false),
        (
            "after the last phase, with an open status",
            "current_phase: b\nphases: {b: complete}\nstatus: open",
            true,
        ),
        ("complete by name", "current_phase: complete", false),
        ("a phase that is not listed", "current_phase: z\nphases: {a: complete}", true),
    ];
    for (name, text, expected) in cases {
        assert_eq!(read(text).unwrap().is_running(), expected, "{name}");
    }
}

#[test]
fn broken_yaml_is_an_error_with_its_place() {
    let cases = [
        ("a: [1, 2", "line 1, column 4: unclosed bracket '['"),
        ("a: b\n  c: d\n", "line 2, column 4: mapping values are not allowed in this context"),
        ("a: \"b\nc: d\n", "line 2, column 1: invalid indentation in multiline quoted scalar"),
        ("a: *nowhere\n", "line 1, column 4: alias references unknown anchor"),
        ("a: b\n---\nc: d\n", "line 3, column 1: multiple YAML documents detected"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text).unwrap_err().to_string(), expected, "{text:?}");
    }
    assert_eq!(read("- a\n- b\n"), Err(ManifestError::NotAMap));
    assert_eq!(read("just words"), Err(ManifestError::NotAMap));
}

#[test]
fn malicious_yaml_is_refused() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let below = level - 1;
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", vec![format!("*a{below}"); 9].join(", ")));
    }
    let deep_flow = format!("a: {}{}\n", "[".repeat(100_000), "]".repeat(100_000));
    let deep_block: String = (0..2_000).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    for (name, text) in [("aliases", bomb), ("flow", deep_flow), ("block", deep_block)] {
        assert!(
            matches!(read(&text), Err(ManifestError::InvalidYaml { .. } | ManifestError::TooLong)),
            "{name}"
        );
    }
    let long = format!("feature_name: {}\n", "x".repeat(10 * 1024 * 1024));
    assert_eq!(read(&long), Err(ManifestError::TooLong));
    let wide: String = (0..40_000).map(|number| format!("k{number}: v\n")).collect();
    assert!(matches!(read(&wide), Err(ManifestError::InvalidYaml { .. })));
    let recursive = "a: &a [*a]\n";
    assert!(read(recursive).is_err());
}
