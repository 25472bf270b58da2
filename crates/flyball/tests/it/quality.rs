//! The quality policy by real processes with real linters: what an agent gets after it edited a
//! file, and when it stops.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use std::io::Read;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{ProcessResult, Project, commit, git, linters, run, search_path};
use serde_json::{Value, json};

/// All that look at Python but one, so that the answers are one linter's.
const ONLY_RUFF: &str = "[quality.project]\nafter_files = 0\nat_stop = false\n\n[quality.linters]\n\
    ty.enabled = false\nflake8.enabled = false\nvulture.enabled = false\nbandit.enabled = false\n";

const BAD: &str = "def total(prices):\n    count = 1\n    other = 2\n    return sum(prices)\n";
const GOOD: &str = "def total(prices):\n    return sum(prices)\n";

const TWO_FINDINGS: &str = "  \
    2:5  F841  Local variable `count` is assigned to but never used → Remove assignment to unused variable `count` (ruff)\n  \
    3:5  F841  Local variable `other` is assigned to but never used → Remove assignment to unused variable `other` (ruff)";
/// After an edit that fixes neither.
const STILL_OPEN: &str = "[flyball:warning] still open in src/app.py, as reported before: 2:5 F841, 3:5 F841";

/// Chooses ruff for checks, and no formatter.
const CHOOSES_RUFF: &str = "[tool.ruff.lint]\nselect = ['F']\n";

/// A project that chose ruff, with a repository, whose search path leads to the real linters.
fn project(config: &str) -> Project {
    let project = bare_project(config);
    project.file("pyproject.toml", CHOOSES_RUFF);
    commit(&project);
    project
}

/// The same without a linter.
fn bare_project(config: &str) -> Project {
    let project = Project::new().with("PATH", &search_path(&[linters()]));
    std::fs::remove_dir(project.root().join(".git")).unwrap();
    project.config(config).file("README", "x\n");
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project
}

/// The payload after an edit by the client's tool, which the test itself made.
fn edit_payload(project: &Project, name: &str) -> Value {
    let path = project.root().join(name);
    project.payload(
        "PostToolUse",
        json!({
            "tool_name": "Edit",
            "tool_input": { "file_path": path, "old_string": "a", "new_string": "b" },
            "tool_use_id": crate::support::unique(),
            "tool_response": { "filePath": path },
        }),
    )
}

fn edited(project: &Project, name: &str, text: &str) -> ProcessResult {
    project.file(name, text);
    project.hook_bytes("PostToolUse", edit_payload(project, name).to_string().as_bytes())
}

/// The event after a shell command that was run by the test itself.
fn after(project: &Project, command: &str) -> ProcessResult {
    project.hook(
        "PostToolUse",
        json!({
            "tool_name": "Bash",
            "tool_input": { "command": command },
            "tool_use_id": crate::support::unique(),
            "tool_response": { "stdout": "", "stderr": "", "interrupted": false },
        }),
    )
}

/// Runs a command line of an agent for real, and sends the event after it.
fn really(project: &Project, line: &str) -> ProcessResult {
    let status = Command::new("sh").args(["-c", line]).current_dir(project.root()).status().unwrap();
    assert!(status.success(), "{line}");
    after(project, line)
}

fn stop(project: &Project, again: bool) -> ProcessResult {
    project.hook(
        "Stop",
        json!({ "stop_hook_active": again, "last_assistant_message": crate::support::unique() }),
    )
}

fn content(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.root().join(name)).unwrap()
}

/// All that is printed, with the id of the answer taken out.
#[track_caller]
fn answer(ran: &ProcessResult) -> Value {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let mut json = ran.json();
    if json.get("reason").is_some() {
        json["reason"] = json!(ran.reason());
    }
    json
}

fn block(reason: &str) -> Value {
    json!({ "decision": "block", "reason": format!("{reason}\n[flyball quality]") })
}

fn context(text: &str) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": "PostToolUse", "additionalContext": text } })
}

/// The whole answer is on standard output, as JSON, in the field that the model is given.
#[test]
fn defect_17_the_model_is_given_every_finding_with_its_code() {
    let project = project(ONLY_RUFF);
    let reason =
        format!("[flyball:warning] 2 findings in src/app.py\n{TWO_FINDINGS}\nFix the code, not the rules.");
    assert_eq!(answer(&edited(&project, "src/app.py", BAD)), block(&reason));
    edited(&project, "src/app.py", GOOD).assert_silent();
    let broken = edited(&project, "src/app.py", "def total(:\n    pass\n");
    assert!(broken.reason().starts_with("[flyball:error] "), "{}", broken.reason());
}

#[test]
fn a_file_is_formatted_where_the_project_has_a_config_for_it() {
    let project = bare_project(ONLY_RUFF);
    let untidy = "x = [1,2]\n";
    edited(&project, "a.py", untidy).assert_silent();
    assert_eq!(content(&project, "a.py"), untidy, "nobody chose a formatter");
    project.file("pyproject.toml", "[project]\nname = 'x'\n");
    edited(&project, "a.py", untidy).assert_silent();
    assert_eq!(content(&project, "a.py"), untidy, "that is no config of ruff");
    project.file("pyproject.toml", "[project]\nname = 'x'\n\n[tool.ruff]\nline-length = 100\n");
    let message = "a.py was changed after your edit: reformatted by ruff-format (+1 −1). Read it again before you edit it.";
    assert_eq!(answer(&edited(&project, "a.py", untidy)), context(message));
    assert_eq!(content(&project, "a.py"), "x = [1, 2]\n");
    really(&project, "sed -i 's/1, 2/1,2/' a.py").assert_silent();
    assert_eq!(content(&project, "a.py"), "x = [1, 2]\n");
}

/// The next edit may use what the last one imported.
#[test]
fn what_linters_fix_is_fixed_at_the_end_and_named() {
    let project = project(ONLY_RUFF);
    let text = "import json\n\nx = 1\n";
    edited(&project, "a.py", text).assert_silent();
    assert_eq!(content(&project, "a.py"), text);
    edited(&project, "b.py", "import os\n\nprint(os.sep)\n").assert_silent();
    let notice = "flyball: a.py: removed `import json` (F401)";
    assert_eq!(answer(&stop(&project, false)), json!({ "systemMessage": notice }));
    assert_eq!(content(&project, "a.py"), "\nx = 1\n", "nobody chose a formatter");
    stop(&project, false).assert_silent();
}

/// What a person wrote since is theirs.
#[test]
fn a_file_that_changed_since_the_edit_is_not_fixed_at_the_end() {
    let project = project(ONLY_RUFF);
    edited(&project, "a.py", "import json\n").assert_silent();
    project.file("a.py", "import json\n\n# more to come\n");
    let reason = stop(&project, false).reason();
    assert!(reason.contains("F401  `json` imported but unused"), "{reason}");
    assert_eq!(content(&project, "a.py"), "import json\n\n# more to come\n");
}

#[test]
fn a_formatter_is_chosen_by_a_command_of_the_project() {
    let project = bare_project("");
    let text = "package main\nfunc main() {  }\n";
    edited(&project, "main.go", text).assert_silent();
    assert_eq!(content(&project, "main.go"), text);
    project.file("Makefile", "fmt:\n\tgofmt -w .\n");
    let message = "main.go was changed after your edit: reformatted by gofmt (+2 −1). Read it again before you edit it.";
    assert_eq!(answer(&edited(&project, "main.go", text)), context(message));
    assert_eq!(content(&project, "main.go"), "package main\n\nfunc main() {}\n");
}

/// A client may be started in a folder by another name.
#[test]
fn a_project_that_is_reached_through_a_link_is_checked_too() {
    let project = project(ONLY_RUFF);
    project.file("src/app.py", BAD);
    let link = project.folder().join("link");
    std::os::unix::fs::symlink(project.root(), &link).unwrap();
    let mut payload = edit_payload(&project, "src/app.py");
    payload["cwd"] = json!(link);
    payload["tool_input"]["file_path"] = json!(link.join("src/app.py"));
    let mut command = project.hook_command("PostToolUse");
    command.env("CLAUDE_PROJECT_DIR", &link).current_dir(&link);
    let reason =
        format!("[flyball:warning] 2 findings in src/app.py\n{TWO_FINDINGS}\nFix the code, not the rules.");
    assert_eq!(answer(&run(command, payload.to_string().as_bytes())), block(&reason));
}

#[test]
fn a_file_is_formatted_always_or_never_if_configured() {
    for (format, expected) in [("always", "x = [1, 2]\n"), ("never", "x = [1,2]\n")] {
        let project = bare_project(&format!("[quality]\nformat = '{format}'\n{ONLY_RUFF}"));
        project.file("ruff.toml", "");
        edited(&project, "a.py", "x = [1,2]\n");
        assert_eq!(content(&project, "a.py"), expected, "{format}");
    }
}

#[test]
fn an_edit_of_files_that_the_command_does_not_name_is_an_edit() {
    let lines = [
        "sed -i 's/return/count = 1; return/' src/*.py",
        "for file in src/*.py; do sed -i 's/return/count = 1; return/' $file; done",
        "find src -name '*.py' -exec sed -i 's/return/count = 1; return/' {} +",
        "grep -rl total src | xargs sed -i 's/return/count = 1; return/'",
        "for i in $(echo app); do echo 'print(nope)' > src/$i.py; done",
    ];
    for line in lines {
        let project = project(ONLY_RUFF);
        project.file("src/app.py", GOOD);
        commit(&project);
        let reason = really(&project, line).reason();
        assert!(reason.contains(" in src/app.py\n"), "{line}: {reason}");
    }
}

/// Clients do not always report how long a command ran, so that what changed before it seems to be its work.
#[test]
fn a_command_that_edits_nothing_brings_up_no_old_findings() {
    let project = project(ONLY_RUFF);
    project.file("check.py", "print('fine')\n");
    commit(&project);
    edited(&project, "src/app.py", BAD);
    really(&project, "python3 check.py").assert_silent();
    let other = really(&project, "python3 check.py; echo >> src/app.py");
    assert_eq!(other.json()["hookSpecificOutput"]["additionalContext"], STILL_OPEN, "{other:?}");
}

#[test]
fn an_edit_by_a_command_is_an_edit() {
    let project = project(ONLY_RUFF);
    project.file("src/app.py", GOOD).file("tidy.py", "open('src/app.py', 'a').write('print(four)\\n')\n");
    commit(&project);
    let finding = |name: &str| {
        block(&format!(
            "[flyball:warning] 1 finding in src/app.py\n  \
               3:7  F821  Undefined name `{name}` (ruff)\n\
             Fix the code, not the rules."
        ))
    };
    assert_eq!(answer(&really(&project, "echo 'print(one)' >> src/app.py")), finding("one"));
    git(&project, &["checkout", "--quiet", "--", "."]);
    assert_eq!(answer(&really(&project, "sed -i '$ a print(two)' src/app.py")), finding("two"));
    git(&project, &["checkout", "--quiet", "--", "."]);
    let line = "python3 -c \"open('src/app.py', 'a').write('print(three)\\n')\"";
    assert_eq!(answer(&really(&project, line)), finding("three"));
    git(&project, &["checkout", "--quiet", "--", "."]);
    assert_eq!(answer(&really(&project, "python3 tidy.py")), finding("four"), "only found on disk");
}

#[test]
fn files_outside_the_project_and_configs_of_linters_are_not_changed() {
    let project = project("[quality]\nformat = 'always'\n");
    let outside = project.folder().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, project.root().join("link")).unwrap();
    project.file("make.sh", "echo '{\"a\":1}' | tee link/a.json .jscpd.json inside.json > /dev/null\n");
    really(&project, "sh make.sh");
    let tidy = "{ \"a\": 1 }\n";
    let untidy = "{\"a\":1}\n";
    assert_eq!(std::fs::read_to_string(outside.join("a.json")).unwrap(), untidy);
    assert_eq!(content(&project, ".jscpd.json"), untidy);
    assert_eq!(content(&project, "inside.json"), tidy);
}

#[test]
fn a_command_that_failed_may_have_edited() {
    let project = project(ONLY_RUFF);
    project.file("src/app.py", BAD);
    let line = "echo 'x' >> src/app.py && false";
    let ran = project.hook(
        "PostToolUseFailure",
        json!({
            "tool_name": "Bash",
            "tool_input": { "command": line },
            "tool_use_id": crate::support::unique(),
            "error": "Exit code 1",
        }),
    );
    assert!(ran.reason().starts_with("[flyball:warning] 2 findings in src/app.py\n"), "{ran:?}");
}

/// A linter of the test's own: it notes that it ran, and finds each line that contains `bad`.
fn counting(name: &str) -> String {
    format!(
        "[quality.linters.{name}]\nfiles = ['*.txt']\n\
         check = {{ command = ['sh', '{{root}}/check.sh', '{{file}}'], output = {{ lines = '^(?<line>[0-9]+):(?<message>.+)$' }} }}\n"
    )
}

const COUNTING: &str = "echo \"$1\" >> ran.log\ngrep -n bad \"$1\" || true\n";

fn runs(project: &Project) -> usize {
    std::fs::read_to_string(project.root().join("ran.log")).unwrap_or_default().lines().count()
}

#[test]
fn defect_28_a_linter_runs_once_for_an_edit_and_not_at_all_for_what_it_saw() {
    let project = project(&counting("words"));
    project.file("check.sh", COUNTING);
    let reason = "[flyball:warning] 1 finding in a.txt\n  2  bad (words)\nFix the code, not the rules.";
    assert_eq!(answer(&edited(&project, "a.txt", "good\nbad\n")), block(reason));
    assert_eq!(runs(&project), 1);
    let again = edited(&project, "a.txt", "good\nbad\n").json();
    let known = "[flyball:warning] still open in a.txt, as reported before: 2";
    assert_eq!(again["hookSpecificOutput"]["additionalContext"], known);
    assert_eq!(stop(&project, false).json()["decision"], json!("block"));
    assert_eq!(runs(&project), 1, "the content is the same");
    edited(&project, "a.txt", "good\n").assert_silent();
    assert_eq!(runs(&project), 2);
    stop(&project, false).assert_silent();
    assert_eq!(runs(&project), 2);
}

/// What is counted at the edit, at the end and by `flyball lint` is the same list.
#[test]
fn defect_18_one_finding_is_one_finding_wherever_it_is_counted() {
    let project = project("[quality]\n");
    project.file(".markdownlint.json", "{ \"default\": true }\n");
    let text = "# Title\n\n<b>bold</b>\n";
    let edit = edited(&project, "notes.md", text).reason();
    let head = edit.lines().take(2).collect::<Vec<_>>().join("\n");
    assert!(head.starts_with("[flyball:error] 1 finding in notes.md\n  3:1  MD033"), "{edit}");
    let at_stop = stop(&project, false).reason();
    assert_eq!(
        at_stop.lines().take(2).collect::<Vec<_>>().join("\n"),
        head.replace("finding in", "finding left in")
    );
}

#[test]
fn a_missing_linter_is_reported_once_and_its_file_is_no_finding() {
    let project = project(
        "[quality.linters.house]\nfiles = ['*.txt']\ninstall = 'make house'\ncheck = { command = ['no-such-linter'] }\n",
    );
    let notice = "flyball: house is not installed, so it checks nothing (make house); run `flyball doctor` to see all linters";
    assert_eq!(answer(&edited(&project, "a.txt", "x\n")), json!({ "systemMessage": notice }));
    edited(&project, "a.txt", "y\n").assert_silent();
    stop(&project, false).assert_silent();
}

/// A session in a project that never chose a linter, on a machine that has none.
#[test]
fn linters_that_nobody_chose_are_not_missed() {
    let project = bare_project("").with("PATH", "/usr/bin:/bin");
    for (name, text) in [("b.py", GOOD), ("a.md", "# a\n"), ("a.yml", "a: 1\n"), ("a.sh", "echo\n")] {
        edited(&project, name, text).assert_silent();
    }
    stop(&project, false).assert_silent();
}

/// A project's own config shows that it counts on a linter.
#[test]
fn every_missing_linter_that_the_project_chose_is_reported_once() {
    let project = project("").with("PATH", "/usr/bin:/bin");
    assert!(edited(&project, "a.py", GOOD).notice().contains("ruff is not installed"));
    edited(&project, "b.py", GOOD).assert_silent();
    project.file("conf/.yamllint", "extends: default\n");
    let yamllint = "flyball: yamllint is not installed, so it checks nothing (uv tool install yamllint); run `flyball \
                    doctor` to see all linters";
    assert_eq!(answer(&edited(&project, "conf/x/a.yml", "a: 1\n")), json!({ "systemMessage": yamllint }));
    project.file("package.json", "{ \"devDependencies\": { \"markdownlint-cli2\": \"*\" } }\n");
    assert!(edited(&project, "a.md", "# a\n").notice().contains("markdownlint-cli2 is not installed"));
}

/// The client waits a minute after a call that failed, and ten after others.
#[test]
fn after_a_command_that_failed_nothing_runs_that_takes_minutes() {
    let project = project(
        "[quality.project]\nafter_files = 1\n\n[quality.linters.house]\nfiles = ['*.txt']\nreach = 'project'\n\
         install = 'make house'\ncheck = { command = ['no-such-linter'] }\n",
    );
    project.file("a.txt", "x\n");
    let failed = json!({
        "tool_name": "Bash",
        "tool_input": { "command": "echo x > a.txt; false" },
        "tool_use_id": crate::support::unique(),
        "error": "Exit code 1",
        "is_interrupt": false,
    });
    project.hook("PostToolUseFailure", failed).assert_silent();
    let notice = really(&project, "echo y > a.txt").notice();
    assert!(notice.starts_with("flyball: house is not installed"), "{notice}");
}

#[test]
fn defect_16_a_linter_with_a_broken_config_is_not_taken_for_clean() {
    let project = project(&format!("{ONLY_RUFF}ruff-format.enabled = false\n"));
    project.file("src/.ruff.toml", "no-such-key = 1\n");
    let ran = edited(&project, "src/app.py", BAD);
    let json = answer(&ran);
    assert_eq!(
        json["hookSpecificOutput"]["additionalContext"],
        json!("[flyball:warning] ruff did not run, so src/app.py is not checked by it")
    );
    assert_eq!(json.get("decision"), None);
    let notice = ran.notice();
    assert!(notice.starts_with("flyball: ruff failed: ") && notice.contains("no-such-key"), "{notice}");
    assert_eq!(edited(&project, "src/app.py", GOOD).notice(), "", "the same reason is not reported again");
}

#[test]
fn a_stop_is_blocked_once_and_passes_when_everything_is_fixed() {
    let project = project(ONLY_RUFF);
    stop(&project, false).assert_silent();
    edited(&project, "src/app.py", BAD);
    let list = format!("[flyball:warning] 2 findings left in src/app.py\n{TWO_FINDINGS}");
    let reason = format!(
        "{list}\nFix the code, not the rules, before you stop; if a finding cannot be fixed, tell the user \
         which and why. You will not be blocked again for the same findings. To turn this off, set \
         `quality.at_stop` in flyball.toml, or FLYBALL_SKIP=quality for one session."
    );
    assert_eq!(answer(&stop(&project, false)), block(&reason));
    assert_eq!(answer(&stop(&project, true)), json!({ "systemMessage": format!("flyball: {list}") }));
    stop(&project, false).assert_silent();
    // Fixed by a person in an editor: the stop checks the files again, not only the edits.
    project.file("src/app.py", GOOD);
    stop(&project, false).assert_silent();
    project.file("src/app.py", BAD);
    assert_eq!(answer(&stop(&project, false)), block(&reason));
    std::fs::remove_file(project.root().join("src/app.py")).unwrap();
    stop(&project, false).assert_silent();
}

#[test]
fn in_plan_mode_no_finding_blocks_a_stop() {
    let project = project(ONLY_RUFF);
    edited(&project, "src/app.py", BAD);
    let planning =
        json!({ "permission_mode": "plan", "stop_hook_active": false, "last_assistant_message": "the plan" });
    project.hook("Stop", planning).assert_silent();
    assert_eq!(stop(&project, false).json()["decision"], json!("block"));
}

#[test]
fn no_stop_is_blocked_while_a_subagent_works() {
    let project = project(ONLY_RUFF);
    edited(&project, "src/app.py", BAD);
    let task = json!({ "id": "1", "type": "subagent", "status": "running", "description": "x" });
    let fields =
        json!({ "stop_hook_active": false, "last_assistant_message": "1", "background_tasks": [task] });
    project.hook("Stop", fields).assert_silent();
    assert_eq!(stop(&project, false).json()["decision"], json!("block"));
}

#[test]
fn in_observe_mode_nothing_is_written_or_reported() {
    let project = project(&format!("[quality]\nmode = 'observe'\n{ONLY_RUFF}"));
    project.file(".ruff.toml", "line-length = 100\n");
    let text = "import os\nx = [1,2]\n";
    edited(&project, "a.py", text).assert_silent();
    assert_eq!(content(&project, "a.py"), text);
    stop(&project, false).assert_silent();
    let verdicts: Vec<String> = project.log().iter().map(ToString::to_string).collect();
    assert!(verdicts.iter().any(|line| line.contains("F401")), "{verdicts:#?}");
}

#[test]
fn a_person_can_switch_it_off_for_a_session() {
    let project = project(ONLY_RUFF).with("FLYBALL_SKIP", "quality");
    project.file(".ruff.toml", "line-length = 100\n");
    edited(&project, "a.py", "x=1\n");
    assert_eq!(content(&project, "a.py"), "x=1\n");
    stop(&project, false);
    let fixer = self::project(ONLY_RUFF).with("FLYBALL_IN_FIXER", "1");
    edited(&fixer, "a.py", BAD).assert_silent();
}

#[test]
fn another_branch_is_not_the_agents_work() {
    let project = project(&counting("words"));
    project.file("check.sh", COUNTING).file(".gitignore", "ran.log\n");
    commit(&project);
    git(&project, &["switch", "--quiet", "--create", "other"]);
    for number in 0..30 {
        project.file(&format!("{number}.txt"), "bad\n");
    }
    commit(&project);
    git(&project, &["switch", "--quiet", "-"]);
    for line in ["git checkout --quiet other", "git checkout --quiet - && git merge --quiet other"] {
        really(&project, line).assert_silent();
    }
    assert_eq!(runs(&project), 0);
    stop(&project, false).assert_silent();
}

#[test]
fn many_files_at_once_are_not_checked_and_that_is_reported() {
    let project = project(&format!("[quality]\nfiles_at_once = 2\n{}", counting("words")));
    project.file("check.sh", COUNTING);
    let line = "for name in a b c; do echo bad > $name.txt; done";
    let message = "[flyball:advisory] 3 files were changed at once, more than `quality.files_at_once` (2), so none of them was \
                checked: run `flyball lint --changed`";
    assert_eq!(answer(&really(&project, line)), context(message));
    assert_eq!(runs(&project), 0);
}

/// One hook is inside its linter, which only ends when the test lets it. Another hook of the same
/// session begins, checks and ends meanwhile.
#[test]
fn hooks_of_parallel_edits_do_not_wait_for_each_others_linters() {
    let project = project(&counting("slow"));
    project.file(
        "check.sh",
        "if [ \"$1\" = a.txt ]; then echo in > started.fifo; cat go.fifo; fi\ngrep -n bad \"$1\" || true\n",
    );
    let fifo = |name: &str| -> PathBuf {
        let path = project.root().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    let (started, go) = (fifo("started.fifo"), fifo("go.fifo"));
    project.file("a.txt", "bad\n").file("b.txt", "bad\n");
    let finding = |name: &str| {
        block(&format!(
            "[flyball:warning] 1 finding in {name}\n  1  bad (slow)\nFix the code, not the rules."
        ))
    };
    let slow = edit_payload(&project, "a.txt").to_string();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| run(project.hook_command("PostToolUse"), slow.as_bytes()));
        let mut message = String::new();
        std::fs::File::open(&started).unwrap().read_to_string(&mut message).unwrap();
        assert_eq!(message, "in\n");
        assert_eq!(answer(&edited(&project, "b.txt", "bad\n")), finding("b.txt"));
        assert!(!first.is_finished());
        drop(std::fs::OpenOptions::new().write(true).open(&go).unwrap());
        assert_eq!(answer(&first.join().unwrap()), finding("a.txt"));
    });
    // Neither forgot what the other learned.
    let at_stop = stop(&project, false).reason();
    assert!(at_stop.starts_with("[flyball:warning] 2 findings left in 2 files\n"), "{at_stop}");
}

/// The linters of the whole project, played by one that lists the files it is given.
#[test]
fn linters_of_the_project_run_after_enough_files_and_at_the_end() {
    let config = "[quality.project]\nafter_files = 2\n\
        [quality.linters.whole]\nfiles = ['*.txt']\nreach = 'project'\nlevel = 'warning'\n\
        check = { command = ['sh', '{root}/check.sh', '{files}'], output = { lines = '^(?<file>[^:]+):(?<line>[0-9]+):(?<message>.+)$' } }\n";
    let project = project(config);
    project.file("check.sh", "echo run >> ran.log\ngrep -Hn bad \"$@\" || true\n");
    edited(&project, "a.txt", "bad\n").assert_silent();
    assert_eq!(runs(&project), 0);
    let message = "[flyball:advisory] 1 finding in a.txt\n  1  bad (whole)";
    assert_eq!(answer(&edited(&project, "b.txt", "good\n")), context(message));
    assert_eq!(runs(&project), 1);
    edited(&project, "c.txt", "bad\n").assert_silent();
    assert_eq!(runs(&project), 1, "once in a session");
    let notice = "flyball: [flyball:advisory] 1 finding in c.txt\n  1  bad (whole)";
    assert_eq!(answer(&stop(&project, false)), json!({ "systemMessage": notice }));
    let before = runs(&project);
    stop(&project, false).assert_silent();
    assert_eq!(runs(&project), before, "nothing changed since");
}

#[test]
fn with_scope_new_only_findings_since_the_session_began_are_reported() {
    let project = project(&format!("[quality]\nscope = 'new'\n{ONLY_RUFF}"));
    project.file("src/app.py", BAD);
    commit(&project);
    project.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    edited(&project, "src/app.py", &BAD.replace("prices", "all_prices")).assert_silent();
    let reason = "[flyball:warning] 1 finding in src/app.py\n  \
                  5:7  F821  Undefined name `nope` (ruff)\nFix the code, not the rules.";
    let more = format!("{BAD}print(nope)\n");
    assert_eq!(answer(&edited(&project, "src/app.py", &more)), block(reason));
    // A commit of the agent does not make its findings old.
    commit(&project);
    let again = edited(&project, "src/app.py", &more).json();
    let known = "[flyball:warning] still open in src/app.py, as reported before: 5:7 F821";
    assert_eq!(again["hookSpecificOutput"]["additionalContext"], known);
}

#[test]
fn a_type_error_that_an_edit_causes_in_another_file_blocks_the_stop() {
    let project = bare_project("");
    let shapes =
        "def area(w: int, h: int) -> int:\n    return w * h\n\n\ndef use() -> int:\n    return area(2, 3)\n";
    project.file("pyrightconfig.json", "{}").file("a.py", shapes);
    project.file("b.py", "from a import area\n\n\ndef b() -> int:\n    return area(1, 2)\n");
    project.file("c.py", "old: int = \"x\"\n");
    commit(&project);
    project.hook("SessionStart", json!({ "source": "startup" }));
    let first = "  6:12  reportCallIssue  Argument missing for parameter \"d\" (pyright)";
    let edit = edited(&project, "a.py", &shapes.replace("h: int)", "h: int, d: str)"));
    let expected = format!("[flyball:error] 1 finding in a.py\n{first}\nFix the code, not the rules.");
    assert_eq!(answer(&edit)["reason"], block(&expected)["reason"]);
    let reason = stop(&project, false).reason();
    let (findings, _) = reason.split_once("\nFix the code").unwrap();
    let second = "  5:12  reportCallIssue  Argument missing for parameter \"d\" (pyright)";
    assert_eq!(
        findings,
        format!("[flyball:error] 2 findings left in 2 files\na.py\n{first}\nb.py\n{second}")
    );
}

#[test]
fn explain_shows_how_long_each_phase_took() {
    let project = project(ONLY_RUFF);
    edited(&project, "app.py", BAD);
    let explained = project.run(&["explain", "--json"]).json();
    let rulings = explained["record"]["rulings"].as_array().unwrap();
    let quality = rulings.iter().find(|ruling| ruling["policy"] == "quality").unwrap();
    let evidence = quality["evidence"].as_array().unwrap();
    let phases = evidence.iter().find(|seen| seen["name"] == "phases").unwrap()["value"].as_str().unwrap();
    // Starting ruff takes more than a millisecond everywhere.
    assert!(phases.contains("check ") && phases.ends_with(" ms"), "{phases}");
}
