//! Commands that silence every present finding at once: `ruff check --add-noqa`, `eslint --suppress-all`.

use flyball_core::text::Words;
use flyball_effects::Command;

use super::compare::{Finding, Kind, Report};

/// Checkers, and the options with which they silence what they find.
const OPTIONS: &[(Words, Words)] = &[
    (Words("ruff"), Words("--add-noqa|--add-ignore")),
    (Words("eslint"), Words("--suppress-all|--suppress-rule")),
    (Words("biome"), Words("--suppress")),
    (Words("oxlint"), Words("--suppress-all")),
    (Words("basedpyright|pyright"), Words("--writebaseline")),
    (Words("mypy"), Words("--ignore-errors")),
    (Words("pyre"), Words("--add-ignores")),
    (Words("ty"), Words("--add-ignore")),
    (
        Words("rubocop|haml-lint|standardrb"),
        Words("--auto-gen-config|--regenerate-todo|--disable-uncorrectable|--generate-todo"),
    ),
    (Words("phpstan"), Words("--generate-baseline")),
    (Words("psalm"), Words("--set-baseline|--update-baseline")),
    (Words("phpcs|deptrac|phan"), Words("--save-baseline|--generate-baseline")),
    (Words("detekt"), Words("--create-baseline")),
    (Words("ktlint|swiftlint"), Words("--baseline|--write-baseline")),
    (Words("betterer"), Words("--update")),
    (Words("reek"), Words("--todo")),
    (Words("steep"), Words("--save-expectations")),
    (Words("detect-secrets"), Words("--update")),
    (Words("brakeman"), Words("--interactive-ignore")),
];

/// Checkers, and their commands that do the same.
const COMMANDS: &[(Words, Words)] = &[
    (Words("pyrefly"), Words("suppress")),
    (Words("erblint|erb_lint"), Words("--auto-gen-config")),
    (Words("tsc-baseline"), Words("save|add")),
    (Words("pyre-upgrade"), Words("fixme|fixme-all")),
];

/// Programs that only start the one that is named behind them.
const STARTERS: Words = Words(
    "npx|bunx|pnpx|uvx|npm|pnpm|yarn|bun|uv|poetry|pipenv|pipx|hatch|pdm|rye|bundle|python|python3|composer|mise|php|deno",
);

/// What a command silences, if it silences all that it finds.
pub(super) fn report(commands: &[Command]) -> Option<(String, Report)> {
    // A long line has many commands of few programs, and most of these silence nothing.
    let mut others: Vec<&str> = Vec::new();
    let (checker, option) = commands.iter().find_map(|command| {
        let name = command.program_name()?;
        if others.contains(&name) {
            return None;
        }
        if !is_known(name) && !STARTERS.contains(name) {
            others.push(name);
            return None;
        }
        silences(command)
    })?;
    let what = format!("`{checker} {option}` silences every finding");
    let finding = Finding { kind: Kind::Suppression, what, line: None, is_justified: false };
    Some((checker.to_owned(), Report { findings: vec![finding], ..Report::default() }))
}

fn silences(command: &Command) -> Option<(&str, &str)> {
    let (checker, words) = checker(command)?;
    let by_option = OPTIONS.iter().find(|(names, _)| names.contains(checker)).and_then(|(_, options)| {
        let given = words.iter().map(|word| word.split('=').next().unwrap_or(word));
        let mut given = given.zip(&words);
        given.find(|(name, _)| options.contains(name)).map(|(_, word)| *word)
    });
    let by_command = || {
        let (_, all) = COMMANDS.iter().find(|(names, _)| names.contains(checker))?;
        words.iter().find(|word| all.contains(word)).copied()
    };
    let found = by_option.or_else(by_command)?;
    // What it would do, and nothing more.
    let is_free = words.iter().any(|word| matches!(*word, "--help" | "-h" | "--dry-run"));
    (!is_free).then_some((checker, found))
}

fn is_known(name: &str) -> bool {
    OPTIONS.iter().chain(COMMANDS).any(|(names, _)| names.contains(name))
}

/// The checker that a command runs, also behind `npx` and `uv run`, and the words behind it.
fn checker(command: &Command) -> Option<(&str, Vec<&str>)> {
    let name = command.program_name()?;
    let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
    if is_known(name) {
        return Some((name, words));
    }
    STARTERS.contains(name).then_some(())?;
    // Options of the starter may stand in front of it.
    let plain =
        |word: &str| word.rsplit('/').next().unwrap_or(word).split('@').next().unwrap_or_default().to_owned();
    let at = words.iter().take(6).position(|word| is_known(&plain(word)))?;
    let found = words.get(at).copied().unwrap_or_default();
    let found = found.rsplit('/').next().unwrap_or(found);
    Some((found.split('@').next().unwrap_or(found), words.get(at + 1..)?.to_vec()))
}
