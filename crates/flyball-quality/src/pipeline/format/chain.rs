//! The filters that one file goes through.

use std::collections::BTreeMap;
use std::sync::Arc;

use flyball_core::path::AbsolutePath;

use crate::linter::{Filter, Linter};
use crate::pipeline::Write;
use crate::pipeline::chosen::Choice;
use crate::pipeline::context::{CommandTemplate, Context};
use crate::pipeline::failures::Failure;
use crate::pipeline::programs::{Command, Runner};
use crate::pipeline::select::Target;
use crate::pipeline::{globs, keys};
use crate::settings::Format;

/// The cached result for a content that is formatted already.
pub(super) const UNCHANGED: &[u8] = b"=";

/// Which filters run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pipeline) enum FilterKind {
    /// Those that only change the layout.
    Layout,
    /// Those that do more.
    Fixes,
}

/// The filters that one file goes through, and how far it is.
pub(super) struct Chain<'a> {
    pub at: usize,
    pub steps: Vec<Step<'a>>,
    /// The cache key of its result.
    pub key: String,
    /// Whether the result was cached.
    pub is_cached: bool,
    /// What the filters so far made of it.
    pub content: String,
    /// What is on disk now: filters that work in place have put it there.
    pub disk: String,
    /// A filter worked on it in place.
    pub was_on_disk: bool,
    /// A filter would change the file, but does not print how.
    pub is_due: bool,
    /// What a filter would do is not known.
    pub is_unknown: bool,
    /// Another process wrote the file.
    pub is_overtaken: bool,
    pub failures: Vec<(&'a Linter, Failure)>,
}

#[derive(Clone)]
pub(super) struct Step<'a> {
    pub linter: &'a Linter,
    pub filter: &'a Filter,
    pub command: Arc<Command>,
}

impl Step<'_> {
    /// The exit codes that mean that it worked.
    pub(super) fn ok(&self) -> Vec<i32> {
        if self.filter.ok.is_empty() { vec![0] } else { self.filter.ok.clone() }
    }
}

impl Chain<'_> {
    /// What a filter made of it. A filter that failed changes nothing.
    pub(super) fn add_result(&mut self, round: usize, result: Result<String, Failure>) {
        match result {
            Ok(content) => self.content = content,
            Err(failure) => {
                if let Some(step) = self.steps.get(round) {
                    self.failures.push((step.linter, failure));
                }
            }
        }
    }

    /// Whether it went through all filters, and all of them worked.
    pub(super) fn is_complete(&self) -> bool {
        !self.is_cached && self.failures.is_empty() && !self.is_due && !self.is_unknown && !self.is_overtaken
    }

    /// The result as it is cached.
    pub(super) fn encode_result(&self, before: &str) -> Vec<u8> {
        // One byte instead of the whole content, for the usual case.
        if self.content == before { UNCHANGED.to_vec() } else { [b"+", self.content.as_bytes()].concat() }
    }
}

/// A chain for each target that has steps. Those whose result is known are at their end.
pub(super) fn plan<'a>(
    context: &mut Context<'a>,
    targets: &[Target<'a>],
    steps: Vec<Vec<Step<'a>>>,
) -> Vec<Chain<'a>> {
    let mut keyed = Vec::new();
    for ((at, target), steps) in targets.iter().enumerate().zip(steps) {
        if !steps.is_empty() {
            let key = key(context, &steps, (&target.file, &target.hash));
            keyed.push((at, target, steps, key));
        }
    }
    let keys: Vec<&str> = keyed.iter().map(|(.., key)| key.as_str()).collect();
    let cached = context.workshop.cached_results(&keys);
    let mut chains = Vec::new();
    for ((at, target, steps, key), cached) in keyed.into_iter().zip(cached) {
        let cached = cached.and_then(|cached| decode_result(&cached, &target.content));
        context.advance("formatting", if cached.is_some() { steps.len() } else { 0 });
        let chain = Chain {
            at,
            steps,
            key,
            is_cached: cached.is_some(),
            content: cached.unwrap_or_else(|| target.content.clone()),
            disk: target.content.clone(),
            was_on_disk: false,
            is_due: false,
            is_unknown: false,
            is_overtaken: false,
            failures: Vec::new(),
        };
        chains.push(chain);
    }
    chains
}

/// The filters of one kind that a file goes through.
pub(super) fn steps<'a>(context: &mut Context<'a>, target: &Target<'a>, kind: FilterKind) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for linter in &target.linters {
        if linter.entry.format.is_none() || !formats(context, linter, &target.path) {
            continue;
        }
        let reads_only = context.request.write == Write::No;
        let filters = linter.entry.format.as_deref().unwrap_or_default();
        let is_of_kind = |filter: &&Filter| filter.fixes == (kind == FilterKind::Fixes);
        // The check reports the same, so without writing the filter would only cost time.
        let is_for_file = |filter: &&Filter| !globs::any(&filter.exclude, &target.file);
        let filters = filters.iter().filter(is_of_kind).filter(is_for_file);
        for filter in filters.filter(|filter| !(reads_only && filter.checked)) {
            context.add_steps(1);
            match context.command(linter, CommandTemplate::for_filter(filter, &filter.command), &target.path)
            {
                Some(command) => steps.push(Step { linter, filter, command }),
                None => context.advance("formatting", 1),
            }
        }
    }
    steps
}

/// The cache key of the result of these filters for this content of a file.
pub(super) fn key(context: &Context<'_>, steps: &[Step<'_>], (file, hash): (&str, &str)) -> String {
    let mut parts: Vec<&str> = steps.iter().map(|step| step.command.fingerprint.as_str()).collect();
    parts.extend([file, hash]);
    keys::key(context.workshop, "format", &parts)
}

/// Whether the filters of a linter run on the file at this path. What is a part of flyball nobody chose: it only checks; and
/// what a project runs with options that are not known would write something else.
fn formats<'a>(context: &mut Context<'a>, linter: &'a Linter, path: &AbsolutePath) -> bool {
    match context.settings.format {
        Format::Never => false,
        Format::Always => true,
        Format::Configured => match context.choice(linter, path) {
            Some(Choice::BuiltIn) | None => false,
            Some(Choice::Project(choice)) => choice.does_not_write.is_none(),
            Some(Choice::Asked | Choice::Own) => true,
        },
    }
}

fn decode_result(cached: &[u8], before: &str) -> Option<String> {
    match cached.split_first()? {
        (b'=', []) => Some(before.to_owned()),
        (b'+', content) => String::from_utf8(content.to_vec()).ok(),
        _ => None,
    }
}

/// What filters must share to be one command: linter, program, folder and words.
type GroupKey<'c> = (&'c str, &'c str, &'c str, &'c [String]);

/// The chains that have something to do in this round, by filter and program.
pub(super) fn groups(chains: &[Chain<'_>], round: usize) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<GroupKey<'_>, Vec<usize>> = BTreeMap::new();
    for (at, chain) in chains.iter().enumerate() {
        let Some(step) = chain.steps.get(round).filter(|_| !chain.is_cached && !chain.is_overtaken) else {
            continue;
        };
        let program = match &step.command.runner {
            Runner::Builtin(name) => name.as_str(),
            Runner::Program(program) => &program.path,
        };
        let command = &step.command;
        let alike = (&*step.linter.name, program, &*command.folder, &*command.words);
        groups.entry(alike).or_default().push(at);
    }
    groups.into_values().collect()
}
