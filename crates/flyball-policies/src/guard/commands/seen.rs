//! What earlier lines of a session did to files, as far as later ones depend on it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::zone::is_below;

/// Where the text of a file is from that an earlier line decoded.
pub(super) const DECODER: &str = "a decoder";

/// How many files of a kind are remembered.
const MOST: usize = 200;

/// What the session did to files, as far as later lines depend on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Seen {
    /// Files and folders with text from the network that the session has not read, and where it is from.
    pub(super) fetched: BTreeMap<String, String>,
    /// Those that are repositories: they are built every day.
    pub(super) clones: BTreeSet<String>,
    /// Files with a copy of a secret, and of which.
    pub(super) secrets: BTreeMap<String, String>,
    /// Names that the session gave to files outside of the project, and those files: what is written to one is written
    /// to the other.
    pub(super) links: BTreeMap<String, String>,
    /// Files that did not exist before the session wrote them.
    pub(super) created: BTreeSet<String>,
    /// Worktrees that the session made: what is in them is its own.
    pub(super) worktrees: BTreeSet<String>,
}

impl Seen {
    /// Where the text of a file is from, if it was fetched and is unread.
    pub(super) fn fetched_from(&self, path: &str) -> Option<&str> {
        let within = |(known, _): &(&String, &String)| path == known.as_str() || is_below(path, known);
        self.fetched.iter().find(within).map(|(_, from)| from.as_str())
    }

    /// Whether a path is in a repository that was fetched.
    pub(super) fn is_cloned(&self, path: &str) -> bool {
        self.clones.iter().any(|known| path == known || is_below(path, known))
    }

    pub(super) fn secret_in(&self, path: &str) -> Option<&str> {
        self.secrets.get(path).map(String::as_str)
    }

    pub(super) fn forget(&mut self, path: &str) {
        self.fetched.remove(path);
        self.secrets.remove(path);
        self.links.remove(path);
    }

    pub(super) fn copy(&mut self, from: &str, to: &str) {
        if let Some(address) = self.fetched_from(from).map(str::to_owned) {
            self.fetched.insert(to.to_owned(), address);
        }
        if let Some(secret) = self.secrets.get(from).cloned() {
            self.secrets.insert(to.to_owned(), secret);
        }
    }

    /// The oldest are not known, so that any may go.
    pub(super) fn shorten(&mut self) {
        while self.fetched.len() > MOST {
            self.fetched.pop_first();
        }
        while self.clones.len() > MOST {
            self.clones.pop_first();
        }
        while self.secrets.len() > MOST {
            self.secrets.pop_first();
        }
        while self.links.len() > MOST {
            self.links.pop_first();
        }
        while self.created.len() > MOST {
            self.created.pop_first();
        }
        while self.worktrees.len() > MOST {
            self.worktrees.pop_first();
        }
    }

    pub(super) fn forget_fetched(&mut self, path: &str) {
        self.fetched.remove(path);
    }
}
