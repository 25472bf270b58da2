//! Worktrees, merges, authors and what files were before: by real git and real commands.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use super::{APPROVED, CONFIG, PROVED, Session};
use crate::support::{Project, commit, git, unique};

/// A linked worktree beside the project.
pub(super) fn worktree(session: &Session) -> PathBuf {
    session.run("git worktree add --quiet ../wt -b work");
    session.0.folder().join("wt")
}

pub(super) fn edit_in(session: &Session, folder: &Path, file: &str, text: &str) {
    std::fs::write(folder.join(file), text).unwrap();
    let input = json!({ "file_path": folder.join(file), "content": text });
    session.after("Write", &input, &json!({ "type": "update" })).assert_silent();
}

/// Runs a command line in a folder for real, with the events before and after it.
pub(super) fn run_in(session: &Session, folder: &Path, line: &str) {
    let (id, began) = (unique(), Cell::new(Instant::now()));
    let took = || u64::try_from(began.get().elapsed().as_millis()).unwrap();
    let fields = |response: Value| {
        json!({
            "cwd": folder, "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": id,
            "duration_ms": took(), "tool_response": response,
        })
    };
    session.0.hook("PreToolUse", fields(Value::Null));
    began.set(Instant::now());
    let done = Command::new("sh").args(["-c", line]).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
    session.0.hook("PostToolUse", fields(response)).assert_silent();
}

pub(super) fn run(session: &Session, line: &str) {
    run_in(session, &session.0.root(), line);
}

/// An edit with the events before and after it.
pub(super) fn edit(session: &Session, file: &str, text: &str) {
    let input = json!({ "file_path": session.0.root().join(file), "content": text });
    session.0.before("Write", input);
    session.edit(file, text);
}

pub(super) const COMMIT: &str =
    "git -c user.name=t -c user.email=t@example.com commit --quiet --all --message x";

#[test]
fn work_in_another_checkout_is_in_the_loop() {
    type Work = fn(&Session, &Path);
    let cases: [(&str, Work); 6] = [
        ("the edit tool", |session, wt| edit_in(session, wt, "src/a.py", "two\n")),
        ("a command", |session, _| run(session, "cd ../wt && printf 'two\\n' > src/a.py")),
        ("a script there", |session, wt| {
            run_in(
                session,
                wt,
                "python3 -c \"p = 'src/a.py'; getattr(__builtins__, 'open')(p, 'w').write('two')\"",
            );
        }),
        ("a script from here", |session, _| {
            run(session, "cd ../wt && python3 -c \"import os; os.remove('src/a.py')\"");
        }),
        ("written and committed", |session, _| {
            run(
                session,
                &format!("cd ../wt && python3 -c \"open('src/a' + '.py', 'w').write('two')\" && {COMMIT}"),
            );
        }),
        ("a checkout below the project", |session, _| {
            run(session, "git worktree add --quiet .claude/worktrees/x -b other");
            edit_in(session, &session.0.root().join(".claude/worktrees/x"), "src/a.py", "two\n");
        }),
    ];
    for (name, work) in cases {
        let session = Session::new(CONFIG);
        let wt = worktree(&session);
        session.stop().assert_silent();
        work(&session, &wt);
        let blocked = session.stop();
        assert!(blocked.stdout.contains("code in "), "{name}: {blocked:?}");
        session.agent("reviewer", APPROVED).assert_silent();
        session.stop().assert_silent();
    }
}

#[test]
fn a_command_proves_the_checkout_that_was_edited() {
    let session = Session::new(&format!("{CONFIG}{PROVED}"));
    let wt = worktree(&session);
    edit_in(&session, &wt, "src/a.py", "bad\n");
    session.agent("reviewer", APPROVED);
    let blocked = session.stop();
    assert!(blocked.reason().contains("1:bad"), "{}", blocked.stdout);
    // What the agent runs elsewhere proves nothing.
    session.ran("sh check.sh");
    assert!(session.is_blocked());
    edit_in(&session, &wt, "src/a.py", "good\n");
    session.agent("reviewer", APPROVED);
    session.stop().assert_silent();
}

#[test]
fn what_is_merged_brings_its_review_along() {
    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    edit_in(&session, &wt, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    run_in(&session, &wt, COMMIT);
    run(&session, "git merge --quiet work");
    session.stop().assert_silent();
    run(&session, "git worktree remove ../wt && git branch --delete --quiet work");
    session.stop().assert_silent();
    // Here it goes on as any other file of the loop.
    edit(&session, "src/a.py", "three\n");
    assert!(session.is_blocked());
}

#[test]
fn what_is_merged_without_a_review_needs_one() {
    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    edit_in(&session, &wt, "src/a.py", "two\n");
    run_in(&session, &wt, COMMIT);
    run(&session, "git merge --quiet work && git worktree remove ../wt");
    let blocked = session.stop();
    assert!(blocked.reason().contains("code (src/a.py)"), "{blocked:?}");
    session.agent("reviewer", APPROVED).assert_silent();
    session.stop().assert_silent();
}

#[test]
fn what_a_merge_changes_besides_needs_a_review() {
    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    edit_in(&session, &wt, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    run_in(&session, &wt, COMMIT);
    run(&session, "git merge --quiet --no-commit --no-ff work && printf 'more\\n' >> src/a.py");
    assert!(session.is_blocked());
}

#[test]
fn a_checkout_that_is_thrown_away_leaves_nothing_and_one_with_a_branch_does() {
    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    edit_in(&session, &wt, "src/a.py", "two\n");
    run(&session, "git worktree remove --force ../wt");
    session.stop().assert_silent();

    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    edit_in(&session, &wt, "src/a.py", "two\n");
    run_in(&session, &wt, COMMIT);
    run(&session, "git worktree remove ../wt");
    assert!(session.is_blocked(), "the work is on a branch");
}

#[test]
fn content_that_was_in_no_checkout_is_seen_when_it_arrives() {
    let session = Session::new(CONFIG);
    run(
        &session,
        "b=$(echo two | git hash-object -w --stdin) && git read-tree --index-output=../index HEAD && \
         GIT_INDEX_FILE=$PWD/../index git update-index --cacheinfo 100644,$b,src/a.py && \
         t=$(GIT_INDEX_FILE=$PWD/../index git write-tree) && \
         c=$(git -c user.name=t -c user.email=t@example.com commit-tree -p HEAD -m x $t) && git branch hidden $c",
    );
    session.stop().assert_silent();
    run(&session, "git merge --quiet hidden");
    assert!(session.is_blocked());
}

/// A session whose repository has a remote that others push to.
pub(super) fn with_remote() -> Session {
    let session = Session::new(CONFIG);
    git(&session.0, &["clone", "--quiet", "--bare", ".", "../remote.git"]);
    git(&session.0, &["remote", "add", "origin", "../remote.git"]);
    git(&session.0, &["fetch", "--quiet", "origin"]);
    git(&session.0, &["branch", "--quiet", "--set-upstream-to=origin/main"]);
    session.0.hook("SessionStart", json!({ "source": "clear" }));
    session.prompt();
    session
}

/// Somebody else pushes this content.
pub(super) fn push(session: &Session, file: &str, text: &str) {
    let theirs = session.0.folder().join(format!("theirs{}", unique()));
    let line = format!(
        "git clone --quiet ../remote.git {0} && cd {0} && printf '{text}' > {file} && git add --all && {COMMIT} && git \
         push --quiet",
        theirs.display()
    );
    let done = Command::new("sh").args(["-c", &line]).current_dir(session.0.root()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn what_others_wrote_does_not_reopen_what_passed() {
    let long = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let session = with_remote();
    push(&session, "src/a.py", long);
    run(&session, "git pull --quiet");
    session.stop().assert_silent();
    edit(&session, "src/a.py", &long.replace('9', "nine"));
    session.agent("reviewer", APPROVED).assert_silent();
    for (pull, line) in [("git pull --quiet --no-rebase --no-edit", "1"), ("git pull --quiet --rebase", "2")]
    {
        run(&session, COMMIT.replace("commit", "commit --allow-empty").as_str());
        let theirs = std::fs::read_to_string(session.0.root().join("src/a.py")).unwrap().replace("nine", "9");
        push(&session, "src/a.py", &theirs.replace(&format!("{line}\n"), &format!("{line} theirs\n")));
        let pull = format!("git -c user.name=t -c user.email=t@example.com {}", &pull[4..]);
        run(&session, &pull);
        let now = std::fs::read_to_string(session.0.root().join("src/a.py")).unwrap();
        assert!(now.contains("theirs") && now.contains("nine"), "{now}");
        session.stop().assert_silent();
    }
}

#[test]
fn a_file_that_is_as_before_the_first_edit_needs_nobody() {
    // It had changes that were not committed.
    let session = Session::new(CONFIG);
    session.0.file("src/a.py", "mine\n");
    edit(&session, "src/a.py", "two\n");
    assert!(session.is_blocked());
    edit(&session, "src/a.py", "mine\n");
    session.stop().assert_silent();

    // Without git.
    let session = Session(Project::new());
    session.0.config(CONFIG).file("src/a.py", "one\n");
    session.prompt().assert_silent();
    edit(&session, "src/a.py", "two\n");
    edit(&session, "src/b.py", "new\n");
    assert!(session.is_blocked());
    edit(&session, "src/a.py", "one\n");
    run(&session, "rm src/b.py");
    session.stop().assert_silent();

    // Before the first commit.
    let session = Session(Project::new());
    git(&session.0, &["init", "--quiet"]);
    session.0.config(CONFIG).file("src/a.py", "one\n");
    session.prompt().assert_silent();
    edit(&session, "src/a.py", "two\n");
    edit(&session, "src/a.py", "one\n");
    session.stop().assert_silent();

    // Any number of files, also by a script.
    let session = Session::new(CONFIG);
    for number in 0..60 {
        session.0.file(&format!("src/m{number}.py"), "one\n");
    }
    commit(&session.0);
    session.0.hook("SessionStart", json!({ "source": "startup" }));
    session.prompt();
    run(&session, "for f in src/m*.py; do echo two > $f; done");
    assert!(session.is_blocked());
    run(&session, "for f in src/m*.py; do echo one > $f; done");
    session.stop().assert_silent();
}

#[test]
fn another_branch_is_others_work() {
    let session = Session::new(CONFIG);
    git(&session.0, &["branch", "theirs"]);
    git(&session.0, &["switch", "--quiet", "theirs"]);
    session.0.file("src/a.py", "theirs\n");
    commit(&session.0);
    git(&session.0, &["switch", "--quiet", "main"]);
    session.0.hook("SessionStart", json!({ "source": "startup" }));
    session.prompt();
    run(&session, "git switch --quiet --create mine");
    edit(&session, "src/a.py", "two\n");
    run(&session, COMMIT);
    run(&session, "git switch --quiet theirs");
    let blocked = session.stop();
    assert!(blocked.stdout.contains("the work is on another branch"), "{blocked:?}");
    run(&session, "git branch --quiet --move mine kept && git switch --quiet kept");
    assert!(session.is_blocked(), "the work is back");
}

#[test]
fn what_the_user_saves_while_a_command_runs_is_theirs() {
    let commands = ["pytest -q --version", "npm test", "cargo test", "git log --oneline", "npm run dev"];
    for line in commands {
        let session = Session::new(CONFIG);
        session.0.file("src/mine.py", "the user's\n");
        session.ran(line);
        assert!(!session.is_blocked(), "{line}");
    }
    let session = Session::new(CONFIG);
    session.0.file("src/mine.py", "the user's\n");
    session.ran("./generate");
    assert!(session.is_blocked(), "nobody knows what it does");
}

#[test]
fn a_command_in_the_background_may_write_later() {
    let session = Session::new(CONFIG);
    edit(&session, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    let input =
        json!({ "command": "python3 -c \"exec(open('../later').read())\"", "run_in_background": true });
    session.after("Bash", &input, &json!({ "backgroundTaskId": "b1" })).assert_silent();
    session.0.file("src/b.py", "later\n");
    let blocked = session.stop();
    assert!(blocked.stdout.contains("src/b.py"), "{blocked:?}");
}

#[test]
fn a_script_in_a_project_without_git_is_seen() {
    let session = Session(Project::new());
    session.0.config(CONFIG).file("src/a.py", "one\n");
    session.prompt().assert_silent();
    run(&session, "python3 -c \"p = 'src/a' + '.py'; open(p, 'w').write('two')\"");
    assert!(session.is_blocked());
}

#[test]
fn data_that_a_command_reads_needs_another_run() {
    let session = Session::proved();
    session.edit("src/a.py", "good\n");
    session.agent("reviewer", APPROVED);
    session.stop().assert_silent();
    run(&session, "echo 1 > data.json");
    session.stop().assert_silent();
    assert_eq!(session.runs(), 2);
    run(&session, "echo words > notes.md");
    session.stop().assert_silent();
    assert_eq!(session.runs(), 2);
}

#[test]
fn what_changes_nothing_for_a_reviewer_needs_none() {
    let session = Session::new(CONFIG);
    session.0.file("src/a.py", "def f(a):\n    return a\n");
    commit(&session.0);
    edit(&session, "src/a.py", "# what it does\ndef f(a):\n    \"\"\"The same.\"\"\"\n    return a\n");
    session.stop().assert_silent();
    edit(&session, "src/a.py", "def f(a):\n    return a  # noqa\n");
    assert!(session.is_blocked());
    session.agent("reviewer", APPROVED).assert_silent();
    edit(&session, "src/a.py", "# a comment\ndef f(a):\n    return a  # noqa\n");
    session.stop().assert_silent();
    edit(&session, "src/a.py", "def f(a):\n    return a + 1  # noqa\n");
    assert!(session.is_blocked());
}

#[test]
fn what_another_session_writes_while_a_command_runs_is_its_own() {
    let session = Session::new(CONFIG);
    let other = |event: &str, fields: Value| {
        let mut fields = fields;
        fields["session_id"] = json!("00000000-0000-4000-8000-000000000002");
        session.0.hook(event, fields)
    };
    other("UserPromptSubmit", json!({ "prompt": "go on" })).assert_silent();
    session.0.file("src/b.py", "theirs\n");
    let input = json!({ "file_path": session.0.root().join("src/b.py"), "content": "theirs\n" });
    let fields = json!({
        "tool_name": "Write", "tool_input": input, "tool_response": {}, "tool_use_id": unique(), "duration_ms": 50,
    });
    other("PostToolUse", fields).assert_silent();
    session.ran("./generate");
    session.stop().assert_silent();
    let stop = json!({ "stop_hook_active": false, "last_assistant_message": "done", "background_tasks": [] });
    assert_eq!(other("Stop", stop).json()["decision"], "block");
}

#[test]
fn what_the_agent_pushed_is_still_its_own() {
    let session = with_remote();
    edit(&session, "src/a.py", "two\n");
    run(&session, &format!("{COMMIT} && git push --quiet origin HEAD:feature"));
    assert!(session.is_blocked());
    session.agent("reviewer", APPROVED).assert_silent();
    session.stop().assert_silent();
}

#[test]
fn a_write_that_comes_late_is_in_the_loop() {
    let session = Session::new(CONFIG);
    session.0.file("later.py", "late\n");
    session.ran("(sleep 2; cp later.py src/a.py) &");
    session.0.file("src/a.py", "late\n");
    assert!(session.is_blocked());
}

#[test]
fn a_git_move_in_front_hides_nothing() {
    let session = Session::new(CONFIG);
    run(
        &session,
        &format!(
            "git checkout --quiet HEAD -- src/b.py && python3 -c \"open('src/a' + '.py', 'w').write('2')\" && {COMMIT}"
        ),
    );
    assert!(session.is_blocked());
}

#[test]
fn what_passed_comes_back_with_git() {
    let session = Session::new(CONFIG);
    edit(&session, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    for line in ["git stash --quiet", "git stash pop --quiet"] {
        run(&session, line);
        session.stop().assert_silent();
    }
    // Another file that is put back changes nothing.
    edit(&session, "src/b.py", "two\n");
    edit(&session, "src/b.py", "one\n");
    session.stop().assert_silent();
    run(&session, COMMIT);
    for line in ["git switch --quiet --detach HEAD~1", "git switch --quiet main"] {
        run(&session, line);
        session.stop().assert_silent();
    }
}

#[test]
fn other_peoples_worktrees_are_theirs() {
    let session = Session::new(CONFIG);
    git(&session.0, &["worktree", "add", "--quiet", "../theirs", "-b", "theirs"]);
    session.0.hook("SessionStart", json!({ "source": "clear" }));
    session.prompt();
    std::fs::write(session.0.folder().join("theirs/src/a.py"), "theirs\n").unwrap();
    // git changes what it has of that worktree.
    git(&session.0, &["-C", "../theirs", "add", "--all"]);
    session.ran("./generate");
    session.stop().assert_silent();
}

#[test]
fn no_worktree_is_one_too_many() {
    let session = Session::new(CONFIG);
    for number in 0..12 {
        session.run(&format!("git worktree add --quiet ../wt{number:02} -b work{number}"));
    }
    let last = session.0.folder().join("wt11");
    run_in(&session, &last, "python3 -c \"p = 'src/a' + '.py'; open(p, 'w').write('two')\"");
    assert!(session.is_blocked());
}

#[test]
fn what_removes_a_line_of_the_work_needs_a_review() {
    let session = Session::new(CONFIG);
    edit(&session, "src/a.py", "danger\n");
    run(&session, COMMIT);
    edit(&session, "src/a.py", "if allowed\ndanger\n");
    session.agent("reviewer", APPROVED).assert_silent();
    session.stop().assert_silent();
    run(&session, "git checkout --quiet HEAD -- src/a.py");
    assert!(session.is_blocked());
}
