//! Scripts that write where git does not show it: what the loop covers is seen nevertheless, and what honest work does is
//! not held.

use serde_json::json;

use super::trees::{COMMIT, edit, run, run_in, worktree};
use super::{APPROVED, CONFIG, Session};
use crate::support::{Project, commit, git};

/// A script that writes a file. Its name is known only when it runs: each letter is turned by one bit.
fn write(file: &str) -> String {
    let turned: Vec<String> = file.bytes().map(|byte| (byte ^ 1).to_string()).collect();
    format!(
        "python3 -c \"import sys; p = ''.join(chr(int(c) ^ 1) for c in sys.argv[1:]); open(p, 'w').write('new')\" {}",
        turned.join(" ")
    )
}

/// A command whose effects are not known, and that writes nothing that matters.
fn something() -> String {
    write("../out")
}

/// Another session begins, after what the user did.
fn begin(session: &Session) {
    session.0.hook("SessionStart", json!({ "source": "startup" }));
    session.prompt();
}

fn assert_needs_review(session: &Session, name: &str) {
    assert!(session.is_blocked(), "{name}");
    session.agent("reviewer", APPROVED).assert_silent();
    session.stop().assert_silent();
}

/// Runs each list of lines in a session of its own, which is blocked then.
fn assert_seen(cases: &[(&str, &[&str])]) {
    for (name, lines) in cases {
        let session = Session::new(CONFIG);
        lines.iter().for_each(|line| run(&session, line));
        assert_needs_review(&session, name);
    }
}

#[test]
fn a_file_that_git_takes_for_unchanged_is_looked_at() {
    let a = write("src/a.py");
    let gone = a.replace("open(p, 'w').write('new')", "__import__('os').remove(p)");
    let at_once = format!("git update-index --assume-unchanged src/a.py && {a}");
    assert_seen(&[
        ("assumed", &["git update-index --assume-unchanged src/a.py", &a]),
        ("at once", &[&at_once]),
        ("skipped", &["git update-index --skip-worktree src/a.py", &a]),
        ("both", &["git update-index --skip-worktree --assume-unchanged src/a.py", &a]),
        ("gone", &["git update-index --assume-unchanged src/a.py", &gone]),
        ("by a setting", &["git config core.ignoreStat true && git add --renormalize .", &a]),
        ("version 4", &["git update-index --index-version 4 --assume-unchanged src/a.py", &a]),
        ("split", &["git update-index --split-index --assume-unchanged src/a.py", &a]),
        (
            "split later",
            &["git update-index --assume-unchanged src/a.py", "git update-index --split-index", &a],
        ),
        ("a pattern", &["git update-index --assume-unchanged src/a.py", "sed -i s/one/two/ src/*.py"]),
    ]);
    // Marked by the user, before the session.
    let session = Session::new(CONFIG);
    git(&session.0, &["update-index", "--assume-unchanged", "src/a.py"]);
    begin(&session);
    run(&session, &something());
    session.stop().assert_silent();
    run(&session, &a);
    assert_needs_review(&session, "by the user");

    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    run_in(&session, &wt, "git update-index --assume-unchanged src/a.py");
    run_in(&session, &wt, &a);
    assert_needs_review(&session, "in another checkout");
}

#[test]
fn what_was_marked_long_ago_and_not_written_is_nobodys_edit() {
    let session = Session::new(CONFIG);
    session.0.file("src/a.py", "the user's\n");
    git(&session.0, &["update-index", "--assume-unchanged", "src/a.py"]);
    git(&session.0, &["update-index", "--skip-worktree", "src/b.py"]);
    std::thread::sleep(std::time::Duration::from_secs(6));
    begin(&session);
    run(&session, &something());
    session.stop().assert_silent();
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_as_it_was() {
    let session = Session::new(CONFIG);
    session.0.file("other/c.py", "one\n");
    commit(&session.0);
    begin(&session);
    edit(&session, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    run(&session, COMMIT);
    session.stop().assert_silent();
    for line in
        ["git sparse-checkout set other", "git sparse-checkout set --sparse-index other", &something()]
    {
        run(&session, line);
        assert!(!session.0.root().join("src/a.py").exists());
        session.stop().assert_silent();
    }
    run(&session, &write("src/a.py").replace("p = ", "import os; os.makedirs('src', exist_ok=True); p = "));
    assert!(session.is_blocked(), "it is written where nothing should be");

    let session = Session::new(CONFIG);
    edit(&session, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    run(&session, "python3 -c \"import os; os.remove('src/a' + '.py')\"");
    assert!(session.is_blocked(), "a file that is only deleted");
}

#[test]
fn a_new_rule_of_what_is_ignored_hides_nothing() {
    let (new, deep) = (write("src/new.py"), "mkdir -p src/new/deep");
    let deeper = write("src/new/deep/x.py");
    let committed = format!("echo src/new.py > .gitignore && git add .gitignore && {COMMIT} && {new}");
    assert_seen(&[
        ("of the project", &["echo 'src/new*' > .gitignore", &new]),
        ("committed", &[&committed, &something()]),
        ("of a folder", &["echo 'new.py' > src/.gitignore", &new]),
        ("a folder", &[deep, "echo 'new/' > src/.gitignore", &deeper]),
        ("that ignores itself", &[deep, "echo '*' > src/new/.gitignore", &deeper]),
        ("of this clone", &["echo src/new.py >> .git/info/exclude", &new]),
        ("of another file", &["echo new.py > ../rules && git config core.excludesFile ../rules", &new]),
    ]);
    // An exception that was there is taken away.
    let session = Session::new(CONFIG);
    session.0.file(".gitignore", "src/*\n!src/new.py\n!src/a.py\n");
    commit(&session.0);
    begin(&session);
    run(&session, "echo 'src/*' > .gitignore");
    run(&session, &new);
    assert_needs_review(&session, "an exception");
    // An old file becomes one of rules.
    let session = Session::new(CONFIG);
    std::fs::write(session.0.folder().join("rules"), "new.py\n").unwrap();
    begin(&session);
    run(&session, "git config core.excludesFile ../rules");
    run(&session, &new);
    assert_needs_review(&session, "old rules that count now");
    // In another checkout.
    let session = Session::new(CONFIG);
    let wt = worktree(&session);
    run_in(&session, &wt, &format!("echo 'src/new*' > .gitignore && {new}"));
    assert_needs_review(&session, "another checkout");
}

#[test]
fn what_was_ignored_before_stays_so() {
    let all = CONFIG.replace("src/**", "**/*.py");
    let session = Session::new(&all);
    session.0.file(".gitignore", "dist/\ngen_*.py\n");
    commit(&session.0);
    session.0.file(".git/info/exclude", "mine.py\n").file("notes/.gitignore", "scratch.py\n");
    begin(&session);
    let folders = "mkdir -p dist node_modules/x target/debug .venv/lib env/lib .ruff_cache/x src/__pycache__";
    run(
        &session,
        &format!(
            "{folders} && touch env/pyvenv.cfg && echo '*' > .ruff_cache/.gitignore && \
             printf 'node_modules\\ntarget\\n.venv\\nenv\\n__pycache__\\nunrelated\\n' >> .gitignore && \
             echo unrelated >> .git/info/exclude && echo unrelated >> notes/.gitignore"
        ),
    );
    for file in [
        "dist/x.py",
        "src/gen_x.py",
        "mine.py",
        "notes/scratch.py",
        "node_modules/x/x.py",
        "target/debug/x.py",
        ".venv/lib/x.py",
        "env/lib/x.py",
        ".ruff_cache/x/x.py",
        "src/__pycache__/x.py",
    ] {
        run(&session, &write(file));
        let stopped = session.stop();
        assert_eq!(stopped.stdout, "", "{file}");
    }
    run(&session, &write("src/new.py"));
    assert!(session.is_blocked());
}

#[test]
fn what_comes_behind_very_many_files_is_seen() {
    let session = Session::new(CONFIG);
    let many =
        "mkdir -p src/z data && cd data && seq -f \"%.0f-$(seq -s x 1 30)\" 1 5000 | xargs touch && cd ..";
    run(&session, &format!("{many} && {}", write("src/z/new.py")));
    let blocked = session.stop();
    assert!(blocked.stdout.contains("src/z/new.py"), "{blocked:?}");
}

#[test]
fn thousands_of_records_in_a_commit_are_no_reason_to_know_nothing() {
    let session = Session::new(CONFIG);
    let many = "mkdir -p data && cd data && seq -f \"%.0f-$(seq -s x 1 30)\" 1 5000 | xargs touch && cd ..";
    let done =
        std::process::Command::new("sh").args(["-c", many]).current_dir(session.0.root()).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    run(&session, &format!("git add --all && {COMMIT}"));
    session.stop().assert_silent();
    run(&session, &format!("git rm -rq data && {COMMIT}"));
    session.stop().assert_silent();
    // What is code among them is still seen.
    run(&session, &format!("{many} && {} && git add --all && {COMMIT}", write("src/z.py")));
    let blocked = session.stop();
    assert!(blocked.stdout.contains("src/z.py"), "{blocked:?}");
}

/// A project with a submodule that has a file of the loop.
fn with_submodule() -> Session {
    let session = Session::new(&CONFIG.replace("src/**", "sub/src/**"));
    let library = session.0.folder().join("library");
    let line = format!(
        "git init --quiet -b main {0} && cd {0} && mkdir -p src && echo one > src/a.py && git add --all && {COMMIT}",
        library.display()
    );
    let done = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    git(
        &session.0,
        &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "sub"],
    );
    commit(&session.0);
    std::thread::sleep(std::time::Duration::from_secs(6));
    begin(&session);
    session
}

#[test]
fn a_script_in_a_submodule_is_seen() {
    let write = write("sub/src/a.py");
    let inside = format!("{write} && (cd sub && {COMMIT})");
    let both = format!("{inside} && {COMMIT}");
    let config = format!("git config submodule.sub.ignore all && {write}");
    for (name, line) in
        [("written", &write), ("committed", &inside), ("committed twice", &both), ("ignored", &config)]
    {
        let session = with_submodule();
        run(&session, &something());
        session.stop().assert_silent();
        run(&session, line);
        assert_needs_review(&session, name);
    }
}

#[test]
fn what_others_made_of_a_submodule_is_theirs() {
    let session = with_submodule();
    let line = format!("cd ../library && echo two > src/a.py && {COMMIT}");
    let done = std::process::Command::new("sh").args(["-c", &line]).current_dir(session.0.root()).output();
    assert!(done.unwrap().status.success());
    session
        .0
        .file("update.py", "import os\nos.system('git -C sub -c protocol.file.allow=always pull --quiet')\n");
    run(&session, "python3 update.py");
    assert_eq!(std::fs::read_to_string(session.0.root().join("sub/src/a.py")).unwrap(), "two\n");
    session.stop().assert_silent();
}

#[test]
fn a_repository_that_is_made_in_the_project_hides_nothing() {
    let new = write("src/x/new.py");
    let with_commit =
        format!("git init --quiet src/x && {new} && git -C src/x add --all && cd src/x && {COMMIT}");
    assert_seen(&[("new", &["git init --quiet src/x", &new]), ("with a commit", &[&with_commit])]);
}

#[test]
fn a_project_of_very_many_files_without_git_says_so_once() {
    let session = Session(Project::new());
    session.0.config(CONFIG).file("src/a.py", "one\n");
    for folder in 0..21 {
        let folder = session.0.root().join(format!("data/{folder}"));
        std::fs::create_dir_all(&folder).unwrap();
        for file in 0..5_000 {
            std::fs::write(folder.join(file.to_string()), "").unwrap();
        }
    }
    session.prompt().assert_silent();
    run(&session, &something());
    run(&session, &something());
    let blocked = session.stop();
    assert!(blocked.reason().contains("more files than"), "{blocked:?}");
    session.stop().assert_silent();
    run(&session, &something());
    session.stop().assert_silent();
}

#[test]
fn a_script_in_a_project_of_many_files_without_git_is_seen() {
    let session = Session(Project::new());
    session.0.config(CONFIG).file("src/a.py", "one\n");
    for file in 0..25_000 {
        session.0.file(&format!("data/{file}"), "");
    }
    session.prompt().assert_silent();
    run(&session, &write("src/a.py"));
    assert_needs_review(&session, "many files");
}

#[test]
fn a_checkout_of_others_below_the_project_is_theirs() {
    let session = Session::new(CONFIG);
    git(&session.0, &["worktree", "add", "--quiet", ".claude/worktrees/theirs", "-b", "theirs"]);
    begin(&session);
    session.0.file(".claude/worktrees/theirs/src/a.py", "theirs\n");
    run(&session, &something());
    session.stop().assert_silent();
    // A folder that only says that it is one hides nothing.
    session.0.file("src/x/.git", "gitdir: ../../.git\n");
    run(&session, &write("src/x/new.py"));
    assert!(session.is_blocked());
}

#[test]
fn files_that_are_elsewhere_for_git_are_not_taken_for_unchanged() {
    let session = Session::new(CONFIG);
    run(&session, "mkdir ../copy && cp -r . ../copy");
    let line = format!("git config core.worktree ../../copy && {}", write("src/a.py"));
    let input = json!({ "command": line });
    let done = std::process::Command::new("sh").args(["-c", &line]).current_dir(session.0.root()).output();
    assert!(done.unwrap().status.success());
    session.after("Bash", &input, &json!({ "stdout": "", "stderr": "" }));
    assert!(session.is_blocked());
}
