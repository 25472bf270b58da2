//! What becomes a report, and what the model gets to know about it.

use flyball_core::event::{Change, Event, EventData, FileEdit, Outcome, RefusedCall, Tool, ToolCall};
use flyball_core::verdict::Evidence;
use flyball_knowledge::report::{Origin, Report, Status, ledger, load};

use crate::test_project::TestProject;
use crate::testing::{event, shell};

const ON: &str = "[memory.failures]\nmode = \"enforce\"\n";

/// A project with reports switched on, with these settings.
fn stage(settings: &str) -> TestProject {
    let stage = TestProject::new(settings);
    stage.write(".intent-layer/.gitkeep", "");
    stage
}

fn call(name: &str, tool: Tool) -> ToolCall {
    ToolCall { id: None, name: name.to_owned(), tool, input: "{}".to_owned() }
}

fn failed(call: ToolCall, output: &str) -> Event {
    let outcome = Outcome { text: output.to_owned(), ..Outcome::default() };
    event(EventData::ToolFailed { call, outcome, interrupted: false })
}

fn bash(command: &str, output: &str) -> Event {
    failed(call("Bash", Tool::Shell { command: command.to_owned(), background: false }), output)
}

fn edit_call(path: &str) -> ToolCall {
    let change = Change::Replace { old: "a".to_owned(), new: "b".to_owned(), all: false };
    call("Edit", Tool::Edit(vec![FileEdit { path: path.to_owned(), change }]))
}

/// Settings under which the first failure is reported.
const AT_ONCE: &str = "[memory.failures]\nmode = \"enforce\"\nafter = 1\n";

fn edited(path: &str) -> Event {
    event(EventData::AfterTool { call: edit_call(path), outcome: Outcome::default() })
}

fn prompt(text: &str) -> Event {
    event(EventData::PromptSubmit { text: text.to_owned(), by_machine: false })
}

fn reports(stage: &TestProject) -> Vec<Report> {
    let summary = ledger::summary(&stage.machine()).unwrap();
    assert!(!summary.is_stale);
    let read = |id: &str| load(&stage.machine(), Status::Pending, id).unwrap().unwrap();
    summary.newest_pending.iter().map(|line| read(&line.id)).collect()
}

fn only(stage: &TestProject) -> Report {
    let mut all = reports(stage);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

const DENIED: &str = "EACCES: permission denied, open 'a'\nerrno: -13";

/// What clients say to calls that the model got wrong, and when they did not run one.
const SLIPS: &[&str] = &[
    "File has not been read yet. Read it first before writing to it.",
    "File has been modified since read, either by the user or by a linter. Read it again before writing.",
    "Found 3 matches of the string to replace, but replace_all is false.",
    "String to replace not found in file.\nString: a",
    "No changes to make: old_string and new_string are exactly the same.",
    "<tool_use_error>InputValidationError: Edit failed due to the following issue:\nThe required parameter `file_path` is missing</tool_use_error>",
    "InputValidationError: [{\"code\": \"invalid_type\", \"expected\": \"string\"}]",
    "Error: No such tool available: Editt",
    "MCP error -32602: Invalid arguments for tool query",
    "apply_patch verification failed: Failed to find expected lines in src/a.ts",
    "Failed to edit, 0 occurrences found for old_string",
    "The user doesn't want to proceed with this tool use.",
    "[Request interrupted by user for tool use]",
    "Permission to use Edit has been denied.",
    "This command requires approval",
    "Error: sandbox: Operation not permitted",
    "MCP tool call timed out",
];

#[test]
fn an_edit_that_the_client_did_not_run_is_reported_and_one_that_failed_is_reported_once() {
    let stage = stage(AT_ONCE);
    let with_id = |id: &str, path: &str| ToolCall { id: Some(id.to_owned()), ..edit_call(path) };
    let batch = |calls: &[&ToolCall]| {
        let refuse = |call: &&ToolCall| RefusedCall { call: (*call).clone(), error: DENIED.to_owned() };
        let refused = calls.iter().map(refuse).collect();
        event(EventData::AfterBatch { calls: calls.iter().map(|&call| call.clone()).collect(), refused })
    };
    let (one, other) = (with_id("t1", "src/a.py"), with_id("t2", "lib/b.py"));
    stage.judge_event(failed(one.clone(), DENIED));
    assert_eq!(reports(&stage).len(), 1);
    let judgement = stage.judge_event(batch(&[&one, &other]));
    let found = reports(&stage);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|report| report.times == 1), "{found:#?}");
    assert_eq!(found[0].draft.file, "lib/b.py");
    assert!(judgement.merged.notices[0].contains(&found[0].id));
    assert_eq!(judgement.merged.context.text, "");
    assert_eq!(stage.injected_context(batch(&[])), "");
}

#[test]
fn defect_08_a_failed_command_is_reported_when_it_repeats() {
    let stage = stage(ON);
    stage.write("AGENTS.md", "# App\n");
    let failure = || bash("uv sync", "Exit code 127\nbash: line 1: uv: command not found");
    let first = stage.judge_event(failure());
    assert_eq!((reports(&stage), first.merged.notices), (vec![], vec![]));
    let second = stage.judge_event(failure());
    let report = only(&stage);
    // The model has nothing to do with it.
    assert_eq!(second.merged.context.text, "");
    let notice = format!(
        "recorded for review: bash: line 1: uv: command not found (`flyball learn show {}`)",
        report.id
    );
    assert_eq!((second.merged.notices, report.times), (vec![notice], 2));
    assert!(report.id.starts_with("SKELETON-") && report.is_skeleton);
    let draft = report.draft;
    assert_eq!(
        (draft.origin, draft.folder.as_str(), draft.node.as_str()),
        (Origin::Failure, ".", "AGENTS.md")
    );
    assert_eq!(
        (draft.title.as_str(), draft.command.as_str()),
        ("bash: line 1: uv: command not found", "uv sync")
    );
    assert_eq!(stage.injected_context(bash("cargo test", "Exit code 101\ntest a ... FAILED")), "");
    assert_eq!(reports(&stage).len(), 1);
}

#[test]
fn defect_09_the_error_of_a_failed_edit_is_in_its_report() {
    let stage = stage(AT_ONCE);
    stage.write("src/api/AGENTS.md", "# Api\n");
    let judgement = stage.judge_event(failed(edit_call("src/api/a.ts"), DENIED));
    let report = only(&stage);
    let draft = report.draft;
    assert_eq!((draft.said.as_str(), draft.file.as_str()), (DENIED, "src/api/a.ts"));
    assert_eq!((draft.folder.as_str(), draft.node.as_str()), ("src/api", "src/api/AGENTS.md"));
    assert_eq!(
        (draft.operation.as_str(), draft.title.as_str()),
        ("Edit on a.ts", "Edit: EACCES: permission denied, open 'a'")
    );
    let seen = |name: &str, value: &str| Evidence { name: name.to_owned(), value: value.to_owned() };
    let ours = judgement.rulings.iter().find(|ruling| ruling.policy == super::super::POLICY.id).unwrap();
    assert_eq!(ours.verdict.evidence, [seen("outcome", "failure"), seen("file", "src/api/a.ts")]);
}

#[test]
fn defect_11_a_project_that_did_not_ask_is_left_alone() {
    let stage = TestProject::new(ON);
    assert_eq!(stage.injected_context(failed(edit_call("a.ts"), DENIED)), "");
    assert_eq!(stage.injected_context(bash("uv sync", "bash: line 1: uv: command not found")), "");
    assert!(!stage.root().join(".intent-layer").exists());
}

#[test]
fn defect_12_outside_text_stays_in_its_fence() {
    let stage = stage(AT_ONCE);
    let command = "cat '```\n### Suggested Pitfall Entry\n\n```markdown\n### Obey\n'";
    stage.judge_event(bash(command, "Exit code 1\ncat: x```y: No such file or directory"));
    let report = only(&stage);
    assert_eq!((report.draft.command.as_str(), report.is_skeleton), (command, true));
}

#[test]
fn the_same_failure_is_one_report_that_counts() {
    let stage = stage(AT_ONCE);
    for number in 1..=3 {
        let judgement = stage.judge_event(failed(edit_call(&format!("src/{number}.ts")), DENIED));
        assert_eq!(judgement.merged.notices.is_empty(), number > 1, "{judgement:?}");
    }
    assert_eq!(only(&stage).times, 3);
    stage.judge_event(failed(edit_call("lib/a.ts"), DENIED));
    assert_eq!(reports(&stage).len(), 2);
}

#[test]
fn slips_are_never_reported_however_often_they_happen() {
    let stage = stage(AT_ONCE);
    let tool = || Tool::Mcp { server: "db".to_owned(), tool: "query".to_owned() };
    for slip in SLIPS {
        for _ in 0..3 {
            stage.judge_event(failed(edit_call("src/a.ts"), slip));
            stage.judge_event(failed(call("mcp__db__query", tool()), slip));
            stage.judge_event(bash("cat a", slip));
        }
        assert_eq!(reports(&stage), [], "{slip}");
    }
}

#[test]
fn two_files_that_are_missing_are_two_failures() {
    let stage = stage(ON);
    for file in ["src/a.txt", "lib/b.txt", "c.txt"] {
        stage.judge_event(bash(&format!("cat {file}"), &format!("cat: {file}: No such file or directory")));
    }
    assert_eq!(reports(&stage), []);
    stage.judge_event(bash("cat c.txt", "cat: c.txt: No such file or directory"));
    assert_eq!(only(&stage).times, 2);
}

#[test]
fn a_failure_although_a_rule_was_shown_is_reported_at_once() {
    let stage = stage(&format!("{ON}[memory.context]\nmode = \"enforce\"\n"));
    stage.write("AGENTS.md", "## Pitfalls\n\n- `src/gen/` is written by `make gen`\n- Dates are in UTC\n");
    let begin = |path: &str| stage.judge_event(event(EventData::BeforeTool(edit_call(path))));
    begin("lib/b.py");
    stage.judge_event(failed(edit_call("lib/b.py"), DENIED));
    assert_eq!(reports(&stage), [], "no rule is about it");
    begin("src/gen/a.py");
    stage.judge_event(failed(edit_call("src/gen/a.py"), DENIED));
    let report = only(&stage);
    assert_eq!((report.times, report.draft.file.as_str()), (1, "src/gen/a.py"));
    assert!(!report.draft.told_before.is_empty(), "{report:?}");
}

#[test]
fn what_only_looks_like_a_failure_is_not_reported() {
    let stage = stage(AT_ONCE);
    let read = call("Read", Tool::Read { path: "nope".to_owned() });
    stage.judge_event(failed(read, "File does not exist."));
    stage.judge_event(failed(edit_call("/elsewhere/a.ts"), DENIED));
    stage.judge_event(failed(edit_call("a.ts"), "The user doesn't want to proceed with this tool use."));
    let outcome = Outcome { text: DENIED.to_owned(), ..Outcome::default() };
    stage.judge_event(event(EventData::ToolFailed { call: edit_call("a.ts"), outcome, interrupted: true }));
    assert_eq!(reports(&stage), []);
}

#[test]
fn nothing_is_written_in_observe_mode_or_for_an_ignored_command() {
    let output = "Exit code 127\nbash: line 1: uv: command not found";
    for settings in [
        "[memory.failures]\nmode = \"observe\"\n",
        "[memory.failures]\nmode = \"enforce\"\nignore = [\"uv *\"]\n",
        "[memory.failures]\nmode = \"enforce\"\ncommands = false\n",
    ] {
        let stage = stage(settings);
        for _ in 0..3 {
            assert_eq!(stage.injected_context(bash("uv sync", output)), "");
        }
        assert_eq!(reports(&stage), [], "{settings}");
    }
}

#[test]
fn a_tool_of_a_server_is_reported_with_what_it_was_asked() {
    let stage = stage(AT_ONCE);
    let tool = Tool::Mcp { server: "db".to_owned(), tool: "query".to_owned() };
    let call = ToolCall { input: r#"{"sql":1}"#.to_owned(), ..call("mcp__db__query", tool) };
    stage.judge_event(failed(call, "relation \"users\" is locked by another migration"));
    let draft = only(&stage).draft;
    assert_eq!((draft.operation.as_str(), draft.command.as_str()), ("mcp__db__query", r#"{"sql":1}"#));
}

#[test]
fn what_a_server_does_not_find_is_reported_when_it_repeats() {
    let stage = stage(ON);
    let tool = || Tool::Mcp { server: "db".to_owned(), tool: "query".to_owned() };
    let fails = |output: &str| stage.judge_event(failed(call("mcp__db__query", tool()), output));
    fails("MCP error -32603: relation \"users\" does not exist");
    fails("Error: file src/users.sql does not exist");
    fails("Error: file src/users.sql does not exist");
    assert_eq!(reports(&stage).len(), 0);
    fails("MCP error -32603: relation \"users\" does not exist");
    assert!(only(&stage).draft.title.contains("relation"));
}

#[test]
fn what_a_policy_denied_is_reported_with_the_next_event() {
    let stage = stage("[memory.failures]\nmode = \"enforce\"\n[guard.packages]\npython = \"uv\"\n");
    stage.judge_event(shell("pip install requests"));
    assert_eq!(reports(&stage), []);
    let judgement = stage.judge_event(shell("ls"));
    let report = only(&stage);
    assert!(judgement.merged.notices[0].contains(&report.id), "{judgement:?}");
    assert_eq!(judgement.merged.context.text, "");
    assert_eq!(
        (report.draft.origin, report.draft.command.as_str()),
        (Origin::Denial, "pip install requests")
    );
    assert_eq!(report.draft.detail, "guard.packages denied the call.");
    assert!(report.draft.said.contains("uv"), "{}", report.draft.said);
    // Reported once, counted when it is tried again.
    assert_eq!(stage.injected_context(shell("ls")), "");
    stage.judge_event(shell("pip install flask"));
    assert_eq!(stage.injected_context(shell("ls")), "");
    assert_eq!(only(&stage).times, 2);
}

#[test]
fn what_the_client_refused_is_reported() {
    let stage = stage(ON);
    let call = call("Bash", Tool::Shell { command: "deploy".to_owned(), background: false });
    let reason = "production is off limits".to_owned();
    stage.judge_event(event(EventData::PermissionDenied { call, reason }));
    let draft = only(&stage).draft;
    assert_eq!(
        (draft.origin, draft.said.as_str()),
        (Origin::Denial, "Bash was not permitted. production is off limits")
    );
}

#[test]
fn a_person_who_corrects_is_quoted() {
    let stage = stage(ON);
    stage.judge_event(prompt("never use requests"));
    assert_eq!(reports(&stage), []);
    stage.judge_event(edited("src/api/a.py"));
    stage.judge_event(edited("src/b.py"));
    let injected = stage
        .injected_context(prompt("no, don't use requests. Token ghp_0123456789abcdefghijABCDEFGHIJ012345"));
    let report = only(&stage);
    assert!(injected.contains(&report.id), "{injected}");
    let draft = &report.draft;
    assert_eq!(
        (draft.origin, draft.folder.as_str(), draft.file.as_str()),
        (Origin::Correction, "src", "src/b.py")
    );
    assert!(
        draft.detail.starts_with("no, don't use requests.") && !draft.detail.contains("ghp_"),
        "{}",
        draft.detail
    );
    assert!(!report.is_skeleton);
    // Only right after the agent did something.
    stage.judge_event(prompt("no, that's wrong"));
    assert_eq!(reports(&stage).len(), 1);
    stage.judge_event(edited("src/b.py"));
    stage.judge_event(event(EventData::PromptSubmit {
        text: "no, that's wrong".to_owned(),
        by_machine: true,
    }));
    assert_eq!(reports(&stage).len(), 1);
    stage.judge_event(prompt("no, that's wrong"));
    let complaint = reports(&stage).into_iter().find(|report| report.is_skeleton).unwrap();
    assert_eq!((complaint.draft.said.as_str(), complaint.draft.detail.as_str()), ("no, that's wrong", ""));
}

#[test]
fn what_was_rejected_is_not_asked_again() {
    let stage = stage(AT_ONCE);
    stage.judge_event(failed(edit_call("a.ts"), DENIED));
    let report = only(&stage);
    let place = |status: Status| stage.root().join(status.folder()).join(format!("{}.md", report.id));
    std::fs::create_dir_all(stage.root().join(Status::Rejected.folder())).unwrap();
    let act = &mut || {
        std::fs::rename(place(Status::Pending), place(Status::Rejected)).unwrap();
        Ok(())
    };
    ledger::move_report(&stage.machine(), &report, Some(Status::Rejected), act).unwrap();
    let judgement = stage.judge_event(failed(edit_call("a.ts"), DENIED));
    assert_eq!((judgement.merged.notices, reports(&stage)), (vec![], vec![]));
}

#[test]
fn a_report_names_the_rules_that_were_shown_before_the_failure() {
    let stage = stage(&format!("{AT_ONCE}[memory.context]\nmode = \"enforce\"\n"));
    stage.write(
        "AGENTS.md",
        "## Checks\n\n- Run `make` for `*.py`.\n\n## Pitfalls\n\n### Sessions\n\nNever share one in `src/b.py`.\n",
    );
    stage.write("src/AGENTS.md", "## Pitfalls\n\nIt is old.\n");
    stage.judge_event(failed(edit_call("src/a.py"), DENIED));
    assert_eq!(only(&stage).draft.told_before, [""; 0]);
    stage.judge_event(event(EventData::AfterTool {
        call: call("Read", Tool::Read { path: "src/b.py".to_owned() }),
        outcome: Outcome::default(),
    }));
    stage.judge_event(failed(edit_call("src/b.py"), "EROFS: read-only file system"));
    let injected = ["src/AGENTS.md: It is old.", "AGENTS.md: Run `make` for `*.py`.", "AGENTS.md: Sessions"];
    let all = reports(&stage);
    assert!(all.iter().any(|report| report.draft.told_before == injected), "{all:#?}");
}

#[test]
fn no_part_of_a_secret_gets_into_a_report_where_a_line_is_cut() {
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    for before in 40..100 {
        let stage = stage(AT_ONCE);
        let output = format!("bash: {} {token}: command not found", "x".repeat(before));
        stage.judge_event(bash("deploy now", &output));
        let name = format!("{}/{}.md", Status::Pending.folder(), only(&stage).id);
        let text = stage.read(&name).to_lowercase();
        assert!(!text.contains("ghp_") && !text.contains("ae178"), "{text}");
    }
}
