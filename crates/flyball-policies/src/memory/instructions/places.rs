//! Which files with rules for agents a call reaches.

use std::collections::BTreeSet;

use flyball_core::event::Tool;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::text::Words;
use flyball_core::world::real_root;
use flyball_knowledge::{layout, node};
use flyball_programs::{Kind, program};

use crate::guard::touch::{Location, Touch, TouchKind, names_in, touches};

/// Endings of texts, which rule files import.
const TEXTS: Words = Words("md|mdx|mdc|markdown|txt");

/// A file with rules that a call reaches.
pub(super) struct Reached {
    pub(super) path: AbsolutePath,
    pub(super) how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// It may be changed: only the run shows whether.
    Perhaps,
    Change,
    /// It is deleted or moved away.
    Removal,
}

impl Reached {
    /// Its path from the project's root.
    pub(super) fn name(&self, world: &dyn World) -> String {
        let root = real_root(world);
        self.path.strip_folder(&root).unwrap_or(&self.path).to_owned()
    }
}

/// Whether the call of an event may name such a file, or one of those that the user was asked about. Costs no look at the
/// disk.
pub(super) fn may_name_one(situation: &Situation<'_>, asked: &BTreeSet<AbsolutePath>) -> bool {
    let Some(call) = situation.event.call() else { return false };
    let clients = situation.world.clients();
    let is_named = |text: &str| {
        let mut names = layout::rule_file_names(clients).chain(layout::all_node_names(clients));
        names.any(|name| text.contains(name.trim_end_matches('/')))
            || asked.iter().any(|path| text.contains(name_of(path)))
    };
    match &call.tool {
        Tool::Edit(edits) => edits.iter().any(|edit| is_named(&edit.path)),
        Tool::Shell { command, .. } => is_named(command),
        Tool::Mcp { .. } | Tool::Other => is_named(&call.input),
        _ => false,
    }
}

/// The files that the call reaches, each once.
pub(super) fn reached(situation: &Situation<'_>) -> Result<Vec<Reached>, PolicyError> {
    let mut found: Vec<Reached> = Vec::new();
    for touch in touches(situation)? {
        for file in files(touch, situation) {
            match found.iter_mut().find(|known| known.path == file.path) {
                Some(known) => known.how = known.how.max(file.how),
                None => found.push(file),
            }
        }
    }
    Ok(found)
}

fn files(touch: &Touch, situation: &Situation<'_>) -> Vec<Reached> {
    let world = situation.world;
    let how = match &touch.kind {
        TouchKind::Attributes => return Vec::new(),
        TouchKind::PassedTo(words) if runs_formatter(words) => return Vec::new(),
        TouchKind::PassedTo(_) | TouchKind::Mentioned => How::Perhaps,
        TouchKind::Delete | TouchKind::Move => How::Removal,
        TouchKind::Change | TouchKind::Link => How::Change,
    };
    let file = |path: AbsolutePath| Reached { path, how };
    match &touch.location {
        Location::Path(path) if is_rules(path, world) => vec![file(path.clone())],
        // A folder that goes takes its rules along.
        Location::Path(path) if touch.kind.affects_all_below() => in_folder(path, world).map(file).collect(),
        Location::Path(_) => Vec::new(),
        Location::Pattern(pattern) => {
            let folder = pattern.folder();
            let names = pattern.rsplit('/').next().unwrap_or_default();
            let fits = |path: &AbsolutePath| {
                path.rsplit('/').next().is_some_and(|name| fast_glob::glob_match(names, name))
            };
            in_folder(&folder, world).filter(fits).map(file).collect()
        }
        Location::Text(text) => {
            let path = |name: &str| world.real_path(&situation.event.cwd, name);
            let named = names_in(text).map(|name| path(name.trim_end_matches('.')));
            named.filter(|path| is_rules(path, world)).map(file).collect()
        }
    }
}

/// The rule files that a folder has itself.
fn in_folder(folder: &AbsolutePath, world: &dyn World) -> impl Iterator<Item = AbsolutePath> {
    let path = |name| folder.join(name);
    let is_there = |path: &AbsolutePath| is_rules(path, world) && world.stat(path).is_some();
    layout::all_node_names(world.clients()).map(path).filter(is_there)
}

/// Whether a file of the project has rules for agents: by its name, or because a rule file above it imports it or is a
/// link to it.
fn is_rules(path: &AbsolutePath, world: &dyn World) -> bool {
    let root = real_root(world);
    let Some(below) = path.strip_folder(&root) else { return false };
    layout::is_rule_file(world.clients(), below)
        || is_personal(path, world)
        || (may_be_imported(path) && is_read_as_rules(path, &root, world))
}

/// Whether it is one person's own file of rules.
pub(super) fn is_personal(path: &AbsolutePath, world: &dyn World) -> bool {
    world.clients().iter().any(|client| client.instructions.personal == Some(name_of(path)))
}

/// Only texts are: most calls are about code, and cost nothing here.
fn may_be_imported(path: &AbsolutePath) -> bool {
    match name_of(path).rsplit_once('.') {
        Some((_, kind)) => TEXTS.contains(&kind.to_lowercase()),
        None => false,
    }
}

/// Whether it is read together with the rule files of its folder or of one above, under whatever name.
fn is_read_as_rules(path: &AbsolutePath, root: &AbsolutePath, world: &dyn World) -> bool {
    let folders = path.folder();
    let folders = folders.ancestors().take_while(|folder| folder.len() >= root.len());
    folders.into_iter().any(|folder| {
        let nodes = node::nodes_in(world, &folder);
        nodes.iter().any(|node| node.path == *path || world.real_path(&node.folder, &node.path) == *path)
    })
}

fn name_of(path: &AbsolutePath) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a command only checks or formats.
fn runs_formatter(words: &[String]) -> bool {
    let kind = |word: &String| program(word.rsplit('/').next().unwrap_or(word)).map(|known| known.kind);
    // `npx prettier --write AGENTS.md`
    words.iter().take(4).any(|word| matches!(kind(word), Some(Kind::Formatter | Kind::Linter)))
}
