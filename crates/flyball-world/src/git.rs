//! Queries git. Never changes a repository.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;

use crate::real_path::real_path;

/// Longer output is cut: a tree with more changes than this is not looked at one by one.
const MOST_BYTES: u64 = 256 * 1024;
/// A repository on a disk that is gone must not hang the session.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Variables that no program gets. Set by a hook of git's own that started the client, they would lead git to another
/// repository; the last one would change what it prints.
pub(crate) const MISLEADING: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF"];

/// The main worktree of the repository, if `root` is another worktree of it.
pub(crate) fn main_worktree(root: &Path) -> Option<PathBuf> {
    let pointer = root.join(".git");
    // In the main worktree it is a folder, which cannot be read as text.
    let folder = PathBuf::from(fs::read_to_string(&pointer).ok()?.strip_prefix("gitdir: ")?.trim_end());
    // Anyone can write such a file; only the repository itself knows its worktrees.
    let back = fs::read_to_string(folder.join("gitdir")).ok()?;
    let is_known = real_path(Path::new(back.trim_end())) == real_path(&pointer);
    let common = folder.parent().filter(|parent| parent.ends_with(".git/worktrees"))?.parent()?.parent()?;
    is_known.then(|| common.to_path_buf())
}

/// What git prints; `None` if it fails or is not there.
pub(crate) fn ask(folder: &AbsolutePath, question: &[&str]) -> Result<Option<String>, PolicyError> {
    let mut command = Command::new("git");
    // Without the optional lock git would write its index while the user's own git waits.
    command.arg("--no-optional-locks").arg("-C").arg(folder);
    // A repository must not choose the programs that are started: that is the user's decision.
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(question);
    for variable in MISLEADING {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return Ok(None) };
    let answer = read(&mut child, question)?;
    let went_well = child.wait().is_ok_and(|status| status.success());
    Ok(went_well.then_some(answer))
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

/// The files below `root` that differ from the last commit or are new, and not ignored.
pub(crate) fn unignored_changes(root: &AbsolutePath) -> Result<Vec<AbsolutePath>, PolicyError> {
    // With `-z`, a rename has a second path without letters in front; without renames all entries are alike.
    let question = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", "."];
    let Some(answer) = ask(root, &question)? else { return Ok(Vec::new()) };
    // Porcelain paths are relative to the top of the repository, which may be above the project.
    let Some(top) = ask(root, &["rev-parse", "--show-toplevel"])? else { return Ok(Vec::new()) };
    let top = AbsolutePath::from_root(top.trim_end_matches('\n'));
    // An entry is two letters, a space, and the path.
    let mut paths: Vec<AbsolutePath> =
        answer.split('\0').filter_map(|entry| entry.get(3..)).map(|path| top.join(path)).collect();
    paths.sort_unstable();
    Ok(paths)
}
