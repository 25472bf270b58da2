//! What files were before, from git.

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery};

use crate::pipeline::context::{Context, MOST_BYTES};
use crate::pipeline::select::Target;

/// A repository on an unreachable disk must not hang the session.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The names of all files of a large repository.
const LIST_BYTES: u64 = 64 * 1024 * 1024;
/// A hook must neither take git's lock from the agent nor start the file system monitor of the repository.
const QUIET: &[&str] = &["--no-optional-locks", "-c", "core.fsmonitor=false"];

/// From this many files on, git is first asked which of them changed at all.
const MANY: usize = 8;

/// Looks up what targets were before, where that is needed and not known yet. Without git, or for a
/// file that git does not know, everything is new.
pub(super) fn look_up(
    context: &Context<'_>,
    targets: &mut [Target<'_>],
    is_needed: &dyn Fn(&Target<'_>) -> bool,
) {
    let mut pending: Vec<&mut Target<'_>> =
        targets.iter_mut().filter(|target| target.base.is_none() && is_needed(target)).collect();
    if pending.is_empty() {
        return;
    }
    let near = context.root.to_owned();
    let git =
        context.workshop.find(&ProgramQuery { name: "git".to_owned(), near, places: Places::OutsideProject });
    let Some(git) = git else {
        pending.iter_mut().for_each(|target| target.base = Some(None));
        return;
    };
    if pending.len() >= MANY {
        set_unchanged(context, &git.path, &mut pending);
        pending.retain(|target| target.base.is_none());
    }
    // Run in the file's own folder: it may be in a submodule, of which the outer repository knows nothing.
    let object = |target: &Target<'_>| {
        context.request.base.object(target.path.rsplit('/').next().unwrap_or(&target.path))
    };
    let jobs: Option<Vec<Job>> =
        pending.iter().map(|target| Some(job(&git.path, target.path.folder(), object(target)?))).collect();
    let results =
        jobs.map(|jobs| context.workshop.run(&jobs, limits(context, MOST_BYTES))).unwrap_or_default();
    let mut results = results.into_iter();
    for target in &mut pending {
        target.base = Some(results.next().and_then(content));
    }
}

/// What one file was before; `None` if it is new, or unknown.
pub(super) fn text(context: &Context<'_>, path: &AbsolutePath) -> Option<String> {
    let near = context.root.to_owned();
    let query = ProgramQuery { name: "git".to_owned(), near, places: Places::OutsideProject };
    let object = context.request.base.object(path.rsplit('/').next().unwrap_or(path))?;
    let job = job(&context.workshop.find(&query)?.path, path.folder(), object);
    context.workshop.run(&[job], limits(context, MOST_BYTES)).into_iter().next().and_then(content)
}

fn limits(context: &Context<'_>, bytes: u64) -> Limits {
    let output_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    Limits { timeout: TIMEOUT, at_a_time: context.settings.processes, output_bytes }
}

/// Files that git says are as they were need no process of their own: a project has thousands of them.
fn set_unchanged(context: &Context<'_>, git: &AbsolutePath, pending: &mut [&mut Target<'_>]) {
    let Some((tree, changed)) = context.request.base.questions() else { return };
    let question = |words: &[String]| Job {
        program: git.clone(),
        arguments: [QUIET, &words.iter().map(String::as_str).collect::<Vec<_>>()]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        folder: context.root.clone(),
        ..Job::default()
    };
    let results = context.workshop.run(&[question(&tree), question(&changed)], limits(context, LIST_BYTES));
    let lists: Vec<Option<BTreeSet<String>>> = results.iter().map(names).collect();
    let [Some(known), Some(changed)] = lists.as_slice() else { return };
    for target in pending.iter_mut() {
        if known.contains(target.file.as_str()) && !changed.contains(target.file.as_str()) {
            target.base = Some(Some(target.content.clone()));
        }
    }
}

/// The names that git printed, each ended by a zero; `None` if it failed.
fn names(ran: &JobResult) -> Option<BTreeSet<String>> {
    let is_whole = ran.ending == Ending::Exited(0) && !ran.cut;
    let text = is_whole.then(|| String::from_utf8_lossy(&ran.stdout).into_owned())?;
    Some(text.split_terminator('\0').map(str::to_owned).collect())
}

fn job(git: &AbsolutePath, folder: AbsolutePath, object: String) -> Job {
    let words = [QUIET, &["cat-file", "blob", &object]].concat();
    let arguments = words.into_iter().map(str::to_owned).collect();
    Job { program: git.to_owned(), arguments, folder, ..Job::default() }
}

fn content(ran: JobResult) -> Option<String> {
    // Content that was cut off would make the missing rest look new.
    let is_whole = ran.ending == Ending::Exited(0) && !ran.cut;
    String::from_utf8(ran.stdout).ok().filter(|_| is_whole)
}
