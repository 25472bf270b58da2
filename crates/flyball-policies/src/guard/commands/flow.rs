//! What files keep from one line to the next: text from the network that nobody has read, copies of secrets, and
//! which files the session itself created.

use flyball_core::event::Tool;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_effects::{FileAct, FileEffect, RedirectKind, Target};
use flyball_programs::{Kind, program};

use super::context::Context;
use super::git::call::GitCall;
use super::hosts::{host, is_local};
use super::leaks::{secret_from_pipe, secret_output};
use super::seen::{DECODER, Seen};
use crate::guard::secret_files::holds_secret;

/// What the session did before this call.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn recall(situation: &Situation<'_>) -> Result<Seen, PolicyError> {
    if situation.remembers()? { situation.recall() } else { Ok(Seen::default()) }
}

/// Remembers what a call does, for the lines after it.
///
/// # Errors
/// When the store cannot be used.
pub(super) fn remember(
    situation: &Situation<'_>,
    context: &Context<'_>,
    before: &Seen,
) -> Result<(), PolicyError> {
    situation.remember_texts()?;
    let mut seen = before.clone();
    match situation.event.call().map(|call| &call.tool) {
        Some(Tool::Read { path }) => {
            seen.forget_fetched(&situation.world.real_path(&situation.event.cwd, path))
        }
        _ => {
            note_created(context, &mut seen);
            note_worktrees(context, &mut seen);
            follow(context, &mut seen);
        }
    }
    seen.shorten();
    if seen == *before { Ok(()) } else { situation.remember(&seen) }
}

/// Notes the files that a call creates.
fn note_created(context: &Context<'_>, seen: &mut Seen) {
    let new = context.written().iter().map(|written| &written.path);
    let new = new.filter(|path| context.roots().is_in_project(path) && !context.exists(path));
    seen.created.extend(new.map(|path| path.to_string()));
}

/// Notes the worktrees that a line makes where nothing is yet.
fn note_worktrees(context: &Context<'_>, seen: &mut Seen) {
    let calls = context.calls().filter_map(|call| GitCall::read(&call)).filter(|git| git.verb == "worktree");
    let made = calls.filter_map(|git| git.makes(context)).filter(|path| !context.exists(path));
    seen.worktrees.extend(made.map(|path| path.to_string()));
}

/// What is known of files at any time while the line runs: what earlier lines left, and its copies.
pub(super) fn seen_within(context: &Context<'_>) -> Seen {
    let mut seen = context.seen.clone();
    if seen.fetched.is_empty() {
        return seen;
    }
    for effect in &context.effects().files {
        follow_effect(context, effect, &mut seen);
    }
    for (path, from) in &context.seen.fetched {
        seen.fetched.entry(path.clone()).or_insert_with(|| from.clone());
    }
    seen
}

/// Follows the effects of a line in their order.
fn follow(context: &Context<'_>, seen: &mut Seen) {
    for effect in &context.effects().files {
        follow_effect(context, effect, seen);
    }
    for file in &context.effects().fetched_files {
        let network = context.effects().network.iter().find(|network| network.command == file.fetch);
        let from = network.and_then(|network| network.to.as_deref());
        if from.is_some_and(|from| is_local(host(from))) {
            continue;
        }
        let places = paths(context, &file.target);
        // A whole temporary folder, the home and the project are more than what was fetched.
        let is_own = |path: &&AbsolutePath| {
            let roots = context.roots();
            !matches!(path.as_str(), "/tmp" | "/var/tmp" | "/")
                && **path != roots.project
                && **path != roots.home
        };
        let is_clone = context.command(file.fetch).and_then(|command| command.program_name()) == Some("git");
        for path in places.iter().filter(is_own) {
            if is_clone {
                seen.clones.insert(path.to_string());
            }
            let origin = if file.is_decoded { DECODER } else { from.unwrap_or("the network") };
            seen.fetched.insert(path.to_string(), origin.to_owned());
        }
    }
}

fn follow_effect(context: &Context<'_>, effect: &FileEffect, seen: &mut Seen) {
    match &effect.act {
        FileAct::Write(_) | FileAct::Append(_) => note_written(context, effect, seen),
        // An archive gets what it is given.
        FileAct::Change if is_archiver(context, effect.command) => note_written(context, effect, seen),
        FileAct::Move { to } | FileAct::Link { name: to } => {
            let (old, new) = (paths(context, &effect.target), paths(context, to));
            for (from, to) in old.iter().flat_map(|from| new.iter().map(move |to| (from, to))) {
                seen.copy(from, to);
                if matches!(effect.act, FileAct::Link { .. }) && !context.roots().is_in_project(from) {
                    seen.links.insert(to.to_string(), from.to_string());
                }
                if holds_secret(context.clients(), from) {
                    seen.secrets.insert(to.to_string(), from.to_string());
                }
                if matches!(effect.act, FileAct::Move { .. }) {
                    seen.forget(from);
                }
            }
        }
        FileAct::Delete { .. }
            if !(seen.fetched.is_empty() && seen.secrets.is_empty() && seen.links.is_empty()) =>
        {
            paths(context, &effect.target).iter().for_each(|path| seen.forget(path));
        }
        FileAct::Read if !seen.fetched.is_empty() && shows(context, effect.command) => {
            paths(context, &effect.target).iter().for_each(|path| seen.forget_fetched(path));
        }
        _ => {}
    }
}

/// A file gets the text of what the same command reads, or of what comes down its pipe.
fn note_written(context: &Context<'_>, effect: &FileEffect, seen: &mut Seen) {
    let targets = paths(context, &effect.target);
    let mut sources = context.upstream(effect.command);
    sources.push(effect.command);
    // In the order of the line.
    sources.sort_unstable();
    sources.dedup();
    let secret = secret_output(context, effect.command).or_else(|| secret_from_pipe(context, effect.command));
    let tracks = !seen.fetched.is_empty() || !seen.secrets.is_empty();
    let read = sources.into_iter().filter(|_| tracks).flat_map(|index| context.effects_of(index));
    let read = read.filter(|other| matches!(other.act, FileAct::Read | FileAct::Anything));
    let read: Vec<AbsolutePath> = read.flat_map(|other| paths(context, &other.target)).collect();
    for target in &targets {
        if matches!(effect.act, FileAct::Write(_)) && !read.contains(target) {
            seen.forget(target);
        }
        read.iter().filter(|source| *source != target).for_each(|source| seen.copy(source, target));
        if let Some(secret) = secret.as_ref().filter(|_| !holds_secret(context.clients(), target)) {
            seen.secrets.insert(target.to_string(), secret.clone());
        }
    }
}

fn is_archiver(context: &Context<'_>, index: usize) -> bool {
    let name = context.command(index).and_then(|command| command.program_name()).unwrap_or_default();
    program(name).is_some_and(|known| known.kind == Kind::Archiver)
}

/// Whether a command shows the text that it reads, so that the session has seen it.
fn shows(context: &Context<'_>, index: usize) -> bool {
    let Some(command) = context.command(index) else { return false };
    // What goes into a pipe or a file is not shown.
    let is_kept = |redirect: &flyball_effects::Redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
            && redirect.descriptor.is_none_or(|descriptor| descriptor == 1)
    };
    if command.place.pipe_out || command.place.substitution || command.redirects.iter().any(is_kept) {
        return false;
    }
    let name = command.program_name().unwrap_or_default();
    matches!(name, "cat" | "less" | "more" | "bat" | "head" | "tail" | "sed" | "nl" | "batcat")
}

/// The places that a target means; a folder that may be meant counts with the name in it.
fn paths(context: &Context<'_>, target: &Target) -> Vec<AbsolutePath> {
    context.locate_target(target).paths().to_vec()
}
