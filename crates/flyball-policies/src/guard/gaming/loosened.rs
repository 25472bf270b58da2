//! Compares two versions of a file that configures checks: what has become weaker.

use flyball_core::text::Words;
use std::collections::BTreeSet;

use super::check_config::CheckConfig;
use super::commands;
use super::steps;
use super::weaker::Loosened;
use crate::config_entries::{self, Entries, Entry};

/// How a key may change without weakening the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Constraint {
    /// A number that must not go down.
    Floor,
    /// A number that must not go up.
    Ceiling,
    StaysTrue,
    StaysFalse,
    /// A list of exclusions: it must not grow.
    Exclusions,
    /// A list of what is checked: it must not shrink.
    Inclusions,
}

/// The keys with a clear meaning, in lower case without `-` and `_`.
const KEYS: &[(Constraint, Words)] = &[
    (Constraint::Floor, Words("failunder|covfailunder|minimumcoverage|mincoverage|target")),
    (
        Constraint::Ceiling,
        Words(
            "maxwarnings|maxcomplexity|maxargs|maxbranches|maxreturns|maxstatements|maxlocals|\
             minconfidence|cognitivecomplexitythreshold|toomanylinesthreshold|\
             toomanyargumentsthreshold",
        ),
    ),
    (
        Constraint::StaysTrue,
        Words(
            "strict|noimplicitany|strictnullchecks|strictfunctiontypes|strictbindcallapply|\
             strictpropertyinitialization|noimplicitthis|useunknownincatchvariables|alwaysstrict|\
             nounusedlocals|nounusedparameters|noimplicitreturns|nofallthroughcasesinswitch|\
             nouncheckedindexedaccess|exactoptionalpropertytypes|noimplicitoverride|checkjs|\
             recommended|warnunusedignores|warnreturnany|disallowuntypeddefs|disallowuntypedcalls|\
             disallowincompletedefs|disallowanygenerics|checkuntypeddefs|strictequality|\
             noimplicitoptional|xfailstrict|failonwarnings",
        ),
    ),
    (
        Constraint::StaysFalse,
        Words("continueonerror|allowfailure|ignoreerrors|ignoremissingimports|passwithnotests"),
    ),
    (
        Constraint::Exclusions,
        Words(
            "ignore|ignores|ignored|extendignore|exclude|excluded|extendexclude|omit|disable|\
             disabledrules|exclusions|skips|ignorepatterns|excludepatterns|excludelines|excludealso|\
             coveragepathignorepatterns|testpathignorepatterns",
        ),
    ),
    (Constraint::Inclusions, Words("select|extendselect|enable|optinrules")),
];

/// Paths that are never checked: excluding them weakens nothing.
const OUTPUT: Words = Words(
    "dist|build|out|node_modules|target|venv|coverage|.next|.nuxt|.cache|__pycache__|.git|generated|\
     vendor|.tox|site-packages|.turbo|storybook-static|.min.js|.d.ts",
);

/// What has become weaker.
pub(super) fn compare(watched: &CheckConfig, before: &str, after: &str) -> Vec<Loosened> {
    let mut found = Vec::new();
    if let Some(format) = watched.format {
        let comparison = Comparison {
            sections: watched.sections,
            before: config_entries::read(before, format),
            after: config_entries::read(after, format),
        };
        comparison.keys(&mut found);
        // A step that only reports may fail, and the entries do not show which step a key belongs to.
        if steps::count_ignored_failures(after) <= steps::count_ignored_failures(before) {
            found.retain(|it| !it.what.contains(steps::CONTINUE_ON_ERROR));
        }
        comparison.severities(&mut found);
    }
    commands::compare(watched, before, after, &mut found);
    found
}

struct Comparison {
    sections: &'static [&'static str],
    before: Entries,
    after: Entries,
}

impl Comparison {
    fn keys(&self, found: &mut Vec<Loosened>) {
        let paths =
            self.before.keys().chain(self.after.keys().filter(|path| !self.before.contains_key(*path)));
        for path in paths.filter(|path| self.is_about_checks(path)) {
            let Some(constraint) = find_constraint(path) else { continue };
            let (before, after) = (values(&self.before, path), values(&self.after, path));
            found.extend(check_constraint(constraint, path, before, after));
        }
    }

    fn is_about_checks(&self, path: &str) -> bool {
        let is_below = |section: &&str| {
            let rest = path.strip_prefix(*section);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '-']))
        };
        self.sections.is_empty() || self.sections.iter().any(is_below)
    }

    /// `error` → `warn` → `off`.
    fn severities(&self, found: &mut Vec<Loosened>) {
        for (path, after) in self.after.iter().filter(|(path, _)| self.is_about_checks(path)) {
            let Some((now, entry)) = weakest(path, after) else { continue };
            let then = weakest(path, values(&self.before, path)).map(|(severity, _)| severity);
            // A rule that was not listed had an unknown default: only `off` is surely weaker.
            if then.map_or(now == Severity::Off && is_rule(path), |then| now < then) {
                found.push(Loosened {
                    what: format!("`{path}` is now `{}`", entry.value),
                    line: Some(entry.line),
                });
            }
        }
        let remaining: BTreeSet<&str> = self.after.keys().flat_map(|path| path.split('.')).collect();
        for (path, before) in
            self.before.iter().filter(|(path, _)| self.is_about_checks(path) && is_rule(path))
        {
            let is_error = weakest(path, before).is_some_and(|(then, _)| then == Severity::Error);
            // A rule that is listed elsewhere in the file only moved.
            if is_error && !remaining.contains(last(path)) {
                found.push(Loosened { what: format!("`{path}` is removed"), line: None });
            }
        }
    }
}

fn values<'a>(entries: &'a Entries, path: &str) -> &'a [Entry] {
    entries.get(path).map_or(&[], Vec::as_slice)
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn find_constraint(path: &str) -> Option<Constraint> {
    let plain: String = path.chars().filter(|it| !"-_".contains(*it)).collect::<String>().to_lowercase();
    // Its keys are globs of files, so the last key has no meaning of its own.
    if plain.contains("perfileignores") {
        return Some(Constraint::Exclusions);
    }
    let key = last(&plain);
    let is_threshold =
        plain.contains("threshold") && ["branches", "functions", "lines", "statements"].contains(&key);
    if is_threshold {
        return Some(Constraint::Floor);
    }
    KEYS.iter().find(|(_, keys)| keys.contains(key)).map(|(constraint, _)| *constraint)
}

fn check_constraint(constraint: Constraint, path: &str, before: &[Entry], after: &[Entry]) -> Vec<Loosened> {
    let line = after.first().map(|entry| entry.line);
    let weaker = |what: String| vec![Loosened { what, line }];
    match constraint {
        Constraint::Floor | Constraint::Ceiling => {
            match (extreme(constraint, before), extreme(constraint, after)) {
                (Some(then), Some(now))
                    if (constraint == Constraint::Floor && now < then)
                        || (constraint == Constraint::Ceiling && now > then) =>
                {
                    weaker(format!("`{path}` goes from {then} to {now}"))
                }
                (Some(_), None) if after.is_empty() => weaker(format!("`{path}` is removed")),
                _ => Vec::new(),
            }
        }
        Constraint::StaysTrue => {
            let (then, now) = (count(before, "true"), count(after, "true"));
            let is_false = count(after, "false") > count(before, "false");
            if now < then || (is_false && before.is_empty()) {
                return weaker(format!("`{path}` is no longer true"));
            }
            Vec::new()
        }
        Constraint::StaysFalse if count(after, "true") > count(before, "true") => {
            weaker(format!("`{path}` is now true"))
        }
        Constraint::StaysFalse => Vec::new(),
        Constraint::Exclusions => added(before, after)
            .map(|entry| Loosened {
                what: format!("`{path}` now excludes `{}`", entry.value),
                line: Some(entry.line),
            })
            .collect(),
        Constraint::Inclusions => {
            let lost = added(after, before).next();
            lost.map(|entry| Loosened {
                what: format!("`{path}` no longer includes `{}`", entry.value),
                line: None,
            })
            .into_iter()
            .collect()
        }
    }
}

/// The number that counts: the lowest floor, the highest ceiling.
fn extreme(constraint: Constraint, entries: &[Entry]) -> Option<f64> {
    let numbers = entries.iter().filter_map(|entry| entry.value.trim_end_matches('%').parse::<f64>().ok());
    numbers
        .reduce(|left, right| if constraint == Constraint::Floor { left.min(right) } else { left.max(right) })
}

fn count(entries: &[Entry], value: &str) -> usize {
    entries.iter().filter(|entry| entry.value.eq_ignore_ascii_case(value)).count()
}

/// What `after` has in addition to `before`, if anything.
fn added<'a>(before: &[Entry], after: &'a [Entry]) -> impl Iterator<Item = &'a Entry> {
    let mut known: Vec<&str> = before.iter().map(|entry| entry.value.as_str()).collect();
    known.sort_unstable();
    // An entry that was only reworded does not make the list longer.
    let more = after.len().saturating_sub(before.len());
    let is_new = move |entry: &&Entry| known.binary_search(&entry.value.as_str()).is_err();
    let is_output = |entry: &&Entry| OUTPUT.iter().any(|name| entry.value.contains(name));
    let new: Vec<&Entry> = after.iter().filter(is_new).filter(|entry| !is_output(entry)).take(more).collect();
    new.into_iter()
}

/// How much a rule counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Off,
    Warning,
    Error,
}

fn weakest<'a>(path: &str, entries: &'a [Entry]) -> Option<(Severity, &'a Entry)> {
    let severities = entries.iter().filter_map(|entry| Some((severity(path, &entry.value)?, entry)));
    severities.min_by_key(|(severity, _)| *severity)
}

fn severity(path: &str, value: &str) -> Option<Severity> {
    match value {
        "off" | "allow" => Some(Severity::Off),
        "warn" | "warning" | "info" => Some(Severity::Warning),
        "error" | "deny" | "forbid" => Some(Severity::Error),
        // ESLint has numbers for severities too; in the options of a rule they mean something else.
        "0" | "false" | "none" | "disable" | "ignore" if is_whole_rule(path) => Some(Severity::Off),
        "1" if is_whole_rule(path) => Some(Severity::Warning),
        "2" if is_whole_rule(path) => Some(Severity::Error),
        _ => None,
    }
}

/// Whether a path is that of a rule itself, not of an option of it.
fn is_whole_rule(path: &str) -> bool {
    let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
    is_rule(path) && (parent.is_empty() || matches!(last(parent), "rules" | "lints"))
}

/// Whether a path is that of a rule: below `rules` or `lints`, or a rule of a tool whose config is
/// nothing but rules.
fn is_rule(path: &str) -> bool {
    let mut folders = path.split('.');
    // markdownlint has its rules at the top of its config: `MD013`.
    let is_numbered = |name: &str| {
        name.strip_prefix("MD")
            .is_some_and(|rest| rest.len() == 3 && rest.bytes().all(|it| it.is_ascii_digit()))
    };
    folders.any(|folder| matches!(folder, "rules" | "lints")) || is_numbered(path)
}
