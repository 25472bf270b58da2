//! Distinguishes command lines that replace files by others of the history from those that edit.

use flyball_effects::{Command, FileAct, GitCall, Line};

/// Whether the only thing that a line does to files is to let git replace them: that is somebody's
/// work from the history, not an edit.
pub(crate) fn only_updates_worktree(line: &Line) -> bool {
    let moves = |index: usize| line.script.commands.get(index).is_some_and(is_worktree_update);
    let writes = |act: &FileAct| act.changes_target() && *act != FileAct::Anything;
    updates_worktree(line)
        && line.effects.opaque.iter().all(|opaque| opaque.command.is_some_and(moves))
        && line.effects.files.iter().filter(|it| writes(&it.act)).all(|it| moves(it.command))
}

/// Whether git replaces files: a change that is found on disk then is not an edit.
pub(crate) fn updates_worktree(line: &Line) -> bool {
    line.script.commands.iter().any(is_worktree_update)
}

fn is_worktree_update(command: &Command) -> bool {
    let Some(call) = GitCall::parse(command) else { return false };
    let first =
        call.arguments.iter().find_map(|word| word.text.as_deref().filter(|text| !text.starts_with('-')));
    let only_looks = match call.verb {
        Some("stash") => matches!(first, Some("list" | "show")),
        Some("worktree") => matches!(first, Some("list" | "lock" | "unlock" | "prune")),
        Some("submodule") => matches!(first, None | Some("status" | "summary")),
        Some("sparse-checkout") => first == Some("list"),
        Some("bisect") => matches!(first, Some("log" | "view" | "terms")),
        _ => false,
    };
    !only_looks
        && matches!(
            call.verb,
            Some(
                "am" | "bisect"
                    | "checkout"
                    | "cherry-pick"
                    | "clean"
                    | "clone"
                    | "merge"
                    | "pull"
                    | "read-tree"
                    | "rebase"
                    | "reset"
                    | "restore"
                    | "revert"
                    | "sparse-checkout"
                    | "stash"
                    | "submodule"
                    | "switch"
                    | "worktree"
            )
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktree_updates_are_distinguished_from_edits() {
        let cases = [
            ("git checkout main", true, true),
            ("cd api && git pull --rebase", true, true),
            ("git stash && git switch -c x && git stash pop", true, true),
            ("git restore src/app.py", true, true),
            ("git pull > /dev/null && git log -1", true, true),
            ("git checkout main && make", false, true),
            ("git checkout main && echo x > a.py", false, true),
            ("git stash list", false, false),
            ("git worktree list", false, false),
            ("git worktree add ../x", true, true),
            ("git stash", true, true),
            ("git status", false, false),
            ("git apply fix.diff", false, false),
            ("sed -i s/a/b/ a.py", false, false),
            ("ls", false, false),
        ];
        for (text, only, moves) in cases {
            let line = Line::read(text);
            assert_eq!((only_updates_worktree(&line), updates_worktree(&line)), (only, moves), "{text}");
        }
    }
}
