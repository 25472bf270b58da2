//! Whether a command runs tests: a test runner by the table of programs, or a task that is called so. What only lists,
//! builds or skips tests runs none, and some say so in their output.

use flyball_effects::Command;
use flyball_programs::Kind;

use super::started::Started;

/// Parts of names of tasks and scripts that run tests: `test:unit`, `integrationTest`, `run_specs.sh`.
const TEST_PARTS: [&str; 8] = ["test", "tests", "testing", "spec", "specs", "e2e", "unit", "unittests"];
/// Whole names of such tasks.
const CHECKS: [&str; 3] = ["check", "checks", "verify"];
/// Parts of names of what has to do with tests and runs none: `test-setup`, `build-tests`, `testClasses`.
const NOT_A_RUN: [&str; 24] = [
    "build",
    "classes",
    "clean",
    "compile",
    "coverage-report",
    "data",
    "db",
    "deps",
    "docs",
    "env",
    "fixtures",
    "format",
    "gen",
    "generate",
    "image",
    "install",
    "lint",
    "list",
    "prepare",
    "report",
    "setup",
    "types",
    "up",
    "watch",
];

/// Options with which no program runs tests.
const NONE_RUN: [&str; 11] = [
    "--help",
    "-help",
    "-h",
    "--version",
    "--no-run",
    "--list",
    "--list-tests",
    "--collect-only",
    "--co",
    "--dry-run",
    "--listTests",
];

/// Verbs of package managers that run the tests.
const TEST_VERBS: [&str; 3] = ["test", "t", "tst"];
const RUN_VERBS: [&str; 5] = ["run", "run-script", "rum", "urn", "task"];

pub(super) fn runs_tests(command: &Command) -> bool {
    Started::of(command).is_some_and(|started| is_test(&started))
}

fn is_test(started: &Started<'_>) -> bool {
    if runs_none(started, &NONE_RUN) {
        return false;
    }
    // By a path it is a program of the project, whatever the system has under that name: `./scripts/test`.
    let known = started.known().filter(|_| !(started.is_own && says_tests(started.name)));
    let Some(known) = known else { return is_unknown_test(started) };
    let facts = known.facts;
    if runs_none(started, facts.tests_not) {
        return false;
    }
    let is_script = matches!(known.kind, Kind::Interpreter | Kind::Shell);
    if !facts.tests_with.is_empty() && !is_script {
        return started.has_any(facts.tests_with);
    }
    match known.kind {
        Kind::TestRunner => true,
        Kind::Interpreter | Kind::Shell => started.has_any(facts.tests_with) || is_test_script(started),
        Kind::PackageManager => is_package_test(started),
        Kind::BuildTool if facts.has_goals => started.operands().any(is_test_task),
        Kind::BuildTool | Kind::Service | Kind::Tool => is_verb(started),
        _ => false,
    }
}

/// A program that nobody described: by its name, or by its verb.
fn is_unknown_test(started: &Started<'_>) -> bool {
    let mut verbs = started.operands();
    let first = verbs.next().filter(|_| !started.is_module);
    let verb = if first.is_some_and(|verb| RUN_VERBS.contains(&verb)) { verbs.next() } else { first };
    says_tests(started.name) || verb.is_some_and(is_test_task)
}

/// `nx test app`, `turbo run test`
fn is_verb(started: &Started<'_>) -> bool {
    let mut verbs = started.operands();
    let first = verbs.next();
    let verb = if first.is_some_and(|verb| RUN_VERBS.contains(&verb)) { verbs.next() } else { first };
    verb.is_some_and(is_test_task)
}

/// `npm test`, `npm run test:unit`, `yarn workspace app test`
fn is_package_test(started: &Started<'_>) -> bool {
    let mut words = started.operands().peekable();
    if words.peek() == Some(&"workspace") {
        words.nth(1);
    }
    match words.next() {
        Some(run) if RUN_VERBS.contains(&run) => words.next().is_some_and(has_test_part),
        Some(verb) => TEST_VERBS.contains(&verb) || (verb.starts_with("test:") && has_test_part(verb)),
        None => false,
    }
}

/// `sh run_tests.sh`, `node tests/run.js`, `python manage.py test`
fn is_test_script(started: &Started<'_>) -> bool {
    let is_code = |word: &&str| matches!(*word, "-c" | "-e" | "-m" | "--eval" | "-p" | "--print" | "-s");
    let mut before = started.words.iter().take_while(|word| word.starts_with('-'));
    if before.any(is_code) {
        return false;
    }
    let mut operands = started.operands();
    operands.next().is_some_and(says_tests) || operands.next().is_some_and(|verb| verb == "test")
}

/// Whether a word, or several in a row, says that nothing runs.
fn runs_none(started: &Started<'_>, patterns: &[&str]) -> bool {
    // What is behind `--` is for another program.
    let own = started.words.split(|word| *word == "--").next().unwrap_or_default();
    patterns.iter().any(|pattern| {
        let wanted: Vec<&str> = pattern.split(' ').collect();
        own.windows(wanted.len()).any(|words| words == wanted)
    })
}

fn is_test_task(name: &str) -> bool {
    has_test_part(name) || CHECKS.contains(&last(name).trim_start_matches(':').to_ascii_lowercase().as_str())
}

/// Whether a program or a script is called what runs tests: `run-tests.sh`, `check.sh`.
fn says_tests(name: &str) -> bool {
    let stem = last(name).split('.').next().unwrap_or_default().to_ascii_lowercase();
    has_test_part(last(name)) || CHECKS.contains(&stem.as_str())
}

fn has_test_part(name: &str) -> bool {
    let parts = parts(last(name));
    parts.iter().any(|part| TEST_PARTS.contains(&part.as_str()))
        && !parts.iter().any(|part| NOT_A_RUN.contains(&part.as_str()))
        && !name.contains(char::is_whitespace)
}

fn last(name: &str) -> &str {
    name.trim_end_matches('/').rsplit('/').next().unwrap_or(name)
}

/// The words in a name, in small letters: `integrationTest:app` has three.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() || (letter.is_ascii_uppercase() && was_small) {
            parts.push(String::new());
        }
        was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        if let Some(part) = parts.last_mut().filter(|_| letter.is_ascii_alphanumeric()) {
            part.push(letter.to_ascii_lowercase());
        }
    }
    parts
}

/// What runners say that had no test to run, in small letters.
const RAN_NONE: [&str; 19] = [
    "no tests ran",
    "collected 0 items",
    "no tests found",
    "no test found",
    "no tests to run",
    "no test files",
    "running 0 tests",
    "ran 0 tests",
    "0 passing",
    "0 passed",
    "0 examples,",
    "tests are skipped",
    "no tests were found",
    "no tests executed",
    "no tests matched",
    "total tests: 0",
    "# tests 0",
    "1..0",
    "0 scenarios",
];
/// What a count of tests that ran is in front of.
const COUNTED: [&str; 9] =
    ["passed", "passing", "tests", "test", "examples", "example", "specs", "scenarios", "assertions"];
/// What a count of tests that did not run is in front of.
const LEFT_OUT: [&str; 5] = ["skipped", "deselected", "pending", "todo", "ignored"];
/// What a count of tests that ran is behind.
const COUNTS: [&str; 5] = ["tests run:", "# pass", "total tests:", "passed:", "tests passed:"];

/// Whether the output of a runner says that no test ran, or that all were left out, and nothing in it that one did.
pub(super) fn ran_none(output: &str) -> bool {
    // `10 passing` is not `0 passing`.
    let is_whole = |line: &str, at: usize| {
        line.get(..at).is_some_and(|before| !before.ends_with(|it: char| it.is_ascii_digit()))
    };
    let is_none =
        |line: &str| RAN_NONE.iter().any(|mark| line.match_indices(mark).any(|(at, _)| is_whole(line, at)));
    let lines: Vec<String> = output.lines().map(|line| line.trim().to_ascii_lowercase()).collect();
    let left_out = |line: &String| has_count(&words(line), &LEFT_OUT);
    let is_said = lines.iter().any(|line| is_none(line) || left_out(line));
    is_said && !lines.iter().any(|line| !is_none(line) && ran_some(line)) || all_skipped(&lines)
}

/// Whether a line, in small letters, says that tests ran.
fn ran_some(line: &str) -> bool {
    let behind = |mark: &&str| {
        let count = line.split_once(*mark).and_then(|(_, rest)| rest.split_whitespace().next());
        count.is_some_and(|count| is_count(count.trim_end_matches(',')))
    };
    // `running 3 tests` is said before they run, and of those that are ignored.
    let counts = !line.starts_with("running ") && has_count(&words(line), &COUNTED);
    // Go and TAP name what passed.
    counts || COUNTS.iter().any(behind) || line.starts_with("ok ") || line.starts_with("ok\t")
}

/// Whether `unittest` skipped as many tests as it ran.
fn all_skipped(lines: &[String]) -> bool {
    let number = |text: &str| words(text).into_iter().find(|word| is_count(word)).map(str::to_owned);
    let ran = lines.iter().find_map(|line| line.strip_prefix("ran ").and_then(number));
    let skipped = lines.iter().find_map(|line| line.strip_prefix("ok (skipped=").and_then(number));
    ran.is_some() && ran == skipped
}

fn words(line: &str) -> Vec<&str> {
    line.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn has_count(words: &[&str], of: &[&str]) -> bool {
    words.windows(2).any(|pair| matches!(pair, [count, what] if is_count(count) && of.contains(what)))
}

fn is_count(word: &str) -> bool {
    word.parse::<u32>().is_ok_and(|count| count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_test_run(line: &str) -> bool {
        let line = flyball_effects::Line::read(line);
        line.script.commands.iter().any(runs_tests)
    }

    #[test]
    fn a_test_runner_runs_tests_behind_whatever_starts_it() {
        let lines = "pytest -q|.venv/bin/pytest|uv run pytest|uv run python -m pytest|uv run --extra dev pytest|hatch test|\
            hatch run test|pdm run pytest|poetry run pytest -k a|python3 -m unittest|python3 -m unittest discover -s tests|\
            python manage.py test|npm test|npm t|npm run test:unit|npm run -w pkg test|npm --prefix pkg test|pnpm -r test|\
            pnpm --filter x test|yarn workspace x test|yarn test|npx vitest run|bunx vitest run|bun test|yarn jest|npx ava|\
            npx mocha|npx tap|npx cypress run|npx playwright test|npx karma start --single-run|node --test|\
            cargo test --workspace|cargo nextest r|cargo nextest run|go test ./... -race|gotestsum|ginkgo ./...|\
            docker compose run --rm app pytest|docker compose exec app npm test|docker exec app pytest|timeout 60 pytest|\
            time pytest|make test|make check|make unit|make -C sub test|make -j4 test|just test|task test|nx test app|\
            turbo run test|bazel test //...|bundle exec rake test|bundle exec rspec|bin/rails test|rails test|mix test|\
            ./mvnw test|mvn -q verify|gradle check|./gradlew :app:testDebugUnitTest|gradle test -x lint|sbt test|\
            dotnet test|vendor/bin/phpunit|php artisan test|flutter test|swift test|zig build test|\
            ctest --test-dir build|./run_tests.sh|sh run_tests.sh|./check.sh|bats test/|deno test|stack test|cabal test|\
            lein test|tox -e py311|nox -s tests|xcodebuild test|xcodebuild -scheme X test|behave|trial tests|nosetests|\
            busted|prove -l t|coverage run -m pytest";
        for line in lines.split('|') {
            assert!(is_test_run(line.trim()), "{line}");
        }
    }

    #[test]
    fn what_builds_lists_or_skips_tests_runs_none() {
        let lines = "cargo check|cargo build --tests|cargo test --no-run|pip check|npm run check-types|npm run lint:tests|\
            docker build -t test .|bazel build //test|bazel query //test|npm install --save-dev test|npm ci|\
            python3 -m py_compile test.py|python3 -c 'print(1)' test|make -n test|make test -n|make test-setup|\
            mvn test -DskipTests|mvn test-compile|gradle test -m|gradle test -x test|gradle testClasses|tox -l|tox --notest|\
            pytest --collect-only -q|pytest --fixtures|pytest --markers|pytest --version|go test -list .|ctest -N|\
            dotnet test --list-tests|dotnet test -t|just --dry-run test|just -n test|swift test list|rspec --dry-run|\
            npx vitest list|npx playwright test --list|npx playwright install|npx cypress open|jest --showConfig|\
            node --check test.js|bash -n run_tests.sh|mkdir -p test|ls tests|cat tests/test_a.py|echo test|test -f a|\
            nc -z localhost 80 test|git verify-commit HEAD|terraform test -help|npm test --dry-run|\
            npm run test --if-present|docker compose run app ls tests|cd tests";
        for line in lines.split('|') {
            assert!(!is_test_run(line.trim()), "{line}");
        }
    }

    #[test]
    fn an_output_that_says_so_is_no_test_run() {
        let none = [
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 12 filtered out",
            "ok  \tx 0.1s [no tests to run]",
            "?   \tx [no test files]",
            "No tests found, exiting with code 0",
            "collected 0 items\n\n=== no tests ran in 0.01s ===",
            "collected 5 items / 5 deselected\n=== 5 deselected, no tests ran in 0.01s ===",
            "Ran 0 tests in 0.000s\n\nOK",
            "Tests are skipped.",
            "  0 passing (1ms)",
            "collected 4 items\n\na.py ssss\n=== 4 skipped in 0.01s ===",
            "=== 5 deselected in 0.01s ===",
            "running 4 tests\ntest result: ok. 0 passed; 0 failed; 4 ignored; 0 measured; 0 filtered out",
            "Tests:       4 skipped, 4 total",
            " Tests  4 skipped (4)",
            "  4 pending",
            "Ran 4 tests in 0.001s\n\nOK (skipped=4)",
        ];
        for output in none {
            assert!(ran_none(output), "{output}");
        }
        let some = [
            "",
            "ok",
            "running 3 tests\ntest result: ok. 3 passed; 0 failed\n   Doc-tests x\nrunning 0 tests",
            "?   \tx [no test files]\nok  \ty 0.2s",
            "=== 3 passed in 0.01s ===",
            "Ran 4 tests in 0.1s",
            "Ran 4 tests in 0.1s\n\nOK (skipped=3)",
            "=== 3 passed, 1 skipped in 0.01s ===",
            "Tests:       1 skipped, 3 passed, 4 total",
            "  10 passing (1ms)",
            "pkg a: No tests found\npkg b: Tests: 4 passed, 4 total",
            "Tests run: 4, Failures: 0, Skipped: 1\n0 scenarios",
        ];
        for output in some {
            assert!(!ran_none(output), "{output}");
        }
    }
}
