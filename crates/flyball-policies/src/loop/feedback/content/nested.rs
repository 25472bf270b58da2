//! What was written and committed at once in repositories inside of the project: its submodules, for example. What is not
//! committed there is shown like any other file.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;

use super::{base, moves};

/// The files that changed at or after a time, and that commits changed that are not others'.
///
/// # Errors
/// When git does not answer.
pub(super) fn committed(
    situation: &Situation<'_>,
    tree: &AbsolutePath,
    (repositories, since): (&[AbsolutePath], Time),
) -> Result<Vec<AbsolutePath>, PolicyError> {
    let mut files = Vec::new();
    for repository in repositories {
        let is_young = |path: &AbsolutePath| {
            situation.world.stat(path).is_none_or(|stat| !stat.is_folder && stat.changed >= since)
        };
        let names = own_changes(situation, tree, repository)?;
        files.extend(names.iter().map(|name| repository.join(name)).filter(is_young));
    }
    Ok(files)
}

/// The files in which a repository differs from where the session began with it, if it has commits that are on no branch of
/// others.
fn own_changes(
    situation: &Situation<'_>,
    tree: &AbsolutePath,
    repository: &AbsolutePath,
) -> Result<Vec<String>, PolicyError> {
    let world = situation.world;
    let before = commit_before(situation, tree, repository)?;
    let mut question = vec!["rev-list", "--max-count=1", "HEAD", "--not", "--remotes"];
    question.extend(before.as_deref());
    let own = world.git(repository, &question)?.text().unwrap_or_default();
    if own.trim().is_empty() {
        return Ok(Vec::new());
    }
    if let Some(before) = before {
        return moves::between(situation, repository, &[&before, "HEAD"]);
    }
    // It is new, or was not committed as a submodule: all that it has may be this session's.
    let question = ["ls-tree", "-r", "--name-only", "-z", "HEAD"];
    let answer = world.git(repository, &question)?.text().unwrap_or_default();
    moves::whole_names(&answer)
}

/// The commit that a repository was at when the session began, as the project's own commit says; `None` if it does not, or
/// if that commit is not there.
fn commit_before(
    situation: &Situation<'_>,
    tree: &AbsolutePath,
    repository: &AbsolutePath,
) -> Result<Option<String>, PolicyError> {
    let world = situation.world;
    let known = base::known_commits(situation)?;
    let (Some(base), Some(name)) = (known.lines().next(), repository.strip_folder(tree)) else {
        return Ok(None);
    };
    let question = ["--no-replace-objects", "--literal-pathspecs", "ls-tree", "-z", base, "--", name];
    let answer = world.git(tree, &question)?.text().unwrap_or_default();
    let commit = answer.split('\t').next().and_then(|head| head.strip_prefix("160000 commit "));
    let Some(commit) = commit.map(|commit| commit.trim().to_owned()) else { return Ok(None) };
    let is_there = world.git(repository, &["cat-file", "-e", &commit])?.text().is_some();
    Ok(is_there.then_some(commit))
}
