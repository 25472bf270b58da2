//! Whether linters are as new as they should be. Each program is asked once in its life.

use std::collections::BTreeSet;

use flyball_core::workshop::{Ending, JobResult};

use super::context::{Context, Task};
use super::placeholders::parent;
use super::programs::{self, VersionQuery};
use crate::linter::{Entry, Linter};

/// A question that was never answered.
pub(super) struct PendingQuery<'a> {
    linter: &'a Linter,
    query: VersionQuery,
}

impl PendingQuery<'_> {
    /// The job that asks it.
    pub(super) fn task(&self) -> Task {
        Task { linter: self.linter.name.clone(), job: self.query.job.clone(), steps: 0 }
    }
}

/// Tells of linters that are known to be too old, and gives back those that nobody asked yet.
pub(super) fn pending_queries<'a, 't>(
    bench: &mut Context<'a>,
    linters: impl Iterator<Item = (&'a Linter, &'t str)>,
) -> Vec<PendingQuery<'a>> {
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    for (linter, path) in linters.filter(|(linter, _)| linter.entry.version.is_some()) {
        let place = (linter.name.as_str(), parent(path).to_owned());
        if seen.contains(&place) {
            continue;
        }
        seen.insert(place);
        let Some(question) = build_query(bench, &linter.entry, path) else { continue };
        match bench.workshop.cached_result(&question.key).and_then(|kept| String::from_utf8(kept).ok()) {
            Some(version) => report_if_old(bench, linter, &version),
            None => open.push(PendingQuery { linter, query: question }),
        }
    }
    open.sort_by(|one, other| one.query.key.cmp(&other.query.key));
    open.dedup_by(|one, other| one.query.key == other.query.key);
    open
}

fn build_query(bench: &mut Context<'_>, entry: &Entry, path: &str) -> Option<VersionQuery> {
    let check = entry.check.iter().flat_map(|check| [&check.command, &check.stdin_command]);
    let filters = entry.format.iter().flatten().map(|filter| &filter.command);
    let words = check.chain(filters).find(|words| !words.is_empty())?;
    let command = bench.programs.command(bench.workshop, (entry, words), parent(path))?;
    VersionQuery::new(bench.workshop, (entry, words), &command)
}

/// Keeps the answers, and tells of linters that are too old.
pub(super) fn store_answers(bench: &mut Context<'_>, open: Vec<PendingQuery<'_>>, rans: &[JobResult]) {
    for (open, ran) in open.into_iter().zip(rans) {
        if matches!(ran.ending, Ending::Exited(_)) {
            let version = open.query.store_version(bench.workshop, ran);
            report_if_old(bench, open.linter, &version);
        }
    }
}

fn report_if_old(bench: &mut Context<'_>, linter: &Linter, version: &str) {
    let floor = linter.entry.version.as_ref();
    if let Some(what) = floor.and_then(|floor| programs::too_old(floor, version)) {
        bench.failures.too_old(linter, what);
    }
}
