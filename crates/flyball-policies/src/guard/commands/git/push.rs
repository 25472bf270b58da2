//! What a push changes for others.

use flyball_core::policy::PolicyError;

use super::call::GitCall;
use crate::guard::commands::context::Context;
use crate::guard::commands::rule::{Check, Finding, rules};

rules! {
    "force-push" Standard Deny "`git push --force`, `-f`, `+branch`, `--mirror`; `--force-with-lease` is allowed"
        => Check::Git(force_push);
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

/// Whether `git config` makes it so for later.
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
        "send-pack" => git.has(&["force", "mirror"]),
        _ => configures_force(git),
    };
    if !is_forced {
        return None;
    }
    let what = format!("`{}` would overwrite what is on the remote, whatever it is", git.call.display_text());
    Finding::new(
        what,
        "Commits that others pushed in the meantime are lost",
        "Use `git push --force-with-lease` if you rewrote your own branch on purpose, else `git pull --rebase` and push \
         again",
    )
}

fn force_push_lease(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if !pushes(git) || !git.has(&["force-with-lease"]) {
        return None;
    }
    let what = format!("`git {}` with a lease would rewrite a branch on the remote", git.verb);
    Finding::new(
        what,
        "Whoever builds on that branch has to repair theirs",
        "Add commits instead of rewriting them, or let the user decide",
    )
}

fn delete_remote_branch(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    if !pushes(git) {
        return None;
    }
    let deletes = git.flag("delete", "d")
        || git.has(&["prune"])
        || refspecs(git).iter().any(|refspec| refspec.starts_with(':') && refspec.len() > 1);
    if !deletes {
        return None;
    }
    let what = format!("`{}` would delete a branch or tag on the remote", git.call.display_text());
    Finding::new(
        what,
        "Others may work on it, and its commits may be nowhere else",
        "Ask the user to do it; `git branch -r --merged` shows what is merged",
    )
}

fn push_main(scene: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    if !pushes(git) {
        return Ok(None);
    }
    let is_main = |name: &str| matches!(name, "main" | "master");
    let named = refspecs(git);
    let target = |refspec: &&str| {
        let (_, to) = refspec.split_once(':').unwrap_or((refspec, refspec));
        is_main(to.trim_start_matches('+').trim_start_matches("refs/heads/"))
    };
    let is_meant = if named.is_empty() {
        let branch = scene.git(&git.folder(scene), &["rev-parse", "--abbrev-ref", "HEAD"])?;
        branch.is_some_and(|branch| is_main(branch.trim()))
    } else {
        named.iter().any(target)
    };
    if !is_meant {
        return Ok(None);
    }
    Ok(Finding::new(
        format!("`{}` would push straight to the main branch", git.call.display_text()),
        "It reaches everyone without a review",
        "Push a branch of its own, such as `git push -u origin my-branch`, and open a pull request",
    ))
}
