//! Everything in a project that names one linter, seen from one folder.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use super::left_out::{self, OwnFiles};
use super::options::{self, Taken};
use super::sign::{Sign, Words};
use super::sources::Sources;
use super::uses::{Covered, Use, UseKind};
use crate::linter::{Linter, Patterns, Reach};
use crate::pipeline::globs;
use crate::pipeline::keys::ancestors;

/// First words of commands that say what to do, and are not files.
const VERBS: &[&str] = &["analyse", "check", "ci", "fix", "fmt", "format", "lint", "run", "scan"];
/// An option with which a command cannot fail, so that it only advises.
const ADVISES: &str = "--exit-zero";

/// What names a linter in a folder and those above it, up to the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidate {
    /// The nearest part of a file that is its own.
    section: Option<Found>,
    /// The nearest file.
    file: Option<Found>,
    /// The nearest list of packages.
    package: Option<Found>,
    /// The nearest weaker sign.
    pub hint: Option<Found>,
    /// The commands that run it, the nearest first.
    pub runs: Vec<Run>,
    /// The files that its own config is for.
    pub own_files: OwnFiles,
}

/// A sign, and how many folders it is above.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub distance: usize,
    /// Where it is, for people.
    pub by: String,
}

/// A command that runs a linter.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub found: Found,
    pub taken: Taken,
    /// The folder of the file that names it.
    folder: AbsolutePath,
    used: Use,
    /// How it writes which files are left out.
    patterns: Patterns,
    /// What it is given; `None` for all files.
    paths: Option<Vec<String>>,
}

/// How near a linter is to a file, and by what. The smaller one is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Standing {
    pub distance: usize,
    pub strength: Strength,
}

/// By what a project chose a linter, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// It runs it.
    Run,
    /// It configures it.
    Config,
    /// It only has the package, which may be there for something else.
    Package,
}

/// What is looked for.
struct Signs<'s> {
    sections: Vec<Sign<'s>>,
    files: Vec<Sign<'s>>,
    words: Vec<Words<'s>>,
    hints: Vec<Sign<'s>>,
    /// Commands that show that the others do not count.
    not_if_run: Vec<Words<'s>>,
}

impl Candidate {
    pub(super) fn look(
        sources: &mut Sources,
        workshop: &dyn Workshop,
        linter: &Linter,
        folder: &AbsolutePath,
    ) -> Candidate {
        let signs = Signs::of(linter);
        let root = workshop.project_root().clone();
        let mut candidate = Candidate::default();
        let mut is_wanted = true;
        for (distance, folder) in ancestors(&root, folder).enumerate() {
            let place = |found: &str| match folder.strip_folder(&root) {
                Some(below) => format!("{below}/{found}"),
                None => found.to_owned(),
            };
            let found = |by: &str| Found { distance, by: place(by) };
            let mut config = |signs: &[Sign<'_>]| {
                signs.iter().find_map(|sign| sources.config(workshop, sign, &folder)).map(|by| found(&by))
            };
            candidate.section = candidate.section.take().or_else(|| config(&signs.sections));
            candidate.file = candidate.file.take().or_else(|| config(&signs.files));
            candidate.hint = candidate.hint.take().or_else(|| config(&signs.hints));
            for (name, used) in sources.uses(workshop, &folder) {
                is_wanted &=
                    used.kind == UseKind::Package || !signs.not_if_run.iter().any(|words| used.is(words));
                let Some(words) = signs.words.iter().find(|words| used.is(words)) else { continue };
                let found = found(&format!("{name}: {}", shown(words)));
                match used.kind {
                    UseKind::Package => candidate.package = candidate.package.take().or(Some(found)),
                    UseKind::Run => candidate.runs.push(Run::new(linter, used, found, &folder)),
                }
            }
        }
        if is_switched_off(sources, workshop, linter, folder) {
            return Candidate::default();
        }
        if !is_wanted && candidate.runs.is_empty() {
            candidate = Candidate { section: candidate.section, ..Candidate::default() };
        }
        // What is not chosen at all needs no second look.
        if candidate.is_chosen() {
            let configs = linter.entry.config_files.as_deref().unwrap_or_default();
            candidate.own_files = OwnFiles::look(sources, workshop, configs, folder);
        }
        candidate.runs.iter_mut().for_each(|run| run.look_for_paths(workshop));
        if candidate.runs.iter().any(|run| !run.advises()) {
            candidate.runs.retain(|run| !run.advises());
        }
        candidate
    }

    fn is_chosen(&self) -> bool {
        self.config().or(self.package.as_ref()).or(self.hint.as_ref()).is_some() || !self.runs.is_empty()
    }

    /// The nearest config.
    fn config(&self) -> Option<&Found> {
        self.section.iter().chain(&self.file).min_by_key(|found| found.distance)
    }

    /// The commands that run the linter on a file, the nearest first.
    pub(super) fn runs_on<'c>(&'c self, path: &AbsolutePath) -> Vec<(&'c Run, Covered)> {
        let covered = self.runs.iter().map(|run| (run, run.covers(path)));
        covered.filter(|(_, covered)| *covered != Covered::No).collect()
    }

    /// How the project chose the linter for a file; `None` if it did not, or only by weaker signs.
    pub(super) fn standing(&self, linter: &Linter, path: &AbsolutePath) -> Option<Standing> {
        let is_for_project = linter.entry.reach.unwrap_or_default() == Reach::Project;
        let runs = self.runs_on(path);
        // Where a project runs it on some files, it is for those.
        if runs.is_empty() && !self.runs.is_empty() && !is_for_project {
            return None;
        }
        let run = runs.first().map(|(run, _)| run.found.distance);
        let run = run.or_else(|| self.runs.first().map(|run| run.found.distance));
        let run = run.map(|distance| Standing { distance, strength: Strength::Run });
        let config =
            self.config().map(|found| Standing { distance: found.distance, strength: Strength::Config });
        // A package may be there for something else, so that any other sign is nearer.
        let package =
            self.package.as_ref().map(|_| Standing { distance: usize::MAX, strength: Strength::Package });
        run.into_iter().chain(config).min().or(package)
    }

    /// What chose it, for people: what is the strongest sign.
    pub(super) fn by(&self, path: &AbsolutePath) -> Option<&str> {
        let run = self.runs_on(path).first().map(|(run, _)| &run.found);
        let found =
            self.config().or(run).or(self.runs.first().map(|run| &run.found)).or(self.package.as_ref());
        found.map(|found| found.by.as_str())
    }
}

impl Run {
    fn new(linter: &Linter, used: &Use, found: Found, folder: &AbsolutePath) -> Run {
        let at = if used.files.folder.is_empty() { folder.clone() } else { folder.join(&used.files.folder) };
        let tool = used.name.rsplit('/').next().unwrap_or_default();
        let taken = options::take(linter.entry.options.as_ref(), tool, &used.arguments, &at);
        let patterns = linter.entry.config_files.iter().flatten().map(|config| config.patterns).next();
        let patterns = patterns.unwrap_or_default();
        Run { found, taken, folder: folder.clone(), used: used.clone(), patterns, paths: None }
    }

    fn advises(&self) -> bool {
        self.used.arguments.iter().any(|word| word.is(ADVISES))
    }

    /// Which of its operands are files. A word that is neither there nor a glob may be the value of an option.
    fn look_for_paths(&mut self, workshop: &dyn Workshop) {
        let files = &self.used.files;
        if files.is_elsewhere || self.taken.operands.iter().any(Option::is_none) {
            return;
        }
        let at = if files.folder.is_empty() { self.folder.clone() } else { self.folder.join(&files.folder) };
        let operands = self.taken.operands.iter().flatten().map(String::as_str);
        let operands = operands.enumerate().filter(|(at, word)| *at > 0 || !VERBS.contains(word));
        let mut paths = Vec::new();
        for (_, operand) in operands {
            let plain = operand.strip_prefix("./").unwrap_or(operand).trim_end_matches('/');
            // `{staged_files}` stands for files that a runner puts there.
            let is_filled_in = plain.starts_with('{') && plain.ends_with('}') && !plain.contains([',', '*']);
            if plain.is_empty() || plain == "." || is_filled_in {
                return;
            }
            if is_glob(plain) || workshop.stat(&at.join(plain)).is_some() {
                paths.push(plain.to_owned());
            }
        }
        self.paths = (!paths.is_empty()).then_some(paths);
    }

    fn covers(&self, path: &AbsolutePath) -> Covered {
        let Some(file) = path.strip_folder(&self.folder) else { return Covered::No };
        let below = match self.used.files.folder.as_str() {
            "" => Some(file),
            folder => file.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
        };
        let is_given = |below: &str| {
            self.paths.as_ref().is_none_or(|paths| paths.iter().any(|path| is_at_or_below(below, path)))
        };
        match below {
            Some(below) if is_given(below) => {
                match left_out::excludes(&self.taken.excluded, self.patterns, below) {
                    Covered::Yes => Covered::No,
                    Covered::Unknown => Covered::Unknown,
                    Covered::No => self.used.files.covers(file),
                }
            }
            _ => Covered::No,
        }
    }
}

/// Whether the nearest config says that the linter is not used.
fn is_switched_off(
    sources: &mut Sources,
    workshop: &dyn Workshop,
    linter: &Linter,
    folder: &AbsolutePath,
) -> bool {
    let Some(key) = linter.entry.off_if.as_deref() else { return false };
    let names = linter.entry.configs.as_deref().unwrap_or_default();
    let mut text = |folder: AbsolutePath| {
        names.iter().find_map(|name| {
            let text = sources.text(workshop, &folder.join(name))?;
            Some(left_out::value(name, text, key))
        })
    };
    let nearest = ancestors(workshop.project_root(), folder).find_map(&mut text);
    nearest.flatten().is_some_and(|value| value == "false")
}

fn is_glob(word: &str) -> bool {
    word.contains(['*', '{', '['])
}

fn is_at_or_below(file: &str, path: &str) -> bool {
    if is_glob(path) {
        return globs::matches_path(path, file);
    }
    file == path || file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
}

fn shown(words: &Words<'_>) -> String {
    std::iter::once(words.name).chain(words.verbs.iter().copied()).collect::<Vec<_>>().join(" ")
}

impl<'s> Signs<'s> {
    fn of(linter: &'s Linter) -> Signs<'s> {
        let parse = |signs: &'s Option<Vec<String>>| signs.iter().flatten().map(|sign| Sign::parse(sign));
        let entry = &linter.entry;
        Signs {
            sections: parse(&entry.chosen_by).filter(|sign| matches!(sign, Sign::Section { .. })).collect(),
            files: parse(&entry.chosen_by).filter(|sign| matches!(sign, Sign::File(_))).collect(),
            words: parse(&entry.chosen_by).filter_map(Sign::words).collect(),
            hints: parse(&entry.hints).collect(),
            not_if_run: parse(&entry.not_if_run).filter_map(Sign::words).collect(),
        }
    }
}
