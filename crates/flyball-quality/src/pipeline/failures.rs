//! Linters that failed: each is reported once, and never counts as clean.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::workshop::{Ending, JobLimit, JobResult};

use super::excerpt;
use crate::linter::{Linter, Reach};
use crate::output::RawFinding;
use crate::report::{FailureKind, LinterFailure};

pub(super) const MEGABYTE: u64 = 1024 * 1024;

/// A failure of one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub kind: FailureKind,
    pub what: String,
    /// The command exited by itself: the file may be the cause.
    pub may_be_file: bool,
    /// It exceeded this limit of its own.
    pub limit: Option<JobLimit>,
    /// What a formatter says about a file that it cannot parse.
    // Boxed, because it is rare and large.
    pub parse_error: Option<Box<RawFinding>>,
    /// All that it printed.
    pub said: String,
}

impl Failure {
    pub(super) fn new(what: impl Into<String>) -> Failure {
        Failure {
            kind: FailureKind::Failed,
            what: what.into(),
            may_be_file: true,
            limit: None,
            parse_error: None,
            said: String::new(),
        }
    }

    /// Why a command failed; `None` if it exited with one of these codes.
    pub(super) fn from_run(ran: &JobResult, good: &[i32]) -> Option<Failure> {
        let failed = |what: String| Failure { may_be_file: false, ..Failure::new(what) };
        match &ran.ending {
            Ending::Exited(code) if good.contains(code) => None,
            Ending::Exited(code) => {
                let failure = Failure::new(format!("exited with code {code}{}", error_excerpt(ran)));
                Some(Failure { said: excerpt::said(ran), ..failure })
            }
            Ending::Killed(signal) => {
                Some(failed(format!("killed by signal {signal}{}", error_excerpt(ran))))
            }
            Ending::TimedOut => {
                // Zero is a job that never began, because the ones before it used up the time.
                let what = match ran.took.as_millis() {
                    0 => "no time left to run it".to_owned(),
                    millis => format!("stopped at the deadline after {millis} ms"),
                };
                Some(Failure { kind: FailureKind::Late, ..failed(what) })
            }
            Ending::OverLimit(limit) => {
                let (kind, what) = match limit {
                    JobLimit::Time(time) => {
                        (FailureKind::Late, format!("stopped after {} s, its time limit", time.as_secs()))
                    }
                    JobLimit::Memory(bytes) => {
                        let megabytes = bytes / MEGABYTE;
                        (
                            FailureKind::Memory,
                            format!("stopped at more than {megabytes} MB, its memory limit"),
                        )
                    }
                };
                Some(Failure { kind, limit: Some(*limit), ..failed(what) })
            }
            Ending::NotStarted(why) => Some(failed(format!("could not be started: {why}"))),
        }
    }
}

/// What a program that failed printed, after a colon.
pub(super) fn error_excerpt(ran: &JobResult) -> String {
    let shown = excerpt::shorten(&excerpt::said(ran));
    if shown.is_empty() { shown } else { format!(": {shown}") }
}

/// A program that is not installed.
pub(super) struct Missing<'a> {
    pub(super) program: &'a str,
    /// How the project installs it with its own packages, if it declares it.
    pub(super) declared: Option<&'static str>,
}

/// All failures of one run.
#[derive(Default)]
pub(super) struct Failures {
    all: BTreeMap<(String, FailureKind), LinterFailure>,
    /// The files of each, so that none is named twice.
    named: BTreeSet<(String, FailureKind, String)>,
}

impl Failures {
    /// A program is not installed.
    pub(super) fn missing(&mut self, linter: &Linter, missing: &Missing<'_>, file: &str) {
        let Missing { program, declared } = missing;
        let off = || format!("install `{program}`, or set `quality.linters.{}.enabled = false`", linter.name);
        let error = LinterFailure {
            linter: linter.name.clone(),
            kind: FailureKind::Missing,
            what: format!("`{program}` is not installed"),
            fix: declared.map(str::to_owned).or_else(|| linter.entry.install.clone()).unwrap_or_else(off),
            files: Vec::new(),
        };
        self.add(error, file);
    }

    /// The program is only the starter of one that is not installed.
    pub(super) fn without_toolchain(&mut self, linter: &Linter, fix: &str, file: &str) {
        let error = LinterFailure {
            linter: linter.name.clone(),
            kind: FailureKind::Missing,
            what: "its toolchain is not installed".to_owned(),
            fix: fix.to_owned(),
            files: Vec::new(),
        };
        self.add(error, file);
    }

    /// A linter would run code of a project that nobody trusts.
    pub(super) fn untrusted(&mut self, linter: &Linter, file: &str) {
        let error = LinterFailure {
            linter: linter.name.clone(),
            kind: FailureKind::Untrusted,
            what: "it would run code of this project, which nobody trusts".to_owned(),
            fix: "run `flyball trust` in the project if you trust it".to_owned(),
            files: Vec::new(),
        };
        self.add(error, file);
    }

    /// A linter is older than its minimum version.
    pub(super) fn too_old(&mut self, linter: &Linter, what: String) {
        let error = LinterFailure {
            linter: linter.name.clone(),
            kind: FailureKind::TooOld,
            what,
            fix: linter.entry.install.clone().unwrap_or_else(|| "install a newer version".to_owned()),
            files: Vec::new(),
        };
        self.add(error, "");
    }

    pub(super) fn failed(&mut self, linter: &Linter, failure: &Failure, file: &str) {
        let name = &linter.name;
        let raise = |key: &str| {
            format!(
                "raise `quality.linters.{name}.{key}`, or name such files in `quality.linters.{name}.exclude`"
            )
        };
        let fix = match failure.kind {
            FailureKind::Late if failure.limit.is_some() => raise("timeout_seconds"),
            FailureKind::Memory => raise("memory_mb"),
            FailureKind::Late => match linter.entry.reach.unwrap_or_default() {
                Reach::File => "raise `quality.deadline_seconds` or disable the linter".to_owned(),
                Reach::Project => "raise `quality.project.deadline_seconds` or disable the linter".to_owned(),
            },
            _ => {
                format!("run `flyball lint` on the file, or change `quality.linters.{name}` in flyball.toml")
            }
        };
        let error = LinterFailure {
            linter: name.clone(),
            kind: failure.kind,
            what: failure.what.clone(),
            fix,
            files: Vec::new(),
        };
        self.add(error, file);
    }

    /// A linter fails, and the packages of the project, which it may need, are not installed.
    pub(super) fn not_installed(
        &mut self,
        linter: &Linter,
        failure: &Failure,
        (command, file): (&str, &str),
    ) {
        let reason = excerpt::shorten(&failure.said);
        let error = LinterFailure {
            linter: linter.name.clone(),
            kind: FailureKind::Failed,
            what: format!("cannot run without the packages of the project: {reason}"),
            fix: format!("run `{command}`: until then nothing is checked by it"),
            files: Vec::new(),
        };
        self.add_shared(error, file);
    }

    /// A linter cannot use its config, at this place.
    pub(super) fn broken_config(&mut self, linter: &Linter, failure: &Failure, (place, file): (&str, &str)) {
        let reason = excerpt::shorten(&failure.said);
        let what = format!("cannot use its config {place}: {reason}");
        let error = LinterFailure {
            linter: linter.name.clone(),
            kind: FailureKind::Failed,
            what,
            fix: format!("correct {place}: until then nothing is checked by it"),
            files: Vec::new(),
        };
        self.add_shared(error, file);
    }

    /// A linter cannot read the syntax of a file.
    pub(super) fn unreadable(&mut self, linter: &Linter, file: &str) {
        let error = LinterFailure {
            linter: linter.name.clone(),
            kind: FailureKind::Unreadable,
            what: "cannot read this syntax, so it did not check it".to_owned(),
            fix: format!(
                "install a newer version, or name such files in `quality.linters.{}.exclude`",
                linter.name
            ),
            files: Vec::new(),
        };
        self.add(error, file);
    }

    /// Adds what another part of the same program may have said already: that is one failure of both.
    fn add_shared(&mut self, error: LinterFailure, file: &str) {
        let is_other = |known: &&mut LinterFailure| known.what == error.what && known.linter != error.linter;
        match self.all.values_mut().find(is_other) {
            Some(known) if known.linter.split(", ").any(|name| name == error.linter) => {}
            Some(known) => known.linter = format!("{}, {}", known.linter, error.linter),
            None => self.add(error, file),
        }
    }

    fn add(&mut self, error: LinterFailure, file: &str) {
        // Once per linter and kind, whatever the number of files: a missing program is one fact.
        let place = (error.linter.clone(), error.kind);
        let is_new = self.named.insert((error.linter.clone(), error.kind, file.to_owned()));
        let known = self.all.entry(place).or_insert(error);
        if is_new && !file.is_empty() {
            known.files.push(file.to_owned());
        }
    }

    /// All of them, by linter.
    pub(super) fn into_list(self) -> Vec<LinterFailure> {
        self.all.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn ran(ending: Ending, stderr: &str) -> JobResult {
        JobResult {
            ending,
            stdout: b"out".to_vec(),
            stderr: stderr.as_bytes().to_vec(),
            cut: false,
            took: Duration::from_millis(7),
        }
    }

    #[test]
    fn a_failed_run_is_reported_with_its_last_lines() {
        let what = |ran: &JobResult| Failure::from_run(ran, &[0, 1]).map(|failure| failure.what);
        assert_eq!(what(&ran(Ending::Exited(1), "x")), None);
        let expected = "exited with code 2: one; three; four";
        assert_eq!(what(&ran(Ending::Exited(2), "one\ntwo\n\nthree\nfour\n")).as_deref(), Some(expected));
        let expected = "killed by signal 11: out";
        assert_eq!(what(&ran(Ending::Killed(11), "")).as_deref(), Some(expected));
        let expected = "stopped at the deadline after 7 ms";
        assert_eq!(what(&ran(Ending::TimedOut, "")).as_deref(), Some(expected));
    }

    #[test]
    fn one_failure_names_each_file_once() {
        let linter = Linter { name: "x".to_owned(), ..Linter::default() };
        let mut failures = Failures::default();
        for file in ["a", "a", "b", "c", "d", "e", "f"] {
            failures.missing(&linter, &Missing { program: "x", declared: None }, file);
        }
        let list = failures.into_list();
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].files, ["a", "b", "c", "d", "e", "f"]);
        assert_eq!(list[0].fix, "install `x`, or set `quality.linters.x.enabled = false`");
    }
}
