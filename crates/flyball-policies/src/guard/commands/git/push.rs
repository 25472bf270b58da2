//! Rules about pushes that change what others have.

use flyball_core::policy::PolicyError;

use super::call::GitCall;
use crate::guard::commands::context::Context;
use crate::guard::commands::finding::Finding;
use crate::guard::commands::rule::{Check, rules};

rules! {
    "force-push" Standard Deny "`git push --force`, `-f`, `+branch`, `--mirror`; `--force-with-lease` is allowed"
        => Check::Git(force_push);
    "force-push-main" Standard Ask "`git push --force-with-lease` of `main`, `master` or a release branch"
        => Check::Git(force_push_main);
    "force-push-lease" Strict Ask "`git push --force-with-lease`"
        => Check::Git(force_push_lease);
    "delete-remote-branch" Standard Ask "`git push --delete`, `:branch`, `--prune`"
        => Check::Git(delete_remote_branch);
    "push-main" Strict Ask "a push straight to `main` or `master`"
        => Check::Repository(push_main);
}

/// Whether a call really pushes.
fn pushes(git: &GitCall<'_>) -> bool {
    git.verb == "push" && !git.flag("dry-run", "n")
}

/// The refspecs: the words behind the remote.
fn refspecs<'a>(git: &GitCall<'a>) -> Vec<&'a str> {
    git.words().into_iter().skip(1).collect()
}

/// Whether a setting of a remote makes every push to it a forced one.
fn forces(key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let Some(rest) = key.strip_prefix("remote.") else { return false };
    (rest.ends_with(".push") && value.starts_with('+')) || (rest.ends_with(".mirror") && value == "true")
}

/// Whether `git config` stores such a setting.
fn configures_force(git: &GitCall<'_>) -> bool {
    let words = git.words();
    git.verb == "config" && words.windows(2).any(|pair| matches!(pair, [key, value] if forces(key, value)))
}

fn force_push(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let is_forced = match git.verb {
        "push" if pushes(git) => {
            git.flag("force", "f")
                || git.has(&["mirror"])
                || refspecs(git).iter().any(|refspec| refspec.starts_with('+'))
                || git.settings().any(|(key, value)| forces(key, value))
        }
        // What `git push` runs, also as a command of its own.
        "send-pack" => git.has(&["force", "mirror"]),
        // Once it is stored, a plain `git push` is forced.
        _ => configures_force(git),
    };
    if !is_forced {
        return None;
    }
    let what = format!("`{}` would overwrite the remote unchecked", git.call.display_text());
    Finding::new(
        what,
        "Commits that others pushed would be lost",
        "Use `git push --force-with-lease` for your own rewritten branch, else `git pull --rebase` and push again",
    )
}

fn force_push_main(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let is_main = |refspec: &&str| {
        let (_, to) = refspec.split_once(':').unwrap_or((refspec, refspec));
        let name = to.trim_start_matches("refs/heads/");
        matches!(name, "main" | "master" | "develop" | "trunk" | "production") || name.starts_with("release/")
    };
    let applies = pushes(git) && git.has(&["force-with-lease"]) && refspecs(git).iter().any(is_main);
    applies.then_some(())?;
    Finding::new(
        format!("`{}` would rewrite a branch that everyone uses", git.call.display_text()),
        "Everyone has to repair their copy",
        "Undo a wrong commit with `git revert`, and push that",
    )
}

fn force_push_lease(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if !pushes(git) || !git.has(&["force-with-lease"]) {
        return None;
    }
    let what = format!("`{}` would rewrite a branch on the remote", git.call.display_text());
    Finding::new(
        what,
        "Everyone who uses that branch has to repair their copy",
        "Add commits instead of rewriting them, or let the user decide",
    )
}

fn delete_remote_branch(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if !pushes(git) {
        return None;
    }
    // A lone `:` pushes the matching branches and deletes nothing.
    let deletes = git.flag("delete", "d")
        || git.has(&["prune"])
        || refspecs(git).iter().any(|refspec| refspec.starts_with(':') && refspec.len() > 1);
    if !deletes {
        return None;
    }
    let what = format!("`{}` would delete a branch or tag on the remote", git.call.display_text());
    Finding::new(
        what,
        "Others may use it, and its commits may be nowhere else",
        "Ask the user to do it; `git branch -r --merged` lists the merged branches",
    )
}

fn push_main(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    if !pushes(git) {
        return Ok(None);
    }
    let is_main = |name: &str| matches!(name, "main" | "master");
    let named = refspecs(git);
    let target = |refspec: &&str| {
        let (_, to) = refspec.split_once(':').unwrap_or((refspec, refspec));
        is_main(to.trim_start_matches('+').trim_start_matches("refs/heads/"))
    };
    let applies = if named.is_empty() {
        let branch = context.git(&git.folder(context), &["rev-parse", "--abbrev-ref", "HEAD"])?;
        // Without a commit there is nothing to push yet.
        branch.text().is_some_and(|branch| is_main(branch.trim()))
    } else {
        named.iter().any(target)
    };
    if !applies {
        return Ok(None);
    }
    Ok(Finding::new(
        format!("`{}` would push straight to the main branch", git.call.display_text()),
        "It skips the review",
        "Push a separate branch, such as `git push -u origin my-branch`, and open a pull request",
    ))
}
