//! The folders of the project that have a node, listed once for a while, and what their nodes are about.

use std::time::Duration;

use flyball_core::policy::{PolicyError, PolicyId, Situation, World};
use flyball_core::time::{self, Time};
use flyball_knowledge::node;
use serde::{Deserialize, Serialize};

use crate::memory::relevance::{Place, sought, title_words};

/// Under which name the listing is stored: it is large, and written only when it is made.
const STATE: PolicyId = PolicyId::new("memory.folders");
/// How many folders are listed, how many of their names are looked at, how deep, and how many with a node are remembered.
const MOST_LISTED: usize = 64;
const MOST_NAMES: usize = 2_000;
const MOST_LEVELS: usize = 4;
const MOST_NODES: usize = 256;
/// For how long a listing counts.
const FRESH: Duration = Duration::from_mins(10);
/// How many folders a pattern means.
const MOST_BELOW: usize = 12;

/// The folders of the project that have a node, as far as they were listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Listing {
    places: Vec<Place>,
    /// The stems of the words of the project's own title.
    project: Vec<String>,
    #[serde(with = "time::millis")]
    at: Time,
}

/// The folders that a prompt means by patterns and words, each with a slash at its end. `paths` are those that it names.
pub(super) fn meant(
    situation: &Situation<'_>,
    prompt: &str,
    paths: &[String],
) -> Result<Vec<String>, PolicyError> {
    let listing = listing(situation)?;
    let mut meant: Vec<&str> = below_patterns(prompt, &listing.places).collect();
    for folder in sought(prompt, paths, &listing.project, &listing.places) {
        if !meant.contains(&folder) {
            meant.push(folder);
        }
    }
    Ok(meant.into_iter().map(|folder| format!("{folder}/")).collect())
}

/// The listing of this session, made anew if it is old.
fn listing(situation: &Situation<'_>) -> Result<Listing, PolicyError> {
    let own = Situation { policy: STATE, ..*situation };
    if own.remembers()? {
        let listing: Listing = own.recall()?;
        if situation.world.now().since(listing.at) < FRESH {
            return Ok(listing);
        }
    }
    let listing = list(situation.world);
    own.remember(&listing)?;
    Ok(listing)
}

/// The folders below the root that have a node, level by level. The cost has a limit, however large the project is.
fn list(world: &dyn World) -> Listing {
    let root = world.project_root();
    let mut places = Vec::new();
    let (mut listed, mut names) = (0, 0);
    let mut level = vec![String::new()];
    for _ in 0..MOST_LEVELS {
        let mut below = Vec::new();
        for folder in level {
            if listed == MOST_LISTED || names >= MOST_NAMES || places.len() >= MOST_NODES {
                break;
            }
            listed += 1;
            // Most names with a dot are files.
            let all = world.list(&root.join(&folder)).into_iter();
            let inner = all.filter(|name| !name.contains('.') && !is_generated(name));
            for name in inner.take(MOST_NAMES - names) {
                names += 1;
                let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
                let place = root.join(&path);
                if world.stat(&place).is_some_and(|stat| stat.is_folder) {
                    places.extend(node::node_in(world, &place).map(|node| Place::new(path.clone(), &node)));
                    below.push(path);
                }
            }
        }
        level = below;
    }
    places.truncate(MOST_NODES);
    let project = node::node_in(world, root).map(|node| title_words(&node)).unwrap_or_default();
    Listing { places, project, at: world.now() }
}

/// Folders of others' code and of results.
fn is_generated(name: &str) -> bool {
    matches!(
        name,
        "node_modules" | "target" | "dist" | "build" | "vendor" | "venv" | "coverage" | "out" | "__pycache__"
    )
}

/// The folders below those in front of patterns: all in `services` for `services/*`.
fn below_patterns<'p>(prompt: &str, places: &'p [Place]) -> impl Iterator<Item = &'p str> {
    let above: Vec<String> = patterns(prompt).map(str::to_owned).collect();
    let is_below = move |folder: &&str| {
        above
            .iter()
            .any(|above| folder.strip_prefix(above.as_str()).is_some_and(|rest| rest.starts_with('/')))
    };
    places.iter().map(|place| place.path.as_str()).filter(is_below).take(MOST_BELOW)
}

/// The folders in front of patterns: `services` of `services/*`.
fn patterns(prompt: &str) -> impl Iterator<Item = &str> {
    prompt.split(|letter: char| letter.is_whitespace() || "`\"'(),;".contains(letter)).filter_map(|word| {
        let (above, behind) = word.split_once("/*")?;
        let is_all = matches!(behind.trim_end_matches(['.', ':']), "" | "*" | "/" | "*/*" | "/*");
        (is_all && !above.is_empty()).then(|| above.trim_start_matches("./"))
    })
}
