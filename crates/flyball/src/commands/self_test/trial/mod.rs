//! The result of running a linter on the samples.

use flyball_quality::finding::Finding;
use flyball_quality::formats::findings;
use flyball_quality::linter::{Filter, Linter};
use flyball_quality::report::{FailureKind, FileReport, Formatted, LinterFailure, Report};
use flyball_quality::samples::{EXPECTED, Kind, SAMPLES};
use serde::Serialize;

/// The result of running a linter on the samples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Trial {
    pub(super) language: String,
    pub(super) linter: String,
    pub(super) state: State,
    /// Its version, as its program prints it.
    pub(super) version: Option<String>,
    /// Where the program is.
    pub(super) program: Option<String>,
    /// It found nothing in the good samples.
    pub(super) good: Outcome,
    /// It found what is known to be in the bad ones.
    pub(super) bad: Outcome,
    /// It formats the unformatted ones and leaves the good ones alone.
    pub(super) format: Outcome,
    /// What went wrong, or how to install it.
    pub(super) note: String,
}

/// Whether a linter works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// It does what it should.
    Works,
    /// It is installed and does not.
    Broken,
    /// It is not installed.
    Missing,
    /// No sample is for it.
    Untried,
}

/// The result of one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Yes,
    No,
    /// The linter does not do that, or there was no sample for it.
    NotAsked,
}

/// The program of a linter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is a file.
    At { path: String, version: Option<String> },
    /// It is a part of flyball.
    BuiltIn,
    /// It is not installed.
    Nowhere,
}

/// Evaluates the report of a run with only this linter.
pub(super) fn judge(linter: &Linter, report: &Report, found: Found) -> Trial {
    let all = findings(report);
    let codes = Codes { linter: &linter.name, all: &all };
    // Linters of the whole project are not listed with files; only their findings show that they ran.
    let has_run = report.files.iter().any(|file| file.linters.contains(&linter.name)) || !all.is_empty();
    let checks = linter.entry.check.is_some() && has_run;
    let (good, mut note) = if checks { codes.good() } else { (Outcome::NotAsked, String::new()) };
    let (bad, about_bad) = if checks { codes.bad() } else { (Outcome::NotAsked, String::new()) };
    let (format, about_format) = format(linter, report);
    for more in [about_bad, about_format] {
        // A row has space for one reason.
        note = if note.is_empty() { more } else { note };
    }
    let state = state(report, &found, [good, bad, format]);
    if state == State::Missing {
        note = install(linter);
    } else if let Some(error) = worst(report) {
        // A failure explains wrong findings better than the findings do.
        note.clone_from(&error.what);
    }
    let asked = |outcome: Outcome| if state == State::Missing { Outcome::NotAsked } else { outcome };
    let (program, version) = match found {
        Found::At { path, version } => (Some(path), version),
        Found::BuiltIn => (None, Some("built in".to_owned())),
        Found::Nowhere => (None, None),
    };
    Trial {
        language: linter.entry.language.clone().unwrap_or_default(),
        linter: linter.name.clone(),
        state,
        version,
        program,
        good: asked(good),
        bad: asked(bad),
        format: asked(format),
        note,
    }
}

fn state(report: &Report, found: &Found, outcomes: [Outcome; 3]) -> State {
    let error = worst(report).map(|error| error.kind);
    // A missing optional linter is not reported as a failure.
    if error == Some(FailureKind::Missing) || *found == Found::Nowhere {
        State::Missing
    } else if error.is_some() || outcomes.contains(&Outcome::No) {
        State::Broken
    } else if outcomes.contains(&Outcome::Yes) {
        State::Works
    } else {
        State::Untried
    }
}

/// The most serious failure: a failed linter before a missing one.
fn worst(report: &Report) -> Option<&LinterFailure> {
    report.troubles.iter().max_by_key(|error| match error.kind {
        FailureKind::TooOld => 0,
        FailureKind::Missing | FailureKind::Untrusted => 1,
        FailureKind::Late | FailureKind::Memory | FailureKind::Unreadable => 2,
        FailureKind::Failed => 3,
    })
}

fn install(linter: &Linter) -> String {
    linter.entry.install.clone().unwrap_or_else(|| format!("{} is not in PATH", linter.name))
}

struct Codes<'a> {
    linter: &'a str,
    all: &'a [&'a Finding],
}

impl Codes<'_> {
    fn findings_in(&self, kind: Kind) -> impl Iterator<Item = &&Finding> {
        let is_of = move |file: &str| kind_of(file) == Some(kind);
        self.all.iter().filter(move |finding| finding.linter == self.linter && is_of(&finding.file))
    }

    fn good(&self) -> (Outcome, String) {
        match self.findings_in(Kind::Good).next() {
            None => (Outcome::Yes, String::new()),
            Some(finding) => (Outcome::No, format!("found {} in the good {}", finding.code, finding.file)),
        }
    }

    fn bad(&self) -> (Outcome, String) {
        let has = |code: &str| self.findings_in(Kind::Bad).any(|finding| finding.code == code);
        let mut expected = EXPECTED.iter().filter(|(linter, _)| *linter == self.linter);
        if let Some((_, code)) = expected.find(|(_, code)| !has(code)) {
            return (Outcome::No, format!("did not find {code} in the bad sample"));
        }
        match self.findings_in(Kind::Bad).next() {
            Some(_) => (Outcome::Yes, String::new()),
            None => (Outcome::No, "found nothing in the bad sample".to_owned()),
        }
    }
}

fn format(linter: &Linter, report: &Report) -> (Outcome, String) {
    let is_changed = |file: &&FileReport| file.format != Formatted::Already;
    let mut of_kind = report.files.iter().filter(is_changed).map(|file| (kind_of(&file.file), &file.file));
    // Nothing is written, so fixes and filters that the check covers are not tried.
    let is_asked = |filters: &Vec<Filter>| filters.iter().any(|filter| !filter.checked && !filter.fixes);
    if !linter.entry.format.as_ref().is_some_and(is_asked) || report.files.is_empty() {
        return (Outcome::NotAsked, String::new());
    }
    let changed_good = of_kind.clone().find(|(kind, _)| *kind == Some(Kind::Good));
    let has_formatted = of_kind.any(|(kind, _)| matches!(kind, Some(Kind::Bad | Kind::Unformatted)));
    match (changed_good, has_formatted) {
        (Some((_, file)), _) => (Outcome::No, format!("would change the good {file}")),
        (None, false) => (Outcome::No, "formats no unformatted file".to_owned()),
        (None, true) => (Outcome::Yes, String::new()),
    }
}

fn kind_of(file: &str) -> Option<Kind> {
    SAMPLES.iter().find(|sample| sample.file == file).map(|sample| sample.kind)
}

#[cfg(test)]
mod tests;
