//! The node that a rule is written into.

use std::path::Path;

use flyball_clients::FACTS;
use flyball_core::path::AbsolutePath;
use flyball_core::world::{Files, Place};
use flyball_knowledge::layout;
use flyball_knowledge::node::{Node, covering, nearest};

use super::report_store::ReportStore;
use crate::environment;
use crate::outcome::Failed;

/// Where a rule goes.
pub(super) struct Target {
    pub(super) path: AbsolutePath,
    /// Whether it has to be created.
    pub(super) is_new: bool,
    /// All nodes that cover the place, the root's first, as they were when they were read.
    pub(super) nodes: Vec<Node>,
}

impl Target {
    /// The nearest node that covers a folder of the project, else AGENTS.md at the project's root.
    pub(super) fn covering(report_store: &ReportStore, folder: &str) -> Result<Target, Failed> {
        let root = report_store.machine.project_root();
        let place = if folder == "." { root.join("") } else { root.join(&format!("{folder}/")) };
        let mut nodes = covering(&report_store.machine, &place)?;
        // A project may be a folder of a repository; what is above it is not written to.
        let is_ours = |node: &Node| node.path.is_in(root);
        let ours: Vec<Node> = nodes.iter().filter(|node| is_ours(node)).cloned().collect();
        let nearest = nearest(&ours).map(|node| node.path.clone());
        let path = nearest.unwrap_or_else(|| root.join(default_name()));
        let is_new = report_store.machine.stat(&path).is_none();
        nodes.retain(|node| node.path != path || !is_new);
        Ok(Target { path, is_new, nodes })
    }

    /// The node that somebody named: a file, or the folder it is in.
    pub(super) fn named(report_store: &ReportStore, named: &Path) -> Result<Target, Failed> {
        let here = environment::working_directory().unwrap_or_else(|| report_store.root.clone());
        let given = here.join(named);
        let given = if given.is_dir() { in_folder(&given) } else { given };
        // Without symlinks: a link in the project could lead to somebody else's file.
        let path = report_store.machine.real_path(&AbsolutePath::from_path(&given), ".");
        let name = given.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !layout::is_node_name(FACTS, &name) {
            let names = layout::node_names(FACTS).map(|name| format!("`{name}`"));
            let names = names.collect::<Vec<_>>().join(" or ");
            let what = format!("`{}` is not a rule file: rule files are called {names}", named.display());
            return Err(Failed::new(what, "name such a file, or the folder it is in"));
        }
        if !Path::new(&path).starts_with(&report_store.root) {
            let what = format!("`{}` is not in this project", named.display());
            return Err(Failed::new(what, "run the command in the project it belongs to"));
        }
        let folder = Path::new(&path).parent().unwrap_or(&report_store.root).to_string_lossy().into_owned();
        let nodes = covering(&report_store.machine, &format!("{folder}/"))?;
        let is_new = report_store.machine.stat(&path).is_none();
        Ok(Target { path, is_new, nodes })
    }
}

fn in_folder(folder: &Path) -> std::path::PathBuf {
    let existing = layout::node_names(FACTS).map(|name| folder.join(name)).find(|path| path.is_file());
    existing.unwrap_or_else(|| folder.join(default_name()))
}

/// What a new node is called.
fn default_name() -> &'static str {
    layout::node_names(FACTS).next().unwrap_or("AGENTS.md")
}
