//! What differs between two snapshots, as far as it can be said without git.

use super::Snapshots;
use super::manifest::{Content, Entry, Manifest};

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub path: String,
    /// What was in it; empty if it was not there, `None` if that is not stored here.
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
}

impl Snapshots {
    /// The paths of the files that are not the same in a later snapshot. What only one of them is about is left out.
    #[must_use]
    pub fn differing<'m>(&self, before: &'m Manifest, after: &'m Manifest) -> Vec<&'m str> {
        let is_about =
            |manifest: &Manifest, path: &str| manifest.is_tree || manifest.entries.contains_key(path);
        let mut paths: Vec<&str> =
            before.entries.keys().chain(after.entries.keys()).map(String::as_str).collect();
        paths.sort_unstable();
        paths.dedup();
        let is_other = |path: &&str| {
            let pair = (before.entries.get(*path), after.entries.get(*path));
            is_about(before, path) && is_about(after, path) && !is_same(pair)
        };
        paths.into_iter().filter(is_other).collect()
    }

    /// A file in two snapshots.
    #[must_use]
    pub fn difference(&self, path: &str, before: &Manifest, after: &Manifest) -> Difference {
        let content = |manifest: &Manifest| self.stored(manifest.entries.get(path));
        Difference { path: path.to_owned(), before: content(before), after: content(after) }
    }

    fn stored(&self, entry: Option<&Entry>) -> Option<Vec<u8>> {
        match entry.map(|entry| &entry.content) {
            None | Some(Content::Absent) => Some(Vec::new()),
            Some(Content::Stored(hash)) => self.content(hash),
            Some(Content::Link(target)) => Some(target.clone().into_bytes()),
            Some(Content::Committed(_) | Content::Missing(_)) => None,
        }
    }
}

fn is_same(pair: (Option<&Entry>, Option<&Entry>)) -> bool {
    let is_there = |entry: &&Entry| entry.content != Content::Absent;
    match (pair.0.filter(is_there), pair.1.filter(is_there)) {
        (None, None) => true,
        // One may be stored and the other left to git.
        (Some(before), Some(after)) => before.stat == after.stat || before.is_same_file(after),
        (Some(_), None) | (None, Some(_)) => false,
    }
}
