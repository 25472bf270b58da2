//! What became of the names that git had for commits, and of what only its index had. Files come back by themselves, these by
//! a command of git that is said here: whether the work that was committed or staged since is to stay is no decision of ours.

use flyball_core::path::AbsolutePath;
use flyball_core::shell_word::quoted;
use flyball_core::snapshot::SnapshotId;
use flyball_core::world::Git as _;
use flyball_world::snapshots::{Manifest, Ref, Staged};

use super::kept::{Undo, describe};
use crate::show::visible::visible;
use crate::terminal::Terminal;

/// Says which branches are no longer where they were before a call whose files came back.
pub(super) fn say_moved(undo: &Undo, then: &Manifest, now: &Manifest, terminal: &Terminal) {
    for it in then.refs.iter().filter(|it| now_at(it, now) != Some(&it.commit)) {
        terminal.line(&visible(&sentence(undo, it, now)));
    }
    for it in then.staged.iter().filter(|it| !is_staged(undo, it)) {
        terminal.line(&visible(&unstaged(undo, it)));
    }
}

/// Says which names a call took away from commits, where no file came back: of the snapshot that is meant, or else of the
/// latest call that did so.
pub(super) fn say_lost(undo: &Undo, id: Option<SnapshotId>, now: &Manifest, terminal: &Terminal) {
    for manifest in undo.latest_first().flatten().filter(|it| id.is_none_or(|id| it.id == id)) {
        let lost: Vec<&Ref> = manifest.refs.iter().filter(|it| is_lost(undo, it, now)).collect();
        let unstaged_now: Vec<&Staged> = manifest.staged.iter().filter(|it| !is_staged(undo, it)).collect();
        if lost.is_empty() && unstaged_now.is_empty() {
            continue;
        }
        terminal.line(&format!("Since before {}:", describe(&manifest)));
        for it in lost {
            terminal.line(&format!("  {}", visible(&sentence(undo, it, now))));
        }
        for it in unstaged_now {
            terminal.line(&format!("  {}", visible(&unstaged(undo, it))));
        }
        return;
    }
}

/// Where a name is now.
fn now_at<'m>(it: &Ref, now: &'m Manifest) -> Option<&'m String> {
    now.refs.iter().find(|other| other.name == it.name).map(|other| &other.commit)
}

/// Whether what a name led to is no longer found by it: it is gone, or it has moved to something that is not based on that.
fn is_lost(undo: &Undo, it: &Ref, now: &Manifest) -> bool {
    match now_at(it, now) {
        None => true,
        Some(commit) if *commit == it.commit => false,
        Some(commit) => !answers(undo, &["merge-base", "--is-ancestor", &it.commit, commit]),
    }
}

fn sentence(undo: &Undo, it: &Ref, now: &Manifest) -> String {
    let short: String = it.commit.chars().take(10).collect();
    let is_gone = now_at(it, now).is_none();
    let what = match it.name.strip_prefix("refs/heads/") {
        Some(branch) if is_gone => format!("branch `{branch}` was deleted"),
        Some(branch) => {
            format!("branch `{branch}` was at {short} then; the files are as then, the branch stays")
        }
        None => format!("the stash was {short} then"),
    };
    if !answers(undo, &["cat-file", "-e", &it.commit]) {
        return format!("{what}; git no longer has {short}, and commits are in no snapshot");
    }
    match it.name.strip_prefix("refs/heads/") {
        Some(branch) if is_gone => format!("{what}: `git branch {branch} {short}` brings it back"),
        Some(_) => what,
        None => format!("{what}: `git stash store {short}` brings it back"),
    }
}

/// Whether git's index, or a commit that was made of it, still has what was staged.
fn is_staged(undo: &Undo, it: &Staged) -> bool {
    let says = |question: &[&str]| {
        let answer = undo.machine.git(&AbsolutePath::from_path(undo.snapshots.root()), question);
        answer.is_ok_and(|answer| answer.text().is_some_and(|text| text.contains(&it.object)))
    };
    says(&["ls-files", "--stage", "--", &it.path]) || says(&["ls-tree", "HEAD", "--", &it.path])
}

fn unstaged(undo: &Undo, it: &Staged) -> String {
    let Staged { path, mode, content, .. } = it;
    let copy = undo.snapshots.content_file(content);
    let object = format!("$(git hash-object -w --no-filters {})", quoted(&copy.to_string_lossy()));
    let entry = format!("{mode},{object},{}", quoted(path));
    format!(
        "what was staged of `{path}` is not in git's index: `git update-index --add --cacheinfo {entry}` brings it back"
    )
}

fn answers(undo: &Undo, question: &[&str]) -> bool {
    let root = AbsolutePath::from_path(undo.snapshots.root());
    match undo.machine.git(&root, question) {
        Ok(answer) => answer.text().is_some(),
        // What git cannot read any more is lost, too.
        Err(_) => false,
    }
}
