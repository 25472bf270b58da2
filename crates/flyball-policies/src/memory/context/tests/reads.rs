//! Rules that are added when a file is read, edits that are blocked until then, and how other policies see that.

use flyball_core::config::Config;
use flyball_core::verdict::Snippet;

use super::*;
use crate::memory::context::message::context_verdict;

fn read(path: &str) -> Event {
    after("Read", Tool::Read { path: path.to_owned() })
}

/// The reason of a denial; empty if there is none.
fn denied(stage: &TestProject, event: Event) -> String {
    let merged = stage.judge_event(event).merged;
    match merged.stance {
        Stance::Deny => merged.reasons.iter().map(|denial| denial.reason.text()).collect(),
        _ => String::new(),
    }
}

#[test]
fn rules_are_added_when_a_file_is_read_and_not_again_at_the_edit() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- Run `make` for `*.py`.\n");
    let injected = "This project's rules for `src/a.py`:\n\nFrom `AGENTS.md`:\n\n- Run `make` for `*.py`.";
    assert_eq!(
        stage.injected_context(before("Read", Tool::Read { path: "src/a.py".to_owned() })),
        "",
        "nobody read it yet"
    );
    assert_eq!(stage.injected_context(read("src/a.py")), injected);
    assert_eq!(stage.injected_context(read("src/a.py")), "");
    assert_eq!(stage.injected_context(edit("src/a.py")), "");
    assert_eq!(stage.injected_context(by("sub", read("src/a.py"))), injected, "another context");
    stage.judge_event(start("compact"));
    assert_eq!(
        evidence(&stage, read("src/a.py")),
        ["file=src/a.py", "node=AGENTS.md", "sections=Checks", "rules=AGENTS.md:2", "risk=0"]
    );
}

#[test]
fn nothing_is_added_to_files_that_are_not_source() {
    let stage = stage();
    stage.write("AGENTS.md", "## Checks\n- Run `make` for `*.py`.\n");
    stage.write("src/AGENTS.md", "## Checks\n- More.\n");
    for path in [
        "AGENTS.md",
        "src/AGENTS.md",
        "README.md",
        "a.json",
        "Cargo.lock",
        "",
        "/etc/passwd",
        "/elsewhere/a.py",
    ] {
        assert_eq!(stage.injected_context(read(path)), "", "{path}");
    }
    let documents = stage_with("sources = [\"md\"]");
    documents.write("AGENTS.md", "## Checks\n- Run `make` for `*.md`.\n");
    for path in ["AGENTS.md", "AGENTS.override.md", "src/CLAUDE.local.md", ".claude/rules/api.md"] {
        assert_eq!(documents.injected_context(read(path)), "", "{path}");
    }
    assert!(documents.injected_context(read("rules/api.md")).contains("make"));
    let off = stage_with("on_read = false");
    off.write("AGENTS.md", "## Checks\n- Run `make` for `*.py`.\n");
    assert_eq!(off.injected_context(read("src/a.py")), "");
    assert!(off.injected_context(edit("src/a.py")).contains("make"));
    let bare = self::stage();
    bare.write(".intent-layer/x", "");
    assert_eq!(bare.injected_context(read("src/a.py")), "", "that nothing covers it");
    assert!(bare.injected_context(edit("src/a.py")).starts_with("No AGENTS.md"));
}

#[test]
fn an_edit_is_blocked_once_to_show_its_rules() {
    let stage = stage_with("insist = \"always\"");
    stage.write("AGENTS.md", "## Pitfalls\n- Never share a session of `*.py`.\n");
    let reason = "Read the rules below, then make the edit again: you have not seen the rules for `src/a.py` yet, so this edit is blocked once. \n\nThis project's rules for `src/a.py`:\n\nFrom `AGENTS.md`:\n\n- Never share a session of `*.py`.";
    assert_eq!(denied(&stage, edit("src/a.py")), reason);
    for _ in 0..3 {
        assert_eq!(denied(&stage, edit("src/a.py")), "");
        assert_eq!(denied(&stage, edit("src/b.py")), "", "the same rules");
    }
    assert_eq!(denied(&stage, by("sub", edit("src/a.py"))), reason, "another agent");
    assert_eq!(denied(&stage, by("sub", edit("src/a.py"))), "");
    stage.write("AGENTS.md", "## Pitfalls\n- Never share a session of `*.py`.\n- Nor a cookie of `*.py`.\n");
    assert!(denied(&stage, edit("src/a.py")).contains("Nor a cookie"));
    assert_eq!(denied(&stage, edit("src/a.py")), "");
}

#[test]
fn an_edit_is_not_blocked_for_seen_rules_for_hints_or_if_it_deletes() {
    let always = || stage_with("insist = \"always\"");
    let stage = always();
    stage.write("AGENTS.md", "## Pitfalls\n- Never share a session of `*.py`.\n");
    stage.write("src/a.py", "");
    assert_eq!(denied(&stage, before("Edit", call(&[("src/a.py", Change::Delete)]))), "");
    let read_first = always();
    read_first.write("AGENTS.md", "## Pitfalls\n- Never share a session of `*.py`.\n");
    read_first.judge_event(read("src/a.py"));
    assert_eq!(denied(&read_first, edit("src/a.py")), "");
    let hints = always();
    hints.write("AGENTS.md", "## Patterns\n- Names in `*.py` are short.\n");
    assert_eq!(denied(&hints, edit("src/a.py")), "");
    let never = self::stage();
    never.write("AGENTS.md", "## Pitfalls\n- Never share a session of `*.py`.\n");
    assert_eq!(denied(&never, edit("src/a.py")), "");
    let observed = TestProject::new("[memory.context]\nmode = \"observe\"\ninsist = \"always\"\n");
    observed.write("AGENTS.md", "## Pitfalls\n- Never share a session of `*.py`.\n");
    assert_eq!(denied(&observed, edit("src/a.py")), "");
}

#[test]
fn an_edit_in_a_risky_folder_is_blocked_once_with_high_risk() {
    let stage = stage_with("insist = \"high-risk\"");
    stage.write(".intent-layer/x", "");
    stage.write("AGENTS.md", "## Pitfalls\n- Never share a session of `*.py`.\n");
    stage.write("src/api/AGENTS.md", "## Checks\n- Bump.\n");
    assert_eq!(denied(&stage, edit("src/a.py")), "");
    for number in 0..2 {
        ledger::record(&stage.machine(), &report("src/api", number)).unwrap();
    }
    assert!(denied(&stage, edit("src/api/a.py")).contains("- Bump."));
    assert_eq!(denied(&stage, edit("src/api/a.py")), "");
}

#[test]
fn a_subagent_does_not_get_the_rules_of_its_start_again() {
    let stage =
        TestProject::new("[memory.context]\nmode = \"enforce\"\n[memory.agents]\nmode = \"enforce\"\n");
    stage.write(
        "AGENTS.md",
        "## Checks\n- Run `make` before you commit.\n\n## Pitfalls\n\n- `*.py` is old.\n",
    );
    let at_start = stage.injected_context(by("sub", event(EventData::AgentStart)));
    assert!(at_start.contains("- Run `make`") && !at_start.contains("is old."), "{at_start}");
    let injected = stage.injected_context(by("sub", edit("src/a.py")));
    assert!(injected.contains("is old.") && !injected.contains("make"), "{injected}");
}

#[test]
fn rules_that_were_only_observed_do_not_count_as_shown() {
    let stage = TestProject::new("[memory.context]\nmode = \"observe\"\n");
    stage.write("AGENTS.md", "## Checks\n- Run `make` for `*.py`.\n");
    assert_eq!(stage.injected_context(edit("src/a.py")), "");
    let mut enforcing = self::stage();
    enforcing.memory = std::sync::Arc::clone(&stage.memory);
    enforcing.write("AGENTS.md", "## Checks\n- Run `make` for `*.py`.\n");
    assert!(enforcing.injected_context(edit("src/a.py")).contains("make"));
    assert_eq!(enforcing.injected_context(edit("src/a.py")), "");
}

#[test]
fn rules_rank_before_other_context_and_fit_into_the_engines_limit() {
    let rules: String =
        (0..400).map(|number| format!("- `*.py` {number} {}\n", "word ".repeat(100))).collect();
    for room in [1_500, 1_000, 400] {
        let mut stage = stage_with("tokens = 2000");
        stage.configure(|config: &mut Config| config.engine.context_chars = room);
        stage.write("AGENTS.md", &format!("## Pitfalls\n{rules}"));
        let merged = stage.judge_event(edit("src/a.py")).merged;
        assert_eq!(merged.context.left_out, [""; 0], "{room}");
        assert!(merged.context.text.contains("left out to save space"), "{}", merged.context.text);
    }
    let all = [Snippet { key: "other".to_owned(), rank: 20, text: "x".repeat(4_000) }];
    let own = context_verdict(&["y".repeat(8_000)]);
    let packed =
        flyball_core::pack::pack(own.context.iter().chain(&all), Config::default().engine.context_chars);
    assert_eq!(packed.left_out, ["other"]);
}
