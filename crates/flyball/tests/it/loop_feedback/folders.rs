//! Whole folders that are copied, moved and deleted, and work that git puts away.

use serde_json::json;

use super::trees::{edit, run};
use super::{APPROVED, CONFIG, Session};
use crate::support::{Project, commit, git};

#[test]
fn what_is_in_a_folder_that_a_line_names_is_seen() {
    let cases = [
        "cp -r ../copy src/pkg",
        "cp -a ../copy/. src/",
        "cp -r ../copy/* src/",
        "mv ../copy src/pkg",
        "mv -t src ../copy",
        "mv lib src/pkg",
        "git mv lib src/pkg",
        "cp -r lib src/pkg",
        "rm -r src/d",
        "git rm -rq src/d",
        "find src/d -delete",
        "mv src/d ../gone",
        "cp -r ../copy src/pkg && git add --all && git commit --quiet --message x",
        "mv src ../old && mv ../whole src",
        "mv ../copy here && python3 -c \"import os; os.rename('here', 'src/pk' + 'g')\"",
        "tar -C .. -cf - copy | tar -C src -xf -",
    ];
    for line in cases {
        let session = prepared(Session::new(CONFIG));
        run(&session, line);
        assert!(session.is_blocked(), "{line}");
    }
    for line in ["cp -r ../copy src/pkg", "mv ../copy src/pkg", "rm -r src/d"] {
        let session = Session(Project::new());
        session.0.config(CONFIG).file("src/a.py", "one\n");
        let session = with_folders(session);
        session.prompt().assert_silent();
        edit(&session, "src/d/x.py", "two\n");
        session.agent("reviewer", APPROVED).assert_silent();
        run(&session, line);
        assert!(session.is_blocked(), "without git: {line}");
    }
}

#[test]
fn all_files_of_a_copied_folder_are_named() {
    let session = prepared(Session::new(CONFIG));
    run(&session, "cp -r ../copy src/pkg");
    edit(&session, "src/pkg/more.py", "three\n");
    let blocked = session.stop();
    assert!(blocked.stdout.contains("src/pkg/new.py"), "{blocked:?}");
}

#[test]
fn what_is_outside_of_the_loop_may_be_moved() {
    for line in ["cp -r ../copy docs", "rm -r lib", "mkdir -p src/empty", "rm -rf build"] {
        let session = prepared(Session::new(CONFIG));
        run(&session, line);
        session.stop().assert_silent();
    }
}

#[test]
fn open_work_on_another_branch_stays_open() {
    let commit = "git -c user.name=t -c user.email=t@example.com commit --quiet --all --message x";
    let session = Session::new(CONFIG);
    run(&session, "git switch --quiet --create work");
    edit(&session, "src/a.py", "two\n");
    run(&session, commit);
    run(&session, "git switch --quiet main");
    let blocked = session.stop();
    assert!(blocked.stdout.contains("another branch"), "{blocked:?}");
    // A review of what is on disk now says nothing about it.
    session.agent("reviewer", APPROVED);
    assert!(session.is_blocked());
    run(&session, "git switch --quiet work");
    session.agent("reviewer", APPROVED).assert_silent();
    session.stop().assert_silent();
    run(&session, "git switch --quiet main");
    session.stop().assert_silent();
}

#[test]
fn what_is_on_no_branch_any_more_is_no_work() {
    let commit = "git -c user.name=t -c user.email=t@example.com commit --quiet --all --message x";
    let session = Session::new(CONFIG);
    run(&session, "git switch --quiet --create work");
    edit(&session, "src/a.py", "two\n");
    run(&session, commit);
    run(&session, "git switch --quiet main && git branch --quiet -D work");
    session.stop().assert_silent();
    edit(&session, "src/a.py", "three\n");
    run(&session, "git checkout --quiet -- src/a.py");
    session.stop().assert_silent();
}

#[test]
fn a_file_that_was_ignored_before_is_nobodys_business() {
    let session = Session::new(CONFIG);
    session.0.file(".gitignore", "src/tmp/\n");
    commit(&session.0);
    session.0.hook("SessionStart", json!({ "source": "clear" }));
    session.prompt();
    edit(&session, "src/tmp/try.py", "two\n");
    run(&session, "python3 -c \"open('src/tmp/' + 'b.py', 'w').write('two')\"");
    session.stop().assert_silent();
    // A rule that this session adds hides nothing.
    session.0.file(".gitignore", "src/tmp/\nsrc/more/\n");
    edit(&session, "src/more/try.py", "two\n");
    assert!(session.is_blocked());
}

#[test]
fn a_tool_that_failed_or_is_not_known_may_have_written() {
    let fields = json!({
        "tool_name": "mcp__files__refactor", "tool_input": { "path": "src/a.py" }, "tool_use_id": "t1",
        "error": "MCP error -32001: Request timed out", "is_interrupt": false, "duration_ms": 5_000,
    });
    let session = Session::new(CONFIG);
    session.0.file("src/a.py", "two\n");
    session.0.hook("PostToolUseFailure", fields).assert_silent();
    assert!(session.is_blocked());
    let session = Session::new(CONFIG);
    session.0.file("src/a.py", "two\n");
    let input = json!({ "file_path": session.0.root().join("src/a.py"), "instruction": "rename it" });
    session.after("RefactorFile", &input, &json!({ "ok": true }));
    assert!(session.is_blocked());
}

#[test]
fn what_the_client_moved_to_the_background_may_write_later() {
    let session = Session::new(CONFIG);
    edit(&session, "src/a.py", "two\n");
    session.agent("reviewer", APPROVED).assert_silent();
    let input = json!({ "command": "python3 -c \"exec(open('../later').read())\"" });
    session.after("Bash", &input, &json!({ "backgroundTaskId": "b1" })).assert_silent();
    session.0.file("src/b.py", "later\n");
    let running =
        json!([{ "id": "b1", "type": "shell", "status": "running", "description": "x", "command": "x" }]);
    let blocked = session.stop_with(running);
    assert!(blocked.stdout.contains("src/b.py"), "{blocked:?}");
}

/// A script that is not known writes these files.
fn generate(session: &Session, files: &[&str]) {
    let code = "import os, sys; [(os.makedirs(os.path.dirname(f) or '.', exist_ok=True), open(f, 'w').write('x')) for f in \
                sys.argv[1:]]";
    run(session, &format!("python3 -c \"{code}\" {}", files.join(" ")));
}

fn of_all_code() -> Session {
    Session::new("[quality]\nmode = \"off\"\n\n[loop.feedback]\nmode = \"enforce\"\n")
}

#[test]
fn what_a_build_makes_is_no_work() {
    let session = of_all_code();
    let made = "out/a.js|bin/a.js|obj/a.cs|_build/a.ex|deps/a/a.ex|site/a.html|docs/_build/a.html|env/a.py|build/lib/a.py|\
        public/build/a.js|packages/x/out/a.js|bazel-bin/a.go|tmp/a.js|reports/a.html|cmake-build-debug/a.c";
    generate(&session, &made.split('|').map(str::trim).collect::<Vec<_>>());
    session.stop().assert_silent();
    // An environment for Python, whatever it is called.
    generate(&session, &["py3/pyvenv.cfg", "py3/lib/a.py"]);
    session.stop().assert_silent();
}

#[test]
fn a_folder_that_is_only_called_like_a_build_hides_nothing() {
    // One that git has, one among sources, and one that is written by its name.
    let session = of_all_code();
    session.0.file("bin/known.py", "one\n");
    commit(&session.0);
    session.0.hook("SessionStart", json!({ "source": "clear" }));
    session.prompt();
    generate(&session, &["bin/more.py"]);
    assert!(session.is_blocked());
    let session = of_all_code();
    generate(&session, &["src/out/a.py"]);
    assert!(session.is_blocked());
    let session = of_all_code();
    edit(&session, "bin/cli.js", "two\n");
    assert!(session.is_blocked());
}

#[test]
fn scripts_and_build_files_are_in_the_loop_and_built_programs_are_not() {
    for file in ["deploy.sh", "Makefile", "Dockerfile", "CMakeLists.txt", "x.nix", "bin/tool", "page.mdx"] {
        let session = of_all_code();
        edit(&session, file, "two\n");
        assert!(session.is_blocked(), "{file}");
    }
    let session = of_all_code();
    edit(&session, "notes.md", "two\n");
    edit(&session, "data.json", "{}\n");
    edit(&session, "scripts/program", "\u{0}ELF");
    session.stop().assert_silent();
}

#[test]
fn a_worktree_that_the_session_made_may_be_thrown_away() {
    let session = Session::new(CONFIG);
    let add = "git worktree add --quiet ../wt -b work";
    let remove = "git worktree remove --force ../wt && git branch --quiet -D work";
    session.0.shell(add);
    run(&session, add);
    super::trees::edit_in(&session, &session.0.folder().join("wt"), "src/a.py", "two\n");
    assert!(session.is_blocked());
    session.0.shell(remove).assert_silent();
    run(&session, remove);
    session.stop().assert_silent();
    // One that was there is the user's, also if the agent tries to make it again.
    let session = Session::new(CONFIG);
    let done = std::process::Command::new("sh").args(["-c", add]).current_dir(session.0.root()).status();
    assert!(done.unwrap().success());
    std::fs::write(session.0.folder().join("wt/src/a.py"), "the user's\n").unwrap();
    session.0.shell(add);
    let denied = session.0.shell(remove);
    assert!(denied.stdout.contains(r#""permissionDecision":"deny""#), "{denied:?}");
}

fn prepared(session: Session) -> Session {
    let session = with_folders(session);
    commit(&session.0);
    session.0.hook("SessionStart", json!({ "source": "clear" }));
    session.prompt();
    session
}

/// With folders to copy, move and delete, none of them new.
fn with_folders(session: Session) -> Session {
    session
        .0
        .file("src/d/x.py", "one\n")
        .file("lib/new.py", "lib\n")
        .file("docs/x.md", "x\n")
        .file("build/x", "x\n");
    session.0.file("../copy/new.py", "two\n").file("../whole/a.py", "whole\n");
    // Files of the same moment would count as written by the line.
    std::thread::sleep(std::time::Duration::from_millis(300));
    session
}

/// Which files a line writes to is known to the disk alone.
#[test]
fn what_a_loop_or_a_list_names_is_the_agents() {
    let lines = [
        "for f in src/*.py; do sed -i s/one/two/ $f; done",
        "for f in src/*.py; do echo two > \"${f}\"; done",
        "ls src/*.py | xargs sed -i s/one/two/",
        "find src -name '*.py' | xargs sed -i s/one/two/",
        "ls src/*.py | while read f; do sed -i s/one/two/ $f; done",
        "sed -i s/one/two/ $(ls src/*.py)",
        "for f in src/*.py; do mv check.sh \"$f\"; break; done",
    ];
    for line in lines {
        let session = Session::new(CONFIG);
        session.run(line);
        assert!(session.is_blocked(), "{line}");
    }
}

#[test]
fn a_hook_that_is_late_sees_what_was_written_at_once() {
    for line in ["echo two > src/a.py", "sed -i s/one/two/ src/a.py", "mv src lib", "echo x > src/new.py"] {
        let session = Session::new(CONFIG);
        session.run_and_wait(line, std::time::Duration::from_millis(300));
        assert!(session.is_blocked(), "{line}");
    }
}

#[test]
fn a_name_that_cannot_be_a_file_hides_nothing() {
    let long = "x".repeat(300);
    let lines = [
        format!("sed -i s/one/two/ src/b.py; rm -f src/{long}.py; true"),
        "rm src/a.py && echo x > src/a && sed -i s/one/two/ src/b.py; rm -f src/a/c.py; true".to_owned(),
    ];
    for line in lines {
        let session = Session::new(CONFIG);
        session.run(&line);
        assert!(session.is_blocked(), "{line}");
    }
}

#[test]
fn what_is_committed_and_undone_by_a_commit_needs_nobody() {
    let undo = [
        "git revert --no-edit HEAD",
        "git checkout -q HEAD~1 -- src/a.py",
        "git checkout -q HEAD~1 -- src/a.py && git commit -qm undone",
    ];
    for line in undo {
        let session = Session::new(CONFIG);
        session.edit("src/a.py", "two\n");
        session.run("git commit -qam w");
        session.run(line);
        session.stop().assert_silent();
    }
}

#[test]
fn what_the_user_had_put_away_before_the_session_is_theirs() {
    for line in ["git stash pop", "git stash apply", "git checkout -q stash@{0} -- src/b.py"] {
        let project = Project::new();
        let session = Session::on(project, CONFIG);
        session.0.file("src/b.py", "the user's\n");
        git(&session.0, &["stash", "--quiet"]);
        session.0.hook("SessionStart", json!({ "source": "startup" }));
        session.prompt().assert_silent();
        session.run(line);
        session.stop().assert_silent();
    }
}

#[test]
fn a_folder_that_is_put_back_needs_nobody_without_git() {
    let there_and_back = [
        ["mv src lib", "mv lib src"],
        ["mv src/d src/e", "mv src/e src/d"],
        ["mv src/d docs", "mv docs/d src"],
        ["cp -r src ../kept && rm -r src", "mv ../kept src"],
        ["mkdir -p new/deep && mv src/d new/deep", "mv new/deep/d src && rmdir new/deep new"],
    ];
    let all_code = &CONFIG.replace("src/**", "**/*.py");
    let session = || {
        let session = Session(Project::new());
        session
            .0
            .config(all_code)
            .file("src/a.py", "one\n")
            .file("src/d/x.py", "one\n")
            .file("docs/a.md", "a");
        session.prompt().assert_silent();
        session
    };
    for lines in there_and_back {
        let session = session();
        for line in lines {
            session.run(line);
        }
        session.stop().assert_silent();
    }
    for lines in [["mv src lib", "mv lib src && echo two >> src/a.py"], ["mv src/d src/e", "true"]] {
        let session = session();
        for line in lines {
            session.run(line);
        }
        assert!(session.is_blocked(), "{lines:?}");
    }
}
