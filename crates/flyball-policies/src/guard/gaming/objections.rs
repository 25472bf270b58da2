//! The same comparison for a change that a model makes for flyball and that no user confirms.
//!
//! The settings do not apply: what an agent may justify, this change may not.

use flyball_core::client::Clients;
use flyball_core::text::Words;
use flyball_effects::lex::{Language, lex};
use flyball_quality::fixer::guard::Guards;

use super::check_config::CheckConfig;
use super::compare::{Extent, Finding, Kind, Report, Versions, compare, unmatched_spots};
use super::settings::{Extra, Settings};
use super::spots::spots;
use super::test_files::is_test_file;
use crate::guard::protected::{self, Protection};

/// What is known here about weakened checks, for the model that fixes findings.
#[must_use]
pub const fn guards(clients: Clients) -> Guards {
    Guards { clients, off_limits, objections }
}

/// Everything that can be searched for.
const ALL: [Extra; 3] = [Extra::AsAny, Extra::RustExpect, Extra::EmptyCatch];

/// Markers in files of languages that have no lexer here.
const WORDS: Words =
    Words("noqa|biome-ignore|eslint-disable|prettier-ignore|nosemgrep|sqlfluff:disable|lint-ignore");

/// Why a model may not edit the file at this path below the project's root, if it may not.
#[must_use]
pub fn off_limits(clients: Clients, path: &str) -> Option<String> {
    if is_test_file(path) {
        return Some("it is a file of tests".to_owned());
    }
    let protection = Protection::new(protected::Settings::default(), clients);
    let is_config = CheckConfig::from_path(path).is_some() || protection.find_kind(path).is_some();
    is_config.then(|| "it configures the project's checks".to_owned())
}

/// Descriptions of what a change weakens, by path below the project's root, text before and text
/// after. A suppression that is only worded differently counts as new.
#[must_use]
pub fn objections(path: &str, before: &str, after: &str) -> Vec<String> {
    let settings =
        Settings { also: ALL.to_vec(), allow: Vec::new(), exempt: Vec::new(), ..Settings::default() };
    let versions = Versions { before: Some(before), after: Some(after), extent: Extent::File };
    let mut report = compare(path, versions, &settings);
    if report.fewer_tests > 0 {
        report.findings.push(Finding::lost_tests(report.fewer_tests, &report.removed_tests));
    }
    let mut objections: Vec<String> = report.findings.iter().map(describe_finding).collect();
    for text in markers(path, before, after) {
        let is_reported = |report: &Report| report.findings.iter().any(|finding| finding.what == text);
        if !is_reported(&report) {
            objections.push(format!("it silences a check: `{text}`"));
        }
    }
    objections
}

/// The markers that were not there before, as written.
fn markers(path: &str, before: &str, after: &str) -> Vec<String> {
    let Some(language) = Language::from_path(path) else {
        let more = |word: &&str| after.matches(*word).count() > before.matches(*word).count();
        return WORDS.iter().filter(more).map(str::to_owned).collect();
    };
    let (then, now) = (lex(before, language), lex(after, language));
    let look = |lexed| spots(lexed, language, is_test_file(path), &ALL);
    let (then, now) = (look(&then), look(&now));
    unmatched_spots(&now, &then).into_iter().map(|spot| spot.text.clone()).collect()
}

fn describe_finding(finding: &Finding) -> String {
    let what = match finding.kind {
        Kind::Suppression => "it silences a check",
        Kind::SkippedTest => "it skips a test",
        Kind::DeletedTest => "it deletes a test",
        Kind::RemovedAssertion => "it removes assertions",
        Kind::LoosenedConfig => "it weakens the checks",
    };
    match finding.line {
        Some(line) => format!("{what}: `{}` in line {line}", finding.what),
        None => format!("{what}: {}", finding.what),
    }
}
