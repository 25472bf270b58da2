//! The same commands in repositories of different states.

use super::{Row, check_rows, world};
use crate::testing::PinnedWorld;

const CHANGED: &str = "status --porcelain --untracked-files=no";
const UNPUSHED: &str = "rev-list --max-count=1 HEAD --not --remotes";

/// All tables of this file, for the counts.
pub(super) const TABLES: &[&[Row]] = &[BUSY, STAGED, CLEAN, PUSHED, UNPUSHED_ONLY];

/// Uncommitted changes, untracked files, a stash, an unmerged branch.
pub(super) fn busy() -> PinnedWorld {
    let mut world = world()
        .git_says(CHANGED, " M src/main.rs\n")
        .git_says("stash list", "stash@{0}: WIP on main\n")
        .git_says("status --porcelain", " M a.rs\n")
        .git_says("clean -n", "Would remove notes.txt\n")
        .git_says("clean -n -d", "Would remove notes.txt\nWould remove drafts/\n")
        .git_says("clean -n -d -x", "Would remove .env\nWould remove target/\n")
        .git_says("clean -n -d -X", "Would remove target/\nWould remove a/__pycache__/\n");
    for path in [".", "src", "src/", "*.rs", ":/"] {
        world = world.git_says(&format!("{CHANGED} -- {path}"), " M src/main.rs\n");
    }
    let only = "--branches --remotes --tags";
    world
        .git_says(&format!("rev-list --max-count=1 wip --not --exclude=wip {only}"), "abc\n")
        .git_says(&format!("rev-list --max-count=1 merged --not --exclude=merged {only}"), "")
        .git_says(&format!("rev-list --max-count=1 refs/heads/wip --not --exclude=wip {only}"), "abc\n")
}

fn clean() -> PinnedWorld {
    let mut world = world()
        .git_says(CHANGED, "")
        .git_says("stash list", "")
        .git_says("status --porcelain", "")
        .git_says("clean -n -d -x", "Would remove target/\nWould remove node_modules/\n")
        .git_says("clean -n -d", "");
    for path in [".", "src"] {
        world = world.git_says(&format!("{CHANGED} -- {path}"), "");
    }
    world
}

/// The last three commits are pushed.
fn pushed() -> PinnedWorld {
    world()
        .git_says(UNPUSHED, "")
        .git_says("rev-list --max-count=1 --remotes", "abc\n")
        .git_says("rev-list --count HEAD~3..HEAD", "3\n")
        .git_says("rev-list --count HEAD~3..HEAD --not --remotes", "0\n")
        .git_says("merge-base --is-ancestor HEAD~3 HEAD", "")
        .git_says("rev-list --count main..HEAD", "2\n")
        .git_says("rev-list --count main..HEAD --not --remotes", "1\n")
        .git_says("rev-list --count base..HEAD", "0\n")
}

/// A remote, and local commits that it does not have.
fn unpushed() -> PinnedWorld {
    world()
        .git_says(UNPUSHED, "abc\n")
        .git_says("rev-list --max-count=1 --remotes", "")
        .git_says("rev-list --count HEAD~3..HEAD", "3\n")
        .git_says("rev-list --count HEAD~3..HEAD --not --remotes", "3\n")
        .git_says("merge-base --is-ancestor HEAD~3 HEAD", "")
        .git_says("rev-list --count main..HEAD", "2\n")
        .git_says("rev-list --count main..HEAD --not --remotes", "2\n")
}

const BUSY: &[Row] = &[
    ("git reset --hard", "discard-changes"),
    ("git reset --hard HEAD", "discard-changes"),
    ("git reset --hard origin/main", "discard-changes"),
    ("git checkout -- .", "discard-changes"),
    ("git checkout .", "discard-changes"),
    ("git checkout src", "discard-changes"),
    ("git checkout HEAD -- src/", "discard-changes"),
    ("git checkout -- '*.rs'", "discard-changes"),
    ("git checkout -f main", "discard-changes"),
    ("git switch -f main", "discard-changes"),
    ("git switch --discard-changes main", "discard-changes"),
    ("git restore .", "discard-changes"),
    ("git restore -SW .", "discard-changes"),
    ("git restore --source=HEAD -- .", "discard-changes"),
    ("git restore -s HEAD~1 src", "discard-changes"),
    ("git restore :/", "discard-changes"),
    ("git fetch && git reset --hard @{u}", "discard-changes"),
    ("git rm -rf .", "discard-changes"),
    ("git stash && git reset --hard", ""),
    ("git stash push -m x; git checkout -- .", ""),
    ("git add -A && git commit -m wip && git reset --hard origin/main", ""),
    ("git stash -u && git clean -fd", ""),
    ("git stash && make && git stash drop", "drop-stash"),
    ("git stash && make && git stash apply && git stash drop", ""),
    ("git read-tree -u --reset HEAD", "discard-changes"),
    ("git stash pop && git reset --hard", "discard-changes"),
    ("git checkout main", ""),
    ("git checkout -b new", ""),
    ("git restore --staged .", ""),
    ("git reset --keep HEAD", ""),
    ("git reset --soft HEAD", ""),
    ("git reset", ""),
    ("git stash", ""),
    ("git clean -f", "clean-untracked"),
    ("git clean -fd", "clean-untracked"),
    ("git clean -d -f", "clean-untracked"),
    ("git clean -fdx", "clean-untracked"),
    ("git clean --force", "clean-untracked"),
    ("git clean -fdX", ""),
    ("git clean -nd", ""),
    ("git clean -ndx", ""),
    ("git clean -i", ""),
    ("git stash drop", "drop-stash"),
    ("git stash clear", "drop-stash"),
    ("git stash drop stash@{1}", "drop-stash"),
    ("git stash apply && git stash drop", ""),
    ("git stash apply stash@{1} && git stash drop stash@{1}", ""),
    ("git stash apply; git stash drop", "drop-stash"),
    ("git stash apply || git stash drop", "drop-stash"),
    ("git stash apply && git stash drop stash@{1}", "drop-stash"),
    ("git stash apply && git stash clear", "drop-stash"),
    ("git stash pop", ""),
    ("git stash show -p", ""),
    ("git worktree remove --force ../wt", "remove-worktree"),
    ("git worktree remove -f ../wt", "remove-worktree"),
    ("git worktree remove ../wt", ""),
    ("git worktree list", ""),
    ("git branch -D wip", "delete-branch"),
    ("git branch --delete --force wip", "delete-branch"),
    ("git update-ref -d refs/heads/wip", "delete-branch"),
    ("git branch -D merged", ""),
    ("git branch -d wip", ""),
    ("git branch -rD origin/wip", ""),
];

/// Everything that changed is staged.
fn staged() -> PinnedWorld {
    world().git_says(CHANGED, "M  src/main.rs\n").git_says(&format!("{CHANGED} -- ."), "M  src/main.rs\n")
}

const STAGED: &[Row] = &[
    ("git checkout -- .", ""),
    ("git restore .", ""),
    ("git restore -SW .", "discard-changes"),
    ("git checkout HEAD -- .", "discard-changes"),
    ("git reset --hard", "discard-changes"),
];

#[test]
fn with_everything_staged() {
    check_rows("", staged, STAGED);
}

const CLEAN: &[Row] = &[
    ("git reset --hard", ""),
    ("git reset --hard HEAD", ""),
    ("git checkout -- .", ""),
    ("git checkout .", ""),
    ("git checkout -f main", ""),
    ("git restore .", ""),
    ("git restore src", ""),
    ("git switch -f main", ""),
    ("git clean -fd", ""),
    ("git clean -fdx", ""),
    ("git stash drop", "drop-stash"),
    ("git stash clear", "drop-stash"),
    ("git worktree remove --force ../wt", ""),
];

const PUSHED: &[Row] = &[
    ("git commit --amend", "rewrite-pushed"),
    ("git commit --amend --no-edit", "rewrite-pushed"),
    ("git rebase -i HEAD~3", "rewrite-pushed"),
    ("git rebase main", "rewrite-pushed"),
    ("git reset HEAD~3", "rewrite-pushed"),
    ("git reset --soft HEAD~3", "rewrite-pushed"),
    ("git filter-branch --tree-filter 'ls' HEAD", "rewrite-pushed"),
    ("git filter-repo --path x", "rewrite-pushed"),
    // They are already based on it: nothing is rewritten.
    ("git rebase HEAD~3", ""),
    ("git rebase base", ""),
    ("git rebase", ""),
    ("git rebase --continue", ""),
    ("git pull --rebase", ""),
    ("git commit -m x", ""),
    ("git commit -m x && git commit --amend -m y", ""),
    ("git revert HEAD", ""),
    ("git reset --hard origin/main", ""),
    ("git reset src/main.rs", ""),
];

const UNPUSHED_ONLY: &[Row] = &[
    ("git commit --amend", ""),
    ("git rebase -i HEAD~3", ""),
    ("git rebase main", ""),
    ("git reset --soft HEAD~3", ""),
    ("git reset HEAD~3", ""),
    ("git filter-branch --tree-filter 'ls' HEAD", "rewrite-pushed"),
];

#[test]
fn with_something_to_lose() {
    check_rows("", busy, BUSY);
}

#[test]
fn with_nothing_to_lose() {
    check_rows("", clean, CLEAN);
}

#[test]
fn with_pushed_commits() {
    check_rows("", pushed, PUSHED);
}

#[test]
fn with_unpushed_commits_only() {
    check_rows("", unpushed, UNPUSHED_ONLY);
}
