//! Compares a file before and after an edit: new markers, skipped tests and weaker checks.
//!
//! Compares counts, not lines: what is moved, indented or removed is not new.

use std::collections::BTreeMap;

use flyball_core::text;
use flyball_effects::lex::{Language, Lexed, lex};

use super::check_config::CheckConfig;
use super::loosened;
use super::markers::Weight;
use super::outcomes;
use super::settings::Settings;
use super::spots::{Spot, spots};
use super::suite::Suite;
use super::test_files::is_test_file;

/// What kind of weakening it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Suppression,
    SkippedTest,
    DeletedTest,
    RemovedAssertion,
    LoosenedConfig,
}

impl Kind {
    /// The key in the config that sets what happens.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Kind::Suppression => "suppressions",
            Kind::SkippedTest => "skipped_tests",
            Kind::DeletedTest => "deleted_tests",
            Kind::RemovedAssertion => "removed_assertions",
            Kind::LoosenedConfig => "loosened_config",
        }
    }
}

/// Something that has become weaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) kind: Kind,
    /// The marker as written, or what happened.
    pub(super) what: String,
    /// Its line after the edit, where there is one.
    pub(super) line: Option<usize>,
    /// Whether it states a reason.
    pub(super) is_justified: bool,
}

impl Finding {
    pub(super) fn lost_tests(count: usize, names: &[String]) -> Finding {
        let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
        let tests = format!("{} {} removed", text::counted(count, "test"), text::plural(count, "is", "are"));
        let what = format!("{tests}: {}{}", shown.join(", "), if names.len() > 3 { ", …" } else { "" });
        Finding { kind: Kind::DeletedTest, what, line: None, is_justified: false }
    }
}

/// A file before and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Versions<'a> {
    /// `None` if it does not exist.
    pub(super) before: Option<&'a str>,
    /// `None` if it is deleted.
    pub(super) after: Option<&'a str>,
    pub(super) extent: Extent,
}

/// How much of a file the versions show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    File,
    /// One cell of a notebook: what is missing from it may be in another.
    Cell,
}

/// The result for one file.
#[derive(Clone, Debug, Default)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
    /// The removed markers, as written: in another file they are not new.
    pub(super) removed_markers: Vec<String>,
    /// The tests that are new, by name.
    pub(super) added_tests: Vec<String>,
    /// The removed tests, by name.
    pub(super) removed_tests: Vec<String>,
    /// The decrease in the number of tests.
    pub(super) fewer_tests: usize,
}

/// Finds new markers in the text that an edit inserts.
pub(super) fn compare_insertion(path: &str, (old, new): (&str, &str), settings: &Settings) -> Report {
    let mut report = Report::default();
    if let Some(language) = Language::from_path(path) {
        let is_test = is_test_file(path);
        let (before, after) = (lex(old, language), lex(new, language));
        let is_package = is_package(path);
        Pair { before, after, language, is_test, is_package }.markers(settings, &mut report);
    }
    // The lines of the inserted text are not those of the file.
    report.findings.iter_mut().for_each(|finding| finding.line = None);
    report
}

/// Whether a file re-exports what it imports.
fn is_package(path: &str) -> bool {
    path.rsplit('/').next() == Some("__init__.py")
}

/// Compares two versions of the file at a path relative to the project.
pub(super) fn compare(path: &str, versions: Versions<'_>, settings: &Settings) -> Report {
    let mut report = Report::default();
    if let (Some(watched), Some(before), Some(after)) =
        (CheckConfig::from_path(path), versions.before, versions.after)
    {
        let weaker = loosened::compare(&watched, before, after);
        report.findings.extend(weaker.into_iter().map(|it| Finding {
            kind: Kind::LoosenedConfig,
            what: it.what,
            line: it.line,
            is_justified: false,
        }));
    }
    if let Some(after) = versions.after {
        let forged = outcomes::forged(path, versions.before.unwrap_or_default(), after);
        let finding = |with: &str| plain(Kind::DeletedTest, format!("`{with}` changes the result of tests"));
        report.findings.extend(forged.map(finding));
    }
    let Some(language) = Language::from_path(path) else { return report };
    let is_test = is_test_file(path);
    let before = lex(versions.before.unwrap_or_default(), language);
    let after = lex(versions.after.unwrap_or_default(), language);
    let is_package = is_package(path);
    let pair = Pair { before, after, language, is_test, is_package };
    if versions.after.is_some() {
        pair.markers(settings, &mut report);
    }
    // A deleted module may take its own tests with it; a test file may not.
    if versions.extent == Extent::File && (is_test || versions.after.is_some()) {
        pair.tests(&mut report);
    }
    report
}

struct Pair<'a> {
    before: Lexed<'a>,
    after: Lexed<'a>,
    language: Language,
    is_test: bool,
    /// Whether it is the `__init__.py` of a package.
    is_package: bool,
}

impl Pair<'_> {
    fn markers(&self, settings: &Settings, report: &mut Report) {
        let look = |lexed| {
            let mut found = spots(lexed, self.language, self.is_test, &settings.also);
            found.retain(|spot| !is_allowed(&spot.text, &settings.allow));
            // An import that a package re-exports is not unused.
            let is_reexport = |spot: &Spot| self.is_package && spot.text == "noqa: F401";
            found.iter_mut().for_each(|spot| spot.is_justified |= is_reexport(spot));
            found
        };
        let (before, after) = (look(&self.before), look(&self.after));
        report
            .removed_markers
            .extend(unmatched_spots(&before, &after).into_iter().map(|spot| spot.text.clone()));
        let mut families: Vec<&str> = after.iter().map(|spot| spot.marker.family).collect();
        families.sort_unstable();
        families.dedup();
        for family in families {
            let of = |spots: &[Spot]| {
                spots.iter().filter(|spot| spot.marker.family == family).cloned().collect::<Vec<_>>()
            };
            let (before, after) = (of(&before), of(&after));
            // Only the total of a family counts: one marker in place of another silences nothing more.
            let more = after.len().saturating_sub(before.len());
            let mut new = unmatched_spots(&after, &before);
            // Of several that changed, those without a reason count as the new ones.
            new.sort_by_key(|spot| spot.is_justified);
            let found = new.into_iter().take(more).filter_map(|spot| finding(spot, settings));
            report.findings.extend(found);
        }
    }

    fn tests(&self, report: &mut Report) {
        let before = Suite::read(&self.before, self.language, self.is_test);
        let after = Suite::read(&self.after, self.language, self.is_test);
        let names = |suite: &Suite| {
            let mut names: Vec<String> = suite.cases.iter().map(|case| case.name.clone()).collect();
            names.sort_unstable();
            names
        };
        let (then, now) = (names(&before), names(&after));
        report.removed_tests = then.iter().filter(|name| now.binary_search(name).is_err()).cloned().collect();
        report.added_tests = now.iter().filter(|name| then.binary_search(name).is_err()).cloned().collect();
        // Tests that were merged into a table of cases still run.
        let is_folded = after.tables > before.tables;
        if !is_folded {
            report.fewer_tests = then.len().saturating_sub(now.len());
        }
        let more = now.len().saturating_sub(then.len());
        // A new test may be empty: it did not lose its body.
        let emptied = after.empty().saturating_sub(before.empty()).saturating_sub(more);
        let is_weaker = !is_folded && !then.is_empty() && now.len() >= then.len();
        if emptied > 0 {
            report.findings.push(plain(Kind::DeletedTest, format!("{} no body left", tests_phrase(emptied))));
        } else if is_weaker && after.assertions < before.assertions {
            let what = format!("{} → {} assertions", before.assertions, after.assertions);
            report.findings.push(plain(Kind::RemovedAssertion, what));
        }
    }
}

/// `1 test has`, `2 tests have`.
fn tests_phrase(count: usize) -> String {
    format!("{} {}", text::counted(count, "test"), text::plural(count, "has", "have"))
}

fn plain(kind: Kind, what: String) -> Finding {
    Finding { kind, what, line: None, is_justified: false }
}

fn finding(spot: &Spot, settings: &Settings) -> Option<Finding> {
    let kind = match spot.marker.weight {
        Weight::OptIn(extra) if !settings.also.contains(&extra) => return None,
        Weight::Suppression | Weight::Expectation | Weight::OptIn(_) => Kind::Suppression,
        Weight::Skip | Weight::ConditionalSkip => Kind::SkippedTest,
        Weight::AlwaysPasses => Kind::DeletedTest,
    };
    let is_justified = spot.is_justified || spot.marker.weight == Weight::Expectation;
    Some(Finding { kind, what: spot.text.clone(), line: Some(spot.line), is_justified })
}

/// The spots of the first list that have no counterpart in the second.
pub(super) fn unmatched_spots<'a>(spots: &'a [Spot], others: &[Spot]) -> Vec<&'a Spot> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for other in others {
        *left.entry(other.text.as_str()).or_default() += 1;
    }
    let mut is_alone = |spot: &&Spot| match left.get_mut(spot.text.as_str()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    };
    spots.iter().filter(|spot| is_alone(spot)).collect()
}

/// Whether the config allows a marker: its text begins like that, and no further code follows.
fn is_allowed(text: &str, allow: &[String]) -> bool {
    let plain = |text: &str| {
        let text = ["# ", "//", "/*", "<!--"]
            .iter()
            .fold(text.trim(), |text, opener| text.strip_prefix(opener).unwrap_or(text).trim_start());
        text::one_line(text)
    };
    let text = plain(text);
    allow.iter().any(|beginning| {
        let rest = text.strip_prefix(plain(beginning).as_str());
        rest.is_some_and(|rest| !rest.starts_with(|it: char| it.is_alphanumeric() || "_-,".contains(it)))
    })
}
