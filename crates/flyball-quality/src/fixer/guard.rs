//! Distinguishes a fix from what only looks like one. Pure: it is given all versions and all findings.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::client::Clients;
use flyball_core::text;
use regex_lite::Regex;

pub use super::candidate::Candidate;
use super::code::{self, Split};
use super::definitions;
use super::lines;
use super::meaning;
use crate::finding::{Finding, Level};

/// What the policies know about weakened checks.
#[derive(Clone, Copy, Debug)]
pub struct Guards {
    /// The clients whose hooks are among what a model may not edit.
    pub clients: Clients,
    /// Why a model may not edit the file at this path below the project's root, if it may not: it
    /// contains tests, or the rules of the checks.
    pub off_limits: fn(clients: Clients, path: &str) -> Option<String>,
    /// What a change weakens (a new suppression, a test that asserts less), by path, text before
    /// and text after.
    pub objections: fn(path: &str, before: &str, after: &str) -> Vec<String>,
}

/// The file after it was formatted and checked again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// What is in it now.
    pub content: String,
    /// What is left, in the same scope as the findings that the model was given.
    pub findings: Vec<Finding>,
    /// Linters that failed this time: that they found nothing means nothing.
    pub failed_linters: Vec<String>,
}

/// Most lines of a file longer than this must not change.
const SMALL: usize = 20;

/// The part of a file's lines that may change, in percent.
const MOST_PERCENT: usize = 60;

/// No change may cost a file more lines than this, net.
const MOST_LOST: usize = 30;

/// How many bytes a changed line may add at most: a line can be arbitrarily long.
const MOST_LINE_BYTES: usize = 200;

/// Shorter lines say too little to be recognised in a comment.
const MIN_QUOTED_LENGTH: usize = 5;

/// Bodies that do nothing, whatever they should do.
const STUB: &str = r"(?x)
    ^(?:pass|\.\.\.)$ | :\s*(?:pass|\.\.\.)$ | ^raise\s+NotImplementedError\b
    | \bthrow\s+(?:new\s+)?\w*Error\(.*(?i:not\s+(?:yet\s+)?implemented|todo)
    | \b(?:todo|unimplemented)!\s*\(
    | \bpanic\(\x22(?i:not\s+(?:yet\s+)?implemented|unimplemented|todo)
";

/// Conditions that are never true, so that the code below them is dead.
const NEVER_RUNS: &str = r"(?x)
    ^(?:\}\s*)?(?:else\s+|el)?(?:if|while)\s*\(?\s*(?:False|false|0|None|null|not\s+True|!true|!1)\s*
    (?:\)|:|\{|;|&&|and\b)
    | ^\#!?\[cfg\(any\(\)\)\] | ^:\s*<<
";

/// Suppressions that the policies do not recognise.
const SUPPRESSIONS: &str = r"(?xi)
    \b(?:ruff|pytype|yapf|taplo|tslint)\s*:\s*(?:disable|ignore)
    | \bisort\s*:\s*(?:skip|off|dont) | \bjscpd\s*:\s*ignore
    | \bshellcheck\s.*\bdisable= | \b(?:svelte|prettier|lint)-ignore
    | //go:build\s+ignore | ^//\s*\+build\s+ignore | \bno_type_check\b
    | \bas\s+unknown\s+as\b | <any> | ^\#\[cfg\(test\)\]
";

/// A body between braces in which nothing is left.
const EMPTY_BODY: &str = r"(?:\)|=>|->|\belse|\btry)[^{};()]*\{\s*\}";

/// How many removed names a reason shows.
const MOST_NAMED: usize = 3;

/// Why a change may not even be tried, in plain words; empty if it may.
#[must_use]
pub fn refusals(candidate: &Candidate<'_>, guards: Guards) -> Vec<String> {
    let Candidate { path, before, after, .. } = *candidate;
    let mut refusals: Vec<String> = (guards.off_limits)(guards.clients, path).into_iter().collect();
    refusals.extend(size_refusal(candidate));
    // A function that is gone has no findings: the simplest way to cheat.
    let removed = definitions::removed(path, before, after);
    if !removed.is_empty() {
        let named = text::quoted(removed.iter().take(MOST_NAMED));
        let more = if removed.len() > MOST_NAMED { ", …" } else { "" };
        refusals.push(format!("it removes or renames {named}{more}"));
    }
    refusals.extend(disabled_code(&code::split(path, before), &code::split(path, after)));
    if after.contains('\0') && !before.contains('\0') {
        refusals.push("it adds NUL bytes to the file".to_owned());
    }
    let objections = (guards.objections)(path, before, after);
    // The policies' own objection to the same marker is enough.
    if objections.is_empty() {
        refusals.extend(new_suppression(before, after));
    }
    refusals.extend(objections);
    // What is refused anyway need not be compared token by token.
    if refusals.is_empty() {
        refusals = meaning::refusals(candidate);
    }
    refusals
}

/// A marker that was not there before, or not as often.
fn new_suppression(before: &str, after: &str) -> Option<String> {
    let pattern = Regex::new(SUPPRESSIONS).ok()?;
    let found = |text| -> Vec<&str> {
        let lines = str::lines(text).map(str::trim);
        lines.filter_map(|line| Some(pattern.find(line)?.as_str())).collect()
    };
    let new = subtract_lines(&found(after), &found(before));
    new.first().map(|marker| format!("it silences a check: `{marker}`"))
}

/// Ways to stop code from doing anything without removing it.
fn disabled_code(before: &Split<'_>, after: &Split<'_>) -> Vec<String> {
    let gone = subtract_lines(&before.code, &after.code);
    let count = |pattern: &str, split: &Split<'_>| {
        let pattern = Regex::new(pattern).ok();
        // Only in code: a comment that mentions one is not a stub.
        split.code.iter().filter(|line| pattern.as_ref().is_some_and(|it| it.is_match(line.trim()))).count()
    };
    let more = |pattern: &str| count(pattern, after) > count(pattern, before);
    let empty_bodies = |split: &Split<'_>| {
        let pattern = Regex::new(EMPTY_BODY).ok();
        pattern.map_or(0, |pattern| pattern.find_iter(&split.code.join("\n")).count())
    };
    let decorators =
        |split: &Split<'_>| split.code.iter().filter(|line| line.trim().starts_with('@')).count();
    let new_comments = subtract_lines(&after.comments, &before.comments);
    let is_quoted = |line: &&&str| {
        line.trim().len() >= MIN_QUOTED_LENGTH && new_comments.iter().any(|it| it.contains(line.trim()))
    };
    let mut reasons = Vec::new();
    // A new empty body is fine; one that replaces code is not.
    if !gone.is_empty() && (more(STUB) || empty_bodies(after) > empty_bodies(before)) {
        reasons.push("it leaves a body empty".to_owned());
    }
    if decorators(after) < decorators(before) {
        reasons.push("it removes a decorator".to_owned());
    }
    if more(NEVER_RUNS) {
        reasons.push("it puts code where it never runs".to_owned());
    }
    if let Some(line) = gone.iter().find(is_quoted) {
        reasons.push(format!("it turns code into a comment or a string: `{}`", line.trim()));
    }
    reasons
}

/// The lines that are in the first list more often than in the second.
fn subtract_lines<'a>(lines: &[&'a str], others: &[&str]) -> Vec<&'a str> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in others {
        *left.entry(line.trim()).or_default() += 1;
    }
    let is_more = |line: &&&str| match left.get_mut(line.trim()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    };
    lines.iter().filter(is_more).copied().collect()
}

/// Why the change is too large. One reason is enough.
fn size_refusal(candidate: &Candidate<'_>) -> Option<String> {
    let Candidate { path, before, after, findings: given, most_lines } = *candidate;
    let given = given.len();
    if after.trim().is_empty() && !before.trim().is_empty() {
        return Some("it empties the file".to_owned());
    }
    let code = |text| code::split(path, text).code.len();
    let (then, lost) = (code(before), code(before).saturating_sub(code(after)));
    // Fixing a finding removes an import or a variable, sometimes a few lines, never a page.
    let most_lost = MOST_LOST.min(3 + 3 * given);
    // In a very short file, one line may be half of it.
    if lost > most_lost || (then > SMALL / 2 && lost > then / 2) {
        return Some(format!("it removes {lost} of {then} lines for {}", findings(given)));
    }
    let changed = lines::count_changes(before, after);
    if changed.lines() > most_lines {
        return Some(format!(
            "it changes {} lines; the limit is {most_lines} (`quality.fixer.most_lines`)",
            changed.lines()
        ));
    }
    // What is only added, as docstrings are, leaves the rest as it was.
    let all = before.lines().count();
    if all > SMALL && changed.removed * 100 > all * MOST_PERCENT {
        return Some(format!("it rewrites the file: {} of {all} lines change", changed.removed));
    }
    let more = after.len().saturating_sub(before.len());
    if more > most_lines.saturating_mul(MOST_LINE_BYTES) {
        return Some(format!("it makes the file {more} bytes longer"));
    }
    None
}

fn findings(count: usize) -> String {
    text::counted(count, "finding")
}

/// Why a change that was tried may not stay, in plain words; empty if it may.
#[must_use]
pub fn shortfalls(before: &[Finding], verified: &Verified) -> Vec<String> {
    let mut shortfalls = unchecked_linters(before, verified);
    let (then, now) = (count_fixable(before), count_fixable(&verified.findings));
    if now >= then {
        let were = if then == 1 { "was" } else { "were" };
        shortfalls.push(format!("it leaves {}; there {were} {then}", findings(now)));
    }
    // New warnings are allowed as long as the total goes down; a new error never is.
    let is_error = |finding: &&Finding| finding.level == Level::Error || is_syntax(finding);
    for ((linter, code), new) in newly_broken_rules(before, &verified.findings, is_error) {
        let what = if is_syntax(new) { "breaks the syntax" } else { "adds a new error" };
        let Finding { line, message, .. } = new;
        shortfalls.push(format!("it {what}: {linter} {code} in line {line}: {message}"));
    }
    shortfalls
}

/// How many findings are to be fixed.
#[must_use]
pub fn count_fixable(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.level > Level::Advisory).count()
}

/// Linters that had findings, and failed on the change.
fn unchecked_linters(before: &[Finding], verified: &Verified) -> Vec<String> {
    let with_findings: BTreeSet<&str> = before.iter().map(|finding| finding.linter.as_str()).collect();
    let lost = verified.failed_linters.iter().filter(|linter| with_findings.contains(linter.as_str()));
    lost.map(|linter| format!("{linter} could not check it")).collect()
}

/// For each rule that is broken more often than before, one finding.
fn newly_broken_rules<'a>(
    before: &[Finding],
    after: &'a [Finding],
    counts: impl Fn(&&Finding) -> bool,
) -> BTreeMap<(&'a str, &'a str), &'a Finding> {
    let mut left: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for finding in before {
        *left.entry((&finding.linter, &finding.code)).or_default() += 1;
    }
    let mut new = BTreeMap::new();
    for finding in after.iter().filter(|finding| counts(finding)) {
        let key = (finding.linter.as_str(), finding.code.as_str());
        match left.get_mut(&key) {
            Some(count) if *count > 0 => *count -= 1,
            Some(_) | None => {
                new.entry(key).or_insert(finding);
            }
        }
    }
    new
}

/// Whether a finding is a syntax error.
fn is_syntax(finding: &Finding) -> bool {
    let code = finding.code.to_ascii_lowercase();
    // These two are about files that are sourced, not about syntax.
    let is_shell = code.starts_with("sc1") && !matches!(code.as_str(), "sc1090" | "sc1091");
    is_shell
        || code.contains("syntax")
        || code.contains("parse")
        || matches!(code.as_str(), "e999" | "e902" | "dl1000")
}
