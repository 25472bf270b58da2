//! The folders that a prompt means without naming their paths: "the search pipeline" is about `services/search`.

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::policy::{PolicyError, World};
use flyball_knowledge::{node, similar};

use super::state::Listing;
use crate::memory::relevance::words_of;

/// How many folders are listed, how deep, and how many with a node are remembered.
const MOST_LISTED: usize = 64;
const MOST_LEVELS: usize = 4;
const MOST_NODES: usize = 256;
/// For how long a listing counts.
const FRESH: Duration = Duration::from_mins(10);
/// How many folders one prompt means.
const MOST_MEANT: usize = 3;

/// Whether a listing is recent enough.
pub(super) fn is_fresh(listing: &Listing, world: &dyn World) -> bool {
    world.now().since(listing.at) < FRESH
}

/// The folders below the root that have a node, level by level. The cost has a limit, however large the project is.
pub(super) fn list(world: &dyn World) -> Listing {
    let root = world.project_root();
    let mut found = Vec::new();
    let mut listed = 0;
    let mut level = vec![String::new()];
    for _ in 0..MOST_LEVELS {
        let mut below = Vec::new();
        for folder in level {
            if listed == MOST_LISTED || found.len() >= MOST_NODES {
                break;
            }
            listed += 1;
            for name in world.list(&root.join(&folder)) {
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                // Most names with a dot are files.
                let may_be_folder = !name.contains('.') && !is_generated(&name);
                if may_be_folder && world.stat(&root.join(&path)).is_some_and(|stat| stat.is_folder) {
                    if node::node_in(world, &root.join(&path)).is_some() {
                        found.push(path.clone());
                    }
                    below.push(path);
                }
            }
        }
        level = below;
    }
    found.truncate(MOST_NODES);
    Listing { folders: found, at: world.now() }
}

/// Folders of others' code and of results.
fn is_generated(name: &str) -> bool {
    matches!(
        name,
        "node_modules" | "target" | "dist" | "build" | "vendor" | "venv" | "coverage" | "out" | "__pycache__"
    )
}

/// The folders that a prompt means, each with a slash at its end: those whose own name is in its words, those of which
/// more of the path is there first.
pub(super) fn meant(prompt: &str, listing: &Listing) -> Result<Vec<String>, PolicyError> {
    let said: BTreeSet<String> = words_of(prompt).map(|word| similar::stem(&word)).collect();
    let is_said = |name: &str| {
        let words: Vec<String> = words_of(name).map(|word| similar::stem(&word)).collect();
        !words.is_empty() && words.iter().all(|word| said.contains(word))
    };
    let mut found: Vec<(usize, &String)> = Vec::new();
    for folder in &listing.folders {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        if is_said(name) {
            found.push((folder.split('/').filter(|part| is_said(part)).count(), folder));
        }
    }
    found.sort_by(|(one, folder), (other, other_folder)| other.cmp(one).then(folder.cmp(other_folder)));
    Ok(found.into_iter().take(MOST_MEANT).map(|(_, folder)| format!("{folder}/")).collect())
}
