//! Which linters a project chose, for which files, and how it runs them. One that it did not choose does not act on its files.

mod candidate;
mod commands;
mod left_out;
mod options;
mod readers;
mod section;
mod sign;
mod sources;
mod uses;

use std::collections::BTreeMap;
use std::rc::Rc;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Places, ProgramQuery, Workshop};

use self::candidate::{Candidate, Standing, Strength};
use self::sign::Sign;
use self::sources::Sources;
use self::uses::{Covered, Names};
use super::applies::{applies_to_path, has_files};
use super::globs;
use super::keys::DiskState;
use crate::linter::{Entry, Linter, Origin};
use crate::settings::Settings;

/// What chose a linter for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The project.
    Project(ProjectChoice),
    /// Whoever wrote flyball.toml asked for it by its name.
    Asked,
    /// It is a linter of flyball.toml itself.
    Own,
    /// It is a part of flyball.
    BuiltIn,
}

/// How a project uses a linter that it chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectChoice {
    /// What chose it: `pyproject.toml [tool.ruff]`, `.pre-commit-config.yaml: black`.
    pub by: String,
    /// The options of the project's own command that are used too.
    pub options: Vec<String>,
    /// Whether one of them names a file of the project.
    pub names_files: bool,
    /// Why it does not write files, if it does not.
    pub does_not_write: Option<String>,
}

impl Choice {
    /// Whether what it finds is advice at most: the project did not choose its rules.
    #[must_use]
    pub const fn only_advises(&self) -> bool {
        matches!(self, Choice::Asked)
    }

    /// How the project uses it, if the project chose it.
    #[must_use]
    pub const fn of_project(&self) -> Option<&ProjectChoice> {
        match self {
            Choice::Project(choice) => Some(choice),
            Choice::Asked | Choice::Own | Choice::BuiltIn => None,
        }
    }

    /// What chose it, for people.
    #[must_use]
    pub fn describe(&self, linter: &str) -> String {
        match self {
            Choice::Project(choice) => choice.describe(),
            Choice::Asked => format!("`quality.linters.{linter}.enabled` in flyball.toml (it only advises)"),
            Choice::Own => format!("`[quality.linters.{linter}]` in flyball.toml"),
            Choice::BuiltIn => "a part of flyball".to_owned(),
        }
    }
}

impl ProjectChoice {
    fn describe(&self) -> String {
        let mut text = self.by.clone();
        if !self.options.is_empty() {
            text.push_str(&format!(", with `{}`", self.options.join(" ")));
        }
        if let Some(why) = &self.does_not_write {
            text.push_str(&format!(" (it does not write: {why})"));
        }
        text
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
        let choices = Choices::new(&settings.linters);
        ChoiceFinder { settings, workshop, disk: DiskState::default(), choices }
    }

    /// What chose a linter for a file below the project's root; `None` if it does not act on it.
    #[must_use]
    pub fn find(&mut self, linter: &Linter, file: &str) -> Option<Choice> {
        let path = self.workshop.project_root().join(file);
        if !applies_to_path(linter, file, self.settings)
            || !has_files(&mut self.disk, self.workshop, &linter.entry, &path.folder())
        {
            return None;
        }
        self.choices.find(self.workshop, (linter, &self.settings.linters), &path)
    }
}

impl ChoiceFinder<'_> {
    /// How many bytes of the project's files were read so far, to measure what choosing costs.
    #[must_use]
    pub const fn bytes_read(&self) -> usize {
        self.choices.sources.bytes_read
    }
}

/// The choices of a project, looked up once.
pub(super) struct Choices {
    sources: Sources,
    /// By folder, then by linter.
    candidates: BTreeMap<AbsolutePath, BTreeMap<String, Rc<Candidate>>>,
}

impl Choices {
    /// For these linters.
    pub(super) fn new(linters: &[Linter]) -> Choices {
        let signs = linters.iter().flat_map(|linter| {
            let Entry { chosen_by, not_if_run, .. } = &linter.entry;
            chosen_by.iter().chain(not_if_run).flatten()
        });
        let names = signs.filter_map(|sign| Some(Sign::parse(sign).words()?.name));
        Choices { sources: Sources::new(Names::new(names)), candidates: BTreeMap::new() }
    }

    /// What chose a linter for a file; `None` if nothing did, or another linter does its work there.
    pub(super) fn find(
        &mut self,
        workshop: &dyn Workshop,
        (linter, all): (&Linter, &[Linter]),
        path: &AbsolutePath,
    ) -> Option<Choice> {
        if linter.origin == Origin::Own {
            return Some(Choice::Own);
        }
        let candidate = self.candidate(workshop, linter, &path.folder());
        match candidate.standing(linter, path) {
            Some(standing) => {
                let mut rivals = rivals(linter, all, workshop, path);
                let is_taken = rivals.any(|rival| {
                    let theirs = self.candidate(workshop, rival, &path.folder()).standing(rival, path);
                    theirs.is_some_and(|theirs| loses((linter, standing), (rival, theirs)))
                });
                if is_taken {
                    return None;
                }
                self.in_config(workshop, linter, path, project_choice(&candidate, linter, path))
            }
            // Where a project runs it, but not on this file, weaker signs do not count.
            None if !candidate.runs.is_empty() => None,
            None => self.weak_choice(workshop, (linter, all), path),
        }
    }

    fn weak_choice(
        &mut self,
        workshop: &dyn Workshop,
        (linter, all): (&Linter, &[Linter]),
        path: &AbsolutePath,
    ) -> Option<Choice> {
        let hint = self.candidate(workshop, linter, &path.folder()).hint.clone();
        let weak = match (hint, linter.origin) {
            (Some(hint), _) => {
                let choice = ProjectChoice { by: hint.by, ..ProjectChoice::default() };
                self.in_config(workshop, linter, path, choice)?
            }
            (None, Origin::Asked) => Choice::Asked,
            (None, _) if linter.entry.is_builtin() => Choice::BuiltIn,
            (None, _) => return None,
        };
        let owners = linter.entry.yields_to.as_deref().unwrap_or_default();
        let owners = all.iter().filter(|other| owners.contains(&other.name));
        let mut owners = owners.chain(rivals(linter, all, workshop, path));
        let is_taken = owners.any(|owner| {
            let finds_what_does_not_compile =
                linter.entry.compiles == Some(true) && linter.entry.job.is_none();
            if finds_what_does_not_compile && !is_there(workshop, owner, path) {
                return false;
            }
            let candidate = self.candidate(workshop, owner, &path.folder());
            owner.origin == Origin::Own
                || candidate.standing(owner, path).is_some()
                || (weak == Choice::Asked && candidate.hint.is_some())
        });
        (!is_taken).then_some(weak)
    }

    /// The choice, unless the linter's own config leaves the file out.
    fn in_config(
        &mut self,
        workshop: &dyn Workshop,
        linter: &Linter,
        path: &AbsolutePath,
        choice: ProjectChoice,
    ) -> Option<Choice> {
        match self.candidate(workshop, linter, &path.folder()).own_files.covers(path) {
            Covered::No => None,
            Covered::Yes => Some(Choice::Project(choice)),
            Covered::Unknown => {
                let why = || "its config leaves out files by a pattern that cannot be read".to_owned();
                let does_not_write =
                    choice.does_not_write.or_else(|| linter.entry.format.is_some().then(why));
                Some(Choice::Project(ProjectChoice { does_not_write, ..choice }))
            }
        }
    }

    fn candidate(
        &mut self,
        workshop: &dyn Workshop,
        linter: &Linter,
        folder: &AbsolutePath,
    ) -> Rc<Candidate> {
        if let Some(known) = self.candidates.get(folder).and_then(|here| here.get(&linter.name)) {
            return Rc::clone(known);
        }
        let candidate = Rc::new(Candidate::look(&mut self.sources, workshop, linter, folder));
        let here = self.candidates.entry(folder.clone()).or_default();
        here.insert(linter.name.clone(), Rc::clone(&candidate));
        candidate
    }
}

/// Whether the program of a linter is installed.
fn is_there(workshop: &dyn Workshop, linter: &Linter, path: &AbsolutePath) -> bool {
    let query = |name: &str| ProgramQuery {
        name: name.to_owned(),
        near: path.folder(),
        places: Places::ProjectFirst,
    };
    linter.entry.program().is_some_and(|name| workshop.find(&query(name)).is_some())
}

/// The other linters of the same job that are for a file.
fn rivals<'l>(
    linter: &'l Linter,
    all: &'l [Linter],
    workshop: &dyn Workshop,
    path: &AbsolutePath,
) -> impl Iterator<Item = &'l Linter> {
    let file = path.strip_folder(workshop.project_root()).unwrap_or(path).to_owned();
    let is_for = move |entry: &Entry| {
        globs::any(entry.files.as_deref().unwrap_or_default(), &file)
            && !globs::any(entry.exclude.as_deref().unwrap_or_default(), &file)
    };
    all.iter().filter(move |other| {
        linter.entry.job.is_some()
            && other.entry.job == linter.entry.job
            && other.name != linter.name
            && is_for(&other.entry)
    })
}

/// Whether a linter leaves a file to another one of the same job: the nearest one does it.
fn loses((linter, ours): (&Linter, Standing), (rival, theirs): (&Linter, Standing)) -> bool {
    // What a project runs both reports both; but only one can decide how a file is formatted.
    let are_both_run = ours.strength == Strength::Run && theirs.strength == Strength::Run;
    if are_both_run && linter.entry.check.is_some() && rival.entry.check.is_some() {
        return false;
    }
    let yields = || linter.entry.yields_to.iter().flatten().any(|name| *name == rival.name);
    theirs < ours || (theirs == ours && yields())
}

/// How a project uses a linter on a file.
fn project_choice(candidate: &Candidate, linter: &Linter, path: &AbsolutePath) -> ProjectChoice {
    let by = candidate.by(path).unwrap_or_default().to_owned();
    let runs = candidate.runs_on(path);
    let nearest = runs.first().map_or(0, |(run, _)| run.found.distance);
    let mut runs: Vec<_> = runs.into_iter().filter(|(run, _)| run.found.distance == nearest).collect();
    // One without options checks by the config alone, and so all that others check.
    runs.sort_by_key(|(run, _)| !run.taken.options.is_empty());
    let Some((first, _)) = runs.first() else { return ProjectChoice { by, ..ProjectChoice::default() } };
    let formats = linter.entry.format.is_some();
    let why = runs.iter().find_map(|(run, covered)| {
        if let Some(option) = &run.taken.left {
            return Some(format!("`{option}` in {} cannot be taken over", run.found.by));
        }
        if *covered == Covered::Unknown {
            return Some(format!("the files of {} cannot be read", run.found.by));
        }
        let differs = run.taken.options != first.taken.options;
        differs.then(|| format!("{} and {} have different options", first.found.by, run.found.by))
    });
    ProjectChoice {
        by,
        options: first.taken.options.clone(),
        names_files: first.taken.names_files,
        does_not_write: why.filter(|_| formats),
    }
}
