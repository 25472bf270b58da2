//! Documents of agents, by real processes in real repositories with real worktrees: whose they are, where they belong,
//! and that the commands an agent is given do what they say.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{ProcessResult, Project, commit, git, mask_folder};
use serde_json::{Value, json};

// Whether there are linters on this machine must not matter.
const CONFIG: &str = r#"
[quality]
mode = "off"

[loop.output]
mode = "enforce"

[[loop.output.rule]]
files = ["**/*.md", "**/*.report"]
belongs = [".claude/.output/**", "docs/**"]
suggest = ".claude/.output/agents/{slug}/"

[[loop.output.skills]]
agents = ["*-developer"]
required = ["persisting-agent-outputs"]
"#;

const FOR_PEOPLE: &str = "To override (people only): `[loop.output]` in flyball.toml.";

const AGAIN: &str = "Then repeat your whole answer: only your last message is read.";

/// A project with a repository and two committed files.
fn project() -> Project {
    let project = without_git();
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project.file("src/main.py", "x = 1\n").file("src/other.py", "y = 1\n").file(".gitignore", "scratch/\n");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project
}

fn without_git() -> Project {
    let project = Project::new();
    project.config(CONFIG);
    project
}

/// A linked worktree beside the project.
fn worktree(project: &Project) -> PathBuf {
    let path = project.folder().join("linked tree");
    git(project, &["worktree", "add", "--quiet", "-b", "side", path.to_str().unwrap()]);
    path
}

/// A subagent, and what it does.
struct Agent<'p> {
    project: &'p Project,
    id: &'static str,
    role: &'static str,
    cwd: PathBuf,
}

impl<'p> Agent<'p> {
    fn new(project: &'p Project, id: &'static str, role: &'static str) -> Agent<'p> {
        Agent { project, id, role, cwd: project.root() }
    }

    fn started(self) -> Agent<'p> {
        self.event("SubagentStart", json!({})).assert_silent();
        self
    }

    fn event(&self, name: &str, fields: Value) -> ProcessResult {
        let mut all = json!({ "agent_id": self.id, "agent_type": self.role, "cwd": self.cwd });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.project.hook(name, all)
    }

    fn call(&self, tool: &str, input: &Value, act: impl FnOnce()) {
        let id = crate::support::unique();
        let fields = json!({ "tool_name": tool, "tool_input": input, "tool_use_id": id });
        self.event("PreToolUse", fields).assert_silent();
        act();
        let fields = json!({
            "tool_name": tool, "tool_input": input, "tool_use_id": id, "tool_response": {}, "duration_ms": 1,
        });
        self.event("PostToolUse", fields).assert_silent();
    }

    /// Writes a file by the edit tool; a relative path is below its working directory.
    fn writes(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.cwd.join(path);
        let act = || {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
        };
        self.call("Write", &json!({ "file_path": path, "content": text }), act);
    }

    fn runs(&self, command: &str) {
        let act = || sh(&self.cwd, command);
        self.call("Bash", &json!({ "command": command }), act);
    }

    fn reads(&self, path: &str) {
        self.call("Read", &json!({ "file_path": self.cwd.join(path) }), || ());
    }

    fn uses(&self, skill: &str) {
        self.call("Skill", &json!({ "skill": skill }), || ());
    }

    /// Stops with a new message. The same payload within a second would be the same event.
    fn stops(&self) -> ProcessResult {
        self.stops_with(&format!("done {}", crate::support::unique()))
    }

    fn stops_with(&self, message: &str) -> ProcessResult {
        self.event("SubagentStop", json!({ "stop_hook_active": false, "last_assistant_message": message }))
    }

    /// The reason why its stop is blocked, with the folder of the test replaced.
    #[track_caller]
    fn blocked_reason(&self) -> String {
        let ran = self.stops();
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
        assert!(!ran.stdout.is_empty(), "it was not blocked");
        assert_eq!(ran.json()["decision"], json!("block"), "{ran:?}");
        mask_folder(&ran.reason(), &self.project.folder())
    }
}

fn sh(folder: &Path, command: &str) {
    let status = Command::new("sh").current_dir(folder).args(["-c", command]).status();
    assert!(status.is_ok_and(|status| status.success()), "{command}");
}

fn main_stops(project: &Project) -> ProcessResult {
    project.hook(
        "Stop",
        json!({ "stop_hook_active": false, "last_assistant_message": crate::support::unique() }),
    )
}

/// The reason for one misplaced document of a `writer` at the top of the project.
fn one(path: &str, target: &str) -> String {
    format!(
        "Move 1 document to where agents' documents belong:\n\
         - 'FOLDER/project/{path}' belongs below `.claude/.output/**`, `docs/**`:\n  \
         mkdir -p 'FOLDER/project/.claude/.output/agents/writer' && mv -n -- 'FOLDER/project/{path}' \
         'FOLDER/project/.claude/.output/agents/writer/{target}'\n{FOR_PEOPLE}\n{AGAIN}\n[flyball loop.output]"
    )
}

/// The commands in a reason, which are indented by two spaces.
fn commands(reason: &str) -> Vec<String> {
    let parts = reason.split("\n  mkdir").skip(1);
    let ends = |part: &str| part.find("\n- ").or_else(|| part.find("\nTo override")).unwrap_or(part.len());
    parts.map(|part| format!("mkdir{}", &part[..ends(part)])).collect()
}

#[test]
fn a_document_in_the_wrong_place_blocks_its_agent_once_then_the_main_agent_once() {
    let project = project();
    let agent = Agent::new(&project, "a1", "writer").started();
    agent.writes("NOTES.md", "notes\n");
    agent.writes("docs/fine.md", "fine\n");
    agent.writes("src/README.md", "fine\n");
    agent.writes("src/code.py", "z = 1\n");
    assert_eq!(agent.blocked_reason(), one("NOTES.md", "NOTES.md"));
    let path = mask_folder(&agent.stops().notice(), &project.folder());
    assert_eq!(
        path,
        "flyball: `writer` was released although it left 'FOLDER/project/NOTES.md' in the wrong place"
    );
    agent.stops().assert_silent();
    let blocked = main_stops(&project);
    assert_eq!(blocked.json()["decision"], json!("block"));
    assert_eq!(
        mask_folder(&blocked.reason(), &project.folder()),
        format!(
            "Move 1 document that your agents left in the wrong place:\n- 'FOLDER/project/NOTES.md' of `writer`:\n  \
             mkdir -p 'FOLDER/project/.claude/.output/agents/writer' && mv -n -- 'FOLDER/project/NOTES.md' \
             'FOLDER/project/.claude/.output/agents/writer/NOTES.md'\n{FOR_PEOPLE}\n[flyball loop.output]"
        )
    );
    assert_eq!(
        mask_folder(&main_stops(&project).notice(), &project.folder()),
        "flyball: documents of agents stay in the wrong place: 'FOLDER/project/NOTES.md' of `writer`"
    );
    main_stops(&project).assert_silent();
}

#[test]
fn the_commands_that_are_given_are_allowed_and_do_it() {
    let project = project();
    let agent = Agent::new(&project, "a1", "writer").started();
    agent.writes("NOTES.md", "notes\n");
    agent.writes("src/NOTES.md", "other\n");
    let reason = agent.stops().reason();
    let commands = commands(&reason);
    assert_eq!(commands.len(), 2, "{reason}");
    for command in &commands {
        agent.runs(command);
    }
    agent.stops().assert_silent();
    main_stops(&project).assert_silent();
    let folder = project.root().join(".claude/.output/agents/writer");
    assert_eq!(std::fs::read_to_string(folder.join("NOTES.md")).unwrap(), "notes\n");
    assert_eq!(std::fs::read_to_string(folder.join("NOTES-2.md")).unwrap(), "other\n");
}

#[test]
fn what_a_command_makes_counts_like_what_a_tool_writes() {
    let project = project();
    project.file("make.sh", "echo made > MADE.md\n");
    let cases = [
        ("a1", "echo x > BY-LINE.md", "BY-LINE.md"),
        ("a2", "sh make.sh", "MADE.md"),
        ("a3", "cp src/main.py copied.report", "copied.report"),
    ];
    for (id, command, path) in cases {
        let agent = Agent::new(&project, id, "writer").started();
        agent.runs(command);
        assert_eq!(agent.blocked_reason(), one(path, path), "{command}");
        agent.stops();
    }
}

#[test]
fn adding_or_committing_a_document_does_not_hide_it_and_ignored_ones_do_not_count() {
    let project = project();
    let agent = Agent::new(&project, "a1", "writer").started();
    agent.writes("ADDED.md", "a\n");
    agent.writes("COMMITTED.md", "c\n");
    agent.writes("scratch/IGNORED.md", "i\n");
    git(&project, &["add", "COMMITTED.md"]);
    git(&project, &["commit", "--quiet", "--message", "c"]);
    git(&project, &["add", "ADDED.md"]);
    let reason = agent.stops().reason();
    let commands = commands(&reason);
    for command in &commands {
        assert!(command.contains("&& git -C "), "{command}");
        sh(&project.root(), command);
    }
    assert_eq!(commands.len(), 2, "{reason}");
    agent.stops().assert_silent();
}

#[test]
fn defect_24_files_of_the_user_block_nobody() {
    let project = project();
    project.file("USER.md", "the user's\n").file("TOUCHED.md", "the user's\n");
    let agent = Agent::new(&project, "a1", "writer").started();
    agent.writes("TOUCHED.md", "the agent's words in the user's file\n");
    agent.runs("echo more >> USER.md");
    agent.stops().assert_silent();
    // Its start was not seen.
    let agent = Agent::new(&project, "a2", "writer");
    agent.writes("TOUCHED.md", "again\n");
    agent.stops().assert_silent();
    agent.writes("OWN.md", "its own\n");
    assert_eq!(agent.blocked_reason(), one("OWN.md", "OWN.md"));
    // The next one is not blocked for what that one left.
    let agent = Agent::new(&project, "a3", "writer").started();
    agent.stops().assert_silent();
}

#[test]
fn defect_22_a_document_that_leaked_into_another_tree_is_named_where_it_is() {
    let project = project();
    let linked = worktree(&project);
    let agent = Agent { cwd: linked.clone(), ..Agent::new(&project, "a1", "writer") }.started();
    agent.writes(project.root().join("LEAK.md"), "leak\n");
    agent.writes("HERE.md", "here\n");
    let reason = agent.blocked_reason();
    assert_eq!(
        reason,
        format!(
            "Move 2 documents to where agents' documents belong:\n\
             - 'FOLDER/linked tree/HERE.md' belongs below `.claude/.output/**`, `docs/**`:\n  \
             mkdir -p 'FOLDER/linked tree/.claude/.output/agents/writer' && mv -n -- 'FOLDER/linked tree/HERE.md' \
             'FOLDER/linked tree/.claude/.output/agents/writer/HERE.md'\n\
             - 'FOLDER/project/LEAK.md' belongs below `.claude/.output/**`, `docs/**`, and it is in the worktree \
             'FOLDER/project', which is not yours:\n  \
             mkdir -p 'FOLDER/linked tree/.claude/.output/agents/writer' && mv -n -- 'FOLDER/project/LEAK.md' \
             'FOLDER/linked tree/.claude/.output/agents/writer/LEAK.md'\n{FOR_PEOPLE}\n{AGAIN}\n[flyball loop.output]"
        )
    );
    for command in commands(&reason.replace("FOLDER", &project.folder().to_string_lossy())) {
        sh(&linked, &command);
    }
    agent.stops().assert_silent();
    // And the other way round, by a command whose text does not show it.
    project.file("leak.sh", "echo x > '../linked tree/BACK.md'\n");
    let agent = Agent::new(&project, "a2", "writer").started();
    agent.runs("sh leak.sh");
    let reason = agent.blocked_reason();
    assert!(reason.contains("'FOLDER/linked tree/BACK.md' belongs below"), "{reason}");
    assert!(reason.contains("it is in the worktree 'FOLDER/linked tree', which"), "{reason}");
}

#[test]
fn a_worktree_inside_of_the_checkout_is_a_tree_of_its_own() {
    let project = project();
    let inner = project.root().join(".worktrees/side");
    git(&project, &["worktree", "add", "--quiet", "-b", "side", inner.to_str().unwrap()]);
    let agent = Agent { cwd: inner, ..Agent::new(&project, "a1", "writer") }.started();
    agent.writes("IN.md", "in\n");
    agent.writes("docs/fine.md", "fine\n");
    assert_eq!(
        agent.blocked_reason().replace("/.worktrees/side", ""),
        one("IN.md", "IN.md"),
        "all of it is in the inner tree"
    );
    // One that is made while an agent runs is looked at too.
    let agent = Agent::new(&project, "a2", "writer").started();
    agent.runs("git worktree add --quiet -b late .worktrees/late && echo x > .worktrees/late/LATE.md");
    let reason = agent.blocked_reason();
    assert!(reason.contains("- 'FOLDER/project/.worktrees/late/LATE.md' belongs below"), "{reason}");
}

#[test]
fn defect_23_names_are_right_whatever_is_in_them() {
    let names = [
        "two words.md",
        "it's.md",
        "\"quoted\".md",
        "back\\slash.md",
        "new\nline.md",
        "tab\there.md",
        "größe ✓ 日本.md",
        "$HOME `id` $(id).md",
        "-n.md",
        "*?[a].md",
        "sub dir/é.md",
    ];
    let project = project();
    let agent = Agent::new(&project, "a1", "writer").started();
    for name in names {
        agent.writes(name, name);
    }
    let reason = agent.stops().reason();
    let commands = commands(&reason);
    assert_eq!(commands.len(), names.len(), "{reason}");
    for command in &commands {
        sh(&project.root(), command);
    }
    agent.stops().assert_silent();
    let folder = project.root().join(".claude/.output/agents/writer");
    for name in names {
        let last = Path::new(name).file_name().unwrap();
        assert_eq!(std::fs::read_to_string(folder.join(last)).unwrap(), name);
        assert!(!project.root().join(name).exists(), "{name}");
    }
}

#[test]
fn defect_21_files_with_earlier_changes_are_listed_apart_from_those_only_the_agent_changed() {
    let project = project();
    project.file("src/other.py", "y = 2  # the user's\n").file("src/third file.py", "z = 1\n");
    git(&project, &["add", "src/third file.py"]);
    git(&project, &["commit", "--quiet", "--message", "third"]);
    let agent = Agent::new(&project, "a1", "api-developer").started();
    agent.reads("flyball.toml");
    agent.writes("src/main.py", "x = 2\n");
    agent.writes("src/other.py", "y = 3\n");
    agent.runs("rm 'src/third file.py'");
    agent.writes("src/it's new.py", "n = 1\n");
    agent.writes("src/undone.py", "n = 1\n");
    agent.runs("rm src/undone.py");
    let reason = agent.blocked_reason();
    assert_eq!(
        reason,
        format!(
            "Use the skill `persisting-agent-outputs` now, follow it, and list it in `skills_invoked` of your output's \
             metadata: your role requires it.\n\
             What you changed without it, in case it has to be undone (nothing was; ask first):\n\
             - new: rm -- 'FOLDER/project/src/it'\\''s new.py'\n\
             - safe to revert: git -C 'FOLDER/project' checkout -- 'src/main.py'\n\
             - manual review: 'FOLDER/project/src/other.py' had changes before the agent ran\n\
             - safe to revert: git -C 'FOLDER/project' checkout -- 'src/third file.py'\n{FOR_PEOPLE}\n{AGAIN}\n[flyball loop.output]"
        )
    );
    let place = |line: &str| line.replace("FOLDER", &project.folder().to_string_lossy());
    for line in
        reason.lines().filter_map(|line| line.split_once(": ")).filter(|(kind, _)| *kind != "- manual review")
    {
        if let ("- new" | "- safe to revert", command) = line {
            sh(&project.root(), &place(command));
        }
    }
    let output =
        Command::new("git").current_dir(project.root()).args(["status", "--porcelain"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), " M src/other.py\n");
}

#[test]
fn what_the_agent_staged_or_committed_is_taken_from_the_commit_before_it() {
    let project = project();
    let agent = Agent::new(&project, "a1", "api-developer").started();
    agent.writes("src/main.py", "x = 2\n");
    agent.writes("src/other.py", "y = 2\n");
    git(&project, &["add", "src/main.py"]);
    git(&project, &["commit", "--quiet", "--message", "by the agent"]);
    git(&project, &["add", "src/other.py"]);
    let reason = agent.stops().reason();
    let lines: Vec<&str> =
        reason.lines().filter_map(|line| line.strip_prefix("- safe to revert: ")).collect();
    assert_eq!(lines.len(), 2, "{reason}");
    for line in lines {
        sh(&project.root(), line);
    }
    assert_eq!(std::fs::read_to_string(project.root().join("src/main.py")).unwrap(), "x = 1\n");
    assert_eq!(std::fs::read_to_string(project.root().join("src/other.py")).unwrap(), "y = 1\n");
}

#[test]
fn a_start_that_was_not_seen_makes_nothing_safe() {
    let project = project();
    let agent = Agent::new(&project, "a1", "api-developer");
    agent.writes("src/main.py", "x = 2\n");
    let reason = agent.blocked_reason();
    let expected = "- manual review: 'FOLDER/project/src/main.py' may have had changes before: the state before the \
                    agent ran is not known\n";
    assert!(reason.contains(expected), "{reason}");
    assert!(!reason.contains("safe to revert"), "{reason}");
}

#[test]
fn a_skill_counts_if_it_was_used_or_metadata_lists_it() {
    let project = project();
    let agent = Agent::new(&project, "a1", "api-developer").started();
    assert_eq!(agent.stops_with("I used persisting-agent-outputs").json()["decision"], json!("block"));
    agent.uses("kit:persisting-agent-outputs");
    agent.stops().assert_silent();
    let agent = Agent::new(&project, "a2", "api-developer").started();
    agent.stops_with("```json\n{\"skills_invoked\": [\"persisting-agent-outputs\"]}\n```").assert_silent();
    let agent = Agent::new(&project, "a3", "api-developer").started();
    agent.writes("docs/report.md", "---\nskills_invoked: [persisting-agent-outputs]\n---\n# Report\n");
    agent.stops().assert_silent();
    // A skill that another agent used does not count.
    let agent = Agent::new(&project, "a4", "api-developer").started();
    assert_eq!(agent.stops().json()["decision"], json!("block"));
    assert_eq!(
        agent.stops().notice(),
        "flyball: `api-developer` was released although it did not use the skill `persisting-agent-outputs`"
    );
}

#[test]
fn defect_26_the_spawner_learns_what_its_agent_left_undone() {
    let project = project();
    let spawn = |id: &str, text: &str| {
        let response = json!({
            "status": "completed", "agentId": id, "content": [{ "type": "text", "text": text }],
        });
        let input = json!({ "description": "d", "prompt": "p", "subagent_type": "api-developer" });
        project.hook(
            "PostToolUse",
            json!({ "tool_name": "Agent", "tool_input": input, "tool_response": response, "tool_use_id": crate::support::unique() }),
        )
    };
    let agent = Agent::new(&project, "a1", "api-developer").started();
    agent.writes("NOTES.md", "notes\n");
    let last = "Done.\n```json\n{\"feature_directory\": \".\"}\n```\n";
    agent.stops();
    agent.stops_with(last);
    let ran = spawn("a1", last);
    let json = ran.json();
    assert_eq!(json.get("decision"), None);
    assert_eq!(
        mask_folder(json["hookSpecificOutput"]["additionalContext"].as_str().unwrap(), &project.folder()),
        "`api-developer` is done, but it did not use the skill `persisting-agent-outputs`; \
         'FOLDER/project/NOTES.md' is in the wrong place: mkdir -p 'FOLDER/project/.claude/.output/agents/api-developer' && mv -n -- 'FOLDER/project/NOTES.md' \
         'FOLDER/project/.claude/.output/agents/api-developer/NOTES.md'; \
         `feature_directory` in the metadata is '.', which is not a folder for documents."
    );
    // One whose end was not seen is judged by its answer.
    let metadata =
        "{\"skills_invoked\": [\"persisting-agent-outputs\"], \"feature_directory\": \".claude/.output/x\"}";
    spawn("a2", metadata).assert_silent();
    let context = spawn("a3", "All done.").json()["hookSpecificOutput"]["additionalContext"].clone();
    assert_eq!(
        context,
        json!("`api-developer` is done, but it did not use the skill `persisting-agent-outputs`")
    );
}

#[test]
fn of_agents_that_run_at_once_each_answers_for_its_own() {
    let project = project();
    let first = Agent::new(&project, "a1", "writer").started();
    let second = Agent::new(&project, "a2", "writer").started();
    let helper = Agent::new(&project, "a3", "general-purpose").started();
    first.writes("FIRST.md", "1\n");
    second.writes("SECOND.md", "2\n");
    helper.writes("HELPER.md", "3\n");
    let input = json!({ "file_path": project.root().join("MAIN.md"), "content": "m" });
    project.file("MAIN.md", "m");
    project
        .hook(
            "PostToolUse",
            json!({ "tool_name": "Write", "tool_input": input, "tool_response": {}, "tool_use_id": crate::support::unique() }),
        )
        .assert_silent();
    project.file("NOBODY.md", "who knows\n");
    assert_eq!(first.blocked_reason(), one("FIRST.md", "FIRST.md"));
    assert_eq!(second.blocked_reason(), one("SECOND.md", "SECOND.md"));
    helper.stops().assert_silent();
    for agent in [&first, &second] {
        std::fs::remove_file(project.root().join(if agent.id == "a1" { "FIRST.md" } else { "SECOND.md" }))
            .unwrap();
        agent.stops().assert_silent();
    }
    let ran = main_stops(&project);
    assert_eq!(ran.json().get("decision"), None, "{ran:?}");
    assert_eq!(
        mask_folder(&ran.notice(), &project.folder()),
        "flyball: documents appeared in the wrong place while several agents ran; which agent wrote them is not known: 'FOLDER/project/NOBODY.md'"
    );
    main_stops(&project).assert_silent();
}

#[test]
fn in_plan_mode_no_document_holds_the_main_agent() {
    let project = project();
    Agent::new(&project, "a1", "writer").started().writes("LOST.md", "lost\n");
    let stop = |mode: &str| {
        let message = crate::support::unique();
        project.hook(
            "Stop",
            json!({ "permission_mode": mode, "stop_hook_active": false, "last_assistant_message": message }),
        )
    };
    stop("plan").assert_silent();
    assert_eq!(stop("default").json()["decision"], json!("block"));
}

#[test]
fn an_agent_whose_end_was_not_seen_is_looked_at_when_the_main_agent_stops() {
    let project = project();
    let agent = Agent::new(&project, "a1", "writer").started();
    agent.writes("LOST.md", "lost\n");
    let running = json!([{ "id": "a1", "type": "subagent", "status": "running", "description": "d" }]);
    let fields =
        json!({ "stop_hook_active": false, "last_assistant_message": "x", "background_tasks": running });
    project.hook("Stop", fields).assert_silent();
    let blocked = main_stops(&project);
    assert!(
        mask_folder(&blocked.reason(), &project.folder())
            .contains("- 'FOLDER/project/LOST.md' of `writer`:\n"),
        "{blocked:?}"
    );
    std::fs::remove_file(project.root().join("LOST.md")).unwrap();
    main_stops(&project).assert_silent();
}

#[test]
fn without_a_repository_what_calls_write_is_known() {
    let project = without_git();
    project.file("USER.md", "the user's\n");
    let agent = Agent::new(&project, "a1", "writer").started();
    project.file("LATER.md", "the user's too\n");
    agent.writes("USER.md", "changed\n");
    agent.runs("echo x > OWN.md");
    assert_eq!(agent.blocked_reason(), one("OWN.md", "OWN.md"));
    assert_ne!(agent.stops().notice(), "");
}

#[test]
fn agents_that_are_skipped_and_internal_ones_are_left_alone() {
    let project = project();
    for (id, role) in [("a1", "Explore"), ("a2", "general-purpose"), ("a3", "")] {
        let agent = Agent::new(&project, id, role).started();
        agent.writes(format!("BY-{id}.md"), "x\n");
        agent.stops().assert_silent();
    }
    main_stops(&project).assert_silent();
}

#[test]
fn a_session_that_starts_anew_forgets_and_one_that_is_resumed_does_not() {
    for (source, is_blocked) in [("resume", true), ("compact", true), ("startup", false), ("clear", false)] {
        let project = project();
        let agent = Agent::new(&project, "a1", "writer").started();
        agent.writes("NOTES.md", "notes\n");
        agent.stops();
        agent.stops();
        project.hook("SessionStart", json!({ "source": source })).assert_silent();
        assert_eq!(!main_stops(&project).stdout.is_empty(), is_blocked, "{source}");
    }
}

#[test]
fn when_off_it_is_silent() {
    let project = project();
    project.config("[quality]\nmode = \"off\"\n");
    let agent = Agent::new(&project, "a1", "writer").started();
    agent.writes("NOTES.md", "notes\n");
    agent.stops().assert_silent();
    main_stops(&project).assert_silent();
}

/// Every file below a folder but those of the state directory, with what it holds.
fn all_files(folder: &Path, state: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path != state {
                folders.push(path);
            } else if path.is_file() {
                let bytes = std::fs::read(&path).unwrap();
                found.insert(path, bytes);
            }
        }
    }
    found
}

#[test]
fn defect_25_nothing_is_written_outside_of_the_state_directory() {
    let project = project();
    let temporary = project.folder().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let project = project.with("TMPDIR", temporary.to_str().unwrap());
    let agent = Agent::new(&project, "a1", "api-developer").started();
    agent.writes("NOTES.md", "notes\n");
    agent.writes("src/main.py", "x = 2\n");
    let state = project.state();
    // The first event of all may leave its cache of the config behind.
    let before = all_files(&project.folder(), &state);
    let agent = Agent::new(&project, "a2", "api-developer").started();
    agent.reads("src/main.py");
    assert_eq!(agent.stops().json()["decision"], json!("block"));
    assert_ne!(agent.stops().notice(), "");
    main_stops(&project);
    assert_eq!(all_files(&project.folder(), &state), before);
}
