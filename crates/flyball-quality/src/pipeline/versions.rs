//! Whether linters are new enough. The version of a program is cached until the program changes.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, JobResult};

use super::context::{Context, Task};
use super::programs::{self, VersionQuery};
use crate::linter::Linter;

/// A version that is not cached.
pub(super) struct PendingQuery<'a> {
    linter: &'a Linter,
    query: VersionQuery,
}

impl PendingQuery<'_> {
    /// The job that prints it.
    pub(super) fn task(&self) -> Task {
        Task { linter: self.linter.name.clone(), job: self.query.job.clone(), steps: 0 }
    }
}

/// Reports linters that are known to be too old. Returns queries for the versions that are not cached.
pub(super) fn pending_queries<'a, 't>(
    context: &mut Context<'a>,
    linters: impl Iterator<Item = (&'a Linter, &'t AbsolutePath)>,
) -> Vec<PendingQuery<'a>> {
    let (mut seen, mut keys) = (BTreeSet::new(), BTreeSet::new());
    let mut open = Vec::new();
    for (linter, path) in linters.filter(|(linter, _)| linter.entry.version.is_some()) {
        let place = (linter.name.as_str(), path.folder());
        if seen.contains(&place) {
            continue;
        }
        seen.insert(place);
        let Some(query) = build_query(context, linter, path) else { continue };
        // From many folders the same program is found.
        if !keys.insert((linter.name.as_str(), query.key.clone())) {
            continue;
        }
        match context.workshop.cached_result(&query.key).and_then(|cached| String::from_utf8(cached).ok()) {
            Some(version) => report_if_old(context, linter, &version),
            None => open.push(PendingQuery { linter, query }),
        }
    }
    open.sort_by(|one, other| one.query.key.cmp(&other.query.key));
    // Several linters have the same program.
    open.dedup_by(|one, other| one.query.key == other.query.key);
    open
}

fn build_query(context: &mut Context<'_>, linter: &Linter, path: &AbsolutePath) -> Option<VersionQuery> {
    let entry = &linter.entry;
    let check = entry.check.iter().flat_map(|check| [&check.command, &check.stdin_command]);
    let filters = entry.format.iter().flatten().map(|filter| &filter.command);
    let words = check.chain(filters).find(|words| !words.is_empty())?;
    if context.leaves_out(linter, words, &path.folder()) {
        return None;
    }
    let command = context.programs.command(context.workshop, (entry, words), &path.folder())?;
    VersionQuery::new(context.workshop, (entry, words), &command)
}

/// Caches the versions, and reports linters that are too old.
pub(super) fn store_answers(context: &mut Context<'_>, open: Vec<PendingQuery<'_>>, results: &[JobResult]) {
    for (open, ran) in open.into_iter().zip(results) {
        // A query that was stopped at the deadline says nothing, and is asked again next time.
        if matches!(ran.ending, Ending::Exited(_)) {
            let version = open.query.store_version(context.workshop, ran);
            report_if_old(context, open.linter, &version);
        }
    }
}

fn report_if_old(context: &mut Context<'_>, linter: &Linter, version: &str) {
    let floor = linter.entry.version.as_ref();
    if let Some(what) = floor.and_then(|floor| programs::too_old(floor, version)) {
        context.failures.too_old(linter, what);
    }
}
