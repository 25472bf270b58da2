//! What rewrites commits that others already have, or makes lost ones unrecoverable.
//!
//! Pushed means: contained in a branch of a remote as last fetched or pushed.

use flyball_core::policy::PolicyError;

use super::call::GitCall;
use crate::guard::commands::context::Context;
use crate::guard::commands::rule::{Check, Finding, rules};

rules! {
    "rewrite-pushed" Standard Ask "`rebase`, `commit --amend`, `reset`, `filter-branch` of commits that are pushed"
        => Check::Repository(rewrite_pushed);
    "drop-reflog" Standard Ask "`reflog expire` and `reflog delete`: what was lost by mistake cannot be found again"
        => Check::Git(drop_reflog);
    "prune-objects" Strict Ask "`gc --prune=now` and `prune`"
        => Check::Git(prune_objects);
}

fn rewrite_pushed(scene: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    // A commit made on the same line is not pushed yet.
    let is_new = |earlier: &GitCall<'_>| earlier.verb == "commit" && !earlier.has(&["amend"]);
    if git.verb == "commit" && git.earlier(scene).any(|earlier| is_new(&earlier)) {
        return Ok(None);
    }
    let is_meant = match git.verb {
        "commit" if git.has(&["amend"]) && !git.has(&["dry-run"]) => head_is_pushed(scene, git)?,
        "rebase" => rebases_pushed(scene, git)?,
        "reset" => resets_pushed(scene, git)?,
        "filter-branch" | "filter-repo" if !git.has(&["help", "analyze", "dry-run"]) => {
            has_output(scene, git, &["rev-list", "--max-count=1", "--remotes"])?
        }
        _ => false,
    };
    if !is_meant {
        return Ok(None);
    }
    Ok(Finding::new(
        format!("`{}` would rewrite commits that are already pushed", git.call.display_text()),
        "Whoever has them gets a second, diverging history",
        "Add to the history instead: a new `git commit`, or `git revert` of the commit that was wrong",
    ))
}

/// Whether git has anything to say.
fn has_output(scene: &Context<'_>, git: &GitCall<'_>, question: &[&str]) -> Result<bool, PolicyError> {
    Ok(scene.git(&git.folder(scene), question)?.is_some_and(|answer| !answer.trim().is_empty()))
}

/// The newest commit is pushed if leaving out what remotes have leaves none.
fn head_is_pushed(scene: &Context<'_>, git: &GitCall<'_>) -> Result<bool, PolicyError> {
    let unpushed =
        scene.git(&git.folder(scene), &["rev-list", "--max-count=1", "HEAD", "--not", "--remotes"])?;
    Ok(unpushed.is_some_and(|commits| commits.trim().is_empty()))
}

/// Whether some of the commits after `base` are pushed.
fn has_pushed_since(scene: &Context<'_>, git: &GitCall<'_>, base: &str) -> Result<bool, PolicyError> {
    let range = format!("{base}..HEAD");
    let Some(all) = count(scene, git, &["rev-list", "--count", &range])? else { return Ok(false) };
    if all == 0 {
        return Ok(false);
    }
    let unpushed = count(scene, git, &["rev-list", "--count", &range, "--not", "--remotes"])?;
    Ok(unpushed.is_some_and(|unpushed| unpushed < all))
}

fn count(scene: &Context<'_>, git: &GitCall<'_>, question: &[&str]) -> Result<Option<u64>, PolicyError> {
    Ok(scene.git(&git.folder(scene), question)?.and_then(|answer| answer.trim().parse().ok()))
}

fn rebases_pushed(scene: &Context<'_>, git: &GitCall<'_>) -> Result<bool, PolicyError> {
    const UNDER_WAY: &[&str] = &["abort", "continue", "skip", "quit", "edit-todo", "show-current-patch"];
    // Without a base, it is the upstream branch: what is not pushed is all that is rewritten.
    let words = git.words();
    let Some(base) = words.first().filter(|_| !git.has(UNDER_WAY)) else { return Ok(false) };
    if !has_pushed_since(scene, git, base)? {
        return Ok(false);
    }
    // What already stands on its base is left as it is, unless every commit is gone through.
    let goes_through = git.flag("interactive", "i")
        || git.flag("exec", "x")
        || git.flag("force-rebase", "f")
        || git.has(&["root", "no-ff", "autosquash"]);
    let stands = scene.git(&git.folder(scene), &["merge-base", "--is-ancestor", base, "HEAD"])?.is_some();
    Ok(goes_through || !stands)
}

fn resets_pushed(scene: &Context<'_>, git: &GitCall<'_>) -> Result<bool, PolicyError> {
    if git.paths().is_some() {
        return Ok(false);
    }
    match git.words().as_slice() {
        // A file is named, or nothing moves.
        [] | ["HEAD" | "@"] => Ok(false),
        // A remote's branch is where others are: going there leaves nobody behind.
        [base] if base.contains("@{u") || base.starts_with("origin/") || base.starts_with("upstream/") => {
            Ok(false)
        }
        [base] if git.path(scene, base).is_some_and(|path| scene.exists(&path)) => Ok(false),
        [base] => has_pushed_since(scene, git, base),
        _ => Ok(false),
    }
}

fn drop_reflog(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if git.verb != "reflog" {
        return None;
    }
    let is_meant = matches!(git.words().first(), Some(&("expire" | "delete")));
    if !is_meant || git.flag("dry-run", "n") {
        return None;
    }
    Finding::new(
        format!("`{}` would forget where branches have been", git.call.display_text()),
        "The reflog is the only way back to commits that were lost by mistake",
        "Leave it: git forgets old entries by itself; `git reflog` shows them",
    )
}

fn prune_objects(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let prunes = git.value("prune").is_some_and(|when| matches!(when, "now" | "all"));
    let is_meant = match git.verb {
        "gc" => prunes,
        "prune" => !git.flag("dry-run", "n"),
        _ => false,
    };
    if !is_meant {
        return None;
    }
    Finding::new(
        format!("`{}` would delete commits that no branch holds", git.call.display_text()),
        "Work that was lost by mistake is gone for good then",
        "Plain `git gc` keeps what is younger than two weeks",
    )
}
