//! The content before the session, and that of others: a domain whose files are all back at it has nothing to be reviewed.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, PolicyError, Situation, World};
use flyball_core::time::Time;

use super::moves;

/// The commit at which the session began, and those of the other branches then. They are recorded before anything is done,
/// so that none is a commit of the agent's own work.
const BASE: &str = "loop.feedback.base";
/// When that was, in milliseconds.
const BEGAN: &str = "loop.feedback.began";
/// How many branches are remembered, the latest first.
const MOST_BRANCHES: &str = "--count=64";
/// How many files git is asked about at once.
const AT_ONCE: usize = 400;

/// Notes where the session begins, unless that is known or it begins `anew`.
pub(super) fn note(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    let world = situation.world;
    let head = moves::head(world);
    // What is not known now is not known later either: by then, the agent may have committed its work.
    let mut base = head.as_ref().ok().cloned().flatten().unwrap_or_default();
    if let Some(head) = head? {
        moves::remember(situation, &head)?;
    }
    if anew || situation.memory.read(BASE)?.is_none() {
        if !base.is_empty() {
            let question = [
                "for-each-ref",
                "--sort=-committerdate",
                MOST_BRANCHES,
                "--format=%(objectname)",
                "refs/heads",
            ];
            base =
                format!("{base}\n{}", world.git(world.project_root(), &question)?.text().unwrap_or_default());
        }
        situation.memory.write(BASE, base)?;
        situation.memory.write(BEGAN, world.now().as_millis().to_string())?;
    }
    Ok(())
}

/// When the session began, as far as it was seen.
pub(super) fn began(situation: &Situation<'_>) -> Result<Option<Time>, PolicyError> {
    let stored = situation.memory.read(BEGAN)?.and_then(|millis| millis.parse().ok());
    Ok(stored.map(Time::from_millis))
}

/// Whether it is noted where the session begins.
pub(super) fn is_noted(situation: &Situation<'_>) -> bool {
    situation.memory.has(BASE).unwrap_or_default()
}

/// The commit at which the session began, and those of the branches then, line by line.
pub(super) fn known_commits(situation: &Situation<'_>) -> Result<String, PolicyError> {
    Ok(situation.memory.read(BASE)?.unwrap_or_default().trim().to_owned())
}

/// Whether a branch has commits of this session.
///
/// # Errors
/// When git does not answer.
pub(super) fn has_own_branches(situation: &Situation<'_>) -> Result<bool, PolicyError> {
    let world = situation.world;
    let known = known_commits(situation)?;
    let mut question =
        vec!["rev-list", "--max-count=1", "--branches", "--tags", "--glob=refs/stash", "--not", "--remotes"];
    question.extend(known.lines());
    Ok(world.git(world.project_root(), &question)?.text().is_some_and(|answer| !answer.trim().is_empty()))
}

/// The tips of the remote branches that have no commit of this session: what it pushed itself is still its own.
fn others_branches(situation: &Situation<'_>, checkout: &AbsolutePath) -> Result<String, PolicyError> {
    let known = known_commits(situation)?;
    let own = moves::own_heads(situation)?;
    let own: Vec<String> = own
        .lines()
        .filter(|head| !known.lines().any(|known| known == *head))
        .map(|head| format!("--no-contains={head}"))
        .collect();
    let mut question = vec!["for-each-ref", "--format=%(objectname)"];
    question.extend(own.iter().map(String::as_str));
    question.push("refs/remotes");
    Ok(situation.world.git(checkout, &question)?.text().unwrap_or_default())
}

/// Commits whose content is not this session's work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Originals {
    /// Where the session began, and the newest commits of others that are in the present one.
    pub(super) commits: BTreeSet<String>,
    /// Whether the present commit has commits of this session's.
    pub(super) has_own: bool,
}

impl Originals {
    /// As it is now in a checkout.
    ///
    /// # Errors
    /// When git does not answer.
    pub(in super::super) fn read(
        situation: &Situation<'_>,
        checkout: &AbsolutePath,
    ) -> Result<Originals, PolicyError> {
        let stored = known_commits(situation)?;
        let known: Vec<&str> = stored.lines().collect();
        let Some(base) = known.first() else { return Ok(Originals::default()) };
        let theirs = others_branches(situation, checkout)?;
        let mut question = vec!["rev-list", "--boundary", "HEAD", "--not"];
        question.extend(known.iter().copied().chain(theirs.lines()));
        let answer = situation.world.git(checkout, &question)?.text();
        let mut originals = Originals { commits: BTreeSet::from([(*base).to_owned()]), has_own: false };
        for line in answer.unwrap_or_default().lines() {
            match line.strip_prefix('-') {
                Some(theirs) => drop(originals.commits.insert(theirs.to_owned())),
                None => originals.has_own = true,
            }
        }
        if !originals.has_own {
            originals.commits.insert("HEAD".to_owned());
        }
        Ok(originals)
    }

    /// Those of these files that are as in one of the commits. The content itself is compared, because an agent can set
    /// what git takes for unchanged.
    ///
    /// # Errors
    /// When git does not answer.
    pub(in super::super) fn unchanged(
        &self,
        world: &dyn World,
        base: &AbsolutePath,
        files: &[&str],
    ) -> Result<BTreeSet<String>, PolicyError> {
        let mut unchanged = BTreeSet::new();
        for files in files.chunks(AT_ONCE) {
            let now = blobs_now(world, base, files)?;
            for commit in &self.commits {
                let Some(then) = blobs_in(world, base, commit, files)? else { continue };
                let is_same = |name: &&&str| now.contains(&entry(&then, name));
                unchanged.extend(files.iter().filter(is_same).map(|name| (*name).to_owned()));
            }
        }
        Ok(unchanged)
    }
}

/// A file and its blob; nothing in place of the blob if it is not there.
type Entry = (String, Option<String>);

fn entry(blobs: &BTreeSet<Entry>, name: &str) -> Entry {
    let found = blobs.iter().find(|(known, _)| known == name);
    found.cloned().unwrap_or_else(|| (name.to_owned(), None))
}

/// The files as they are on the disk.
fn blobs_now(world: &dyn World, base: &AbsolutePath, files: &[&str]) -> Result<BTreeSet<Entry>, PolicyError> {
    let is_file = |name: &&&str| world.stat(&base.join(name)).is_some_and(|stat| !stat.is_folder);
    let (there, gone): (Vec<&str>, Vec<&str>) = files.iter().partition(is_file);
    let gone = gone.into_iter().filter(|name| world.stat(&base.join(name)).is_none());
    let mut blobs: BTreeSet<Entry> = gone.map(|name| (name.to_owned(), None)).collect();
    if !there.is_empty() {
        let question = [&["hash-object", "--no-filters", "--"][..], &there].concat();
        let hashes = world.git(base, &question)?.text().unwrap_or_default();
        let hashes = hashes.lines().map(|hash| Some(hash.to_owned()));
        blobs.extend(there.iter().map(|name| (*name).to_owned()).zip(hashes));
    }
    Ok(blobs)
}

/// The files as they are in a commit; `None` if it is gone.
fn blobs_in(
    world: &dyn World,
    base: &AbsolutePath,
    commit: &str,
    files: &[&str],
) -> Result<Option<BTreeSet<Entry>>, PolicyError> {
    // With `git replace`, an agent could put its own content in the place of the old.
    let question = ["--no-replace-objects", "--literal-pathspecs", "ls-tree", "-r", "-z", commit, "--"];
    let GitAnswer::Said(answer) = world.git(base, &[&question[..], files].concat())? else { return Ok(None) };
    let blob = |line: &str| {
        let (head, name) = line.split_once('\t')?;
        Some((name.to_owned(), head.rsplit(' ').next().map(str::to_owned)))
    };
    Ok(Some(answer.split('\0').filter_map(blob).collect()))
}
