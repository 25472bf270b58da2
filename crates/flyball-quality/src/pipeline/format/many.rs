//! Filters that work in place: on many files at once, or because they cannot do otherwise.

use flyball_core::workshop::{JobResult, Rewritten};

use super::chain::{Chain, Step};
use crate::linter::Filter;
use crate::pipeline::context::{CommandTemplate, Context, Task, never_ran};
use crate::pipeline::failures::Failure;
use crate::pipeline::placeholders::{PlaceholderValues, file_argument};
use crate::pipeline::programs::Runner;
use crate::pipeline::select::{self, Target};
use crate::pipeline::{Write, chunks, linter_output};

/// More files than this go through one command.
const MANY: usize = 8;

/// The chains of a run, and the round it is in.
type Round<'c, 'a> = (&'c mut [Chain<'a>], usize);

/// Lets a filter work on the files of these chains in one go, if it can and it is worth it. Gives back
/// those that have to go one by one.
pub(super) fn run<'a>(
    bench: &mut Context<'a>,
    targets: &[Target<'a>],
    (chains, round): Round<'_, 'a>,
    group: Vec<usize>,
) -> Vec<usize> {
    let first = group.first().and_then(|at| chains.get(*at)?.steps.get(round));
    let Some(step) = first.cloned() else { return group };
    if matches!(step.command.runner, Runner::Builtin(_)) {
        return group;
    }
    let filter = step.filter;
    let is_many = group.len() > MANY;
    match bench.request.write {
        Write::Yes if is_many && !filter.many.is_empty() => {
            let left = in_place(bench, targets, (chains, round), (group, &filter.many));
            if filter.in_place { one_by_one(bench, targets, (chains, round), left) } else { left }
        }
        Write::Yes if filter.in_place => one_by_one(bench, targets, (chains, round), group),
        Write::No if (is_many || filter.in_place) && !filter.list.is_empty() => {
            let left = list(bench, targets, (chains, round), group);
            if filter.in_place { mark_unsure(bench, chains, left) } else { left }
        }
        Write::No if filter.in_place => mark_unsure(bench, chains, group),
        Write::Yes | Write::No => group,
    }
}

/// A filter that works in place cannot be asked when nothing may be written.
fn mark_unsure(bench: &mut Context<'_>, chains: &mut [Chain<'_>], group: Vec<usize>) -> Vec<usize> {
    bench.advance("formatting", group.len());
    for at in group {
        if let Some(chain) = chains.get_mut(at) {
            chain.is_unsure = true;
        }
    }
    Vec::new()
}

/// A filter that works in place, for each file by itself.
fn one_by_one<'a>(
    bench: &mut Context<'a>,
    targets: &[Target<'a>],
    (chains, round): Round<'_, 'a>,
    group: Vec<usize>,
) -> Vec<usize> {
    for at in group {
        let first = chains.get(at).and_then(|chain| chain.steps.get(round)).cloned();
        let Some(step) = first else { continue };
        let Step { filter: Filter { command, .. }, .. } = step;
        in_place(bench, targets, (chains, round), (vec![at], command));
    }
    Vec::new()
}

/// Runs a command on files where they are. The files of a command that failed are put back, and given
/// back if there was more than one.
fn in_place<'a>(
    bench: &mut Context<'a>,
    targets: &[Target<'a>],
    (chains, round): Round<'_, 'a>,
    (mut group, words): (Vec<usize>, &[String]),
) -> Vec<usize> {
    group.retain(|at| chains.get_mut(*at).is_some_and(|chain| write_input(bench, targets, chain)));
    let is_alone = group.len() == 1;
    let (lists, rans) = run_on_files(bench, targets, (chains, round), (group, words));
    let mut left = Vec::new();
    for (list, ran) in lists.into_iter().zip(rans) {
        for at in list {
            let Some(chain) = chains.get_mut(at) else { continue };
            let Some(target) = targets.get(chain.at) else { continue };
            let failure = chain.steps.get(round).and_then(|step| Failure::from_run(&ran, &step.ok()));
            match read_output(bench, target, failure) {
                Ok(content) => {
                    chain.content.clone_from(&content);
                    chain.disk = content;
                    chain.was_on_disk = true;
                }
                Err(failure) => {
                    restore_file(bench, target, chain);
                    if is_alone {
                        chain.add_result(round, Err(failure));
                    } else {
                        left.push(at);
                    }
                }
            }
        }
    }
    bench.add_steps(left.len());
    left
}

/// Puts what earlier filters made of a file on disk. Says whether it is there.
fn write_input(bench: &Context<'_>, targets: &[Target<'_>], chain: &mut Chain<'_>) -> bool {
    let Some(target) = targets.get(chain.at) else { return false };
    if chain.disk != chain.content || select::read_text(bench, &target.path).as_ref() != Some(&chain.disk) {
        match bench.workshop.rewrite(&target.path, chain.disk.as_bytes(), chain.content.as_bytes()) {
            Ok(Rewritten::Yes) => chain.disk.clone_from(&chain.content),
            Ok(Rewritten::Overtaken) => chain.is_overtaken = true,
            // It is tried once more at the end, and told then.
            Err(_) => chain.is_unsure = true,
        }
    }
    !chain.is_overtaken && !chain.is_unsure
}

fn read_output(
    bench: &Context<'_>,
    target: &Target<'_>,
    failure: Option<Failure>,
) -> Result<String, Failure> {
    match failure {
        Some(failure) => Err(failure),
        None => select::read_text(bench, &target.path).ok_or_else(|| Failure::new("it left no text behind")),
    }
}

fn restore_file(bench: &Context<'_>, target: &Target<'_>, chain: &Chain<'_>) {
    let now = bench.workshop.read(&target.path, u64::MAX).ok().flatten().unwrap_or_default();
    if now != chain.content.as_bytes() {
        // If even that fails the file is as the filter left it, and its failure is told.
        drop(bench.workshop.rewrite(&target.path, &now, chain.content.as_bytes()));
    }
}

/// Asks which of many files a filter would change. Gives back those about which it did not say.
fn list<'a>(
    bench: &mut Context<'a>,
    targets: &[Target<'a>],
    (chains, round): Round<'_, 'a>,
    group: Vec<usize>,
) -> Vec<usize> {
    let first = group.first().and_then(|at| chains.get(*at)?.steps.get(round));
    let Some(step) = first.cloned() else { return group };
    let (lists, rans) = run_on_files(bench, targets, (chains, round), (group, &step.filter.list));
    let mut left = Vec::new();
    for (list, ran) in lists.into_iter().zip(rans) {
        let listed = parse_listed(&step.command.folder, step.filter, &ran);
        for at in list {
            let Some(chain) = chains.get_mut(at) else { continue };
            let path = targets.get(chain.at).map_or("", |target| target.path.as_str());
            match &listed {
                Some(files) => chain.is_due |= files.iter().any(|file| file == path),
                None => left.push(at),
            }
        }
    }
    bench.add_steps(left.len());
    left
}

/// The files that a filter says it would change; `None` if it did not come to that.
fn parse_listed(folder: &str, filter: &Filter, ran: &JobResult) -> Option<Vec<String>> {
    let mut good = vec![0, 1];
    good.extend(&filter.ok);
    if Failure::from_run(ran, &good).is_some() || ran.cut {
        return None;
    }
    let pattern = if filter.listed.is_empty() { "^(?P<file>.+)$" } else { &filter.listed };
    let pattern = regex_lite::Regex::new(pattern).ok()?;
    let text = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    let names = text.lines().filter_map(|line| Some(pattern.captures(line)?.name("file")?.as_str()));
    let paths: Vec<String> = names.map(|name| linter_output::absolute(folder, name)).collect();
    let is_silent = paths.is_empty() && ran.ending != flyball_core::workshop::Ending::Exited(0);
    (!is_silent).then_some(paths)
}

/// Runs a command on files of chains, as many at once as a command line takes.
fn run_on_files<'a>(
    bench: &mut Context<'a>,
    targets: &[Target<'a>],
    (chains, round): Round<'_, 'a>,
    (group, words): (Vec<usize>, &[String]),
) -> (Vec<Vec<usize>>, Vec<JobResult>) {
    let path = |at: &usize| {
        let target = chains.get(*at).and_then(|chain| targets.get(chain.at));
        target.map_or("", |target| target.path.as_str())
    };
    let first = group.first().and_then(|at| chains.get(*at)?.steps.get(round));
    let near = group.first().map_or("", path);
    let found = first.and_then(|step| {
        Some((
            step.linter,
            bench.command(step.linter, CommandTemplate::for_filter(step.filter, words), near)?,
        ))
    });
    let Some((linter, command)) = found else { return (vec![group], vec![never_ran()]) };
    let lists =
        chunks::split_evenly(group, bench.parallelism(), |at| file_argument(&command.folder, path(at)).len());
    let mut tasks = Vec::new();
    for list in &lists {
        let files: Vec<&str> = list.iter().map(path).collect();
        let job =
            bench.job(&command, &linter.entry, PlaceholderValues::new(bench.root, &command.folder, &files));
        tasks.push(Task { linter: linter.name.clone(), job, steps: list.len() });
    }
    let rans = bench.run(tasks);
    (lists, rans)
}
