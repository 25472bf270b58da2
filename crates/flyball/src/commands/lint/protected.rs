//! Protected files in the next commit: a change that no person approved is a finding.

use std::path::Path;

use flyball_core::path::AbsolutePath;
use flyball_quality::finding::{Finding, Level};

use super::git::Git;
use crate::outcome::Failed;
use crate::protected::{Committed, ProtectedFiles};

/// The changes of protected files that are staged and that nobody approved.
pub(super) fn staged_changes(root: &Path) -> Result<Vec<Finding>, Failed> {
    let git = Git::required(root, "--staged")?;
    // The first commit of a project changes nothing.
    if git.run(&["rev-parse", "--verify", "--quiet", "HEAD"]).is_err() {
        return Ok(Vec::new());
    }
    let Some(protected) = ProtectedFiles::find_enforced()? else { return Ok(Vec::new()) };
    let mut findings = Vec::new();
    for path in git.files(&["diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "-z"])? {
        let real = AbsolutePath::from_path(&path);
        let Some(name) = protected.covered_name(&real) else { continue };
        let object = |revision: &str| {
            let below = path.strip_prefix(&git.top).unwrap_or(&path);
            git.run(&["show", "--no-ext-diff", &format!("{revision}:{}", below.display())]).ok()
        };
        let (before, staged) = (object("HEAD"), object(""));
        let texts = Committed { before: before.as_deref(), after: staged.as_deref() };
        if !protected.may_commit(&real, texts)? {
            findings.push(finding(&name, staged.is_none()));
        }
    }
    Ok(findings)
}

fn finding(name: &str, is_deleted: bool) -> Finding {
    let what = if is_deleted { "deletes" } else { "changes" };
    Finding {
        file: name.to_owned(),
        line: 0,
        column: 0,
        end_line: None,
        code: "guard.protected".to_owned(),
        message: format!(
            "this commit {what} a protected file, and nobody approved that: run `flyball approve {name}` in your own \
             terminal, or take it out with `git restore --staged {name}`"
        ),
        linter: "flyball".to_owned(),
        level: Level::Error,
        fixable: false,
        fix: None,
    }
}
