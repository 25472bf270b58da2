//! Keeps an agent from weakening checks to get green.

mod check_config;
mod commands;
mod compare;
mod entries;
mod loosened;
mod markers;
mod messages;
mod objections;
mod obsolete;
mod settings;
mod spots;
mod steps;
mod suite;
mod test_files;
#[cfg(test)]
mod tests;
mod versions;

pub use objections::{guards, objections, off_limits};
pub use settings::{Extra, Level, Settings, Unattended};

use std::collections::BTreeSet;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{Change, EventKind};
use flyball_core::facts::{SeenEdit, TargetPaths};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation, World};
use flyball_core::text;
use flyball_core::verdict::Verdict;
use flyball_effects::Insertion;
use flyball_effects::lex::Language;

use self::check_config::CheckConfig;
use self::compare::{Finding, Kind, Report, compare};
use self::test_files::{is_test_file, is_test_folder};
use self::versions::Texts;
use crate::globs::any_matches;
use crate::paths::strip_folder;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.gaming"),
    summary: "no new suppressions, skipped or deleted tests, or loosened checks without a word",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>(),
    run,
    gather: None,
    review: None,
};

/// How many names of new tests are remembered of a session.
const MOST_NAMES: usize = 400;

/// A file that is edited, with all that a call does to it.
struct Edited<'a> {
    path: &'a str,
    /// Relative to the project.
    shown: &'a str,
    changes: Vec<&'a Change>,
}

fn run(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let edits = situation.edits()?;
    let insertions = situation.line().map_or(&[][..], |line| &line.effects.insertions);
    let mut edited = group_by_file(edits, situation.world);
    if edited.is_empty() && insertions.is_empty() {
        return Ok(Verdict::silent());
    }
    let settings: Settings = situation.config()?;
    let inserted = inserted(situation, insertions, &settings);
    if inserted.is_empty() && !edited.iter().any(|file| file.needs_check(&settings)) {
        return Ok(Verdict::silent());
    }
    let deleted = obsolete::deleted(&edited);
    // What goes from one file to another is only seen where both are looked at.
    edited.retain(|file| file.needs_check(&settings) || file.could_lose_markers(&settings));
    let mut reports: Vec<(&str, Report)> = Vec::new();
    for file in edited.iter().filter(|file| !file.is_exempt(&settings)) {
        let Some(report) = file.report(situation, &settings) else { continue };
        if !obsolete::is_obsolete(file, &deleted, situation.world)? {
            reports.push((file.shown, report));
        }
    }
    reports.extend(inserted.iter().map(|(shown, report)| (shown.as_str(), report.clone())));
    drop_moved_markers(&mut reports);
    report_lost_tests(situation, &mut reports)?;
    Ok(messages::verdict(&reports, &settings, situation.event))
}

/// What edits in place put into files: `sed -i 's/$/  # noqa/' f`. Only what stands in the edit
/// itself is compared, and only for markers: what it does to the rest of the file is not known.
fn inserted(
    situation: &Situation<'_>,
    insertions: &[Insertion],
    settings: &Settings,
) -> Vec<(String, Report)> {
    let root = situation.world.project_root().trim_end_matches('/');
    let mut found = Vec::new();
    for insertion in insertions {
        let TargetPaths::Known(paths) = situation.locate(&insertion.target) else { continue };
        for path in paths {
            let inside = path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
            let Some((shown, language)) = inside.and_then(|it| Some((it, Language::from_path(it)?))) else {
                continue;
            };
            let is_meant =
                markers::could_be_in(&insertion.new, (language, is_test_file(shown)), &settings.also);
            let is_exempt = any_matches(&settings.exempt, shown);
            if is_meant && !is_exempt {
                let report = compare::compare_insertion(shown, (&insertion.old, &insertion.new), settings);
                found.push((shown.to_owned(), report));
            }
        }
    }
    found
}

/// The edits file by file, in their order; files outside of the project are nobody's checks.
fn group_by_file<'a>(edits: &'a [SeenEdit], world: &'a dyn World) -> Vec<Edited<'a>> {
    let root = world.project_root();
    let mut files: Vec<Edited<'a>> = Vec::new();
    for edit in edits {
        let (Some(shown), Some(change)) = (strip_folder(&edit.path, root), &edit.change) else { continue };
        match files.iter_mut().find(|file| file.path == edit.path) {
            Some(file) => file.changes.push(change),
            None => files.push(Edited { path: &edit.path, shown, changes: vec![change] }),
        }
    }
    files
}

impl Edited<'_> {
    /// Whether the change could be one of those, by its text alone: nothing is read for this.
    fn needs_check(&self, settings: &Settings) -> bool {
        let is_test = is_test_file(self.shown);
        let language = Language::from_path(self.shown);
        CheckConfig::from_path(self.shown).is_some()
            || self.changes.iter().any(|change| match change {
                Change::Delete | Change::Move { .. } => is_test || self.is_test_folder(),
                Change::Write { .. } | Change::Replace { .. } | Change::Cell { .. } => {
                    let could_lose =
                        is_test || (language == Some(Language::Rust) && could_lose_tests(change));
                    let added = change.added();
                    could_lose
                        || language
                            .is_some_and(|it| markers::could_be_in(added, (it, is_test), &settings.also))
                }
            })
    }

    /// Whether a marker could go away.
    fn could_lose_markers(&self, settings: &Settings) -> bool {
        let Some(language) = Language::from_path(self.shown) else { return false };
        self.changes.iter().any(|change| match change {
            Change::Replace { old, .. } => {
                markers::could_be_in(old, (language, is_test_file(self.shown)), &settings.also)
            }
            Change::Write { .. } => true,
            Change::Cell { .. } | Change::Delete | Change::Move { .. } => false,
        })
    }

    fn is_test_folder(&self) -> bool {
        self.shown.rsplit('/').next().is_some_and(is_test_folder)
    }

    fn is_exempt(&self, settings: &Settings) -> bool {
        any_matches(&settings.exempt, self.shown)
    }

    fn report(&self, situation: &Situation<'_>, settings: &Settings) -> Option<Report> {
        let leaves = |change: &&Change| match change {
            Change::Move { to } => {
                let to = situation.world.real_path(&situation.event.cwd, to);
                is_test_file(self.shown) && !is_test_file(&to)
            }
            _ => false,
        };
        let world = situation.world;
        if self.is_test_folder() && self.changes.contains(&&Change::Delete) {
            return folder_report(world, self.path);
        }
        let is_gone = self.changes.iter().any(leaves);
        let changes = if is_gone { vec![&Change::Delete] } else { self.changes.clone() };
        let texts = Texts::compute(world, self.path, &changes)?;
        Some(compare(self.shown, texts.versions(), settings))
    }
}

/// Whether a change to a Rust module could take tests or assertions away.
fn could_lose_tests(change: &Change) -> bool {
    match change {
        Change::Replace { old, .. } => {
            old.contains("test]") || old.contains("test(") || old.contains("assert")
        }
        Change::Write { .. } => true,
        Change::Cell { .. } | Change::Delete | Change::Move { .. } => false,
    }
}

/// What a folder of tests takes with it.
fn folder_report(world: &dyn World, folder: &str) -> Option<Report> {
    let name = tests_below(world, folder, 3)?;
    let what = format!("the folder goes away with all tests in it, e.g. `{name}`");
    let finding = Finding { kind: Kind::DeletedTest, what, line: None, is_justified: false };
    Some(Report { findings: vec![finding], ..Report::default() })
}

/// A file of tests in or below a folder.
fn tests_below(world: &dyn World, folder: &str, depth: usize) -> Option<String> {
    let names = world.list(folder);
    let path = |name: &String| format!("{folder}/{name}");
    if let Some(name) = names.iter().find(|name| is_test_file(&path(name))) {
        return Some(name.clone());
    }
    let deeper = depth.checked_sub(1)?;
    let folders =
        names.iter().take(50).map(path).filter(|it| world.stat(it).is_some_and(|stat| stat.is_folder));
    folders.into_iter().find_map(|folder| tests_below(world, &folder, deeper))
}

/// A marker that goes from one file to another in the same call is not new.
fn drop_moved_markers(reports: &mut [(&str, Report)]) {
    let mut lost: Vec<String> =
        reports.iter().flat_map(|(_, report)| report.removed_markers.iter().cloned()).collect();
    for (_, report) in reports {
        report.findings.retain(|finding| match lost.iter().position(|text| *text == finding.what) {
            Some(at) => {
                lost.swap_remove(at);
                false
            }
            None => true,
        });
    }
}

/// A test that went to another file, now or earlier in this session, is not gone; nor is one that
/// the session itself brought.
fn report_lost_tests(situation: &Situation<'_>, reports: &mut [(&str, Report)]) -> Result<(), PolicyError> {
    let came: Vec<String> =
        reports.iter().flat_map(|(_, report)| report.added_tests.iter().cloned()).collect();
    let is_open = reports.iter().any(|(_, report)| report.fewer_tests > 0);
    if came.is_empty() && !is_open {
        return Ok(());
    }
    let mut remembered: Vec<String> = situation.recall()?;
    let known: BTreeSet<&str> = remembered.iter().chain(&came).map(String::as_str).collect();
    for (_, report) in reports.iter_mut().filter(|(_, report)| report.fewer_tests > 0) {
        report.removed_tests.retain(|name| !known.contains(name.as_str()));
        let count = report.fewer_tests.min(report.removed_tests.len());
        if count > 0 {
            report.findings.push(lost_tests_finding(count, &report.removed_tests));
        }
    }
    if !came.is_empty() {
        remembered.retain(|name| !came.contains(name));
        remembered.extend(came);
        let oldest = remembered.len().saturating_sub(MOST_NAMES);
        remembered.drain(..oldest);
        situation.remember(&remembered)?;
    }
    Ok(())
}

fn lost_tests_finding(count: usize, names: &[String]) -> Finding {
    let shown: Vec<String> = names.iter().take(3).map(|name| format!("`{name}`")).collect();
    let tests = format!("{} {} away", text::counted(count, "test"), text::plural(count, "goes", "go"));
    let what = format!("{tests}: {}{}", shown.join(", "), if names.len() > 3 { ", …" } else { "" });
    Finding { kind: Kind::DeletedTest, what, line: None, is_justified: false }
}
