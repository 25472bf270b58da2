//! What people see and decide: changed proofs, files that they save, texts, limits in force.

use serde_json::{Value, json};

use super::{APPROVED, CONFIG, Session};
use crate::support::{Project, TerminalUser, commit, unique};

/// The loop with a phase that this command proves.
fn proved_by(command: &str) -> String {
    CONFIG.replace(
        "[[loop.feedback.domain]]",
        &format!(
            "[[loop.feedback.phase]]\nname = \"testing\"\nrun = \"{command}\"\n\n[[loop.feedback.domain]]"
        ),
    )
}

fn is_asked(session: &Session) -> bool {
    session.stop().stdout.contains("what proves the work changed during this session")
}

/// The agent runs a command that passes at once.
fn passed(session: &Session, line: &str) {
    let response = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
    let fields = json!({
        "tool_name": "Bash", "tool_input": { "command": line }, "tool_response": response, "tool_use_id": unique(),
        "duration_ms": 0,
    });
    session.0.hook("PostToolUse", fields).assert_silent();
}

#[test]
fn what_configures_the_runner_of_a_proof_is_part_of_it() {
    let makefile = ("Makefile", "test:\n\tpytest\n");
    type File = (&'static str, &'static str);
    let cases: [(&str, &[File], File, bool); 14] = [
        ("pytest", &[], ("pytest.ini", "[pytest]\naddopts = -k none\n"), true),
        ("pytest", &[], (".pytest.ini", "[pytest]\naddopts = -k none\n"), true),
        ("pytest", &[], ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = ['x']\n"), true),
        ("pytest", &[], ("pyproject.toml", "[project]\nversion = '2'\ndependencies = ['a']\n"), false),
        ("pytest", &[], ("setup.cfg", "[tool:pytest]\naddopts = -k none\n"), true),
        (
            "make test",
            &[makefile],
            ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-k none'\n"),
            true,
        ),
        ("make test", &[makefile], ("pyproject.toml", "[project]\nversion = '2'\n"), false),
        ("make test", &[("Makefile", "-include local.mk\n")], ("local.mk", "test: ;\n"), true),
        ("make test", &[("Makefile", "test:\n\tsh tools/test.sh\n")], ("tools/test.sh", "exit 0\n"), true),
        (
            "npm test",
            &[("package.json", "{\"scripts\":{\"test\":\"jest\"}}")],
            ("jest.config.js", "x\n"),
            true,
        ),
        ("npm test", &[("package.json", "{}")], (".npmrc", "script-shell=./yes\n"), true),
        ("npm test", &[("package.json", "{}")], (".npmrc", "registry=https://example.com\n"), false),
        ("cargo test", &[], (".cargo/config.toml", "[target.x]\nrunner = 'true'\n"), true),
        ("cargo test", &[], ("Cargo.toml", "[dependencies]\na = '1'\n"), false),
    ];
    for (command, before, (file, text), expected) in cases {
        let project = Project::new();
        for (name, text) in before {
            project.file(name, text);
        }
        let session = Session::on(project, &proved_by(command));
        session.edit("src/a.py", "two\n");
        session.agent("reviewer", APPROVED);
        session.edit(file, text);
        passed(&session, command);
        assert_eq!(is_asked(&session), expected, "{command}: {file} {text}");
    }
}

#[test]
fn a_person_accepts_a_changed_proof_once_for_each_content() {
    let session = Session::proved();
    session.edit("src/a.py", "two\n");
    session.agent("reviewer", APPROVED);
    session.0.file("check.sh", "exit 0\n");
    assert!(is_asked(&session));
    let accepted = TerminalUser::new(&session.0).run(&["loop", "accept"]);
    assert_eq!(accepted["status"], 0, "{accepted}");
    session.stop().assert_silent();
    session.edit("src/a.py", "three\n");
    session.agent("reviewer", APPROVED);
    session.stop().assert_silent();
    // A new change is a new question.
    session.0.file("check.sh", "exit 0 # again\n");
    session.edit("src/a.py", "four\n");
    session.agent("reviewer", APPROVED);
    assert!(is_asked(&session));
}

/// The agent starts a command in the background, which may write anything.
fn in_background(session: &Session, line: &str) {
    let input = json!({ "command": line, "run_in_background": true });
    session.after("Bash", &input, &json!({ "backgroundTaskId": "b1" })).assert_silent();
}

fn running(kind: &str, command: &str) -> Value {
    json!([{ "id": "b1", "type": kind, "status": "running", "description": "x", "command": command }])
}

#[test]
fn what_the_user_saves_after_a_command_in_the_background_is_theirs() {
    let session = Session::new(CONFIG);
    in_background(&session, "./generate");
    // The client lists that nothing runs.
    session.stop().assert_silent();
    session.0.file("src/b.py", "the user's\n");
    session.stop().assert_silent();
}

#[test]
fn what_is_written_until_a_command_in_the_background_ends_is_the_agents() {
    let session = Session::new(CONFIG);
    in_background(&session, "./generate");
    session.0.file("src/b.py", "generated\n");
    assert!(session.is_blocked());

    let session = Session::new(CONFIG);
    in_background(&session, "./generate");
    session.stop_with(running("shell", "./generate")).assert_silent();
    session.0.file("src/b.py", "generated\n");
    let blocked = session.stop_with(running("shell", "./generate"));
    assert!(blocked.stdout.contains("src/b.py"), "{blocked:?}");
}

#[test]
fn a_commit_while_something_runs_in_the_background_is_no_trouble() {
    let session = Session::proved();
    in_background(&session, "./generate");
    session.0.file("docs/a.md", "the user's\n");
    commit(&session.0);
    session.stop_with(running("shell", "./generate")).assert_silent();
    session.0.file("src/b.py", "generated\n");
    commit(&session.0);
    assert!(session.stop_with(running("shell", "./generate")).stdout.contains("src/b.py"));
}

#[test]
fn what_was_detached_may_write_for_the_whole_session() {
    for line in ["nohup ./generate &", "setsid ./generate", "./generate &", "tmux new-session -d ./generate"]
    {
        let session = Session::new(CONFIG);
        in_background(&session, line);
        session.stop().assert_silent();
        session.0.file("src/b.py", "generated\n");
        assert!(session.is_blocked(), "{line}");
    }
}

#[test]
fn a_client_that_does_not_list_what_runs_is_not_taken_for_idle() {
    let session = Session::new(CONFIG);
    in_background(&session, "./generate");
    let stop = || {
        let message = format!("done {}", unique());
        session.0.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": message }))
    };
    stop().assert_silent();
    session.0.file("src/b.py", "generated\n");
    assert!(stop().stdout.contains("src/b.py"));
}

const PACKAGE: &str = r#"{"scripts": {"build": "node tools/build.js", "fix": "eslint --fix"}}"#;

fn with_tasks() -> Session {
    let project = Project::new();
    project
        .file("package.json", PACKAGE)
        .file("tools/build.js", "1\n")
        .file("Makefile", "build:\n\tsh b.sh\n");
    project.file("b.sh", "exit 0\n").file("requirements.txt", "requests\n").file("local.txt", "-e .\n");
    Session::on(project, CONFIG)
}

#[test]
fn what_the_user_saves_while_the_project_is_built_or_installed_is_theirs() {
    let cases = [
        ("npm run build", true),
        ("npm ci", true),
        ("npm install left-pad", true),
        ("make build", true),
        ("make", true),
        ("cargo build --release", true),
        ("pip install -r requirements.txt", true),
        ("uv sync", true),
        ("npm run fix", false),
        ("npm run generate", false),
        ("npm run build -- --out src/b.py", false),
        ("npm --prefix other run build", false),
        ("npm install ./tools", false),
        ("make build OUT=src/b.py", false),
        ("make -f other build", false),
        ("cd tools && make build", false),
        ("CC=./cc make build", false),
        ("pip install -r local.txt", false),
        ("pip install -e .", false),
        ("make build; ./generate", false),
    ];
    let mut wrong = Vec::new();
    for (line, is_theirs) in cases {
        let session = with_tasks();
        session.edit("src/a.py", "two\n");
        session.agent("reviewer", APPROVED);
        session.0.file("src/b.py", "saved\n");
        session.ran(line);
        let stop = session.stop();
        let notice = "flyball: src/b.py changed while the agent or its commands ran, not by an edit of this session: it was not reviewed.";
        let seen = if stop.stdout.is_empty() {
            "silent".to_owned()
        } else if stop.json()["decision"] == "block" {
            "held".to_owned()
        } else {
            stop.notice()
        };
        let expected = if is_theirs { notice } else { "held" };
        if seen != expected {
            wrong.push(format!("{line}: {seen}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_build_that_the_agent_rewrote_is_its_own_hand() {
    let cases = [
        ("package.json", PACKAGE.replace("node tools/build.js", "cp ../x src/b.py"), "npm run build"),
        ("tools/build.js", "2\n".to_owned(), "npm run build"),
        ("b.sh", "cp ../x src/b.py\n".to_owned(), "make build"),
        ("Makefile", "build:\n\tcp ../x src/b.py\n".to_owned(), "make build"),
        ("setup.py", "open('src/b.py', 'w')\n".to_owned(), "uv sync"),
        (".npmrc", "script-shell=./x\n".to_owned(), "npm run build"),
    ];
    for (file, text, line) in cases {
        let session = with_tasks();
        session.edit(file, &text);
        session.0.file("src/b.py", "built\n");
        session.ran(line);
        assert!(session.is_blocked(), "{file}: {line}");
    }
}

#[test]
fn a_block_for_another_checkout_says_where_to_look() {
    let session = Session::new(CONFIG);
    session.run("git worktree add --quiet ../wt -b work");
    let file = session.0.folder().join("wt/src/a.py");
    std::fs::write(&file, "two\n").unwrap();
    let input = json!({ "file_path": file, "content": "two\n" });
    session.after("Write", &input, &json!({ "type": "update" })).assert_silent();
    let reason = session.stop().reason();
    assert!(reason.contains("code in ../wt (src/a.py); tell the agents to look in `../wt`"), "{reason}");
}

#[test]
fn the_limits_that_are_shown_are_those_in_force() {
    let project = Project::new();
    let limits = |most: u32| format!("inter_phase:\n  max_feedback_iterations: {most}\n");
    project.file(".claude/config/orchestration-limits.yaml", &limits(7));
    let session = Session::on(project, CONFIG);
    session.edit("src/a.py", "two\n");
    assert!(session.is_blocked());
    session.0.file(".claude/config/orchestration-limits.yaml", &limits(70));
    let status = session.0.run(&["loop", "status", "--json"]).json();
    assert_eq!(status[0]["loop"]["of"], 7, "{status}");
}

#[test]
fn a_program_with_the_word_of_a_server_is_no_server() {
    let held = [
        "python3 gen.py --env dev",
        "python3 gen.py dev",
        "node scripts/seed.js start",
        "bash scripts/release.sh start",
        "sh gen.sh watch",
        "make dev",
        "npx prettier --write src",
        "docker compose run app python3 gen.py",
        "sqlite3 x.db '.output src/b.py' 'select 1'",
    ];
    let theirs = [
        "npm run dev",
        "python3 manage.py runserver",
        "source .venv/bin/activate && pytest",
        "npx jest",
        "npx vitest run",
        "docker compose ps",
        "docker compose exec app pytest",
        "psql -c 'select 1'",
        "terraform plan",
        "brew list",
        "pre-commit run --all-files",
    ];
    let mut wrong = Vec::new();
    for (lines, is_held) in [(&held[..], true), (&theirs[..], false)] {
        for line in lines {
            let session = Session::new(CONFIG);
            session.0.file("src/b.py", "changed\n");
            session.ran(line);
            let stop = session.stop();
            let seen = !stop.stdout.is_empty() && stop.json()["decision"] == "block";
            // The user hears of it also where nothing is in the loop.
            let is_said = stop.stdout.contains("src/b.py");
            if seen != is_held || !is_said {
                wrong.push(format!("{line}: {}", stop.stdout));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_the_user_saves_while_a_known_server_runs_in_the_background_is_theirs() {
    let servers = [
        "postgres -D ../data",
        "redis-server --port 7000",
        "mongod --dbpath ../data",
        "celery -A app worker",
        "uvicorn app:app --reload",
        "flask run",
        "python3 -m http.server",
        "npx http-server",
        "npx next dev",
        "docker compose up",
    ];
    for line in servers {
        let session = Session::new(CONFIG);
        in_background(&session, line);
        session.stop_with(running("shell", line)).assert_silent();
        session.0.file("src/b.py", "the user's\n");
        let stop = session.stop_with(running("shell", line));
        assert!(!stop.stdout.contains("\"block\""), "{line}: {}", stop.stdout);
    }
}

#[test]
fn what_a_tool_server_only_looks_up_writes_nothing() {
    for (tool, is_held) in
        [("mcp__docs__search", false), ("mcp__db__list_tables", false), ("mcp__x__generate", true)]
    {
        let session = Session::new(CONFIG);
        session.0.file("src/b.py", "changed\n");
        session.after(tool, &json!({ "q": "x" }), &json!([{ "type": "text", "text": "ok" }])).assert_silent();
        assert_eq!(session.is_blocked(), is_held, "{tool}");
    }
}

#[test]
fn only_code_that_is_run_can_detach_and_a_job_that_is_waited_for_has_ended() {
    let cases = [
        ("sed -i s/one/two/ README.md", false),
        ("cp README.md other.md", false),
        ("git commit --allow-empty -qm 'spawn( a daemon'", false),
        ("grep -rn fork . ; python3 -c 'print(1)'", false),
        ("python3 tool.py README.md", false),
        ("cat > notes.md <<'X'\nrun the daemon\nX", false),
        ("./generate & wait", false),
        ("./generate & sleep 0; kill %1", false),
        ("for i in 1 2; do ./generate & done; wait", false),
        ("docker compose up -d", false),
        ("./generate & ./other & kill %1", true),
        ("(./generate &) ; wait", true),
        ("python3 -c 'import os; os.fork()'", true),
        ("nohup ./generate &", true),
    ];
    let mut wrong = Vec::new();
    for (line, is_held) in cases {
        let session = Session::on(Project::new(), CONFIG);
        session
            .0
            .file("README.md", "Please fork this repository: one daemon.\n")
            .file("tool.py", "print(1)\n");
        session.ran(line);
        session.stop();
        session.0.file("src/b.py", "the user's\n");
        if session.is_blocked() != is_held {
            wrong.push(line);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}

#[test]
fn an_empty_file_needs_no_review() {
    let session = Session::new(CONFIG);
    session.run("printf '' > src/__init__.py");
    session.stop().assert_silent();
    session.run("echo 'x = 1' > src/__init__.py");
    assert!(session.is_blocked());
    session.run("printf '' > src/__init__.py");
    session.stop().assert_silent();
}
