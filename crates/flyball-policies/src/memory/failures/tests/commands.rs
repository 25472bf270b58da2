//! Which failures of commands are mistakes: what the real programs say, line by line.

use flyball_effects::Line;

use super::super::classify::Mistake::{
    Connection, Environment, Git, Missing, NotFound, Permission, Syntax, Usage,
};
use super::super::classify::{Mistake, find_mistake};

/// The command, its output, and the mistake in it.
const MISTAKES: &[(&str, &str, Mistake)] = &[
    ("frobnicate x", "Exit code 127\nbash: line 1: frobnicate: command not found", NotFound),
    ("uv run app", "Exit code 127\n/bin/bash: line 1: uv: command not found", NotFound),
    ("gh pr list", "Exit code 127\n(eval):1: command not found: gh", NotFound),
    ("gh pr list", "Exit code 127\nzsh:1: command not found: gh", NotFound),
    ("jq . a.json", "Exit code 127\nsh: 1: jq: not found", NotFound),
    ("npm test", "Exit code 127\n> app@1.0.0 test\n> jest\n\nsh: 1: jest: not found", NotFound),
    ("cd api && poetry install", "Exit code 127\nbash: poetry: command not found", NotFound),
    (
        "ls --nope",
        "Exit code 2\nls: unrecognized option '--nope'\nTry 'ls --help' for more information.",
        Usage,
    ),
    (
        "grep --nope x",
        "Exit code 2\ngrep: unrecognized option '--nope'\nUsage: grep [OPTION]... PATTERNS [FILE]...",
        Usage,
    ),
    ("git frob", "Exit code 1\ngit: 'frob' is not a git command. See 'git --help'.", Usage),
    (
        "git commit --nope",
        "Exit code 129\nerror: unknown option `nope'\nusage: git commit [-a | --interactive]",
        Usage,
    ),
    (
        "cargo frob",
        "Exit code 101\nerror: no such command: `frob`\n\nhelp: view all installed commands with `cargo --list`",
        Usage,
    ),
    (
        "cargo test --nope",
        "Exit code 1\nerror: unexpected argument '--nope' found\n\nUsage: cargo test [OPTIONS]",
        Usage,
    ),
    (
        "cargo test --test nope",
        "Exit code 101\nerror: no test target named `nope` in default-run packages",
        Usage,
    ),
    (
        "cargo test -p nope",
        "Exit code 101\nerror: package ID specification `nope` did not match any packages",
        Usage,
    ),
    ("make foo", "Exit code 2\nmake: *** No rule to make target 'foo'.  Stop.", Usage),
    ("make", "Exit code 2\nmake: *** No targets specified and no makefile found.  Stop.", Usage),
    ("npm run lint", "Exit code 1\nnpm error Missing script: \"lint\"\nnpm error", Usage),
    ("npm run lint", "Exit code 1\nnpm ERR! Missing script: \"lint\"", Usage),
    (
        "pytest --nope",
        "Exit code 4\nERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --nope",
        Usage,
    ),
    ("kubectl frob", "Exit code 1\nerror: unknown command \"frob\" for \"kubectl\"", Usage),
    ("docker run --nope x", "Exit code 125\nunknown flag: --nope\ndocker: unknown flag: --nope", Usage),
    ("cp a", "Exit code 1\ncp: missing destination file operand after 'a'\nTry 'cp --help'", Usage),
    ("cp src dst", "Exit code 1\ncp: -r not specified; omitting directory 'src'", Usage),
    ("gcc --nope a.c", "Exit code 1\ngcc: error: unrecognized command-line option '--nope'", Usage),
    ("find . -nme x", "Exit code 1\nfind: unknown predicate `-nme'", Usage),
    (
        "ruff frob",
        "Exit code 2\nerror: unrecognized subcommand 'frob'\n\nUsage: ruff [OPTIONS] <COMMAND>",
        Usage,
    ),
    ("cat missing.txt", "Exit code 1\ncat: missing.txt: No such file or directory", Missing),
    ("cd nowhere && make", "Exit code 1\nbash: line 1: cd: nowhere: No such file or directory", Missing),
    ("cd nowhere", "Exit code 1\n(eval):cd:1: no such file or directory: nowhere", Missing),
    ("cd a.txt", "Exit code 1\nbash: line 1: cd: a.txt: Not a directory", Missing),
    ("./nope.sh", "Exit code 127\nbash: line 1: ./nope.sh: No such file or directory", Missing),
    (
        "source venv/bin/activate",
        "Exit code 1\nbash: line 1: venv/bin/activate: No such file or directory",
        Missing,
    ),
    ("cp x y", "Exit code 1\ncp: cannot stat 'x': No such file or directory", Missing),
    ("sed -i s/a/b/ nope", "Exit code 2\nsed: can't read nope: No such file or directory", Missing),
    ("head -3 nope", "Exit code 1\nhead: cannot open 'nope' for reading: No such file or directory", Missing),
    ("mkdir a/b", "Exit code 1\nmkdir: cannot create directory 'a/b': No such file or directory", Missing),
    (
        "jq . nope.json",
        "Exit code 2\njq: error: Could not open file nope.json: No such file or directory",
        Missing,
    ),
    (
        "unzip nope.zip",
        "Exit code 9\nunzip:  cannot find or open nope.zip, nope.zip.zip or nope.zip.ZIP.",
        Missing,
    ),
    ("grep foo nope.txt", "Exit code 2\ngrep: nope.txt: No such file or directory", Missing),
    (
        "python3 nope.py",
        "Exit code 2\n/usr/bin/python3: can't open file '/p/nope.py': [Errno 2] No such file or directory",
        Missing,
    ),
    ("perl nope.pl", "Exit code 2\nCan't open perl script \"nope.pl\": No such file or directory", Missing),
    (
        "cargo build",
        "Exit code 101\nerror: could not find `Cargo.toml` in `/p/g` or any parent directory",
        Missing,
    ),
    (
        "npm run x",
        "Exit code 254\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/p/package.json'",
        Missing,
    ),
    (
        "pytest nope",
        "Exit code 4\n\n===== no tests ran in 0.01s =====\nERROR: file or directory not found: nope",
        Missing,
    ),
    ("./run", "Exit code 126\nbash: line 1: ./run: Permission denied", Permission),
    ("cat /etc/shadow", "Exit code 1\ncat: /etc/shadow: Permission denied", Permission),
    ("chown a b", "Exit code 1\nchown: changing ownership of 'b': Operation not permitted", Permission),
    (
        "git push",
        "Exit code 128\ngit@github.com: Permission denied (publickey).\nfatal: Could not read from remote repository.",
        Permission,
    ),
    ("echo \"a", "Exit code 2\nbash: -c: line 1: unexpected EOF while looking for matching `\"'", Syntax),
    ("if then", "Exit code 2\nbash: -c: line 1: syntax error near unexpected token `then'", Syntax),
    ("ls *.nope", "Exit code 1\n(eval):1: no matches found: *.nope", Syntax),
    ("export a-b=1", "Exit code 1\nbash: line 1: export: `a-b=1': not a valid identifier", Syntax),
    ("awk '{' a", "Exit code 2\nawk: line 2: missing } near end of file", Syntax),
    ("grep -P '(' a", "Exit code 2\ngrep: missing closing parenthesis", Syntax),
    ("sed 's/a' f", "Exit code 1\nsed: -e expression #1, char 3: unterminated `s' command", Syntax),
    (
        "python3 -c 'print('",
        "Exit code 1\n  File \"<string>\", line 1\n    print(\n         ^\nSyntaxError: '(' was never closed",
        Syntax,
    ),
    (
        "python3 -c 'import nope'",
        "Exit code 1\nTraceback (most recent call last):\n  File \"<string>\", line 1, in <module>\nModuleNotFoundError: No module named 'nope'",
        Environment,
    ),
    ("python3 -m pytest", "Exit code 1\n/usr/bin/python3: No module named pytest", Environment),
    ("node -e 'require(\"x\")'", "Exit code 1\nError: Cannot find module 'x'\nRequire stack:", Environment),
    (
        "pip install x",
        "Exit code 1\nerror: externally-managed-environment\n\n× This environment is externally managed",
        Environment,
    ),
    (
        "pip install nopenope",
        "Exit code 1\nERROR: Could not find a version\nERROR: No matching distribution found for nopenope",
        Environment,
    ),
    (
        "curl -sS http://localhost:9",
        "Exit code 7\ncurl: (7) Failed to connect to localhost port 9 after 0 ms: Couldn't connect to server",
        Connection,
    ),
    (
        "psql -h localhost",
        "Exit code 2\npsql: error: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused",
        Connection,
    ),
    (
        "docker ps",
        "Exit code 1\nCannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
        Connection,
    ),
    (
        "redis-cli ping",
        "Exit code 1\nCould not connect to Redis at 127.0.0.1:6379: Connection refused",
        Connection,
    ),
    (
        "git status",
        "Exit code 128\nfatal: not a git repository (or any of the parent directories): .git",
        Git,
    ),
    ("git checkout nope", "Exit code 1\nerror: pathspec 'nope' did not match any file(s) known to git", Git),
    ("git add nope", "Exit code 128\nfatal: pathspec 'nope' did not match any files", Git),
    (
        "git diff --exit-code nope",
        "Exit code 128\nfatal: ambiguous argument 'nope': unknown revision or path not in the working tree.",
        Git,
    ),
    ("git cherry-pick nope", "Exit code 128\nfatal: bad revision 'nope'", Git),
    ("git branch -d nope", "Exit code 1\nerror: branch 'nope' not found", Git),
    ("git merge nope", "Exit code 1\nmerge: nope - not something we can merge", Git),
    ("git push", "Exit code 128\nfatal: No configured push destination.\nEither specify the URL", Git),
    ("git push", "Exit code 128\nfatal: The current branch a has no upstream branch.", Git),
    (
        "git rebase",
        "Exit code 1\nThere is no tracking information for the current branch.\nPlease specify",
        Git,
    ),
    (
        "git checkout main",
        "Exit code 1\nerror: Your local changes to the following files would be overwritten by checkout:\n\ta",
        Git,
    ),
];

/// Commands and their outputs that are results, not mistakes.
const RESULTS: &[(&str, &str)] = &[
    ("grep foo a.txt", "Exit code 1"),
    (
        "cat ci.log; false",
        "Exit code 1\nerror: unexpected argument '--nope' found\nfatal: not a git repository",
    ),
    ("tail -5 ci.log | grep -c x", "Exit code 1\nModuleNotFoundError: No module named 'x'"),
    ("cargo run -- --nope", "Exit code 2\nerror: unexpected argument '--nope' found\n\nUsage: app"),
    ("go run . frob", "Exit code 1\nError: unknown command \"frob\" for \"app\"\nexit status 1"),
    ("node cli.js --nope", "Exit code 1\nerror: unknown option '--nope'"),
    ("python3 tools/app.py frob", "Exit code 1\nError: No such command 'frob'."),
    ("rg foo src", "Exit code 1"),
    ("git grep foo", "Exit code 1"),
    ("diff a b", "Exit code 1\n1c1\n< a\n---\n> b"),
    ("cmp a b", "Exit code 1\na b differ: byte 1, line 1"),
    ("test -f nope", "Exit code 1"),
    ("[ -d nope ]", "Exit code 1"),
    ("[[ a == b ]]", "Exit code 1"),
    ("git diff --exit-code", "Exit code 1\ndiff --git a/x b/x\n+error: unexpected argument"),
    ("git diff --quiet", "Exit code 1"),
    ("command -v uv", "Exit code 1"),
    ("which uv", "Exit code 1"),
    ("type uv", "Exit code 1"),
    ("pgrep flask", "Exit code 1"),
    ("kill 999999", "Exit code 1\nbash: line 1: kill: (999999) - No such process"),
    ("ls nope", "Exit code 2\nls: cannot access 'nope': No such file or directory"),
    ("find nope -name x", "Exit code 1\nfind: 'nope': No such file or directory"),
    ("stat nope", "Exit code 1\nstat: cannot statx 'nope': No such file or directory"),
    ("git commit -m x", "Exit code 1\nOn branch main\nnothing to commit, working tree clean"),
    ("git stash pop", "Exit code 1\nNo stash entries found."),
    (
        "git merge a",
        "Exit code 1\nAuto-merging x\nCONFLICT (content): Merge conflict in x\nAutomatic merge failed; fix conflicts and then commit the result.",
    ),
    (
        "git push",
        "Exit code 1\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'",
    ),
    ("git log", "Exit code 128\nfatal: your current branch 'master' does not have any commits yet"),
    (
        "cargo test",
        "Exit code 101\nrunning 1 test\ntest a ... FAILED\n\nthread 'a' panicked at src/a.rs:3:5:\ncalled `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: \"No such file or directory\" }\nerror: test failed, to rerun pass `--lib`",
    ),
    (
        "cargo build",
        "Exit code 101\nerror[E0425]: cannot find value `x` in this scope\n --> src/main.rs:1:1\nerror: could not compile `a` (bin \"a\") due to 1 previous error",
    ),
    (
        "cargo clippy",
        "Exit code 101\nerror: this loop never actually loops\n --> src/a.rs:1:1\nerror: could not compile `a`",
    ),
    ("cargo fmt --check", "Exit code 1\nDiff in src/a.rs:1:\n-a\n+b"),
    (
        "cargo run -- --nope",
        "Exit code 2\nthread 'main' panicked at src/main.rs:3:5:\nNo such file or directory",
    ),
    (
        "pytest",
        "Exit code 1\nE   FileNotFoundError: [Errno 2] No such file or directory: 'a'\nFAILED tests/test_a.py::test_a",
    ),
    ("pytest -x", "Exit code 2\nE   ModuleNotFoundError: No module named 'app.new'\nERROR tests/test_new.py"),
    (
        "python -m pytest",
        "Exit code 1\nE   ConnectionRefusedError: [Errno 111] Connection refused 127.0.0.1\nFAILED tests/test_a.py",
    ),
    ("python -m unittest", "Exit code 1\nFAIL: test_a\nAssertionError: 1 != 2"),
    (
        "npm test",
        "Exit code 1\nFAIL src/a.test.ts\n  Cannot find module './b' from 'src/a.test.ts'\nnpm error Lifecycle script `test` failed",
    ),
    (
        "npm run build",
        "Exit code 2\nsrc/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    ),
    (
        "npx tsc --noEmit",
        "Exit code 2\nsrc/a.ts(1,20): error TS2307: Cannot find module 'x' or its corresponding type declarations.",
    ),
    ("npx eslint .", "Exit code 1\n/p/a.js\n  1:1  error  'x' is not defined  no-undef\n\n1 problem"),
    ("ruff check", "Exit code 1\nsrc/a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error."),
    ("mypy src", "Exit code 1\nsrc/a.py:1: error: Incompatible types in assignment\nFound 1 error in 1 file"),
    ("shellcheck a.sh", "Exit code 1\nIn a.sh line 3:\nSC2086: Double quote to prevent globbing"),
    (
        "go test ./...",
        "Exit code 1\n--- FAIL: TestA (0.00s)\n    a_test.go:3: open x: no such file or directory\nFAIL",
    ),
    ("go build", "Exit code 1\n./a.go:3:2: undefined: x"),
    (
        "make test",
        "Exit code 2\ncat: out.txt: No such file or directory\nmake: *** [Makefile:3: test] Error 1",
    ),
    ("gcc a.c", "Exit code 1\na.c:1:10: fatal error: nope.h: No such file or directory"),
    ("./run_tests.sh", "Exit code 1\n./run_tests.sh: line 3: foo: command not found"),
    ("bash scripts/check.sh", "Exit code 1\nscripts/check.sh: line 9: x: unbound variable"),
    ("bash -c 'exit 1'", "Exit code 1"),
    ("./target/debug/app --nope", "Exit code 2\nerror: unexpected argument '--nope' found"),
    ("node app.js", "Exit code 1\nError: Cannot find module './routes'\nRequire stack:"),
    (
        "python3 app.py",
        "Exit code 1\nTraceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nKeyError: 'x'",
    ),
    ("timeout 5 ./serve", "Exit code 124"),
    ("sleep 900", "Command timed out after 2m 0.0s"),
    ("npm run dev", "Exit code 143\nTerminated"),
    ("python3 loop.py", "Exit code 130\n^C"),
    ("curl -sf https://example.com/x", "Exit code 22\ncurl: (22) The requested URL returned error: 404"),
    ("curl -s https://nope.example", "Exit code 6\ncurl: (6) Could not resolve host: nope.example"),
    ("terraform plan -detailed-exitcode", "Exit code 2\nPlan: 1 to add"),
    ("exit 3", "Exit code 3"),
    ("false", "Exit code 1"),
    ("cat log.txt; false", "Exit code 1\nerror while saving\nbackup: disk: No such file or directory"),
    ("head -50 notes.md && false", "Exit code 1\n    bash: foo is a shell\nthe permission denied page"),
    ("docker compose up", "Exit code 1\nservice \"web\" exited with code 1"),
    ("pre-commit run", "Exit code 1\nblack....Failed\n- files were modified by this hook"),
    ("just ci", "Exit code 1\nerror: Recipe `ci` failed on line 3 with exit code 1"),
];

fn what(command: &str, output: &str) -> Option<Mistake> {
    find_mistake(&Line::read(command).script, output).map(|found| found.what)
}

#[test]
fn wrong_commands_are_mistakes() {
    let expected: Vec<_> =
        MISTAKES.iter().map(|(command, output, mistake)| (command, output, Some(*mistake))).collect();
    let found: Vec<_> =
        MISTAKES.iter().map(|(command, output, _)| (command, output, what(command, output))).collect();
    let wrong: Vec<_> = found.iter().zip(&expected).filter(|(found, expected)| found != expected).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(MISTAKES.len() >= 60, "{}", MISTAKES.len());
}

#[test]
fn results_are_not_mistakes() {
    let found: Vec<_> = RESULTS
        .iter()
        .map(|(command, output)| (command, what(command, output)))
        .filter(|(_, found)| found.is_some())
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    assert!(RESULTS.len() >= 60, "{}", RESULTS.len());
}

/// The error messages of the programs on this machine, whatever their version.
#[test]
fn the_errors_of_the_installed_programs_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    for (command, expected) in [
        ("flyball-has-no-such-program", NotFound),
        ("cat missing.txt", Missing),
        ("cd nowhere", Missing),
        ("grep --no-such-option x", Usage),
        ("git status", Git),
        ("echo 'a", Syntax),
    ] {
        let mut shell = std::process::Command::new("bash");
        shell
            .args(["-c", command])
            .current_dir(&folder)
            .env("LC_ALL", "C")
            .env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap());
        let run = shell.output().unwrap();
        let output = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(what(command, &output), Some(expected), "{output}");
    }
}

#[test]
fn the_findings_of_a_linter_are_not_a_mistake() {
    for (name, _) in flyball_programs::LINTERS {
        let output = format!("Exit code 1\n{name}: src/a: No such file or directory");
        assert_eq!(what(&format!("{name} src"), &output), None, "{name}");
    }
    // The same message of a program that is not a linter is a mistake.
    assert!(what("cp src b", "Exit code 1\ncp: src/a: No such file or directory").is_some());
}
