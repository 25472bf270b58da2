//! What is wrong with an ordinary rule file: what keeps its rules from helping.

use std::path::Path;

use flyball_core::text::counted;
use flyball_knowledge::node::{self, ImportState, Node};
use flyball_knowledge::tokens;
use flyball_world::machine::Machine;

use super::found::Found;
use super::severity::Severity;
use super::{dead_paths, lines, overlap, stale};
use crate::commands::memory::project_files::ProjectFiles;

/// Beyond this a file takes much of a model's context in every session, in tokens.
const LONG: usize = 4_000;

/// A file, and where it is.
pub(super) struct Ordinary<'a> {
    pub(super) node: &'a Node,
    /// The folder it is in.
    pub(super) folder: &'a Path,
    pub(super) machine: &'a Machine,
    pub(super) files: &'a ProjectFiles<'a>,
    pub(super) root: &'a str,
}

/// What is wrong with it, in the order of its lines, and what it yields.
pub(super) fn inspect(file: &Ordinary<'_>) -> Vec<Found> {
    let text = &file.node.text;
    let own = node::rules(file.node);
    let read = node::with_imports(file.machine, file.node.clone());
    let imported: usize = read.iter().skip(1).map(|node| node::rules(node).len()).sum();
    let mut found = vec![yields(own.len(), imported, text)];
    found.extend(size(text));
    found.extend(imports(file));
    found.extend(dead_paths::inspect(file.node, file.files));
    found.extend(stale::inspect(text, file.folder, file.files));
    let covering = node::covering(file.machine, &format!("{}/", file.node.folder)).unwrap_or_default();
    let is_above = |node: &&Node| {
        node.path != file.node.path
            && !read.iter().any(|own| own.path == node.path)
            && node.folder.len() < file.node.folder.len()
    };
    let above: Vec<node::Rule> = covering.iter().filter(is_above).flat_map(node::rules).collect();
    found.extend(overlap::inspect(&own, &above, file.root));
    found.extend(lines::inspect_ordinary(&lines::read(text)));
    found.sort_by_key(|(line, ..)| *line);
    found
}

/// How many rules there are, and what they cost.
fn yields(own: usize, imported: usize, text: &str) -> Found {
    let tokens = tokens::estimate(text);
    if text.trim().is_empty() {
        return (1, Severity::Error, "there is nothing in it".to_owned());
    }
    match (own, imported) {
        (0, 0) => {
            let what =
                "no rules: say what to do, what never to do, or what one has to know, below any heading";
            (1, Severity::Warning, what.to_owned())
        }
        (own, 0) => (1, Severity::Hint, format!("{}, about {tokens} tokens", counted(own, "rule"))),
        (own, imported) => {
            let what =
                format!("{} and {imported} in what it imports, about {tokens} tokens", counted(own, "rule"));
            (1, Severity::Hint, what)
        }
    }
}

fn size(text: &str) -> Option<Found> {
    let tokens = tokens::estimate(text);
    if text.len() > usize::try_from(node::MOST_BYTES).unwrap_or(usize::MAX) {
        let what = format!("it is too large to be read (about {tokens} tokens): split it");
        return Some((1, Severity::Error, what));
    }
    let what = format!(
        "about {tokens} tokens are read in every session: move what is about one folder into an AGENTS.md there"
    );
    (tokens > LONG).then_some((1, Severity::Warning, what))
}

fn imports(file: &Ordinary<'_>) -> Vec<Found> {
    let found = node::imports(file.machine, file.node).into_iter().filter_map(|import| {
        // The full stop of a sentence is not part of the name.
        let written = import.written.trim_end_matches(['.', ',', ';', ':', ')', ']', '!', '?']);
        let looks_like_path = is_meant_as_file(written, file);
        let (severity, what) = match import.state {
            ImportState::Missing if looks_like_path => (Severity::Error, "leads nowhere"),
            ImportState::Outside => (Severity::Warning, "leads out of the repository: it is not read"),
            ImportState::TooLong => (Severity::Warning, "is too large to be read"),
            ImportState::Missing | ImportState::NoText | ImportState::Read(_) => return None,
        };
        Some((import.line, severity, format!("the import `{written}` {what}")))
    });
    found.collect()
}

/// Whether an import that leads nowhere was meant to be a file, and is not the name of a package (`@types/node`) or of a
/// person: it says so by its ending or by how it begins, or its first folder is there.
fn is_meant_as_file(written: &str, file: &Ordinary<'_>) -> bool {
    let has_ending = [".md", ".mdx", ".mdc", ".markdown", ".txt"].iter().any(|kind| written.ends_with(kind));
    let is_from_place = ["./", "../", "~/", "/"].iter().any(|start| written.starts_with(start));
    let first = written.split_once('/').map(|(first, _)| first);
    has_ending || is_from_place || first.is_some_and(|first| file.folder.join(first).is_dir())
}
