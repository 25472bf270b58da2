//! What works inside as it does outside.

use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use super::*;
use crate::support::TerminalUser;

/// Each line is run inside and outside, in two projects alike: the same must come of both.
const SAME: &[&str] = &[
    "echo out; echo err >&2; exit 7",
    "cat; printf done",
    "kill -9 $$",
    "kill -TERM $$",
    "false",
    "no-such-program-at-all",
    "cd src 2>/dev/null || mkdir src; cd src; pwd | sed 's|.*/||'",
    "echo x > a && ln a b && mv b $H/c && ls $H/c | sed 's|.*/||'",
    "mkdir -p $H/.cache && echo y > $H/.cache/y && ln $H/.cache/y linked && stat -c %h linked",
    "mkdir d && mv d e && rmdir e",
    "echo z >> notes.txt && git add -A && git -c user.name=a -c user.email=a@b commit -qm 'more' && git log --format=%s -1",
    "git checkout -q other && cat ruff.toml && git checkout -q main && cat ruff.toml",
    "git stash list; git status --short",
    "git branch topic && git branch -q -d topic",
    "git init -q $H/sub && cd $H/sub && git config a.b c && git config a.b",
    "sh -c 'trap \"echo caught\" TERM; kill -TERM $$'",
    "(sleep 0.05; echo later) & wait",
    "python3 -c 'import os, sys; sys.exit(os.getuid() == os.stat(\".\").st_uid and 3)'",
    "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); c = socket.create_connection(s.getsockname()); print(c.getpeername()[0])'",
    "python3 -c 'import pty, sys; sys.exit(pty.spawn([\"sh\", \"-c\", \"test -t 0 && test -t 1\"]))'",
    "python3 -c 'import tempfile, os; d = tempfile.mkdtemp(); os.rename(d, d + \"x\"); os.rmdir(d + \"x\"); print(1)'",
    "tar cf $H/all.tar notes.txt && tar xf $H/all.tar -C $H && cat $H/notes.txt | head -1",
    "find . -maxdepth 1 -name notes.txt",
    "seq 3 | xargs -n1 echo",
    "ulimit -c; umask",
    "test -w notes.txt && echo writable",
    "unshare -Ur true && echo nested || true",
];

#[test]
fn what_is_not_guarded_is_as_without_it() {
    for who in [Who::Tester, Who::User] {
        let (Some(inside), Some(outside)) =
            (Belted::new(who, ""), Belted::new(who, "[seatbelt]\nmode = \"off\"\n"))
        else {
            continue;
        };
        for line in SAME {
            let result = |belted: &Belted| {
                let mut command = belted.agent(line);
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
                let output = command.output().unwrap();
                let text = |bytes: &[u8]| {
                    String::from_utf8_lossy(bytes)
                        .replace(&*belted.project.folder().to_string_lossy(), "FOLDER")
                };
                (output.status.code(), output.status.signal(), text(&output.stdout), text(&output.stderr))
            };
            assert_eq!(result(&inside), result(&outside), "{line} as {who:?}");
        }
    }
}

#[test]
fn git_gives_a_branch_an_upstream() {
    for_each_user("", |belted| {
        let up = belted.project.home().join("up.git").display().to_string();
        let ran = belted.run(&format!("git init -q --bare {up} && git remote add origin {up}"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let ran = belted.run("git push -q -u origin main");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let ran = belted.run("git rev-parse --abbrev-ref main@{upstream}");
        assert_eq!(ran.stdout.trim(), "origin/main");
    });
}

#[test]
fn a_file_that_a_person_allowed_can_be_written_for_that_time() {
    for_each_user("", |belted| {
        assert_ne!(belted.run("python3 -c 'open(\"ruff.toml\", \"a\").write(\"# x\")'").status, 0);
        let seen = TerminalUser::new(&belted.project).run(&["allow", "ruff.toml", "--for", "10m"]);
        assert_eq!(seen["status"], 0, "{seen}");
        belted.hand_over();
        let ran = belted.run("python3 -c 'open(\"ruff.toml\", \"a\").write(\"# x\")'");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    });
}

#[test]
fn a_line_that_only_calls_flyball_runs_outside() {
    for_each_user("", |belted| {
        let folder = Path::new(env!("CARGO_BIN_EXE_flyball")).parent().unwrap().to_owned();
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        let ended = |line: &str| {
            let mut command = belted.agent(line);
            command.env("PATH", &path);
            run(command, b"")
        };
        // Refused both times, for another reason.
        let (outside, inside) = (ended("flyball trust"), ended("sh -c 'flyball trust'"));
        assert_eq!((outside.status, inside.status), (3, 3), "{}{}", outside.stderr, inside.stderr);
        assert!(
            inside.stderr.contains("seatbelt") && !outside.stderr.contains("seatbelt"),
            "{}",
            outside.stderr
        );
        assert_eq!(ended("flyball no-such-command").status, 2);
        let told = std::fs::read_to_string(belted.project.home().join("cwd"));
        assert!(told.is_err() || !told.unwrap().is_empty());
    });
}

#[test]
fn hooks_and_servers_are_started_as_they_are() {
    for_each_user("", |belted| {
        let ran =
            run(belted.command(&belted.link(), &["echo > .claude/settings.local.json; echo done"]), b"");
        assert_eq!(ran.stdout, "done\n");
        assert_eq!(std::fs::read_to_string(belted.root().join(".claude/settings.local.json")).unwrap(), "\n");
    });
}

#[test]
fn what_was_started_in_the_background_stays_inside() {
    for_each_user("", |belted| {
        let before = belted.guarded();
        let ran = belted.run("(sleep 0.3; echo > flyball.toml; echo over > over.txt) > /dev/null 2>&1 &");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        for _ in 0..100 {
            if belted.root().join("over.txt").exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(belted.root().join("over.txt").exists());
        assert_eq!(belted.guarded(), before);
    });
}

#[test]
fn where_there_are_no_namespaces_commands_run_and_say_so() {
    let project = Project::new();
    project.run(&["init", "--yes", "--client", "claude-code"]);
    assert!(!project.root().join(".claude/settings.local.json").exists());
    // Registered all the same: the kernel may have allowed them before.
    let mut command = project.command(&[]);
    command = {
        let mut started = Command::new(project.state().join("bin/flyball-run"));
        started
            .current_dir(project.root())
            .env_clear()
            .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        started
    };
    command.arg("true && eval 'echo ran; exit 7' && pwd -P >| /dev/null");
    let ran = run(command, b"");
    assert_eq!((ran.status, ran.stdout.as_str()), (7, "ran\n"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("this runs without the seatbelt: the kernel allows no namespaces"),
        "{}",
        ran.stderr
    );
    let ran = project.run(&["run", "true"]);
    assert_eq!(ran.status, 2, "what a person runs in it is not run without: {}", ran.stderr);
}

#[test]
fn without_the_program_no_command_is_started() {
    for_each_user("", |belted| {
        std::fs::remove_file(belted.link()).unwrap();
        let started = belted.agent("true").output().is_ok_and(|ran| ran.status.success());
        assert!(!started, "as {:?}", belted.who);
        let doctor = belted.project.run(&["doctor"]);
        assert!(doctor.stdout.contains("cannot start any command"), "{}", doctor.stdout);
    });
}
