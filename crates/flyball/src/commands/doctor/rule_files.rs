//! The files with the project's rules for agents, how many rules flyball finds in each, and why it finds none.

use std::cell::OnceCell;
use std::path::Path;

use flyball_clients::FACTS;
use flyball_core::config::Mode;
use flyball_core::path::AbsolutePath;
use flyball_core::text::{self, counted};
use flyball_core::world::Files;
use flyball_knowledge::layout;
use flyball_knowledge::node::{self, FileImport, ImportState, Node};
use flyball_knowledge::tokens;
use flyball_policies::memory;
use flyball_world::machine::{Machine, real_path};

use super::installation::Installation;
use super::report::Section;
use crate::commands::memory::nodes;
use crate::commands::memory::patterns::patterns;
use crate::commands::memory::place::machine;
use crate::commands::memory::project_files::ProjectFiles;
use crate::project_context::mode_in;

/// More files are only counted.
const MOST_FILES: usize = 20;
/// So many patterns of a file that match nothing are shown.
const MOST_PATTERNS: usize = 5;
/// So many imports of a file are shown.
const MOST_IMPORTS: usize = 5;

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("rules for agents");
    let machine = machine(&installation.site.root);
    let files = nodes::all(&machine, &installation.site.root);
    let is_on = mode_in(&installation.here.load_config().config, &memory::context::POLICY) != Mode::Off;
    if files.is_empty() {
        let names = layout::describe_node_names(FACTS);
        let shown = if is_on { ", so an agent is shown no rules before edits" } else { "" };
        section.note(format!("no {names}{shown}: write down what an agent has to know here"));
        return section;
    }
    let known = OnceCell::new();
    for file in files.iter().take(MOST_FILES) {
        let found = RuleFile::read(&machine, file);
        let shown = installation.site.show(file);
        match (found.why_none(), is_on) {
            (None, _) => section.good(format!("{shown}: {}", found.describe(installation))),
            (Some(why), true) => {
                section.warn(
                    format!("{shown}: no rules, so an agent is shown none before edits: {}", why.0),
                    why.1,
                );
            }
            (Some(why), false) => section.note(format!("{shown}: no rules: {}; {}", why.0, why.1)),
        }
        if let Some(node) = &found.node {
            let about = patterns(&node.text);
            let read = || ProjectFiles::read(&machine, &real_path(&installation.site.root));
            let dead = if about.is_empty() {
                Vec::new()
            } else {
                known.get_or_init(read).unmatched(about, Path::new(&*node.folder))
            };
            for pattern in dead.iter().take(MOST_PATTERNS) {
                let text = format!(
                    "{shown}:{}: `{}` in its `paths` matches no file of the project",
                    pattern.line, pattern.glob
                );
                section.warn(text, "name the files that the rules are about now, or remove the rule file");
            }
        }
        for import in found.imports.iter().filter(|import| is_unread(import)).take(MOST_IMPORTS) {
            let text = format!("{shown}:{}: the import `{}` {}", import.line, import.written, state(import));
            section.warn(text, "fix the path, or put it between backticks if it is none");
        }
    }
    if files.len() > MOST_FILES {
        section.note(format!("and {} more", files.len() - MOST_FILES));
    }
    if !is_on {
        section.note("they are not shown before edits: memory is off (`flyball init --packs memory`)");
    }
    section
}

/// A file of rules, as it is read.
struct RuleFile {
    /// `None` if it cannot be read.
    node: Option<Node>,
    bytes: u64,
    imports: Vec<FileImport>,
    rules: usize,
    /// How many rules are in what it imports.
    imported: usize,
}

impl RuleFile {
    fn read(machine: &Machine, file: &Path) -> RuleFile {
        let path = AbsolutePath::from_path(file);
        let content = machine.read(&path, node::MOST_BYTES).ok().flatten();
        let bytes = machine.stat(&path).map_or(0, |stat| stat.bytes);
        let Some(content) = content else {
            return RuleFile { node: None, bytes, imports: Vec::new(), rules: 0, imported: 0 };
        };
        let text = String::from_utf8_lossy(&content).into_owned();
        let folder = AbsolutePath::from_path(&nodes::covered(file));
        let node = Node { folder, ..Node::new(path, text) };
        let imports = node::imports(machine, &node);
        let count = |node: &Node| node::rules(node).len();
        let (rules, all) =
            (count(&node), node::with_imports(machine, node.clone()).iter().map(count).sum::<usize>());
        RuleFile { node: Some(node), bytes, imports, rules, imported: all.saturating_sub(rules) }
    }

    /// What it yields, in a few words.
    fn describe(&self, installation: &Installation) -> String {
        let mut parts = vec![counted(self.rules, "rule")];
        if self.imported > 0 {
            let read = self.imports.iter().filter_map(|import| match &import.state {
                ImportState::Read(path) => Some(installation.site.show(Path::new(path))),
                ImportState::Missing | ImportState::Outside | ImportState::TooLong | ImportState::NoText => {
                    None
                }
            });
            let read: Vec<String> = read.collect();
            parts.push(format!(
                "{} in what it imports ({})",
                self.imported,
                text::first(&read, MOST_IMPORTS)
            ));
        }
        if let Some(node) = &self.node {
            let about = node::paths(&node.text);
            if !about.is_empty() {
                parts.push(format!("about {} only", text::first(&about, MOST_IMPORTS)));
            }
        }
        parts.join(", ")
    }

    /// Why it has no rules, and what to do about it; `None` if it has some.
    fn why_none(&self) -> Option<(String, &'static str)> {
        let Some(node) = &self.node else {
            let why = match self.bytes {
                0 => "it cannot be read".to_owned(),
                bytes if bytes > node::MOST_BYTES => {
                    format!(
                        "it is too large to be read ({} KB, at most {})",
                        bytes / 1024,
                        node::MOST_BYTES / 1024
                    )
                }
                _ => "it cannot be read".to_owned(),
            };
            return Some((
                why,
                "make it readable, and shorter if it is large: no agent reads that much either",
            ));
        };
        if self.rules + self.imported > 0 {
            return None;
        }
        let write = "say what to do, what never to do, or what one has to know: in lists or sentences, below any heading";
        if node.text.trim().is_empty() {
            return Some(("it is empty".to_owned(), write));
        }
        if !self.imports.is_empty() && tokens::estimate(&node.text) < 8 * self.imports.len() + 32 {
            return match self.imports.iter().all(is_unread) {
                true => Some(("it only imports files that are not read".to_owned(), "fix the imports")),
                false => Some(("it only imports files without rules".to_owned(), write)),
            };
        }
        Some(("nothing in it says what to do, what to leave or what to know".to_owned(), write))
    }
}

/// Whether nothing comes of an import that should be one: `@name` alone may be anything.
fn is_unread(import: &FileImport) -> bool {
    let is_file = import.written.contains('/') || import.written.ends_with(".md");
    match import.state {
        ImportState::Read(_) | ImportState::NoText => false,
        ImportState::Missing => is_file && import.written.contains('.'),
        ImportState::Outside | ImportState::TooLong => true,
    }
}

fn state(import: &FileImport) -> &'static str {
    match import.state {
        ImportState::Read(_) => "is read",
        ImportState::NoText => "has no text to read",
        ImportState::Missing => "leads nowhere",
        ImportState::Outside => "leads out of the repository: it is not read",
        ImportState::TooLong => "is too large to be read",
    }
}
