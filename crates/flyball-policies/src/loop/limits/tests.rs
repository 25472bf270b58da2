//! Files of limits as people have them.

use super::{Escalation, InterPhase, IntraTask, Limits, Orchestrator, limits_from_yaml};

#[test]
fn every_key_of_the_three_levels_is_read() {
    let text = "\
# All loop limits: one place.
inter_phase:
  max_feedback_iterations: 5 # Max cycles: Implementation→Review→Test
  max_consecutive_review_failures: 3 # Escalate: if the same issue persists
  max_consecutive_test_failures: 4
intra_task:
  max_iterations: 10   # one agent
  max_runtime_minutes: 15 # time: minutes
  consecutive_error_limit: 6
  loop_detection_threshold: 7
orchestrator:
  requirement_compliance_retries: 1
  quality_fix_retries: 2
  test_fix_retries: 8
escalation:
  default_action: ask_user
  include_iteration_history: true
  max_user_continue_iterations: 3
  options: [Continue, 'Accept current', Review history, Abort]
";
    let limits = limits_from_yaml(text).unwrap();
    let expected = Limits {
        inter_phase: InterPhase {
            max_feedback_iterations: Some(5),
            max_consecutive_review_failures: Some(3),
            max_consecutive_test_failures: Some(4),
        },
        intra_task: IntraTask {
            max_iterations: Some(10),
            max_runtime_minutes: Some(15),
            consecutive_error_limit: Some(6),
            loop_detection_threshold: Some(7),
        },
        orchestrator: Orchestrator {
            requirement_compliance_retries: Some(1),
            quality_fix_retries: Some(2),
            test_fix_retries: Some(8),
        },
        escalation: Escalation {
            default_action: Some("ask_user".to_owned()),
            include_iteration_history: Some(true),
            max_user_continue_iterations: Some(3),
            options: Some(
                ["Continue", "Accept current", "Review history", "Abort"].map(str::to_owned).into(),
            ),
        },
        values: limits.values.clone(),
    };
    assert_eq!(limits, expected);
}

#[test]
fn missing_keys_are_none() {
    let none = Limits::default();
    for text in ["", "# nothing\n", "---\n", "intra_task:\n", "intra_task: {}\ninter_phase: ~\n"] {
        let limits = Limits { values: none.values.clone(), ..limits_from_yaml(text).unwrap() };
        assert_eq!(limits, none, "{text:?}");
    }
}

#[test]
fn a_key_counts_in_its_own_section_only() {
    let limits =
        limits_from_yaml("other:\n  max_iterations: 99\nintra_task:\n  max_iterations: 2\n").unwrap();
    assert_eq!(limits.intra_task, IntraTask { max_iterations: Some(2), ..IntraTask::default() });
}

#[test]
fn unknown_keys_are_stored_and_do_no_harm() {
    let text = "version: 2\nintra_task:\n  max_iteration: 3\n  scratchpad: a\norchestrator:\n  test_fix_retries: 1\n";
    let limits = limits_from_yaml(text).unwrap();
    assert_eq!(
        (&limits.values["version"], &limits.values["intra_task"]["scratchpad"]),
        (&2.into(), &"a".into())
    );
    assert_eq!(limits.orchestrator.test_fix_retries, Some(1));
}

#[test]
fn errors_name_their_line() {
    let cases = [
        ("intra_task:\n  max_iterations: many\n", 2),
        ("intra_task:\n  max_iterations: -1\n", 2),
        ("intra_task:\n  max_iterations: 1.5\n", 2),
        ("intra_task: 5\n", 1),
        ("- a\n- b\n", 1),
        ("escalation:\n  include_iteration_history: 3\n", 2),
        ("intra_task:\n  max_iterations: [\n", 2),
    ];
    for (text, line) in cases {
        let error = limits_from_yaml(text).unwrap_err();
        assert!(error.contains(&format!("line {line}")), "{text:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
