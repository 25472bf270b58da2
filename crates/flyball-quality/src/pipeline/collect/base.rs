//! What files were before the change: as the session found them, or as git has them.

mod many;

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery};

use crate::pipeline::context::Context;
use crate::pipeline::select::Target;
use crate::report::LARGEST_FILE;
use crate::scope::{Base, Before};

/// A repository on an unreachable disk must not hang the session.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The names of all files of a large repository.
const LIST_BYTES: u64 = 64 * 1024 * 1024;
/// A hook must neither take git's lock from the agent nor start the file system monitor of the repository.
const QUIET: &[&str] = &["--no-optional-locks", "-c", "core.fsmonitor=false"];

/// From this many files on, git is first asked which of them changed at all.
const MANY: usize = 8;
/// Beyond this many files that are gone, none is taken for the origin of a new one.
const MOST_GONE: usize = 30;

/// Looks up what targets were before, where that is needed and not known yet.
pub(super) fn look_up(
    context: &Context<'_>,
    targets: &mut [Target<'_>],
    is_needed: &dyn Fn(&Target<'_>) -> bool,
) {
    let mut pending: Vec<&mut Target<'_>> =
        targets.iter_mut().filter(|target| target.base.is_none() && is_needed(target)).collect();
    for target in &mut pending {
        let earlier = context.request.earlier.get(&target.path).cloned();
        target.base = earlier.map(|before| before.with_line_ends_of(&target.content));
    }
    pending.retain(|target| target.base.is_none());
    if pending.is_empty() {
        return;
    }
    let Some(git) = Git::find(context) else {
        pending.iter_mut().for_each(|target| target.base = Some(Before::New));
        return;
    };
    if pending.len() >= MANY {
        git.set_known(&mut pending);
    }
    if count_open(&pending) >= MANY {
        git.set_from_batch(&mut pending);
    }
    let mut open: Vec<&mut &mut Target<'_>> =
        pending.iter_mut().filter(|target| target.base.is_none()).collect();
    let paths: Vec<&AbsolutePath> = open.iter().map(|target| &target.path).collect();
    let mut found = git.before(&paths).into_iter();
    for target in &mut open {
        target.base = found.next().map(|before| before.with_line_ends_of(&target.content));
    }
    let new: Vec<&mut Target<'_>> =
        pending.into_iter().filter(|target| target.base == Some(Before::New)).collect();
    git.set_renamed(new);
}

fn count_open(pending: &[&mut Target<'_>]) -> usize {
    pending.iter().filter(|target| target.base.is_none()).count()
}

/// What one file was before.
pub(super) fn one(context: &Context<'_>, path: &AbsolutePath, now: &str) -> Before {
    let by_git = || Git::find(context)?.before(&[path]).into_iter().next();
    let before = context.request.earlier.get(path).cloned().or_else(by_git);
    before.unwrap_or(Before::Unknown).with_line_ends_of(now)
}

struct Git<'a, 'c> {
    context: &'a Context<'c>,
    program: AbsolutePath,
}

impl<'a, 'c> Git<'a, 'c> {
    fn find(context: &'a Context<'c>) -> Option<Git<'a, 'c>> {
        let near = context.root.to_owned();
        let query = ProgramQuery { name: "git".to_owned(), near, places: Places::OutsideProject };
        Some(Git { context, program: context.workshop.find(&query)?.path })
    }

    fn job(&self, folder: &AbsolutePath, words: &[&str]) -> Job {
        let arguments = [QUIET, words].concat().into_iter().map(str::to_owned).collect();
        let program = self.program.clone();
        Job { program, arguments, folder: folder.clone(), in_seatbelt: true, ..Job::default() }
    }

    fn run(&self, jobs: &[Job], bytes: u64) -> Vec<JobResult> {
        let output_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let limits = Limits { timeout: TIMEOUT, at_a_time: self.context.settings.processes, output_bytes };
        self.context.workshop.run(jobs, limits)
    }

    /// What files were, in the same order.
    fn before(&self, paths: &[&AbsolutePath]) -> Vec<Before> {
        let base = self.context.request.base;
        // Run in the file's own folder: it may be in a submodule, of which the outer repository knows nothing.
        let objects: Option<Vec<Job>> = paths
            .iter()
            .map(|path| Some(self.job(&path.folder(), &["cat-file", "blob", &base.object(name(path))?])))
            .collect();
        let Some(jobs) = objects else { return vec![Before::Unknown; paths.len()] };
        let results = self.run(&jobs, LARGEST_FILE);
        let found = paths.iter().zip(results);
        found.map(|(path, ran)| content(&ran).map_or_else(|| self.missing(path), Before::Text)).collect()
    }

    /// Why git has no text of a file.
    fn missing(&self, path: &AbsolutePath) -> Before {
        let folder = path.folder();
        let listed =
            |commit: &str| self.job(&folder, &["ls-tree", "-z", commit, "--", &format!("./{}", name(path))]);
        let head = format!("HEAD:./{}", name(path));
        let commit = match self.context.request.base.commit() {
            Some(commit) => commit,
            // What is not in the index is new there.
            None if *self.context.request.base == Base::Index => return Before::New,
            None => return Before::Unknown,
        };
        let jobs = [
            listed(commit),
            self.job(&folder, &["rev-parse", "--is-inside-work-tree"]),
            // The commit of the outer repository is not one of a submodule.
            self.job(&folder, &["cat-file", "blob", &head]),
            listed("HEAD"),
        ];
        let results = self.run(&jobs, LARGEST_FILE);
        let [there, inside, at_head, there_at_head] = results.as_slice() else { return Before::Unknown };
        let is_empty = |ran: &JobResult| succeeded(ran).then_some(ran.stdout.is_empty());
        match (is_empty(there), content(at_head), is_empty(there_at_head)) {
            (Some(true), _, _) => Before::New,
            // It is there, but it is no text, or too long.
            (Some(false), _, _) => Before::Unknown,
            (None, _, _) if inside.stdout.trim_ascii() != b"true" => self.without_answer(&folder),
            (None, Some(text), _) => Before::Text(text),
            (None, None, Some(false)) => Before::Unknown,
            // Also before the first commit.
            (None, None, Some(true) | None) => Before::New,
        }
    }

    /// What a file was that git says nothing about: in a repository nobody knows, and outside of one everything is new.
    fn without_answer(&self, folder: &AbsolutePath) -> Before {
        let mut folders = std::iter::successors(Some(folder.clone()), |folder| {
            Some(folder.folder()).filter(|above| above != folder)
        });
        let is_repository = folders.any(|folder| {
            let at = folder.join(".git");
            let marks = [
                self.context.workshop.stat(&at).filter(|stat| !stat.is_folder),
                self.context.workshop.stat(&at.join("HEAD")),
            ];
            marks.iter().any(Option::is_some)
        });
        if is_repository { Before::Unknown } else { Before::New }
    }

    /// A new file that is much like one that is gone is that one under another name.
    fn set_renamed(&self, new: Vec<&mut Target<'_>>) {
        let Some(commit) = self.context.request.base.commit().filter(|_| !new.is_empty()) else { return };
        let question = [
            "diff",
            "--no-renames",
            "--diff-filter=D",
            "--name-only",
            "--relative",
            "--no-ext-diff",
            "-z",
            commit,
            "--",
        ];
        let results = self.run(&[self.job(self.context.root, &question)], LIST_BYTES);
        let gone = results.first().and_then(names).unwrap_or_default();
        if gone.is_empty() || gone.len() > MOST_GONE {
            return;
        }
        let paths: Vec<AbsolutePath> = gone.iter().map(|file| self.context.root.join(file)).collect();
        let objects: Vec<Job> = gone
            .iter()
            .map(|file| self.job(self.context.root, &["cat-file", "blob", &format!("{commit}:./{file}")]))
            .collect();
        let texts: Vec<Option<String>> = self.run(&objects, LARGEST_FILE).iter().map(content).collect();
        for target in new {
            let is_same_kind = |path: &AbsolutePath| extension(path) == extension(&target.path);
            let candidates = paths.iter().zip(&texts).filter(|(path, _)| is_same_kind(path));
            let origin = candidates
                .filter_map(|(_, text)| text.as_ref())
                .find(|text| is_much_like(text, &target.content));
            if let Some(text) = origin {
                target.base = Some(Before::Text(text.clone()).with_line_ends_of(&target.content));
            }
        }
    }
}

fn name(path: &AbsolutePath) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn extension(path: &AbsolutePath) -> &str {
    name(path).rsplit('.').next().unwrap_or_default()
}

/// Whether more than half of the lines of both are the same.
fn is_much_like(one: &str, other: &str) -> bool {
    let lines = |text: &str| {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect::<BTreeSet<_>>()
    };
    let (one, other) = (lines(one), lines(other));
    one.intersection(&other).count() * 2 > one.len().max(other.len())
}

/// The names that git printed, each ended by a zero; `None` if it failed.
fn names(ran: &JobResult) -> Option<BTreeSet<String>> {
    let text = succeeded(ran).then(|| String::from_utf8_lossy(&ran.stdout).into_owned())?;
    Some(text.split_terminator('\0').map(str::to_owned).collect())
}

/// Content that was cut off would make the missing rest look new.
fn succeeded(ran: &JobResult) -> bool {
    ran.ending == Ending::Exited(0) && !ran.cut
}

fn content(ran: &JobResult) -> Option<String> {
    String::from_utf8(ran.stdout.clone()).ok().filter(|_| succeeded(ran))
}
