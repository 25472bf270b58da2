//! Queries git. Never changes a repository.

mod alone;
mod changes;
mod form;
mod index;
mod places;
mod program;
mod repository;
mod run;
mod sources;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, PolicyError};
use flyball_core::world::Wearer;

pub use self::alone::{Called, starts_only_the_systems};
use self::form::Asked;
pub(crate) use self::program::MISLEADING;
use self::run::{Finished, MOST_BYTES, not_answered, run_up_to};
use crate::real_path::real_path;

/// The main worktree of the repository, if `root` is another worktree of it.
pub(crate) fn main_worktree(root: &Path) -> Option<PathBuf> {
    let pointer = root.join(".git");
    // In the main worktree it is a folder, which cannot be read as text. The path may be relative to the worktree.
    let text = fs::read_to_string(&pointer).ok()?;
    let folder = real_path(&root.join(text.strip_prefix("gitdir: ")?.trim_end()));
    // Anyone can write such a file; only the repository itself knows its worktrees.
    let back = fs::read_to_string(folder.join("gitdir")).ok()?;
    let is_known = real_path(&folder.join(back.trim_end())) == real_path(&pointer);
    let common = folder.parent().filter(|parent| parent.ends_with(".git/worktrees"))?.parent()?.parent()?;
    is_known.then(|| common.to_path_buf())
}

/// The data that all checkouts of the repository share in which a folder is.
pub(crate) fn common_folder(folder: &Path) -> Option<PathBuf> {
    places::Places::of(folder).map(|places| places.common)
}

/// What others obey in the data of the repository in which a folder is.
pub struct Obeyed {
    /// Its configuration, and those of its checkouts and submodules.
    pub configs: Vec<PathBuf>,
    /// The folders with its hooks and those of its submodules.
    pub hooks: Vec<PathBuf>,
    /// Files that lead from a checkout to these data, and back.
    pub pointers: Vec<PathBuf>,
    /// The other checkouts.
    pub checkouts: Vec<PathBuf>,
    /// Where the data are.
    pub data: PathBuf,
}

/// The data that all checkouts of the repository share in which a folder is.
#[must_use]
pub fn data_of(folder: &Path) -> Option<PathBuf> {
    common_folder(folder).map(|data| real_path(&data))
}

/// What is obeyed in the repository in which a folder is; `None` if it is in none.
#[must_use]
pub fn obeyed(folder: &Path) -> Option<Obeyed> {
    let places = places::Places::of(folder)?;
    Some(Obeyed {
        configs: places.all_configs(),
        hooks: places.hooks(),
        pointers: places.pointers(),
        checkouts: places.checkouts(),
        data: places.common,
    })
}

/// The files of a repository's data of which one changes when something is committed or checked out.
pub(crate) fn marks(folder: &AbsolutePath) -> Vec<AbsolutePath> {
    let marks = places::Places::of(Path::new(folder)).map(|places| places.marks());
    let path = |file: PathBuf| AbsolutePath::from_root(file.to_string_lossy());
    marks.into_iter().flatten().map(path).collect()
}

/// A call of git in a folder, for a command that a person or git itself started: by the same git as for events, and without
/// the programs that the repository's configuration names. The variables of git are theirs.
///
/// # Errors
/// When git is not there, or does not say which programs its configuration names.
pub fn command_for_person(search: Option<&str>, folder: &Path) -> Result<Command, PolicyError> {
    // The outermost one: a program may be anywhere in what was cloned.
    let cloned = folder.ancestors().filter(|above| above.join(".git").exists()).last();
    let program = program::find(search, cloned.unwrap_or(folder)).ok_or_else(not_found)?;
    let mut command = program::plain_command(&program, folder);
    command.args(program::without_filters(&program, folder)?);
    Ok(command)
}

fn not_found() -> PolicyError {
    PolicyError::World {
        what:
            "git could not be asked: it is not installed, or not in a folder of PATH that only its owner can \
               write to"
                .to_owned(),
        fix: "install git, or add its folder to PATH where the client is started".to_owned(),
    }
}

/// The git of this machine.
pub(crate) struct Git {
    /// Found when it is first needed; `None` if it is not there.
    program: OnceLock<Option<PathBuf>>,
    /// What is searched for it, and the project that it must not be in.
    search: Option<String>,
    project: PathBuf,
    /// Whether it is that of the system, if there is one.
    is_of_system: bool,
    /// Folders that git does not look into for a repository.
    ceilings: Vec<PathBuf>,
    /// Whether git looks for a repository beyond the file system.
    crosses_devices: bool,
    /// Where the user's configuration of git is.
    home: Option<PathBuf>,
    config_home: Option<PathBuf>,
    /// Whether an answer showed that this is git.
    is_proven: AtomicBool,
    /// The last answer to each question.
    answers: Mutex<HashMap<Question, Result<GitAnswer, PolicyError>>>,
    /// Whether these answers are given again.
    is_repeating: AtomicBool,
}

/// Longer lists of files are cut.
const MOST_LISTED_BYTES: usize = 64 * 1024 * 1024;

/// The folder, and the words after `git`.
type Question = (AbsolutePath, Vec<String>);

impl Git {
    /// Finds git in the folders that are searched for programs, except in the project. If the commands of the agent cannot replace the
    /// system's programs, it is that of the system.
    pub(crate) fn find(
        project: &AbsolutePath,
        seatbelt: Option<Wearer>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Git {
        let ceilings = environment("GIT_CEILING_DIRECTORIES").unwrap_or_default();
        Git {
            program: OnceLock::new(),
            search: environment("PATH"),
            project: PathBuf::from(project),
            is_of_system: seatbelt == Some(Wearer::User),
            ceilings: ceilings.split(':').filter(|it| it.starts_with('/')).map(PathBuf::from).collect(),
            crosses_devices: environment("GIT_DISCOVERY_ACROSS_FILESYSTEM").is_some(),
            home: environment("HOME").map(PathBuf::from),
            config_home: environment("XDG_CONFIG_HOME").map(PathBuf::from),
            is_proven: AtomicBool::new(false),
            answers: Mutex::default(),
            is_repeating: AtomicBool::new(false),
        }
    }

    fn program(&self) -> Option<&Path> {
        let find = if self.is_of_system { program::find_of_system } else { program::find };
        self.program.get_or_init(|| find(self.search.as_deref(), &self.project)).as_deref()
    }

    /// From now on a question that was asked before gets the same answer, without asking git.
    pub(crate) fn repeat_answers(&self) {
        self.is_repeating.store(true, Ordering::Relaxed);
    }

    /// What git answers.
    pub(crate) fn ask(&self, folder: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        self.ask_up_to(MOST_BYTES, folder, question)
    }

    /// The same for a question whose answer may have all files of a repository in it.
    pub(crate) fn ask_for_list(
        &self,
        folder: &AbsolutePath,
        question: &[&str],
    ) -> Result<GitAnswer, PolicyError> {
        self.ask_up_to(MOST_LISTED_BYTES, folder, question)
    }

    /// The same, with answers of another length.
    fn ask_up_to(
        &self,
        most: usize,
        folder: &AbsolutePath,
        question: &[&str],
    ) -> Result<GitAnswer, PolicyError> {
        let key = (folder.clone(), question.iter().map(|word| (*word).to_owned()).collect());
        let answers = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_repeating.load(Ordering::Relaxed)
            && let Some(answer) = answers().get(&key)
        {
            return answer.clone();
        }
        let answer = self.ask_or_see(most, folder, question);
        answers().insert(key, answer.clone());
        answer
    }

    /// What git answers. Without a repository there is nothing to ask.
    fn ask_or_see(
        &self,
        most: usize,
        folder: &AbsolutePath,
        question: &[&str],
    ) -> Result<GitAnswer, PolicyError> {
        // A folder that the line itself makes will be in the repository that is there now.
        let is_there = |folder: &&Path| !matches!(folder.try_exists(), Ok(false));
        let folder = Path::new(folder).ancestors().find(is_there).unwrap_or(Path::new("/"));
        // Looking takes microseconds, a process milliseconds.
        let is_inside = || repository::is_inside(folder, &self.ceilings);
        if !self.crosses_devices && matches!(is_inside(), Ok(false)) {
            return Ok(GitAnswer::NoRepository);
        }
        let error = match self.try_to_ask(most, folder, question) {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        match is_inside() {
            Ok(true) => Err(error),
            Ok(false) => Ok(GitAnswer::NoRepository),
            Err(cause) => Err(not_answered(question, &format!("has no answer: {cause}"))),
        }
    }

    fn try_to_ask(&self, most: usize, folder: &Path, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        let asked = form::prepare(question);
        let finished = self.run_up_to(most, folder, &asked.words)?;
        if finished.code() == Some(0) {
            let trouble = finished.trouble(question);
            // Cut answers end anywhere.
            let is_cut = finished.output.len() >= most;
            let whole = is_cut.then(|| finished.output.clone());
            let answer = asked.read(finished.output).or(whole).ok_or(trouble)?;
            if asked.proves_git(&answer) {
                self.is_proven.store(true, Ordering::Relaxed);
            } else if answer.trim().is_empty() {
                self.prove(folder)?;
            }
            return Ok(GitAnswer::Said(answer));
        }
        let is_silent = finished.output.is_empty() && finished.complaint.is_empty();
        let is_no = match finished.code() {
            Some(1) if asked.can_be_denied() && is_silent => true,
            // Git does not say which of the names is wrong, in a way that is made to be read.
            Some(_) => self.is_something_missing(folder, &asked)?,
            None => false,
        };
        if !is_no {
            return Err(finished.trouble(question));
        }
        // A program that only fails says nothing.
        self.prove(folder)?;
        Ok(GitAnswer::No)
    }

    /// Whether something that a question names is not in the repository, so that git cannot answer.
    fn is_something_missing(&self, folder: &Path, asked: &Asked<'_>) -> Result<bool, PolicyError> {
        for revision in asked.revisions() {
            // The full name of an object need not be that of one that is there.
            let object = if revision.contains(':') { "" } else { "^{object}" };
            let name = format!("{revision}{object}");
            let finished = self.run(folder, &["rev-parse", "--verify", "--quiet", &name])?;
            // 128 of older gits.
            if matches!(finished.code(), Some(1 | 128)) && finished.output.is_empty() {
                return Ok(true);
            }
        }
        // A bare repository, or its data: there are no files that could be asked about.
        let inside = self.run(folder, &["rev-parse", "--is-inside-work-tree"])?;
        if inside.code() == Some(0) && inside.output.trim() == "false" {
            return Ok(true);
        }
        // A path outside of the repository.
        let Some(words) = asked.without_paths() else { return Ok(false) };
        Ok(self.run(folder, &words)?.code() == Some(0))
    }

    /// Makes sure that it is git that answers: once, by a question whose answer is never empty.
    fn prove(&self, folder: &Path) -> Result<(), PolicyError> {
        if self.is_proven.load(Ordering::Relaxed) {
            return Ok(());
        }
        let question = ["rev-parse", "--git-dir"];
        let finished = self.run(folder, &question)?;
        if finished.code() != Some(0) || finished.output.trim().is_empty() {
            return Err(finished.trouble(&question));
        }
        self.is_proven.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The content of a file, from an object of the repository at `top`, as a checkout would write it.
    pub(crate) fn file_from_object(
        &self,
        top: &Path,
        object: &str,
        path: &str,
    ) -> Result<Vec<u8>, PolicyError> {
        let program = self.program().ok_or_else(not_found)?;
        let path = format!("--path={path}");
        let words = ["cat-file", "--filters", &path, object];
        let mut command = program::command(program, top);
        command.args(program::without_filters(program, top)?).args(words);
        run::run_for_bytes(usize::MAX, command, &words)
    }

    /// An object of the repository that a folder is in, as git has it; `None` if it is longer than `most`.
    pub(crate) fn object(
        &self,
        folder: &Path,
        name: &str,
        most: u64,
    ) -> Result<Option<Vec<u8>>, PolicyError> {
        let program = self.program().ok_or_else(not_found)?;
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let words = ["cat-file", "blob", name];
        let mut command = program::command(program, folder);
        command.args(words);
        let bytes = run::run_for_bytes(most.saturating_add(1), command, &words)?;
        Ok((bytes.len() <= most).then_some(bytes))
    }

    fn run(&self, folder: &Path, words: &[&str]) -> Result<Finished, PolicyError> {
        self.run_up_to(MOST_BYTES, folder, words)
    }

    fn run_up_to(&self, most: usize, folder: &Path, words: &[&str]) -> Result<Finished, PolicyError> {
        let program = self.program().ok_or_else(not_found)?;
        let mut command = program::command(program, folder);
        command.args(program::without_filters(program, folder)?).args(words);
        run_up_to(most, command, words)
    }
}
