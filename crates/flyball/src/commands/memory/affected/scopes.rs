//! Rule files whose `paths` match nothing any more: no edit shows their rules.

use std::collections::BTreeMap;

use flyball_knowledge::node;

use super::diff::{ChangeKind, Diff};
use crate::commands::memory::patterns::{Pattern, Renamed};
use crate::commands::memory::statements::RuleFile;

/// A pattern that is left without a file.
pub(super) struct Left<'a> {
    pub(super) pattern: &'a Pattern,
    pub(super) what: String,
    pub(super) suggestion: String,
}

/// The patterns of a rule file that matched files before the diff and match none now.
pub(super) fn left<'a>(file: &'a RuleFile, diff: &Diff) -> Vec<Left<'a>> {
    let matches = |pattern: &Pattern, path: &str| {
        let globs = std::slice::from_ref(&pattern.glob);
        file.below(path).is_some_and(|below| node::matches(globs, below))
    };
    let is_left = |pattern: &&Pattern| {
        diff.before.iter().any(|path| matches(pattern, path))
            && !diff.now.iter().any(|path| matches(pattern, path))
    };
    let describe = |pattern: &'a Pattern| {
        let glob = &pattern.glob;
        let (why, suggestion) = match successor(file, pattern, diff) {
            Some(Renamed { glob, from, to }) => {
                (format!(": `{from}` is `{to}` now"), format!("write `{glob}`"))
            }
            None => {
                (String::new(), "name the files that it is about now, or remove the rule file".to_owned())
            }
        };
        let what = format!("`{glob}` in its `paths` matches no file any more{why}");
        Left { pattern, what, suggestion }
    };
    file.paths.iter().filter(is_left).map(describe).collect()
}

/// The pattern that explains most of the renames of files that one matched.
fn successor(file: &RuleFile, pattern: &Pattern, diff: &Diff) -> Option<Renamed> {
    let mut counts: BTreeMap<Renamed, usize> = BTreeMap::new();
    for change in &diff.changes {
        let ChangeKind::Renamed(old) = &change.kind else { continue };
        let (Some(old), Some(new)) = (file.below(old), file.below(&change.path)) else { continue };
        if node::matches(std::slice::from_ref(&pattern.glob), old) {
            pattern
                .renamed(old, new)
                .into_iter()
                .for_each(|renamed| *counts.entry(renamed).or_default() += 1);
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(renamed, _)| renamed)
}
