//! Whose work is it that git brings: what this session made anywhere on the machine is its own, what others made is not.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::trees::{COMMIT, edit, edit_in, push, run, run_in, with_remote, worktree};
use super::{APPROVED, CONFIG, Session};
use crate::person::client_reports;
use crate::support::{commit, git};

/// The file clock is coarse, and so is the slack of the hook.
pub(super) fn later() {
    std::thread::sleep(Duration::from_millis(120));
}

/// Somebody else runs a line, while nothing of the session runs.
fn somebody(session: &Session, line: &str) {
    later();
    let done = Command::new("sh").args(["-c", line]).current_dir(session.0.root()).output().unwrap();
    assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    later();
}

const NAME: &str = "-c user.name=t -c user.email=t@example.com";

/// All of these lines, one after the other, in a repository with a remote: the agent has to be blocked at the end.
fn assert_own(name: &str, lines: &[&str]) {
    let session = with_remote();
    for line in lines {
        run(&session, line);
    }
    assert!(session.is_blocked(), "{name}");
}

const WRITE: &str = "printf 'two\\n' > src/a.py";

#[test]
fn what_this_session_made_in_a_clone_is_its_own() {
    let clone = &format!("git clone --quiet . ../c && cd ../c && {WRITE} && {COMMIT}");
    assert_own("pulled", &[clone, "git pull --quiet ../c main"]);
    assert_own(
        "a file of what was fetched",
        &[clone, "git fetch --quiet ../c && git checkout --quiet FETCH_HEAD -- src/a.py"],
    );
    assert_own(
        "as a remote",
        &[clone, "git remote add c ../c && git fetch --quiet c && git merge --quiet c/main"],
    );
    assert_own(
        "by a bundle",
        &[
            clone,
            "git -C ../c bundle create --quiet ../work.bundle main",
            "git pull --quiet ../work.bundle main",
        ],
    );
    assert_own(
        "as a branch of the remote repository",
        &[clone, "git fetch --quiet ../c main:refs/remotes/origin/main", "git merge --quiet origin/main"],
    );
    assert_own(
        "into another checkout",
        &[clone, "git worktree add --quiet ../wt -b work", "cd ../wt && git pull --quiet ../c main"],
    );
}

#[test]
fn what_this_session_made_in_another_checkout_is_its_own() {
    let add = "git worktree add --quiet ../wt -b work";
    let stash = &format!("cd ../wt && {WRITE} && git {NAME} stash --quiet");
    assert_own("a stash", &[add, stash, "git stash pop --quiet"]);
    let branch = &format!("cd ../wt && {WRITE} && {COMMIT} && git checkout --quiet --detach HEAD~1");
    assert_own("a file of a branch", &[add, branch, "git checkout --quiet work -- src/a.py"]);
    let push = &format!("cd ../wt && {WRITE} && {COMMIT} && git push --quiet origin work");
    let away = "git worktree remove --force ../wt && git branch --quiet -D work";
    assert_own("pushed from a checkout that is thrown away", &[add, push, away]);
}

#[test]
fn what_a_script_of_this_session_committed_is_its_own() {
    let script = "printf 'b=$(echo two | git hash-object -w --stdin)\\ngit read-tree --index-output=../index \
                  HEAD\\nGIT_INDEX_FILE=$PWD/../index git update-index --cacheinfo \
                  100644,$b,src/a.py\\nt=$(GIT_INDEX_FILE=$PWD/../index git write-tree)\\nc=$(git -c user.name=t -c \
                  user.email=t@example.com commit-tree -p HEAD -m x $t)\\ngit branch hidden $c\\n' > ../make.sh";
    let make = "sh ../make.sh";
    assert_own("merged", &[script, make, "git merge --quiet hidden"]);
    assert_own("in a pack", &[script, make, "git gc --quiet", "git merge --quiet hidden"]);
    assert_own(
        "put under the branch",
        &[script, make, "git reset --quiet --soft hidden", "git checkout --quiet HEAD -- ."],
    );
    assert_own(
        "by the name of the branch",
        &[script, make, "git update-ref refs/heads/main hidden", "git reset --quiet --hard"],
    );
}

#[test]
fn what_was_reviewed_elsewhere_and_comes_by_git_needs_no_second_review() {
    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    edit_in(&session, &wt, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    run_in(&session, &wt, COMMIT);
    run(&session, "git checkout --quiet work -- src/a.py");
    session.stop().assert_silent();
}

#[test]
fn what_others_made_meanwhile_is_theirs() {
    // A person commits on another branch, and on this one.
    for (theirs, mine) in [
        (
            "git worktree add --quiet ../p -b theirs && cd ../p && echo t > src/a.py && git add . && ",
            "git merge --quiet theirs",
        ),
        ("echo t > src/a.py && ", "git switch --quiet -c mine"),
        ("git switch --quiet -c theirs && echo t > src/a.py && ", "git switch --quiet main"),
    ] {
        let session = Session::new(CONFIG);
        somebody(&session, &format!("{theirs}{COMMIT} && git gc --quiet"));
        run(&session, mine);
        session.stop().assert_silent();
        // Beside work of this session.
        edit(&session, "src/b.py", "two\n");
        session.agent("reviewer", APPROVED).assert_silent();
        run(&session, COMMIT);
        session.stop().assert_silent();
        somebody(&session, &format!("echo more > src/c.py && git add --all && {COMMIT}"));
        run(&session, "git switch --quiet --detach HEAD~1");
        run(&session, "git switch --quiet -");
        session.stop().assert_silent();
    }
}

#[test]
fn what_a_person_has_not_committed_survives_git() {
    let session = Session::new(CONFIG);
    session.0.file("src/a.py", "the user's\n").file("src/new.py", "the user's\n");
    for line in ["git stash --quiet --include-untracked", "git stash pop --quiet"] {
        run(&session, line);
        session.stop().assert_silent();
    }
    run(&session, "git stash --quiet && git switch --quiet -c mine && git stash pop --quiet");
    session.stop().assert_silent();
}

#[test]
fn what_git_takes_from_others_needs_no_review() {
    let long = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    // An older version, a file of another branch, a fix from another branch, a branch that a person fetched.
    let session = with_remote();
    push(&session, "src/a.py", long);
    run(&session, "git pull --quiet && git checkout --quiet HEAD~1 -- src/a.py");
    session.stop().assert_silent();
    run(&session, "git checkout --quiet HEAD -- src/a.py");
    push(&session, "src/b.py", "theirs\n");
    run(&session, "git fetch --quiet && git checkout --quiet origin/main -- src/b.py");
    session.stop().assert_silent();
    run(&session, "git reset --quiet --hard");
    push(&session, "src/a.py", &long.replace('9', "nine"));
    run(&session, &format!("git fetch --quiet && git {NAME} cherry-pick origin/main"));
    session.stop().assert_silent();
    run(&session, "git reset --quiet --hard HEAD~1");
    push(&session, "src/c.py", "theirs\n");
    somebody(&session, "git fetch --quiet");
    run(&session, "git merge --quiet origin/main");
    session.stop().assert_silent();
    // Work of this session, committed, rebased and pushed in one line.
    edit(&session, "src/d.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    push(&session, "src/e.py", "theirs\n");
    run(
        &session,
        &format!("git add --all && {COMMIT} && git {NAME} pull --quiet --rebase && git push --quiet"),
    );
    session.stop().assert_silent();
    run(&session, "git fetch --quiet && git switch --quiet -c other origin/main");
    session.stop().assert_silent();
}

#[test]
fn a_branch_that_was_there_before_the_session_is_no_work_of_it_in_a_new_checkout() {
    let session = Session::new(CONFIG);
    git(&session.0, &["switch", "--quiet", "-c", "theirs"]);
    session.0.file("src/a.py", "theirs\n");
    commit(&session.0);
    git(&session.0, &["switch", "--quiet", "main"]);
    session.0.hook("SessionStart", json!({ "source": "clear" }));
    session.prompt();
    run(&session, "git worktree add --quiet ../wt theirs");
    session.stop().assert_silent();
    // And a checkout of reviewed work.
    edit(&session, "src/b.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    run(&session, &format!("{COMMIT} && git worktree add --quiet ../again -b again"));
    session.stop().assert_silent();
}

const NESTED_CLONE: &str = "git clone --quiet ../c src/sub";

#[test]
fn a_clone_of_the_sessions_own_work_in_the_project_is_its_own() {
    let work =
        &format!("git clone --quiet . ../c && cd ../c && echo two > lib.py && git add --all && {COMMIT}");
    assert_own("cloned", &[work, NESTED_CLONE]);
    let submodule = "git -c protocol.file.allow=always submodule --quiet add \"$(cd ../c && pwd)\" src/sub";
    assert_own("as a submodule", &[work, submodule]);
    assert_own("cloned again", &[work, "git clone --quiet ../c ../d", "git clone --quiet ../d src/sub"]);
    let bundle = "git -C ../c bundle create --quiet ../work.bundle main";
    assert_own("from a bundle", &[work, bundle, "git clone --quiet --branch main ../work.bundle src/sub"]);
    assert_own("whose source is gone", &[work, NESTED_CLONE, "rm -rf ../c"]);
}

#[test]
fn a_clone_of_a_repository_of_others_in_the_project_is_theirs() {
    let work = format!(
        "git init --quiet --initial-branch=main ../c && cd ../c && echo 1 > lib.py && git add --all && {COMMIT}"
    );
    for line in [NESTED_CLONE, "git clone --quiet ../c ../mine && git clone --quiet ../mine src/sub"] {
        let session = Session::new(CONFIG);
        somebody(&session, &work);
        run(&session, line);
        session.stop().assert_silent();
    }
}

#[test]
fn what_a_client_writes_that_the_agent_started_is_the_agents() {
    const OUTER: &str = "00000000-0000-4000-8000-000000000001";
    const INNER: &str = "00000000-0000-4000-8000-000000000002";
    for (outer, is_own) in [(Some(OUTER), true), (None, false)] {
        let session = Session::new(CONFIG);
        let report = |event: &str, fields: serde_json::Value| {
            let mut payload = session.0.payload(event, fields);
            payload["session_id"] = json!(INNER);
            let seen = client_reports(&session.0, &payload, outer);
            assert_eq!(seen["status"], 0, "{seen}");
        };
        report("UserPromptSubmit", json!({ "prompt": "edit it" }));
        session.0.file("src/a.py", "two\n");
        let input = json!({ "file_path": session.0.root().join("src/a.py"), "content": "two\n" });
        let written = json!({
            "tool_name": "Write", "tool_input": input, "tool_use_id": "t1", "duration_ms": 5,
            "tool_response": { "type": "update" },
        });
        report("PostToolUse", written);
        let response = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
        session.after("Bash", &json!({ "command": "claude -p 'edit it'" }), &response);
        assert_eq!(session.is_blocked(), is_own, "started by {outer:?}");
    }
}
