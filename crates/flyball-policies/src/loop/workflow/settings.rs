//! `[loop.workflow]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::globs::{Glob, any_matches, any_matches_name, without_plugin};

/// What starts a workflow by default.
const WORKFLOWS: [&str; 5] = ["feature", "capability", "integration", "bugfix", "orchestrating-*"];
const DOCUMENTS: [&str; 4] = ["**/*.md", "**/*.mdx", "**/*.rst", "**/*.adoc"];

/// `[loop.workflow]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Globs of the names of skills and commands that start an orchestration workflow, with or without their plugin.
    workflows: Vec<Glob>,
    /// Globs of the files that are the manifest of a workflow.
    manifests: Vec<Glob>,
    /// Globs of the documents that are recorded as artifacts when a subagent writes them.
    documents: Vec<Glob>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            workflows: WORKFLOWS.map(Glob::builtin).to_vec(),
            manifests: vec![Glob::builtin("**/MANIFEST.yaml")],
            documents: DOCUMENTS.map(Glob::builtin).to_vec(),
        }
    }
}

impl Settings {
    /// Whether a skill or a command of this name starts a workflow.
    pub(super) fn is_workflow(&self, name: &str) -> bool {
        !without_plugin(name).is_empty() && any_matches_name(&self.workflows, name)
    }

    /// Whether a file is a manifest, by its path below the project's root or without its first `/`.
    #[must_use]
    pub fn is_manifest(&self, path: &str) -> bool {
        any_matches(&self.manifests, path)
    }

    /// Whether a file is a document, by the same path.
    pub(super) fn is_document(&self, path: &str) -> bool {
        any_matches(&self.documents, path)
    }
}
