//! Nodes: the AGENTS.md and CLAUDE.md files that cover a file, and their rules.

mod parse;
#[cfg(test)]
mod tests;

use flyball_core::policy::{PolicyError, World};

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
    pub path: String,
    /// What it covers: the folder it is in, absolute.
    pub folder: String,
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
    /// The absolute path of its node.
    pub node: String,
}

/// The root of the repository that a file belongs to: the nearest folder above it that contains `.git`, be it a folder
/// or the file of a worktree or submodule. Without one, the project's root if the file is below it.
#[must_use]
pub fn repository_root(world: &dyn World, file: &str) -> Option<String> {
    let real = world.real_path(world.project_root(), file);
    root_above(world, &start_of(world, file, &real)).map(str::to_owned)
}

/// The nodes that cover a file, the root's first. The file and its folders need not exist. The cost grows with the
/// depth of the file only. A file that is a node is not covered by itself; one that is unreadable or too long covers
/// nothing.
///
/// # Errors
/// When the world cannot be read.
pub fn covering(world: &dyn World, file: &str) -> Result<Vec<Node>, PolicyError> {
    let real = world.real_path(world.project_root(), file);
    let start = start_of(world, file, &real);
    let Some(root) = root_above(world, &start) else { return Ok(Vec::new()) };
    let up_to_root = upwards(&start).take_while(|folder| folder.len() >= root.len());
    let mut nodes: Vec<Node> =
        up_to_root.filter_map(|folder| node_in(world, folder)).filter(|node| node.path != real).collect();
    nodes.reverse();
    Ok(nodes)
}

/// The node of a folder itself, if it has one that can be read.
#[must_use]
pub fn node_in(world: &dyn World, folder: &str) -> Option<Node> {
    layout::node_names(world.clients()).find_map(|name| {
        let path = below(folder, name);
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
fn is_in_repository(world: &dyn World, folder: &str, path: &str) -> bool {
    let (real, home) = (world.real_path(folder, path), world.real_path(folder, "."));
    let is_in =
        |root: &str| real.strip_prefix(root.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'));
    is_in(&home) || root_above(world, &home).is_some_and(is_in)
}

/// The folder from which nodes are looked for: the path itself if it is one, else the one it is in.
fn start_of(world: &dyn World, file: &str, real: &str) -> String {
    let is_folder = file.ends_with('/') || world.stat(real).is_some_and(|stat| stat.is_folder);
    if is_folder { real.to_owned() } else { parent(real).unwrap_or("/").to_owned() }
}

fn root_above<'a>(world: &dyn World, start: &'a str) -> Option<&'a str> {
    let has_git = |folder: &&str| world.stat(&below(folder, ".git")).is_some();
    upwards(start).find(has_git).or_else(|| {
        let project = world.real_path(world.project_root(), ".");
        upwards(start).find(|folder| *folder == project)
    })
}

/// A folder and all folders above it, the nearest first.
fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| parent(folder))
}

fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/')? {
        ("", "") => None,
        ("", _) => Some("/"),
        (folder, _) => Some(folder),
    }
}

fn below(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}
