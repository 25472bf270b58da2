//! Files that say what a proof is: definitions of subagents and workflows, scripts behind a command. Their content as the
//! session began is compared with what they have now, so that it does not matter who changed them, or how.

mod relevant;

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};

use self::relevant::relevant_part;
use super::events::call_start;
use crate::digest::digest;

/// Longer files are told apart by their length alone.
const MOST_BYTES: u64 = 1024 * 1024;
/// How many files of one kind are compared.
const MOST_FILES: usize = 512;
/// What stands for content that is not known to be from before the session.
const UNKNOWN: u64 = 0;

/// Files of one kind, by the key under which a session remembers them.
pub(super) struct Pins<'a> {
    pub(super) situation: &'a Situation<'a>,
    pub(super) key: &'static str,
}

impl Pins<'_> {
    /// Notes what these files have now, unless that is known or the session begins `anew`.
    pub(super) fn note(
        &self,
        anew: bool,
        files: impl FnOnce() -> Vec<AbsolutePath>,
    ) -> Result<(), PolicyError> {
        if !anew && self.situation.memory.has(self.key)? {
            return Ok(());
        }
        let world = self.situation.world;
        // The call that is the first to be seen may have written one of them.
        let since = self.situation.event.call().map(|_| call_start(self.situation));
        let is_new = |path: &AbsolutePath| {
            since.is_some_and(|since| world.stat(path).is_some_and(|stat| stat.changed >= since))
        };
        let print = |path: &AbsolutePath| if is_new(path) { Some(UNKNOWN) } else { print(world, path) };
        let prints: BTreeMap<String, u64> = files()
            .into_iter()
            .take(MOST_FILES)
            .filter_map(|path| Some((path.as_str().to_owned(), print(&path)?)))
            .collect();
        self.situation.memory.write(self.key, serde_json::to_string(&prints).unwrap_or_default())
    }

    /// Those of these files, and of those that there were, that have another content than when the session began; none
    /// where that is not known.
    pub(super) fn changed(&self, files: Vec<AbsolutePath>) -> Result<Vec<AbsolutePath>, PolicyError> {
        let Some(stored) = self.situation.memory.read(self.key)? else { return Ok(Vec::new()) };
        let Ok(before) = serde_json::from_str::<BTreeMap<String, u64>>(&stored) else {
            return Ok(Vec::new());
        };
        let world = self.situation.world;
        let mut paths: BTreeSet<AbsolutePath> = files.into_iter().take(MOST_FILES).collect();
        paths.extend(before.keys().map(|path| AbsolutePath::from_root(path.clone())));
        let is_other = |path: &AbsolutePath| print(world, path) != before.get(path.as_str()).copied();
        Ok(paths.into_iter().filter(is_other).collect())
    }
}

/// What a file says about proofs, as a number; `None` if there is nothing.
fn print(world: &dyn World, path: &AbsolutePath) -> Option<u64> {
    let stat = world.stat(path).filter(|stat| !stat.is_folder)?;
    let text = match world.read(path, MOST_BYTES) {
        Ok(Some(bytes)) => world.hash(&relevant_part(path, bytes)?).as_str().to_owned(),
        Ok(None) => stat.bytes.to_string(),
        // What cannot be read is not what it was.
        Err(_) => return Some(UNKNOWN),
    };
    Some(digest([text.as_str()]).max(1))
}
