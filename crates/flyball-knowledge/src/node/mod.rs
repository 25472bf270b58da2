//! Nodes: the AGENTS.md and CLAUDE.md files that cover a file, what they import, and the rules in all of them.

mod cover;
mod files;
mod front_matter;
mod importing;
mod kinds;
mod line;
mod names;
mod pages;
mod pieces;
mod root;
mod source_line;
mod statement;
#[cfg(test)]
mod tests;
mod words;

use flyball_core::path::AbsolutePath;

pub use self::cover::{covering, nearest, node_in, nodes_in, repository_root, user_nodes, with_imports};
pub use self::front_matter::{matches, paths};
pub use self::importing::{FileImport, ImportState, imports};
pub use self::kinds::is_heading_word;
pub use self::line::{RuleLine, shorten};
pub(crate) use self::pages::LEAST_LEVEL;
pub use self::pages::rules;
pub use self::statement::{is_lead_in, is_verb};

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
}
