//! Nodes: the AGENTS.md and CLAUDE.md files that cover a file, what they import, and the rules in all of them.

mod files;
mod front_matter;
mod imports;
mod kinds;
mod names;
mod pages;
mod pieces;
mod source_line;
mod statement;
#[cfg(test)]
mod tests;
mod words;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::world::real_root;

use self::files::Finder;
pub use self::imports::{Import, ImportState, imports};
pub(crate) use self::pages::LEAST_LEVEL;
pub use self::pages::rules;

/// A longer file is not a node: too long for a model to read.
pub const MOST_BYTES: u64 = 256 * 1024;

/// What a rule is about, in the order in which rules are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// What must stay true.
    Contracts,
    /// To be done before or after an edit.
    Checks,
    /// What went wrong before.
    Pitfalls,
    /// Below any other heading, or below none.
    Rules,
    /// How it is done here.
    Patterns,
    /// What the reader has to know.
    Context,
}

impl Topic {
    /// Every topic, in order.
    pub const ALL: [Topic; 6] =
        [Topic::Contracts, Topic::Checks, Topic::Pitfalls, Topic::Rules, Topic::Patterns, Topic::Context];

    /// The heading of its section.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Topic::Contracts => "Contracts",
            Topic::Checks => "Checks",
            Topic::Pitfalls => "Pitfalls",
            Topic::Rules => "Rules",
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

/// How a file comes to be a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The file of its folder that everybody shares.
    Shared,
    /// The file of one person, which is not committed.
    Personal,
    /// One of a folder of files, each about some of the project's files.
    Rules,
    /// Another node imports it.
    Import,
}

/// A file of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub path: AbsolutePath,
    /// What it covers: this folder and everything below.
    pub folder: AbsolutePath,
    pub text: String,
    pub source: Source,
}

impl Node {
    /// A shared node of a text that was read already.
    #[must_use]
    pub fn new(path: AbsolutePath, text: impl Into<String>) -> Node {
        Node { folder: path.folder(), path, text: text.into(), source: Source::Shared }
    }
}

/// One rule of a node: a list item, a row of a table, a paragraph, or all text below a heading in a topic's section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it is about.
    pub topic: Topic,
    /// The headings above it, the outermost first: also those that are only bold text.
    pub headings: Vec<String>,
    /// Its own heading; empty if it has none.
    pub title: String,
    /// The words that it belongs to, as Markdown: the sentence that announces it, the item that it is nested in, the
    /// header of its table. Empty if it stands for itself.
    pub lead: String,
    /// Its text in the node, without the heading and without the line that says where it comes from.
    pub text: String,
    pub node: AbsolutePath,
    /// The line of the node at which it begins, from 1.
    pub line: usize,
    /// Whether it names nothing that an edit could be about: no file, no name in code, no part of a project.
    pub is_general: bool,
}

impl Rule {
    /// All of its own words: title, lead and text.
    #[must_use]
    pub fn words(&self) -> String {
        let parts = [&self.title, &self.lead, &self.text];
        parts.iter().filter(|part| !part.is_empty()).map(|part| part.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Lead and text, as they belong together.
    #[must_use]
    pub fn markdown(&self) -> String {
        match self.lead.as_str() {
            "" => self.text.clone(),
            // The header of a table and its rows are not apart.
            lead if self.text.starts_with('|') => format!("{lead}\n{}", self.text),
            lead => format!("{lead}\n\n{}", self.text),
        }
    }

    /// In one line, without marks: the title, else how the text begins.
    #[must_use]
    pub fn summary(&self) -> String {
        if !self.title.is_empty() {
            return self.title.clone();
        }
        let is_mark = |letter: char| letter.is_whitespace() || "-*+[]#>|".contains(letter);
        let mut lines = self.text.lines().map(|line| line.trim_matches(is_mark));
        lines.find(|line| !line.is_empty()).unwrap_or_default().to_owned()
    }
}

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

fn root_above(world: &dyn World, start: &AbsolutePath) -> Option<AbsolutePath> {
    let has_git = |folder: &AbsolutePath| world.stat(&folder.join(".git")).is_some();
    start.ancestors().find(has_git).or_else(|| Some(real_root(world)).filter(|root| start.is_in(root)))
}
