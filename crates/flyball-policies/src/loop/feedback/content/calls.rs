//! When calls of this session ran that may have made commits. A commit that appeared in the repository meanwhile is its
//! own, whatever wrote it, and wherever it was made; one that appeared at another time was made by somebody else.

use std::cell::RefCell;
use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::time::Time;

use crate::r#loop::events::call_start;
use crate::r#loop::feedback::state::State;

/// When the session began, in milliseconds.
const BEGAN: &str = "loop.feedback.began";
/// From when to when each of them ran, in milliseconds, the latest last, line by line.
const CALLS: &str = "loop.feedback.calls";
/// With more, the first ones count as one.
const MOST_CALLS: usize = 128;
/// A longer index of a pack is not read.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Remembers when this call ran.
pub(super) fn note(situation: &Situation<'_>) -> Result<(), PolicyError> {
    note_since(situation, call_start(situation))
}

/// Remembers that something of this session ran since a time.
pub(in super::super) fn note_since(situation: &Situation<'_>, since: Time) -> Result<(), PolicyError> {
    let mut calls = read(situation)?;
    calls.push((since, situation.world.now()));
    calls.sort_unstable();
    calls.dedup_by(|later, first| {
        let is_one = later.0 <= first.1;
        if is_one {
            first.1 = first.1.max(later.1);
        }
        is_one
    });
    while calls.len() > MOST_CALLS {
        let (from, _) = calls.remove(0);
        if let Some(first) = calls.first_mut() {
            first.0 = from;
        }
    }
    let lines: Vec<String> =
        calls.iter().map(|(from, to)| format!("{} {}", from.as_millis(), to.as_millis())).collect();
    situation.memory.write(CALLS, lines.join("\n"))
}

/// A session begins, and has made no calls.
pub(super) fn begin(situation: &Situation<'_>) -> Result<(), PolicyError> {
    situation.memory.write(BEGAN, situation.world.now().as_millis().to_string())?;
    if situation.memory.has(CALLS)? { situation.memory.write(CALLS, String::new()) } else { Ok(()) }
}

/// When the session began, as far as it was seen.
pub(super) fn began(situation: &Situation<'_>) -> Result<Option<Time>, PolicyError> {
    let stored = situation.memory.read(BEGAN)?.and_then(|millis| millis.parse().ok());
    Ok(stored.map(Time::from_millis))
}

fn read(situation: &Situation<'_>) -> Result<Vec<(Time, Time)>, PolicyError> {
    let text = situation.memory.read(CALLS)?.unwrap_or_default();
    let time = |millis: &str| millis.parse().ok().map(Time::from_millis);
    Ok(text
        .lines()
        .filter_map(|line| line.split_once(' ').and_then(|(from, to)| Some((time(from)?, time(to)?))))
        .collect())
}

/// Tells the commits of this session from those of others.
pub(super) struct CommitTimes<'a> {
    world: &'a dyn World,
    /// The repository.
    common: AbsolutePath,
    calls: Vec<(Time, Time)>,
    /// Since when something may write that this session started.
    writing_since: Option<Time>,
    began: Time,
    /// The indexes of packs that were read.
    indexes: RefCell<BTreeMap<AbsolutePath, Vec<u8>>>,
}

impl<'a> CommitTimes<'a> {
    /// `None` without a repository.
    pub(super) fn read(
        situation: &'a Situation<'_>,
        checkout: &AbsolutePath,
    ) -> Result<Option<CommitTimes<'a>>, PolicyError> {
        let world: &dyn World = situation.world;
        let Some(common) = super::trees::repository(world, checkout) else { return Ok(None) };
        let began = began(situation)?.unwrap_or_default();
        let writing_since = situation.recall::<State>()?.writing_since();
        Ok(Some(CommitTimes {
            world,
            common,
            calls: read(situation)?,
            writing_since,
            began,
            indexes: RefCell::default(),
        }))
    }

    /// Whether a commit appeared while nothing of this session ran that may have made it.
    pub(super) fn is_of_others(&self, commit: &str) -> bool {
        let Some(appeared) = self.appeared(commit) else { return false };
        let is_in = |(from, to): &(Time, Time)| (*from..=*to).contains(&appeared);
        !self.calls.iter().any(is_in) && self.writing_since.is_none_or(|since| appeared < since)
    }

    /// Whether a commit was not in the repository at a time.
    pub(super) fn came_after(&self, commit: &str, time: Time) -> bool {
        self.appeared(commit).is_some_and(|appeared| appeared >= time)
    }

    /// When a file came to a folder: a clone beside it that gives it another name changes the file, but not the folder.
    fn came(&self, folder: &AbsolutePath, changed: Time) -> Time {
        self.world.stat(folder).map_or(changed, |stat| stat.changed.min(changed))
    }

    /// When a commit appeared in the repository: before the session, if no file of it says more; `None` if it is elsewhere.
    fn appeared(&self, commit: &str) -> Option<Time> {
        let objects = self.common.join("objects");
        let (folder, rest) = commit.split_at_checked(2)?;
        let folder = objects.join(folder);
        if let Some(loose) = self.world.stat(&folder.join(rest)) {
            return Some(self.came(&folder, loose.changed));
        }
        let packs = objects.join("pack");
        let mut is_in_older = false;
        for name in self.world.list(&packs).iter().filter(|name| name.ends_with(".idx")) {
            let index = packs.join(name);
            let Some(stat) = self.world.stat(&index) else { continue };
            let came = self.came(&packs, stat.changed);
            if came < self.began {
                is_in_older = true;
            } else if self.is_listed(&index, commit) {
                return Some(came);
            }
        }
        is_in_older.then(Time::default)
    }

    fn is_listed(&self, index: &AbsolutePath, object: &str) -> bool {
        let mut indexes = self.indexes.borrow_mut();
        let read = || self.world.read(index, MOST_BYTES).ok().flatten().unwrap_or_default();
        has_object(indexes.entry(index.clone()).or_insert_with(read), object)
    }
}

/// Whether the index of a pack lists an object: behind a header and a table of 256 numbers, the names follow each other,
/// sorted.
fn has_object(index: &[u8], object: &str) -> bool {
    const NAMES: usize = 8 + 256 * 4;
    let digits = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let Some(name) = object.as_bytes().chunks(2).map(digits).collect::<Option<Vec<u8>>>() else {
        return false;
    };
    let count =
        index.get(NAMES - 4..NAMES).and_then(|count| count.try_into().ok()).map_or(0, u32::from_be_bytes);
    let names = index.get(NAMES..).unwrap_or_default().chunks_exact(name.len().max(1));
    let names: Vec<&[u8]> = names.take(count as usize).collect();
    names.binary_search(&name.as_slice()).is_ok()
}
