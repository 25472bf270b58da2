//! Which of an agent's changes could be undone without losing anybody's work. Commands are shown; nothing is undone here.

use flyball_core::path::{AbsolutePath, strip_folder};
use std::collections::BTreeSet;

use super::memory::{Claim, Notes};
use super::ownership::AgentContext;
use super::trees::{Snapshot, tree_of};
use crate::shell_word::quoted;

/// What can be done about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Undo {
    /// It was as committed before, so it has no other changes.
    Safe {
        /// The top of its tree.
        tree: AbsolutePath,
        /// Its path below that.
        name: String,
        /// The commit that it has to be taken from, if the index or a newer commit contains the change.
        from: Option<String>,
    },
    /// The agent made it.
    New(String),
    /// A person has to review it.
    Review { path: String, why: String },
}

impl Undo {
    pub(super) fn line(&self) -> String {
        match self {
            Undo::Safe { tree, name, from } => {
                let from = from.as_ref().map_or_else(String::new, |from| format!("{from} "));
                format!("safe to revert: git -C {} checkout {from}-- {}", quoted(tree), quoted(name))
            }
            Undo::New(path) => format!("new: rm -- {}", quoted(path)),
            Undo::Review { path, why } => format!("manual review: {} {why}", quoted(path)),
        }
    }
}

/// What an agent changed apart from some files, one entry a file.
pub(super) fn plan_undo(
    context: &AgentContext<'_>,
    id: &str,
    notes: &Notes,
    apart: &BTreeSet<AbsolutePath>,
) -> Vec<Undo> {
    let Some(now) = &context.inputs.trees else { return Vec::new() };
    let own = notes.written.iter().filter(|(path, claim)| {
        // A change that was only noticed counts if nobody else may have made it.
        **claim == Claim::Sure || context.session.claimed_by_others(id, path).is_none()
    });
    let own = own.filter(|(path, _)| !apart.contains(*path));
    own.filter_map(|(path, _)| plan_file(context, id, tree_of(now, path)?, path)).collect()
}

fn plan_file(context: &AgentContext<'_>, id: &str, now: &Snapshot, path: &str) -> Option<Undo> {
    let name = strip_folder(path, &now.path)?;
    let inputs = context.inputs;
    let mark = now.files.get(name);
    // Undone since, ignored, or never changed.
    if now.is_whole && mark.is_none() && !inputs.differs.contains(path) || inputs.unchanged.contains(path) {
        return None;
    }
    let review = |why: &str| Some(Undo::Review { path: path.to_owned(), why: why.to_owned() });
    let was = context.before.and_then(|before| before.iter().find(|was| was.path == now.path));
    let Some(was) = was.filter(|was| was.is_whole && now.is_whole) else {
        return review("may have had changes before: the state before the agent ran is not known");
    };
    if was.files.contains_key(name) {
        return review("had changes before the agent ran");
    }
    if let Some((who, Claim::Sure)) = context.session.claimed_by_others(id, path) {
        return review(&format!("was changed by {who} too"));
    }
    if !inputs.in_base.contains(path) {
        return Some(Undo::New(path.to_owned()));
    }
    // A space as the first letter: the index has no change, so the file can be taken from the index.
    let is_only_on_disk = now.head == was.head && mark.is_some_and(|mark| mark.code.starts_with(' '));
    let from = (!is_only_on_disk).then(|| was.head.chars().take(12).collect());
    Some(Undo::Safe { tree: now.path.clone(), name: name.to_owned(), from })
}
