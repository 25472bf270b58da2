//! Known defects of such loops. Those of markers are tested with the markers, those of globs with the config.

use flyball_core::event::{Agent, Event, EventData, Stopping};
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::Stance;

use super::{APPROVED, ON, PASSED, PLANNED, REJECTED, SHORT, Session, silence};
use crate::testing::event;

#[test]
fn defect_03_an_edit_after_approval_has_to_be_reviewed() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    session.agent("backend-reviewer", APPROVED);
    session.edit("pkg/b.go", "another file");
    assert_eq!(session.stop().0, Stance::Deny);
    let line = "loop: iteration 1 of 5, backend: review reopened, test-planning open, testing open";
    assert_eq!(session.line().as_deref(), Some(line));
}

#[test]
fn defect_05_the_state_survives_compaction_and_resume() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    session.agent("reviewer", REJECTED);
    let before = session.state();
    let mut other = session.another();
    other.edit("src/b.go", "theirs");
    let theirs = other.state();
    for source in ["compact", "resume"] {
        session.start(source);
        assert_eq!(session.state(), before, "{source}");
    }
    session.start("startup");
    assert_eq!(other.state(), theirs);
}

#[test]
fn defect_06_a_path_or_a_word_is_not_a_workflow() {
    let mut session = Session::new(ON);
    session.edit("src/features/x.go", "/feature /capability orchestrating-feature");
    let stopping =
        Stopping { last_message: "see /feature and /integration".to_owned(), ..Stopping::default() };
    let mut stop = event(EventData::Stop(stopping));
    stop.transcript = Some(AbsolutePath::from_root("/home/dev/features/feature.jsonl"));
    session.files.insert("/home/dev/features/feature.jsonl".to_owned(), "run /feature now".to_owned());
    assert_eq!(session.output(stop).0, Stance::Deny);
}

#[test]
fn defect_08_edits_of_developers_count_like_any() {
    let mut session = Session::new(SHORT);
    let developer = Agent { id: "d1".to_owned(), role: "backend-developer".to_owned() };
    session.edit_by(Some(developer.clone()), "src/a.go", "one");
    assert_eq!(session.finishes(&developer, "done"), silence());
    assert_eq!(session.stop().0, Stance::Deny);
}

#[test]
fn defect_12_a_block_is_one_denial_with_the_whole_reason() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    session.edit("a.py", "one");
    let judgement = session.happens(event(EventData::Stop(Stopping::default())));
    assert_eq!((judgement.merged.stance, judgement.merged.reasons.len()), (Stance::Deny, 1));
    assert!(judgement.merged.notices.is_empty());
}

#[test]
fn defect_13_relative_paths_are_in_the_loop() {
    for path in ["ui/src/a.ts", "./ui/src/a.ts", "/project/ui/src/a.ts", ".claude/tools/x.ts"] {
        let mut session = Session::new(ON);
        session.files.insert("/project/ui/src/a.ts".to_owned(), "one".to_owned());
        session.edit(path, "one");
        assert_eq!(session.stop().0, Stance::Deny, "{path}");
    }
}

#[test]
fn defect_27_the_status_line_is_right() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    let steps = [
        ("backend-reviewer", REJECTED, "1 of 5, backend: review failed, test-planning open, testing open"),
        ("backend-reviewer", APPROVED, "1 of 5, backend: test-planning open, testing open"),
        ("test-lead", PLANNED, "1 of 5, backend: testing open"),
        ("backend-tester", super::FAILED, "2 of 5, backend: review open, test-planning open, testing failed"),
    ];
    for (role, text, line) in steps {
        session.agent(role, text);
        let (_, _, context, _) = session.prompt("how far?");
        assert_eq!(context, [format!("loop: iteration {line}")]);
    }
    session.edit("pkg/a.go", "two");
    for (role, text) in [("backend-reviewer", APPROVED), ("test-lead", PLANNED), ("backend-tester", PASSED)] {
        session.agent(role, text);
    }
    assert_eq!(session.prompt("how far?"), silence());
}

#[test]
fn defect_31_quotes_in_names_are_shown_unchanged() {
    let config = r#"
[loop.feedback]
mode = "enforce"

[[loop.feedback.phase]]
name = 'the "hard" one'
heading = 'A "Result"'
pass = 'YES"'
fail = 'NO\'
agents = ['the "boss"']

[[loop.feedback.domain]]
name = 'my "code"'
paths = ['src/**']
"#;
    let mut session = Session::new(config);
    session.edit("src/a.go", "one");
    let judgement = session.happens(event(EventData::Stop(Stopping::default())));
    let verdict = judgement.rulings[0].verdict.clone();
    let reason = verdict.reasons[0].text();
    assert!(
        reason
            .contains("my \"code\" (src/a.go)\n  1. the \"hard\" one: not done yet; spawn `the \"boss\"`\n")
    );
    let json = serde_json::to_string(&verdict).unwrap();
    assert_eq!(serde_json::from_str::<flyball_core::verdict::Verdict>(&json).unwrap(), verdict);
    let boss = session.starts("the \"boss\"");
    let asked = EventData::AgentStop { stopping: Stopping::default(), transcript: None };
    assert_eq!(session.output(Event { agent: Some(boss.clone()), ..event(asked) }).0, Stance::Deny);
    assert_eq!(session.finishes(&boss, "## A \"Result\"\nYES\"\nDomains: my \"code\""), silence());
    assert_eq!(session.stop(), silence());
}
