//! What is beside a command in the seatbelt: how it is switched on, what flyball itself starts, what is handed in, what runs outside.

use super::*;

/// Prints words that could not be in a line as they are.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

#[test]
fn the_first_setup_switches_it_on_and_uninstall_leaves_nothing() {
    for_each_user("", |belted| {
        let program = Path::new(env!("CARGO_BIN_EXE_flyball"));
        // A person.
        let flyball = |arguments: &[&str]| {
            let mut command = belted.command(program, arguments);
            command.env_remove("CLAUDECODE");
            run(command, b"")
        };
        let settings = belted.root().join(".claude/settings.local.json");
        let list = belted.root().join(".git/info/exclude");
        assert_eq!(flyball(&["uninstall", "--yes"]).status, 0);
        let before = fs::read_to_string(&list).unwrap_or_default();
        assert!(!settings.exists());

        let set_up = flyball(&["init", "--yes", "--client", "claude-code"]);
        assert!(set_up.stdout.contains("commands in the seatbelt"), "{}{}", set_up.stdout, set_up.stderr);
        assert!(fs::read_to_string(&settings).unwrap().contains("bin/flyball-run"));
        let mut status = Command::new("git");
        status.args(["-c", "safe.directory=*", "status", "--short"]).current_dir(belted.root());
        let listed = run(status, b"").stdout;
        assert!(!listed.contains("settings.local.json"), "{listed}");

        // A person who has switched it off is not asked to do so again.
        assert_eq!(flyball(&["init", "--yes", "--client", "claude-code", "--no-seatbelt"]).status, 0);
        assert_eq!(flyball(&["init", "--yes", "--client", "claude-code"]).status, 0);
        let text = fs::read_to_string(&settings).unwrap_or_default();
        assert!(!text.contains("flyball-run"), "{text}");

        assert_eq!(flyball(&["init", "--yes", "--client", "claude-code", "--seatbelt"]).status, 0);
        assert_eq!(flyball(&["uninstall", "--yes"]).status, 0);
        assert!(!settings.exists());
        assert_eq!(fs::read_to_string(&list).unwrap_or_default(), before);
    });
}

#[test]
fn a_linter_that_the_agent_has_put_there_changes_nothing_that_is_guarded() {
    for_each_user("", |belted| {
        let (root, folder) = (belted.root(), belted.project.home().join("planted"));
        fs::create_dir_all(&folder).unwrap();
        let ran = folder.join("ran");
        let text = format!(
            "#!/bin/sh\necho ran > {}\necho > {}/flyball.toml\necho > {}/.claude/settings.json\n",
            quoted(&ran),
            root.display(),
            root.display()
        );
        fs::write(folder.join("ruff"), text).unwrap();
        fs::set_permissions(folder.join("ruff"), fs::Permissions::from_mode(0o755)).unwrap();
        belted.project.file("a.py", "import os\n");
        belted.hand_over();
        let before = belted.guarded();
        let file = root.join("a.py");
        let payload = belted.project.payload(
            "PostToolUse",
            json!({ "tool_name": "Write", "tool_use_id": "t", "tool_input": { "file_path": file, "content": "import os\n" }, "tool_response": {} }),
        );
        let arguments = ["hook", "--client", "claude-code", "--event", "PostToolUse"];
        let mut command = belted.command(Path::new(env!("CARGO_BIN_EXE_flyball")), &arguments);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", folder.display()));
        command.env("CLAUDE_PROJECT_DIR", &root).env("CLAUDE_CODE_SHELL_PREFIX", belted.link());
        let answered = run(command, payload.to_string().as_bytes());
        assert!(ran.exists(), "the linter was not run: {}{}", answered.stdout, answered.stderr);
        let mut after = belted.guarded();
        after.retain(|path, _| !path.starts_with(belted.project.state()));
        let before: BTreeMap<_, _> =
            before.into_iter().filter(|(path, _)| !path.starts_with(belted.project.state())).collect();
        assert_eq!(after, before);
    });
}

#[test]
fn a_folder_that_is_handed_in_leads_nowhere() {
    for_each_user("", |belted| {
        let line = "python3 -c 'import os; os.open(\"flyball.toml\", os.O_WRONLY | os.O_TRUNC, dir_fd=5)'";
        let agent = belted.agent(line);
        let words: Vec<&std::ffi::OsStr> = agent.get_args().collect();
        let mut command =
            belted.command(Path::new("/bin/bash"), &["-c", "exec 5< . && exec \"$0\" \"${@: -1}\""]);
        command.arg(belted.link()).args(words.last());
        command.envs(agent.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let before = belted.guarded();
        let ran = run(command, b"");
        assert_ne!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
        assert_eq!(belted.guarded(), before);
    });
}

#[test]
fn a_second_way_to_the_same_files_is_guarded_too() {
    let Some(belted) = Belted::new(Who::Tester, "") else { return };
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let other = belted.project.home().join("other");
    fs::create_dir(&other).unwrap();
    let agent = belted.agent("echo > $O/flyball.toml; echo > $O/.git/config; echo free > $O/free.txt");
    let words: Vec<String> = agent.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    // In a namespace of its own, where nobody else sees the mount.
    let script = "mount --bind \"$P\" \"$O\" && exec \"$@\"";
    let mut command = belted.command(Path::new("/usr/bin/unshare"), &["-m", "sh", "-c", script, "sh"]);
    command.arg(belted.link()).args(words);
    command.envs(agent.get_envs().filter_map(|(name, value)| Some((name, value?)))).env("O", &other);
    let before = belted.guarded();
    let ran = run(command, b"");
    assert!(ran.stderr.contains("Read-only file system"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(belted.guarded(), before);
    assert!(belted.root().join("free.txt").exists());
}

#[test]
fn root_has_the_kernel_start_nothing() {
    let Some(belted) = Belted::new(Who::Tester, "") else { return };
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // Not every kernel loads modules.
    for file in ["core_pattern", "modprobe"].map(|name| format!("/proc/sys/kernel/{name}")) {
        if !Path::new(&file).exists() {
            continue;
        }
        // What it says already, in case that it is written.
        let ran = belted.run(&format!("now=$(cat {file}) && echo \"$now\" > {file}"));
        assert!(ran.stderr.contains("Read-only file system"), "{file}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn what_another_command_has_started_is_found() {
    let found = ["/usr/bin/lsof", "/usr/bin/ss", "/bin/ss"].into_iter().find(|path| Path::new(path).exists());
    let Some(looker) = found else { return };
    for_each_user("", |belted| {
        let server = "import socket, time; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); open(\"port\", \"w\").write(str(s.getsockname()[1])); time.sleep(60)";
        let ran = belted.run(&format!("python3 -c '{server}' > /dev/null 2>&1 & echo $! > server"));
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let read = |name: &str| {
            for _ in 0..200 {
                let text = fs::read_to_string(belted.root().join(name)).unwrap_or_default();
                if !text.trim().is_empty() {
                    return text.trim().to_owned();
                }
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            panic!("{name} was not written")
        };
        let (id, port) = (read("server"), read("port"));
        let line = if looker.ends_with("lsof") {
            format!("lsof -ti tcp:{port}")
        } else {
            format!("ss -tlnp | grep :{port}")
        };
        let ran = belted.run(&line);
        assert!(ran.stdout.contains(&id), "{line} as {:?}: {}{}", belted.who, ran.stdout, ran.stderr);
        assert_eq!(belted.run(&format!("kill {id}")).status, 0);
    });
}

#[test]
fn a_container_that_could_write_what_is_guarded_is_asked_about() {
    for_each_user("", |belted| {
        for (line, is_asked) in [
            ("docker run --rm -v $PWD:/w node npm test", true),
            ("docker run --rm --mount type=bind,src=.,dst=/w node npm test", true),
            ("docker run --rm -v $PWD:/w:ro node npm test", false),
            ("docker run --rm -v $PWD/src:/w node npm test", false),
            ("docker run --rm node npm test", false),
        ] {
            let answer = belted.event(
                "PreToolUse",
                json!({ "tool_name": "Bash", "tool_use_id": "t", "tool_input": { "command": line } }),
            );
            let asked = answer.stdout.contains("a container could write");
            assert_eq!(asked, is_asked, "{line}: {}{}", answer.stdout, answer.stderr);
        }
    });
}

#[test]
fn ssh_reads_the_settings_that_those_of_the_system_include() {
    let Some(belted) = Belted::new(Who::User, "") else { return };
    let (folder, has_ssh) = (Path::new("/etc/ssh/ssh_config.d"), Path::new("/usr/bin/ssh").exists());
    if !folder.is_dir() || !has_ssh {
        return;
    }
    // As Fedora has them: root's, and in another folder. In a namespace of its own, where nobody else sees them.
    let script = "mount -t tmpfs none /etc/ssh/ssh_config.d && mount -t tmpfs none /mnt && chmod 755 /mnt /etc/ssh/ssh_config.d && \
                  echo 'Port 77' > /mnt/policy && echo 'Include /mnt/policy' > /etc/ssh/ssh_config.d/50-x.conf && exec \"$@\"";
    let agent = belted.agent("ssh -G example.invalid > ssh.txt; grep -x 'port 77' ssh.txt");
    let mut command = Command::new("/usr/bin/unshare");
    command.args(["-m", "sh", "-c", script, "sh"]).arg(agent.get_program()).args(agent.get_args());
    command.current_dir(belted.root()).env_clear();
    command.envs(agent.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let ran = run(command, b"");
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "port 77\n"), "{}", ran.stderr);
}
