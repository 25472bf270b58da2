//! What is shown of a manifest.

use std::path::{Path, PathBuf};

use flyball_policies::r#loop::manifest::Manifest;
use flyball_policies::r#loop::workflow::Trail;
use flyball_store::SessionSummary;
use serde::Serialize;

use crate::project_context::ProjectContext;

#[derive(Serialize)]
pub(super) struct Output {
    /// Where the manifest is.
    pub(super) path: Option<PathBuf>,
    pub(super) manifest: Option<CheckedManifest>,
    pub(super) session: Option<Session>,
    pub(super) trail: Trail,
    /// Other manifests of the project, the one changed last first.
    #[serde(skip)]
    pub(super) others: Vec<String>,
}

/// A manifest, and which of its artifacts exist.
#[derive(Serialize)]
pub(super) struct CheckedManifest {
    #[serde(flatten)]
    pub(super) manifest: Manifest,
    /// In the order of its artifacts.
    #[serde(skip)]
    pub(super) exists: Vec<bool>,
}

/// The session of the trail.
#[derive(Serialize)]
pub(super) struct Session {
    pub(super) id: String,
    pub(super) client: String,
}

impl Session {
    pub(super) fn from_summary(summary: &SessionSummary) -> Session {
        Session { id: summary.session.as_str().to_owned(), client: summary.client.clone() }
    }
}

impl CheckedManifest {
    pub(super) fn check(manifest: Manifest, path: &Path, here: &ProjectContext) -> CheckedManifest {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let exists = |written: &str| {
            // Agents write paths relative to the manifest or to the root.
            !written.is_empty() && [folder, &here.root].iter().any(|base| base.join(written).exists())
        };
        let exists = manifest.artifacts.iter().map(|artifact| exists(&artifact.path)).collect();
        CheckedManifest { manifest, exists }
    }
}
