//! Whose work is it that git brings: what this session made anywhere on the machine is its own, what others made is not.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::trees::{COMMIT, edit, edit_in, push, run, run_in, with_remote, worktree};
use super::{APPROVED, CONFIG, Session};
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

#[test]
fn what_this_session_made_elsewhere_is_its_own() {
    let script = "printf 'b=$(echo two | git hash-object -w --stdin)\\ngit read-tree --index-output=../index \
                  HEAD\\nGIT_INDEX_FILE=$PWD/../index git update-index --cacheinfo \
                  100644,$b,src/a.py\\nt=$(GIT_INDEX_FILE=$PWD/../index git write-tree)\\nc=$(git -c user.name=t -c \
                  user.email=t@example.com commit-tree -p HEAD -m x $t)\\ngit branch hidden $c\\n' > ../make.sh";
    let write = "printf 'two\\n' > src/a.py";
    let elsewhere = format!("git clone --quiet . ../c && cd ../c && {write} && {COMMIT}");
    let cases: [(&str, Vec<String>); 13] = [
        ("a clone, pulled", vec![elsewhere.clone(), "git pull --quiet ../c main".into()]),
        (
            "a clone, a file of what was fetched",
            vec![
                elsewhere.clone(),
                "git fetch --quiet ../c && git checkout --quiet FETCH_HEAD -- src/a.py".into(),
            ],
        ),
        (
            "a clone as a remote",
            vec![
                elsewhere.clone(),
                "git remote add c ../c && git fetch --quiet c && git merge --quiet c/main".into(),
            ],
        ),
        (
            "a clone, by a bundle",
            vec![
                elsewhere.clone(),
                "git -C ../c bundle create --quiet ../work.bundle main".into(),
                "git pull --quiet ../work.bundle main".into(),
            ],
        ),
        (
            "a stash of another checkout",
            vec![
                "git worktree add --quiet ../wt -b work".into(),
                format!("cd ../wt && {write} && git {NAME} stash --quiet"),
                "git stash pop --quiet".into(),
            ],
        ),
        (
            "a file of a branch of another checkout",
            vec![
                "git worktree add --quiet ../wt -b work".into(),
                format!("cd ../wt && {write} && {COMMIT} && git checkout --quiet --detach HEAD~1"),
                "git checkout --quiet work -- src/a.py".into(),
            ],
        ),
        (
            "commits by a script, merged",
            vec![script.into(), "sh ../make.sh".into(), "git merge --quiet hidden".into()],
        ),
        (
            "commits by a script, put under the branch",
            vec![
                script.into(),
                "sh ../make.sh".into(),
                "git reset --quiet --soft hidden".into(),
                "git checkout --quiet HEAD -- .".into(),
            ],
        ),
        (
            "commits by a script, by the name of the branch",
            vec![
                script.into(),
                "sh ../make.sh".into(),
                "git update-ref refs/heads/main hidden".into(),
                "git reset --quiet --hard".into(),
            ],
        ),
        (
            "commits in a pack",
            vec![
                script.into(),
                "sh ../make.sh".into(),
                "git gc --quiet".into(),
                "git merge --quiet hidden".into(),
            ],
        ),
        (
            "as a branch of the remote repository",
            vec![
                elsewhere.clone(),
                "git fetch --quiet ../c main:refs/remotes/origin/main".into(),
                "git merge --quiet origin/main".into(),
            ],
        ),
        (
            "into another checkout",
            vec![
                elsewhere,
                "git worktree add --quiet ../wt -b work".into(),
                "cd ../wt && git pull --quiet ../c main".into(),
            ],
        ),
        (
            "pushed from another checkout that is thrown away",
            vec![
                "git worktree add --quiet ../wt -b work".into(),
                format!("cd ../wt && {write} && {COMMIT} && git push --quiet origin work"),
                "git worktree remove --force ../wt && git branch --quiet -D work".into(),
            ],
        ),
    ];
    for (name, lines) in cases {
        let session = with_remote();
        for line in &lines {
            run(&session, line);
        }
        assert!(session.is_blocked(), "{name}");
    }
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
