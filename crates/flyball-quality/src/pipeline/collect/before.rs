//! What linters that read nothing from standard input found in files as they were: they run in the project as it was.

use std::collections::BTreeMap;
use std::sync::Arc;

use flyball_core::path::AbsolutePath;

use super::base;
use crate::linter::{Check, Linter, Reads, takes_many};
use crate::pipeline::before::{self, Before, BeforeRun};
use crate::pipeline::context::{CommandTemplate, Context};
use crate::pipeline::programs::Command;
use crate::pipeline::select::Target;
use crate::settings::Scope;

/// How many files one command is given.
const MOST_FILES: usize = 200;
/// Of a command that failed, at most this many files are tried one by one.
const MOST_ALONE: usize = 8;

/// One linter, and one file that it checked.
struct Wanted<'a> {
    at: usize,
    linter: &'a Linter,
    check: &'a Check,
    command: Arc<Command>,
}

/// Looks up what linters found in targets as they were, where that decides what is reported.
pub(super) fn look_up<'a>(context: &mut Context<'a>, targets: &mut [Target<'a>]) {
    base::look_up(context, targets, &|target| !target.unread_by.is_empty());
    record(context, targets);
    targets.iter_mut().for_each(keep_in_unchanged);
    let mut groups: BTreeMap<(&str, AbsolutePath, Vec<String>), Vec<Wanted<'a>>> = BTreeMap::new();
    for (at, target) in targets.iter().enumerate() {
        for wanted in wanted(context, at, target) {
            let Command { folder, words, .. } = &*wanted.command;
            groups.entry((&wanted.linter.name, folder.clone(), words.clone())).or_default().push(wanted);
        }
    }
    if groups.is_empty() {
        return;
    }
    let until = context.give_time(context.settings.deadline_seconds);
    for group in groups.into_values() {
        let is_together = group.first().is_some_and(|first| takes_many(&first.command.words));
        for group in group.chunks(if is_together { MOST_FILES } else { 1 }) {
            // Several may be refused where each of them is not.
            if !fill(context, targets, group) && (2..=MOST_ALONE).contains(&group.len()) {
                group.chunks(1).for_each(|wanted| _ = fill(context, targets, wanted));
            }
        }
    }
    context.set_deadline(until);
}

/// Records what edited files were, for the project as it was.
fn record(context: &mut Context<'_>, targets: &[Target<'_>]) {
    for target in targets {
        if let Some(before) = target.text_before().filter(|before| *before != target.content) {
            context.earlier_project.record(&target.path, before);
        }
    }
}

/// The linters that have to check a target as it was.
fn wanted<'a>(context: &mut Context<'a>, at: usize, target: &Target<'a>) -> Vec<Wanted<'a>> {
    let Some(before) = target.text_before() else { return Vec::new() };
    let is_same = before == target.content;
    let mut all = Vec::new();
    for found in target.by_linter.iter().filter(|found| found.before.is_none()) {
        let Some(linter) = target.linters.iter().find(|linter| linter.name == found.linter) else { continue };
        let Some(check) = linter.entry.check.as_ref().filter(|check| !check.command.is_empty()) else {
            continue;
        };
        let is_unread = target.unread_by.iter().any(|unread| unread.linter.name == linter.name);
        let is_compared = context.settings.scope == Scope::New;
        let is_wanted = if is_same {
            is_compared && !found.findings.is_empty() && reads_project(linter)
        } else {
            // The others were given the old content already.
            let is_given = is_compared && !check.stdin_command.is_empty();
            !is_given && (is_unread || is_compared && !found.findings.is_empty())
        };
        if !is_wanted {
            continue;
        }
        let template = CommandTemplate::for_check(check, &check.command);
        if let Some(command) = context.command(linter, template, &target.path) {
            all.push(Wanted { at, linter, check, command });
        }
    }
    all
}

/// Whether what a linter finds in a file can change although the file does not.
fn reads_project(linter: &Linter) -> bool {
    linter.entry.reads == Some(Reads::Project)
}

/// In a file that did not change, a linter that reads only that finds what it found before.
fn keep_in_unchanged(target: &mut Target<'_>) {
    if target.text_before() != Some(&target.content) {
        return;
    }
    let of_project: Vec<&str> =
        target.linters.iter().filter(|it| reads_project(it)).map(|it| it.name.as_str()).collect();
    for found in target.by_linter.iter_mut().filter(|found| found.before.is_none()) {
        let is_unread = target.unread_by.iter().any(|unread| unread.linter.name == found.linter);
        if !is_unread && !of_project.contains(&found.linter.as_str()) {
            found.before = Some(found.findings.clone());
        }
    }
}

/// Returns whether all are known.
fn fill(context: &mut Context<'_>, targets: &mut [Target<'_>], group: &[Wanted<'_>]) -> bool {
    let Some(first) = group.first() else { return true };
    let paths: Vec<AbsolutePath> =
        group.iter().filter_map(|wanted| targets.get(wanted.at)).map(|target| target.path.clone()).collect();
    let files: Vec<&AbsolutePath> = paths.iter().collect();
    let run = BeforeRun {
        linter: first.linter,
        check: first.check,
        command: &first.command,
        files: &files,
        reports_any: false,
    };
    let before = before::find(context, &run);
    for wanted in group {
        let Some(target) = targets.get_mut(wanted.at) else { continue };
        let file = target.file.to_string();
        let found = target.found_by(&wanted.linter.name);
        found.before = match &before {
            Before::Same => Some(found.findings.clone()),
            Before::Found(before) if before.unread.contains(&file) => None,
            Before::Found(before) => {
                Some(before.findings.iter().filter(|finding| finding.file == file).cloned().collect())
            }
            Before::Unknown => None,
        };
    }
    !matches!(before, Before::Unknown)
}
