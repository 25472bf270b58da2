//! Whether a command line that was run proves that a command succeeded, and whether that command runs tests.

use flyball_core::event::{Outcome, Tool};
use flyball_core::facts::{EditRoute, SeenEdit};
use flyball_core::policy::Situation;
use flyball_core::text::Words;
use flyball_effects::{Command, Script};

use super::test_task;

/// The commands that run a project's tests.
pub(super) const TESTS: Words = Words(
    "cargo test|cargo nextest run|pytest|python -m pytest|python3 -m pytest|uv run pytest|poetry run pytest|\
    tox|nox|npm test|npm run test|pnpm test|pnpm run test|yarn test|yarn run test|bun test|bun run test|\
    npx jest|npx vitest|npx playwright test|deno test|go test|make test|make check|just test|mvn test|\
    mvn verify|gradle test|gradlew test|dotnet test|mix test|rspec|bundle exec rspec|rake test|\
    composer test|phpunit|swift test|ctest",
);

/// Options with which a command of a phase runs nothing.
const NO_TEST_FLAGS: [&str; 9] =
    ["--help", "-h", "--version", "--no-run", "--list", "--collect-only", "--co", "--dry-run", "--listTests"];
/// The same for one program: elsewhere they mean something else.
const NO_TEST_FLAGS_OF: [(&str, &str); 5] =
    [("pytest", "-V"), ("go", "-c"), ("go", "-list"), ("go", "-n"), ("ctest", "-N")];
/// Programs after which the exit code of a line says nothing about its commands.
const MISLEADING: [&str; 3] = ["trap", "alias", "exit"];

/// How lines that report a failure begin.
const FAILURES: Words = Words(
    "FAILED|FAIL\t|FAIL:|--- FAIL:|npm ERR!|npm error|test result: FAILED|error: test failed|\
    error: could not compile|make: ***",
);

/// A command line that succeeded, as far as the client says.
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) script: &'a Script,
    /// Whether its text shows that it changes files.
    pub(super) edits: bool,
    /// Whether its output says that no test ran.
    pub(super) ran_none: bool,
}

impl<'a> Line<'a> {
    /// The line of this call, unless it goes on in the background or its output shows a failure.
    pub(super) fn succeeded(situation: &Situation<'a>, outcome: &Outcome) -> Option<Line<'a>> {
        let Tool::Shell { command: text, background: false } = &situation.event.call()?.tool else {
            return None;
        };
        let script = &situation.line()?.script;
        // Files that are only noticed as changed may be what the tests themselves wrote.
        let by_words = |edits: &[SeenEdit]| edits.iter().any(|edit| edit.route == EditRoute::CommandLine);
        let edits = situation.edits().is_ok_and(by_words);
        let ran_none = test_task::ran_none(&outcome.text);
        (!shows_failure(&outcome.text)).then_some(Line { text, script, edits, ran_none })
    }

    /// Whether the line can only have succeeded if this command, with any further arguments, did.
    pub(super) fn proves(&self, command: &str) -> bool {
        let expected: Vec<&str> = command.split_whitespace().collect();
        self.proves_any(|command| is_call_of(command, &expected))
    }

    /// Whether the line can only have succeeded if tests did, and its output does not say that none ran.
    pub(super) fn proves_tests(&self) -> bool {
        let has_own_path = |command: &Command| command.assignments.iter().any(|(name, _)| name == "PATH");
        !self.ran_none && self.proves_any(|command| test_task::runs_tests(command) && !has_own_path(command))
    }

    fn proves_any(&self, is_meant: impl Fn(&Command) -> bool) -> bool {
        let commands = &self.script.commands;
        // Coarse but safe: `||` anywhere may turn a failure into a success.
        if !self.script.unknown.is_empty() || self.text.contains("||") || commands.iter().any(is_misleading) {
            return false;
        }
        let Some(at) = commands.iter().rposition(is_meant) else { return false };
        let (Some(found), after) = (commands.get(at), commands.get(at + 1..).unwrap_or_default()) else {
            return false;
        };
        // What follows `&&` ran only if it succeeded; anything else would hide a failure.
        let is_shown = after.iter().all(|later| later.place.conditional && later.place.depth == 0);
        // What is edited behind the command was not tested by it.
        decides(found) && is_shown && (after.is_empty() || !self.edits)
    }
}

fn is_call_of(command: &Command, expected: &[&str]) -> bool {
    let Some((program, words)) = expected.split_first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    let given: Vec<&str> = command.arguments.iter().map(|word| word.text.as_deref().unwrap_or("")).collect();
    // With another `PATH`, another program of that name may have run.
    command.program_name() == Some(name)
        && given.starts_with(words)
        && !given.iter().any(|word| NO_TEST_FLAGS.contains(word) || NO_TEST_FLAGS_OF.contains(&(name, word)))
        && !command.assignments.iter().any(|(name, _)| name == "PATH")
}

/// Whether the line fails if this command fails, as far as its place shows.
fn decides(command: &Command) -> bool {
    let place = &command.place;
    let is_hidden =
        place.background || place.negated || place.pipe_out || place.substitution || place.function;
    // `if` and loops may run nothing at all.
    !is_hidden && (!place.conditional || place.depth == 0)
}

fn is_misleading(command: &Command) -> bool {
    command.place.function || command.program_name().is_some_and(|name| MISLEADING.contains(&name))
}

/// Whether the output shows a failure. Some clients do not report the exit code.
pub(super) fn shows_failure(output: &str) -> bool {
    let counted = |line: &str| line.match_indices(" failed").any(|(at, word)| is_count(line, at, word));
    let marked = |line: &str| FAILURES.iter().any(|mark| line.starts_with(mark));
    output.lines().map(str::trim).any(|line| marked(line) || counted(line))
}

/// Whether the word at this place ends a count that is not 0: `2 failed, 8 passed`, and not `after 3 failed logins`.
fn is_count(line: &str, at: usize, word: &str) -> bool {
    let (before, after) =
        (line.get(..at).unwrap_or_default(), line.get(at + word.len()..).unwrap_or_default());
    let mut digits = before.chars().rev().take_while(char::is_ascii_digit);
    let after = after.trim_start();
    let in_seconds =
        after.strip_prefix("in ").is_some_and(|time| time.starts_with(|it: char| it.is_ascii_digit()));
    let ends = after.is_empty() || after.starts_with([',', ';', '|', '(', ')', '=', '.']) || in_seconds;
    ends && digits.any(|digit| digit != '0')
}
