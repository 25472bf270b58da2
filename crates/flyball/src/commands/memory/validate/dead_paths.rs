//! Patterns in the `paths` of a rule file that match nothing: a rule file that is about no file is never read.

use std::path::Path;

use flyball_knowledge::node::Node;

use super::found::Found;
use super::severity::Severity;
use crate::commands::memory::patterns::patterns;
use crate::commands::memory::project_files::ProjectFiles;

/// What is wrong with the `paths` of a rule file.
pub(super) fn inspect(node: &Node, files: &ProjectFiles<'_>) -> Vec<Found> {
    let all = patterns(&node.text);
    let count = all.len();
    let dead = files.unmatched(all, Path::new(&*node.folder));
    if !dead.is_empty() && dead.len() == count {
        let what = "its `paths` match no file of the project: it is never shown";
        return vec![(1, Severity::Warning, what.to_owned())];
    }
    let found = dead.into_iter().map(|pattern| {
        let what = format!(
            "`{}` in its `paths` matches no file of the project: correct the pattern, or take it out",
            pattern.glob
        );
        (pattern.line, Severity::Warning, what)
    });
    found.collect()
}
