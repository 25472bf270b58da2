//! Which failures of commands are mistakes: what the real programs say, line by line.

use flyball_effects::Line;

use super::super::classify::Mistake::{
    Connection, Environment, Git, LockFile, Login, Missing, NotFound, Permission, Port, Push, Setup, Syntax,
    Usage, Variable, Version,
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

/// More of them, by what is wrong: a command, a line of its output, and the mistake.
const MORE: &[(&str, &str, Mistake)] = &[
    // Runners that find nothing to run.
    (
        "uv run pytest",
        "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory (os error 2)",
        NotFound,
    ),
    ("uv run mypy src", "error: Failed to spawn: `mypy`", NotFound),
    ("npx vitest run", "Exit code 1\nError: spawn vitest ENOENT", NotFound),
    ("npm test", "npm error code ENOENT\nnpm error syscall spawn jest\nnpm error path /x", NotFound),
    ("hatch run x", "Unable to spawn process: x", NotFound),
    ("npm test", "> app@1.0.0 test\n> vitest run\n\nError: connect ECONNREFUSED 127.0.0.1:5432", Connection),
    ("pytest", "ERROR: could not connect to server: Connection refused", Connection),
    (
        "git push",
        "remote: Permission to a/b.git denied to c.\nfatal: unable to access: The requested URL returned error: 403",
        Login,
    ),
    ("composer install", "Your lock file does not contain a compatible set of packages", LockFile),
    ("pre-commit run", "No .pre-commit-config.yaml file was found", Setup),
    ("eslint .", "ESLint couldn't find an eslint.config.(js|mjs|cjs) file.", Setup),
    ("docker compose up", "no configuration file provided: not found", Missing),
    ("npx frob", "npm error could not determine executable to run\nnpm error A complete log", NotFound),
    ("npx frob", "npm ERR! could not determine executable to run", NotFound),
    ("bunx frob", "error: could not determine executable to run for package frob", NotFound),
    ("make foo", "make: foo: No such file or directory\nmake: *** [Makefile:2: foo] Error 127", NotFound),
    ("make lint", "/bin/sh: 1: ruff: not found\nmake: *** [Makefile:2: lint] Error 127", NotFound),
    ("pnpm frob", " ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command \"frob\" not found", NotFound),
    ("pnpm exec vitest run", " ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command \"vitest\" not found", NotFound),
    ("pnpm run frob", " ERR_PNPM_NO_SCRIPT  Missing script: frob", Usage),
    ("yarn frob", "yarn run v1.22.19\nerror Command \"frob\" not found.", Usage),
    ("yarn frob", "Usage Error: Couldn't find a script named \"frob\".", Usage),
    ("bun run frob", "error: Script not found \"frob\"", Usage),
    ("go test ./...", "bash: line 1: go: command not found", NotFound),
    ("poetry run pytest", "Command not found: pytest", NotFound),
    ("pipenv run black .", "Error: the command black could not be found within PATH", NotFound),
    ("pdm run frob", "[PdmUsageError]: Command 'frob' is not found in your PATH.", NotFound),
    ("bundle exec rspec", "bundler: command not found: rspec\nInstall missing gem executables", NotFound),
    ("rbenv exec frob", "rbenv: frob: command not found", NotFound),
    ("frob x", "fish: Unknown command: frob", NotFound),
    ("frob x", "zsh: command not found: frob", NotFound),
    (
        "frob x",
        "frob: The term 'frob' is not recognized as a name of a cmdlet, function, script file",
        NotFound,
    ),
    (
        "frob x",
        "'frob' is not recognized as an internal or external command,\noperable program or batch file.",
        NotFound,
    ),
    ("frob x", "Command 'frob' not found, did you mean:\n  command 'grob' from deb grob", NotFound),
    ("sudo frob", "sudo: frob: command not found", NotFound),
    ("./tool.py", "/usr/bin/env: \u{2018}python\u{2019}: No such file or directory", NotFound),
    (
        "docker exec web frob",
        "OCI runtime exec failed: exec: \"frob\": executable file not found in $PATH: unknown",
        NotFound,
    ),
    ("mix frob", "** (Mix) The task \"frob\" could not be found", Usage),
    (
        "rake frob",
        "rake aborted!\nDon't know how to build task 'frob' (See the list of available tasks)",
        Usage,
    ),
    ("gradle frob", "FAILURE: Build failed\nTask 'frob' not found in root project 'app'.", Usage),
    ("mvn frob", "[ERROR] Unknown lifecycle phase \"frob\". You must specify a valid lifecycle phase", Usage),
    ("just frob", "error: Justfile does not contain recipe `frob`", Usage),
    ("ninja frob", "ninja: error: unknown target 'frob'", Usage),
    ("invoke frob", "No idea what 'frob' is!", Usage),
    ("go frob", "go frob: unknown command\nRun 'go help' for usage.", Usage),
    // Parsers of arguments.
    (
        "aws s3 frob",
        "usage: aws [options]\naws: error: argument subcommand: Invalid choice, valid choices are:",
        Usage,
    ),
    ("black --nope .", "Usage: black [OPTIONS] SRC ...\n\nError: No such option: --nope", Usage),
    ("flask frob", "Error: No such command 'frob'.", Usage),
    (
        "typer-app frob --nope",
        "\u{256d}\u{2500} Error \u{2500}\u{256e}\n\u{2502} No such option: --nope \u{2502}",
        Usage,
    ),
    ("fd --nope", "error: unexpected argument '--nope' found", Usage),
    ("rg --nope x src", "rg: unrecognized flag --nope\nerror: unexpected argument '--nope' found", Usage),
    ("helm install --nope", "Error: unknown flag: --nope", Usage),
    ("gh pr create --nope", "unknown flag: --nope\n\nUsage:  gh pr create [flags]", Usage),
    ("gh frob", "unknown command \"frob\" for \"gh\"", Usage),
    (
        "terraform plan -nope",
        "Error: Failed to parse command-line flags\n\nflag provided but not defined: -nope",
        Usage,
    ),
    ("hugo server", "Error: required flag(s) \"port\" not set", Usage),
    ("tar -xzf", "tar: option requires an argument -- 'f'", Usage),
    ("ls -Y", "ls: invalid option -- 'Y'", Usage),
    ("sort --key", "sort: option '--key' requires an argument", Usage),
    ("ng build --nope", "Error: Unknown argument: nope", Usage),
    ("sequelize frob", "Unknown command: frob", Usage),
    ("tsx --nope", "node: bad option: --nope", Usage),
    ("node --nope", "node: bad option: --nope", Usage),
    ("vite --nope", "CACError: Unknown option `--nope`", Usage),
    ("vitest run --nope", "CACError: Unknown option `--nope`", Usage),
    ("npx eslint --nope .", "Invalid option '--nope' - perhaps you meant '--no'?", Usage),
    ("npx tsc --nope", "error TS5023: Unknown compiler option '--nope'.", Usage),
    ("eas build", "error: missing required argument 'platform'", Usage),
    ("picocli-app --nope", "Unknown option: '--nope'\nUsage: app [-hV]", Usage),
    ("app-cli frob", "Unmatched argument at index 0: 'frob'", Usage),
    ("dotnet build --nope", "MSBUILD : error MSB1001: Unknown switch.\nSwitch: --nope", Usage),
    ("php bin/console frob --nope", "  The \"--nope\" option does not exist.", Usage),
    ("gradle --nope", "Unknown command-line option '--nope'.", Usage),
    ("bazel build --nope //x", "ERROR: --nope :: Unrecognized option: --nope", Usage),
    ("ruby tool --nope", "invalid option: --nope (OptionParser::InvalidOption)", Usage),
    ("az frob", "ERROR: 'frob' is misspelled or not recognized by the system.", Usage),
    ("docker frob", "docker: 'frob' is not a docker command.\nSee 'docker --help'", Usage),
    ("npm frob", "Unknown command: \"frob\"\n\nTo see a list of supported npm commands", Usage),
    ("jest --nope", "\u{25cf} Unrecognized CLI Parameter:\n\n  Unrecognized option \"nope\".", Usage),
    // Services that do not answer.
    (
        "curl http://127.0.0.1:8000",
        "curl: (7) Failed to connect to 127.0.0.1 port 8000: Connection refused",
        Connection,
    ),
    (
        "wget -q localhost:1",
        "Connecting to localhost|127.0.0.1|:1... failed: Connection refused.",
        Connection,
    ),
    (
        "psql app",
        "psql: error: connection to server on socket \"/run/.s.PGSQL.5432\" failed: No such file or directory\n\tIs the server running locally",
        Connection,
    ),
    (
        "mysql app",
        "ERROR 2002 (HY000): Can't connect to local MySQL server through socket '/tmp/mysql.sock' (2)",
        Connection,
    ),
    ("node server.js", "Error: connect ECONNREFUSED 127.0.0.1:5432", Connection),
    ("npm run dev", "AggregateError [ECONNREFUSED]: \n    at internalConnectMultiple", Connection),
    (
        "python manage.py migrate",
        "django.db.utils.OperationalError: connection to server at \"localhost\", port 5432 failed: Connection refused",
        Connection,
    ),
    ("python app.py", "ConnectionRefusedError: [Errno 111] Connection refused", Connection),
    ("go run ./cmd/api", "dial tcp 127.0.0.1:5432: connect: connection refused", Connection),
    ("java -jar app.jar", "java.net.ConnectException: Connection refused", Connection),
    (
        "docker compose up -d",
        "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
        Connection,
    ),
    (
        "docker build .",
        "ERROR: error during connect: this error may indicate that the docker daemon is not running",
        Connection,
    ),
    (
        "kubectl get pods",
        "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
        Connection,
    ),
    ("npx prisma migrate dev", "Error: P1001: Can't reach database server at `localhost:5432`", Connection),
    ("pg_isready", "localhost:5432 - no response", Connection),
    // Logins.
    ("gh pr list", "To get started with GitHub CLI, please run:  gh auth login", Login),
    ("gh api user", "gh: Bad credentials (HTTP 401)\nTry authenticating with:  gh auth login", Login),
    (
        "aws s3 ls",
        "Unable to locate credentials. You can configure credentials by running \"aws configure\".",
        Login,
    ),
    (
        "aws sts get-caller-identity",
        "An error occurred (ExpiredToken) when calling the GetCallerIdentity operation",
        Login,
    ),
    (
        "gcloud run deploy",
        "ERROR: (gcloud.run.deploy) You do not currently have an active account selected.",
        Login,
    ),
    ("az group list", "ERROR: Please run 'az login' to setup account.", Login),
    (
        "npm publish",
        "npm error code ENEEDAUTH\nnpm error need auth This command requires you to be logged in",
        Login,
    ),
    (
        "docker pull acme/x",
        "Error response from daemon: pull access denied for acme/x, repository does not exist or may require 'docker login'",
        Login,
    ),
    ("docker push acme/x", "denied: requested access to the resource is denied", Login),
    (
        "git clone https://github.com/a/b",
        "fatal: could not read Username for 'https://github.com': terminal prompts disabled",
        Login,
    ),
    ("kubectl get pods", "error: You must be logged in to the server (Unauthorized)", Login),
    ("cargo publish", "error: no token found, please run `cargo login`", Login),
    // Lock files.
    (
        "npm ci",
        "npm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync.",
        LockFile,
    ),
    (
        "npm ci",
        "npm error The `npm ci` command can only install with an existing package-lock.json",
        LockFile,
    ),
    (
        "pnpm install --frozen-lockfile",
        " ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with \"frozen-lockfile\"",
        LockFile,
    ),
    (
        "yarn install --immutable",
        "\u{27a4} YN0028: \u{2502} The lockfile would have been modified by this install, which is explicitly forbidden.",
        LockFile,
    ),
    (
        "yarn install --frozen-lockfile",
        "error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.",
        LockFile,
    ),
    ("bun install --frozen-lockfile", "error: lockfile had changes, but lockfile is frozen", LockFile),
    (
        "cargo build --locked",
        "error: the lock file /p/Cargo.lock needs to be updated but --locked was passed to prevent this",
        LockFile,
    ),
    (
        "cargo test --locked",
        "error: cannot update the lock file /p/Cargo.lock because --locked was passed to prevent this",
        LockFile,
    ),
    (
        "uv sync --locked",
        "error: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided.",
        LockFile,
    ),
    (
        "poetry install",
        "pyproject.toml changed significantly since poetry.lock was last generated. Run `poetry lock`.",
        LockFile,
    ),
    ("pipenv install --deploy", "Your Pipfile.lock (a1b2c3) is out of date. Expected: (d4e5f6).", LockFile),
    (
        "bundle install",
        "The gemspecs for path gems changed, but the lockfile can't be updated because frozen mode is set",
        LockFile,
    ),
    ("go build ./...", "main.go:4:2: missing go.sum entry for module providing package x; to add:", LockFile),
    ("go vet ./...", "go: updates to go.mod needed; to update it:\n\tgo mod tidy", LockFile),
    // Pushes.
    (
        "git push",
        " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'",
        Push,
    ),
    ("git push origin main", " ! [rejected]        main -> main (non-fast-forward)", Push),
    ("git push", "remote: error: GH006: Protected branch update failed for refs/heads/main.", Push),
    ("git push", " ! [remote rejected] main -> main (pre-receive hook declined)", Push),
    // Steps that come first.
    (
        "terraform plan",
        "\u{2502} Error: Backend initialization required, please run \"terraform init\"",
        Setup,
    ),
    ("terraform validate", "\u{2502} Error: Module not installed", Setup),
    ("bin/rails server", "Migrations are pending. To resolve this issue, run: bin/rails db:migrate", Setup),
    (
        "alembic revision --autogenerate",
        "ERROR [alembic.util.messaging] Target database is not up to date.",
        Setup,
    ),
    ("bundle exec rails s", "Could not find rack-3.0.0 in locally installed gems", Setup),
    // Versions.
    ("npm install", "npm error code EBADENGINE\nnpm error engine Unsupported engine", Version),
    (
        "pnpm install",
        " ERR_PNPM_UNSUPPORTED_ENGINE  Unsupported environment (bad pnpm and/or Node.js version)",
        Version,
    ),
    (
        "yarn install",
        "error app@1.0.0: The engine \"node\" is incompatible with this module. Expected version \">=20\".",
        Version,
    ),
    (
        "cargo build",
        "error: package `x v1.0.0` cannot be built because it requires rustc 1.80 or newer",
        Version,
    ),
    ("pip install .", "ERROR: Package 'app' requires a different Python: 3.8.10 not in '>=3.11'", Version),
    (
        "uv sync",
        "error: The requested interpreter resolved to Python 3.8.1, which is incompatible with the project's Python requirement: `>=3.11`",
        Version,
    ),
    ("poetry install", "Current Python version (3.8.1) is not allowed by the project (^3.11).", Version),
    ("go build", "go: go.mod requires go >= 1.22 (running go 1.20; GOTOOLCHAIN=local)", Version),
    ("bundle install", "Your Ruby version is 2.7.0, but your Gemfile specified 3.2.0", Version),
    ("python --version", "pyenv: version `3.12' is not installed (set by /p/.python-version)", Version),
    // Variables and ports.
    ("npx prisma generate", "error: Environment variable not found: DATABASE_URL.", Variable),
    (
        "python manage.py runserver",
        "django.core.exceptions.ImproperlyConfigured: Set the SECRET_KEY environment variable",
        Variable,
    ),
    ("echo $HOME $NOPE", "bash: line 1: NOPE: unbound variable", Variable),
    ("npm run dev", "Error: listen EADDRINUSE: address already in use :::3000", Port),
    ("python manage.py runserver", "Error: That port is already in use.", Port),
    ("docker compose up", "Bind for 0.0.0.0:5432 failed: port is already allocated", Port),
    ("python -m http.server", "OSError: [Errno 98] Address already in use", Port),
];

/// More results: they say something about the code, the machine or the network.
const MORE_RESULTS: &[(&str, &str)] = &[
    (
        "npm install",
        "npm error code ENOSPC\nnpm error syscall write\nnpm error ENOSPC: no space left on device, write",
    ),
    ("cargo build", "error: failed to write /p/target/x: No space left on device (os error 28)"),
    ("cp a b", "cp: error writing 'b': No space left on device"),
    ("git fetch", "fatal: unable to access 'https://x/': Could not resolve host: x"),
    (
        "pytest tests/test_api.py",
        "E   requests.exceptions.ConnectionError: Connection refused\nFAILED tests/test_api.py",
    ),
    ("npm test", "Tests: 1 failed\nError: connect ECONNREFUSED is handled"),
    ("npx vitest run", " \u{2717} starts\n   Error: spawn vitest ENOENT\n Tests  1 failed (1)"),
    ("npm test", "  \u{25cf} api \u{203a} fails\n    connect ECONNREFUSED 127.0.0.1:5432"),
    ("npm run test:e2e", "Error: listen EADDRINUSE: address already in use :::3000"),
    ("go test ./...", "--- FAIL: TestDial\n    dial tcp 127.0.0.1:1: connect: connection refused"),
    (
        "python manage.py test",
        "ERROR: test_a (app.tests.A)\nConnectionRefusedError: [Errno 111] Connection refused\nRan 1 test in 0.1s\nFAILED (errors=1)",
    ),
    ("make test", "AssertionError: unknown option: test"),
    ("npm test -- parse", "expected \"unknown option parse\" to equal \"\""),
    ("node cli.js frob", "Unknown command: frob"),
    ("./bin/app --nope", "unknown flag: --nope"),
    ("./bin/app frob", "app: error: argument cmd: invalid choice: 'frob'"),
    ("npx eslint src", "/p/a.js\n  1:1  error  'port' is not defined  no-undef"),
    ("cargo test", "test parse::unknown_option ... FAILED\nassertion failed: unknown option '--x'"),
    ("git commit -m x", "husky - pre-commit hook exited with code 1\nerror: failed to push some refs"),
    (
        "git push",
        "> app@1.0.0 test\n1 failing\nhusky - pre-push hook exited with code 1 (error)\nerror: failed to push some refs to 'x'",
    ),
    ("ruff check .", "src/a.py:1:1: F401 `os` imported but unused"),
    ("npx tsc", "src/a.ts(3,1): error TS2304: Cannot find name 'port'."),
    ("grep -rn 'unknown option' src", "Exit code 1"),
    ("tail -50 app.log", "Error: connect ECONNREFUSED 127.0.0.1:5432\ngh auth login"),
    ("npm run build", "error during build:\nRollupError: Could not resolve './x' from src/a.ts"),
    (
        "npm install",
        "npm warn EBADENGINE Unsupported engine {\nnpm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree",
    ),
];

fn what(command: &str, output: &str) -> Option<Mistake> {
    find_mistake(&Line::read(command).script, output).map(|found| found.what)
}

fn all() -> impl Iterator<Item = &'static (&'static str, &'static str, Mistake)> {
    MISTAKES.iter().chain(MORE)
}

#[test]
fn wrong_commands_are_mistakes() {
    let expected: Vec<_> =
        all().map(|(command, output, mistake)| (command, output, Some(*mistake))).collect();
    let found: Vec<_> = all().map(|(command, output, _)| (command, output, what(command, output))).collect();
    let wrong: Vec<_> = found.iter().zip(&expected).filter(|(found, expected)| found != expected).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn results_are_not_mistakes() {
    let found: Vec<_> = RESULTS
        .iter()
        .chain(MORE_RESULTS)
        .map(|(command, output)| (command, what(command, output)))
        .filter(|(_, found)| found.is_some())
        .collect();
    assert!(found.is_empty(), "{found:#?}");
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
