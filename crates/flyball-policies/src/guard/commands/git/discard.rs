//! Rules about discarding uncommitted work. Silent where the repository has nothing to lose.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, PolicyError};
use flyball_core::text;
use flyball_effects::FileAct;

use super::call::GitCall;
use crate::guard::commands::context::Context;
use crate::guard::commands::finding::Finding;
use crate::guard::commands::listed::Listed;
use crate::guard::commands::rule::{Check, rules};
use crate::guard::commands::zone::{below, is_build_folder};

rules! {
    "discard-changes" Standard Deny "`reset --hard`, `checkout -- .`, `restore .`, `checkout -f`, `switch -f`, `rm -f` while there are uncommitted changes"
        => Check::Any(&[
            Check::Listed(Listed::new(
                "would discard uncommitted changes",
                "This cannot be undone",
                "Commit or shelve the changes first",
            )),
            Check::Repository(discard_changes),
        ]);
    "discard-file" Standard Ask "`checkout -- file` and `restore file` while that file has uncommitted changes"
        => Check::Repository(discard_file);
    "discard-elsewhere" Strict Ask "`git -C folder reset --hard` and its like in a repository that cannot be looked at"
        => Check::Repository(discard_elsewhere);
    "clean-untracked" Standard Deny "`git clean -f` while it would delete more than build output"
        => Check::Repository(clean_untracked);
    "drop-stash" Standard Ask "`stash drop` and `stash clear`, unless the same line restores the changes"
        => Check::Repository(drop_stash);
    "remove-worktree" Standard Deny "`worktree remove --force` of a worktree with uncommitted changes, unless the session made it"
        => Check::Repository(remove_worktree);
    "remove-worktrees" Standard Ask "`worktree remove --force` of worktrees that are only known when it runs"
        => Check::Git(remove_unknown_worktree);
    "delete-branch" Standard Ask "deleting or moving a branch whose commits are nowhere else: `branch -D`, `branch -f`, `update-ref`; deleting many tags"
        => Check::Any(&[Check::Git(delete_unknown_refs), Check::Repository(delete_branch)]);
    "delete-tag" Strict Ask "`git tag -d` and `git tag -f`"
        => Check::Git(delete_tag);
    "remove-submodule" Standard Ask "`submodule deinit --force`"
        => Check::Git(remove_submodule);
    "write-refs" Standard Ask "changing or deleting branches, stashes and objects in `.git` by hand"
        => Check::Line(write_refs);
}

/// What a call discards.
enum Discards {
    /// All changes, or those in folders.
    All(Vec<String>),
    /// The changes in these files.
    Files(Vec<String>),
}

fn discard_changes(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    let Some(Discards::All(paths)) = discards(context, git) else { return Ok(None) };
    let Some(lost) = changed(context, git, &paths)? else { return Ok(None) };
    Ok(Finding::new(
        format!("`{}` would discard uncommitted changes", git.call.display_text()),
        "This cannot be undone",
        "Save the changes first with `git stash push -m \"before reset\"` or a commit",
    )
    .map(|finding| finding.seen("git status", &lost)))
}

fn discard_file(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    let Some(Discards::Files(paths)) = discards(context, git) else { return Ok(None) };
    let Some(lost) = changed(context, git, &paths)? else { return Ok(None) };
    let file = paths.first().and_then(|path| git.path(context, path));
    let finding = Finding::new(
        format!("`{}` would discard the uncommitted changes in that file", git.call.display_text()),
        "This cannot be undone",
        "Save the changes first with `git stash push -- FILE`, or undo only your own with an edit",
    );
    Ok(finding.map(|finding| finding.in_tree(lost.lines()).seen("git status", &lost).about(file)))
}

fn discard_elsewhere(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    if !git.is_elsewhere() || !matches!(discards(context, git), Some(Discards::All(_))) {
        return Ok(None);
    }
    // If git could be asked, the rules above have judged what it said.
    let status = context.git(&git.folder(context), &["status", "--porcelain", "--untracked-files=no"])?;
    if matches!(status, GitAnswer::Said(_)) {
        return Ok(None);
    }
    Ok(Finding::new(
        format!(
            "`{}` would discard changes in a repository that cannot be looked at",
            git.call.display_text()
        ),
        "If there are any, this cannot be undone",
        "Look first with `git -C FOLDER status`, and let the user decide",
    ))
}

/// The tracked files that are changed, all or below these paths; `None` if there are none.
fn changed(
    context: &Context<'_>,
    git: &GitCall<'_>,
    paths: &[String],
) -> Result<Option<String>, PolicyError> {
    // `git stash && git reset --hard`: by then there is nothing to lose.
    if git.earlier(context).any(|earlier| earlier.saves_changes()) {
        return Ok(None);
    }
    uncommitted(context, git, paths)
}

/// The same before anything on the line has run.
fn uncommitted(
    context: &Context<'_>,
    git: &GitCall<'_>,
    paths: &[String],
) -> Result<Option<String>, PolicyError> {
    let mut question = vec!["status", "--porcelain", "--untracked-files=no"];
    if !paths.is_empty() {
        question.push("--");
        question.extend(paths.iter().map(String::as_str));
    }
    // Without a repository, or for files outside of it, git refuses the command.
    let Some(answer) = context.git(&git.folder(context), &question)?.text() else { return Ok(None) };
    let keeps_index = keeps_index(git);
    // The second letter is about the files, the first about what is staged.
    let is_lost = |line: &&str| !keeps_index || !matches!(line.as_bytes(), [_, b' ', ..]);
    let lost: Vec<&str> = answer.lines().filter(|line| !line.trim().is_empty()).filter(is_lost).collect();
    Ok((!lost.is_empty()).then(|| lost.join("\n")))
}

/// Whether files are restored from the index, so that staged changes are not lost.
fn keeps_index(git: &GitCall<'_>) -> bool {
    match git.verb {
        "restore" => !git.flag("staged", "S") && git.value("source").is_none() && !git.flag("", "s"),
        "checkout" => git.words().is_empty() && git.paths().is_some(),
        _ => false,
    }
}

fn discards(context: &Context<'_>, git: &GitCall<'_>) -> Option<Discards> {
    match git.verb {
        "reset" => git.has(&["hard", "merge"]).then(|| Discards::All(Vec::new())),
        // `git diff | git apply -R` takes all changes back.
        "apply" => {
            let is_reverse = git.flag("reverse", "R");
            let only_looks = git.has(&["check", "stat", "numstat", "summary", "cached"]);
            let from_diff = context.upstream(git.call.index).into_iter().any(|index| {
                let call = context.call_at(index);
                call.and_then(|call| GitCall::read(&call)).is_some_and(|other| other.verb == "diff")
            });
            (is_reverse && !only_looks && from_diff).then(|| Discards::All(Vec::new()))
        }
        "switch" => {
            let is_forced = git.flag("force", "f") || git.has(&["discard-changes"]);
            is_forced.then(|| Discards::All(Vec::new()))
        }
        "checkout-index" => {
            let is_forced = git.flag("force", "f");
            let is_all = git.flag("all", "a");
            (is_forced && is_all).then(|| Discards::All(Vec::new()))
        }
        "read-tree" => (git.has(&["reset"]) && git.flag("", "u")).then(|| Discards::All(Vec::new())),
        // Without `-f`, git itself refuses to delete a file with changes.
        "rm" => {
            let is_forced = git.flag("force", "f");
            let is_real = !git.has(&["cached"]) && !git.flag("dry-run", "n");
            (is_forced && is_real).then(|| Discards::All(path_arguments(git)))
        }
        "checkout" => checkout(context, git),
        "restore" => {
            let is_index_only = git.flag("staged", "S") && !git.flag("worktree", "W");
            if takes_unknown_paths(git) && !is_index_only {
                return Some(Discards::All(Vec::new()));
            }
            (!is_index_only).then(|| classify_paths(context, git, path_arguments(git)))?
        }
        _ => None,
    }
}

fn checkout(context: &Context<'_>, git: &GitCall<'_>) -> Option<Discards> {
    // `-p` asks about each change.
    if git.flag("patch", "p") {
        return None;
    }
    if let Some(paths) = git.paths().filter(|_| !takes_unknown_paths(git)) {
        return classify_paths(context, git, owned(&paths));
    }
    if git.flag("force", "f") || takes_unknown_paths(git) {
        return Some(Discards::All(Vec::new()));
    }
    let makes_branch =
        git.has(&["orphan"]) || git.flag("track", "t") || git.flag("", "b") || git.flag("", "B");
    let words = git.words();
    match words.as_slice() {
        _ if makes_branch => None,
        // A lone word is a branch, unless there is a file of that name.
        [] => None,
        // `:/` and `:(top)` are pathspecs.
        [word] if *word == "." || word.starts_with(':') || path_exists(context, git, word) => {
            classify_paths(context, git, vec![(*word).to_owned()])
        }
        [_] => None,
        [_, paths @ ..] => classify_paths(context, git, owned(paths)),
    }
}

/// Whether the paths come from a file or from `xargs`.
fn takes_unknown_paths(git: &GitCall<'_>) -> bool {
    let is_filled = git.call.command.wrappers.iter().any(|wrapper| wrapper.starts_with("xargs"));
    let after = git.paths();
    let has_paths = after.is_some_and(|paths| !paths.is_empty());
    git.value("pathspec-from-file").is_some() || (is_filled && !has_paths)
}

fn path_exists(context: &Context<'_>, git: &GitCall<'_>, text: &str) -> bool {
    git.path(context, text).is_some_and(|path| context.exists(&path))
}

/// The words that are paths: those behind `--` if there is one.
fn path_arguments(git: &GitCall<'_>) -> Vec<String> {
    owned(&git.paths().unwrap_or_else(|| git.words()))
}

fn owned(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// One file is a small loss and often intended, a folder or a pattern is not.
fn classify_paths(context: &Context<'_>, git: &GitCall<'_>, paths: Vec<String>) -> Option<Discards> {
    if paths.is_empty() {
        return None;
    }
    let is_many = |path: &String| {
        path.contains(['*', '?'])
            || path.starts_with(':')
            || path.ends_with('/')
            || matches!(path.as_str(), "." | "..")
            || git.path(context, path).is_some_and(|place| context.is_folder(&place))
    };
    let has_many = paths.iter().any(is_many);
    Some(if has_many { Discards::All(paths) } else { Discards::Files(paths) })
}

fn clean_untracked(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    if git.verb != "clean" {
        return Ok(None);
    }
    // By default, git refuses to clean without `-f`.
    let is_false =
        |value: &str| ["false", "no", "off", "0"].iter().any(|word| value.eq_ignore_ascii_case(word));
    let needs_none = git.setting("clean.requireForce").is_some_and(is_false);
    let is_forced = git.flag("force", "f") || needs_none;
    // Interactive, but the answers come from the line.
    let is_answered = git.flag("interactive", "i") && git.call.command.place.pipe_in;
    if git.flag("dry-run", "n") || !(is_answered || (is_forced && !git.flag("interactive", "i"))) {
        return Ok(None);
    }
    if git.earlier(context).any(|earlier| saves_untracked(&earlier)) {
        return Ok(None);
    }
    let mut question = vec!["clean", "-n"];
    for (letter, option) in [("d", "-d"), ("x", "-x"), ("X", "-X")] {
        if git.flag("", letter) {
            question.push(option);
        }
    }
    let paths = path_arguments(git);
    if !paths.is_empty() {
        question.push("--");
        question.extend(paths.iter().map(String::as_str));
    }
    // Without a repository, or for files outside of it, git refuses the command.
    let Some(answer) = context.git(&git.folder(context), &question)?.text() else { return Ok(None) };
    let lost: Vec<&str> = answer.lines().filter_map(|line| removed(line)).collect();
    if lost.is_empty() {
        return Ok(None);
    }
    Ok(Finding::new(
        format!("`{}` would delete untracked files: {}", git.call.display_text(), some_of(&lost)),
        "They are in no commit, so this cannot be undone",
        format!(
            "List them with `git clean -n`, then save them with `git stash push {}` or delete your own by name",
            // `--include-untracked` leaves ignored files where they are.
            if git.flag("", "x") || git.flag("", "X") { "--all" } else { "--include-untracked" }
        ),
    )
    .map(|finding| finding.seen("git clean -n", &answer)))
}

fn saves_untracked(git: &GitCall<'_>) -> bool {
    let takes_all = git.flag("include-untracked", "u") || git.flag("all", "a");
    // `git clean` leaves files alone that are in the index.
    git.verb == "add" || (git.verb == "stash" && takes_all)
}

/// The path that a line of `git clean -n` names, unless it is build output.
fn removed(line: &str) -> Option<&str> {
    // Git's messages are in English because the world sets `LC_ALL=C`; unusual names are in quotes.
    let path = line.strip_prefix("Would remove ")?.trim_matches('"').trim_end_matches('/');
    let is_built = path.split('/').any(is_build_folder) || path.ends_with(".pyc") || path.ends_with(".o");
    (!is_built).then_some(path)
}

fn some_of(paths: &[&str]) -> String {
    const SHOWN: usize = 3;
    text::first(paths, SHOWN)
}

fn drop_stash(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    if git.verb != "stash" {
        return Ok(None);
    }
    if !matches!(git.words().first(), Some(&("drop" | "clear"))) {
        return Ok(None);
    }
    let stashes = || git.earlier(context).filter(|earlier| earlier.verb == "stash");
    if stashes().any(|earlier| earlier.saves_changes()) {
        // The line may drop its own stash once it has restored the changes.
        let restores = |it: GitCall<'_>| matches!(it.words().first(), Some(&("apply" | "branch" | "pop")));
        let lost = if stashes().any(restores) { None } else { uncommitted(context, git, &[])? };
        return Ok(lost.and_then(|lost| {
            Finding::new(
                format!("`{}` would delete the changes that this line stashes", git.call.display_text()),
                "They are not committed, so this cannot be undone",
                "Leave the stash, or restore it with `git stash pop`",
            )
            .map(|finding| finding.seen("git status", &lost))
        }));
    }
    // `apply` and then `drop` is what `pop` does.
    if git.earlier(context).any(|earlier| applies_before_drop(context, &earlier, git)) {
        return Ok(None);
    }
    // Only shown: what is not in this folder may be in the one that the line goes to.
    let stashed = context.git(&git.folder(context), &["stash", "list"])?.text().unwrap_or_default();
    Ok(Finding::new(
        format!("`{}` would delete stashed work", git.call.display_text()),
        "A stash is in no branch, and its author may still need it",
        "Leave the stash, or check it with `git stash show -p` and restore it with `git stash pop`",
    )
    .map(|finding| finding.seen("git stash list", &stashed)))
}

/// Whether a call applies the stash that another one drops, and only if that succeeded.
fn applies_before_drop(context: &Context<'_>, apply: &GitCall<'_>, drop: &GitCall<'_>) -> bool {
    let named = |git: &GitCall<'_>| git.words().get(1).map_or("stash@{0}".to_owned(), |it| (*it).to_owned());
    let verbs = (apply.words().first().copied(), drop.words().first().copied());
    let spans = (apply.call.command.span.as_ref(), drop.call.command.span.as_ref());
    let between =
        spans.0.zip(spans.1).and_then(|(first, second)| context.text().get(first.end..second.start));
    let is_pair =
        apply.verb == "stash" && verbs == (Some("apply"), Some("drop")) && named(apply) == named(drop);
    is_pair && between.is_some_and(|between| between.trim() == "&&")
}

fn remove_unknown_worktree(context: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let removes = git.verb == "worktree" && git.words().first() == Some(&"remove") && git.flag("force", "f");
    let unknown = git.call.operands().into_iter().find(|word| word.text.is_none()).filter(|_| removes)?;
    // One that the line made itself is scratch.
    let is_added = context.calls().filter_map(|call| GitCall::read(&call)).any(|other| {
        other.verb == "worktree"
            && other.words().first() == Some(&"add")
            && other.call.operands().iter().any(|word| word.raw == unknown.raw)
    });
    if is_added {
        return None;
    }
    Finding::new(
        format!("`{}` would delete worktrees, whatever is uncommitted in them", git.call.display_text()),
        "Which ones is only known when it runs, and this cannot be undone",
        "Use `git worktree remove` without `--force`, which refuses where there are changes",
    )
}

fn remove_worktree(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    if git.verb != "worktree" {
        return Ok(None);
    }
    let words = git.words();
    let (Some(&"remove"), Some(named)) = (words.first(), words.get(1)) else { return Ok(None) };
    // Without `--force`, git itself refuses to remove a worktree with changes.
    if !git.flag("force", "f") {
        return Ok(None);
    }
    let Some(path) = git.path(context, named) else { return Ok(None) };
    if context.seen.worktrees.contains(path.as_str()) {
        return Ok(None);
    }
    // What is no worktree now may be one by then.
    let lost = context.git(&path, &["status", "--porcelain"])?.text();
    if lost.as_deref().is_some_and(|lost| lost.trim().is_empty()) {
        return Ok(None);
    }
    let lost = lost.unwrap_or_default();
    Ok(Finding::new(
        format!("`{}` would delete a worktree with uncommitted changes", git.call.display_text()),
        "This cannot be undone",
        "Commit the changes there, then use `git worktree remove` without `--force`",
    )
    .map(|finding| finding.about(path).seen("git status", &lost)))
}

fn delete_tag(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let applies = git.verb == "tag" && (git.flag("delete", "d") || git.flag("force", "f"));
    applies.then_some(())?;
    Finding::new(
        format!("`{}` would delete or move a tag", git.call.display_text()),
        "Releases are found by their tags, and what only a tag leads to is lost with it",
        "Make a tag with another name, or let the user decide",
    )
}

fn delete_branch(context: &Context<'_>, git: &GitCall<'_>) -> Result<Option<Finding>, PolicyError> {
    let branches: Vec<&str> = match git.verb {
        "branch" => {
            // With `-d` alone, git itself refuses to delete a branch that is not merged.
            let is_forced = git.flag("", "D") || (git.flag("delete", "d") && git.flag("force", "f"));
            // A remote-tracking branch is only a copy of what the remote has.
            let is_local = !git.flag("remotes", "r");
            let moves = git.flag("force", "f") || git.flag("", "M") || git.flag("", "C");
            match () {
                () if is_forced && is_local => git.words(),
                // `branch -f name start`: what only the old place leads to is lost.
                () if moves && is_local && git.words().len() > 1 => git.words().into_iter().take(1).collect(),
                () => Vec::new(),
            }
        }
        "update-ref" if git.words().iter().any(|word| word.starts_with("refs/heads/") || *word == "HEAD") => {
            git.words().into_iter().take(1).collect()
        }
        _ => Vec::new(),
    };
    for branch in branches {
        let name = branch.trim_start_matches("refs/heads/");
        // As `--branches` names them, without `refs/heads`.
        let exclude = format!("--exclude={name}");
        let question =
            ["rev-list", "--max-count=1", branch, "--not", &exclude, "--branches", "--remotes", "--tags"];
        // A branch that is not there now may be there by then, with commits that are nowhere else.
        let lost = context.git(&git.folder(context), &question)?.text();
        if lost.as_deref().is_some_and(|lost| lost.trim().is_empty()) {
            continue;
        }
        let lost = lost.unwrap_or_default();
        return Ok(Finding::new(
            format!(
                "`{}` would delete `{name}`, whose commits are in no other branch",
                git.call.display_text()
            ),
            "Git deletes them after some weeks",
            format!("Merge or push it first, then delete it with `git branch -d {name}`"),
        )
        .map(|finding| finding.seen("only there", &lost)));
    }
    Ok(None)
}

/// Branches and tags that another command lists: `git branch | xargs git branch -D`, `git update-ref --stdin`.
fn delete_unknown_refs(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let is_filled = git.call.command.wrappers.iter().any(|wrapper| wrapper.starts_with("xargs"));
    let is_unknown = is_filled || git.call.command.arguments.iter().any(|word| word.text.is_none());
    let applies = match git.verb {
        "branch" => is_unknown && (git.flag("", "D") || (git.flag("delete", "d") && git.flag("force", "f"))),
        "tag" => (is_unknown || git.words().len() > 3) && git.flag("delete", "d"),
        "update-ref" => git.has(&["stdin"]) || (is_unknown && git.flag("", "d")),
        _ => false,
    };
    applies.then_some(())?;
    Finding::new(
        format!("`{}` would delete branches or tags that the line does not name", git.call.display_text()),
        "Their commits may be nowhere else",
        "List them first with `git branch --no-merged`, and delete them by name",
    )
}

fn remove_submodule(_: &Context<'_>, git: &GitCall<'_>) -> Option<Finding> {
    let is_forced =
        git.verb == "submodule" && git.words().first() == Some(&"deinit") && git.flag("force", "f");
    is_forced.then_some(())?;
    Finding::new(
        format!("`{}` would delete submodules with their changes", git.call.display_text()),
        "What is not pushed there is lost",
        "Leave out `--force`: git then refuses where there are changes",
    )
}

/// The parts of `.git` that lead to commits.
const REFS: &[&str] = &["refs", "logs", "objects", "packed-refs", "HEAD", "worktrees"];

fn write_refs(context: &Context<'_>) -> Option<Finding> {
    let git = format!("{}/.git", context.roots().project);
    let is_ref = |path: &AbsolutePath| {
        let inside = below(path, &git).unwrap_or_default();
        let first = inside.split('/').next().unwrap_or_default();
        REFS.contains(&first) && !inside.ends_with(".lock")
    };
    let by_git = |index: usize| context.command(index).and_then(|it| it.program_name()) == Some("git");
    let removed = context.effects().files.iter().find_map(|effect| {
        let removes = matches!(effect.act, FileAct::Delete { recursive: false } | FileAct::Move { .. });
        let named = removes.then_some(effect.target.word.text.as_deref()).flatten()?;
        let places = (!by_git(effect.command)).then(|| context.locate_target(&effect.target))?;
        // Looking up a path costs system calls, and most names are of other files.
        let is_here = named.contains(".git") || places.paths().iter().any(|path| path.contains("/.git/"));
        places.paths().iter().find(|path| is_here && is_ref(path)).cloned()
    });
    let written = || {
        let written = context.written().iter().filter(|written| !written.by.starts_with("git"));
        written.map(|written| &written.path).find(|path| is_ref(path)).cloned()
    };
    let path = removed.or_else(written)?;
    Finding::new(
        format!("this would change git's own data: {path}"),
        "Branches, stashes or commits may be lost",
        "Use git itself, such as `git branch` and `git stash list`",
    )
    .map(|finding| finding.about(path))
}
