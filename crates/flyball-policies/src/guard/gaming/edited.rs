//! The files that a call edits, and how they are compared.

use flyball_core::event::Change;
use flyball_core::facts::SeenEdit;
use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{Situation, World};
use flyball_effects::lex::Language;

use super::check_config::CheckConfig;
use super::compare::{Finding, Kind, Report, compare};
use super::markers;
use super::pipelines;
use super::settings::Settings;
use super::test_files::{is_test_file, is_test_folder};
use super::versions::Texts;
use crate::globs::any_matches;

/// A file that is edited, with all that a call does to it.
pub(super) struct Edited<'a> {
    pub(super) path: &'a AbsolutePath,
    /// Relative to the project.
    pub(super) shown: &'a str,
    pub(super) changes: Vec<&'a Change>,
}

/// The edits file by file, in their order; files outside of the project are left out.
pub(super) fn group_by_file<'a>(edits: &'a [SeenEdit], world: &'a dyn World) -> Vec<Edited<'a>> {
    let root = world.project_root();
    let mut files: Vec<Edited<'a>> = Vec::new();
    for edit in edits {
        let (Some(shown), Some(change)) = (strip_folder(&edit.path, root), &edit.change) else { continue };
        match files.iter_mut().find(|file| *file.path == edit.path) {
            Some(file) => file.changes.push(change),
            None => files.push(Edited { path: &edit.path, shown, changes: vec![change] }),
        }
    }
    files
}

impl Edited<'_> {
    /// Whether the change could weaken a check, by its text alone: no file is read for this.
    pub(super) fn needs_check(&self, settings: &Settings) -> bool {
        let is_test = is_test_file(self.shown);
        let language = Language::from_path(self.shown);
        CheckConfig::from_path(self.shown).is_some()
            || self.changes.iter().any(|change| pipelines::may_be_lost(self.shown, change))
            || self.changes.iter().any(|change| match change {
                Change::Delete | Change::Move { .. } => is_test || self.is_test_folder(),
                Change::Write { .. } | Change::Replace { .. } | Change::Cell { .. } => {
                    // Rust has unit tests in the module that they test.
                    let could_lose =
                        is_test || (language == Some(Language::Rust) && could_lose_tests(change));
                    let added = change.added();
                    could_lose
                        || language
                            .is_some_and(|it| markers::could_be_in(added, (it, is_test), &settings.also))
                }
            })
    }

    /// Whether a marker could be removed.
    pub(super) fn could_lose_markers(&self, settings: &Settings) -> bool {
        let Some(language) = Language::from_path(self.shown) else { return false };
        self.changes.iter().any(|change| match change {
            Change::Replace { old, .. } => {
                markers::could_be_in(old, (language, is_test_file(self.shown)), &settings.also)
            }
            // What it replaces is only on disk.
            Change::Write { .. } => true,
            Change::Cell { .. } | Change::Delete | Change::Move { .. } => false,
        })
    }

    /// Whether the whole file is deleted.
    pub(super) fn is_deleted(&self) -> bool {
        self.changes.iter().all(|change| matches!(change, Change::Delete))
    }

    fn is_test_folder(&self) -> bool {
        self.shown.rsplit('/').next().is_some_and(is_test_folder)
    }

    pub(super) fn is_exempt(&self, settings: &Settings) -> bool {
        any_matches(&settings.exempt, self.shown)
    }

    pub(super) fn report(&self, situation: &Situation<'_>, settings: &Settings) -> Option<Report> {
        let leaves = |change: &&Change| match change {
            Change::Move { to } => {
                let to = situation.world.real_path(&situation.event.cwd, to);
                is_test_file(self.shown) && !is_test_file(&to)
            }
            _ => false,
        };
        let world = situation.world;
        let with_name: Vec<(&str, &Change)> =
            self.changes.iter().map(|change| (self.shown, *change)).collect();
        if let Some(report) = pipelines::report(world, self.path, &with_name) {
            return Some(report);
        }
        if self.is_test_folder() && self.changes.contains(&&Change::Delete) {
            return folder_report(world, self.path);
        }
        // Under a name that is not a test's it no longer runs, as if it were deleted.
        let is_deleted = self.changes.iter().any(leaves);
        let changes = if is_deleted { vec![&Change::Delete] } else { self.changes.clone() };
        let texts = Texts::compute(world, self.path, &changes)?;
        Some(compare(self.shown, texts.versions(), settings))
    }
}

/// Whether a change to a Rust module could remove tests or assertions.
fn could_lose_tests(change: &Change) -> bool {
    match change {
        Change::Replace { old, .. } => {
            old.contains("test]") || old.contains("test(") || old.contains("assert")
        }
        Change::Write { .. } => true,
        Change::Cell { .. } | Change::Delete | Change::Move { .. } => false,
    }
}

/// The test files that are deleted with a folder.
fn folder_report(world: &dyn World, folder: &AbsolutePath) -> Option<Report> {
    let name = tests_below(world, folder, 3)?;
    let what = format!("the folder is deleted with all tests in it, e.g. `{name}`");
    let finding = Finding { kind: Kind::DeletedTest, what, line: None, is_justified: false };
    Some(Report { findings: vec![finding], ..Report::default() })
}

/// The name of a test file in or below a folder.
fn tests_below(world: &dyn World, folder: &AbsolutePath, depth: usize) -> Option<String> {
    let names = world.list(folder);
    let path = |name: &String| folder.join(name);
    if let Some(name) = names.iter().find(|name| is_test_file(&path(name))) {
        return Some(name.clone());
    }
    let deeper = depth.checked_sub(1)?;
    // One name is enough for the message, so a large tree is not searched completely.
    let folders =
        names.iter().take(50).map(path).filter(|it| world.stat(it).is_some_and(|stat| stat.is_folder));
    folders.into_iter().find_map(|folder| tests_below(world, &folder, deeper))
}
