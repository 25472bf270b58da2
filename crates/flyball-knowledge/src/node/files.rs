//! Finds the nodes of folders: the files that clients look for there, and what those import.

use std::collections::BTreeSet;

use flyball_core::client::InstructionFiles;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;

use super::front_matter::globs;
use super::importing::{Place, imports_at};
use super::{MOST_BYTES, Node, Source};
use crate::layout;

/// So many files are read for one question.
const MOST_FILES: usize = 64;
/// So much is read of files that others import or that are in folders of rules, in bytes.
const MOST_OTHER_BYTES: usize = 512 * 1024;
/// So many names in folders of rules are looked at.
const MOST_NAMES: usize = 256;
/// How deep folders of rules are looked into.
const MOST_LEVELS: usize = 4;

/// Collects nodes, each file once.
pub(super) struct Finder<'w> {
    world: &'w dyn World,
    place: Place,
    /// The files that were looked at, without links.
    seen: BTreeSet<AbsolutePath>,
    names_left: usize,
    bytes_left: usize,
    pub(super) nodes: Vec<Node>,
}

impl<'w> Finder<'w> {
    /// For the repository at a root.
    pub(super) fn new(world: &'w dyn World, root: AbsolutePath) -> Finder<'w> {
        let place = Place::new(world, root);
        Finder {
            world,
            place,
            seen: BTreeSet::new(),
            names_left: MOST_NAMES,
            bytes_left: MOST_OTHER_BYTES,
            nodes: Vec::new(),
        }
    }

    /// Leaves a file out, given without links.
    pub(super) fn skip(&mut self, real: &AbsolutePath) {
        self.seen.insert(real.clone());
    }

    /// Adds the nodes of a folder that are about a file, or about all files in the folder.
    pub(super) fn look_in(&mut self, folder: &AbsolutePath, file: Option<&AbsolutePath>) {
        for node in self.shared(folder) {
            self.add(node);
        }
        let clients = self.world.clients();
        for rules in clients.iter().filter_map(|client| client.instructions.rules_folder) {
            self.add_rules(folder, &folder.join(rules), file);
        }
        for personal in clients.iter().filter_map(|client| client.instructions.personal) {
            if let Some(node) = self.read(folder, personal, Source::Personal) {
                self.add(node);
            }
        }
    }

    /// Adds the files of a user in the folder that a client has for that user.
    pub(super) fn look_for_user(&mut self, folder: &AbsolutePath, files: &InstructionFiles) {
        let mut own = files.user.iter().filter_map(|name| self.read(folder, name, Source::Personal));
        // An empty file replaces nothing.
        if let Some(node) = own.find(|node| !node.text.trim().is_empty()) {
            self.add(node);
        }
        if let Some(rules) = files.user_rules {
            self.add_rules(folder, &folder.join(rules), None);
        }
    }

    /// The shared nodes of a folder: of each client the first that exists, those that all clients share before others.
    pub(super) fn shared(&mut self, folder: &AbsolutePath) -> Vec<Node> {
        let mut found = Vec::new();
        for name in layout::node_names(self.world.clients()) {
            let replacement = layout::replacement_of(self.world.clients(), name);
            let instead = replacement.and_then(|name| self.read(folder, name, Source::Shared));
            // An empty file replaces nothing.
            let instead = instead.filter(|node| !node.text.trim().is_empty());
            found.extend(instead.or_else(|| self.read(folder, name, Source::Shared)));
        }
        let hidden = self.world.clients().iter().filter_map(|client| client.instructions.hidden);
        found.extend(hidden.filter_map(|name| self.read(folder, name, Source::Shared)));
        found
    }

    /// Adds a node and what it imports, and what that imports in turn, as far as it was not found before.
    pub(super) fn add(&mut self, node: Node) {
        let real = self.world.real_path(&node.folder, &node.path);
        if self.nodes.len() >= MOST_FILES || !self.seen.insert(real) {
            return;
        }
        let folder = node.folder.clone();
        let mut level = self.nodes.len()..self.nodes.len() + 1;
        self.nodes.push(node);
        for _ in 0..layout::MOST_IMPORT_LEVELS {
            let below = self.nodes.len();
            for at in level {
                let imports =
                    self.nodes.get(at).map(|importer| imports_at(self.world, &self.place, importer));
                imports.into_iter().flatten().for_each(|path| self.add_import(path, &folder));
            }
            level = below..self.nodes.len();
        }
    }

    /// Adds a file that a node of a folder imports.
    fn add_import(&mut self, path: AbsolutePath, folder: &AbsolutePath) {
        if self.nodes.len() >= MOST_FILES || !self.seen.insert(path.clone()) {
            return;
        }
        let Some(text) = self.text(&path) else { return };
        let Some(left) = self.bytes_left.checked_sub(text.len()) else { return };
        self.bytes_left = left;
        self.nodes.push(Node { path, folder: folder.clone(), text, source: Source::Import });
    }

    /// Adds the files of a folder of rules that are about a file.
    fn add_rules(&mut self, covered: &AbsolutePath, rules: &AbsolutePath, file: Option<&AbsolutePath>) {
        if !self.world.stat(rules).is_some_and(|stat| stat.is_folder) {
            return;
        }
        let mut level = vec![rules.clone()];
        for _ in 0..MOST_LEVELS {
            let mut below = Vec::new();
            let entries: Vec<AbsolutePath> = level.iter().flat_map(|folder| self.entries(folder)).collect();
            for path in entries {
                if path.ends_with(".md") {
                    self.add_rules_file(covered, &path, file);
                } else if self.world.stat(&path).is_some_and(|stat| stat.is_folder) {
                    below.push(path);
                }
            }
            level = below;
        }
    }

    fn entries(&mut self, folder: &AbsolutePath) -> Vec<AbsolutePath> {
        let names = self.world.list(folder);
        let some = names.into_iter().take(self.names_left);
        let entries: Vec<AbsolutePath> = some.map(|name| folder.join(&name)).collect();
        self.names_left -= entries.len();
        entries
    }

    fn add_rules_file(&mut self, covered: &AbsolutePath, path: &AbsolutePath, file: Option<&AbsolutePath>) {
        let Some(below) = path.strip_folder(covered) else { return };
        let Some(node) = self.read(covered, below, Source::Rules) else { return };
        let is_about = match (globs(&node.text), file) {
            (None, _) => true,
            // Of a folder as a whole nothing is known about single files.
            (Some(_), None) => false,
            (Some(globs), Some(file)) => {
                file.strip_folder(covered).is_some_and(|file| globs.iter().any(|glob| glob.matches(file)))
            }
        };
        let left = self.bytes_left.checked_sub(node.text.len()).filter(|_| is_about);
        if let Some(left) = left {
            self.bytes_left = left;
            self.add(node);
        }
    }

    /// A file of a folder, if it can be read and is in the repository.
    fn read(&self, folder: &AbsolutePath, name: &str, source: Source) -> Option<Node> {
        let path = folder.join(name);
        let text = self.text(&path).filter(|_| self.is_in_repository(folder, &path))?;
        Some(Node { path, folder: folder.to_owned(), text, source })
    }

    /// An unreadable node is skipped: it must not block an edit.
    fn text(&self, path: &AbsolutePath) -> Option<String> {
        let bytes = self.world.read(path, MOST_BYTES).ok().flatten()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Whether a file is in the repository. A file outside that a link leads to may be untrusted or secret.
    fn is_in_repository(&self, folder: &AbsolutePath, path: &str) -> bool {
        let (real, home) = (self.world.real_path(folder, path), self.world.real_path(folder, "."));
        // Most nodes are in their own folder; the root is asked only for links.
        real.strip_folder(&home).is_some() || self.place.is_in_repository(&real)
    }
}
