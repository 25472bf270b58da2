//! Compares the commands that run checks: in pipelines, make files, hooks and package scripts.

use std::collections::BTreeSet;

use flyball_core::text;
use flyball_programs::{CHECKS, Commands, Format};

use super::check_config::CheckConfig;
use super::weaker::Loosened;
use crate::config_entries;

/// What hides the failure of the command before it.
const FAILURE_IGNORERS: &[&str] =
    &["|| true", "||true", "|| :", "|| exit 0", "|| echo", "; true", "; exit 0"];

/// Flags with which a check always passes.
const FLAGS: &[&str] = &["--no-verify", "--exit-zero", "--passWithNoTests", "set +e"];

/// Flags of checks that leave some of them out.
const DESELECTS: &[&str] = &[
    "--deselect",
    "-k 'not ",
    "-k \"not ",
    "-k not ",
    "-m 'not ",
    "-m \"not ",
    "--ignore=tests",
    "--ignore tests",
    "--ignore-glob",
    "--testPathIgnorePatterns",
    "--test-path-ignore",
    "--exclude-tests",
    "--skip ",
    "--no-fail",
    "-DskipTests",
    "-Dmaven.test.skip",
    "-x test",
    "--exclude-task test",
];

/// Whole lines with which what is around them never runs, or always ends well.
const SWITCHES: &[&str] = &[
    "if: false",
    "if: ${{ false }}",
    "if: 'false'",
    "if: \"false\"",
    "when: never",
    "exit 0",
    "enabled: false",
    "if: ${{false}}",
];

/// Flags with numbers, and the direction that is weaker.
const NUMBERS: &[(&str, Direction)] = &[
    ("--max-warnings", Direction::Up),
    ("--cov-fail-under", Direction::Down),
    ("--fail-under", Direction::Down),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// What has become weaker.
pub(super) fn compare(watched: &CheckConfig, before: &str, after: &str, found: &mut Vec<Loosened>) {
    let (before, after) = (lines(watched, before), lines(watched, after));
    // Before the next test, because configs without commands have such flags too: pytest's `addopts`.
    numbers(&before, &after, found);
    if watched.commands == Commands::None {
        return;
    }
    compare_ignored_failures(&before, &after, found);
    flags(&before, &after, found);
    deselected(&before, &after, found);
    switched_off(&before, &after, found);
    removed(&before, &after, found);
}

/// Lines that may be commands, with their numbers, without comments.
fn lines(watched: &CheckConfig, text: &str) -> Vec<(usize, String)> {
    if let Commands::Below(key) = watched.commands {
        let all = config_entries::read(text, watched.format.unwrap_or(Format::Braces));
        let below = all.into_iter().filter(|(path, _)| path.split('.').next() == Some(key));
        return below.flat_map(|(_, values)| values).map(|entry| (entry.line, entry.value)).collect();
    }
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let commands = numbered.filter(|(_, line)| !line.starts_with(['#', ';']) && !line.starts_with("//"));
    commands.map(|(number, line)| (number, line.to_owned())).collect()
}

fn is_check(line: &str) -> bool {
    CHECKS.iter().any(|check| runs(line, check))
}

fn runs(line: &str, check: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(check).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let after_it = line.get(at + check.len()..).unwrap_or_default();
        !before.ends_with(is_part) && !after_it.starts_with(is_part)
    })
}

fn compare_ignored_failures(
    before: &[(usize, String)],
    after: &[(usize, String)],
    found: &mut Vec<Loosened>,
) {
    let ignores_failure =
        |line: &str| FAILURE_IGNORERS.iter().any(|ignorer| line.contains(ignorer)) && is_check(line);
    let then = before.iter().filter(|(_, line)| ignores_failure(line)).count();
    let now: Vec<&(usize, String)> = after.iter().filter(|(_, line)| ignores_failure(line)).collect();
    let known: BTreeSet<&str> = before.iter().map(|(_, line)| line.as_str()).collect();
    // A line that only moved is not the new one.
    let is_new = |line: &&&(usize, String)| !known.contains(line.1.as_str());
    if let Some((number, line)) = now.iter().find(is_new).filter(|_| now.len() > then) {
        let what = format!("the failure of `{}` no longer counts", shortened(line));
        found.push(Loosened { what, line: Some(*number) });
    }
}

fn flags(before: &[(usize, String)], after: &[(usize, String)], found: &mut Vec<Loosened>) {
    for flag in FLAGS {
        let then = before.iter().filter(|(_, line)| line.contains(flag)).count();
        let now: Vec<&(usize, String)> = after.iter().filter(|(_, line)| line.contains(flag)).collect();
        if let Some((number, _)) = now.last().filter(|_| now.len() > then) {
            found.push(Loosened { what: format!("`{flag}` is new"), line: Some(*number) });
        }
    }
}

/// A check that now leaves some of its tests out.
fn deselected(before: &[(usize, String)], after: &[(usize, String)], found: &mut Vec<Loosened>) {
    for flag in DESELECTS {
        let leaves_out = |(_, line): &&(usize, String)| line.contains(flag) && is_check(line);
        let then = before.iter().filter(leaves_out).count();
        let now: Vec<&(usize, String)> = after.iter().filter(leaves_out).collect();
        // In a file without checks there was nothing that could be left out.
        let ran = before.iter().any(|(_, line)| is_check(line));
        if let Some((number, _)) = now.last().filter(|_| now.len() > then && ran) {
            found.push(Loosened { what: format!("`{}` is new", flag.trim()), line: Some(*number) });
        }
    }
}

/// Checks that never run any more, or whose failure is forgotten at the end.
fn switched_off(before: &[(usize, String)], after: &[(usize, String)], found: &mut Vec<Loosened>) {
    if !before.iter().any(|(_, line)| is_check(line)) {
        return;
    }
    for switch in SWITCHES {
        let is_it = |(_, line): &&(usize, String)| line.trim_start_matches("- ") == *switch;
        let (then, now) =
            (before.iter().filter(is_it).count(), after.iter().filter(is_it).collect::<Vec<_>>());
        if let Some((number, _)) = now.last().filter(|_| now.len() > then) {
            found.push(Loosened { what: format!("`{switch}` is new"), line: Some(*number) });
        }
    }
}

fn numbers(before: &[(usize, String)], after: &[(usize, String)], found: &mut Vec<Loosened>) {
    for (flag, direction) in NUMBERS {
        let Some((then, _)) = number(before, flag, *direction) else { continue };
        match number(after, flag, *direction) {
            None => found.push(Loosened { what: format!("`{flag} {then}` is removed"), line: None }),
            Some((now, line)) if (*direction == Direction::Up) == (now > then) && now != then => {
                found
                    .push(Loosened { what: format!("`{flag}` goes from {then} to {now}"), line: Some(line) });
            }
            Some(_) => {}
        }
    }
}

/// The weakest number given with a flag.
fn number(lines: &[(usize, String)], flag: &str, weaker: Direction) -> Option<(u32, usize)> {
    let numbers = lines.iter().filter_map(|(line, text)| {
        let after_it = text.split_once(flag)?.1.trim_start_matches([' ', '=', '"', '\'', ',']);
        let digits = after_it.bytes().take_while(u8::is_ascii_digit).count();
        Some((after_it.get(..digits)?.parse::<u32>().ok()?, *line))
    });
    if weaker == Direction::Up { numbers.max() } else { numbers.min() }
}

/// A check that is no longer run, unless another replaced it.
fn removed(before: &[(usize, String)], after: &[(usize, String)], found: &mut Vec<Loosened>) {
    let joined = |lines: &[(usize, String)]| {
        lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n")
    };
    let (before, after) = (joined(before), joined(after));
    let mut dropped = Vec::new();
    for check in CHECKS {
        match (runs(&before, check), runs(&after, check)) {
            (false, true) => return,
            (true, false) => dropped.push(*check),
            (true, true) | (false, false) => {}
        }
    }
    found.extend(
        dropped.iter().map(|check| Loosened { what: format!("`{check}` is no longer run"), line: None }),
    );
}

fn shortened(line: &str) -> &str {
    text::head(line, 60)
}
