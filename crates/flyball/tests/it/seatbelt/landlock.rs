//! The seatbelt where the kernel allows no namespaces, tried with the kernel's Landlock.

use std::os::unix::process::ExitStatusExt;

use super::*;

const ATTACKS: &str = include_str!("landlock.txt");

const PROJECT: &str = "[undo]\nmode = \"off\"\n[seatbelt]\nlevel = \"project\"\n";

const OFF: &str = "[undo]\nmode = \"off\"\n[seatbelt]\nmode = \"off\"\n";

/// Whether the kernel has it; there is nothing to try else.
fn is_there() -> bool {
    flyball_seatbelt::has_landlock()
}

/// A project and a home that are in no temporary folder, which could be written.
fn belted(who: Who, config: &str) -> Option<Belted> {
    made(who, config, true)
}

/// The same without a seatbelt.
fn unbelted(who: Who) -> Option<Belted> {
    made(who, OFF, false)
}

fn made(who: Who, config: &str, by_landlock: bool) -> Option<Belted> {
    made_below(Path::new(env!("CARGO_TARGET_TMPDIR")), who, config, by_landlock)
}

fn made_below(folder: &Path, who: Who, config: &str, by_landlock: bool) -> Option<Belted> {
    let project = Project::below(folder);
    let home = project.home();
    for (file, text) in [
        (".claude/settings.json", "{}\n"),
        (".claude/todos/a.json", "{}\n"),
        (".claude/empty/x", ""),
        (".ssh/authorized_keys", "key\n"),
        (".ssh/id_ed25519", "secret"),
        (".cache/x", ""),
        (".cargo/credentials.toml", "token"),
        (".gitconfig", "[user]\n\tname = a\n\temail = a@b\n"),
        ("mine.txt", "mine\n"),
    ] {
        let path = home.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let belted = Belted::with(project, who, config, by_landlock);
    let is_tried = by_landlock && who == Who::Tester && is_there();
    assert!(belted.is_some() || !is_tried, "{config}");
    belted
}

fn for_each(config: &str, test: impl Fn(&Belted)) {
    [Who::Tester, Who::User]
        .into_iter()
        .filter_map(|who| belted(who, config))
        .for_each(|belted| test(&belted));
}

fn guarded(belted: &Belted) -> BTreeMap<PathBuf, String> {
    let home = belted.project.home();
    let mut found = BTreeMap::new();
    for place in [
        home.join(".config/flyball"),
        home.join(".local/state/flyball"),
        home.join(".claude/settings.json"),
        home.join(".claude/empty"),
        home.join(".ssh"),
        home.join(".bashrc"),
        PathBuf::from(env!("CARGO_BIN_EXE_flyball")),
        PathBuf::from("/etc/flyball-test-probe"),
    ] {
        describe(&place, &mut found);
    }
    // Written by flyball itself before it is inside.
    found.retain(|path, _| !path.starts_with(home.join(".local/state/flyball/cache")));
    found
}

#[test]
fn no_attack_changes_what_is_guarded() {
    for_each(PROJECT, |belted| {
        let outside = Outside::start(belted);
        let before = guarded(belted);
        let lines: Vec<&str> =
            ATTACKS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        assert!(lines.len() > 50, "{}", lines.len());
        for line in lines {
            belted.project.file("notes.txt", "mine\n");
            belted.hand_over();
            let mut command = belted.agent(line);
            command.env("C", outside.0.id().to_string());
            let ran = run(command, b"");
            for (path, now) in guarded(belted) {
                let was = before.get(&path);
                let who = belted.who;
                assert_eq!(
                    Some(&now),
                    was,
                    "{line} as {who:?}: {}\n{}{}",
                    path.display(),
                    ran.stdout,
                    ran.stderr
                );
            }
            let is_there = |path: &&PathBuf| path.symlink_metadata().is_ok();
            assert_eq!(
                before.keys().filter(|path| before[*path] != "gone").find(|path| !is_there(path)),
                None,
                "{line}"
            );
        }
    });
}

/// Each line is run inside and outside, in two projects alike: the same must come of both.
const SAME: &[&str] = &[
    "echo out; echo err >&2; exit 7",
    "cat; printf done",
    "kill -9 $$",
    "kill -TERM $$",
    "no-such-program-at-all",
    "echo x > a && ln a b && mkdir d && mv b d/c && mv d e && ls e && rm -r e a",
    "echo y > $H/.cache/y && ln $H/.cache/y linked && stat -c %h linked && mv linked $H/.cache/z",
    "echo x > $H/.claude/todos/a.json && echo x > $H/.claude/todos/b.json && mkdir $H/.cargo/registry && ls $H/.cargo",
    "cat $H/mine.txt; ls -d $H/.ssh $H/.config; cat $H/.ssh/authorized_keys",
    "echo z >> notes.txt && git add -A && git commit -qm more && git log --format=%s -1",
    "git checkout -q other && cat ruff.toml && git checkout -q main && cat ruff.toml",
    "git stash list; git status --short; git branch topic && git branch -q -d topic && git config a.b c",
    "git worktree add -q $P/tree && cd $P/tree && echo x > x && git add x && git commit -qm x && git worktree remove $P/tree",
    "sh -c 'trap \"echo caught\" TERM; kill -TERM $$'",
    "(sleep 0.05; echo later) & wait",
    "f=$(mktemp) && echo x > $f && mv $f moved && cat moved && rm moved",
    "echo x > /dev/null; echo x > /dev/stderr; head -c1 /dev/zero | wc -c; echo x | tee /dev/stdout | cat",
    "exec 3<> /dev/null; echo x >&3; diff <(echo a) <(echo a) && echo same",
    "mkfifo p && (echo through > p & cat p); rm p",
    "python3 -c 'import os, sys; sys.exit(os.getuid() == os.stat(\".\").st_uid and 3)'",
    "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); c = socket.create_connection(s.getsockname()); print(c.getpeername()[0])'",
    "python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.bind(\"sock\"); s.listen(); socket.socket(socket.AF_UNIX).connect(\"sock\"); print(1)'; rm sock",
    "python3 -c 'import pty, sys; sys.exit(pty.spawn([\"sh\", \"-c\", \"test -t 0 && test -t 1 && echo x > /dev/tty\"]))'",
    "python3 -c 'import tempfile, os; d = tempfile.mkdtemp(); os.rename(d, d + \"x\"); os.rmdir(d + \"x\"); print(1)'",
    "python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, 2]))'",
    "seq 3 | xargs -n1 echo; find . -maxdepth 1 -name notes.txt; ulimit -c; umask",
    "sleep 30 & kill $!; wait $!; echo $?",
    "ps -o comm= -p $$; cat /proc/self/comm; echo 10 > /proc/self/oom_score_adj && cat /proc/self/oom_score_adj",
    "unshare -Ur true && echo nested || true",
];

#[test]
fn what_is_not_guarded_is_as_without_it() {
    for who in [Who::Tester, Who::User] {
        for level in ["project", "secrets"] {
            let config =
                format!("[undo]\nmode = \"off\"\n[seatbelt]\nlevel = \"{level}\"\nread = [\"~/.ssh\"]\n");
            let (Some(inside), Some(outside)) = (belted(who, &config), unbelted(who)) else {
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
                assert_eq!(result(&inside), result(&outside), "{line} as {who:?} at {level}");
            }
        }
    }
}

#[test]
fn builds_and_tests_end_as_they_do_without_it() {
    let home = std::env::var("HOME").unwrap_or_default();
    let tools = ["CARGO_HOME", "RUSTUP_HOME"].map(|name| std::env::var(name).unwrap_or_default());
    let config = format!(
        "{PROJECT}write = [\"{home}/.cargo\", \"{home}/.rustup\", \"{}\", \"{}\"]\n",
        tools[0], tools[1]
    );
    // Neither in a temporary folder nor in a workspace of cargo, which it would change.
    let below = Path::new(&home).join(".cache");
    fs::create_dir_all(&below).unwrap();
    let inside = made_below(&below, Who::Tester, &config, true);
    let outside = made_below(&below, Who::Tester, OFF, false);
    let (Some(inside), Some(outside)) = (inside, outside) else { return };
    super::builds::end_alike(&inside, &outside);
}

#[test]
fn keys_cannot_be_read_unless_a_line_needs_them() {
    for_each("[seatbelt]\nlevel = \"secrets\"\n", |belted| {
        let read = "cat $H/.ssh/id_ed25519 $H/mine.txt 2>/dev/null";
        assert_eq!(belted.run(read).stdout, "mine\n");
        assert_eq!(belted.run(&format!("git --version > /dev/null; {read}")).stdout, "secretmine\n");
        // In a folder in which new files are made all can be read.
        assert_eq!(belted.run("cat $H/.cargo/credentials.toml").stdout, "token");
    });
}

#[test]
fn without_a_network_there_is_no_tcp() {
    let connect = "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0))'";
    for_each("[seatbelt]\nlevel = \"project\"\nnet = \"off\"\n", |belted| {
        let ran = belted.run(connect);
        assert!(ran.stderr.contains("Permission denied"), "{}", ran.stderr);
        assert_eq!(
            belted.run("python3 -c 'import socket; a, b = socket.socketpair(); a.send(b\"x\")'").status,
            0
        );
    });
}

#[test]
fn what_it_cannot_keep_is_said() {
    for_each(PROJECT, |belted| {
        // The modes of files are beyond Landlock, and so is what is in the project.
        assert_eq!(
            belted.run("chmod 600 $H/.config/flyball/config.toml && echo '# x' >> flyball.toml").status,
            0
        );
        let root = belted.root();
        let program = Path::new(env!("CARGO_BIN_EXE_flyball"));
        let shown = run(belted.command(program, &["run", "--show"]), b"");
        assert_eq!(shown.status, 0, "{}", shown.stderr);
        let (protected, open) = shown.stdout.split_once("NOT protected:\n").expect(&shown.stdout);
        assert!(protected.starts_with("by: Landlock\n"), "{protected}");
        assert!(protected.contains("~/.local/state/flyball"), "{protected}");
        for name in ["flyball.toml", ".claude/settings.json", ".git/config", ".git/hooks"] {
            let path =
                root.join(name).display().to_string().replace(&*belted.project.home().to_string_lossy(), "~");
            assert!(open.contains(&path) && !protected.contains(&path), "{path}: {}", shown.stdout);
        }
        let doctor = run(belted.command(program, &["doctor"]), b"");
        assert!(doctor.stdout.contains("its Landlock refuses writing outside"), "{}", doctor.stdout);
    });
}

#[test]
fn at_the_first_level_nothing_is_on_and_every_command_says_so() {
    if !is_there() {
        return;
    }
    for_each(PROJECT, |belted| {
        belted.project.config("[seatbelt]\nlevel = \"protect\"\n");
        belted.hand_over();
        let ran = belted.run("echo x >> $H/.claude/settings.json; exit 7");
        assert_eq!(ran.status, 7);
        assert!(ran.stderr.contains("this runs without the seatbelt"), "{}", ran.stderr);
        assert!(ran.stderr.contains("level = \"project\""), "{}", ran.stderr);
        // Without a network there is none, and the rest is said.
        belted.project.config("[seatbelt]\nnet = \"off\"\n");
        belted.hand_over();
        let ran = belted
            .run("python3 -c 'import socket; socket.socket().bind((\"127.0.0.1\", 0))'; echo x > $H/new");
        assert_eq!(ran.status, 0);
        assert!(
            ran.stderr.contains("Permission denied") && ran.stderr.contains("no file is protected"),
            "{}",
            ran.stderr
        );
    });
}

#[test]
fn inside_nobody_passes_for_the_client_or_for_a_person() {
    for_each(PROJECT, |belted| {
        let ran = belted.run("$F trust; exit $?");
        assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("seatbelt of an agent's command"), "{}", ran.stderr);
        // Outside, the same file says nothing.
        let outside = run(belted.command(Path::new(env!("CARGO_BIN_EXE_flyball")), &["trust"]), b"");
        assert!(!outside.stderr.contains("seatbelt"), "{}", outside.stderr);
    });
}
