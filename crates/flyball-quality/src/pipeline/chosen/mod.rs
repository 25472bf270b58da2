//! Which linters a project chose. One that it did not choose does not act on its files.

mod section;
mod sign;
mod sources;
mod words;

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use self::sign::Sign;
use self::sources::Sources;
use super::applies::{applies_to_path, has_files};
use super::keys::{DiskState, ancestors};
use crate::linter::{Linter, Origin};
use crate::settings::Settings;

/// What chose a linter for the files of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The project, by this file: `pyproject.toml [tool.ruff]`, `.pre-commit-config.yaml`.
    Project(String),
    /// Whoever wrote flyball.toml asked for it by its name.
    Asked,
    /// It is a linter of flyball.toml itself.
    Own,
    /// It is a part of flyball.
    BuiltIn,
}

impl Choice {
    /// Whether what it finds is advice at most: the project did not choose its rules.
    #[must_use]
    pub const fn only_advises(&self) -> bool {
        matches!(self, Choice::Asked)
    }

    /// What chose it, for people.
    #[must_use]
    pub fn describe(&self, linter: &str) -> String {
        match self {
            Choice::Project(by) => by.clone(),
            Choice::Asked => format!("`quality.linters.{linter}.enabled` in flyball.toml (it only advises)"),
            Choice::Own => format!("`[quality.linters.{linter}]` in flyball.toml"),
            Choice::BuiltIn => "a part of flyball".to_owned(),
        }
    }
}

/// Which linters act on which files of a project, and why.
pub struct ChoiceFinder<'a> {
    settings: &'a Settings,
    workshop: &'a dyn Workshop,
    disk: DiskState,
    choices: Choices,
}

impl<'a> ChoiceFinder<'a> {
    #[must_use]
    pub fn new(settings: &'a Settings, workshop: &'a dyn Workshop) -> ChoiceFinder<'a> {
        ChoiceFinder { settings, workshop, disk: DiskState::default(), choices: Choices::default() }
    }

    /// What chose a linter for a file below the project's root; `None` if it does not act on it.
    #[must_use]
    pub fn find(&mut self, linter: &Linter, file: &str) -> Option<Choice> {
        let folder = self.workshop.project_root().join(file).folder();
        if !applies_to_path(linter, file, self.settings)
            || !has_files(&mut self.disk, self.workshop, &linter.entry, &folder)
        {
            return None;
        }
        self.choices.find(self.workshop, (linter, &self.settings.linters), &folder)
    }
}

/// The choices of a project, looked up once.
#[derive(Default)]
pub(super) struct Choices {
    sources: Sources,
    known: BTreeMap<(String, AbsolutePath), Option<Choice>>,
}

impl Choices {
    /// What chose a linter for the files of a folder; `None` if nothing did, or another linter does its work there.
    pub(super) fn find(
        &mut self,
        workshop: &dyn Workshop,
        (linter, all): (&Linter, &[Linter]),
        folder: &AbsolutePath,
    ) -> Option<Choice> {
        let place = (linter.name.clone(), folder.clone());
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let choice = self.look(workshop, (linter, all), folder);
        self.known.insert(place, choice.clone());
        choice
    }

    fn look(
        &mut self,
        workshop: &dyn Workshop,
        (linter, all): (&Linter, &[Linter]),
        folder: &AbsolutePath,
    ) -> Option<Choice> {
        if linter.origin == Origin::Own {
            return Some(Choice::Own);
        }
        if let Some(by) = self.sign(workshop, linter.entry.chosen_by.as_deref(), folder) {
            return Some(Choice::Project(by));
        }
        let hint = self.sign(workshop, linter.entry.hints.as_deref(), folder);
        let weak = match (hint, linter.origin) {
            (Some(by), _) => Choice::Project(by),
            (None, Origin::Asked) => Choice::Asked,
            (None, _) if linter.entry.is_builtin() => Choice::BuiltIn,
            (None, _) => return None,
        };
        let owners = linter.entry.yields_to.as_deref().unwrap_or_default();
        let mut owners = all.iter().filter(|other| owners.contains(&other.name));
        let is_taken = owners.any(|owner| self.is_chosen(workshop, owner, folder));
        (!is_taken).then_some(weak)
    }

    /// Whether a project chose a linter by itself.
    fn is_chosen(&mut self, workshop: &dyn Workshop, linter: &Linter, folder: &AbsolutePath) -> bool {
        linter.origin == Origin::Own
            || self.sign(workshop, linter.entry.chosen_by.as_deref(), folder).is_some()
    }

    /// The first of these signs that is in a folder or one above it, up to the project's root, and the file it is in.
    fn sign(
        &mut self,
        workshop: &dyn Workshop,
        signs: Option<&[String]>,
        folder: &AbsolutePath,
    ) -> Option<String> {
        let signs: Vec<Sign<'_>> = signs.unwrap_or_default().iter().map(|sign| Sign::parse(sign)).collect();
        if signs.is_empty() {
            return None;
        }
        let root = workshop.project_root().clone();
        ancestors(&root, folder).find_map(|folder| {
            let found = signs.iter().find_map(|sign| self.sources.find(workshop, sign, &folder))?;
            Some(match folder.strip_folder(&root) {
                Some(below) => format!("{below}/{found}"),
                None => found,
            })
        })
    }
}
