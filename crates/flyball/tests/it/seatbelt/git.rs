//! What git may change in the seatbelt, and when it may not.

use super::*;

/// What git does with its own files, one line after the other, and what is printed.
const DONE: &[(&str, &str)] = &[
    ("git worktree add -q ../new -b new && git worktree remove ../new", ""),
    ("git worktree remove ../w", ""),
    ("git worktree add -q ../v -b v", ""),
    ("cd ../v && git config user.name v && git config user.name", "v\n"),
    ("rm -rf ../v && git worktree prune && test ! -e .git/worktrees", ""),
    ("git init -q --bare UP", ""),
    ("git remote add origin UP && git push -q origin main main:feature && git fetch -q", ""),
    ("cd ROOT && git push -q -u origin main && git rev-parse --abbrev-ref main@{upstream}", "origin/main\n"),
    ("git -C ROOT checkout -q feature && git rev-parse --abbrev-ref feature@{upstream}", "origin/feature\n"),
    ("git checkout -q -b topic && git push -q -u origin \"$(git branch --show-current)\"", ""),
    ("git rev-parse --abbrev-ref topic@{upstream}", "origin/topic\n"),
    ("git config --global init.defaultBranch main && git config init.defaultBranch", "main\n"),
    ("git init -q LIB && git -C LIB commit -q --allow-empty -m one", ""),
    ("git config --global user.name b && git config --global user.name", "b\n"),
    ("cd src && git checkout -q -b deep --track origin/feature", ""),
    ("git rev-parse --abbrev-ref deep@{upstream}", "origin/feature\n"),
];

#[test]
fn git_writes_its_own_files_in_lines_that_are_nothing_but_git() {
    for_each_user("", |belted| {
        let home = belted.project.home();
        let (up, lib) = (home.join("up.git").display().to_string(), home.join("lib").display().to_string());
        fs::create_dir(belted.root().join("src")).unwrap();
        belted.hand_over();
        for (line, printed) in DONE {
            let line = line.replace("UP", &up).replace("LIB", &lib);
            let line = line.replace("ROOT", &belted.root().display().to_string());
            let ran = belted.run(&line);
            assert_eq!(
                (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
                (0, *printed, ""),
                "{line} as {:?}",
                belted.who
            );
        }
    });
}

#[test]
fn a_submodule_is_set_up_moved_and_taken_away() {
    for_each_user("", |belted| {
        let lib = belted.project.home().join("lib").display().to_string();
        // Only a person allows the transport, and git's hooks of the submodule begin with the next command.
        let allowed = |line: &str| {
            let mut command = belted.agent(line);
            command.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "protocol.file.allow");
            command.env("GIT_CONFIG_VALUE_0", "always");
            run(command, b"")
        };
        for line in [
            format!("git init -q {lib} && git -C {lib} commit -q --allow-empty -m one"),
            format!("git submodule --quiet add {lib} vendor/lib && git commit -q -m added"),
            "git submodule deinit -q -f vendor/lib && git submodule --quiet update --init".to_owned(),
            "git mv vendor/lib vendor/moved && git commit -q -m moved".to_owned(),
            "cd vendor/moved && git config user.name me && git checkout -q -b mine".to_owned(),
        ] {
            let ran = allowed(&line);
            assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{line} as {:?}", belted.who);
        }
    });
}

/// Adds a line to what is guarded, and shows that it was run.
const EVIL: &str = "#!/bin/sh\necho x > $H/ran\necho '# evil' >> $P/flyball.toml\necho '# evil' >> $P/.git/config\necho '# evil' >> $H/.gitconfig\n";

/// What a person has set up, what the agent writes, and the line that lets it be started.
struct Planted {
    before: &'static str,
    by_agent: &'static str,
    line: &'static str,
}

const PLANTED: &[Planted] = &[
    Planted {
        before: "printf '#!/bin/sh\\nsh ./task.sh\\n' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
        by_agent: "cp x.sh task.sh",
        line: "git checkout -q third",
    },
    Planted {
        before: "printf '#!/bin/sh\\nsh ./task.sh\\n' > .git/hooks/pre-push; chmod +x .git/hooks/pre-push; git init -q --bare $H/up; git remote add origin $H/up",
        by_agent: "cp x.sh task.sh",
        line: "git push -q -u origin main",
    },
    Planted {
        before: "mkdir hooks; git config core.hooksPath hooks",
        by_agent: "cp x.sh hooks/post-checkout",
        line: "git checkout -q third",
    },
    Planted {
        before: "git config filter.f.smudge 'sh ./task.sh'",
        by_agent: "cp x.sh task.sh; mkdir -p .git/info; echo '* filter=f' > .git/info/attributes; rm notes.txt",
        line: "git checkout -q -- notes.txt",
    },
    Planted { before: "true", by_agent: "cp x.sh $H/bin/git", line: "git checkout -q third" },
    Planted { before: "true", by_agent: "cp x.sh $H/bin/ssh", line: "git fetch -q ssh://x.invalid/y" },
    Planted { before: "true", by_agent: "cp x.sh $H/bin/gh", line: "gh pr checkout 7" },
    Planted {
        before: "rm -r .git/modules",
        by_agent: "git init -q ev; cp x.sh ev/.git/hooks/post-checkout; git -C ev commit -q --allow-empty -m e; mkdir .git/modules; mv ev/.git .git/modules/ev; \
                   git update-index --add --cacheinfo 160000,$(git -C .git/modules/ev rev-parse HEAD),ev; \
                   printf '[submodule \"ev\"]\\n\\tpath = ev\\n\\turl = ./ev\\n' > .gitmodules",
        line: "git submodule update --init",
    },
    Planted {
        before: "true",
        by_agent: "git init -q ev; cp x.sh ev/.git/hooks/post-checkout; git -C ev commit -q --allow-empty -m e; git -C ev branch third",
        line: "cd ev && git checkout -q third",
    },
    Planted {
        before: "true",
        by_agent: "git init -q ev; cp x.sh ev/.git/hooks/post-checkout; git -C ev commit -q --allow-empty -m e; git -C ev branch third; mkdir v",
        line: "cp -r ev/.git v/.git && cd v && git checkout -q third",
    },
    Planted {
        before: "true",
        by_agent: "git init -q --bare ev && git push -q ./ev main main:third && git -C ev config core.bare false && git -C ev config core.worktree .. && cp x.sh ev/hooks/post-checkout",
        line: "cd ev && git checkout -q third",
    },
];

#[test]
fn where_git_starts_what_an_agent_wrote_nothing_is_lifted() {
    for Planted { before, by_agent, line } in PLANTED {
        for_each_user("", |belted| {
            let folder = belted.project.home().join("bin");
            fs::create_dir(&folder).unwrap();
            belted.project.file("x.sh", EVIL);
            fs::set_permissions(belted.root().join("x.sh"), fs::Permissions::from_mode(0o755)).unwrap();
            belted.hand_over();
            let before = format!("git branch third; {before}");
            let mut person = belted.command(Path::new("/bin/sh"), &["-c", &before]);
            person.env("H", belted.project.home());
            assert_eq!(run(person, b"").status, 0, "{before}");
            assert_eq!(belted.run(by_agent).status, 0, "{by_agent}");
            let guarded = belted.guarded();
            let mut agent = belted.agent(line);
            let path = std::env::var("PATH").unwrap_or_default();
            agent.env("PATH", format!("{}:{path}", folder.display()));
            let ran = run(agent, b"");
            // Git may stop before it comes to that.
            let is_tried = belted.project.home().join("ran").exists() || ran.status != 0;
            assert!(is_tried, "{line} ran nothing: {}{}", ran.stdout, ran.stderr);
            let after = belted.guarded();
            for (path, was) in &guarded {
                assert_eq!(after.get(path), Some(was), "{by_agent}, then {line}, as {:?}", belted.who);
            }
        });
    }
}

#[test]
fn the_file_that_leads_from_a_worktree_to_its_repository_stays() {
    for_each_user("", |belted| {
        let other = belted.root().parent().unwrap().join("w");
        let before = fs::read_to_string(other.join(".git")).unwrap();
        // A session of its own, in the other working tree.
        let ended = |line: &str| {
            let mut command = belted.agent(line);
            command.current_dir(&other).env("CLAUDE_CODE_SESSION_ID", "00000000-0000-4000-8000-000000000002");
            run(command, b"")
        };
        let ran = ended(
            "printf 'gitdir: /tmp/x\\n' > .git; rm -f .git; mv .git x; git init -q elsewhere; mv elsewhere/.git .git",
        );
        assert_ne!(ran.status, 0, "{}", ran.stdout);
        assert_eq!(fs::read_to_string(other.join(".git")).unwrap(), before);
    });
}

#[test]
fn what_was_made_unreadable_comes_back() {
    for_each_user("", |belted| {
        let line = "chmod 000 notes.txt";
        belted.event(
            "PreToolUse",
            json!({ "tool_name": "Bash", "tool_use_id": "t", "tool_input": { "command": line } }),
        );
        let mode = || fs::metadata(belted.root().join("notes.txt")).unwrap().permissions().mode() & 0o777;
        let was = mode();
        assert_eq!(belted.run(line).status, 0);
        assert_eq!(mode(), 0);
        let inside = belted.run("true; $F undo");
        assert!(inside.stderr.contains("call `flyball undo` in a line of its own"), "{}", inside.stderr);
        let undone = run(belted.command(Path::new(env!("CARGO_BIN_EXE_flyball")), &["undo"]), b"");
        assert_eq!((undone.status, mode()), (0, was), "{}{}", undone.stdout, undone.stderr);
    });
}
