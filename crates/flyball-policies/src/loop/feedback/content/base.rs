//! The content before the session, and that of others: a domain whose files are all back at it has nothing to be reviewed.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, PolicyError, Situation, World};

use super::calls::{self, CommitTimes};
use super::{fetched, moves, trees};

/// The commit at which the session began, those of the other branches and of what was put away then. They are recorded before anything is done,
/// so that none is a commit of the agent's own work.
const BASE: &str = "loop.feedback.base";
/// How many branches are remembered, the latest first.
const MOST_BRANCHES: &str = "--count=64";
/// Of how many commits it is told apart whose they are: more are this session's.
const MOST_COMMITS: usize = 256;
/// How many of the session's own commits are looked into, the latest first.
const MOST_OWN: &str = "--max-count=64";
/// How much of the list of what was put away is read, and how many of it are remembered.
const STASH_BYTES: u64 = 16 * 1024;
const MOST_STASHED: usize = 16;
/// How many files git is asked about at once.
const AT_ONCE: usize = 400;

/// Notes where the session begins, unless that is known or it begins `anew`. Whether it was noted.
pub(super) fn note(situation: &Situation<'_>, anew: bool) -> Result<bool, PolicyError> {
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
            let branches = world.git(world.project_root(), &question)?.text().unwrap_or_default();
            base = format!("{base}\n{}\n{}", branches.trim_end(), stashed(world).join("\n"));
        }
        situation.memory.write(BASE, base)?;
        calls::begin(situation)?;
        fetched::note_remotes(situation)?;
        return Ok(true);
    }
    Ok(false)
}

/// The commits in which git keeps what the user has put away, the latest first.
fn stashed(world: &dyn World) -> Vec<String> {
    let log = trees::repository(world, world.project_root()).map(|common| common.join("logs/refs/stash"));
    let log = log.and_then(|log| world.tail(&log, STASH_BYTES).ok().flatten());
    let log = String::from_utf8_lossy(&log.map(|log| log.bytes).unwrap_or_default()).into_owned();
    // `OLD NEW Name <mail> …`
    let commits = log.lines().rev().filter_map(|line| line.split(' ').nth(1));
    let is_commit = |word: &&str| word.len() >= 40 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    commits.filter(is_commit).take(MOST_STASHED).map(str::to_owned).collect()
}

/// Whether it is noted where the session begins.
pub(super) fn is_noted(situation: &Situation<'_>) -> bool {
    situation.memory.has(BASE).unwrap_or_default()
}

/// The commit at which the session began, and those of the branches then, line by line.
pub(super) fn known_commits(situation: &Situation<'_>) -> Result<String, PolicyError> {
    Ok(situation.memory.read(BASE)?.unwrap_or_default().trim().to_owned())
}

/// Where commits of this session are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// On a branch, a tag or a remote that is not the present commit's.
    OnOtherBranches,
    /// In the stash, too.
    Anywhere,
}

/// The commits of this session that git still has, the newest first.
///
/// # Errors
/// When git does not answer.
pub(super) fn own_commits(situation: &Situation<'_>, kept: Kept) -> Result<Vec<String>, PolicyError> {
    let world = situation.world;
    let (known, theirs) = (known_commits(situation)?, fetched::tips(situation, world.project_root())?);
    let mut question = vec!["rev-list", MOST_OWN, "--branches", "--tags", "--remotes"];
    question.extend(match kept {
        Kept::Anywhere => ["--glob=refs/stash", "--not"].as_slice(),
        Kept::OnOtherBranches => &["--not", "HEAD"],
    });
    question.extend(known.lines().chain(theirs.iter().map(String::as_str)));
    let answer = world.git(world.project_root(), &question)?.text().unwrap_or_default();
    Ok(answer.lines().map(str::to_owned).collect())
}

/// The newest commits of branches of others, the latest first: of those that were there when the session began, and of
/// those that were fetched.
pub(super) fn newest_of_others(
    situation: &Situation<'_>,
    checkout: &AbsolutePath,
) -> Result<Vec<String>, PolicyError> {
    let theirs = fetched::tips(situation, checkout)?;
    let known = known_commits(situation)?;
    let question =
        ["for-each-ref", "--sort=-committerdate", "--format=%(objectname)", "refs/heads", "refs/remotes"];
    let now = situation.world.git(checkout, &question)?.text().unwrap_or_default();
    let mut newest: Vec<String> = Vec::new();
    for commit in now.lines().chain(known.lines()).chain(theirs.iter().map(String::as_str)) {
        let is_theirs = theirs.contains(commit) || known.lines().any(|known| known == commit);
        if is_theirs && !newest.iter().any(|it| it == commit) {
            newest.push(commit.to_owned());
        }
    }
    newest.truncate(MOST_COMMITS);
    Ok(newest)
}

/// Commits whose content is not this session's work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Originals {
    /// Where the session began, and the newest commits of others that are in the present one.
    pub(super) commits: BTreeSet<String>,
    /// What others committed in this repository meanwhile.
    files: BTreeSet<Entry>,
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
        if !is_noted(situation) {
            return Ok(Originals::default());
        }
        let stored = known_commits(situation)?;
        let known: Vec<&str> = stored.lines().collect();
        let theirs = fetched::tips(situation, checkout)?;
        let mut question = vec!["rev-list", "--boundary", "HEAD", "--not"];
        question.extend(known.iter().copied().chain(theirs.iter().map(String::as_str)));
        let answer = situation.world.git(checkout, &question)?.text().unwrap_or_default();
        let (edge, new): (Vec<&str>, Vec<&str>) = answer.lines().partition(|line| line.starts_with('-'));
        let times = CommitTimes::read(situation, checkout)?;
        let is_of_others = |commit: &&str| times.as_ref().is_some_and(|times| times.is_of_others(commit));
        let others: Vec<&str> = new.iter().copied().take(MOST_COMMITS).filter(is_of_others).collect();
        let has_own = others.len() < new.len();
        let mut originals = Originals { has_own, ..Originals::default() };
        originals.commits.extend(known.first().map(|base| (*base).to_owned()));
        originals
            .commits
            .extend(edge.into_iter().filter_map(|line| Some(line.strip_prefix('-')?.to_owned())));
        if !has_own {
            originals.commits.insert("HEAD".to_owned());
        } else if !others.is_empty() {
            originals.files = files_of(situation.world, checkout, &others)?;
        }
        Ok(originals)
    }

    /// The files of a checkout that are in none of the commits as they are there, as far as git has them.
    pub(super) fn differing(
        &self,
        situation: &Situation<'_>,
        checkout: &AbsolutePath,
    ) -> Result<BTreeSet<String>, PolicyError> {
        let mut found: Option<BTreeSet<String>> = None;
        for commit in &self.commits {
            let differ: BTreeSet<String> =
                moves::between(situation, checkout, &[commit])?.into_iter().collect();
            found = Some(match found {
                Some(found) => found.intersection(&differ).cloned().collect(),
                None => differ,
            });
        }
        Ok(found.unwrap_or_default())
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
            let is_new = |name: &&&str| self.files.contains(&entry(&now, name));
            unchanged.extend(files.iter().filter(is_new).map(|name| (*name).to_owned()));
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

/// The files that commits changed, as they left them.
fn files_of(
    world: &dyn World,
    checkout: &AbsolutePath,
    commits: &[&str],
) -> Result<BTreeSet<Entry>, PolicyError> {
    let question = ["show", "--format=", "--raw", "-z", "--no-abbrev", "--no-renames", "--relative"];
    let answer = world.git(checkout, &[&question[..], commits].concat())?.text().unwrap_or_default();
    let mut parts = answer.split('\0');
    let mut files = BTreeSet::new();
    // `:100644 100644 OLD NEW M`, then the name.
    while let (Some(head), Some(name)) = (parts.next(), parts.next()) {
        let blob = head.split(' ').nth(3).filter(|blob| blob.bytes().any(|digit| digit != b'0'));
        files.insert((name.to_owned(), blob.map(str::to_owned)));
    }
    Ok(files)
}

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
