//! What is read of the files that a line runs.

use super::super::parse_deeply;
use super::render::render;
use crate::model::{Directory, Disk};

/// A disk of a few files.
struct FakeDisk(&'static [(&'static str, &'static str)]);

impl FakeDisk {
    fn path(directory: &Directory, path: &str) -> String {
        let path = path.trim_start_matches("./");
        match directory {
            Directory::OneOf(places) if !path.starts_with(['/', '~']) => {
                let folder = places.last().map(String::as_str).unwrap_or_default();
                format!("{folder}/{path}").trim_start_matches("./").to_owned()
            }
            Directory::Start | Directory::OneOf(_) | Directory::Unknown => path.to_owned(),
        }
    }
}

impl Disk for FakeDisk {
    fn text(&self, directory: &Directory, path: &str) -> Option<String> {
        let path = FakeDisk::path(directory, path);
        self.0.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned())
    }

    fn matching(&self, _: &Directory, pattern: &str) -> Vec<String> {
        let pattern = pattern.trim_start_matches("./");
        let (start, end) = pattern.split_once('*').unwrap_or((pattern, ""));
        let is_match = |path: &&str| path.starts_with(start) && path.ends_with(end) && !path.contains("//");
        self.0.iter().map(|(path, _)| *path).filter(is_match).map(str::to_owned).collect()
    }
}

/// The commands that a line runs from files, without those that are written in it.
fn found(line: &str, files: &'static [(&'static str, &'static str)]) -> Vec<String> {
    let deep = parse_deeply(line, &[], &FakeDisk(files));
    let commands = render(&deep.script);
    commands.into_iter().filter(|command| command.contains("> rm ")).collect()
}

/// Whether reading the files shows that `rm x` runs.
fn runs_rm(line: &str, files: &'static [(&'static str, &'static str)]) -> bool {
    let deep = parse_deeply(line, &[], &FakeDisk(files));
    let runs = |command: &crate::model::Command| {
        command.program.is("rm") && command.arguments.iter().any(|it| it.is("x"))
    };
    deep.script.commands.iter().any(runs)
}

const FILES: &[(&str, &str)] = &[
    ("a.sh", "#!/bin/sh\nrm x\n"),
    ("first.sh", "rm \"$1\"\n"),
    ("outer.sh", "./a.sh\n"),
    ("self.sh", "sh self.sh\nrm x\n"),
    ("lib/b.sh", "rm x\n"),
    ("steps.txt", "rm x\n"),
    ("s.py", "import os\nos.system('rm x')\n"),
    ("tool", "#!/usr/bin/env -S python3 -u\nimport os\nos.system('rm x')\n"),
    ("s.js", "require('child_process').execSync('rm x')\n"),
    ("s.pl", "system('rm x');\n"),
    ("s.rb", "system('rm x')\n"),
    ("s.php", "<?php system('rm x');\n"),
    ("Makefile", "T := x\ninclude more.mk\nall: dep\n\techo ok\ndep:\n\t@rm $(T)\nother:\n\techo\n"),
    ("more.mk", "inc: ; -rm $(T)\n"),
    ("justfile", "v := 'x'\nbuild: wipe\n    echo\nwipe:\n    rm {{v}}\nother:\n    echo\n"),
    ("Taskfile.yml", "version: '3'\ntasks:\n  a:\n    deps: [b]\n  b:\n    cmds:\n      - rm x\n  c: echo\n"),
    ("package.json", r#"{"scripts":{"pretest":"rm x","test":"echo","wipe":"rm x","lint":"eslint ."}}"#),
    ("tox.ini", "[testenv]\ncommands =\n  rm x\n"),
    (
        "Rakefile",
        "task :a => [:b] do\n  puts 1\nend\ntask :b do\n  sh 'rm x'\nend\ntask :c do\n  puts\nend\n",
    ),
    (
        ".pre-commit-config.yaml",
        "repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: rm x\n    language: system\n",
    ),
    ("cron", "# c\nA=1\n0 3 * * * rm x\n"),
    ("Procfile", "web: rm x\n"),
    (".envrc", "rm x\n"),
    ("hooks/pre-commit", "#!/bin/sh\nrm x\n"),
];

#[test]
fn scripts_are_read_by_every_route() {
    let lines = [
        "sh a.sh",
        "bash ./a.sh",
        "./a.sh",
        ". ./a.sh",
        "source a.sh",
        "sh first.sh x",
        "sh outer.sh",
        "sh self.sh",
        "cd lib && sh b.sh",
        "cat steps.txt | sh",
        "sh < steps.txt",
        "bash -s -- now < steps.txt",
        "bash <(cat steps.txt)",
        "bash -c \"$(< steps.txt)\"",
        "eval \"$(cat steps.txt)\"",
        "cp a.sh /tmp/q && sh /tmp/q",
        "ln -s a.sh q; sh q",
        "dd if=a.sh of=q; sh q",
        "env -S 'A=1 sh a.sh'",
        "nohup setsid sh a.sh &",
        "python3 s.py",
        "python3 -u s.py",
        "python3 < s.py",
        "./tool",
        "node --no-warnings s.js",
        "perl -w s.pl",
        "ruby s.rb",
        "php s.php",
        "uv run s.py",
        "poetry run python s.py",
        "ls *.sh | xargs -n1 sh",
        "find lib -name 'b.sh' -exec sh {} \\;",
        "bash lib/*.sh",
        "for f in lib/*.sh; do sh \"$f\"; done",
        "while read -r l; do eval \"$l\"; done < steps.txt",
        "sed 's/a/b/' steps.txt | bash",
        "BASH_ENV=a.sh bash -c true",
        "export BASH_ENV=a.sh; bash -c true",
        "ssh localhost 'bash -s' < steps.txt",
        "at -f a.sh now",
        "git -c core.hooksPath=hooks commit -m x",
        "git config core.hooksPath hooks && git commit -m x",
        "git bisect run ./a.sh",
        "vim -c '!./a.sh' -c q",
    ];
    let missed: Vec<&str> = lines.into_iter().filter(|line| !runs_rm(line, FILES)).collect();
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn tasks_are_read_from_their_files() {
    let lines = [
        "make",
        "make all",
        "make dep",
        "make inc",
        "make T=x dep",
        "just",
        "just wipe",
        "task a",
        "task b",
        "npm test",
        "npm run wipe",
        "yarn wipe",
        "pnpm run wipe",
        "bun run wipe",
        "tox",
        "rake a",
        "pre-commit run",
        "crontab cron",
        "foreman start",
        "direnv exec . true",
    ];
    let missed: Vec<&str> = lines.into_iter().filter(|line| !runs_rm(line, FILES)).collect();
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn what_does_not_run_is_not_read() {
    let lines = [
        "bash -n a.sh",
        "cat a.sh",
        "cat a.sh | head -2",
        "shellcheck a.sh",
        "make -n dep",
        "make other",
        "just --list",
        "just other",
        "task --dry a",
        "task c",
        "npm run lint",
        "npm run",
        "rake c",
        "rake -T",
        "crontab -l",
        "python3 -m py_compile s.py",
        "node --check s.js",
        "grep rm a.sh",
        "git commit -m x",
    ];
    let shown: Vec<&str> = lines.into_iter().filter(|line| runs_rm(line, FILES)).collect();
    assert_eq!(shown, Vec::<&str>::new());
}

#[test]
fn programs_that_start_something_are_looked_through() {
    let lines = [
        "vim -c '!rm x'",
        "tar xf a --to-command='rm x'",
        "tar cf a . --checkpoint-action=exec='rm x'",
        "ssh -o ProxyCommand='rm x' h",
        "sqlite3 d '.shell rm x'",
        "gdb -ex 'shell rm x'",
        "expect -c 'spawn rm x'",
        "npx -c 'rm x'",
        "csh -c 'rm x'",
        "make --eval='t:;@rm x' t",
        "make -f - <<'E'\nt:\n\t@rm x\nE",
        "PROMPT_COMMAND='rm x' bash -i",
        "rm${IFS}x",
        "cat${IFS}y|rm${IFS}x",
        "rm${IFS}x|cat",
        "printf -v c 'rm %s' x; $c",
        "read -r c <<< 'rm x'; eval \"$c\"",
        "v='rm x'; declare -n r=v; eval \"$r\"",
        "eval \"${y:-rm x}\"",
        "${R:-rm} x",
        "$(echo cm0geA== | base64 -d)",
        "c=rm; c+=' x'; eval \"$c\"",
        "{ echo ls; echo 'rm x'; } | sh",
        "printf '\\x72m x' | sh",
        "tr a r <<< 'am x' | sh",
        "echo 'rm x' > q & sh q",
        "docker run -v .:/w -w /w i rm x",
        "y='$(rm x)'; echo \"${y@P}\"",
    ];
    let missed: Vec<&str> = lines.into_iter().filter(|line| !runs_rm(line, &[])).collect();
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn what_a_container_does_inside_is_not_done_here() {
    assert_eq!(found("docker run i rm x", &[]), Vec::<String>::new());
    assert_eq!(found("docker run -v data:/d i rm x", &[]), Vec::<String>::new());
    assert_eq!(found("docker run -v /:/h i rm /h/y", &[]), ["docker> rm /y if @.container"]);
    assert_eq!(
        found("docker run -v .:/h i rm /etc/y", &[]),
        ["docker> rm /tmp/container/etc/y if @.container"]
    );
}

#[test]
fn what_an_unknown_program_may_start_is_listed_apart() {
    let guessed = |line: &str| {
        let deep = parse_deeply(line, &[], &FakeDisk(&[]));
        assert!(!deep.script.commands.iter().any(|command| command.program.is("rm")), "{line}");
        deep.guessed.commands.iter().any(|command| command.program.is("rm"))
    };
    for line in [
        "wrap -- rm x",
        "wrap rm x",
        "wrap --cmd='rm x'",
        "wrap --cmd 'rm x'",
        "wrap 'rm x'",
        "wrap <<< 'rm x'",
    ] {
        assert!(guessed(line), "{line}");
    }
    for line in
        ["note --message 'rm x'", "note 'never rm x'", "echo 'rm x'", "grep 'rm x' f", "note create 'rm x'"]
    {
        assert!(!guessed(line), "{line}");
    }
}

#[test]
fn a_plain_line_needs_no_second_reading() {
    let quiet = [
        "ls -la",
        "git status",
        "git commit -m 'rm x'",
        "cargo test",
        "pytest -q",
        "uv run pytest",
        "npx eslint .",
        "tar xzf a.tgz",
        "ssh host ls",
        "docker ps",
        "rm -rf build",
        "python3 -c 'print(1)'",
        "grep -rn 'rm x' .",
    ];
    for line in quiet {
        assert!(!crate::Line::read(line).may_run_files(), "{line}");
    }
    for line in ["sh a.sh", "./a.sh", "make", "npm test", "cat a | sh", "wrap -- rm x", "vim -c '!rm x'"] {
        assert!(crate::Line::read(line).may_run_files(), "{line}");
    }
}

#[test]
fn variables_that_run_something_are_read() {
    let lines = [
        "BASH_ENV=<(printf 'rm x\\n') bash -c :",
        "PS4='$(rm x)' bash -xc :",
        "export PROMPT_COMMAND='rm x'; bash",
        "EDITOR='rm x;:' crontab -e",
        "PERL5OPT='-Mbase;system(\"rm x\")' perl -e 1",
        "export GIT_SSH_COMMAND='rm x;ssh'; git fetch",
        "/???/r[m] x",
    ];
    let missed: Vec<&str> = lines.into_iter().filter(|line| !runs_rm(line, FILES)).collect();
    assert_eq!(missed, Vec::<&str>::new());
}
