//! Rules about rewriting commits that others already have, or making lost ones unrecoverable.
//!
//! Pushed means: contained in a branch of a remote as last fetched or pushed.

use flyball_core::policy::{GitAnswer, PolicyError};

use super::call::GitCall;
use crate::guard::commands::context::Context;
use crate::guard::commands::finding::Finding;
use crate::guard::commands::listed::Listed;
use crate::guard::commands::rule::{Check, rules};

rules! {
    "rewrite-pushed" Standard Ask "`rebase`, `commit --amend`, `reset` of commits that are pushed; `filter-branch` and `filter-repo`"
        => Check::Any(&[
            Check::Listed(Listed::new(
                "would rewrite the whole history",
                "Everyone who has the old commits gets a diverging history, and what is left out is lost",
                "Try it on a fresh clone, and let the user decide",
            )),
            Check::Repository(rewrite_pushed),
        ]);
    "drop-commits" Standard Ask "a `rebase` that drops commits by a script"
        => Check::Git(drop_commits);
    "drop-reflog" Standard Ask "`reflog expire` and `reflog delete`, after which lost commits cannot be recovered"
        => Check::Git(drop_reflog);
    "prune-objects" Standard Ask "`gc --prune=now` and `prune`"
        => Check::Git(prune_objects);
}

fn rewrite_pushed(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    // A commit made on the same line is not pushed yet.
    let is_new = |earlier: &GitCall<'_>| earlier.verb == "commit" && !earlier.has(&["amend"]);
    if git.verb == "commit" && git.earlier(context).any(|earlier| is_new(&earlier)) {
        return Ok(None);
    }
    let applies = match git.verb {
        "commit" if git.has(&["amend"]) && !git.has(&["dry-run"]) => head_is_pushed(context, git)?,
        "rebase" => rebases_pushed(context, git)?,
        "reset" => resets_pushed(context, git)?,
        // They rewrite all commits, and what they leave out is gone.
        "filter-branch" | "filter-repo" => !git.has(&["help", "analyze", "dry-run"]),
        _ => false,
    };
    if !applies {
        return Ok(None);
    }
    Ok(Finding::new(
        format!("`{}` would rewrite pushed commits", git.call.display_text()),
        "Everyone who has them gets a diverging history",
        "Add a new commit with `git commit`, or undo a wrong one with `git revert`",
    ))
}

/// HEAD is pushed if it has no commits that the remotes do not have.
fn head_is_pushed(context: &Context<'_>, git: &GitCall<'_>) -> Result<bool, PolicyError> {
    let unpushed =
        context.git(&git.folder(context), &["rev-list", "--max-count=1", "HEAD", "--not", "--remotes"])?;
    // Without a commit, nothing is pushed.
    Ok(unpushed.text().is_some_and(|commits| commits.trim().is_empty()))
}

/// Whether some of the commits after `base` are pushed.
fn has_pushed_since(context: &Context<'_>, git: &GitCall<'_>, base: &str) -> Result<bool, PolicyError> {
    let range = format!("{base}..HEAD");
    let Some(all) = count(context, git, &["rev-list", "--count", &range])? else { return Ok(false) };
    if all == 0 {
        return Ok(false);
    }
    let unpushed = count(context, git, &["rev-list", "--count", &range, "--not", "--remotes"])?;
    Ok(unpushed.is_some_and(|unpushed| unpushed < all))
}

/// The number of commits; `None` if one that the question names is not there.
fn count(context: &Context<'_>, git: &GitCall<'_>, question: &[&str]) -> Result<Option<u64>, PolicyError> {
    Ok(context.git(&git.folder(context), question)?.text().and_then(|answer| answer.trim().parse().ok()))
}

fn rebases_pushed(context: &Context<'_>, git: &GitCall<'_>) -> Result<bool, PolicyError> {
    const UNDER_WAY: &[&str] = &["abort", "continue", "skip", "quit", "edit-todo", "show-current-patch"];
    // Without a base, it is the upstream branch: what is not pushed is all that is rewritten.
    let words = git.words();
    let Some(base) = words.first().filter(|_| !git.has(UNDER_WAY)) else { return Ok(false) };
    if !has_pushed_since(context, git, base)? {
        return Ok(false);
    }
    // Git leaves commits that are already based on it as they are, unless each one is to be processed.
    let processes_each = git.flag("interactive", "i")
        || git.flag("exec", "x")
        || git.flag("force-rebase", "f")
        || git.has(&["root", "no-ff", "autosquash"]);
    let is_based = context.git(&git.folder(context), &["merge-base", "--is-ancestor", base, "HEAD"])?;
    Ok(processes_each || !matches!(is_based, GitAnswer::Said(_)))
}

fn resets_pushed(context: &Context<'_>, git: &GitCall<'_>) -> Result<bool, PolicyError> {
    if git.paths().is_some() {
        return Ok(false);
    }
    match git.words().as_slice() {
        // A file is named, or nothing moves.
        [] | ["HEAD" | "@"] => Ok(false),
        // Resetting to a remote's branch drops nothing that others have.
        [base] if base.contains("@{u") || base.starts_with("origin/") || base.starts_with("upstream/") => {
            Ok(false)
        }
        [base] if git.path(context, base).is_some_and(|path| context.exists(&path)) => Ok(false),
        [base] => has_pushed_since(context, git, base),
        // With more words it resets files, and no branch moves.
        _ => Ok(false),
    }
}

fn drop_commits(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let edits = git.call.command.assignments.iter().any(|(name, value)| {
        matches!(name.as_str(), "GIT_SEQUENCE_EDITOR" | "GIT_EDITOR")
            && (value.raw.contains("drop") || value.raw.contains("/d") || value.raw.contains("truncate"))
    });
    let by_setting = git.setting("sequence.editor").is_some_and(|value| value.contains("drop"));
    (git.verb == "rebase" && (edits || by_setting)).then_some(())?;
    Finding::new(
        format!("`{}` would drop commits", git.call.display_text()),
        "Git deletes them after some weeks",
        "Undo a commit with `git revert`, which keeps it in the history",
    )
}

fn drop_reflog(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if git.verb != "reflog" {
        return None;
    }
    let applies = matches!(git.words().first(), Some(&("expire" | "delete")));
    if !applies || git.flag("dry-run", "n") {
        return None;
    }
    Finding::new(
        format!("`{}` would delete reflog entries", git.call.display_text()),
        "They are the only way back to lost commits",
        "Leave them: `git gc` deletes old ones by itself",
    )
}

fn prune_objects(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let is_now = |when: &str| matches!(when, "now" | "all" | "0");
    let prunes = git.value("prune").or_else(|| git.setting("gc.pruneExpire")).is_some_and(is_now);
    let applies = match git.verb {
        "gc" => prunes,
        "prune" => !git.flag("dry-run", "n"),
        _ => false,
    };
    if !applies {
        return None;
    }
    Finding::new(
        format!("`{}` would delete commits that are in no branch", git.call.display_text()),
        "Lost work could no longer be recovered",
        "Use plain `git gc`, which deletes only objects older than two weeks",
    )
}
