//! Commands of an agent in the seatbelt, started as a client starts them, and what the kernel refuses to them.
//!
//! Everything is in a scratch project below a scratch home. Where this machine is run by its administrator, all of it is tried as an ordinary
//! user, too: the kernel's means are others.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod around;
mod builds;
mod free;
mod git;
mod landlock;
mod levels;
mod own_sandbox;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::{ProcessResult, Project, commit, git, run};

const ATTACKS: &str = include_str!("attacks.txt");
const MOUNTS: &str = include_str!("mounts.sh");

/// Who runs the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    /// Whoever runs the tests.
    Tester,
    /// An ordinary user, where the tester is the administrator.
    User,
}

const USER: u32 = 1000;

/// A set-up project, whose agent's commands are started in the seatbelt.
struct Belted {
    project: Project,
    who: Who,
    /// As if the kernel allowed no namespaces.
    by_landlock: bool,
}

impl Belted {
    /// `None` where the kernel allows it not, which is said.
    fn new(who: Who, config: &str) -> Option<Belted> {
        Belted::with(Project::new(), who, config, false)
    }

    fn with(project: Project, who: Who, config: &str, by_landlock: bool) -> Option<Belted> {
        let pretended = if by_landlock { "1" } else { "" };
        let project = project.with("FLYBALL_NO_NAMESPACES", pretended).with("FLYBALL_NO_LANDLOCK", "");
        if who == Who::User && !rustix::process::geteuid().is_root() {
            return None;
        }
        fs::remove_dir(project.root().join(".git")).unwrap();
        project.config(config);
        project
            .file("ruff.toml", "line-length = 80\n")
            .file("mounts.sh", MOUNTS)
            .file("notes.txt", "mine\n")
            .file(".claude/hooks/x.sh", "true\n");
        project.file(
            "evil.patch",
            "--- a/ruff.toml\n+++ b/ruff.toml\n@@ -1 +1 @@\n-line-length = 80\n+line-length = 400\n",
        );
        let user_config = project.home().join(".config/flyball/config.toml");
        fs::create_dir_all(user_config.parent().unwrap()).unwrap();
        fs::write(user_config, "").unwrap();
        fs::write(project.home().join(".gitconfig"), "[user]\n\tname = a\n\temail = a@b\n").unwrap();
        let snapshots = project.home().join(".claude/shell-snapshots");
        fs::create_dir_all(&snapshots).unwrap();
        fs::write(snapshots.join("snapshot-bash-1-x.sh"), "true\n").unwrap();
        git(&project, &["init", "--quiet", "--initial-branch=main"]);
        commit(&project);
        git(&project, &["checkout", "--quiet", "-b", "other"]);
        project.file("ruff.toml", "line-length = 400\n");
        commit(&project);
        git(&project, &["checkout", "--quiet", "main"]);
        git(&project, &["worktree", "add", "--quiet", "../w", "other"]);
        let checkout = project.root().join(".git/worktrees/w/config.worktree");
        fs::write(checkout, "").unwrap();
        git(&project, &["init", "--quiet", "--bare", ".git/modules/sub/name"]);
        let belted = Belted { project, who, by_landlock };
        belted.hand_over();
        let ran = run(
            belted.command(
                Path::new(env!("CARGO_BIN_EXE_flyball")),
                &["init", "--yes", "--client", "claude-code", "--seatbelt"],
            ),
            b"",
        );
        if !belted.link().exists() || !belted.root().join(".claude/settings.local.json").exists() {
            drop(std::fs::write("/dev/stderr", format!("no seatbelt here as {who:?}: {}\n", ran.stdout)));
            return None;
        }
        // A session begins, and finds the protected files.
        belted.event("SessionStart", json!({ "source": "startup" }));
        // Makes the folder over which the seatbelt is built.
        assert_eq!(belted.run("true").status, 0);
        Some(belted)
    }

    fn root(&self) -> PathBuf {
        self.project.root()
    }

    fn link(&self) -> PathBuf {
        self.project.state().join("bin/flyball-run")
    }

    /// Gives all files to the user.
    fn hand_over(&self) {
        if self.who == Who::User {
            let ran = Command::new("chown")
                .args(["-R", &format!("{USER}:{USER}")])
                .arg(self.project.folder())
                .status();
            assert!(ran.unwrap().success());
        }
    }

    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = match self.who {
            Who::Tester => Command::new(program),
            Who::User => {
                let mut command = Command::new("setpriv");
                let user = USER.to_string();
                command.args(["--reuid", &user, "--regid", &user, "--clear-groups", "--"]).arg(program);
                command
            }
        };
        command.args(arguments).current_dir(self.root()).env_clear();
        command.env("HOME", self.project.home()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("CLAUDECODE", "1").env("SHELL", "/bin/bash");
        if self.by_landlock {
            command.env("FLYBALL_NO_NAMESPACES", "1");
        }
        command
    }

    /// An event of the session, from the client.
    fn event(&self, event: &str, fields: serde_json::Value) -> ProcessResult {
        let payload = self.project.payload(event, fields).to_string();
        let mut command = self.command(
            Path::new(env!("CARGO_BIN_EXE_flyball")),
            &["hook", "--client", "claude-code", "--event", event],
        );
        command.env("CLAUDE_PROJECT_DIR", self.root()).env("CLAUDE_CODE_SHELL_PREFIX", self.link());
        run(command, payload.as_bytes())
    }

    /// The process that a client starts for a command of its agent.
    fn agent(&self, line: &str) -> Command {
        let quoted = line.replace('\'', "'\"'\"'");
        let cwd_file = match self.by_landlock {
            // The client has it in a temporary folder.
            true => self.root().join(".git/cwd"),
            false => self.project.home().join("cwd"),
        };
        let whole = format!(
            "source {}/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && eval '{quoted}' \\< /dev/null && pwd -P >| {}",
            self.project.home().display(),
            cwd_file.display()
        );
        let mut command = self.command(&self.link(), &[&whole]);
        command.env("CLAUDE_CODE_SESSION_ID", "00000000-0000-4000-8000-000000000001");
        command
            .env("CLAUDE_CODE_EXECPATH", "/opt/claude")
            .env("P", self.root())
            .env("H", self.project.home());
        command.env("F", env!("CARGO_BIN_EXE_flyball"));
        command
    }

    fn run(&self, line: &str) -> ProcessResult {
        run(self.agent(line), b"")
    }

    /// What is guarded: content, mode, time and number of each file.
    fn guarded(&self) -> BTreeMap<PathBuf, String> {
        let (root, home) = (self.root(), self.project.home());
        let mut found = BTreeMap::new();
        for place in [
            root.join("flyball.toml"),
            root.join("ruff.toml"),
            root.join(".claude/settings.json"),
            root.join(".claude/settings.local.json"),
            root.join(".claude/hooks"),
            root.join(".git/config"),
            root.join(".git/hooks"),
            root.join(".git/worktrees/w/commondir"),
            root.join(".git/worktrees/w/gitdir"),
            root.join(".git/worktrees/w/config.worktree"),
            root.join(".git/modules/sub/name/config"),
            root.join(".git/modules/sub/name/hooks"),
            home.join(".gitconfig"),
            home.join(".config/flyball"),
            home.join(".claude/shell-snapshots"),
            home.join(".local/state/flyball"),
            PathBuf::from(env!("CARGO_BIN_EXE_flyball")),
        ] {
            describe(&place, &mut found);
        }
        found
    }
}

/// Notes a file, or all that is in a folder.
fn describe(path: &Path, found: &mut BTreeMap<PathBuf, String>) {
    let Ok(stat) = path.symlink_metadata() else {
        found.insert(path.to_owned(), "gone".to_owned());
        return;
    };
    let what = (stat.ino(), stat.permissions().mode(), stat.uid());
    if stat.is_dir() {
        found.insert(path.to_owned(), format!("folder {what:?}"));
        for entry in fs::read_dir(path).unwrap() {
            describe(&entry.unwrap().path(), found);
        }
        return;
    }
    let text = match stat.is_symlink() {
        true => fs::read_link(path).unwrap().display().to_string(),
        // The program is long, and its time says enough.
        false if stat.len() > 1_000_000 => String::new(),
        false => String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned(),
    };
    found.insert(path.to_owned(), format!("{what:?} {:?} {} {text}", stat.modified().unwrap(), stat.len()));
}

/// A process of the same user outside of the seatbelt, in the project.
struct Outside(std::process::Child);

impl Outside {
    fn start(belted: &Belted) -> Outside {
        Outside::become_child(belted.command(Path::new("/bin/sleep"), &["600"]))
    }

    /// The same of a user who may do nothing, where the tester is the administrator.
    fn start_as_nobody(belted: &Belted) -> Option<Outside> {
        const NOBODY: &str = "65534";
        if belted.who != Who::Tester || !rustix::process::geteuid().is_root() {
            return None;
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "sleep", "600"]);
        Some(Outside::become_child(command))
    }

    fn become_child(mut command: Command) -> Outside {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        Outside(child)
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn no_attack_changes_what_is_guarded(who: Who) {
    let Some(belted) = Belted::new(who, "[undo]\nmode = \"off\"\n") else { return };
    let outside = Outside::start(&belted);
    let nobody = Outside::start_as_nobody(&belted);
    let before = belted.guarded();
    assert!(before.len() > 20, "{before:#?}");
    let lines: Vec<&str> =
        ATTACKS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(lines.len() > 70, "{}", lines.len());
    let mut broken = Vec::new();
    for line in lines {
        let mut command = belted.agent(line);
        command.env("C", outside.0.id().to_string());
        command.env("N", nobody.as_ref().unwrap_or(&outside).0.id().to_string());
        let ran = run(command, b"");
        let after = belted.guarded();
        for (path, was) in &before {
            if after.get(path) != Some(was) {
                broken.push(format!("{line}\n  changed {}\n  {}{}", path.display(), ran.stdout, ran.stderr));
            }
        }
        if let Some(new) = after.keys().find(|path| !before.contains_key(*path)) {
            broken.push(format!("{line}\n  made {}", new.display()));
        }
        if !broken.is_empty() {
            break;
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(belted.root().join("notes.txt").exists());
}

#[test]
fn no_attack_changes_what_is_guarded_by_whoever_runs_the_tests() {
    no_attack_changes_what_is_guarded(Who::Tester);
}

#[test]
fn no_attack_changes_what_is_guarded_by_an_ordinary_user() {
    no_attack_changes_what_is_guarded(Who::User);
}

/// Both users, one after the other.
fn for_each_user(config: &str, test: impl Fn(&Belted)) {
    for who in [Who::Tester, Who::User] {
        if let Some(belted) = Belted::new(who, config) {
            test(&belted);
        }
    }
}

#[test]
fn inside_nobody_passes_for_the_client_or_for_a_person() {
    for_each_user("", |belted| {
        let event = belted.project.payload("UserPromptSubmit", json!({ "prompt": "yes" })).to_string();
        belted.project.file("event.json", &event);
        let ran = belted.run("$F hook --client claude-code --event UserPromptSubmit < event.json; exit $?");
        assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
        let ran = belted.run("$F trust; exit $?");
        assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("seatbelt of an agent's command"), "{}", ran.stderr);
    });
}

#[test]
fn what_was_refused_is_told_in_the_guards_words() {
    for_each_user("", |belted| {
        for (line, name, fix) in [
            ("sh x.sh", "flyball.toml", "Tell the user if `flyball.toml` has to change"),
            ("python3 y.py", "ruff.toml", "`flyball allow ruff.toml --for 10m` lets you"),
            ("make", ".git/config", "Run that git command in a line of its own"),
            ("git config alias.x y", ".git/config", "`flyball allow .git/config --for 10m` lets you"),
        ] {
            belted
                .project
                .file("x.sh", "echo > flyball.toml\n")
                .file("y.py", "open('ru' + 'ff.toml', 'w')\n");
            belted.project.file("Makefile", "all:\n\tgit config a.b c\n");
            let ran = belted.run(line);
            assert_ne!(ran.status, 0);
            let told = belted.event(
                "PostToolUseFailure",
                json!({ "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": "t", "error": format!("Exit code 1\n{}{}", ran.stdout, ran.stderr) }),
            );
            assert!(told.stdout.contains(fix), "{line} and `{name}`: {}{}", ran.stderr, told.stdout);
        }
    });
}
