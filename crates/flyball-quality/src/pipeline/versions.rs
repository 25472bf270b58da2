//! Whether linters are as new as they should be. Each program is asked once in its life.

use std::collections::BTreeSet;

use flyball_core::workshop::{Ending, Ran};

use super::bench::{Bench, Task};
use super::programs::{self, VersionQuestion};
use super::words::parent;
use crate::linter::{Entry, Linter};

/// A question that was never answered.
pub(super) struct Open<'a> {
    linter: &'a Linter,
    question: VersionQuestion,
}

impl Open<'_> {
    /// The job that asks it.
    pub(super) fn task(&self) -> Task {
        Task { linter: self.linter.name.clone(), job: self.question.job.clone(), steps: 0 }
    }
}

/// Tells of linters that are known to be too old, and gives back those that nobody asked yet.
pub(super) fn open<'a, 't>(
    bench: &mut Bench<'a>,
    linters: impl Iterator<Item = (&'a Linter, &'t str)>,
) -> Vec<Open<'a>> {
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    for (linter, path) in linters.filter(|(linter, _)| linter.entry.version.is_some()) {
        let place = (linter.name.as_str(), parent(path).to_owned());
        if seen.contains(&place) {
            continue;
        }
        seen.insert(place);
        let Some(question) = question(bench, &linter.entry, path) else { continue };
        match bench.shop.kept_result(&question.key).and_then(|kept| String::from_utf8(kept).ok()) {
            Some(version) => judge(bench, linter, &version),
            None => open.push(Open { linter, question }),
        }
    }
    open.sort_by(|one, other| one.question.key.cmp(&other.question.key));
    open.dedup_by(|one, other| one.question.key == other.question.key);
    open
}

fn question(bench: &mut Bench<'_>, entry: &Entry, path: &str) -> Option<VersionQuestion> {
    let check = entry.check.iter().flat_map(|check| [&check.command, &check.stdin_command]);
    let filters = entry.format.iter().flatten().map(|filter| &filter.command);
    let words = check.chain(filters).find(|words| !words.is_empty())?;
    let command = bench.programs.command(bench.shop, (entry, words), parent(path))?;
    VersionQuestion::new(bench.shop, (entry, words), &command)
}

/// Keeps the answers, and tells of linters that are too old.
pub(super) fn settle(bench: &mut Bench<'_>, open: Vec<Open<'_>>, rans: &[Ran]) {
    for (open, ran) in open.into_iter().zip(rans) {
        if matches!(ran.ending, Ending::Exited(_)) {
            let version = open.question.keep(bench.shop, ran);
            judge(bench, open.linter, &version);
        }
    }
}

fn judge(bench: &mut Bench<'_>, linter: &Linter, version: &str) {
    let floor = linter.entry.version.as_ref();
    if let Some(what) = floor.and_then(|floor| programs::too_old(floor, version)) {
        bench.troubles.too_old(linter, what);
    }
}
