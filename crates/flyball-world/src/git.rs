//! Queries git. Never changes a repository.

mod form;
mod program;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;

pub(crate) use self::program::MISLEADING;
use crate::real_path::real_path;

/// Longer output is cut: a tree with more changes than this is not looked at one by one.
const MOST_BYTES: u64 = 256 * 1024;
/// A repository on a disk that is gone must not hang the session.
const TIMEOUT: Duration = Duration::from_secs(5);

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

/// A call of git in a folder, for a command that a person or git itself started: by the same git as for events, and without
/// the programs that the repository's configuration names. The variables of git are theirs. `None` if git is not there.
#[must_use]
pub fn command_for_person(search: Option<&str>, folder: &Path) -> Option<Command> {
    // The outermost one: a program may be anywhere in what was cloned.
    let cloned = folder.ancestors().filter(|above| above.join(".git").exists()).last();
    let program = program::find(search, cloned.unwrap_or(folder))?;
    let mut command = program::plain_command(&program, folder);
    command.args(program::without_filters(&program, folder));
    Some(command)
}

/// The git of this machine.
pub(crate) struct Git {
    program: PathBuf,
}

impl Git {
    /// Finds git in the folders that are searched for programs, except in the project; `None` if it is not there.
    pub(crate) fn find(search: Option<&str>, project: &AbsolutePath) -> Option<Git> {
        program::find(search, Path::new(project)).map(|program| Git { program })
    }

    /// What git prints; `None` if it fails.
    pub(crate) fn ask(
        &self,
        folder: &AbsolutePath,
        question: &[&str],
    ) -> Result<Option<String>, PolicyError> {
        let asked = form::prepare(question);
        let mut command = program::command(&self.program, Path::new(folder));
        command.args(program::without_filters(&self.program, Path::new(folder))).args(&asked.words);
        let Ok(mut child) = command.spawn() else { return Ok(None) };
        let answer = read(&mut child, question)?;
        if !child.wait().is_ok_and(|status| status.success()) {
            return Ok(None);
        }
        // Cut answers end anywhere.
        if answer.len() as u64 >= MOST_BYTES {
            return Ok(Some(asked.read(answer.clone()).unwrap_or(answer)));
        }
        let wrong = || PolicyError::World {
            what: format!("`git {}` did not answer as git does", question.join(" ")),
            fix: format!("check that `{}` is git: `{0} --version`", self.program.display()),
        };
        asked.read(answer).map(Some).ok_or_else(wrong)
    }

    /// The files below `root` that differ from the last commit or are new, and not ignored.
    pub(crate) fn unignored_changes(&self, root: &AbsolutePath) -> Result<Vec<AbsolutePath>, PolicyError> {
        // With `-z`, a rename has a second path without letters in front; without renames all entries are alike.
        let question = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", "."];
        let Some(answer) = self.ask(root, &question)? else { return Ok(Vec::new()) };
        // Porcelain paths are relative to the top of the repository, which may be above the project.
        let Some(top) = self.ask(root, &["rev-parse", "--show-toplevel"])? else { return Ok(Vec::new()) };
        let top = AbsolutePath::from_root(top.trim_end_matches('\n'));
        // An entry is two letters, a space, and the path.
        let mut paths: Vec<AbsolutePath> =
            answer.split('\0').filter_map(|entry| entry.get(3..)).map(|path| top.join(path)).collect();
        paths.sort_unstable();
        Ok(paths)
    }
}

fn read(child: &mut Child, question: &[&str]) -> Result<String, PolicyError> {
    let Some(mut output) = child.stdout.take() else { return Ok(String::new()) };
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        let mut answer = Vec::new();
        let read = (&mut output).take(MOST_BYTES).read_to_end(&mut answer);
        // The rest is read too, so that git does not die of a broken pipe.
        let drained = std::io::copy(&mut output, &mut std::io::sink());
        // What was read before an error counts, and nobody waits for an answer that is too late.
        _ = (read, drained, sender.send(answer));
    };
    let started = std::thread::Builder::new().spawn(work);
    let error =
        |what: String| PolicyError::World { what, fix: "run the same command by hand to see why".to_owned() };
    let asked = || format!("git {}", question.join(" "));
    if let Err(cause) = started {
        return Err(error(format!("no thread could be started for `{}`: {cause}", asked())));
    }
    let failure = match receiver.recv_timeout(TIMEOUT) {
        Ok(answer) => return Ok(String::from_utf8_lossy(&answer).into_owned()),
        Err(RecvTimeoutError::Timeout) => format!("`{}` did not end within {} s", asked(), TIMEOUT.as_secs()),
        Err(RecvTimeoutError::Disconnected) => format!("the output of `{}` could not be read", asked()),
    };
    // If it cannot be killed there is nothing else to do.
    _ = child.kill();
    _ = child.wait();
    Err(error(failure))
}
