//! Which nodes cover a file.

use flyball_core::client::InstructionFiles;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};

use super::files::Finder;
use super::root::root_above;
use super::{Node, Source};

/// The root of the repository that a file belongs to: the nearest folder above it that contains `.git`, be it a folder
/// or the file of a worktree or submodule. Without one, the project's root if the file is below it.
#[must_use]
pub fn repository_root(world: &dyn World, file: &str) -> Option<AbsolutePath> {
    let real = world.real_path(world.project_root(), file);
    root_above(world, &start_of(world, file, real))
}

/// The nodes that cover a file, the root's first, each file once, a node before what it imports. The file and its
/// folders need not exist. The cost grows with the depth of the file and the files that cover it only. A file that is a
/// node is not covered by itself; one that is unreadable or too long covers nothing.
///
/// # Errors
/// When the world cannot be read.
pub fn covering(world: &dyn World, file: &str) -> Result<Vec<Node>, PolicyError> {
    let real = world.real_path(world.project_root(), file);
    let start = start_of(world, file, real.clone());
    let Some(root) = root_above(world, &start) else { return Ok(Vec::new()) };
    // All of them are prefixes of one path, so the length alone shows whether one is above the root.
    let mut folders: Vec<AbsolutePath> =
        start.ancestors().take_while(|folder| folder.len() >= root.len()).collect();
    folders.reverse();
    let mut finder = Finder::new(world, root);
    let target = (start != real).then_some(&real);
    finder.skip(&real);
    for folder in &folders {
        finder.look_in(folder, target);
    }
    Ok(finder.nodes)
}

/// The nodes of a folder itself that are about all files in it, in the order of [`covering`].
#[must_use]
pub fn nodes_in(world: &dyn World, folder: &AbsolutePath) -> Vec<Node> {
    let root = root_above(world, folder).unwrap_or_else(|| folder.clone());
    let mut finder = Finder::new(world, root);
    finder.look_in(folder, None);
    finder.nodes
}

/// The shared node of a folder itself, if it has one that can be read.
#[must_use]
pub fn node_in(world: &dyn World, folder: &AbsolutePath) -> Option<Node> {
    let root = root_above(world, folder).unwrap_or_else(|| folder.clone());
    Finder::new(world, root).shared(folder).into_iter().next()
}

/// The files of a user's own with which each session of a client begins, in the folder that the client has for that user.
#[must_use]
pub fn user_nodes(world: &dyn World, folder: &AbsolutePath, files: &InstructionFiles) -> Vec<Node> {
    let mut finder = Finder::new(world, folder.clone());
    finder.look_for_user(folder, files);
    finder.nodes
}

/// A node that was found by its path, with what it imports.
#[must_use]
pub fn with_imports(world: &dyn World, node: Node) -> Vec<Node> {
    let root = root_above(world, &node.folder).unwrap_or_else(|| node.folder.clone());
    let mut finder = Finder::new(world, root);
    finder.add(node);
    finder.nodes
}

/// The shared node that is nearest to the file that these nodes cover: the one to change when a rule is wrong or new.
#[must_use]
pub fn nearest(nodes: &[Node]) -> Option<&Node> {
    let is_shared = |node: &&Node| node.source == Source::Shared;
    let folder = &nodes.iter().rev().find(is_shared)?.folder;
    // Of several in one folder, the one that all clients share comes first.
    nodes.iter().filter(is_shared).find(|node| node.folder == *folder)
}

/// The folder from which nodes are looked for: the path itself if it is one, else the one it is in.
fn start_of(world: &dyn World, file: &str, real: AbsolutePath) -> AbsolutePath {
    // The slash marks a folder that does not exist yet.
    let is_folder = file.ends_with('/') || world.stat(&real).is_some_and(|stat| stat.is_folder);
    if is_folder { real } else { real.folder() }
}
