//! The gate and the check of subagents' answers, by real processes.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{ProcessResult, Project, commit, git};
use serde_json::{Value, json};

const AGENTS: usize = 8;

fn agent_stop(project: &Project, (id, role): (&str, &str), again: bool, answer: &str) -> ProcessResult {
    let fields = json!({
        "agent_id": id,
        "agent_type": role,
        "stop_hook_active": again,
        "last_assistant_message": answer,
    });
    project.hook("SubagentStop", fields)
}

fn stop(project: &Project, again: bool) -> ProcessResult {
    project.hook("Stop", json!({ "stop_hook_active": again, "last_assistant_message": "done" }))
}

fn edit(project: &Project, name: &str) -> ProcessResult {
    project.file(name, "fn main() {}\n");
    let input = json!({ "file_path": project.root().join(name), "content": "fn main() {}\n" });
    let fields = json!({ "tool_name": "Write", "tool_input": input, "tool_response": {}, "tool_use_id": crate::support::unique() });
    project.hook("PostToolUse", fields)
}

fn ran(project: &Project, command: &str) -> ProcessResult {
    let response = json!({ "stdout": "ok", "stderr": "" });
    let fields = json!({
        "tool_name": "Bash",
        "tool_input": { "command": command },
        "tool_response": response,
        "tool_use_id": crate::support::unique(),
    });
    project.hook("PostToolUse", fields)
}

/// Runs this for every number at the same time.
fn all_at_once<T: Send>(work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..AGENTS).map(|number| scope.spawn(move || work(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Silent, blocked from stopping, or released with a notice to the user.
fn outcome(ran: &ProcessResult) -> &'static str {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
    if ran.stdout.is_empty() {
        return "silent";
    }
    let json: Value = ran.json();
    if json["decision"] == "block" { "blocked" } else { "released" }
}

#[test]
fn defect_30_parallel_answers_are_all_counted() {
    let project = Project::new();
    project.config("[loop.completion]\nmode = \"enforce\"\n");
    let ids: Vec<String> = (0..AGENTS).map(|number| format!("agent{number}")).collect();
    let stops = |answer: &str| {
        all_at_once(|number| outcome(&agent_stop(&project, (&ids[number], "coder"), false, answer)))
    };
    assert_eq!(stops("…"), ["blocked"; AGENTS]);
    // Had one of them been lost, its agent would be blocked again.
    assert_eq!(stops("… …"), ["released"; AGENTS]);
}

#[test]
fn defect_30_parallel_runs_are_all_counted() {
    let project = Project::new();
    let needs: String = (0..AGENTS)
        .map(|number| format!("[[loop.gate.need]]\nname = \"need{number}\"\nagents = [\"role{number}\"]\n"))
        .collect();
    project.config(&format!("[quality]\nmode = \"off\"\n[loop.gate]\nmode = \"enforce\"\n{needs}"));
    all_at_once(|number| edit(&project, &format!("src/{number}.rs")).assert_silent().status);
    let blocked = stop(&project, false);
    assert_eq!(outcome(&blocked), "blocked");
    let files: Vec<String> = (0..AGENTS).map(|number| format!("`src/{number}.rs`")).collect();
    for number in 0..AGENTS {
        let missing = format!("no need{number} of {}", files.join(", "));
        assert!(blocked.reason().contains(&missing), "{missing} is not in {}", blocked.reason());
    }
    all_at_once(|number| {
        agent_stop(&project, (&format!("a{number}"), &format!("role{number}")), false, "ok")
            .assert_silent()
            .status
    });
    stop(&project, true).assert_silent();
}

#[test]
fn a_stop_is_blocked_until_the_edit_was_reviewed_and_tested() {
    let project = Project::new();
    project.config("[quality]\nmode = \"off\"\n[loop.gate]\nmode = \"enforce\"\n");
    stop(&project, false).assert_silent();
    edit(&project, "src/main.rs").assert_silent();
    let blocked = stop(&project, false);
    let reason = "For review, spawn `reviewer`; for tests, spawn `tester`, or run `cargo test`, `cargo nextest run`, \
                  `pytest` … until it passes: after the last edit there is no review of `src/main.rs`; no tests of \
                  `src/main.rs`. A command counts only at the end of its line, without a pipe or `||`. If this is not \
                  possible, say so and stop again: you are released, and the user is notified. [flyball loop.gate]";
    assert_eq!(
        (outcome(&blocked), blocked.reason().as_str(), blocked.notice().as_str()),
        ("blocked", reason, "")
    );
    agent_stop(&project, ("a1", "code-reviewer"), false, "fine").assert_silent();
    ran(&project, "cargo test 2>&1 | tail -3").assert_silent();
    assert_eq!(outcome(&stop(&project, true)), "blocked", "less is missing: that is progress");
    ran(&project, "cd . && cargo test").assert_silent();
    stop(&project, true).assert_silent();
}

#[test]
fn a_file_in_a_linked_worktree_is_found() {
    let project = Project::new();
    fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    project.file("README.md", "x").config("[loop.completion]\nmode = \"enforce\"\n");
    commit(&project);
    let tree = project.folder().join("tree");
    git(&project, &["worktree", "add", "--quiet", tree.to_str().unwrap()]);
    fs::create_dir(tree.join("docs")).unwrap();
    fs::write(tree.join("docs/plan.md"), "x").unwrap();
    project.file("deep/er/notes.md", "x");
    let answer = "I created `docs/plan.md`, `notes.md` and `README.md`.";
    agent_stop(&project, ("a1", "coder"), false, answer).assert_silent();
    let blocked = agent_stop(&project, ("a2", "coder"), false, "I created `docs/other.md` and `README.md`.");
    let reason = "Repeat your whole answer with what is missing, or explain in it why that is not possible: it is \
                  incomplete (it claims to have written `docs/other.md`, which does not exist). Only your last message \
                  is read; you are asked once. [flyball loop.completion]";
    assert_eq!((outcome(&blocked), blocked.reason().as_str()), ("blocked", reason));
}

#[test]
fn an_opinion_is_advice_and_its_failure_is_reported_once() {
    let project = Project::new();
    let judge = project.folder().join("judge");
    let script = |text: &str| {
        fs::write(&judge, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&judge, fs::Permissions::from_mode(0o755)).unwrap();
    };
    project.config(&format!(
        "[loop.completion]\nmode = \"enforce\"\nopinion_command = [\"{}\", \"--short\"]\n",
        judge.display()
    ));
    let seen = project.folder().join("seen");
    script(&format!("cat > '{}'; echo \"$1: looks thin\"", seen.display()));
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let released = agent_stop(&project, ("a1", "coder"), false, &format!("Done with {secret}."));
    assert_eq!(
        released.json(),
        json!({ "systemMessage": "flyball: second opinion on the answer of `coder`: --short: looks thin" })
    );
    let question: Value = serde_json::from_str(&fs::read_to_string(&seen).unwrap()).unwrap();
    assert_eq!(question["role"], "coder");
    assert!(question["answer"].as_str().unwrap().starts_with("Done with "), "{question}");
    assert!(!question.to_string().contains(&secret), "{question}");

    let blocked = agent_stop(&project, ("a2", "coder"), false, "…");
    assert_eq!(outcome(&blocked), "blocked");
    assert!(
        blocked.reason().ends_with("A second opinion on your answer (advice only):\n--short: looks thin"),
        "{}",
        blocked.reason()
    );

    script("echo no model >&2; exit 3");
    let released = agent_stop(&project, ("a3", "coder"), false, "Done.");
    let path = judge.display();
    let notice = format!(
        "flyball: no second opinion on subagents' answers: `{path}` exited with 3: no model; check `loop.completion.opinion_command`; this is reported once"
    );
    assert_eq!(released.json(), json!({ "systemMessage": notice }));
    agent_stop(&project, ("a4", "coder"), false, "Done.").assert_silent();
}

/// A project with one commit that has `src/old.rs`.
fn committed() -> Project {
    let project = Project::new();
    fs::remove_dir(project.root().join(".git")).unwrap();
    git(&project, &["init", "--quiet", "--initial-branch=main"]);
    project.config("[quality]\nmode = \"off\"\n[loop.gate]\nmode = \"enforce\"\n");
    project.file("src/old.rs", "fn old() {}\n");
    commit(&project);
    project
}

#[test]
fn what_git_puts_in_the_tree_is_nobodys_edit() {
    let project = committed();
    git(&project, &["checkout", "--quiet", "-b", "other"]);
    project.file("src/old.rs", "fn new() {}\n").file("src/more.rs", "fn more() {}\n");
    commit(&project);
    for line in ["git checkout main", "git stash", "git checkout other && npm run build", "git pull --rebase"]
    {
        project.file("src/old.rs", "fn changed() {}\n");
        ran(&project, line).assert_silent();
        assert_eq!(outcome(&stop(&project, false)), "silent", "{line}");
    }
    project.file("src/old.rs", "fn changed_again() {}\n");
    ran(&project, "python3 codemod.py").assert_silent();
    assert_eq!(outcome(&stop(&project, false)), "blocked");
}

#[test]
fn a_file_that_came_and_went_needs_nothing_and_one_that_was_there_does() {
    let project = committed();
    edit(&project, "scratch.py").assert_silent();
    fs::remove_file(project.root().join("scratch.py")).unwrap();
    ran(&project, "rm scratch.py").assert_silent();
    assert_eq!(outcome(&stop(&project, false)), "silent");
    fs::remove_file(project.root().join("src/old.rs")).unwrap();
    ran(&project, "rm src/old.rs").assert_silent();
    let blocked = stop(&project, false);
    assert_eq!(outcome(&blocked), "blocked");
    assert!(
        blocked.reason().contains("no review of `src/old.rs`; no tests of `src/old.rs`."),
        "{}",
        blocked.reason()
    );
}

#[test]
fn an_answer_that_lost_its_parts_on_the_way_is_asked_for_once_more() {
    let project = Project::new();
    project.config(
        "[loop.completion]\nmode = \"enforce\"\n[[loop.completion.role]]\nagents = [\"coder\"]\nheadings = [\"## Result\"]\n",
    );
    // Another hook blocked it first, and it answers only that.
    agent_stop(&project, ("a1", "coder"), false, "## Result\nfine").assert_silent();
    assert_eq!(outcome(&agent_stop(&project, ("a1", "coder"), true, "I moved the file.")), "blocked");
    assert_eq!(outcome(&agent_stop(&project, ("a1", "coder"), true, "I moved it.")), "released");
    agent_stop(&project, ("a1", "coder"), true, "I moved it.").assert_silent();
}

#[test]
fn a_file_that_was_reviewed_is_not_edited_by_a_command_that_comes_soon_after() {
    let project = committed();
    edit(&project, "src/new.rs").assert_silent();
    agent_stop(&project, ("a1", "reviewer"), false, "fine").assert_silent();
    // The client does not report how long it ran, so the changes of the last minute are checked.
    ran(&project, "make test").assert_silent();
    stop(&project, false).assert_silent();
    ran(&project, "python3 tool.py").assert_silent();
    stop(&project, false).assert_silent();
    project.file("src/new.rs", "fn changed() {}\n");
    ran(&project, "python3 tool.py").assert_silent();
    assert_eq!(outcome(&stop(&project, false)), "blocked");
}

#[test]
fn what_a_build_writes_is_nobodys_code() {
    let project = committed();
    for name in ["dist/app.js", "src/generated/api.rs", "vendor/x/y.go", "web/app.min.js", "api/v1.pb.go"] {
        edit(&project, name).assert_silent();
        assert_eq!(outcome(&stop(&project, false)), "silent", "{name}");
    }
}
