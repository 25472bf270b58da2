//! Asks every linter about every file, all at the same time, and brings home what they find. The same
//! code collects and verifies.

mod asks;
mod base;

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::workshop::{Ending, Ran};

use self::asks::{Ask, Batch, Side};
use super::bench::{Bench, Task, never_ran};
use super::format::chosen;
use super::programs::Runner;
use super::select::{self, Target};
use super::told::{self, Answer, Question};
use super::troubles::Failure;
use super::versions;
use crate::builtin;
use crate::finding::Finding;
use crate::report::TroubleKind;
use crate::scope::{self, States, Told};
use crate::settings::Scope;

/// A batch that failed is tried again in so many parts.
const PARTS: usize = 8;

/// Fills in what linters told of each target, and the findings that count.
pub(super) fn all<'a>(bench: &mut Bench<'a>, targets: &mut [Target<'a>]) {
    if bench.settings.scope == Scope::New {
        base::look_up(bench, targets, &|_| true);
    }
    let asks = open_questions(bench, targets);
    let mut batches = asks::batches(bench, targets, asks);
    let asked =
        targets.iter().flat_map(|target| target.linters.iter().map(|linter| (*linter, &*target.path)));
    let mut questions = versions::open(bench, asked);
    let mut families = 0;
    while !batches.is_empty() || !questions.is_empty() {
        let asked = std::mem::take(&mut questions);
        let mut tasks: Vec<Task> = batches.iter_mut().map(|batch| task(bench, targets, batch)).collect();
        tasks.extend(asked.iter().map(versions::Open::task));
        let mut rans = bench.run(tasks);
        let answers = rans.split_off(batches.len());
        versions::settle(bench, asked, &answers);
        batches = settle(bench, targets, (batches, rans), &mut families);
    }
    soften(bench, targets);
    narrow(bench, targets);
}

/// What a linter finds by rules that nobody chose is advice, where its entry says so.
fn soften(bench: &mut Bench<'_>, targets: &mut [Target<'_>]) {
    for target in targets {
        for linter in target.linters.clone() {
            let Some(most) = linter.entry.unconfigured else { continue };
            let Some(at) = target.told.iter().position(|told| told.linter == linter.name) else { continue };
            if chosen::is_configured(bench, linter, &target.path) {
                continue;
            }
            let told = target.told.get_mut(at).into_iter().flat_map(|told| &mut told.findings);
            for finding in told.filter(|finding| linter.entry.level_of(&finding.code).is_none()) {
                finding.level = finding.level.min(most);
            }
        }
    }
}

/// Applies the scope. Asks git only where something was found.
fn narrow(bench: &Bench<'_>, targets: &mut [Target<'_>]) {
    let has_findings = |target: &Target<'_>| target.told.iter().any(|told| !told.findings.is_empty());
    if bench.settings.scope != Scope::File {
        base::look_up(bench, targets, &has_findings);
    }
    for target in targets {
        let before = target.base.as_ref().and_then(Option::as_deref);
        let states = States { before, now: &target.content };
        (target.findings, target.old) = scope::apply(bench.settings.scope, states, &target.told);
    }
}

/// The questions whose answers are not known.
fn open_questions<'a>(bench: &mut Bench<'a>, targets: &mut [Target<'a>]) -> Vec<Ask<'a>> {
    let mut open = Vec::new();
    let planned: Vec<Vec<Ask<'a>>> =
        targets.iter().enumerate().map(|(at, target)| asks::plan(bench, at, target)).collect();
    // All at once: whoever looks at the progress sees it grow, and never shrink again.
    bench.expect(planned.iter().map(Vec::len).sum());
    for (target, asks) in targets.iter_mut().zip(planned) {
        target.told.clear();
        for ask in asks {
            if let Some(findings) = ask.kept(bench) {
                tell(target, &ask, findings);
                bench.advance(&ask.linter.name, 1);
            } else if let Runner::Inside(name) = &ask.command.runner {
                ask_inside(bench, target, &ask, name);
                bench.advance(&ask.linter.name, 1);
            } else {
                target.is_fresh = true;
                open.push(ask);
            }
        }
    }
    open
}

/// A part of flyball costs no process, so its answers are not kept.
fn ask_inside(bench: &mut Bench<'_>, target: &mut Target<'_>, ask: &Ask<'_>, name: &str) {
    let content = ask.content(target).to_owned();
    let Some(spotted) = builtin::check(name, &target.file, &content) else {
        let failure = Failure::new(format!("there is no `{name}`"));
        bench.troubles.failed(ask.linter, &failure, &target.file);
        return;
    };
    let files = [(target.path.as_str(), content.as_str())];
    let question = Question {
        linter: ask.linter,
        check: ask.check,
        folder: bench.root,
        files: &files,
        stdin: true,
        scratch: "",
    };
    let findings = told::inside(bench, question, spotted);
    tell(target, ask, findings);
}

/// Notes what a linter told.
fn tell(target: &mut Target<'_>, ask: &Ask<'_>, findings: Vec<Finding>) {
    let name = &ask.linter.name;
    let at = target.told.iter().position(|told| told.linter == *name).unwrap_or_else(|| {
        target.told.push(Told { linter: name.clone(), ..Told::default() });
        target.told.len() - 1
    });
    let Some(told) = target.told.get_mut(at) else { return };
    match ask.side {
        Side::Now => {
            told.findings = findings;
            target.note(name);
        }
        Side::Before => told.before = Some(findings),
    }
}

fn task(bench: &Bench<'_>, targets: &[Target<'_>], batch: &mut Batch<'_>) -> Task {
    let linter = batch.asks.first().map_or_else(String::new, |ask| ask.linter.name.clone());
    let job = asks::job(bench, targets, batch).unwrap_or_default();
    // What is tried again was counted already.
    Task { linter, job, steps: if batch.family == 0 { batch.asks.len() } else { 0 } }
}

/// Reads the answers. Gives back the parts of batches that failed, to be tried again.
fn settle<'a>(
    bench: &mut Bench<'a>,
    targets: &mut [Target<'a>],
    (batches, rans): (Vec<Batch<'a>>, Vec<Ran>),
    families: &mut usize,
) -> Vec<Batch<'a>> {
    let mut answered: Vec<(Batch<'a>, Ran, Answer)> = Vec::new();
    for (batch, ran) in batches.into_iter().zip(rans) {
        let answer = read(bench, targets, &batch, &ran);
        answered.push((batch, ran, answer));
    }
    let hopeless = hopeless(&answered);
    let mut again = Vec::new();
    for (batch, ran, answer) in answered {
        let is_worth_it = answer.failure.as_ref().is_some_and(|failure| failure.kind == TroubleKind::Failed)
            && !matches!(ran.ending, Ending::NotStarted(_))
            && !hopeless.contains(&batch.family);
        if is_worth_it && batch.asks.len() > 1 {
            *families += 1;
            again.extend(parts(batch, *families));
        } else {
            take(bench, targets, batch, answer);
        }
    }
    again
}

fn read(bench: &Bench<'_>, targets: &[Target<'_>], batch: &Batch<'_>, ran: &Ran) -> Answer {
    let files: Vec<(&str, &str)> = batch
        .asks
        .iter()
        .filter_map(|ask| targets.get(ask.at).map(|target| (target.path.as_str(), ask.content(target))))
        .collect();
    let Some(ask) = batch.asks.first() else {
        return Answer { findings: Vec::new(), failure: Failure::of(&never_ran(), &[]) };
    };
    let question = Question {
        linter: ask.linter,
        check: ask.check,
        folder: &ask.command.folder,
        files: &files,
        stdin: ask.stdin,
        scratch: batch.scratch(),
    };
    told::read(bench, question, ran)
}

/// The families of which every part failed in the same way: the linter is to blame, not a file.
fn hopeless(answered: &[(Batch<'_>, Ran, Answer)]) -> BTreeSet<usize> {
    let mut ways: BTreeMap<usize, BTreeSet<Option<&str>>> = BTreeMap::new();
    for (batch, _, answer) in answered.iter().filter(|(batch, _, _)| batch.family > 0) {
        let way = answer.failure.as_ref().map(|failure| failure.what.as_str());
        ways.entry(batch.family).or_default().insert(way);
    }
    let is_one_way = |ways: &BTreeSet<Option<&str>>| ways.len() == 1 && !ways.contains(&None);
    ways.into_iter().filter(|(_, ways)| is_one_way(ways)).map(|(family, _)| family).collect()
}

fn parts(batch: Batch<'_>, family: usize) -> Vec<Batch<'_>> {
    let each = batch.asks.len().div_ceil(PARTS).max(1);
    batch.asks.chunks(each).map(|asks| Batch::new(asks.to_vec(), family)).collect()
}

/// Gives each target its findings, keeps them, and tells of failures.
fn take<'a>(bench: &mut Bench<'a>, targets: &mut [Target<'a>], batch: Batch<'a>, answer: Answer) {
    for ask in batch.asks {
        let Some(target) = targets.get_mut(ask.at) else { continue };
        let is_of = |finding: &&Finding| finding.file == target.file;
        let findings: Vec<Finding> = answer.findings.iter().filter(is_of).cloned().collect();
        match (&answer.failure, ask.side) {
            (None, _) => {
                keep(bench, target, &ask, &findings);
                tell(target, &ask, findings);
            }
            (Some(failure), Side::Now) => {
                bench.troubles.failed(ask.linter, failure, &target.file);
                // What it found before it failed is true all the same.
                let linter = ask.linter.name.clone();
                target.told.push(Told { linter, findings, before: None });
            }
            (Some(_), Side::Before) => {}
        }
    }
}

fn keep(bench: &Bench<'_>, target: &Target<'_>, ask: &Ask<'_>, findings: &[Finding]) {
    let Some(key) = &ask.key else { return };
    // Somebody may have written the file while the linter read it.
    let is_current = || select::text(bench, &target.path).is_some_and(|text| text == target.content);
    if (ask.stdin || is_current())
        && let Ok(text) = serde_json::to_vec(findings)
    {
        bench.shop.keep_result(key, &text);
    }
}
