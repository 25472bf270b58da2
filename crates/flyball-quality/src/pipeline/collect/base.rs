//! What files were before, from git.

use std::collections::{BTreeMap, BTreeSet};
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

/// How long the line before the content of an object is at most.
const MOST_HEAD: u64 = 256;

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
        set_known(context, &git.path, &mut pending);
        pending.retain(|target| target.base.is_none());
    }
    if pending.len() >= MANY {
        set_from_batch(context, &git.path, &mut pending);
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

/// Files that git says are as they were, or which it does not know, need no process of their own: a project has thousands
/// of them.
fn set_known(context: &Context<'_>, git: &AbsolutePath, pending: &mut [&mut Target<'_>]) {
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
    let mut folders = OwnFolders { context, known, seen: BTreeMap::new() };
    for target in pending.iter_mut() {
        match (known.contains(target.file.as_str()), changed.contains(target.file.as_str())) {
            (true, true) => {}
            (true, false) => target.base = Some(Some(target.content.clone())),
            (false, _) if folders.is_own(&target.path.folder()) => target.base = Some(None),
            (false, _) => {}
        }
    }
}

/// Which folders belong to the repository of the project, and not to another one inside of it.
struct OwnFolders<'c> {
    context: &'c Context<'c>,
    known: &'c BTreeSet<String>,
    seen: BTreeMap<AbsolutePath, bool>,
}

impl OwnFolders<'_> {
    fn is_own(&mut self, folder: &AbsolutePath) -> bool {
        let Some(file) = folder.strip_folder(self.context.root) else { return folder == self.context.root };
        if let Some(known) = self.seen.get(folder) {
            return *known;
        }
        let is_own = !self.known.contains(file)
            && self.context.workshop.stat(&folder.join(".git")).is_none()
            && self.is_own(&folder.folder());
        self.seen.insert(folder.clone(), is_own);
        is_own
    }
}

/// What many files were, from one process.
fn set_from_batch(context: &Context<'_>, git: &AbsolutePath, pending: &mut [&mut Target<'_>]) {
    let mut asked: Vec<&mut &mut Target<'_>> = Vec::new();
    let mut input = String::new();
    let mut bytes = 0;
    for target in pending.iter_mut() {
        // Each name is a line of the input.
        let Some(object) = context.request.base.object(&target.file).filter(|it| !it.contains('\n')) else {
            continue;
        };
        input.push_str(&object);
        input.push('\n');
        bytes += MOST_BYTES.min(target.content.len() as u64 * 2 + MOST_HEAD);
        asked.push(target);
    }
    let arguments = [QUIET, &["cat-file", "--batch"]].concat().into_iter().map(str::to_owned).collect();
    let job = Job {
        program: git.clone(),
        arguments,
        folder: context.root.clone(),
        stdin: Some(input.into_bytes()),
        ..Job::default()
    };
    let results = context.workshop.run(&[job], limits(context, bytes.max(LIST_BYTES)));
    let Some(ran) = results.into_iter().next().filter(|ran| ran.ending == Ending::Exited(0) && !ran.cut)
    else {
        return;
    };
    let mut rest = ran.stdout.as_slice();
    for target in asked {
        match next_object(&mut rest) {
            Some(Some(content)) => target.base = Some(String::from_utf8(content.to_vec()).ok()),
            // It may be in another repository inside of this one.
            Some(None) => {}
            None => return,
        }
    }
}

/// The next object that git printed: `HASH blob BYTES`, its content and a line end, or one line if there is none. `None`
/// at the end, or if that is not what it printed.
fn next_object<'o>(rest: &mut &'o [u8]) -> Option<Option<&'o [u8]>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, behind) = rest.split_at_checked(end)?;
    let behind = behind.get(1..)?;
    let words: Vec<&[u8]> = head.rsplitn(3, |byte| *byte == b' ').collect();
    let [length, kind, _] = words.as_slice() else {
        *rest = behind;
        return Some(None);
    };
    let Some(length) = std::str::from_utf8(length).ok().and_then(|it| it.parse::<usize>().ok()) else {
        *rest = behind;
        return Some(None);
    };
    let (content, behind) = behind.split_at_checked(length)?;
    *rest = behind.get(1..)?;
    Some(Some(content).filter(|_| *kind == b"blob" && length as u64 <= MOST_BYTES))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_one_after_the_other() {
        let text =
            b"0a blob 4\na\nb\n\nHEAD:./no such file missing\n0b tree 2\nxx\n0c blob 0\n\n0d blob 9\ncut";
        let mut rest = &text[..];
        let expected = [Some(Some(&b"a\nb\n"[..])), Some(None), Some(None), Some(Some(&b""[..])), None];
        for expected in expected {
            assert_eq!(next_object(&mut rest), expected);
        }
    }
}
