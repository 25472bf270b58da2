//! What files were before, from git.

use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, JobResult, Limits, Places, ProgramQuery};

use crate::pipeline::context::{Context, MOST_BYTES};
use crate::pipeline::select::Target;

/// A repository on an unreachable disk must not hang the session.
const TIMEOUT: Duration = Duration::from_secs(5);

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
    // Run in the file's own folder: it may be in a submodule, of which the outer repository knows nothing.
    let object = |target: &Target<'_>| {
        context.request.base.object(target.path.rsplit('/').next().unwrap_or(&target.path))
    };
    let jobs: Option<Vec<Job>> = git.and_then(|git| {
        pending.iter().map(|target| Some(job(&git.path, target.path.folder(), object(target)?))).collect()
    });
    let limits = Limits {
        timeout: TIMEOUT,
        at_a_time: context.settings.processes,
        output_bytes: usize::try_from(MOST_BYTES).unwrap_or(usize::MAX),
    };
    let results = jobs.map(|jobs| context.workshop.run(&jobs, limits)).unwrap_or_default();
    let mut results = results.into_iter();
    for target in &mut pending {
        target.base = Some(results.next().and_then(content));
    }
}

fn job(git: &AbsolutePath, folder: AbsolutePath, object: String) -> Job {
    // A hook must neither take git's lock from the agent nor start the file system monitor of the repository.
    let words = ["--no-optional-locks", "-c", "core.fsmonitor=false", "cat-file", "blob", &object];
    Job { program: git.to_owned(), arguments: words.map(str::to_owned).to_vec(), folder, ..Job::default() }
}

fn content(ran: JobResult) -> Option<String> {
    // Content that was cut off would make the missing rest look new.
    let is_whole = ran.ending == Ending::Exited(0) && !ran.cut;
    String::from_utf8(ran.stdout).ok().filter(|_| is_whole)
}
