//! Nodes: the AGENTS.md and CLAUDE.md files that cover a file, and their rules.

mod parse;
#[cfg(test)]
mod tests;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::world::real_root;

pub(crate) use self::parse::LEAST_LEVEL;
pub use self::parse::rules;
use crate::layout;

/// A longer file is not a node: too long for a model to read.
const MOST_BYTES: u64 = 256 * 1024;

/// What a rule is about, in the order in which rules are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// To be done before or after an edit.
    Checks,
    /// What went wrong before.
    Pitfalls,
    /// How it is done here.
    Patterns,
    /// What the reader has to know.
    Context,
}

impl Topic {
    /// Every topic, in order.
    pub const ALL: [Topic; 4] = [Topic::Checks, Topic::Pitfalls, Topic::Patterns, Topic::Context];

    /// The heading of its section.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Topic::Checks => "Checks",
            Topic::Pitfalls => "Pitfalls",
            Topic::Patterns => "Patterns",
            Topic::Context => "Context",
        }
    }

    /// The topic that a heading names: by all of its words, whatever their case.
    #[must_use]
    pub fn from_heading(title: &str) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| topic.heading().eq_ignore_ascii_case(title.trim()))
    }
}

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub path: AbsolutePath,
    /// What it covers: the folder it is in.
    pub folder: AbsolutePath,
    pub text: String,
}

/// One rule of a node: the text below a heading in a topic's section, a list item, or a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it is about.
    pub topic: Topic,
    /// Its own heading; empty if it has none.
    pub title: String,
    /// Its text in the node, without the heading.
    pub text: String,
    pub node: AbsolutePath,
}

/// The root of the repository that a file belongs to: the nearest folder above it that contains `.git`, be it a folder
/// or the file of a worktree or submodule. Without one, the project's root if the file is below it.
#[must_use]
pub fn repository_root(world: &dyn World, file: &str) -> Option<AbsolutePath> {
    let real = world.real_path(world.project_root(), file);
    root_above(world, &start_of(world, file, real))
}

/// The nodes that cover a file, the root's first. The file and its folders need not exist. The cost grows with the
/// depth of the file only. A file that is a node is not covered by itself; one that is unreadable or too long covers
/// nothing.
///
/// # Errors
/// When the world cannot be read.
pub fn covering(world: &dyn World, file: &str) -> Result<Vec<Node>, PolicyError> {
    let real = world.real_path(world.project_root(), file);
    let start = start_of(world, file, real.clone());
    let Some(root) = root_above(world, &start) else { return Ok(Vec::new()) };
    // All of them are prefixes of one path, so the length alone shows whether one is above the root.
    let up_to_root = start.ancestors().take_while(|folder| folder.len() >= root.len());
    let mut nodes: Vec<Node> =
        up_to_root.filter_map(|folder| node_in(world, &folder)).filter(|node| node.path != real).collect();
    nodes.reverse();
    Ok(nodes)
}

/// The node of a folder itself, if it has one that can be read.
#[must_use]
pub fn node_in(world: &dyn World, folder: &AbsolutePath) -> Option<Node> {
    layout::node_names(world.clients()).find_map(|name| {
        let path = folder.join(name);
        // An unreadable node is skipped: it must not block an edit.
        let bytes = world
            .read(&path, MOST_BYTES)
            .ok()
            .flatten()
            .filter(|_| is_in_repository(world, folder, &path))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(Node { path, folder: folder.to_owned(), text })
    })
}

/// Whether a file is in the repository. A file outside that a link leads to may be untrusted or secret.
fn is_in_repository(world: &dyn World, folder: &AbsolutePath, path: &str) -> bool {
    let (real, home) = (world.real_path(folder, path), world.real_path(folder, "."));
    let is_below = |root: &AbsolutePath| real.strip_folder(root).is_some();
    // Most nodes are in their own folder; the root is searched only for links.
    is_below(&home) || root_above(world, &home).as_ref().is_some_and(is_below)
}

/// The folder from which nodes are looked for: the path itself if it is one, else the one it is in.
fn start_of(world: &dyn World, file: &str, real: AbsolutePath) -> AbsolutePath {
    // The slash marks a folder that does not exist yet.
    let is_folder = file.ends_with('/') || world.stat(&real).is_some_and(|stat| stat.is_folder);
    if is_folder { real } else { real.folder() }
}

fn root_above(world: &dyn World, start: &AbsolutePath) -> Option<AbsolutePath> {
    let has_git = |folder: &AbsolutePath| world.stat(&folder.join(".git")).is_some();
    start.ancestors().find(has_git).or_else(|| Some(real_root(world)).filter(|root| start.is_in(root)))
}
