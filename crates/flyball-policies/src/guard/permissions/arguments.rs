//! Arguments that decide what a command does, where a list of options is not enough.

mod code;

use flyball_core::text::Words;
use flyball_programs::program;

/// Options of programs with goals whose value is the next word.
const VALUED: &[&str] =
    &["--tests", "-j", "-l", "--jobs", "-pl", "--projects", "-T", "--threads", "-x", "--exclude-task"];

/// Options of npm before `--` that do not change what it runs.
const NPM_HARMLESS: Words =
    Words("-s|--silent|-w|--workspace|--workspaces|--if-present|-ws|--depth|--json|--all|--loglevel");

/// Why the words after a pattern change what its command does; `None` if they do not.
/// `matched` is the number of words that the pattern matched.
pub(super) fn objection(words: &[&str], matched: usize) -> Option<&'static str> {
    let name = words.first()?.rsplit('/').next().unwrap_or_default();
    let rest = words.get(matched..).unwrap_or_default();
    match name {
        "sed" => (!code::sed_only_prints(rest)).then_some("its script does more than print"),
        "awk" => (!code::awk_only_prints(rest)).then_some("its script does more than print"),
        "jq" => rest.iter().any(|word| code::reads_more(word)).then_some("it may read more than its files"),
        "uniq" => (operands(rest).count() > 1).then_some("its second file is written"),
        "date" => sets_the_clock(rest).then_some("it may set the clock"),
        // Bash evaluates the subscript in `-v 'a[$(x)]'`, even in quotes, and so runs `x`.
        "test" | "[" => rest
            .iter()
            .any(|word| matches!(*word, "-v" | "-R") || word.contains("$(") || word.contains('`'))
            .then_some("it evaluates a name"),
        "npm" => has_unknown_npm_option(rest).then_some("npm gets options that are not known to be safe"),
        // `--noEmit false` writes after all.
        "tsc" => rest.contains(&"false").then_some("it may write what it compiles"),
        _ if runs_goals(words, matched) => more_goals(rest).then_some("it gets more goals"),
        _ => None,
    }
}

/// Whether the words after the pattern are goals: also `bundle exec rake test`.
fn runs_goals(words: &[&str], matched: usize) -> bool {
    let names = words.iter().take(matched).map(|word| word.rsplit('/').next().unwrap_or(word));
    names.into_iter().any(|name| program(name).is_some_and(|known| known.facts.has_goals))
        || words.starts_with(&["zig", "build"])
}

fn operands<'a>(words: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    words.iter().copied().filter(|word| !word.starts_with('-'))
}

/// Anything but a format or a time to show may set the clock.
fn sets_the_clock(words: &[&str]) -> bool {
    let mut before = "";
    words.iter().any(|word| {
        let is_shown =
            word.starts_with(['+', '-']) || matches!(before, "-d" | "--date" | "-r" | "--reference");
        before = word;
        !is_shown
    })
}

fn has_unknown_npm_option(words: &[&str]) -> bool {
    let own = words.iter().take_while(|word| **word != "--");
    own.filter(|word| word.starts_with('-'))
        .any(|word| !NPM_HARMLESS.contains(word.split_once('=').map_or(*word, |(name, _)| name)))
}

/// Targets beyond those of the pattern, variables and properties that change the recipe.
fn more_goals(words: &[&str]) -> bool {
    let mut before = "";
    words.iter().any(|word| {
        let is_value = VALUED.contains(&before);
        before = word;
        match word.strip_prefix("-D") {
            Some(property) => !is_test_choice(property),
            None => !is_value && !word.starts_with('-'),
        }
    })
}

/// `-Dtest=Name` selects the tests to run.
fn is_test_choice(property: &str) -> bool {
    let name = property.split_once('=').map_or(property, |(name, _)| name);
    matches!(name, "test" | "it.test" | "skipITs" | "surefire.failIfNoSpecifiedTests" | "failIfNoTests")
}
