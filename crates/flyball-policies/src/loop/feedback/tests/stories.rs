//! Whole sessions.

use flyball_core::event::{EventData, Outcome, Stopping, Tool};
use flyball_core::policy::Memory;
use flyball_core::verdict::Stance;

use super::super::machine::{LoopEvent, PersonDecision};
use super::super::report::{PhaseStatus, Status, report};
use super::{APPROVED, FAILED, ON, PASSED, PLANNED, REJECTED, SHORT, Session, background, call, silence};
use crate::testing::event;

/// Stops and expects a block, with this status line.
fn assert_blocked(session: &mut Session, line: &str) {
    let (stance, reasons, context, notices) = session.stop();
    assert_eq!((stance, reasons.len(), context.len(), notices.len()), (Stance::Deny, 1, 0, 0), "{line}");
    assert_eq!(session.line().as_deref(), Some(line));
}

#[test]
fn the_whole_loop() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    assert_blocked(
        &mut session,
        "loop: iteration 1 of 5, backend: review open, test-planning open, testing open",
    );
    assert_eq!(session.agent("backend-reviewer", REJECTED), silence());
    assert_blocked(
        &mut session,
        "loop: iteration 1 of 5, backend: review failed, test-planning open, testing open",
    );
    session.edit("pkg/a.go", "two");
    assert_eq!(session.agent("backend-reviewer", APPROVED), silence());
    assert_blocked(&mut session, "loop: iteration 1 of 5, backend: test-planning open, testing open");
    assert_eq!(session.agent("test-lead", PLANNED), silence());
    assert_eq!(session.agent("backend-tester", FAILED), silence());
    assert_blocked(
        &mut session,
        "loop: iteration 2 of 5, backend: review open, test-planning open, testing failed",
    );
    session.edit("pkg/a.go", "three");
    assert_eq!(session.agent("backend-reviewer", APPROVED), silence());
    assert_eq!(session.agent("test-lead", PLANNED), silence());
    assert_eq!(session.agent("backend-tester", PASSED), silence());
    assert_eq!(session.line(), None);
    assert_eq!(session.stop(), silence());
    assert_eq!(report(&session.state(), &session.settings()).status, Status::Passed);
}

#[test]
fn two_domains_at_once_are_named_together_and_pass_one_by_one() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    session.edit("ui/src/a.tsx", "one");
    assert_blocked(
        &mut session,
        "loop: iteration 1 of 5, frontend: review open, test-planning open, testing open; backend: review open, \
         test-planning open, testing open",
    );
    session.agent("frontend-reviewer", APPROVED);
    session.agent("backend-reviewer", APPROVED);
    // One lead plans for both.
    session.agent("test-lead", PLANNED);
    assert_blocked(&mut session, "loop: iteration 1 of 5, frontend: testing open; backend: testing open");
    session.agent("tester", &format!("{PASSED}\nDomains: frontend"));
    assert_blocked(&mut session, "loop: iteration 1 of 5, backend: testing open");
    session.agent("tester", &format!("{PASSED}\nDomains: backend"));
    assert_eq!(session.stop(), silence());
}

#[test]
fn an_edit_through_the_shell_reopens_what_had_passed() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    session.agent("reviewer", APPROVED);
    assert_eq!(session.line(), None);
    session.run("sed -i s/one/two/ src/a.go", "src/a.go", "two");
    assert_blocked(&mut session, "loop: iteration 1 of 5, code: review reopened");
    // An undone edit leaves the reviewed code.
    session.run("sed -i s/two/one/ src/a.go", "src/a.go", "one");
    assert_eq!(session.stop(), silence());
}

#[test]
fn what_nobody_of_this_session_wrote_is_reported_and_not_held() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    session.agent("reviewer", APPROVED);
    session.put("src/a.go", "the user's");
    let told = "src/a.go changed while the agent or its commands ran, not by an edit of this session: it was not reviewed.";
    assert_eq!(session.stop(), (Stance::Silent, vec![], vec![], vec![told.to_owned()]));
    assert_eq!(session.stop(), silence(), "once");
    session.files.remove("/project/src/a.go");
    assert_eq!(session.stop().0, Stance::Silent);
    // What the agent edits after that is its own again.
    session.edit("src/a.go", "two");
    assert_blocked(&mut session, "loop: iteration 1 of 5, code: review reopened");
}

#[test]
fn what_is_left_running_may_have_written_what_changes_later() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    session.agent("reviewer", APPROVED);
    session.run("nohup ./generate &", "other.txt", "x");
    session.put("src/a.go", "generated");
    assert_blocked(&mut session, "loop: iteration 1 of 5, code: review reopened");
}

#[test]
fn files_that_git_restores_are_not_edits() {
    let mut session = Session::new(SHORT);
    session.run("git checkout main", "src/a.go", "theirs");
    session.run("git stash pop", "src/a.go", "stashed");
    assert_eq!(session.memory.read("loop.feedback").unwrap(), None);
    assert_eq!(session.stop(), silence());
}

#[test]
fn files_of_no_domain_and_of_other_projects_begin_no_loop() {
    let mut session = Session::new(ON);
    for path in ["README.md", "/elsewhere/a.go", "node_modules/a/a.js", "../b/a.go"] {
        session.edit(path, "text");
    }
    assert_eq!(session.memory.read("loop.feedback").unwrap(), None);
    for output in [session.stop(), session.prompt("hello"), session.compact(), session.start("resume")] {
        assert_eq!(output, silence());
    }
    assert_eq!(session.agent("developer", "nothing to decide"), silence());
    assert_eq!(session.memory.read("loop.feedback").unwrap(), None);
    // An agent that may report on a later edit is remembered, nothing more.
    assert_eq!(session.agent("reviewer", "nothing to decide"), silence());
    assert_eq!((session.stop(), session.line()), (silence(), None));
}

#[test]
fn an_agent_that_started_before_the_first_edit_has_not_seen_it() {
    let mut session = Session::new(SHORT);
    let early = session.starts("reviewer");
    session.edit("src/a.go", "one");
    assert_eq!(session.finishes(&early, APPROVED), silence());
    assert_blocked(&mut session, "loop: iteration 1 of 5, code: review stale");
    session.agent("reviewer", APPROVED);
    assert_eq!(session.stop(), silence());
}

#[test]
fn a_command_that_failed_may_have_edited_and_a_failed_edit_did_not() {
    let failed = |tool: Tool| {
        let outcome = Outcome { text: "Exit code 1".to_owned(), ..Outcome::default() };
        event(EventData::ToolFailed { call: call("X", tool), outcome, interrupted: false })
    };
    let mut session = Session::new(SHORT);
    session.put("src/a.go", "half");
    session.output(failed(Tool::Edit(vec![])));
    assert_eq!(session.line(), None);
    let command = "echo half > src/a.go && false".to_owned();
    session.output(failed(Tool::Shell { command, background: false }));
    assert_eq!(session.line().as_deref(), Some("loop: iteration 1 of 5, code: review open"));
}

#[test]
fn agents_in_the_background_are_waited_for_and_servers_are_not() {
    let config = format!("{SHORT}run = {{ review = 'make check' }}\n");
    let cases = [
        (SHORT, "subagent", "", Stance::Silent),
        (SHORT, "teammate", "", Stance::Silent),
        (SHORT, "shell", "npm run dev", Stance::Deny),
        (SHORT, "monitor", "tail -f log", Stance::Deny),
        (config.as_str(), "shell", "cd /project && make check 2>&1", Stance::Silent),
        (config.as_str(), "shell", "make serve", Stance::Deny),
        (config.as_str(), "shell", "sleep 99999 # make check", Stance::Deny),
    ];
    for (config, kind, command, expected) in cases {
        let mut session = Session::new(config);
        session.edit("src/a.go", "one");
        let (stance, ..) = session.stops_with(background(kind, command));
        assert_eq!(stance, expected, "{kind} {command}");
    }
}

#[test]
fn without_progress_it_ends_before_the_client_ends_it() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    assert_eq!(session.stop().0, Stance::Deny);
    let holds = (0..8).take_while(|_| session.stop_again().0 == Stance::Deny).count();
    assert!(holds < 6, "{holds}");
    assert_eq!(report(&session.state(), &session.settings()).status, Status::Escalated);
    assert_eq!(session.stop_again(), silence());
    assert_eq!(session.stop(), silence());
}

#[test]
fn after_a_limit_a_person_decides() {
    let mut session = escalated();
    let (stance, _, context, _) = session.prompt("what now?");
    assert_eq!((stance, context.len()), (Stance::Silent, 1));
    // Once.
    assert_eq!(session.prompt("hm"), silence());
    let settings = session.settings();
    let decide = |session: &Session, decision: PersonDecision| {
        let mut state = session.state();
        state.apply(&settings, LoopEvent::Decided(decision), session.now);
        session.set(&state);
    };
    decide(&session, PersonDecision::Continue(2));
    assert_blocked(&mut session, "loop: iteration 1 of 7, code: review failed");
    decide(&session, PersonDecision::Accept);
    assert_eq!(session.stop(), silence());
    // Only the content at that time was accepted.
    session.edit("src/a.go", "new");
    assert_eq!(session.stop().0, Stance::Deny);
    decide(&session, PersonDecision::HandOver("/feature".to_owned()));
    assert_eq!(session.stop(), silence());
    assert_eq!(session.prompt("go on").2.len(), 1);
    assert_eq!(session.prompt("go on"), silence());
    decide(&session, PersonDecision::Abort);
    session.edit("src/a.go", "newer");
    assert_eq!(session.stop(), silence());
}

/// A session whose reviewer rejected three times.
fn escalated() -> Session {
    let mut session = Session::new(SHORT);
    for number in 1..=3 {
        session.edit("src/a.go", &format!("version {number}"));
        session.agent("reviewer", &format!("## Review Result\nREVIEW_REJECTED\n- issue {number}"));
        if number < 3 {
            assert_eq!(session.stop().0, Stance::Deny);
        }
    }
    let judgement = session.happens(event(EventData::Stop(Stopping::default())));
    let verdict = &judgement.rulings[0].verdict;
    assert_eq!((verdict.stance, verdict.notices.len()), (Stance::Silent, 1));
    let seen: Vec<(&str, &str)> =
        verdict.evidence.iter().map(|seen| (seen.name.as_str(), seen.value.as_str())).collect();
    assert_eq!(seen, [("escalation", "review of code failed 3 times in a row")]);
    session
}

#[test]
fn after_a_limit_the_user_is_notified_once_for_each_content() {
    let mut session = escalated();
    assert_eq!(session.stop(), silence());
    session.edit("src/a.go", "on its own");
    let notice = "loop: review of code failed 3 times in a row; a person decides (`flyball loop`)".to_owned();
    assert_eq!(session.stop(), (Stance::Silent, vec![], vec![], vec![notice]));
    assert_eq!(session.stop(), silence());
}

#[test]
fn open_phases_survive_a_compaction_and_a_resume_but_not_a_new_start() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let carried = session.compact();
    assert_eq!((carried.0, carried.2.len()), (Stance::Silent, 1));
    assert_eq!(session.start("compact"), carried);
    assert_eq!(session.start("resume"), silence());
    assert_eq!(session.stop().0, Stance::Deny);
    session.start("startup");
    assert_eq!(session.stop(), silence());
    assert_eq!(session.prompt("hello"), silence());
    session.edit("src/a.go", "two");
    assert_eq!(session.stop().0, Stance::Deny);
    session.start("clear");
    assert_eq!(session.stop(), silence());
}

#[test]
fn sessions_do_not_see_each_other() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let mut other = session.another();
    assert_eq!(other.stop(), silence());
    other.agent("reviewer", APPROVED);
    assert_eq!(session.stop().0, Stance::Deny);
}

#[test]
fn a_prompt_carries_one_line_while_something_is_open() {
    let mut session = Session::new(ON);
    session.edit("pkg/a.go", "one");
    let line = "loop: iteration 1 of 5, backend: review open, test-planning open, testing open";
    assert_eq!(session.prompt("hello"), (Stance::Silent, vec![], vec![line.to_owned()], vec![]));
    let machine = EventData::PromptSubmit { text: "<task>".to_owned(), by_machine: true };
    assert_eq!(session.output(event(machine)), silence());
}

#[test]
fn in_many_domains_the_line_stays_short() {
    let mut session = Session::new(ON);
    for path in ["integrations/a.go", "scanners/a.go", "a.tsx", "a.py", "a.go"] {
        session.edit(path, "one");
    }
    let line = session.line().unwrap();
    assert_eq!(
        line,
        "loop: iteration 1 of 5, integrations: review open, test-planning open, testing open; capabilities: review \
         open, test-planning open, testing open; 3 more domains"
    );
}

#[test]
fn a_report_has_all_that_is_known() {
    let mut session = Session::new(ON);
    assert_eq!(report(&session.state(), &session.settings()).status, Status::Idle);
    session.edit("pkg/a.go", "one");
    session.agent("backend-reviewer", APPROVED);
    session
        .agent("test-lead", "## Test Planning Result\nTEST_PLAN_BLOCKED\n### Blocking Issues\n- no database");
    let report = report(&session.state(), &session.settings());
    assert_eq!((report.status.name(), report.iteration, report.max_iterations), ("open", 1, 5));
    let backend = &report.domains[0];
    assert_eq!(
        (backend.name.as_str(), backend.files.as_slice()),
        ("backend", ["pkg/a.go".to_owned()].as_slice())
    );
    let phases: Vec<(&str, PhaseStatus, &str, usize)> = backend
        .phases
        .iter()
        .map(|phase| (phase.name.as_str(), phase.status, phase.by.as_str(), phase.issues.len()))
        .collect();
    assert_eq!(
        phases,
        [
            ("review", PhaseStatus::Passed, "backend-reviewer", 0),
            ("test-planning", PhaseStatus::Failed, "test-lead", 1),
            ("testing", PhaseStatus::NotRun, "", 0),
        ]
    );
    let commands: Vec<&str> = report.options.iter().map(|choice| choice.command.as_str()).collect();
    assert_eq!(
        commands,
        ["flyball loop continue 3", "flyball loop accept", "flyball loop abort", "flyball loop handoff"]
    );
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["domains"][0]["phases"][1]["status"], "failed");
    assert_eq!(json["status"], "open");
}

#[test]
fn observe_mode_never_blocks_and_still_records() {
    let mut session = Session::new(&SHORT.replace("enforce", "observe"));
    session.edit("src/a.go", "one");
    let judgement = session.happens(event(EventData::Stop(Stopping::default())));
    assert_eq!(judgement.merged.stance, Stance::Silent);
    assert_eq!(judgement.rulings[0].verdict.stance, Stance::Deny);
    // Nobody was asked for a result, so nobody failed to give one.
    let reviewer = session.starts("reviewer");
    for _ in 0..3 {
        session.finishes(&reviewer, "fine");
    }
    assert_eq!(session.line().as_deref(), Some("loop: iteration 1 of 5, code: review open"));
}

#[test]
fn unchanged_files_are_not_read_again() {
    let mut session = Session::new(SHORT);
    for number in 0..500 {
        session.files.insert(format!("/project/src/{number}.go"), number.to_string());
    }
    let edits = (0..500).map(|number| flyball_core::event::FileEdit {
        path: format!("src/{number}.go"),
        change: flyball_core::event::Change::Write { content: number.to_string() },
    });
    let patch = call("apply_patch", Tool::Edit(edits.collect()));
    session.output(event(EventData::AfterTool { call: patch, outcome: Outcome::default() }));
    assert_eq!(session.state().domains["code"].files.len(), 500);
    let before = session.state();
    assert_eq!(session.stop().0, Stance::Deny);
    assert_eq!(session.state().domains, before.domains);
}

/// The world of a client that flyball knows, with these definitions of subagents.
fn at_home(config: &str, agents: &[&str]) -> Session {
    let mut session = Session { client: "claude-code", ..Session::new(config) };
    for name in agents {
        session.put(&format!(".claude/agents/{name}.md"), &format!("---\nname: {name}\n---\n"));
    }
    session.start("startup");
    session
}

#[test]
fn after_an_escalation_the_next_prompt_begins_a_new_loop_about_what_changes() {
    let mut session = escalated();
    // A notice of a background task is not a person.
    let machine = EventData::PromptSubmit { text: "<task-notification>".to_owned(), by_machine: true };
    assert_eq!(session.output(event(machine)), silence());
    session.edit("src/a.go", "on its own");
    assert_eq!(session.stop().0, Stance::Silent);
    session.edit("src/a.go", "version 3");
    let (_, _, context, _) = session.prompt("leave it; write b.go");
    assert!(
        context[0].starts_with("The loop stopped: review of code failed 3 times in a row."),
        "{context:?}"
    );
    assert_eq!(session.stop(), silence(), "it is not asked for again");
    let line = "loop: review of code failed 3 times in a row; a person decides (`flyball loop`)";
    assert_eq!(session.line().as_deref(), Some(line), "but it is shown");
    assert_eq!(session.prompt("and?"), silence());
    let shown = report(&session.state(), &session.settings());
    assert_eq!(
        (shown.status, shown.escalation.unwrap().reason.as_str()),
        (Status::Escalated, "review of code failed 3 times in a row")
    );
    assert_eq!(shown.domains[0].phases[0].issues, ["issue 3"]);
    session.edit("src/b.go", "one");
    assert_blocked(&mut session, "loop: iteration 1 of 5, code: review failed");
    session.agent("reviewer", APPROVED);
    let (_, _, _, notices) = session.stop();
    assert_eq!(notices, ["Everything has passed: the loop that needed your decision is done."]);
    assert_eq!((session.stop(), session.line()), (silence(), None));
}

#[test]
fn a_question_may_be_asked_and_leaves_the_loop_open() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let asks = |again| Stopping {
        last_message: "Shall I keep the old name?".to_owned(),
        again,
        ..Stopping::default()
    };
    let notice =
        "The agent stopped to ask you something; the loop stays open (iteration 1 of 5, code: review open).";
    assert_eq!(session.stops_with(asks(false)), (Stance::Silent, vec![], vec![], vec![notice.to_owned()]));
    assert_eq!(session.stops_with(asks(true)).0, Stance::Deny, "once");
    session.prompt("yes");
    assert_eq!(session.stop().0, Stance::Deny);
    session.agent("reviewer", APPROVED);
    assert_eq!(session.stop(), silence());
}

#[test]
fn nobody_is_held_while_a_person_wants_a_plan() {
    use flyball_core::event::{Event, PermissionMode};
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let planning = |happening| Event { permission_mode: Some(PermissionMode::Plan), ..event(happening) };
    let prompt = EventData::PromptSubmit { text: "plan the next step".to_owned(), by_machine: false };
    session.output(planning(prompt));
    for _ in 0..4 {
        assert_eq!(session.output(planning(EventData::Stop(Stopping::default()))), silence());
    }
    session.prompt("do it");
    assert_eq!(session.stop().0, Stance::Deny, "the loop stayed open");
    // An agent that turns to planning by itself gets no further than with a question.
    let turned = session.output(planning(EventData::Stop(Stopping { again: true, ..Stopping::default() })));
    assert_eq!((turned.0, turned.3.len()), (Stance::Silent, 1));
    assert_eq!(
        session.output(planning(EventData::Stop(Stopping { again: true, ..Stopping::default() }))).0,
        Stance::Deny
    );
}

#[test]
fn a_block_names_an_agent_that_exists_else_the_worker_of_the_client() {
    let review = |session: &mut Session| {
        session.edit("pkg/a.go", "one");
        let (_, reasons, ..) = session.stop();
        reasons[0].lines().nth(2).unwrap_or_default().to_owned()
    };
    let cases: [(&[&str], &str); 4] = [
        (&["backend-reviewer", "reviewer"], "`backend-reviewer` (or `reviewer`)"),
        (&["reviewer"], "`reviewer`"),
        (&["code-reviewer", "developer"], "`code-reviewer`"),
        (
            &["developer"],
            "`general-purpose`, with the word `REVIEW_APPROVED` in its prompt (`flyball init --packs loop` makes `reviewer`)",
        ),
    ];
    for (agents, expected) in cases {
        let mut session = at_home(ON, agents);
        assert_eq!(
            review(&mut session),
            format!("  1. review: not done yet; spawn {expected}"),
            "{agents:?}"
        );
    }
}

#[test]
fn where_no_agent_is_defined_the_worker_of_the_client_may_report() {
    let mut session = at_home(ON, &[]);
    session.edit("pkg/a.go", "one");
    for result in [APPROVED, PLANNED, PASSED] {
        assert_eq!(session.agent("general-purpose", result), silence(), "{result}");
    }
    assert_eq!((session.stop(), session.line()), (silence(), None));
    // One that is defined counts, and the worker does not, also if its definition is deleted on the way.
    let mut session = at_home(ON, &["reviewer", "test-lead", "tester"]);
    session.files.clear();
    session.edit("pkg/a.go", "one");
    session.agent("general-purpose", APPROVED);
    let line = "loop: iteration 1 of 5, backend: review open, test-planning open, testing open";
    assert_eq!(session.line().as_deref(), Some(line));
}

#[test]
fn a_worker_that_was_not_asked_for_a_phase_is_left_alone() {
    let mut session = at_home(ON, &[]);
    session.edit("pkg/a.go", "one");
    let open = "loop: iteration 1 of 5, backend: review open, test-planning open, testing open";
    for prompt in
        ["Find where a.go is used.", "Write b.go. A reviewer looks at it later.", "Search the tests of a.go."]
    {
        for _ in 0..2 {
            let worker = session.starts_with("general-purpose", prompt);
            assert_eq!(session.finishes(&worker, "Done."), silence(), "{prompt}");
            assert_eq!(session.line().as_deref(), Some(open), "{prompt}");
        }
    }
    // One that was asked is asked once more; that it says nothing is no failure of the code.
    for prompt in ["Review the change in a.go.", "Look at a.go. End with REVIEW_APPROVED or REVIEW_REJECTED."]
    {
        let worker = session.starts_with("general-purpose", prompt);
        let (stance, reasons, ..) = session.finishes(&worker, "Fine.");
        assert_eq!(stance, Stance::Deny, "{prompt}");
        assert!(
            reasons[0].contains("review of backend") && !reasons[0].contains("test-planning"),
            "{}",
            reasons[0]
        );
        assert!(
            reasons[0].ends_with("You are asked once; without a result it stays open."),
            "{}",
            reasons[0]
        );
        assert_eq!(session.finishes(&worker, "Fine."), silence(), "{prompt}");
        assert_eq!(session.line().as_deref(), Some(open), "{prompt}");
    }
    // A result counts, whatever the prompt said.
    let worker = session.starts_with("general-purpose", "Look at a.go.");
    session.finishes(&worker, APPROVED);
    let line = "loop: iteration 1 of 5, backend: test-planning open, testing open";
    assert_eq!(session.line().as_deref(), Some(line));
}

#[test]
fn of_two_workers_that_start_together_none_is_taken_for_the_other() {
    let mut session = at_home(ON, &[]);
    session.edit("pkg/a.go", "one");
    session.spawn_with("general-purpose", "Review a.go.", "one");
    session.spawn_with("general-purpose", "Find where a.go is used.", "two");
    for _ in 0..2 {
        let worker = session.starts_unasked("general-purpose");
        assert_eq!(session.finishes(&worker, "It is used twice."), silence());
    }
}

#[test]
fn near_the_limit_of_the_context_the_loop_waits_for_a_compaction_and_goes_on_after_it() {
    use crate::testing::{Surroundings, TRANSCRIPT, judged_in, sections};
    use flyball_core::engine::Registry;
    use flyball_core::event::Event;
    use flyball_core::path::AbsolutePath;
    static TOGETHER: Registry =
        &[&crate::r#loop::compaction::POLICY, &super::super::POLICY, &crate::r#loop::gate::POLICY];
    let config = format!(
        "[loop.compaction]\nmode = 'enforce'\nwhen = 'always'\n[loop.gate]\nmode = 'enforce'\n{SHORT}"
    );
    let mut session = Session::new(SHORT);
    session.sections = sections(&config);
    session.edit("src/a.go", "one");
    let mut at = |tokens: u64, happening: EventData| {
        session.now += std::time::Duration::from_secs(1);
        let event = Event { transcript: Some(AbsolutePath::from_root(TRANSCRIPT)), ..event(happening) };
        let world = session.world().file(TRANSCRIPT, &format!("{tokens} claude-opus-4-8"));
        let surroundings = Surroundings { world, memory: std::sync::Arc::clone(&session.memory) };
        let merged = judged_in(TOGETHER, &session.sections, event, surroundings).merged;
        (merged.stance, merged.notices)
    };
    let stop = || EventData::Stop(Stopping::default());
    let spawn = || {
        let tool =
            Tool::SpawnAgent { role: "reviewer".to_owned(), prompt: "look".to_owned(), background: None };
        EventData::BeforeTool(call("Agent", tool))
    };
    // A denied subagent and a held stop never come together.
    assert_eq!(at(100_000, stop()).0, Stance::Deny);
    assert_eq!(at(100_000, spawn()).0, Stance::Silent);
    assert_eq!(at(180_000, spawn()).0, Stance::Deny);
    let notice = "Run `/compact`: the context is too full to start a subagent, so the loop waits (iteration 1 of 5, code: review \
                  open). It goes on after the compaction.";
    assert_eq!(at(180_000, stop()), (Stance::Silent, vec![notice.to_owned()]));
    assert_eq!(at(180_000, stop()), (Stance::Silent, vec![]), "once");
    at(2_000, EventData::SessionStart { source: "compact".to_owned() });
    assert_eq!(at(2_000, spawn()).0, Stance::Silent);
    assert_eq!(at(2_000, stop()).0, Stance::Deny);
    assert_eq!(at(180_000, stop()), (Stance::Silent, vec![notice.to_owned()]), "the next time");
}

#[test]
fn a_forked_session_says_what_it_leaves_behind() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let mut fork = session.another();
    let (stance, _, _, notices) = fork.start("fork");
    assert_eq!((stance, notices.len()), (Stance::Silent, 1));
    assert!(notices[0].starts_with("This session is a fork: the reviews and the open work"), "{notices:?}");
    assert_eq!((fork.stop(), session.stop().0), (silence(), Stance::Deny));
    fork.edit("src/a.go", "two");
    assert_eq!(fork.stop().0, Stance::Deny);
    assert_eq!(fork.start("fork"), silence(), "its own work is still there");
}
