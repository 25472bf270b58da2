//! What was written and committed at once in repositories inside of the project: its submodules, for example. What is not
//! committed there is shown like any other file.

use std::cell::RefCell;
use std::collections::BTreeMap;

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::time::Time;

use super::calls::{self, CommitTimes};
use super::{base, fetched, moves};

/// Through how many repositories it is followed where a commit is from.
const DEEPEST: usize = 3;
/// How many branches of remote repositories are looked at.
const MOST_BRANCHES: &str = "--count=64";

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
    let origins = Origins { situation, tips: RefCell::default() };
    for repository in repositories {
        let is_young = |path: &AbsolutePath| {
            situation.world.stat(path).is_none_or(|stat| !stat.is_folder && stat.changed >= since)
        };
        let names = own_changes(&origins, tree, repository)?;
        files.extend(names.iter().map(|name| repository.join(name)).filter(is_young));
    }
    Ok(files)
}

/// The files in which a repository differs from where the session began with it, if it has commits that are on no branch
/// that others made.
fn own_changes(
    origins: &Origins<'_, '_>,
    tree: &AbsolutePath,
    repository: &AbsolutePath,
) -> Result<Vec<String>, PolicyError> {
    let (situation, world) = (origins.situation, origins.situation.world);
    let before = commit_before(situation, tree, repository)?;
    let theirs = origins.tips_of_others(repository, 0)?;
    let mut question = vec!["rev-list", "--max-count=1", "HEAD", "--not"];
    question.extend(theirs.iter().map(String::as_str));
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
    moves::whole_names(repository, &answer)
}

/// A commit, and where it was taken from.
struct Taken<'a> {
    address: &'a str,
    commit: &'a str,
    /// How many repositories it came through.
    depth: usize,
}

/// Tells what others made in repositories: many branches lead to the same ones, which are asked once.
struct Origins<'a, 's> {
    situation: &'a Situation<'s>,
    tips: RefCell<BTreeMap<AbsolutePath, Vec<String>>>,
}

impl Origins<'_, '_> {
    /// The branches of remote repositories that a repository knows and that are not this session's work: those of another
    /// machine, and of a repository on this one that others made.
    fn tips_of_others(&self, repository: &AbsolutePath, depth: usize) -> Result<Vec<String>, PolicyError> {
        if let Some(known) = self.tips.borrow().get(repository) {
            return Ok(known.clone());
        }
        let (situation, world) = (self.situation, self.situation.world);
        let remotes = world.git(repository, &["remote", "--verbose"])?.text().unwrap_or_default();
        let remotes: BTreeMap<&str, &str> = remotes
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .filter_map(|(name, rest)| Some((name, rest.strip_suffix(" (fetch)")?)))
            .collect();
        let question =
            ["for-each-ref", MOST_BRANCHES, "--format=%(objectname) %(refname:lstrip=2)", "refs/remotes"];
        let refs = world.git(repository, &question)?.text().unwrap_or_default();
        let mut tips = Vec::new();
        for (tip, name) in refs.lines().filter_map(|line| line.split_once(' ')) {
            let is_of = |remote: &&&str| strip_folder(name, remote).is_some();
            let Some(address) = remotes.keys().find(is_of).and_then(|remote| remotes.get(*remote)) else {
                continue;
            };
            if fetched::is_theirs(situation, address)?
                || self.is_theirs_in(repository, &Taken { address, commit: tip, depth })?
            {
                tips.push(tip.to_owned());
            }
        }
        self.tips.borrow_mut().insert(repository.clone(), tips.clone());
        Ok(tips)
    }

    /// Whether others made a commit that was taken from a repository on this machine.
    fn is_theirs_in(&self, repository: &AbsolutePath, taken: &Taken<'_>) -> Result<bool, PolicyError> {
        let Taken { address, commit, depth } = *taken;
        let (situation, world) = (self.situation, self.situation.world);
        let source = world.real_path(repository, address.strip_prefix("file://").unwrap_or(address));
        let Some(stat) = world.stat(&source) else { return Ok(false) };
        if !stat.is_folder {
            // A bundle.
            return Ok(calls::began(situation)?.is_some_and(|began| stat.changed < began));
        }
        if CommitTimes::read(situation, &source)?.is_some_and(|times| times.is_of_others(commit)) {
            return Ok(true);
        }
        if depth >= DEEPEST {
            return Ok(false);
        }
        // It may have come there from elsewhere.
        let theirs = self.tips_of_others(&source, depth + 1)?;
        if theirs.is_empty() {
            return Ok(false);
        }
        let mut question = vec!["rev-list", "--max-count=1", commit, "--not"];
        question.extend(theirs.iter().map(String::as_str));
        Ok(world.git(&source, &question)?.text().is_some_and(|own| own.trim().is_empty()))
    }
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
