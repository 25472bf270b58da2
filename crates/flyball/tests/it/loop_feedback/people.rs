//! What people see and decide: changed proofs, files that they save, texts, limits in force.

use serde_json::{Value, json};

use super::{APPROVED, CONFIG, PROVED, Session};
use crate::support::{Project, commit, git, unique};

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
        // It was seen to pass.
        session.ran(command);
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
    let accepted = session.0.run(&["loop", "accept"]);
    assert_eq!(accepted.status, 0, "{accepted:?}");
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
