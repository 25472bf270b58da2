//! Command lines that move the worktree, and commits: what an agent writes and commits in one call is an edit, too.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_effects::{GitCall, Line};

/// Longer answers of git are cut.
const CUT_BYTES: usize = 256 * 1024 - 8;

/// The commit that was last seen.
const HEAD: &str = "loop.feedback.head";

/// The commit that the project is at.
///
/// # Errors
/// When git does not answer.
pub(super) fn head(world: &dyn World) -> Result<Option<String>, PolicyError> {
    let head = world.git(world.project_root(), &["rev-parse", "--verify", "--quiet", "HEAD"])?;
    Ok(head.text().map(|head| head.trim().to_owned()).filter(|head| !head.is_empty()))
}

/// The commit that was last seen, if it is another.
pub(super) fn last_seen(situation: &Situation<'_>, head: &str) -> Result<Option<String>, PolicyError> {
    Ok(situation.memory.read(HEAD)?.filter(|before| before != head))
}

/// Remembers the commit that was last seen.
pub(super) fn remember(situation: &Situation<'_>, head: &str) -> Result<(), PolicyError> {
    if situation.memory.read(HEAD)?.as_deref() != Some(head) {
        situation.memory.write(HEAD, head.to_owned())?;
    }
    Ok(())
}

/// The commits at which this session's own calls left the project, the latest last, line by line.
const OWN_HEADS: &str = "loop.feedback.own-heads";
const MOST_HEADS: usize = 64;

/// Remembers the present commit as one of this session's, if it is not where the session began.
pub(super) fn remember_own_head(situation: &Situation<'_>) -> Result<(), PolicyError> {
    let Some(head) = head(situation.world)? else { return Ok(()) };
    let known = own_heads(situation)?;
    if known.lines().any(|line| line == head) {
        return Ok(());
    }
    let lines: Vec<&str> = known.lines().chain([head.as_str()]).collect();
    let surplus = lines.len().saturating_sub(MOST_HEADS);
    situation.memory.write(OWN_HEADS, lines.get(surplus..).unwrap_or_default().join("\n"))
}

pub(super) fn own_heads(situation: &Situation<'_>) -> Result<String, PolicyError> {
    Ok(situation.memory.read(OWN_HEADS)?.unwrap_or_default())
}

/// Whether a line calls git by its name.
pub(super) fn calls_git(line: &Line) -> bool {
    line.script.commands.iter().any(|command| GitCall::parse(command).is_some())
}

/// Whether git runs or applies something new, and not only content of the history.
pub(super) fn applies_new_content(line: &Line) -> bool {
    line.script.commands.iter().filter_map(GitCall::parse).any(|call| {
        let has = |word: &str| call.arguments.iter().any(|it| it.text.as_deref() == Some(word));
        let begins = |word: &str| {
            call.arguments.iter().any(|it| it.text.as_deref().is_some_and(|text| text.starts_with(word)))
        };
        match call.verb {
            Some("am") => true,
            Some("rebase") => begins("--exec") || begins("-x"),
            Some("bisect") => has("run"),
            Some("submodule") => has("foreach"),
            _ => false,
        }
    })
}

/// The names of the files in which two commits differ.
///
/// # Errors
/// When git does not answer.
pub(super) fn between(
    world: &dyn World,
    root: &AbsolutePath,
    before: &str,
    after: &str,
) -> Result<Vec<String>, PolicyError> {
    let question =
        ["diff", "--name-only", "-z", "--relative", "--no-renames", "--no-ext-diff", before, after, "--"];
    // A commit that is gone cannot be compared: what changed since is found on disk.
    let answer = world.git(root, &question)?.text().unwrap_or_default();
    whole_names(&answer)
}

/// The names in an answer of git.
///
/// # Errors
/// When it was cut.
pub(super) fn whole_names(answer: &str) -> Result<Vec<String>, PolicyError> {
    if answer.len() >= CUT_BYTES {
        return Err(PolicyError::World {
            what: "more files were committed or deleted at once than flyball reads".to_owned(),
            fix: "review the last commits yourself, and run `flyball loop accept`".to_owned(),
        });
    }
    Ok(answer.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// Whether a line makes content that is in no checkout: objects, trees and indexes written by hand.
pub(in super::super) fn makes_hidden_content(line: &Line) -> bool {
    line.script.commands.iter().filter_map(GitCall::parse).any(|call| {
        let has = |word: &str| call.arguments.iter().any(|it| it.text.as_deref() == Some(word));
        let begins = |word: &str| {
            call.arguments.iter().any(|it| it.text.as_deref().is_none_or(|text| text.starts_with(word)))
        };
        match call.verb {
            Some("commit-tree" | "fast-import" | "mktree" | "unpack-objects") => true,
            // Other forms mark files, or take them as they are on the disk.
            Some("update-index") => begins("--cacheinfo") || has("--index-info") || has("--stdin"),
            Some("hash-object") => has("-w"),
            Some("apply") => has("--cached"),
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use flyball_effects::Line;

    use super::makes_hidden_content;

    #[test]
    fn marks_in_the_index_are_no_content() {
        let cases = [
            ("git update-index --cacheinfo 100644,x,src/a.py", true),
            ("git update-index --cacheinfo=100644,x,src/a.py", true),
            ("git update-index --index-info < x", true),
            ("git update-index --add --stdin < x", true),
            ("git update-index \"$x\"", true),
            ("git update-index --chmod=+x check.sh", false),
            ("git update-index --refresh", false),
            ("git update-index --assume-unchanged src/a.py", false),
            ("git commit-tree x", true),
            ("git status", false),
        ];
        for (line, expected) in cases {
            assert_eq!(makes_hidden_content(&Line::read(line)), expected, "{line}");
        }
    }
}
