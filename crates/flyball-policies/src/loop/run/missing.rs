//! What a command printed that could not even begin: its runner, its script or its target is missing. That says nothing
//! about the code.
//!
//! What is missing has to be the runner itself. A module of the project that is missing (`No module named 'app.cart'`) is a
//! failure of the code.

use flyball_programs::{Kind, program};

const INSTALL: &str = "Install it, or fix the command in flyball.toml";
const FIX_COMMAND: &str = "Fix the command in flyball.toml, or add what it names";

/// Packages that run tests, and are no programs of the table.
const RUNNERS: [&str; 17] = [
    "pytest",
    "nose",
    "nose2",
    "tox",
    "nox",
    "coverage",
    "behave",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "tap",
    "jasmine",
    "karma",
    "cypress",
    "playwright",
    "ts-node",
];

/// How a line shows that something is missing.
enum Shown {
    /// It begins with this.
    Begins(&'static str),
    /// It has this, and behind it the name of a runner.
    Runner(&'static str),
    /// It begins with the first, and has the second.
    Both(&'static str, &'static str),
}

/// The exit codes with which it counts, what a line shows, and the fix.
const ROWS: &[(&[i32], Shown, &str)] = &[
    (&[1], Shown::Runner("No module named "), INSTALL),
    (&[1], Shown::Runner("Cannot find module "), INSTALL),
    (&[1], Shown::Runner("Cannot find package "), INSTALL),
    (&[1, 2], Shown::Runner("sh: 1: "), INSTALL),
    (&[1, 2], Shown::Runner("sh: "), INSTALL),
    (&[1, 2], Shown::Runner("sh: line 1: "), INSTALL),
    (&[2], Shown::Both("make: *** [", " Error 127"), INSTALL),
    (&[1], Shown::Both("npm ", "Missing script: "), FIX_COMMAND),
    (&[1], Shown::Begins("Missing script: "), FIX_COMMAND),
    (&[1], Shown::Begins("ERR_PNPM_NO_SCRIPT"), FIX_COMMAND),
    (&[1], Shown::Both("error Command \"", "\" not found."), FIX_COMMAND),
    (&[1], Shown::Begins("Usage Error: Couldn't find a script named "), FIX_COMMAND),
    (&[1], Shown::Begins("error: Script not found "), FIX_COMMAND),
    (&[101], Shown::Begins("error: no such command: "), INSTALL),
    (&[101], Shown::Begins("error: no such subcommand: "), INSTALL),
    (&[101], Shown::Begins("error: could not find `Cargo.toml` in "), FIX_COMMAND),
    (&[101], Shown::Both("error: linker `", "` not found"), INSTALL),
    (&[1], Shown::Begins("ERROR: Could not find a version that satisfies the requirement "), INSTALL),
    (&[1], Shown::Begins("ERROR: No matching distribution found for "), INSTALL),
    (&[1], Shown::Begins("go: cannot find main module"), FIX_COMMAND),
    (&[1], Shown::Begins("go: go.mod file not found"), FIX_COMMAND),
    (&[2], Shown::Both("make: *** No rule to make target ", "Stop."), FIX_COMMAND),
    (&[2], Shown::Begins("make: *** No targets specified and no makefile found"), FIX_COMMAND),
    (&[1], Shown::Both("error: ", "oes not contain recipe "), FIX_COMMAND),
    (&[1], Shown::Begins("error: No justfile found"), FIX_COMMAND),
    (&[1, 125], Shown::Both("", "Cannot connect to the Docker daemon"), "Start Docker, or fix the command"),
];

/// Something that is missing.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Missing<'a> {
    /// The line that says so.
    pub(super) line: &'a str,
    pub(super) fix: &'static str,
}

/// What was missing, if the command could not begin.
pub(super) fn find(code: i32, output: &str) -> Option<Missing<'_>> {
    let rows = || ROWS.iter().filter(|(codes, ..)| codes.contains(&code));
    output.lines().map(str::trim).find_map(|line| {
        let (.., fix) = rows().find(|(_, shown, _)| shown.is_in(line))?;
        Some(Missing { line, fix })
    })
}

impl Shown {
    fn is_in(&self, line: &str) -> bool {
        match self {
            Shown::Begins(start) => line.starts_with(start),
            // A prerequisite without a rule is a file of the project.
            Shown::Both(start, part) => {
                line.starts_with(start) && line.contains(part) && !line.contains(", needed by ")
            }
            Shown::Runner(mark) => line.split_once(mark).is_some_and(|(before, name)| {
                let is_shell = mark.starts_with("sh: ");
                let is_start = before.is_empty() || before.ends_with('/') || before == "ba" || before == "da";
                let says_so = !is_shell || (is_start && line.ends_with("not found"));
                says_so && is_runner(name)
            }),
        }
    }
}

/// Whether a text begins with the name of something that runs tests: `pytest`, `'vitest/config'`, `jest: not found`.
fn is_runner(text: &str) -> bool {
    let text = text.trim_start_matches(['\'', '"', '`']);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    let name = text.split(|letter| !is_part(letter)).next().unwrap_or_default();
    let is_known =
        || program(name).is_some_and(|known| matches!(known.kind, Kind::TestRunner | Kind::Compiler));
    RUNNERS.contains(&name) || is_known()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_a_script_or_a_target_that_is_missing_says_nothing_about_the_code() {
        for (code, output) in [
            (1, "/usr/bin/python3: No module named pytest"),
            (1, "ModuleNotFoundError: No module named 'pytest'"),
            (1, "npm error Missing script: \"test\"\nnpm error\nnpm error To see a list of scripts, run:"),
            (1, "npm ERR! Missing script: \"test\""),
            (1, "ERR_PNPM_NO_SCRIPT  Missing script: test"),
            (1, "error Command \"test\" not found."),
            (1, "error: Script not found \"test\""),
            (1, "> app@1.0.0 test\n> jest\n\nsh: 1: jest: not found"),
            (1, "sh: vitest: command not found"),
            (2, "make: jest: No such file or directory\nmake: *** [Makefile:2: test] Error 127"),
            (2, "make: *** No rule to make target 'test'.  Stop."),
            (101, "error: no such command: `nextest`\n\nhelp: a command with a similar name exists"),
            (101, "error: could not find `Cargo.toml` in `/app` or any parent directory"),
            (
                1,
                "ERROR: Could not find a version that satisfies the requirement pytest (from versions: none)",
            ),
            (1, "go: cannot find main module, but found .git/config in /app"),
            (1, "Error: Cannot find module 'vitest/config'\nRequire stack:\n- /app/vitest.config.js"),
            (1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vitest' imported from /app/a.mjs"),
            (1, "error: Justfile does not contain recipe `test`"),
            (1, "Cannot connect to the Docker daemon at unix:///var/run/docker.sock"),
        ] {
            assert!(find(code, output).is_some(), "{code}: {output}");
        }
    }

    #[test]
    fn what_the_code_lacks_is_its_failure() {
        for (code, output) in [
            (1, "ModuleNotFoundError: No module named 'app.cart'"),
            (1, "E   ModuleNotFoundError: No module named 'cart'"),
            (1, "ModuleNotFoundError: No module named 'pytest_helpers'"),
            (1, "Error: Cannot find module './cart'"),
            (1, "Error: Cannot find module '../src/vitest'"),
            (1, "    expected \"npm\" but got Missing script: \"test\""),
            (2, "make: *** No rule to make target 'cart.c', needed by 'cart.o'.  Stop."),
            (2, "make: *** [Makefile:2: test] Error 1"),
            (101, "error: test failed, to rerun pass `--lib`"),
            (101, "error[E0432]: unresolved import `crate::cart`"),
            (1, "sh: 1: cart: not found"),
            (1, "the shell says jest: not found"),
            (1, "1 failed: prints 'go: cannot find main module'"),
            (5, "no tests ran in 0.01s"),
            (0, "/usr/bin/python3: No module named pytest"),
        ] {
            assert_eq!(find(code, output), None, "{code}: {output}");
        }
    }
}
