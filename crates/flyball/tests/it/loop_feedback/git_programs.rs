//! Programs that git starts: editors, signers, hooks.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::trees::run;
use super::{CONFIG, Session};
use crate::support::{commit, unique};

/// What an agent has git run.
const EDITOR: &str = "echo two > src/a.py\necho message > $1\n";

fn session() -> Session {
    let session = Session::new(CONFIG);
    session.0.file("ed.sh", EDITOR);
    commit(&session.0);
    session.0.hook("SessionStart", json!({ "source": "clear" }));
    session.prompt();
    std::thread::sleep(Duration::from_millis(120));
    session
}

const GIT: &str = "git -c user.name=t -c user.email=t@example.com";

#[test]
fn what_a_program_writes_that_the_session_had_git_start_is_its_own() {
    let commit = format!("{GIT} commit --quiet --allow-empty");
    let rebase = format!("{GIT} rebase --quiet --interactive HEAD");
    for lines in [
        vec!["git config core.editor 'sh ed.sh'".to_owned(), commit.clone()],
        vec![format!("export GIT_EDITOR='sh ed.sh'; {commit}")],
        vec![format!("EDITOR='sh ed.sh' && export EDITOR && {commit}")],
        vec![format!("VISUAL='sh ed.sh' {commit}")],
        vec![format!("export GIT_SEQUENCE_EDITOR='sh ed.sh'; {rebase} || true")],
        vec!["git config sequence.editor 'sh ed.sh'".to_owned(), format!("{rebase} || true")],
        vec![
            "git config gpg.program $PWD/ed.sh && chmod +x ed.sh".to_owned(),
            format!("{commit} -S -m x || true"),
        ],
        vec!["git config alias.x '!sh ed.sh'".to_owned(), "git x /dev/null".to_owned()],
        vec!["git config diff.external 'sh ed.sh'; echo : >> check.sh".to_owned(), "git diff".to_owned()],
        vec![
            "printf '[core]\\neditor = sh ed.sh\\n' > ../more && git config include.path ../../more"
                .to_owned(),
            commit.clone(),
        ],
    ] {
        let session = session();
        for line in &lines {
            runs(&session, line, || ());
        }
        assert!(session.is_blocked(), "{lines:?}");
    }
}

/// Runs a line for real, with the events around it, whatever other policies say of it.
fn runs(session: &Session, line: &str, meanwhile: impl Fn()) {
    let began = Instant::now();
    let mut fields =
        json!({ "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": unique() });
    session.0.hook("PreToolUse", fields.clone());
    meanwhile();
    let done = Command::new("sh").args(["-c", line]).current_dir(session.0.root()).output().unwrap();
    assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    fields["tool_response"] = json!({ "stdout": "", "stderr": "", "interrupted": false, "isImage": false });
    fields["duration_ms"] = json!(u64::try_from(began.elapsed().as_millis()).unwrap());
    session.0.hook("PostToolUse", fields);
}

/// The user saves a file while the agent's git runs.
fn saves_while_git_runs(session: &Session) {
    runs(session, "git commit --quiet --allow-empty --message x", || {
        std::thread::sleep(Duration::from_millis(60));
        session.0.file("src/b.py", "the user's\n");
    });
}

#[test]
fn settings_of_the_user_and_harmless_ones_make_git_no_writer() {
    let user = session();
    let done = Command::new("git")
        .args(["config", "core.editor", "sh ed.sh"])
        .current_dir(user.0.root())
        .status()
        .unwrap();
    assert!(done.success());
    // The same event again would count as the same.
    user.0.hook("SessionStart", json!({ "source": "startup" })).assert_silent();
    user.prompt().assert_silent();
    run(&user, "git config user.name me");
    saves_while_git_runs(&user);
    user.stop().assert_silent();
    let harmless = session();
    run(&harmless, "git config core.editor true && git config alias.st 'status --short'");
    saves_while_git_runs(&harmless);
    harmless.stop().assert_silent();
}
