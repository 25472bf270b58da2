//! The rules of rule files, with the places where people find them.

use std::collections::BTreeSet;
use std::path::Path;

use flyball_core::path::AbsolutePath;
use flyball_core::text;
use flyball_core::world::Files as _;
use flyball_knowledge::node::{self, Node, Source};
use flyball_world::machine::{Machine, real_path};

use super::nodes;
use super::patterns::{Pattern, patterns};
use super::place::display_path;

/// A rule file of the project.
pub(super) struct RuleFile {
    /// Its path from the project's root.
    pub(super) name: String,
    /// The folder that it covers, from the root; empty for the root itself.
    pub(super) folder: String,
    /// The files that it is about, by its `paths`; empty if it is about all.
    pub(super) paths: Vec<Pattern>,
    pub(super) statements: Vec<Statement>,
}

impl RuleFile {
    /// Whether it holds for a file of the project, by its path from the root.
    pub(super) fn covers(&self, path: &str) -> bool {
        self.below(path).is_some_and(|below| {
            let is_match = |pattern: &Pattern| node::matches(std::slice::from_ref(&pattern.glob), below);
            self.paths.is_empty() || self.paths.iter().any(is_match)
        })
    }

    /// A path from the folder that it covers.
    pub(super) fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.folder.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }
}

/// One rule of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// The line at which it begins, from 1.
    pub(super) line: usize,
    /// The sentence that announces it, or the header of its table.
    pub(super) lead: String,
    /// Its own words, as Markdown.
    pub(super) text: String,
}

impl Statement {
    /// How it begins, on one line.
    pub(super) fn short(&self, letters: usize) -> String {
        let line = text::one_line(&self.text);
        text::fit_trimmed(line.trim_start_matches(['-', '*', '+', '#', ' ']), letters).into_owned()
    }
}

/// All rule files below the root that are shared, in order.
pub(super) fn read_all(machine: &Machine, root: &Path) -> Vec<RuleFile> {
    let real = real_path(root);
    let shown_root = AbsolutePath::from_path(&real);
    let all = nodes::all(machine, &real);
    let mut folders: BTreeSet<AbsolutePath> =
        all.iter().map(|file| AbsolutePath::from_path(file).folder()).collect();
    // The root may only have files in a client's own folder.
    folders.insert(shown_root.clone());
    let mut files: Vec<RuleFile> = Vec::new();
    for folder in folders {
        for node in node::nodes_in(machine, &folder) {
            let is_new = !files.iter().any(|file| file.name == display_path(&node.path, &shown_root));
            if is_new && node.source != Source::Personal {
                files.push(read(&node, &shown_root));
            }
        }
    }
    // What is about single files is no node of a folder.
    for file in all {
        let path = AbsolutePath::from_path(&file);
        let is_new = !files.iter().any(|known| known.name == display_path(&path, &shown_root));
        let text = machine.read(&path, node::MOST_BYTES).ok().flatten().filter(|_| is_new);
        let text = text.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if let Some(text) = text.filter(|text| !node::paths(text).is_empty()) {
            let folder = AbsolutePath::from_path(&nodes::covered(&file));
            let node = Node { path, folder, text, source: Source::Rules };
            files.push(read(&node, &shown_root));
        }
    }
    files
}

fn read(node: &Node, root: &AbsolutePath) -> RuleFile {
    let folder = display_path(&node.folder, root);
    let statement = |rule: node::Rule| Statement {
        line: rule.line,
        lead: rule.lead,
        text: if rule.title.is_empty() { rule.text } else { format!("{}\n{}", rule.title, rule.text) },
    };
    RuleFile {
        name: display_path(&node.path, root),
        folder: if folder == "." { String::new() } else { folder },
        paths: if node.source == Source::Rules { patterns(&node.text) } else { Vec::new() },
        statements: node::rules(node).into_iter().map(statement).collect(),
    }
}
