//! Variables in front of a command. Most names can change what runs (`PATH`, `LD_PRELOAD`,
//! `GIT_SSH`, `NODE_OPTIONS`, `RUSTC_WRAPPER` …), so only those that are known to be harmless pass.

use flyball_core::text::Words;
use flyball_effects::{Command, Word};

use super::pattern::matches_wildcard;

/// They change how output looks, how much of it there is, or how many threads are used.
const HARMLESS: Words = Words(
    "CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|LANG|LC_*|TZ|NODE_ENV|\
     RUST_BACKTRACE|RUST_LOG|RUST_TEST_THREADS|RUST_MIN_STACK|CARGO_TERM_COLOR|\
     CARGO_TERM_PROGRESS_WHEN|CARGO_INCREMENTAL|NEXTEST_*|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|\
     PYTHONHASHSEED|GOMAXPROCS|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|TEST_THREADS",
);

/// The first assignment of a command that may change what runs; `allowed` are the names that the
/// config adds.
pub(super) fn risky<'a>(command: &'a Command, allowed: &[String]) -> Option<&'a str> {
    let is_bare = command.program.is("");
    let is_fine = |(name, value): &&(String, Word)| {
        value.text.is_some()
            && (HARMLESS.iter().any(|known| matches_wildcard(known, name))
                || allowed.iter().any(|known| matches_wildcard(known, name))
                || is_pager_off(name, value)
                || (is_bare && is_local(name)))
    };
    command.assignments.iter().find(|assignment| !is_fine(assignment)).map(|(name, _)| name.as_str())
}

/// `PAGER=cat` runs nothing else.
fn is_pager_off(name: &str, value: &Word) -> bool {
    matches!(name, "PAGER" | "GIT_PAGER" | "MANPAGER") && (value.is("cat") || value.is(""))
}

/// A variable of the line itself: programs read names in capitals, and these two families.
fn is_local(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
        && !name.starts_with("npm_")
        && !name.ends_with("_proxy")
}
