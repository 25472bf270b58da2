//! Filters that work in place: on many files at once, or because they cannot work otherwise.

use std::collections::BTreeSet;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, JobResult, Rewritten};

use super::chain::{Chain, Step};
use super::output;
use crate::linter::Filter;
use crate::pipeline::context::{CommandTemplate, Context, Task, never_ran};
use crate::pipeline::failures::Failure;
use crate::pipeline::paths::absolute;
use crate::pipeline::placeholders::{PlaceholderValues, file_argument};
use crate::pipeline::programs::Runner;
use crate::pipeline::select::{self, Target};
use crate::pipeline::{Write, chunks};

/// A command that failed is tried again in this many parts.
const PARTS: usize = 8;
/// More files than this go through one command.
const MANY: usize = 8;

/// One step of all chains. A group is the positions of chains whose step is the same filter.
pub(super) struct Round<'c, 'a> {
    pub(super) chains: &'c mut [Chain<'a>],
    pub(super) targets: &'c [Target<'a>],
    /// Which step of each chain it is.
    pub(super) number: usize,
}

/// A command on some of the files, and how it ended.
struct FilterRun {
    group: Vec<usize>,
    result: JobResult,
}

impl FilterRun {
    /// Whether the cause may be one of its files.
    fn may_work_in_parts(&self) -> bool {
        let has_ended =
            matches!(self.result.ending, Ending::Exited(_) | Ending::Killed(_) | Ending::OverLimit(_));
        has_ended && self.group.len() > PARTS
    }

    fn parts(&self) -> impl Iterator<Item = Vec<usize>> {
        self.group.chunks(self.group.len().div_ceil(PARTS).max(1)).map(<[usize]>::to_vec)
    }
}

impl<'a> Round<'_, 'a> {
    /// Runs a filter on the files of a group in one go, if it can and it is worth it. Returns those
    /// that have to go one by one.
    pub(super) fn run_group(&mut self, context: &mut Context<'a>, group: Vec<usize>) -> Vec<usize> {
        let Some(step) = self.step(&group) else { return group };
        // No process is started, so there is nothing to save by grouping.
        if matches!(step.command.runner, Runner::Builtin(_)) {
            return group;
        }
        let filter = step.filter;
        let is_many = group.len() > MANY;
        match context.request.write {
            Write::Yes if is_many && !filter.many.is_empty() => {
                // One bad file fails the whole command; the rest of its files then go one by one.
                let left = self.in_place(context, group, &filter.many);
                if filter.in_place { self.one_by_one(context, left, filter) } else { left }
            }
            Write::Yes if filter.in_place => self.one_by_one(context, group, filter),
            Write::No if (is_many || filter.in_place) && !filter.list.is_empty() => {
                let left = self.list(context, group, &step);
                if filter.in_place { self.mark_unknown(context, left) } else { left }
            }
            Write::No if filter.in_place => self.mark_unknown(context, group),
            Write::Yes | Write::No => group,
        }
    }

    /// The step of a group.
    fn step(&self, group: &[usize]) -> Option<Step<'a>> {
        self.chains.get(*group.first()?)?.steps.get(self.number).cloned()
    }

    fn target(&self, at: usize) -> Option<&Target<'a>> {
        self.targets.get(self.chains.get(at)?.at)
    }

    fn path(&self, at: usize) -> Option<&AbsolutePath> {
        self.target(at).map(|target| &target.path)
    }

    /// A filter that works in place cannot run when nothing may be written.
    fn mark_unknown(&mut self, context: &mut Context<'_>, group: Vec<usize>) -> Vec<usize> {
        context.advance("formatting", group.len());
        for at in group {
            if let Some(chain) = self.chains.get_mut(at) {
                chain.is_unknown = true;
            }
        }
        Vec::new()
    }

    /// A filter that works in place, for each file by itself.
    fn one_by_one(&mut self, context: &mut Context<'a>, group: Vec<usize>, filter: &'a Filter) -> Vec<usize> {
        for at in group {
            self.in_place(context, vec![at], &filter.command);
        }
        Vec::new()
    }

    /// Runs a command on files where they are. The files of a command that failed are restored, and
    /// returned if there was more than one.
    fn in_place(
        &mut self,
        context: &mut Context<'a>,
        mut group: Vec<usize>,
        words: &'a [String],
    ) -> Vec<usize> {
        group.retain(|at| self.write_input(context, *at));
        let is_alone = group.len() == 1;
        let mut left = Vec::new();
        for FilterRun { group, result } in self.run_on_files(context, group, words) {
            for at in group {
                let Some(chain) = self.chains.get_mut(at) else { continue };
                let Some(target) = self.targets.get(chain.at) else { continue };
                let failure = chain.steps.get(self.number).and_then(|step| output::failure(&result, step));
                match read_output(context, target, failure) {
                    Ok(content) => {
                        chain.content.clone_from(&content);
                        chain.disk = content;
                        chain.was_on_disk = true;
                    }
                    Err(failure) => {
                        restore_file(context, target, chain);
                        // Only then is it certain which file the command failed on.
                        if is_alone {
                            chain.add_result(self.number, Err(failure));
                        } else {
                            left.push(at);
                        }
                    }
                }
            }
        }
        context.add_steps(left.len());
        left
    }

    /// Writes what earlier filters made of a file. Returns whether it is there.
    fn write_input(&mut self, context: &Context<'_>, at: usize) -> bool {
        let Some(chain) = self.chains.get_mut(at) else { return false };
        let Some(target) = self.targets.get(chain.at) else { return false };
        if chain.disk != chain.content
            // `rewrite` compares again and reports if another process wrote in between.
            || select::read_text(context, &target.path).as_ref() != Some(&chain.disk)
        {
            match context.workshop.rewrite(&target.path, chain.disk.as_bytes(), chain.content.as_bytes()) {
                Ok(Rewritten::Yes) => chain.disk.clone_from(&chain.content),
                Ok(Rewritten::Overtaken) => chain.is_overtaken = true,
                // It is tried once more at the end, and reported then.
                Err(_) => chain.is_unknown = true,
            }
        }
        !chain.is_overtaken && !chain.is_unknown
    }

    /// Asks which of many files a filter would change. Returns those for which it failed.
    fn list(&mut self, context: &mut Context<'a>, group: Vec<usize>, step: &Step<'a>) -> Vec<usize> {
        let mut left = Vec::new();
        let mut open = vec![group];
        // Each round is smaller: one file that it cannot parse must not make thousands go one by one.
        for round in 0.. {
            let mut failed = Vec::new();
            let mut has_worked = round == 0;
            for group in std::mem::take(&mut open) {
                for run in self.run_on_files(context, group, &step.filter.list) {
                    match parse_listed(&step.command.folder, step.filter, &run.result) {
                        Some(listed) => {
                            has_worked = true;
                            self.mark_due(&run.group, &listed);
                        }
                        None => failed.push(run),
                    }
                }
            }
            // Where all parts fail, it is not because of one file.
            let (again, alone): (Vec<FilterRun>, Vec<FilterRun>) =
                failed.into_iter().partition(|run| has_worked && run.may_work_in_parts());
            left.extend(alone.into_iter().flat_map(|run| run.group));
            open.extend(again.iter().flat_map(FilterRun::parts));
            if open.is_empty() {
                break;
            }
            context.add_steps(open.iter().map(Vec::len).sum());
        }
        context.add_steps(left.len());
        left
    }

    /// Notes which files of a group a filter would change.
    fn mark_due(&mut self, group: &[usize], listed: &BTreeSet<AbsolutePath>) {
        for at in group {
            let is_listed = self.path(*at).is_some_and(|path| listed.contains(path));
            if let Some(chain) = self.chains.get_mut(*at) {
                chain.is_due |= is_listed;
            }
        }
    }

    /// Runs a command on files of chains, as many at once as a command line takes.
    fn run_on_files(
        &self,
        context: &mut Context<'a>,
        group: Vec<usize>,
        words: &'a [String],
    ) -> Vec<FilterRun> {
        let near = group.first().and_then(|at| self.path(*at));
        let found = self.step(&group).and_then(|step| {
            let template = CommandTemplate::for_filter(step.filter, words);
            Some((step.linter, context.command(step.linter, template, near?)?))
        });
        let Some((linter, command)) = found else { return vec![FilterRun { group, result: never_ran() }] };
        let length = |at: &usize| self.path(*at).map_or(0, |path| file_argument(&command.folder, path).len());
        let groups = chunks::split_evenly(group, context.parallelism(), length);
        let mut tasks = Vec::new();
        for group in &groups {
            let files: Vec<&AbsolutePath> = group.iter().filter_map(|at| self.path(*at)).collect();
            let values = PlaceholderValues::new(context.root, &command.folder, &files);
            let job = context.job(&command, &linter.entry, values);
            tasks.push(Task { linter: linter.name.clone(), job, steps: group.len() });
        }
        let results = context.run(tasks);
        groups.into_iter().zip(results).map(|(group, result)| FilterRun { group, result }).collect()
    }
}

fn read_output(
    context: &Context<'_>,
    target: &Target<'_>,
    failure: Option<Failure>,
) -> Result<String, Failure> {
    match failure {
        Some(failure) => Err(failure),
        None => {
            select::read_text(context, &target.path).ok_or_else(|| Failure::new("left no text in the file"))
        }
    }
}

fn restore_file(context: &Context<'_>, target: &Target<'_>, chain: &Chain<'_>) {
    let now = context.workshop.read(&target.path, u64::MAX).ok().flatten().unwrap_or_default();
    if now != chain.content.as_bytes() {
        // If even that fails, the file is as the filter left it, and the filter's failure is reported.
        _ = context.workshop.rewrite(&target.path, &now, chain.content.as_bytes());
    }
}

/// The files that a filter says it would change; `None` if it failed.
fn parse_listed(
    folder: &AbsolutePath,
    filter: &Filter,
    result: &JobResult,
) -> Option<BTreeSet<AbsolutePath>> {
    let mut good = vec![0, 1];
    good.extend(&filter.ok);
    // A list that was cut off would let files pass as formatted, and so would one of a filter that cannot parse some.
    let is_partial = result.cut || output::parse_error(filter, result).is_some();
    if Failure::from_run(result, &good).is_some() || is_partial {
        return None;
    }
    let pattern = if filter.listed.is_empty() { "^(?P<file>.+)$" } else { &filter.listed };
    let pattern = regex_lite::Regex::new(pattern).ok()?;
    let text =
        String::from_utf8_lossy(&result.stdout).into_owned() + &String::from_utf8_lossy(&result.stderr);
    let names = text.lines().filter_map(|line| Some(pattern.captures(line)?.name("file")?.as_str()));
    let paths: BTreeSet<AbsolutePath> = names.map(|name| absolute(folder, name)).collect();
    // An error code without a name is a crash, not a clean result.
    let has_failed = paths.is_empty() && result.ending != Ending::Exited(0);
    (!has_failed).then_some(paths)
}
