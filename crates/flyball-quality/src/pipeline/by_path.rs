//! What is asked for often about a file, or about all files of a folder, found once.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;

use crate::linter::Linter;

/// What was found, for a linter or one of its commands.
pub(super) struct ByPath<'a, V> {
    all: BTreeMap<AbsolutePath, Vec<(About<'a>, V)>>,
}

/// What it was found for: a linter of the settings, and words of it.
// By address, because there are many lookups, and the settings do not change during a run.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    linter: &'a Linter,
    words: &'a [String],
}

impl<'a> About<'a> {
    pub(super) fn linter(linter: &'a Linter) -> About<'a> {
        About { linter, words: &[] }
    }

    pub(super) fn command(linter: &'a Linter, words: &'a [String]) -> About<'a> {
        About { linter, words }
    }

    fn is(self, other: About<'_>) -> bool {
        std::ptr::eq(self.linter, other.linter)
            && self.words.len() == other.words.len()
            && std::ptr::eq(self.words.as_ptr(), other.words.as_ptr())
    }
}

impl<V> Default for ByPath<'_, V> {
    fn default() -> Self {
        ByPath { all: BTreeMap::new() }
    }
}

impl<'a, V: Clone> ByPath<'a, V> {
    pub(super) fn get(&self, about: About<'_>, path: &AbsolutePath) -> Option<V> {
        let here = self.all.get(path)?;
        here.iter().rfind(|(known, _)| known.is(about)).map(|(_, value)| value.clone())
    }

    pub(super) fn insert(&mut self, about: About<'a>, path: &AbsolutePath, value: V) -> V {
        let here = self.all.entry(path.clone()).or_default();
        here.push((about, value.clone()));
        value
    }
}
