//! Looks for a way from the old version to the new one in which every step is permitted.

use std::collections::BTreeSet;

use super::rules::{Rules, Scene};

/// More places than this are not worth their time.
const MOST_PLACES: usize = 400_000;

/// How far both versions can be explained, in units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached {
    pub(super) old: usize,
    pub(super) new: usize,
    /// How many places were looked at.
    pub(super) places: usize,
}

impl Reached {
    pub(super) fn is_end(&self, scene: &Scene<'_>) -> bool {
        self.old == scene.old.len() && self.new == scene.new.len()
    }
}

/// The end of both versions, or the farthest place that can be explained.
pub(super) fn explain(rules: &Rules<'_>) -> Reached {
    let scene = rules.scene;
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut open = vec![(0, 0)];
    let mut farthest = Reached::default();
    while let Some((old, new)) = open.pop() {
        if !seen.insert((old, new)) || seen.len() > MOST_PLACES {
            continue;
        }
        if old + new > farthest.old + farthest.new {
            farthest = Reached { old, new, places: 0 };
        }
        farthest.places = seen.len();
        if farthest.is_end(scene) {
            break;
        }
        let next =
            rules.steps(old, new).into_iter().map(|(more_old, more_new)| (old + more_old, new + more_new));
        open.extend(next);
        // What is equal is tried first.
        let is_same = scene.old.get(old).zip(scene.new.get(new)).is_some_and(|(old, new)| old == new);
        open.extend(is_same.then_some((old + 1, new + 1)));
    }
    farthest
}
